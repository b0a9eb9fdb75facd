"""Redaction: what must not be stored is replaced before anything sees it."""

from __future__ import annotations

from segue.redaction.engine import all_rules, look_ahead, redact_text, redact_value, use_kept
from segue.redaction.rule import Policy, Rule

TYPE_CHECKING = False
if TYPE_CHECKING:
    RULES: tuple[Rule, ...]
else:

    def __getattr__(name):
        """Build `RULES` when it is asked for: a process that redacts ordinary text needs none of them."""
        if name == "RULES":
            return all_rules()
        raise AttributeError(name)


__all__ = ["RULES", "Policy", "Rule", "look_ahead", "redact_text", "redact_value", "use_kept"]
