"""What is kept for a while: by age, number and size, by hand and once a day."""

from __future__ import annotations

import pathlib
from typing import Any

import pytest

from segue.ctx import Context
from segue.model.injection import Injection, Item, Judged
from segue.model.instant import from_epoch
from segue.sessionlog.verify import verify
from segue.stores import injections, sessions
from tests.keeping.test_delete import MARKER, found, holds, kept, run, told
from tests.mcp.homes import Home
from tests.places import START, Clock, capture, header, prompt

__all__ = ["kept"]

DAY_S = 86_400.0


def retained(ctx: Context, **rules: Any) -> Context:
    """The context under retention rules two days later, its first session running."""
    return ctx.replace(
        settings=ctx.settings.replace(**rules), session_id="claude-code:s1", now=Clock(START + 2 * DAY_S)
    )


@pytest.mark.promise("KEEP-8")
def test_retention_lets_go_of_the_oldest_and_never_of_what_is_held_or_running(kept: Context) -> None:
    assert run(retained(kept), "retain")["leaving"] == []
    assert "kept for ever" in told(retained(kept), "retain")
    run(kept, "hold", id="claude-code:s2")
    by_number = retained(kept, keep_sessions=10)
    planned = run(by_number, "retain")
    assert len(planned["leaving"]) == 32
    assert {row["reason"] for row in planned["leaving"]} == {"number"}
    assert not {"claude-code:s1", "claude-code:s2"} & {row["session"]["id"] for row in planned["leaving"]}
    assert len(list(sessions.each(kept.store, kept.scope()))) == 43
    assert run(by_number, "retain", yes=True)["done"]["sessions"] == 32
    assert len([s for s in sessions.each(kept.store, kept.scope()) if s.agent_id is None]) == 10
    assert run(by_number, "retain", yes=True)["leaving"] == []
    assert {act["act"] for act in run(kept, "audit", limit=32)["acts"]} == {"retain"}
    old = retained(kept, keep_days=1).replace(now=lambda: "2099-01-01T00:00:00.000Z")
    assert {row["reason"] for row in run(old, "retain")["leaving"]} == {"age"}
    run(old, "retain", yes=True)
    assert {s.session_id for s in sessions.each(kept.store, kept.scope())} == {
        "claude-code:s1", "claude-code:s1/agent-a7", "claude-code:s2",
    }  # fmt: skip
    run(kept, "release", id="claude-code:s2")
    assert [row["session"]["id"] for row in run(old, "retain")["leaving"]] == ["claude-code:s2"]
    assert run(retained(kept, keep_megabytes=1), "retain")["leaving"] == []
    assert verify(kept).findings == ()


@pytest.mark.promise("KEEP-8")
def test_a_session_that_was_active_in_the_last_day_or_whose_subagent_was_is_not_let_go(kept: Context) -> None:
    later = kept.replace(now=Clock(START + 2 * DAY_S - 3600))
    capture(later, prompt("it goes on"), into=header("f1"))
    capture(later, prompt("its subagent goes on"), into=header("f2", agent_id="a1"))
    leaving = {row["session"]["id"] for row in run(retained(kept, keep_sessions=1), "retain")["leaving"]}
    assert len(leaving) == 42 - 3
    assert not {"claude-code:f1", "claude-code:f2", "claude-code:s1"} & leaving


@pytest.mark.promise("KEEP-8")
def test_retention_by_size_counts_subagents_and_lets_go_of_the_oldest(kept: Context) -> None:
    big = "words and more of them " * 20_000
    for name, agent in (("b1", "a1"), ("b2", None)):
        for number in range(4):
            capture(kept, prompt(f"{number} {big}", time=from_epoch(START - 9)), into=header(name, agent_id=agent))
        capture(kept, prompt("its main log", time=from_epoch(START - 9)), into=header(name))
    rows = run(retained(kept, keep_megabytes=1), "retain")["leaving"]
    assert [(row["session"]["id"], row["reason"]) for row in rows] == [("claude-code:b1", "size")]


@pytest.mark.promise("KEEP-14")
def test_once_a_day_and_only_where_it_is_asked_for_derive_lets_go(kept: Context, tmp_path: pathlib.Path) -> None:
    assert run(retained(kept, keep_sessions=1), "derive")["retained"] == 0
    assert run(retained(kept, retain="daily"), "derive")["retained"] == 0
    assert len(list(sessions.each(kept.store, kept.scope()))) == 43
    daily = retained(kept, keep_sessions=40, retain="daily")
    run(kept, "hold", id="claude-code:f0")
    assert run(daily, "derive")["retained"] == 2
    capture(kept, prompt("one more"), into=header("x1"))
    assert run(daily, "derive")["retained"] == 0
    next_day = daily.replace(now=Clock(START + 3 * DAY_S + 60))
    assert "1 session deleted" in told(next_day, "derive")
    assert [act["act"] for act in run(kept, "audit", limit=4)["acts"]] == ["retain"] * 3 + ["hold"]
    assert found(kept, "twin") == ["claude-code:s2#0"]
    assert holds(kept, tmp_path, "filler")
    assert MARKER in str(run(kept, "search", query=MARKER))


@pytest.mark.promise("KEEP-14")
@pytest.mark.parametrize("retain", ["daily", "off"])
def test_an_idle_server_lets_go_where_it_is_asked_for(retain: str, tmp_path: pathlib.Path) -> None:
    home = Home(tmp_path)
    home.fill(prompt("old words", time="2020-01-01T00:00:00.000Z"), name="old")
    home.fill(prompt("new words"), name="new")
    (home.data / "config.json").write_text(f'{{"keep_days": 30, "retain": "{retain}"}}')
    server = home.server()
    server._pending = True
    server.idle()
    context = server._open()
    assert found(context, "words") == ["claude-code:new#0"] + ["claude-code:old#0"] * (retain == "off")
    server.close()


@pytest.mark.promise("KEEP-8")
def test_old_blocks_of_sessions_that_are_not_recorded_are_let_go(kept: Context, tmp_path: pathlib.Path) -> None:
    for number, (session, when) in enumerate((("s1", START), ("never", START), ("never", START + 3 * DAY_S))):
        item = Item(layer="x", text=f"vanishing{number}", session_id="claude-code:s2", seq=0)
        shown = Injection(
            injection_id=f"i{number}", session_id=f"claude-code:{session}", source="startup",
            created_at=from_epoch(when), tokens=1, bytes=1,
            items=(Judged(item=item, disposition="shown", reason="fits"),),
        )  # fmt: skip
        injections.add(kept.store, kept.scope(), shown)
    run(kept, "hold", id="claude-code:s2")
    later = retained(kept, keep_days=1).replace(now=Clock(START + 2 * DAY_S))
    for number in range(40):
        run(kept, "hold", id=f"claude-code:f{number}")
    assert "1 block that sessions were shown" in told(later, "retain")
    assert holds(kept, tmp_path, "vanishing1")
    assert run(later, "retain", yes=True)["done"]["problem"] is None
    assert [holds(kept, tmp_path, f"vanishing{number}") for number in range(3)] == [True, False, True]
    assert "Nothing goes" in told(later, "retain")
    assert run(kept, "audit")["acts"][0]["counts"] == {"blocks": 1}
    assert run(kept, "verify")["ok"]
