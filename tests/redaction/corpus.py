"""Owns our own corpus: positives made at run time from a seed, and lines that stay. Never holds a credential."""

from __future__ import annotations

import random
import string
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[2]
DRAWN = {
    "hex": "0123456789abcdef",
    "up": string.ascii_uppercase + string.digits,
    "b32": string.ascii_uppercase + "234567",
    "b62": string.ascii_letters + string.digits,
    "low": string.ascii_lowercase + string.digits,
    "url": string.ascii_letters + string.digits + "_-",
    "b64": string.ascii_letters + string.digits + "+/",
    "dig": string.digits,
}
#: tokens that name their provider, written from what providers publish and not from our rules;
#: `{alphabet:length}` is drawn
TOKENS = """
aws-access-key AKIA{b32:16}
aws-temporary-key ASIA{b32:16}
gcp-api-key AIza{url:35}
google-oauth ya29.{url:80}
google-client-secret GOCSPX-{url:28}
google-refresh 1//0{url:60}
github-classic ghp_{b62:36}
github-oauth gho_{b62:36}
github-user ghu_{b62:36}
github-server ghs_{b62:36}
github-refresh ghr_{b62:36}
github-fine github_pat_{b62:22}_{b62:59}
gitlab-personal glpat-{url:20}
gitlab-routable glpat-{url:27}.01.{low:9}
gitlab-deploy gldt-{url:20}
gitlab-runner glrt-{url:20}
gitlab-trigger glptt-{hex:40}
slack-bot xoxb-{dig:12}-{dig:12}-{b62:24}
slack-user xoxp-{dig:12}-{dig:12}-{dig:12}-{hex:32}
slack-app xapp-1-A{up:10}-{dig:13}-{hex:64}
slack-webhook https://hooks.slack.com/services/T{up:10}/B{up:10}/{b62:24}
stripe-secret sk_live_{b62:24}
stripe-long sk_live_51{b62:97}
stripe-restricted rk_live_{b62:24}
stripe-webhook whsec_{b62:32}
openai-legacy sk-{b62:48}
openai-project sk-proj-{url:74}T3BlbkFJ{url:74}
openai-service sk-svcacct-{url:60}
anthropic sk-ant-api03-{url:93}AA
anthropic-oauth sk-ant-oat01-{url:93}AA
huggingface hf_{b62:34}
npm npm_{b62:36}
pypi pypi-AgEIcHlwaS5vcmc{url:150}
docker dckr_pat_{url:27}
digitalocean dop_v1_{hex:64}
databricks dapi{hex:32}
databricks-numbered dapi{hex:32}-2
discord-bot MT{b62:22}.G{b62:5}.{url:38}
discord-webhook https://discord.com/api/webhooks/{dig:18}/{url:68}
telegram-bot {dig:10}:AA{url:33}
twilio-key SK{hex:32}
sendgrid SG.{url:22}.{url:43}
mailgun key-{hex:32}
mailchimp {hex:32}-us12
shopify-admin shpat_{hex:32}
shopify-secret shpss_{hex:32}
square-access sq0atp-{url:22}
square-secret sq0csp-{url:43}
linear lin_api_{b62:40}
notion ntn_{b62:46}
notion-old secret_{b62:43}
airtable pat{b62:14}.{hex:64}
figma figd_{url:40}
atlassian ATATT3xFfGF0{url:170}={hex:8}
bitbucket ATBB{b62:32}
heroku HRKU-AA{url:58}
netlify nfp_{b62:36}
new-relic NRAK-{up:27}
sentry-user sntryu_{hex:64}
sentry-org sntrys_eyJ{b64:120}_{b64:43}
grafana-service glsa_{b62:32}_{hex:8}
grafana-cloud glc_eyJ{b64:100}
vault hvs.{url:90}
vault-batch hvb.{url:140}
terraform {b62:14}.atlasv1.{b62:67}
pulumi pul-{hex:40}
doppler dp.pt.{b62:43}
doppler-service dp.st.dev.{b62:43}
one-password ops_eyJ{b64:250}
age AGE-SECRET-KEY-1{up:58}
groq gsk_{b62:52}
xai xai-{b62:80}
replicate r8_{b62:37}
perplexity pplx-{b62:48}
openrouter sk-or-v1-{hex:64}
fireworks fw_{b62:24}
supabase sbp_{hex:40}
planetscale-token pscale_tkn_{url:43}
planetscale-password pscale_pw_{url:43}
neon napi_{low:64}
postman PMAK-{hex:24}-{hex:34}
rubygems rubygems_{hex:48}
crates cio{b62:32}
nuget oy2{low:43}
dropbox sl.u.{url:130}
trello ATTA{hex:64}
contentful CFPAT-{url:43}
launchdarkly sdk-{hex:8}-{hex:4}-4{hex:3}-a{hex:3}-{hex:12}
mapbox sk.eyJ{b62:60}.{b62:22}
nvidia nvapi-{url:64}
asana 1/{dig:16}:{hex:32}
azure-client {b62:3}8Q~{url:34}
tailscale tskey-auth-k{b62:10}CNTRL-{b62:32}
dynatrace dt0c01.{b32:24}.{b32:64}
buildkite bkua_{hex:40}
langsmith lsv2_pt_{hex:32}_{hex:10}
tavily tvly-{b62:32}
sonar squ_{hex:40}
jwt eyJ{url:33}.eyJ{url:70}.{url:43}
"""
#: where a token may stand, whatever its name
PLACES = (
    "export SERVICE_CREDENTIAL={}",
    '  "value": "{}",',
    "it answered {} and stopped",
    "-old {}\\n+new",
    "curl -H 'X-Api-Key: {}' https://api.example.org/v1/items",
    "`{}`",
)
#: what only its place tells: a password drawn by the alphabet given
CONTEXTS = """
env b62:12 DB_PASSWORD={}
env-quoted b62:14 export ADMIN_PASSWORD="{}"
python b62:12 password = "{}"
python-dict b62:12 cfg["password"] = '{}'
keyword b62:12 connect(host="db", user="app", password="{}")
javascript b62:16 const apiSecret = '{}';
typescript b62:24   private readonly apiKey: string = "{}";
yaml b62:12   password: {}
yaml-quoted b62:12   db_password: '{}'
json b62:12 {{"password": "{}"}}
json-escaped b62:12 {{"body": "{{\\"password\\": \\"{}\\"}}"}}
toml b62:20 secret_key = "{}"
ini b62:12 passwd={}
properties b62:12 spring.datasource.password={}
flag b62:12 deploy --password {} --verbose
flag-equals b62:20 deploy --api-key={}
mysql b62:12 mysql -u root -p{} shop
sshpass b62:12 sshpass -p {} ssh deploy@host
curl-user b62:12 curl -u admin:{} https://api.example.org
url b62:12 postgres://app:{}@db.example.org:5432/shop
redis-url b62:16 redis://:{}@cache.example.org:6379/0
amqp-url b62:12 amqps://svc:{}@mq.example.org/vhost
query b62:24 https://api.example.org/v1?access_token={}
query-key b62:24 GET /v1/items?limit=5&api_key={} HTTP/1.1
sas b64:43 https://acc.blob.example.org/c?sv=2022-11-02&sp=r&sig={}%3D
header-bearer b62:40 Authorization: Bearer {}
header-basic b64:28 Authorization: Basic {}
header-curl b62:40 curl -H "Authorization: Bearer {}" https://x.example.org
header-token b62:32 X-Auth-Token: {}
cookie b62:40 Cookie: session={}; theme=dark
set-cookie b62:40 Set-Cookie: sid={}; Path=/; HttpOnly
netrc b62:12 machine api.example.org login ann password {}
pgpass b62:12 db.example.org:5432:shop:app:{}
ado b62:14 Server=db;Database=shop;User Id=app;Password={};Encrypt=True
azure-storage b64:86 DefaultEndpointsProtocol=https;AccountName=acc;AccountKey={}==;EndpointSuffix=core.windows.net
service-bus b64:43 Endpoint=sb://x.example.org/;SharedAccessKeyName=Root;SharedAccessKey={}=
wireguard b64:43 PrivateKey = {}=
docker-auth b64:40 "auths": {{"registry.example.org": {{"auth": "{}"}}}}
kube-token b62:60     token: {}
npmrc b62:36 //registry.example.org/:_authToken={}
aws-secret b64:40 aws_secret_access_key = {}
aws-env b64:40 AWS_SECRET_ACCESS_KEY={}
twilio-auth hex:32 TWILIO_AUTH_TOKEN={}
datadog hex:32 DD_API_KEY={}
algolia hex:32 ALGOLIA_ADMIN_KEY={}
cloudflare url:40 CLOUDFLARE_API_TOKEN={}
okta url:40 OKTA_TOKEN=00{}
mistral b62:32 MISTRAL_API_KEY={}
cohere b62:40 COHERE_API_KEY="{}"
vercel b62:24 VERCEL_TOKEN={}
heroku b62:36 HEROKU_API_KEY={}
fastly url:32 FASTLY_API_TOKEN={}
rails hex:128 secret_key_base: {}
django b62:50 SECRET_KEY = 'django-insecure-{}'
sql b62:12 ALTER USER app WITH PASSWORD '{}';
mysql-sql b62:12 CREATE USER 'app'@'%' IDENTIFIED BY '{}';
xml b62:12 <password>{}</password>
terraform-var b62:20   db_password = "{}"
dockerfile b62:20 ENV API_TOKEN={}
compose b62:14       - POSTGRES_PASSWORD={}
prose b62:12 the password is {}
prose-german b62:12 das Passwort ist {}
setter b62:12 client.setPassword("{}");
go b62:20 APIKey: "{}",
powershell b62:14 ConvertTo-SecureString "{}" -AsPlainText -Force
entropy b62:40 setting = "{}"
"""


class Sample(NamedTuple):
    """A text that holds a secret of some shape."""

    shape: str
    text: str
    secret: str


def drawn(draw: random.Random, what: str) -> str:
    """Characters of an alphabet, `name:length`: always with a digit and a letter among the last two."""
    name, _, length = what.partition(":")
    alphabet = DRAWN[name]
    tail = draw.choice("abcdef") + draw.choice("23456789")
    end = tail.upper() if name in ("up", "b32") else draw.choice("0123456789") * 2 if name == "dig" else tail
    if name == "b32":
        end = end.replace("8", "2").replace("9", "3")
    return ("".join(draw.choice(alphabet) for _ in range(int(length))) + end)[2:]


def filled(draw: random.Random, template: str) -> str:
    """A template with every `{alphabet:length}` drawn."""
    head, *rest = template.split("{")
    return head + "".join(drawn(draw, part.partition("}")[0]) + part.partition("}")[2] for part in rest)


def positives(seed: int = 4) -> list[Sample]:
    """Every provider's token in three places, and six passwords in every context, and key blocks."""
    draw = random.Random(seed)
    samples = []
    for row in TOKENS.strip().splitlines():
        name, template = row.split(" ", 1)
        for place in draw.sample(PLACES, 3):
            secret = filled(draw, template)
            told = secret.rpartition("/")[2] if "://" in secret else secret
            samples.append(Sample("provider:" + name, place.format(secret), told))
    for row in CONTEXTS.strip("\n").splitlines():
        name, alphabet, context = row.split(" ", 2)
        for _ in range(6):
            secret = drawn(draw, alphabet)
            samples.append(Sample("context:" + name, context.format(secret), secret))
    return samples + key_blocks(draw)


def key_blocks(draw: random.Random) -> list[Sample]:
    """Private keys of every label: on lines, in JSON and cut off before their end."""
    samples = []
    for label in ("RSA PRIVATE KEY", "PRIVATE KEY", "EC PRIVATE KEY", "OPENSSH PRIVATE KEY", "PGP PRIVATE KEY BLOCK"):
        lines = [drawn(draw, "b64:64") for _ in range(5)]
        begin, end = f"-----{'BEGIN'} {label}-----", f"-----{'END'} {label}-----"
        for name, gap in (("lines", "\n"), ("json", "\\n"), ("indented", "\n    ")):
            whole = gap.join((begin, *([""] if "PGP" in label else []), *lines, end))
            samples.append(Sample(f"key-block:{name}", f"key: {whole}", lines[draw.randrange(5)]))
        samples.append(Sample("key-block:cut", "\n".join((begin, *lines)), lines[-1]))
    return samples


def negatives() -> list[str]:
    """The lines of this repository's product code and pages and of recorded logs, except the rules' own examples."""
    paths = [
        *sorted(ROOT.glob("src/segue/**/*.py")),
        *sorted(ROOT.glob("docs/**/*.md")),
        ROOT / "README.md",
        *sorted((Path(__file__).parent / "ordinary").glob("*.txt")),
    ]
    return [
        line
        for path in paths
        if "redaction" not in path.relative_to(ROOT).parts[:3] and path.name != "0002-redaction.md"
        for line in path.read_text("utf-8").splitlines()
    ]
