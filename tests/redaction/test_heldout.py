"""Redaction against a corpus by someone who has not seen its patterns."""

import pytest

from tests.redaction.heldout import negatives, positives
from tests.redaction.scoring import score


@pytest.mark.promise("RED-2")
def test_the_held_out_corpus_is_redacted_within_the_thresholds() -> None:
    told = score(positives(), negatives())
    assert told.recall >= 0.97, told.missed
    assert told.provider_recall >= 0.99, told.missed
    assert told.wrong_per_thousand <= 1, len(told.wrong)
