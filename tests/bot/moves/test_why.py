"""`/why`: the referee's reason for a move with whatever was typed of it."""

import random
import re

import pytest

from bot.table.errors import Refused
from bot.table.markdown import refusing_illegal_actions
from bot.table.moves.completions import slot_items
from bot.table.moves.moves import TypedMove
from bot.table.moves.verbs import MOVE_COMMANDS, SLOTS_BY_ACTION_KIND
from bot.table.moves.why_not import why_not_text
from engine.core.state import Auction, Draft, Merger, Operating, Stock
from engine.game import Game
from tests.bot.support.positions import recorded
from tests.support.long_runs import one_of
from tests.titles.builders import Position

EVERY = 10
"""One of this many positions of a game is asked about."""
OFTEN, SELDOM = 7, 70
"""One of this many positions is asked about off turn: in long runs, and otherwise."""
SOURCES = ["bank", "pool", "offering", "market"]
TYPED = ("18al-bankruptcy-3p", "18chesapeake-bankruptcy-3p", "18tn-bankruptcy-3p")
NONSENSE = ["none", "-1", "0", "57", "200", "X", "p2", "A1-B2", "agree"]


def why(game: Game, player: str, verb: str, details: str = "") -> str:
    try:
        with refusing_illegal_actions(game):
            TypedMove(MOVE_COMMANDS[verb].kind, MOVE_COMMANDS[verb].split_values(details)).partial_cursor(
                game, player
            )
    except Refused as refused:
        return str(refused)
    return ""


@pytest.mark.parametrize("typed", ["LV", "lv", "LV offering"])
@pytest.mark.parametrize("other", [True, False])
def test_limit_of_a_company_is_named(typed: str, other: bool) -> None:
    position = Position().start("LV", 95, a=60)
    game = (position.start("PRR", 80, b=60) if other else position).game()
    assert "60%" in why(game, "a", "buy", typed)


def test_move_is_possible_or_refused() -> None:
    position = Position().start("LV", 95, a=60)
    at_track, buying = position.operating("LV", "track").game(), Position().start("LV", 95, a=60).game()
    both = Position().start("LV", 95, a=60).start("PRR", 80, b=60).game()
    for game, player, typed, reason in (
        (both, "a", "buy", None),
        (both, "a", "buy PRR", None),
        (both, "a", "pass", None),
        (buying, "a", "sell XYZ 1", "Allowed: LV"),
        (buying, "a", "sell lv 9", "Allowed"),
        (buying, "a", "sell lv left", "left is not a legal number of shares here"),
        (at_track, "a", "buy-train 2", "later"),
        (at_track, "a", "pay", "LV"),
        (at_track, "b", "lay H4 57", "Ann"),
    ):
        verb, _, details = typed.partition(" ")
        said = why(game, player, verb, details)
        assert (said == "") if reason is None else (reason in said), typed


def planned(game: Game, player: str, verb: str, details: str = "") -> str:
    try:
        with refusing_illegal_actions(game):
            return why_not_text(
                game, player, TypedMove(MOVE_COMMANDS[verb].kind, MOVE_COMMANDS[verb].split_values(details))
            )
    except Refused as refused:
        return str(refused)


def test_purchase_off_turn() -> None:
    game = Position().start("LV", 95, a=60).start("PRR", 80, b=60).game()
    assert planned(game, "a", "buy", "PRR").startswith("This is possible now.")
    assert planned(game, "b", "buy", "LV offering") == "This would be possible on your turn."
    assert planned(game, "b", "buy", "PRR").startswith("On your turn this would be refused: ")
    assert "60%" in planned(game, "b", "buy", "PRR")
    assert game.actors() == ("a",)


def test_lay_off_turn() -> None:
    game = Position().start("LV", 95, a=60).start("PRR", 80, b=60).operating("LV", "track").game()
    assert planned(game, "b", "lay").startswith("This would be possible on your turn. Which rotation? ")
    assert planned(game, "b", "lay", "H4 57").startswith("On your turn this would be refused: ")
    assert planned(game, "b", "buy-train", "2").startswith("This would be possible on your turn")
    assert "must act" in planned(game, "c", "lay", "H4 57"), "without a company there is no such turn"


def test_bid_off_turn() -> None:
    game = Game("18chesapeake", [("a", "Ann"), ("b", "Bob"), ("c", "Cy")], 3)
    waiting = next(player for player, _ in game.players if player not in game.actors())
    assert planned(game, waiting, "bid").startswith("This would be possible on your turn. Which private?")


@pytest.mark.parametrize(
    ("name", "rounds"),
    [
        ("18chesapeake-bankruptcy-3p", {Auction, Stock, Operating}),
        ("18newengland-bank-3p", {Draft, Stock, Operating, Merger}),
    ],
)
def test_every_round_off_turn(name: str, rounds: set[type], whole_games: bool) -> None:
    """Draft, auction, stock, operating and merger rounds of a recorded game, every few positions of it."""
    written = recorded(name)
    game = Game(written.title, written.players, written.seed, written.profile, written.options)
    handed = set()
    for number, action in enumerate(written.actions):
        if number % (OFTEN if whole_games else SELDOM) == 0:
            stood = game.digest()
            for player, _ in game.players:
                for kind in ("buy_share", "lay_tile", "buy_train", "merge", "bid"):
                    there = game.copy_with_turn_of(player, kind)
                    if there is not None:
                        assert player in there.actors()
                        handed.add(type(game.table.state.round))
            assert game.digest() == stood
        game.apply(action)
    assert handed == rounds


@pytest.mark.parametrize("name", one_of(len(TYPED), TYPED, str))
def test_anything_typed_gets_a_sentence(name: str) -> None:
    """Every verb with values of any kind, in every few positions of a game: an answer, and lists of what may follow."""
    chance = random.Random(name)
    written = recorded(name)
    game = Game(written.title, written.players, written.seed, written.profile, written.options)
    for number, action in enumerate(written.actions):
        if number % EVERY == 0:
            for verb in MOVE_COMMANDS:
                _ask(game, verb, chance)
        game.apply(action)


def _ask(game: Game, verb: str, chance: random.Random) -> None:
    player, _ = chance.choice(game.players)
    kind, details = MOVE_COMMANDS[verb].kind, " ".join(chance.choices(_values(game), k=chance.randrange(5)))
    assert not re.search(r"[a-z]\.[a-z_]+\(", why(game, player, verb, details)), "a fact without words"
    for slot in SLOTS_BY_ACTION_KIND[kind]:
        slot_items(game, player, kind, slot, MOVE_COMMANDS[verb].split_values(details), "")


def _values(game: Game) -> list[str]:
    spec = game.rules.spec
    trains = [train.name for train in spec.trains]
    return [*spec.companies, *spec.privates, *trains, *spec.map.hexes, *SOURCES, *NONSENSE]
