"""How lines of a transcript are read."""

from __future__ import annotations

import pathlib
import tracemalloc

import pytest
from hypothesis import given
from hypothesis import strategies as st

from segue.hosts.lines import lines, record, source, whole_characters


def told(path: pathlib.Path, position: int = 0, **more: int) -> list[tuple[str | None, str | None]]:
    """Text and problem of each line."""
    return [(line.text, line.problem) for line in lines(str(path), position, **more)]


@pytest.mark.promise("TRA-5")
def test_empty_lines_are_passed_over_and_a_cut_last_line_is_named(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "t.jsonl"
    path.write_bytes(b'\xef\xbb\xbf{"a":1}\r\n\n  \n{"b":"\x00"}\n{"c":')
    assert told(path) == [('{"a":1}', None), ('{"b":"\0"}', None), ('{"c":', "cut-off")]
    path.write_bytes(b'{"a":1}')
    assert told(path) == [('{"a":1}', None)]


@pytest.mark.promise("TRA-5")
def test_bytes_that_are_no_text_and_half_characters_become_marks(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "t.jsonl"
    path.write_bytes(b'{"a":"\xc4\x90\x81\xff"}\n{"b":"\\ud800 \\\\ud800 \\ud83d\\ude00 \\uDC00"}\n')
    first, second = lines(str(path))
    assert first.text == '{"a":"Đ\ufffd\ufffd"}'
    assert second.text is not None
    assert record(second.text) == {"b": "\ufffd \\ud800 😀 \ufffd"}


@pytest.mark.promise("TRA-5")
@given(st.text(alphabet='\\udD8cC0"a', max_size=40))
def test_no_escape_leaves_half_a_character(body: str) -> None:
    value = record('{"a":"' + whole_characters(body) + '"}')
    assert value is None or not value or str(value).encode()


@pytest.mark.promise("TRA-5")
@pytest.mark.parametrize(
    "text", ["[1]", "1", "nope", '{"a":NaN}', '{"a":1e999}', '{"a":' + "[" * 100_000, '{"a":' + "9" * 5000 + "}"]
)
def test_what_is_no_object_or_could_not_be_written_again_is_no_record(text: str) -> None:
    assert record(text) is None
    assert record('{"a":1e10}') == {"a": 1e10}


@pytest.mark.promise("TRA-6")
def test_an_overlong_line_is_passed_over_in_bounded_memory(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "t.jsonl"
    with path.open("wb") as file:
        file.write(b'{"a":1}\n"')
        for _ in range(100):
            file.write(b"x" * 1024 * 1024)
        file.write(b'"\n{"b":2}\n')
    tracemalloc.start()
    found = [(line.text, line.problem, line.end) for line in lines(str(path))]
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    size = path.stat().st_size
    assert found == [('{"a":1}', None, 8), (None, "too-long", size - 8), ('{"b":2}', None, size)]
    assert peak < 80 * 1024 * 1024


@pytest.mark.promise("TRA-6")
def test_a_line_of_exactly_the_limit_is_read(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "t.jsonl"
    path.write_bytes(b"[1234]\n[12345]\n[1]\n")
    assert told(path, limit_bytes=6) == [("[1234]", None), (None, "too-long"), ("[1]", None)]


@pytest.mark.promise("TRA-4")
def test_reading_goes_on_from_any_line(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "t.jsonl"
    path.write_bytes(b'{"a":1}\n\n{"b":2}\n{"c":3}')
    found = list(lines(str(path)))
    for number, line in enumerate(found):
        assert list(lines(str(path), line.end)) == found[number + 1 :]
        assert next(lines(str(path), line.start)) == line


@pytest.mark.promise("TRA-6")
def test_a_file_that_is_gone_or_no_file_is_no_transcript(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "t.jsonl"
    path.write_bytes(b"12345")
    (found,) = source("codex", str(path))
    assert (found.host, found.path, found.size) == ("codex", str(path), 5)
    path.unlink()
    path.symlink_to(tmp_path / "nowhere")
    assert list(source("codex", str(path))) == []
    assert list(source("codex", str(tmp_path))) == []
