"""Owns what fits: the budget of a block in tokens and bytes, measured on the whole. Pure."""

from __future__ import annotations

from segue.model.injection import LEFT_OUT, SHOWN, Judged
from segue.model.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from segue.model.injection import Item

#: the hosts' limit is 10,000 characters (Claude Code replaces longer text by a preview); bytes with the frame
MAX_BYTES = 9_000


class Budget(Record):
    """How much a block may hold, frame included."""

    tokens: int
    bytes: int = MAX_BYTES


def estimate_tokens(text: str) -> int:
    """Tokens of a text by rule of thumb: four ASCII characters a token, any other character one token."""
    plain = len(text.encode("ascii", "ignore"))
    return (plain + 3) // 4 + len(text) - plain


def judge(offers: Sequence[Sequence[Item]], budget: Budget, frame_text: str) -> list[Judged]:
    """Which items are shown: layers take turns, each giving its next best, until nothing more fits.

    `frame_text` is everything of the block that is no item. Items come back in the layers' order, left-out ones with
    the reason why.
    """
    tokens = budget.tokens - estimate_tokens(frame_text)
    size = budget.bytes - len(frame_text.encode())
    judged: dict[tuple[int, int], Judged] = {}
    told: set[str] = set()
    for rank in range(max(map(len, offers), default=0)):
        for layer, items in enumerate(offers):
            if rank >= len(items):
                continue
            item = items[rank]
            cost = estimate_tokens(item.text) + 1, len(item.text.encode()) + 3
            if item.text in told:
                verdict = Judged(item=item, disposition=LEFT_OUT, reason="the same line is shown already")
            elif cost[0] > tokens or cost[1] > size:
                reason = f"over budget: needs {cost[0]} tokens, {max(tokens, 0)} were left"
                verdict = Judged(item=item, disposition=LEFT_OUT, reason=reason)
            else:
                tokens, size = tokens - cost[0], size - cost[1]
                told.add(item.text)
                verdict = Judged(
                    item=item, disposition=SHOWN, reason=f"it fits: number {rank + 1} of what its part offers"
                )
            judged[layer, rank] = verdict
    return [judged[place] for place in sorted(judged)]
