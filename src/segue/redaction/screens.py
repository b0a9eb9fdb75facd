"""Owns the cheap looks at words that say which rules are worth loading. Never imports `re`, never decides.

What a screen sees lies within one word (what stands between blanks), or in the word that begins a phrase. Words recur:
one in which nothing is seen is remembered, and a text of such words costs no more than being split.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

_ALNUM = "abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_ASCII = "".join(map(chr, range(128)))
#: runs apart, and every digit the same
_RUNS = str.maketrans({**dict.fromkeys(set(_ASCII).difference(_ALNUM, "_-"), " "), **dict.fromkeys("0123456789", "0")})
_SHAPES = str.maketrans(_ALNUM[:26] + _ALNUM[36:], "a" * 26 + "A" * 26)
_NUMBERS = str.maketrans(dict.fromkeys(set(_ASCII).difference("0123456789."), " "))
_HEXES = str.maketrans(dict.fromkeys(set(_ASCII).difference("0123456789abcdefABCDEF:"), " "))
_NO_DIGIT = "".join(c for c in _ASCII if not c.isdigit() and c != "\n")
#: kinds of what may be seen in words, beside the names of FRAMES and the classes of personal data
KEY, PHRASE, TOKEN, MIXED, DIALLED = "key", "phrase", "token", "mixed", "dialled"
#: words beside which a secret may stand; a word that holds another one of this list is not repeated
KEY_WORDS = (
    "pass pwd secret token key auth cred dsn cookie pin otp mnemonic seed session jwt bearer sig contraseña kennwort"
    " senha hasło webhook connect salt basic secur user algolia hmac sign( pepper login pw sas code= license licence"
    " crypt пароль 密码 密碼 パスワード 비밀번호 wachtwoord lösenord parola masterauth"
).split()
#: what is a key in data, and too short or too rare to look for in a text
_ONLY_KEYS = ("sid", "csrf", "xsrf", "haslo", "contrasena")
KEY_PHRASES = ("identified by", "log in", "sign in")
#: how the words end that begin such a phrase, in a bag of words
_KEY_ENDS = ("identified\n", "log\n", "sign\n")
PHONE_WORDS = (
    "phone tel mobil cell fax call whatsapp sms handy mobiel ruf numéro dial 電話 电话 手机 телефон contact hotline"
    " reach extension number ext. komórk appel llam support portable cel"
).split()  # fmt: skip
PHONE_PHRASES = ("text me", "ring ")
PHONE_ENDS = ("text\n", "ring\n")
#: the literals without which what frames a secret is not there
FRAMES: dict[str, tuple[str, ...]] = {
    "pem": ("-begin", "----\n"),
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


def _by_literal() -> dict[str, tuple[str, ...]]:
    rows = {
        **FRAMES,
        "private": ("private",),
        KEY: KEY_WORDS,
        PHRASE: _KEY_ENDS,
        "email": ("@",),
        "phone": (*PHONE_WORDS, *PHONE_ENDS),
    }
    kinds: dict[str, tuple[str, ...]] = {}
    for kind, literals in rows.items():
        for literal in literals:
            kinds[literal] = (*kinds.get(literal, ()), kind)
    return kinds


_LITERALS = _by_literal()
#: those of letters alone lie within one run of letters, of which a text has far fewer different ones than words
_LETTERS = [literal for literal in _LITERALS if literal.isalpha()]
_SIGNED = [literal for literal in _LITERALS if not literal.isalpha()]
_NO_LETTER = str.maketrans(dict.fromkeys(set(_ASCII).difference(_ALNUM[:26]), " "))


#: characters that match an ASCII letter where case is ignored
_ALIKE = (("\u0130", "I"), ("\u0131", "i"), ("\u017f", "s"), ("\u212a", "k"))


def fold(text: str) -> str:
    """The text in lower case, of the same length, so that positions agree; what `re` takes for an i or s is one."""
    if text.isascii():
        return text.lower()
    text = plain_letters(text)
    low = text.lower()
    if len(low) == len(text):
        return low
    return "".join(c.lower() if len(c.lower()) == 1 else c for c in text)


def plain_letters(text: str) -> str:
    """The text, of the same length, with ASCII letters for those that are taken for them where case is ignored."""
    for other, letter in () if text.isascii() else _ALIKE:
        text = text.replace(other, letter)
    return text


def look(text: str) -> dict[str, list[str]]:
    """What kinds of things the words of a text may hold, and which words: empty for a text that holds nothing."""
    words = set(text.split()) - plain_words
    if not words:
        return {}
    new = words.difference(word_kinds)
    kinds = {word: word_kinds[word] for word in words - new}
    if new:
        kinds |= _learn(new)
    seen: dict[str, list[str]] = {}
    for word, found in kinds.items():
        for kind in found:
            seen.setdefault(kind, []).append(word)
    return seen


#: letters of a part of a name with a number behind it; a token may end in its only digit, too
LONGEST_NAME = 15
#: words that were looked at, and the kinds of those in which something was seen
plain_words: set[str] = set()
word_kinds: dict[str, set[str]] = {}
MOST_PLAIN, MOST_KINDS, LONGEST_KNOWN = 32_768, 8192, 64


def is_plain(text: str) -> bool:
    """Whether a text is one word in which nothing was seen before, such as a key of JSON data or the name of a tool."""
    return text in plain_words


def _learn(new: set[str]) -> dict[str, set[str]]:
    """The kinds of words that were not looked at before; they are remembered, but for long ones, which do not recur."""
    kinds: dict[str, set[str]] = {}
    for kind, words in _seen_in(new):
        for word in words:
            kinds.setdefault(word, set()).add(kind)
    plain = new.difference(kinds)
    if len(plain_words) + len(plain) > MOST_PLAIN:
        plain_words.clear()
    if len(word_kinds) + len(kinds) > MOST_KINDS:
        word_kinds.clear()
    whole = max(map(len, plain), default=0) <= LONGEST_KNOWN
    plain_words.update(plain if whole else [word for word in plain if len(word) <= LONGEST_KNOWN])
    word_kinds.update((word, found) for word, found in kinds.items() if len(word) <= LONGEST_KNOWN)
    return kinds


def _seen_in(words: set[str]) -> Iterator[tuple[str, Iterable[str]]]:
    bag = "\n".join(("", *words, "", ""))
    low = fold(bag)
    held: dict[str, set[str]] = {}
    runs = " ".join(set(low.translate(_NO_LETTER).split()))
    for literal in [word for word in _LETTERS if word in runs] + [sign for sign in _SIGNED if sign in low]:
        for kind in _LITERALS[literal]:
            held.setdefault(kind, set()).update(_holding(bag, low, literal))
    for kind, found in held.items():
        fits = _WORD_SIGHTS.get(kind)
        yield kind, [word for word in found if fits(word)] if fits else found
    yield DIALLED, _dialled(bag)
    long = [word for word in words if len(word) > 6]
    yield TOKEN, _tokens(dense(long))
    yield MIXED, [word for word in long if len(word) > 19 and not word.islower() and _is_mixed(word)]
    yield "ip", [word for word in long if (word.count(".") > 2 or word.count(":") > 1) and _has_ip(word)]


def _holding(bag: str, low: str, literal: str) -> Iterator[str]:
    """The words of a bag, one a line, that hold this literal."""
    at = low.find(literal)
    while at >= 0:
        end = low.find("\n", at + 1)
        yield bag[low.rfind("\n", 0, at) + 1 : end]
        at = low.find(literal, end)


def _tokens(words: list[str]) -> list[str]:
    if not words:
        return words
    from segue.redaction.prefixes import prefixed, shaped

    told = "\n".join(words)
    return [word for word in words if prefixed(word) or shaped(word)] if prefixed(told) or shaped(told) else []


def _names_something(word: str) -> bool:
    """Whether a word names a secret, or may, and not only holds the letters of such a name."""
    from segue.redaction.judge import is_part

    low = fold(word)
    keys = [key for key in KEY_WORDS if key in low]
    return not all(is_part(word, low, at, at + len(key)) for key in keys for at in places(low, key))


def places(text: str, literal: str) -> Iterator[int]:
    """Where the literal stands in a text."""
    at = text.find(literal)
    while at >= 0:
        yield at
        at = text.find(literal, at + len(literal))


def may_assign(low: str, seen: dict[str, list[str]]) -> bool:
    """Whether a lower-cased text has a word that names a secret, or such a phrase."""
    return KEY in seen or (PHRASE in seen and any(phrase in low for phrase in KEY_PHRASES))


def framed(name: str, low: str) -> bool:
    """Whether the whole of a lower-cased text, too, looks as if this framed rule may find something."""
    return name not in _SIGHTS or _SIGHTS[name](low)


def dense(words: list[str]) -> list[str]:
    """The words that have a run long and mixed enough to be a token."""
    long = [word for word in words if len(word) > 15]
    runs = {run for run in "\n".join(long).translate(_RUNS).split() if len(run) > 11}
    mixed = set(filter(_is_mixed_run, runs))
    return [word for word in long if not mixed.isdisjoint(word.translate(_RUNS).split())] if mixed else []


def _is_mixed_run(run: str) -> bool:
    """Whether a run whose digits all are 0 has the look of a token, and of no id that hosts and tools give."""
    if run.isdigit() or run.startswith("toolu_") or _is_uuid(run):
        return False
    if _is_uuid(run[-36:]):
        return True  # with something before it
    for part in run.replace("_", "-").split("-"):
        inner = part.rstrip("0")  # a number behind a name is none of a token, unless no name is so long
        if len(inner) > 4 and ("0" in inner or (len(part) > LONGEST_NAME and inner != part)):
            return True
    return (len(run) > 15 or not run.isalpha()) and not (run.islower() or run.isupper() or _is_camel(run))


def _is_camel(run: str) -> bool:
    """Whether a run is a name in which small letters follow each capital; one in 1,365 tokens of 16 looks so."""
    shape = run.translate(_SHAPES)
    return run.rstrip("0").isalpha() and "AA" not in shape and "AaA" not in shape


def _is_uuid(run: str) -> bool:
    return len(run) == 36 and run[8:24:5] == "----" and not run.strip("0abcdefABCDEF-")


def has_email(text: str) -> bool:
    """Whether an at sign stands between two words, with a dot soon after it."""
    at = text.find("@")
    while at >= 0:
        if at and text[at - 1] not in " \t\n\"'(<@/[" and "." in (text[at + 2 : at + 120].split(None, 1) or ("",))[0]:
            return True
        at = text.find("@", at + 1)
    return False


def has_phone(text: str, low: str, seen: dict[str, list[str]]) -> bool:
    """Whether digits stand as in a telephone number: after a plus, in brackets, in pairs or after a telling word."""
    if DIALLED in seen and any(_any_at(text, sign, then, looks) for sign, then, looks in _DIALLED):
        return True
    if "phone" not in seen:
        return False
    bag = fold("\n".join(seen["phone"]))
    telling = [word for word in PHONE_WORDS if word in bag] + [phrase for phrase in PHONE_PHRASES if phrase in low]
    return any(_any_after(low, word, _numbered, 60) for word in telling)


def _dialled(bag: str) -> set[str]:
    """The words of a bag that may begin a telephone number, whatever the words after them are."""
    found = set()
    for sign, then, _ in _DIALLED:
        ends = then + "\n" if " " in then else then
        at, size = bag.find(sign), len(sign)
        while at >= 0:
            gap = bag[at + 2]
            if bag[at + size] in ends and not bag[at - 1].isalnum() and (sign != "0" or gap in _GAPS):
                found.add(bag[bag.rfind("\n", 0, at) + 1 : bag.find("\n", at)])
            at = bag.find(sign, at + 1)
    return found


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


_GAPS = " .-\xa0\n"


def _pairs(near: str) -> bool:
    gap, pair = near[2:3], near[:14]
    return gap in _GAPS and pair.count(gap) == 4 and _digits(pair) == 10


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


def _has_ip(word: str) -> bool:
    """Whether a word holds a public IPv4 address, or enough colons and digits for an IPv6 address."""
    if word.count(".") > 2:
        for part in word.translate(_NUMBERS).split():
            if part.count(".") > 2 and public_ipv4(part.strip(".")):
                return True
    return (word.count(":") > 2 or "::" in word) and any(map(_colons, word.translate(_HEXES).split()))


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


def has_entropy(text: str, mixed: list[str]) -> bool:
    """Whether one of these words, long and of all kinds of characters, stands after an equals sign or a colon."""
    before = ""
    for word in text.split():
        if word in mixed:
            head = word.rstrip("\"',;)}]=")
            sign = max(head.rfind("="), head.rfind(":"))
            if (sign >= 0 and head[sign - 1 : sign + 1] != "::") or before.rstrip("\"'`>")[-1:] in ("=", ":"):
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
    if key in _quiet_keys:
        return False
    low = fold(key)
    found = any(word in low for word in KEY_WORDS) or any(word in low for word in _ONLY_KEYS)
    if not found and len(key) <= LONGEST_KNOWN and len(_quiet_keys) < MOST_KINDS:
        _quiet_keys.add(key)
    return found


_quiet_keys: set[str] = set()


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


#: looks at one word, and looks at a whole text, lower-cased
_WORD_SIGHTS: dict[str, Callable[[str], bool]] = {
    KEY: _names_something,
    "email": has_email,
    "url-credentials": _has_userinfo,
    "url-user-token": _has_userinfo,
    "query-secret": _has_query,
}
_SIGHTS: dict[str, Callable[[str], bool]] = {
    "pem": lambda low: "-begin " in low or "---- begin " in low,
    "curl-user": _has_user_option,
    "command-password": _has_password_option,
}
