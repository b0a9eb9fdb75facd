"""Holds the held-out redaction corpus to its own promises. Owns: counts, shape, honesty. Never: a redactor."""

from __future__ import annotations

import ipaddress
import os
import re
from collections import Counter

import pytest

from tests.redaction.heldout import LINES, Positive, negatives, positives

GIT_REMOTE = "git@github.com:"


def public_addresses(text: str) -> list[str]:
    """Returns the public IP addresses, e-mail addresses and private tags in a text."""
    found = re.findall(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)*\.[a-z]{2,}(?![a-z])", text.replace(GIT_REMOTE, ""))
    found = [mail for mail in found if not mail.endswith((".service", ".png"))]
    found += re.findall(r"(?i)<private\s*>", text)
    for word in re.findall(r"(?a)(?<![\w:.])(?:\d+(?:\.\d+){3}|[0-9a-fA-F:]{7,})(?![\w.]*\w)", text):
        try:
            address = ipaddress.ip_address(word)
        except ValueError:
            continue
        found += [] if address.is_loopback or address.is_unspecified else [word]
    return found


@pytest.mark.promise("CORPUS-1")
def test_the_positives_are_many_and_of_many_shapes() -> None:
    shapes = Counter(found.shape for found in positives())
    providers = [shape for shape in shapes if shape.startswith("provider:")]
    assert shapes.total() >= 220
    assert len(shapes) >= 45
    assert len(providers) >= 30


@pytest.mark.promise("CORPUS-1")
def test_passwords_come_in_twelve_syntaxes_and_every_family_is_there() -> None:
    families = Counter(shape.split(":")[0] for shape in {found.shape for found in positives()})
    assert families["password"] >= 12
    assert set(families) == {
        *("provider", "password", "opaque", "url", "query", "basic", "jwt", "pem", "email", "phone", "ip", "private")
    }


@pytest.mark.promise("CORPUS-2")
def test_the_lines_that_must_stay_are_many_and_each_is_one_line_with_content() -> None:
    lines = negatives()
    assert len(lines) >= 1200
    assert [line for line in lines if len(line.strip()) < 5 or "\n" in line or "\r" in line] == []


@pytest.mark.promise("CORPUS-3")
def test_two_calls_give_the_same_corpus() -> None:
    assert positives() == positives()
    assert negatives() == negatives()


@pytest.mark.promise("CORPUS-4")
def test_every_secret_occurs_once_in_its_text_and_is_at_least_six_characters() -> None:
    odd = [found for found in positives() if found.text.count(found.secret) != 1 or len(found.secret) < 6]
    assert odd == []


@pytest.mark.promise("CORPUS-4")
def test_no_template_mark_is_left_in_a_text() -> None:
    left = re.compile(r"[⟦⟧⏎⇥]|\{(?:N|n|c|k|p|s|pem)\}|<:\w+>|<[a-zA-Z]\d+>")
    assert [found for found in positives() if left.search(found.text)] == []
    assert left.search("export {N}=⟦<w36>⟧")


@pytest.mark.promise("CORPUS-5")
def test_nothing_occurs_twice() -> None:
    for things in (negatives(), [found.text for found in positives()], [found.secret for found in positives()]):
        assert [thing for thing, count in Counter(things).items() if count > 1] == []


@pytest.mark.promise("CORPUS-6")
def test_no_secret_is_written_in_a_file_of_the_corpus() -> None:
    here = os.path.dirname(__file__)
    paths = [os.path.join(here, name) for name in os.listdir(here) if name.endswith(".py")]
    paths += [os.path.join(LINES, name) for name in os.listdir(LINES)]
    written = ""
    for path in paths:
        with open(path, encoding="utf-8") as file:
            written += file.read()
    assert [found for found in positives() if found.secret in written] == []
    assert "def positives()" in written


@pytest.mark.promise("CORPUS-7")
def test_no_line_that_must_stay_holds_something_that_must_vanish() -> None:
    assert [line for line in negatives() if public_addresses(line)] == []


def is_personal(found: Positive) -> bool:
    return found.shape.startswith(("email:", "ip:")) or found.shape in {"private:inline", "private:upper"}


@pytest.mark.promise("CORPUS-7")
def test_the_search_for_addresses_finds_those_of_the_positives() -> None:
    personal = [found for found in positives() if is_personal(found)]
    assert len(personal) > 30
    assert [found for found in personal if not public_addresses(found.text)] == []
