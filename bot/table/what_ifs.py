"""What-ifs: moves that a user tries on a copy of a game; nothing is stored.

A what-if begins with the text of the game; each move adds the text of the copy after it. What-ifs are kept
in memory by game and user, bounded. Their buttons carry a number that names the what-if and its state;
after a restart they are refused.
"""

import re
import secrets
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import takewhile
from operator import methodcaller
from time import monotonic
from typing import Final, NamedTuple, TypeAlias
from zlib import compress, decompress

from bot.table.bounded_caches import BoundedDict
from bot.table.errors import Refused
from bot.table.live import LiveGame
from bot.table.markdown import MARKDOWN, as_refusals, markdown_teller, plain_teller
from bot.table.move_lines import changed_hexes, move_lines
from bot.table.moves import menus
from bot.table.moves.menus import offer_of, picked_walk
from bot.table.moves.moves import ASIDE, TypedMove, quick_fillings
from bot.table.moves.turn_buttons import TurnButton, offered_buttons
from bot.table.moves.verbs import VERBS
from bot.table.orders.automatic import MARK
from bot.table.orders.automatic import MOST as MOST_FORCED
from engine import (
    Action,
    Coord,
    Cursor,
    Game,
    IllegalAction,
    PlayerId,
    Request,
    TriedMove,
    differences,
    may_try,
    orders,
    teller_of,
    trial_player,
    try_move,
)
from engine import actions as game_actions
from engine.views import MapView, MarketView, TurnView, map_part_in_play, map_view, market_view, turn_view
from storage import GameRow

KEPT: Final = 200
"""The most what-ifs in memory, a few thousand characters for each move; the one used longest ago is dropped first."""
STATES: Final = 1000
"""The most states of a what-if with numbers of their own."""
NUMBERS: Final = 1_000_000
"""Range of random numbers for what-ifs, so that none is taken for one from before a restart."""
OVER: Final = "This what-if has ended. `/what-if` starts a new one."
GONE_ON: Final = "This button is outdated. The message now shows your current what-if."
SECRET: Final = "Money is secret in this game, so you can try moves only in your own turn."


class WhatIfStep(NamedTuple):
    """A what-if move, with the automatic moves after it."""

    action: Action
    lines: tuple[str, ...]
    hexes: tuple[Coord, ...]
    """Where the map changed."""
    priced: bool
    """True if a share price changed."""
    packed: bytes
    """The game afterwards."""
    continues: bool
    """True if the game stands at the next decision; else what follows was not looked at."""


@dataclass(frozen=True, slots=True)
class WhatIf:
    """A user's tried moves in a game, from the position after a log row."""

    row: GameRow
    user_id: int
    looker: PlayerId | None
    """The seat of the user who tries; None for an onlooker."""
    base: int
    """The last row of the log when it began."""
    packed: bytes
    """The game then."""
    number: int
    steps: tuple[WhatIfStep, ...] = ()
    changes: int = 0
    """Number of its changes."""

    @property
    def token(self) -> int:
        """The number of this state in buttons."""
        return self.number * STATES + self.changes % STATES

    @property
    def continues(self) -> bool:
        """True if more moves can be tried."""
        return not self.steps or self.steps[-1].continues

    @property
    def own_moves(self) -> tuple[WhatIfStep, ...]:
        """The user's own moves up to the first of another player: those that can be made."""
        return tuple(takewhile(lambda step: step.action.actor == self.looker, self.steps))

    def base_game(self) -> Game:
        """The game at the start of the what-if."""
        return unpack_game(self.packed)

    def current_game(self) -> Game:
        """The game after the tried moves; raises Refused if no more can be tried."""
        if not self.continues:
            raise Refused(SECRET)
        return unpack_game(self.steps[-1].packed if self.steps else self.packed)

    def with_steps(self, steps: Iterable[WhatIfStep]) -> "WhatIf":
        """The what-if with these moves."""
        return replace(self, steps=tuple(steps), changes=self.changes + 1)


class WhatIfs:
    """The current what-ifs by user and game, in memory."""

    def __init__(self) -> None:
        self._kept: BoundedDict[tuple[int, int], WhatIf] = BoundedDict(KEPT)

    def begin(self, live: LiveGame, user_id: int) -> WhatIf:
        """Start a what-if from the current position, replacing the user's last one; raises Refused."""
        looker = live.player_of(user_id)
        if live.game.over:
            raise Refused(f"Game {live.id} is over.")
        if not may_try(live.game, looker):
            raise Refused(SECRET)
        number = secrets.randbelow(NUMBERS)
        what_if = WhatIf(live.row, user_id, looker, live.seq, pack_game(live.game), number)
        self._kept[live.id, user_id] = what_if
        return what_if

    def find(self, game_id: int, user_id: int, token: int) -> WhatIf:
        """The user's what-if of a button; raises Refused if it is over, or has changed."""
        what_if = self._kept.get((game_id, user_id))
        if what_if is None or what_if.number != token // STATES:
            raise Refused(OVER)
        if what_if.token != token:
            raise Refused(GONE_ON)
        return what_if

    def replace(self, before: WhatIf, after: WhatIf) -> None:
        """Store the next state of a what-if; raises Refused if it has changed meanwhile."""
        what_if = self.find(before.row.id, before.user_id, before.token)
        self._kept[what_if.row.id, what_if.user_id] = after


def pack_game(game: Game) -> bytes:
    return compress(game.dump().encode())


def unpack_game(text: bytes) -> Game:
    return Game.load(decompress(text).decode())


MOST_MOVES: Final = 50
"""Moves of one what-if."""
ENOUGH: Final = f"A what-if has at most {MOST_MOVES} moves. Undo some or start a new one."
RUN_SECONDS: Final = 2.0
"""Seconds of search for the best runs before and after; companies whose turn it is not then are left out."""

TrialMove: TypeAlias = Callable[[Game], Cursor]
"""Finds the whole walk to a move in the copy; raises IllegalAction or Refused."""


@dataclass(frozen=True, slots=True)
class WhatIfView:
    """A what-if's message content."""

    what_if: WhatIf
    note: str
    """Why the last move that was asked for is not possible; empty where all were."""
    changes: tuple[str, ...]
    """The position summary where the what-if began, and now."""
    turn: TurnView | None
    """The turn now; None where that was not looked at."""
    words: tuple[str, ...]
    """The offers then, each in a few words."""
    entries: tuple[TurnButton, ...]
    """The same as buttons."""
    map: MapView | None
    around: tuple[Coord, ...]
    """The hexes around which the map is shown; none: all of it."""
    market: MarketView | None


def view_of_what_if(what_if: WhatIf) -> WhatIfView:
    """The message content of a what-if; its last move is repeated if its position was not stored."""
    if what_if.continues:
        return _sight(what_if, what_if.current_game())
    *before, last = what_if.steps
    sight = try_moves(what_if.with_steps(before), same_moves([last.action]))
    return replace(sight, what_if=what_if)


def try_moves(what_if: WhatIf, moves: Iterable[TrialMove]) -> WhatIfView:
    """Try these moves in order, as far as possible."""
    game, ran, note = what_if.current_game(), None, ""
    try:
        for move in moves:
            what_if, game, ran = _make_one(what_if, game, move)
    except IllegalAction as problem:
        note = markdown_teller(game).refusal(problem)
    except Refused as problem:
        note = str(problem)
    sight = _sight(what_if, game, note)
    return sight if ran is None else replace(sight, map=ran, around=())


# --- which move is meant --------------------------------------------------------------------------------------------


def same_moves(actions: Iterable[Action]) -> Iterator[TrialMove]:
    """The moves to be tried once more."""
    return (methodcaller("walk", Request.of_action(action)) for action in actions)


def move_of_key(key: str, viewer: PlayerId | None, game: Game) -> Cursor:
    """The one-click move of a button; partially applied, a TrialMove."""
    for offer in game.offers(trial_player(game, viewer)):
        for quick in quick_fillings(plain_teller(game), offer):
            if quick.key == key:
                return quick(game, offer.actor)
    raise Refused("This is no longer possible.")


def move_of_picks(key: str, picks: Sequence[str], viewer: PlayerId | None, game: Game) -> Cursor:
    """The move of these picks in the offer with a menu's key; partially applied, a TrialMove."""
    return picked_walk(game, offer_of(game, key, trial_player(game, viewer)), picks)


def step_of(what_if: WhatIf, key: str, picks: Sequence[str], page: int) -> menus.Step:
    """The next step in an offer of the copy; raises Refused."""
    game = what_if.current_game()
    with as_refusals(game):
        return menus.next_step(game, offer_of(game, key, trial_player(game, what_if.looker)), picks, page)


def typed_moves(text: str, viewer: PlayerId | None) -> list[TrialMove]:
    """Moves typed as commands, separated by `then`: `lay G5 57 2 then token G5`. Raises Refused."""
    pieces = (piece.strip().removeprefix("/") for piece in re.split(r"\bthen\b", text))
    return [_typed(piece, viewer) for piece in pieces if piece]


def _typed(text: str, viewer: PlayerId | None) -> TrialMove:
    name, _, details = text.partition(" ")
    verb = VERBS.get(name.casefold())
    if verb is None:
        raise Refused(f"There is no move {name}. Choose the first word from the list, e.g. `move:buy`.")
    return partial(_of_typed, TypedMove(verb.kind, verb.split_values(details)), viewer)


def _of_typed(move: TypedMove, viewer: PlayerId | None, game: Game) -> Cursor:
    return move(game, _player_meant(game, viewer, move.kind))


def _player_meant(game: Game, viewer: PlayerId | None, kind: str) -> PlayerId:
    """The player meant: the user's own if they can, else the one on turn; raises Refused."""
    actors = game.actors()
    if not actors:
        raise Refused("The game ends there.")
    if viewer is not None and (viewer in actors or any(offer.kind == kind for offer in game.offers(viewer))):
        return viewer
    return actors[0]


# --- trying ---------------------------------------------------------------------------------------------------------


def _make_one(what_if: WhatIf, game: Game, move: TrialMove) -> tuple[WhatIf, Game, MapView | None]:
    """Make one move and its automatic moves; returns the what-if, the game, and the map with routes."""
    if len(what_if.steps) == MOST_MOVES:
        raise Refused(ENOUGH)
    if not what_if.continues or not may_try(game, what_if.looker):
        raise Refused(SECRET)
    before = differences.share_prices(game)
    walk = move(game)
    action = walk.action()
    ran = map_view(game, action.routes) if isinstance(action, game_actions.RunRoutes) else None
    seen = list(_followed(game, walk, what_if.looker))
    last, _ = seen[-1]
    step = WhatIfStep(
        action,
        tuple(line for _, lines in seen for line in lines),
        changed_hexes(event for found, _ in seen for event in found.events),
        differences.share_prices(last.game) != before,
        pack_game(last.game),
        last.continues,
    )
    return what_if.with_steps((*what_if.steps, step)), last.game, ran


def _followed(
    game: Game, cursor: Cursor, viewer: PlayerId | None
) -> Iterator[tuple[TriedMove, Sequence[str]]]:
    """The move and the forced moves after it, with lines."""
    trial = try_move(game, cursor, viewer)
    yield trial, move_lines(trial.events, trial.game, cursor.offer)
    for _ in range(MOST_FORCED):
        forced = orders.forced_move(game) if trial.continues and may_try(game, viewer) else None
        if forced is None:
            return
        trial = try_move(game, forced.walk, viewer)
        *lines, last = move_lines(trial.events, trial.game, forced.walk.offer)
        yield trial, (*lines, f"{last} {MARK}")


# --- what is to be seen ---------------------------------------------------------------------------------------------


def _sight(what_if: WhatIf, game: Game, note: str = "") -> WhatIfView:
    here = game if what_if.continues else None
    step = what_if.steps[-1] if what_if.steps else None
    shows_map = step is None or bool(step.hexes)
    return WhatIfView(
        what_if=what_if,
        note=note,
        changes=tuple(_differences(what_if, game)),
        turn=None if here is None else turn_view(here),
        words=() if here is None else tuple(_choices_text(here, what_if.looker)),
        entries=()
        if here is None
        else offered_buttons(here, trial_player(here, what_if.looker), one_by_one=True),
        map=_map(game, step) if shows_map else None,
        around=() if step is None else step.hexes,
        market=market_view(game) if step is None or step.priced else None,
    )


def _map(game: Game, step: WhatIfStep | None) -> MapView:
    whole = map_view(game)
    return map_part_in_play(game, whole) if step is None else whole


def _differences(what_if: WhatIf, game: Game) -> Iterator[str]:
    before, words, until = what_if.base_game(), teller_of(game, MARKDOWN), monotonic() + RUN_SECONDS
    yield from map(words.say, differences.price_changes(before, game))
    if what_if.looker is not None:
        yield from map(words.say, differences.worth_change(before, game, what_if.looker))
    yield from map(words.say, differences.run_changes(before, game, lambda: monotonic() > until))


def _choices_text(game: Game, viewer: PlayerId | None) -> Iterator[str]:
    words = plain_teller(game)
    offers = (offer for offer in game.offers(trial_player(game, viewer)) if offer.kind not in ASIDE)
    return iter(dict.fromkeys(words.say(offer.label) for offer in offers if offer.blocking))
