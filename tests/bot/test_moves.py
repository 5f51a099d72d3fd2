"""From typed values to actions, menus and autocomplete, all from the offers."""

from typing import Any

import pytest

from bot.table.complete import first_fitting, slot_choices
from bot.table.errors import Refused
from bot.table.moves import Typed, matched, offer_key, only_value, possible, quick_moves, sentence_list
from bot.table.walk import PAGE, Question, next_step
from engine.core.actions import Bid
from engine.core.errors import BadChoice, NotOffered, NotYourTurn
from engine.core.offers import Among, Between, Choice, Offer, Slot
from engine.game import Game

PLAYERS = (("p1", "Ann"), ("p2", "Bob"), ("p3", "Cy"))


@pytest.fixture
def game() -> Game:
    return Game("18chesapeake", PLAYERS, 5)


def test_values_are_matched_by_value_or_label_in_any_case(game: Game) -> None:
    action = Typed("bid", {"private": "d&r", "amount": "20"})(game, "p1")
    assert action == Bid(actor="p1", entity="p1", private="D&R", amount=20)
    domain = Among([Choice("57", "#57 yellow"), Choice("", "no trade-in")])
    assert matched(domain, "#57 YELLOW") == "57"
    assert matched(domain, "none") == ""
    assert matched(domain, "58") == "58"


def test_a_slot_left_open_is_filled_when_one_value_is_left(game: Game) -> None:
    action = Typed("bid", {"private": "D&R"})(game, "p1")
    assert action == Bid(actor="p1", entity="p1", private="D&R", amount=20)


def test_a_slot_left_open_lists_its_values_when_there_are_several(game: Game) -> None:
    with pytest.raises(Refused, match="Say which private: D&R"):
        Typed("bid", {})(game, "p1")
    with pytest.raises(Refused, match=r"Say which amount: \$205"):
        Typed("bid", {"private": "CV"})(game, "p1")


def test_what_is_not_legal_is_refused_with_what_is(game: Game) -> None:
    with pytest.raises(BadChoice, match="Allowed"):
        Typed("bid", {"private": "CV", "amount": 203})(game, "p1")
    with pytest.raises(BadChoice, match="Allowed"):
        Typed("bid", {"private": "XYZ", "amount": 5})(game, "p1")


def test_out_of_turn_names_who_acts_and_out_of_step_says_why(game: Game) -> None:
    with pytest.raises(NotYourTurn, match="Ann"):
        Typed("bid", {"private": "D&R", "amount": 20})(game, "p2")
    with pytest.raises(NotOffered, match=r"auction.*\(9\)"):
        Typed("lay_tile", {"hex": "D2", "tile": "57", "rotation": 0})(game, "p1")


def test_quick_moves_are_the_suggestions_and_offers_without_slots(game: Game) -> None:
    labels = [quick.label for quick in quick_moves(game, "p1")]
    assert "Buy D&R for $20" in labels
    assert "Pass" in labels
    keys = [quick.key for quick in quick_moves(game, "p1")]
    assert len(set(keys)) == len(keys)
    for quick in quick_moves(game, "p1"):
        assert game.refusal(quick.action) is None


def test_only_what_ends_games_asks_again(game: Game) -> None:
    assert {quick.action.kind for quick in quick_moves(game, "p1") if quick.confirm} == {"end_game"}


def test_what_is_possible_is_said_in_the_offers_words(game: Game) -> None:
    assert possible(game, "p1") == "Bid, Pass"
    assert "not your turn" in possible(game, "p2")


def test_autocomplete_follows_the_slots_typed_before(game: Game) -> None:
    privates = slot_choices(game, "p1", "bid", "private", {}, "")
    assert [choice.value for choice in privates][:2] == ["D&R", "C-P"]
    assert [choice.value for choice in slot_choices(game, "p1", "bid", "private", {}, "vander")] == ["CV"]
    amounts = slot_choices(game, "p1", "bid", "amount", {"private": "CV"}, "")
    assert amounts[0].value == 205
    assert len(amounts) == 25
    assert slot_choices(game, "p1", "bid", "amount", {}, "") == []
    assert slot_choices(game, "p2", "bid", "private", {}, "") == []


def test_choices_fit_what_discord_takes() -> None:
    many = (Choice(number, f"choice {number} " + "x" * 200) for number in range(60))
    found = first_fitting(many, "")
    assert len(found) == 25
    assert all(len(choice.label) <= 100 for choice in found)


def test_menus_walk_the_slots_and_page_long_ones(game: Game) -> None:
    bid = next(offer for offer in game.offers("p1") if offer.kind == "bid")
    first = next_step(bid, [])
    assert isinstance(first, Question)
    assert first.slot == "private"
    second = next_step(bid, ["CV"])
    assert isinstance(second, Question)
    assert (second.slot, second.more, len(second.choices)) == ("amount", True, PAGE)
    later = next_step(bid, ["CV"], page=1)
    assert isinstance(later, Question)
    assert later.choices[0].value == second.choices[-1].value + 5  # type: ignore[operator]
    assert next_step(bid, ["CV", "210"]) == Bid(actor="p1", entity="p1", private="CV", amount=210)
    assert next_step(bid, ["D&R"]) == Bid(actor="p1", entity="p1", private="D&R", amount=20)
    with pytest.raises(Refused, match="not a legal private"):
        next_step(bid, ["XYZ"])


def test_an_offer_with_nothing_left_to_pick_is_refused() -> None:
    def nothing(_: Any) -> Between:
        return Between(5, 4)

    offer = Offer("bid", "p1", "p1", "Bid", (Slot("amount", nothing),))
    with pytest.raises(Refused, match="no legal amount"):
        next_step(offer, [])


def test_offers_of_different_people_have_different_names(game: Game) -> None:
    keys = {offer_key(offer) for offer in game.offers()}
    assert len(keys) == len(game.offers())


def test_small_words() -> None:
    assert only_value(Between(3, 3)) == 3
    assert only_value(Between(3, 4)) is None
    assert [sentence_list(names) for names in ([], ["a"], ["a", "b", "c"])] == ["", "a", "a, b and c"]
