"""The view of a company's best routes, also while another one operates."""

from engine.core.ids import CompanyId
from engine.game import Game
from engine.tell.differences import operating
from engine.tell.view_builders.map import map_view
from engine.tell.views import BestRunView


def best_run_view(game: Game, company: CompanyId) -> BestRunView | None:
    """The best routes of a company as if it ran now; None where it has no train, or no route for one."""
    then = operating(game, company)
    found = None if then is None else then.best_run()
    if then is None or found is None or not found.runs:
        return None
    return BestRunView(map_view(then, found.routes), found.routes, found.revenue, found.upper)
