"""Whose words a prompt is: in a subagent's session the model asks, and nothing it says is the user's."""

from __future__ import annotations

import pathlib

import pytest

from segue.hosts.codex.transcript import read as read_codex
from tests.hosts.entries import no_query, write

ROLLOUT = "rollout-2026-01-02T03-04-05-01a22ebd-2306-77f1-9ae5-ec59eaba4905.jsonl"


@pytest.mark.promise("HST-5")
@pytest.mark.parametrize(
    ("source", "origin"),
    [
        ("cli", "user"),
        ({"subagent": "review"}, "model"),
        ({"subagent": {"thread_spawn": {"parent_thread_id": "p1", "depth": 1}}}, "model"),
    ],
)
def test_a_thread_of_codex_that_works_for_another_is_asked_by_a_model(
    source: object, origin: str, tmp_path: pathlib.Path
) -> None:
    time = "2026-01-02T03:04:05.000Z"
    said = {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "look there"}]}
    path = write(
        tmp_path / ROLLOUT,
        {"timestamp": time, "type": "session_meta", "payload": {"id": "t1", "source": source}},
        {"timestamp": time, "type": "response_item", "payload": said},
        {"timestamp": time, "type": "response_item", "payload": {**said, "role": "assistant"}},
    )
    whole = list(read_codex(path, 0, {}, no_query))
    assert [draft.origin for entry in whole for draft in entry.drafts] == [origin, "model"]
    assert list(read_codex(path, whole[0].position, whole[0].state, no_query)) == whole[1:]
