"""What waits when the store cannot be written."""

from __future__ import annotations

import json
import os
import pathlib
import stat
from typing import Any

import pytest

from segue.errors import StoreUnavailable, TooLate
from segue.lifecycle.moments import HOOK_DRAIN
from segue.projectors.derive import derive
from segue.sessionlog import spool
from segue.sessionlog.capture import clean
from segue.stores import events, sessions
from tests.places import context, header, project, prompt


@pytest.mark.promise("LOG-9")
def test_a_spooled_batch_is_stored_once_whatever_happens_to_the_file(store_url: str, tmp_path: pathlib.Path) -> None:
    ctx = context(store_url, tmp_path)
    batch = clean(header(), [prompt("waits"), prompt("too")], ctx.policy, ctx.now(), "n1")
    path = spool.put(ctx.spool_dir, batch, project("beta"), "bob", "n1")
    kept = pathlib.Path(path).read_bytes()
    assert spool.drain(ctx, ctx.spool_dir).added == 2
    assert spool.waiting(ctx.spool_dir) == []
    pathlib.Path(path).write_bytes(kept)  # as if the process died between the commit and the removal
    assert spool.drain(ctx, ctx.spool_dir).added == 0
    owner = ctx.replace(project=project("beta"), principal_id="bob").scope()
    assert len(events.window(ctx.store, owner, "claude-code:s1", 0, 9)) == 2
    assert sessions.get(ctx.store, ctx.scope(), "claude-code:s1") is None
    ctx.store.close()


@pytest.mark.promise("LOG-9")
def test_a_spooled_file_is_its_owners_alone_and_redacted(tmp_path: pathlib.Path) -> None:
    secret = "ghp_" + "aB3dE6gH9j" * 4
    ctx = context("sqlite://:memory:", tmp_path)
    batch = clean(header(), [prompt(f"use {secret} please")], ctx.policy, ctx.now(), "n1")
    path = pathlib.Path(spool.put(ctx.spool_dir, batch, project("beta"), "bob", "n1"))
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert secret not in path.read_text(encoding="utf-8")
    assert "please" in path.read_text(encoding="utf-8")
    ctx.store.close()


@pytest.mark.promise("LOG-10")
@pytest.mark.parametrize("content", [b"", b"{", b"[1]", b'{"header":{}}', b"\xff\xfe\x00"])
def test_an_unreadable_file_is_set_aside_and_the_rest_is_moved(content: bytes, tmp_path: pathlib.Path) -> None:
    ctx = context("sqlite://:memory:", tmp_path)
    batch = clean(header(), [prompt("fine")], ctx.policy, ctx.now(), "n1")
    spool.put(ctx.spool_dir, batch, ctx.project, ctx.principal_id, "n1")
    broken = pathlib.Path(ctx.spool_dir) / "0000.spool.json"
    broken.write_bytes(content)
    drained = spool.drain(ctx, ctx.spool_dir)
    assert (drained.batches, drained.added, drained.broken) == (1, 1, 1)
    assert list(spool.broken(ctx.spool_dir)) == [f"{broken}.broken"]
    assert pathlib.Path(f"{broken}.broken").read_bytes() == content
    ctx.store.close()


def changed(value: dict[str, Any], place: tuple[Any, ...], to: object) -> bytes:
    """A spooled file with something else in one place."""
    inner: Any = value
    for name in place[:-1]:
        inner = inner[name]
    inner[place[-1]] = to
    return json.dumps(value).encode()


@pytest.mark.promise("LOG-10")
def test_a_pipe_and_a_folder_in_the_spool_hold_nobody_up(tmp_path: pathlib.Path) -> None:
    ctx = context("sqlite://:memory:", tmp_path)
    batch = clean(header(), [prompt("fine")], ctx.policy, ctx.now(), "n1")
    spool.put(ctx.spool_dir, batch, ctx.project, ctx.principal_id, "n1")
    os.mkfifo(os.path.join(ctx.spool_dir, "0000.spool.json"))
    os.mkdir(os.path.join(ctx.spool_dir, "0001.spool.json"))
    done = spool.drain(ctx, ctx.spool_dir)
    assert (done.batches, done.added, done.broken) == (1, 1, 2)
    assert spool.waiting(ctx.spool_dir) == []
    assert len(list(spool.broken(ctx.spool_dir))) == 2
    ctx.store.close()


@pytest.mark.promise("LOG-10")
def test_what_cannot_be_set_aside_under_its_own_name_gets_another(tmp_path: pathlib.Path) -> None:
    ctx = context("sqlite://:memory:", tmp_path)
    batch = clean(header(), [prompt("fine")], ctx.policy, ctx.now(), "n1")
    spool.put(ctx.spool_dir, batch, ctx.project, ctx.principal_id, "n1")
    for at in range(HOOK_DRAIN):
        name = os.path.join(ctx.spool_dir, f"000{at}.spool.json")
        os.makedirs(os.path.join(f"{name}.broken", "full"))  # set aside before
        os.mkdir(name)
    done = spool.drain(ctx, ctx.spool_dir, HOOK_DRAIN)
    assert (done.batches, done.added, done.broken) == (0, 0, HOOK_DRAIN)
    done = spool.drain(ctx, ctx.spool_dir, HOOK_DRAIN)
    assert (done.batches, done.added, done.broken) == (1, 1, 0)
    assert len(list(spool.broken(ctx.spool_dir))) == 2 * HOOK_DRAIN
    ctx.store.close()


@pytest.mark.promise("LOG-10")
def test_an_unreadable_file_among_more_than_are_moved_in_one_go_leaves_none_behind(tmp_path: pathlib.Path) -> None:
    ctx = context("sqlite://:memory:", tmp_path)
    for at in range(spool.DRAIN_LIMIT + 1):
        batch = clean(header(), [prompt(f"no {at}")], ctx.policy, ctx.now(), f"n{at}")
        spool.put(ctx.spool_dir, batch, ctx.project, ctx.principal_id, f"n{at}")
    pathlib.Path(ctx.spool_dir, "0000.spool.json").write_bytes(b"no batch")
    assert derive(ctx, ctx.spool_dir).spooled == spool.DRAIN_LIMIT + 1
    assert spool.waiting(ctx.spool_dir) == []
    ctx.store.close()


#: what is no text although it should be, and where; each can be read, and none can be stored
WRONG = [
    (("header", "cwd"), [1]),
    (("header", "branch"), 10**30),
    (("header", "host_session_id"), None),
    (("drafts", 0, "type"), None),
    (("drafts", 0, "subject"), {"a": 1}),
    (("drafts", 0, "body"), [1]),
    (("project", "project_id"), [1]),
    (("project", "name"), None),
    (("principal_id",), 5),
]


@pytest.mark.promise("LOG-10")
@pytest.mark.parametrize(("place", "to"), WRONG)
def test_a_file_whose_fields_are_of_another_kind_is_set_aside_and_holds_nothing_up(
    place: tuple[Any, ...], to: object, tmp_path: pathlib.Path
) -> None:
    ctx = context("sqlite://:memory:", tmp_path)
    batch = clean(header(), [prompt("fine")], ctx.policy, ctx.now(), "n1")
    path = pathlib.Path(spool.put(ctx.spool_dir, batch, ctx.project, ctx.principal_id, "n1"))
    wrong = path.with_name("0000.spool.json")
    wrong.write_bytes(changed(json.loads(path.read_bytes()), place, to))
    drained = spool.drain(ctx, ctx.spool_dir)
    assert (drained.batches, drained.added, drained.broken) == (1, 1, 1)
    ctx.store.close()


class Late(bytes):
    """Bytes over whose writing the time runs out."""

    def __getitem__(self, _: Any) -> Any:
        raise TooLate("now")


@pytest.mark.promise("LOG-9")
def test_a_file_whose_writing_is_broken_off_leaves_nothing_behind(tmp_path: pathlib.Path) -> None:
    with pytest.raises(TooLate):
        spool._write_durably(str(tmp_path / "a.spool.json"), Late(b"text"))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.promise("LOG-9")
def test_a_spool_that_cannot_be_written_is_a_clear_error(tmp_path: pathlib.Path) -> None:
    ctx = context("sqlite://:memory:", tmp_path)
    batch = clean(header(), [prompt("x")], ctx.policy, ctx.now(), "n1")
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(StoreUnavailable) as caught:
        spool.put(os.fspath(tmp_path / "file" / "spool"), batch, ctx.project, ctx.principal_id, "n1")
    assert "spool" in str(caught.value)
    ctx.store.close()
