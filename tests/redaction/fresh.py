"""Owns a second corpus for the redactor, written without knowing its rules. Never holds a literal credential.

Every secret is made at run time from the documented form of its kind, and set into surroundings that the other corpus
does not use. The lines that must stay as they are lie in `fresh_lines`: what tools print, code, configuration, logs
and prose.
"""

from __future__ import annotations

import base64
import json
import os
import random
import re
import string
from collections.abc import Callable
from typing import NamedTuple

SEED = 20261201
PER_PROVIDER = 3
PER_SHAPE = 3
LINES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "fresh_lines")

LETTERS = string.ascii_letters
ALPHABETS = {
    "an": LETTERS + string.digits,
    "up": string.ascii_uppercase + string.digits,
    "low": string.ascii_lowercase + string.digits,
    "hex": "0123456789abcdef",
    "HEX": "0123456789ABCDEF",
    "d": string.digits,
    "b32": string.ascii_uppercase + "234567",
    "bech": "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L",
    "url": LETTERS + string.digits + "_-",
    "b64": LETTERS + string.digits + "+/",
}

#: `{alphabet:count}` is drawn; all else is the fixed part of the provider's form
PROVIDERS = {
    "aws-access-key": "AKIA{b32:16}",
    "aws-sts-key": "ASIA{b32:16}",
    "github-classic": "ghp_{an:36}",
    "github-oauth": "gho_{an:36}",
    "github-user-to-server": "ghu_{an:36}",
    "github-server-to-server": "ghs_{an:36}",
    "github-refresh": "ghr_{an:36}",
    "github-fine-grained": "github_pat_{an:22}_{an:59}",
    "gitlab-personal": "glpat-{an:20}",
    "gitlab-runner": "glrt-{an:20}",
    "gitlab-deploy": "gldt-{an:20}",
    "slack-bot": "xoxb-{d:12}-{d:13}-{an:24}",
    "slack-user": "xoxp-{d:12}-{d:12}-{d:13}-{hex:32}",
    "slack-app": "xapp-1-A{up:10}-{d:13}-{hex:64}",
    "stripe-secret": "sk_live_{an:24}",
    "stripe-secret-long": "sk_live_51{an:97}",
    "stripe-restricted": "rk_live_{an:24}",
    "stripe-webhook": "whsec_{an:32}",
    "openai-project": "sk-proj-{an:74}T3BlbkFJ{an:74}",
    "openai-legacy": "sk-{an:20}T3BlbkFJ{an:20}",
    "anthropic": "sk-ant-api03-{url:93}AA",
    "google-api-key": "AIzaSy{url:33}",
    "google-oauth-secret": "GOCSPX-{url:28}",
    "google-access-token": "ya29.a0{url:120}",
    "npm": "npm_{an:36}",
    "pypi": "pypi-AgEIcHlwaS5vcmc{url:140}",
    "rubygems": "rubygems_{hex:48}",
    "dockerhub": "dckr_pat_{url:27}",
    "sendgrid": "SG.{url:22}.{url:43}",
    "mailgun": "key-{hex:32}",
    "mailchimp": "{hex:32}-us14",
    "brevo": "xkeysib-{hex:64}-{an:16}",
    "twilio-api-key": "SK{hex:32}",
    "digitalocean": "dop_v1_{hex:64}",
    "shopify-access": "shpat_{hex:32}",
    "shopify-shared": "shpss_{hex:32}",
    "vault-service": "hvs.{an:90}",
    "terraform-cloud": "{an:14}.atlasv1.{an:67}",
    "databricks": "dapi{hex:32}",
    "huggingface": "hf_{an:34}",
    "replicate": "r8_{an:37}",
    "groq": "gsk_{an:52}",
    "perplexity": "pplx-{an:48}",
    "xai": "xai-{an:80}",
    "openrouter": "sk-or-v1-{hex:64}",
    "linear": "lin_api_{an:40}",
    "notion": "ntn_{d:11}{an:35}",
    "figma": "figd_{url:40}",
    "postman": "PMAK-{hex:24}-{hex:34}",
    "newrelic": "NRAK-{up:27}",
    "grafana-service": "glsa_{an:32}_{hex:8}",
    "sentry-user": "sntryu_{hex:64}",
    "planetscale": "pscale_tkn_{url:43}",
    "doppler": "dp.pt.{an:43}",
    "age": "AGE-SECRET-KEY-1{bech:58}",
    "telegram-bot": "{d:10}:AA{url:33}",
    "discord-bot": "MT{an:24}.G{an:5}.{an:38}",
    "square-secret": "sq0csp-{url:43}",
    "airtable": "pat{an:14}.{hex:64}",
    "atlassian": "ATATT3xFfGF0{url:171}={HEX:8}",
    "supabase": "sbp_{hex:40}",
    "pulumi": "pul-{hex:40}",
    "dynatrace": "dt0c01.{b32:24}.{b32:64}",
    "tailscale": "tskey-auth-k{an:11}CNTRL-{an:32}",
    "buildkite": "bkua_{hex:40}",
    "contentful": "CFPAT-{url:43}",
    "langsmith": "lsv2_pt_{hex:32}_{hex:10}",
    "easypost": "EZAK{an:54}",
    "shippo": "shippo_live_{hex:40}",
    "clojars": "CLOJARS_{hex:60}",
}

#: where a provider's token turns up; `@` stands for it
AROUND = (
    'apiVersion: v1\nkind: Secret\nmetadata:\n  name: billing\nstringData:\n  token: "@"\n',
    "        - name: SERVICE_TOKEN\n          value: @\n        ports: [{containerPort: 8443}]",
    "2026-11-30T08:15:27.1142213Z ##[debug]Evaluating: '@'\n2026-11-30T08:15:27.2Z ##[endgroup]",
    "Run ./deploy.sh\n  env:\n    DEPLOY_TOKEN: @\n    CI: true\n",
    '  ~ environment = {\n      ~ "SERVICE_TOKEN" = "@" -> (known after apply)\n    }\nPlan: 0 to add, 1 to change.',
    '            "Env": [\n                "TZ=UTC",\n                "SERVICE_TOKEN=@"\n            ]',
    "registry=https://npm.acme.test/\n//npm.acme.test/:_authToken=@\nalways-auth=true",
    "> GET /v1/items HTTP/2\n> host: api.acme.test\n> authorization: Bearer @\n> accept: */*\n",
    "$ curl -sS -H 'X-Api-Key: @' http://localhost:8080/v1/items | jq .",
    'client = Client(base_url="http://localhost:9000", token="@", timeout=5)',
    "const client = new Client({ token: '@', retries: 3 });",
    '\tcli, err := svc.New(ctx, "@") // TODO: move out',
    '    private static final String TOKEN = "@";',
    '    let client = Client::new("@".to_string())?;',
    "$client = new Client('@', ['timeout' => 10]);",
    'Service.configure { |c| c.token = "@" }',
    "# local overrides\nexport SERVICE_TOKEN=@\nexport PORT=8080",
    "[service]\nurl = http://localhost:9000\ntoken = @\n",
    '[auth]\ntoken = "@"\nretries = 3',
    "service:\n  url: http://localhost:9000\n  token: @\n",
    '<appSettings>\n  <add key="ServiceToken" value="@" />\n</appSettings>',
    "  412  cd api\n  413  SERVICE_TOKEN=@ make deploy\n  414  git status",
    'Traceback (most recent call last):\n  File "app.py", line 7, in <module>\n    raise Denied(token)\nDenied: @',
    "hey, can you try it with @ ? worked for me on staging",
    "Kannst du bitte @ in den Tresor legen? Danke!",
    "j'ai encore utilisé @ hier, ça marche toujours",
    "usa esta clave por ahora: @ y luego la cambiamos",
    "とりあえずこのキーを使ってください： @ （明日変更します）",
    "вот ключ для стенда: @ , потом заменим",
    "INSERT INTO settings (name, value) VALUES ('service_token', '@');",
    '10.0.3.17 - - [30/Nov/2026:08:15:27 +0000] "GET /hook?token=@ HTTP/1.1" 200 2 "-" "curl/8.5.0"',
    '{"level":"debug","msg":"request","headers":{"X-Token":"@"},"ms":12}',
    "+SERVICE_TOKEN=@\n-SERVICE_TOKEN=\n",
)


class Positive(NamedTuple):
    """One text with a secret that must vanish from it."""

    shape: str
    text: str
    secret: str


def fill(rng: random.Random, form: str) -> str:
    """The form with every `{alphabet:count}` drawn."""
    return re.sub(
        r"\{(\w+):(\d+)\}",
        lambda hole: "".join(rng.choice(ALPHABETS[hole[1]]) for _ in range(int(hole[2]))),
        form,
    )


def password(rng: random.Random) -> str:
    """A password of 14 to 20 characters that holds a capital, a small letter, a digit and a sign."""
    return fill(
        rng, "{an:5}" + rng.choice("!%^*") + "{an:2}" + rng.choice("-_+") + "{an:" + str(rng.randint(3, 9)) + "}7Kq"
    )


def plain(rng: random.Random) -> str:
    """A password without signs, fit for a URL."""
    return fill(rng, "{an:13}4Rt")


def jwt(rng: random.Random) -> str:
    """A signed token whose header and claims are readable JSON."""

    def part(value: dict[str, object]) -> str:
        return base64.urlsafe_b64encode(json.dumps(value, separators=(",", ":")).encode()).rstrip(b"=").decode()

    head = part({"alg": "HS256", "typ": "JWT"})
    claims = part({"sub": fill(rng, "{d:8}"), "iat": 1764547200 + rng.randrange(9999), "scope": "read"})
    return f"{head}.{claims}.{fill(rng, '{url:43}')}"


def public_ip(rng: random.Random) -> str:
    """A routable address outside the private, reserved and documentation ranges."""
    first = rng.choice((5, 23, 31, 45, 62, 77, 81, 94, 104, 138, 151, 176, 185, 188, 212, 217))
    return f"{first}.{rng.randint(20, 250)}.{rng.randint(20, 250)}.{rng.randint(2, 250)}"


def email(rng: random.Random) -> str:
    """An address at a domain that looks like a firm's."""
    name = rng.choice(("lena", "tomas", "yuki", "amara", "pierre", "olga"))
    rest = rng.choice(("brandt", "oliveira", "tanaka", "diallo", "moreau", "kovacs"))
    firm = fill(rng, rng.choice(("nord", "blue", "holz", "kite")) + "{low:4}" + rng.choice(("werk", "labs", "soft")))
    return f"{name}.{rest}{rng.randint(10, 99)}@{firm}.{rng.choice(('com', 'de', 'io', 'fr'))}"


def phone(rng: random.Random) -> str:
    """A number in international form."""
    return fill(rng, rng.choice(("+49 30 5{d:3} {d:4}", "+33 6 2{d:1} {d:2} {d:2} {d:2}", "+44 20 7{d:3} {d:4}")))


def basic(rng: random.Random) -> str:
    """The user and password of an HTTP header, encoded."""
    return base64.b64encode(f"deploy:{password(rng)}".encode()).decode()


def pem(rng: random.Random, label: str) -> Positive:
    """A key in armour; the secret is one line of its body."""
    body = [fill(rng, "{b64:64}") for _ in range(rng.randint(6, 14))]
    begin, end = f"-----BEGIN {label}-----", f"-----END {label}-----"
    lines = [begin, *body, fill(rng, "{b64:42}=="), end]
    text = rng.choice(
        (
            "$ cat deploy.key\n" + "\n".join(lines) + "\n$ ",
            "data:\n  key: |\n" + "\n".join("    " + line for line in lines) + "\n  port: 22\n",
            'KEY = """' + "\n".join(lines) + '"""\n',
            '{"private_key": "' + "\\n".join(lines) + '\\n", "kind": "service"}',
        )
    )
    return Positive("", text, rng.choice(body))


PEM_LABELS = {
    "pem:rsa": "RSA PRIVATE KEY",
    "pem:ec": "EC PRIVATE KEY",
    "pem:pkcs8": "PRIVATE KEY",
    "pem:encrypted": "ENCRYPTED PRIVATE KEY",
    "pem:openssh": "OPENSSH PRIVATE KEY",
    "pem:pgp": "PGP PRIVATE KEY BLOCK",
}

#: what is drawn, and the texts in which `@` stands for it, one text for each positive of the shape
SHAPES: dict[str, tuple[Callable[[random.Random], str], tuple[str, ...]]] = {
    "jwt:bearer": (jwt, ("authorization: Bearer @", "curl -H 'Authorization: Bearer @' localhost:8080", "auth = '@'")),
    "jwt:cookie": (
        jwt,
        ("set-cookie: session=@; Path=/; HttpOnly", "Cookie: theme=dark; sid=@", "?id_token=@&state=3"),
    ),
    "jwt:bare": (jwt, ("decoded @ fine", "Das hier läuft ab: @", 'E  assert "@" is None')),
    "http:basic": (basic, ("Authorization: Basic @", "> authorization: Basic @\n> accept: */*", "_auth=@\nemail=")),
    "url:postgres": (
        plain,
        (
            "DATABASE_URL=postgres://app:@@db.internal:5432/app",
            "sqlalchemy.url = postgresql+psycopg://app:@@localhost/app",
            'FATAL: could not connect to "postgresql://ro:@@10.1.2.3:6432/dw?sslmode=require"',
        ),
    ),
    "url:mysql": (
        plain,
        ("mysql://root:@@127.0.0.1:3306/shop", "dsn: mysql+pymysql://shop:@@db/shop", "<url>mysql://a:@@db/x</url>"),
    ),
    "url:redis": (
        plain,
        (
            "REDIS_URL=redis://:@@cache:6379/0",
            "broker = rediss://default:@@cache.internal:6380",
            "redis://:@@localhost",
        ),
    ),
    "url:amqp": (
        plain,
        ("amqp://worker:@@mq:5672/%2Fjobs", "  AMQP: amqps://svc:@@mq.internal/v", "connected to amqp://w:@@localhost"),
    ),
    "url:mongodb": (
        plain,
        (
            "mongodb+srv://app:@@cluster0.internal/app?retryWrites=true",
            "mongoose.connect('mongodb://root:@@localhost:27017/admin');",
            "MongoServerError: mongodb://ops:@@m1:27017,m2:27017/ops",
        ),
    ),
    "url:git-remote": (
        plain,
        (
            "origin\thttps://ci:@@git.acme.test/acme/api.git (fetch)",
            "fatal: unable to access 'https://bot:@@git.acme.test/api.git/': The requested URL returned error: 403",
            '[remote "origin"]\n\turl = https://oauth2:@@git.acme.test/api.git\n',
        ),
    ),
    "url:package-index": (
        plain,
        (
            "[global]\nextra-index-url = https://reader:@@pypi.acme.test/simple\n",
            "Looking in indexes: https://ci:@@pypi.acme.test/simple",
            'source "https://gems:@@gems.acme.test/"',
        ),
    ),
    "url:proxy": (
        plain,
        ("http_proxy=http://pat:@@proxy.internal:3128", "-x http://u:@@10.0.0.9:8080", "ftp://web:@@files.internal/a"),
    ),
    "password:env": (password, ("DB_PASSWORD='@'", "export SMTP_PASSWORD='@'", "PGPASSWORD='@' psql -h localhost app")),
    "password:ini": (password, ("[db]\nuser=app\npassword=@\n", "[client]\npassword = @\n", "[smtp]\nsmtp_pass = @\n")),
    "password:toml": (password, ('password = "@"', "[db]\nuser = 'app'\npassword = '@'", 'admin_password = "@" # dev')),
    "password:yaml": (
        password,
        ('db:\n  password: "@"\n', "- {user: app, password: '@'}", 'rabbit:\n  default_pass: "@"\n'),
    ),
    "password:xml": (
        password,
        (
            "<password>@</password>",
            '<property name="password" value="@"/>',
            "<server><id>nexus</id><username>ci</username><password>@</password></server>",
        ),
    ),
    "password:json": (
        password,
        ('{"user": "app", "password": "@"}', '"dbPassword":"@",', '{"auth":{"passwd":"@","realm":"x"}}'),
    ),
    "password:properties": (
        password,
        ("spring.datasource.password=@", "javax.net.ssl.keyStorePassword=@", "storePassword=@\nkeyAlias=upload"),
    ),
    "password:code": (
        password,
        (
            'conn = connect(host="localhost", user="app", password="@")',
            'ds.setPassword("@");',
            "define('DB_PASSWORD', '@');",
            "const pool = new Pool({ user: 'app', password: '@' });",
            'cfg.Password = "@"',
            'let password = "@";',
            'ActiveRecord::Base.establish_connection(adapter: "pg", password: "@")',
        ),
    ),
    "password:sql": (
        plain,
        (
            "ALTER ROLE app WITH LOGIN PASSWORD '@';",
            "CREATE USER 'shop'\0'%' IDENTIFIED BY '@';",
            "CREATE USER report PASSWORD '@' VALID UNTIL 'infinity';",
        ),
    ),
    "password:shell": (
        plain,
        (
            "  88  sshpass -p '@' ssh build\0localhost",
            "curl -u deploy:@ http://localhost:8081/repository/raw/",
            "mysql -u root --password=@ -e 'show databases'",
            "docker login -u ci --password @ registry.acme.test",
        ),
    ),
    "password:netrc": (plain, ("machine git.acme.test login ci password @", "machine api login bot\n  password @\n")),
    "password:chat": (
        plain,
        ("the password is: @", "Passwort: @", "mot de passe : @", "contraseña: @", "пароль: @", "senha: @"),
    ),
    "entropy:secret": (
        lambda rng: fill(rng, "{an:40}"),
        ("SECRET_KEY=@", 'client_secret: "@"', "app.secret = '@';", 'signing_key = "@"', "auth_token: @"),
    ),
    "entropy:aws-secret": (
        lambda rng: fill(rng, "{b64:40}"),
        ("aws_secret_access_key = @", 'AWS_SECRET_ACCESS_KEY="@"', '"SecretAccessKey": "@",'),
    ),
    "entropy:base64-key": (
        lambda rng: fill(rng, "{b64:43}="),
        ("ENCRYPTION_KEY=@", "encryption_key: '@'", 'var apiSecret = "@";'),
    ),
    "entropy:k8s-data": (
        lambda rng: base64.b64encode(fill(rng, "{an:33}").encode()).decode(),
        ("kind: Secret\ndata:\n  api-token: @\n", "data:\n  client-secret: @\ntype: Opaque\n"),
    ),
    "entropy:azure-storage": (
        lambda rng: fill(rng, "{b64:86}=="),
        (
            "DefaultEndpointsProtocol=https;AccountName=acme;AccountKey=@;EndpointSuffix=core.windows.net",
            "AccountKey=@",
        ),
    ),
    "entropy:slack-webhook": (
        lambda rng: fill(rng, "T{up:8}/B{up:10}/{an:24}"),
        ("SLACK_WEBHOOK=https://hooks.slack.com/services/@", "post to https://hooks.slack.com/services/@ failed: 404"),
    ),
    "email:chat": (
        email,
        ("schreib mir an @, danke", "écris-moi à @ stp", "ask @ about it", "写信给 @ 即可", "пишите на @"),
    ),
    "email:record": (
        email,
        (
            "INSERT INTO users VALUES (7, '@', now());",
            '"contact": "@",',
            "Author: build <@>",
            "Reply-To: @\nSubject: hi",
        ),
    ),
    "phone:context": (
        phone,
        ("Tel.: @", "phone: @", "call me at @ after five", "Téléphone : @", "teléfono: @", '"mobile": "@"'),
    ),
    "ip:log": (
        public_ip,
        (
            '@ - - [30/Nov/2026:08:15:27 +0000] "GET / HTTP/1.1" 200 612 "-" "Mozilla/5.0"',
            "sshd[2144]: Failed publickey for root from @ port 51514 ssh2",
            "ConnectionRefusedError: [Errno 111] connect to ('@', 443)",
            "X-Forwarded-For: @, 10.0.0.4",
            'public_ip = "@"',
            "* Connected to api.acme.test (@) port 443",
        ),
    ),
    "private:inline": (
        lambda rng: fill(rng, "plan {low:6} costs {d:5}"),
        (
            "note <private>@</private> end",
            "vorher <private>das ist @ und geheim</private> nachher",
            "<private>@</private>",
        ),
    ),
    "private:block": (
        lambda rng: fill(rng, "client {low:8}"),
        ("a\n<private>\none\n@\ntwo\n</private>\nb", "- x\n- <private>see\n  @</private>\n- y"),
    ),
}


def set_into(text: str, secret: str) -> str:
    """The text with the secret at its mark; a doubled mark is the secret before an at sign, NUL a lone at sign."""
    return text.replace("@@", "@\0").replace("@", secret).replace("\0", "@")


def positives() -> list[Positive]:
    """Every text with its secret, the same at every call."""
    rng = random.Random(SEED)
    found: list[Positive] = []
    for name, form in PROVIDERS.items():
        for around in rng.sample(AROUND, PER_PROVIDER):
            secret = fill(rng, form)
            found.append(Positive(f"provider:{name}", set_into(around, secret), secret))
    for shape, label in PEM_LABELS.items():
        found.extend(pem(rng, label)._replace(shape=shape) for _ in range(PER_SHAPE))
    for shape, (draw, texts) in SHAPES.items():
        for text in texts:
            secret = draw(rng)
            found.append(Positive(shape, set_into(text, secret), secret))
    return found


def negatives() -> list[str]:
    """Every line that must come back unchanged, in the order of the files."""
    lines: list[str] = []
    for name in sorted(os.listdir(LINES)):
        if name.endswith(".txt"):
            with open(os.path.join(LINES, name), encoding="utf-8", newline="\n") as file:
                lines.extend(line for line in file.read().split("\n") if line)
    return lines
