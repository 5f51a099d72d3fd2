"""Offers asked for by kind: only steps that take the kind are asked, and none is missed."""

from pathlib import Path

import pytest

from engine.record import read_record

GAMES = sorted(Path(__file__).parent.glob("*.json"))
EVERY = 9
"""A position of this many is looked at."""


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
def test_offers_by_kind(path: Path) -> None:
    record = read_record(path.read_text("utf-8"))
    game = record.initial_game()
    for number, action in enumerate(record.actions[:900]):
        if number % EVERY == 0:
            alone = {kind: game.offers(kind=kind) for kind in ("pass", action.kind, "end_game")}
            for kind, offers in alone.items():
                assert offers == tuple(offer for offer in game.offers() if offer.kind == kind)
        game.apply(action)
