"""How the live runner judges, without any host."""

from __future__ import annotations

import copy
import dataclasses
import json
import os
from typing import Any

import pytest

from live import judge, model, run, scenario, score, wire

JSON = dict[str, Any]
WANTED = [
    f"wanted thing {word}" for word in ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
]
OTHERS = [f"other {word}" for word in ("apple", "pear", "plum", "fig", "quince")]
TOOL = {"name": "mcp__segue__session_search"}

STORY: JSON = {
    "title": "A made-up story",
    "repo": "mine",
    "files": {"a.txt": "text\n"},
    "foreign": {"repo": "theirs", "files": {}, "turns": [{"prompt": ", ".join(OTHERS), "steps": ["Done."]}]},
    "sessions": [
        {"name": "work", "turns": [{"prompt": ", ".join(WANTED), "steps": ["The cause is rust."]}]},
        {"name": "next", "turns": [{"prompt": "Go on.", "steps": ["Yes."]}]},
        {
            "name": "ask",
            "turns": [{"prompt": "Why?", "steps": [{"do": [["segue", "session_search", {"query": "why"}]]}, "So."]}],
        },
    ],
    "briefs": [{"session": "next", "present": WANTED}],
    "absent": OTHERS,
    "answer": {"session": "ask", "items": ["the cause is rust"]},
}


def story(**changes: Any) -> scenario.Scenario:
    return scenario.parse("made-up", copy.deepcopy(STORY) | changes)


def frame(text: str, frame_id: str = "f1") -> str:
    return f'<segue-memory id="{frame_id}">\n{text}\n</segue-memory>'


def request(label: str, *texts: str, results: tuple[str, ...] = (), tools: tuple[JSON, ...] = (TOOL,)) -> model.Request:
    messages: list[JSON] = [{"role": "user", "content": [{"type": "text", "text": text} for text in texts]}]
    for number, result in enumerate(results):
        call = {"type": "tool_use", "id": f"{label}-{number}", "name": TOOL["name"], "input": {"query": "why"}}
        answer = {"type": "tool_result", "tool_use_id": call["id"], "content": [{"type": "text", "text": result}]}
        messages += [{"role": "assistant", "content": [call]}, {"role": "user", "content": [answer]}]
    return model.Request(kind=model.MAIN, label=label, body={"messages": messages, "tools": list(tools)})


def played(
    brief: str = frame("\n".join(WANTED)), result: str = "1. s#4 The cause is rust.", **instead: model.Request
) -> list[model.Request]:
    """The requests of a run in which all is well, but for what is given."""
    usual = {
        "foreign": request("foreign.1", ", ".join(OTHERS)),
        "work": request("work.1", ", ".join(WANTED)),
        "next": request("next.1", f"SessionStart hook additional context: {brief}", "Go on."),
        "ask": request("ask.1", "Why?", results=(result,)),
    }
    return list((usual | instead).values())


def reasons(verdict: JSON) -> str:
    return json.dumps(verdict, ensure_ascii=False)


@pytest.mark.promise("LIVE-1")
@pytest.mark.parametrize("name", scenario.names())
def test_every_scenario_is_a_fair_test(name: str) -> None:
    assert scenario.complaints(scenario.load(name)) == []


@pytest.mark.promise("LIVE-1")
def test_there_are_ten_scenarios_at_least() -> None:
    assert len(scenario.names()) >= 10


@pytest.mark.promise("LIVE-2")
@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"briefs": [{"session": "next", "present": WANTED[:9]}]}, "9 items present in next"),
        ({"briefs": []}, "no brief is looked at"),
        ({"absent": OTHERS[:4]}, "4 foreign items"),
        ({"absent": [*OTHERS, "nobody says this"]}, "nowhere in the foreign session: nobody says this"),
        ({"absent": [*OTHERS, "wanted thing one"]}, "said in a session of the project itself: wanted thing one"),
        ({"briefs": [{"session": "next", "present": [*WANTED, "other apple pie"]}]}, "both wanted and unwanted"),
        ({"answer": {"session": "ask", "items": ["why"]}}, "gives the answer away: why"),
        ({"answer": {"session": "ask", "items": []}}, "no answer is looked for"),
        ({"answer": {"session": "never", "items": ["rust"]}}, "no such session: never"),
        ({"briefs": [{"session": "next", "turn": 2, "present": WANTED}]}, "no such turn: next 2"),
    ],
)
def test_an_unfair_scenario_is_refused_with_the_reason(changes: JSON, reason: str) -> None:
    assert scenario.complaints(story()) == []
    assert reason in "\n".join(scenario.complaints(story(**changes)))


@pytest.mark.promise("LIVE-3")
def test_a_brief_that_lacks_items_scores_their_part() -> None:
    held = score.score("\n".join(WANTED[:6]), "", list(WANTED), [])
    assert held.share == 0.6
    assert list(held.missing) == WANTED[6:]
    assert score.score("\n".join(WANTED), "", list(WANTED), []).share == 1.0


@pytest.mark.promise("LIVE-3")
@pytest.mark.parametrize(("lacking", "ok"), [(0, True), (1, True), (2, False), (10, False)])
def test_a_run_holds_while_nine_of_ten_items_are_there(lacking: int, ok: bool) -> None:
    brief = frame("\n".join(WANTED[lacking:]) or "nothing")
    assert judge.judge(story(), played(brief))["ok"] is ok


@pytest.mark.promise("LIVE-3")
def test_an_item_for_the_tools_is_not_found_in_the_brief() -> None:
    item = {"any": ["needle"], "in": "tools"}
    assert score.score("needle", "", [item], []).share == 0.0
    assert score.score("", "a needle", [item], []).share == 1.0


@pytest.mark.promise("LIVE-4")
@pytest.mark.parametrize(
    ("text", "item", "found"),
    [
        ("The  Café\tIS open", "cafe\u0301 is OPEN", True),
        ("a long\nline is wrapped", "long line", True),
        ("make test: passed", {"line": ["make test", ["ok", "passed"]]}, True),
        ("make test: failed\nmake lint: passed", {"line": ["make test", ["ok", "passed"]]}, False),
        ("second", {"any": ["first", "second"]}, True),
        ("third", {"any": ["first", "second"]}, False),
        ("消費税の計算", "消費税", True),
    ],
)
def test_items_are_found_as_people_would(text: str, item: Any, found: bool) -> None:
    assert score.holds(text, item) is found


@pytest.mark.promise("LIVE-5")
def test_a_foreign_item_fails_the_run_wherever_it_is() -> None:
    assert judge.judge(story(), played())["ok"]
    planted = frame("\n".join([*WANTED, "Other  FIG"]))
    for requests in (
        played(planted),
        played(result="The cause is rust. other fig"),
        played(work=request("work.1", ", ".join(WANTED), frame("other fig", "f0"))),
    ):
        verdict = judge.judge(story(), requests)
        assert not verdict["ok"]
        assert "other fig" in reasons(verdict)


@pytest.mark.promise("LIVE-6")
def test_a_frame_of_an_earlier_turn_is_no_new_brief() -> None:
    brief = frame("\n".join(WANTED))
    verdict = judge.judge(story(), played(brief, work=request("work.1", ", ".join(WANTED), brief)))
    assert "0 new briefs" in reasons(verdict)


@pytest.mark.promise("LIVE-6")
def test_a_frame_inside_a_tool_result_is_no_brief() -> None:
    late = request("next.1", "Go on.", results=(frame("\n".join(WANTED)),))
    assert not judge.judge(story(), played(next=late))["ok"]


@pytest.mark.promise("LIVE-6")
def test_two_briefs_in_one_request_fail_the_run() -> None:
    verdict = judge.judge(story(), played(frame("\n".join(WANTED)) + frame("more", "f2")))
    assert "2 new briefs" in reasons(verdict)


@pytest.mark.promise("LIVE-7")
@pytest.mark.parametrize(
    ("brief", "reason"),
    [
        (frame("\n".join([*WANTED, "x " * 2000])), "tokens, at most 1000"),
        (frame("\n".join([*WANTED, "漢" * 950])), "tokens, at most 1000"),
        (frame("\n".join([*WANTED, "mcp__segue__session_search why"])), "Segue's own in a brief"),
        (frame("\n".join([*WANTED, "<segue-memory id=old>"])), "Segue's own in a brief"),
        (frame("\n".join(WANTED)) * 2, "stands 2 times"),
    ],
)
def test_a_brief_that_breaks_its_limits_fails_the_run(brief: str, reason: str) -> None:
    verdict = judge.judge(story(), played(brief))
    assert not verdict["ok"]
    assert reason in reasons(verdict)


@pytest.mark.promise("LIVE-7")
def test_a_tool_result_that_quotes_a_brief_fails_the_run() -> None:
    brief = frame("\n".join(WANTED), "c0ffee12")
    assert judge.judge(story(), played(brief))["ok"]
    assert "holds a brief" in reasons(judge.judge(story(), played(brief, "The cause is rust. c0ffee12")))


@pytest.mark.promise("LIVE-8")
def test_a_brief_where_nothing_is_new_fails_the_run() -> None:
    quiet = story(quiet=["work"])
    assert judge.judge(quiet, played())["ok"]
    verdict = judge.judge(quiet, played(work=request("work.1", ", ".join(WANTED), frame("old news", "f0"))))
    assert "although nothing is new" in reasons(verdict)


@pytest.mark.promise("LIVE-9")
def test_an_answer_that_no_tool_gave_does_not_count() -> None:
    assert not judge.judge(story(), played(ask=request("ask.1", "Why?", "The cause is rust.")))["ok"]
    assert not judge.judge(story(), played(result="No match."))["ok"]


@pytest.mark.promise("LIVE-10")
def test_tools_that_come_too_late_fail_the_run() -> None:
    named = "These tools can be searched for: mcp__segue__session_search"
    assert judge.judge(story(), played(work=request("work.1", *WANTED, named, tools=())))["ok"]
    verdict = judge.judge(story(), played(work=request("work.1", *WANTED, tools=())))
    assert "is not in the first request" in reasons(verdict)


@pytest.mark.promise("LIVE-11")
def test_items_that_nobody_said_are_reported() -> None:
    silent = judge.judge(
        story(), played(work=request("work.1", *WANTED[1:]), foreign=request("foreign.1", *OTHERS[1:]))
    )
    assert f"wanted but never said: {WANTED[0]}" in silent["problems"]
    assert f"foreign but never said: {OTHERS[0]}" in silent["problems"]


@pytest.mark.promise("LIVE-12")
def test_hooks_must_go_the_way_that_was_asked_for() -> None:
    commands = {event: ["command"] for event in ("SessionStart", *run.BY_SERVER)}
    by_server = commands | {event: ["mcp_tool"] for event in run.BY_SERVER}
    assert run.wrong_doors(commands, via_mcp=False) == []
    assert run.wrong_doors(by_server, via_mcp=True) == []
    assert len(run.wrong_doors(commands, via_mcp=True)) == len(run.BY_SERVER)
    assert len(run.wrong_doors({}, via_mcp=False)) == len(run.BY_SERVER) + 1


def conversation(*blocks: JSON) -> JSON:
    return {
        "messages": [{"role": "user", "content": list(blocks)}],
        "tools": [{"name": "Bash"}, {"name": "ToolSearch"}],
    }


@pytest.mark.promise("LIVE-13")
def test_a_tool_that_is_not_loaded_is_searched_for_once() -> None:
    step = {"say": "Now.", "do": [["segue", "session_search", {"query": "why"}]]}
    [search], used = model.answer(step, "/repo", conversation())
    assert (search["name"], search["input"]["query"], used) == ("ToolSearch", f"select:{TOOL['name']}", False)
    loaded = {
        "type": "tool_result",
        "tool_use_id": "1",
        "content": [{"type": "tool_reference", "tool_name": TOOL["name"]}],
    }
    for known in (loaded, search):
        content, used = model.answer(step, "/repo", conversation(known))
        assert [block.get("name", "text") for block in content] == ["text", TOOL["name"]]
        assert used


@pytest.mark.promise("LIVE-13")
def test_a_tool_that_is_offered_is_called_at_once() -> None:
    [call], used = model.answer({"do": [["bash", "ls"]]}, "/repo", conversation())
    assert (call["name"], call["input"]["command"], used) == ("Bash", "ls", True)


@pytest.mark.promise("LIVE-14")
def test_a_stream_says_what_one_piece_says() -> None:
    content, _ = model.answer({"say": "Größe", "do": [["write", "a.txt", "漢\n"]]}, "/repo", {"messages": []})
    whole = model.message(content, {"model": "m"})
    events = model.stream(whole)
    blocks = [copy.deepcopy(event["content_block"]) for event in events if event["type"] == "content_block_start"]
    for event in events:
        if event["type"] == "content_block_delta":
            delta, block = event["delta"], blocks[event["index"]]
            block |= {"text": delta["text"]} if "text" in delta else {"input": json.loads(delta["partial_json"])}
    assert blocks == whole["content"]
    assert [event["delta"]["stop_reason"] for event in events if event["type"] == "message_delta"] == ["tool_use"]
    assert blocks[1]["input"]["file_path"] == os.path.join("/repo", "a.txt")


@pytest.mark.promise("LIVE-15")
def test_a_call_goes_to_the_event_that_was_named_last() -> None:
    body = request(
        "ask.1", "Why?", results=("1. claude-code:aa-bb/agent-c#3 x", "2. claude-code:0b1c-77#41 y, z#5")
    ).body
    arguments = {"session_id": "$session_id", "seq": "$seq", "query": "why"}
    _, filled = model.tool_use(["segue", "session_event_read", arguments], "/repo", body)
    assert filled == {"session_id": "claude-code:0b1c-77", "seq": 41, "query": "why"}
    _, empty = model.tool_use(["segue", "session_event_read", arguments], "/repo", {"messages": []})
    assert empty["session_id"] == "none-found"


@pytest.mark.promise("LIVE-16")
def test_only_a_request_with_tools_is_for_the_next_step() -> None:
    summary = {"type": "text", "text": "Respond with TEXT ONLY. Write a detailed summary."}
    assert model.kind_of(conversation({"type": "text", "text": "Go on."})) == model.MAIN
    assert model.kind_of(conversation(summary)) == model.SUMMARY
    assert model.kind_of({**conversation({"type": "text", "text": "Title?"}), "tools": []}) == model.ASIDE
    told = {"type": "tool_result", "tool_use_id": "1", "content": [summary]}
    assert model.kind_of(conversation(told)) == model.MAIN


@pytest.mark.promise("LIVE-6")
def test_frames_are_read_from_system_and_user_texts_alone() -> None:
    body = request("next.1", frame("in the conversation", "f1")).body
    body["system"] = [{"type": "text", "text": frame("in the system prompt", "f2")}]
    body["messages"].append({"role": "assistant", "content": frame("said by the model", "f3")})
    assert {found.frame_id for found in wire.frames(body)} == {"f1", "f2"}
    assert dataclasses.asdict(wire.frames(body)[1])["inside"] == "in the conversation"
