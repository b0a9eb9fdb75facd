"""Owns looking at one session or one event: show, trace, read. Never searches."""

from __future__ import annotations

from segue.errors import UsageError
from segue.model import event as kinds
from segue.model.operation import FLAG, NUMBER, TEXT, Operation, Param
from segue.operations.render import body_lines, counted, event_line, event_text, session_line, session_text, told_lines
from segue.operations.search import current
from segue.sessionlog import read, spool
from segue.sessionlog.projections.snapshot import snapshot
from segue.sessionlog.text import one_line
from segue.stores import events

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

    from segue.ctx import Context
    from segue.model.event import Event
    from segue.model.scope import Scope

#: to-dos that `show` lists, and characters of each
SHOWN_TODOS, TODO_CHARS = 10, 100
#: events that `show` lists of a session
SHOWN = 60
#: bytes of one event, and of its neighbours on each side, that a tool result holds: hosts cut longer results
READ_BYTES, NEAR_BYTES = 6000, 1200


def parse_id(name: str) -> tuple[str, int | None]:
    """A session's id, or an event's: `session#seq`."""
    session, mark, seq = name.rpartition("#")
    if not mark:
        return name, None
    if not (seq.isascii() and seq.isdigit() and len(seq) < 16):
        raise UsageError(f"{name!r}: after # comes the event's number")
    return session, int(seq)


def run_show(ctx: Context, request: dict[str, Any]) -> dict[str, Any]:
    """A session with its events in short, or one event whole."""
    spool.catch_up(ctx)
    scope = ctx.scope(wide=bool(request.get("all")))
    name, seq = parse_id(request["id"])
    session = read.session(ctx, scope, name)
    if seq is not None:
        return _whole(ctx, scope, session.session_id, seq, 2, 2)
    first = request.get("from") or 0
    listed = events.window(ctx.store, scope, session.session_id, first, first + (request.get("limit") or SHOWN) - 1)
    return {
        "session": session_line(session),
        "cwd": session.cwd,
        "model": session.model,
        "parent": session.parent_id,
        "state": snapshot(ctx, session).states,
        "problem": session.problem,
        "events": [event_line(event) for event in listed],
        "next": first + len(listed) if first + len(listed) < session.next_seq else None,
        "more": max(0, session.next_seq - first - len(listed)),
        "all": bool(request.get("all")),
    }


def text_show(data: dict[str, Any]) -> str:
    """A session as a list of events, or an event whole."""
    if "event" in data:
        return _between([data["id"], *told_lines(data["event"])], data)
    lines = [session_text(data["session"])]
    if data["problem"]:
        lines.append(f"quarantined: {data['problem']}")
    lines += _state_lines(data["state"])
    lines += [event_text(event) for event in data["events"]]
    if not data["events"]:
        lines.append("no events from there on")
    if data["more"]:
        everywhere = " --all" if data["all"] else ""
        lines.append(
            f"{data['more']} more events: segue show {data['session']['id']} --from {data['next']}{everywhere}"
        )
    return "\n".join(lines)


def _state_lines(state: dict[str, Any]) -> list[str]:
    """What a session did and what it left to do, in a few lines."""
    counts = state["counts"]
    results = counts.get("results", {})
    failed = sum(number for name, number in results.items() if name.endswith(", failed"))
    told = [counted(counts[name], name.removesuffix("s")) for name in ("prompts", "answers") if counts.get(name)]
    if results:
        told.append(f"{counted(sum(results.values()), 'tool result')} ({failed} failed)")
    todos = [todo for todo in state["todos"] if todo.get("status") not in ("completed", "deleted")]
    lines = [", ".join(told)] if told else []
    return lines + [f"to do: {one_line(todo.get('content', ''), TODO_CHARS)}" for todo in todos[:SHOWN_TODOS]]


def run_read(ctx: Context, request: dict[str, Any]) -> dict[str, Any]:
    """One event whole, with its neighbours in short."""
    spool.catch_up(ctx)
    scope = ctx.scope()
    session = read.session(ctx, scope, request["session_id"] or current(ctx))
    before, after = request.get("before") or 0, request.get("after") or 0
    data = _whole(ctx, scope, session.session_id, request["seq"], before, after)
    text, offset = data["text"], min(request.get("offset") or 0, len(data["text"]))
    end = offset + len(text[offset : offset + READ_BYTES].encode()[:READ_BYTES].decode(errors="ignore"))
    nearest = _within(reversed(data["before"]), NEAR_BYTES), _within(data["after"], NEAR_BYTES)
    return {
        **data,
        "text": text[offset:end],
        "next_offset": end if end < len(text) else None,
        "before": nearest[0][::-1],
        "after": nearest[1],
        "left_out": len(data["before"]) + len(data["after"]) - len(nearest[0]) - len(nearest[1]),
    }


def _whole(ctx: Context, scope: Scope, session_id: str, seq: int, before: int, after: int) -> dict[str, Any]:
    read.event(ctx, scope, session_id, seq)
    around = read.around(ctx, scope, session_id, seq, before, after)
    event = next(event for event in around if event.seq == seq)
    return {
        "id": f"{session_id}#{seq}",
        "event": {**event.as_dict()},
        "text": body_lines(event),
        "next_offset": None,
        "before": [event_line(other) for other in around if other.seq < seq],
        "after": [event_line(other) for other in around if other.seq > seq],
        "left_out": 0,
    }


def _within(lines: Iterable[dict[str, Any]], most_bytes: int) -> list[dict[str, Any]]:
    """The first lines whose texts together have at most so many bytes."""
    kept: list[dict[str, Any]] = []
    for line in lines:
        most_bytes -= len(event_text(line).encode()) + 1
        if most_bytes < 0:
            break
        kept.append(line)
    return kept


def text_read(data: dict[str, Any]) -> str:
    """The event as indented JSON between its neighbours."""
    lines = [data["id"], data["text"]]
    if data["next_offset"] is not None:
        lines.append(f"(more: offset {data['next_offset']})")
    return _between(lines, data)


def _between(lines: list[str], data: dict[str, Any]) -> str:
    """An event's lines between its neighbours."""
    lines[1:1] = [event_text(event) for event in data["before"]]
    lines += [event_text(event) for event in data["after"]]
    if data["left_out"]:
        lines.append(f"({data['left_out']} neighbours did not fit; read them by their number)")
    return "\n".join(lines)


def run_trace(ctx: Context, request: dict[str, Any]) -> dict[str, Any]:
    """A session's ancestors and descendants, or what one event answers and is answered by."""
    spool.catch_up(ctx)
    scope = ctx.scope(wide=bool(request.get("all")))
    name, seq = parse_id(request["id"])
    session = read.session(ctx, scope, name)
    if seq is not None:
        return _event_trace(ctx, scope, session.session_id, seq)
    return _session_trace(ctx, scope, session.session_id)


def _session_trace(ctx: Context, scope: Scope, session_id: str) -> dict[str, Any]:
    session = read.session(ctx, scope, session_id)
    lineage = read.lineage(ctx, scope, session)
    return {
        "session": session_line(session),
        "ancestors": [session_line(ancestor) for ancestor in lineage.ancestors],
        "cut_above": lineage.cut_above,
        "descendants": [{"depth": depth, "session": session_line(child)} for depth, child in lineage.descendants],
        "capped": lineage.capped,
    }


def _event_trace(ctx: Context, scope: Scope, session_id: str, seq: int) -> dict[str, Any]:
    event = read.event(ctx, scope, session_id, seq)
    return {
        "id": f"{session_id}#{seq}",
        "target": event_line(event),
        **read.placement(ctx, scope, session_id, seq).as_dict(),
        "related": [event_line(other) for other in _related(ctx, scope, event)],
    }


def _related(ctx: Context, scope: Scope, event: Event) -> list[Event]:
    """The call of a result and the result of a call, looked for close by."""
    call_id = (event.body or {}).get("call_id")
    wanted = {kinds.TOOL_CALL: kinds.TOOL_RESULT, kinds.TOOL_RESULT: kinds.TOOL_CALL}.get(event.type)
    if wanted is None or not call_id:
        return []
    near = read.around(ctx, scope, event.session_id, event.seq, read.MAX_WINDOW, read.MAX_WINDOW)
    return [other for other in near if other.type == wanted and (other.body or {}).get("call_id") == call_id]


#: how the relations of an event on the surface are called
PLACES = {
    "replaced_by": "replaced by",
    "replaced": "takes the place of",
    "cites": "made from",
    "cited_by": "used by",
}


def _numbers(seqs: Sequence[int]) -> str:
    return ", ".join(f"#{seq}" for seq in seqs) or "none"


def text_trace(data: dict[str, Any]) -> str:
    """Relatives as an indented tree, or relations of an event."""
    if "target" in data:
        related = [event_text(event) for event in data["related"]] or ["none"]
        places = [f"{label}: {_numbers(data[name])}" for name, label in PLACES.items()]
        return "\n".join([data["id"], event_text(data["target"]), *places, "call or result of it:", *related])
    lines = [session_text(data["session"]), "ancestors, nearest first:"]
    lines += [f"  {session_text(ancestor)}" for ancestor in data["ancestors"]]
    if data["cut_above"]:
        lines.append("  (beyond: not visible here)")
    elif not data["ancestors"]:
        lines.append("  none, this is a root")
    lines.append("descendants:")
    lines += ["  " * node["depth"] + session_text(node["session"]) for node in data["descendants"]]
    if not data["descendants"]:
        lines.append("  none")
    if data["capped"]:
        lines.append("  (there are more)")
    return "\n".join(lines)


ID = Param(
    name="id", kind=TEXT, help="a session's id or how it begins, or an event's: ID#7", required=True, positional=True
)
ALL = Param(name="all", kind=FLAG, help="in all of your projects", person_only=True)
SESSION_ID = Param(name="session_id", kind=TEXT, help="which; by default the running one")
SEQ = Param(name="seq", kind=NUMBER, help="the event's number", required=True)

SHOW = Operation(
    name="show",
    help="show a session with its events, or one event whole",
    example="segue show claude-code:0b1c4d2e#12",
    params=(
        ID,
        Param(name="from", kind=NUMBER, help="first event to list"),
        Param(name="limit", kind=NUMBER, help="most events to list", low=1, high=1000),
        ALL,
    ),
    run=run_show,
    text=text_show,
)
TRACE = Operation(
    name="trace",
    help="show where a session comes from and what it started, or what belongs to an event",
    example="segue trace claude-code:0b1c4d2e",
    params=(ID, ALL),
    run=run_trace,
    text=text_trace,
)
SESSION_TRACE = Operation(
    name="session_trace",
    tool="session_trace",
    help="Show which session started this one and which it started.",
    example="",
    params=(SESSION_ID,),
    run=lambda ctx, request: run_trace(ctx, {"id": request["session_id"] or current(ctx)}),
    text=text_trace,
)
EVENT_TRACE = Operation(
    name="session_event_trace",
    tool="session_event_trace",
    help="Show what belongs to an event: the call of a result, the result of a call.",
    example="",
    params=(SESSION_ID, SEQ),
    run=lambda ctx, request: run_trace(ctx, {"id": f"{request['session_id'] or current(ctx)}#{request['seq']}"}),
    text=text_trace,
)
EVENT_READ = Operation(
    name="session_event_read",
    tool="session_event_read",
    help="Read one event whole, with its neighbours. A long one goes on at the offset it names.",
    example="",
    params=(
        SESSION_ID,
        SEQ,
        Param(name="before", kind=NUMBER, help="neighbours before", high=read.MAX_WINDOW),
        Param(name="after", kind=NUMBER, help="neighbours after", high=read.MAX_WINDOW),
        Param(name="offset", kind=NUMBER, help="character to go on at"),
    ),
    run=run_read,
    text=text_read,
)
