"""JSON of offers (decisions open to a player), their questions, previews and what-ifs; run by workers."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from time import monotonic
from typing import Any, Final, Literal, NamedTuple

from bot.table.errors import Refused
from bot.table.markdown import plain_teller, refusing_illegal_actions
from bot.table.moves.completions import domain_items
from bot.table.moves.lays import ROUTE_SEARCH_SECONDS, TILE_LAY_SLOTS, lay_label
from bot.table.moves.menus import menu_progress_of, offer_of, picked_cursor, usual_amounts
from bot.table.moves.moves import (
    KINDS_WITHOUT_BUTTON,
    RUN_TRAINS_KIND,
    OneClickMove,
    confirmation_question,
    market_after,
    moves_with_distinct_labels,
    offer_key,
    one_click_moves,
)
from bot.table.moves.slot_values import EMPTY_VALUE_WORD, missing_value_text
from bot.table.moves.turn_buttons import turn_ending_moves
from bot.table.what_ifs import TrialMove, WhatIf, WhatIfView, move_of_key, move_of_picks, try_moves
from bot.web.answers import Choice, OfferJson, RunFields, Step, TrialOffer
from bot.web.wire import (
    PackedText,
    SentPicture,
    map_picture,
    market_picture,
    pack_object,
    plain_text,
)
from engine import (
    Game,
    Offer,
    OfferCursor,
    PlayerId,
    Teller,
    actions,
    fact,
    offers,
    only_player_of_tried_moves,
    preview,
)
from engine.views import (
    LayView,
    MapView,
    lay_hex_pages,
    lay_hex_views,
    lay_view,
    lay_views,
    map_view,
    market_view,
)
from render import hex_svg

HEX_PAGE_SIZE: Final = 100_000
"""Page size of the list of hexes; no map has as many, so the list is never split into pages."""


@dataclass(frozen=True, slots=True)
class BrowserPictures:
    """A browser's theme, and the map and market pictures that it already has."""

    theme: str
    map: SentPicture | None = None
    market: SentPicture | None = None


def packed_offers(
    game: Game,
    player: PlayerId,
    is_own: bool,
    found_moves: Sequence[OneClickMove],
    stepwise_kinds: frozenset[str],
    response_start: dict[str, Any],
) -> PackedText:
    """A player's offers (open decisions) as compressed JSON, with one-click moves.

    `is_own`: the player decides for themselves. `found_moves` are one-click moves found by a search. Offers of
    `stepwise_kinds` get no one-click moves.
    """
    teller = plain_teller(game)

    def one_click_moves_of(offer: Offer) -> tuple[OneClickMove, ...]:
        if offer.kind in stepwise_kinds:
            return ()
        if offer.kind == RUN_TRAINS_KIND:
            actor_and_entity = offer.actor, offer.entity
            return tuple(
                move for move in found_moves if (move.action.actor, move.action.entity) == actor_and_entity
            )
        return (turn_ending_moves(game, offer) if is_own else ()) or moves_with_distinct_labels(
            one_click_moves(teller, offer)
        )

    offers_json = [
        offer_fields(teller, offer, one_click_moves_of(offer))
        for offer in game.offers(player)
        if offer.kind not in KINDS_WITHOUT_BUTTON
    ]
    return pack_object(
        {**response_start, "player": player, "player_name": game.name(player), "offers": offers_json}
    )


def packed_step(
    game: Game,
    key: str,
    picks: Sequence[str],
    browser_pictures: BrowserPictures,
    response_start: dict[str, Any],
) -> PackedText:
    """The next question of an offer after these picks, as compressed JSON; raises Refused, IllegalAction."""
    return pack_object(
        {**response_start, "step": step_fields(game, offer_of(game, key), picks, browser_pictures)}
    )


def offer_fields(teller: Teller, offer: Offer, one_clicks: Sequence[OneClickMove]) -> OfferJson:
    """An offer (decision open to a player) as JSON, with its one-click moves."""
    return {
        "key": offer_key(offer),
        "kind": offer.kind,
        "entity": offer.entity,
        "label": teller.say(offer.label),
        "slot_names": [slot.name for slot in offer.slots],
        "slot_labels": [teller.say(fact(f"slot.{slot.name}")) for slot in offer.slots],
        "is_blocking": offer.blocking,
        "needs_confirmation": offer.confirm,
        "one_click_moves": [
            {
                "move_key": move.key,
                "label": move.label,
                "needs_confirmation": move.needs_confirmation,
                "values_by_slot": _values_by_slot(move),
            }
            for move in one_clicks
        ],
    }


def _values_by_slot(one_click_move: OneClickMove) -> dict[str, Any]:
    return dict(one_click_move.action.chosen())


def step_fields(game: Game, offer: Offer, picks: Sequence[str], browser_pictures: BrowserPictures) -> Step:
    """The next question of an offer after these picks, or a preview if the move is complete.

    Raises Refused, IllegalAction.
    """
    cursor = picked_cursor(game, offer, picks)
    if cursor.slot is None:
        return _complete_move_step(game, offer, cursor, browser_pictures)
    if isinstance(cursor.domain, offers.IntRange):
        return _amount_step(game, offer, cursor, cursor.domain)
    return _question_step(game, offer, cursor, browser_pictures)


def _step_at(
    game: Game, offer: Offer, cursor: OfferCursor, input_kind: Literal["choice", "amount", "nothing"]
) -> Step:
    progress = menu_progress_of(game, cursor)
    routes = cursor.chosen.get("routes")
    picked = progress.picked if routes is None else (*progress.picked, ";".join(routes) or EMPTY_VALUE_WORD)
    return {
        "input_kind": input_kind,
        "kind": offer.kind,
        "offer_label": progress.offer,
        "picks": picked,
        "pick_labels": progress.labels,
        "picks_before": progress.picks_before,
    }


def _step_with_question(
    game: Game, offer: Offer, cursor: OfferCursor, input_kind: Literal["choice", "amount"]
) -> Step:
    assert cursor.slot is not None
    question = plain_teller(game).say(fact(f"slot.{cursor.slot.name}"))
    return _step_at(game, offer, cursor, input_kind) | {"slot": cursor.slot.name, "question": question}


def _amount_step(game: Game, offer: Offer, cursor: OfferCursor, domain: offers.IntRange) -> Step:
    allowed_text = domain.allowed()
    if allowed_text is None:
        raise Refused(missing_value_text(game, cursor))
    return _step_with_question(game, offer, cursor, "amount") | {
        "minimum": domain.low,
        "maximum": domain.high - (domain.high - domain.low) % domain.step,
        "increment": domain.step,
        "limits_text": plain_teller(game).say(allowed_text),
        "usual_amounts": [
            {"picks": [str(value)], "label": label}
            for value, label in usual_amounts(domain, game.rules.spec.currency)
        ],
    }


def _question_step(game: Game, offer: Offer, cursor: OfferCursor, browser_pictures: BrowserPictures) -> Step:
    if tuple(slot.name for slot in offer.slots) == TILE_LAY_SLOTS:
        cursor = OfferCursor(
            offer, {name: cursor.chosen[name] for name in TILE_LAY_SLOTS[:1] if name in cursor.chosen}
        )
        choices = list(
            _lay_choices(game, cursor, browser_pictures) if cursor.chosen else _hex_choices(game, cursor)
        )
    else:
        choices = list(_value_choices(game, cursor))
    if not choices:
        raise Refused(missing_value_text(game, cursor))
    step = _step_with_question(game, offer, cursor, "choice")
    step["choices"] = choices
    return step


def _hex_choices(game: Game, cursor: OfferCursor) -> Iterator[Choice]:
    for page in lay_hex_pages(game, cursor, HEX_PAGE_SIZE):
        for hex_option in lay_hex_views(game, page):
            cost = f", {hex_option.money(hex_option.cost)}" if hex_option.cost else ""
            label = f"{' '.join(filter(None, (hex_option.coord, hex_option.name)))}{cost}"
            yield {
                "picks": [hex_option.coord],
                "label": label,
                "hex": hex_option.coord,
                "cost": hex_option.cost,
            }


def _lay_choices(game: Game, cursor: OfferCursor, browser_pictures: BrowserPictures) -> Iterator[Choice]:
    deadline, whole_map = monotonic() + ROUTE_SEARCH_SECONDS, map_view(game)
    for lay in lay_views(game, cursor, lambda: monotonic() > deadline):
        yield lay_choice(whole_map, lay, browser_pictures.theme)


def lay_choice(whole_map: MapView, lay: LayView, theme: str) -> Choice:
    """A tile lay as a choice, with a picture of its hex after the lay."""
    return {
        "picks": [lay.tile, str(lay.rotation)],
        "label": lay_label(lay),
        "tile": lay.tile,
        "rotation": lay.rotation,
        "sides": lay.sides,
        "copies_left": lay.copies_left,
        "cost": lay.cost,
        "revenue_change": lay.revenue_change,
        "hex": lay.hex.coord,
        "svg": hex_svg(whole_map, lay.hex, theme=theme),
    }


def _value_choices(game: Game, cursor: OfferCursor) -> Iterator[Choice]:
    assert cursor.slot is not None
    name = cursor.slot.name
    for value, label in domain_items(plain_teller(game), cursor.domain):
        choice: Choice = {
            "picks": [str(value) or EMPTY_VALUE_WORD],
            "label": label or EMPTY_VALUE_WORD,
            "value": value,
        }
        if name == "hex":
            choice["hex"] = str(value)
        elif name == "city":
            choice["hex"], choice["stop"] = cursor.chosen.get("hex"), int(value)
        elif value in game.title.spec.companies:
            choice["company"] = value
        elif value in game.title.spec.privates:
            choice["private"] = value
        elif name in ("price", "value"):
            choice["price"] = int(value)
        yield choice


def _complete_move_step(
    game: Game, offer: Offer, cursor: OfferCursor, browser_pictures: BrowserPictures
) -> Step:
    one_click_move, move_preview = OneClickMove.of(plain_teller(game), cursor), preview(game, cursor)
    market = market_after(game, one_click_move)
    step = _step_at(game, offer, cursor, "nothing") | {
        "move_key": one_click_move.key,
        "label": one_click_move.label,
        "needs_confirmation": one_click_move.needs_confirmation,
        "summary": move_preview.summary,
        "full_text": move_preview.full_text,
        "lines": move_preview.lines,
        "confirmation_question": plain_text(confirmation_question(game, one_click_move))
        if one_click_move.needs_confirmation
        else None,
        "market": None
        if market is None
        else market_picture(market, browser_pictures.theme).for_browser(browser_pictures.market),
    }
    if isinstance(one_click_move.action, actions.RunRoutes):
        routes_json = run_fields(map_view(game, one_click_move.action.routes), browser_pictures)
        step["runs"], step["total"], step["map"] = (
            routes_json["runs"],
            routes_json["total"],
            routes_json["map"],
        )
    elif tuple(slot.name for slot in cursor.offer.slots) == TILE_LAY_SLOTS:
        step["lay"] = lay_choice(map_view(game), lay_view(game, cursor), browser_pictures.theme)
    return step


def run_fields(run_map: MapView, browser_pictures: BrowserPictures) -> RunFields:
    """A company's routes as JSON, with revenue and a map that shows them."""
    return {
        "runs": run_map.runs,
        "total": sum(run.revenue for run in run_map.runs),
        "map": map_picture(run_map, browser_pictures.theme).for_browser(browser_pictures.map),
    }


class TrialRequest(NamedTuple):
    """A move tried in a what-if: the key of a one-click move, or an offer's key with picks."""

    move_key: str = ""
    offer_key: str = ""
    picks: tuple[str, ...] = ()


def packed_what_if(
    what_if: WhatIf,
    moves: Sequence[TrialRequest],
    browser_pictures: BrowserPictures,
    response_start: dict[str, Any],
) -> PackedText:
    """The position after moves tried in a what-if, as compressed JSON."""
    what_if_view = try_moves(what_if, [_trial_move(move, what_if) for move in moves])
    game = what_if_view.what_if.current_game() if what_if_view.what_if.may_continue else None
    return pack_object(
        {
            **response_start,
            "lines_by_move": [
                [plain_text(line) for line in step.lines] for step in what_if_view.what_if.steps
            ],
            "own_move_count": len(what_if_view.what_if.own_moves),
            "note": plain_text(what_if_view.note),
            "changes": [plain_text(line) for line in what_if_view.change_texts],
            "turn": what_if_view.turn,
            "offers": [] if game is None else _next_offers(game, what_if_view.what_if),
            "map": None
            if game is None
            else map_picture(_map_after(what_if_view, game), browser_pictures.theme).for_browser(
                browser_pictures.map
            ),
            "market": None
            if game is None
            else market_picture(market_view(game), browser_pictures.theme).for_browser(
                browser_pictures.market
            ),
        }
    )


def packed_what_if_step(
    what_if: WhatIf,
    moves: Sequence[TrialRequest],
    trial: TrialRequest,
    browser_pictures: BrowserPictures,
    response_start: dict[str, Any],
) -> PackedText:
    """The next question of an offer after moves tried in a what-if, as compressed JSON; raises Refused."""
    what_if_after = try_moves(what_if, [_trial_move(move, what_if) for move in moves]).what_if
    game = what_if_after.current_game()
    with refusing_illegal_actions(game):
        offer = offer_of(game, trial.offer_key, only_player_of_tried_moves(game, what_if_after.viewer))
        return pack_object(
            {**response_start, "step": step_fields(game, offer, trial.picks, browser_pictures)}
        )


def _trial_move(trial: TrialRequest, what_if: WhatIf) -> TrialMove:
    if trial.move_key:
        return partial(move_of_key, trial.move_key, what_if.viewer)
    return partial(move_of_picks, trial.offer_key, trial.picks, what_if.viewer)


def _next_offers(game: Game, what_if: WhatIf) -> list[TrialOffer]:
    """The offers that can be tried next in a what-if; each names its player."""
    teller = plain_teller(game)
    return [
        {
            **offer_fields(teller, offer, moves_with_distinct_labels(one_click_moves(teller, offer))),
            "player": offer.actor,
            "player_name": game.name(offer.actor),
        }
        for offer in game.offers(only_player_of_tried_moves(game, what_if.viewer))
        if offer.kind not in KINDS_WITHOUT_BUTTON
    ]


def _map_after(what_if_view: WhatIfView, game: Game) -> MapView:
    has_run = bool(what_if_view.what_if.steps) and isinstance(
        what_if_view.what_if.steps[-1].action, actions.RunRoutes
    )
    return what_if_view.map if has_run and what_if_view.map is not None else map_view(game)
