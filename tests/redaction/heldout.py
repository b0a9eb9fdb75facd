"""Draws the held-out redaction corpus: texts with a secret that must vanish, and lines that must stay.

Owns: the template language and the two lists. Never: a redaction rule, or a credential written down.

A template is plain text in which `<w36>` is 36 characters of alphabet `w`, `<:mail>` is a draw of that name, `⏎` is a
newline, `⇥` a tab, and `⟦…⟧` encloses what must not survive. Everything comes from one seeded generator, so two
calls give the same corpus.
"""

from __future__ import annotations

import base64
import json
import os
import re
import string
from collections.abc import Callable
from random import Random
from typing import NamedTuple

from tests.redaction.heldout_shapes import (
    BARE_TEXTS,
    COMMON,
    NAMED,
    NAMED_TEXTS,
    PEM_KINDS,
    PEM_TEXTS,
    RARER,
    Provider,
)

SEED = 74207281
LINES = os.path.join(os.path.dirname(__file__), "heldout_lines")


class Positive(NamedTuple):
    """A text that holds one secret; `secret` must not occur in what the redactor returns."""

    shape: str
    text: str
    secret: str


ALPHABETS: dict[str, str] = {
    "a": string.ascii_lowercase + string.digits,
    "A": string.ascii_uppercase + string.digits,
    "L": string.ascii_letters,
    "w": string.ascii_letters + string.digits,
    "u": string.ascii_letters + string.digits + "_-",
    "b": string.ascii_letters + string.digits + "+/",
    "d": string.digits,
    "n": string.digits,  # a number: does not start with 0 or 1
    "x": "0123456789abcdef",
    "X": "0123456789ABCDEF",
    "t": string.ascii_uppercase + "234567",
    "Q": "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L",
}

WORDS = ["harbor", "maple", "granite", "copper", "lantern", "pepper", "walnut", "falcon", "river", "meadow", "cobalt"]
MAIL_HOSTS = ["northwind-labs", "bluequarry", "kestrel-data", "mail.tallpine", "ops.ferrous-works", "lumenrail"]
MAIL_ENDS = ["com", "io", "dev", "org", "net", "de", "fr", "co.uk", "com.br", "cloud"]
PUBLIC_OCTETS = [5, 18, 23, 34, 44, 51, 52, 62, 77, 81, 93, 104, 139, 142, 151, 178, 185, 212]
PUBLIC_V6 = ["2a01:4f8", "2600:1f18", "2001:41d0", "2a02:26f0", "2607:f8b0"]

PEM_STARTS = {"OPENSSH PRIVATE KEY": "b3BlbnNzaC1rZXktdjEA", "EC PRIVATE KEY": "MHc", "PGP PRIVATE KEY BLOCK": "lQ"}

SLOT = re.compile(r"<:(?P<draw>\w+)>|<(?P<alphabet>[a-zA-Z])(?P<count>\d+)>")


def _chars(rng: Random, alphabet: str, count: int) -> str:
    """Draws a run; a long one from letters and digits holds both, as nearly every real one does."""
    letters = ALPHABETS[alphabet]
    while True:
        run = "".join(rng.choice(letters) for _ in range(count))
        mixed = (
            letters.isalpha() or letters.isdigit() or count < 16 or (re.search(r"\d", run) and re.search(r"\D", run))
        )
        if mixed and not (alphabet == "n" and run[0] in "01"):
            return run


def _password(rng: Random, marks: str) -> str:
    """Draws 8 to 16 characters the way people choose them."""
    word, other = rng.sample(WORDS, 2)
    number = str(rng.randint(10, 9999))
    mark = rng.choice(marks)
    run = _chars(rng, "w", rng.randint(10, 16)) + "7k"
    leet = word.translate(str.maketrans("aeo", "430")) + mark + number
    made = rng.choice([word.title() + mark + number, word + other.title() + number, run[-14:], leet])
    return made[:16] if len(made) >= 8 else made + _chars(rng, "d", 8 - len(made))


def _mail(rng: Random) -> str:
    """Draws an address no one is known to have."""
    one, two = rng.sample(WORDS, 2)
    number = rng.randint(2, 99)
    local = rng.choice(
        [f"{one}.{two}", f"{one}{number}", f"{one}_{two}", f"{one[0]}.{two}", f"{one}+{two}", f"{one}-{two}"]
    )
    return f"{local}@{rng.choice(MAIL_HOSTS)}.{rng.choice(MAIL_ENDS)}"


def _ip4(rng: Random) -> str:
    """Draws a public IPv4 address."""
    return ".".join(str(n) for n in [rng.choice(PUBLIC_OCTETS), *(rng.randint(2, 250) for _ in range(3))])


def _ip6(rng: Random) -> str:
    """Draws a public IPv6 address, compressed or in full."""
    groups = [f"{rng.randint(0x1000, 0xFFFF):x}" for _ in range(6)]
    tail = rng.choice([f"{groups[0]}:{groups[1]}::1", ":".join(groups), f"{groups[0]}::{groups[1]}:{groups[2]}"])
    return f"{rng.choice(PUBLIC_V6)}:{tail}"


def _uuid(rng: Random) -> str:
    """Draws a random UUID, version 4."""
    x = _chars(rng, "x", 31)
    return f"{x[:8]}-{x[8:12]}-4{x[12:15]}-{rng.choice('89ab')}{x[15:18]}-{x[18:30]}"


def _segment(content: dict[str, object]) -> str:
    """Returns one part of a JWT."""
    return base64.urlsafe_b64encode(json.dumps(content, separators=(",", ":")).encode()).decode().rstrip("=")


def _jwt_head(rng: Random) -> str:
    """Draws the header of a JWT."""
    return _segment({"alg": rng.choice(["HS256", "RS256", "ES256"]), "typ": "JWT"})


def _jwt_body(rng: Random) -> str:
    """Draws the claims of a JWT."""
    issued = rng.randint(1_600_000_000, 1_760_000_000)
    return _segment({"sub": _chars(rng, "n", 8), "iss": rng.choice(WORDS), "iat": issued, "exp": issued + 3600})


def _basic(rng: Random) -> str:
    """Draws the credentials of a basic authorization header."""
    return base64.b64encode(f"{rng.choice(WORDS)}:{_password(rng, '-_!')}".encode()).decode()


def _phrase(rng: Random) -> str:
    """Draws words that only a private block would hold."""
    return f"{rng.choice(WORDS)} {rng.choice(WORDS)} offer {rng.randint(100, 9999)} thousand"


DRAWS: dict[str, Callable[[Random], str]] = {
    "pw": lambda rng: _password(rng, "-_!.@"),
    "pws": lambda rng: _password(rng, "-_!.@#$%&*+?"),
    "pwu": lambda rng: _password(rng, "-_~").replace("~", "%40"),
    "mail": _mail,
    "ip4": _ip4,
    "ip6": _ip6,
    "uuid": _uuid,
    "jh": _jwt_head,
    "jb": _jwt_body,
    "basic": _basic,
    "phrase": _phrase,
}


def _fill(rng: Random, template: str) -> tuple[str, str]:
    """Returns the text and what in it must vanish (the whole text where nothing is marked)."""

    def drawn(slot: re.Match[str]) -> str:
        if slot["draw"]:
            return DRAWS[slot["draw"]](rng)
        return _chars(rng, slot["alphabet"], int(slot["count"]))

    text = SLOT.sub(drawn, template).replace("⏎", "\n").replace("⇥", "\t")
    if "⟦" not in text:
        return text, text
    before, rest = text.split("⟦")
    secret, after = rest.split("⟧")
    return before + secret + after, secret


def _named(text: str, provider: Provider, token: str) -> str:
    """Puts the token into its surrounding under the name the surrounding's language would use."""
    parts = provider.variable.lower().split("_")
    names = {
        "{N}": provider.variable,
        "{n}": "_".join(parts),
        "{c}": parts[0] + "".join(part.title() for part in parts[1:]),
        "{k}": "-".join(parts),
        "{p}": provider.name.replace("-", " "),
        "{s}": token,
    }
    for mark, value in names.items():
        text = text.replace(mark, value)
    return text


def _provider_positives(rng: Random, rows: list[Provider], named: int, bare: int) -> list[Positive]:
    """Returns `named` texts with a telling name and `bare` ones without, for each row."""
    found = []
    for row in rows:
        is_url = row.token.startswith("http")
        loose = [text for text in BARE_TEXTS if not (is_url and re.search(r"Bearer|Auth|token|base64", text))]
        for text in rng.sample(NAMED_TEXTS, named) + rng.sample(loose, bare):
            token, secret = _fill(rng, row.token)
            found.append(Positive(f"provider:{row.name}", _named(text, row, token), secret))
    return found


def _pem_body(rng: Random, kind: str) -> list[str]:
    """Draws the lines between the markers: what comes before the key, the key, and a short last line."""
    width = 70 if kind.startswith("OPENSSH") else 64
    start = PEM_STARTS.get(kind, "MII")
    lines = [_chars(rng, "b", width) for _ in range(rng.randint(3, 14))] + [_chars(rng, "b", 42) + "=="]
    lines[0] = (start + lines[0])[:width]
    if kind.startswith("PGP"):
        return ["", *lines, "=" + _chars(rng, "b", 4)]
    if kind.startswith("RSA") and rng.random() < 0.3:
        return ["Proc-Type: 4,ENCRYPTED", "DEK-Info: AES-256-CBC," + _chars(rng, "X", 32), "", *lines]
    return lines


def _pem_positives(rng: Random) -> list[Positive]:
    """Returns every kind of key in every surrounding, and each kind once cut off; the secret is one line of it."""
    found = []
    for shape, kind in PEM_KINDS.items():
        for surrounding, newline in PEM_TEXTS:
            body = _pem_body(rng, kind)
            block = newline.join([f"-----BEGIN {kind}-----", *body, f"-----END {kind}-----"])
            secret = rng.choice([line for line in body if len(line) >= 40 and ":" not in line])
            found.append(Positive(shape, surrounding.replace("{pem}", block), secret))
        body = [line for line in _pem_body(rng, kind) if len(line) >= 64]
        cut = "\n".join(["$ head -4 key", f"-----BEGIN {kind}-----", *body[:3]])
        found.append(Positive("pem:truncated", cut, body[2]))
    return found


def _template_positives(rng: Random) -> list[Positive]:
    """Returns one text for each row of the template file."""
    with open(os.path.join(LINES, "positives.tsv"), encoding="utf-8") as file:
        rows = [row.split("\t", 1) for row in file.read().splitlines()]
    return [Positive(shape, *_fill(rng, template)) for shape, template in rows]


def positives() -> list[Positive]:
    """Returns the texts that hold a secret, the same ones on every call."""
    rng = Random(SEED)
    return [
        *_provider_positives(rng, COMMON, named=2, bare=2),
        *_provider_positives(rng, RARER, named=1, bare=1),
        *_provider_positives(rng, NAMED, named=2, bare=0),
        *_pem_positives(rng),
        *_template_positives(rng),
    ]


def negatives() -> list[str]:
    """Returns the lines that must come back unchanged."""
    lines: list[str] = []
    for name in sorted(os.listdir(LINES)):
        if name.endswith(".txt"):
            with open(os.path.join(LINES, name), encoding="utf-8") as file:
                lines += file.read().rstrip("\n").split("\n")
    return lines
