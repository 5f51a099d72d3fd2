"""Moves in a what-if, and what it shows then: what happened, a comparison with the game, the next offers."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from time import monotonic
from typing import Final, TypeAlias

from bot.table.errors import Refused
from bot.table.live import move_lines
from bot.table.moves import menus
from bot.table.moves.menus import offer_of, picked_walk
from bot.table.moves.moves import ASIDE, Typed, quick_fillings
from bot.table.moves.turn_buttons import Entry, offered
from bot.table.moves.verbs import VERBS
from bot.table.orders.automatic import MARK
from bot.table.orders.automatic import MOST as MOST_FORCED
from bot.table.style import MARKDOWN, in_words, marked, plain
from bot.table.what_if.what_ifs import SECRET, Step, WhatIf, packed
from engine.core.actions import Action, RunRoutes
from engine.core.errors import IllegalAction
from engine.core.events import Event, HomePlaced, TileLaid, TokenPlaced
from engine.core.ids import Coord, PlayerId
from engine.core.offers import Cursor
from engine.game import Game
from engine.orders import forced_move
from engine.play.steps.base import Request
from engine.tell.differences import own_worth, prices, runs, share_prices
from engine.tell.move_preview import Tried, may_try, shown_to, tried
from engine.tell.teller import tell
from engine.tell.view_builders import map_part_in_play, map_view, market_view, turn_view
from engine.tell.views import MapView, MarketView, TurnView

MOST: Final = 50
"""Moves of one what-if."""
ENOUGH: Final = f"A what-if has at most {MOST} moves. Take some back, or begin another one."
RUN_SECONDS: Final = 2.0
"""How long the best runs before and after are looked for; companies whose turn it is not then are left out."""

Compose: TypeAlias = Callable[[Game], Cursor]
"""Finds the whole walk to a move in the copy; raises IllegalAction or Refused."""


@dataclass(frozen=True, slots=True)
class Sight:
    """What a what-if shows."""

    what_if: WhatIf
    note: str
    """Why the last move that was asked for is not possible; empty where all were."""
    changes: tuple[str, ...]
    """The position summary where the what-if began, and now."""
    turn: TurnView | None
    """Whose turn it is now; None where that was not looked at."""
    words: tuple[str, ...]
    """What is offered then, each in a few words."""
    entries: tuple[Entry, ...]
    """The same as buttons."""
    map: MapView | None
    around: tuple[Coord, ...]
    """The hexes around which the map is shown; none: all of it."""
    market: MarketView | None


def look(what_if: WhatIf) -> Sight:
    """A what-if as it stands; its last move is tried once more where the position after it was not kept."""
    if what_if.continues:
        return _sight(what_if, what_if.now())
    *before, last = what_if.steps
    found = try_moves(what_if.at(before), again([last.action]))
    return replace(found, what_if=what_if)


def try_moves(what_if: WhatIf, moves: Iterable[Compose]) -> Sight:
    """Try these moves one after the other, as far as they are possible."""
    game, ran, note = what_if.now(), None, ""
    try:
        for move in moves:
            what_if, game, ran = _one(what_if, game, move)
    except IllegalAction as problem:
        note = marked(game).refusal(problem)
    except Refused as problem:
        note = str(problem)
    found = _sight(what_if, game, note)
    return found if ran is None else replace(found, map=ran, around=())


# --- which move is meant --------------------------------------------------------------------------------------------


def again(actions: Iterable[Action]) -> Iterator[Compose]:
    """The same moves once more."""
    return (partial(_walked, Request.of(action)) for action in actions)


def _walked(choice: Request, game: Game) -> Cursor:
    return game.walk(choice)


def of_key(key: str, looker: PlayerId | None) -> Compose:
    """The move of one click that a button names."""
    return partial(_of_key, key, looker)


def _of_key(key: str, looker: PlayerId | None, game: Game) -> Cursor:
    for offer in game.offers(shown_to(game, looker)):
        for quick in quick_fillings(plain(game), offer):
            if quick.key == key:
                return quick(game, offer.actor)
    raise Refused("That is not possible any more.")


def of_picks(key: str, picks: Sequence[str], looker: PlayerId | None) -> Compose:
    """The move to which these picks lead in the offer that a menu names."""
    return partial(_of_picks, key, picks, looker)


def _of_picks(key: str, picks: Sequence[str], looker: PlayerId | None, game: Game) -> Cursor:
    return picked_walk(game, offer_of(game, key, shown_to(game, looker)), picks)


def step_of(what_if: WhatIf, key: str, picks: Sequence[str], page: int) -> menus.Step:
    """The next step in the offer of the copy that a menu names; raises Refused."""
    game = what_if.now()
    with in_words(game):
        return menus.next_step(game, offer_of(game, key, shown_to(game, what_if.looker)), picks, page)


def typed(text: str, looker: PlayerId | None) -> list[Compose]:
    """Moves typed as commands are, with `then` between them: `lay G5 57 2 then token G5`. Raises Refused."""
    pieces = (piece.strip().removeprefix("/") for piece in re.split(r"\bthen\b", text))
    return [_typed(piece, looker) for piece in pieces if piece]


def _typed(text: str, looker: PlayerId | None) -> Compose:
    name, _, details = text.partition(" ")
    verb = VERBS.get(name.casefold())
    if verb is None:
        raise Refused(f"There is no verb {name}. Choose the first word from the list, e.g. `move:buy`.")
    return partial(_of_typed, Typed(verb.kind, verb.given(details)), looker)


def _of_typed(move: Typed, looker: PlayerId | None, game: Game) -> Cursor:
    return move(game, _whose(game, looker, move.kind))


def _whose(game: Game, looker: PlayerId | None, kind: str) -> PlayerId:
    """Which player is meant: the user's own, if they can do this, else the one on turn; raises Refused."""
    actors = game.actors()
    if not actors:
        raise Refused("The game is over there.")
    if looker is not None and (looker in actors or any(offer.kind == kind for offer in game.offers(looker))):
        return looker
    return actors[0]


# --- trying ---------------------------------------------------------------------------------------------------------


def _one(what_if: WhatIf, game: Game, move: Compose) -> tuple[WhatIf, Game, MapView | None]:
    """Make one move, and the automatic moves after it; the what-if, the game then, and the map with its routes."""
    if len(what_if.steps) == MOST:
        raise Refused(ENOUGH)
    if not what_if.continues or not may_try(game, what_if.looker):
        raise Refused(SECRET)
    before = share_prices(game)
    walk = move(game)
    action = walk.action()
    ran = map_view(game, action.routes) if isinstance(action, RunRoutes) else None
    seen = list(_followed(game, walk, what_if.looker))
    last, _ = seen[-1]
    step = Step(
        action,
        tuple(line for _, lines in seen for line in lines),
        _changed(event for found, _ in seen for event in found.events),
        share_prices(last.game) != before,
        packed(last.game),
        last.continues,
    )
    return what_if.at((*what_if.steps, step)), last.game, ran


def _followed(game: Game, walk: Cursor, looker: PlayerId | None) -> Iterator[tuple[Tried, Sequence[str]]]:
    """The move, and the forced moves after it, each with its lines."""
    found = tried(game, walk, looker)
    yield found, move_lines(found.events, found.game, walk.offer)
    for _ in range(MOST_FORCED):
        forced = forced_move(game) if found.continues and may_try(game, looker) else None
        if forced is None:
            return
        found = tried(game, forced.walk, looker)
        *lines, last = move_lines(found.events, found.game, forced.walk.offer)
        yield found, (*lines, f"{last} {MARK}")


def _changed(events: Iterable[Event]) -> tuple[Coord, ...]:
    return tuple(dict.fromkeys(e.hex for e in events if isinstance(e, TileLaid | TokenPlaced | HomePlaced)))


# --- what is to be seen ---------------------------------------------------------------------------------------------


def _sight(what_if: WhatIf, game: Game, note: str = "") -> Sight:
    here = game if what_if.continues else None
    step = what_if.steps[-1] if what_if.steps else None
    shows_map = step is None or bool(step.hexes)
    return Sight(
        what_if=what_if,
        note=note,
        changes=tuple(_differences(what_if, game)),
        turn=None if here is None else turn_view(here),
        words=() if here is None else tuple(_words(here, what_if.looker)),
        entries=() if here is None else offered(here, shown_to(here, what_if.looker), one_by_one=True),
        map=_map(game, step) if shows_map else None,
        around=() if step is None else step.hexes,
        market=market_view(game) if step is None or step.priced else None,
    )


def _map(game: Game, step: Step | None) -> MapView:
    whole = map_view(game)
    return map_part_in_play(game, whole) if step is None else whole


def _differences(what_if: WhatIf, game: Game) -> Iterator[str]:
    before, words, until = what_if.at_first(), tell(game, MARKDOWN), monotonic() + RUN_SECONDS
    yield from map(words.say, prices(before, game))
    if what_if.looker is not None:
        yield from map(words.say, own_worth(before, game, what_if.looker))
    yield from map(words.say, runs(before, game, lambda: monotonic() > until))


def _words(game: Game, looker: PlayerId | None) -> Iterator[str]:
    """What the player on turn can do now, each kind once."""
    words = plain(game)
    offers = (offer for offer in game.offers(shown_to(game, looker)) if offer.kind not in ASIDE)
    return iter(dict.fromkeys(words.say(offer.label) for offer in offers if offer.blocking))
