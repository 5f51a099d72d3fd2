"""An offer between players is shown in full: what everybody has before and after comes true when it is agreed to."""

from collections.abc import Iterator
from functools import cache

import pytest

from engine.core.actions import Action, Answer
from engine.game import Game
from engine.play.steps.base import Request
from engine.record import Record
from engine.tell.view_builders import proposed_deal_view
from engine.tell.views import ProposedDealView
from tests.golden.positions import golden

GAMES = ("18tn-bank-3p", "18tn-bankruptcy-3p", "18al-bankruptcy-3p")


def offers(name: str) -> Iterator[tuple[ProposedDealView, Game, Action]]:
    """Every offer of a recorded game, the game while it waits, and what was done about it."""
    return ((view, Game.load(saved), action) for view, saved, action in _offers(name))


@cache
def _offers(name: str) -> tuple[tuple[ProposedDealView, str, Action], ...]:
    return tuple(_made(golden(name)))


def _made(record: Record) -> Iterator[tuple[ProposedDealView, str, Action]]:
    game = record.initial_game()
    for action in record.actions:
        view = proposed_deal_view(game)
        assert (view is None) == (game.proposal is None)
        if view is not None:
            yield view, game.dump(), action
        game.apply_cursor(game.cursor_for(Request.of_action(action)))


@pytest.mark.parametrize("name", GAMES)
def test_offer_view_comes_true(name: str) -> None:
    seen = 0
    for view, game, action in offers(name):
        if not isinstance(action, Answer) or action.reply != "agree":
            continue
        before = {seat.name: seat.cash for seat in game.table.state.players}
        copy = Game.load(game.dump())
        copy.apply_cursor(copy.cursor_for(Request.of_action(action)))
        after = {seat.name: seat.cash for seat in copy.table.state.players}
        changes = {party.name: party.changes for party in view.parties}
        for player in before:
            change = f"cash ${before[player]} → ${after[player]}"
            assert (change in changes.get(player, ())) == (before[player] != after[player]), (view, action)
        seen += 1
    assert seen


def test_offer_sentence() -> None:
    """It changes nothing."""
    said = {view.deal_text for name in GAMES for view, _, _ in _offers(name)}
    assert "Ann pays Cy $89 for Memphis & Charleston Railroad, MCR $70" in said
    assert any(" pays " in what and "-train" in what and "(" in what for what in said), said
    for _, game, _ in offers("18tn-bankruptcy-3p"):
        digest = game.digest()
        proposed_deal_view(game)
        assert game.digest() == digest
