"""What Segue promises, as data. Every test carries the id of one, every promise has a test."""

from typing import NamedTuple


class Promise(NamedTuple):
    id: str
    sentence: str
    source: str
