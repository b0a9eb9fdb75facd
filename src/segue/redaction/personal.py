"""Owns the rules for people and machines: e-mail, telephone, IP addresses. Never knows a secret."""

from __future__ import annotations

from segue.redaction.rule import EMAIL, IP, PHONE, Rule
from segue.redaction.screens import public_ipv4

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re

#: endings of file and unit names that no mail is sent to
_NOT_DOMAINS = frozenset(
    "png jpg jpeg gif svg webp ico bmp tiff avif css scss less js jsx ts tsx mjs cjs py rb rs go java kt md"
    " txt json yaml yml toml lock log xml html htm vue svelte sh service socket target timer mount scope slice"
    " device path swap automount conf cfg ini so dll exe zip gz tar whl deb rpm map wasm pdf local localhost"
    " internal php c h cc cpp hpp cs swift pyc class jar sql db sqlite sock pid tmp bak orig d o a".split()
)
#: words before a version with four parts
_VERSION_WORDS = frozenset(
    "version ver release chrome firefox edg opr safari == >= <= ~= ^ assembly upgrade build v oid section"
    " chapter rev @ driver nuget fileversion productversion".split()
)
#: words that stand before other numbers too
_WEAK_WORDS = tuple("number call contact reach support ring text cell cel ext dial hotline extension".split())
_HOST_WORDS = tuple("host ip from addr server dns @ // ssh ping peer client nameserver".split())


def _is_email(match: re.Match[str]) -> bool:
    text, start, end = match.string, match.start(), match.end()
    local, _, domain = match.group().rpartition("@")
    ending = domain.rpartition(".")[2].lower()
    if ending in _NOT_DOMAINS or ending.isdigit():
        return False
    if text[end : end + 1] == ":" and (local in ("git", "hg", "ssh", "svn", "org-1") or _is_remote(text, start, end)):
        return False
    before = text[max(0, start - 40) : start]
    if before.endswith("://") or (local == "git" and before.endswith(("ssh://", "+ssh://"))):
        return False
    return not before.endswith(":") or "://" not in before


def _is_remote(text: str, start: int, end: int) -> bool:
    """Whether a colon and a path follow, as in the address of a repository."""
    path = text[end + 1 : end + 40].partition(" ")[0]
    return (path[:1].isalpha() or path[:1] in ("~", "/")) and "/" in path and text[start - 3 : start] != "to:"


def _is_phone(match: re.Match[str]) -> bool:
    digits = sum(map(str.isdigit, match.group()))
    text, start, end = match.string, match.start(), match.end()
    return 7 <= digits <= 15 and not text[end : end + 1].isalnum() and text[start - 1 : start] not in ("$", "€", "#")


def _is_worded_phone(match: re.Match[str]) -> bool:
    number = match.group("secret")
    digits = [c for c in number if c.isdigit()]
    if not 7 <= len(digits) <= 14 or len(set(digits)) < 3:
        return False
    if _is_date(number):
        return False
    word = match.group("word").lower()
    if word.startswith(_WEAK_WORDS) and not word.startswith("cellphone"):
        return len(digits) >= 9 and (number[0] in "0+(" or not number.isdigit())
    return True


def _is_date(number: str) -> bool:
    groups = number.replace(".", "-").split("-")
    return [len(group) for group in groups] == [4, 2, 2] and groups[0][:2] in ("19", "20")


def _is_ipv4(match: re.Match[str]) -> bool:
    text, start, address = match.string, match.start(), match.group()
    if not public_ipv4(address):
        return False
    if max(map(int, address.split("."))) < 20 and address not in _KNOWN and not _hosted(text, start):
        return False
    sign, earlier = text[start - 1 : start], text[start - 2 : start - 1]
    if sign in ("^", "~", "v", "@") and earlier != "t":
        return sign == "@" and _addressed(text, start)
    if _is_versioned(text[max(0, start - 24) : start].lower().rstrip("\"' \t:=/([,")):
        return False
    return sign != "=" or earlier not in ("=", ">", "<", "~")


def _is_versioned(before: str) -> bool:
    word = before.rsplit(None, 1)[-1] if before.split() else ""
    letters = word[len(word.rstrip("abcdefghijklmnopqrstuvwxyz")) :]
    return letters in _VERSION_WORDS or before.endswith(("==", ">=", "<=", "~=", "^", "version"))


_KNOWN = ("1.1.1.1", "1.0.0.1", "8.8.8.8", "8.8.4.4", "9.9.9.9", "4.4.4.4", "4.2.2.2")


def _hosted(text: str, start: int) -> bool:
    """Whether small octets are told to be an address all the same."""
    near = text[max(0, start - 16) : start].lower()
    return any(word in near for word in _HOST_WORDS)


def _addressed(text: str, start: int) -> bool:
    local = text[max(0, start - 20) : start - 1].split()
    return bool(local) and not local[-1].startswith("@") and "/" not in local[-1].replace("://", "")


def _is_ipv6(match: re.Match[str]) -> bool:
    address = match.group().lower()
    text, start, end = match.string, match.start(), match.end()
    after = text[end : end + 1]
    if text[start - 1 : start] in (":", "[") and text[start - 2 : start - 1].isalnum():
        return False
    if after.isalnum() or after in ("_", "-") or address.count("::") > 1 or ":::" in address:
        return False
    groups = [g for g in address.split("%")[0].split(":") if g]
    fits = 2 <= len(groups) <= 7 if "::" in address else len(groups) == 8
    if not fits or _is_local(address) or not any(map(str.isdigit, address)):
        return False
    return len(groups) > 2 or (address[0] in "23" and len(groups[0]) == 4)


def _is_local(address: str) -> bool:
    return address.startswith(("fe80", "::1", "fc", "fd", "ff"))


_WORD_STARTS = tuple(
    "tele phone tel téléphone mobile mobil cell cel fax call whatsapp sms handy rufnummer numéro dial contact hotline"
    " reach ring number support text ext portable 電話番 电话 手机 телефон móvil komórka appelez llam".split()
)
PERSONAL_RULES: tuple[Rule, ...] = (
    Rule(
        name="email",
        klass=EMAIL,
        pattern=(
            r"(?:(?<![\w.+%@/=&'-])|(?<=\\[nrt])|(?<=[=/&']))(?!\.)[\w.+%-]{1,64}@"
            r"(?:[^\W_](?:[\w-]{0,61}[^\W_])?\.){1,6}(?:xn--[a-z0-9]{2,30}|[^\W\d_]{2,24})"
            r"(?![\w@-]|\.[^\W_])"
        ),
        vanish="write to " + "ann.lee" + "@" + "mail.example.org",
        stay="clone git@" + "example.org:ann/tool.git",
        judge=_is_email,
    ),
    Rule(
        name="phone-international",
        klass=PHONE,
        pattern=(
            r"(?<![\w+./@=-])(?:\+|00(?=[1-9]\d{0,2}[ ./()-]))[\s(]{0,2}[1-9]\d{0,3}"
            r"(?:[\s./()\u2011\u2013\xa0-]{0,3}\d{1,5}){2,7}(?![\w+]|[.:]\d"
            r"|-\w)"
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
        starts=_WORD_STARTS,
        pattern=(
            r"(?i:(?<![^\W_])(?P<word>(?:tele|cell|mobile[ _-]?)?phone|tele?fono?s?"
            r"|telefoon|telefone|tel|téléphone|mobile|mobil|mobiel|cell|cel"
            r"|celular|fax|telefax|call|whatsapp|sms|handy|rufnummer|numéro"
            r"|dial|contact|hotline|reach|ring|number|support|text|ext|portable"
            r"|téléphone|電話番?号?|电话|手机号?|телефон|móvil|extension|komórka|appelez"
            r"|llama|llame)s?(?:[ _-]?(?:me|us|him|her|no|nr|number|numbers"
            r"|nummer|num|home|work|office|line))?)(?P<gap>\\?[\"'<>]?[ \t]{0,4}"
            r"(?:[:=#.,(>-]|：|is|on|at|to|under|me at|me on|us at|us on)?[\s:.(\"'\\=]{0,5}"
            r"(?:is |on |at )?)(?P<secret>[(+]{0,2}\d{1,5}(?:[ ./()\xa0\u2011\u2013-]{0,3}\d{1,8}){1,6})"
            r"(?![\w]|[.:]\d)"
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
