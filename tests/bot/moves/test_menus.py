"""What is offered becomes buttons, menus by pages, and forms; what is typed or picked becomes a value."""

import re
from collections.abc import Sequence

import pytest

from bot.client.buttons import KEY_PATTERN
from bot.table.errors import Refused
from bot.table.markdown import markdown_teller
from bot.table.moves.completions import slot_items
from bot.table.moves.lays import PAGE_SIZE, HexChoices, LayChoices
from bot.table.moves.menus import (
    ReadyMove,
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
    numbered_routes,
    offers_of,
    parsed_value,
    suggested_runs,
)
from bot.table.moves.turn_buttons import MAX_FORM_BUTTONS, TurnButton, offered_buttons
from engine.core.errors import IllegalAction
from engine.core.facts import fact
from engine.core.offers import Choice, Choices, Domain, IntRange, Offer, Routes, Slot, Suggestion
from engine.game import Game
from tests.titles.builders import Position, find, new_game
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

    def __init__(self, *offers: Offer, actors: Sequence[str] = ("a",)) -> None:
        super().__init__("18chesapeake", (("a", "Ann"), ("b", "Bob"), ("c", "Cleo")), 0)
        self.there, self.acting = offers, tuple(actors)

    def offers(self, player: str | None = None, kind: str | None = None) -> tuple[Offer, ...]:
        return tuple(one for one in self.there if player in (None, one.actor) and kind in (None, one.kind))

    def actors(self) -> tuple[str, ...]:
        return self.acting


def buttons_of(*offers: Offer, actors: Sequence[str] = ("a",)) -> tuple[TurnButton, ...]:
    return offered_buttons(Offering(*offers, actors=actors))


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
        (IntRange(5, 20, face=10), [5, 10, 20]),
        (IntRange(5, 20, face=5), [5, 20]),
        (IntRange(5, 23, 5, face=20), [5, 20]),
        (IntRange(5, 20, face=100), [5, 20]),
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


def test_page_that_is_gone(game: Game) -> None:
    with pytest.raises(Refused):
        page_of(game, 3, 1)


def test_hexes_for_track_are_sketched() -> None:
    position = Position().start("PRR", 80, a=60).tile("F2", "57", 1).operating("PRR").game()
    lay = find(position, "lay_tile")
    first = menu_step(position, lay, [])
    assert isinstance(first, SlotQuestion)
    assert isinstance(first.sketch, HexChoices)
    assert (first.sketch.page, first.sketch.page_count, first.has_more) == (0, 1, False)
    assert [item.value for item in first.choices] == [*first.sketch.hexes]
    with pytest.raises(Refused):
        menu_step(position, lay, [], page=1)
    tiles = menu_step(position, lay, [str(first.choices[0].value)])
    assert isinstance(tiles, SlotQuestion)
    assert isinstance(tiles.sketch, LayChoices)
    assert (tiles.sketch.page, tiles.sketch.page_count, tiles.has_more) == (0, 1, False)
    tile, rotation = str(tiles.choices[0].value).split(",")
    whole = menu_step(position, lay, [str(first.choices[0].value), tile, rotation])
    assert isinstance(whole, ReadyMove)
    assert isinstance(whole.sketch, LayChoices)
    assert (whole.sketch.page, whole.sketch.page_count) == (0, 1)
    assert [(one.tile, str(one.rotation)) for one in whole.sketch.lays] == [(tile, rotation)]


# --- picks -----------------------------------------------------------------------------------------------------------


def test_menu_of_a_gone_offer(game: Game) -> None:
    offer = game.offers()[0]
    assert offer_of(game, offer_key(offer)) == offer
    keys = [offer_key(offer), *(entry.key for entry in offered_buttons(game))]
    assert all(re.fullmatch(f"{KEY_PATTERN}([.].+)?", key) for key in keys), "as the buttons read them"
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


def test_first_offer_says_why_not() -> None:
    table = Offering(*(of_slots("buy_share", ("company", among(company))) for company in ("B&O", "LV")))
    with pytest.raises(IllegalAction) as refused:
        TypedMove("buy_share", {"company": "PRR"}).partial_cursor(table, "a")
    said = markdown_teller(table).refusal(refused.value)
    assert ("B&O" in said, "LV" in said) == (True, False)


def test_completions_of_several_offers() -> None:
    rows = (("PRR", "offering"), ("B&O", "market"), ("PRR", "market"))
    table = Offering(*(of_slots("buy_share", ("company", among(a)), ("source", among(b))) for a, b in rows))
    for company, sources in (("PRR", ["offering", "market"]), ("B&O", ["market"]), ("LV", [])):
        found = slot_items(table, "a", "buy_share", "source", {"company": company}, "")
        assert [item.value for item in found] == sources


def test_offers_of_a_company() -> None:
    rows = (("merge", "PRR"), ("merge", "B&O"), ("pass", "PRR"))
    offers = [of_slots(kind, entity=entity) for kind, entity in rows]
    table = Offering(*offers)
    assert offers_of(table, "a", "merge") == offers[:2]
    assert offers_of(table, "a", "merge", "prr") == offers[:1]
    assert offers_of(table, "a", "merge", "LV") == offers_of(table, "b", "merge") == []


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
    assert numbered_routes(runs(3), text) == meant
    assert numbered_routes(runs(0), text) is None


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
    few = buttons_of(bids(MAX_FORM_BUTTONS))
    assert [entry.form_pick for entry in few] == [f"X{number}" for number in range(MAX_FORM_BUTTONS)]
    assert all(entry.opens_menu for entry in few)
    assert few[0].label == f"X0: another {few[0].label.removeprefix('X0: another ')}"
    assert few[0].label[14:] == few[0].label[14:].lower()
    (menu,) = buttons_of(bids(MAX_FORM_BUTTONS + 1))
    assert (menu.form_pick, menu.opens_menu) == ("", True)
    assert menu.label.endswith(" …")


def test_one_amount_needs_no_form() -> None:
    fixed = of_slots("bid", ("private", many(2)), ("amount", IntRange(5, 5)))
    (menu,) = buttons_of(fixed)
    assert (menu.opens_menu, menu.form_pick) == (True, "")
    chosen = of_slots("bid", ("private", many(2)), ("source", many(2)))
    assert [entry.form_pick for entry in buttons_of(chosen)] == [""]
    (other,) = buttons_of(of_slots("buy_private", *((s.name, s.domain({})) for s in bids(2).slots)))
    assert (other.opens_menu, other.form_pick) == (True, ""), "only a bid has forms"


def test_only_answers_have_buttons() -> None:
    answer = of_slots("answer", ("reply", among("agree", "refuse")))
    assert buttons_of(answer, of_slots("pass")) == ()
    assert len(buttons_of(of_slots("pass"))) == 1


def test_button_says_whose_it_is() -> None:
    own, other = of_slots("pass"), of_slots("pass", actor="b", entity="b")
    (alone,) = buttons_of(own)
    assert not alone.label.startswith("Ann")
    both = buttons_of(own, other, actors=("a", "b"))
    assert [entry.label.split(":")[0] for entry in both] == ["Ann", "Bob"]
    assert both[0].move is not None
    assert not both[0].opens_menu


def test_step_and_turn_end_by_one_click() -> None:
    place = Position().phase("3").start("LV", 95, a=60).trains("LV", "2").treasury("LV", 500)
    at_track = place.operating("LV").game()
    found, end = offered_buttons(at_track), at_track.end_of_turn("a")
    assert [(entry.label, entry.opens_menu) for entry in found] == [
        ("Lay track …", True),
        ("Done with track", False),
        ("End the turn", False),
    ]
    whole = found[-1].move
    assert whole is not None
    assert end is not None
    assert (whole.action, *whole.further_actions) == tuple(end.passes)
    assert not whole.needs_confirmation, "it is made at once"


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
