"""Deleting while processes are killed, others write, and the disk is full."""

from __future__ import annotations

import pathlib
import random
import resource
import subprocess
import sys

import pytest

from segue.projectors.erase import finish
from segue.sessionlog.verify import verify
from segue.stores import erase
from tests.engines import new_url
from tests.keeping.test_beside import spooled
from tests.keeping.test_delete import BY_NAME, MARKER, fill, found, holds, run
from tests.places import capture, context, header, prompt
from tests.sessionlog.writers import process

DELETER = """
import pathlib, sys
from tests.keeping.test_delete import run
from tests.places import context
ctx = context(sys.argv[1], pathlib.Path(sys.argv[2]))
print("begins", flush=True)
run(ctx, "delete", ids=["claude-code:s1"], yes=True)
print("done", flush=True)
"""


def url_of(folder: pathlib.Path) -> str:
    return f"sqlite:///{str(folder / 'segue.db').lstrip('/')}"


@pytest.mark.promise("KEEP-10")
@pytest.mark.parametrize(("engine", "rounds"), [("file", 12), ("postgresql", 6)])
def test_a_killed_deletion_is_done_or_not_and_done_again(
    engine: str, rounds: int, tmp_path: pathlib.Path, request: pytest.FixtureRequest
) -> None:
    chance = random.Random(7)
    seen = set()
    for round_ in range(rounds):
        folder = tmp_path / str(round_)
        folder.mkdir()
        url = new_url(engine, folder, request)
        ctx = context(url, folder)
        fill(ctx)
        ctx.store.close()
        spooled(ctx, "s1", ".broken")
        if engine == "file":
            (folder / "segue.db.before_v2").write_bytes(MARKER.encode())
        with process(DELETER, url, str(folder)) as child:
            assert child.stdout is not None
            assert child.stdout.readline() == "begins\n"
            try:
                child.wait(timeout=chance.random() * 0.12)
            except subprocess.TimeoutExpired:
                child.kill()
        ctx = context(url, folder)
        left = found(ctx)
        seen.add(len(left))
        assert len(left) in (0, 4)
        assert verify(ctx).findings == ()
        if left:
            run(ctx, "delete", ids=["claude-code:s1"], yes=True)
        assert finish(ctx).problem is None
        assert not holds(ctx, folder)
        assert found(ctx, "twin gate") == ["claude-code:s2#0"]
        assert run(ctx, "verify")["ok"]
        ctx.store.close()
    assert seen


FULL = """
import pathlib, resource, sys
from tests.keeping.test_delete import run
from tests.places import context
ctx = context(sys.argv[1], pathlib.Path(sys.argv[2]))
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[3]), resource.RLIM_INFINITY))
import signal
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
from segue.errors import SegueError
try:
    run(ctx, "delete", ids=["claude-code:s1"], yes=True)
    print("done")
except SegueError as error:
    print(error.code)
"""


@pytest.mark.promise("KEEP-10")
def test_a_deletion_on_a_full_disk_is_told_and_finished_later(tmp_path: pathlib.Path) -> None:
    ctx = context(url_of(tmp_path), tmp_path)
    fill(ctx)
    ctx.store.close()
    size = (tmp_path / "segue.db").stat().st_size
    said = {}
    for limit in (size // 8, size // 2, 16 * size):
        done = subprocess.run(
            [sys.executable, "-c", FULL, url_of(tmp_path), str(tmp_path), str(limit)],
            env={"PYTHONPATH": "src:.", "PATH": "/usr/bin:/bin"}, cwd=pathlib.Path(__file__).parents[2],
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        said[limit] = done.stdout.strip()
        ctx = context(url_of(tmp_path), tmp_path)
        assert verify(ctx).findings == ()
        ctx.store.close()
    assert next(iter(said.values())) == "store_unavailable"
    assert "done" in said.values()
    ctx = context(url_of(tmp_path), tmp_path)
    assert found(ctx) == []
    assert finish(ctx).problem is None
    assert not holds(ctx, tmp_path)
    assert resource.getrlimit(resource.RLIMIT_FSIZE)[0] == resource.RLIM_INFINITY
    ctx.store.close()


READER = """
import pathlib, sys, threading
from tests.places import context
ctx = context(sys.argv[1], pathlib.Path(sys.argv[2]))
ctx.store.run("BEGIN")
ctx.store.all("SELECT count(*) FROM events")
print("reads", flush=True)
threading.Event().wait(120)
"""


@pytest.mark.promise("KEEP-10")
def test_while_another_process_reads_the_journal_stays_and_that_is_told(tmp_path: pathlib.Path) -> None:
    ctx = context(url_of(tmp_path), tmp_path)
    fill(ctx)
    with process(READER, url_of(tmp_path), str(tmp_path)) as reader:
        assert reader.stdout is not None
        assert reader.stdout.readline() == "reads\n"
        ctx.store.run("PRAGMA busy_timeout = 50")
        done = run(ctx, "delete", ids=["claude-code:s1"], yes=True)
        assert "journal" in done["done"]["problem"]
        assert "segue derive" in BY_NAME["delete"].text(done)
        assert found(ctx) == []
        assert erase.pending(ctx.store) is not None
        reader.kill()
    assert run(ctx, "derive")["scrub"]["problem"] is None
    assert erase.pending(ctx.store) is None
    assert not holds(ctx, tmp_path)
    ctx.store.close()


WRITER = """
import pathlib, sys
from tests.places import capture, context, header, prompt
ctx = context(sys.argv[1], pathlib.Path(sys.argv[2]))
print("writes", flush=True)
for number in range(300):
    capture(ctx, prompt(f"zyxqvkwj {number}"), into=header("s1"))
    capture(ctx, prompt(f"twin {number}"), into=header("s2"))
"""


@pytest.mark.promise("KEEP-2")
@pytest.mark.parametrize("engine", ["file", "postgresql"])
def test_a_session_that_is_written_to_while_it_is_deleted_stays_deleted(
    engine: str, tmp_path: pathlib.Path, request: pytest.FixtureRequest
) -> None:
    url = new_url(engine, tmp_path, request)
    ctx = context(url, tmp_path)
    fill(ctx)
    with process(WRITER, url, str(tmp_path)) as writer:
        assert writer.stdout is not None
        assert writer.stdout.readline() == "writes\n"
        run(ctx, "delete", ids=["claude-code:s1"], yes=True)
    assert writer.returncode == 0
    assert found(ctx) == []
    assert capture(ctx, prompt(MARKER), into=header("s1")).deleted == 1
    assert run(ctx, "derive")["scrub"]["problem"] is None
    assert not holds(ctx, tmp_path)
    assert len(run(ctx, "search", query="twin", events=True, limit=200)["hits"]) == 200
    assert verify(ctx).findings == ()
    ctx.store.close()
