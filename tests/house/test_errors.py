"""Errors: each class of them can be told apart, read and acted upon."""

from __future__ import annotations

import ast
import collections

import pytest
from docs import _generate

from tests.house.tree import product


@pytest.mark.promise("HOUSE-14")
def test_every_error_has_a_code_of_its_own_a_message_and_a_hint() -> None:
    faults = _generate.faults(part.tree for part in product())
    assert len(faults) > 10
    counted = collections.Counter(fault.code for fault in faults)
    assert [code for code, count in counted.items() if count > 1 or not code] == []
    assert [fault.name for fault in faults if not (fault.message.endswith(".") and fault.hint.strip())] == []


@pytest.mark.promise("HOUSE-14")
def test_an_error_takes_what_it_does_not_say_from_its_parent() -> None:
    text = (
        "class SegueError(Exception):\n    '''It went wrong.'''\n    code = 'error'\n    hint = 'Look.'\n"
        "class Lost(errors.SegueError):\n    '''It is lost.\n\n    For good.\n    '''\n    code = 'lost'\n"
        "class Other(Exception):\n    '''Not one of ours.'''\n"
    )
    assert _generate.faults([ast.parse(text)])[1:] == [_generate.Fault("Lost", "lost", "It is lost.", "Look.")]
