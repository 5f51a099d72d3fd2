"""Alternative texts of pictures for screen readers, within Discord's limit."""

from typing import Final

from engine.views import (
    CompanyView,
    HistoryView,
    LotView,
    MapView,
    PhasesView,
    PlayerView,
    SaleView,
    ScoreView,
    TableView,
    TilesView,
)
from render import money

LONGEST: Final = 1024
"""Characters of a description."""


def map_alt_text(view: MapView) -> str:
    """The position, and the revenue of each train of a run, stop by stop."""
    runs = "; ".join(f"{run.train} {run.sum_text} = ${run.value}" for run in view.runs)
    return shortened(f"{view.caption}. {runs}" if runs else view.caption)


def table_alt_text(view: TableView) -> str:
    """Players with their money and shares, then companies."""
    players = [
        f"{p.name} has {_shares(p)}cash {money(p.cash)}, net worth {money(p.value)}." for p in view.players
    ]
    companies = [_company(line) for line in view.companies if line.par is not None]
    return shortened(" ".join([f"The table, {view.caption}.", *players, *companies]))


def history_alt_text(view: HistoryView) -> str:
    """Final net worth of all players and share price of each company."""
    last = view.moments[-1]
    worth = [f"{name} ${value}" for name, value in zip(view.players, last.worth, strict=True)]
    prices = [
        f"{badge.company} ${price}" for badge, price in zip(view.companies, last.prices, strict=True) if price
    ]
    what, now = ("Net worth and share prices", f"; now {', '.join(worth)}") if worth else ("Share prices", "")
    return shortened(f"{what} over {len(view.moments)} rounds{now}. Prices: {', '.join(prices) or 'none'}.")


def tiles_alt_text(view: TilesView) -> str:
    """Number of tiles left of each kind."""
    left = [f"{tile.hex.tile}: {'any number' if tile.left is None else tile.left}" for tile in view.tiles]
    return shortened(f"Tiles left. {', '.join(left)}.")


def phases_alt_text(view: PhasesView) -> str:
    """Permissions and changes of each phase."""
    rows = (
        f"Phase {phase.name}: {', '.join(phase.tiles)} tiles, limit {phase.train_limit}, "
        f"{phase.operating_rounds} operating rounds{''.join(f', {change}' for change in phase.changes)}."
        for phase in view.phases
    )
    return shortened(" ".join(rows))


def sale_alt_text(view: SaleView) -> str:
    """Privates for sale, bids, and everybody's money; the powers last."""
    lots = [lot for column in view.columns for lot in column]
    seats = [
        f"{s.name} has {money(s.cash)}{f', {money(s.free)} free' if s.committed else ''}." for s in view.seats
    ]
    does = [f"{lot.badge.company}: {'. '.join(lot.does)}." for lot in lots if lot.does]
    return shortened(" ".join([f"{view.caption}.", *map(_lot, lots), *seats, *view.coming, *does]))


def scores_alt_text(view: ScoreView) -> str:
    """The ranking of the players."""
    rows = [f"{row.rank}. {row.name} ${row.total}" for row in view.rows]
    return shortened(f"The score sheet. {view.ending}: {', '.join(rows)}.")


def shortened(words: str) -> str:
    """The text, cut at a blank if too long."""
    if len(words) <= LONGEST:
        return words
    return words[: LONGEST - 2].rpartition(" ")[0] + " …"


def _shares(player: PlayerView) -> str:
    return "".join(f"{held.badge.company} {held.percent}%, " for held in player.holdings)


def _lot(lot: LotView) -> str:
    price = "" if lot.value is None else f", ${lot.value}, income ${lot.income}"
    bids = "".join(f", {c.player} ${c.amount}" for c in lot.claims if c.amount is not None)
    return f"{lot.name}, {lot.badge.company}{price}: {lot.status}{bids}."


def _company(company: CompanyView) -> str:
    trains = " ".join(train for train, _ in company.trains) or "none"
    return f"{company.badge.company}: price ${company.price}, treasury {money(company.treasury)}, trains {trains}."
