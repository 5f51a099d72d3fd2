"""Market and score views for the tests, from the printed market of a title."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Literal

from engine.core.ids import Cell, CompanyId
from engine.tell.view_builders import company_view, market_view, player_view
from engine.tell.views import (
    Badge,
    CompanyView,
    HoldingView,
    MarketView,
    PlayerView,
    ScoreRow,
    ScoreView,
    StandingsGroupView,
    StandingsView,
    StandingView,
)
from engine.titles import TITLES
from tests.golden.positions import golden_at
from tests.titles.builders import Position


def badge(company: CompanyId) -> Badge:
    return Badge(company, TITLES["18chesapeake"].spec.companies[company].colour)


def market(at: Mapping[CompanyId, Cell], moves: Sequence[tuple[CompanyId, Cell, Cell]] = ()) -> MarketView:
    """18Chesapeake's market with companies on these cells: the second acts, the last of many has not floated."""
    place = Position()
    for number, (name, (row, column)) in enumerate(at.items()):
        last = number == len(at) - 1 > 1
        place.start(name, 80, at=(row + 1, column + 1), **{"abc"[number % 3]: 20 if last else 60})
    if len(at) > 1:
        first, second, *_ = (order.badge.company for order in market_view(place.game()).operating_order)
        place.operating(second, operated=[first])
    return replace(market_view(place.game()), price_moves=tuple(moves))


def scores() -> ScoreView:
    """Four players, two of them with the same total."""

    def held(*parts: tuple[CompanyId, int, int]) -> tuple[HoldingView, ...]:
        return tuple(
            HoldingView(badge(name), percent, price, percent * price // 10, percent >= 50)
            for name, percent, price in parts
        )

    table = (
        (1, "Ada", 1250, held(("PRR", 60, 300), ("B&O", 40, 225), ("SRR", 20, 110)), 0),
        (2, "Benjamin Featherstonehaugh", 1702, held(("C&O", 60, 250), ("LV", 50, 160)), 0),
        (2, "Cleo", 1252, held(("C&O", 30, 250), ("C&A", 60, 200), ("LV", 50, 160), ("N&W", 10, 0)), 0),
        (4, "Dorothea", 480, held(("N&W", 60, 0), ("PLE", 50, 90)), 200),
    )
    rows = []
    for rank, name, cash, shares, privates in table:
        total = cash + sum(share.value for share in shares) + privates
        rows.append(ScoreRow(rank, name.lower(), name, cash, shares, privates, total))
    return ScoreView(
        "18Chesapeake, final table", "The bank broke in OR 6.2; the set was played out.", tuple(rows)
    )


def company() -> CompanyView:
    """With a long name among the holders, and shares everywhere."""
    held = (("Ada", 40, True), ("Benjamin Featherstonehaugh", 20, False), ("Cleo", 10, False))
    found = company_view(golden_at("18chesapeake-bank-4p", 330), "C&O")
    return replace(
        found, president="Ada", privates=("C-P", "B&S"), offering_percent=20, market_percent=10, holders=held
    )


def player() -> PlayerView:
    """A player with two presidencies, minor holdings and a private."""
    found = player_view(golden_at("18chesapeake-bank-4p", 330), "p1")
    return replace(
        found,
        available_cash=6,
        has_priority_deal=True,
        privates=(("D&R", "Delaware and Raritan Canal", 20, 5),),
    )


ENTRANTS = (
    "Ada",
    "Benjamin Featherstonehaugh",
    "Cleo",
    "Dorothea the Magnificent",
    "Ed",
    "Fay",
    "Gus (Conductor)",
)


def standings(groups: int) -> StandingsView:
    """Groups of seven after some games: two share a rank, one has withdrawn, one goes up and two go down."""
    moves: dict[int, Literal["up", "down"]] = {0: "up", 5: "down", 6: "down"}
    places = [("1", "30"), ("2", "26.5"), ("2", "26.5"), ("4", "13.33"), ("5", "6"), ("6", "1"), ("7", "0")]
    tables = [
        StandingsGroupView(
            f"Group {letter}",
            tuple(
                StandingView(
                    *(int(rank), name, points, 4 - i // 3, 4, max(3 - i, 0)),
                    mean_result_percent="" if i == 6 else f"{99 - 7.5 * i:g}",
                    move=moves.get(i, ""),
                    has_withdrawn=i == 4,
                )
                for i, (name, (rank, points)) in enumerate(zip(ENTRANTS, places, strict=True))
            ),
        )
        for letter in "ABCDEFGH"[:groups]
    ]
    return StandingsView("Spring season", "24 of 49 games played, until 28 February", tuple(tables))
