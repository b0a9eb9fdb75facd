"""Owns the rules for secrets that a frame tells: key blocks, URLs, options of commands, webhooks."""

from __future__ import annotations

from segue.redaction.judge import secret_value
from segue.redaction.rule import SECRET, Rule

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Iterator


def _is_userinfo(match: re.Match[str]) -> bool:
    value = match.group("secret")
    name = match.group(0).partition("://")[2].partition(":")[0]
    port, slash, _ = value.partition("/")
    if (
        value.startswith(("$", "{", "<", "%(", "%s", "%v", "*", "[", "...", "…", "#{", "•"))
        or "${" in value
        or (slash and port.isdigit())
    ):
        return False
    return value != name and value.lower() not in (
        "password",
        "passwd",
        "pass",
        "pw",
        "pwd",
        "xxx",
        "xxxx",
        "xxxxx",
        "your-password",
        "your_password",
        "yourpassword",
        "secret",
    )


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
    close = text.find("-END ", at, at + 65_536)
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


FRAMED_RULES: tuple[Rule, ...] = (
    Rule(
        name="pem",
        klass=SECRET,
        pattern=r"-{4,5} ?BEGIN [A-Z0-9 ]{3,60}-{4,5}",
        vanish="-----BEGIN"
        + " RSA PRIVATE KEY-----\n"
        + "MIIEow"
        + "a7Kq2Zx9Lm4Tp0Vb" * 3
        + "\n-----END"
        + " RSA PRIVATE KEY-----",
        stay="-----BEGIN" + " PUBLIC KEY----- starts it",
        judge=lambda m: _key_follows(m.string, m.end()),
        reach=_end_of_pem,
    ),
    Rule(
        name="url-credentials",
        klass=SECRET,
        pattern=(
            r"(?i:[a-z][a-z0-9+.-]{1,30}):(?:\\?/){2}(?:[^\s/:@\"'<>\\?#]{0,200}):(?P<secret>[^\s@\"'<>]{1,300}"
            r")@(?=[\w\[.$%{-])"
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
            r"(?i:[?&](?:amp;|x-amz-|x-goog-|x-oss-)?(?:[a-z_]{0,20}(?:token|secret|passw(?:or)?d|signature)|sig"
            r"|api[_-]?key|apikey|key|code|auth|credential|sv_sig|pwd|pass|security-token|hmac|access_key"
            r"|subscription-key|state_token|sid|session_?id|jwt|assertion|client_secret|appid|awsaccesskeyid"
            r"|policy)=)(?P<secret>[^\s&\"'<>#\\)\]}`]{6,2000})"
        ),
        vanish="https://example.org/x?token=" + "s3cr3tpw99",
        stay="https://example.org/x?token=abc",
        judge=lambda m: _query_value(m.group("secret")),
    ),
    Rule(
        name="curl-user",
        klass=SECRET,
        pattern=r"(?<![\w-])(?:-u|--user|--proxy-user|-U)[ =]{0,2}[\"']?[\w.@+%-]{1,100}:(?P<secret>[^\s\"']{3,200})",
        vanish="curl -u ann:" + "s3cr3tpw" + " https://x",
        stay="docker run -u 1000:1000 x",
        judge=lambda m: (
            not m.group("secret").isdigit()
            and not m.group("secret").startswith(("$", "<", "{"))
            and not (
                m.group("secret").isalpha()
                and m.group("secret")
                in ("root", "staff", "users", "node", "nogroup", "wheel", "adm", "docker", "www-data", "password")
            )
        ),
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
            r"(?:\brequirepass[ \t]{1,8}|\bmasterauth[ \t]{1,8}|\b(?:mysql|mysqldump|mysqladmin|mariadb)\b[^\n"
            r"|;]{0,120}?\s-p|\bsshpass\s{1,3}-p\s{0,3}|\bredis-cli\b[^\n|;]{0,100}?\s-a\s{1,3}|\bmongo(?:sh"
            r"|dump|restore)?\b[^\n|;]{0,100}?\s-p\s{1,3}|\b(?:docker|podman|helm registry|az acr"
            r"|oc)\s{1,3}login\b[^\n|;]{0,100}?\s-p\s{1,3}|\b(?:un)?zip\b[^\n|;]{0,60}?\s-P\s{1,3}|\b(?:plink"
            r"|pscp)\b[^\n|;]{0,60}?\s-pw\s{1,3}|\bldap\w{3,10}\b[^\n|;]{0,120}?\s-w\s{1,3}"
            r"|\bhtpasswd\s{1,3}-\w{0,8}b\w{0,8}\s{1,3}\S{1,80}\s\S{1,40}\s|\b7z\b[^\n|;]{0,60}?\s-p"
            r"|\bpass:)[\"']?(?P<secret>[^\s\"'|;]{5,200})"
        ),
        vanish="mysql -u root -p" + "s3cr3tpw" + " app",
        stay="mysql -u root -p app",
        judge=lambda m: secret_value(m.group("secret"), 2, quoted=True, env=True),
    ),
    Rule(
        name="webhook",
        klass=SECRET,
        pattern=(
            r"(?:hooks\.zapier\.com/hooks/catch/|hook\.(?:eu|us)\d\.make\.com/|chat\.googleapis\.com/v1/spaces/"
            r"|open\.feishu\.cn/open-apis/bot/)(?P<secret>[A-Za-z0-9/_?=&%-]{12,300})"
        ),
        vanish="post to hooks.zapier.com/hooks/catch/" + "1234567/" + "b7xk2ab/",
        stay="hooks.zapier.com/hooks/catch/ID",
    ),
)
