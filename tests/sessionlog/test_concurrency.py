"""Many writers, and writers that die."""

from __future__ import annotations

import pathlib
import random

import pytest

from segue.sessionlog.verify import verify
from segue.stores import sessions
from tests.engines import new_url
from tests.places import capture, context, header, prompt
from tests.sessionlog.writers import process, start

ENGINES = ["file", "postgresql"]


@pytest.mark.promise("LOG-6")
@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("spread", ["one session", "a session each"])
def test_twelve_processes_lose_and_double_nothing(
    engine: str, spread: str, tmp_path: pathlib.Path, request: pytest.FixtureRequest
) -> None:
    url = new_url(engine, tmp_path, request)
    ctx = context(url, tmp_path)
    names = [f"w{number}" for number in range(12)]
    running = [start(url, tmp_path, "s" if spread == "one session" else f"s-{name}", name, 15) for name in names]
    said = [each.communicate(timeout=120)[0].split() for each in running]
    assert [each.returncode for each in running] == [0] * 12
    assert all(len(keys) == 15 for keys in said)
    verified = verify(ctx)
    assert (verified.events, verified.findings) == (180, ())
    assert verified.sessions == (1 if spread == "one session" else 12)
    texts = [row[0] for row in ctx.store.all("SELECT body FROM events")]
    assert len(set(texts)) == 180
    ctx.store.close()


@pytest.mark.promise("LOG-7")
@pytest.mark.parametrize("engine", ENGINES)
def test_what_was_acknowledged_survives_kills_at_any_moment(
    engine: str, tmp_path: pathlib.Path, request: pytest.FixtureRequest
) -> None:
    url = new_url(engine, tmp_path, request)
    ctx = context(url, tmp_path)
    chance = random.Random(7)
    acknowledged: set[str] = set()
    for kill in range(8):
        writer = start(url, tmp_path, "s", f"k{kill}", 10_000)
        assert writer.stdout is not None
        for _ in range(chance.randrange(1, 40)):
            acknowledged.add(writer.stdout.readline().strip())
        writer.kill()
        acknowledged.update(writer.communicate(timeout=60)[0].split("\n")[:-1])
    verified = verify(ctx)
    assert verified.findings == ()
    stored = {row[0].split("event ")[1].rstrip('"}') for row in ctx.store.all("SELECT body FROM events")}
    assert acknowledged - {""} <= stored
    assert len(acknowledged) > 8
    session = sessions.get(ctx.store, ctx.scope(), "claude-code:s")
    assert session is not None
    assert session.next_seq == len(stored) == verified.events
    ctx.store.close()


SAME = """
import pathlib, sys
from tests.places import capture, context, header, prompt
ctx = context(sys.argv[1], pathlib.Path(sys.argv[2]))
added = sum(capture(ctx, prompt(f"event {n}", key=f"k{n}"), into=header(f"s{n % 3}")).added for n in range(40))
print(added)
ctx.store.close()
"""


@pytest.mark.promise("LOG-6")
@pytest.mark.parametrize("engine", ENGINES)
def test_the_same_batches_from_many_writers_are_stored_once(
    engine: str, tmp_path: pathlib.Path, request: pytest.FixtureRequest
) -> None:
    url = new_url(engine, tmp_path, request)
    ctx = context(url, tmp_path)
    running = [process(SAME, url, str(tmp_path)) for _ in range(6)]
    said = [int(each.communicate(timeout=120)[0]) for each in running]
    assert sum(said) == 40
    verified = verify(ctx)
    assert (verified.events, verified.findings) == (40, ())
    ctx.store.close()


INDEX = """
import pathlib, sys
from segue.projectors.derive import derive
from tests.places import capture, context, header, prompt
ctx = context(sys.argv[1], pathlib.Path(sys.argv[2]))
derived = derive(ctx, ctx.spool_dir)
print(len(derived.quarantined))
ctx.store.close()
"""


@pytest.mark.promise("LOG-5")
@pytest.mark.parametrize("engine", ENGINES)
def test_processes_that_index_together_quarantine_nothing(
    engine: str, tmp_path: pathlib.Path, request: pytest.FixtureRequest
) -> None:
    url = new_url(engine, tmp_path, request)
    ctx = context(url, tmp_path)
    for number in range(60):
        capture(ctx, prompt(f"event {number}"), into=header(f"s{number}"))
    running = [process(INDEX, url, str(tmp_path)) for _ in range(5)]
    assert [each.communicate(timeout=120)[0].strip() for each in running] == ["0"] * 5
    assert ctx.store.one("SELECT count(*) FROM event_docs") == (60,)
    assert ctx.store.one("SELECT count(*) FROM sessions WHERE status <> 'ok'") == (0,)
    ctx.store.close()
