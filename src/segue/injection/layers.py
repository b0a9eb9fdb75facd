"""Owns the layers of a brief: each reads looks at sessions and offers items, most useful first. Pure.

A layer is one function and one row in LAYERS; stable text first, changing text last.
"""

from __future__ import annotations

from segue.injection.commands import proven, purpose
from segue.model.event import FAILED, OK, UNKNOWN
from segue.model.frame import defang
from segue.model.injection import Item
from segue.model.record import Record
from segue.sessionlog.text import one_line, open_todos, visible

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from segue.injection.gather import Look
    from segue.model.event import Event

SAYS = {OK: "passed", FAILED: "failed", UNKNOWN: "result unknown"}


class Layer(Record):
    """One part of the brief: its heading, how it is filled, and how many items it may offer (I18)."""

    name: str
    heading: str
    offer: Callable[[Sequence[Look]], list[Item]]
    most: int


def _when(event_time: str) -> str:
    return event_time[:16].replace("T", " ")


def _text(event: Event) -> str:
    body = event.body or {}
    text = body.get("text")
    return text if isinstance(text, str) else ""


def _quote(event: Event, limit: int) -> str:
    return f'"{one_line(_text(event), limit)}"'


def offer_sessions(looks: Sequence[Look]) -> list[Item]:
    """What each session was about: what was asked first and last, and the last answer."""
    items = []
    names = labels([look.session.host_session_id for look in looks])
    for at, (look, name) in enumerate(zip(looks, names, strict=True)):
        items += _about(look, name, brief=at > 0)
    return items


#: characters of a session's id, after a prefix such as `ses_`, by which it is called
LABEL_CHARS = 8


def labels(ids: Sequence[str]) -> list[str]:
    """What sessions are called side by side: as much of each id as tells all of them apart."""
    prefix = max((len(one) - len(one.partition("_")[2]) for one in ids if "_" in one[:LABEL_CHARS]), default=0)
    longest = max(map(len, ids), default=0)
    size = next(
        (n for n in range(prefix + LABEL_CHARS, longest) if len({one[:n] for one in ids}) == len(set(ids))), longest
    )
    return [one[:size] for one in ids]


def _about(look: Look, name: str, brief: bool) -> list[Item]:
    session = look.session
    opening = look.first_prompt or look.prompts[-1]
    place = f" on {session.branch}" if session.branch else ""
    when = f"{_when(session.last_event_at)} {session.host} {name}{place}"
    items = [_item("sessions", f"{when}: asked {_quote(opening, 160 if brief else 240)}", opening)]
    later = [prompt for prompt in look.prompts if prompt.seq != opening.seq]
    for prompt in later[: 1 if brief else 3]:
        items.append(_item("sessions", f"{name}: then asked {_quote(prompt, 120 if brief else 200)}", prompt))
    for answer in look.answers[: 1 if brief else 2]:
        items.append(_item("sessions", f"{name}: answered {_quote(answer, 160 if brief else 400)}", answer))
    return items


def offer_open(looks: Sequence[Look]) -> list[Item]:
    """What was left open: prompts without an answer, to-dos, checks that failed last."""
    items = [
        _item("open", f"not answered: {_quote(look.unanswered, 240)}", look.unanswered)
        for look in looks
        if look.unanswered is not None
    ]
    written = next((look.todos for look in looks if look.todos), ())
    for todo in open_todos([event.body for event in reversed(written)]):
        status = str(todo.get("status", "pending")).replace("_", " ")
        items.append(_item("open", f"to do ({status}): {one_line(str(todo['content']), 160)}", written[0]))
    for command, event in _last_runs(looks).items():
        if purpose(command) and proven(command, event.outcome) == FAILED:
            items.append(_item("open", f"failing: {one_line(command, 160)}: {_failure(event)}", event))
    return items


def offer_files(looks: Sequence[Look]) -> list[Item]:
    """Which files changed, newest first, each with the latest change in a few words."""
    seen: dict[str, tuple[Event, int]] = {}
    for look in looks:
        for edit in look.edits:
            if edit.outcome == FAILED:
                continue
            for path in _paths(edit):
                first, count = seen.get(path, (edit, 0))
                seen[path] = (first, count + 1)
    items = []
    for path, (edit, count) in seen.items():
        times = f" ({count} edits)" if count > 1 else ""
        items.append(_item("files", f"{short_path(path)}{times}{_change(edit)}", edit))
    return items


def _paths(edit: Event) -> list[str]:
    files = (edit.body or {}).get("files")
    found = [path for path in files if isinstance(path, str)] if isinstance(files, list) else []
    return found or ([edit.subject] if edit.subject else [])


def short_path(path: str) -> str:
    """The path as people say it inside the project."""
    return path.removeprefix("[WORKSPACE]/").removeprefix("[WORKSPACE]\\")


def _change(edit: Event) -> str:
    change = (edit.body or {}).get("change")
    if not isinstance(change, dict):
        return ""
    old, new = _first_difference(str(change.get("old") or ""), str(change.get("new") or ""))
    if not old and not new:
        return ""
    return f": {one_line(old, 60)!r} → {one_line(new, 60)!r}" if old else f": {one_line(new, 80)!r}"


def _first_difference(old: str, new: str) -> tuple[str, str]:
    before, after = old.splitlines(), new.splitlines()
    for one, other in zip(before, after, strict=False):
        if one != other:
            return one.strip(), other.strip()
    rest_old, rest_new = before[len(after) :], after[len(before) :]
    return (rest_old[0].strip() if rest_old else ""), (rest_new[0].strip() if rest_new else "")


def offer_commands(looks: Sequence[Look]) -> list[Item]:
    """Which commands build, test and check the project, with how each ended last."""
    items = []
    for command, event in _last_runs(looks).items():
        what = purpose(command)
        if what:
            ended = SAYS[proven(command, event.outcome)]
            items.append(
                _item("commands", f"{what}: {one_line(command, 160)}: {ended} {_when(event.event_time)}", event)
            )
    return items


def offer_results(looks: Sequence[Look]) -> list[Item]:
    """The last failing and the last passing command, from exit state alone."""
    items = []
    for wanted in (FAILED, OK):
        ended = (run for look in looks for run in look.commands if proven(run.subject or "", run.outcome) == wanted)
        found = next((run for run in ended if wanted == FAILED or purpose(run.subject or "")), None)
        if found is None:
            continue
        if wanted == FAILED:
            text = f"last failing: {one_line(found.subject or '', 160)}: {_failure(found)}"
        else:
            text = f"last passing: {one_line(found.subject or '', 160)}: {_output(found)}"
        items.append(_item("results", text.removesuffix(": "), found))
    return items


def _last_runs(looks: Sequence[Look]) -> dict[str, Event]:
    """Each command with its latest run."""
    runs: dict[str, Event] = {}
    for look in looks:
        for event in look.commands:
            if event.subject:
                runs.setdefault(event.subject, event)
    return runs


def _failure(event: Event) -> str:
    body = event.body or {}
    text = str(body.get("error") or body.get("output") or "")
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    telling = [line for line in lines if _tells(line)]
    return one_line(" / ".join((telling or lines)[-3:]), 240)


def _tells(line: str) -> bool:
    low = line.lower()
    return "error" in low or "fail" in low or "assert" in low or "exception" in low or "panic" in low


def _output(event: Event) -> str:
    lines = [line.strip() for line in str((event.body or {}).get("output") or "").splitlines() if line.strip()]
    return one_line(lines[-1], 120) if lines else ""


def _item(layer: str, text: str, event: Event) -> Item:
    return Item(layer=layer, text=defang(visible(text)), session_id=event.session_id, seq=event.seq)


LAYERS = (
    Layer(name="sessions", heading="Last sessions, newest first", offer=offer_sessions, most=16),
    Layer(name="open", heading="Left open", offer=offer_open, most=12),
    Layer(name="files", heading="Files changed", offer=offer_files, most=16),
    Layer(name="commands", heading="Commands that build, test and check", offer=offer_commands, most=8),
    Layer(name="results", heading="Last results, from exit state alone", offer=offer_results, most=2),
)
