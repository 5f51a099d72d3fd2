"""What is offered becomes buttons, menus by pages, and forms; what is typed or picked becomes a value."""

import re

import pytest

from bot.client.buttons import MOVE_KEY_PATTERN
from bot.table.errors import Refused
from bot.table.markdown import markdown_teller
from bot.table.moves.lays import PAGE_SIZE
from bot.table.moves.menus import (
    SlotQuestion,
    menu_step,
    menu_step_of,
    offer_of,
    usual_amounts,
)
from bot.table.moves.moves import (
    TypedMove,
    offer_key,
)
from bot.table.moves.slot_values import (
    canonical_id,
    filled_cursor,
    offers_of,
    parsed_value,
    routes_of_typed_number,
    suggested_runs,
)
from bot.table.moves.turn_buttons import MAX_FORM_BUTTONS, offered_buttons
from engine.core.errors import IllegalAction
from engine.core.facts import fact
from engine.core.offers import Choice, Choices, Domain, IntRange, Offer, Routes, Slot, Suggestion
from engine.game import Game
from tests.titles.builders import Position, new_game
from tests.titles.t1882.assiniboia import Assiniboia


@pytest.fixture
def game() -> Game:
    return new_game()


def of_slots(kind: str, *domains: tuple[str, Domain], actor: str = "a", entity: str = "a") -> Offer:
    """An offer whose slots have these legal values, whatever was picked before."""
    slots = tuple(Slot(name, lambda _, domain=domain: domain) for name, domain in domains)  # type: ignore[misc]
    return Offer(kind, actor, entity, fact("offer.end_game"), slots)


class Offering(Game):
    """A game in which exactly these offers are there."""

    def __init__(self, *offers: Offer) -> None:
        super().__init__("18chesapeake", (("a", "Ann"), ("b", "Bob"), ("c", "Cleo")), 0)
        self.there = offers

    def offers(self, player: str | None = None, kind: str | None = None) -> tuple[Offer, ...]:
        return tuple(one for one in self.there if player in (None, one.actor) and kind in (None, one.kind))

    def actors(self) -> tuple[str, ...]:
        return ("a",)


def among(*values: str) -> Choices:
    return Choices([Choice(value) for value in values])


def many(number: int) -> Choices:
    return among(*(f"X{n}" for n in range(number)))


# --- amounts ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("domain", "buttons"),
    [
        (IntRange(5, 20, 5), [5, 20]),
        (IntRange(5, 23, 5), [5, 20]),
        (IntRange(7, 20, 5), [7, 17]),
        (IntRange(7, 7), [7]),
        (IntRange(5, 20, face_value=10), [5, 10, 20]),
        (IntRange(5, 20, face_value=5), [5, 20]),
        (IntRange(5, 23, 5, face_value=20), [5, 20]),
        (IntRange(5, 20, face_value=100), [5, 20]),
    ],
)
def test_amounts_with_buttons(domain: IntRange, buttons: list[int]) -> None:
    assert [item.value for item in usual_amounts(domain, "$")] == buttons


# --- pages -----------------------------------------------------------------------------------------------------------


def page_of(game: Game, number: int, page: int) -> SlotQuestion:
    """One page of a question with this many choices."""
    step = menu_step(game, of_slots("buy_share", ("company", many(number)), ("source", many(2))), [], page)
    assert isinstance(step, SlotQuestion)
    return step


def test_pages_of_25_choices(game: Game) -> None:
    assert [
        (len(one.choices), one.has_more)
        for one in (page_of(game, PAGE_SIZE, 0), page_of(game, PAGE_SIZE + 1, 0))
    ] == [
        (PAGE_SIZE, False),
        (PAGE_SIZE, True),
    ]
    last = page_of(game, 2 * PAGE_SIZE + 3, 2)
    assert [item.value for item in last.choices] == ["X50", "X51", "X52"]
    assert (last.page, last.has_more) == (2, False)
    second = page_of(game, 2 * PAGE_SIZE + 3, 1)
    assert (second.choices[0].value, len(second.choices), second.has_more) == ("X25", PAGE_SIZE, True)


# --- picks -----------------------------------------------------------------------------------------------------------


def test_menu_of_a_gone_offer(game: Game) -> None:
    offer = game.offers()[0]
    assert offer_of(game, offer_key(offer)) == offer
    keys = [offer_key(offer), *(entry.key for entry in offered_buttons(game))]
    assert all(re.fullmatch(f"{MOVE_KEY_PATTERN}([.].+)?", key) for key in keys), "as the buttons read them"
    for ask in (lambda: offer_of(game, "00000000"), lambda: menu_step_of(game, "00000000", [], 0)):
        with pytest.raises(Refused, match="no longer possible"):
            ask()


# --- what is typed ---------------------------------------------------------------------------------------------------


def test_values_are_read_by_their_slot(game: Game) -> None:
    assert parsed_value(game, "bid", "amount", " 20 ") == 20
    assert parsed_value(game, "bid", "amount", "-5") == -5
    assert parsed_value(game, "bid", "amount", "twenty") == "twenty"
    assert parsed_value(game, "bid", "amount", "9" * 16) == "9" * 16
    assert parsed_value(game, "bid", "private", " d&r ") == "D&R"
    assert parsed_value(game, "lay_tile", "tile", "57") == "57"
    assert [canonical_id(game, text) for text in ("prr", "2", "d2", "nowhere")] == [
        "PRR",
        "2",
        "D2",
        "nowhere",
    ]


def test_whole_offer_is_meant() -> None:
    unfit = of_slots("buy_share", ("company", among("B&O")))
    whole = of_slots("buy_share", ("company", among("PRR")))
    half, other = (
        of_slots("buy_share", ("company", among("PRR")), ("source", among(one, "market")))
        for one in ("offering", "treasury")
    )
    typed = TypedMove("buy_share", {"company": "PRR"})
    for offers, meant in (
        ((unfit, half, whole), whole),
        ((unfit, whole), whole),
        ((half, unfit), half),
        ((half, other), half),
        ((other, half), other),
    ):
        assert typed.partial_cursor(Offering(*offers), "a").offer is meant
    with pytest.raises(Refused, match="Which seller"):
        typed(Offering(half, other), "a")


def test_refusal_names_the_company(game: Game) -> None:
    for entity in (None, "prr"):
        with pytest.raises(Exception, match="auction"):
            TypedMove("lay_tile", {"hex": "D2"}, entity)(game, "a")
    place = Position().phase("3").start("LV", 95, a=60).start("PRR", 80, b=60).operating("LV").game()
    for entity, why in (("prr", "It is LV's turn, not PRR's"), ("lv", "comes later in this turn of LV")):
        with pytest.raises(IllegalAction) as refused:
            TypedMove("buy_train", {}, entity)(place, "a")
        assert why in markdown_teller(place).refusal(refused.value).replace("*", "")


def test_token_of_two_companies_is_asked_for() -> None:
    """1882 R-1882-035: where the own and the neutral token fit."""
    built = Assiniboia().start("HBR", 100, a=60).tile("G11", "57", 1).tile("H10", "9", 1).tile("I9", "9", 1)
    game = built.tile("J8", "57", 1).operating("HBR", "token").game()
    with pytest.raises(Refused, match=r"`private:HBR` .* or `private:CN`"):
        TypedMove("place_token", {"hex": "J8"})(game, "a")
    for entity in ("HBR", "CN"):
        assert TypedMove("place_token", {"hex": "J8"}, entity)(game, "a").action().entity == entity


# --- runs ------------------------------------------------------------------------------------------------------------


def runs(number: int) -> Routes:
    """As many runs as it says; the routes of each are its number."""
    ready = [Suggestion(fact("offer.pass"), {"routes": (f"run {n}",)}) for n in range(1, number + 1)]
    return Routes(("2",), lambda _: None, lambda: ready)


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        *(("1", ("run 1",)), ("3", ("run 3",)), ("4", None), ("0", None), ("12", None)),
        *(("01", None), ("²", None), ("٣", None), ("x", None), ("", None)),
    ],
)
def test_run_by_its_number(text: str, meant: tuple[str, ...] | None) -> None:
    assert routes_of_typed_number(runs(3), text) == meant
    assert routes_of_typed_number(runs(0), text) is None


def test_run_as_typed() -> None:
    place = (
        Position().start("LV", 95, a=60).trains("LV", "2").tile("J2", "57", 1).operating("LV", "run").game()
    )
    [offer] = offers_of(place, "a", "run_routes")
    best = suggested_runs(offer)[0].chosen["routes"]
    assert best != ()
    for text, meant in ((None, best), (" 1 ", best), (";".join(best), best), ("none", ())):
        assert filled_cursor(place, offer, {"routes": text}).chosen == {"routes": meant}


# --- buttons ---------------------------------------------------------------------------------------------------------


def bids(number: int) -> Offer:
    return of_slots("bid", ("private", many(number)), ("amount", IntRange(5, 50, 5)))


def test_forms_for_bids() -> None:
    def buttons(number: int) -> list[tuple[str, bool]]:
        bid = of_slots("bid", ("private", many(number)), ("amount", IntRange(5, 50, 5)))
        return [(entry.picked_private, entry.opens_menu) for entry in offered_buttons(Offering(bid))]

    assert buttons(MAX_FORM_BUTTONS) == [(f"X{number}", True) for number in range(MAX_FORM_BUTTONS)]
    assert buttons(MAX_FORM_BUTTONS + 1) == [("", True)], "a menu"


@pytest.mark.parametrize(
    ("step", "money", "private", "labels"),
    [
        ("track", 0, None, ["Done with track"]),
        ("track", 500, None, ["Done with track", "End the turn"]),
        ("trains", 500, None, ["Done with trains"]),
        # The private may be bought now, and would be after the trains.
        ("trains", 500, "D&R", ["End the turn"]),
    ],
)
def test_buttons_of_a_pass(step: str, money: int, private: str | None, labels: list[str]) -> None:
    place = Position().phase("3").start("LV", 95, a=60).trains("LV", "2").treasury("LV", money)
    game = (place.owns("b", private) if private else place).operating("LV", step).game()
    assert [entry.label for entry in offered_buttons(game) if entry.kind == "pass"] == labels
