"""Owns how tokens of providers begin, and so which words may hold one. Never judges, never compiles."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

HEX = "0123456789abcdefABCDEF"
ALNUM = "abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
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
    ("sk-key", "sk- nsk-", "b62", 20),
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
TAILS = {
    "uuid": (UUID, "3f9a0c7b-e1d2-4846-9a0c-7be1d258463f", 36, HEX + "-"),
    "airtable": (r"[A-Za-z0-9]{14}\.[a-f0-9]{60,70}", "a7Kq2Zx9Lm4Tp0." + "3f9a0c7be1d25846" * 4, 70, ALNUM + "."),
    "convex": (
        r"[a-z]{3,20}-[a-z]{3,20}-\d{1,4}\|[A-Za-z0-9+/=]{40,200}",
        "happy-otter-12|" + "a7Kq2Zx9Lm4Tp0Vb" * 4,
        *(50, ALNUM + "-|+/="),
    ),
    "hexlike": ("[A-Za-z0-9_]{36,100}", "3f9a0c7be1d25846" * 3, 36, ALNUM + "_"),
}
_CHARS = {
    "hex": HEX,
    **dict.fromkeys(("up", "b62", "low"), ALNUM),
    "url": ALNUM + "_-",
    "dot": ALNUM + "_.-",
    "b64": ALNUM + "+/=_.-",
}
#: the first two characters of each prefix: the prefix, how much follows it at least and of what, its rule
_HEADS: dict[str, list[tuple[str, int, str, str]]] = {}
for _name, _prefixes, _alphabet, _fewest in PREFIXED:
    _few, _chars = TAILS[_alphabet][2:] if _alphabet in TAILS else (_fewest, _CHARS[_alphabet])
    for _prefix in _prefixes.split():
        _HEADS.setdefault(_prefix[:2], []).append((_prefix, _few, _chars, _name))


def prefixed(tokens: str) -> set[str]:
    """The rules of PREFIXED of which a token may be among these words, one a line."""
    heads = _HEADS.keys() & set(map(str.__add__, tokens, tokens[1:]))
    return {
        name
        for head in heads
        for prefix, few, chars, name in _HEADS[head]
        if prefix in tokens and _follows(tokens, prefix, few, chars)
    }


def shaped(tokens: str) -> set[str]:
    """The rules for other shapes of which a token may be among these words, one a line."""
    return {
        name
        for name, (literals, sight) in SHAPES.items()
        if any(literal in tokens for literal in literals) and (sight is None or sight(tokens))
    }


def _follows(tokens: str, literal: str, fewest: int, alphabet: str) -> bool:
    """Whether the literal stands where a token may start, with enough of an alphabet after it."""
    at = tokens.find(literal)
    while at >= 0:
        before, end = tokens[at - 1 : at], at + len(literal)
        if not (before.isalnum() or before == "_") or before in "nrtm" or tokens[max(0, at - 3) : at - 2] == "%":
            tail = tokens[end : end + fewest]
            if len(tail) == fewest and not tail.strip(alphabet):
                return True
        at = tokens.find(literal, at + 1)
    return False


def _dotted(tokens: str) -> bool:
    return "mfa." in tokens or any(
        len(word) > 55 and word.count(".") > 1 and any(c in word for c in "MNO") for word in tokens.split("\n")
    )


def _keyed_region(tokens: str) -> bool:
    at = tokens.find("-us")
    while at >= 0:
        if at > 31 and not tokens[at - 32 : at].strip(HEX) and tokens[at + 3 : at + 4].isdigit():
            return True
        at = tokens.find("-us", at + 1)
    return False


_AZURE = ("accountkey", "accesskey", "sharedsecret")
#: tokens that other marks than a prefix tell: the literals without which they are not there, and a closer look
SHAPES: dict[str, tuple[tuple[str, ...], Callable[[str], bool] | None]] = {
    "jwt": (("eyJ",), None),
    "telegram": ((":AA",), None),
    "discord": ((".",), _dotted),
    "twilio": (("SK", "AC"), lambda tokens: any(_follows(tokens, sid, 32, HEX) for sid in ("SK", "AC"))),
    "mailchimp": (("-us",), _keyed_region),
    "terraform": ((".atlasv1.",), None),
    "azure-client-secret": (("Q~",), None),
    "azure-key": (("=",), lambda tokens: any(name in tokens.lower() for name in _AZURE)),
    "azure-devops-key": (("JQQJ99", "+ASt", "ACDb", "AzFu", "+AMC", "+ARm", "AzSe", "APIM"), None),
    "asana": (
        ("0/", "1/", "2/"),
        lambda tokens: any(_follows(tokens, n, 14, "0123456789") for n in ("0/", "1/", "2/")),
    ),
    "teams-webhook": (("webhook.office.com/",), None),
}
