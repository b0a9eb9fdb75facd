"""Owns what tests of Claude Code's live dialect ask of payloads."""

from __future__ import annotations

import json
from typing import Any

from segue.hosts.claude_code.hooks import parse
from segue.model.event import Draft
from segue.model.moment import Moment
from tests.hosts.entries import HERE

CLAUDE = HERE / "claude"


def recorded(name: str) -> list[dict[str, Any]]:
    """The payloads of a recorded run, in order."""
    text = (CLAUDE / name / "payloads.ndjson").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


def told(event: str, **payload: Any) -> Moment:
    """The moment of a payload."""
    return parse(event, {"session_id": "s1", "prompt_id": "p1", "cwd": "/src/shop", **payload})


def after(tool: str, given_: object, response: object, event: str = "PostToolUse", **more: Any) -> Draft:
    """The result of a tool's call."""
    moment = told(event, tool_name=tool, tool_use_id="t1", tool_input=given_, tool_response=response, **more)
    return next(draft for draft in moment.drafts if draft.type == "tool/result")


def logs(moment: Moment) -> list[tuple[str, tuple[Draft, ...]]]:
    """The drafts of a moment by the log that they belong to."""
    both = [(moment.header, moment.drafts), *moment.extra]
    return [(header.session_id, drafts) for header, drafts in both if drafts]
