"""What a player can press in random positions: no two buttons or choices of one message read the same."""

from collections.abc import Iterator
from random import Random

import discord
import pytest

from bot.client.buttons import view_with_items
from bot.client.features.wizard import offer_menu
from bot.client.offer_menus_and_forms import step_screen
from bot.client.turn_panel import turn_panel
from bot.table.live import LiveGame
from bot.table.markdown import plain_teller
from bot.table.moves.lays import TILE_LAY_SLOTS
from bot.table.moves.menus import (
    ActingAs,
    AmountQuestion,
    MenuState,
    SlotQuestion,
    menu_step,
    picked_cursor,
    picks_of,
)
from bot.table.moves.moves import (
    KINDS_WITHOUT_BUTTON,
    RUN_TRAINS_KIND,
    OneClickMove,
    offer_key,
    one_click_moves,
)
from bot.table.moves.turn_buttons import PASS_KIND, offered_buttons, turn_ending_moves
from bot.table.orders.player_orders import quick_orders_of_turn
from engine.core.actions import Action
from engine.core.offers import Offer, OfferCursor, Routes
from engine.game import Game
from engine.titles import TITLES
from storage import GameRow, LogRow, Seat
from tests.support.long_runs import VARIED_TITLES, some_named
from tests.support.players.random_players import player_of

FAR, MOST = 500, 4_000
"""Actions of a game that are followed; in long runs the second number."""
EVERY, OFTEN = 0.15, 0.5
"""In how many positions everything is read, and how many of the offers are then walked through."""
NOW = "2026-01-01T00:00:00"


@pytest.mark.parametrize("title", some_named(VARIED_TITLES, TITLES))
def test_labels_of_a_message_differ(title: str, game_seed: int, whole_games: bool) -> None:
    """Turn messages, the menu of `/move`, and each question of its offers; passing has its button in all of them."""
    chance = Random(game_seed)
    spec = TITLES[title].spec
    seats = [
        (f"p{number}", f"Player {number}") for number in range(1, chance.choice(sorted(spec.players)) + 1)
    ]
    game = Game(title, seats, game_seed, chance.choice(tuple(spec.profiles)))
    player, last = player_of(title, game_seed), None
    while not game.is_over and game.seq < (MOST if whole_games else FAR):
        if chance.random() < EVERY:
            _check_messages(game, last, chance)
        last = player.choose(game)
        game.apply(last)


def check(what: str, view: discord.ui.View, passes: frozenset[str] = frozenset()) -> None:
    """Each label and each id is there once, and passing among them."""
    buttons = [item for item in view.children if isinstance(item, discord.ui.Button)]
    menus = [item for item in view.children if isinstance(item, discord.ui.Select)]
    options = [option for menu in menus for option in menu.options]
    labels = [*(button.label for button in buttons), *(option.label for option in options)]
    ids = [*(str(button.custom_id) for button in buttons), *(menu.custom_id for menu in menus)]
    values = [option.value for option in options]
    for shown in (labels, ids, values):
        assert len(set(shown)) == len(shown), (what, sorted(map(str, shown)))
    there = {one.rpartition(":")[2] for one in (*ids, *values)}
    assert passes <= there, (what, "passing has no button")


def _check_messages(game: Game, last: Action | None, chance: Random) -> None:
    offers = game.offers()
    if all(offer.kind != RUN_TRAINS_KIND for offer in offers):
        live = _live(game, last)
        passing = [offer for offer in offers if offer.kind == PASS_KIND and offer.blocking]
        passes = frozenset(
            quick.key
            for offer in passing
            for quick in turn_ending_moves(game, offer) or [OneClickMove("", offer.fill())]
        )
        check(
            "turn",
            turn_panel(live, offered_buttons(game), quick_orders_of_turn(live, is_sealing=False)),
            passes,
        )
    for player in game.actors():
        mine = [offer for offer in game.offers(player) if offer.kind not in KINDS_WITHOUT_BUTTON]
        ending = frozenset(offer_key(offer) for offer in mine if offer.kind == PASS_KIND)
        check(
            "move",
            view_with_items([offer_menu(1, game.seq, plain_teller(game), mine, ActingAs.SELF)]),
            ending,
        )
        for offer in mine:
            _every_confirmed_move_is_suggested(game, offer)
            # The choices of lays are numbered in their pictures, which take their time.
            if chance.random() < OFTEN and tuple(slot.name for slot in offer.slots) != TILE_LAY_SLOTS:
                _check_questions(game, offer, chance)


def _check_questions(game: Game, offer: Offer, chance: Random) -> None:
    picks: tuple[str, ...] = ()
    while (here := picked_cursor(game, offer, picks)).slot is not None and not isinstance(
        here.domain, Routes
    ):
        step = menu_step(game, offer, picks)
        assert isinstance(step, SlotQuestion | AmountQuestion)
        place = MenuState(1, game.seq, offer_key(offer), picks)
        check(f"{offer.kind} {step.slot}", step_screen(place, step).view)
        choices = step.choices if isinstance(step, SlotQuestion) else step.usual_amounts
        picks = (*picks_of(here), str(chance.choice(choices).value) or "none")


def _every_confirmed_move_is_suggested(game: Game, offer: Offer) -> None:
    """The question finds its move among those of one click."""
    if offer.confirm:
        suggested = {quick.key for quick in one_click_moves(plain_teller(game), offer)}
        assert {OneClickMove("", walk.action()).key for walk in _whole(OfferCursor(offer))} == suggested


def _whole(walk: OfferCursor) -> Iterator[OfferCursor]:
    if walk.slot is None:
        yield walk
        return
    for onward in walk.next_cursors():
        yield from _whole(onward)


def _live(game: Game, last: Action | None) -> LiveGame:
    """As much of a table as a turn message needs, with the last action in its log."""
    row = GameRow(1, 2, 3, 4, None, None, "", "", "", 0, "running", NOW, "")
    rows = [LogRow(1, 1, "start", "{}", "", "", None, NOW)]
    if last is not None:
        rows.append(LogRow(1, 2, "action", last.model_dump_json(), "", last.actor, 5, NOW))
    seats = (Seat(1, n, player, 10 + n, name) for n, (player, name) in enumerate(game.players, 1))
    return LiveGame(row, tuple(seats), game, len(rows), rows)
