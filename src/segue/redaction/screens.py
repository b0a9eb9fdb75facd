"""Owns the cheap looks at a text that say which rules are worth compiling. Never imports `re`, never decides."""

from __future__ import annotations

_ALNUM = "abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_BREAKS = str.maketrans({c: " " for c in map(chr, range(128)) if c not in _ALNUM and c not in "_-"})
_WORDY = frozenset(_ALNUM + "_-.")
_NUMBERS = str.maketrans({c: " " for c in map(chr, range(128)) if c not in "0123456789."})
_KEY_WORDS = (
    "passw", "pass", "pwd", "secret", "token", "key", "auth", "cred", "dsn", "cookie", "passphrase", "pin", "otp", "mnemonic", "seed",
    "session", "jwt", "bearer", "passcode", "sig", "contraseña", "passwort", "kennwort", "mot de passe", "senha", "hasło", "webhook", "connection",
    "salt", "identified by", "pepper", "login", "pw", "sas", "code=", "license", "licence", "npmauth", "crypt", "пароль", "密码", "密碼", "パスワード", "비밀번호", "wachtwoord", "lösenord", "parola",
)  # fmt: skip
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
        if len(word) < 16 or word.islower() and word.isalpha():
            continue
        for run in word.translate(_BREAKS).split():
            if len(run) > 11 and not run.isdigit() and (any(map(str.isdigit, run)) or not (run.islower() or run.isupper())):
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
    """Whether digits stand as in a telephone number: after a plus, in brackets, or soon after a telling word."""
    for sign in ("+", "(", "00"):
        at = text.find(sign)
        while at >= 0:
            near = text[at + 1 : at + 22]
            if near[:1].isdigit() or near[:2] == "(0":
                digits = sum(map(str.isdigit, near))
                if digits >= 7 and (sign != "(" or near[3:4] == ")" or near[4:5] == ")" or near[2:3] == ")" or near[5:6] == ")"):
                    return True
            at = text.find(sign, at + 1)
    for word in PHONE_WORDS:
        at = low.find(word)
        while at >= 0:
            at += len(word)
            near = low[at : at + 48]
            if sum(map(str.isdigit, near)) >= 6:
                return True
            at = low.find(word, at)
    return False


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
    if len(octets) != 4 or not all(o.isascii() and o.isdigit() and len(o) < 4 and int(o) < 256 and (o == "0" or o[0] != "0") for o in octets):
        return False
    a, b, c, d = map(int, octets)
    private = a in (0, 10, 127) or a >= 224 or (a == 172 and 16 <= b < 32) or (a == 192 and b == 168) or (a == 169 and b == 254) or (a == 100 and 64 <= b < 128)
    return not private and (b, c, d) != (0, 0, 0)


def has_context(low: str) -> bool:
    """Whether a word that names a secret is followed closely by a separator and something long enough."""
    for word in _KEY_WORDS:
        at = low.find(word)
        while at >= 0:
            end = at + len(word)
            if _assigns(low, at, end):
                return True
            at = low.find(word, end)
    return False


def _assigns(low: str, at: int, end: int) -> bool:
    near = low[end : end + 100]
    tail = near.lstrip("abcdefghijklmnopqrstuvwxyz0123456789_-.") if near[:1] not in ("", " ", "=", ":", '"', "'") else near
    if len(near) - len(tail) > 40:
        return False
    first = tail.lstrip("\\\"'`])* \t?!")[:1]
    if first in ("=", ":", ">", ","):
        value = tail.lstrip("\\\"'`])* \t?!=:>,\n")
        return len(value.split(None, 1)[0]) >= 5 if value.split(None, 1) else bool(value)
    gap = tail.lstrip()
    if gap[:3] in ("is ", "was") or " is " in gap[:60] or gap[:1] in "\"'`" and len(gap) > 6:
        return True
    before = low[max(0, at - 30) : at]
    return "-" in before[-12:] or "env " in before or "set" in before or "login" in low[max(0, at - 80) : at] or "login" in low[at:end]


def has_entropy(words: set[str]) -> bool:
    """Whether a word is long and of all kinds of characters."""
    for word in words:
        if len(word) > 19 and sum(map(str.isdigit, word)) > 1:
            part = word.rstrip("\"',;)}]=").rpartition("=")[2].rpartition(":")[2].strip("\"'`")
            if len(part) > 19 and part.count("/") < 4 and part.count("-") < 4 and not part.islower() and not part.isupper():
                return True
    return False
