"""Owns the token shapes of providers: one row per prefix family. Never decides by context."""

from __future__ import annotations

from segue.redaction.rule import SECRET, Rule

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

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
_SPECIAL = {
    "uuid": (UUID, "3f9a0c7b-e1d2-4846-9a0c-7be1d258463f"),
    "airtable": (r"[A-Za-z0-9]{14}\.[a-f0-9]{60,70}", "a7Kq2Zx9Lm4Tp0." + "3f9a0c7be1d25846" * 4),
    "convex": (r"[a-z]{3,20}-[a-z]{3,20}-\d{1,4}\|[A-Za-z0-9+/=]{40,200}", "happy-otter-12|" + "a7Kq2Zx9Lm4Tp0Vb" * 4),
    "hexlike": ("[A-Za-z0-9_]{36,100}", "3f9a0c7be1d25846" * 3),
}


def _prefixed(name: str, prefixes: str, alphabet: str, fewest: int) -> Rule:
    each = prefixes.split()
    starts = "|".join(
        p.replace(".", r"\.").replace("$", r"\$").replace("+", r"\+") for p in sorted(each, key=len, reverse=True)
    )
    if alphabet in _SPECIAL:
        tail, sample = _SPECIAL[alphabet]
    else:
        tail = f"{ALPHABETS[alphabet]}{{{fewest},2000}}"
        sample = (_FILL.get(alphabet) or (_MIXED.lower() if alphabet == "low" else _MIXED)) * (fewest // 16 + 1)
    if alphabet in ("b62", "low"):
        tail += "(?![A-Za-z0-9_])" if fewest < 30 else ""
    return Rule(
        name=name,
        klass=SECRET,
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


_H = "3f9a0c7be1d25846"

#: literal, rule, fewest token characters after it, whether a token starts with it
Screen = tuple[str, str, int, bool]
#: the screens by the first two letters of their literal; those that may stand anywhere under the empty string
_by_start: dict[str, list[Screen]] = {}
_WORD_BREAKS = str.maketrans({c: " " for c in map(chr, range(128)) if not (c.isalnum() or c == "_")})

#: name, literals that the shape has (lower-case), fewest token characters after one, whether a token starts with one
SHAPE_LITERALS: tuple[tuple[str, str, int, bool], ...] = (
    ("jwt", "eyj", 12, True),
    ("telegram", ":aa", 30, False),
    ("discord", "md mt mj mz nd nt nj nz od ot mfa.", 22, True),
    ("twilio", "sk ac", 32, True),
    ("mailchimp", "-us", 1, False),
    ("terraform", ".atlasv1.", 40, False),
    ("azure-client-secret", "q~", 31, False),
    ("azure-key", "accountkey sharedaccesskey sharedsecret accesskey=", 0, False),
    ("azure-devops-key", "jqqj99 +ast acdb azfu +amc +arm azse apim", 4, False),
    ("asana", "1/ 0/", 14, True),
    ("teams-webhook", "webhook.office.com/", 0, False),
)
_TOKENISH = frozenset("abcdefghijklmnopqrstuvwxyz0123456789_-.+/=~:@%")
_FEWEST = {"uuid": 36, "airtable": 75, "convex": 8, "hexlike": 36}


def suspects(tokens: str) -> set[str]:
    """The names of the rules that may find a token in these words, which are lower-cased and one a line."""
    return {
        name
        for literal, name, fewest, start in _candidates(tokens)
        if literal in tokens and _follows(tokens, literal, fewest, start=start)
    }


def _candidates(tokens: str) -> Iterable[Screen]:
    """The screens worth a search: those of shapes, and those whose first two letters start a word here."""
    if not _by_start:
        for name, literals, alphabet, fewest in PREFIXED:
            for each in literals.lower().split():
                _add((each, name, _FEWEST.get(alphabet, fewest), True))
        for name, literals, fewest, start in SHAPE_LITERALS:
            for each in literals.split():
                _add((each, name, fewest, start))
    if "\\" in tokens or "%" in tokens or ("m" in tokens and "[" in tokens):  # an escape may stand before
        keys: Iterable[str] = _by_start
    else:
        keys = {"", *(word[:2] for word in tokens.translate(_WORD_BREAKS).split())} & _by_start.keys()
    return [screen for key in keys for screen in _by_start[key]]


def _add(screen: Screen) -> None:
    literal, _, _, start = screen
    _by_start.setdefault(literal.translate(_WORD_BREAKS).split()[0][:2] if start else "", []).append(screen)


def _follows(tokens: str, literal: str, fewest: int, *, start: bool) -> bool:
    """Whether enough of a token follows the literal, where a token may start."""
    at = tokens.find(literal)
    while at >= 0:
        after = at + len(literal)
        tail = tokens[after : after + fewest]
        if len(tail) == fewest and _TOKENISH.issuperset(tail) and (not start or _may_start(tokens, at)):
            return True
        at = tokens.find(literal, at + 1)
    return False


def _may_start(tokens: str, at: int) -> bool:
    """Whether a token may start here: no word goes on, or an escape or a colour code ends."""
    before = tokens[at - 1 : at]
    if not (before.isalnum() or before == "_") or before in "nrtm":
        return True
    return tokens[max(0, at - 3) : at - 2] == "%"


def token_rules() -> tuple[Rule, ...]:
    """The rules for tokens of providers, in the order in which they run; built once, when a text has a suspect."""
    if not _built:
        _built.extend(_prefixed(*row) for row in PREFIXED)
        _built.extend(_shape(*row) for row in _SHAPES)
    return tuple(_built)


_built: list[Rule] = []


#: name, pattern, an example that vanishes, one that stays
_SHAPES: tuple[tuple[str, str, str, str], ...] = (
    (
        "jwt",
        (
            r"(?<![A-Za-z0-9])(?:eyJ[A-Za-z0-9_-]{8,8000}={0,2}(?:\.[A-Za-z0-9_-]{4,8000}={0,2}){1,4}\.?"
            r"|eyJ[A-Za-z0-9_-]{60,8000}={0,2})"
        ),
        "token " + ".".join(("eyJ" + _MIXED, "eyJ" + _MIXED * 2, _MIXED * 2)),
        "a JWT starts with eyJ",
    ),
    (
        "telegram",
        r"(?<![0-9])\d{8,10}:AA[A-Za-z0-9_-]{30,40}",
        "bot 123456789" + ":AA" + _MIXED * 2 + "x",
        "at 12345678:AA the log ends",
    ),
    (
        "discord",
        (
            r"(?<![A-Za-z0-9_.-])(?:[MNO][DTjz][A-Za-z0-9_-]{22,26}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,45}"
            r"|mfa\.[A-Za-z0-9_-]{60,100})(?![A-Za-z0-9_.])"
        ),
        "bot " + "MT" + (_MIXED * 2)[:24] + "." + "GaB3xY" + "." + (_MIXED * 2),
        "MyModule.Client.connect_to_the_other_server_now",
    ),
    (
        "twilio",
        r"(?<![A-Za-z0-9])(?:SK|AC)[0-9a-f]{32}(?![A-Za-z0-9])",
        "sid " + "SK" + _H * 2,
        "SKU 3f9a0c",
    ),
    (
        "mailchimp",
        r"(?<![A-Za-z0-9])[0-9a-f]{32}-us\d{1,2}(?!\d)",
        "key " + _H * 2 + "-us12",
        "region eu-us12",
    ),
    (
        "terraform",
        r"(?<![A-Za-z0-9])[A-Za-z0-9]{10,20}\.atlasv1\.[A-Za-z0-9_=-]{40,100}",
        "use " + "a7Kq2Zx9Lm4Tp0" + ".atlas" + "v1." + _MIXED * 4,
        "ends in .atlasv1.",
    ),
    (
        "azure-client-secret",
        r"(?<![A-Za-z0-9_~.-])[A-Za-z0-9_~.-]{3}\dQ~[A-Za-z0-9_~.-]{31,34}",
        "use " + "x8R8" + "Q~" + (_MIXED * 3)[:34],
        "the Q~ mark",
    ),
    (
        "azure-key",
        (
            r"(?i:AccountKey|SharedAccessKey|SharedSecret|AccessKey)\s?=\s?"
            r"(?P<secret>[A-Za-z0-9+/_%-]{20,200}={0,2})"
        ),
        "AccountName=x;" + "AccountKey" + "=" + _MIXED * 5 + "==",
        "AccountKey=<your key>",
    ),
    (
        "azure-devops-key",
        (
            r"(?<![A-Za-z0-9+/])[A-Za-z0-9+/]{32,76}(?:JQQJ99|\+ASt|ACDb|AzFu"
            r"|\+AMC|\+ARm|AzSe|APIM)[A-Za-z0-9+/]{4,34}={0,2}"
        ),
        "use " + _MIXED * 4 + "JQQJ" + "99" + _MIXED,
        "JQQJ99 alone",
    ),
    (
        "asana",
        r"(?<![A-Za-z0-9/.])[012]/\d{14,20}(?:/\d{14,20})?:[a-f0-9]{32}(?![A-Za-z0-9])",
        "use " + "1/" + "1204567890123456:" + _H * 2,
        "1/2 done",
    ),
    (
        "teams-webhook",
        r"webhook\.office\.com/(?P<secret>webhookb2/[A-Za-z0-9@/-]{40,300})",
        "https://x.webhook.office.com/" + "webhookb2/" + _H * 4,
        "see webhook.office.com/docs",
    ),
)


def _shape(name: str, pattern: str, vanish: str, stay: str) -> Rule:
    judge = _random_enough if name == "discord" else None
    return Rule(name=name, klass=SECRET, pattern=pattern, vanish=vanish, stay=stay, judge=judge)
