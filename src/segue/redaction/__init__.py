"""Redaction: what must not be stored is replaced before anything sees it."""

from segue.redaction.engine import redact_text, redact_value
from segue.redaction.rule import Policy, Rule

__all__ = ["RULES", "Policy", "Rule", "redact_text", "redact_value"]


def __getattr__(name: str) -> tuple[Rule, ...]:
    if name != "RULES":
        raise AttributeError(name)
    from segue.redaction.engine import rules

    return rules()
