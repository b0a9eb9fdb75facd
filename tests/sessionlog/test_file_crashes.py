"""Files of logs after crashes, damage and full disks: what was acknowledged is there, what is broken is located."""

from __future__ import annotations

import hashlib
import json
import os
import pathlib
import random
from collections.abc import Callable

import pytest

from segue.errors import FileUnwritable, LogCorrupt, LogUnsupported, StaleWriter
from segue.model.entry import Entry
from segue.sessionlog.homes import lines
from segue.sessionlog.homes.files import FileHome
from segue.sessionlog.homes.seam import End
from segue.sessionlog.verify import verify_files
from segue.system.files import extend
from tests.sessionlog.logs import ALPHA, begun, end_of, entries, entry, file_of, log, opened, start
from tests.sessionlog.writers import process

#: how many crashes are tried: images of a file cut anywhere, and processes killed
CUTS, KILLS = 1000, 50


def written(tmp_path: pathlib.Path) -> tuple[bytes, list[tuple[int, int]]]:
    """A log written in batches of different sizes, some with a changed header or a replacement: its bytes, and after
    each append the file's size and the number of events."""
    session, home = log(), opened(tmp_path)
    end, acknowledged = start(session), []
    for number in range(18):
        if number % 6 == 3:
            batch = [entry(session, end, replaces=(end.seq - 1, end.seq - 1), cites=(end.seq - 1,))]
        else:
            batch = entries(session, 1 + number % 4, end)
        home.append(session.replace(title=f"title {number // 4}"), batch, end)
        end = end_of(batch)
        acknowledged.append((file_of(tmp_path).stat().st_size, end.seq))
    return file_of(tmp_path).read_bytes(), acknowledged


@pytest.mark.promise("HOME-6")
def test_after_a_crash_at_any_byte_every_acknowledged_event_is_there_and_the_log_goes_on(
    tmp_path: pathlib.Path,
) -> None:
    whole, acknowledged = written(tmp_path)
    all_entries = list(opened(tmp_path).entries("local:a"))
    path, session, root = file_of(tmp_path), log(), str(tmp_path / "logs")
    chance = random.Random(20261130)
    torn = 0
    for _ in range(CUTS):
        cut = chance.randrange(acknowledged[0][0], len(whole) + 1)
        path.write_bytes(whole[:cut])
        safe = max(count for size, count in acknowledged if size <= cut)
        home = opened(tmp_path)
        found = list(home.entries("local:a"))
        assert len(found) >= safe
        assert found == all_entries[: len(found)]
        assert home.end("local:a") == end_of(found)
        assert path.read_bytes() == whole[:cut]  # looking repairs nothing
        kept = whole[:cut].rfind(b"\n") + 1
        torn += kept < cut
        home.append(session, more := entries(session, 1, end_of(found)), end_of(found))
        after = path.read_bytes()
        assert after[:kept] == whole[:kept]
        assert after[kept:].startswith(lines.entry_line(more[0]))
        checked = verify_files(root)
        assert (checked.events, checked.torn, checked.findings) == (len(found) + 1, 0, ())
    assert torn > CUTS // 2  # the control: most cuts were inside a line


@pytest.mark.promise("HOME-6")
@pytest.mark.parametrize(
    "tail", [b'{"seq":3', b'{"seq":3\n', b"\0" * 4096, b"\0" * 99 + b"\n", b"\xff\xfe\n", b"[]\n", b"\n"]
)
def test_a_last_line_that_is_not_whole_is_skipped_and_goes_with_the_next_append(
    tail: bytes, tmp_path: pathlib.Path
) -> None:
    session, made = log(), begun(tmp_path)
    path = file_of(tmp_path)
    good = path.read_bytes()
    path.write_bytes(good + tail)
    home = opened(tmp_path)
    assert (home.end("local:a"), verify_files(str(tmp_path / "logs")).torn) == (end_of(made), 1)
    assert [found.status for found in home.sessions()] == ["ok"]
    with pytest.raises(StaleWriter):  # who does not know the end repairs nothing either
        home.append(session, entries(session, 1), start(session))
    assert path.read_bytes() == good + tail
    home.append(session, more := entries(session, 1, end_of(made)), end_of(made))
    assert path.read_bytes() == good + lines.entry_line(more[0])


@pytest.mark.promise("HOME-6")
def test_a_first_write_that_was_killed_leaves_no_log_and_its_rest_goes_with_the_next(tmp_path: pathlib.Path) -> None:
    half = file_of(tmp_path).with_name("session.jsonl.0123456789ab.tmp")
    half.parent.mkdir(parents=True)
    half.write_bytes(b'{"type":"session"')
    assert (list(opened(tmp_path).sessions()), opened(tmp_path).end("local:a")) == ([], None)
    begun(tmp_path)
    assert [path.name for path in half.parent.iterdir()] == ["session.jsonl"]


APPENDER = """
import pathlib, sys
from tests.sessionlog.logs import end_of, entries, log, opened, start
session, home = log(), opened(pathlib.Path(sys.argv[1]))
with home.hold("local:a"):
    end = home.end("local:a") or start(session)
    while True:
        batch = entries(session, 1 + end.seq % 5, end)
        home.append(session, batch, end)
        end = end_of(batch)
        print(end.seq, flush=True)
"""


@pytest.mark.promise("HOME-6")
def test_writers_that_are_killed_lose_nothing_that_they_acknowledged(tmp_path: pathlib.Path) -> None:
    chance = random.Random(20261201)
    last = 0
    for _ in range(KILLS):
        with process(APPENDER, str(tmp_path)) as child:
            assert child.stdout is not None
            for _ in range(chance.randrange(1, 12)):
                last = int(child.stdout.readline())
            child.kill()
            said = [int(line) for line in child.stdout.read().split("\n") if line.strip()]
        found = list(opened(tmp_path).entries("local:a"))
        assert len(found) >= max([last, *said])
        assert found == entries(log(), len(found))
    assert verify_files(str(tmp_path / "logs")).findings == ()
    assert len(found) > KILLS


def flip(path: pathlib.Path, at: int, bit: int) -> None:
    data = bytearray(path.read_bytes())
    data[at] ^= 1 << bit
    path.write_bytes(data)


@pytest.mark.promise("HOME-7")
def test_any_flipped_bit_is_located_and_the_other_logs_are_unharmed(tmp_path: pathlib.Path) -> None:
    made = begun(tmp_path, 6)
    other = begun(tmp_path, 2, "local:b")
    path, root = file_of(tmp_path), str(tmp_path / "logs")
    good = path.read_bytes()
    header = good.index(b"\n") + 1
    last = good.rindex(b"\n", 0, len(good) - 1) + 1
    chance = random.Random(7)
    for _ in range(150):
        at, bit = chance.randrange(header, last), chance.randrange(8)
        flip(path, at, bit)
        damaged = path.read_bytes()
        checked = verify_files(root)
        line = good[:at].count(b"\n") + 1
        assert [found.session_id for found in checked.findings] == ["local:a"], (at, bit)
        assert checked.findings[0].line in (line, line + 1)  # a lost break shows in its line, a new one in the next
        states = {found.session_id: found for found in opened(tmp_path).sessions()}
        assert {name: found.status for name, found in states.items()} == {"local:a": "quarantined", "local:b": "ok"}
        assert f"line {checked.findings[0].line}: " in (states["local:a"].problem or "")
        with pytest.raises(LogCorrupt):
            list(opened(tmp_path).entries("local:a"))
        assert list(opened(tmp_path).entries("local:b")) == other
        session = log()
        with pytest.raises(LogCorrupt):
            opened(tmp_path).append(session, entries(session, 1, end_of(made)), end_of(made))
        assert path.read_bytes() == damaged  # a person mends it
        path.write_bytes(good)
    assert list(opened(tmp_path).entries("local:a")) == made


DAMAGES: dict[str, tuple[Callable[[list[bytes]], list[bytes]], int]] = {
    "a lost line": (lambda told: [*told[:2], *told[3:]], 3),
    "a doubled line": (lambda told: [*told[:3], told[2], *told[3:]], 4),
    "swapped lines": (lambda told: [told[0], told[2], told[1], *told[3:]], 2),
    "a second header": (lambda told: [*told[:2], told[0], *told[2:]], 3),
    "a line of something else": (lambda told: [*told[:2], b'{"note":1}', *told[2:]], 3),
    "no header": (lambda told: told[1:], 1),
    "a list as header": (lambda told: [b"[]", *told[1:]], 1),
    "another session's header": (lambda told: [told[0].replace(b"local:a", b"local:z"), *told[1:]], 1),
    "version of a fraction": (lambda told: [told[0].replace(b'"version":1', b'"version":1.0'), *told[1:]], 1),
    "version zero": (lambda told: [told[0].replace(b'"version":1', b'"version":-0'), *told[1:]], 1),
    "id that is no text": (lambda told: [told[0].replace(b'"local:a"', b"7"), *told[1:]], 1),
    "visibility unheard of": (lambda told: [told[0].replace(b'"private"', b'"all"'), *told[1:]], 1),
    "empty first line": (lambda told: [b"", *told], 1),
    "a place that cannot be": (
        lambda told: [
            *told[:-1],
            lines.entry_line(entry(log(), end_of(entries(log(), 4)), replaces=(3, 1), cites=(1, 2, 3))).strip(),
            told[-1],
        ],
        6,
    ),
}


@pytest.mark.promise("HOME-7")
@pytest.mark.parametrize("what", DAMAGES)
def test_every_kind_of_damage_is_told_with_its_line_and_mended_by_hand(what: str, tmp_path: pathlib.Path) -> None:
    made = begun(tmp_path, 5)
    path, (harm, line) = file_of(tmp_path), DAMAGES[what]
    good = path.read_bytes()
    path.write_bytes(b"\n".join(harm(good.splitlines())) + b"\n")
    checked = verify_files(str(tmp_path / "logs"))
    assert [(found.session_id, found.line) for found in checked.findings] == [("local:a", line)]
    home = opened(tmp_path)
    assert [(found.session_id, found.status) for found in home.sessions()] == [("local:a", "quarantined")]
    with pytest.raises(LogCorrupt, match=rf"session\.jsonl, line {line}\)"):
        list(home.entries("local:a"))
    path.write_bytes(good)
    assert [found.status for found in home.sessions()] == ["ok"]
    assert list(home.entries("local:a")) == made


@pytest.mark.promise("HOME-7")
def test_a_writer_that_knows_the_end_does_not_go_on_with_a_log_damaged_behind_it(tmp_path: pathlib.Path) -> None:
    session, made = log(), begun(tmp_path, 5)
    path = file_of(tmp_path)
    flip(path, path.read_bytes().index(b"event 1"), 0)
    with pytest.raises(LogCorrupt, match="line 3"):
        opened(tmp_path).append(session, entries(session, 1, end_of(made)), end_of(made))


@pytest.mark.promise("HOME-8")
@pytest.mark.parametrize("where", ["header", "update"])
def test_a_log_of_a_newer_form_is_named_and_left_as_it_is(where: str, tmp_path: pathlib.Path) -> None:
    session, made = log(), begun(tmp_path)
    begun(tmp_path, 1, "local:b")
    home, path = opened(tmp_path), file_of(tmp_path)
    home.append(session, more := entries(session, 1, end_of(made)), end_of(made))  # it knows the log
    told = path.read_bytes().splitlines()
    if where == "header":
        told[0] = json.dumps({"type": "session", "version": 2, "session_id": "local:a", "new": {}}).encode()
    else:
        told.append(b'{"type":"header","version":2,"packed":true}')
    path.write_bytes(b"\n".join(told) + b"\n")
    before = path.read_bytes()
    for asked in (home, opened(tmp_path)):
        with pytest.raises(LogUnsupported, match="its form is 2"):
            list(FileHome(str(tmp_path / "logs")).entries("local:a"))
        with pytest.raises((LogUnsupported, StaleWriter)):
            asked.append(session, entries(session, 1, end_of(more)), end_of(more))
    found = {each.session_id: each for each in FileHome(str(tmp_path / "logs")).sessions()}
    assert {name: each.status for name, each in found.items()} == {"local:a": "quarantined", "local:b": "ok"}
    assert "Upgrade" in (found["local:a"].problem or "")
    assert "Upgrade" in verify_files(str(tmp_path / "logs")).findings[0].problem
    assert path.read_bytes() == before


@pytest.mark.promise("HOME-6")
def test_events_of_unknown_types_are_kept_and_read(tmp_path: pathlib.Path) -> None:
    session = log()
    first = entries(session, 1)
    strange = entry(session, end_of(first), type="a-later/thing", body='{"x":[1]}')
    opened(tmp_path).append(session, [*first, strange], start(session))
    assert list(opened(tmp_path).entries("local:a")) == [*first, strange]


FULL = """
import pathlib, resource, sys
from segue.errors import FileUnwritable
from tests.sessionlog.logs import end_of, entries, file_of, log, opened, start
folder = pathlib.Path(sys.argv[1])
session, home = log(), opened(folder)
first = entries(session, 3)
home.append(session, first, start(session))
size = file_of(folder).stat().st_size
resource.setrlimit(resource.RLIMIT_FSIZE, (size + 700, resource.RLIM_INFINITY))
batch = entries(session, 50, end_of(first))
try:
    home.append(session, batch, end_of(first))
except FileUnwritable as error:
    print(error)
print(file_of(folder).stat().st_size == size)
try:
    other = log("local:b")
    home.append(other, entries(other, 50), start(other))
except FileUnwritable as error:
    print(error)
print(sorted(path.name for path in (folder / "logs").rglob("*")))
resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
home.append(session, batch, end_of(first))
print(len(list(opened(folder).entries("local:a"))))
"""


@pytest.mark.promise("HOME-9")
def test_a_full_disk_is_told_and_the_same_batch_goes_in_once_there_is_room(tmp_path: pathlib.Path) -> None:
    said = process(FULL, str(tmp_path)).communicate(timeout=60)[0].splitlines()
    assert ["File too large" in line for line in said] == [True, False, True, False, False]
    assert said[1] == "True"
    assert said[3] == "['alpha-id-alpha', 'local~003Aa', 'session.jsonl']"
    assert said[4] == "53"
    assert verify_files(str(tmp_path / "logs")).findings == ()


@pytest.mark.promise("HOME-9")
def test_a_write_whose_undoing_fails_too_tells_both_and_stands_in_nobodys_way(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "readable"
    path.write_bytes(b"whole\n")
    handle = os.open(path, os.O_RDONLY)  # nothing can be written there, nor taken away
    try:
        with pytest.raises(FileUnwritable, match=r"Bad file descriptor.*could not be taken away") as caught:
            extend(handle, 6, b"more\n")
    finally:
        os.close(handle)
    assert "skipped by readers" in caught.value.hint
    handle = os.open(path, os.O_RDWR | os.O_APPEND)
    extend(handle, 3, b"more\n")
    os.close(handle)
    assert path.read_bytes() == b"whomore\n"


@pytest.mark.promise("HOME-4")
def test_looking_changes_no_byte_and_leaves_no_file(tmp_path: pathlib.Path) -> None:
    begun(tmp_path)
    with file_of(tmp_path).open("ab") as file:
        file.write(b'{"half')
    before = {path: _digest(path) for path in (tmp_path / "logs").rglob("*")}
    home = opened(tmp_path)
    assert home.session("local:a") is not None
    assert len(list(home.sessions())) == 1
    assert len(list(home.entries("local:a", 1, 2))) == 1
    assert home.end("local:a") is not None
    assert verify_files(str(tmp_path / "logs")).torn == 1
    assert {path: _digest(path) for path in (tmp_path / "logs").rglob("*")} == before


def _digest(path: pathlib.Path) -> str:
    told = path.stat()
    content = hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else ""
    return f"{told.st_mtime_ns} {told.st_ino} {content}"


@pytest.mark.promise("HOME-1")
def test_a_long_log_is_read_from_any_number_on_and_its_end_found_behind_a_long_line(tmp_path: pathlib.Path) -> None:
    session, home = log(), opened(tmp_path)
    first = entries(session, 50)
    home.append(session, first, start(session))
    long = entry(session, end_of(first), body=json.dumps({"text": "x" * 3_000_000}, separators=(",", ":")))
    home.append(session.replace(title="t"), [long], end_of(first))
    made: list[Entry] = [*first, long]
    for low, high in ((0, None), (1, 3), (2, 2), (49, None), (50, 51), (51, None), (60, None)):
        assert list(opened(tmp_path).entries("local:a", low, high)) == made[low:high]
    assert opened(tmp_path).end("local:a") == end_of(made) == End(seq=51, chain=long.chain)
    opened(tmp_path).append(session, entries(session, 1, end_of(made)), end_of(made))


@pytest.mark.promise("HOME-3")
def test_a_log_is_the_projects_whose_home_it_was_begun_in(tmp_path: pathlib.Path) -> None:
    begun(tmp_path)
    other = FileHome(str(tmp_path / "logs"), ALPHA.replace(project_id="id-beta"))
    assert (other.session("local:a"), list(other.sessions()), other.project("local:a")) == (None, [], None)
