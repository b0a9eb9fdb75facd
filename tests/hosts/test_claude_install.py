"""Installing into Claude Code's files and taking it back."""

from __future__ import annotations

import hashlib
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from segue.errors import HostFileUnusable
from segue.hosts import jsontext
from segue.hosts.claude_code.install import EVENTS, VIA_MCP, installed, paths, plan, problems, unplan
from segue.model.install import FileChange, Undo, restored, undo_of
from segue.system.launcher import hook_command, is_ours, mcp_command

HOME = "/home/ana"
SETTINGS, SERVERS = paths(HOME)
LAUNCHER = "/home/ana/.local/share/segue/bin/segue-run"
FOREIGN = {"matcher": "Bash", "hooks": [{"type": "command", "command": "say done"}]}


def planned(
    settings: bytes | None, servers: bytes | None = None, *, launcher: str = LAUNCHER, via_mcp: bool = False
) -> dict[str, FileChange]:
    """What `up` would change, by path."""
    changes = plan(
        (SETTINGS, SERVERS),
        {SETTINGS: settings, SERVERS: servers},
        command=lambda event: hook_command(launcher, "claude-code", event, "linux"),
        server=mcp_command(launcher, "linux"),
        is_ours=is_ours,
        via_mcp=via_mcp,
    )
    return {change.path: change for change in changes}


def after(before: bytes | None, path: str = SETTINGS, **options: Any) -> bytes:
    """A file after `up`; as it was where nothing changes."""
    settings, servers = (before, None) if path == SETTINGS else (None, before)
    change = planned(settings, servers, **options).get(path)
    return change.after if change else before or b""


def undo(change: FileChange) -> Undo:
    return undo_of(change, hashlib.sha256(change.after).hexdigest())


def taken_back(before: bytes | None, current: bytes, path: str = SETTINGS) -> bytes | None:
    """What `down` leaves of a file that others changed after `up`."""
    settings, servers = (before, None) if path == SETTINGS else (None, before)
    return unplan(undo(planned(settings, servers)[path]), current, is_ours)


STRINGS = st.text(st.characters(codec="utf-8"), max_size=6)
#: names that mean nothing to Segue
KEYS = STRINGS.filter(lambda name: name not in ("hooks", "segue", "added"))
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | STRINGS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(STRINGS, inner, max_size=3),
    max_leaves=8,
)
HANDLERS = st.fixed_dictionaries({"type": st.just("command"), "command": STRINGS}, optional={"timeout": st.integers()})
GROUPS = st.fixed_dictionaries({"hooks": st.lists(HANDLERS, max_size=2)}, optional={"matcher": STRINGS})
HOOKS = st.dictionaries(
    st.sampled_from([*EVENTS, "Notification"]), st.lists(GROUPS | VALUES.filter(lambda v: v != []), max_size=2)
)
DOCUMENTS = st.builds(
    lambda rest, own: {**rest, **own},
    st.dictionaries(KEYS, VALUES, max_size=4),
    st.fixed_dictionaries(
        {}, optional={"hooks": HOOKS, "mcpServers": st.dictionaries(KEYS, VALUES, max_size=2), "env": VALUES}
    ),
)
LAYOUTS: tuple[dict[str, Any], ...] = (
    {"indent": 2},
    {"indent": 4},
    {"indent": "\t"},
    {},
    {"separators": (",", ":")},
)


@st.composite
def texts(draw: st.DrawFn) -> tuple[dict[str, Any], bytes]:
    """A document, and a file that holds it in some layout."""
    value: dict[str, Any] = draw(DOCUMENTS)
    text = json.dumps(value, ensure_ascii=draw(st.booleans()), **draw(st.sampled_from(LAYOUTS)))
    text += draw(st.sampled_from(["", "\n", "\n\n"]))
    text = text.replace("\n", draw(st.sampled_from(["\n", "\r\n"])))
    return value, draw(st.sampled_from([b"", b"\xef\xbb\xbf"])) + text.encode()


def value_of(data: bytes | None) -> Any:
    return json.loads((data or b"{}").decode("utf-8-sig"))


@pytest.mark.promise("INST-1", "INST-2", "INST-4")
@given(texts(), st.sampled_from([SETTINGS, SERVERS]), st.booleans())
def test_any_settings_are_restored_byte_for_byte_and_installing_twice_is_once(
    document: tuple[dict[str, Any], bytes], path: str, via_mcp: bool
) -> None:
    value, before = document
    settings, servers = (before, None) if path == SETTINGS else (None, before)
    change = planned(settings, servers, via_mcp=via_mcp)[path]
    assert restored(undo(change), change.after) == before
    assert after(change.after, path, via_mcp=via_mcp) == change.after
    kept = value_of(change.after)
    for name, rest in value.items():
        if name not in ("hooks", "mcpServers"):
            assert kept[name] == rest
    assert [name for name in kept if name in value] == list(value)
    assert (b"\r\n" in change.after) == (b"\r\n" in before)


@pytest.mark.promise("INST-3")
@given(texts(), st.sampled_from([SETTINGS, SERVERS]), VALUES, st.sampled_from(["top", "hooks", "Stop"]))
def test_what_others_added_since_is_all_that_stays(
    document: tuple[dict[str, Any], bytes], path: str, added: Any, place: str
) -> None:
    value, before = document
    current = value_of(after(before, path))
    expected = json.loads(json.dumps(value))
    if path == SETTINGS and place == "Stop":
        current["hooks"]["Stop"].append(FOREIGN)
        expected.setdefault("hooks", {}).setdefault("Stop", []).append(FOREIGN)
    elif path == SETTINGS and place == "hooks":
        current["hooks"]["Elicitation"] = added
        expected.setdefault("hooks", {})["Elicitation"] = added
    else:
        current["added"] = expected["added"] = added
    left = taken_back(before, json.dumps(current, indent=2).encode(), path)
    assert value_of(left) == expected


@pytest.mark.promise("INST-2", "INST-3")
@given(texts(), st.sampled_from([SETTINGS, SERVERS]))
def test_taking_out_the_entries_alone_leaves_what_was_there(document: tuple[dict[str, Any], bytes], path: str) -> None:
    value, before = document
    assert value_of(taken_back(before, after(before, path), path)) == value


@pytest.mark.promise("INST-2")
@pytest.mark.parametrize("path", [SETTINGS, SERVERS])
def test_a_file_that_was_not_there_goes_again_unless_others_wrote_into_it(path: str) -> None:
    change = planned(None)[path]
    assert change.before is None
    assert restored(undo(change), change.after) is None
    assert unplan(undo(change), change.after, is_ours) is None
    current = value_of(change.after)
    current["theme"] = "dark"
    assert value_of(unplan(undo(change), json.dumps(current).encode(), is_ours)) == {"theme": "dark"}


@pytest.mark.promise("INST-2")
@pytest.mark.parametrize("before", [b"", b" \n", b"\xef\xbb\xbf", b"{}", b"{ }\n", b"{\n}\n"])
def test_a_file_without_settings_is_filled_and_restored(before: bytes) -> None:
    change = planned(before)[SETTINGS]
    assert set(value_of(change.after)["hooks"]) == set(EVENTS)
    assert restored(undo(change), change.after) == before
    assert b"\n  " in change.after


HANDWRITTEN = """{
   "permissions": { "allow": ["Bash(make:*)", "Read"], "deny": [] },
   "ratio": 1.10, "huge": 123456789012345678901234567890, "exp": 1E5,

   "model": "opus", "model": "\\u00e9t\\u00e9",
   "hooks": {
      "Stop": [ { "hooks": [ {"type": "command", "command": "say done"} ] } ],
      "Notification": []
   },
   "last": null
}"""


@pytest.mark.promise("INST-4")
def test_what_was_written_by_hand_keeps_its_bytes_and_the_new_lines_follow_its_manner() -> None:
    made = after(HANDWRITTEN.encode()).decode()
    lines, old = made.split("\n"), HANDWRITTEN.split("\n")
    for line in old[:5] + old[8:]:
        assert line.rstrip(",") in [there.rstrip(",") for there in lines]
    assert '"say done"} ] }, {"hooks": [{"type": "command", "command": "[ ! -x ' in made
    assert '\n      "SessionStart": [\n         {\n            "hooks": [' in made
    assert value_of(made.encode())["hooks"]["Notification"] == []


@pytest.mark.promise("INST-4")
def test_a_file_of_one_line_stays_on_one_line() -> None:
    assert b"\n" not in after(b'{"theme":"dark","hooks":{}}')
    assert after(b'{"a":1}', SERVERS).startswith(b'{"a":1,"mcpServers":{"segue":{"type":"stdio",')
    assert after(b'{"a": 1}', SERVERS).startswith(b'{"a": 1, "mcpServers": {"segue": {"type": "stdio", ')


@pytest.mark.promise("INST-5")
@pytest.mark.parametrize(
    "before",
    [
        b'{"a": 1, // mine\n "b": 2}',
        b'{"a": 1,}',
        b"[1]",
        b'"text"',
        b"{",
        b'{"a": NaN}',
        b'{"a": "\xff"}',
        '{"a": 1}'.encode("utf-16"),
        b"[" * 200_000,
        b'{"hooks": []}',
        b'{"hooks": null}',
        b'{"hooks": {"Stop": {}}}',
        b'{"mcpServers": []}',
        b'{"mcpServers": {"segue": {"command": "npx", "args": ["some-segue"]}}}',
        b'{"mcpServers": {"segue": "x"}}',
    ],
)
def test_a_file_that_cannot_be_changed_safely_is_refused_with_its_path(before: bytes) -> None:
    path = SERVERS if b"mcpServers" in before else SETTINGS
    with pytest.raises(HostFileUnusable, match=path):
        after(before, path)
    assert after(b'{"a": 1}', path) != b'{"a": 1}'


@pytest.mark.promise("INST-5")
def test_a_launcher_whose_path_is_no_text_is_refused() -> None:
    with pytest.raises(HostFileUnusable):
        after(b"{}", launcher="/home/\udce9/bin/segue-run")


@pytest.mark.promise("INST-6")
@pytest.mark.parametrize("via_mcp", [False, True])
def test_another_installation_is_replaced_and_named(via_mcp: bool) -> None:
    mine = json.dumps({"theme": "dark", "hooks": {"Stop": [FOREIGN]}}, indent=2).encode()
    first = after(mine, launcher="/opt/old home/bin/segue-run", via_mcp=via_mcp)
    servers = after(None, SERVERS, launcher="/opt/old home/bin/segue-run")
    changes = planned(first, servers)
    assert changes[SETTINGS].after == after(mine)
    assert changes[SERVERS].after == after(None, SERVERS)
    assert "another installation" in changes[SETTINGS].summary[1]
    assert "/opt/old home/bin/segue-run" in changes[SETTINGS].summary[1]
    assert "/opt/old home/bin/segue-run" in changes[SERVERS].summary[1]
    assert planned(mine)[SETTINGS].summary == (f"hooks on {len(EVENTS)} events",)


@pytest.mark.promise("INST-6")
def test_a_doubled_or_moved_entry_and_one_for_a_forgotten_event_are_put_right() -> None:
    value = value_of(after(None))
    own = value["hooks"]["Stop"][0]["hooks"][0]
    value["hooks"]["Stop"] = [{"matcher": "", "hooks": [own, {"type": "command", "command": "x"}, own]}]
    value["hooks"]["Gone"] = [{"hooks": [own]}]
    made = value_of(after(json.dumps(value).encode()))
    assert made["hooks"]["Stop"] == [
        {"matcher": "", "hooks": [{"type": "command", "command": "x"}]},
        {"hooks": [own]},
    ]
    assert set(made["hooks"]) == set(EVENTS)


@pytest.mark.promise("INST-6")
@pytest.mark.parametrize("command", ["segue", "/home/ana/.venv/bin/segue", "C:\\py\\Scripts\\segue.exe"])
def test_a_server_that_a_person_entered_becomes_the_launcher_and_keeps_what_they_added(command: str) -> None:
    entry = {"command": command, "args": ["mcp"], "env": {"SEGUE_STORE": "postgresql://db/segue"}, "timeout": 9}
    made = value_of(after(json.dumps({"mcpServers": {"segue": entry}}).encode(), SERVERS))["mcpServers"]["segue"]
    assert made["command"] == LAUNCHER
    assert made["env"] == entry["env"]
    assert made["timeout"] == 9


@pytest.mark.promise("INST-7")
def test_every_event_calls_the_launcher_with_its_own_time_limit() -> None:
    hooks = value_of(after(None))["hooks"]
    assert list(hooks) == list(EVENTS)
    for event, groups in hooks.items():
        assert groups == [
            {
                "hooks": [
                    {
                        "type": "command",
                        "command": f"[ ! -x '{LAUNCHER}' ] || [ ! -f '{LAUNCHER}' ] ||"
                        f" exec '{LAUNCHER}' hook claude-code {event}",
                        "timeout": 10 if event in ("SessionStart", "SessionEnd") else 5,
                    }
                ]
            }
        ]
    server = value_of(after(None, SERVERS))["mcpServers"]["segue"]
    assert server == {"type": "stdio", "env": {}, "command": LAUNCHER, "args": ["mcp"], "alwaysLoad": True}


@pytest.mark.promise("INST-7")
def test_what_is_installed_is_told_from_what_is_not() -> None:
    files = {SETTINGS: after(b'{"hooks": {"Stop": []}}'), SERVERS: after(None, SERVERS)}
    events, server = installed(paths(HOME), files, is_ours)
    assert (set(events), server) == (set(EVENTS), True)
    foreign = {SETTINGS: json.dumps({"hooks": {"Stop": [FOREIGN]}}).encode(), SERVERS: b'{"mcpServers": {"segue": {}}}'}
    assert installed(paths(HOME), foreign, is_ours) == ([], False)


@pytest.mark.promise("INST-8")
def test_hooks_through_the_server_name_it_and_fill_in_the_payload_but_session_start_stays_a_command() -> None:
    hooks = value_of(after(None, via_mcp=True))["hooks"]
    kinds = {event: groups[0]["hooks"][0]["type"] for event, groups in hooks.items()}
    assert {event for event, kind in kinds.items() if kind == "mcp_tool"} == set(VIA_MCP)
    assert kinds["SessionStart"] == kinds["SessionEnd"] == "command"
    handler = hooks["PostToolUse"][0]["hooks"][0]
    assert (handler["server"], handler["tool"]) == ("segue", "hook_event")
    assert handler["input"]["hook_event_name"] == "PostToolUse"
    assert handler["input"]["tool_response"] == "${tool_response}"
    assert value_of(after(None, SERVERS, via_mcp=True))["mcpServers"]["segue"]["args"] == ["mcp", "--hooks"]
    assert after(after(None, via_mcp=True)) == after(None)


@pytest.mark.promise("INST-9")
def test_hooks_that_are_switched_off_are_named() -> None:
    assert problems(paths(HOME), {SETTINGS: b'{"disableAllHooks": true}'}) != []
    assert (
        problems(paths(HOME), {SETTINGS: b'{"disableAllHooks": false}'})
        == problems(paths(HOME), {SETTINGS: None})
        == []
    )


@pytest.mark.promise("INST-4")
@given(texts(), VALUES)
def test_editing_text_in_place_is_editing_its_value(document: tuple[dict[str, Any], bytes], added: Any) -> None:
    value, data = document
    text = data.decode("utf-8-sig")
    assert json.loads(jsontext.put(text, ("new key",), added)) == {**value, "new key": added}
    for name, old in value.items():
        assert json.loads(jsontext.put(text, (name,), added)) == {**value, name: added}
        assert json.loads(jsontext.drop(text, (name,))) == {k: v for k, v in value.items() if k != name}
        if isinstance(old, list):
            assert json.loads(jsontext.append(text, (name,), added)) == {**value, name: [*old, added]}
            for at in range(len(old)):
                assert json.loads(jsontext.drop(text, (name, at)))[name] == old[:at] + old[at + 1 :]
