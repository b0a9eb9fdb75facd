"""The MCP door without a process: one message in, one message out."""

from __future__ import annotations

import copy
import itertools
import json
import pathlib
import re
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from segue.mcp import protocol
from segue.mcp.server import MAX_BATCH
from tests.mcp.homes import TOOLS, Home, asked, called, request
from tests.places import answer, prompt, ran

FRAMES = [json.loads(line) for line in (pathlib.Path(__file__).parent / "frames.jsonl").read_bytes().splitlines()]
HOSTS = sorted({frame["host"] for frame in FRAMES})
HANDSHAKES = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")


@pytest.fixture
def home(tmp_path: pathlib.Path) -> Home:
    return Home(tmp_path / "ann's home & 家 😀")


@pytest.mark.promise("MCP-1")
@pytest.mark.parametrize("host", HOSTS)
def test_the_first_messages_of_a_host_are_answered(host: str, home: Home) -> None:
    home.fill(prompt("Where is the add function?"))
    server = home.server()
    for message in copy.deepcopy([frame["message"] for frame in FRAMES if frame["host"] == host]):
        if message["method"] == "tools/call":  # the recorded tool was a probe
            message["params"]["name"] = "session_search"
        reply = server.handle(json.dumps(message).encode())
        if "id" not in message:
            assert reply is None
            continue
        assert isinstance(reply, dict)
        assert (reply["jsonrpc"], reply["id"], "error" in reply) == ("2.0", message["id"], False)
        check_result(message, reply["result"])


def check_result(message: dict[str, Any], result: dict[str, Any]) -> None:
    """Hold the result of a host's request to what that request asks for."""
    match message["method"]:
        case "initialize":
            assert result["protocolVersion"] == message["params"]["protocolVersion"]
            assert result["serverInfo"]["name"] == "segue"
            assert result["instructions"]
        case "server/discover":
            assert result["supportedVersions"] == ["2026-07-28", *reversed(HANDSHAKES)]
            assert result["resultType"] == "complete"
        case "tools/list":
            assert [tool["name"] for tool in result["tools"]] == TOOLS
        case "tools/call":
            assert "Where is the add function?" in result["content"][0]["text"]
        case "prompts/list" | "resources/list":
            assert result == {message["method"].partition("/")[0]: []}
        case _:
            raise AssertionError(f"no expectation for {message['method']}")


@pytest.mark.promise("MCP-2")
def test_every_version_with_a_handshake_is_agreed_to_and_another_gets_the_newest(home: Home) -> None:
    for version in (*HANDSHAKES, "1999-01-01", "", None, 7):
        result = asked(home.server(), "initialize", {"protocolVersion": version})["result"]
        assert result["protocolVersion"] == (version if version in HANDSHAKES else HANDSHAKES[-1])


@pytest.mark.promise("MCP-2")
def test_a_request_that_names_its_version_gets_what_that_version_wants_around_it(home: Home) -> None:
    server = home.server()
    meta = {"_meta": {"io.modelcontextprotocol/protocolVersion": "2026-07-28"}}
    listed = asked(server, "tools/list", meta)["result"]
    assert (listed["resultType"], listed["cacheScope"]) == ("complete", "private")
    assert listed["ttlMs"] > 0
    assert "resultType" not in asked(server, "tools/list")["result"]
    refused = asked(server, "tools/list", {"_meta": {"io.modelcontextprotocol/protocolVersion": "2031-01-01"}})["error"]
    assert refused["code"] == -32022
    assert refused["data"] == {"supported": ["2026-07-28", *reversed(HANDSHAKES)], "requested": "2031-01-01"}


GARBAGE = [
    b"{", b"[", b"nonsense", b"\xff\xfe\x00\x01", b"\0" * 100, b"null", b"17", b'"text"', b"[]", b"[[]]", b"{}",
    b'{"jsonrpc":"2.0","id":1}', b'{"jsonrpc":"2.0","id":1,"method":7}', b'{"jsonrpc":"2.0","method":{},"id":[]}',
    b'{"id":1,"method":"no/such"}', b'{"id":1,"method":"tools/call"}', b'{"id":1,"method":"tools/call","params":[1]}',
    b'{"id":1,"method":"tools/call","params":{"name":{},"arguments":7}}', b'{"id":NaN,"method":"ping"}',
    b'{"a":' * 100_000, b"[" * 100_000, b'{"id":1,"method":"\\ud800"}', b'{"id":1e400,"method":"ping"}',
    b'{"id":1,"method":"tools/call","params":{"name":"' + b"x" * 100_000 + b'"}}', b"[" + b"1," * 200 + b"1]",
    b'{"id":1,"method":"' + b"y" * 100_000 + b'"}', b'{"id":' + b"9" * 5000 + b',"method":"ping"}',
]  # fmt: skip


@pytest.mark.promise("MCP-3")
@pytest.mark.parametrize("line", GARBAGE, ids=range(len(GARBAGE)))
def test_garbage_is_refused_in_protocol_and_the_next_message_is_answered(line: bytes, home: Home) -> None:
    server = home.server()
    reply = server.handle(line)
    for part in reply if isinstance(reply, list) else [reply]:
        assert part is not None
        assert part["error"]["code"] in (-32700, -32600, -32601, -32602)
        assert len(json.dumps(part)) < 1000
    assert asked(server, "ping")["result"] == {}


@pytest.mark.promise("MCP-3")
@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.binary(max_size=200) | st.text(max_size=100).map(lambda text: json.dumps({"id": text}).encode()))
def test_no_bytes_raise(data: bytes, tmp_path: pathlib.Path) -> None:
    reply = Home(tmp_path / "h").server().handle(data)
    assert reply is None or json.dumps(reply)


NO_IDS: tuple[Any, ...] = (None, True, False, 1.5, [], {})


@pytest.mark.promise("MCP-4")
def test_an_id_comes_back_as_it_was_and_other_kinds_are_refused(home: Home) -> None:
    server = home.server()
    for request_id in (0, 1, -1, 2**53, "", "a", "7", "server-discover-probe-1", "😀"):
        assert asked(server, "ping", request_id=request_id) == {"jsonrpc": "2.0", "id": request_id, "result": {}}
    for other in NO_IDS:
        reply = asked(server, "ping", request_id=other)
        assert (reply["id"], reply["error"]["code"]) == (None, -32600)


@pytest.mark.promise("MCP-4")
@pytest.mark.parametrize(
    "method", ["notifications/initialized", "notifications/cancelled", "notifications/roots/list_changed", "x/unknown"]
)
def test_a_notification_and_a_reply_get_no_answer(method: str, home: Home) -> None:
    server = home.server()
    line = json.dumps({"jsonrpc": "2.0", "method": method, "params": {"requestId": 2, "reason": "aborted"}})
    assert server.handle(line.encode()) is None
    assert server.handle(b'{"jsonrpc":"2.0","id":1,"result":{}}') is None
    assert server.handle(b'{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"no"}}') is None


@pytest.mark.promise("MCP-4")
def test_an_array_of_messages_gets_an_array_of_answers(home: Home) -> None:
    server = home.server()
    batch = [request("ping", request_id=1), {"method": "notifications/initialized"}, 5, request("no", request_id="b")]
    reply = server.handle(json.dumps(batch).encode())
    assert isinstance(reply, list)
    assert [(part["id"], "error" in part) for part in reply] == [(1, False), (None, True), ("b", True)]
    assert server.handle(b'[{"method":"notifications/initialized"}]') is None
    most = [request("ping", request_id=n) for n in range(MAX_BATCH)]
    assert len(server.handle(json.dumps(most).encode()) or []) == MAX_BATCH
    assert "error" in (server.handle(json.dumps([*most, most[0]]).encode()) or [])


FORBIDDEN = {"oneOf", "anyOf", "allOf", "not", "$ref", "$schema", "$defs", "additionalProperties", "default", "enum"}
#: the longest name that a host gives the server: as a plugin's
PREFIX = "plugin_segue_segue"


def faults(tool: dict[str, Any]) -> list[str]:
    """What in a tool's description one of the hosts cannot take."""
    found = [f"{name} given" for name in tool if name not in ("name", "description", "inputSchema")]
    if not re.fullmatch("[a-z0-9_]+", tool["name"]) or len(PREFIX + tool["name"]) > 40:
        found.append("name")
    if tool["inputSchema"].get("type") != "object":
        found.append("root is no object")
    if not set(tool["inputSchema"].get("required", [])) <= set(tool["inputSchema"].get("properties", {})):
        found.append("required is not described")
    return found + list(_schema_faults(tool["inputSchema"]))


def _schema_faults(schema: Any) -> list[str]:
    if not isinstance(schema, dict):
        return ["a schema is no object"]
    found = sorted(FORBIDDEN & set(schema))
    if schema.get("type") not in ("object", "string", "integer", "boolean", "array"):
        found.append(f"type {schema.get('type')}")
    if schema.get("type") == "array" and "items" not in schema:
        found.append("array without items")
    inner = [*schema.get("properties", {}).values(), *([schema["items"]] if "items" in schema else [])]
    return found + [fault for part in inner for fault in _schema_faults(part)]


@pytest.mark.promise("MCP-5")
def test_the_tools_are_what_every_host_takes(home: Home) -> None:
    tools = asked(home.server(), "tools/list")["result"]["tools"]
    assert {tool["name"]: faults(tool) for tool in tools} == {name: [] for name in TOOLS}
    assert all(tool["description"] and len(tool["description"]) < 300 for tool in tools)
    assert len(json.dumps(tools)) <= 6000


@pytest.mark.promise("MCP-5")
def test_a_schema_that_a_host_cannot_take_is_found() -> None:
    good = {"name": "a", "description": "b", "inputSchema": {"type": "object", "properties": {}}}
    assert faults(good) == []
    for schema, fault in (
        ({"type": "string"}, "root is no object"),
        ({"type": "object", "properties": {"x": {"type": "string", "anyOf": []}}}, "anyOf"),
        ({"type": "object", "properties": {"x": True}}, "a schema is no object"),
        ({"type": "object", "properties": {"x": {"type": "array"}}}, "array without items"),
        ({"type": "object", "properties": {"x": {"type": ["string", "null"]}}}, "type ['string', 'null']"),
        ({"type": "object", "$schema": "x"}, "$schema"),
        ({"type": "object", "required": ["y"]}, "required is not described"),
    ):
        assert fault in faults({**good, "inputSchema": schema})
    assert faults({**good, "name": "session_event_search_by_number"}) == ["name"]
    assert faults({**good, "outputSchema": {}}) == ["outputSchema given"]


TEXTS = {
    "ascii": "needle and thread, ",
    "cjk": "針と糸で needle ",
    "emoji": "needle 😀👩‍👩‍👧 ",
    "quotes": '"needle\\" \t',
}


@pytest.mark.promise("MCP-6")
@pytest.mark.parametrize("kind", TEXTS)
def test_no_result_is_longer_than_hosts_take(kind: str, home: Home) -> None:
    long, line = TEXTS[kind] * 600, TEXTS[kind] * 20
    home.fill(*[prompt(line), answer(long), ran(line, "failed", line)] * 20, title=line)
    for number in range(30):
        home.fill(prompt(line), answer(line), title=line, agent_id=f"a{number}", agent_type=line)
    server = home.server()
    session = "claude-code:s1"
    for tool, arguments in (
        ("session_search", {"query": "needle"}),
        ("session_event_search", {"query": "needle", "session_id": session}),
        ("session_trace", {"session_id": session}),
        ("session_event_trace", {"session_id": session, "seq": 31}),
        ("session_event_read", {"session_id": session, "seq": 31, "before": 50, "after": 50}),
    ):
        text, is_error = called(server, tool, **arguments)
        assert (is_error, len(text.encode()) <= 9000) == (False, True), tool
        assert "\ufffd" not in text


@pytest.mark.promise("MCP-6")
def test_a_cut_result_says_so_and_keeps_whole_lines_and_characters() -> None:
    assert protocol.fit("x" * 9000) == "x" * 9000
    cut = protocol.fit("a line 😀\n" * 2000)
    assert len(cut.encode()) <= 9000
    assert set(cut.splitlines()[:-1]) == {"a line 😀"}
    assert "did not fit" in cut.splitlines()[-1]
    assert len(protocol.fit("😀" * 9000).encode()) <= 9000


@pytest.mark.promise("MCP-6")
@pytest.mark.parametrize("kind", TEXTS)
def test_a_long_event_is_read_to_its_end_by_the_offsets_it_names(kind: str, home: Home) -> None:
    long = TEXTS[kind] * 900
    home.fill(prompt(long))
    server = home.server()
    parts: list[str] = []
    offset: int | None = 0
    while offset is not None:
        text, _ = called(server, "session_event_read", session_id="claude-code:s1", seq=0, offset=offset)
        more = re.search(r"\n\(more: offset (\d+)\)$", text)
        parts.append(text[: more.start() if more else None].removeprefix("claude-code:s1#0\n"))
        offset = int(more[1]) if more else None
        assert len(parts) < 50
    assert len(parts) > 1
    assert json.loads("".join(parts))["body"] == {"text": long}


@pytest.mark.promise("MCP-6")
def test_neighbours_that_do_not_fit_are_counted_and_the_nearest_are_kept(home: Home) -> None:
    home.fill(*(prompt(f"{number} " + "針と糸" * 100) for number in range(40)))
    text, _ = called(home.server(), "session_event_read", session_id="claude-code:s1", seq=20, before=20, after=19)
    [left_out] = re.findall(r"\n\((\d+) neighbours did not fit", text)
    shown = [int(number) for number in re.findall(r"(?m)^ +(\d+)  \d\d:", text)]
    assert shown == [number for number in range(min(shown), max(shown) + 1) if number != 20]
    assert len(shown) + int(left_out) == 39
    assert {19, 21} <= set(shown)


def asked_of_both(home: Home, tool: str, arguments: dict[str, Any], hidden: str, unknown: str) -> list[Any]:
    """The answers about a hidden and an unknown session, with the id taken out."""
    answers = []
    for name in (hidden, unknown):
        filled = json.loads(json.dumps(arguments).replace("ID", name))
        answers.append(json.loads(json.dumps(called(home.server("proj"), tool, **filled)).replace(name, "ID")))
    return answers


@pytest.mark.promise("MCP-7")
@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("session_search", {"query": "needle", "session_ids": ["claude-code:ID"]}),
        ("session_event_search", {"query": "needle", "session_id": "claude-code:ID"}),
        ("session_event_search", {"query": "needle", "session_id": "claude-code:ID", "seq_to": 0}),
        ("session_trace", {"session_id": "claude-code:ID"}),
        ("session_trace", {"session_id": "ID"}),
        ("session_event_trace", {"session_id": "claude-code:ID", "seq": 0}),
        ("session_event_read", {"session_id": "claude-code:ID", "seq": 0}),
    ],
)
def test_a_hidden_session_answers_as_one_that_does_not_exist(tool: str, arguments: dict[str, Any], home: Home) -> None:
    home.fill(prompt("a needle that is shown"), name="seen")
    home.fill(prompt("a needle that is hidden"), name="hid0001", project="other")
    hidden, unknown = asked_of_both(home, tool, arguments, "hid0001", "non0001")
    assert hidden == unknown
    control = json.loads(json.dumps(arguments).replace("ID", "hid0001"))
    text, is_error = called(home.server("other"), tool, **control)
    assert not is_error
    assert "hid0001" in text


@pytest.mark.promise("MCP-7")
def test_no_argument_widens_the_scope(home: Home) -> None:
    home.fill(prompt("a needle that is hidden"), project="other")
    home.fill(prompt("hay"), name="s2")
    server = home.server()
    for more in ({"all": True}, {"project": "other"}, {"tenant": "x"}, {"wide": True}):
        text, is_error = called(server, "session_search", query="needle", **more)
        assert (is_error, "needle that" in text) == (True, False)
    assert "No match" in called(server, "session_search", query="needle")[0]
    assert "needle that" in called(home.server("other"), "session_search", query="needle")[0]


@pytest.mark.promise("MCP-8")
def test_hooks_are_served_only_where_asked_for_and_never_listed(home: Home) -> None:
    given = {
        "host": "claude-code", "hook_event_name": "UserPromptSubmit", "session_id": "s1", "cwd": home.project(),
        "prompt": "find the needle", "permission_mode": "${permission_mode}", "tool_input": "",
    }  # fmt: skip
    call = {"name": "hook_event", "arguments": given}
    plain, hooked = home.server(), home.server(with_hooks=True)
    assert asked(plain, "tools/call", call)["error"]["code"] == -32602
    assert "No session" in called(plain, "session_search", query="needle")[0]
    assert asked(hooked, "tools/call", call)["result"]["content"] == [{"type": "text", "text": "{}"}]
    assert "find the needle" in called(plain, "session_search", query="needle")[0]
    for server in (plain, hooked):
        assert [tool["name"] for tool in asked(server, "tools/list")["result"]["tools"]] == TOOLS


@pytest.mark.promise("MCP-8")
@pytest.mark.parametrize("off", [{"SEGUE_OFF": "1"}, {"SEGUE_HOOK_DEPTH": "1"}], ids=str)
def test_a_hook_that_is_off_or_broken_says_nothing(off: dict[str, str], home: Home) -> None:
    given = {"host": "claude-code", "hook_event_name": "UserPromptSubmit", "session_id": "s1", "prompt": "needle"}
    call = {"name": "hook_event", "arguments": {**given, "cwd": home.project()}}
    assert asked(home.server(with_hooks=True, **off), "tools/call", call)["result"]["content"][0]["text"] == "{}"
    assert "No session" in called(home.server(), "session_search", query="needle")[0]
    broken = {"name": "hook_event", "arguments": {"host": "nobody", "hook_event_name": "x"}}
    assert asked(home.server(with_hooks=True), "tools/call", broken)["result"]["content"][0]["text"] == "{}"


@pytest.mark.promise("MCP-9")
def test_the_instructions_name_only_registered_tools_and_are_short() -> None:
    named = set(re.findall(r"\b[a-z]+(?:_[a-z]+)+\b", protocol.INSTRUCTIONS))
    assert named
    assert named <= set(TOOLS)
    assert len(protocol.INSTRUCTIONS) < 600


@pytest.mark.promise("MCP-15")
def test_a_session_that_is_recorded_after_the_first_call_is_known_and_left_out(home: Home) -> None:
    home.fill(prompt("an old needle"), name="old")
    server = home.server(CLAUDE_CODE_SESSION_ID="now")
    text, is_error = called(server, "session_event_search", query="needle")
    assert (is_error, "not known" in text) == (True, True)
    home.fill(prompt("a new needle"), name="now")
    text, _ = called(server, "session_search", query="needle")
    assert ("an old needle" in text, "a new needle" in text) == (True, False)
    assert "a new needle" in called(server, "session_event_search", query="needle")[0]
    assert "a new needle" in called(home.server(), "session_search", query="needle")[0]


BAD: list[tuple[str, dict[str, Any], str]] = [
    ("session_search", {}, "query"),
    ("session_search", {"query": 7}, "query"),
    ("session_search", {"query": "x", "session_ids": "s"}, "session_ids"),
    ("session_search", {"query": "x", "session_ids": []}, "session_ids"),
    ("session_search", {"query": "x", "event_types": ["no/such"]}, "event_types"),
    ("session_search", {"query": "x", "time_from": "yesterday"}, "time_from"),
    ("session_search", {"query": "x", "nosuch": 1}, "nosuch"),
    ("session_event_read", {"session_id": "claude-code:s1", "seq": "0"}, "seq"),
    ("session_event_read", {"session_id": "claude-code:s1", "seq": True}, "seq"),
    ("session_event_read", {"session_id": "claude-code:s1", "seq": -1}, "seq"),
    ("session_event_read", {"session_id": "claude-code:s1", "seq": 2**80}, "seq"),
    ("session_event_read", {"session_id": "claude-code:s1", "seq": 0, "before": 1000}, "before"),
    ("session_event_trace", {"session_id": "claude-code:s1"}, "seq"),
    ("session_trace", {"session_id": "claude-code:nobody"}, "claude-code:nobody"),
]


@pytest.mark.promise("MCP-16")
@pytest.mark.parametrize(("tool", "arguments", "named"), BAD, ids=itertools.count())
def test_arguments_that_do_not_fit_are_named(tool: str, arguments: dict[str, Any], named: str, home: Home) -> None:
    home.fill(prompt("hay"))
    text, is_error = called(home.server(), tool, **arguments)
    assert is_error
    assert named in text
    assert "Traceback" not in text


@pytest.mark.promise("MCP-16")
def test_any_query_is_only_data(home: Home) -> None:
    home.fill(prompt("the needle's eye"))
    server = home.server()
    for query in (
        '"',
        "needle OR",
        "NEAR(needle",
        "needle*",
        "-needle",
        "words:needle",
        "'; DROP TABLE events; --",
        "\0",
    ):
        text, is_error = called(server, "session_search", query=query)
        assert not is_error, text
    assert "needle's eye" in called(server, "session_search", query="needle OR")[0]
