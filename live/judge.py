"""Owns what a run showed: its requests held against the scenario's lists. Pure: requests in, a report's rows out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from live.model import MAIN, SEGUE_TOOL, Request
from live.scenario import FOREIGN, BriefCheck, Scenario, Turn, words
from live.score import ENOUGH, Item, Score, estimate_tokens, holds, name, over_budget, own_traces, score
from live.wire import Frame, everything, frames, tool_results

JSON = dict[str, Any]
SEARCH_TOOL = f"{SEGUE_TOOL}session_search"


def session_of(request: Request) -> str:
    """The scenario's name of the session that sent a request."""
    return request.label.rpartition(".")[0]


def first_requests(requests: Sequence[Request]) -> dict[str, Request]:
    """The first main request of every turn, by its label."""
    first: dict[str, Request] = {}
    for request in requests:
        if request.kind == MAIN:
            first.setdefault(request.label, request)
    return first


def new_frames(requests: Sequence[Request]) -> dict[str, list[Frame]]:
    """The frames that each turn brought and no request before it held, by the turn's label."""
    seen: set[str] = set()
    new: dict[str, list[Frame]] = {}
    for request in requests:
        for frame in frames(request.body):
            if frame.frame_id not in seen:
                seen.add(frame.frame_id)
                new.setdefault(request.label, []).append(frame)
    return new


def tool_texts(requests: Sequence[Request], session: str) -> list[str]:
    """What Segue's tools answered in a session, each answer once."""
    answers: dict[str, str] = {}
    for request in requests:
        if session_of(request) == session:
            answers |= tool_results(request.body, SEGUE_TOOL)
    return list(answers.values())


def judge(scenario: Scenario, requests: Sequence[Request]) -> JSON:
    """The whole verdict on a scenario's run."""
    new = new_frames(requests)
    answers = tool_texts(requests, scenario.answer_session)
    briefs = [judge_brief(scenario, brief, requests, new, "\n".join(answers)) for brief in scenario.briefs]
    answer = judge_answer(scenario, answers, new)
    problems = [*stray(scenario, requests, new), *unready(scenario, requests), *unsaid(scenario, requests)]
    return {
        "briefs": briefs,
        "answer": answer,
        "problems": problems,
        "ok": not problems and answer["ok"] and all(brief["ok"] for brief in briefs),
    }


def judge_brief(
    scenario: Scenario, check: BriefCheck, requests: Sequence[Request], new: dict[str, list[Frame]], tools: str
) -> JSON:
    """One brief: was it there in the turn's first request, once, within its limits, with what it needs and no more."""
    label = f"{check.session}.{check.turn}"
    first = first_requests(requests).get(label)
    there = {frame.frame_id for frame in frames(first.body)} if first else set()
    shown = [frame for frame in new.get(label, []) if frame.frame_id in there]
    inside = "\n".join(frame.inside for frame in shown)
    whole = "\n".join(frame.whole for frame in shown)
    verdict = score(inside, tools, list(check.present), [*scenario.absent, *check.absent])
    problems = [] if len(shown) == 1 else [f"{len(shown)} new briefs in the first request, not one"]
    problems += over_budget(whole)
    ok = not problems and not verdict.foreign and verdict.share >= ENOUGH
    size = {"tokens": estimate_tokens(whole), "bytes": len(whole.encode())}
    return {"session": check.session, "turn": check.turn, **size, **_row(verdict), "problems": problems, "ok": ok}


def judge_answer(scenario: Scenario, answers: list[str], new: dict[str, list[Frame]]) -> JSON:
    """The tools' results in the asking session: the whole answer, nothing foreign, no brief of Segue's own."""
    verdict = score("\n".join(answers), "", list(scenario.answer), list(scenario.absent))
    ids = [frame.frame_id for found in new.values() for frame in found]
    own = [f"a tool's result holds a brief: {sign}" for text in answers for sign in ids if sign in text]
    ok = bool(answers) and not verdict.missing and not verdict.foreign and not own
    return {"session": scenario.answer_session, "calls": len(answers), **_row(verdict), "problems": own, "ok": ok}


def _row(verdict: Score) -> JSON:
    return {
        "share": round(verdict.share, 3),
        "found": list(verdict.found),
        "missing": list(verdict.missing),
        "foreign": list(verdict.foreign),
    }


def stray(scenario: Scenario, requests: Sequence[Request], new: dict[str, list[Frame]]) -> list[str]:
    """What no brief anywhere may do: hold foreign things or Segue's own, come twice, or come where all is known."""
    said = []
    earlier: list[str] = []
    for label, found in new.items():
        for frame in found:
            foreign = [
                name(item)
                for item in scenario.absent
                if label.rpartition(".")[0] != FOREIGN and holds(frame.inside, item)
            ]
            said += [f"{label}: foreign in a brief: {item}" for item in foreign]
            said += [f"{label}: Segue's own in a brief: {sign}" for sign in own_traces(frame.inside, earlier)]
            said += [f"{label}: brief over its limit: {limit}" for limit in over_budget(frame.whole)]
        earlier += [frame.frame_id for frame in found]
        if label in {f"{session}.1" for session in scenario.quiet}:
            said.append(f"{label}: a brief although nothing is new")
    for request in requests:
        ids = [frame.frame_id for frame in frames(request.body)]
        said += [
            f"{request.label}: brief {one} stands {ids.count(one)} times" for one in set(ids) if ids.count(one) > 1
        ]
    return list(dict.fromkeys(said))


def unready(scenario: Scenario, requests: Sequence[Request]) -> list[str]:
    """Sessions in whose first request Segue's tools were not named: the server came too late."""
    first = first_requests(requests)
    return [
        f"{session.name}: {SEARCH_TOOL} is not in the first request"
        for session in (scenario.foreign, *scenario.sessions)
        if (request := first.get(f"{session.name}.1")) and not _names_tool(request)
    ]


def _names_tool(request: Request) -> bool:
    listed = any(tool.get("name") == SEARCH_TOOL for tool in request.body.get("tools") or [])
    return listed or SEARCH_TOOL in everything(request.body)


def unsaid(scenario: Scenario, requests: Sequence[Request]) -> list[str]:
    """Faults of the scenario itself: wanted items that nobody had said before, foreign ones that nobody said at all."""
    problems = []
    for check in scenario.briefs:
        told = _told_before(scenario, requests, check)
        problems += [f"wanted but never said: {name(item)}" for item in check.present if not _planted(told, item)]
    heard = [everything(request.body) for request in requests if session_of(request) == FOREIGN]
    other = "\n".join([*heard, *_texts(scenario.foreign.turns)])
    problems += [f"foreign but never said: {name(item)}" for item in scenario.absent if not holds(other, item)]
    return problems


def _told_before(scenario: Scenario, requests: Sequence[Request], check: BriefCheck) -> str:
    told = []
    for session in scenario.sessions:
        here = session.name == check.session
        told += _texts(session.turns[: check.turn - 1] if here else session.turns)
        if here:
            break
    for request in requests:
        if request.label == f"{check.session}.{check.turn}":
            break
        if session_of(request) != FOREIGN:
            told.append(everything(request.body))
    return "\n".join(told)


def _texts(turns: Sequence[Turn]) -> list[str]:
    """What the model said at the end of turns; the last answer of a session is in no request."""
    return [step for turn in turns for step in turn.steps if isinstance(step, str)]


def _planted(told: str, item: Item) -> bool:
    if isinstance(item, dict) and "any" in item:
        return any(holds(told, word) for word in words(item))
    return all(holds(told, word) for word in words(item))
