"""Owns a scenario: its parts, how it is read from JSON, and what is wrong with one. Never runs anything."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from live.score import Item, holds, name, plain

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "scenarios")
LEAST_PRESENT, LEAST_ABSENT = 10, 5
FOREIGN = "foreign"


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """One prompt and the steps with which the model answers it."""

    prompt: str
    steps: tuple[Any, ...]
    summary: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """One run of the host: new, or resuming an earlier one by name; ended in peace or killed in its last turn."""

    name: str
    turns: tuple[Turn, ...]
    resume: str | None
    killed: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class BriefCheck:
    """Which turn's first request holds a new brief, and what must and must not be in it."""

    session: str
    turn: int
    present: tuple[Item, ...]
    absent: tuple[Item, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Scenario:
    """A story in one repository, after a foreign one in another, with the lists by which it is judged."""

    name: str
    title: str
    repo: str
    files: dict[str, str]
    tools: dict[str, str]
    env: dict[str, str]
    foreign_repo: str
    foreign_files: dict[str, str]
    foreign: Session
    sessions: tuple[Session, ...]
    briefs: tuple[BriefCheck, ...]
    quiet: tuple[str, ...]
    absent: tuple[Item, ...]
    answer_session: str
    answer: tuple[Item, ...]


def names() -> list[str]:
    """The scenarios that there are."""
    return sorted(file.removesuffix(".json") for file in os.listdir(FOLDER) if file.endswith(".json"))


def load(scenario: str) -> Scenario:
    """Read a scenario of the folder by its name."""
    with open(os.path.join(FOLDER, f"{scenario}.json"), encoding="utf-8") as file:
        return parse(scenario, json.load(file))


def parse(scenario: str, data: dict[str, Any]) -> Scenario:
    """A scenario from its JSON; a missing part is a KeyError that names it."""
    foreign = data["foreign"]
    return Scenario(
        name=scenario,
        title=data["title"],
        repo=data["repo"],
        files=data["files"],
        tools=data.get("tools", {}),
        env=data.get("env", {}),
        foreign_repo=foreign["repo"],
        foreign_files=foreign["files"],
        foreign=_session({"name": FOREIGN, "turns": foreign["turns"]}),
        sessions=tuple(_session(session) for session in data["sessions"]),
        briefs=tuple(_brief(brief) for brief in data["briefs"]),
        quiet=tuple(data.get("quiet", ())),
        absent=tuple(data["absent"]),
        answer_session=data["answer"]["session"],
        answer=tuple(data["answer"]["items"]),
    )


def _session(data: dict[str, Any]) -> Session:
    turns = tuple(
        Turn(prompt=turn["prompt"], steps=tuple(turn["steps"]), summary=turn.get("summary")) for turn in data["turns"]
    )
    return Session(name=data["name"], turns=turns, resume=data.get("resume"), killed=data.get("end") == "kill")


def _brief(data: dict[str, Any]) -> BriefCheck:
    return BriefCheck(
        session=data["session"],
        turn=data.get("turn", 1),
        present=tuple(data["present"]),
        absent=tuple(data.get("absent", ())),
    )


def complaints(scenario: Scenario) -> list[str]:
    """What makes a scenario no fair test; empty when it is one."""
    said = [f"{len(b.present)} items present in {b.session}" for b in scenario.briefs if len(b.present) < LEAST_PRESENT]
    if not scenario.briefs:
        said.append("no brief is looked at")
    if len(scenario.absent) < LEAST_ABSENT:
        said.append(f"{len(scenario.absent)} foreign items")
    if not scenario.answer:
        said.append("no answer is looked for")
    return [*said, *_unplanted(scenario), *_contradictions(scenario), *_given_away(scenario), *_unknown_names(scenario)]


def _unplanted(scenario: Scenario) -> Iterator[str]:
    told = f"{scenario.foreign_repo}\n{script(scenario.foreign, scenario.foreign_files)}"
    for item in scenario.absent:
        if not holds(told, item):
            yield f"foreign item is nowhere in the foreign session: {name(item)}"
    own = "\n".join(script(session, scenario.files) for session in scenario.sessions)
    for item in scenario.absent:
        if holds(own, item):
            yield f"foreign item is said in a session of the project itself: {name(item)}"


def _contradictions(scenario: Scenario) -> Iterator[str]:
    for brief in scenario.briefs:
        unwanted = [word for item in (*scenario.absent, *brief.absent) for word in words(item)]
        for item in brief.present:
            for word in words(item):
                for other in unwanted:
                    if plain(other) in plain(word) or plain(word) in plain(other):
                        yield f"both wanted and unwanted: {word!r}, {other!r}"


def _given_away(scenario: Scenario) -> Iterator[str]:
    asked = "\n".join(script(session, {}) for session in scenario.sessions if session.name == scenario.answer_session)
    for item in scenario.answer:
        if holds(asked, item):
            yield f"the question gives the answer away: {name(item)}"


def _unknown_names(scenario: Scenario) -> Iterator[str]:
    turns = {session.name: len(session.turns) for session in scenario.sessions}
    for brief in scenario.briefs:
        if not 1 <= brief.turn <= turns.get(brief.session, 0):
            yield f"no such turn: {brief.session} {brief.turn}"
    resumed = [session.resume for session in scenario.sessions if session.resume]
    for known in (*scenario.quiet, scenario.answer_session, *resumed):
        if known not in turns:
            yield f"no such session: {known}"


def words(item: Item) -> list[str]:
    """The strings of which one, or all, must be found."""
    if isinstance(item, str):
        return [item]
    return list(item["any"]) if "any" in item else [part for part in item["line"] if isinstance(part, str)]


def script(session: Session, files: dict[str, str]) -> str:
    """Everything that a session will say, without the host's own part and what commands print."""
    parts = [*files, *files.values()]
    for turn in session.turns:
        parts += [turn.prompt, *(text for step in turn.steps for text in _strings(step))]
    return "\n".join(parts)


def _strings(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from _strings(inner)
