"""Homes of logs: what is kept is read back, one writer at a time, none that does not know the end."""

from __future__ import annotations

import pathlib
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import pytest

from segue.errors import NotFoundError, SessionHeld, StaleWriter, SurfaceInvalid
from segue.model.entry import Entry
from segue.model.session import Session
from segue.sessionlog import chain
from segue.sessionlog.homes.files import FileHome
from segue.sessionlog.homes.seam import End
from segue.sessionlog.homes.store import StoreHome
from segue.sessionlog.verify import verify
from tests.engines import ENGINES, NOW, new_url
from tests.places import context, project
from tests.sessionlog.writers import process

if TYPE_CHECKING:
    from segue.sessionlog.homes.seam import Home

Opened = Callable[[], "Home"]


@pytest.fixture(params=(*ENGINES, "files"))
def homes(request: pytest.FixtureRequest, tmp_path: pathlib.Path) -> Iterator[Opened]:
    """Opens one and the same home again and again."""
    opened: list[Home] = []
    url = "" if request.param == "files" else new_url(request.param, tmp_path, request)

    def open_home() -> Home:
        if not url:
            opened.append(FileHome(str(tmp_path / "logs"), project("alpha")))
        elif url != "sqlite://:memory:" or not opened:
            opened.append(StoreHome(context(url, tmp_path)))
        else:
            return opened[0]
        return opened[-1]

    yield open_home
    for home in opened:
        home.close()


def log(name: str = "local:a", **more: Any) -> Session:
    """The header of a log that has no event yet."""
    fields: dict[str, Any] = {
        "session_id": name, "project_id": "id-alpha", "principal_id": "ann", "visibility": "private", "host": "local",
        "host_session_id": name.partition(":")[2], "agent_id": None, "agent_type": None, "parent_id": None,
        "cwd": "/src/alpha", "branch": None, "model": None, "title": None, "started_at": NOW, "last_event_at": NOW,
        "recorded_at": NOW, "next_seq": 0, "status": "ok", "problem": None,
    }  # fmt: skip
    return Session(**{**fields, **more})


def entries(session: Session, count: int, end: End | None = None, **last: Any) -> list[Entry]:
    """That many prompts that follow on `end`; `last` are fields of the last one."""
    seq, head = (0, chain.genesis(session.session_id)) if end is None else (end.seq, end.chain)
    made = []
    for at in range(count):
        body, salt = f'{{"text":"event {seq + at} ☃"}}', bytes([at % 256]) * 16
        own: dict[str, Any] = {"replaces": None, "cites": (), **(last if at == count - 1 else {})}
        digest = chain.body_digest(salt, None, body)
        fields = ("user/message", "user", NOW, NOW, None, None, str(len(body)))
        head = chain.link(
            head, session.session_id, seq + at, (*fields, *chain.place(own["replaces"], own["cites"])), digest
        )
        made.append(
            Entry(
                seq=seq + at, type="user/message", origin="user", event_time=NOW, recorded_at=NOW, action=None,
                outcome=None, dedupe=None, body_digest=digest, chain=head, salt=salt, size=len(body), subject=None,
                body=body, **own,
            )
        )  # fmt: skip
    return made


def start(session: Session) -> End:
    return End(seq=0, chain=chain.genesis(session.session_id))


def end_of(made: list[Entry]) -> End:
    return End(seq=made[-1].seq + 1, chain=made[-1].chain)


@pytest.mark.promise("HOME-1")
def test_what_is_kept_is_read_back_whole_and_in_pages(homes: Opened) -> None:
    session = log(title="a title", branch="main")
    first = entries(session, 600)
    home = homes()
    home.append(session, first, start(session))
    rest = entries(session, 3, end_of(first), replaces=(0, 1), cites=(0, 1))
    home.append(session, rest, end_of(first))
    again = homes()
    assert list(again.entries(session.session_id)) == first + rest
    assert list(again.entries(session.session_id, 598, 602)) == (first + rest)[598:602]
    assert again.end(session.session_id) == end_of(rest)
    assert again.session(session.session_id) == session.replace(next_seq=603)
    assert [found.session_id for found in again.sessions()] == [session.session_id]


@pytest.mark.promise("HOME-1")
def test_a_log_without_events_is_not_there(homes: Opened) -> None:
    session, home = log(), homes()
    home.append(session, [], start(session))
    assert home.session(session.session_id) is None
    assert home.end(session.session_id) is None
    assert list(home.sessions()) == []
    with pytest.raises(NotFoundError):
        list(home.entries(session.session_id))


@pytest.mark.promise("HOME-2")
def test_a_writer_that_does_not_know_the_end_is_refused_and_keeps_nothing(homes: Opened) -> None:
    session, home = log(), homes()
    first = entries(session, 2)
    with pytest.raises(StaleWriter):
        home.append(session, entries(session, 1, end_of(first)), end_of(first))
    home.append(session, first, start(session))
    for stale in (start(session), End(seq=2, chain=bytes(32)), End(seq=1, chain=first[0].chain)):
        with pytest.raises(StaleWriter):
            home.append(session, entries(session, 1, stale), stale)
    assert list(homes().entries(session.session_id)) == first
    home.append(session, entries(session, 1, end_of(first)), end_of(first))  # the control


@pytest.mark.promise("HOME-2")
def test_a_place_that_cannot_be_taken_keeps_nothing(homes: Opened) -> None:
    session, home = log(), homes()
    first = entries(session, 2)
    home.append(session, first, start(session))
    wrong = entries(session, 2, end_of(first), replaces=(1, 0), cites=(0, 1))
    with pytest.raises(SurfaceInvalid):
        home.append(session, wrong, end_of(first))
    assert list(homes().entries(session.session_id)) == first
    home.append(session, entries(session, 2, end_of(first), replaces=(0, 1), cites=(0, 1)), end_of(first))


HOLDER = """
import pathlib, sys, threading
from segue.sessionlog.homes.store import StoreHome
from tests.places import context, project
home = StoreHome(context(sys.argv[1], pathlib.Path(sys.argv[2])))
with home.hold("local:a"):
    print("held", flush=True)
    threading.Event().wait(120)
"""


@pytest.mark.promise("HOME-3")
def test_one_process_holds_a_log_until_it_ends_however_it_ends(store_url: str, tmp_path: pathlib.Path) -> None:
    if store_url == "sqlite://:memory:":
        return  # no other process sees it
    home = StoreHome(context(store_url, tmp_path))
    holder = process(HOLDER, store_url, str(tmp_path))
    with holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
        with pytest.raises(SessionHeld), home.hold("local:a"):
            pass
        with home.hold("local:b"):  # the control: another log is free
            pass
        holder.kill()
    for _ in range(2):
        with home.hold("local:a"):
            pass
    home.close()


@pytest.mark.promise("HOME-1")
def test_a_log_in_the_store_verifies_and_is_seen_by_no_other_person(store_url: str, tmp_path: pathlib.Path) -> None:
    ctx = context(store_url, tmp_path)
    home, session = StoreHome(ctx), log()
    home.append(session, entries(session, 3, None, replaces=(0, 1), cites=(0, 1)), start(session))
    assert verify(ctx).findings == ()
    other = StoreHome(ctx.replace(principal_id="bob"))
    assert other.session(session.session_id) is None
    assert other.end(session.session_id) is None
    assert list(other.sessions()) == []
    home.close()
