"""Owns the rules that know a secret by its frame: a key file, a URL, a command. Never by a provider's shape."""

from __future__ import annotations

from segue.redaction.judge import random_looking, secret_value
from segue.redaction.rule import SECRET, Rule

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Iterator


_REFERENCES = ("$", "{", "<", "%(", "%s", "%v", "*", "[", "...", "…", "#{", "•")
_NO_PASSWORDS = frozenset(
    "password passwd pass pw pwd xxx xxxx xxxxx your-password your_password yourpassword secret".split()
)
_NO_USERS = frozenset("root staff users node nogroup wheel adm docker www-data password".split())


def _is_userinfo(match: re.Match[str]) -> bool:
    value = match.group("secret")
    name = match.group(0).partition("://")[2].partition(":")[0]
    port, slash, _ = value.partition("/")
    if value.startswith(_REFERENCES) or "${" in value or (slash and port.isdigit()):
        return False
    return value != name and value.lower() not in _NO_PASSWORDS


def _is_user_secret(match: re.Match[str]) -> bool:
    value = match.group("secret")
    return not value.isdigit() and not value.startswith(("$", "<", "{")) and value not in _NO_USERS


def _is_opaque(match: re.Match[str]) -> bool:
    return secret_value(match.group("secret"), 2, quoted=True, env=True)


def _is_random(match: re.Match[str]) -> bool:
    name = match.group("name").lower()
    return not any(word in name for word in _DIGESTS) and random_looking(match.group("secret"))


def _query_value(value: str) -> bool:
    return secret_value(value, 2, quoted=True, env=True) and (any(map(str.isdigit, value)) or len(value) > 15)


def _lines_of_pem(text: str, at: int) -> Iterator[tuple[str, int]]:
    while at < len(text):
        ends = [(e, n) for e, n in ((text.find("\n", at, at + 400), 1), (text.find("\\n", at, at + 400), 2)) if e >= 0]
        end, size = min(ends) if ends else (min(len(text), at + 400), 0)
        yield text[at:end].replace("\\r", "").strip(" \t\r\"'`+,|>#\\"), end + size
        at = end + size


def _is_base64(line: str) -> bool:
    return all(c.isascii() and (c.isalnum() or c in "+/=_-") for c in line)


def _key_follows(text: str, at: int) -> bool:
    for seen, (line, _) in enumerate(_lines_of_pem(text, at)):
        if len(line) >= 12 and _is_base64(line):
            return True
        if seen > 5 or (line and ": " not in line and not _is_base64(line)):
            break
    return False


def _end_of_pem(text: str, at: int) -> int:
    close = text.find("-END ", at)
    if close >= 0 and "BEGIN " not in text[at:close]:
        end = close + 5
        while end < len(text) and (text[end].isupper() or text[end] in " 0123456789"):
            end += 1
        while end < len(text) and text[end] == "-":
            end += 1
        return end
    for seen, (line, end) in enumerate(_lines_of_pem(text, at)):
        if not _is_base64(line) and not (seen < 6 and ": " in line):
            break
        at = end
    return at


#: names whose values are random and public
_DIGESTS = tuple(
    "sha h1 hash integrity digest checksum sum fingerprint etag md5 nonce revision commit blob content data"
    " resolved cache ref id url version tree crc public pub cert rev".split()
)

_PEM = "-----BEGIN"
FRAMED_RULES: tuple[Rule, ...] = (
    Rule(
        name="pem",
        klass=SECRET,
        pattern=r"-{4,5} ?BEGIN [A-Z0-9 ]{3,60}-{4,5}",
        vanish=_PEM
        + " RSA PRIVATE KEY-----\n"
        + "MIIEow"
        + "a7Kq2Zx9Lm4Tp0Vb" * 3
        + "\n-----END"
        + " RSA PRIVATE KEY-----",
        stay=_PEM + " PUBLIC KEY----- starts it",
        judge=lambda m: _key_follows(m.string, m.end()),
        reach=_end_of_pem,
    ),
    Rule(
        name="url-credentials",
        klass=SECRET,
        pattern=(
            r"(?i:[a-z][a-z0-9+.-]{1,30}):(?:\\?/){2}(?:[^\s/:@\"'<>\\?#]{0,200}):"
            r"(?P<secret>[^\s@\"'<>]{1,300})@(?=[\w\[.$%{-])"
        ),
        vanish="postgres://app:" + "s3cr3tpw" + "@db.example.org/x",
        stay="postgres://app:${PW}@db.example.org/x",
        judge=_is_userinfo,
    ),
    Rule(
        name="url-user-token",
        klass=SECRET,
        pattern=r"(?i:https?|ssh|git|redis|amqp)://(?P<secret>[A-Za-z0-9_-]{20,300})@(?=[\w\[])",
        vanish="https://" + "a7Kq2Zx9Lm4Tp0Vb" * 2 + "@sentry.example.org/1",
        stay="https://deploy@example.org/1",
        judge=lambda m: any(map(str.isdigit, m.group("secret"))),
    ),
    Rule(
        name="query-secret",
        klass=SECRET,
        pattern=(
            r"(?i:[?&](?:amp;|x-amz-|x-goog-|x-oss-)?(?:[a-z_]{0,20}(?:token"
            r"|secret|passw(?:or)?d|signature)|sig|api[_-]?key|apikey|key|code"
            r"|auth|credential|sv_sig|pwd|pass|security-token|hmac|access_key"
            r"|subscription-key|state_token|sid|session_?id|jwt|assertion|client_secret"
            r"|appid|awsaccesskeyid|policy)=)(?P<secret>[^\s&\"'<>#\\)\]}`]{6,2000})"
        ),
        vanish="https://example.org/x?token=" + "s3cr3tpw99",
        stay="https://example.org/x?token=abc",
        judge=lambda m: _query_value(m.group("secret")),
    ),
    Rule(
        name="curl-user",
        klass=SECRET,
        pattern=(
            r"(?<![\w-])(?:-u|--user|--proxy-user|-U)[ =]{0,2}[\"']?[\w.@+%-]{1,100}:"
            r"(?P<secret>[^\s\"']{3,200})"
        ),
        vanish="curl -u ann:" + "s3cr3tpw" + " https://x",
        stay="docker run -u 1000:1000 x",
        judge=_is_user_secret,
    ),
    Rule(
        name="pgpass",
        klass=SECRET,
        pattern=r"(?m:^)[\w.*-]{1,100}:(?:\d{2,5}|\*):[\w*-]{1,60}:[\w*.-]{1,60}:(?P<secret>[^\s:]{4,300})",
        vanish="db.example.org:5432:app:app:" + "s3cr3tpw",
        stay="db:5432:app",
    ),
    Rule(
        name="command-password",
        klass=SECRET,
        pattern=(
            r"(?:\brequirepass[ \t]+|\bmasterauth[ \t]+|\b(?:mysql|mysqldump"
            r"|mysqladmin|mariadb)\b[^\n|;]{0,120}?\s-p|\bsshpass\s{1,3}-p\s{0,3}"
            r"|\bredis-cli\b[^\n|;]{0,100}?\s-a\s{1,3}|\bmongo(?:sh|dump|restore)?\b[^\n|;]{0,100}?\s-p\s{1,3}"
            r"|\b(?:docker|podman|helm registry|az acr|oc)\s+login\b[^\n|;]{0,100}?\s-p\s{1,3}"
            r"|\b(?:un)?zip\b[^\n|;]{0,60}?\s-P\s{1,3}|\b(?:plink|pscp)\b[^\n|;]{0,60}?\s-pw\s{1,3}"
            r"|\bldap\w{3,10}\b[^\n|;]{0,120}?\s-w\s{1,3}|\bhtpasswd\s+-\w*b\w*\s+\S{1,80}\s\S{1,40}\s"
            r"|\b7z\b[^\n|;]{0,60}?\s-p|\bpass:)[\"']?(?P<secret>[^\s\"'|;]{5,200})"
        ),
        vanish="mysql -u root -p" + "s3cr3tpw" + " app",
        stay="mysql -u root -p app",
        judge=_is_opaque,
    ),
    Rule(
        name="webhook",
        klass=SECRET,
        pattern=(
            r"(?:hooks\.zapier\.com/hooks/catch/|hook\.(?:eu|us)\d\.make\.com/"
            r"|chat\.googleapis\.com/v1/spaces/|open\.feishu\.cn/open-apis/bot/)"
            r"(?P<secret>[A-Za-z0-9/_?=&%-]{12,300})"
        ),
        vanish="post to hooks.zapier.com/hooks/catch/" + "1234567/" + "b7xk2ab/",
        stay="hooks.zapier.com/hooks/catch/ID",
    ),
)


ENTROPY_RULES: tuple[Rule, ...] = (
    Rule(
        name="high-entropy",
        klass=SECRET,
        pattern=(
            r"(?<![\w/.+-])(?P<name>[A-Za-z_][\w.-]{0,60})[\"']?\s{0,4}(?:=>|:=|=|:)\s{0,4}[\"'`]?"
            r"(?P<secret>[A-Za-z0-9+/_.~!@#$%^&*-]{20,500}={0,2})(?![\w/+(])"
        ),
        vanish="setting = " + "a7Kq2Zx9Lm4Tp0VbR8w" + "Yc3Nd",
        stay="integrity: sha512-abc",
        judge=_is_random,
    ),
)
