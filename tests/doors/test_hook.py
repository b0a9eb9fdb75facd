"""The hook door, as a host calls it: a process, bytes in, bytes out."""

from __future__ import annotations

import json
import os
import pathlib
import resource
import sqlite3
import subprocess
import sys
import time
from typing import Any

import pytest

from segue.model.frame import OPEN, wrap
from segue.stores.migrate import migrate, shipped_migrations
from segue.system.launcher import BOOT
from tests.engines import NOW, raw_engine

ROOT = pathlib.Path(__file__).parents[2]
RECORDED = ROOT / "tests" / "hosts" / "claude"
#: what the launcher's interpreter runs
RUN = BOOT.format(package=str(ROOT / "src"), log=os.devnull, limit=0)


class Home:
    """A home with a project, and a host that calls hooks in it."""

    def __init__(self, folder: pathlib.Path) -> None:
        self.folder = folder
        self.project = folder / "proj"
        self.project.mkdir(parents=True)
        self.data = folder / "data"
        self.env = {"HOME": str(folder), "SEGUE_HOME": str(self.data), "PATH": os.environ["PATH"], "USER": "dev"}

    def start(self, event: str, **env: str) -> subprocess.Popen[bytes]:
        words = [sys.executable, "-I", "-S", "-c", RUN, "hook", "claude-code", event]
        pipes: dict[str, Any] = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
        return subprocess.Popen(words, env={**self.env, **env}, **pipes)

    def send(self, event: str, data: bytes, **env: str) -> bytes:
        """Run one hook; its output. It must end with 0 and say nothing on stderr."""
        process = self.start(event, **env)
        out, err = process.communicate(data, timeout=30)
        assert (process.returncode, err) == (0, b"")
        return out

    def tell(self, event: str, **payload: Any) -> bytes:
        base = {"session_id": "s1", "cwd": str(self.project), "hook_event_name": event, "prompt_id": "p1"}
        return self.send(event, json.dumps({**base, **payload}).encode())

    def events(self) -> list[tuple[str, str]]:
        if not (self.data / "segue.db").exists():
            return []
        with sqlite3.connect(self.data / "segue.db") as store:
            if not store.execute("SELECT 1 FROM sqlite_schema WHERE name = 'events'").fetchall():
                return []  # it is just being made
            return store.execute("SELECT type, coalesce(body, '') FROM events ORDER BY session_id, seq").fetchall()

    def errors(self) -> str:
        log = self.data / "hook-errors.log"
        return log.read_text(encoding="utf-8") if log.exists() else ""


def recorded(name: str) -> list[dict[str, Any]]:
    """The events of a recorded run with their payloads, in order."""
    lines = (RECORDED / name / "payloads.ndjson").read_text(encoding="utf-8").splitlines()
    return [{"event": payload["hook_event_name"], "payload": payload} for payload in map(json.loads, lines)]


EXPECTED = {
    "basic": {"session/start": 2, "user/message": 2, "tool/call": 6, "tool/result": 6, "assistant/message": 2,
              "turn/end": 2, "session/end": 2},
    "basic-2.1.197": {"session/start": 2, "user/message": 2, "tool/call": 6, "tool/result": 6, "assistant/message": 2,
                      "turn/end": 2, "session/end": 2},
    "compact": {"session/start": 4, "user/message": 2, "tool/call": 3, "tool/result": 3, "assistant/message": 2,
                "turn/end": 2, "session/end": 2, "compaction/start": 1, "compaction/summary": 1},
    "subagent": {"session/start": 1, "user/message": 1, "tool/call": 2, "tool/result": 2, "assistant/message": 2,
                 "turn/end": 1, "session/end": 1, "subagent/start": 1, "subagent/end": 1},
}  # fmt: skip


@pytest.mark.promise("HOOK-1")
@pytest.mark.parametrize("name", EXPECTED)
def test_every_recorded_payload_is_in_the_log(name: str, home: Home) -> None:
    rows = recorded(name)
    for row in rows:
        home.send(row["event"], json.dumps({**row["payload"], "cwd": str(home.project)}).encode())
    counts: dict[str, int] = {}
    for type_, _ in home.events():
        counts[type_] = counts.get(type_, 0) + 1
    counts.pop("injection/shown", None)
    assert counts == EXPECTED[name]
    assert home.errors() == ""
    for row in rows:  # the same again adds only what has no id of the host
        home.send(row["event"], json.dumps({**row["payload"], "cwd": str(home.project)}).encode())
    types = [type_ for type_, _ in home.events() if not type_.startswith(("session/", "injection/"))]
    assert len(types) == sum(n for t, n in EXPECTED[name].items() if not t.startswith("session/"))


GARBAGE = [
    b"", b"   ", b"{", b"not json", b"[]", b"null", b"17", b'"text"', b"{}", b"\xff\xfe{}", b'{"session_id": 7}',
    b'{"session_id": "s", "prompt": {"a": 1}, "cwd": 5, "tool_input": "x"}', b"\xef\xbb\xbf" + b'{"session_id":"s"}',
    b'{"session_id":"s","cwd":"\xc4\x90","prompt":"\x81\x8d\x8f\x90\x9d"}', b'{"session_id":"s","prompt":"\\ud800"}',
    b'{"a":' * 3000, b'{"session_id":"s","tool_calls":[1,null,{"tool_name":1}],"cwd":"/nowhere/at/all"}',
    b'{"session_id":"../../etc","cwd":"\\u0000/x","prompt":"p"}', b"\0" * 1000,
]  # fmt: skip


@pytest.mark.promise("HOOK-2")
@pytest.mark.parametrize("data", GARBAGE, ids=range(len(GARBAGE)))
def test_whatever_comes_a_hook_ends_with_zero(data: bytes, home: Home) -> None:
    for event in ("SessionStart", "UserPromptSubmit", "PostToolUse", "PostToolBatch", "Stop", "NoSuchEvent", ""):
        out = home.send(event, data)
        assert out == b"" or "hookSpecificOutput" in json.loads(out)
    home.tell("UserPromptSubmit", prompt="still works")
    assert any("still works" in body for _, body in home.events())


@pytest.mark.promise("HOOK-2")
@pytest.mark.parametrize(
    "env",
    [{"PYTHONIOENCODING": "cp1252"}, {"PYTHONIOENCODING": "gbk", "LC_ALL": "C"}, {"LANG": "ja_JP.SJIS"}, {"HOME": ""},
     {"USER": ""}, {"HOME": "/nonexistent"}, {"TMPDIR": "/nonexistent"}],
    ids=str,
)  # fmt: skip
def test_whatever_the_environment_is_text_is_kept(env: dict[str, str], home: Home) -> None:
    payload = {"session_id": "s1", "cwd": str(home.project), "prompt": "⟦grüße⟧ 用户 😀", "prompt_id": "p"}
    home.send("UserPromptSubmit", json.dumps(payload, ensure_ascii=False).encode(), **env)
    home.send("SessionStart", json.dumps({**payload, "session_id": "s2", "source": "startup"}).encode(), **env)
    assert ("user/message", '{"text":"⟦grüße⟧ 用户 😀"}') in home.events()
    assert home.errors() == ""


@pytest.mark.promise("HOOK-3")
def test_the_answers_are_the_hosts_own(home: Home) -> None:
    assert home.tell("UserPromptSubmit", prompt="what was asked") == b""
    for event in (
        "PreToolUse",
        "PostToolUse",
        "PostToolUseFailure",
        "Stop",
        "SubagentStop",
        "PreCompact",
        "SessionEnd",
    ):
        assert (
            home.tell(event, tool_name="Bash", tool_input={"command": "ls"}, tool_use_id="t", stop_hook_active=True)
            == b""
        )
    out = json.loads(home.tell("SessionStart", session_id="s2", source="startup"))
    assert list(out) == ["hookSpecificOutput"]
    assert list(out["hookSpecificOutput"]) == ["additionalContext", "hookEventName"]
    assert out["hookSpecificOutput"]["hookEventName"] == "SessionStart"
    assert "what was asked" in out["hookSpecificOutput"]["additionalContext"]


@pytest.mark.promise("HOOK-11")
@pytest.mark.parametrize("source", ["startup", "clear", "compact", "resume"])
def test_each_source_gets_what_it_needs(source: str, home: Home) -> None:
    home.tell("UserPromptSubmit", prompt="in the other session", session_id="other")
    home.tell("UserPromptSubmit", prompt="in this session")
    out = home.tell("SessionStart", source=source)
    text = json.loads(out)["hookSpecificOutput"]["additionalContext"] if out else ""
    assert ("other session" in text) == (source in ("startup", "clear"))
    assert ("this session" in text) == (source == "compact")
    with sqlite3.connect(home.data / "segue.db") as store:
        kept = store.execute("SELECT source, bytes, injection_id FROM injections").fetchall()
    assert [(row[0], row[1] > 0) for row in kept] == ([(source, bool(text))])
    assert any(kept[0][2] in body for type_, body in home.events() if type_ == "injection/shown") == bool(text)


#: an end that Python would take its time for: each of these says so on stderr
LATE = "import atexit, sys; atexit.register(sys.stderr.write, 'taken apart')\n"


@pytest.mark.promise("HOOK-13")
def test_a_hook_is_recorded_and_answered_when_its_process_ends_at_once(home: Home) -> None:
    started = json.dumps({"session_id": "s2", "cwd": str(home.project), "source": "startup"}).encode()
    home.tell("UserPromptSubmit", prompt="before")
    said = []
    for words in (["hook", "claude-code", "SessionStart"], ["status"]):
        done = subprocess.run(
            [sys.executable, "-I", "-S", "-c", LATE + RUN, *words], env=home.env, input=started, capture_output=True,
            cwd=home.project, check=True, timeout=30,
        )  # fmt: skip
        assert not (home.data / "segue.db-wal").exists()  # whoever closes the store last leaves no journal
        said.append((done.stdout, done.stderr))
    assert "before" in json.loads(said[0][0])["hookSpecificOutput"]["additionalContext"]
    assert [err for _, err in said] == [b"", b"taken apart"]
    assert [type_ for type_, _ in home.events()] == ["user/message", "session/start", "injection/shown"]


@pytest.mark.promise("HOOK-13")
def test_the_module_run_by_name_is_a_hook_that_ends_with_zero(home: Home) -> None:
    env = {**home.env, "PYTHONPATH": str(ROOT / "src")}
    payload = json.dumps({"session_id": "s1", "cwd": str(home.project), "prompt": "by name", "prompt_id": "p"})
    for data in (payload.encode(), b"{"):
        words = [sys.executable, "-m", "segue", "hook", "claude-code", "UserPromptSubmit"]
        done = subprocess.run(words, env=env, input=data, capture_output=True, check=True, timeout=30)
        assert (done.stdout, done.stderr) == (b"", b"")
    assert home.events() == [("user/message", '{"text":"by name"}')]
    assert len(home.errors().splitlines()) == 1


@pytest.mark.promise("HOOK-4")
def test_a_locked_store_sends_the_batch_to_the_spool_and_the_next_open_moves_it(home: Home) -> None:
    home.tell("UserPromptSubmit", prompt="first")
    blocker = sqlite3.connect(home.data / "segue.db", isolation_level=None)
    blocker.execute("BEGIN IMMEDIATE")
    started = time.monotonic()
    home.tell("UserPromptSubmit", prompt="while locked", prompt_id="p2")
    assert time.monotonic() - started < 10
    blocker.execute("ROLLBACK")
    blocker.close()
    assert len(list((home.data / "spool").glob("*.spool.json"))) == 1
    assert "StoreLocked" in home.errors()
    words = [sys.executable, "-m", "segue", "derive", "--json"]
    env = {**home.env, "PYTHONPATH": str(ROOT / "src")}
    done = subprocess.run(words, env=env, cwd=home.project, capture_output=True, check=True)
    assert json.loads(done.stdout)["spooled"] == 1
    assert any("while locked" in body for _, body in home.events())


@pytest.mark.promise("HOOK-4")
@pytest.mark.parametrize("damage", [b"garbage" * 3000, b"SQLite format 3\0" + b"\xee" * 9000])
def test_a_damaged_store_sends_the_batch_to_the_spool(damage: bytes, home: Home) -> None:
    home.data.mkdir()
    (home.data / "segue.db").write_bytes(damage)
    home.tell("UserPromptSubmit", prompt="kept")
    assert (home.data / "segue.db").read_bytes() == damage
    waiting = list((home.data / "spool").glob("*.spool.json"))
    assert len(waiting) == 1
    assert "kept" in waiting[0].read_text(encoding="utf-8")


@pytest.mark.promise("HOOK-5")
def test_a_hook_whose_input_stays_open_still_records_and_ends(home: Home) -> None:
    process = home.start("UserPromptSubmit")
    assert process.stdin is not None
    payload = {"session_id": "s1", "cwd": str(home.project), "prompt": "open ended", "prompt_id": "p"}
    process.stdin.write(json.dumps(payload).encode())
    process.stdin.flush()
    started = time.monotonic()
    assert process.wait(timeout=20) == 0
    assert time.monotonic() - started < 10
    process.stdin.close()
    for pipe in (process.stdout, process.stderr):
        assert pipe is not None
        pipe.close()
    assert any("open ended" in body for _, body in home.events())


@pytest.mark.promise("HOOK-6")
@pytest.mark.parametrize("env", [{"SEGUE_HOOK_DEPTH": "1"}, {"SEGUE_OFF": "1"}])
def test_a_hook_that_must_not_record_does_not(env: dict[str, str], home: Home) -> None:
    payload = json.dumps({"session_id": "s", "cwd": str(home.project), "prompt": "x", "prompt_id": "p"}).encode()
    assert home.send("UserPromptSubmit", payload, **env) == b""
    assert home.events() == []
    home.send("UserPromptSubmit", payload)
    assert len(home.events()) == 1


@pytest.mark.promise("HOOK-6")
def test_a_session_in_segues_own_folder_is_not_recorded(home: Home) -> None:
    home.tell("UserPromptSubmit", prompt="mine")
    home.tell("UserPromptSubmit", prompt="own", cwd=str(home.data), prompt_id="p2")
    home.tell("UserPromptSubmit", prompt="own", cwd=str(home.data / "spool"), prompt_id="p3")
    assert [body for _, body in home.events()] == ['{"text":"mine"}']


@pytest.mark.promise("HOOK-7")
def test_what_went_wrong_is_noted_without_the_payload(home: Home) -> None:
    home.send("UserPromptSubmit", b'{"prompt": "confidential words"}')
    home.send("UserPromptSubmit", b"confidential words")
    noted = home.errors()
    assert "PayloadUnusable" in noted
    assert len(noted.splitlines()) == 2
    assert "confidential" not in noted


@pytest.mark.promise("HOOK-8")
def test_parallel_hooks_are_all_recorded(home: Home) -> None:
    home.tell("UserPromptSubmit", prompt="go")
    running = []
    for number in range(12):
        process = home.start("PostToolUse")
        payload = {"session_id": "s1", "cwd": str(home.project), "tool_name": "Bash", "tool_use_id": f"t{number}",
                   "tool_input": {"command": f"echo {number}"}, "tool_response": {"stdout": f"{number}"}}  # fmt: skip
        assert process.stdin is not None
        process.stdin.write(json.dumps(payload).encode())
        process.stdin.close()
        process.stdin = None
        running.append(process)
    for process in running:
        process.communicate(timeout=60)
        assert process.returncode == 0
    types = [type_ for type_, _ in home.events()]
    spooled = len(list((home.data / "spool").glob("*"))) if (home.data / "spool").exists() else 0
    assert types.count("tool/result") + spooled == 12
    assert types.count("tool/call") + spooled == 12


@pytest.mark.promise("HOOK-9")
def test_segues_own_tools_and_blocks_are_not_recorded(home: Home) -> None:
    block = wrap("remembered words", "ab12cd34")
    home.tell("UserPromptSubmit", prompt=f"before {block} after")
    for tool in ("mcp__segue__session_search", "mcp__plugin_segue_segue__session_search"):
        home.tell("PostToolUse", tool_name=tool, tool_input={"query": "remembered words"}, tool_use_id=tool,
                  tool_response=[{"type": "text", "text": "remembered words"}])  # fmt: skip
    home.tell("PostToolUse", tool_name="mcp__other__search", tool_input={"query": "control"}, tool_use_id="t",
              tool_response=[{"type": "text", "text": "kept"}])  # fmt: skip
    stored = json.dumps(home.events())
    assert "remembered words" not in stored
    assert OPEN not in stored
    assert "before  after" in stored
    assert "control" in stored


#: root ignores modes: load everything by one hook in a home of its own, become nobody, then call the hook in earnest
AS_NOBODY = """
import os, sys
sys.path.insert(0, sys.argv[1])
from segue import hook
def call(home, payload):
    reader, writer = os.pipe()
    os.write(writer, payload)
    os.close(writer)
    os.dup2(reader, 0)
    os.environ.update(HOME=home, SEGUE_HOME=os.path.join(home, "data"))
    return hook.main(["claude-code", "UserPromptSubmit"])
data = sys.stdin.buffer.read()
call(sys.argv[2], data)
if os.getuid() == 0:
    os.setgid(65534)
    os.setuid(65534)
sys.exit(call(sys.argv[3], data))
"""


@pytest.mark.promise("HOOK-10")
def test_a_read_only_home_costs_the_record_and_never_the_host(open_folder: pathlib.Path) -> None:
    free, locked = Home(open_folder / "free"), Home(open_folder / "locked")
    data = json.dumps({"session_id": "s", "cwd": "/srv/proj", "prompt": "x", "prompt_id": "p"}).encode()
    locked.folder.chmod(0o555)
    words = [sys.executable, "-I", "-S", "-c", AS_NOBODY, str(ROOT / "src"), str(free.folder), str(locked.folder)]
    done = subprocess.run(words, env=free.env, input=data, capture_output=True, timeout=30, check=False)
    locked.folder.chmod(0o755)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert len(free.events()) == 1
    assert not locked.data.exists()


def no_room() -> None:
    resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))


@pytest.mark.promise("HOOK-10")
def test_a_full_disk_costs_the_record_and_never_the_host(home: Home) -> None:
    home.tell("UserPromptSubmit", prompt="before")
    size = (home.data / "segue.db").stat().st_size
    payload = {"session_id": "s1", "cwd": str(home.project), "prompt": "y" * 400_000, "prompt_id": "p2"}
    words = [sys.executable, "-I", "-S", "-c", RUN, "hook", "claude-code", "UserPromptSubmit"]

    done = subprocess.run(
        words, env=home.env, input=json.dumps(payload).encode(), capture_output=True, timeout=30, check=False,
        preexec_fn=no_room,
    )  # fmt: skip
    assert (done.returncode, done.stdout) == (0, b"")
    assert (home.data / "segue.db").stat().st_size >= size
    home.tell("UserPromptSubmit", prompt="after", prompt_id="p3")
    texts = [body for _, body in home.events()]
    assert '{"text":"before"}' in texts
    assert '{"text":"after"}' in texts


@pytest.mark.promise("HOOK-12")
def test_with_a_postgresql_store_hooks_spool_and_the_next_brief_reads_both(home: Home, postgres_address: str) -> None:
    import psycopg

    sign = "&" if "?" in postgres_address else "?"
    packages = str(pathlib.Path(psycopg.__file__).parents[1])
    env = {"SEGUE_STORE": f"{postgres_address}{sign}schema=hooked", "PYTHONPATH": ""}
    code = RUN.replace("from segue", f"sys.path.append({packages!r}); from segue")

    said = []
    for payload in (
        {"hook_event_name": "UserPromptSubmit", "session_id": "s1", "prompt": "asked before", "prompt_id": "p"},
        {"hook_event_name": "SessionStart", "session_id": "s2", "source": "startup"},
    ):
        data = json.dumps({"cwd": str(home.project), **payload}).encode()
        words = [sys.executable, "-I", "-S", "-c", code, "hook", "claude-code"]
        done = subprocess.run(words, env={**home.env, **env}, input=data, capture_output=True, check=True, timeout=60)
        said.append((done.stdout, len(list((home.data / "spool").glob("*.spool.json")))))
    assert said[0] == (b"", 1)
    block = json.loads(said[1][0])
    assert "asked before" in block["hookSpecificOutput"]["additionalContext"]
    assert said[1][1] == 0
    assert home.errors() == ""


@pytest.mark.promise("HOOK-2")
@pytest.mark.parametrize(
    "told",
    [{"tool_response": {"stdout": "cut \ud83d"}}, {"tool_use_id": "t\udc80"}, {"cwd": "/x\0y"}, {"cwd": "/\udcff"},
     {"tool_input": {"n": float("nan"), "i": float("inf")}}, {"session_id": "../../x#3/agent-1"},
     {"session_id": "L" * 900}],
    ids=str,
)  # fmt: skip
def test_strange_values_do_not_cost_the_event(told: dict[str, Any], home: Home) -> None:
    home.tell("PostToolUse", **{"tool_name": "Bash", "tool_input": {"command": "ls"}, "tool_use_id": "t", **told})
    assert sorted(type_ for type_, _ in home.events()) == ["tool/call", "tool/result"]
    assert home.errors() == ""


@pytest.mark.promise("HOOK-2")
def test_a_huge_output_full_of_secrets_is_recorded_in_time(home: Home) -> None:
    line = "password=hunter2" + "hunter2\n"
    home.tell("PostToolUse", tool_name="Bash", tool_input={"command": "cat x"}, tool_use_id="t",
              tool_response={"stdout": line * 400_000})  # fmt: skip
    home.tell("Stop")
    stored = json.dumps(home.events())
    assert stored.count("tool/result") == 1
    assert "hunter2hunter2" not in stored


@pytest.mark.promise("HOOK-2")
def test_a_host_that_does_not_read_and_a_log_that_is_a_pipe_hold_nothing_up(home: Home) -> None:
    home.data.mkdir()
    os.mkfifo(home.data / "hook-errors.log")
    home.send("UserPromptSubmit", b"{")
    home.tell("UserPromptSubmit", prompt="x" * 200)
    assert len(home.events()) == 1


def told_of(home: Home) -> list[str]:
    """The texts that the log holds, in its order."""
    return [json.loads(body).get("text") or json.loads(body).get("output", "") for _, body in home.events() if body]


@pytest.mark.promise("HOOK-15")
def test_a_large_output_is_stored_by_the_next_hook_before_its_own(home: Home) -> None:
    long, short = "line of output\n" * 1000, "line of output\n" * 10
    call = {"tool_name": "Bash", "tool_input": {"command": "make"}}
    home.tell("UserPromptSubmit", prompt="build it", prompt_id="p1")
    home.tell("PostToolUse", **call, tool_response={"stdout": short}, tool_use_id="t1")
    assert told_of(home)[-1].startswith("line")  # the control: a short output is stored at once
    home.tell("PostToolUse", **call, tool_response={"stdout": long + "the large one"}, tool_use_id="t2")
    assert len(list((home.data / "spool").glob("*.spool.json"))) == 1
    assert not any("the large one" in text for text in told_of(home))
    home.tell("UserPromptSubmit", prompt="thank you", prompt_id="p2")
    told = told_of(home)
    assert told[-1] == "thank you"
    assert told[-2].endswith("the large one")
    assert list((home.data / "spool").iterdir()) == []
    assert home.errors() == ""


@pytest.mark.promise("HOOK-16")
def test_a_step_of_the_work_leaves_the_upgrade_of_a_store_to_the_next_start_and_loses_nothing(home: Home) -> None:
    home.data.mkdir()
    url = f"sqlite:///{str(home.data / 'segue.db').lstrip('/')}"
    engine = raw_engine(url)
    migrate(engine, NOW, shipped_migrations()[:1])
    home.tell("UserPromptSubmit", prompt="while it is old", prompt_id="p1")
    assert engine.schema_version() == 1
    assert home.events() == []
    assert "older" in home.errors()
    home.tell("SessionStart", source="startup")
    assert engine.schema_version() == shipped_migrations()[-1].version
    home.tell("UserPromptSubmit", prompt="once it is new", prompt_id="p2")
    assert {"while it is old", "once it is new"} <= set(told_of(home))
    engine.close()


@pytest.mark.promise("HOOK-17")
def test_settings_that_cannot_be_used_stop_the_record_and_the_next_session_is_told(home: Home) -> None:
    home.data.mkdir()
    settings = home.data / "config.json"
    settings.write_text('{"capture": "off"', encoding="utf-8")
    assert home.tell("UserPromptSubmit", prompt="not recorded") == b""
    out = json.loads(home.tell("SessionStart", session_id="s2", source="startup"))
    block = out["hookSpecificOutput"]["additionalContext"]
    assert block.startswith(OPEN)
    assert str(settings) in block
    assert "segue config" in block
    assert home.events() == []
    settings.write_text("{}", encoding="utf-8")
    assert home.tell("SessionStart", session_id="s3", source="startup") == b""
    home.tell("UserPromptSubmit", prompt="recorded again")
    assert "recorded again" in told_of(home)
