"""Market and score views for the tests, from the printed market of a title."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from engine.core.ids import Cell, CompanyId
from engine.tell.view_builders import market_view
from engine.tell.views import (
    Badge,
    CompanyView,
    HoldingView,
    LastRunView,
    MarketView,
    PlayerView,
    ScoreRow,
    ScoreView,
)
from engine.titles import TITLES
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
        first, second, *_ = (order.badge.company for order in market_view(place.game()).order)
        place.operating(second, operated=[first])
    return replace(market_view(place.game()), moves=tuple(moves))


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
    return CompanyView(
        badge=badge("C&O"),
        name="Chesapeake and Ohio Railroad",
        president="Ada",
        par=80,
        price=112,
        zone="",
        floated=True,
        treasury=1234,
        trains=(("2", "4"), ("3", "6"), ("5", None)),
        tokens_left=(60, 80),
        tokens_placed=("G13", "F8"),
        home="G13",
        privates=("C-P", "B&S"),
        offering=20,
        market=10,
        removed=0,
        holders=(("Ada", 40, True), ("Benjamin Featherstonehaugh", 20, False), ("Cleo", 10, False)),
        last_run=LastRunView(130, True, "withheld"),
        float_percent=60,
    )


def player() -> PlayerView:
    """A player with two presidencies, a minor holding and a private."""
    return PlayerView(
        player="ada",
        name="Ada",
        cash=412,
        available=372,
        certificates=9,
        certificate_limit=16,
        priority=True,
        holdings=scores().rows[0].shares,
        privates=(("D&R", "Delaware and Raritan Canal", 20, 5),),
        value=3352,
        liquidity=1012,
    )
