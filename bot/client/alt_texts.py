"""Alt texts of pictures for screen readers, within Discord's limit."""

from typing import Final

from engine.views import (
    CompanyView,
    HistoryView,
    MapView,
    PhasesView,
    PlayerView,
    SaleCardView,
    SaleView,
    ScoreView,
    TableView,
    TilesView,
)

MAX_ALT_TEXT_LENGTH: Final = 1024
"""Discord's limit for the characters of an alt text."""


def map_alt_text(view: MapView) -> str:
    """Alt text of a map: its caption, and for a run each train's stops and revenue."""
    run_texts = "; ".join(f"{run.train} {run.sum_text} = {run.money(run.revenue)}" for run in view.runs)
    return shortened_alt_text(f"{view.caption}. {run_texts}" if run_texts else view.caption)


def table_alt_text(view: TableView) -> str:
    """Alt text of the table picture: each player's shares, cash and net worth, then the companies."""
    player_texts = [
        f"{player.name} has {_shares_text(player)}cash {player.money(player.cash)}, "
        f"net worth {player.money(player.net_worth)}."
        for player in view.players
    ]
    company_texts = [_company_text(line) for line in view.companies if line.par is not None]
    return shortened_alt_text(" ".join([f"The table, {view.caption}.", *player_texts, *company_texts]))


def history_alt_text(view: HistoryView) -> str:
    """Alt text of the chart: each player's net worth and each company's share price after the last round."""
    last_history_entry = view.rounds[-1]
    worth_texts = [
        f"{name} {view.money(value)}"
        for name, value in zip(view.players, last_history_entry.net_worths, strict=True)
    ]
    price_texts = [
        f"{badge.company} {view.money(price)}"
        for badge, price in zip(view.companies, last_history_entry.prices, strict=True)
        if price
    ]
    subject, current_worth_text = (
        ("Net worth and share prices", f"; now {', '.join(worth_texts)}")
        if worth_texts
        else ("Share prices", "")
    )
    return shortened_alt_text(
        f"{subject} over {len(view.rounds)} rounds{current_worth_text}. Prices: {', '.join(price_texts) or 'none'}."
    )


def tiles_alt_text(view: TilesView) -> str:
    """Alt text of the tile picture: the number of tiles left of each kind."""
    tile_counts = [
        f"{tile.hex.tile}: {'any number' if tile.copies_left is None else tile.copies_left}"
        for tile in view.tiles
    ]
    return shortened_alt_text(f"Tiles left. {', '.join(tile_counts)}.")


def phases_alt_text(view: PhasesView) -> str:
    """Alt text of the phase table: tile colours, train limit, operating rounds and changes of each phase."""
    phase_texts = (
        f"Phase {phase.name}: {', '.join(phase.tile_colours)} tiles, limit {phase.train_limit}, "
        f"{phase.operating_rounds} operating rounds{''.join(f', {change}' for change in phase.changes)}."
        for phase in view.phases
    )
    return shortened_alt_text(" ".join(phase_texts))


def sale_alt_text(view: SaleView) -> str:
    """Alt text of the private auction: privates for sale, bids, players' money, and the privates' powers."""
    sale_cards = [lot for column in view.columns for lot in column]
    money_texts = [
        f"{seat_view.name} has {seat_view.money(seat_view.cash)}"
        f"{f', {seat_view.money(seat_view.free_cash)} free' if seat_view.committed_cash else ''}."
        for seat_view in view.seats
    ]
    power_texts = [
        f"{lot.badge.company}: {'. '.join(lot.rule_texts)}." for lot in sale_cards if lot.rule_texts
    ]
    return shortened_alt_text(
        " ".join(
            [
                f"{view.caption}.",
                *map(_lot_text, sale_cards),
                *money_texts,
                *view.upcoming_texts,
                *power_texts,
            ]
        )
    )


def scores_alt_text(view: ScoreView) -> str:
    """Alt text of the score sheet: the ranking of the players."""
    rows = [f"{row.rank}. {row.name} {row.money(row.total)}" for row in view.rows]
    return shortened_alt_text(f"The score sheet. {view.ending}: {', '.join(rows)}.")


def shortened_alt_text(text: str) -> str:
    """The text, cut between words if it exceeds MAX_ALT_TEXT_LENGTH."""
    if len(text) <= MAX_ALT_TEXT_LENGTH:
        return text
    return text[: MAX_ALT_TEXT_LENGTH - 2].rpartition(" ")[0] + " …"


def _shares_text(player: PlayerView) -> str:
    return "".join(f"{holding.badge.company} {holding.percent}%, " for holding in player.holdings)


def _lot_text(lot: SaleCardView) -> str:
    price = "" if lot.value is None else f", {lot.money(lot.value)}, income {lot.money(lot.income)}"
    bids = "".join(
        f", {claim.player} {claim.money(claim.amount)}" for claim in lot.claims if claim.amount is not None
    )
    return f"{lot.name}, {lot.badge.company}{price}: {lot.status}{bids}."


def _company_text(company: CompanyView) -> str:
    trains = " ".join(train for train, _ in company.trains) or "none"
    price, treasury = company.money(company.price), company.money(company.treasury)
    return f"{company.badge.company}: price {price}, treasury {treasury}, trains {trains}."
