"""Track plans and best routes as compressed JSON; run by workers."""

from bot.table.errors import Refused
from bot.web.answers import Choice
from bot.web.offers_as_json import BrowserPictures, lay_choice, run_fields
from bot.web.wire import PackedText, map_picture, pack_object
from engine import CompanyId, Coord, Game, differences
from engine.views import (
    best_run_view,
    map_view,
    payouts_view,
    plan_view,
    planned_game,
    planned_lays,
    planned_tokens,
)


def packed_plan(
    game: Game, plan: str, company: CompanyId | None, browser_pictures: BrowserPictures
) -> PackedText:
    """A plan's parts, its cost for a company, and the map with its legal parts, as compressed JSON.

    Raises Refused, Unreadable.
    """
    view = plan_view(game, plan, _known_company(game, company))
    map_json = map_picture(view.map, browser_pictures.theme).for_browser(browser_pictures.map)
    return pack_object({"parts": view.parts, "cost": view.cost, "map": map_json})


def packed_plan_choices(
    game: Game, coord: Coord, plan: str, company: CompanyId | None, theme: str
) -> PackedText:
    """The tiles and tokens that a plan could add in a hex, as compressed JSON.

    Raises Refused, Unreadable.
    """
    if coord not in game.rules.spec.map.all_hexes:
        raise Refused(f"There is no hex {coord} on this map.")
    whole_map, paying_company = map_view(game), _known_company(game, company)
    tiles: list[Choice] = [
        {**lay_choice(whole_map, view.lay, theme), "picks": [view.text], "notes": view.notes}
        for view in planned_lays(game, plan, coord, paying_company)
    ]
    return pack_object({"tiles": tiles, "tokens": list(planned_tokens(game, plan, coord))})


def packed_routes(
    game: Game, company: CompanyId, plan: str, trains: str, browser_pictures: BrowserPictures
) -> PackedText:
    """A company's best routes and the dividends they allow, as compressed JSON.

    The routes run on the map after `plan`. `trains` are names separated by commas; if empty, the company runs its own
    trains. Raises Refused without a train or route, and Unreadable.
    """
    _known_company(game, company)
    train_names = trains.split(",") if trains else None
    game_after_plan = planned_game(game, plan, company, train_names)
    best_run = best_run_view(game_after_plan, company)
    if best_run is None:
        raise Refused(f"{company} has no train or no route.")
    earnings_before = (
        differences.earnings(planned_game(game, "", company, train_names), company).dollars if plan else None
    )
    return pack_object(
        {
            "company": company,
            **run_fields(best_run.map, browser_pictures),
            "total": best_run.revenue,
            "routes_text": ";".join(best_run.routes),
            "is_proven_best": best_run.revenue == best_run.upper_bound,
            "revenue_before": earnings_before,
            "payouts": payouts_view(game_after_plan, company, best_run.revenue),
        }
    )


def _known_company(game: Game, company: CompanyId | None) -> CompanyId | None:
    """Return the company; raises Refused if the title has no such company."""
    if company is not None and company not in game.title.spec.companies:
        raise Refused(f"There is no company {company}.")
    return company
