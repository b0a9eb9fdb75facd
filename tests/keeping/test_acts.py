"""Whose acts they are, one after the other, and what they tell those who may not know."""

from __future__ import annotations

import json
import pathlib
import re
from typing import Any

import pytest

from segue.audit.record import check as check_audit
from segue.ctx import Context
from segue.errors import NotOwner
from segue.frameworks import History
from segue.sessionlog.verify import verify
from segue.stores import audit, sessions
from tests.engines import new_url
from tests.keeping.test_delete import MARKER, found, kept, run
from tests.mcp.homes import Home, called
from tests.places import capture, context, header, prompt
from tests.sessionlog.writers import process

__all__ = ["kept"]

ACTOR = """
import pathlib, sys
from tests.keeping.test_delete import run
from tests.places import context
ctx = context(sys.argv[1], pathlib.Path(sys.argv[2]))
for number in range(15):
    for act in ("hold", "release") if number % 3 else ("archive", "restore"):
        run(ctx, act, id="claude-code:" + sys.argv[3])
if sys.argv[4] == "deletes":
    run(ctx, "delete", ids=["claude-code:" + sys.argv[3]], yes=True)
print("done", flush=True)
"""


@pytest.mark.promise("KEEP-13")
@pytest.mark.parametrize("engine", ["file", "postgresql"])
def test_acts_of_several_processes_are_all_on_one_chain(
    engine: str, tmp_path: pathlib.Path, request: pytest.FixtureRequest
) -> None:
    url = new_url(engine, tmp_path, request)
    ctx = context(url, tmp_path)
    for name in ("a", "b", "c"):
        capture(ctx, prompt(f"of {name}"), into=header(name))
    started = [process(ACTOR, url, str(tmp_path), name, "deletes" if name == "b" else "") for name in ("a", "b", "c")]
    said = [child.communicate(timeout=120)[0] for child in started]
    assert said == ["done\n"] * 3
    assert check_audit(ctx) is None
    last = audit.last(ctx.store, ctx.tenant)
    assert last is not None
    assert last.audit_no + 1 == 3 * 30 + 1
    assert verify(ctx).findings == ()
    ctx.store.close()


@pytest.mark.promise("KEEP-12")
def test_what_others_share_is_read_and_not_deleted(kept: Context) -> None:
    bob = kept.replace(principal_id="bob", settings=kept.settings.replace(visibility="project"))
    capture(bob, prompt("bob shares this"), into=header("s5"))
    run(kept, "derive")
    assert found(kept, "shares") == ["claude-code:s5#0"]
    for name in ("archive", "restore", "hold", "release"):
        with pytest.raises(NotOwner):
            run(kept, name, id="claude-code:s5")
    for ids, text in ((["claude-code:s5"], None), (["claude-code:s5#0"], None), (["claude-code:s5"], "shares")):
        with pytest.raises(NotOwner):
            run(kept, "delete", ids=[*ids, "claude-code:s2"], text=text, yes=True)
    assert found(kept, "shares") == ["claude-code:s5#0"]
    assert found(kept, "twin") == ["claude-code:s2#0"]
    assert run(kept, "audit")["acts"] == []
    assert run(bob, "delete", ids=["claude-code:s5"], yes=True)["done"]["sessions"] == 1


@pytest.mark.promise("KEEP-12")
@pytest.mark.promise("KEEP-6")
def test_copies_in_the_forks_of_others_stay_and_are_told(tmp_path: pathlib.Path) -> None:
    work, data = tmp_path / "work", tmp_path / "data"
    work.mkdir()
    data.mkdir()
    (data / "config.json").write_text('{"visibility": "project"}')
    env = {"HOME": str(tmp_path), "SEGUE_HOME": str(data), "PATH": "/usr/bin:/bin", "USER": "ann"}
    with History(str(work), env=env) as ann:
        with ann.create("one", title="plain") as live:
            live.append("user/message", {"text": "the shared lantern"})
        with ann.fork("one", into="two"):
            pass
        ann._ctx.store.run("UPDATE sessions SET principal_id = 'bob' WHERE session_id = 'python:two'")
        planned = run(ann._ctx, "delete", ids=["python:one"])
        assert [row["session"]["id"] for row in planned["targets"]] == ["python:one"]
        assert [row["session"]["id"] for row in planned["staying"]] == ["python:two"]
        run(ann._ctx, "delete", ids=["python:one"], yes=True)
        assert sessions.end(ann._ctx.store, ann._ctx.tenant, "python:two") is not None
        assert verify(ann._ctx).findings == ()


CALLS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("session_search", {"query": "gate", "session_ids": ["ID"]}),
    ("session_event_search", {"query": "gate", "session_id": "ID"}),
    ("session_trace", {"session_id": "ID"}),
    ("session_event_trace", {"session_id": "ID", "seq": 0}),
    ("session_event_read", {"session_id": "ID", "seq": 0}),
)


def naming(asked: dict[str, Any], name: str) -> dict[str, Any]:
    """The arguments, about that session."""
    told: dict[str, Any] = json.loads(json.dumps(asked).replace("ID", f"claude-code:{name}"))
    return told


@pytest.mark.promise("KEEP-5")
def test_an_agents_tools_tell_deleted_hidden_and_nonexistent_alike(tmp_path: pathlib.Path) -> None:
    home = Home(tmp_path)
    home.fill(prompt(f"the {MARKER} gate"), name="s1")
    home.fill(prompt(f"the {MARKER} gate"), name="s2", project="elsewhere")
    home.fill(prompt("the twin gate"), name="s4")
    server = home.server()
    assert MARKER in called(server, "session_event_read", session_id="claude-code:s1", seq=0)[0]
    run(server._open(), "delete", ids=["claude-code:s1"], yes=True)
    for tool, asked in CALLS:
        answers = [called(server, tool, **naming(asked, name)) for name in ("s1", "s2", "s3")]
        alike = {(re.sub(r"claude-code:s[123]", "NAMED", text), failed) for text, failed in answers}
        assert len(alike) == 1, alike
        twin, failed = called(server, tool, **naming(asked, "s4"))
        assert (failed, twin in dict(answers)) == (False, False)  # the control
    server.close()
