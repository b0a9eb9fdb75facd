"""Owns the cheap looks at a text that say which rules are worth loading. Never imports `re`, never decides."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

_ALNUM = "abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_ASCII = "".join(map(chr, range(128)))
_BREAKS = str.maketrans({c: " " for c in _ASCII if c not in _ALNUM + "_-"})
_NUMBERS = str.maketrans({c: " " for c in _ASCII if c not in "0123456789."})
_HEXES = str.maketrans({c: " " for c in _ASCII if c not in "0123456789abcdefABCDEF:"})
_NO_DIGIT = "".join(c for c in _ASCII if not c.isdigit() and c != "\n")
_NAME = _ALNUM + "_-."
#: words beside which a secret may stand; a word that holds another one of this list is not repeated
_KEY_WORDS = (
    "pass pwd secret token key auth cred dsn cookie pin otp mnemonic seed session jwt bearer sig contraseña kennwort"
    " senha hasło webhook connect salt basic secur user algolia hmac sign( pepper login pw sas code= license licence"
    " crypt пароль 密码 密碼 パスワード 비밀번호 wachtwoord lösenord parola masterauth"
).split()
_KEY_PHRASES = ("identified by", "log in", "sign in")
#: words too common in prose and code to be followed up without a sign of assignment
_QUIET = frozenset(
    "key auth pin sig session seed salt connect sas crypt dsn otp license licence basic webhook cookie code=".split()
)
#: parts of too many other words to be followed up inside one that names no secret
_PARTS = frozenset("key pin sig session seed salt connect sas crypt dsn otp pw user cred secur login".split())
#: what makes another word of `pass`
_PASSING = ("ed", "es", "in", "iv", "ag", "th")
PHONE_WORDS = (
    "phone tel mobil cell fax call whatsapp sms handy mobiel ruf numéro dial 電話 电话 手机 телефон contact hotline"
    " reach extension number ext. komórk appel llam support portable cel"
).split()  # fmt: skip
PHONE_PHRASES = ("text me", "ring ")
#: the literals without which what frames a secret is not there
FRAMES: dict[str, tuple[str, ...]] = {
    "pem": ("-begin", "----"),
    "url-credentials": ("://",),
    "url-user-token": ("://",),
    "query-secret": ("?", "&"),
    "curl-user": ("-u", "-user"),
    "pgpass": (":5432:", ":*:", ":5433:", ":6432:"),
    "command-password": tuple(
        (
            "mysql sshpass redis-cli mongo mariadb pscp plink login htpasswd ldap zip 7z pass: requirepass masterauth"
        ).split()
    ),
    "webhook": (
        "hooks.zapier.com/hooks/catch/",
        "hook.eu1.make.com/",
        "hook.us1.make.com/",
        "chat.googleapis.com/v1/spaces/",
        "open.feishu.cn/open-apis/bot/",
    ),
}


def fold(text: str) -> str:
    """The text in lower case, of the same length, so that positions agree."""
    low = text.lower()
    if len(low) == len(text):
        return low
    return "".join(c.lower() if len(c.lower()) == 1 else c for c in text)


def frames(low: str, bag: str) -> list[str]:
    """The names of the framed rules that a lower-cased text, and the bag of its words, may hold something for."""
    return [
        name
        for name, literals in FRAMES.items()
        if any(literal in bag for literal in literals) and (name not in _SIGHTS or _SIGHTS[name](low))
    ]


def dense(words: list[str]) -> str:
    """The words that have a run long and mixed enough to be a token, one a line."""
    kept = []
    for word in [w for w in words if len(w) > 15]:
        for run in word.translate(_BREAKS).split():
            if len(run) > 11 and not run.isdigit() and (not run.isalpha() or (len(run) > 15 and _is_cased(run))):
                kept.append(word)
                break
    return "\n".join(kept)


def _is_cased(run: str) -> bool:
    return not (run.islower() or run.isupper())


def has_email(text: str) -> bool:
    """Whether an at sign stands between two words, with a dot soon after it."""
    at = text.find("@")
    while at >= 0:
        if at and text[at - 1] not in " \t\n\"'(<@/[" and "." in (text[at + 2 : at + 120].split(None, 1) or ("",))[0]:
            return True
        at = text.find("@", at + 1)
    return False


def has_phone(text: str, low: str, bag: str) -> bool:
    """Whether digits stand as in a telephone number: after a plus, in brackets, in pairs or after a telling word."""
    if any(_any_at(text, sign, then, looks) for sign, then, looks in _DIALLED):
        return True
    for word in [w for w in PHONE_WORDS if w in bag] + [w for w in PHONE_PHRASES if w in low]:
        if _any_after(low, word, _numbered, 60):
            return True
    return False


def _any_at(text: str, sign: str, then: str, looks: Callable[[str], bool]) -> bool:
    at, size = text.find(sign), len(sign)
    while at >= 0:
        if text[at + size : at + size + 1] in then and not text[at - 1 : at].isalnum() and looks(text[at : at + 22]):
            return True
        at = text.find(sign, at + 1)
    return False


def _digits(text: str) -> int:
    return sum(map(str.isdigit, text))


def _international(near: str) -> bool:
    return (near[1:2].isdigit() or near[1:3] in ("(0", " (")) and _digits(near) >= 7


def _bracketed(near: str) -> bool:
    return ")" in near[3:7] and _digits(near) >= 7


def _zeros(near: str) -> bool:
    return _digits(near[1:]) >= 7 and not any(map(str.isalpha, near[1:17])) and any(c in near[1:] for c in " ./(")


def _pairs(near: str) -> bool:
    gap, pair = near[2:3], near[:14]
    return gap in (" ", ".", "-", "\xa0") and pair.count(gap) == 4 and _digits(pair) == 10


_DIALLED = (
    ("+", "123456789( ", _international),
    ("(", "0123456789", _bracketed),
    ("00", "123456789", _zeros),
    ("0", "123456789", _pairs),
)


def _numbered(near: str) -> bool:
    rest = near.lstrip(_NO_DIGIT)
    if rest[:1].isascii() and (not rest or rest[0] == "\n" or len(near) - len(rest) > 26):
        return False
    start = next((i for i, c in enumerate(near[:26]) if c.isdigit() or c == "\n"), 26)
    digits = 0
    for c in near[start:]:
        if c.isdigit():
            digits += 1
        elif c not in " -./()+\xa0\u2011\u2013":
            break
    return digits >= 7


def has_ip(words: list[str]) -> bool:
    """Whether a word holds a public IPv4 address, or enough colons and digits for an IPv6 address."""
    for word in [w for w in words if w.count(".") > 2]:
        for part in word.translate(_NUMBERS).split():
            if part.count(".") > 2 and public_ipv4(part.strip(".")):
                return True
    return any(_colons(chunk) for w in words if w.count(":") > 2 or "::" in w for chunk in w.translate(_HEXES).split())


def _colons(chunk: str) -> bool:
    return ("::" in chunk or chunk.count(":") > 6) and chunk.strip(":").count(":") > 0 and any(map(str.isdigit, chunk))


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


def has_entropy(parts: list[str], words: list[str]) -> bool:
    """Whether a word long and of all kinds of characters stands after an equals sign or a colon."""
    mixed = {word for word in [w for w in words if len(w) > 19 and not w.islower()] if _is_mixed(word)}
    if not mixed:
        return False
    before = ""
    for word in parts:
        if word in mixed:
            head = word.rstrip("\"',;)}]=")
            core = head[max(head.rfind("="), head.rfind(":")) + 1 :]
            if len(core) < len(head) or before.rstrip("\"'`>")[-1:] in ("=", ":"):
                return True
        before = word
    return False


def _is_mixed(word: str) -> bool:
    core = word.rstrip("\"',;)}]=").rpartition("=")[2].rpartition(":")[2].strip("\"'`")
    return (
        len(core) > 19
        and core.count("/") < 4
        and core.count("-") < 4
        and not (core.islower() or core.isupper())
        and _digits(core) > 1
    )


def may_name_secret(key: str) -> bool:
    """Whether a key has a word in it that may name a secret."""
    low = fold(key)
    return any(word in low for word in _KEY_WORDS)


def context_spans(text: str, low: str, bag: str) -> list[tuple[int, int]]:
    """The lines, with the two that follow, where a word that names a secret stands beside something like a value."""
    spans: list[tuple[int, int]] = []
    for at in sorted(_named(text, low, bag)):
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


def _named(text: str, low: str, bag: str) -> set[int]:
    words = [w for w in _KEY_WORDS if w in bag] + [w for w in _KEY_PHRASES if w in low]
    if not words:
        return set()
    from segue.redaction.judge import strength

    hits = set()
    for word in words:
        at = low.find(word)
        while at >= 0:
            end = at + len(word)
            if _assigns(text, low, at, end, strength):
                hits.add(at)
                line_end = low.find("\n", end)
                end = line_end if line_end >= 0 else len(low)
            at = low.find(word, end)
    return hits


def _assigns(text: str, low: str, at: int, end: int, strength: Callable[[str], int]) -> bool:
    before, after = text[max(0, at - 40) : at], text[end : end + 40]
    start, stop = at - len(before) + len(before.rstrip(_NAME)), end + len(after) - len(after.lstrip(_NAME))
    word = low[at:end]
    strong = strength(text[start:stop].strip("-_."))
    glued = text[at - 1 : at].isalpha() or text[end : end + 1].isalpha()
    if not strong and glued and (word in _PARTS or (word == "pass" and low[end:stop].startswith(_PASSING))):
        return False
    near = low[stop : stop + 100]
    if _followed(text, near, start, bool(strong)) or (near and not near[0].isascii()):
        return True
    option = text[start : start + 1] == "-" or low[max(0, start - 5) : start] in (" env ", "\nenv ", "setx ")
    if option and near[:1] not in ("=", ":", ">", ","):
        return bool(near[1:7].strip()) and near[:1] == " "
    if "value" in near[:60] or (
        word in ("bearer", "auth", "basic")
        and any(len(w) > 5 for w in near.split()[:3])
        and any(w in low[at : at + 60] for w in ("bearer ", "basic ", "token "))
    ):
        return True
    line = near.partition("\n")[0]
    if ("||" in line or "??" in line or " or " in line) and ('"' in line or "'" in line):
        return True
    if word in _QUIET and " is " not in line[:40] and " was " not in line[:40]:
        return False
    told = low[max(0, start - 60) : start].rpartition("\n")[2].split()[-4:]
    return any(_telling(w) for w in line.split()[:10]) or any(_telling(w) for w in told)


def _followed(text: str, near: str, start: int, strong: bool) -> bool:
    """Whether a name is followed by a sign of assignment and something that may be a value."""
    tail = near.lstrip("\\\"'`])* \t?!")
    first = tail[:1]
    if first not in ("=", ":", ">", ",", "-", "(", "：") or (first == "(" and '"' not in near and "'" not in near):
        return False
    value = tail.lstrip("\\\"'`])* \t?!=:>,(-\n")[:60].split(None, 1)
    return (
        bool(value)
        and len(value[0]) >= 6
        and (strong or text[start - 1 : start] in (" ", ":", "\\"))
        and (
            first == "="
            or '"' in near[:16]
            or "'" in near[:16]
            or any(c in value[0] for c in "0123456789!@$^*")
            or "value" in near
        )
    )


def _telling(word: str) -> bool:
    word = word.strip("\"'`.,;:()*[]").rpartition(":")[2]
    if not 5 < len(word) < 60 or any(c in word for c in "[](){}<>,%=") or word.count("/") > 1:
        return False
    has_digit, has_sign = any(map(str.isdigit, word)), any(c in word for c in "!@#$^*")
    return (has_digit and any(map(str.isalpha, word)) and word.count(".") < 2) or has_sign


def _any_after(low: str, literal: str, look: Callable[[str], bool], span: int) -> bool:
    at = low.find(literal)
    while at >= 0:
        at += len(literal)
        if look(low[at : at + span]):
            return True
        at = low.find(literal, at)
    return False


def _has_userinfo(low: str) -> bool:
    return "@" in low and _any_after(low, "://", lambda near: "@" in (near.split(None, 1) or ("",))[0], 520)


def _has_query(low: str) -> bool:
    return any(_any_after(low, sign, _long_value, 80) for sign in ("?", "&"))


def _long_value(near: str) -> bool:
    name, sign, value = near.partition("=")
    return (
        bool(sign)
        and len(name) < 40
        and name.replace("-", "").replace("_", "").replace(";", "").isalnum()
        and len(value.split("&")[0]) > 5
    )


def _has_user_option(low: str) -> bool:
    def looks(near: str) -> bool:
        return ":" in near.lstrip(" =")[:80].split(" ")[0][1:]

    return any(_any_after(low, sign, looks, 100) for sign in ("-u", "-user"))


def _has_password_option(low: str) -> bool:
    return any(sign in low for sign in (" -p", " -a ", " -w ", "htpasswd", "requirepass", "masterauth", "pass:"))


_SIGHTS: dict[str, Callable[[str], bool]] = {
    "pem": lambda low: "-begin " in low or "---- begin " in low,
    "url-credentials": _has_userinfo,
    "url-user-token": _has_userinfo,
    "query-secret": _has_query,
    "curl-user": _has_user_option,
    "command-password": _has_password_option,
}


def follows(tokens: str, literal: str, fewest: int, alphabet: str) -> bool:
    """Whether the literal stands where a token may start, with enough of an alphabet after it."""
    at = tokens.find(literal)
    while at >= 0:
        before, end = tokens[at - 1 : at], at + len(literal)
        if not (before.isalnum() or before == "_") or before in "nrtm" or tokens[max(0, at - 3) : at - 2] == "%":
            tail = tokens[end : end + fewest]
            if len(tail) == fewest and not tail.strip(alphabet):
                return True
        at = tokens.find(literal, at + 1)
    return False
