"""The view of the whole table."""

from engine.core.ids import PlayerId
from engine.game import Game
from engine.play.table import Table
from engine.tell.viewing.parts import caption
from engine.tell.viewing.phases import coming_trains
from engine.tell.viewing.sheets import company_view, player_view
from engine.tell.views import TableView


def table_view(game: Game, looker: PlayerId | None = None) -> TableView:
    """Players by companies, companies by what they have, trains to come, as a player or (None) everybody may see it."""
    t = game.table
    return TableView(
        title=t.spec.name,
        caption=caption(game),
        companies=tuple(company_view(game, company, looker) for company in _companies(t)),
        players=tuple(player_view(game, player.id, looker) for player in t.state.players),
        actors=() if game.over else tuple(game.actors()),
        trains=coming_trains(game),
        pool=tuple((name, t.spec.train(name).price) for name in t.state.pool),
        train_limit=t.phase.train_limit,
        train_limits=tuple(t.phase.train_limits.items()),
    )


def _companies(t: Table) -> list[str]:
    """In operating order, then those that are not started; what has left the game is not shown."""
    running = [company.id for company in t.operating_order()]
    rest = [c.id for c in t.state.companies.values() if c.id not in running and not c.closed]
    return [*running, *rest]
