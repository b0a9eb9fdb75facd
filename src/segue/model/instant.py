"""Owns instants as text: UTC, `YYYY-MM-DDTHH:MM:SS.mmmZ`, so that order of text is order of time."""

from __future__ import annotations

import time


def from_epoch(seconds: float) -> str:
    """The instant that many seconds after 1970; before it or beyond year 9999 it is clamped."""
    return _from_millis(int(seconds * 1000))


def _from_millis(millis: int) -> str:
    millis = min(max(millis, 0), _LAST)
    whole, rest = divmod(millis, 1000)
    at = time.gmtime(whole)
    return f"{at[0]:04d}-{at[1]:02d}-{at[2]:02d}T{at[3]:02d}:{at[4]:02d}:{at[5]:02d}.{rest:03d}Z"


def before(instant: str, days: int) -> str:
    """The instant that many days before one of ours."""
    told = exact(instant)
    return _from_millis((told[0] if told else 0) - days * 86_400_000)


def from_text(text: object) -> str | None:
    """The instant of an ISO 8601 text with zone (`Z` or an offset); None for anything else, naive times included."""
    if not isinstance(text, str) or len(text) < 17:
        return None
    if _is_ours(text):
        return text
    told = exact(text)
    return None if told is None else _from_millis(told[0])


def exact(text: str) -> tuple[int, str] | None:
    """The whole milliseconds after 1970 of such a text, and the digits of the fraction of one that is left.

    They compare as the instants do, however many digits each has. None where `from_text` gives None.
    """
    if len(text) < 17 or text[10:11] not in ("T", " "):
        return None
    body, offset = _split_zone(text)
    millis = None if offset is None else _millis(body)
    if offset is None or millis is None:
        return None
    return millis - offset * 1000, body.partition(".")[2][3:].rstrip("0")


def first_from(told: tuple[int, str]) -> str:
    """The first instant, as we write it, that is not before this exact one; beyond them all after the year 9999."""
    millis = told[0] + bool(told[1])
    return _from_millis(millis) if millis <= _LAST else _BEYOND


def last_until(told: tuple[int, str]) -> str:
    """The last instant, as we write it, that is not after this exact one; empty, so before them all, before 1970."""
    return _from_millis(told[0]) if told[0] >= 0 else ""


#: the last millisecond that we can write, and a text that stands after it
_LAST, _BEYOND = 253402300799999, "~"


#: the last day of each month, by its two digits, in a year that has fewest
_LAST_DAY = {f"{month + 1:02d}": day for month, day in enumerate("31 28 31 30 31 30 31 31 30 31 30 31".split())}


def _is_ours(text: str) -> bool:
    """Whether a text is an instant as we write it, of a day that every year has: as most hosts write it too."""
    if len(text) != 24 or text[4:20:3] != "--T::." or text[23] != "Z":
        return False
    digits = text[:4] + text[5:7] + text[8:10] + text[11:13] + text[14:16] + text[17:19] + text[20:23]
    return (
        digits.isascii()
        and digits.isdigit()
        and digits[:4] >= "1970"
        and "01" <= digits[6:8] <= _LAST_DAY.get(digits[4:6], "00")
        and digits[8:10] <= "23"
        and digits[10:12] <= "59"
        and digits[12:14] <= "59"
    )


def _split_zone(text: str) -> tuple[str, int | None]:
    if text[-1] in "Zz":
        return text[:-1], 0
    sign = text[-6:-5]
    if sign not in ("+", "-") or text[-3:-2] != ":" or not (text[-5:-3] + text[-2:]).isdigit():
        return text, None
    hours, minutes = int(text[-5:-3]), int(text[-2:])
    if hours > 23 or minutes > 59:
        return text, None
    offset = hours * 3600 + minutes * 60
    return text[:-6], -offset if sign == "-" else offset


def _millis(body: str) -> int | None:
    date, clock = body[:10], body[11:]
    if date[4:5] != "-" or date[7:8] != "-" or clock[2:3] != ":":
        return None
    whole, _, fraction = clock.partition(".")
    digits = [date[:4], date[5:7], date[8:10], *whole.split(":")]
    if len(digits) not in (5, 6) or not all(d.isascii() and d.isdigit() for d in digits):
        return None
    if fraction and not (fraction.isascii() and fraction.isdigit()):
        return None
    year, month, day, hour, minute = map(int, digits[:5])
    second = int(digits[5]) if len(digits) == 6 else 0
    if not (1 <= month <= 12 and 1 <= day <= _days(year, month) and hour <= 23 and minute <= 59 and second <= 59):
        return None
    days = _days_before(year, month) + day - 1
    seconds = days * 86400 + hour * 3600 + minute * 60 + second
    return seconds * 1000 + int(fraction[:3].ljust(3, "0"))


def _leap(year: int) -> bool:
    return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)


def _days(year: int, month: int) -> int:
    return (31, 29 if _leap(year) else 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)[month - 1]


def _days_before(year: int, month: int) -> int:
    before = year - 1
    days = before * 365 + before // 4 - before // 100 + before // 400 - 719162
    return days + sum(_days(year, m) for m in range(1, month))
