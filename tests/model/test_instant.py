"""Instants as text."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from segue.model.instant import from_epoch, from_text

REFUSED = [
    "2026-11-30T12:00:00", "2026-02-30T12:00:00Z", "2100-02-29T12:00:00Z", "2026-04-31T12:00:00Z",
    "2026-11-30T24:00:00Z", "2026-11-30T12:60:00Z", "2026-11-30T12:00:60Z", "2026-11-30T12:00:00+24:00",
    "2026-11-30T12:00:00+01:60", "2026-11-30", "yesterday", "", "2026-13-01T00:00:00Z", "2026-00-10T00:00:00Z",
    "2026-11-30T12:00:00.Zx", "2026-11-30T12:00:00.12a4Z", "２０２６-11-30T12:00:00Z", "2026-11-30T12Z", None, 17,
]  # fmt: skip


@pytest.mark.promise("LOG-16")
@pytest.mark.parametrize("text", REFUSED)
def test_naive_and_impossible_times_are_refused(text: object) -> None:
    assert from_text(text) is None


@pytest.mark.promise("LOG-16")
@pytest.mark.parametrize(
    ("text", "instant"),
    [
        ("2026-11-30T12:00:00Z", "2026-11-30T12:00:00.000Z"),
        ("2026-11-30T12:00Z", "2026-11-30T12:00:00.000Z"),
        ("2026-11-30 12:00:00.1Z", "2026-11-30T12:00:00.100Z"),
        ("2026-11-30T12:00:00.123456Z", "2026-11-30T12:00:00.123Z"),
        ("2026-11-30T01:30:00+02:00", "2026-11-29T23:30:00.000Z"),
        ("2026-11-30T23:30:00-01:00", "2026-12-01T00:30:00.000Z"),
        ("2024-02-29T00:00:00Z", "2024-02-29T00:00:00.000Z"),
        ("1969-12-31T23:59:59Z", "1970-01-01T00:00:00.000Z"),
    ],
)
def test_a_time_with_its_zone_becomes_utc_text(text: str, instant: str) -> None:
    assert from_text(text) == instant


@pytest.mark.promise("LOG-16")
@given(
    st.datetimes(min_value=datetime(1970, 1, 2), max_value=datetime(9990, 1, 1)),  # noqa: DTZ001 - the zone comes next
    st.integers(min_value=-23 * 60, max_value=23 * 60),
)
def test_it_agrees_with_the_standard_library(naive: datetime, minutes: int) -> None:
    aware = naive.replace(microsecond=naive.microsecond // 1000 * 1000, tzinfo=timezone(timedelta(minutes=minutes)))
    expected = aware.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.") + f"{aware.microsecond // 1000:03d}Z"
    expected = expected.rjust(24, "0")
    told = from_text(aware.isoformat(timespec="milliseconds"))
    assert told is not None
    assert told[:19] == expected[:19]


@pytest.mark.promise("LOG-16")
def test_a_clock_beyond_reason_is_clamped() -> None:
    assert from_epoch(-5) == "1970-01-01T00:00:00.000Z"
    assert from_epoch(1e18) == "9999-12-31T23:59:59.999Z"


@pytest.mark.promise("LOG-16")
@given(
    st.integers(0, 253402300799999).map(lambda millis: from_epoch(millis / 1000))
    | st.from_regex(r"\A[0-2]\d{3}-[01]\d-[0-3]\dT[0-2]\d:[0-6]\d:[0-6]\d\.\d{3}Z\Z", fullmatch=True)
)
def test_our_own_way_to_write_it_means_the_same_as_any_other(text: str) -> None:
    assert from_text(text) == from_text(text[:-1] + "+00:00")
