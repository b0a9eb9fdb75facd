"""Owns the cheap looks at a text that say which rules are worth compiling. Never imports `re`, never decides."""

from __future__ import annotations

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
    "salt", "identified by", "secur", "log in", "sign in", "user", "connect", "algolia", "hmac", "sign(", "requirepass", "sshpass", "pepper", "login", "pw", "sas", "code=", "license", "licence", "npmauth", "crypt", "пароль", "密码", "密碼", "パスワード", "비밀번호", "wachtwoord", "lösenord", "parola",
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
    """Whether digits stand as in a telephone number: after a plus, in brackets, or soon after a telling word."""
    for sign in ("+", "(", "00"):
        at = text.find(sign)
        while at >= 0:
            near = text[at + 1 : at + 22]
            if near[:1].isdigit() or near[:2] == "(0":
                digits = sum(map(str.isdigit, near))
                if digits >= 7 and (
                    sign != "(" or near[3:4] == ")" or near[4:5] == ")" or near[2:3] == ")" or near[5:6] == ")"
                ):
                    return True
            at = text.find(sign, at + 1)
    at = text.find("0")
    while at >= 0:
        if (
            text[at + 1 : at + 2].isdigit()
            and sum(map(str.isdigit, text[at : at + 14])) == 10
            and text[at + 2 : at + 3] in (" ", ".", "-", "\xa0")
        ):
            return True
        at = text.find("0", at + 1)
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
    tail = (
        near.lstrip("abcdefghijklmnopqrstuvwxyzñ0123456789_-.")
        if near[:1] not in ("", " ", "=", ":", '"', "'")
        else near
    )
    first = tail.lstrip("\\\"'`])* \t?!")[:1]
    if first in ("=", ":", ">", ",", "-", "："):
        value = tail.lstrip("\\\"'`])* \t?!=:>,-\n").split(None, 1)
        if value and len(value[0]) >= 6:
            return True
    if ("||" in near or "??" in near or " or " in near) and ('"' in near or "'" in near):
        return True
    if first == "(" and ('"' in tail or "'" in tail):
        return True
    if "-" in low[max(0, at - 12) : at] or low[max(0, at - 5) : at] in (" env ", "setx ", " arg "):
        return True
    if not first.isascii():
        return True
    return any(len(word) > 5 and _telling(word) for word in near.split()[:10]) or any(
        len(word) > 5 and _telling(word) for word in low[max(0, at - 60) : at].split()[-4:]
    )


def _telling(word: str) -> bool:
    word = word.strip("\"'`.,;:()*")
    return (any(map(str.isdigit, word)) and any(map(str.isalpha, word))) or any(c in word for c in "!@#$%^&*")


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
