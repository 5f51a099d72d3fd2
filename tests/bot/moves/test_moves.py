"""From typed values to actions, menus and autocomplete, all from the offers."""

from typing import Any

import pytest

from bot.table.errors import Refused
from bot.table.markdown import plain_teller, refusing_illegal_actions
from bot.table.moves.completions import MenuItem, domain_items, ranked_items, slot_items
from bot.table.moves.lays import LayChoices, picture_of_choices
from bot.table.moves.menus import menu_step
from bot.table.moves.moves import TypedMove
from bot.table.moves.slot_values import matching_value
from bot.table.moves.verbs import MOVE_COMMANDS, action_as_typed
from engine.core.actions import Action, Bid, BuyTrain
from engine.core.facts import fact
from engine.core.offers import Choice, Choices, IntRange, Offer, OfferCursor, Slot
from engine.game import Game
from engine.tell.view_builders import map_view
from engine.tell.views import LayView
from tests.bot.moves.test_menus import Offering, of_slots
from tests.bot.support.positions import recorded
from tests.titles.builders import Position, find

PLAYERS = (("p1", "Ann"), ("p2", "Bob"), ("p3", "Cy"))


@pytest.fixture
def game() -> Game:
    return Game("18chesapeake", PLAYERS, 5)


def typed(game: Game, player: str, kind: str, **given: str | int) -> Action:
    """The action a typed move means; raises Refused with the sentence users read."""
    with refusing_illegal_actions(game):
        return TypedMove(kind, given)(game, player).action()


def test_values_match_in_any_case(game: Game) -> None:
    bid = Bid(actor="p1", entity="p1", private="D&R", amount=20)
    assert typed(game, "p1", "bid", private="d&r", amount="20") == bid
    domain = Choices(
        [Choice("2", fact("choice.train", train="2")), Choice("", fact("choice.hand_in_nothing"))]
    )
    assert matching_value(game, domain, "2-TRAIN") == "2"
    assert matching_value(game, domain, "none") == ""
    assert matching_value(game, domain, "No trade-in") == ""
    assert matching_value(game, domain, "58") == "58"


@pytest.mark.parametrize(
    ("player", "kind", "given", "why"),
    [
        ("p1", "bid", {}, r"Which private\? Delaware and Raritan Canal, D&R"),
        ("p1", "bid", {"private": "CV"}, r"Which amount\? \$205"),
        ("p1", "bid", {"private": "CV", "amount": 203}, "Allowed"),
        ("p1", "bid", {"private": "XYZ", "amount": 5}, "Allowed"),
        ("p2", "bid", {"private": "D&R", "amount": 20}, "Ann"),
        ("p1", "lay_tile", {"hex": "D2", "tile": "57", "rotation": 0}, r"auction.*\(9\)"),
        ("p1", "lay_tile", {"hex": "nowhere", "rotation": "left"}, "auction"),
    ],
)
def test_typed_move_is_refused(
    game: Game, player: str, kind: str, given: dict[str, str | int], why: str
) -> None:
    with pytest.raises(Refused, match=why):
        typed(game, player, kind, **given)


def test_completions_are_ranked() -> None:
    found = [
        MenuItem("off", "off: of one"),
        MenuItem("x", "bon"),
        MenuItem("y", "the one"),
        MenuItem("once", "o"),
        MenuItem("on", "a"),
    ]
    assert [item.value for item in ranked_items(found, " On ")] == ["on", "once", "off", "y", "x"]
    assert ranked_items(found, "") == found


@pytest.mark.parametrize("step", [1, 5, 20])
@pytest.mark.parametrize(("low", "high"), [(0, 0), (0, 130), (1, 40), (7, 1211), (9990, 10130)])
def test_amounts_of_a_range_are_ranked(low: int, high: int, step: int) -> None:
    """As if all were listed, whatever is typed."""
    domains = [IntRange(low, high, step), IntRange(low + 1, high + 99, step)]
    table = Offering(*(of_slots("bid", ("amount", domain)) for domain in domains))
    listed = [item for domain in domains for item in domain_items(plain_teller(table), domain)]
    numbers = ["", *map(str, range(13)), "20", "99", "100", "205", "1005", "00", "05", "007", "9" * 5000]
    odd = [" 12 ", "$ 1", "1$", "$$", "-5", "²", "x", "1,000"]
    for text in (*numbers, *(f"${number}" for number in numbers), *odd):
        assert slot_items(table, "a", "bid", "amount", {}, text) == ranked_items(listed, text), text


def test_offer_without_choices_is_refused(game: Game) -> None:
    def nothing(_: Any) -> IntRange:
        return IntRange(5, 4)

    offer = Offer("bid", "p1", "p1", fact("offer.end_game"), (Slot("amount", nothing),))
    with pytest.raises(Refused, match="no legal amount"):
        menu_step(game, offer, [])


@pytest.mark.parametrize("source", ["pool", "Market", "bank pool"])
def test_market_of_trains_is_the_pool(source: str) -> None:
    position = Position().phase("3").start("LV", 95, a=60).trains("LV", "2").pool("4")
    table = position.tile("J2", "57", 1).treasury("LV", 600).operating("LV", "trains").game()
    buys = typed(table, "a", "buy_train", train="4", source=source)
    assert buys == BuyTrain(actor="a", entity="LV", train="4", source="pool", trade_in="", price=300)


def test_moves_written_as_commands() -> None:
    record = recorded("18tn-bankruptcy-3p")
    game, written = record.initial_game(), set()
    for action in record.actions:
        name, _, rest = action_as_typed(action).partition(" ")
        written.add(name)
        if action.kind not in ("run_routes", "buy_train", "declare_bankruptcy"):
            move = TypedMove(MOVE_COMMANDS[name].kind, MOVE_COMMANDS[name].split_values(rest), action.entity)
            assert move(game, action.actor).action() == action
        game.apply(action)
    assert {"bid", "pass", "par", "buy", "sell", "lay", "token", "run", "pay", "withhold"} <= written


def test_labels_of_tiles() -> None:
    """Where it brings nothing, costs nothing and never runs out, nothing is said of that."""
    position = Position().start("PRR", 80, a=60).operating("PRR").game()
    board, hexes = map_view(position), map_view(position).hexes
    lays = [LayView("57", 1, hexes[0], "SW-NE", 3, 40, (100, 140)), LayView("9", 0, hexes[0], "N-S", None, 0)]
    labels = [choice.label for choice in LayChoices(board, tuple(lays), page=0, page_count=1).choices()]
    assert labels == ["1 · #57 SW-NE, 3 left, $40, best run $100 → $140", "2 · #9 N-S"]


def test_best_run_with_each_tile(monkeypatch: pytest.MonkeyPatch) -> None:
    """18Chesapeake: the C&O reaches the next city by one of the ways to lay its home; no time passes here."""
    monkeypatch.setattr("bot.table.moves.lays.monotonic", lambda: 0.0)
    game = Position().start("C&O", 80, a=60).trains("C&O", "2").operating("C&O").game()
    shown = picture_of_choices(game, OfferCursor(find(game, "lay_tile")).pick("G13"), 0)
    assert isinstance(shown, LayChoices)
    assert [(lay.tile, lay.rotation, lay.revenue_change) for lay in shown.lays if lay.revenue_change] == [
        ("57", 2, (0, 50))
    ]
