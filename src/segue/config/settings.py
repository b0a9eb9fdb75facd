"""Owns the table of settings and how a value is read. Never opens the file: the composition root does."""

from __future__ import annotations

from segue.errors import ConfigInvalid
from segue.model.codec import loads
from segue.model.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any


class Setting(Record):
    """One setting: its default, what it does, and the values it takes (`choices`, or a range for numbers)."""

    name: str
    default: str | int
    help: str
    choices: tuple[str, ...] = ()
    low: int = 0
    high: int = 0
    variable: str | None = None


class Settings(Record):
    """The settings in force. Each field has a row in SETTINGS with its help."""

    store: str = ""
    tenant: str = "local"
    principal: str = ""
    capture: str = "on"
    brief: str = "on"
    brief_tokens: int = 1000
    visibility: str = "private"
    worktrees: str = "shared"
    keep_days: int = 0
    keep_sessions: int = 0
    keep_megabytes: int = 0
    retain: str = "off"


#: the file in Segue's folder: one JSON object (decision 0005)
FILE_NAME = "config.json"
#: bytes of it that are read
MAX_CONFIG = 1_000_000
STORE_URLS = ("sqlite:///", "sqlite://:memory:", "postgresql://", "postgres://")
ON_OFF = ("on", "off")

SETTINGS = (
    Setting(
        name="store",
        default="",
        variable="SEGUE_STORE",
        help="URL of the store: sqlite:///PATH or postgresql://…; empty is the file segue.db in Segue's folder",
    ),
    Setting(name="tenant", default="local", help="whose installation rows belong to, for stores that several share"),
    Setting(name="principal", default="", help="who owns what is recorded; empty is the operating system's user"),
    Setting(name="capture", default="on", choices=ON_OFF, help="whether sessions are recorded by the hooks"),
    Setting(name="brief", default="on", choices=ON_OFF, help="whether a new session is given the brief"),
    Setting(
        name="brief_tokens",
        default=1000,
        low=100,
        high=2000,
        help="upper bound of the brief with its frame, in tokens of about four bytes",
    ),
    Setting(
        name="visibility",
        default="private",
        choices=("private", "project"),
        help="who sees new sessions in a shared store: only their owner, or everyone in the project",
    ),
    Setting(
        name="worktrees",
        default="shared",
        choices=("shared", "isolated"),
        help="whether the worktrees and clones of one repository share their memory",
    ),
    Setting(
        name="keep_days",
        default=0,
        high=36_500,
        help="after how many days without an event `segue retain` deletes a session; 0 is never",
    ),
    Setting(
        name="keep_sessions",
        default=0,
        high=10_000_000,
        help="how many sessions of yours `segue retain` keeps, the latest ones; 0 is all",
    ),
    Setting(
        name="keep_megabytes",
        default=0,
        high=100_000_000,
        help="how many megabytes of your sessions' texts `segue retain` keeps, the latest ones; 0 is all",
    ),
    Setting(
        name="retain",
        default="off",
        choices=("off", "daily"),
        help="whether what the keep_… settings keep no longer is deleted without being asked, once a day: by"
        " `segue derive`, and by the MCP server while it is idle",
    ),
)
BY_NAME = {setting.name: setting for setting in SETTINGS}


class Value(Record):
    """A setting's value and where it came from: `default`, `file`, or the environment variable's name."""

    name: str
    value: str | int
    source: str


def resolve(file_text: str | None, env: Mapping[str, str]) -> tuple[Settings, tuple[Value, ...]]:
    """The settings in force and their sources. `ConfigInvalid` names an unknown key or a value that does not fit."""
    chosen = read_file(file_text)
    values = []
    for setting in SETTINGS:
        if setting.variable and env.get(setting.variable):
            values.append(
                Value(name=setting.name, value=check(setting.name, env[setting.variable]), source=setting.variable)
            )
        elif setting.name in chosen:
            values.append(Value(name=setting.name, value=check(setting.name, chosen[setting.name]), source="file"))
        else:
            values.append(Value(name=setting.name, value=setting.default, source="default"))
    chosen_values: dict[str, Any] = {v.name: v.value for v in values}
    return Settings(**chosen_values), tuple(values)


def read_file(text: str | None) -> dict[str, Any]:
    """What the file chooses, by name, values not checked yet."""
    if text is None or not text.strip():
        return {}
    try:
        chosen = loads(text)
    except ValueError as error:
        raise ConfigInvalid(f"the file is not JSON ({error})") from error
    if not isinstance(chosen, dict):
        raise ConfigInvalid("the file must hold one JSON object")
    unknown = sorted(set(chosen) - set(BY_NAME))
    if unknown:
        raise ConfigInvalid(f"unknown key {unknown[0]!r}", hint=f"Known keys: {', '.join(BY_NAME)}.")
    return chosen


def shown(name: str, value: str | int) -> str | int:
    """The value as it may be shown: a store's URL without its password."""
    if name != "store" or not isinstance(value, str) or "@" not in value:
        return value
    scheme, _, rest = value.partition("://")
    who, _, where = rest.rpartition("@")
    return f"{scheme}://{who.partition(':')[0]}:…@{where}" if ":" in who else value


def check(name: str, value: object) -> str | int:
    """The value as this setting holds it; `ConfigInvalid` says what would fit."""
    setting = BY_NAME.get(name)
    if setting is None:
        raise ConfigInvalid(f"unknown key {name!r}", hint=f"Known keys: {', '.join(BY_NAME)}.")
    if isinstance(setting.default, int):
        return _check_number(setting, value)
    if not isinstance(value, str) or "\0" in value:
        raise ConfigInvalid(f"{name} must be text")
    if setting.choices and value not in setting.choices:
        raise ConfigInvalid(f"{name} = {value!r}", hint=f"{name} is one of: {', '.join(setting.choices)}.")
    if name == "tenant" and not value:
        raise ConfigInvalid("tenant must not be empty")
    if name == "store" and value and not value.startswith(STORE_URLS):
        raise ConfigInvalid("store is no URL of a store", hint=f"It begins with one of: {', '.join(STORE_URLS)}.")
    return value


def _check_number(setting: Setting, value: object) -> int:
    if isinstance(value, str) and value.isascii() and value.isdigit():
        value = int(value)
    if not isinstance(value, int) or isinstance(value, bool) or not setting.low <= value <= setting.high:
        raise ConfigInvalid(f"{setting.name} = {value!r}", hint=f"{setting.name} is {setting.low} to {setting.high}.")
    return value
