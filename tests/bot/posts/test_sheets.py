"""Charters, players' sheets and trains as text, and the words for pictures."""

from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any, Final

from bot.client import alt_texts
from bot.client.features.views import company_sheet, player_sheet, trains_sheet
from engine.core.actions import Bid
from engine.game import Game
from engine.record import load_game
from engine.tell.view_builders import (
    company_view,
    map_view,
    phases_view,
    player_view,
    privates_view,
    score_view,
    table_view,
    tiles_view,
    trains_view,
)
from engine.tell.views import (
    Badge,
    CompanyView,
    HistoryView,
    LastRunView,
    PlayerView,
    RoundValuesView,
    RunView,
)

GAME = Path(__file__).parents[2] / "golden" / "18al-price-3p.json"
SEATS = [("a", "Ann"), ("b", "Bob"), ("c", "Cy")]
PRR = Badge("PRR", "green")


@cache
def game() -> Game:
    """Well into a game."""
    return load_game(GAME.read_text("utf-8"), 300)


def minors() -> Game:
    """At the start of a game that has minors."""
    return Game("18newengland", SEATS, 0, "rulebook", frozenset())


# --- sheets ----------------------------------------------------------------------------------------------------------


def company(**values: Any) -> CompanyView:
    """A started company, as far as nothing else is said."""
    usual: dict[str, Any] = {
        "name": "Pennsylvania", "president": "Ann", "par": 80, "price": 90, "zone": "", "is_floated": True,
        "treasury": 500, "trains": (), "tokens_left": (), "tokens_placed": (), "home": "F2", "privates": (),
        "offering_percent": 40, "market_percent": 0, "removed_percent": 0, "holders": (("Ann", 60, True),),
        "last_run": None, "float_percent": 60,
    }  # fmt: skip
    return CompanyView(PRR, **(usual | values))


def test_charter_of_a_started_company() -> None:
    assert company_sheet(company_view(game(), "L&N")).splitlines() == [
        "**L&N**, Louisville & Nashville Railroad: price $170, par $105",
        "President: Cy. Treasury: $104.",
        "Trains: 5. Tokens left: $100, $100; placed: A4, C4.",
        "Shares: Cy 50% (president); IPO 40%, market 10%.",
        "Last run: $0, withheld.",
    ]
    assert company_sheet(company()).splitlines() == [
        "**PRR**, Pennsylvania: price $90, par $80",
        "President: Ann. Treasury: $500.",
        "Trains: none. Tokens left: none; placed: none.",
        "Shares: Ann 60% (president); IPO 40%, market 0%.",
    ]


SAID: Final[tuple[tuple[str, dict[str, Any]], ...]] = (
    ("price $90 (yellow), par $80", {"zone": "yellow"}),
    ("par $80\nNot floated yet: 60% must be sold.\n", {"is_floated": False}),
    ("President: nobody.", {"president": None}),
    ("Trains: 2 (rusts on 4), 5.", {"trains": (("2", "rusts on 4"), ("5", ""))}),
    ("Trains: 1 (obsolete, runs once more).", {"obsolete_trains": ("1",)}),
    (
        "Tokens left: $40, $100, free; placed: none.",
        {"tokens_left": (40, 100), "reserved_token_texts": ("free",)},
    ),
    ("placed: F2, G3.", {"tokens_placed": ("F2", "G3")}),
    ("Shares: no holders; IPO 40%", {"holders": ()}),
    ("Ann 60% (president), Bob 10%; IPO", {"holders": (("Ann", 60, True), ("Bob", 10, False))}),
    ("market 0%, treasury 20%, removed 10%.", {"treasury_percent": 20, "removed_percent": 10}),
    (", reissued 2 at $50 and 1 at $40.", {"reissued": (50, 40, 50)}),
    ("\nPrivates: CV, D&R.", {"privates": ("CV", "D&R")}),
    ("\nMarkers: +10.", {"markers": ("+10",)}),
    ("\nFormed from A, B.", {"merged_companies": ("A", "B")}),
    (". On its shells: 2 and 3. Tokens", {"shells_text": "2 and 3"}),
    ("\nLast run: $120, paid out.", {"last_run": LastRunView(120, False, "paid out")}),
    ("Pennsylvania: value $90\n", {"is_price_fixed": True}),
    ("Shares: Ann 60% (president).", {"is_price_fixed": True}),
)


def test_charter_says_each_thing() -> None:
    for said, values in SAID:
        assert said in f"{company_sheet(company(**values))}.".replace("..", "."), values
        assert said not in company_sheet(company())


def test_sheet_of_an_unstarted_company_says_why() -> None:
    """18NewEngland R-NE-004, R-NE-021, R-NE-115."""
    view = replace(company_view(minors(), "GR"), waits_for_phase="")
    for said, values in (
        ("not started. Home L7.", {}),
        ("not started.", {"home": None}),
        ("not started. Home L7. Reserved by Ann.", {"reserved_by": "Ann"}),
        ("not started. Home L7. Available from phase 3 on.", {"waits_for_phase": "3"}),
        ("out of the game.", {"is_closed": True}),
    ):
        assert company_sheet(replace(view, **values)) == f"**GR**, Granite Railway: {said}"


def player(**values: Any) -> PlayerView:
    """A player without shares, as far as nothing else is said."""
    usual: dict[str, Any] = {
        "cash": 100, "available_cash": 100, "certificates": 1, "certificate_limit": 12, "has_priority_deal": False,
        "holdings": (), "privates": (), "net_worth": 300,
    }  # fmt: skip
    return PlayerView("p1", "Ann", **(usual | values))


def test_players_sheet_says_what_they_have() -> None:
    assert player_sheet(player_view(game(), "p1")).splitlines() == [
        "**Ann**: cash $21, net worth $1941, certificates 12 of 15",
        "- M&O 40% (president): $420",
        "- WRA 60% (president): $540",
        "- ABC 40%: $960",
    ]
    head = "**Ann**: cash $100, net worth $300, certificates 1 of 12"
    assert player_sheet(player(has_priority_deal=True)) == f"{head}, priority deal"
    assert "cash $100 ($60 not tied up in bids), net" in player_sheet(player(available_cash=60))
    privates = player_sheet(player(privates=(("CV", "Camden", 20, 5),)))
    assert privates == f"{head}\n- Camden: face $20, income $5"


def test_train_sheet_shows_the_limit_of_each_kind() -> None:
    """18NewEngland R-NE-007."""
    view = trains_view(minors())
    bank, pool = (("2", 3, 80, 2, "rusts on 4"), ("D", None, 900, None, "")), (("3", 100),)
    assert trains_sheet(replace(view, bank=bank, pool=pool)).splitlines() == [
        "Phase 2, train limit 4, 2 for a minor.",
        "- 2: 3 left, $80, 2 stops, rusts on 4",
        "- D: any number, $900",
        "- 3 in the bank pool: $100",
    ]


# --- words for pictures ----------------------------------------------------------------------------------------------


def test_picture_words_are_cut_at_a_blank() -> None:
    assert (
        alt_texts.shortened_alt_text("x" * alt_texts.MAX_ALT_TEXT_LENGTH)
        == "x" * alt_texts.MAX_ALT_TEXT_LENGTH
    )
    assert alt_texts.shortened_alt_text("word " * 400) == "word " * 204 + "…"
    fits = "x" * (alt_texts.MAX_ALT_TEXT_LENGTH - 3)
    assert alt_texts.shortened_alt_text(f"{fits} {fits}") == f"{fits} …"


def test_words_for_the_map_list_its_runs() -> None:
    view, run = map_view(game()), RunView("2", "30+20", 50, (), ())
    assert alt_texts.map_alt_text(view) == "OR 12.3, phase 4D"
    assert alt_texts.map_alt_text(replace(view, runs=(run, run))) == (
        "OR 12.3, phase 4D. 2 30+20 = $50; 2 30+20 = $50"
    )


def test_words_for_the_table_list_who_has_what() -> None:
    begins = (
        "The table, OR 12.3, phase 4D, bank $6075. Ann has M&O 40%, WRA 60%, ABC 40%, cash $21, net worth "
    )
    ends = "TAG: price $80, treasury $30, trains 7. ATN: price $65, treasury $130, trains 6."
    words = alt_texts.table_alt_text(table_view(game()))
    assert (words[: len(begins)], words[-len(ends) :]) == (begins, ends)
    start = alt_texts.table_alt_text(table_view(Game("18chesapeake", SEATS, 1)))
    assert start.endswith("Cy has cash $800, net worth $800."), "no company has started"


def test_words_for_the_chart_say_how_it_ends() -> None:
    moments = (RoundValuesView("SR 1", (1, 2), (80, 70)), RoundValuesView("SR 2", (300, 200), (90, None)))
    course = HistoryView("18AL", "", ("Ann", "Bob"), (PRR, Badge("LV", "red")), moments)
    assert alt_texts.history_alt_text(course) == (
        "Net worth and share prices over 2 rounds; now Ann $300, Bob $200. Prices: PRR $90."
    )
    secret = replace(course, players=(), rounds=(RoundValuesView("SR 1", (), (None, None)),))
    assert alt_texts.history_alt_text(secret) == "Share prices over 1 rounds. Prices: none."


def test_words_for_tiles_phases_and_scores() -> None:
    tiles = tiles_view(game())
    assert alt_texts.tiles_alt_text(tiles).startswith("Tiles left. 3: 3, 4: 3, 5: 3, 6: 3, 7: 1, 8: 5, ")
    endless = replace(tiles, tiles=(replace(tiles.tiles[0], copies_left=None),))
    assert alt_texts.tiles_alt_text(endless) == "Tiles left. 3: any number."
    assert alt_texts.phases_alt_text(phases_view(game())).startswith(
        "Phase 2: yellow tiles, limit 4, 1 operating rounds. Phase 3: yellow, green tiles, limit 4, 2 operating "
        "rounds, companies may buy privates (50-150%). Phase 4: "
    )
    scores = replace(score_view(game()), ending="The bank is broken")
    assert alt_texts.scores_alt_text(scores) == (
        "The score sheet. The bank is broken: 1. Cy $2055, 2. Ann $1941, 3. Bob $1540."
    )


def test_words_for_a_sale_list_lots_and_money() -> None:
    auction = Game("18chesapeake", SEATS, 1)
    auction.apply(Bid(actor="a", entity="a", private="CV", amount=205))
    sale = privates_view(auction)
    assert sale is not None
    words = alt_texts.sale_alt_text(replace(sale, columns=((sale.columns[-1][-1],),)))
    assert words.startswith(
        "Auction, phase 2, bank $5600. Cornelius Vanderbilt, CV, $200, income $30: bids from $210, Ann $205. "
        "Ann has $800, $595 free. Bob has $800. Cy has $800. Then C-P is for sale at $40. "
    )
    assert " CV: Brings the president's certificate of C&A. Closes when " in words
    lot = replace(sale.columns[0][0], value=None, rule_texts=(), status="gone")
    bare = replace(sale, columns=((lot,),), seats=(), upcoming_texts=())
    assert alt_texts.sale_alt_text(bare) == (
        "Auction, phase 2, bank $5600. Delaware and Raritan Canal, D&R: gone."
    )
