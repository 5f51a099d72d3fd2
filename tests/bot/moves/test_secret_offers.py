"""Offers that only their player may see, as the cards of a draft."""

import pytest

from bot.table.move_lines import eventful_lines, play_and_describe
from bot.table.moves.moves import TypedMove
from bot.table.moves.turn_buttons import offered_buttons
from bot.table.moves.why_not import why_not_text
from bot.web.position_as_json import position_fields
from engine import Game, NotYourTurn, OfferCursor, may_try_moves, preview
from engine.core.actions import Action
from engine.views import map_view, sale_view
from tests.titles.builders import new_game


def test_buttons_show_no_card() -> None:
    """Only one button, which opens the menu of the player on turn; nobody tries moves, and a preview tells nothing."""
    game = new_game(3, profile="18xx.games", title="1846")
    [button] = offered_buttons(game)
    assert (button.kind, button.opens_menu, button.move) == ("bid", True, None)
    assert not any(may_try_moves(game, player) for player, _ in game.players)
    offer = next(offer for offer in game.offers("c", "bid"))
    for ready in offer.suggest():
        assert preview(game, OfferCursor(offer, dict(ready.chosen))).lines == ()


def drafting(*taken: int) -> tuple[Game, list[Action]]:
    """A draft of three in which cards at these places of the hands were taken."""
    game, actions = new_game(3, profile="18xx.games", title="1846"), []
    for place in taken:
        [offer] = game.offers(game.actors()[0], "bid")
        actions.append(OfferCursor(offer, dict(offer.suggest()[place].chosen)).action())
        game.apply(actions[-1])
    return game, actions


def _cards(game: Game) -> dict[str, tuple[str, str]]:
    sale = sale_view(game)
    assert sale is not None
    return {lot.badge.company: (lot.state, lot.status) for column in sale.columns for lot in column}


def test_position_tells_nothing_of_the_deck() -> None:
    """Whatever was taken, and whatever lies on top; only the last private is seen by all."""
    first, second = drafting(0, 1)[0], drafting(4, 2)[0]
    second.table.auction.deck.reverse()
    assert position_fields(first, "a", map_view(first)) == position_fields(second, "a", map_view(second))
    assert _cards(first)["MSP"] == ("open", "draft: $140")
    first.table.auction.deck[:], first.table.auction.discounts["MSP"] = ["MSP"], 20
    last = Game.load(first.dump())
    assert (_cards(last)["MSP"], _cards(last)["MC"][0]) == (("now", "buy for $120"), "open")


def test_why_tells_no_hand_of_others() -> None:
    game, _ = drafting()
    on_turn, waiting = "c", "a"
    assert "MSP" in why_not_text(game, on_turn, TypedMove("bid"))
    with pytest.raises(NotYourTurn):
        why_not_text(game, waiting, TypedMove("bid"))


def test_draft_posts_a_line_a_round() -> None:
    game, posted = new_game(4, profile="18xx.games", title="1846"), []
    for _ in range(8):
        offer = game.offers()[0]
        taken = OfferCursor(offer, dict(offer.suggest()[0].chosen))
        posted.append(eventful_lines(play_and_describe(game, taken)[1]))
    rounds = [(f"Round {number} of the draft is over.",) for number in (1, 2)]
    assert posted == [(), (), (), rounds[0], (), (), (), rounds[1]]
