"""The preview of a move says what happens when it is made."""

import pytest

from engine.play.steps.base import Request
from engine.tell.move_preview import funds_fact, preview
from engine.tell.teller import teller_of
from tests.golden.positions import golden
from tests.support.long_runs import one_of

SAID = {
    "18chesapeake-bankruptcy-3p": {
        "Bid $55 on B&S: free cash $800 → $745",
        "Start SRR at $80: cash $385 → $225",
        "Buy 10% of PLE from the IPO, $80: cash $690 → $610",
        "Lay #X4 in H6, track SW-NW-N-NE, $40: treasury $86 → $46",
        "Buy a D-train from the bank for $700, trading in a 4-train: treasury $1072 → $372",
        "Pay out $12 a share, price $105 → $115: treasury $528 → $564, cash $210 → $234",
        "Buy C&OC for $40: treasury $913 → $873, cash $204 → $244",
        "Token in J4 Philadelphia city 2, $40: treasury $493 → $453",
    },
    "18al-bankruptcy-3p": {
        "Ask Bob: Sell BLC to Bob for $1",
        "Sell 2 ABC at $105, price $105 → $80: cash $35 → $245",
        "Buy a 4-train from the bank for $300: treasury $1 → $0, cash $302 → $3",
        "Place the Warrior Coal Field token: H5 Oxmoor, +$10",
        "Discard a train of WRA: 3-train",
    },
    "18tn-bankruptcy-3p": {"Run for $120", "Declare bankruptcy: cash $179 → $0"},
}
"""Recorded games, and what some of their moves say of themselves beforehand."""
OFTEN = 4
"""At one move of this many the whole position is compared."""


@pytest.mark.parametrize("name", one_of(len(SAID), SAID, str))
def test_previews_of_a_game_come_true(name: str) -> None:
    """On a copy: the game itself stays as it was, and what happens first is what was tried."""
    record = golden(name)
    game, said = record.initial_game(), set()
    for action in record.actions:
        walk, before = (
            game.cursor_for(Request.of_action(action)),
            game.digest() if game.seq % OFTEN == 0 else "",
        )
        tried, shown = game.table_after(walk), preview(game, walk)
        assert not before or game.digest() == before
        assert shown.full_text.startswith(shown.summary)
        said.add(shown.full_text)
        happened = game.apply_cursor(walk)
        assert list(happened[: len(tried.events)]) == tried.events, action
    assert SAID[name] - said == set()


def test_lay_shows_the_best_run() -> None:
    record = golden("18tn-bankruptcy-3p")
    game, worth = record.initial_game(), []
    for action in record.actions:
        walk = game.cursor_for(Request.of_action(action))
        if action.kind == "lay_tile":
            before = game.best_run().revenue
            worth.append((before, preview(game, walk).lines[1:]))
        game.apply_cursor(walk)
    changed = [(before, line) for before, lines in worth for line in lines if line.startswith("Best run")]
    assert 0 < len(changed) < len(worth)
    assert all(line.startswith(f"Best run ${before} → ") for before, line in changed)


def test_money_at_hand() -> None:
    record = golden("18tn-bankruptcy-3p")
    game, said = record.initial_game(), set()
    for action in record.actions:
        said |= {teller_of(game).say(funds_fact(game, offer)) for offer in game.offers()}
        game.apply_cursor(game.cursor_for(Request.of_action(action)))
    players = {player.id: game.name(player.id) for player in game.table.state.players}
    ann, *_ = players.values()
    assert any(
        " of it is not tied up in bids" in sentence and sentence.startswith(f"{ann} has $")
        for sentence in said
    )
    assert any(" has $" in sentence and f", {ann} $" in sentence for sentence in said)
    assert any(sentence.split(" has $")[0] == ann and "," not in sentence for sentence in said)
