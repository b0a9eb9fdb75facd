"""Who sees what."""

from __future__ import annotations

import pathlib
import re
from collections.abc import Callable
from typing import Any

import pytest

from segue.ctx import Context
from segue.errors import NotFoundError, UsageError
from segue.model.operation import check
from segue.model.scope import Project
from segue.operations.registry import OPERATIONS
from segue.operations.search import SEARCH
from tests.places import capture, context, header, project, prompt

BY_NAME = {operation.name: operation for operation in OPERATIONS}


def run(name: str, ctx: Context, *, person: bool = True, **request: Any) -> str:
    operation = BY_NAME[name]
    return operation.text(operation.run(ctx, check(operation.params, request, person=person)))


@pytest.fixture
def alpha(store_url: str, tmp_path: pathlib.Path) -> Any:
    made = context(store_url, tmp_path)
    capture(made, prompt("secret needle of alpha"), into=header("aaaa1111"))
    yield made
    made.store.close()


@pytest.fixture
def beta(alpha: Context) -> Context:
    made = alpha.replace(project=project("beta"))
    capture(made, prompt("other needle of beta"), into=header("bbbb2222"))
    return made


READS: dict[str, Callable[[Context], str]] = {
    "search": lambda ctx: run("search", ctx, query="needle"),
    "search events": lambda ctx: run("search", ctx, query="needle", events=True),
    "recent": lambda ctx: run("search", ctx, query="the"),
    "session_search": lambda ctx: run("session_search", ctx, person=False, query="needle"),
    "brief": lambda ctx: run("brief", ctx),
    "status": lambda ctx: run("status", ctx).split("all projects")[0],
    "why": lambda ctx: run("why", ctx),
}


@pytest.mark.promise("SEA-10")
@pytest.mark.parametrize("how", READS)
def test_a_project_never_sees_another(how: str, alpha: Context, beta: Context) -> None:
    told = READS[how](beta)
    assert "alpha" not in told
    if how != "why":
        assert "beta" in told


@pytest.mark.promise("SEA-10")
def test_another_principal_sees_nothing_of_private_sessions(alpha: Context) -> None:
    assert "needle of alpha" in run("search", alpha, query="needle")
    stranger = alpha.replace(principal_id="eve")
    assert "needle of alpha" not in run("search", stranger, query="needle")
    assert "needle of alpha" not in run("search", stranger, query="needle", all=True)
    assert "needle of alpha" not in run("brief", stranger)
    other_tenant = alpha.replace(tenant="acme")
    assert "needle of alpha" not in run("search", other_tenant, query="needle")


@pytest.mark.promise("SEA-10")
def test_sessions_made_visible_to_the_project_are_seen_there_and_only_there(alpha: Context) -> None:
    shared = alpha.replace(settings=alpha.settings.replace(visibility="project"))
    capture(shared, prompt("shared needle"), into=header("cccc3333"))
    mate = alpha.replace(principal_id="bob")
    assert "shared needle" in run("search", mate, query="needle")
    assert "secret needle" not in run("search", mate, query="needle")
    elsewhere = mate.replace(project=project("beta"))
    assert "shared needle" not in run("search", elsewhere, query="needle")


@pytest.mark.promise("SEA-10")
def test_a_person_may_widen_to_all_of_their_own_projects_and_an_agent_may_not(alpha: Context, beta: Context) -> None:
    assert "needle of alpha" in run("search", beta, query="needle", all=True)
    for name in ("session_search", "session_event_search", "session_trace", "session_event_read"):
        operation = BY_NAME[name]
        with pytest.raises(UsageError):
            check(operation.params, {"query": "x", "seq": 0, "session_id": "x", "all": True}, person=False)
    person_only = [
        param for operation in OPERATIONS if operation.tool for param in operation.params if param.person_only
    ]
    assert person_only == []


@pytest.mark.promise("SEA-10")
def test_a_directory_that_is_no_project_finds_nothing_and_says_why(alpha: Context) -> None:
    nowhere = Project(project_id="none", kind="none", identity="", name="no project")
    home = alpha.replace(project=nowhere)
    capture(home, prompt("needle at home"), into=header("dddd4444"))
    told = run("search", home, query="needle")
    assert "no project" in told
    assert "needle" not in told
    assert "needle at home" in run("search", home, query="needle", all=True)
    assert run("brief", home).startswith("Nothing yet")


@pytest.mark.promise("SEA-11")
def test_hidden_and_nonexistent_answer_byte_for_byte_alike(alpha: Context, beta: Context) -> None:
    hidden, unknown = "claude-code:aaaa1111", "claude-code:aaaa9999"
    for name, request in (
        ("show", {"id": "{}"}), ("show", {"id": "{}#0"}), ("trace", {"id": "{}"}), ("trace", {"id": "{}#0"}),
        ("session_trace", {"session_id": "{}"}), ("session_event_search", {"session_id": "{}", "query": "needle"}),
        ("session_event_read", {"session_id": "{}", "seq": 0}), ("session_event_trace", {"session_id": "{}", "seq": 0}),
        ("why", {"session": "{}"}), ("search", {"query": "needle", "session": "{}"}),
    ):  # fmt: skip
        said = []
        for target in (hidden, unknown):
            filled = {k: v.format(target) if isinstance(v, str) else v for k, v in request.items()}
            with pytest.raises(NotFoundError) as caught:
                run(name, beta, person=BY_NAME[name].tool is None, **filled)
            said.append(f"{caught.value.code} {caught.value} {caught.value.hint}".replace(target, "ID"))
        assert said[0] == said[1], name
    assert "secret needle" in run("show", alpha, id=hidden)


@pytest.mark.promise("SEA-11")
def test_a_list_of_guessed_sessions_gives_no_more_than_none(alpha: Context, beta: Context) -> None:
    hidden = run("session_search", beta, person=False, query="needle", session_ids=["claude-code:aaaa1111"])
    unknown = run("session_search", beta, person=False, query="needle", session_ids=["claude-code:zzzz"])
    assert hidden == unknown


@pytest.mark.promise("SEA-12")
def test_an_empty_answer_says_what_kind_of_empty_it_is(alpha: Context) -> None:
    assert "No match" in run("search", alpha, query="nothinglikeit")
    empty = alpha.replace(project=project("gamma"))
    assert "No session of this project (gamma) is recorded yet" in run("search", empty, query="needle")


@pytest.mark.promise("SEA-12")
@pytest.mark.parametrize("name", ["Alpha", "alpha-for-woocommerce", "alpha_wc_plugin"])
def test_matches_in_a_project_of_a_similar_name_are_said(name: str, alpha: Context) -> None:
    variant = alpha.replace(project=project(name))
    told = run("search", variant, query="needle")
    assert "similar name (alpha)" in told
    assert "secret" not in told
    assert "similar" not in run("search", alpha.replace(project=project("delta")), query="needle")


@pytest.mark.promise("SEA-16")
def test_only_the_store_says_match() -> None:
    source = pathlib.Path(__file__).parents[2] / "src" / "segue"
    saying = {
        path.relative_to(source).as_posix()
        for path in source.rglob("*.py")
        if re.search(r"\bMATCH\b", path.read_text(encoding="utf-8"))
    }
    assert saying == {"stores/sqlite.py"}
    assert SEARCH.tool is None
