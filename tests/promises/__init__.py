"""…"""

from typing import NamedTuple


class Promise(NamedTuple):
    id: str
    sentence: str
    source: str
