"""Transcripts that their host is still writing: read at any moment, and on from there."""

from __future__ import annotations

import json
import pathlib
import tempfile
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from segue.hosts.registry import HOSTS, Host
from segue.model.transcript import Entry
from tests.hosts.entries import HERE, no_query

HOST = {host.name: host for host in HOSTS}
FILES = {
    "claude": (HOST["claude-code"], next((HERE / "claude" / "compact").glob("*.jsonl"))),
    "codex": (HOST["codex"], next((HERE / "codex" / "autocompact").glob("*.jsonl"))),
    "gemini": (HOST["gemini"], next((HERE / "gemini" / "basic").glob("*.jsonl"))),
}


def told(entries: list[Entry]) -> list[Entry]:
    """The entries without the line that had no end yet."""
    return [entry for entry in entries if entry.skipped != "cut-off"]


def in_parts(host: Host, path: pathlib.Path, data: bytes, cuts: list[int]) -> list[Entry]:
    """Everything that is told when the file is read after each part that its host wrote."""
    found: list[Entry] = []
    position, state = 0, dict[str, Any]()
    for end in [*cuts, len(data)]:
        path.write_bytes(data[:end])
        entries = list(host.read(str(path), position, state, no_query))
        if entries:
            position, state = entries[-1].position, json.loads(json.dumps(entries[-1].state))
        found += told(entries)
    return found


def without_place(entry: Entry) -> Entry:
    """An entry without where to go on: that a line was seen without its end may be remembered there."""
    return entry.replace(state={}, position=0)


@pytest.mark.promise("HST-11")
@pytest.mark.parametrize("name", FILES)
@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_a_transcript_read_while_it_grows_tells_the_same(name: str, data: st.DataObject) -> None:
    host, file = FILES[name]
    whole = file.read_bytes()
    starts = [at + 1 for at, byte in enumerate(whole) if byte == 10]
    near = st.sampled_from(starts).flatmap(lambda at: st.integers(max(0, at - 2), min(len(whole), at + 2)))
    cuts = sorted(data.draw(st.lists(st.integers(0, len(whole)) | near, max_size=4)))
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / file.name
        found = in_parts(host, path, whole, cuts)
        expected = list(host.read(str(path), 0, {}, no_query))
    assert list(map(without_place, found)) == list(map(without_place, expected))
    assert len(expected) == len(whole.splitlines())
