"""Owns the cheap looks at a text that say which rules are worth loading. Never imports `re`, never decides."""

from __future__ import annotations

from segue.redaction.rule import fold

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

SHORTEST = 6
_LONG, _RUN, _RANDOM = 16, 12, 20
_REMEMBERED = 50_000

_LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
_DIGITS = frozenset("0123456789")
_SIGNS = frozenset("!@#$^*")
_TELLING = _DIGITS | _SIGNS
_NAME = _LETTERS + "0123456789_-."
_CONTROLS = "".join(map(chr, (*range(33), 127)))
_BETWEEN = _CONTROLS + "!\"#$%&'()*+,/:;<=>?@[\\]^`{|}~"
_BREAKS = str.maketrans(_BETWEEN + ".", " " * len(_BETWEEN + "."))
_NUMBERS = str.maketrans(_BETWEEN + _LETTERS + "-_", " " * len(_BETWEEN + _LETTERS + "-_"))
_ZEROS = bytes.maketrans(b"0123456789", b"0" * 10)
#: what may stand within a telephone number
_WITHIN_NUMBERS = b" \t\r\n\x0b\x0c\x1c\x1d\x1e\x1f./()-"
_GAPS = (" ", ".", "-", "\xa0")

#: parts of words that tell of a secret beside them; one that holds another needs no row of its own
_KEY_WORDS = (
    "pass pw secret token key auth cred dsn cookie pin otp mnemonic seed session jwt bearer sig contraseña kennwort"
    " senha hasło webhook connect salt basic secur user algolia hmac sign( pepper login sas code= license licence"
    " npmauth crypt пароль 密码 密碼 パスワード 비밀번호 wachtwoord lösenord parola"
).split()
_KEY_PHRASES = ("identified by", "log in", "sign in")
#: too common in prose and code to be followed up without a verb
_QUIET = frozenset(
    "key auth pin sig session seed salt connect connection sas crypt dsn otp license licence basic webhook cookie"
    " code=".split()
)
PHONE_WORDS = (
    *("phone tel mobil cell fax call whatsapp sms handy mobiel celular ruf numéro dial contact hotline reach").split(),
    *("extension number ext. komórk appel llam support portable cel 電話 电话 手机 телефон").split(),
    "text me",
    "ring ",
)
#: commands that take a password as an option
_COMMANDS = (
    "mysql sshpass redis-cli mongo mariadb pscp plink htpasswd ldap smbclient useradd zip 7z pass: requirepass"
    " masterauth"
).split()
_WEBHOOKS = (
    "hooks.zapier.com/hooks/catch/",
    "hook.eu1.make.com/",
    "hook.us1.make.com/",
    "chat.googleapis.com/v1/spaces/",
    "open.feishu.cn/open-apis/bot/",
)
_LITERALS = (*_KEY_WORDS, *_COMMANDS)
#: what the letters and digits of a key have somewhere when it names a secret
_KEY_PARTS = (
    "pass pwd pw secret key token auth cred bearer jwt cookie sess sid otp pin dsn sas sig salt seed csrf xsrf webhook"
    " mnemonic pepper contrase kennwort senha hasło haslo parola motdepasse пароль 密码 密碼 パスワード 비밀번호"
    " wachtwoord lösenord"
).split()
#: words seen before that no screen cares for
_plain: set[str] = set()
_plain_keys: set[str] = set()


class View:
    """What the screens share about one text."""

    __slots__ = ("has_ip", "is_random", "literals", "low", "tokens")

    def __init__(self, low: str, literals: list[str], tokens: str, is_random: bool, has_ip: bool) -> None:
        self.low = low
        #: the key words and commands that the text has
        self.literals = literals
        #: the words that may be a token, lower-cased, one a line
        self.tokens = tokens
        self.is_random = is_random
        self.has_ip = has_ip


def look(text: str) -> View:
    """The words of a text that a screen may care for; words known to be plain are left out at once."""
    low = fold(text)
    new = set(text.split())
    new -= _plain
    if not new:
        return View(low, [], "", False, False)
    joined = "\n".join(new)
    folded = fold(joined)
    literals = [k for k in _LITERALS if k in folded]
    long = [w for w in new if len(w) >= _LONG]
    tokens = [w for w in long if _is_dense(w)]
    random = [w for w in long if len(w) >= _RANDOM and not w.isalpha() and is_of_all_kinds(w)] if tokens else []
    addresses = [w for w in new if len(w) > 6 and (w.count(".") > 2 or w.count(":") > 2) and is_address(w)]
    odd = {*tokens, *random, *addresses}
    for literal in literals:
        odd.update(_words_around(joined, folded, literal))
    if len(_plain) > _REMEMBERED:
        _plain.clear()
    _plain.update(new - odd)
    return View(low, literals, fold("\n".join(tokens)), bool(random), bool(addresses))


def _words_around(joined: str, folded: str, literal: str) -> set[str]:
    """The lines of `joined` that have the literal."""
    found = set()
    at = folded.find(literal)
    while at >= 0:
        end = folded.find("\n", at)
        end = end if end >= 0 else len(folded)
        found.add(joined[folded.rfind("\n", 0, at) + 1 : end])
        at = folded.find(literal, end)
    return found


def _is_dense(word: str) -> bool:
    """Whether a word has a run long and mixed enough to be a token."""
    if _DIGITS.isdisjoint(word) and word.isascii() and (word == word.lower() or word == word.upper()):
        return False
    return any(len(run) >= _RUN and _is_mixed(run) for run in word.translate(_BREAKS).split())


def _is_mixed(run: str) -> bool:
    if run.isdigit():
        return False
    return not (run.islower() or run.isupper()) or any(map(str.isdigit, run))


def may_name_secret(key: str) -> bool:
    """Whether a key of JSON data is worth a judgement: no key that names a secret is refused."""
    if key in _plain_keys:
        return False
    letters = "".join(filter(str.isalnum, key)).lower()
    if any(part in letters for part in _KEY_PARTS):
        return True
    if len(_plain_keys) < _REMEMBERED and len(key) < 60:
        _plain_keys.add(key)
    return False


# what is framed


def framed(view: View) -> list[str]:
    """The names of the framed rules whose screen hits."""
    low = view.low
    names = []
    if "begin " in low and ("-begin " in low or "---- begin " in low):
        names.append("pem")
    if "://" in low and "@" in low and has_userinfo(low):
        names += ["url-credentials", "url-user-token"]
    if "=" in low and has_query(low):
        names.append("query-secret")
    if ":" in low:
        if ("-u" in low) and has_user_option(low):
            names.append("curl-user")
        if ":*:" in low or any(port in low for port in (":5432:", ":5433:", ":6432:")):
            names.append("pgpass")
    if _commands(view):
        names.append("command-password")
    if ("hook" in low or "spaces/" in low or "/bot/" in low) and any(s in low for s in _WEBHOOKS):
        names.append("webhook")
    return names


def _commands(view: View) -> bool:
    for literal in view.literals:
        if literal in ("pass:", "requirepass", "masterauth"):
            return True
        if literal in _COMMANDS and _has_option(view.low):
            return True
        if literal == "login" and "docker login" in view.low and _has_option(view.low):
            return True
    return False


def _has_option(low: str) -> bool:
    return any(sign in low for sign in (" -", "\t-", "\n-")) or not low.isascii()


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
    return _any_after(low, "://", lambda near: "@" in near and "@" in near.split(None, 1)[0], 520)


def has_query(low: str) -> bool:
    """Whether a query string has a value that is long enough."""
    return any(_any_after(low, sign, _long_value, 80) for sign in ("?", "&") if sign in low)


def _long_value(near: str) -> bool:
    if "=" not in near or near[:1] in (" ", "\n", "&", ""):
        return False
    name, _, value = near.partition("=")
    if len(name) >= 40 or len(value) < 6 or not name.replace("-", "").replace("_", "").replace(";", "").isalnum():
        return False
    return value.find("&", 0, 6) < 0


def has_user_option(low: str) -> bool:
    """Whether a user option is followed by a name, a colon and more."""
    return any(_any_after(low, sign, _has_pair, 100) for sign in ("-u", "--user", "-user"))


def _has_pair(near: str) -> bool:
    return ":" in near.lstrip(" =")[:80].split(" ")[0][1:]


# what a word beside it tells


def may_assign(view: View) -> bool:
    """Whether the text has a word that tells of a secret."""
    return bool(view.literals) or any(phrase in view.low for phrase in _KEY_PHRASES)


def context_spans(text: str, view: View) -> list[tuple[int, int]]:
    """The lines, with the two that follow, where a word that names a secret stands beside something like a value."""
    low = fold(text)
    hits = set()
    for word in (*view.literals, *_KEY_PHRASES):
        at = low.find(word)
        while at >= 0:
            end = at + len(word)
            if _assigns(text, low, at, end):
                hits.add(at)
                line_end = low.find("\n", end)
                end = line_end if line_end >= 0 else len(low)
            at = low.find(word, end)
    return _spans(low, sorted(hits))


def _spans(low: str, hits: list[int]) -> list[tuple[int, int]]:
    spans: list[tuple[int, int]] = []
    for at in hits:
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


def _assigns(text: str, low: str, at: int, end: int) -> bool:
    """Whether something like a value stands beside the key word at this place."""
    before, after = text[max(0, at - 40) : at], text[end : end + 40]
    start = at - len(before) + len(before.rstrip(_NAME))
    stop = end + len(after) - len(after.lstrip(_NAME))
    near = low[stop : stop + 100]
    if _has_value(text, low, start, stop, near):
        return True
    if "value" in near[:60] or _is_scheme(low, at, end, near) or (near[:1] and not near[0].isascii()):
        return True
    line = near.partition("\n")[0]
    if ("||" in line or "??" in line or " or " in line) and ('"' in line or "'" in line):
        return True
    if low[at:end] in _QUIET and " is " not in line[:40] and " was " not in line[:40]:
        return False
    before = low[max(0, start - 60) : start].rpartition("\n")[2]
    if not _TELLING.isdisjoint(line) and _any_telling(line.split(None, 10)[:10]):
        return True
    return not _TELLING.isdisjoint(before) and _any_telling(before.split()[-4:])


def _has_value(text: str, low: str, start: int, stop: int, near: str) -> bool:
    """Whether a sign of assignment or an option's space is followed by a value."""
    tail = near.lstrip("\\\"'`])* \t?!")
    first = tail[:1]
    if first and first in "=:>,-(：" and (first != "(" or '"' in near or "'" in near):
        value = tail.lstrip("\\\"'`])* \t?!=:>,(-\n")[:60].split(None, 1)
        if not value or len(value[0]) < 6:
            return False
        return _looks_set(first, near, value[0]) and _is_named(text, start, stop)
    if text[start : start + 1] == "-" or low[max(0, start - 5) : start] in (" env ", "\nenv ", "setx "):
        return bool(near[1:7].strip()) and near[:1] in (" ", "=")
    return False


def _looks_set(first: str, near: str, value: str) -> bool:
    if first == "=" or '"' in near[:16] or "'" in near[:16] or "value" in near:
        return True
    return not _TELLING.isdisjoint(value)


def _is_named(text: str, start: int, stop: int) -> bool:
    if text[start - 1 : start] in (" ", ":", "\\"):
        return True
    from segue.redaction.judge import strength

    return strength(text[start:stop].strip("-_.")) > 0


def _is_scheme(low: str, at: int, end: int, near: str) -> bool:
    """Whether a scheme of authorization is named, with something after it."""
    if low[at:end] not in ("bearer", "auth", "basic"):
        return False
    here = low[at : at + 60]
    named = "bearer " in here or "basic " in here or "token " in here
    return named and any(len(w) > 5 for w in near.split()[:3])


def _any_telling(words: list[str]) -> bool:
    return any(not _TELLING.isdisjoint(w) and _is_telling(w) for w in words)


def _is_telling(word: str) -> bool:
    """Whether a word has a digit among letters, or a sign that passwords have."""
    word = word.strip("\"'`.,;:()*[]").rpartition(":")[2]
    if not 5 < len(word) < 60 or any(c in word for c in "[](){}<>,%=") or word.count("/") > 1:
        return False
    if not _SIGNS.isdisjoint(word):
        return True
    return any(map(str.isdigit, word)) and any(map(str.isalpha, word)) and word.count(".") < 2


def is_of_all_kinds(word: str) -> bool:
    """Whether a word is long and of all kinds of characters."""
    if word.islower() or word.isupper() or sum(map(str.isdigit, word)) < 2:
        return False
    part = word.rstrip("\"',;)}]=").rpartition("=")[2].rpartition(":")[2].strip("\"'`")
    if len(part) < _RANDOM or part.islower() or part.isupper():
        return False
    return part.count("/") < 4 and part.count("-") < 4


# people and machines


def has_email(text: str) -> bool:
    """Whether an at sign stands between two words, with a dot soon after it."""
    at = text.find("@")
    while at >= 0:
        if at and text[at - 1] not in " \t\n\"'(<@/[" and _has_dot(text[at + 2 : at + 120]):
            return True
        at = text.find("@", at + 1)
    return False


def _has_dot(near: str) -> bool:
    return "." in near and "." in near.split(None, 1)[0]


def has_phone(text: str, low: str) -> bool:
    """Whether digits stand as in a telephone number: after a sign, in brackets, in pairs, or after a telling word."""
    if text.isascii():
        pairs = text.encode().translate(_ZEROS).decode()
        timeless = pairs.replace("0000-00-00 00:00", "").replace("0000-00-00T", "")
        if "0000000" not in timeless.encode().translate(None, _WITHIN_NUMBERS).decode():
            return False
    else:
        pairs = "".join("0" if c.isdigit() else c for c in text)
    if any("00" + 4 * (gap + "00") in pairs for gap in _GAPS):
        return True
    signed = any(_is_signed(text, sign) for sign in ("+", "(", "00"))
    return signed or any(_is_told(low, word) for word in PHONE_WORDS)


def _is_signed(text: str, sign: str) -> bool:
    at = text.find(sign)
    while at >= 0:
        near = text[at + 1 : at + 22]
        if (near[:1].isdigit() or near[:2] == "(0") and not text[at - 1 : at].isalnum() and _dials(sign, near):
            return True
        at = text.find(sign, at + 1)
    return False


def _dials(sign: str, near: str) -> bool:
    if sum(map(str.isdigit, near)) < 7:
        return False
    if sign == "+":
        return True
    if sign == "(":
        return ")" in near[2:6]
    return not any(map(str.isalpha, near[:16])) and any(c in near for c in " ./(")


def _is_told(low: str, word: str) -> bool:
    at = low.find(word)
    while at >= 0:
        at += len(word)
        if _numbered(low[at : at + 60]):
            return True
        at = low.find(word, at)
    return False


def _numbered(near: str) -> bool:
    head = near[:26]
    if head.isascii() and "\n" not in head and _DIGITS.isdisjoint(head):
        return False
    start = next((i for i, c in enumerate(head) if c.isdigit() or c == "\n"), len(head))
    number = near[start:]
    rest = number.lstrip("0123456789 -./()+\xa0\u2011\u2013")
    if number.isascii():
        number = number[: len(number) - len(rest)]
        return len(number) > 6 and sum(map(number.count, "0123456789")) > 6
    digits = 0
    for c in number:
        if c.isdigit():
            digits += 1
        elif c not in " -./()+\xa0\u2011\u2013":
            break
    return digits >= 7


def is_address(word: str) -> bool:
    """Whether a word holds a public IPv4 address, or enough colons and digits for an IPv6 address."""
    if word.count(".") > 2:
        parts = word.translate(_NUMBERS).split()
        if any(part.count(".") > 2 and public_ipv4(part.strip(".")) for part in parts):
            return True
    return word.count(":") > 2 and any(map(str.isdigit, word))


def public_ipv4(text: str) -> bool:
    """Whether this is an IPv4 address that others can reach."""
    octets = text.split(".")
    if len(octets) != 4 or not all(map(_is_octet, octets)):
        return False
    a, b, c, d = map(int, octets)
    if a in (0, 10, 127) or a >= 224 or (b, c, d) == (0, 0, 0):
        return False
    shared = (a == 172 and 16 <= b < 32) or (a == 192 and b == 168) or (a == 100 and 64 <= b < 128)
    return not shared and not (a == 169 and b == 254)


def _is_octet(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < 4 and int(text) < 256 and (text == "0" or text[0] != "0")
