"""Owns the composition: reads the environment once and makes the context of a door. The only reader of it.

On the hook path: everything that a capture does not need is imported where it is used.
"""

from __future__ import annotations

import os
import stat
import sys
import time

from segue.config.settings import FILE_NAME, MAX_CONFIG, resolve
from segue.ctx import MAX_PATTERNS, Place, open_context
from segue.errors import ConfigInvalid, NoHome, StoreUnavailable, TooLate
from segue.model.instant import from_epoch
from segue.model.moment import SESSION_START
from segue.redaction import use_kept
from segue.sessionlog.place import identify, policy_for
from segue.system.paths import data_dir, home

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any

    from segue.config.settings import Settings, Value
    from segue.model.moment import Answer, Moment
    from segue.sessionlog.capture import Clean

STORE_FILE = "segue.db"
#: set for every program that Segue runs, so that no hook of it runs Segue again
DEPTH_VARIABLE = "SEGUE_HOOK_DEPTH"
OFF_VARIABLE = "SEGUE_OFF"
#: how long a hook waits for another writer, in seconds; then its batch goes to the spool
HOOK_BUSY_S = 0.7
#: what to do about a configuration file that tells nothing
UNREADABLE = "Mend or delete that file."


def now() -> str:
    """The present as UTC text."""
    return from_epoch(time.time())


def nonce() -> str:
    """An unguessable id of 16 hex digits."""
    return os.urandom(8).hex()


def is_off(env: Mapping[str, str]) -> bool:
    """Whether this process must not record: switched off, or started by Segue itself."""
    return env.get(OFF_VARIABLE, "") not in ("", "0") or env.get(DEPTH_VARIABLE, "") not in ("", "0")


def locate(env: Mapping[str, str], cwd: str, *, lenient: bool = False) -> Place:
    """Find folders, settings, project and principal from the environment and a working directory.

    A configuration that cannot be used is an error; to a `lenient` caller it is a problem told beside the defaults.
    """
    user_home = home(env)
    folder = data_dir(env, sys.platform)
    if folder is None:
        raise NoHome()
    settings, values, problem = _settings(folder, env, lenient=lenient)
    default_url = "sqlite:///" + os.path.join(folder, STORE_FILE).removeprefix("/")
    project = identify(cwd, user_home, settings)
    return Place(
        platform=sys.platform,
        home=user_home,
        data_dir=folder,
        cwd=cwd,
        settings=settings,
        values=values,
        project=project,
        principal_id=settings.principal or principal(env),
        store_url=settings.store or default_url,
        policy=policy_for(project, cwd, user_home),
        python=sys.executable,
        package_parent=os.path.dirname(os.path.dirname(os.path.abspath(__file__))),
        env=env,
        now=now,
        nonce=nonce,
        problem=problem,
    )


def _settings(folder: str, env: Mapping[str, str], *, lenient: bool) -> tuple[Settings, tuple[Value, ...], str | None]:
    try:
        return (*resolve(read_config(folder), env), None)
    except ConfigInvalid as error:
        named = ConfigInvalid(f"{os.path.join(folder, FILE_NAME)}: {error.detail}", hint=error.hint)
        if not lenient:
            raise named from error
        return (*resolve(None, {}), str(named))


def read_config(folder: str) -> str | None:
    """The text of the configuration file; None where there is none. `ConfigInvalid` where it cannot be read.

    Whatever lies there may have been meant to switch the record off: it is never taken for an empty file.
    """
    path = os.path.join(folder, FILE_NAME)
    try:
        told = os.stat(path)
        if not stat.S_ISREG(told.st_mode):  # a pipe would be waited for
            raise ConfigInvalid("it is no file", hint=UNREADABLE)
        if told.st_size > MAX_CONFIG:
            raise ConfigInvalid(f"it has more than {MAX_CONFIG} bytes", hint=UNREADABLE)
        with open(path, encoding="utf-8") as file:
            return file.read().removeprefix("\ufeff")  # the codec that does so is a module more for each hook
    except (FileNotFoundError, NotADirectoryError):
        if os.path.lexists(path):
            raise ConfigInvalid("it is a link to what is not there", hint=UNREADABLE) from None
        return None
    except OSError as error:
        raise ConfigInvalid(f"it cannot be read ({error.strerror})", hint=UNREADABLE) from error
    except UnicodeDecodeError as error:
        raise ConfigInvalid("it is no UTF-8 text", hint=UNREADABLE) from error


def principal(env: Mapping[str, str]) -> str:
    """Who runs this: the operating system's user."""
    name = env.get("USER") or env.get("USERNAME") or env.get("LOGNAME")
    if name:
        return name
    return str(os.getuid()) if hasattr(os, "getuid") else "user"


def receive(
    host: str,
    event: str,
    payload: dict[str, Any],
    env: Mapping[str, str],
    record_error: Callable[[BaseException], None],
    *,
    is_large: bool = False,
) -> str:
    """Record one payload of a live host and answer in its own words; what cannot be stored waits in the spool.

    Of a payload that `is_large` everything waits there: redacting it takes the time in which a store would be opened.
    """
    from segue.hosts.registry import hooks_of

    dialect = hooks_of(host)
    named = payload.get("hook_event_name")
    event = event or (named if isinstance(named, str) else "")
    moment = dialect.parse(event, payload)
    cwd = moment.header.cwd or _cwd()
    try:
        place = locate(env, cwd)
    except ConfigInvalid as error:  # it may say that nothing is to be recorded
        record_error(error)
        return dialect.render(event, _tell(error)) if moment.kind == SESSION_START else ""
    if _is_own(place, cwd):
        return ""
    return dialect.render(event, _record(place, moment, record_error, is_large=is_large))


def _tell(error: ConfigInvalid) -> Answer:
    """What a session is given in place of a brief: a person would not look for the reason."""
    from segue.model.frame import wrap
    from segue.model.moment import Answer

    reason = f"{error}. {error.hint} `segue config` and `segue doctor` tell the same."
    text = f"Segue records nothing and knows nothing here until its settings can be used. {reason}"
    return Answer(context=wrap(text, nonce()))


def _cwd() -> str:
    try:
        return os.getcwd()
    except OSError:
        return ""  # it was deleted: no project


def _is_own(place: Place, cwd: str) -> bool:
    """Whether the session runs in Segue's own folder: such sessions are not recorded (I10)."""
    return (os.path.realpath(cwd) + os.sep).startswith(os.path.realpath(place.data_dir) + os.sep)


def _record(place: Place, moment: Moment, record_error: Callable[[BaseException], None], *, is_large: bool) -> Answer:
    from segue.lifecycle import moments

    told: list[Clean] = []
    use_kept(lambda: _kept_patterns(place.patterns_path))
    if place.settings.capture == "on":
        try:
            told = moments.batches(moment, place.policy, now(), nonce())
        except TooLate as error:  # what was said cannot be made safe in time: that it was said is kept
            record_error(error)
            told = moments.batches(moments.without_texts(moment), place.policy, now(), nonce())
    starting = moment.kind == SESSION_START
    if not told and not starting:
        return moments.NOTHING
    if not starting and (is_large or not place.store_url.startswith("sqlite")):
        # a driver for a server is too slow to load at every step; the next process that opens the store moves the spool
        keep(place, told, record_error)
        return moments.NOTHING
    try:
        ctx = open_context(place, busy_s=HOOK_BUSY_S, upgrade=starting)  # a step of the work never waits for that
        try:
            return moments.handle(ctx, moment, told)
        finally:
            ctx.store.close()
    except (StoreUnavailable, TooLate) as error:
        record_error(error)
        keep(place, told, record_error)
        return moments.NOTHING


def keep(place: Place, told: Sequence[Clean], record_error: Callable[[BaseException], None]) -> None:
    """Put batches into the spool. A hook's time is up only once: what it interrupts is done again, and then folds."""
    from segue.lifecycle.moments import keep_for_later

    try:
        keep_for_later(place.spool_dir, told, place.project, place.principal_id, nonce())
    except TooLate as error:
        record_error(error)
        keep_for_later(place.spool_dir, told, place.project, place.principal_id, nonce())


def _kept_patterns(path: str) -> bytes | None:
    """What `segue up` compiled for this; None where it cannot be read. A pipe in its place holds nobody up."""
    try:
        handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
        try:
            return os.read(handle, MAX_PATTERNS)
        finally:
            os.close(handle)
    except OSError:
        return None
