"""Deleting what forks inherited."""

from __future__ import annotations

import os
import pathlib
from collections.abc import Iterator
from typing import Any

import pytest

from segue.errors import SessionDeleted
from segue.frameworks import History
from segue.projectors import index
from segue.sessionlog.verify import verify
from tests.engines import new_url
from tests.keeping.test_delete import MARKER, found, holds, run, told

USER = "user/message"


@pytest.fixture(params=["file", "postgresql"])
def forked(request: pytest.FixtureRequest, tmp_path: pathlib.Path) -> Iterator[History]:
    """A session that holds the marker, a fork of it, and a fork of that."""
    work, data = tmp_path / "work", tmp_path / "data"
    work.mkdir()
    data.mkdir()
    env = {
        "HOME": str(tmp_path), "SEGUE_HOME": str(data), "SEGUE_STORE": new_url(request.param, data, request),
        "PATH": os.environ["PATH"],
    }  # fmt: skip
    with History(str(work), env=env) as history:
        with history.create("one", title="plain") as live:
            live.append(USER, {"text": f"the {MARKER} lantern"})
            live.append(USER, {"text": "the second lantern"})
        with history.fork("one", into="two") as live:
            live.append(USER, {"text": "the third lantern"})
        history.fork("two", into="three").close()
        yield history


def lanterns(history: History, **more: Any) -> list[str]:
    return [name.removeprefix("python:") for name in found(history._ctx, "lantern", **more)]


@pytest.mark.promise("KEEP-6")
@pytest.mark.promise("KEEP-1")
def test_copies_in_forks_go_with_the_events_they_are_copies_of(forked: History, tmp_path: pathlib.Path) -> None:
    ctx = forked._ctx
    assert lanterns(forked) == ["one#1", "one#2", "two#4"]
    text = told(ctx, "delete", ids=["python:one#1"])
    assert "copied from python:one)" in text
    assert "copied from python:two)" in text
    assert run(ctx, "delete", ids=["python:one#1"], yes=True)["done"]["events"] == 3
    assert not holds(ctx, tmp_path / "data")
    assert lanterns(forked) == ["one#2", "two#4"]
    assert lanterns(forked, session="python:three") == ["three#2", "three#4"]
    assert verify(ctx).findings == ()
    assert index.missing(ctx) == []
    assert [message["content"] for message in forked.inspect("three").messages] == [
        "the second lantern",
        "the third lantern",
    ]


@pytest.mark.promise("KEEP-6")
def test_copies_that_are_asked_to_stay_are_told_and_found_under_their_own_name(forked: History) -> None:
    ctx = forked._ctx
    text = told(ctx, "delete", ids=["python:one"], keep_copies=True)
    assert text.index("copies that stay in forks") < text.index("python:two")
    run(ctx, "delete", ids=["python:one"], keep_copies=True, yes=True)
    assert lanterns(forked) == ["two#1", "two#2", "two#4"]
    assert lanterns(forked, session="python:three") == ["three#1", "three#2", "three#4"]
    assert verify(ctx).findings == ()
    assert index.missing(ctx) == []
    with pytest.raises(SessionDeleted), forked.create("one") as live:
        live.append(USER, {"text": "again"})
        live.flush()
    forked._live["python:one"].abandon()


@pytest.mark.promise("KEEP-6")
def test_a_whole_session_takes_its_copies_with_it_and_leaves_what_forks_said_themselves(
    forked: History, tmp_path: pathlib.Path
) -> None:
    ctx = forked._ctx
    run(ctx, "delete", ids=["python:one"], yes=True)
    assert lanterns(forked) == ["two#4"]
    assert not holds(ctx, tmp_path / "data")
    assert verify(ctx).findings == ()
    assert index.missing(ctx) == []
