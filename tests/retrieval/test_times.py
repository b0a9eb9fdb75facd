"""Bounds in time, through the operations that every door calls. The ids are those of the harness's requirements."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from segue.ctx import Context
from segue.errors import UsageError
from segue.model.instant import exact, first_from, from_epoch, last_until
from segue.model.operation import check
from segue.operations.search import EVENT_SEARCH, SEARCH, SESSION_SEARCH
from tests.places import capture, header, prompt

IMPOSSIBLE = {
    "TIME-1": "2026-11-02T10:00:00",
    "TIME-2": "2026-02-30T10:00:00Z",
    "TIME-3": "2100-02-29T10:00:00Z",
    "TIME-4": "2026-04-31T10:00:00Z",
    "TIME-5": "2026-11-02T24:00:00Z",
    "TIME-6": "2026-11-02T10:60:00Z",
    "TIME-7": "2026-11-02T10:00:60Z",
    "TIME-8": "2026-11-02T10:00:00+24:00",
    "TIME-9": "2026-11-02T10:00:00+01:60",
    "TIME-17": "99999-11-02T10:00:00Z",
}
AT = ["2026-11-02T10:00:00.099Z", "2026-11-02T10:00:00.100Z", "2026-11-02T10:00:00.101Z"]


@pytest.fixture
def filled(ctx: Context) -> Context:
    """A context whose log has three prompts, a millisecond apart, and one at the beginning of all times."""
    capture(ctx, *(prompt(f"needle {at}", time=time) for at, time in enumerate(AT)))
    capture(ctx, prompt("needle first", time=from_epoch(0)), into=header("s2"))
    return ctx


def found(ctx: Context, **bounds: str) -> list[str]:
    """The times of the events between these bounds."""
    request = check(SEARCH.params, {"query": "needle", "events": True, **bounds}, person=True)
    return sorted(hit["time"] for hit in SEARCH.run(ctx, request)["hits"])


@pytest.mark.promise("SEA-20")
@pytest.mark.parametrize("name", IMPOSSIBLE)
@pytest.mark.parametrize("bound", ["time_from", "time_to"])
def test_a_time_that_is_none_is_refused_by_name_at_every_search(name: str, bound: str, filled: Context) -> None:
    for operation in (SEARCH, SESSION_SEARCH, EVENT_SEARCH):
        request = {"query": "needle", bound: IMPOSSIBLE[name]}
        if operation is EVENT_SEARCH:
            request["session_id"] = "claude-code:s1"
        with pytest.raises(UsageError, match=bound):
            operation.run(filled, check(operation.params, request, person=False))


@pytest.mark.promise("SEA-20")
def test_reversed_bounds_are_refused_also_within_a_millisecond(filled: Context) -> None:  # TIME-10, TIME-13
    for low, high in (
        ("2026-11-02T10:00:01Z", "2026-11-02T10:00:00Z"),
        ("2026-11-02T10:00:00.1009Z", "2026-11-02T10:00:00.1001Z"),
        ("2026-11-02T12:00:00.5+01:00", "2026-11-02T10:00:00.5Z"),
    ):
        with pytest.raises(UsageError, match="after"):
            found(filled, time_from=low, time_to=high)
        assert found(filled, time_from=high, time_to=low) in ([], AT)  # the control: it is answered


@pytest.mark.promise("SEA-20")
@pytest.mark.parametrize(
    ("low", "high", "times"),
    [
        ("2026-11-02T10:00:00.1Z", "2026-11-02T10:00:00.1Z", AT[1:2]),  # TIME-11
        ("2026-11-02T10:00:00.10Z", "2026-11-02T10:00:00.101Z", AT[1:]),  # TIME-11, TIME-15
        ("2026-11-02T10:00:00.1000001Z", "2026-11-02T10:00:00.1000009Z", []),  # TIME-12: within one millisecond
        ("2026-11-02T10:00:00.0999999Z", "2026-11-02T10:00:00.1000001Z", AT[1:2]),  # TIME-12
        ("2026-11-02T10:00:00.100000Z", "2026-11-02T10:00:00.1Z", AT[1:2]),  # TIME-14, TIME-15
        ("1969-12-31T23:59:59.9995Z", "1970-01-01T00:00:00.0001Z", [from_epoch(0)]),  # TIME-16
        ("1969-12-31T23:59:58Z", "1969-12-31T23:59:59.9995Z", []),  # TIME-16
        ("1970-01-01T00:00:00.0001Z", "2026-11-02T10:00:00.099Z", AT[:1]),  # TIME-16
        ("9999-12-31T23:59:59.999-23:00", "9999-12-31T23:59:59.9999-23:00", []),
    ],
)
def test_bounds_are_exact_and_inclusive(low: str, high: str, times: list[str], filled: Context) -> None:  # TIME-18
    assert found(filled, time_from=low, time_to=high) == times
    assert found(filled, time_from=AT[0], time_to=AT[2]) == AT  # the control


@pytest.mark.promise("SEA-20")
def test_a_range_may_be_open_on_one_side(filled: Context) -> None:
    assert found(filled, time_from=AT[1]) == AT[1:]
    assert found(filled, time_to=AT[0]) == [from_epoch(0), AT[0]]


fractions_ = st.text(alphabet="0123456789", max_size=9)
MILLIS = [from_epoch(second)[:-4] + f"{milli:03d}Z" for second in (0, 1) for milli in (0, 1, 99, 100, 999)]


@pytest.mark.promise("SEA-20")
@given(fractions_, fractions_)
def test_fractions_of_any_length_compare_as_numbers_and_let_in_just_what_lies_between(one: str, other: str) -> None:
    texts = [f"1970-01-01T00:00:00{'.' if digits else ''}{digits}Z" for digits in (one, other)]
    values = [Fraction(f"0.{digits or 0}") for digits in (one, other)]
    told = [exact(text) for text in texts]
    assert told[0] is not None
    assert told[1] is not None
    assert (told[0] < told[1], told[0] == told[1]) == (values[0] < values[1], values[0] == values[1])
    within = [text for text in MILLIS if first_from(told[0]) <= text <= last_until(told[1])]
    assert within == [text for text in MILLIS if values[0] <= Fraction(text[17:-1]) <= values[1]]
