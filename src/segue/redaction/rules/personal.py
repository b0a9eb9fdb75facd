"""Owns the rules for people and machines: e-mail, telephone, IP addresses. Never knows a secret."""

from __future__ import annotations

from segue.redaction.rule import EMAIL, IP, PHONE, Rule
from segue.redaction.screens import public_ipv4

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re

_NOT_DOMAINS = frozenset(
    (
        "png jpg jpeg gif svg webp ico bmp tiff avif css scss less js jsx ts tsx mjs cjs py rb rs go java kt md txt "
        "json yaml yml toml lock log xml html htm vue svelte sh service socket target timer mount scope slice device "
        "path swap automount conf cfg ini so dll exe zip gz tar whl deb rpm map wasm pdf local localhost internal php "
        "c h cc cpp hpp cs swift pyc class jar sql db sqlite sock pid tmp bak orig d o a"
    ).split()
)
_VERSION_WORDS = tuple(
    (
        "version ver release chrome firefox edg opr safari == >= <= ~= ^ assembly upgrade build v oid section "
        "chapter rev @ driver nuget fileversion productversion"
    ).split()
)


def _is_email(match: re.Match[str]) -> bool:
    text, start, end = match.string, match.start(), match.end()
    local, _, domain = match.group().rpartition("@")
    ending = domain.rpartition(".")[2].lower()
    if ending in _NOT_DOMAINS or ending.isdigit():
        return False
    if (text[end : end + 1] == ":" and local in ("git", "hg", "ssh", "svn", "org-1")) or (
        text[end : end + 1] == ":"
        and (text[end + 1 : end + 2].isalpha() or text[end + 1 : end + 2] in ("~", "/"))
        and text[start - 3 : start] != "to:"
        and text[end + 1 : end + 40].split(" ")[0].count("/") > 0
    ):
        return False
    before = text[max(0, start - 40) : start]
    if before.endswith("://") or (local == "git" and before.endswith(("ssh://", "+ssh://"))):
        return False
    return not before.endswith(":") or "://" not in before


def _is_phone(match: re.Match[str]) -> bool:
    digits = sum(map(str.isdigit, match.group()))
    text, start, end = match.string, match.start(), match.end()
    if text[start] != "+" and all(len(group) == 4 for group in match.group().split()):
        return False  # a row of a hex dump
    return 7 <= digits <= 15 and not text[end : end + 1].isalnum() and text[start - 1 : start] not in ("$", "€", "#")


def _is_worded_phone(match: re.Match[str]) -> bool:
    number = match.group("secret")
    digits = [c for c in number if c.isdigit()]
    if not 7 <= len(digits) <= 14 or len(set(digits)) < 3:
        return False
    groups = number.replace(".", "-").split("-")
    if (
        len(groups) == 3
        and len(groups[0]) == 4
        and groups[0][:2] in ("19", "20")
        and len(groups[1]) == 2
        and len(groups[2]) == 2
    ):
        return False
    word = match.group("word").lower()
    if word.startswith(_WEAK_WORDS) and not word.startswith("cellphone"):
        return len(digits) >= 9 and (number[0] in "0+(" or not number.isdigit())
    return True


_WEAK_WORDS = tuple(("number call contact reach support ring text cell cel ext dial hotline extension").split())


def _is_ipv4(match: re.Match[str]) -> bool:
    text, start = match.string, match.start()
    if not public_ipv4(match.group()):
        return False
    if max(map(int, match.group().split("."))) < 20 and match.group() not in _KNOWN and not _hosted(text, start):
        return False
    before = text[max(0, start - 24) : start].lower().rstrip("\"' \t:=/([,")
    if text[start - 1 : start] in ("^", "~", "v", "@") and text[start - 2 : start - 1] not in ("t",):
        return not (text[start - 1] != "@" or not _addressed(text, start))
    word = before.rsplit(None, 1)[-1] if before.split() else ""
    letters = word[len(word.rstrip("abcdefghijklmnopqrstuvwxyz")) :]
    if letters in _VERSION_WORDS or before.endswith(("==", ">=", "<=", "~=", "^", "version")):
        return False
    return text[start - 1 : start] != "=" or text[start - 2 : start - 1] not in ("=", ">", "<", "~")


_KNOWN = ("1.1.1.1", "1.0.0.1", "8.8.8.8", "8.8.4.4", "9.9.9.9", "4.4.4.4", "4.2.2.2")


def _hosted(text: str, start: int) -> bool:
    """Whether small octets are told to be an address all the same."""
    near = text[max(0, start - 16) : start].lower()
    return any(word in near for word in "host ip from addr server dns @ // ssh ping peer client nameserver".split())


def _addressed(text: str, start: int) -> bool:
    local = text[max(0, start - 20) : start - 1].split()
    return bool(local) and not local[-1].startswith("@") and "/" not in local[-1].replace("://", "")


def _is_ipv6(match: re.Match[str]) -> bool:
    address = match.group().lower()
    text, start, end = match.string, match.start(), match.end()
    if text[start - 1 : start] in (":", "[") and text[start - 2 : start - 1].isalnum():
        return False
    groups = [g for g in address.split("%")[0].split(":") if g]
    if (
        address.count("::") > 1
        or ":::" in address
        or text[end : end + 1].isalnum()
        or text[end : end + 1] in ("_", "-")
    ):
        return False
    full = "::" not in address
    if (full and len(groups) != 8) or (not full and not 2 <= len(groups) <= 7):
        return False
    if (
        address[:4] in ("fe80", "::1")
        or address[:2] in ("fc", "fd", "ff")
        or address == "::1"
        or not any(c.isdigit() for c in address)
    ):
        return False
    return len(groups) > 2 or (address[0] in "23" and len(groups[0]) == 4)


PERSONAL_RULES: tuple[Rule, ...] = (
    Rule(
        name="email",
        klass=EMAIL,
        pattern=(
            r"(?:(?<![\w.+%@/=&'-])|(?<=\\[nrt])"
            r"|(?<=[=/&']))(?!\.)[\w.+%-]{1,64}@(?:[^\W_](?:[\w-]{0,61}[^\W_])?\.){1,6}(?:xn--[a-z0-9]{2,30}"
            r"|[^\W\d_]{2,24})(?![\w@-]|\.[^\W_])"
        ),
        vanish="write to " + "ann.lee" + "@" + "mail.example.org",
        stay="clone git@" + "example.org:ann/tool.git",
        judge=_is_email,
    ),
    Rule(
        name="phone-international",
        klass=PHONE,
        pattern=(
            r"(?<![\w+./@=-])(?:\+"
            r"|00(?=[1-9]\d{0,2}[ ./()-]))[\s(]{0,2}[1-9]\d{0,3}(?:[\s./()\u2011\u2013\xa0-]{0,3}\d{1,5}){2,7}("
            r"?![\w+]|[.:]\d|-\w)"
        ),
        vanish="at +" + "49 30 9012" + "3456 today",
        stay="+1 2 3",
        judge=_is_phone,
    ),
    Rule(
        name="phone-area-code",
        klass=PHONE,
        pattern=r"(?<![\w)+])(?:\+?1[\s.-]?)?\(\d{3}\)[\s.\xa0-]{0,2}\d{3}[\s.\u2011\xa0-]\d{4}(?!\w)",
        vanish="at (" + "415) 555" + "-2671 today",
        stay="f(415) 555",
    ),
    Rule(
        name="phone-french",
        klass=PHONE,
        pattern=r"(?<![\w.+/:-])0[1-9](?P<gap>[ .\xa0-])\d\d(?:(?P=gap)\d\d){3}(?![\w]|[ .:-]\d)",
        vanish="au 06 12 34" + " 56 78 merci",
        stay="le 06.12.2024",
    ),
    Rule(
        name="phone-worded",
        klass=PHONE,
        pattern=(
            r"(?i:(?<![^\W_])(?P<word>(?:tele|cell|mobile[ _-]?)?phone|tele?fono?s?|telefoon|telefone|tel"
            r"|téléphone|mobile|mobil|mobiel|cell|cel|celular|fax|telefax|call|whatsapp|sms|handy|rufnummer"
            r"|numéro|dial|contact|hotline|reach|ring|number|support|text|ext|portable|téléphone|電話番?号?|电话|手机号?"
            r"|телефон|móvil|extension|komórka|appelez|llama|llame)s?(?:[ _-]?(?:me|us|him|her|no|nr|number"
            r"|numbers|nummer|num|home|work|office|line))?)(?P<gap>\\?[\"'<>]?[ \t]{0,4}(?:[:=#.,(>-]|：|is|on|at"
            r"|to|under|me at|me on|us at|us on)?[\s:.(\"'\\=]{0,5}(?:is |on "
            r"|at )?)(?P<secret>[(+]{0,2}\d{1,5}(?:[ ./()\xa0\u2011\u2013-]{0,3}\d{1,8}){1,6})(?![\w]|[.:]\d)"
        ),
        vanish="Phone: " + "030 9012" + "3456",
        stay="call 3 of 12",
        judge=_is_worded_phone,
    ),
    Rule(
        name="ipv4",
        klass=IP,
        pattern=r"(?<![\w.])(?<!\d-)\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}(?![\w]|\.\d|-[a-z])",
        vanish="from 93.184" + ".216.34 at",
        stay="from 127.0.0.1 at",
        judge=_is_ipv4,
    ),
    Rule(
        name="ipv6",
        klass=IP,
        pattern=r"(?<![\w.])(?:[0-9A-Fa-f]{1,4}:{1,2}){2,7}[0-9A-Fa-f]{0,4}(?![\w:])",
        vanish="from 2a00:1450" + ":4001:81b::200e at",
        stay="at 12:34:56",
        judge=_is_ipv6,
    ),
)
