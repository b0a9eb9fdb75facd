"""Owns the made-up history that benchmarks run on: the same seed gives the same texts. Never real people's words."""

from __future__ import annotations

import itertools
import os
import random
import sys
from collections.abc import Iterator, Sequence

from bench.machine import ROOT
from segue import app
from segue.ctx import Context, open_context
from segue.model.event import Draft
from segue.model.instant import from_epoch
from segue.model.session import SessionHeader
from segue.projectors.derive import derive
from segue.sessionlog.capture import Clean, append
from segue.system.launcher import BOOT

SEED = 20261130
START = 1_780_000_000.0
#: events of one session, and sessions that one transaction writes
SESSION_EVENTS = 200
STEMS = (
    "add base build cache check clock commit count create data decode delete deploy disk edit encode error event file"
    " filter fix flag flow format get group head host import index init input item join lease limit line list load lock"
    " log merge model move name node open order page parse path plan point pool print queue range read record render"
    " report retry root route rule run save scan scope search seed send set shard size slot sort split start state step"
    " stop store stream sum sync table tag task test text time tool trace tree type unit update value view walk watch"
    " window word work write zone"
).split()
#: words beside which secrets stand: as rare as in real text, because each makes redaction look closer
DELICATE = "auth key login password secret token user session".split()
CJK = "数据库连接失败请检查配置文件路径测试通过构建错误登录超时缓存失效重试队列日志索引更新时间会话记录"
SUFFIXES = ("py", "ts", "go", "rs", "md", "toml")


class Words:
    """A vocabulary with the skew of real text: few words are in most texts, most words in few."""

    def __init__(self, seed: int = SEED, size: int = 20_000) -> None:
        self.random = random.Random(seed)
        self.names = [self._name(number) for number in range(size)]
        self._weights = list(itertools.accumulate(1 / (rank + 3) for rank in range(size)))

    def _name(self, number: int) -> str:
        parts = self.random.sample(STEMS, 1 + (number > 100) + (number > 8000))
        if number > 400 and number % 50 == 49:
            parts[0] = self.random.choice(DELICATE)
        match number % 5:
            case 0:
                return "_".join(parts)
            case 1:
                return parts[0] + "".join(part.title() for part in parts[1:])
            case 2 if number > 500:
                return f"src/{'/'.join(parts)}/{self.random.choice(STEMS)}.{self.random.choice(SUFFIXES)}"
            case 3 if number > 500:
                return f"{'-'.join(parts)}-{number}"
        return ".".join(parts)

    def text(self, length: int) -> str:
        """About so many characters of prose and code."""
        words = self.random.choices(self.names, cum_weights=self._weights, k=max(1, length // 9))
        if self.random.random() < 0.02:
            at = self.random.randrange(len(CJK) - 8)
            words.insert(self.random.randrange(len(words)), CJK[at : at + 8])
        lines = (" ".join(words[at : at + 11]) for at in range(0, len(words), 11))
        return "\n".join(lines)

    def length(self, median: int, most: int) -> int:
        """A size around the median, sometimes far above it."""
        return min(most, int(median * self.random.lognormvariate(0, 1.1)))


def texts(count: int, seed: int = SEED) -> Iterator[Draft]:
    """Drafts as a session brings them: a prompt, calls with their results, an answer."""
    words = Words(seed)
    for number in range(count):
        key, time = f"k{number}", from_epoch(START + number * 20)
        match number % 8:
            case 0:
                body = {"text": words.text(words.length(160, 4000))}
                yield Draft(type="user/message", origin="user", body=body, key=key, time=time)
            case 7:
                body = {"text": words.text(words.length(500, 6000))}
                yield Draft(type="assistant/message", origin="model", body=body, key=key, time=time)
            case 1 | 3 | 5:
                yield _call(words, number, key, time)
            case _:
                yield _result(words, number, key, time)


def _call(words: Words, number: int, key: str, time: str) -> Draft:
    body = {"tool": "Bash", "call_id": f"c{number}", "input": {"command": words.text(words.length(60, 600))}}
    return Draft(type="tool/call", origin="model", body=body, key=key, time=time, action="command")


def _result(words: Words, number: int, key: str, time: str) -> Draft:
    body = {"tool": "Bash", "call_id": f"c{number - 1}", "output": words.text(words.length(700, 20_000))}
    outcome = "failed" if number % 56 == 2 else "ok"
    subject = words.text(40).replace("\n", " ")
    return Draft(
        type="tool/result", origin="tool", body=body, key=key, time=time, action="command", outcome=outcome,
        subject=subject,
    )  # fmt: skip


class Home:
    """A throw-away home with one data folder and projects."""

    def __init__(self, folder: str) -> None:
        self.folder = folder
        self.data = os.path.join(folder, "data")
        self.env = {"HOME": folder, "SEGUE_HOME": self.data, "PATH": os.environ.get("PATH", ""), "USER": "bench"}

    def project(self, name: str = "shop") -> str:
        """A project's directory, made if it is missing."""
        path = os.path.join(self.folder, name)
        os.makedirs(path, exist_ok=True)
        return path

    def context(self, project: str = "shop") -> Context:
        """A context on the home's store."""
        return open_context(app.locate(self.env, self.project(project)))

    def fill(self, drafts: Sequence[Draft], project: str = "shop", prefix: str = "s") -> None:
        """Store drafts as sessions and bring the index up to them. They count as redacted already."""
        ctx = self.context(project)
        for at in range(0, len(drafts), SESSION_EVENTS):
            header = SessionHeader(
                host="claude-code", host_session_id=f"{prefix}{at // SESSION_EVENTS:05d}", cwd=self.project(project)
            )
            append(ctx, Clean(header=header, drafts=tuple(drafts[at : at + SESSION_EVENTS])))
            if at % 20_000 == 0:
                print(f"  {at} of {len(drafts)} events", file=sys.stderr)
        derive(ctx, ctx.spool_dir)
        ctx.store.close()


def python_words(*args: str) -> list[str]:
    """Start this repository's Segue as the launcher does, without its shell."""
    boot = BOOT.format(package=os.path.join(ROOT, "src"), log=os.devnull, limit=0)
    return [sys.executable, "-I", "-S", "-X", "utf8", "-c", boot, *args]
