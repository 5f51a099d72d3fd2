"""Games that were played when some steps asked less: their moves lead to the same end by today's rules."""

from pathlib import Path

import pytest

from engine.core.actions import BuyTrain
from engine.core.errors import IllegalAction
from engine.interchange.old_exports import OldRulesReplay
from engine.record import load_game, load_record, read_record, write_record

GAMES = sorted((Path(__file__).parent / "format_1").glob("*.json"))
MENDED = Path(__file__).parent / "format_1" / "18chesapeake-bank-3p.json"
"""In it a president sells shares, is refused, and buys another company's train for $1: no longer legal."""


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
def test_first_form_comes_to_the_same_end(path: Path) -> None:
    """By the same rules: its digest is today's, and is compared from then on."""
    written = read_record(path.read_text("utf-8"))
    game = written.play()
    assert game.is_over
    assert game.scores() == written.scores
    now = load_record(path.read_text("utf-8"))
    again = read_record(write_record(now))
    assert again == now
    assert again.play().digest() == now.digest
    assert again.actions == written.actions


def test_first_form_keeps_its_numbers() -> None:
    """Passes that are added count for nothing."""
    text = GAMES[0].read_text("utf-8")
    assert load_game(text, 50).digest() != load_game(text, 51).digest()
    assert len(read_record(text).actions) < load_game(text).seq


def test_moves_of_earlier_rules() -> None:
    """It was legal when it was made and stays done; but passing goes only as far as a turn that somebody has
    begun."""
    written = read_record(MENDED.read_text("utf-8"))
    game = written.initial_game()
    moves = OldRulesReplay(game)
    refused = []
    for action in written.actions:
        before = game.seq
        try:
            game.apply(action)
        except IllegalAction:
            moves.apply(action)
            refused += [action] if game.seq == before + 1 else []
    assert any(isinstance(action, BuyTrain) for action in refused)
    written = read_record(GAMES[0].read_text("utf-8"))
    game = written.initial_game()
    with pytest.raises(IllegalAction):
        OldRulesReplay(game).apply(written.actions[-1])
    assert game.seq == 0
