"""Owns searching the history: across sessions, and within one. Never widens a scope by itself."""

from __future__ import annotations

from segue.errors import StoreUnavailable, UsageError
from segue.model import event as kinds
from segue.model.instant import exact, first_from, last_until
from segue.model.operation import FLAG, NUMBER, TEXT, TEXTS, Operation, Param
from segue.model.search import EventFilter
from segue.operations.render import session_line, stamp
from segue.projectors.derive import derive
from segue.retrieval.query import plan, words_of
from segue.retrieval.search import search_events, search_sessions
from segue.retrieval.snippet import snippet
from segue.sessionlog import read
from segue.sessionlog.text import searchable
from segue.stores import events, projects, sessions

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from segue.ctx import Context
    from segue.model.scope import Scope
    from segue.model.search import EventHit
    from segue.retrieval.query import Query
    from segue.retrieval.search import Found

#: hits in one answer: few enough for a host's limit of 10 KB on a tool result
LIMIT = 20
#: events that a search indexes before it answers; the rest is said and left to `segue derive`
CATCH_UP = 3000
#: characters of a query that are read (I18)
QUERY_CHARS = 2000
#: shorter names say nothing by being part of another
SIMILAR_CHARS = 4
NO_PROJECT = "This directory is no project and has nothing of its own to search; --all searches all of a person's."


def run_search(ctx: Context, request: dict[str, Any]) -> dict[str, Any]:
    """Search across sessions, or within one when a session is named."""
    scope = ctx.scope(wide=bool(request.get("all")))
    notes = _catch_up(ctx)
    if scope.project_id is None and not scope.wide:
        return _answer(ctx, scope, [], [NO_PROJECT])
    asked = request["query"]
    query = plan(asked[:QUERY_CHARS])
    if query.capped or len(asked) > QUERY_CHARS:
        notes.append("The query is long: only its first terms were searched for.")
    session_id = request.get("session")
    inherited: tuple[tuple[str, int], ...] = ()
    if session_id is not None:
        session = read.session(ctx, scope, session_id)
        session_id, inherited = session.session_id, read.inherited(ctx, scope, session)
    chosen = _filter(request, (session_id,) if session_id else request.get("session_ids")).replace(
        inherited=inherited,
        archived=bool(session_id or request.get("archived")) or not sessions.has_archived(ctx.store, ctx.tenant),
    )
    limit = request.get("limit") or LIMIT
    if not query.terms:
        notes.append("Nothing in the query can be searched for: these are the most recent.")
        return _answer(ctx, scope, _recent(ctx, scope, chosen, limit), notes)
    if session_id or request.get("events"):
        found = search_events(ctx.store, scope, query, chosen, limit)
    else:
        found = search_sessions(ctx.store, scope, query, chosen, limit)
    notes += _about(ctx, scope, query, found, chosen, agent="all" not in request)
    hits = found.hits
    if session_id and inherited:  # the fork's own copies of what was found, in its own places
        hits = tuple(hit.replace(session_id=session_id) for hit in hits)
    return _answer(ctx, scope, _hits(ctx, scope, query, hits), notes, capped=found.capped)


def _catch_up(ctx: Context) -> list[str]:
    """Bring the index up to the log before looking; what could not be done is said (I15)."""
    try:
        derived = derive(ctx, ctx.spool_dir, limit=CATCH_UP)
    except StoreUnavailable as error:
        return [f"The newest events are not in the index yet ({error.code})."]
    if derived.left:
        return [f"{derived.left} events are not in the index yet; `segue derive` adds them."]
    return []


def _filter(request: dict[str, Any], session_ids: tuple[str, ...] | None) -> EventFilter:
    _check_words("event_types", request.get("event_types"), kinds.EVENT_TYPES)
    _check_words("event_surfaces", request.get("event_surfaces"), kinds.SURFACES)
    low, high = _instant(request, "time_from"), _instant(request, "time_to")
    if low and high and low > high:  # the exact ones: both may lie within one millisecond
        raise UsageError("time_from is after time_to")
    return EventFilter(
        session_ids=session_ids,
        without_session=request.get("without_session"),
        types=request.get("event_types"),
        surfaces=request.get("event_surfaces"),
        seq_from=request.get("seq_from"),
        seq_to=request.get("seq_to"),
        time_from=None if low is None else first_from(low),
        time_to=None if high is None else last_until(high),
    )


def _check_words(name: str, given: tuple[str, ...] | None, known: tuple[str, ...]) -> None:
    for word in given or ():
        if word not in known:
            raise UsageError(f"{name}: {word!r}", hint=f"Known: {', '.join(known)}.")


def _instant(request: dict[str, Any], name: str) -> tuple[int, str] | None:
    given = request.get(name)
    if given is None:
        return None
    instant = exact(given)
    if instant is None:
        raise UsageError(f"{name}: {given!r}", hint="Use a time with its zone, e.g. 2026-11-30T18:00:00Z.")
    return instant


def _recent(ctx: Context, scope: Scope, chosen: EventFilter, limit: int) -> list[dict[str, Any]]:
    found = []
    for session in sessions.latest(ctx.store, scope, limit):
        if session.session_id == chosen.without_session:
            continue
        if chosen.session_ids is not None and session.session_id not in chosen.session_ids:
            continue
        first = events.first_of_type(ctx.store, scope, session.session_id, kinds.USER_MESSAGE)
        if first is not None:
            text = searchable(first.type, first.subject, first.body)
            found.append(_hit_data(session_line(session), first, snippet(text, ())))
    return found


def _about(ctx: Context, scope: Scope, query: Query, found: Found, chosen: EventFilter, *, agent: bool) -> list[str]:
    """What a person should know about an empty answer: unknown project, empty one, or no match, and where else."""
    if found.hits:
        return []
    if next(sessions.each(ctx.store, scope), None) is None:
        notes = [f"No session of this project ({ctx.project.name}) is recorded yet."]
    else:
        unsaid = ("without_session", "inherited", "archived")
        filters = [name for name, value in chosen.as_dict().items() if value is not None and name not in unsaid]
        notes = [f"No match within these filters: {', '.join(filters)}." if filters else "No match."]
    if not chosen.archived and not agent:
        notes.append("Sessions that were put aside are left out: --archived finds them, too.")
    if scope.wide or agent:
        return notes
    elsewhere = search_sessions(
        ctx.store, ctx.scope(wide=True), query, chosen.replace(session_ids=None, inherited=()), LIMIT
    )
    similar = {
        project.project_id: project.name
        for project in projects.of_principal(ctx.store, scope)
        if project.kind != "none" and _alike(project.name, ctx.project.name)
    }
    places = {
        similar[session.project_id]
        for hit in elsewhere.hits
        if (session := sessions.get(ctx.store, ctx.scope(wide=True), hit.session_id)) and session.project_id in similar
    }
    if places:
        names = ", ".join(sorted(places))
        notes.append(f"There are matches in a project of a similar name ({names}): --all shows them.")
    return notes


def _alike(one: str, other: str) -> bool:
    """Whether two names may mean one project: the same but for case and signs, or one within the other."""
    a, b = ("".join(c for c in name.casefold() if c.isalnum()) for name in (one, other))
    return a == b or (min(len(a), len(b)) >= SIMILAR_CHARS and (a in b or b in a))


def _hits(ctx: Context, scope: Scope, query: Query, hits: tuple[EventHit, ...]) -> list[dict[str, Any]]:
    words = words_of(query)
    shown = []
    for hit in hits:
        session = sessions.get(ctx.store, scope, hit.session_id)
        found = events.window(ctx.store, scope, hit.session_id, hit.seq, hit.seq)
        if session is None or not found:
            continue  # gone since the index was read
        text = searchable(found[0].type, found[0].subject, found[0].body)
        shown.append(_hit_data(session_line(session), found[0], snippet(text, words)))
    return shown


def _hit_data(session: dict[str, Any], event: kinds.Event, quoted: str) -> dict[str, Any]:
    return {
        "session": session,
        "id": f"{event.session_id}#{event.seq}",
        "seq": event.seq,
        "type": event.type,
        "surface": event.surface,
        "time": event.event_time,
        "outcome": event.outcome,
        "snippet": quoted,
    }


def _answer(
    ctx: Context, scope: Scope, hits: list[dict[str, Any]], notes: list[str], *, capped: bool = False
) -> dict[str, Any]:
    """The answer; a wide one names the project of each session."""
    names = {p.project_id: p.name for p in projects.of_principal(ctx.store, scope)} if scope.wide else {}
    return {
        "project": "all of your projects" if scope.wide else ctx.project.name,
        "projects": names,
        "channels": ["lexical"],
        "hits": hits,
        "capped": capped,
        "notes": notes,
    }


def text_search(data: dict[str, Any]) -> str:
    """Hits as numbered entries, then what else there is to say."""
    lines = (
        [f"{len(data['hits'])} {'match' if len(data['hits']) == 1 else 'matches'} in {data['project']}"]
        if data["hits"]
        else []
    )
    for number, hit in enumerate(data["hits"], start=1):
        session = hit["session"]
        outcome = f", {hit['outcome']}" if hit["outcome"] else ""
        place = f" in {data['projects'][session['project_id']]}" if session["project_id"] in data["projects"] else ""
        lines.append(f"{number}. {hit['id']}{place}  {hit['type']}{outcome}, {stamp(hit['time'])}")
        if session["title"]:
            lines.append(f"   {session['title']}")
        lines.append(f"   {hit['snippet']}")
    if data["capped"]:
        lines.append("There are more: narrow the query, or raise the limit.")
    return "\n".join(lines + data["notes"])


QUERY = Param(
    name="query",
    kind=TEXT,
    help="words, names, paths or errors to look for",
    required=True,
    positional=True,
    joined=True,
)
TIMES = (
    Param(name="time_from", kind=TEXT, help="not before, ISO time with zone"),
    Param(name="time_to", kind=TEXT, help="not after, ISO time with zone"),
)
EVENTS = (
    Param(name="event_types", kind=TEXTS, help="only these, e.g. user/message, tool/result"),
    Param(name="event_surfaces", kind=TEXTS, help="only current, shadowed or log-only"),
)

SEARCH = Operation(
    name="search",
    help="find in this project's history what was asked, answered, run, printed and changed",
    example='segue search "flaky login test"',
    params=(
        QUERY,
        Param(name="session", kind=TEXT, help="within one session: its id or how it begins"),
        Param(name="events", kind=FLAG, help="every matching event, not one per session"),
        *TIMES,
        *EVENTS,
        Param(name="limit", kind=NUMBER, help="most matches to show", low=1, high=200),
        Param(name="archived", kind=FLAG, help="also sessions that were put aside", person_only=True),
        Param(name="all", kind=FLAG, help="in all of your projects", person_only=True),
    ),
    run=run_search,
    text=text_search,
)
SESSION_SEARCH = Operation(
    name="session_search",
    tool="session_search",
    help="Search earlier sessions of this project; the strongest event of each. Follow a hit with session_event_read.",
    example="",
    params=(QUERY, Param(name="session_ids", kind=TEXTS, help="only these sessions"), *TIMES, *EVENTS),
    run=lambda ctx, request: run_search(ctx, {**request, "without_session": ctx.session_id}),
    text=text_search,
)
EVENT_SEARCH = Operation(
    name="session_event_search",
    tool="session_event_search",
    help="Search the events of one session.",
    example="",
    params=(
        QUERY,
        Param(name="session_id", kind=TEXT, help="which; by default the running one"),
        Param(name="seq_from", kind=NUMBER, help="first event number"),
        Param(name="seq_to", kind=NUMBER, help="last event number"),
        *TIMES,
        *EVENTS,
    ),
    run=lambda ctx, request: run_search(ctx, {**request, "session": request["session_id"] or current(ctx)}),
    text=text_search,
)


def current(ctx: Context) -> str:
    """The session that the door was opened from."""
    if ctx.session_id is None:
        raise UsageError("the running session is not known here", hint="Name one with session_id.")
    return ctx.session_id
