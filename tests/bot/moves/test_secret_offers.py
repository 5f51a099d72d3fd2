"""Offers that only their player may see, as the cards of a draft."""

from bot.table.move_lines import eventful_lines, play_and_describe
from bot.table.moves.turn_buttons import offered_buttons
from engine import Cursor, may_try, preview
from tests.titles.builders import new_game


def test_buttons_show_no_card() -> None:
    """Only one button, which opens the menu of the player on turn; nobody tries moves, and a preview tells nothing."""
    game = new_game(3, profile="18xx.games", title="1846")
    [button] = offered_buttons(game)
    assert (button.kind, button.opens_menu, button.move) == ("bid", True, None)
    assert not any(may_try(game, player) for player, _ in game.players)
    offer = next(offer for offer in game.offers("c", "bid"))
    for ready in offer.suggest():
        assert preview(game, Cursor(offer, dict(ready.chosen))).lines == ()


def test_draft_posts_a_line_a_round() -> None:
    game, posted = new_game(4, profile="18xx.games", title="1846"), []
    for _ in range(8):
        offer = game.offers()[0]
        taken = Cursor(offer, dict(offer.suggest()[0].chosen))
        posted.append(eventful_lines(play_and_describe(game, taken)[1]))
    rounds = [(f"Round {number} of the draft is over.",) for number in (1, 2)]
    assert posted == [(), (), (), rounds[0], (), (), (), rounds[1]]
