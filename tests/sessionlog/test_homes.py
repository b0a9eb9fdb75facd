"""Homes of logs: what is kept is read back, one writer at a time, none that does not know the end."""

from __future__ import annotations

import pathlib
import threading
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import pytest

from segue.errors import NotFoundError, SessionHeld, StaleWriter, SurfaceInvalid
from segue.sessionlog.homes.files import FileHome
from segue.sessionlog.homes.seam import End
from segue.sessionlog.homes.store import StoreHome
from segue.sessionlog.verify import verify
from tests.engines import ENGINES, new_url
from tests.places import context, project
from tests.sessionlog.logs import end_of, entries, log, start
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
from segue.sessionlog.homes.files import FileHome
from segue.sessionlog.homes.store import StoreHome
from tests.places import context, project
url, folder = sys.argv[1], pathlib.Path(sys.argv[2])
home = StoreHome(context(url, folder)) if url else FileHome(str(folder / "logs"), project("alpha"))
with home.hold("local:a"):
    print("held", flush=True)
    threading.Event().wait(120)
"""


@pytest.mark.promise("HOME-3")
@pytest.mark.parametrize("where", ["file", "postgresql", "files"])
def test_one_process_holds_a_log_until_it_ends_however_it_ends(
    where: str, request: pytest.FixtureRequest, tmp_path: pathlib.Path
) -> None:
    url = "" if where == "files" else new_url(where, tmp_path, request)
    home: Home
    home = StoreHome(context(url, tmp_path)) if url else FileHome(str(tmp_path / "logs"), project("alpha"))
    holder = process(HOLDER, url, str(tmp_path))
    with holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
        with pytest.raises(SessionHeld), home.hold("local:a"):
            pass
        with home.hold("local:b"):  # the control: another log is free
            pass
        holder.kill()
    assert is_free_soon(home)
    with home.hold("local:a"):
        pass
    home.close()


def is_free_soon(home: Home) -> bool:
    """Whether the log can be held once a server has seen that its holder's connection is gone."""
    for _ in range(200):
        try:
            with home.hold("local:a"):
                return True
        except SessionHeld:
            threading.Event().wait(0.02)
    return False


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
