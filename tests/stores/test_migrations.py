"""How a store comes to its newest schema."""

from __future__ import annotations

import os
import pathlib
import re
import sqlite3
import stat
import subprocess
import sys

import pytest

from segue.errors import MigrationChanged, StoreCorrupt, StoreForeign, StoreNewer, StoreUnavailable
from segue.model.operation import check
from segue.operations.search import SEARCH
from segue.projectors.derive import derive
from segue.sessionlog.verify import verify
from segue.stores.migrate import Migration, migrate, schema_text, shipped_migrations
from segue.stores.open import open_store
from tests.engines import NOW, new_url, raw_engine
from tests.places import answer, capture, context, prompt

NEWEST = shipped_migrations()[-1].version
NEXT = Migration(
    version=NEWEST + 1,
    name="one step more",
    text={
        "sqlite": "CREATE TABLE extra (id TEXT NOT NULL PRIMARY KEY) STRICT;",
        "postgresql": "CREATE TABLE extra (id TEXT NOT NULL PRIMARY KEY);",
    },
)


def file_of(url: str) -> pathlib.Path:
    return pathlib.Path(url.removeprefix("sqlite://"))


@pytest.mark.promise("STO-2")
def test_a_new_store_is_at_the_newest_schema_with_its_ledger(store_url: str) -> None:
    store = open_store(store_url, now=NOW)
    rows = store.all("SELECT version, name, checksum, engine, applied_at FROM migrations")
    assert rows == [
        (step.version, step.name, step.checksum(store.name), store.name, NOW) for step in shipped_migrations()
    ]
    assert store.schema_version() == NEWEST
    store.close()


@pytest.mark.promise("STO-3")
def test_a_newer_store_is_refused_and_an_equal_one_is_opened(tmp_path: pathlib.Path) -> None:
    url = f"sqlite:///{str(tmp_path / 's.db').lstrip('/')}"
    open_store(url, now=NOW).close()
    engine = raw_engine(url)
    migrate(engine, NOW, (*shipped_migrations(), NEXT))
    engine.close()
    before = file_of(url).read_bytes()
    with pytest.raises(StoreNewer):
        open_store(url, now=NOW)
    assert file_of(url).read_bytes() == before


@pytest.mark.promise("STO-4")
@pytest.mark.parametrize("version", [0, 1, 7])
def test_a_foreign_database_is_refused_and_left_as_it_is(tmp_path: pathlib.Path, version: int) -> None:
    path = tmp_path / "other.db"
    other = sqlite3.connect(path)
    other.execute("CREATE TABLE theirs (x)")
    other.execute(f"PRAGMA user_version = {version}")
    other.close()
    before = path.read_bytes()
    with pytest.raises(StoreForeign):
        open_store(f"sqlite:///{str(path).lstrip('/')}", now=NOW)
    assert path.read_bytes() == before


@pytest.mark.promise("STO-4")
def test_a_foreign_postgresql_schema_is_refused(postgres_address: str) -> None:
    import psycopg

    with psycopg.connect(postgres_address, autocommit=True) as other:
        other.execute("CREATE SCHEMA theirs_1")
        other.execute("CREATE TABLE theirs_1.notes (x text)")
    sign = "&" if "?" in postgres_address else "?"
    with pytest.raises(StoreForeign):
        open_store(f"{postgres_address}{sign}schema=theirs_1", now=NOW)


@pytest.mark.promise("STO-5")
def test_a_changed_ledger_is_refused(store_url: str) -> None:
    if store_url.endswith(":memory:"):
        engine = raw_engine(store_url)
    else:
        open_store(store_url, now=NOW).close()
        engine = raw_engine(store_url)
    migrate(engine, NOW)
    assert migrate(engine, NOW) is None
    engine.run("UPDATE migrations SET checksum = 'other'")
    with pytest.raises(MigrationChanged):
        migrate(engine, NOW)
    engine.close()


@pytest.mark.promise("STO-7")
def test_an_upgrade_keeps_a_complete_backup(store_url: str) -> None:
    engine = raw_engine(store_url)
    migrate(engine, NOW)
    engine.run("INSERT INTO store_meta (name, value) VALUES ('kept', 'yes')")
    if store_url.endswith(":memory:"):
        engine.close()
        return
    backup = migrate(engine, NOW, (*shipped_migrations(), NEXT))
    assert backup is not None
    if engine.name == "sqlite":
        kept = sqlite3.connect(backup)
        assert kept.execute("SELECT value FROM store_meta WHERE name = 'kept'").fetchall() == [("yes",)]
        assert kept.execute("PRAGMA user_version").fetchone() == (NEWEST,)
        kept.close()
    else:
        assert engine.all(f"SELECT value FROM {backup}.store_meta WHERE name = 'kept'") == [("yes",)]
    assert engine.all("SELECT version FROM migrations ORDER BY version") == [(n,) for n in range(1, NEWEST + 2)]
    engine.close()


OPEN_OLD = """
import sys
from segue.stores.migrate import Migration, migrate, shipped_migrations
from tests.engines import NOW, raw_engine
from tests.stores.test_migrations import NEXT
engine = raw_engine(sys.argv[1])
backup = migrate(engine, NOW, (*shipped_migrations(), NEXT))
print("migrated" if backup else "found it done")
engine.close()
"""


@pytest.mark.promise("STO-6")
@pytest.mark.parametrize("engine_name", ["file", "postgresql"])
def test_eight_processes_migrate_an_old_store_once(
    engine_name: str, tmp_path: pathlib.Path, request: pytest.FixtureRequest
) -> None:
    url = new_url(engine_name, tmp_path, request)
    open_store(url, now=NOW).close()
    here = pathlib.Path(__file__).parents[2]
    env = {**os.environ, "PYTHONPATH": f"{here / 'src'}{os.pathsep}{here}"}
    running = [
        subprocess.Popen([sys.executable, "-c", OPEN_OLD, url], env=env, stdout=subprocess.PIPE, text=True)
        for _ in range(8)
    ]
    said = [process.communicate(timeout=120)[0].strip() for process in running]
    assert sorted(said) == ["found it done"] * 7 + ["migrated"]
    assert [process.returncode for process in running] == [0] * 8


#: tables whose rows an older store is given, as far as it has their columns
FILLED = ("store_meta", "principals", "projects", "sessions", "events", "index_scopes")


@pytest.mark.promise("STO-8")
@pytest.mark.parametrize("engine_name", ["file", "postgresql"])
@pytest.mark.parametrize("version", range(1, NEWEST))
def test_a_store_of_an_earlier_version_is_upgraded_and_finds_what_it_holds(
    version: int, engine_name: str, tmp_path: pathlib.Path, request: pytest.FixtureRequest
) -> None:
    url, fresh = new_url(engine_name, tmp_path, request), context("sqlite://:memory:", tmp_path)
    engine = raw_engine(url)
    steps = shipped_migrations()[:version]
    migrate(engine, NOW, steps)
    capture(fresh, prompt("the lease of the parcel table"), answer("it ends at noon"))
    assert derive(fresh, fresh.spool_dir).indexed == 2
    for table, columns in columns_of("\n".join(step.text[engine.name] for step in steps)).items():
        if table in FILLED:
            engine.insert(table, tuple(columns), fresh.store.all(f"SELECT {', '.join(columns)} FROM {table}"))
    if version < 5:
        places = fresh.store.all("SELECT tenant, 'index-1', session_id, indexed FROM sessions")
        engine.insert("cursors", ("tenant", "name", "session_id", "seq"), places)
    docs = fresh.store.all("SELECT docid, tenant, session_id, seq, type, surface, event_time FROM event_docs")
    engine.add_docs([(*doc, "the lease of the parcel table", "") for doc in docs if doc[3] == 0])
    engine.close()
    engine = raw_engine(url)
    backup = migrate(engine, NOW)
    assert (backup is not None) == any(step.changes(engine.name) for step in shipped_migrations()[version:])
    engine.close()
    upgraded = fresh.replace(store=open_store(url, now=NOW))
    hits = SEARCH.run(upgraded, check(SEARCH.params, {"query": "parcel"}, person=True))["hits"]
    assert [hit["id"] for hit in hits] == ["claude-code:s1#0"]
    assert verify(upgraded).findings == ()
    if engine_name == "file":
        query = "SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY type, name"
        assert upgraded.store.all(query) == fresh.store.all(query)
    for store in (fresh.store, upgraded.store):
        store.close()


def columns_of(text: str) -> dict[str, dict[str, str]]:
    """Tables, their columns and the columns' comments, read from a schema file."""
    tables: dict[str, dict[str, str]] = {}
    table = None
    for line in text.splitlines():
        started = re.match(r"CREATE (?:VIRTUAL )?TABLE (\w+)", line)
        if started:
            table = tables.setdefault(started[1], {})
        dropped = re.match(r"DROP TABLE (\w+)", line)
        if dropped:
            del tables[dropped[1]]
        added = re.match(r"ALTER TABLE (\w+) ADD COLUMN ([a-z_]+) [^-]*-- (.*)$", line)
        if added:
            tables.setdefault(added[1], {})[added[2]] = added[3]
        column = re.match(r"  ([a-z_]+)(?: [A-Za-z]+[^-]*)?,? *(?:-- (.*))?$", line)
        if table is not None and column and column[1] not in ("content",):
            table[column[1]] = column[2] or ""
        if line.startswith(")"):
            table = None
    return tables


@pytest.mark.promise("STO-11")
def test_both_schemas_have_the_same_tables_and_columns_each_with_a_comment() -> None:
    lite, post = columns_of(schema_text("sqlite")), columns_of(schema_text("postgresql"))
    fts = lite.pop("event_fts")
    assert set(fts) == {"words", "parts"}
    words = post["event_docs"].pop("words")
    assert words
    assert {table: set(columns) for table, columns in lite.items()} == {t: set(c) for t, c in post.items()}
    assert [
        (t, c) for tables in (lite, post) for t, columns in tables.items() for c, text in columns.items() if not text
    ] == []
    assert len(lite) == 17


@pytest.mark.promise("STO-9")
def test_a_store_works_where_sqlite3_cannot_load_extensions(tmp_path: pathlib.Path) -> None:
    source = "".join(
        path.read_text(encoding="utf-8") for path in (pathlib.Path(__file__).parents[2] / "src").rglob("*.py")
    )
    assert "enable_load_extension" not in source
    assert "load_extension" not in source
    store = open_store(f"sqlite:///{str(tmp_path / 's.db').lstrip('/')}", now=NOW)
    assert store.check() == []
    store.close()


@pytest.mark.promise("STO-10")
def test_the_store_belongs_to_its_owner_alone(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "deep" / "er" / "segue.db"
    store = open_store(f"sqlite:///{str(path).lstrip('/')}", now=NOW)
    store.run("INSERT INTO store_meta (name, value) VALUES ('a', 'b')")
    for file in path.parent.iterdir():
        assert stat.S_IMODE(file.stat().st_mode) & 0o077 == 0, file
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    store.close()


@pytest.mark.promise("STO-12")
def test_a_store_below_a_file_gives_a_clear_error(tmp_path: pathlib.Path) -> None:
    (tmp_path / "file").write_text("x", encoding="utf-8")
    with pytest.raises(StoreUnavailable) as caught:
        open_store(f"sqlite:///{str(tmp_path / 'file' / 'segue.db').lstrip('/')}", now=NOW)
    assert str(tmp_path / "file") in str(caught.value)


@pytest.mark.promise("STO-13")
@pytest.mark.parametrize("damage", [b"garbage that is no database at all" * 200, b"SQLite format 3\0" + b"\xff" * 8000])
def test_a_damaged_file_gives_a_clear_error(tmp_path: pathlib.Path, damage: bytes) -> None:
    path = tmp_path / "segue.db"
    path.write_bytes(damage)
    with pytest.raises((StoreCorrupt, StoreForeign)):
        open_store(f"sqlite:///{str(path).lstrip('/')}", now=NOW)
    assert path.read_bytes() == damage
