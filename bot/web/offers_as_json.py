"""Decisions as JSON, for workers: offers, steps, effects of moves, and what-ifs."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from time import monotonic
from typing import Any, Final, NamedTuple

from bot.table.errors import Refused
from bot.table.markdown import as_refusals, plain_teller
from bot.table.moves.completions import items
from bot.table.moves.lays import ROUTE_SECONDS, SLOTS, lay_label
from bot.table.moves.menus import offer_of, picked_walk, progress_of, usual_amounts
from bot.table.moves.moves import (
    ASIDE,
    SEARCHED,
    OneClickMove,
    confirm_question,
    market_after,
    offer_key,
    quick_fillings,
    told_apart,
)
from bot.table.moves.slot_values import NOTHING, open_slot
from bot.table.moves.turn_buttons import turn_ends
from bot.table.what_ifs import TrialMove, WhatIf, WhatIfView, move_of_key, move_of_picks, try_moves
from bot.web.wire import Packed, SentPicture, fields_of, map_picture, market_picture, pack_object, plain_text
from engine import Cursor, Game, Offer, PlayerId, Teller, actions, fact, offers, preview, trial_player
from engine.views import LayView, MapView, lay_view, lay_views, map_view, market_view, spot_pages, spot_views
from render import hex_svg

ALL: Final = 100_000
"""More hexes than any map has: the page needs no pages of them."""


@dataclass(frozen=True, slots=True)
class PictureLooks:
    """A browser's theme, and the pictures it has."""

    theme: str
    map: SentPicture | None = None
    market: SentPicture | None = None


def offers_packed(
    game: Game,
    player: PlayerId,
    own: bool,
    searched: Sequence[OneClickMove],
    stepwise: frozenset[str],
    begun: dict[str, Any],
) -> Packed:
    """A player's offers as packed JSON; `searched` are one-click moves found by a search.

    `own`: the player decides, nobody for them. No move of the kinds that are made `stepwise` takes only one
    press.
    """
    words = plain_teller(game)

    def quick(offer: Offer) -> tuple[OneClickMove, ...]:
        if offer.kind in stepwise:
            return ()
        if offer.kind == SEARCHED:
            about = offer.actor, offer.entity
            return tuple(one for one in searched if (one.action.actor, one.action.entity) == about)
        return (turn_ends(game, offer) if own else ()) or told_apart(quick_fillings(words, offer))

    fields = [
        offer_fields(words, offer, quick(offer)) for offer in game.offers(player) if offer.kind not in ASIDE
    ]
    return pack_object({**begun, "for": player, "name": game.name(player), "offers": fields})


def step_packed(
    game: Game, key: str, picks: Sequence[str], looks: PictureLooks, begun: dict[str, Any]
) -> Packed:
    """The next step of an offer as packed JSON; raises Refused, IllegalAction."""
    return pack_object({**begun, "step": step_fields(game, offer_of(game, key), picks, looks)})


def offer_fields(teller: Teller, offer: Offer, quick: Sequence[OneClickMove]) -> dict[str, Any]:
    """An offer with its one-click moves."""
    return {
        "key": offer_key(offer),
        "kind": offer.kind,
        "entity": offer.entity,
        "label": teller.say(offer.label),
        "slots": [slot.name for slot in offer.slots],
        "labels": [teller.say(fact(f"slot.{slot.name}")) for slot in offer.slots],
        "blocking": offer.blocking,
        "confirm": offer.confirm,
        "quick": [
            {"move": one.key, "label": one.label, "confirm": one.confirm, "chosen": _filled_values(one)}
            for one in quick
        ],
    }


def _filled_values(quick: OneClickMove) -> dict[str, Any]:
    """The values of a one-click move by slot; routes as texts."""
    return dict(quick.action.chosen())


def step_fields(game: Game, offer: Offer, picks: Sequence[str], looks: PictureLooks) -> dict[str, Any]:
    """The next step after these picks, or the complete move's preview; raises Refused, IllegalAction."""
    here = picked_walk(game, offer, picks)
    if here.slot is None:
        return _ready(game, offer, here, looks)
    if isinstance(here.domain, offers.IntRange):
        return _amount(game, offer, here, here.domain)
    return _question(game, offer, here, looks)


def _picks_json(game: Game, cursor: Cursor) -> dict[str, Any]:
    """The picks of a cursor, routes as texts."""
    offer_way = progress_of(game, cursor)
    routes = cursor.chosen.get("routes")
    picked = offer_way.picked if routes is None else (*offer_way.picked, ";".join(routes) or NOTHING)
    return {"offer": offer_way.offer, "picked": picked, "labels": offer_way.labels, "back": offer_way.back}


def _question_fields(game: Game, offer: Offer, cursor: Cursor, kind: str) -> dict[str, Any]:
    assert cursor.slot is not None
    question = plain_teller(game).say(fact(f"slot.{cursor.slot.name}"))
    return {
        "ask": kind,
        "kind": offer.kind,
        "slot": cursor.slot.name,
        "question": question,
        **_picks_json(game, cursor),
    }


def _amount(game: Game, offer: Offer, cursor: Cursor, domain: offers.IntRange) -> dict[str, Any]:
    allowed = domain.allowed()
    if allowed is None:
        raise Refused(open_slot(game, cursor))
    return {
        **_question_fields(game, offer, cursor, "amount"),
        "low": domain.low,
        "high": domain.high - (domain.high - domain.low) % domain.step,
        "step": domain.step,
        "limits": plain_teller(game).say(allowed),
        "usual": [{"pick": [str(value)], "label": label} for value, label in usual_amounts(domain)],
    }


def _question(game: Game, offer: Offer, cursor: Cursor, looks: PictureLooks) -> dict[str, Any]:
    if tuple(slot.name for slot in offer.slots) == SLOTS:
        cursor = Cursor(offer, {name: cursor.chosen[name] for name in SLOTS[:1] if name in cursor.chosen})
        places = list(_lay_choices(game, cursor, looks) if cursor.chosen else _spots(game, cursor))
    else:
        places = list(_value_choices(game, cursor))
    if not places:
        raise Refused(open_slot(game, cursor))
    return {**_question_fields(game, offer, cursor, "choice"), "choices": places}


def _spots(game: Game, cursor: Cursor) -> Iterator[dict[str, Any]]:
    """The hexes for a lay."""
    for page in spot_pages(game, cursor, ALL):
        for spot in spot_views(game, page):
            cost = f", ${spot.cost}" if spot.cost else ""
            label = f"{' '.join(filter(None, (spot.coord, spot.name)))}{cost}"
            yield {"pick": [spot.coord], "label": label, "hex": spot.coord, "cost": spot.cost}


def _lay_choices(game: Game, cursor: Cursor, looks: PictureLooks) -> Iterator[dict[str, Any]]:
    """The tiles for a hex in every rotation."""
    until, on_map = monotonic() + ROUTE_SECONDS, map_view(game)
    for lay in lay_views(game, cursor, lambda: monotonic() > until):
        pick = [lay.tile, str(lay.rotation)]
        yield {"pick": pick, "label": lay_label(lay), **lay_fields(on_map, lay, looks.theme)}


def lay_fields(on_map: MapView, lay: LayView, theme: str) -> dict[str, Any]:
    """A tile in its hex."""
    svg = hex_svg(on_map, lay.hex, theme=theme)
    return {**fields_of(lay), "hex": lay.hex.coord, "view": lay.hex, "svg": svg}


def _value_choices(game: Game, cursor: Cursor) -> Iterator[dict[str, Any]]:
    """A slot's values with details."""
    assert cursor.slot is not None
    name = cursor.slot.name
    for value, label in items(plain_teller(game), cursor.domain):
        about: dict[str, Any] = {"value": value}
        if name == "hex":
            about["hex"] = value
        elif name == "city":
            about |= {"hex": cursor.chosen.get("hex"), "stop": value}
        elif value in game.title.spec.companies:
            about["company"] = value
        elif value in game.title.spec.privates:
            about["private"] = value
        elif name in ("price", "value"):
            about["price"] = value
        yield {"pick": [str(value) or NOTHING], "label": label or NOTHING, **about}


def _ready(game: Game, offer: Offer, cursor: Cursor, looks: PictureLooks) -> dict[str, Any]:
    quick, shown = OneClickMove.of(plain_teller(game), cursor), preview(game, cursor)
    market = market_after(game, quick)
    return {
        "ask": "nothing",
        "kind": offer.kind,
        **_picks_json(game, cursor),
        "move": quick.key,
        "label": quick.label,
        "confirm": quick.confirm,
        "summary": shown.summary,
        "full": shown.full,
        "lines": shown.lines,
        "sure": plain_text(confirm_question(game, quick)) if quick.confirm else None,
        "market": None if market is None else market_picture(market, looks.theme).for_browser(looks.market),
        **_drawn(game, cursor, quick, looks),
    }


def _drawn(game: Game, cursor: Cursor, quick: OneClickMove, looks: PictureLooks) -> dict[str, Any]:
    """The move on the map: a laid tile, or routes."""
    if isinstance(quick.action, actions.RunRoutes):
        return run_fields(map_view(game, quick.action.routes), looks)
    if tuple(slot.name for slot in cursor.offer.slots) == SLOTS:
        return {"map": None, "lay": lay_fields(map_view(game), lay_view(game, cursor), looks.theme)}
    return {"map": None}


def run_fields(run_map: MapView, looks: PictureLooks) -> dict[str, Any]:
    """A run's routes, with revenue and map."""
    return {
        "runs": run_map.runs,
        "total": sum(run.value for run in run_map.runs),
        "map": map_picture(run_map, looks.theme).for_browser(looks.map),
    }


class TrialRequest(NamedTuple):
    """A tried move: the key of its button, or an offer with picks."""

    move: str = ""
    key: str = ""
    picks: tuple[str, ...] = ()


def tried_packed(
    what_if: WhatIf, moves: Sequence[TrialRequest], looks: PictureLooks, begun: dict[str, Any]
) -> Packed:
    """The result of tried moves, packed."""
    sight = try_moves(what_if, [_meant(move, what_if) for move in moves])
    game = sight.what_if.current_game() if sight.what_if.continues else None
    return pack_object(
        {
            **begun,
            "tried": [[plain_text(line) for line in step.lines] for step in sight.what_if.steps],
            "own": len(sight.what_if.own_moves),
            "note": plain_text(sight.note),
            "changes": [plain_text(line) for line in sight.changes],
            "turn": sight.turn,
            "offers": [] if game is None else _offers(game, sight.what_if),
            "map": None
            if game is None
            else map_picture(_map(sight, game), looks.theme).for_browser(looks.map),
            "market": None
            if game is None
            else market_picture(market_view(game), looks.theme).for_browser(looks.market),
        }
    )


def tried_step_packed(
    what_if: WhatIf,
    moves: Sequence[TrialRequest],
    trial: TrialRequest,
    looks: PictureLooks,
    begun: dict[str, Any],
) -> Packed:
    """The next step of an offer after tried moves; raises Refused."""
    after = try_moves(what_if, [_meant(move, what_if) for move in moves]).what_if
    game = after.current_game()
    with as_refusals(game):
        offer = offer_of(game, trial.key, trial_player(game, after.looker))
        return pack_object({**begun, "step": step_fields(game, offer, trial.picks, looks)})


def _meant(trial: TrialRequest, what_if: WhatIf) -> TrialMove:
    if trial.move:
        return partial(move_of_key, trial.move, what_if.looker)
    return partial(move_of_picks, trial.key, trial.picks, what_if.looker)


def _offers(game: Game, what_if: WhatIf) -> list[dict[str, Any]]:
    """Offers that may be tried next, each with its player."""
    words = plain_teller(game)
    return [
        {
            **offer_fields(words, offer, told_apart(quick_fillings(words, offer))),
            "for": offer.actor,
            "name": game.name(offer.actor),
        }
        for offer in game.offers(trial_player(game, what_if.looker))
        if offer.kind not in ASIDE
    ]


def _map(sight: WhatIfView, game: Game) -> MapView:
    """The whole map, with routes after a run."""
    ran = bool(sight.what_if.steps) and isinstance(sight.what_if.steps[-1].action, actions.RunRoutes)
    return sight.map if ran and sight.map is not None else map_view(game)
