"""The rules on source text hold, and each is shown to bite."""

from __future__ import annotations

import pytest

from tests.house import rules
from tests.house.rules import RULES, Rule
from tests.house.tree import functions, listed, module, product


def findings(rule: Rule) -> str:
    return listed(found for part in product() for found in rule.findings(part))


@pytest.mark.promise("HOUSE-2")
def test_only_the_engine_modules_import_a_driver() -> None:
    assert findings(rules.DRIVER_IMPORTS) == ""


@pytest.mark.promise("HOUSE-2")
def test_sql_stands_only_under_stores() -> None:
    assert findings(rules.SQL_TEXT) == ""


@pytest.mark.promise("HOUSE-3")
def test_every_file_is_opened_with_a_named_encoding_or_as_bytes() -> None:
    assert findings(rules.OPEN_CALLS) == ""


@pytest.mark.promise("HOUSE-4")
def test_only_the_system_room_starts_processes() -> None:
    assert findings(rules.PROCESSES) == ""


@pytest.mark.promise("HOUSE-5")
def test_only_doors_print() -> None:
    assert findings(rules.PRINTS) == ""


@pytest.mark.promise("HOUSE-5")
def test_only_doors_and_the_composition_root_read_the_environment() -> None:
    assert findings(rules.ENVIRONMENT) == ""


@pytest.mark.promise("HOUSE-6")
def test_no_error_is_swallowed_unnamed_below_the_top_of_a_door() -> None:
    assert findings(rules.SWALLOWED) == ""


@pytest.mark.promise("HOUSE-6")
def test_every_door_top_exists_and_is_needed() -> None:
    known = {f"{part.name}.{name}" for part in product() for name, _ in functions(part.tree)}
    assert set(rules.DOOR_TOPS) <= known


@pytest.mark.promise("HOUSE-7")
def test_every_module_says_what_it_owns() -> None:
    assert findings(rules.OWNERS) == ""


EXAMPLES = [pytest.param(rule, id=rule.name) for rule in RULES]


@pytest.mark.promise("HOUSE-2")
@pytest.mark.promise("HOUSE-3")
@pytest.mark.promise("HOUSE-4")
@pytest.mark.promise("HOUSE-5")
@pytest.mark.promise("HOUSE-6")
@pytest.mark.promise("HOUSE-7")
@pytest.mark.parametrize("rule", EXAMPLES)
def test_each_rule_finds_what_breaks_it_and_nothing_in_what_keeps_it(rule: Rule) -> None:
    assert [text for text in rule.breaks if not rule.findings(module("segue.planted", text))] == []
    assert [text for text in rule.keeps if rule.findings(module("segue.planted", text))] == []


@pytest.mark.promise("HOUSE-5")
def test_an_exempt_room_is_left_alone_with_everything_below_it() -> None:
    text = "print(1)"
    assert rules.PRINTS.findings(module("segue.mcp", text)) == []
    assert rules.PRINTS.findings(module("segue.mcp.server", text)) == []
    assert rules.PRINTS.findings(module("segue.hooks", text)) != []
