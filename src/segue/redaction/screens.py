"""Owns the cheap looks at a text that say which rules are worth compiling. Never imports `re`, never decides."""

from __future__ import annotations

from segue.redaction.judge import strength

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

_ALNUM = "abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_BREAKS = str.maketrans({c: " " for c in map(chr, range(128)) if c not in _ALNUM and c not in "_-"})
_WORDY = frozenset(_ALNUM + "_-.")
_NUMBERS = str.maketrans({c: " " for c in map(chr, range(128)) if c not in "0123456789."})
_KEY_WORDS = (
    "passw", "pass", "pwd", "secret", "token", "key", "auth", "cred", "dsn", "cookie", "passphrase", "pin", "otp", "mnemonic", "seed",
    "session", "jwt", "bearer", "passcode", "sig", "contraseña", "passwort", "kennwort", "mot de passe", "senha", "hasło", "webhook", "connection",
    "salt", "identified by", "basic", "secur", "log in", "sign in", "user", "connect", "algolia", "hmac", "sign(", "requirepass", "sshpass", "pepper", "login", "pw", "sas", "code=", "license", "licence", "npmauth", "crypt", "пароль", "密码", "密碼", "パスワード", "비밀번호", "wachtwoord", "lösenord", "parola",
)  # fmt: skip
#: words too common in prose and code to be followed up without a verb
_QUIET = frozenset(
    (
        "key",
        "auth",
        "pin",
        "sig",
        "session",
        "seed",
        "salt",
        "connect",
        "connection",
        "sas",
        "crypt",
        "dsn",
        "otp",
        "license",
        "licence",
        "basic",
        "webhook",
        "cookie",
        "code=",
    )
)
PHONE_WORDS = (
    "phone", "tel", "mobil", "cell", "fax", "call", "whatsapp", "sms", "handy", "mobiel", "celular", "ruf", "numéro", "text me", "dial",
    "電話", "电话", "手机", "телефон", "contact", "hotline", "reach", "ring ", "extension", "number", "ext.", "komórk", "appel", "llam", "support", "portable", "cel",
)  # fmt: skip


def fold(text: str) -> str:
    """The text in lower case, of the same length, so that positions agree."""
    low = text.lower()
    if len(low) == len(text):
        return low
    return "".join(c.lower() if len(c.lower()) == 1 else c for c in text)


def dense(words: set[str]) -> str:
    """The words that have a run long and mixed enough to be a token, lower-cased, one a line."""
    kept = []
    for word in words:
        if len(word) < 16 or (word.islower() and word.isalpha()):
            continue
        for run in word.translate(_BREAKS).split():
            if (
                len(run) > 11
                and not run.isdigit()
                and (any(map(str.isdigit, run)) or not (run.islower() or run.isupper()))
            ):
                kept.append(word)
                break
    return "\n".join(kept).lower()


def has_email(text: str) -> bool:
    """Whether an at sign stands between two words, with a dot soon after it."""
    at = text.find("@")
    while at >= 0:
        if at and text[at - 1] not in " \t\n\"'(<@/[" and "." in text[at + 2 : at + 120].split(None, 1)[0:1].__str__():
            return True
        at = text.find("@", at + 1)
    return False


def has_phone(text: str, low: str) -> bool:
    """Whether digits stand as in a telephone number: after a plus, in brackets, in pairs, or soon after a telling word."""
    for sign in ("+", "(", "00"):
        at = text.find(sign)
        while at >= 0:
            near = text[at + 1 : at + 22]
            digits = sum(map(str.isdigit, near))
            if digits >= 7 and (near[0].isdigit() or near[:2] == "(0") and not text[at - 1 : at].isalnum():
                if (
                    sign == "+"
                    or (sign == "(" and ")" in near[2:6])
                    or (sign == "00" and not any(map(str.isalpha, near[:16])) and any(c in near for c in " ./("))
                ):
                    return True
            at = text.find(sign, at + 1)
    at = text.find("0")
    while at >= 0:
        pair = text[at : at + 14]
        if (
            pair[1:2].isdigit()
            and pair[2:3] in (" ", ".", "-", "\xa0")
            and sum(map(str.isdigit, pair)) == 10
            and pair.count(pair[2]) == 4
        ):
            return True
        at = text.find("0", at + 1)
    for word in PHONE_WORDS:
        at = low.find(word)
        while at >= 0:
            at += len(word)
            if _numbered(low[at : at + 60]):
                return True
            at = low.find(word, at)
    return False


def _numbered(near: str) -> bool:
    start = next((i for i, c in enumerate(near[:26]) if c.isdigit() or c == "\n"), 26)
    digits = 0
    for c in near[start:]:
        if c.isdigit():
            digits += 1
        elif c not in " -./()+\xa0\u2011\u2013":
            break
    return digits >= 7


def has_ip(words: set[str]) -> bool:
    """Whether a word holds a public IPv4 address, or enough colons and digits for an IPv6 address."""
    for word in words:
        if len(word) > 6 and word.count(".") > 2:
            for part in word.translate(_NUMBERS).split():
                if part.count(".") >= 3 and public_ipv4(part.strip(".")):
                    return True
        if len(word) > 6 and word.count(":") > 2 and any(map(str.isdigit, word)):
            return True
    return False


def public_ipv4(text: str) -> bool:
    """Whether this is an IPv4 address that others can reach."""
    octets = text.split(".")
    if len(octets) != 4 or not all(
        o.isascii() and o.isdigit() and len(o) < 4 and int(o) < 256 and (o == "0" or o[0] != "0") for o in octets
    ):
        return False
    a, b, c, d = map(int, octets)
    private = (
        a in (0, 10, 127)
        or a >= 224
        or (a == 172 and 16 <= b < 32)
        or (a == 192 and b == 168)
        or (a == 169 and b == 254)
        or (a == 100 and 64 <= b < 128)
    )
    return not private and (b, c, d) != (0, 0, 0)


def context_spans(text: str, low: str) -> list[tuple[int, int]]:
    """The lines, with the two that follow, where a word that names a secret stands beside something like a value."""
    hits = set()
    for word in _KEY_WORDS:
        at = low.find(word)
        while at >= 0:
            end = at + len(word)
            if _assigns(text, low, at, end):
                hits.add(at)
                line_end = low.find("\n", end)
                end = line_end if line_end >= 0 else len(low)
            at = low.find(word, end)
    spans: list[tuple[int, int]] = []
    for at in sorted(hits):
        start, end = low.rfind("\n", 0, at) + 1, at
        for _ in range(3):
            end = low.find("\n", end + 1)
            if end < 0:
                end = len(low)
                break
        if spans and start <= spans[-1][1]:
            spans[-1] = (spans[-1][0], max(end, spans[-1][1]))
        else:
            spans.append((start, end))
    return spans


_NAME = frozenset("abcdefghijklmnopqrstuvwxyz0123456789_-.ABCDEFGHIJKLMNOPQRSTUVWXYZ")


def _assigns(text: str, low: str, at: int, end: int) -> bool:
    start, stop = at, end
    while start and at - start < 40 and text[start - 1] in _NAME:
        start -= 1
    while stop < len(text) and stop - end < 40 and text[stop] in _NAME:
        stop += 1
    near = low[stop : stop + 100]
    tail = near.lstrip("\\\"'`])* \t?!")
    first = tail[:1]
    if first in ("=", ":", ">", ",", "-", "(", "：") and (first != "(" or '"' in near or "'" in near):
        value = tail.lstrip("\\\"'`])* \t?!=:>,(-\n")[:60].split(None, 1)
        if (
            value
            and len(value[0]) >= 6
            and (strength(text[start:stop].strip("-_.")) or text[start - 1 : start] in (" ", ":", "\\"))
        ):
            if (
                first == "="
                or '"' in near[:16]
                or "'" in near[:16]
                or any(c in value[0] for c in "0123456789!@$^*")
                or "value" in near
            ):
                return True
    elif text[start : start + 1] == "-" or low[max(0, start - 5) : start] in (" env ", "\nenv ", "setx "):
        return bool(near[1:7].strip()) and near[:1] in (" ", "=")
    if "value" in near[:60] or (
        low[at:end] in ("bearer", "auth", "basic")
        and any(len(w) > 5 for w in near.split()[:3])
        and any(w in low[at : at + 60] for w in ("bearer ", "basic ", "token "))
    ):
        return True
    if near[:1] and not near[0].isascii():
        return True
    line = near.partition("\n")[0]
    if ("||" in line or "??" in line or " or " in line) and ('"' in line or "'" in line):
        return True
    if low[at:end] in _QUIET and " is " not in line[:40] and " was " not in line[:40]:
        return False
    before = low[max(0, start - 60) : start].rpartition("\n")[2]
    return any(_telling(word) for word in line.split()[:10]) or any(_telling(word) for word in before.split()[-4:])


def _telling(word: str) -> bool:
    word = word.strip("\"'`.,;:()*[]").rpartition(":")[2]
    if not 5 < len(word) < 60 or any(c in word for c in "[](){}<>,%=") or word.count("/") > 1:
        return False
    has_digit, has_sign = any(map(str.isdigit, word)), any(c in word for c in "!@#$^*")
    return (has_digit and any(map(str.isalpha, word)) and word.count(".") < 2) or has_sign


def has_entropy(words: set[str]) -> bool:
    """Whether a word is long and of all kinds of characters."""
    for word in words:
        if len(word) > 19 and sum(map(str.isdigit, word)) > 1:
            part = word.rstrip("\"',;)}]=").rpartition("=")[2].rpartition(":")[2].strip("\"'`")
            if (
                len(part) > 19
                and part.count("/") < 4
                and part.count("-") < 4
                and not part.islower()
                and not part.isupper()
            ):
                return True
    return False


def _any_after(low: str, literal: str, look: Callable[[str], bool], span: int) -> bool:
    at = low.find(literal)
    while at >= 0:
        at += len(literal)
        if look(low[at : at + span]):
            return True
        at = low.find(literal, at)
    return False


def has_userinfo(low: str) -> bool:
    """Whether an at sign follows a URL's scheme before the URL ends."""
    return "@" in low and _any_after(low, "://", lambda near: "@" in near.split(None, 1)[:1].__str__(), 520)


def has_query(low: str) -> bool:
    """Whether a query string has a value that is long enough."""
    return any(_any_after(low, sign, _long_value, 80) for sign in ("?", "&"))


def _long_value(near: str) -> bool:
    name, sign, value = near.partition("=")
    return (
        bool(sign)
        and len(name) < 40
        and name.replace("-", "").replace("_", "").replace(";", "").isalnum()
        and len(value.split("&")[0]) > 5
    )


def has_user_option(low: str) -> bool:
    """Whether a user option is followed by a name, a colon and more."""
    return any(
        _any_after(low, sign, lambda near: ":" in near.lstrip(" =")[:80].split(" ")[0][1:], 100)
        for sign in ("-u", "--user", "-user")
    )


def starts_token(tokens: str, literal: str) -> bool:
    """Whether the literal stands where a token may start."""
    at = tokens.find(literal)
    while at >= 0:
        before = tokens[at - 1 : at]
        if not (before.isalnum() or before == "_") or before in "nrtm" or tokens[max(0, at - 3) : at - 2] == "%":
            return True
        at = tokens.find(literal, at + 1)
    return False
