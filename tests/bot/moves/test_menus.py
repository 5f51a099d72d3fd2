"""What is offered becomes buttons, menus by pages, and forms; what is typed or picked becomes a value."""

import re
from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

import pytest

from bot.client.buttons import KEY
from bot.table.errors import OthersTurn, Refused
from bot.table.markdown import marked, plain
from bot.table.moves.completions import Item, slot_items
from bot.table.moves.lays import PAGE, Lays, Spots
from bot.table.moves.menus import (
    Ready,
    RunQuestion,
    SlotQuestion,
    next_step,
    next_step_of,
    offer_named,
    offer_of,
    picks_of,
    usual,
)
from bot.table.moves.moves import (
    Quick,
    Typed,
    confirm_question,
    market_after,
    offer_key,
    once_more,
    quick_fillings,
)
from bot.table.moves.slot_values import (
    as_read,
    as_written,
    matched,
    numbered_routes,
    offers_of,
    read_alone,
    ready_runs,
    walked,
)
from bot.table.moves.turn_buttons import FORMS, TurnButton, entry_rank, offered_buttons
from engine.core.actions import BuyShare, EndGame, Merge, Pass, RunRoutes
from engine.core.errors import IllegalAction
from engine.core.facts import fact
from engine.core.offers import Choice, Choices, Cursor, Domain, IntRange, Offer, Routes, Slot, Suggestion
from engine.game import Game
from tests.titles.builders import Position, find, new_game


@pytest.fixture
def game() -> Game:
    return new_game()


def of_slots(kind: str, *domains: tuple[str, Domain], actor: str = "a", entity: str = "a") -> Offer:
    """An offer whose slots have these legal values, whatever was picked before."""
    slots = tuple(Slot(name, lambda _, domain=domain: domain) for name, domain in domains)  # type: ignore[misc]
    return Offer(kind, actor, entity, fact("offer.end_game"), slots)


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
def test_the_lowest_the_face_value_and_the_highest_amount_have_buttons(
    domain: IntRange, buttons: list[int]
) -> None:
    assert [item.value for item in usual(domain)] == buttons


def test_each_amount_says_what_it_is() -> None:
    labels = [item.label for item in usual(IntRange(5, 20, face=10))]
    assert labels == ["Lowest: $5", "Face value: $10", "Highest: $20"]


# --- pages -----------------------------------------------------------------------------------------------------------


def page_of(game: Game, number: int, page: int) -> SlotQuestion:
    """One page of a question with this many choices."""
    step = next_step(game, of_slots("buy_share", ("company", many(number)), ("source", many(2))), [], page)
    assert isinstance(step, SlotQuestion)
    return step


def test_a_menu_has_a_page_for_each_25_choices(game: Game) -> None:
    assert [(len(one.choices), one.more) for one in (page_of(game, PAGE, 0), page_of(game, PAGE + 1, 0))] == [
        (PAGE, False),
        (PAGE, True),
    ]
    last = page_of(game, 2 * PAGE + 3, 2)
    assert [item.value for item in last.choices] == ["X50", "X51", "X52"]
    assert (last.page, last.more) == (2, False)
    second = page_of(game, 2 * PAGE + 3, 1)
    assert (second.choices[0].value, len(second.choices), second.more) == ("X25", PAGE, True)


def test_a_page_that_is_not_there_any_more_is_refused(game: Game) -> None:
    with pytest.raises(Refused):
        page_of(game, 3, 1)


def test_tiles_and_hexes_are_numbered_through_all_pages() -> None:
    view: Any = None
    spots = Item("D2", "D2"), Item("D4", "D4 Altoona $40")
    shown = Spots(view, spots, page=1, pages=2).choices()
    assert [item.label for item in shown] == ["26 · D2", "27 · D4 Altoona $40"]
    lay: Any = SimpleNamespace(tile="57", rotation=1, sides="N-S", left=None, cost=0, worth=None)
    assert [item.label for item in Lays(view, (lay,), page=2, pages=3).choices()] == ["51 · #57 N-S"]


def test_hexes_for_track_are_shown_on_the_map_and_none_on_a_page_that_is_gone() -> None:
    position = Position().start("PRR", 80, a=60).tile("F2", "57", 1).operating("PRR").game()
    lay = find(position, "lay_tile")
    first = next_step(position, lay, [])
    assert isinstance(first, SlotQuestion)
    assert isinstance(first.sketch, Spots)
    assert (first.sketch.page, first.sketch.pages, first.more) == (0, 1, False)
    assert [item.value for item in first.choices] == [*first.sketch.hexes]
    with pytest.raises(Refused):
        next_step(position, lay, [], page=1)
    tiles = next_step(position, lay, [str(first.choices[0].value)])
    assert isinstance(tiles, SlotQuestion)
    assert isinstance(tiles.sketch, Lays)
    assert (tiles.sketch.page, tiles.sketch.pages, tiles.more) == (0, 1, False)
    tile, rotation = str(tiles.choices[0].value).split(",")
    whole = next_step(position, lay, [str(first.choices[0].value), tile, rotation])
    assert isinstance(whole, Ready)
    assert isinstance(whole.sketch, Lays)
    assert (whole.sketch.page, whole.sketch.pages) == (0, 1)
    assert [(one.tile, str(one.rotation)) for one in whole.sketch.lays] == [(tile, rotation)]


def test_hexes_for_track_have_a_page_after_each_but_the_last(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.table.moves.lays.PAGE", 1)
    position = Position().start("PRR", 80, a=60).tile("F2", "57", 1).operating("PRR").game()
    lay = find(position, "lay_tile")
    pages = [next_step(position, lay, [], page) for page in range(3)]
    assert [page.more for page in pages if isinstance(page, SlotQuestion)] == [True, True, False]


def test_which_run_is_asked_before_anything_is_picked(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    run: Any = "a run"
    monkeypatch.setattr("bot.table.moves.menus.runs_of", lambda *_: (run,))
    offer = of_slots("buy_share", ("company", many(2)), ("source", many(2)))
    first, second = next_step(game, offer, []), next_step(game, offer, ["X0"])
    assert isinstance(first, RunQuestion)
    assert (first.runs, first.way.picked) == ((run,), ())
    assert isinstance(second, SlotQuestion)


# --- picks -----------------------------------------------------------------------------------------------------------


def test_picks_become_text_and_the_empty_one_its_word() -> None:
    offer = of_slots("buy_train", ("train", among("2")), ("trade_in", among("")), ("price", IntRange(1, 9)))
    assert picks_of(Cursor(offer, {"train": "2", "trade_in": "", "price": 5})) == ("2", "none", "5")
    routes = Cursor(of_slots("run_routes", ("routes", among("x"))), {"routes": ("A1-B2",)})
    assert picks_of(routes) == ()


def test_a_menu_of_an_offer_that_has_gone_is_refused(game: Game) -> None:
    offer = game.offers()[0]
    assert offer_of(game, offer_key(offer)) == offer
    keys = [offer_key(offer), *(entry.key for entry in offered_buttons(game))]
    assert all(re.fullmatch(f"{KEY}([.].+)?", key) for key in keys), "as the buttons read them"
    for ask in (lambda: offer_of(game, "00000000"), lambda: next_step_of(game, "00000000", [], 0)):
        with pytest.raises(Refused, match="not possible any more"):
            ask()


def test_a_menu_of_another_player_says_whose_turn_it_is(game: Game) -> None:
    live: Any = SimpleNamespace(game=game, name_of=lambda player: game.name(player))
    offer = next(offer for offer in game.offers("a") if offer.kind == "bid")
    assert offer_named(live, "a", offer_key(offer)) == offer
    with pytest.raises(OthersTurn, match="Ann"):
        offer_named(live, "b", offer_key(offer))


# --- what is typed ---------------------------------------------------------------------------------------------------


def test_offers_are_found_by_kind_and_by_company_in_any_case() -> None:
    offers = [
        of_slots("merge", entity="PRR"),
        of_slots("merge", entity="B&O"),
        of_slots("pass", entity="PRR"),
    ]
    table: Any = SimpleNamespace(offers=lambda player: offers if player == "a" else [])
    assert offers_of(table, "a", "merge") == offers[:2]
    assert offers_of(table, "a", "merge", "prr") == offers[:1]
    assert offers_of(table, "a", "merge", "LV") == []


def test_numbers_are_read_where_a_number_is_asked_for_and_ids_as_the_game_writes_them(game: Game) -> None:
    assert as_read(game, "bid", "amount", " 20 ") == 20
    assert as_read(game, "bid", "amount", "-5") == -5
    assert as_read(game, "bid", "amount", "twenty") == "twenty"
    assert as_read(game, "bid", "amount", "9" * 16) == "9" * 16
    assert as_read(game, "bid", "private", " d&r ") == "D&R"
    assert as_read(game, "lay_tile", "tile", "57") == "57"
    assert [as_written(game, text) for text in ("prr", "2", "d2", "nowhere")] == ["PRR", "2", "D2", "nowhere"]


def test_of_values_without_an_offer_those_are_left_out_that_cannot_be_read(game: Game) -> None:
    typed = {"private": "cv", "amount": "twenty"}
    assert read_alone(game, "bid", typed) == {"private": "CV"}
    assert read_alone(game, "bid", {"private": None, "amount": "20"}) == {"amount": 20}
    assert read_alone(game, "run_routes", {"routes": "D2-E1"}) == {}


def test_none_stands_for_the_empty_value_only_where_there_is_one(game: Game) -> None:
    assert matched(game, among("", "2"), "None") == ""
    assert matched(game, among("1", "2"), "none") == "none"
    assert matched(game, among("", "2"), "3") == "3"
    assert matched(game, IntRange(1, 9), 5) == 5


def test_a_walk_stops_at_the_slot_that_is_asked_about(game: Game) -> None:
    offer = of_slots("buy_share", ("company", among("PRR")), ("source", among("offering", "market")))
    assert walked(game, offer, {}, upto="company").chosen == {}
    assert walked(game, offer, {"source": "market"}, upto="source").chosen == {"company": "PRR"}
    assert walked(game, offer, {}).chosen == {"company": "PRR"}
    assert walked(game, offer, {"source": "market"}).slot is None


def test_of_several_offers_that_fit_the_one_that_is_whole_is_meant(
    game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One that what is typed does not fit is passed over; else the first is asked about."""
    unfit, half, whole = (
        of_slots("buy_share", ("company", among("B&O"))),
        of_slots("buy_share", ("company", among("PRR")), ("source", among("offering", "market"))),
        of_slots("buy_share", ("company", among("PRR"))),
    )
    typed = Typed("buy_share", {"company": "PRR"})
    other = of_slots("buy_share", ("company", among("PRR")), ("source", among("market", "treasury")))
    for offers, meant in (
        ((unfit, half, whole), whole),
        ((unfit, whole), whole),
        ((half, unfit), half),
        ((half, other), half),
        ((other, half), other),
    ):
        monkeypatch.setattr("bot.table.moves.moves.offers_of", lambda *_, offers=offers: list(offers))
        assert typed.walk(game, "a").offer is meant
    with pytest.raises(Refused, match="Say which"):
        typed(game, "a")


def test_of_several_offers_that_do_not_fit_the_first_says_why(
    game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    offers = [of_slots("buy_share", ("company", among(company))) for company in ("B&O", "LV")]
    monkeypatch.setattr("bot.table.moves.moves.offers_of", lambda *_: offers)
    with pytest.raises(IllegalAction) as refused:
        Typed("buy_share", {"company": "PRR"}).walk(game, "a")
    said = marked(game).refusal(refused.value)
    assert ("B&O" in said, "LV" in said) == (True, False)


def test_completions_come_from_each_offer_that_fits_what_is_typed_before(
    game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    offers = [
        of_slots("buy_share", ("company", among(company)), ("source", among(source)))
        for company, source in (("PRR", "offering"), ("B&O", "market"), ("PRR", "market"))
    ]
    monkeypatch.setattr("bot.table.moves.completions.offers_of", lambda *_: offers)
    for company, sources in (("PRR", ["offering", "market"]), ("B&O", ["market"]), ("LV", [])):
        found = slot_items(game, "a", "buy_share", "source", {"company": company}, "")
        assert [item.value for item in found] == sources


def test_what_one_company_cannot_do_is_refused_by_its_name(game: Game) -> None:
    for entity in (None, "prr"):
        with pytest.raises(Exception, match="auction"):
            Typed("lay_tile", {"hex": "D2"}, entity)(game, "a")
    place = Position().phase("3").start("LV", 95, a=60).start("PRR", 80, b=60).operating("LV").game()
    for entity, why in (("prr", "the turn of LV, not of PRR"), ("lv", "comes later in the turn of LV")):
        with pytest.raises(IllegalAction) as refused:
            Typed("buy_train", {}, entity)(place, "a")
        assert why in marked(place).refusal(refused.value).replace("*", "")


# --- runs ------------------------------------------------------------------------------------------------------------


def runs(number: int) -> Routes:
    """As many runs as it says; the routes of each are its number."""
    ready = [Suggestion(fact("offer.pass"), {"routes": (f"run {n}",)}) for n in range(1, number + 1)]
    return Routes(("2",), lambda _: None, lambda: ready)


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("1", ("run 1",)),
        ("3", ("run 3",)),
        ("4", None),
        ("0", None),
        ("12", None),
        ("01", None),
        ("²", None),
        ("٣", None),
        ("x", None),
        ("", None),
    ],
)
def test_a_run_worth_showing_is_meant_by_its_number(text: str, meant: tuple[str, ...] | None) -> None:
    assert numbered_routes(runs(3), text) == meant


def test_where_no_run_is_worth_showing_a_number_means_nothing() -> None:
    assert numbered_routes(runs(0), "1") is None


def test_a_run_is_the_best_one_or_the_one_of_a_number_or_the_one_that_is_typed() -> None:
    place = (
        Position().start("LV", 95, a=60).trains("LV", "2").tile("J2", "57", 1).operating("LV", "run").game()
    )
    [offer] = offers_of(place, "a", "run_routes")
    best = ready_runs(offer)[0].chosen["routes"]
    assert best != ()
    for text, meant in ((None, best), (" 1 ", best), (";".join(best), best), ("none", ())):
        assert walked(place, offer, {"routes": text}).chosen == {"routes": meant}


def test_runs_are_those_of_an_offer_that_asks_for_routes_alone() -> None:
    assert len(ready_runs(of_slots("run_routes", ("routes", runs(2))))) == 2
    assert ready_runs(of_slots("run_routes", ("routes", runs(2)), ("option", among("pay")))) == ()
    assert ready_runs(of_slots("pass")) == ()
    assert ready_runs(of_slots("buy_share", ("company", among("PRR")))) == ()


def test_a_run_of_no_train_is_made_once_more_by_its_word() -> None:
    none = once_more(RunRoutes(actor="a", entity="PRR", routes=()))
    assert isinstance(none, Typed)
    assert none.given == {"routes": "none"}
    several = once_more(RunRoutes(actor="a", entity="PRR", routes=("A1-B2", "C3-D4")))
    assert isinstance(several, Typed)
    assert (several.given, several.entity) == ({"routes": "A1-B2;C3-D4"}, "PRR")
    assert once_more(Pass(actor="a", entity="a")) == Quick("", Pass(actor="a", entity="a"))


def test_a_run_that_was_found_is_taken_as_it_is_among_all_offers() -> None:
    """By its company, where one player runs several; what is not offered any more is judged."""
    run = RunRoutes(actor="a", entity="PRR", routes=("A1-B2",))
    others = [of_slots("pass"), of_slots("run_routes", ("routes", runs(1)), entity="B&O")]
    meant = of_slots("run_routes", ("routes", runs(1)), entity="PRR")
    table: Any = SimpleNamespace(offers=lambda _: [*others, meant], walk=lambda _: "judged")
    walk = Quick("", run)(table, "a")
    assert (walk.offer, walk.chosen) == (meant, {"routes": ("A1-B2",)})
    gone: Any = SimpleNamespace(offers=lambda _: others, walk=lambda _: "judged")
    assert Quick("", run)(gone, "a") == "judged"  # type: ignore[comparison-overlap]
    assert Quick("", Pass(actor="a", entity="a"))(table, "a") == "judged"  # type: ignore[comparison-overlap]


# --- buttons ---------------------------------------------------------------------------------------------------------


def buttons_of(
    game: Game, monkeypatch: pytest.MonkeyPatch, *offers: Offer, actors: Sequence[str] = ("a",)
) -> Any:
    """The buttons where exactly these offers are there."""
    monkeypatch.setattr(game, "offers", lambda _=None: list(offers))
    monkeypatch.setattr(game, "actors", lambda: tuple(actors))
    return offered_buttons(game)


def bids(number: int) -> Offer:
    return of_slots("bid", ("private", many(number)), ("amount", IntRange(5, 50, 5)))


def test_each_private_has_a_button_for_another_bid_unless_they_are_many(
    game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    few = buttons_of(game, monkeypatch, bids(FORMS))
    assert [entry.form for entry in few] == [f"X{number}" for number in range(FORMS)]
    assert all(entry.menu for entry in few)
    assert few[0].label == f"X0: another {few[0].label.removeprefix('X0: another ')}"
    assert few[0].label[14:] == few[0].label[14:].lower()
    (menu,) = buttons_of(game, monkeypatch, bids(FORMS + 1))
    assert (menu.form, menu.menu) == ("", True)
    assert menu.label.endswith(" …")


def test_what_has_one_amount_needs_no_form(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    fixed = of_slots("bid", ("private", many(2)), ("amount", IntRange(5, 5)))
    (menu,) = buttons_of(game, monkeypatch, fixed)
    assert (menu.menu, menu.form) == (True, "")
    chosen = of_slots("bid", ("private", many(2)), ("source", many(2)))
    assert [entry.form for entry in buttons_of(game, monkeypatch, chosen)] == [""]
    (other,) = buttons_of(
        game, monkeypatch, of_slots("buy_private", *((s.name, s.domain({})) for s in bids(2).slots))
    )
    assert (other.menu, other.form) == (True, ""), "only a bid has forms"


def test_while_an_offer_waits_only_its_answers_have_buttons(
    game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    answer = of_slots("answer", ("reply", among("agree", "refuse")))
    assert buttons_of(game, monkeypatch, answer, of_slots("pass")) == ()
    assert len(buttons_of(game, monkeypatch, of_slots("pass"))) == 1


def test_to_stop_the_game_has_no_button_and_hides_none(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    found = buttons_of(game, monkeypatch, of_slots("end_game"), of_slots("pass"))
    assert [entry.kind for entry in found] == ["pass"]


def test_a_button_says_whose_it_is_where_several_act(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    own, other = of_slots("pass"), of_slots("pass", actor="b", entity="b")
    (alone,) = buttons_of(game, monkeypatch, own)
    assert not alone.label.startswith("Ann")
    both = buttons_of(game, monkeypatch, own, other, actors=("a", "b"))
    assert [entry.label.split(":")[0] for entry in both] == ["Ann", "Bob"]
    assert both[0].quick is not None
    assert not both[0].menu


def test_what_is_asked_about_again_has_the_label_of_its_button(game: Game) -> None:
    ready = [Suggestion(fact(label), {"option": option}) for label, option in _GIVEN_UP]
    slot = ("option", among("pay", "withhold"))
    offer = of_slots("dividend", slot)._replace(suggest=lambda: ready, confirm=True)
    buttons = quick_fillings(plain(game), offer)
    assert len({button.label for button in buttons}) == 2
    for button, (_, option) in zip(buttons, _GIVEN_UP, strict=True):
        walk = Cursor(offer).pick(option)
        assert Quick.of(plain(game), walk) == button
        assert (button.action, button.confirm) == (walk.action(), True)


_GIVEN_UP = (("offer.end_game", "pay"), ("offer.end_turn", "withhold"))


def test_passing_has_its_button_before_menus_and_menus_before_other_moves() -> None:
    passing, menu, move = (
        TurnButton("", "", "pass", menu=False),
        TurnButton("", "", "lay_tile", menu=True),
        TurnButton("", "", "sell_shares", menu=False),
    )
    assert sorted((move, menu, passing), key=entry_rank) == [passing, menu, move]


# --- what a move would do --------------------------------------------------------------------------------------------


def test_before_a_move_that_cannot_be_taken_back_it_is_said_so(
    monkeypatch: pytest.MonkeyPatch, game: Game
) -> None:
    """The score at the end of a game with secret money shows it."""
    for over, secret, said in (
        (True, True, "can't be undone"),
        (True, False, "only until another player acts"),
        (False, True, "only until another player acts"),
    ):
        after = SimpleNamespace(over=over)
        monkeypatch.setattr("bot.table.moves.moves._after", lambda *_, after=after: after)
        table: Any = SimpleNamespace(rules=SimpleNamespace(spec=SimpleNamespace(secret_cash=secret)))
        assert said in confirm_question(table, Quick("Stop", EndGame(actor="a", entity="a")))


def test_the_market_is_shown_as_a_merger_leaves_it(monkeypatch: pytest.MonkeyPatch, game: Game) -> None:
    monkeypatch.setattr("bot.table.moves.moves._after", lambda *_: "after")
    monkeypatch.setattr("bot.table.moves.moves.market_view", lambda game: game)
    assert market_after(game, Quick("", Merge(actor="a", entity="A", partner="B", major="C"))) == "after"  # type: ignore[comparison-overlap]
    assert (
        market_after(game, Quick("", BuyShare(actor="a", entity="a", company="B", source="offering"))) is None
    )
    assert market_after(game, Quick("", Pass(actor="a", entity="a"))) is None


def test_what_a_move_would_do_is_tried_once_in_a_copy(game: Game) -> None:
    buy = next(move for move in _quick_moves(game) if move.action.kind == "bid")
    stood = game.digest()
    assert "You can undo it" in confirm_question(game, buy)
    assert game.digest() == stood


def _quick_moves(game: Game) -> list[Quick]:
    return [entry.quick for entry in offered_buttons(game) if entry.quick is not None]


def test_a_company_ends_its_step_or_its_turn_by_one_click_each_and_lays_by_a_menu() -> None:
    place = Position().phase("3").start("LV", 95, a=60).trains("LV", "2").treasury("LV", 500)
    at_track = place.operating("LV").game()
    found, end = offered_buttons(at_track), at_track.end_of_turn("a")
    assert [(entry.label, entry.menu) for entry in found] == [
        ("Lay track …", True),
        ("Done with track", False),
        ("End the turn", False),
    ]
    whole = found[-1].quick
    assert whole is not None
    assert end is not None
    assert (whole.action, *whole.along) == tuple(end.passes)
    assert not whole.confirm, "it is made at once"


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
def test_a_pass_has_a_button_where_it_ends_the_turn_or_opens_something(
    step: str, money: int, private: str | None, labels: list[str]
) -> None:
    place = Position().phase("3").start("LV", 95, a=60).trains("LV", "2").treasury("LV", money)
    game = (place.owns("b", private) if private else place).operating("LV", step).game()
    assert [entry.label for entry in offered_buttons(game) if entry.kind == "pass"] == labels
