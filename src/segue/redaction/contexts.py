"""Owns the rules that know a secret by what stands around it. Never by the shape of a provider's token."""

from __future__ import annotations

from segue.redaction.judge import mixed_case, secret_value, strength
from segue.redaction.rule import SECRET, Rule

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re

_KEY = (
    r"passphrase|passcode|passw|pass|pwd|secret|token|key|credential|cred"
    r"|auth|dsn|bearer|cookie|sid|jwt|mnemonic|pepper|otp|pin|salt|seed"
    r"|sas|pw|webhook|signature|contrase|kennwort|senha|has[lł]o|motdepasse"
    r"|parola|пароль|密码|密碼|パスワード|비밀번호|wachtwoord|lösenord"
)
#: how every match of `_KEY` starts
_KEY_STARTS = tuple(
    "pass pwd secret token key cred auth dsn bearer cookie sid jwt mnemonic pepper otp pin salt seed sas pw"
    " webhook signature contrase kennwort senha has motdepasse parola пароль 密码 密碼 パスワード 비밀번호 wachtwoord"
    " lösenord".split()
)


def _whole_key(match: re.Match[str]) -> tuple[str, str]:
    text, at = match.string, match.start("key")
    start = at
    while start > 0 and at - start < 60 and (text[start - 1].isalnum() or text[start - 1] in "_-."):
        start -= 1
    if text[start - 1 : start] == "\\" and text[start : start + 1] in "nrt" and start < at:
        start += 1
    if start == at or text[start:at].isspace():
        start = _word_before(text, start)
    return text[start : match.end("key")], text[max(0, start - 40) : start]


def _word_before(text: str, start: int) -> int:
    """Where the word before a key begins, if it belongs to it: `HMAC key: …`, `Jwt:Key`."""
    if text[start - 1 : start] not in (" ", ":") or not text[start - 2 : start - 1].isalpha():
        return start
    at = start - 1
    while at > 0 and start - at < 24 and text[at - 1].isalpha():
        at -= 1
    return at


_SETTERS = ("set", "with", "pass", "pwd", "add", "token", "api", "secret")
_COMMANDS = ("ENV", "ARG", "setx", "set", "secret")
_LINE_STARTS = ("\n", "?", "&", ";", "; ", "export ")
_SIGNS = frozenset("!@#$%^&*")


def _is_assigned(match: re.Match[str]) -> bool:
    """Whether a key names a secret, and what is assigned to it is one."""
    key, before = _whole_key(match)
    bare = key.strip("-_.")
    level = strength(bare)
    if not level:
        return False
    sep, quoted, value = match.group("sep").strip(" \t"), match.group("q") is not None, match.group("secret")
    sign = sep.strip()
    flag = key.startswith("-") or before.endswith("-")
    if not sep:
        command = before.rstrip().endswith(_COMMANDS) and bare.isupper()
        return (flag or command) and _is_option_value(value, level, quoted)
    if "(" in sep and not bare.rpartition(".")[2].lower().startswith(_SETTERS):
        return False
    if "," in sep or "(" in sep:
        return quoted and _is_telling(value) and secret_value(value, level, quoted=True, env=False)
    if sign == ":" and not quoted and _is_prose(bare, before, value):
        signed = not _SIGNS.isdisjoint(value.strip("!*&,"))
        return level == 2 and signed and secret_value(value, level, quoted=False, env=False)
    if sign == ">" and match.string[match.end() : match.end() + 1] != "<":
        return False
    if sign in ("=>", "->") and not quoted:
        return len(value) > 11 and secret_value(value, 1, quoted=False, env=False)
    if _is_keyword_argument(match, quoted, value):
        return False
    tight = match.group("sep") in ("=", ":=")
    env = flag or sign == ">" or (tight and _is_environment(bare, before))
    return secret_value(value, level, quoted=quoted, env=env)


def _is_option_value(value: str, level: int, quoted: bool) -> bool:
    """Whether what follows an option that names a secret is one: no other option, no `id=…` of its own."""
    name, equals, _ = value.partition("=")
    if value.startswith("-") or (equals and name.isalpha() and name.islower() and len(name) < 8):
        return False
    return secret_value(value, 2 if level == 2 or not value.isalpha() else 1, quoted=quoted, env=level == 2)


def _is_telling(value: str) -> bool:
    return any(map(str.isdigit, value)) or not _SIGNS.isdisjoint(value) or mixed_case(value) > 1


def _is_prose(bare: str, before: str, value: str) -> bool:
    return bare.islower() and before[-1:] in ("", "\n", " ") and not any(map(str.isdigit, value))


def _is_environment(bare: str, before: str) -> bool:
    """Whether a key stands where a shell, a file of settings or a query has its names."""
    return bare.isupper() or not before.strip(" \t") or before.endswith(_LINE_STARTS)


def _is_keyword_argument(match: re.Match[str], quoted: bool, value: str) -> bool:
    after = match.string[match.end() : match.end() + 1]
    return not quoted and after in ("(", "[") and value.replace(".", "_").isidentifier()


def _go_on(text: str, end: int) -> int:
    """A value longer than the pattern is bounded vanishes to its end."""
    while end < len(text) and text[end - 1] in _TOKEN and text[end] in _TOKEN:
        end += 1
    return end


_TOKEN = frozenset("abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ+/=_-%.")


_NO_VALUES = ("http", "/", "<", "$", "{", "[", "(", "-")
_WEAK_NOUNS = ("key", "token", "secret", "login", "pass", "credential", "credentials", "pin")


def _is_told(match: re.Match[str]) -> bool:
    """Whether a sentence tells a password."""
    value = match.group("secret").rstrip(".,;:!?)\"'`*") or "x"
    if len(value) < 6 or value.startswith(_NO_VALUES) or "://" in value or "()" in value:
        return False
    noun = match.groupdict().get("noun", "password").lower()
    if not any(map(str.isalpha, value)):
        return value.isdigit() and "noun" in match.groupdict() and noun in ("password", "passcode", "pin")
    gap = match.groupdict().get("gap")
    strong = noun not in _WEAK_NOUNS
    if not strong and gap is not None and gap.strip()[-1:] in ("", ":", "=", "→", "："):
        return False
    quoted = match.group("q") in ("'", '"', "`", "“")
    has_digit = any(map(str.isdigit, value))
    level = 2 if strong or (quoted and has_digit) else 1
    if not secret_value(value, level, quoted=quoted, env=False):
        return False
    if gap is not None and not gap.strip():
        return has_digit and (quoted or (strong and not _is_number_or_path(value)))
    if has_digit or any(c in "!@#$%^&*+=?~" for c in value[:-1]) or mixed_case(value) >= 2:
        return True
    return quoted and strong and value.islower() and "_" not in value


def _is_number_or_path(value: str) -> bool:
    return value[0] == "v" or value.count(".") > 1 or "/" in value


def _is_login(match: re.Match[str]) -> bool:
    """Whether a name and a password are told as a pair."""
    gap, value, before = match.group("gap"), match.group("secret"), match.group(0).lower()
    if not _is_told(match) or value[0].isdigit() or gap == " and ":
        return False
    if gap.strip() in ("/", ":") and "." in value:
        return False
    if gap == ":":
        return "cred" in before or "log" in before
    return gap != "/" or not _SIGNS.isdisjoint(value)


def _is_fallback(match: re.Match[str]) -> bool:
    level, value = strength(_whole_key(match)[0].strip("-_.")), match.group("secret")
    return level > 0 and any(map(str.isdigit, value)) and secret_value(value, level, quoted=True, env=False)


def _is_credential(match: re.Match[str]) -> bool:
    value = match.group("secret")
    if ".h" in value or not secret_value(value, 2, quoted=True, env=True):
        return False
    return _is_telling(value) or "secure" in match.group(0).lower()


def _is_basic(match: re.Match[str]) -> bool:
    value = match.group("secret")
    return secret_value(value, 2, quoted=True, env=True) and (any(map(str.isdigit, value)) or mixed_case(value) >= 3)


def _is_opaque(match: re.Match[str]) -> bool:
    return secret_value(match.group("secret"), 2, quoted=True, env=True)


_NOUN_STARTS = tuple(
    "pass pwd pw secret api access auth key token pin cred kennwort contraseña mot senha wachtwoord login hasło"
    " lösenord пароль 密码 密碼 パスワード".split()
)
#: what stands between a key and its value: a sign of assignment or comparison, a call's bracket, a comma, a space
_SEPARATOR = (
    r"\\{0,3}[\"'`]?[\])]?[ \t]{0,8}"
    r"(?::\s{0,3}[A-Za-z&*][\w\[\]|.&*? ]{0,30}?=(?!=)"  # a type stands between
    r"|[\"']?\s{1,4}value\s?="
    r"|[\"']?,?\s{1,20}[\"']?[vV]alue[\"']?\s?[:=]"
    r"|=>|->|:=|[=!]==?|\?=|=|::?(?!/)|>|："
    r"|\((?=[\"'])"
    r"|[\"'],(?=\s{0,4}[\"'])"
    r"|(?<=[\"']),(?=\s{0,4}\\{0,2}[\"'`]))"
    r"[ \t]{0,8}(?:\n[ \t]{1,20})?"
    r"|[ \t]{1,3}"
)
_LITERAL_MARK = r"(?:[rbfuL@]{0,2}(?=\\{0,3}[\"'`])|(?i:basic|bearer|token)[ ])?"
_QUOTE = r"\\{0,3}[\"'`]"
_QUOTED = r"(?:(?!(?P=q))(?:\\.|[^\n\\])){1,1000}"
_BARE = r"[^\s\"'`,;<>(){}\\]{3,1000}"
_ASSIGNMENT = (
    rf"(?P<key>(?i:{_KEY})[\w-]{{0,40}}(?:\.(?i:key|secret|password|token|value))?)"
    rf"(?P<sep>{_SEPARATOR}){_LITERAL_MARK}"
    rf"(?P<q>{_QUOTE})?(?(q)|(?:{_QUOTE})?)"
    rf"(?P<secret>(?(q){_QUOTED}|{_BARE}))(?(q)(?P=q))"
)

ASSIGNMENT_RULES: tuple[Rule, ...] = (
    Rule(
        name="authorization",
        klass=SECRET,
        screen=("bearer", "basic", "token ", "authorization", "digest", "apikey ", "key "),
        pattern=(
            r"(?<![A-Za-z0-9_])(?:(?i:bearer)[ \t]{1,4}|(?i:authorization)[\"']?\s{0,4}[:=,]\s{0,4}\\?[\"']?"
            r"(?:(?i:basic|token|bot|apikey|key|splunk|genie ?key|digest|oauth"
            r"|negotiate|sso-key|discogs)[ \t]{1,4}(?:token=)?\"?)?|(?i:basic)[ \t]{1,4}"
            r"(?=[A-Za-z0-9+/]{8,}={0,2})|Token[ \t](?=[a-z0-9]{20}))(?P<secret>[A-Za-z0-9+/_.~=:|-]{6,4000})"
        ),
        vanish="Authorization: Bearer " + "a7Kq2Zx9Lm4Tp0Vb",
        stay="Authorization: Bearer <token>",
        judge=_is_basic,
    ),
    Rule(
        name="cookie",
        klass=SECRET,
        screen=("cookie",),
        pattern=(
            r"(?i:(?<![A-Za-z0-9_])(?:set-)?cookie)[\"']?\s{0,3}[:=]\s{0,3}[\"']?"
            r"(?P<secret>[\w.$%-]{1,60}=[^\s;\"']{6,4000}(?:;[ ]?(?!(?i:path"
            r"|domain|expires|max-age|samesite|secure|httponly))[\w.$%-]{1,60}=[^\s;\"']{0,4000}){0,40})"
        ),
        vanish="Cookie: sid=" + "a7Kq2Zx9Lm4Tp0Vb",
        stay="cookie: a=b",
        judge=lambda m: any(map(str.isdigit, m.group("secret"))),
    ),
    Rule(
        name="netrc",
        klass=SECRET,
        screen=("login",),
        pattern=r"(?i:\blogin)\s{1,4}\S{1,100}\s{1,4}(?i:password)\s{1,4}(?P<secret>\S{3,300})",
        vanish="machine x login ann password " + "s3cr3tpw",
        stay="login and password required",
        judge=_is_opaque,
    ),
    Rule(
        name="sql-password",
        klass=SECRET,
        screen=("identified", "password", "authentication"),
        pattern=(
            r"(?i:\bidentified\s{1,3}(?:with\s{1,3}[\w'`]{1,40}\s{1,3})?(?:by"
            r"|as)\s{1,3}(?:password\s{1,3})?|\b(?:with\s{1,3})?(?:encrypted\s{1,3})?password\s{1,3}"
            r"(?:for\s\S{1,40}\s{0,2}=?\s{0,2}|=\s{0,3})?)\\?(?P<q>['\"])(?P<secret>[^'\"\n]{5,200})"
            r"(?P=q)"
        ),
        vanish="CREATE USER app IDENTIFIED BY '" + "s3cr3tpw" + "'",
        stay="IDENTIFIED BY '<password>'",
        judge=_is_opaque,
    ),
    Rule(
        name="assignment",
        klass=SECRET,
        starts=_KEY_STARTS,
        pattern=_ASSIGNMENT,
        reach=_go_on,
        vanish="DB_PASSWORD=" + "s3cr3tpw99",
        stay="password = os.environ['DB_PASSWORD']",
        judge=_is_assigned,
    ),
    Rule(
        name="fallback",
        klass=SECRET,
        screen=("||", "??", "or ", "or\t", "or\n"),
        starts=_KEY_STARTS,
        pattern=(
            rf"(?P<key>(?i:{_KEY})[\w-]{{0,40}})(?P<sep>)[^\n\"'`]{{0,80}}[\"']?[^\n\"'`]{{0,10}}?"
            rf"(?:\|\||\?\?|\bor)\s{{1,3}}(?P<q>[\"'`])(?P<secret>[^\"'`\n]{{6,400}})"
            rf"(?P=q)"
        ),
        vanish="const secret = process.env.S || '" + "s3cr3tpw99" + "'",
        stay="const secret = process.env.S || 'changeme'",
        judge=_is_fallback,
    ),
    Rule(
        name="told-before",
        klass=SECRET,
        screen=("password", "passphrase", "secret", "token", "key"),
        pattern=(
            r"(?<![^\s\"'`(])(?P<q>)(?P<secret>[^\s\"'`]{6,100})[\"'`]?[ ](?i:as"
            r"|is)[ ](?i:the|my|your|our|its|a)[ ](?i:[\w-]{1,20}[ ])?(?i:password"
            r"|passphrase|secret|token|api key)\b"
        ),
        vanish="use " + "s3cr3tpw99" + " as the password",
        stay="use this as the password",
        judge=_is_told,
    ),
    Rule(
        name="login-pair",
        klass=SECRET,
        screen=("cred", "login", "log in", "sign in", "use ", "user"),
        pattern=(
            r"(?i:(?<![A-Za-z0-9_])(?:creds|credentials|login|log(?:ged)? in"
            r"|sign in|signin|use|user)(?:\s[\w-]{1,15}){0,3}?[:\s]{1,3}[\"'`]?[\w.@-]{2,40}"
            r"(?P<gap>\s?[/:]\s?|\sand\s|,?\s(?:and |with )?(?:pass|password"
            r"|pw|pwd)\s))(?P<q>[\"'`]?)(?P<secret>[^\s\"'`/]{6,100})"
        ),
        vanish="log in as admin / " + "s3cr3tpw99",
        stay="use src/module2.py",
        judge=_is_login,
    ),
    Rule(
        name="call-credentials",
        klass=SECRET,
        screen=("auth", "login", "connection(", "cred", "connect(", "jwt", "hmac", "client(", "securestring", "sign("),
        pattern=(
            r"(?i:(?<![A-Za-z0-9])[a-z]{0,24}(?:auth(?!or)|login|getconnection"
            r"|credentials?|authenticate|sign_?in|connect|jwt\.(?:sign|encode"
            r"|verify|decode)|createhmac|hmac\.new|algoliasearch)\w{0,10}\s{0,2}[=:]?\s{0,2}[(\[]\s{0,3}"
            r"(?:[^()\n;]{1,120},\s{0,3})?b?|convertto-securestring\s{1,3}(?:-string\s{1,3})?"
            r"(?:-asplaintext\s{1,3})?)(?P<q>[\"'])(?P<secret>[^\"'\n]{6,200})"
            r"(?P=q)"
        ),
        vanish='login("ann", "' + "s3cr3tpw99" + '")',
        stay='login("ann", "password")',
        judge=_is_credential,
    ),
    Rule(
        name="told",
        klass=SECRET,
        starts=_NOUN_STARTS,
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
        pattern=(
            r"(?i:(?<![A-Za-z0-9_])(?P<noun>passwords?|passphrase|passcode|passwd"
            r"|pwd|pw|pass|secret|(?:api[ -]?|access[ -]?|auth[ -]?|secret[ -]?)?"
            r"(?:key|token)|pin|credentials?|creds|passwort|kennwort|contraseña"
            r"|mot de passe|senha|wachtwoord|login|hasło|lösenord|пароль|密码"
            r"|密碼|パスワード)(?P<gap>(?:\s(?!is\b|was\b|to\b)[\w./@'-]{1,30}){0,6}?"
            r"(?:\s{1,2}(?:is|was|to|ist|es|est|é|jest|är|will be|should be"
            r"|remains|are|now|still)\b|\s?(?:[:=→：は]|->|=>)|\s(?=[\"'`]))(?:\s"
            r"(?:now|still|currently|just|set to|literally|actually|simply|always"
            r"|again|back to|this|is))?|\s(?=\S*\d)|(?<=[^\x00-\x7f])))\s{0,3}:?\s?"
            r"(?:[\w.@-]{2,30}\s?[/:]\s{0,2})?(?P<q>[\"'`“‘*]{0,3})(?P<secret>[^\s\"'`”’]{6,200})"
        ),
        vanish="my password is " + "s3cr3tpw99" + " ok",
        stay="the password is required",
        judge=_is_told,
    ),
)
