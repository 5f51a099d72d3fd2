"""1846: components, what leaves the game at the start, and the draft (1, 2)."""

import pytest

from engine.core.events import CardDrafted
from engine.core.state import Auction
from tests.titles.t1846.midwest import drafted, first_position


@pytest.mark.parametrize(
    ("players", "bank", "limit", "companies", "depot"),
    [
        (3, 6500, 14, 5, {"2": 5, "4": 4, "3/5": 4, "5": 3, "4/6": 3, "6": 9, "7/8": 9}),
        (4, 7500, 12, 6, {"2": 6, "4": 5, "3/5": 5, "5": 4, "4/6": 4, "6": 9, "7/8": 9}),
        (5, 9000, 11, 7, {"2": 7, "4": 6, "3/5": 6, "5": 5, "4/6": 5, "6": 9, "7/8": 9}),
    ],
)
def test_components(players: int, bank: int, limit: int, companies: int, depot: dict[str, int]) -> None:
    """R-1846-001, R-1846-003, R-1846-006, R-1846-008 (1)"""
    table = first_position(players).table
    assert table.state.bank == bank - players * 400
    assert table.spec.players[players].certificate_limit == limit
    public = [one for one in table.state.companies.values() if table.spec.companies[one.id].kind == "public"]
    assert sum(not one.closed for one in public) == companies
    assert table.state.depot == depot


@pytest.mark.parametrize(("options", "left"), [((), 6), (("first_ed",), 6), (("second_ed_co",), 6)])
def test_privates_leave_the_game(options: tuple[str, ...], left: int) -> None:
    """R-1846-004 (1): of each group, but never the four that are always in."""
    privates = first_position(3, *options).table.state.privates
    there = {name for name, private in privates.items() if not private.removed}
    assert {"MSP", "B4P", "C&WI", "MAIL"} <= there
    assert len(there) == left
    if options == ("second_ed_co",):
        assert {"LM", "BT"} <= there
    if options == ("first_ed",):
        assert not {"LM", "BT"} & there


def test_independents_stand_on_the_map() -> None:
    """R-1846-007 (1): their tokens and trains from the start."""
    table = first_position().table
    companies = table.state.companies
    assert [companies[name].trains for name in ("MS", "BIG4")] == [["2"], ["2"]]
    assert [table.map.token_stops_of(name) for name in ("MS", "BIG4")] == [[("C15", 0)], [("G9", 0)]]


def test_draft_is_secret_and_backwards() -> None:
    """R-1846-020, R-1846-021, R-1846-025 (2): each sees the top cards; nobody learns what others take."""
    game = first_position(4)
    offer = game.find("bid")
    assert (offer.actor, offer.secret) == ("d", True)
    on_offer = [one.chosen["private"] for one in offer.suggest()]
    assert on_offer == game.table.auction.deck[:6]
    taken = offer.suggest()[0]
    assert game.apply(offer.fill(**taken.chosen)) == (CardDrafted("d"),)
    following = game.find("bid")
    assert following.actor == "c"
    assert taken.chosen["private"] not in game.table.auction.deck
    assert sorted(game.table.auction.deck[-5:]) == sorted(set(on_offer) - {taken.chosen["private"]})


def test_draft_ends_with_all_shown() -> None:
    """R-1846-022, R-1846-024, R-1846-026 (2): paid at the end; the first seat opens the stock round."""
    game = first_position(3)
    drafted(game)
    state = game.table.state
    assert not isinstance(state.round, Auction)
    assert (game.round_name(), game.on_turn()) == ("SR 1", "a")
    assert all(private.owner for private in state.privates.values() if not private.removed)
    prices = {"MSP": 140, "B4P": 100}
    for player, money in game.cash().items():
        if player not in state.companies:
            owned = [one.id for one in state.privates.values() if one.owner == player]
            assert money >= 400 - sum(
                prices.get(name, game.table.spec.privates[name].face_value) for name in owned
            )
    assert [state.companies[name].cash for name in ("MS", "BIG4")] == [60, 40]


@pytest.mark.parametrize(("card", "passes", "price"), [("TBC", 6, 0), ("MSP", 6, 80), ("B4P", 4, 60)])
def test_last_card_gets_cheaper(card: str, passes: int, price: int) -> None:
    """R-1846-023 (2): by $10 a pass, until the next player must take it."""
    game = first_position(3)
    game.table.auction.deck = [card, "Pass (1)"]
    game.do("bid", "c", private="Pass (1)", amount=0)
    for _ in range(passes):
        game.do("pass", game.on_turn())
    offers = [offer for offer in game.offers() if offer.kind != "end_game"]
    assert [offer.kind for offer in offers] == ["bid"]
    assert [one.chosen["amount"] for one in offers[0].suggest()] == [price]


def test_card_must_be_payable() -> None:
    """R-1846-025, D-1846-4 (2): beside those that the player has taken."""
    game = first_position(3)
    game.table.auction.chosen["c"] = ["B4P", "C&WI", "MAIL", "SC"]
    game.table.auction.deck = ["MSP", "MC", "Pass (1)"]
    assert {one.chosen["private"] for one in game.find("bid").suggest()} == {"MC", "Pass (1)"}


def test_setup_follows_from_the_seed() -> None:
    """R-1846-009, R-1846-005 (1): a seed of that site brings its cards and removals; ports leave with the SC."""
    table = first_position(3, seed=3).table
    removed = {name for name, private in table.state.privates.items() if private.removed}
    assert removed == {"MPC", "SC", "LSL", "MC", "O&I", "BT"}
    assert table.auction.deck[:2] == ["B4P", "MAIL"]
