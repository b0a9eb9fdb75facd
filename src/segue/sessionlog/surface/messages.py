"""Owns deriving the model's messages from the events on the surface. Pure: the same log gives the same messages."""

from __future__ import annotations

from segue.model.event import ASSISTANT_MESSAGE, TOOL_RESULT, USER_MESSAGE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

ROLES = {USER_MESSAGE: "user", ASSISTANT_MESSAGE: "assistant", TOOL_RESULT: "tool"}


def message(type_: str, body: dict[str, Any] | None) -> dict[str, Any] | None:
    """The message that an event on the surface stands for; None for one that stands for none.

    A body with a `message` of its own is that message. Otherwise `text` is its content, an assistant's `calls` are
    its tool calls, and a result's `call_id` names the call that it answers. An answer without content is none.
    """
    role = ROLES.get(type_)
    if role is None or body is None:
        return None
    own = body.get("message")
    if isinstance(own, dict):
        return own
    text = body.get("output") if type_ == TOOL_RESULT and "text" not in body else body.get("text")
    found: dict[str, Any] = {"role": role, "content": text if isinstance(text, str) else ""}
    if type_ == ASSISTANT_MESSAGE and body.get("calls"):
        found["tool_calls"] = body["calls"]
    if type_ == TOOL_RESULT and body.get("call_id"):
        found["tool_call_id"] = body["call_id"]
    if type_ == ASSISTANT_MESSAGE and not found["content"] and "tool_calls" not in found:
        return None
    return found


def calls(body: dict[str, Any] | None) -> list[str]:
    """The ids of the tool calls that an assistant's message asks for."""
    asked = (body or {}).get("calls") or ((body or {}).get("message") or {}).get("tool_calls") or []
    if not isinstance(asked, list):
        return []
    return [call["id"] for call in asked if isinstance(call, dict) and isinstance(call.get("id"), str)]


def answered(body: dict[str, Any] | None) -> str | None:
    """The id of the tool call that a call's or a result's event belongs to."""
    found = (body or {}).get("call_id") or ((body or {}).get("message") or {}).get("tool_call_id")
    return found if isinstance(found, str) else None
