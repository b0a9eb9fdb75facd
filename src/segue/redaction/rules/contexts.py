"""Owns the rules that know a secret by what stands around it. Never by the shape of a provider's token."""

from __future__ import annotations

from segue.redaction.judge import mixed_case, random_looking, secret_value, strength
from segue.redaction.rule import SECRET, Rule
from segue.redaction.screens import plain_letters
from segue.redaction.spans import has_else

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re

_KEY = (
    r"passphrase|passcode|passw|pass|pwd|secret|token|key|credential|cred|auth|dsn|bearer|cookie|sid|jwt"
    r"|mnemonic|pepper|otp|pin|salt|seed|sas|pw|webhook|signature|contrase|kennwort|senha|has[lł]o|motdepasse"
    r"|parola|пароль|密码|密碼|パスワード|비밀번호|wachtwoord|lösenord"
)
_SCREEN = tuple(
    (
        "pass pwd secret token key cred auth dsn bearer cookie sid jwt mnemonic pepper otp pin salt seed sas pw "
        "webhook signature contrase kennwort senha has motdepasse parola wachtwoord lösenord "
        "пароль 密 パスワード 비밀번호"
    ).split()
)


def _quotes(low: str) -> bool:
    return "'" in low or '"' in low


def _whole_key(match: re.Match[str]) -> tuple[str, str]:
    text, at = match.string, match.start("key")
    start = at
    while start > 0 and at - start < 60 and (text[start - 1].isalnum() or text[start - 1] in "_-."):
        start -= 1
    if text[start - 1 : start] == "\\" and text[start : start + 1] in "nrt" and start < at:
        start += 1
    if start == at or text[start:at].isspace():
        start = _word_before(text, start)
    return plain_letters(text[start : match.end("key")]), text[max(0, start - 40) : start]


def _word_before(text: str, start: int) -> int:
    """Where the word before a key begins, if it belongs to it: `HMAC key: …`, `Jwt:Key`."""
    if text[start - 1 : start] not in (" ", ":") or not text[start - 2 : start - 1].isalpha():
        return start
    at = start - 1
    while at > 0 and start - at < 24 and text[at - 1].isalpha():
        at -= 1
    return at


def _is_assigned(match: re.Match[str]) -> bool:
    key, before = _whole_key(match)
    bare = key.strip("-_.")
    level = strength(bare)
    if not level:
        return False
    sep, quoted = match.group("sep"), match.group("q") is not None
    value = match.group("secret")
    tight = sep in ("=", ":=")
    flag = key.startswith("-") or before.endswith("-")
    if not sep.strip(" \t"):
        if not (flag or (before.rstrip().endswith(("ENV", "ARG", "setx", "set", "secret")) and bare.isupper())):
            return False
        name, equals, _ = value.partition("=")
        if equals and name.isalpha() and name.islower() and len(name) < 8:  # an option's own options: id=…, type=…
            return False
        return not value.startswith("-") and secret_value(
            value, 2 if level == 2 or not value.isalpha() else 1, quoted=quoted, env=level == 2
        )
    if "(" in sep and not bare.rpartition(".")[2].lower().startswith(
        ("set", "with", "pass", "pwd", "add", "token", "api", "secret")
    ):
        return False
    if "," in sep or "(" in sep:
        return (
            quoted
            and (any(map(str.isdigit, value)) or any(c in "!@#$%^&*" for c in value) or mixed_case(value) > 1)
            and secret_value(value, level, quoted=True, env=False)
        )
    env = (
        flag
        or (
            tight
            and (bare.isupper() or not before.strip(" \t") or before.endswith(("\n", "?", "&", ";", "; ", "export ")))
        )
        or sep.strip() == ">"
    )
    if (
        sep.strip() == ":"
        and not quoted
        and bare.islower()
        and before[-1:] in ("", "\n", " ")
        and not any(map(str.isdigit, value))
    ):
        return (
            level == 2
            and any(c in "!@#$%^&*" for c in value.strip("!*&,"))
            and secret_value(value, level, quoted=False, env=False)
        )
    if sep.strip() == ">" and match.string[match.end() : match.end() + 1] != "<":
        return False
    if sep.strip() in ("=>", "->") and not quoted:
        return len(value) > 11 and secret_value(value, 1, quoted=False, env=False)
    if _is_keyword_argument(match, quoted, value):
        return False
    return secret_value(value, level, quoted=quoted, env=env)


def _is_keyword_argument(match: re.Match[str], quoted: bool, value: str) -> bool:
    after = match.string[match.end() : match.end() + 1]
    return not quoted and after in ("(", "[") and value.replace(".", "_").isidentifier()


def _go_on(text: str, end: int) -> int:
    """A value longer than the pattern is bounded vanishes to its end."""
    while end < len(text) and text[end - 1] in _TOKEN and text[end] in _TOKEN:
        end += 1
    return end


_TOKEN = frozenset("abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ+/=_-%.")


def _is_told(match: re.Match[str]) -> bool:
    value = match.group("secret").rstrip(".,;:!?)\"'`*") or "x"
    if (
        len(value) < 6
        or value.startswith(("http", "/", "<", "$", "{", "[", "(", "-"))
        or "://" in value
        or "()" in value
    ):
        return False
    has_digit, has_letter = any(map(str.isdigit, value)), any(map(str.isalpha, value))
    quoted = match.group("q") in ("'", '"', "`", "“")
    if not has_letter:
        return value.isdigit() and match.groupdict().get("noun", "").lower() in ("password", "passcode", "pin")
    sign = any(c in "!@#$%^&*+=?~" for c in value[:-1])
    if (
        not _strong_noun(match)
        and match.groupdict().get("gap") is not None
        and match.group("gap").strip()[-1:] in ("", ":", "=", "→", "：")
    ):
        return False
    level = 2 if _strong_noun(match) or (quoted and has_digit) else 1
    if not secret_value(value, level, quoted=quoted, env=False):
        return False
    if match.groupdict().get("gap") is not None and not match.group("gap").strip():
        return (quoted and has_digit) or (
            _strong_noun(match) and has_digit and value[0] != "v" and value.count(".") < 2 and "/" not in value
        )
    return (
        has_digit
        or sign
        or mixed_case(value) >= 2
        or (quoted and _strong_noun(match) and value.islower() and "_" not in value)
    )


def _strong_noun(match: re.Match[str]) -> bool:
    return match.groupdict().get("noun", "password").lower() not in (
        "key",
        "token",
        "secret",
        "login",
        "pass",
        "credential",
        "credentials",
        "pin",
    )


def _is_random(match: re.Match[str]) -> bool:
    name = match.group("name").lower()
    return not any(word in name for word in _DIGESTS) and random_looking(match.group("secret"))


def _is_basic(match: re.Match[str]) -> bool:
    value = match.group("secret")
    return secret_value(value, 2, quoted=True, env=True) and (any(map(str.isdigit, value)) or mixed_case(value) >= 3)


#: names whose values are random and public
_DIGESTS = (
    "sha h1 hash integrity digest checksum sum fingerprint etag md5 nonce revision commit blob content data "
    "resolved cache ref id url version tree crc public pub cert rev"
).split()

#: the beginnings of the nouns of what is told
_TOLD = (
    *("pass", "pw", "secret", "api", "access", "auth", "key", "token", "pin", "cred", "kennwort", "contrase", "mot de"),
    *("senha", "wachtwoord", "login", "has", "lösenord", "пароль", "密", "パスワード"),
)
ASSIGNMENT_RULES: tuple[Rule, ...] = (
    Rule(
        name="authorization",
        klass=SECRET,
        screen=("bearer", "basic", "token ", "authorization", "digest", "apikey ", "key "),
        starts=("authorization", "bearer", "basic", "token"),
        pattern=(
            r"(?<![A-Za-z0-9_])(?:(?i:bearer)[ \t]{1,4}"
            r"|(?i:authorization)[\"']?\s{0,4}[:=,]\s{0,4}\\?[\"']?(?:(?i:basic|token|bot|apikey|key|splunk"
            r"|genie ?key|digest|oauth|negotiate|sso-key|discogs)[ \t]{1,4}(?:token=)?\"?)?"
            r"|(?i:basic)[ \t]{1,4}(?=[A-Za-z0-9+/]{8})"
            r"|Token[ \t](?=[a-z0-9]{20}))(?P<secret>[A-Za-z0-9+/_.~=:|-]{6,4000})"
        ),
        vanish="Authorization: Bearer " + "a7Kq2Zx9Lm4Tp0Vb",
        stay="Authorization: Bearer <token>",
        judge=_is_basic,
    ),
    Rule(
        name="cookie",
        klass=SECRET,
        screen=("cookie",),
        starts=("cookie", "set-cookie"),
        pattern=(
            r"(?i:(?<![A-Za-z0-9_])(?:set-)?cookie)[\"']?\s{0,3}[:=]\s{0,3}[\"']?(?P<secret>[\w.$%-]{1,60}="
            r"[^\s;\"']{6,4000}(?:;[ ]?(?!(?i:path|domain|expires|max-age|samesite|secure"
            r"|httponly))[\w.$%-]{1,60}=[^\s;\"']{0,4000}){0,40})"
        ),
        vanish="Cookie: sid=" + "a7Kq2Zx9Lm4Tp0Vb",
        stay="cookie: a=b",
        judge=lambda m: any(map(str.isdigit, m.group("secret"))),
    ),
    Rule(
        name="netrc",
        klass=SECRET,
        screen=("login",),
        starts=("login",),
        sight=lambda low: "password" in low,
        pattern=r"(?i:\blogin)\s{1,4}\S{1,100}\s{1,4}(?i:password)\s{1,4}(?P<secret>\S{3,300})",
        vanish="machine x login ann password " + "s3cr3tpw",
        stay="login and password required",
        judge=lambda m: secret_value(m.group("secret"), 2, quoted=True, env=True),
    ),
    Rule(
        name="sql-password",
        klass=SECRET,
        screen=("identified", "password", "authentication"),
        starts=("identified", "with", "encrypted", "password"),
        sight=_quotes,
        pattern=(
            r"(?i:\bidentified\s{1,3}(?:with\s{1,3}[\w'`]{1,40}\s{1,3})?(?:by|as)\s{1,3}(?:password\s{1,3})?"
            r"|\b(?:with\s{1,3})?(?:encrypted\s{1,3})?password\s{1,3}(?:for\s\S{1,40}\s{0,2}=?\s{0,2}"
            r"|=\s{0,3})?)\\?(?P<q>['\"])(?P<secret>[^'\"\n]{5,200})(?P=q)"
        ),
        vanish="CREATE USER app IDENTIFIED BY '" + "s3cr3tpw" + "'",
        stay="IDENTIFIED BY '<password>'",
        judge=lambda m: secret_value(m.group("secret"), 2, quoted=True, env=True),
    ),
    Rule(
        name="assignment",
        klass=SECRET,
        screen=_SCREEN,
        starts=_SCREEN,
        pattern=(
            rf"(?P<key>(?i:{_KEY})[\w-]{{0,40}}(?:\.(?i:key|secret|password|token"
            rf"|value))?)(?P<sep>\\{{0,3}}[\"'`]?[\])]?[ \t]{{0,8}}(?::\s{{0,3}}[A-Za-z&*][\w\[\]"
            rf"|.&*? ]{{0,30}}?=(?!=)|[\"']?\s{{1,4}}value\s?=|[\"']?,?\s{{1,20}}[\"']?[vV]alue[\"']?\s?[:=]|=>"
            rf"|->|:=|[=!]==?|\?=|=|::?(?!/)|>|：|\((?=[\"'])|[\"'],(?=\s{{0,4}}[\"'])"
            rf"|(?<=[\"']),(?=\s{{0,4}}\\{{0,2}}[\"'`]))[ \t]{{0,8}}(?:\n[ \t]{{1,20}})?"
            rf"|[ \t]{{1,3}})(?:[rbfuL@]{{0,2}}(?=\\{{0,3}}[\"'`])|(?i:basic|bearer"
            rf"|token)[ ])?(?P<q>\\{{0,3}}[\"'`])?(?(q)|(?:\\{{0,3}}[\"'`])?)(?P<secret>(?(q)(?:(?!(?P=q))(?:\\."
            rf"|[^\n\\])){{1,1000}}|[^\s\"'`,;<>(){{}}\\]{{3,1000}}))(?(q)(?P=q))"
        ),
        reach=_go_on,
        vanish="DB_PASSWORD=" + "s3cr3tpw99",
        stay="password = os.environ['DB_PASSWORD']",
        judge=_is_assigned,
    ),
    Rule(
        name="fallback",
        klass=SECRET,
        screen=_SCREEN,
        sight=has_else,
        starts=_SCREEN,
        pattern=(
            rf"(?P<key>(?i:{_KEY})[\w-]{{0,40}}+)(?P<sep>)[^\n\"'`]{{0,80}}[\"']?[^\n\"'`]{{0,10}}?(?:\|\||\?\?"
            rf"|\bor)\s{{1,3}}(?P<q>[\"'`])(?P<secret>[^\"'`\n]{{6,400}})(?P=q)"
        ),
        vanish="const secret = process.env.S || '" + "s3cr3tpw99" + "'",
        stay="const secret = process.env.S || 'changeme'",
        judge=lambda m: (
            strength(_whole_key(m)[0].strip("-_.")) > 0
            and any(map(str.isdigit, m.group("secret")))
            and secret_value(m.group("secret"), strength(_whole_key(m)[0].strip("-_.")), quoted=True, env=False)
        ),
    ),
    Rule(
        name="told-before",
        klass=SECRET,
        screen=("password", "passphrase", "secret", "token", "key"),
        sight=lambda low: " as " in low or " is " in low,
        pattern=(
            r"(?<![^\s\"'`(])(?P<q>)(?P<secret>[^\s\"'`]{6,100})[\"'`]?[ ](?i:as|is)[ ](?i:the|my|your|our|its"
            r"|a)[ ](?i:[\w-]{1,20}[ ])?(?i:password|passphrase|secret|token|api key)\b"
        ),
        vanish="use " + "s3cr3tpw99" + " as the password",
        stay="use this as the password",
        judge=_is_told,
    ),
    Rule(
        name="login-pair",
        klass=SECRET,
        screen=("cred", "login", "log in", "sign in", "use ", "user"),
        starts=("cred", "log", "sign", "use"),
        pattern=(
            r"(?i:(?<![A-Za-z0-9_])(?:creds|credentials|login|log(?:ged)? in|sign in|signin|use"
            r"|user)(?:\s[\w-]{1,15}){0,3}?[:\s]{1,3}[\"'`]?[\w.@-]{2,40}(?P<gap>\s?[/:]\s?|\sand\s|,?\s(?:and "
            r"|with )?(?:pass|password|pw|pwd)\s))(?P<q>[\"'`]?)(?P<secret>[^\s\"'`/]{6,100})"
        ),
        vanish="log in as admin / " + "s3cr3tpw99",
        stay="use src/module2.py",
        judge=lambda m: (
            _is_told(m)
            and (m.group("gap").strip() not in ("/", ":") or m.group("secret").count(".") == 0)
            and not m.group("secret")[0].isdigit()
            and (m.group("gap") != ":" or "cred" in m.group(0).lower() or "log" in m.group(0).lower())
            and (m.group("gap") != "/" or any(c in "!@#$%^&*" for c in m.group("secret")))
            and m.group("gap") != " and "
        ),
    ),
    Rule(
        name="call-credentials",
        klass=SECRET,
        screen=("auth", "login", "connection(", "cred", "connect(", "jwt", "hmac", "client(", "securestring", "sign("),
        sight=_quotes,
        pattern=(
            r"(?i:(?<![A-Za-z0-9])[a-z]{0,24}(?:auth(?!or)|login|getconnection|credentials?|authenticate"
            r"|sign_?in|connect|jwt\.(?:sign|encode|verify|decode)|createhmac|hmac\.new"
            r"|algoliasearch)\w{0,10}\s{0,2}[=:]?\s{0,2}[(\[]\s{0,3}(?:[^()\n;]{1,120},\s{0,3})?b?"
            r"|convertto-securestring\s{1,3}(?:-string\s{1,3})?(?:-asplaintext\s{1,3})?)(?P<q>[\"'])(?P<secret>"
            r"[^\"'\n]{6,200})(?P=q)"
        ),
        vanish='login("ann", "' + "s3cr3tpw99" + '")',
        stay='login("ann", "password")',
        judge=lambda m: (
            secret_value(m.group("secret"), 2, quoted=True, env=True)
            and (
                any(map(str.isdigit, m.group("secret")))
                or any(c in "!@#$%^&*" for c in m.group("secret"))
                or mixed_case(m.group("secret")) > 1
                or "secure" in m.group(0).lower()
            )
            and ".h" not in m.group("secret")
            and not m.group("secret").startswith(("localhost", "["))
        ),
    ),
    Rule(
        name="told",
        klass=SECRET,
        screen=(
            "pass",
            "secret",
            "token",
            "key",
            "pin",
            "pwd",
            "pw ",
            "login",
            "credential",
            "code",
            "contrase",
            "passwort",
            "senha",
            "mot de",
        ),
        starts=_TOLD,
        pattern=(
            r"(?i:(?<![A-Za-z0-9_])(?P<noun>passwords?|passphrase|passcode|passwd|pwd|pw|pass|secret|(?:api[ -]?"
            r"|access[ -]?|auth[ -]?|secret[ -]?)?(?:key|token)|pin|credentials?|creds|passwort|kennwort"
            r"|contraseña|mot de passe|senha|wachtwoord|login|hasło|lösenord|пароль|密码|密碼"
            r"|パスワード)(?P<gap>(?:\s(?!is\b|was\b|to\b)[\w./@'-]{1,30}){0,6}?(?:\s{1,2}(?:is|was|to|ist|es|est|é"
            r"|jest|är|will be|should be|remains|are|now|still)\b|\s?(?:[:=→：は]|->|=>)|\s(?=[\"'`]))(?:\s(?:now"
            r"|still|currently|just|set to|literally|actually|simply|always|again|back to|this|is))?|\s(?=\S{0,200}\d)"
            r"|(?<=[^\x00-\x7f])))\s{0,3}:?\s?(?:[\w.@-]{2,30}\s?[/:]\s{0,2})?(?P<q>[\"'`“‘*]{0,3})(?P<secret>"
            r"[^\s\"'`”’]{6,200})"
        ),
        vanish="my password is " + "s3cr3tpw99" + " ok",
        stay="the password is required",
        judge=_is_told,
    ),
)

ASSIGNMENT_SCREENS = frozenset(literal for rule in ASSIGNMENT_RULES for literal in rule.screen)

ENTROPY_RULES: tuple[Rule, ...] = (
    Rule(
        name="high-entropy",
        klass=SECRET,
        pattern=(
            r"(?<![\w/.+-])(?P<name>[A-Za-z_][\w.-]{0,60})[\"']?\s{0,4}(?:=>|:=|="
            r"|:)\s{0,4}[\"'`]?(?P<secret>[A-Za-z0-9+/_.~!@#$%^&*-]{20,500}={0,2})(?![\w/+(])"
        ),
        vanish="setting = " + "a7Kq2Zx9Lm4Tp0VbR8w" + "Yc3Nd",
        stay="integrity: sha512-abc",
        judge=_is_random,
    ),
)
