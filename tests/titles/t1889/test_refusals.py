"""1889: each of these requests is refused for its reason, in its sentence."""

from pathlib import Path

import pytest

from tests.titles.refusals.table import Refusal, refused_for, rows_with_sentences
from tests.titles.t1889.refusals import ROWS

SENTENCES = Path(__file__).with_name("refusal_sentences.json")


@pytest.mark.parametrize(("row", "sentence"), rows_with_sentences(ROWS, SENTENCES))
def test_refusal_of_1889(row: Refusal, sentence: str) -> None:
    game = row.game()
    assert refused_for(game, row.request(game)) == (row.key, sentence)
