"""Owns the shapes that name themselves: tokens of providers. Never decides by context."""

from __future__ import annotations

from segue.redaction.prefixes import PREFIXED, TAILS, prefixed, shaped
from segue.redaction.rule import SECRET, Rule

#: a token starts where no word goes on; an escaped line end, a percent escape or a colour code may touch it
START = r"(?:(?<![A-Za-z0-9_])|(?<=\\[nrt])|(?<=%[0-9A-Fa-f]{2})|(?<=\[\dm)|(?<=\[\d\dm))"

ALPHABETS = {
    "hex": "[A-Fa-f0-9]",
    "up": "[A-Z0-9]",
    "b62": "[A-Za-z0-9]",
    "low": "[a-z0-9]",
    "url": "[A-Za-z0-9_-]",
    "dot": "[A-Za-z0-9_.-]",
    "b64": "[A-Za-z0-9+/=_.-]",
}
_FILL = {"hex": "3f9a0c7be1d25846", "up": "Q7RZ2MKX4BT9WPLD"}
_MIXED = "a7Kq2Zx9Lm4Tp0Vb"

_built: dict[str, Rule] = {}


def sighted(tokens: str) -> list[Rule]:
    """The rules of which a token may be among these words, one a line."""
    begun, shaped_ = prefixed(tokens), shaped(tokens)
    return [_rule(row) for row in PREFIXED if row[0] in begun] + [rule for rule in SHAPE_RULES if rule.name in shaped_]


def token_rules() -> tuple[Rule, ...]:
    """All rules of this module, built."""
    return (*map(_rule, PREFIXED), *SHAPE_RULES)


def _rule(row: tuple[str, str, str, int]) -> Rule:
    if row[0] not in _built:
        _built[row[0]] = _prefixed(*row)
    return _built[row[0]]


def _prefixed(name: str, prefixes: str, alphabet: str, fewest: int) -> Rule:
    each = prefixes.split()
    starts = "|".join(
        p.replace(".", r"\.").replace("$", r"\$").replace("+", r"\+") for p in sorted(each, key=len, reverse=True)
    )
    if alphabet in TAILS:
        tail, sample = TAILS[alphabet][:2]
    else:
        tail = f"{ALPHABETS[alphabet]}{{{fewest},2000}}"
        sample = (_FILL.get(alphabet) or (_MIXED.lower() if alphabet == "low" else _MIXED)) * (fewest // 16 + 1)
    if alphabet in ("b62", "low"):
        tail += "(?![A-Za-z0-9_])" if fewest < 30 else ""
    return Rule(
        name=name,
        klass=SECRET,
        starts=tuple(start.lower() for start in each),
        pattern=f"{START}(?:{starts}){tail}",
        vanish="use " + each[0] + sample,
        stay=f"tokens start with {each[0]} and go on",
        judge=_random_enough,
        reach=_glued,
    )


def _glued(text: str, end: int) -> int:
    """A token longer than its pattern is bounded vanishes as far as letters and digits go on."""
    while text[end : end + 1].isalnum():
        end += 1
    return end


def _random_enough(match: object) -> bool:
    """Whether a token has what words lack: a digit, or capitals inside."""
    text: str = match.group()  # type: ignore[attr-defined]
    tail = text[6:] if len(text) > 14 else text
    if any(c in "0123456789" for c in tail):
        return True
    return not tail.islower() and not tail.isupper() and "-" not in tail.strip("-") and "_" not in tail


_H = "3f9a0c7be1d25846"

SHAPE_RULES: tuple[Rule, ...] = (
    Rule(
        name="jwt",
        klass=SECRET,
        pattern=r"(?<![A-Za-z0-9])(?:eyJ[A-Za-z0-9_-]{8,8000}={0,2}(?:\.[A-Za-z0-9_-]{4,8000}={0,2}){1,4}\.?|eyJ[A-Za-z0-9_-]{60,8000}={0,2})",
        vanish="token " + ".".join(("eyJ" + _MIXED, "eyJ" + _MIXED * 2, _MIXED * 2)),
        stay="a JWT starts with eyJ",
        reach=_glued,
    ),
    Rule(
        name="telegram",
        klass=SECRET,
        pattern=r"(?<![0-9])\d{8,10}:AA[A-Za-z0-9_-]{30,40}",
        vanish="bot 123456789" + ":AA" + _MIXED * 2 + "x",
        stay="at 12345678:AA the log ends",
        reach=_glued,
    ),
    Rule(
        name="discord",
        klass=SECRET,
        pattern=r"(?<![A-Za-z0-9_.-])(?:[MNO][DTjz][A-Za-z0-9_-]{22,26}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,45}|mfa\.[A-Za-z0-9_-]{60,100})(?![A-Za-z0-9_.])",
        vanish="bot " + "MT" + (_MIXED * 2)[:24] + "." + "GaB3xY" + "." + (_MIXED * 2),
        stay="MyModule.Client.connect_to_the_other_server_now",
        judge=_random_enough,
    ),
    Rule(
        name="twilio",
        klass=SECRET,
        pattern=r"(?<![A-Za-z0-9])(?:SK|AC)[0-9a-f]{32}(?![A-Za-z0-9])",
        vanish="sid " + "SK" + _H * 2,
        stay="SKU 3f9a0c",
    ),
    Rule(
        name="mailchimp",
        klass=SECRET,
        pattern=r"(?<![A-Za-z0-9])[0-9a-f]{32}-us\d{1,2}(?!\d)",
        vanish="key " + _H * 2 + "-us12",
        stay="region eu-us12",
    ),
    Rule(
        name="terraform",
        klass=SECRET,
        pattern=r"(?<![A-Za-z0-9])[A-Za-z0-9]{10,20}\.atlasv1\.[A-Za-z0-9_=-]{40,100}",
        vanish="use " + "a7Kq2Zx9Lm4Tp0" + ".atlas" + "v1." + _MIXED * 4,
        stay="ends in .atlasv1.",
        reach=_glued,
    ),
    Rule(
        name="azure-client-secret",
        klass=SECRET,
        pattern=r"(?<![A-Za-z0-9_~.-])[A-Za-z0-9_~.-]{3}\dQ~[A-Za-z0-9_~.-]{31,34}",
        vanish="use " + "x8R8" + "Q~" + (_MIXED * 3)[:34],
        stay="the Q~ mark",
    ),
    Rule(
        name="azure-key",
        klass=SECRET,
        pattern=r"(?i:AccountKey|SharedAccessKey|SharedSecret|AccessKey)\s?=\s?(?P<secret>[A-Za-z0-9+/_%-]{20,200}={0,2})",
        vanish="AccountName=x;" + "AccountKey" + "=" + _MIXED * 5 + "==",
        stay="AccountKey=<your key>",
    ),
    Rule(
        name="azure-devops-key",
        klass=SECRET,
        pattern=r"(?<![A-Za-z0-9+/])[A-Za-z0-9+/]{32,76}(?:JQQJ99|\+ASt|ACDb|AzFu|\+AMC|\+ARm|AzSe|APIM)[A-Za-z0-9+/]{4,34}={0,2}",
        vanish="use " + _MIXED * 4 + "JQQJ" + "99" + _MIXED,
        stay="JQQJ99 alone",
        reach=_glued,
    ),
    Rule(
        name="asana",
        klass=SECRET,
        pattern=r"(?<![A-Za-z0-9/.])[012]/\d{14,20}(?:/\d{14,20})?:[a-f0-9]{32}(?![A-Za-z0-9])",
        vanish="use " + "1/" + "1204567890123456:" + _H * 2,
        stay="1/2 done",
    ),
    Rule(
        name="teams-webhook",
        klass=SECRET,
        pattern=r"webhook\.office\.com/(?P<secret>webhookb2/[A-Za-z0-9@/-]{40,300})",
        vanish="https://x.webhook.office.com/" + "webhookb2/" + _H * 4,
        stay="see webhook.office.com/docs",
        reach=_glued,
    ),
)
