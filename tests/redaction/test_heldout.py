"""Redaction against corpora by people who had not seen its patterns."""

from __future__ import annotations

from types import ModuleType

import pytest

from tests.redaction import fresh, heldout
from tests.redaction.scoring import score


@pytest.mark.promise("RED-2")
@pytest.mark.parametrize("corpus", [heldout, fresh])
def test_a_held_out_corpus_is_redacted_within_the_thresholds(corpus: ModuleType) -> None:
    told = score(corpus.positives(), corpus.negatives())
    assert told.recall >= 0.97, told.missed
    assert told.provider_recall >= 0.99, told.missed
    assert told.wrong_per_thousand <= 1, len(told.wrong)
