"""What the hash chain shows."""

from __future__ import annotations

import hashlib
import pathlib

import pytest

from segue.operations.registry import OPERATIONS
from segue.projectors.derive import derive
from segue.sessionlog import chain
from segue.sessionlog.verify import verify
from segue.stores import sessions
from tests.places import answer, capture, context, header, prompt

TAMPERINGS = {
    "text": 'UPDATE events SET body = \'{"text":"forged"}\' WHERE seq = 2',
    "subject": "UPDATE events SET subject = 'forged' WHERE seq = 2",
    "time": "UPDATE events SET event_time = '2020-01-01T00:00:00.000Z' WHERE seq = 2",
    "origin": "UPDATE events SET origin = 'user' WHERE seq = 1",
    "type": "UPDATE events SET type = 'assistant/message' WHERE seq = 2",
    "outcome": "UPDATE events SET outcome = 'ok' WHERE seq = 2",
    "lost in the middle": "DELETE FROM events WHERE seq = 2",
    "lost at the end": "DELETE FROM events WHERE seq = 5",
    "salt": "UPDATE events SET salt = NULL WHERE seq = 2",
    "end of the log": "UPDATE sessions SET next_seq = 5 WHERE session_id = 'claude-code:s1'",
    "moved": "UPDATE events SET seq = 9 WHERE seq = 5",
    "size": "UPDATE events SET size = 1 WHERE seq = 2",
    "surface": "UPDATE events SET surface = 'log-only' WHERE seq = 2",
    "body taken away": "UPDATE events SET body = NULL WHERE seq = 2",
    "subject of a deleted one": "UPDATE events SET body = NULL, salt = NULL, subject = 'forged' WHERE seq = 2",
    "added at the end": (
        "INSERT INTO events SELECT tenant, session_id, 6, type, surface, origin, event_time, recorded_at, action,"
        " outcome, NULL, body_digest, chain, salt, size, subject, body FROM events WHERE seq = 5"
    ),
    "not JSON": "UPDATE events SET body = '{' WHERE seq = 2",
}


@pytest.mark.promise("LOG-3")
@pytest.mark.parametrize("what", TAMPERINGS)
def test_every_kind_of_tampering_is_found_and_the_untouched_log_is_not(
    what: str, store_url: str, tmp_path: pathlib.Path
) -> None:
    ctx = context(store_url, tmp_path)
    for number in range(3):
        capture(ctx, prompt(f"ask {number}"), answer(f"say {number}"))
    capture(ctx, prompt("other"), into=header("s2"))
    assert verify(ctx).findings == ()
    ctx.store.run(TAMPERINGS[what].replace("WHERE seq", "WHERE session_id = 'claude-code:s1' AND seq"))
    found = verify(ctx)
    assert [finding.session_id for finding in found.findings] == ["claude-code:s1"]
    ctx.store.close()


@pytest.mark.promise("LOG-4")
def test_a_dropped_body_leaves_the_chain_green_and_nothing_to_guess_from(
    store_url: str, tmp_path: pathlib.Path
) -> None:
    ctx = context(store_url, tmp_path)
    capture(ctx, prompt("forget me"), answer("kept"))
    ctx.store.run("UPDATE events SET body = NULL, salt = NULL, subject = NULL WHERE seq = 0")
    verified = verify(ctx)
    assert (verified.findings, verified.deleted, verified.events) == ((), 1, 2)
    row = ctx.store.one("SELECT type, body_digest FROM events WHERE seq = 0")
    assert row is not None
    assert row[0] == "user/message"
    assert len(bytes(row[1])) == 32
    ctx.store.close()


@pytest.mark.promise("LOG-4")
def test_the_same_text_has_another_digest_each_time(store_url: str, tmp_path: pathlib.Path) -> None:
    ctx = context(store_url, tmp_path)
    capture(ctx, prompt("same"), prompt("same"))
    digests = {bytes(row[0]) for row in ctx.store.all("SELECT body_digest FROM events")}
    assert len(digests) == 2
    ctx.store.close()


@pytest.mark.promise("LOG-5")
def test_a_broken_session_is_set_aside_and_comes_back_when_it_is_mended(store_url: str, tmp_path: pathlib.Path) -> None:
    ctx = context(store_url, tmp_path)
    capture(ctx, prompt("needle one"))
    capture(ctx, prompt("needle two"), into=header("s2"))
    kept = ctx.store.one("SELECT body FROM events WHERE session_id = 'claude-code:s1'")
    assert kept is not None
    ctx.store.run("UPDATE events SET body = '{\"text\":\"x\"}' WHERE session_id = 'claude-code:s1'")
    assert len(verify(ctx).findings) == 1
    assert [s.session_id for s in sessions.latest(ctx.store, ctx.scope(), 9)] == ["claude-code:s2"]
    ctx.store.run("UPDATE events SET body = :body WHERE session_id = 'claude-code:s1'", {"body": kept[0]})
    assert verify(ctx).findings == ()
    assert len(sessions.latest(ctx.store, ctx.scope(), 9)) == 2
    ctx.store.close()


@pytest.mark.promise("LOG-5")
def test_an_unreadable_event_quarantines_its_session_and_the_index_goes_on(
    store_url: str, tmp_path: pathlib.Path
) -> None:
    ctx = context(store_url, tmp_path)
    capture(ctx, prompt("one"))
    capture(ctx, prompt("two"), into=header("s2"))
    ctx.store.run("UPDATE events SET body = 'not json' WHERE session_id = 'claude-code:s1'")
    derived = derive(ctx, ctx.spool_dir)
    assert derived.quarantined == ("claude-code:s1",)
    assert (derived.indexed, derived.left) == (1, 0)
    ctx.store.close()


@pytest.mark.promise("LOG-3")
def test_an_index_that_is_not_the_logs_is_found(store_url: str, tmp_path: pathlib.Path) -> None:
    ctx = context(store_url, tmp_path)
    capture(ctx, prompt("needle"))
    derive(ctx, ctx.spool_dir)
    operation = next(op for op in OPERATIONS if op.name == "verify")
    assert operation.run(ctx, {})["ok"] is True
    ctx.store.run("DELETE FROM event_docs")
    told = operation.run(ctx, {})
    assert told["ok"] is False
    assert told["index"]["wrong"] == ["claude-code:s1"]
    ctx.store.close()


def framed(*parts: bytes) -> bytes:
    return hashlib.sha256(b"".join(len(part).to_bytes(8, "big") + part for part in parts)).digest()


@pytest.mark.promise("LOG-18")
def test_digests_are_of_parts_each_after_its_length() -> None:
    assert chain.genesis("s") == framed(b"segue-log-1", b"s")
    body = chain.body_digest(b"salt", None, '{"text":"\u00e9"}')
    assert body == framed(b"salt", b"", '{"text":"\u00e9"}'.encode())
    fields = ("user/message", "user", "t1", "t2", None, "", "12")
    parts = (b"user/message", b"user", b"t1", b"t2", b"\0", b"", b"12")
    assert chain.link(b"head", "s", 7, fields, body) == framed(b"head", b"s", b"7", *parts, body)
    assert chain.dedupe("key", "s")("k\ud800") == framed(b"key", b"s", b"k?")[:16]
    assert chain.dedupe("key", "s")("k") != chain.dedupe("key", "sk")("")
