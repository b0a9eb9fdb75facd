"""The home of logs that is files: what lies where, for whom, and what stands in the way."""

from __future__ import annotations

import json
import os
import pathlib
import stat
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from segue.errors import FileUnwritable, LogCorrupt, SessionHeld, StaleWriter, UsageError
from segue.model.codec import dumps
from segue.sessionlog.homes import lines, paths
from segue.sessionlog.homes.files import FileHome
from segue.sessionlog.homes.seam import End
from segue.sessionlog.verify import verify_files
from tests.sessionlog.logs import ALPHA, SLUG, begun, end_of, entries, entry, file_of, log, opened, start
from tests.sessionlog.writers import process


@pytest.mark.promise("HOME-4")
def test_a_person_reads_a_log_as_one_header_and_one_object_a_line(tmp_path: pathlib.Path) -> None:
    session, home = log(title="a title", branch="main"), opened(tmp_path)
    first = entries(session, 2)
    home.append(session, first, start(session))
    text = file_of(tmp_path).read_text(encoding="utf-8")
    told = [json.loads(line) for line in text.splitlines()]
    assert text.endswith("\n")
    assert [told[0][name] for name in ("type", "version", "session_id", "title")] == [
        "session",
        1,
        "local:a",
        "a title",
    ]
    assert told[0]["project"] == {"kind": "directory", "identity": "/src/alpha", "name": "alpha"}
    assert told[1]["body"] == {"text": "event 0 ☃"}
    assert told[1]["chain"] == first[0].chain.hex()
    assert "subject" not in told[1]
    assert "replaces" not in told[1]


@pytest.mark.promise("HOME-4")
def test_earlier_bytes_stay_when_a_log_goes_on_and_its_header_changes(tmp_path: pathlib.Path) -> None:
    session, home = log(model="one"), opened(tmp_path)
    first = entries(session, 2)
    home.append(session, first, start(session))
    before = file_of(tmp_path).read_bytes()
    rest = entries(session, 1, end_of(first))
    home.append(session.replace(model="two", title="named", branch="late"), rest, end_of(first))
    after = file_of(tmp_path).read_bytes()
    assert after.startswith(before)
    update = json.loads(after.splitlines()[-1])
    assert update == {"type": "header", "branch": "late", "model": "two", "title": "named"}
    found = opened(tmp_path).session("local:a")
    assert found is not None
    assert (found.model, found.title, found.branch, found.next_seq) == ("two", "named", "late", 3)
    home.append(
        session.replace(model=None, branch="other", cwd="/elsewhere"), entries(session, 1, end_of(rest)), end_of(rest)
    )
    assert home.session("local:a") == found.replace(next_seq=4)  # what a log began with stays, as in the store


@pytest.mark.promise("HOME-4")
def test_a_title_that_an_event_gives_needs_no_line_of_its_own(tmp_path: pathlib.Path) -> None:
    session, home = log(), opened(tmp_path)
    named = entry(session, start(session), type="session/title", body='{"title":"called so"}')
    home.append(session.replace(title="called so"), [named], start(session))
    found = opened(tmp_path).session("local:a")
    assert found is not None
    assert found.title == "called so"
    assert len(file_of(tmp_path).read_bytes().splitlines()) == 2


@pytest.mark.promise("HOME-4")
def test_nothing_is_written_before_the_first_event_and_no_folder_stays(tmp_path: pathlib.Path) -> None:
    home = opened(tmp_path)
    home.append(log(), [], start(log()))
    assert not (tmp_path / "logs").exists()
    with home.hold("local:a"):
        assert [path.name for path in (tmp_path / "logs").rglob("*") if path.is_file()] == ["lock"]
    assert list((tmp_path / "logs").iterdir()) == []


OWNER = """
import fcntl, os, pathlib, sys
from tests.sessionlog.logs import begun
os.umask(0)
os.setuid(65534)
begun(pathlib.Path(sys.argv[1]))
"""


@pytest.mark.promise("HOME-4")
def test_folders_and_files_are_their_owners_alone_whatever_the_umask(open_folder: pathlib.Path) -> None:
    open_folder.chmod(0o777)
    with process(OWNER, str(open_folder)) as child:
        assert child.wait(60) == 0
    made = [open_folder / "logs", *(open_folder / "logs").rglob("*")]
    modes = {path.relative_to(open_folder).as_posix(): stat.S_IMODE(path.stat().st_mode) for path in made}
    assert modes == {
        "logs": 0o700,
        f"logs/{SLUG}": 0o700,
        f"logs/{SLUG}/local~003Aa": 0o700,
        f"logs/{SLUG}/local~003Aa/session.jsonl": 0o600,
    }
    assert {path.stat().st_uid for path in made} == {65534}


UNREADABLE = """
import fcntl, os, pathlib, sys
from segue.errors import SegueError
from segue.sessionlog.homes.files import FileHome
from tests.sessionlog.logs import begun, entries, file_of, log, opened, start
os.setuid(65534)
folder = pathlib.Path(sys.argv[1])
made = begun(folder), begun(folder, 1, "local:b")
file_of(folder).parent.chmod(0)
print(sorted((found.session_id, found.status) for found in FileHome(str(folder / "logs")).sessions()))
try:
    opened(folder).append(log(), entries(log(), 1), start(log()))
except SegueError as error:
    print(error.code)
file_of(folder).parent.chmod(0o700)
print(list(opened(folder).entries("local:a")) == made[0])
"""


@pytest.mark.promise("HOME-10")
def test_a_log_that_is_out_of_reach_is_told_and_hides_no_other(open_folder: pathlib.Path) -> None:
    open_folder.chmod(0o777)
    said = process(UNREADABLE, str(open_folder)).communicate(timeout=60)[0].splitlines()
    assert said[0] == "[('local:a', 'quarantined'), ('local:b', 'ok')]"
    assert said[1:] == ["store_unavailable", "True"]


@pytest.mark.promise("HOME-5")
@settings(deadline=None)
@given(st.lists(st.text(st.characters(codec=None), min_size=1), min_size=2, max_size=2, unique=True))
def test_two_ids_never_share_a_name_and_a_short_name_tells_its_id(two: list[str]) -> None:
    names = [paths.encoded(text) for text in two]
    assert names[0] != names[1]
    for text, name in zip(two, names, strict=True):
        assert set(name) <= paths.LITERAL | {"~"}
        assert name not in (".", "..")
        assert len(name) <= 200
        assert paths.decoded(name) in (text, None if "~~" in name else text)


@pytest.mark.promise("HOME-5")
@pytest.mark.parametrize(
    "name", ["../../etc/passwd", "/etc/passwd", "..", ".", "a\\b", "C:\\x", "\ud800", "a~b", "x" * 900]
)
def test_an_id_of_any_shape_stays_below_the_root_and_is_found_again(name: str, tmp_path: pathlib.Path) -> None:
    session = log("local:x").replace(session_id=name.encode("utf-8", "replace").decode())
    made = entries(session, 2)
    opened(tmp_path).append(session, made, start(session))
    written = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert len(written) == 1
    assert written[0].parent.parent == tmp_path / "logs" / SLUG
    assert list(opened(tmp_path).entries(session.session_id)) == made
    assert [found.session_id for found in opened(tmp_path).sessions()] == [session.session_id]
    assert [found.session_id for found in FileHome(str(tmp_path / "logs")).sessions()] == [session.session_id]


@pytest.mark.promise("HOME-5")
def test_an_empty_id_is_refused(tmp_path: pathlib.Path) -> None:
    with pytest.raises(ValueError, match="names nothing"):
        paths.encoded("")
    with pytest.raises(UsageError):
        opened(tmp_path).session("")
    assert paths.decoded("~00") is None
    assert paths.decoded("a~003a") is None  # only one way to write it


@pytest.mark.promise("HOME-5")
def test_projects_whose_folders_share_a_name_are_kept_apart_by_their_headers(tmp_path: pathlib.Path) -> None:
    long = "p" * 100
    one, two = (ALPHA.replace(name=long, project_id=f"{'i' * 16}{n}") for n in (1, 2))
    assert paths.slug(one) == paths.slug(two)
    assert len(paths.slug(one)) < 100
    assert paths.slug(ALPHA.replace(name="../ ☃")) == "project-id-alpha"
    for home_of, name in ((one, "local:a"), (two, "local:b")):
        session = log(name, project_id=home_of.project_id)
        FileHome(str(tmp_path / "logs"), home_of).append(session, entries(session, 1), start(session))
    seen = FileHome(str(tmp_path / "logs"), one)
    assert [found.session_id for found in seen.sessions()] == ["local:a"]
    assert (seen.session("local:b"), seen.end("local:b")) == (None, None)
    session = log("local:b", project_id=one.project_id)
    with pytest.raises(StaleWriter):  # an id is one log's, in whichever project it is
        seen.append(session, entries(session, 1), start(session))
    both = FileHome(str(tmp_path / "logs"))
    assert [found.session_id for found in both.sessions()] == ["local:a", "local:b"]
    assert both.project("local:b") == two.replace(root=None)


@pytest.mark.promise("HOME-2")
def test_what_another_writer_added_behind_our_back_is_seen_before_we_write(tmp_path: pathlib.Path) -> None:
    session = log()
    first, home = begun(tmp_path), opened(tmp_path)
    home.append(session, own := entries(session, 1, end_of(first)), end_of(first))
    end = end_of(own)
    with file_of(tmp_path).open("ab") as file:
        file.write(lines.entry_line(foreign := entry(session, end, body='{"text":"foreign"}')))
    before = file_of(tmp_path).read_bytes()
    with pytest.raises(StaleWriter):
        home.append(session, entries(session, 1, end), end)
    assert file_of(tmp_path).read_bytes() == before
    home.append(session, entries(session, 1, end_of([foreign])), end_of([foreign]))  # the control
    assert home.end("local:a") == opened(tmp_path).end("local:a") != end


@pytest.mark.promise("HOME-2")
def test_events_that_do_not_follow_on_each_other_or_are_no_json_are_refused_whole(tmp_path: pathlib.Path) -> None:
    session, home = log(), opened(tmp_path)
    first = begun(tmp_path)
    good = entries(session, 3, end_of(first))
    huge = entry(session, end_of(first), body=dumps({"text": "x" * lines.MAX_LINE}))
    wrong: dict[str, list[Any]] = {
        "a gap": [good[0], good[2]],
        "another chain": [good[0].replace(chain=bytes(32))],
        "no JSON": [entry(session, end_of(first), body="{1: 2}")],
        "a subject that no store takes": [entry(session, end_of(first), subject="a\0b")],
        "text that no store takes": [entry(session, end_of(first), body='{"text":"a\0b"}')],
        "beyond all bounds": [huge],
    }
    for batch in wrong.values():
        with pytest.raises(UsageError):
            home.append(session, batch, end_of(first))
    other = log("local:new")
    with pytest.raises(UsageError):
        home.append(other, [entries(other, 2)[1]], start(other))
    assert list(home.entries("local:a")) == first
    assert home.session("local:new") is None
    home.append(session, good, end_of(first))


@pytest.mark.promise("HOME-3")
def test_a_log_that_is_held_takes_no_append_of_another(tmp_path: pathlib.Path) -> None:
    session = log()
    first = begun(tmp_path)
    holder, other = opened(tmp_path), FileHome(str(tmp_path / "logs"), ALPHA, busy_s=0)
    with holder.hold("local:a"):
        with pytest.raises(SessionHeld):
            other.append(session, entries(session, 1, end_of(first)), end_of(first))
        holder.append(session, more := entries(session, 1, end_of(first)), end_of(first))
    other.append(session, entries(session, 1, end_of(more)), end_of(more))
    assert sorted(path.name for path in file_of(tmp_path).parent.iterdir()) == ["session.jsonl"]


RACER = """
import pathlib, sys
from segue.errors import SessionHeld, StaleWriter
from tests.sessionlog.logs import end_of, entries, log, opened, start
session, home, added = log(), opened(pathlib.Path(sys.argv[1])), 0
while added < 15:
    end = home.end("local:a") or start(session)
    try:
        home.append(session, entries(session, 1, end), end)
        added += 1
    except StaleWriter:
        continue
print(added)
"""


@pytest.mark.promise("HOME-2")
def test_writers_that_race_each_other_lose_nothing_and_double_nothing(tmp_path: pathlib.Path) -> None:
    running = [process(RACER, str(tmp_path)) for _ in range(3)]
    said = [int(each.communicate(timeout=120)[0]) for each in running]
    assert sum(said) == 45
    checked = verify_files(str(tmp_path / "logs"))
    assert (checked.events, checked.findings, checked.torn) == (45, (), 0)


TEXT = st.text(st.characters(codec="utf-8"))
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | TEXT,
    lambda inner: st.lists(inner) | st.dictionaries(TEXT, inner),
)


@pytest.mark.promise("HOME-11")
@settings(deadline=None)
@given(
    body=JSON.map(dumps) | JSON.map(json.dumps) | JSON.map(lambda value: json.dumps(value, indent=1)),
    subject=st.none() | st.text(st.characters(codec="utf-8", exclude_characters="\0")),
    place=st.sampled_from([(None, ()), (None, (0,)), ((0, 1), (0, 1))]),
    key=st.none() | st.binary(max_size=16),
)
def test_the_line_of_any_event_is_read_back_as_it(
    body: str, subject: str | None, place: Any, key: bytes | None
) -> None:
    session = log()
    made = entry(
        session, End(seq=7, chain=bytes(32)), body=body, subject=subject, replaces=place[0], cites=place[1], dedupe=key,
        action="command", outcome="ok", type="somebody/elses",
    )  # fmt: skip
    for whole in (made, made.replace(body=None, salt=None, subject=None)):
        line = lines.entry_line(whole)
        assert line.endswith(b"\n")
        assert line.count(b"\n") == 1
        assert lines.entry_of(lines.parse(line)) == whole


@pytest.mark.promise("HOME-11")
def test_a_body_stands_in_its_line_where_that_keeps_it_to_the_letter(tmp_path: pathlib.Path) -> None:
    inline = ['{"a":[1,2.5,null,"é\\n"]}', '"text"', "[" * 90 + "]" * 90, '{"t":"' + "[" * 5000 + '"}']
    as_text = ['{"b":1,"a":2}', '{"a": 1}', '{"a":1,"a":1}', '"\\u00e9"', "1e5", "-0", "[" * 400 + "]" * 400]
    for body in inline + as_text:
        made = entry(log(), start(log()), body=body)
        line = lines.entry_line(made)
        assert (b'"body":' in line) == (body in inline)
        assert lines.entry_of(lines.parse(line)) == made


REFUSED: dict[str, dict[str, Any]] = {
    "no chain": {"chain": None},
    "chain that is no digest": {"chain": "zz"},
    "fraction": {"seq": 0.0},
    "negative": {"seq": -1},
    "huge": {"size": 2**60},
    "truth": {"size": True},
    "text": {"seq": "0"},
    "type": {"type": 7},
    "half a range": {"replaces": [1]},
    "range of texts": {"replaces": ["0", "1"]},
    "cites": {"cites": "0"},
    "surrogate": {"subject": "\ud800"},
}


@pytest.mark.promise("HOME-11")
@pytest.mark.parametrize("what", REFUSED)
def test_a_line_with_a_field_of_another_kind_is_no_event(what: str) -> None:
    good = lines.parse(lines.entry_line(entry(log(), start(log()))))
    assert lines.entry_of(good).seq == 0
    with pytest.raises(ValueError, match=r"\w"):
        lines.entry_of({**good, **REFUSED[what]})


@pytest.mark.promise("HOME-10")
def test_what_is_no_log_hides_none_and_is_counted(tmp_path: pathlib.Path) -> None:
    begun(tmp_path)
    root = tmp_path / "logs"
    (root / "a file").write_bytes(b"x")
    (root / "empty").mkdir()
    (root / SLUG / "a file").write_bytes(b"x")
    (root / SLUG / "without a log").mkdir()
    (root / SLUG / "local~003Aa" / "notes.txt").write_bytes(b"mine")
    assert [found.session_id for found in opened(tmp_path).sessions()] == ["local:a"]
    checked = verify_files(str(root))
    assert (checked.sessions, checked.strange, checked.findings) == (1, 3, ())


@pytest.mark.promise("HOME-10")
@pytest.mark.parametrize("what", ["folder", "pipe", "device", "dangling link", "nothing", "binary", "latin-1", "deep"])
def test_what_stands_in_a_logs_place_is_told_and_waited_for_by_nobody(what: str, tmp_path: pathlib.Path) -> None:
    begun(tmp_path)
    path = file_of(tmp_path, "local~003Ab")
    path.parent.mkdir()
    contents = {
        "nothing": b"", "binary": bytes(range(256)) * 99, "latin-1": '{"type":"é"}\n'.encode("latin-1"),
        "deep": b"[" * 200_000 + b"\n",
    }  # fmt: skip
    if what == "folder":
        path.mkdir()
    elif what == "pipe":
        os.mkfifo(path)
    elif what == "device":
        path.symlink_to("/dev/zero")
    elif what == "dangling link":
        path.symlink_to(tmp_path / "nowhere")
    else:
        path.write_bytes(contents[what])
    home, session = opened(tmp_path), log("local:b")
    found = {each.session_id: each.status for each in FileHome(str(tmp_path / "logs")).sessions()}
    assert found == {"local:a": "ok", "local:b": "quarantined"}
    assert {each.session_id for each in home.sessions()} == set(found)
    errors = (FileUnwritable, LogCorrupt)
    with pytest.raises(errors):
        list(home.entries("local:b"))
    with pytest.raises((*errors, StaleWriter)):
        home.append(session, entries(session, 1), start(session))


@pytest.mark.promise("HOME-10")
def test_a_line_of_a_hundred_megabytes_is_damage_inside_and_torn_at_the_end(tmp_path: pathlib.Path) -> None:
    made = begun(tmp_path)
    path = file_of(tmp_path)
    with path.open("ab") as file:
        file.write(b'{"seq":3,"type":"')
        for _ in range(100):
            file.write(b"x" * 1_000_000)
    assert list(opened(tmp_path).entries("local:a")) == made
    assert opened(tmp_path).end("local:a") == end_of(made)
    with path.open("ab") as file:
        file.write(b'"}\n')
    with pytest.raises(LogCorrupt, match="line 5"):
        list(opened(tmp_path).entries("local:a"))


@pytest.mark.promise("HOME-10")
def test_a_root_that_is_missing_has_no_logs_and_one_that_is_a_file_is_refused(tmp_path: pathlib.Path) -> None:
    assert list(opened(tmp_path).sessions()) == []
    assert opened(tmp_path).session("local:a") is None
    home = opened(tmp_path)
    (tmp_path / "logs").write_bytes(b"")
    for opening in (
        lambda: opened(tmp_path),
        lambda: list(home.sessions()),
        lambda: home.session("local:a"),
        lambda: home.append(log(), entries(log(), 1), start(log())),
    ):
        with pytest.raises(FileUnwritable):
            opening()


@pytest.mark.promise("HOME-10")
def test_a_link_to_a_log_is_that_log_and_a_copy_of_one_is_told(tmp_path: pathlib.Path) -> None:
    made = begun(tmp_path)
    other = tmp_path / "logs" / "other"
    other.mkdir()
    (other / "local~003Aa").symlink_to(file_of(tmp_path).parent)
    home = FileHome(str(tmp_path / "logs"))
    assert list(home.entries("local:a")) == made
    assert [found.status for found in home.sessions()] == ["ok"]
    (other / "local~003Aa").unlink()
    (other / "local~003Aa").mkdir()
    (other / "local~003Aa" / "session.jsonl").write_bytes(file_of(tmp_path).read_bytes())
    assert [found.status for found in home.sessions()] == ["quarantined"]
    with pytest.raises(LogCorrupt, match="the same session"):
        list(home.entries("local:a"))
    assert len(verify_files(str(tmp_path / "logs")).findings) == 1


@pytest.mark.promise("HOME-10")
def test_a_folder_that_was_opened_for_no_project_begins_no_log_and_goes_on_with_each(tmp_path: pathlib.Path) -> None:
    made, session = begun(tmp_path), log()
    home = FileHome(str(tmp_path / "logs"))
    with pytest.raises(UsageError):
        home.append(log("local:b"), entries(log("local:b"), 1), start(log("local:b")))
    home.append(session, entries(session, 1, end_of(made)), end_of(made))
    assert home.end("local:a") != end_of(made)
