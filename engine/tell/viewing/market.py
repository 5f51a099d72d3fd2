"""The view of the stock market."""

from engine.core.facts import fact
from engine.core.state import Company, Operating
from engine.game import Game
from engine.play.table import Table
from engine.tell.marking import event_markers
from engine.tell.teller import tell
from engine.tell.viewing.parts import badge, caption
from engine.tell.views import CellView, MarketView, OrderView


def market_view(game: Game) -> MarketView:
    """The stock market with all markers and the operating order."""
    t = game.table
    columns = max(len(row) for row in t.grid.rows)
    rows = tuple(
        tuple(_cell(t, (r, c)) if t.grid.has((r, c)) else None for c in range(columns))
        for r in range(len(t.grid.rows))
    )
    moves = tuple(
        (company, old, new)
        for company, old in t.state.fresh.moves.items()
        if (new := t.state.companies[company].cell) is not None and new != old
    )
    order = tuple(_order(t, company) for company in t.operating_order())
    return MarketView(rows, _legend(game), order, moves, t.spec.name, caption(game))


def _legend(game: Game) -> tuple[tuple[str, str], ...]:
    say = tell(game).say
    zones = game.table.spec.market.zones
    return (
        ("P", say(fact("legend.par"))),
        *((zone.letter, say(fact("legend.zone", name=zone.name, legend=zone.legend))) for zone in zones),
    )


def _cell(t: Table, cell: tuple[int, int]) -> CellView:
    square = t.grid.square(cell)
    row, column = cell
    return CellView(
        price=square.price,
        zone=square.zone,
        par=square.par,
        up_arrow=row > 0 and not t.grid.has((row, column + 1)),
        down_arrow=column == 0 and t.grid.has((row + 1, 0)),
        ledge=not t.grid.has((row + 1, column)),
        end=t.grid.ends_game(cell),
        tokens=tuple(badge(t, company) for company in t.state.in_cell(cell)),
    )


def _order(t: Table, company: Company) -> OrderView:
    assert company.president is not None
    progress = ""
    now = t.state.round
    if isinstance(now, Operating) and company.floated:
        acting = now.turn is not None and now.turn.company == company.id
        progress = "acting" if acting else "done" if company.id in now.done else "waiting"
    name = t.state.player(company.president).name
    return OrderView(
        badge(t, company.id),
        t.price(company),
        name,
        company.floated,
        progress,  # type: ignore[arg-type]
        event_markers(t, company),
    )
