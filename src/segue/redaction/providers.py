"""Owns the shapes that name themselves: tokens of providers, and key blocks. Never decides by context."""

from __future__ import annotations

from segue.redaction.rule import SECRET, Rule
from segue.redaction.screens import FRAMES, follows

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

#: a token starts where no word goes on; an escaped line end, a percent escape or a colour code may touch it
START = r"(?:(?<![A-Za-z0-9_])|(?<=\\[nrt])|(?<=%[0-9A-Fa-f]{2})|(?<=\[\dm)|(?<=\[\d\dm))"

ALPHABETS = {
    "hex": "[A-Fa-f0-9]",
    "up": "[A-Z0-9]",
    "b32": "[A-Z2-7]",
    "b62": "[A-Za-z0-9]",
    "low": "[a-z0-9]",
    "url": "[A-Za-z0-9_-]",
    "dot": "[A-Za-z0-9_.-]",
    "b64": "[A-Za-z0-9+/=_.-]",
}
_HEX = "0123456789abcdefABCDEF"
_ALNUM = "abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_FILL = {"hex": "3f9a0c7be1d25846", "up": "Q7RZ2MKX4BT9WPLD", "b32": "Q7RZ2MKX4BT6WPLD"}
_MIXED = "a7Kq2Zx9Lm4Tp0Vb"
UUID = "[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}"

#: name, prefixes, alphabet, fewest characters after the prefix (a token goes on as long as its alphabet does)
PREFIXED: tuple[tuple[str, str, str, int], ...] = (
    ("aws-key-id", "AKIA ASIA ABIA ACCA AROA AIDA AGPA ANPA", "up", 16),
    ("aws-session-token", "IQoJb3JpZ2luX2Vj FwoGZXIvYXdz FQoGZXIvYXdz", "b64", 40),
    ("google-api-key", "AIza", "url", 33),
    ("google-oauth", "ya29.", "dot", 20),
    ("google-client-secret", "GOCSPX-", "url", 20),
    ("google-refresh-token", "1//0", "url", 30),
    ("github", "ghp_ gho_ ghu_ ghs_ ghr_", "b62", 30),
    ("github-fine-grained", "github_pat_", "url", 30),
    ("gitlab", "glpat- gldt- glrt- glcbt- glptt- glft- glimt- glagent- gloas- glsoat- glffct- glrtr- glwt-", "dot", 18),
    ("gitlab-runner", "GR1348941", "url", 18),
    ("slack", "xoxb- xoxp- xoxa- xoxr- xoxs- xoxe- xoxo- xoxc- xoxd- xoxe.xoxp- xoxe.xoxb- xapp-", "b64", 12),
    ("slack-webhook", "hooks.slack.com/services/ hooks.slack.com/workflows/ hooks.slack.com/triggers/", "b64", 20),
    ("stripe", "sk_live_ sk_test_ rk_live_ rk_test_ pk_live_ pk_test_ sk_prod_", "url", 10),
    ("stripe-webhook", "whsec_", "b64", 20),
    ("openai", "sk-proj- sk-svcacct- sk-admin- sk-None- sess-", "url", 20),
    ("anthropic", "sk-ant-", "url", 20),
    ("openrouter", "sk-or-", "url", 20),
    ("langfuse", "sk-lf- pk-lf-", "url", 20),
    ("sk-key", "sk-", "b62", 20),
    ("huggingface", "hf_ api_org_", "b62", 30),
    ("npm", "npm_", "b62", 30),
    ("pypi", "pypi-", "url", 40),
    ("docker", "dckr_pat_ dckr_oat_", "url", 20),
    ("digitalocean", "dop_v1_ doo_v1_ dor_v1_", "hex", 40),
    ("databricks", "dapi dkea dsapi", "hex", 32),
    ("discord-webhook", "discord.com/api/webhooks/ discordapp.com/api/webhooks/", "b64", 30),
    ("sendgrid", "SG.", "dot", 40),
    ("brevo", "xkeysib- xsmtpsib-", "url", 40),
    ("mailgun", "key-", "hex", 32),
    ("shopify", "shpat_ shpca_ shppa_ shpss_ shpua_", "b62", 32),
    ("square", "sq0atp- sq0csp- sq0idp- EAAAE EAAAl", "url", 22),
    ("facebook", "EAACEdEose0cBA EAAB EAAG EAAJ EAAD", "b62", 60),
    ("braintree", "access_token$production$ access_token$sandbox$", "b64", 30),
    ("linear", "lin_api_ lin_oauth_ lin_wh_", "b62", 30),
    ("notion", "ntn_ secret_", "b62", 40),
    ("figma", "figd_ figu_ figo_", "url", 20),
    ("atlassian", "ATATT3 ATCTT3 ATSTT3", "b64", 50),
    ("bitbucket", "ATBB BBDC-", "b64", 24),
    ("heroku", "HRKU-", "url", 30),
    ("vercel", "vercel_ vcp_ vci_ vca_ vcr_ vck_ vercel_blob_rw_", "url", 20),
    ("netlify", "nfp_ nfo_ nfb_ nfc_ nfu_", "url", 20),
    ("cloudflare-ca", "v1.0-", "url", 100),
    ("cloudflare", "cfut_ cfat_ cfk_", "url", 30),
    ("new-relic", "NRAK- NRII- NRJS- NRIQ- NRSP- NRRA- NRBR- NRAA- NRAL-", "url", 18),
    ("sentry", "sntrys_ sntryu_ sntrya_ sntryi_", "b64", 30),
    ("grafana", "glsa_ glc_", "b64", 30),
    ("vault", "hvs. hvb. hvr.", "dot", 20),
    ("vault-legacy", "s. b. r.", "b62", 24),
    ("pulumi", "pul-", "hex", 40),
    ("doppler", "dp.pt. dp.st. dp.ct. dp.sa. dp.scim. dp.audit. dp.rt.", "dot", 36),
    ("1password", "ops_eyJ", "b64", 30),
    ("1password-secret-key", "A3-", "url", 30),
    ("age", "AGE-SECRET-KEY-1 AGE-PLUGIN-", "url", 30),
    ("groq", "gsk_", "b62", 30),
    ("xai", "xai-", "url", 30),
    ("replicate", "r8_", "url", 30),
    ("perplexity", "pplx-", "b62", 30),
    ("fireworks", "fw_ fpk_", "b62", 20),
    ("together", "tgp_v1_", "url", 30),
    ("cerebras", "csk-", "b62", 30),
    ("nvidia", "nvapi-", "url", 30),
    ("exa-tavily", "tvly- tvly-dev- tvly-prod- fc-", "url", 24),
    ("firecrawl-jina", "jina_", "url", 30),
    ("elevenlabs", "sk_", "hex", 40),
    ("voyage", "pa-", "url", 40),
    ("supabase", "sbp_ sb_secret_ sb_publishable_", "url", 20),
    ("planetscale", "pscale_tkn_ pscale_pw_ pscale_oauth_", "dot", 30),
    ("neon", "napi_ npg_", "b62", 12),
    ("postman", "PMAK- PMAT-", "url", 20),
    ("rubygems", "rubygems_", "hex", 40),
    ("crates", "cio", "b62", 32),
    ("nuget", "oy2", "low", 43),
    ("dropbox", "sl. sl.u. sl.B", "url", 60),
    ("trello", "ATTA", "hex", 60),
    ("contentful", "CFPAT-", "url", 40),
    ("launchdarkly", "sdk- api- mob-", "uuid", 1),
    ("mapbox", "sk.eyJ pk.eyJ tk.eyJ", "dot", 40),
    ("buildkite", "bkua_ bkat_ bkpt_", "hex", 36),
    ("circleci", "CCIPAT_ CCIPRJ_", "url", 30),
    ("adobe", "p8e- p8-", "url", 30),
    ("alibaba", "LTAI", "b62", 12),
    ("tencent", "AKID", "b62", 28),
    ("typeform", "tfp_", "dot", 40),
    ("prefect", "pnu_ pnb_", "b62", 30),
    ("readme", "rdme_", "low", 40),
    ("frameio", "fio-u-", "b64", 40),
    ("flutterwave", "FLWSECK_TEST- FLWSECK- FLWPUBK_TEST- FLWPUBK- FLWSECK_TEST", "url", 10),
    ("easypost", "EZAK EZTK", "b62", 40),
    ("duffel", "duffel_test_ duffel_live_", "b64", 30),
    ("dynatrace", "dt0c01. dt0s01. dt0s02. dt0s16.", "dot", 40),
    ("intra42", "s-s4t2ud- s-s4t2af-", "hex", 40),
    ("lob", "live_pub_ test_pub_ live_ test_", "hex", 30),
    ("sonarqube", "sqp_ squ_ sqa_", "hex", 36),
    ("tailscale", "tskey-", "url", 16),
    ("infracost", "ico-", "b62", 30),
    ("langsmith", "lsv2_pt_ lsv2_sk_ ls__", "url", 30),
    ("pinecone", "pcsk_", "url", 30),
    ("resend", "re_", "url", 24),
    ("zuplo", "zpka_", "url", 24),
    ("ionic", "ion_", "b62", 40),
    ("yandex", "AQVN AQAA y0_ y1_ y2_ y3_ YCAJ YCM YCN YCO YCP", "url", 24),
    ("yandex-iam", "t1.", "dot", 80),
    ("vk", "vk1.a.", "url", 40),
    ("jfrog", "AKCp cmVmdGtu cmVmd", "b62", 40),
    ("scaleway", "SCW", "up", 17),
    ("ubidots", "BBFF- BBUS-", "b62", 20),
    ("harness", "pat. sat.", "dot", 50),
    ("octopus", "API-", "up", 25),
    ("airtable-key", "pat", "airtable", 1),
    ("clojars", "CLOJARS_", "hex", 50),
    ("rootly-pagerduty", "rootly_ pdus+", "b64", 24),
    ("defined-network", "dnkey-", "url", 40),
    ("fly", "fm1r_ fm2_ fm1_ fo1_", "b64", 30),
    ("render-railway", "rnd_", "b62", 24),
    ("posthog", "phc_ phx_ phs_ phr_", "b62", 30),
    ("cloudsmith-ghost", "csb_ pdl_live_apikey_ pdl_sdbx_apikey_", "url", 20),
    ("sourcegraph", "sgp_ slk_ sgd_", "url", 40),
    ("checkly-knock", "cu_ knock_", "hex", 30),
    ("deno", "ddp_ ddw_ ddo_", "b62", 30),
    ("unkey-trigger", "unkey_ tr_dev_ tr_prod_ tr_pat_", "b62", 20),
    ("expo-eas", "expo_", "url", 30),
    ("workos-paddle", "sk_example_ key_live_ key_test_", "b62", 20),
    ("razorpay", "rzp_live_ rzp_test_", "b62", 12),
    ("plaid", "access-sandbox- access-production- access-development- public-sandbox-", "uuid", 1),
    ("settlemint", "sm_pat_ sm_aat_ sm_sat_", "b62", 16),
    ("shippo", "shippo_live_ shippo_test_", "hex", 32),
    ("convex-turso", "prod: dev: preview:", "convex", 1),
    ("cursor-e2b", "e2b_", "hex", 36),
    ("doppler-inngest", "signkey-prod- signkey-test- signkey-dev-", "hex", 32),
    ("mailersend", "mlsn.", "hex", 50),
    ("loops-courier", "pk_prod_", "up", 24),
    ("persona", "persona_production_ persona_sandbox_", "url", 20),
    ("smithery", "sm-", "uuid", 1),
    ("snyk", "snyk_uat. snyk_sat.", "dot", 30),
    ("gitea-codeberg", "gta_", "hex", 40),
    ("weights-and-biases", "wandb_v1_ local-", "hexlike", 36),
    ("aiven", "AVNS_", "url", 12),
    ("endor-cockroach", "CCDB1_", "url", 20),
    ("lightspeed-aikido", "AIK_", "url", 20),
    ("brave", "BSA", "url", 27),
    ("nylas", "nyk_", "url", 30),
    ("fastly", "fastly_", "url", 30),
    ("polar", "polar_oat_ polar_pat_ polar_sk_", "url", 30),
)
#: a tail of its own: its pattern, an example, and what its first characters are at least
_SPECIAL = {
    "uuid": (UUID, "3f9a0c7b-e1d2-4846-9a0c-7be1d258463f", 36, _HEX + "-"),
    "airtable": (r"[A-Za-z0-9]{14}\.[a-f0-9]{60,70}", "a7Kq2Zx9Lm4Tp0." + "3f9a0c7be1d25846" * 4, 70, _ALNUM + "."),
    "convex": (
        r"[a-z]{3,20}-[a-z]{3,20}-\d{1,4}\|[A-Za-z0-9+/=]{40,200}",
        "happy-otter-12|" + "a7Kq2Zx9Lm4Tp0Vb" * 4,
        *(50, _ALNUM + "-|+/="),
    ),
    "hexlike": ("[A-Za-z0-9_]{36,100}", "3f9a0c7be1d25846" * 3, 36, _ALNUM + "_"),
}
_CHARS = {
    "hex": _HEX,
    **dict.fromkeys(("up", "b32", "b62", "low"), _ALNUM),
    "url": _ALNUM + "_-",
    "dot": _ALNUM + "_.-",
    "b64": _ALNUM + "+/=_.-",
}
#: each prefix with what follows it at least, and the row that it belongs to
_STARTS = tuple(
    (start, *(_SPECIAL[row[2]][2:] if row[2] in _SPECIAL else (row[3], _CHARS[row[2]])), row)
    for row in PREFIXED
    for start in row[1].split()
)
_built: dict[str, Rule] = {}


def sighted(tokens: str) -> list[Rule]:
    """The rules of which a token may be among these words, one a line."""
    rows = {row: None for start, few, chars, row in _STARTS if start in tokens and follows(tokens, start, few, chars)}
    return [_rule(row) for row in rows] + [
        rule for rule in SHAPE_RULES if any(s in tokens for s in rule.screen) and (not rule.sight or rule.sight(tokens))
    ]


def token_rules() -> tuple[Rule, ...]:
    """All rules of this module, built."""
    return (*map(_rule, PREFIXED), *SHAPE_RULES)


def _rule(row: tuple[str, str, str, int]) -> Rule:
    if row[0] not in _built:
        _built[row[0]] = _prefixed(*row)
    return _built[row[0]]


def _prefixed(name: str, prefixes: str, alphabet: str, fewest: int) -> Rule:
    each = prefixes.split()
    starts = "|".join(
        p.replace(".", r"\.").replace("$", r"\$").replace("+", r"\+") for p in sorted(each, key=len, reverse=True)
    )
    if alphabet in _SPECIAL:
        tail, sample = _SPECIAL[alphabet][:2]
    else:
        tail = f"{ALPHABETS[alphabet]}{{{fewest},2000}}"
        sample = (_FILL.get(alphabet) or (_MIXED.lower() if alphabet == "low" else _MIXED)) * (fewest // 16 + 1)
    if alphabet in ("b62", "low"):
        tail += "(?![A-Za-z0-9_])" if fewest < 30 else ""
    return Rule(
        name=name,
        klass=SECRET,
        screen=tuple(each),
        pattern=f"{START}(?:{starts}){tail}",
        vanish="use " + each[0] + sample,
        stay=f"tokens start with {each[0]} and go on",
        judge=_random_enough,
    )


def _random_enough(match: object) -> bool:
    """Whether a token has what words lack: a digit, or capitals inside."""
    text: str = match.group()  # type: ignore[attr-defined]
    tail = text[6:] if len(text) > 14 else text
    if any(c in "0123456789" for c in tail):
        return True
    return not tail.islower() and not tail.isupper() and "-" not in tail.strip("-") and "_" not in tail


def _dotted(tokens: str) -> bool:
    return "mfa." in tokens or any(
        len(word) > 55 and word.count(".") > 1 and any(c in word for c in "MNO") for word in tokens.split("\n")
    )


def _keyed_region(tokens: str) -> bool:
    at = tokens.find("-us")
    while at >= 0:
        if at > 31 and not tokens[at - 32 : at].strip(_HEX) and tokens[at + 3 : at + 4].isdigit():
            return True
        at = tokens.find("-us", at + 1)
    return False


_H = "3f9a0c7be1d25846"

SHAPE_RULES: tuple[Rule, ...] = (
    Rule(
        name="jwt",
        klass=SECRET,
        screen=("eyJ",),
        pattern=r"(?<![A-Za-z0-9])(?:eyJ[A-Za-z0-9_-]{8,8000}={0,2}(?:\.[A-Za-z0-9_-]{4,8000}={0,2}){1,4}\.?|eyJ[A-Za-z0-9_-]{60,8000}={0,2})",
        vanish="token " + ".".join(("eyJ" + _MIXED, "eyJ" + _MIXED * 2, _MIXED * 2)),
        stay="a JWT starts with eyJ",
    ),
    Rule(
        name="telegram",
        klass=SECRET,
        screen=(":AA",),
        pattern=r"(?<![0-9])\d{8,10}:AA[A-Za-z0-9_-]{30,40}",
        vanish="bot 123456789" + ":AA" + _MIXED * 2 + "x",
        stay="at 12345678:AA the log ends",
    ),
    Rule(
        name="discord",
        klass=SECRET,
        screen=(".",),
        sight=_dotted,
        pattern=r"(?<![A-Za-z0-9_.-])(?:[MNO][DTjz][A-Za-z0-9_-]{22,26}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,45}|mfa\.[A-Za-z0-9_-]{60,100})(?![A-Za-z0-9_.])",
        vanish="bot " + "MT" + (_MIXED * 2)[:24] + "." + "GaB3xY" + "." + (_MIXED * 2),
        stay="MyModule.Client.connect_to_the_other_server_now",
        judge=_random_enough,
    ),
    Rule(
        name="twilio",
        klass=SECRET,
        screen=("SK", "AC"),
        sight=lambda tokens: any(follows(tokens, sid, 32, _HEX) for sid in ("SK", "AC")),
        pattern=r"(?<![A-Za-z0-9])(?:SK|AC)[0-9a-f]{32}(?![A-Za-z0-9])",
        vanish="sid " + "SK" + _H * 2,
        stay="SKU 3f9a0c",
    ),
    Rule(
        name="mailchimp",
        klass=SECRET,
        screen=("-us",),
        sight=_keyed_region,
        pattern=r"(?<![A-Za-z0-9])[0-9a-f]{32}-us\d{1,2}(?!\d)",
        vanish="key " + _H * 2 + "-us12",
        stay="region eu-us12",
    ),
    Rule(
        name="terraform",
        klass=SECRET,
        screen=(".atlasv1.",),
        pattern=r"(?<![A-Za-z0-9])[A-Za-z0-9]{10,20}\.atlasv1\.[A-Za-z0-9_=-]{40,100}",
        vanish="use " + "a7Kq2Zx9Lm4Tp0" + ".atlas" + "v1." + _MIXED * 4,
        stay="ends in .atlasv1.",
    ),
    Rule(
        name="azure-client-secret",
        klass=SECRET,
        screen=("Q~",),
        pattern=r"(?<![A-Za-z0-9_~.-])[A-Za-z0-9_~.-]{3}\dQ~[A-Za-z0-9_~.-]{31,34}",
        vanish="use " + "x8R8" + "Q~" + (_MIXED * 3)[:34],
        stay="the Q~ mark",
    ),
    Rule(
        name="azure-key",
        klass=SECRET,
        screen=("=",),
        sight=lambda tokens: any(name in tokens.lower() for name in ("accountkey", "accesskey", "sharedsecret")),
        pattern=r"(?i:AccountKey|SharedAccessKey|SharedSecret|AccessKey)\s?=\s?(?P<secret>[A-Za-z0-9+/_%-]{20,200}={0,2})",
        vanish="AccountName=x;" + "AccountKey" + "=" + _MIXED * 5 + "==",
        stay="AccountKey=<your key>",
    ),
    Rule(
        name="azure-devops-key",
        klass=SECRET,
        screen=("JQQJ99", "+ASt", "ACDb", "AzFu", "+AMC", "+ARm", "AzSe", "APIM"),
        pattern=r"(?<![A-Za-z0-9+/])[A-Za-z0-9+/]{32,76}(?:JQQJ99|\+ASt|ACDb|AzFu|\+AMC|\+ARm|AzSe|APIM)[A-Za-z0-9+/]{4,34}={0,2}",
        vanish="use " + _MIXED * 4 + "JQQJ" + "99" + _MIXED,
        stay="JQQJ99 alone",
    ),
    Rule(
        name="asana",
        klass=SECRET,
        screen=("0/", "1/", "2/"),
        sight=lambda tokens: any(follows(tokens, n, 14, "0123456789") for n in ("0/", "1/", "2/")),
        pattern=r"(?<![A-Za-z0-9/.])[012]/\d{14,20}(?:/\d{14,20})?:[a-f0-9]{32}(?![A-Za-z0-9])",
        vanish="use " + "1/" + "1204567890123456:" + _H * 2,
        stay="1/2 done",
    ),
    Rule(
        name="teams-webhook",
        klass=SECRET,
        screen=("webhook.office.com/",),
        pattern=r"webhook\.office\.com/(?P<secret>webhookb2/[A-Za-z0-9@/-]{40,300})",
        vanish="https://x.webhook.office.com/" + "webhookb2/" + _H * 4,
        stay="see webhook.office.com/docs",
    ),
)


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


PEM_RULE = Rule(
    name="pem",
    klass=SECRET,
    screen=FRAMES["pem"],
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
)

WEBHOOK_RULE = Rule(
    name="webhook",
    klass=SECRET,
    screen=FRAMES["webhook"],
    pattern=(
        r"(?:hooks\.zapier\.com/hooks/catch/|hook\.(?:eu|us)\d\.make\.com/|chat\.googleapis\.com/v1/spaces/"
        r"|open\.feishu\.cn/open-apis/bot/)(?P<secret>[A-Za-z0-9/_?=&%-]{12,300})"
    ),
    vanish="post to hooks.zapier.com/hooks/catch/" + "1234567/" + "b7xk2ab/",
    stay="hooks.zapier.com/hooks/catch/ID",
)
