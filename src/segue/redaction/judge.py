"""Owns the judgement of a key and its value: is it named a secret, and is it one? Never sees a whole text."""

from __future__ import annotations


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


STRONG = _words(
    "password passwd pwd pass passphrase passcode passw pword pw passwort kennwort contraseña contrasena senha"
    " motdepasse hasło haslo parola secret secrets secretkey clientsecret apikey apitoken accesstoken authtoken"
    " privatekey mnemonic dbpass dbpassword userpass rootpass mysqlpwd pgpassword redispass sshpass storepass"
    " keypass pepper masterkey passkey пароль 密码 密碼 パスワード 비밀번호 wachtwoord lösenord"
)
WEAK = _words(
    "token tokens auth credential credentials cred creds bearer authorization jwt cookie sessionid sid otp pin"
    " totp dsn sas sig signature salt seed authentication csrf xsrf webhook"
)
_KEYED = _words(
    "api access private secret signing sign encryption encrypt encrypted master license licence account storage"
    " shared service session jwt hmac ssh webhook admin auth app application client consumer deploy publishable"
    " server subscription ingest integration write read management rest secure crypto aes cipher fernet decryption"
    " root license data host routing search stripe openai anthropic google aws azure github gitlab sendgrid"
    " mailgun twilio datadog algolia sentry hash cookie django flask nextauth token user storage x live test prod"
    " my the maps map deepl groq mistral cohere huggingface pinecone slack square paypal newrelic relic cloudflare"
    " okta segment mixpanel amplitude pusher s3 gcp gemini dd tls wallet signature backup vault"
)
_INNOCENT = _words(
    "count counts limit limits length len size type types name names url uri urls endpoint path paths file files"
    " dir folder id ids expiry expires expiration ttl timeout age policy field fields input label prompt"
    " placeholder regex pattern min max index usage required enabled valid error errors status class format"
    " algorithm alg provider method methods mode header headers manager store service env var ref version hint"
    " reset rotation required strength validator validation hash digest length complexity link page form screen"
    " view handler helper util utils module map list set table column row budget window per used cost price total"
    " exp iat at on date time created updated expired source target scheme backend plugin domain server host port"
    " user username in out loader reader writer generator factory config settings option options flag flags check"
    " checker test tests spec guide docs doc help info description title text message visible hidden changed"
    " changes change confirm confirmation confirmed lookup cache stream parser lexer kind number position start"
    " end offset ring chain press up down code codes event events callback model schema stdin stdout fd command"
    " cmd script program only less prompter agent aging request requests retries retry exchange fingerprint digest"
    " refresh rotate plugin resolver interval days attempts history manager selector binding vault arn"
)
_COUNTS = _words(
    "max num min total n has is no use new_max prompt completion input output next prev eos bos pad unk sep cls"
    " mask special stop primary foreign sort cache partition public"
)
_NAMED_KEYS = _words(
    "primary foreign cache sort partition public group dedupe idempotency translation row item object record"
    " query route map dict host session i18n message lang locale config unique lookup index composite enter arrow"
    " shift ctrl control alt meta escape tab modifier function hot short any each this"
)
_PLACEHOLDERS = _words(
    "changeme change_me changeit change-me placeholder redacted hidden masked none null true false undefined"
    " empty optional required string example sample dummy default unset todo tbd fixme secret password passwd"
    " token apikey api_key api-key your_password yourpassword your-password mypassword my-password notset not_set"
    " not-set disabled enabled authorization bearer basic digest username somevalue some_value value values text"
    " number boolean object unknown private public internal anonymous protected nothing invalid missing"
    " access_token refresh_token id_token client_secret client_credentials authorization_code security credentials"
    " session cookie cookies header headers query oauth2 oauth openid apikey strict include omit same-origin"
    " password123! postmessage interactive inherit environment keyring keychain stdin prompt xxxxxxxx omitted"
    " removed filtered encrypted negotiate kerberos ntlm scram-sha-256 sha-256 sha256 sha512 hs256 rs256 es256"
    " bcrypt argon2 argon2id pbkdf2 base64 utf-8 ed25519 rsa4096 rsa2048 x25519 aes256 aes-256-gcm aes-256"
    " oauth2.0 http2 number1"
)
#: how a value begins that stands for another: a variable, a path, a call, a digest
_REFERENCES = (
    *(
        "$ { < %( %s %d %{ process.env os.environ os.getenv import.meta env. env( config. self. this. args."
        " settings. ctx. options. opts. params. req. request. res. response. user. data. props. state. var. local."
        " module. secrets. vault: ref+ op:// file: arn: !ref !sub & * [ @ #{ // ./ ../ ~/ / c:\\ http:// https://"
        " ssm: projects/ sha256- sha512- sha384- sha1- sha256: h1: function return await ... … *** • ? aws-secret"
        " kms: keyring: ssh-rsa ssh-ed25519 ecdsa-sha2 data. docker-secret \\( | - secretref: azurekeyvault"
        " @microsoft.keyvault str. enc[ age1"
    ).split(),
    "new ",
)
_PROSE = _words(
    "the a an is are be must should at least required of to for and or with not in on your enter please this that"
    " can cannot may will from by if when it was has have you we characters character"
)


#: what a key may end in without telling anything
_QUALIFIERS = _words(
    "value prod production staging dev test live raw base64 b64 plain plaintext old new current primary secondary"
    " backup v1 v2 default local"
)
_STRONG_ENDS = tuple(
    "password passwd passphrase secret passwort apikey secretkey accesskey privatekey apitoken authtoken"
    " accesstoken".split()
)
_NO_PASSWORDS = _words("bypass compass encompass trespass surpass multipass renderpass")
_SECRETS_OF_KEYS = _words("api secret private encryption signing access")
_STRONG_KEYS = _SECRETS_OF_KEYS | _words("master auth client deploy license account storage")
_TELLING_WORDS = _words("token credential credentials authorization bearer jwt")


def key_words(key: str) -> list[str]:
    """The words of a key, lower-cased: snake, kebab, dotted and camel case."""
    out: list[str] = []
    word = ""
    for i, c in enumerate(key):
        if not c.isalnum():
            out.append(word)
            word = ""
        elif c.isupper() and word and _turns(word[-1], key[i + 1 : i + 2]):
            out.append(word)
            word = c
        else:
            word += c
    out.append(word)
    return [w.lower() for w in out if w]


def _turns(before: str, after: str) -> bool:
    """Whether a capital between these two starts a word of camel case."""
    return before.islower() or before.isdigit() or (before.isupper() and after.islower())


def strength(key: str) -> int:
    """2 where a key names a password or secret, 1 where it names a token or key, 0 where it names neither."""
    words = key_words(key)
    while words and (words[-1].isdigit() or words[-1] in _QUALIFIERS):
        words.pop()
    joined = "".join(words)
    if "public" in words or joined.startswith("publickey") or (len(words) > 1 and words[-1] in ("auth", "session")):
        return 0
    if joined.endswith(("keydata", "passworddata", "tokendata")):
        return 2
    if not words or words[-1] in _INNOCENT or words[-1] == "tokens":
        return 0
    if words[0] in _COUNTS and words[-1] not in STRONG:
        return 0
    at = next((at for at, word in enumerate(words) if _is_strong(word) and not _is_passing(words, at)), None)
    if at is not None:
        return _password_strength(words, at, key)
    return _key_strength(words) or _token_strength(words, joined)


def _is_strong(word: str) -> bool:
    if word in STRONG or word.endswith(_STRONG_ENDS):
        return True
    if word.endswith("pass"):
        return word not in _NO_PASSWORDS
    return word.endswith("pwd") and len(word) > 3 and word != "oldpwd"


def _is_passing(words: list[str], at: int) -> bool:
    """Whether `pass` is a verb: more follows it."""
    return words[at] == "pass" and at < len(words) - 1


def _password_strength(words: list[str], at: int, key: str) -> int:
    if words == ["pwd"] and key != "pwd":  # PWD is a directory
        return 0
    qualifies = words[at] in ("secret", "secrets") and at < len(words) - 1
    return 1 if qualifies and words[-1] not in ("key", "token", "base", "value", "id", "pass") else 2


def _key_strength(words: list[str]) -> int:
    """How strongly a name that ends in `key` tells of a secret."""
    last, rest = words[-1], words[:-1]
    if last not in ("key", "keys") or not rest:
        return 0
    if rest[-1] in _KEYED or not _SECRETS_OF_KEYS.isdisjoint(words):
        return 1 if _STRONG_KEYS.isdisjoint(rest) else 2
    return int(last == "key" and rest[-1] not in _NAMED_KEYS and words[0] not in _COUNTS)


def _token_strength(words: list[str], joined: str) -> int:
    told = words[-1] in WEAK or not _TELLING_WORDS.isdisjoint(words)
    return int(told or joined.endswith(("token", "sessionid", "phpsessid", "connectsid")))


def names_secret(key: str) -> bool:
    """Whether a key names a secret."""
    return len(key) <= 100 and strength(key) > 0


def masks(key: str, value: str) -> bool:
    """Whether the string under this key in JSON data is a secret."""
    return secret_value(value, strength(key), quoted=True, env=False)


def secret_value(value: str, level: int, *, quoted: bool, env: bool) -> bool:
    """Whether a value in the place of a secret is one, and not a reference, a placeholder, code or prose."""
    value = value.strip()
    low = value.lower()
    if len(value) < 6 or _is_marked(value, low) or low in _PLACEHOLDERS:
        return False
    if low.startswith(_REFERENCES) and not _despite(value, quoted, level):
        return False
    if _placeholder(low) or _is_version(low) or _is_template(value):
        return False
    if not quoted and _is_call(value):
        return False
    if any(c.isspace() for c in value):
        return _phrase(value, level)
    return _mixed(value, level, quoted, env)


def _is_marked(value: str, low: str) -> bool:
    return "[REDACTED:" in value or low.startswith(("[email", "[private", "[ip]", "[phone", "[workspace"))


def _is_template(value: str) -> bool:
    return any(sign in value for sign in ("${", "{{", "$(")) or ("<" in value and ">" in value)


def _is_call(value: str) -> bool:
    return value[-1] in ")]" or any(sign in value for sign in ("(", "[", "->", "::"))


def _despite(value: str, quoted: bool, level: int) -> bool:
    """A password may begin with a sign; a reference begins with a sign and goes on as a name."""
    sign, rest = value[0], value[1:]
    if level < 2 or (not quoted and sign not in "*&-?@|"):
        return quoted and sign == "/" and value.count("/") < 3 and len(value) > 30 and any(map(str.isdigit, value))
    if sign in "-@&/+" and len(value) >= (20 if quoted else 30) and _dense(rest) and "." not in rest:
        return rest.count("/") < 3 or _scrambled(rest)
    if sign not in "$*&-?@#%|{[/" or rest[:1] == "{" or "/" in rest[3:]:
        return False
    if sign in "/$-@&" and not any(c in "!@#$%^&*+=?~" for c in rest):
        return False
    return any(map(str.isdigit, rest)) and any(map(str.isalpha, rest))


_PLACEHOLDER_STARTS = tuple(
    "your my- my_ insert replace enter some- some_ fake- example xxxx put- put_ changeme change-me change_me todo dummy"
    " < add-your placeholder not-a- not_a_ no-".split()
)


def _placeholder(low: str) -> bool:
    letters = set(low)
    if len(letters) < 3 or letters <= set("*.x-_") or letters <= set("*•.…"):
        return True
    if low.startswith(_PLACEHOLDER_STARTS):
        plain = low.startswith(("your", "xxxx", "insert", "replace", "example"))
        return plain or not any(map(str.isdigit, low[:-4]))
    return low.endswith(("-here", "_here", "...", "…", "xxxx")) or any(s in low for s in ("****", "_your_", "-your-"))


def _is_version(low: str) -> bool:
    parts = low.lstrip("^~>=<v ").split("-")[0].split(".")
    numbered = 2 <= len(parts) <= 4 and all(p.isdigit() or p in ("x", "*") for p in parts)
    return numbered and (len(low) < 16 or len(parts) > 2)


def _phrase(value: str, level: int) -> bool:
    words = value.split()
    if level < 2 or len(words) > 30 or value[-1] in ".:?":
        return False
    if any(w.strip(".,:;()").lower() in _PROSE for w in words):
        return False
    if len(words) >= 4 and all(w.isalpha() and w.islower() for w in words):
        return True
    if len(words) >= 6 or any(c in "(){}=;<>" for c in value):
        return False
    return any(map(str.isdigit, value)) and any(map(str.isalpha, value))


def _mixed(value: str, level: int, quoted: bool, env: bool) -> bool:
    digits = sum(map(str.isdigit, value))
    alphas = sum(map(str.isalpha, value))
    signs = len(value) - digits - alphas
    if alphas == 0:
        return level == 2 and _number(value, digits, signs, quoted or env)
    if digits == 0 and not any(c in "!@#$%^&*+=?~" for c in value.strip("!?,;*&:.=")):
        return _letters(value, level, quoted, env)
    if _is_path(value) or (not quoted and _is_code(value)):
        return False
    if level == 2:
        return digits > 0 or quoted or env or not value.isidentifier()
    if len(value) < 8 or digits == 0:
        return len(value) >= 12 and digits == 0 and signs >= 1 and quoted
    return _dense(value) or (len(value) >= 16 and digits >= 2)


def _number(value: str, digits: int, signs: int, placed: bool) -> bool:
    if signs == 0:
        return digits >= 6 and placed
    return digits >= 3 and signs >= 2 and any(c in "!@#$%^&*" for c in value)


def _letters(value: str, level: int, quoted: bool, env: bool) -> bool:
    """Whether a value without digits is a password and not a name."""
    plain = value.strip("!?,;*&:.=")
    placed = quoted or env
    if not plain.isalpha():
        return level == 2 and placed and _joined_words(plain)
    if level < 2:
        return len(plain) >= 16 and mixed_case(plain) >= 5
    if not placed:
        return len(plain) >= 14 and mixed_case(plain) >= 5
    if any(c in "!@#$%^&*+=?~" for c in value) or mixed_case(plain) >= 2 or _is_camel(plain):
        return not any(stem in plain.lower() for stem in (*_STEMS, "field", "input"))
    if mixed_case(plain) >= 3:
        return True
    return plain == plain.lower() and len(plain) >= 6 and plain not in _PROSE and not _has_stem_outside(plain)


_STEMS = ("password", "passwd", "secret", "token", "key", "credential")
_NAMES = STRONG | WEAK | _PROSE | {"key", "name", "secret", "field", "input"}


def _joined_words(plain: str) -> bool:
    """Whether words joined by a sign are a passphrase."""
    if "." in plain:
        return False
    parts = plain.replace("-", " ").replace("_", " ").replace("/", " ").split()
    if len(parts) >= 3 and "-" in plain and "/" not in plain:
        return _NAMES.isdisjoint(parts)
    return bool(parts) and mixed_case(plain.replace("-", "").replace("_", "")) > 3


def _is_camel(plain: str) -> bool:
    return len(plain) > 9 and not plain.istitle() and not plain.isupper() and plain[1:] != plain[1:].lower()


def _has_stem_outside(plain: str) -> bool:
    return plain.startswith(_STEMS) or plain.endswith(_STEMS)


def mixed_case(value: str) -> int:
    """How often the case changes in a way that words in camel case do not explain."""
    return sum(map(_is_odd_turn, value, value[1:], value[2:]))


def _is_odd_turn(a: str, b: str, c: str) -> bool:
    if a.isalpha() and b.isdigit():
        return True
    if not b.isupper():
        return a.isupper() and b.islower() and c.isupper()
    return a.islower() and (c.isupper() or not c.isalpha())


_FILES = (".py", ".js", ".ts", ".pem", ".key", ".json", ".yml", ".yaml", ".txt", ".go", ".rs", ".crt", ".md", ".env")


def _is_path(value: str) -> bool:
    if value.startswith(("C:\\", "D:\\")) or value.endswith(_FILES):
        return True
    if value.count("/") < 2 or _scrambled(value):
        return False
    return value.startswith(("/", "./", "~")) or not any(c in "+=" for c in value)


def _scrambled(value: str) -> bool:
    return len(value) >= 28 and mixed_case(value) >= 4


def _is_code(value: str) -> bool:
    """Whether a value without quotes is an expression or a name."""
    head = value.rstrip(",;:)")
    parts = head.split(".")
    if len(parts) > 1 and all(p.isidentifier() for p in parts):
        return not any(_dense(p) for p in parts)
    if _is_snake(head):
        words = head.split("_")
        numbered = all(p.isalpha() or p.isdigit() or len(p) < 4 for p in words)
        return numbered and any(len(p) > 2 and p.isalpha() for p in words)
    return any(s in value.rstrip("=") for s in ("==", "&&", "||", "=>", "();", "){", '":'))


def _is_snake(head: str) -> bool:
    if not head.isidentifier() or "_" not in head or not head.replace("_", "").isalnum():
        return False
    return (head.islower() or head.isupper()) and not _dense(head)


def _dense(value: str) -> bool:
    """Whether letters and digits alternate more than in a name with a number behind it."""
    turns = sum(map(_is_turn, value, value[1:]))
    return turns >= 3 or (turns >= 1 and mixed_case(value) >= 3)


def _is_turn(a: str, b: str) -> bool:
    return a.isdigit() != b.isdigit() and a.isalnum() and b.isalnum()


def entropy(value: str) -> float:
    """Shannon's bits per character."""
    from math import log2

    size = len(value)
    return -sum(n / size * log2(n / size) for n in (value.count(c) for c in set(value)))


def random_looking(value: str) -> bool:
    """Whether a value without a telling key is random: long, of all kinds, like no name, path or digest."""
    if not 20 <= len(value) <= 500 or value.startswith(("sha", "h1:", "/", "http", "data:", "AAAA", "MII", "ssh-")):
        return False
    core = value.rstrip("=")
    if not all(c.isascii() and (c.isalnum() or c in "+/_-.~!@#$%^&*") for c in core):
        return False
    kinds = any(map(str.isdigit, core)) + any(map(str.islower, core)) + any(map(str.isupper, core))
    if kinds < 3 or any(core.count(sign) > most for sign, most in (("/", 3), (".", 1), ("-", 3), ("_", 3))):
        return False
    turns = sum(map(_differ, core, core[1:]))
    return turns >= 5 and mixed_case(core) >= 5 and sum(map(str.isdigit, core)) >= 2 and entropy(core) > 3.5


def _differ(a: str, b: str) -> bool:
    return a.isdigit() != b.isdigit()
