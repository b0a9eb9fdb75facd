"""Owns the score of redaction over a corpus: what was found, what of it by provider shape, and what was hit wrongly."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple, Protocol

from segue.redaction import Policy, redact_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


class Sample(Protocol):
    """A text with something in it that must vanish."""

    @property
    def shape(self) -> str:
        """The name of its credential shape."""

    @property
    def text(self) -> str:
        """The whole text."""

    @property
    def secret(self) -> str:
        """The part that must vanish."""


class Score(NamedTuple):
    """The figures of one corpus. `missed` counts by shape; `wrong` are positions of lines that changed."""

    recall: float
    provider_recall: float
    wrong_per_thousand: float
    missed: Counter[str]
    wrong: tuple[int, ...]


def is_provider(shape: str) -> bool:
    """Whether a shape is a provider's token."""
    return shape.startswith("provider:")


def leaks(text: str, secret: str) -> bool:
    """Whether the secret, or one of a token's dotted parts, is still there after redaction."""
    told = redact_text(text, Policy())
    return secret in told or (
        secret.startswith("ey") and any(part in told for part in secret.split(".") if len(part) > 8)
    )


def score(positives: Sequence[Sample], negatives: Iterable[str]) -> Score:
    """Score redaction over texts that hold a secret and lines that hold none."""
    missed = Counter(sample.shape for sample in positives if leaks(sample.text, sample.secret))
    provider = [sample.shape for sample in positives if is_provider(sample.shape)]
    lines = list(negatives)
    wrong = tuple(at for at, line in enumerate(lines) if redact_text(line, Policy()) != line)
    lost = sum(n for shape, n in missed.items() if is_provider(shape))
    return Score(
        recall=1 - missed.total() / len(positives),
        provider_recall=1 - lost / max(1, len(provider)),
        wrong_per_thousand=1000 * len(wrong) / max(1, len(lines)),
        missed=missed,
        wrong=wrong,
    )
