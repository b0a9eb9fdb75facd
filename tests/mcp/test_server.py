"""The MCP door as a process: what it does with its pipes, its parent, its store, and what others print."""

from __future__ import annotations

import json
import os
import pathlib
import signal
import sqlite3
import subprocess
import sys
from typing import Any

import pytest

from segue.mcp.stdio import MAX_MESSAGE
from tests.mcp.homes import RUN, Home, Process, ready, request, text_of
from tests.places import prompt


@pytest.fixture
def home(tmp_path: pathlib.Path) -> Home:
    return Home(tmp_path / "dev home's & 家 😀")


def search(query: str, request_id: Any = 2) -> dict[str, Any]:
    """A request for a search."""
    return request("tools/call", {"name": "session_search", "arguments": {"query": query}}, request_id)


def found(process: Process, query: str) -> tuple[str, bool]:
    """What a search says, and whether that is an error."""
    process.send(search(query))
    result = process.receive()["result"]
    return text_of(result), result.get("isError", False)


@pytest.mark.promise("MCP-14")
def test_requests_sent_without_waiting_are_all_answered_in_order(home: Home) -> None:
    home.fill(prompt("the needle"))
    with home.start() as process:
        sent = [search("needle", n) if n % 3 else request("tools/list", None, n) for n in range(60)]
        process.send(*sent)
        answers = [process.receive() for _ in sent]
    assert [answer["id"] for answer in answers] == list(range(60))
    assert all("the needle" in text_of(answer["result"]) for n, answer in enumerate(answers) if n % 3)


@pytest.mark.promise("MCP-14")
def test_a_message_in_pieces_and_a_last_one_without_an_end_are_answered(home: Home) -> None:
    with home.start() as process:
        process.send(request("ping", None, 0))
        process.receive()
        process.send_raw(b'{"jsonrpc":"2.0",')
        process.send_raw(b'"id":1,"method":"ping"}\r\n\n{"jsonrpc":"2.0","id":2,"method":"ping"}')
        code, out, err = process.end(within_s=2)
    assert [json.loads(line)["id"] for line in out.splitlines()] == [1, 2]
    assert (code, err) == (0, b"")


@pytest.mark.promise("MCP-11")
@pytest.mark.parametrize("used", [False, True], ids=["at once", "after a call"])
def test_the_server_ends_with_its_input(used: bool, home: Home) -> None:
    home.fill(prompt("the needle"))
    with home.start() as process:
        process.ask("ping")
        if used:
            found(process, "needle")
        assert process.end(within_s=1) == (0, b"", b"")


@pytest.mark.promise("MCP-11")
def test_the_server_ends_when_nobody_reads_its_answers(home: Home) -> None:
    with home.start() as process:
        process.ask("ping")
        assert process.popen.stdout is not None
        process.popen.stdout.close()
        process.send(request("ping", None, 2))
        assert process.popen.wait(timeout=5) == 0


@pytest.mark.promise("MCP-11")
def test_an_interrupt_ends_the_server_quietly(home: Home) -> None:
    with home.start() as process:
        process.ask("ping")
        process.popen.send_signal(signal.SIGINT)
        assert process.end(within_s=2) == (0, b"", b"")


#: a host that starts the server with the input it was given itself, and waits
HOST = f"""
import subprocess, sys, time
server = subprocess.Popen([sys.executable, "-I", "-S", "-c", {RUN!r}, "mcp"], stdin=0, stdout=1, close_fds=True)
server.wait()
"""


@pytest.mark.promise("MCP-11")
def test_the_server_ends_within_five_seconds_of_its_parent_though_its_input_stays_open(home: Home) -> None:
    reading, writing = os.pipe()
    try:
        with subprocess.Popen(
            [sys.executable, "-c", HOST], stdin=reading, stdout=subprocess.PIPE, env=home.env, cwd=home.project()
        ) as host:
            assert host.stdout is not None
            output = host.stdout.fileno()
            os.write(writing, json.dumps(request("ping")).encode() + b"\n")
            assert ready(output, 10)
            assert json.loads(os.read(output, 1 << 16))["result"] == {}
            host.kill()
            host.wait()
            assert ready(output, 5), "the server outlived its parent"
            assert os.read(output, 1) == b""  # its end of the pipe is closed: it is gone
    finally:
        os.close(reading)
        os.close(writing)


NOISE = """
import os, sys
print("Welcome to the driver!")
sys.stdout.write("no newline")
os.write(1, b"raw bytes\\xff\\n")
os.system("echo from a child")
raise ImportError("no driver after all")
"""


@pytest.mark.promise("MCP-12")
def test_a_library_that_prints_at_import_does_not_reach_the_host(home: Home, tmp_path: pathlib.Path) -> None:
    noisy = tmp_path / "noisy"
    noisy.mkdir()
    (noisy / "psycopg.py").write_text(NOISE, encoding="utf-8")
    code = f"import sys; sys.path.insert(0, {str(noisy)!r}); {RUN}"
    with home.start(code=code, SEGUE_STORE="postgresql://nobody@localhost/none") as process:
        assert process.ask("initialize", {"protocolVersion": "2025-11-25"})["result"]["serverInfo"]
        text, is_error = found(process, "needle")
        assert (is_error, "driver_missing" in text) == (True, True)
        assert process.ask("ping")["result"] == {}
        code_, out, err = process.end(within_s=1)
    assert (code_, out) == (0, b"")
    for noise in (b"Welcome to the driver!", b"no newline", b"raw bytes", b"from a child"):
        assert noise in err


@pytest.mark.promise("MCP-3")
def test_a_message_that_is_too_long_is_refused_and_the_next_one_answered(home: Home) -> None:
    home.fill(prompt("the needle"))
    with home.start() as process:
        process.send_raw(b'{"jsonrpc":"2.0","id":1,"method":"' + b"x" * MAX_MESSAGE + b'"}\n')
        assert process.receive()["error"]["code"] == -32600
        assert process.ask("ping")["result"] == {}
        assert "the needle" in found(process, "needle " + "x" * 4_000_000)[0]


@pytest.mark.promise("MCP-3")
def test_binary_garbage_between_messages_does_not_end_the_server(home: Home) -> None:
    garbage = [bytes(range(256)).replace(b"\n", b""), b"\xff" * 70_000, b"\0\0", b"}{", b"\xef\xbb\xbf"]
    with home.start() as process:
        for at, line in enumerate(garbage):
            process.send_raw(line + b"\n")
            assert process.receive()["error"]["code"] == -32700
            assert process.ask("ping", None, at)["id"] == at
        assert process.end(within_s=1) == (0, b"", b"")


def broken_store(kind: str, home: Home) -> str:
    """Make the home's store unusable in that way; the code that the error should have."""
    home.fill(prompt("the needle"))
    path = home.data / "segue.db"
    if kind == "corrupt":
        path.write_bytes(b"SQLite format 3\0" + b"\x5a" * 8000)
        return "store_corrupt"
    if kind == "missing":
        path.unlink()
        path.mkdir()
        return "store_unavailable"
    with sqlite3.connect(path) as store:
        store.execute("PRAGMA journal_mode = delete")
        if kind == "newer":
            store.execute("PRAGMA user_version = 99")
        if kind == "foreign":
            store.execute("PRAGMA application_id = 7")
    store.close()
    return f"store_{kind}"


@pytest.mark.promise("MCP-13")
@pytest.mark.parametrize("kind", ["missing", "corrupt", "newer", "foreign"])
def test_a_store_that_cannot_be_used_is_an_error_result(kind: str, home: Home) -> None:
    code = broken_store(kind, home)
    with home.start() as process:
        assert process.ask("initialize", {"protocolVersion": "2025-11-25"})["result"]["serverInfo"]
        assert len(process.ask("tools/list")["result"]["tools"]) == 5
        text, is_error = found(process, "needle")
        assert (is_error, text.startswith(f"{code}: ")) == (True, True), text
        assert process.ask("ping")["result"] == {}


@pytest.mark.promise("MCP-13")
def test_a_locked_store_is_an_error_result_soon_and_an_answer_once_it_is_free(home: Home) -> None:
    broken_store("locked", home)
    holder = sqlite3.connect(home.data / "segue.db", isolation_level=None)
    holder.execute("BEGIN EXCLUSIVE")
    with home.start() as process:
        assert process.ask("initialize", {"protocolVersion": "2025-11-25"})["result"]["serverInfo"]
        process.send(search("needle"))
        result = process.receive(within_s=8)["result"]
        assert (result["isError"], text_of(result).startswith("store_locked: ")) == (True, True)
        holder.execute("ROLLBACK")
        assert "the needle" in found(process, "needle")[0]
    holder.close()


@pytest.mark.promise("MCP-13")
def test_while_another_writes_a_search_answers_and_says_what_it_lacks(home: Home) -> None:
    home.fill(prompt("the old needle"))
    with home.start() as process:
        assert "the old needle" in found(process, "needle")[0]
        home.fill(prompt("the new needle"), name="s2")
        holder = sqlite3.connect(home.data / "segue.db", isolation_level=None)
        holder.execute("BEGIN IMMEDIATE")
        text, is_error = found(process, "needle")
        assert (is_error, "the old needle" in text, "store_locked" in text) == (False, True, True)
        holder.execute("ROLLBACK")
        holder.close()
        assert "the new needle" in found(process, "needle")[0]


@pytest.mark.promise("MCP-13")
def test_a_configuration_that_cannot_be_read_does_not_end_the_server(home: Home) -> None:
    home.data.mkdir(parents=True)
    (home.data / "config.json").write_bytes(b"\xff\xfe not = [text")
    with home.start() as process:
        process.ask("initialize", {"protocolVersion": "2025-11-25"})
        assert found(process, "needle")[1]
        assert process.ask("ping")["result"] == {}
