"""Owns our own corpus: positives made at run time from a seed, and lines that stay. Never holds a credential."""

from __future__ import annotations

import random
import string
from pathlib import Path
from typing import NamedTuple

from segue.redaction.providers import ALPHABETS, PREFIXED

ROOT = Path(__file__).parents[2]
LETTERS = string.ascii_letters + string.digits
DRAWN = {
    "hex": "0123456789abcdef",
    "up": string.ascii_uppercase + string.digits,
    "b32": string.ascii_uppercase + "234567",
    "b62": LETTERS,
    "low": string.ascii_lowercase + string.digits,
}
CONTEXTS = (
    "DB_PASSWORD={}",
    'password = "{}"',
    "  password: '{}'",
    '{{"password": "{}"}}',
    "mysql://app:{}@db.example.org/app",
    "login ann password {}",
    "--password {}",
    "<password>{}</password>",
    "Authorization: Bearer {}",
    "https://api.example.org/v1?access_token={}",
    "CREATE USER app IDENTIFIED BY '{}'",
    'client.setPassword("{}");',
)


class Sample(NamedTuple):
    """A text that holds a secret of some shape."""

    shape: str
    text: str
    secret: str


def positives(seed: int = 4) -> list[Sample]:
    """Two tokens of every provider, and thirty passwords in every context."""
    draw = random.Random(seed)
    samples = []
    for name, prefixes, alphabet, fewest in PREFIXED:
        if alphabet in ALPHABETS:
            for line in ("export KEY_FOR_IT={}", "it said {} and stopped"):
                tail = "".join(draw.choice(DRAWN.get(alphabet, LETTERS)) for _ in range(fewest + 6))
                secret = draw.choice(prefixes.split()) + tail
                samples.append(Sample("provider:" + name, line.format(secret), secret))
    for number, context in enumerate(CONTEXTS):
        for _ in range(30):
            secret = "".join(draw.choice(LETTERS) for _ in range(draw.randint(8, 16))) + str(draw.randint(10, 99))
            samples.append(Sample(f"context:{number}", context.format(secret), secret))
    return samples


def negatives() -> list[str]:
    """The lines of this repository's product code and pages, except the rules' own examples."""
    paths = [*sorted(ROOT.glob("src/segue/**/*.py")), *sorted(ROOT.glob("docs/**/*.md")), ROOT / "README.md"]
    return [line for path in paths if "redaction" not in str(path) for line in path.read_text("utf-8").splitlines()]
