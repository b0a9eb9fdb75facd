"""Deleting and exports: what crosses without its text, and what an old export does not bring back."""

from __future__ import annotations

import pathlib

import pytest

from segue.sessionlog.verify import verify, verify_files
from tests.keeping.test_delete import MARKER, fill, found, run, told
from tests.places import context

LOG = "claude-code:s1"


@pytest.mark.promise("KEEP-4")
def test_a_log_without_its_text_crosses_to_files_and_into_another_store(store_url: str, tmp_path: pathlib.Path) -> None:
    ctx = context(store_url, tmp_path)
    fill(ctx)
    run(ctx, "delete", ids=[f"{LOG}#1"], yes=True)
    run(ctx, "delete", ids=[LOG], text=MARKER, yes=True)
    folder = tmp_path / "logs"
    assert run(ctx, "export", folder=str(folder), sessions=[LOG])["added"] == 5
    assert MARKER.encode() not in b"".join(path.read_bytes() for path in folder.rglob("session.jsonl"))
    assert verify_files(str(folder)).findings == ()
    other = context("sqlite://:memory:", tmp_path)
    assert run(other, "import", paths=[str(folder)])["logs"][0]["added"] == 5
    assert "the [deleted] gate is mended" in told(other, "show", id=f"{LOG}#2")
    assert "(deleted)" in told(other, "show", id=f"{LOG}#1")
    assert verify(other).findings == ()
    assert found(other, "mended") == [f"{LOG}#2"]
    for store in (ctx.store, other.store):
        store.close()


@pytest.mark.promise("KEEP-2")
def test_an_old_export_does_not_bring_back_what_was_deleted_since(store_url: str, tmp_path: pathlib.Path) -> None:
    ctx = context(store_url, tmp_path)
    fill(ctx)
    folder = tmp_path / "logs"
    run(ctx, "export", folder=str(folder))
    run(ctx, "delete", ids=[LOG], yes=True)
    taken = run(ctx, "import", paths=[str(folder)])["logs"][0]
    assert taken["added"] == 0
    assert {row["session"] for row in taken["skipped"]} == {LOG, f"{LOG}/agent-a7"}
    assert found(ctx) == []
    other = context("sqlite://:memory:", tmp_path)  # the control: elsewhere nothing was deleted
    assert run(other, "import", paths=[str(folder)])["logs"][0]["added"] > 40
    assert len(found(other)) == 4
    for store in (ctx.store, other.store):
        store.close()
