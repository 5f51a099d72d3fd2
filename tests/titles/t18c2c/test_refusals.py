"""18C2C: every reason of its own rooms, and those that only this title gives, have an example."""

from pathlib import Path

import pytest

from tests.titles.refusals.table import Refusal, refusal_keys, refused_for, rows_with_sentences
from tests.titles.refusals.test_refusals import ONLY_18C2C
from tests.titles.t18c2c.refusals import ROWS

SENTENCES = Path(__file__).with_name("refusal_sentences.json")


@pytest.mark.parametrize(("row", "sentence"), rows_with_sentences(ROWS, SENTENCES))
def test_refusal(row: Refusal, sentence: str) -> None:
    game = row.game()
    assert refused_for(game, row.request(game)) == (row.key, sentence)


def test_every_key_of_18c2c_has_an_example() -> None:
    rooms = refusal_keys().items()
    own = {key for key, where in rooms if all(room.startswith("titles/t18c2c/") for room in where)}
    assert len(own) > 50
    assert own | ONLY_18C2C == {row.key for row in ROWS}
