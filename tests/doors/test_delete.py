"""Deleting at the command line what was imported and what hooks told."""

from __future__ import annotations

import pathlib

import pytest

from segue.stores.open import open_store
from tests.doors.test_cli import as_json, segue
from tests.doors.test_hook import Home
from tests.doors.test_import import full
from tests.engines import NOW
from tests.keeping.test_delete import bytes_of

__all__ = ["full"]


def titles_and_ids(home: Home) -> tuple[set[str], list[str]]:
    """What the store holds of sessions."""
    store = open_store(f"sqlite:///{str(home.data / 'segue.db').lstrip('/')}", now=NOW)
    rows = store.all("SELECT session_id, title FROM sessions WHERE agent_id IS NULL ORDER BY session_id")
    store.close()
    return {row[1] for row in rows if row[1]}, [row[0] for row in rows]


@pytest.mark.promise("KEEP-1")
@pytest.mark.promise("KEEP-2")
def test_imported_sessions_are_deleted_for_good_and_the_others_stay(full: Home) -> None:
    segue(full, "import")
    titles, ids = titles_and_ids(full)
    kept, gone = ids[0], ids[1:]
    assert len(gone) > 3
    for name in gone:
        assert "Nothing was deleted" in segue(full, "delete", name, "--all")
        assert as_json(full, "delete", name, "--all", "--yes")["done"]["problem"] is None
    left, ids = titles_and_ids(full)
    assert ids == [kept]
    again = as_json(full, "import", "--again")
    assert {host: row["added"] for host, row in again["hosts"].items() if row["added"]} == {}
    assert sum(row["deleted"] for row in again["hosts"].values()) > 10
    assert "of deleted sessions" in segue(full, "import", "--again")
    assert titles_and_ids(full)[1] == [kept]
    data = bytes_of(full.data)
    assert {title for title in titles if title.encode() in data} == left
    assert as_json(full, "verify")["ok"]


@pytest.mark.promise("KEEP-2")
def test_hooks_of_a_deleted_session_tell_nothing_any_more_and_do_not_hurt_the_host(home: Home) -> None:
    home.tell("UserPromptSubmit", prompt="the zyxqvkwj of it")
    segue(home, "delete", titles_and_ids(home)[1][0], "--yes")
    assert home.tell("UserPromptSubmit", prompt="the zyxqvkwj of it again") == b""
    home.tell("UserPromptSubmit", session_id="another", prompt="of another session")
    assert titles_and_ids(home)[1] == ["claude-code:another"]
    assert b"zyxqvkwj" not in bytes_of(pathlib.Path(home.data))
    assert home.errors() == ""
