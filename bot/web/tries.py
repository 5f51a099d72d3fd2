"""Work for workers: moves that are tried on a copy of a game, and what it looks like then, as JSON."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any, NamedTuple

from bot.table.moves.menus import offer_of
from bot.table.moves.moves import ASIDE, quick_fillings, told_apart
from bot.table.style import in_words, plain
from bot.table.what_if.trying import Compose, Sight, of_key, of_picks, try_moves
from bot.table.what_if.what_ifs import WhatIf
from bot.web.board_pictures import map_picture, market_picture
from bot.web.offers_as_json import Looks, offer_fields, step_fields
from bot.web.packing import Packed, whole
from bot.web.texts import plain_text
from engine.core.actions import RunRoutes
from engine.game import Game
from engine.tell.view_builders import map_view, market_view
from engine.tell.views import MapView
from engine.tell.what_if import shown_to


class Tried(NamedTuple):
    """A move that is tried: by the key of its button, or by an offer and what is picked in it."""

    move: str = ""
    key: str = ""
    picks: tuple[str, ...] = ()


def tried_packed(what_if: WhatIf, moves: Sequence[Tried], looks: Looks, begun: dict[str, Any]) -> Packed:
    """What came of these moves, as far as they were possible."""
    sight = try_moves(what_if, [_meant(one, what_if) for one in moves])
    game = sight.what_if.now() if sight.what_if.continues else None
    return whole(
        {
            **begun,
            "tried": [[plain_text(line) for line in step.lines] for step in sight.what_if.steps],
            "own": len(sight.what_if.own),
            "note": plain_text(sight.note),
            "changes": [plain_text(line) for line in sight.changes],
            "turn": None if sight.turn is None else asdict(sight.turn),
            "offers": [] if game is None else _offers(game, sight.what_if),
            "map": None if game is None else map_picture(_map(sight, game), looks.theme).sent(looks.map),
            "market": None
            if game is None
            else market_picture(market_view(game), looks.theme).sent(looks.market),
        }
    )


def tried_step_packed(
    what_if: WhatIf, moves: Sequence[Tried], asked: Tried, looks: Looks, begun: dict[str, Any]
) -> Packed:
    """The next step of a walk after these moves; raises Refused."""
    after = try_moves(what_if, [_meant(one, what_if) for one in moves]).what_if
    game = after.now()
    with in_words(game):
        offer = offer_of(game, asked.key, shown_to(game, after.looker))
        return whole({**begun, "step": step_fields(game, offer, asked.picks, looks)})


def _meant(tried: Tried, what_if: WhatIf) -> Compose:
    if tried.move:
        return of_key(tried.move, what_if.looker)
    return of_picks(tried.key, tried.picks, what_if.looker)


def _offers(game: Game, what_if: WhatIf) -> list[dict[str, Any]]:
    """What may be tried next, each with whose it is."""
    words = plain(game)
    return [
        {
            **offer_fields(words, offer, told_apart(quick_fillings(words, offer))),
            "for": offer.actor,
            "name": game.name(offer.actor),
        }
        for offer in game.offers(shown_to(game, what_if.looker))
        if offer.kind not in ASIDE
    ]


def _map(sight: Sight, game: Game) -> MapView:
    """The whole map, with its routes where the last move was a run."""
    ran = bool(sight.what_if.steps) and isinstance(sight.what_if.steps[-1].action, RunRoutes)
    return sight.map if ran and sight.map is not None else map_view(game)
