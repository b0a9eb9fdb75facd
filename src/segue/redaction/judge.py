"""Owns the judgement of a key and its value: does the key name a secret, is the value one? Never sees a whole text."""

from __future__ import annotations

from itertools import pairwise


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


STRONG = _words(
    "password passwd pwd pass passphrase passcode passw pword pw passwort kennwort contraseña contrasena senha "
    "motdepasse hasło haslo parola secret secrets secretkey clientsecret apikey apitoken accesstoken authtoken "
    "privatekey mnemonic dbpass dbpassword userpass rootpass mysqlpwd pgpassword redispass sshpass storepass "
    "keypass pepper masterkey passkey пароль 密码 密碼 パスワード 비밀번호 wachtwoord lösenord"
)
WEAK = _words(
    "token tokens auth credential credentials cred creds bearer authorization jwt cookie sessionid sid otp pin "
    "totp dsn sas sig signature salt seed authentication csrf xsrf webhook"
)
_KEYED = _words(
    "api access private secret signing sign encryption encrypt encrypted master license licence account storage "
    "shared service session jwt hmac ssh webhook admin auth app application client consumer deploy publishable "
    "server subscription ingest integration write read management rest secure crypto aes cipher fernet decryption "
    "root data host routing search stripe openai anthropic google aws azure github gitlab sendgrid mailgun twilio "
    "datadog algolia sentry hash cookie django flask nextauth token user x live test prod my the maps map deepl "
    "groq mistral cohere huggingface pinecone slack square paypal newrelic relic cloudflare okta segment mixpanel "
    "amplitude pusher s3 gcp gemini dd tls wallet signature backup vault"
)
_INNOCENT = _words(
    "count counts limit limits length len size type types name names url uri urls endpoint path paths file files "
    "dir folder id ids expiry expires expiration ttl timeout age policy field fields input label prompt "
    "placeholder regex pattern min max index usage required enabled valid error errors status class format "
    "algorithm alg provider method methods mode header headers manager store service env var ref version hint "
    "reset rotation strength validator validation hash digest complexity link page form screen view handler "
    "helper util utils module map list set table column row budget window per used cost price total exp iat at on "
    "date time created updated expired source target scheme backend plugin domain server host port user username "
    "in out loader reader writer generator factory config settings option options flag flags check checker test "
    "tests spec guide docs doc help info description title text message visible hidden changed changes change "
    "confirm confirmation confirmed lookup cache stream parser lexer kind number position start end offset ring "
    "chain press up down code codes event events callback model schema stdin stdout fd command cmd script program "
    "only less prompter agent aging request requests retries retry exchange fingerprint refresh rotate resolver "
    "interval days attempts history selector binding vault arn"
)
_COUNTS = _words(
    "max num min total n has is no use new_max prompt completion input output next prev eos bos pad unk sep cls "
    "mask special stop primary foreign sort cache partition public"
)
_NAMED_KEYS = _words(
    "primary foreign cache sort partition public group dedupe idempotency translation row item object record "
    "query route map dict host session i18n message lang locale config unique lookup index composite enter arrow "
    "shift ctrl control alt meta escape tab modifier function hot short any each this"
)
_PLACEHOLDERS = _words(
    "changeme change_me changeit change-me placeholder redacted hidden masked none null true false undefined "
    "empty optional required string example sample dummy default unset todo tbd fixme secret password passwd "
    "token apikey api_key api-key your_password yourpassword your-password mypassword my-password notset not_set "
    "not-set disabled enabled authorization bearer basic digest username somevalue some_value value values text "
    "number boolean object unknown private public internal anonymous protected nothing invalid missing "
    "access_token refresh_token id_token client_secret client_credentials authorization_code security credentials "
    "session cookie cookies header headers query oauth2 oauth openid strict include omit same-origin password123! "
    "postmessage interactive inherit environment keyring keychain stdin prompt xxxxxxxx omitted removed filtered "
    "encrypted negotiate kerberos ntlm scram-sha-256 sha-256 sha256 sha512 hs256 rs256 es256 bcrypt argon2 "
    "argon2id pbkdf2 base64 utf-8 ed25519 rsa4096 rsa2048 x25519 aes256 aes-256-gcm aes-256 oauth2.0 http2 "
    "number1"
)
# fmt: off
_REFERENCES = (
    "$", "{", "<", "%(", "%s", "%d", "%{", "process.env", "os.environ", "os.getenv", "import.meta", "env.", "env(",
    "config.", "self.", "this.", "args.", "settings.", "ctx.", "options.", "opts.", "params.", "req.", "request.",
    "res.", "response.", "user.", "data.", "props.", "state.", "var.", "local.", "module.", "secrets.", "vault:",
    "ref+", "op://", "file:", "arn:", "!ref", "!sub", "&", "*", "[", "@", "#{", "//", "./", "../", "~/", "/", "c:\\",
    "http://", "https://", "ssm:", "projects/", "sha256-", "sha512-", "sha384-", "sha1-", "sha256:", "h1:",
    "function", "return", "await", "new ", "...", "…", "***", "•", "?", "aws-secret", "kms:", "keyring:", "ssh-rsa",
    "ssh-ed25519", "ecdsa-sha2", "docker-secret", "\\(", "|", "-", "secretref:", "azurekeyvault",
    "@microsoft.keyvault", "str.", "enc[", "age1",
)
# fmt: on
_PROSE = _words(
    "the a an is are be must should at least required of to for and or with not in on your enter please this that "
    "can cannot may will from by if when it was has have you we characters character"
)


def key_words(key: str) -> list[str]:
    """The words of a key, lower-cased: snake, kebab, dotted and camel case."""
    out: list[str] = []
    word = ""
    for i, c in enumerate(key):
        if not c.isalnum():
            out.append(word)
            word = ""
        elif (
            c.isupper()
            and word
            and (
                word[-1].islower()
                or word[-1].isdigit()
                or (key[i + 1 : i + 2].islower() and word[-1].isupper() and i + 2 <= len(key))
            )
        ):
            out.append(word)
            word = c
        else:
            word += c
    out.append(word)
    return [w.lower() for w in out if w]


def strength(key: str) -> int:
    """2 where a key names a password or secret, 1 where it names a token or key, 0 where it names neither."""
    known = _known.get(key)
    if known is None:
        if len(_known) > MAX_KNOWN:
            _known.clear()
        known = _known[key] = _strength(key)
    return known


#: keys recur, and a look at one costs as much as the rest of a line
MAX_KNOWN = 4096
_known: dict[str, int] = {}


def _strength(key: str) -> int:
    words = key_words(key)
    while words and (words[-1].isdigit() or words[-1] in _VARIANTS):
        words.pop()
    joined = "".join(words)
    if not words or "public" in words or joined.startswith("publickey"):
        return 0
    last = words[-1]
    if len(words) > 1 and last in ("auth", "session"):
        return 0
    if joined.endswith(("keydata", "passworddata", "tokendata")):
        return 2
    if last in _INNOCENT or last == "tokens" or (words[0] in _COUNTS and last not in STRONG):
        return 0
    level = _password_level(key, words)
    if level is None:
        level = _key_level(words)
    if level is None and (last in WEAK or not _TOKENS.isdisjoint(words) or joined.endswith(_TOKEN_ENDINGS)):
        level = 1
    return level or 0


_VARIANTS = _words(
    "value prod production staging dev test live raw base64 b64 plain plaintext old new current primary secondary"
    " backup v1 v2 default local"
)
_ENDINGS = (
    *("password", "passwd", "passphrase", "secret", "passwort", "apikey", "secretkey", "accesskey", "privatekey"),
    *("apitoken", "authtoken", "accesstoken"),
)
_NOT_PASS = _words("bypass compass encompass trespass surpass multipass renderpass")
_STRONG_KEYED = _words("api secret access private encryption signing master auth client deploy license account storage")
_ANY_KEYED = _words("api secret private encryption signing access")
_TOKENS = _words("token credential credentials authorization bearer jwt")
_TOKEN_ENDINGS = ("token", "sessionid", "phpsessid", "connectsid")


def _password_level(key: str, words: list[str]) -> int | None:
    last = words[-1]
    for at, word in enumerate(words):
        if not (
            word in STRONG
            or word.endswith(_ENDINGS)
            or (word.endswith("pass") and word not in _NOT_PASS)
            or (word.endswith("pwd") and len(word) > 3 and word != "oldpwd")
        ):
            continue
        if word == "pass" and at < len(words) - 1:
            continue
        if word == "pwd" and len(words) == 1 and key != "pwd":
            return 0
        weak = word in ("secret", "secrets") and at < len(words) - 1
        return 1 if weak and last not in ("key", "token", "base", "value", "id", "pass") else 2
    return None


def _key_level(words: list[str]) -> int | None:
    if len(words) < 2 or words[-1] not in ("key", "keys"):
        return None
    if words[-2] in _KEYED or not _ANY_KEYED.isdisjoint(words):
        return 1 if _STRONG_KEYED.isdisjoint(words[:-1]) else 2
    return 1 if words[-1] == "key" and words[-2] not in _NAMED_KEYS and words[0] not in _COUNTS else None


def names_secret(key: str) -> bool:
    """Whether a key names a secret."""
    return len(key) <= 100 and strength(key) > 0


_NAME = "abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_-."
_IN_NAMES = frozenset(_NAME)
#: parts of too many other words to be followed up inside one that names no secret
_PARTS = _words("key pin sig session seed salt sas crypt dsn otp pw user")
#: what makes another word of `pass`
_PASSING = ("ed", "es", "in", "iv", "ag", "th")


def name_around(text: str, at: int, end: int) -> tuple[int, int]:
    """Where the name begins and ends of which text[at:end] is a part."""
    if text[at - 1 : at] not in _IN_NAMES and text[end : end + 1] not in _IN_NAMES:
        return at, end
    before, after = text[max(0, at - 40) : at], text[end : end + 40]
    return at - len(before) + len(before.rstrip(_NAME)), end + len(after) - len(after.lstrip(_NAME))


def is_part(text: str, low: str, at: int, end: int) -> bool:
    """Whether a word that may name a secret is only a part of another word: the `pin` of `mapping`."""
    if not (text[at - 1 : at].isalpha() or text[end : end + 1].isalpha()):
        return False
    start, stop = name_around(text, at, end)
    word = low[at:end]
    if word not in _PARTS and not (word == "pass" and low[end:stop].startswith(_PASSING)):
        return False
    return not strength(text[start:stop].strip("-_."))


def masks(key: str, value: str) -> bool:
    """Whether the string under this key in JSON data is a secret."""
    return secret_value(value, strength(key), quoted=True, env=False)


def secret_value(value: str, level: int, *, quoted: bool, env: bool) -> bool:
    """Whether a value in the place of a secret is one, and not a reference, a placeholder, code or prose."""
    value = value.strip()
    low = value.lower()
    if (
        len(value) < 6
        or "[REDACTED:" in value
        or low in _PLACEHOLDERS
        or low.startswith(("[email", "[private", "[ip]", "[phone", "[workspace"))
    ):
        return False
    if low.startswith(_REFERENCES) and not _despite(value, quoted, level):
        return False
    if (
        _placeholder(low)
        or _is_version(low)
        or _names_digest(low)
        or "${" in value
        or "{{" in value
        or "$(" in value
        or ("<" in value and ">" in value)
    ):
        return False
    if not quoted and (
        value.endswith(("(", "()", ")", "[", "]")) or "(" in value or "[" in value or "->" in value or "::" in value
    ):
        return False
    if any(c.isspace() for c in value):
        return _phrase(value, level)
    return _mixed(value, level, quoted, env)


def _names_digest(low: str) -> bool:
    """Words and then the digest of something, as caches and images are named: `linux-pip-4c6d…`."""
    *words, digest = low.split("-")
    return (
        bool(words)
        and len(digest) in (40, 64, 128)
        and all(word.isalpha() for word in words)
        and not digest.strip("0123456789abcdef")
    )


def _despite(value: str, quoted: bool, level: int) -> bool:
    """A password may begin with a sign; a reference begins with a sign and goes on as a name."""
    if level == 2 and value[0] == "/" and _scrambled(value) and not any(c in value for c in ".-_"):
        return True  # base64, of which one in 64 begins like a path
    if level < 2 or (not quoted and value[0] not in "*&-?@|"):
        return value[0] == "/" and quoted and value.count("/") < 3 and len(value) > 30 and any(map(str.isdigit, value))
    rest = value[1:]
    if value[0] in "-@&/+" and (quoted or len(value) >= 30) and len(value) >= 20 and _dense(rest) and "." not in rest:
        return rest.count("/") < 3 or _scrambled(rest)
    return (
        value[0] in "$*&-?@#%|{[/"
        and rest[:1] != "{"
        and any(map(str.isdigit, rest))
        and any(map(str.isalpha, rest))
        and (value[0] not in "/$-@&" or any(c in "!@#$%^&*+=?~" for c in rest))
        and "/" not in rest[3:]
    )


def _placeholder(low: str) -> bool:
    letters = set(low)
    if len(letters) < 3 or letters <= set("*.x-_") or letters <= set("*•.…"):
        return True
    if low.startswith(
        (
            "your",
            "my-",
            "my_",
            "insert",
            "replace",
            "enter",
            "some-",
            "some_",
            "fake-",
            "example",
            "xxxx",
            "put-",
            "put_",
            "changeme",
            "change-me",
            "change_me",
            "todo",
            "dummy",
            "<",
            "add-your",
            "placeholder",
            "not-a-",
            "not_a_",
            "no-",
        )
    ):
        return not any(map(str.isdigit, low[:-4])) or low.startswith(("your", "xxxx", "insert", "replace", "example"))
    return low.endswith(("-here", "_here", "...", "…", "xxxx")) or "****" in low or "_your_" in low or "-your-" in low


def _is_version(low: str) -> bool:
    parts = low.lstrip("^~>=<v ").split("-")[0].split(".")
    return (
        2 <= len(parts) <= 4
        and all(p.isdigit() or p in ("x", "*") for p in parts)
        and (len(low) < 16 or len(parts) > 2)
    )


def _phrase(value: str, level: int) -> bool:
    words = value.split()
    if level < 2 or len(words) > 30 or value[-1] in ".:?":
        return False
    if any(w.strip(".,:;()").lower() in _PROSE for w in words):
        return False
    if len(words) >= 4 and all(w.isalpha() and w.islower() for w in words):
        return True
    return (
        len(words) < 6
        and any(map(str.isdigit, value))
        and any(map(str.isalpha, value))
        and not any(c in "(){}=;<>" for c in value)
    )


def _mixed(value: str, level: int, quoted: bool, env: bool) -> bool:
    digits = sum(map(str.isdigit, value))
    alphas = sum(map(str.isalpha, value))
    signs = len(value) - digits - alphas
    if alphas == 0:
        return (level == 2 and digits >= 6 and signs == 0 and (quoted or env)) or (
            level == 2 and digits >= 3 and signs >= 2 and any(c in "!@#$%^&*" for c in value)
        )
    if digits == 0 and not any(c in "!@#$%^&*+=?~" for c in value.strip("!?,;*&:.=")):
        return _letters(value, level, quoted, env)
    if _is_path(value) or _is_code(value, quoted):
        return False
    if level == 2:
        return digits > 0 or quoted or env or not value.isidentifier()
    if len(value) < 8 or digits == 0:
        return len(value) >= 12 and digits == 0 and signs >= 1 and quoted
    return _dense(value) or (len(value) >= 16 and digits >= 2)


def _letters(value: str, level: int, quoted: bool, env: bool) -> bool:
    plain = value.strip("!?,;*&:.=")
    if not plain.isalpha():  # words joined by - _ . /
        parts = [p for p in plain.replace("-", " ").replace("_", " ").replace(".", " ").replace("/", " ").split() if p]
        if (
            level == 2
            and (quoted or env)
            and len(parts) >= 3
            and "-" in plain
            and "/" not in plain
            and "." not in plain
        ):
            return not any(
                w in STRONG or w in WEAK or w in _PROSE or w in ("key", "name", "secret", "field", "input")
                for w in parts
            )
        return (
            level == 2
            and (quoted or env)
            and bool(parts)
            and mixed_case(plain.replace("-", "").replace("_", "")) > 3
            and "." not in plain
        )
    if level < 2:
        return len(plain) >= 16 and mixed_case(plain) >= 5
    if quoted or env:
        if level == 2 and (
            any(c in "!@#$%^&*+=?~" for c in value)
            or mixed_case(plain) >= 2
            or (len(plain) > 9 and not plain.istitle() and plain[1:] != plain[1:].lower() and not plain.isupper())
        ):
            return not any(
                s in plain.lower()
                for s in ("password", "passwd", "secret", "token", "key", "credential", "field", "input")
            )
        return (
            plain.lower() == plain
            and len(plain) >= 6
            and plain not in _PROSE
            and not any(
                plain.startswith(s) or plain.endswith(s)
                for s in ("password", "passwd", "secret", "token", "key", "credential")
            )
        ) or mixed_case(plain) >= 3
    return len(plain) >= 14 and mixed_case(plain) >= 5


def mixed_case(value: str) -> int:
    """How often the case changes in a way that words in camel case do not explain."""
    return sum(
        1
        for a, b, c in zip(value, value[1:], value[2:], strict=False)
        if (a.islower() and b.isupper() and c.isupper())
        or (a.isupper() and b.islower() and c.isupper())
        or (a.islower() and b.isupper() and not c.isalpha())
        or (a.isalpha() and b.isdigit())
    )


def _is_path(value: str) -> bool:
    return (
        (
            value.count("/") >= 2
            and (value.startswith(("/", "./", "~")) or not any(c in "+=" for c in value))
            and not _scrambled(value)
        )
        or value.startswith(("C:\\", "D:\\"))
        or value.endswith(
            (".py", ".js", ".ts", ".pem", ".key", ".json", ".yml", ".yaml", ".txt", ".go", ".rs", ".crt", ".md", ".env")
        )
    )


def _scrambled(value: str) -> bool:
    return len(value) >= 28 and mixed_case(value) >= 4


def _is_code(value: str, quoted: bool) -> bool:
    if quoted:
        return False
    head = value.rstrip(",;:)")
    if "." in head:
        parts = head.split(".")
        if all(p.isidentifier() for p in parts) and len(parts) > 1:
            return not any(_dense(p) for p in parts)
    if (
        head.isidentifier()
        and "_" in head
        and head.replace("_", "").isalnum()
        and not _dense(head)
        and (head.islower() or head.isupper())
    ):
        return all(p.isalpha() or p.isdigit() or len(p) < 4 for p in head.split("_")) and any(
            len(p) > 2 and p.isalpha() for p in head.split("_")
        )
    return any(s in value.rstrip("=") for s in ("==", "&&", "||", "=>", "();", "){", '":'))


def _dense(value: str) -> bool:
    """Whether letters and digits alternate more than in a name with a number behind it."""
    turns = sum(1 for a, b in pairwise(value) if a.isdigit() != b.isdigit() and a.isalnum() and b.isalnum())
    return turns >= 3 or (turns >= 1 and mixed_case(value) >= 3)


def entropy(value: str) -> float:
    """Shannon's bits per character."""
    from math import log2

    size = len(value)
    return -sum(n / size * log2(n / size) for n in (value.count(c) for c in set(value)))


def random_looking(value: str) -> bool:
    """Whether a value without a telling key is random all the same: long, of all kinds, no name, path or digest."""
    if not 20 <= len(value) <= 500 or value.startswith(("sha", "h1:", "/", "http", "data:", "AAAA", "MII", "ssh-")):
        return False
    core = value.rstrip("=")
    if _names_digest(core.lower()):
        return False
    if not all(c.isascii() and (c.isalnum() or c in "+/_-.~!@#$%^&*") for c in core):
        return False
    kinds = any(map(str.isdigit, core)) + any(map(str.islower, core)) + any(map(str.isupper, core))
    if kinds < 3 or core.count("/") > 3 or core.count(".") > 1 or core.count("-") > 3 or core.count("_") > 3:
        return False
    turns = sum(1 for a, b in pairwise(core) if a.isdigit() != b.isdigit())
    return turns >= 5 and mixed_case(core) >= 5 and sum(map(str.isdigit, core)) >= 2 and entropy(core) > 3.5
