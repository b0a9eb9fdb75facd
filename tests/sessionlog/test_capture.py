"""How an event comes into the log."""

from __future__ import annotations

import pathlib

import pytest

from segue.model.event import Draft
from segue.sessionlog.capture import HEAD_CHARS, MAX_BODY_BYTES, TAIL_CHARS
from segue.sessionlog.verify import verify
from segue.stores import events, sessions
from tests.places import Clock, answer, capture, context, header, prompt, ran


@pytest.mark.promise("LOG-1")
def test_events_are_numbered_from_zero_without_gaps(store_url: str, tmp_path: pathlib.Path) -> None:
    ctx = context(store_url, tmp_path)
    for number in range(5):
        capture(ctx, prompt(f"ask {number}"), answer(f"say {number}"))
    found = events.window(ctx.store, ctx.scope(), "claude-code:s1", 0, 100)
    assert [event.seq for event in found] == list(range(10))
    assert [event.body and event.body["text"] for event in found][:3] == ["ask 0", "say 0", "ask 1"]
    session = sessions.get(ctx.store, ctx.scope(), "claude-code:s1")
    assert session is not None
    assert session.next_seq == 10
    assert session.started_at < session.last_event_at
    ctx.store.close()


@pytest.mark.promise("LOG-2")
def test_the_same_happening_told_twice_is_one_event(store_url: str, tmp_path: pathlib.Path) -> None:
    ctx = context(store_url, tmp_path)
    first = capture(ctx, ran("ls", "ok", key="result:t1"), prompt("hi", key="prompt:p1"))
    again = capture(
        ctx, ran("ls", "ok", key="result:t1"), prompt("hi", key="prompt:p1"), prompt("new", key="prompt:p2")
    )
    assert (first.added, first.folded) == (2, 0)
    assert (again.added, again.folded) == (1, 2)
    other = capture(ctx, ran("ls", "ok", key="result:t1"), into=header("s2"))
    assert other.added == 1
    ctx.store.close()


@pytest.mark.promise("LOG-2")
def test_a_text_with_two_ids_folds_by_its_words(store_url: str, tmp_path: pathlib.Path) -> None:
    ctx = context(store_url, tmp_path)
    told = capture(ctx, answer("All  done.\n", key="text:p1:", key_on_text=True))
    again = capture(ctx, answer("All done.", key="text:p1:", key_on_text=True))
    other = capture(ctx, answer("All done!", key="text:p1:", key_on_text=True))
    assert [told.added, again.added, other.added] == [1, 0, 1]
    ctx.store.close()


@pytest.mark.promise("LOG-2")
def test_a_draft_without_a_key_is_new_but_folds_when_its_batch_is_stored_again(
    store_url: str, tmp_path: pathlib.Path
) -> None:
    from segue.sessionlog.capture import append, clean

    ctx = context(store_url, tmp_path)
    start = Draft(type="session/start", origin="host", body={"source": "startup"})
    batch = clean(header(), [start, start], ctx.policy, ctx.now(), ctx.nonce())
    assert append(ctx, batch).added == 2
    assert append(ctx, batch).added == 0
    assert capture(ctx, start).added == 1
    ctx.store.close()


@pytest.mark.promise("LOG-8")
@pytest.mark.parametrize("line", ["a line of words\n", "unbroken"])
def test_an_overlong_text_keeps_head_and_tail_and_says_how_much_is_missing(
    line: str, store_url: str, tmp_path: pathlib.Path
) -> None:
    ctx = context(store_url, tmp_path)
    text = "first " + line * (800_000 // len(line)) + " last"
    capture(ctx, ran("cat big", "ok", text), prompt("short"))
    long, short = events.window(ctx.store, ctx.scope(), "claude-code:s1", 0, 1)
    assert long.body is not None
    kept = long.body["output"]
    head, missing, tail = kept.partition("[… ")[0], int(kept.partition("[… ")[2].split()[0]), kept.partition("…]\n")[2]
    assert HEAD_CHARS - 4001 <= len(head) <= HEAD_CHARS + 1
    assert TAIL_CHARS - 4001 <= len(tail) <= TAIL_CHARS
    assert text.startswith(head.rstrip("\n"))
    assert text.endswith(tail)
    assert missing == len(text) - len(head.rstrip("\n")) - len(tail)
    assert short.body == {"text": "short"}
    assert not verify(ctx).findings
    ctx.store.close()


@pytest.mark.promise("LOG-12")
def test_no_cut_leaves_half_of_a_secret(tmp_path: pathlib.Path) -> None:
    secret = "ghp_" + "aB3dE6gH9j" * 4
    ctx = context("sqlite://:memory:", tmp_path)
    for shift in range(0, 60, 7):
        before = ("word " * 40_000)[: HEAD_CHARS - 50 - shift].rsplit(" ", 1)[0]
        text = f"{'x' * 50}{before} {secret}{' word' * 20_000}"
        capture(ctx, ran(f"cat {shift}", "ok", text))
    stored = "".join(str(row[0]) for row in ctx.store.all("SELECT body FROM events"))
    assert secret[:12] not in stored
    assert secret[-12:] not in stored
    ctx.store.close()


@pytest.mark.promise("LOG-8")
def test_a_body_of_countless_small_texts_stays_within_the_limit(tmp_path: pathlib.Path) -> None:
    ctx = context("sqlite://:memory:", tmp_path)
    capture(ctx, Draft(type="tool/call", origin="tool", body={"input": ["x" * 90] * 50_000}, action="other"))
    row = ctx.store.one("SELECT length(body), size FROM events")
    assert row is not None
    assert row[0] < MAX_BODY_BYTES < row[1]
    ctx.store.close()


@pytest.mark.promise("LOG-11")
def test_a_clock_that_goes_backwards_keeps_order_and_chain(store_url: str, tmp_path: pathlib.Path) -> None:
    clock = Clock()
    ctx = context(store_url, tmp_path, now=clock)
    capture(ctx, prompt("first"))
    clock.at -= 86_400
    capture(ctx, prompt("second"))
    found = events.window(ctx.store, ctx.scope(), "claude-code:s1", 0, 9)
    assert [event.body and event.body["text"] for event in found] == ["first", "second"]
    assert found[1].event_time < found[0].event_time
    assert not verify(ctx).findings
    session = sessions.get(ctx.store, ctx.scope(), "claude-code:s1")
    assert session is not None
    assert session.last_event_at == found[0].event_time
    ctx.store.close()


@pytest.mark.promise("LOG-12")
def test_a_secret_is_in_no_byte_of_the_store(tmp_path: pathlib.Path) -> None:
    secret = "ghp_" + "aB3dE6gH9j" * 4
    ctx = context(f"sqlite:///{str(tmp_path / 's.db').lstrip('/')}", tmp_path)
    capture(
        ctx,
        prompt(f"my token is {secret}"),
        ran(f"curl -H 'Authorization: Bearer {secret}'", "ok", f"token {secret}"),
        Draft(type="tool/call", origin="tool", body={"input": {secret: [secret]}}, action="other"),
        into=header(branch=f"x-{secret}", title=secret, model=secret),
    )
    control = "a plain sentence"
    capture(ctx, prompt(control))
    stored = b"".join(path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())
    assert secret.encode() not in stored
    assert control.encode() in stored
    ctx.store.close()


@pytest.mark.promise("LOG-13")
def test_a_subagents_log_hangs_under_its_parent(store_url: str, tmp_path: pathlib.Path) -> None:
    ctx = context(store_url, tmp_path)
    capture(ctx, prompt("delegate"))
    capture(ctx, ran("ls", "ok"), into=header(agent_id="a5", agent_type="Explore"))
    below = sessions.children(ctx.store, ctx.scope(), "claude-code:s1")
    assert [(child.session_id, child.agent_type) for child in below] == [("claude-code:s1/agent-a5", "Explore")]
    assert [s.session_id for s in sessions.latest(ctx.store, ctx.scope(), 10)] == ["claude-code:s1"]
    ctx.store.close()


@pytest.mark.promise("LOG-14")
def test_a_session_that_brought_nothing_is_not_listed(store_url: str, tmp_path: pathlib.Path) -> None:
    ctx = context(store_url, tmp_path)
    assert capture(ctx).added == 0
    assert sessions.latest(ctx.store, ctx.scope(), 10) == []
    capture(ctx, prompt("now"))
    assert len(sessions.latest(ctx.store, ctx.scope(), 10)) == 1
    ctx.store.close()
