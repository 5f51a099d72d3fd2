"""What-ifs: a user tries moves on a private copy of a game. Nothing is stored in the database.

A what-if keeps compressed copies of the game, at its start and after each move. Each user has at most one what-if in
each game. Each button carries a number that identifies its what-if and the state of that what-if. After a restart,
earlier buttons are refused.
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
from bot.table.markdown import MARKDOWN, markdown_teller, plain_teller, refusing_illegal_actions
from bot.table.move_lines import changed_hexes, move_lines
from bot.table.moves import menus
from bot.table.moves.menus import offer_of, picked_cursor
from bot.table.moves.moves import KINDS_WITHOUT_BUTTON, TypedMove, one_click_moves
from bot.table.moves.turn_buttons import TurnButton, offered_buttons
from bot.table.moves.verbs import MOVE_COMMANDS
from bot.table.orders.automatic import AUTOMATIC_MARK
from bot.table.orders.automatic import MAX_AUTOMATIC_MOVES as MAX_FORCED
from engine import (
    Action,
    Coord,
    Game,
    IllegalAction,
    OfferCursor,
    PlayerId,
    Request,
    TriedMove,
    differences,
    has_hidden_cards,
    may_try_moves,
    only_player_of_tried_moves,
    orders,
    teller_of,
    try_move,
)
from engine import actions as game_actions
from engine.views import MapView, MarketView, TurnView, map_part_in_play, map_view, market_view, turn_view
from storage import GameRow

MAX_WHAT_IFS: Final = 200
"""Maximum number of what-ifs in memory, a few kilobytes per move. The one changed longest ago is dropped first."""
STATES_PER_WHAT_IF: Final = 1000
"""The number of different states of one what-if that the numbers in buttons can distinguish."""
WHAT_IF_NUMBER_LIMIT: Final = 1_000_000
"""Random what-if numbers are below this. It is large, so that an old button hardly ever fits a new what-if."""
WHAT_IF_ENDED: Final = "This what-if has ended. `/what-if` starts a new one."
OUTDATED_BUTTON: Final = "This button is outdated. The message now shows your current what-if."
MONEY_IS_SECRET: Final = "Money is secret in this game, so you can try moves only in your own turn."
CARDS_ARE_SECRET: Final = "Cards are secret in this draft, so you can try moves only after it."


class WhatIfStep(NamedTuple):
    """A step of a what-if: a move that the user has tried, and the forced moves that follow it."""

    action: Action
    lines: tuple[str, ...]
    hexes: tuple[Coord, ...]
    """The hexes that these moves changed."""
    has_new_price: bool
    """True if these moves changed a share price."""
    packed_game: bytes
    """The game after these moves, as compressed text."""
    may_continue: bool
    """True if the what-if may continue after this step; False if another move would show secret money."""


@dataclass(frozen=True, slots=True)
class WhatIf:
    """The moves that a user has tried on a private copy of a game, from the position after log row `base_seq`."""

    row: GameRow
    user_id: int
    viewer: PlayerId | None
    """The player for whom the user plays; None for a spectator."""
    base_seq: int
    """The number of the last log row when the what-if began."""
    packed_game: bytes
    """The game at the start of the what-if, as compressed text."""
    number: int
    """A random number that identifies the what-if."""
    steps: tuple[WhatIfStep, ...] = ()
    change_count: int = 0
    """The number of changes to this what-if so far: moves tried, and moves taken back."""

    @property
    def token(self) -> int:
        """The number (token) in the what-if's buttons, which identifies the what-if and its current state."""
        return self.number * STATES_PER_WHAT_IF + self.change_count % STATES_PER_WHAT_IF

    @property
    def may_continue(self) -> bool:
        """True if the what-if may continue with another move; False if that would show secret money."""
        return not self.steps or self.steps[-1].may_continue

    @property
    def own_moves(self) -> tuple[WhatIfStep, ...]:
        """The tried moves before the first one of another player. Only these can also be made in the real game."""
        return tuple(takewhile(lambda step: step.action.actor == self.viewer, self.steps))

    def base_game(self) -> Game:
        """The game at the start of the what-if."""
        return unpack_game(self.packed_game)

    def current_game(self) -> Game:
        """The game after all tried moves; raises Refused if it would show secret money."""
        if not self.may_continue:
            raise Refused(MONEY_IS_SECRET)
        return unpack_game(self.steps[-1].packed_game if self.steps else self.packed_game)

    def with_steps(self, steps: Iterable[WhatIfStep]) -> "WhatIf":
        """The what-if with `steps` in place of the moves tried so far."""
        return replace(self, steps=tuple(steps), change_count=self.change_count + 1)


class WhatIfs:
    """All what-ifs in memory, by game and user."""

    def __init__(self) -> None:
        self._what_ifs: BoundedDict[tuple[int, int], WhatIf] = BoundedDict(MAX_WHAT_IFS)

    def begin(self, live: LiveGame, user_id: int) -> WhatIf:
        """Begin a what-if at the current position of a game, replacing the user's earlier one; raises Refused."""
        viewer = live.player_of(user_id)
        if live.game.is_over:
            raise Refused(f"Game {live.id} is over.")
        if not may_try_moves(live.game, viewer):
            raise Refused(CARDS_ARE_SECRET if has_hidden_cards(live.game) else MONEY_IS_SECRET)
        number = secrets.randbelow(WHAT_IF_NUMBER_LIMIT)
        what_if = WhatIf(live.row, user_id, viewer, live.seq, pack_game(live.game), number)
        self._what_ifs[live.id, user_id] = what_if
        return what_if

    def find(self, game_id: int, user_id: int, token: int) -> WhatIf:
        """The what-if to which a button with this token belongs.

        Raises Refused if the what-if has ended, or if it has changed after the button was shown.
        """
        what_if = self._what_ifs.get((game_id, user_id))
        if what_if is None or what_if.number != token // STATES_PER_WHAT_IF:
            raise Refused(WHAT_IF_ENDED)
        if what_if.token != token:
            raise Refused(OUTDATED_BUTTON)
        return what_if

    def replace(self, old_what_if: WhatIf, new_what_if: WhatIf) -> None:
        """Store the new state `new_what_if` of a what-if; raises Refused if its state is no longer `old_what_if`."""
        what_if = self.find(old_what_if.row.id, old_what_if.user_id, old_what_if.token)
        self._what_ifs[what_if.row.id, what_if.user_id] = new_what_if


def pack_game(game: Game) -> bytes:
    return compress(game.dump().encode())


def unpack_game(packed_game: bytes) -> Game:
    return Game.load(decompress(packed_game).decode())


MAX_MOVES: Final = 50
"""Maximum number of moves in one what-if."""
TOO_MANY_MOVES: Final = f"A what-if has at most {MAX_MOVES} moves. Undo some or start a new one."
RUN_SEARCH_SECONDS: Final = 2.0
"""Time limit for computing companies' best runs before and after the tried moves; later results are left out."""

TrialMove: TypeAlias = Callable[[Game], OfferCursor]
"""A function that returns the complete move to try in this position.

Raises IllegalAction or Refused.
"""


@dataclass(frozen=True, slots=True)
class WhatIfView:
    """The content of the message that shows a what-if."""

    what_if: WhatIf
    note: str
    """The reason why a move was not possible; empty if all moves were possible."""
    change_texts: tuple[str, ...]
    """Lines about changes since the start of the what-if: share prices, net worth, and best runs."""
    turn: TurnView | None
    """The turn in the what-if, with the players who must act; None if it would show secret money."""
    offer_texts: tuple[str, ...]
    """Labels of the actions that are possible now."""
    buttons: tuple[TurnButton, ...]
    """Buttons for the moves that are possible now."""
    map: MapView | None
    focus_hexes: tuple[Coord, ...]
    """The hexes to which the map is cropped; the whole map if empty."""
    market: MarketView | None


def view_of_what_if(what_if: WhatIf) -> WhatIfView:
    """The message of a what-if.

    If no more moves may be tried, it shows the effects of the last move; to know them, the move is made again on a
    copy.
    """
    if what_if.may_continue:
        return _view_after(what_if, what_if.current_game())
    *earlier_steps, last_step = what_if.steps
    view = try_moves(what_if.with_steps(earlier_steps), repeated_moves([last_step.action]))
    return replace(view, what_if=what_if)


def try_moves(what_if: WhatIf, moves: Iterable[TrialMove]) -> WhatIfView:
    """Try these moves in order, and stop before the first that is not possible."""
    game, map_with_routes, note = what_if.current_game(), None, ""
    try:
        for move in moves:
            what_if, game, map_with_routes = _try_one_move(what_if, game, move)
    except IllegalAction as problem:
        note = markdown_teller(game).refusal(problem)
    except Refused as problem:
        note = str(problem)
    view = _view_after(what_if, game, note)
    return view if map_with_routes is None else replace(view, map=map_with_routes, focus_hexes=())


# --- which move is meant --------------------------------------------------------------------------------------------


def repeated_moves(actions: Iterable[Action]) -> Iterator[TrialMove]:
    """TrialMove functions that make these actions again, in another position."""
    return (methodcaller("cursor_for", Request.of_action(action)) for action in actions)


def move_of_key(key: str, viewer: PlayerId | None, game: Game) -> OfferCursor:
    """The one-click move with this key; raises Refused if it is not possible.

    Bound to `key` and `viewer` with `functools.partial`, this function is a TrialMove.
    """
    for offer in game.offers(only_player_of_tried_moves(game, viewer)):
        for one_click_move in one_click_moves(plain_teller(game), offer):
            if one_click_move.key == key:
                return one_click_move(game, offer.actor)
    raise Refused("This is no longer possible.")


def move_of_picks(key: str, picks: Sequence[str], viewer: PlayerId | None, game: Game) -> OfferCursor:
    """The move with these picked values for the action with this key.

    Bound to all arguments but `game` with `functools.partial`, this function is a TrialMove.
    """
    return picked_cursor(game, offer_of(game, key, only_player_of_tried_moves(game, viewer)), picks)


def next_menu_step(what_if: WhatIf, key: str, picks: Sequence[str], page: int) -> menus.MenuStep:
    """The next step of the menu for an action in a what-if; raises Refused."""
    game = what_if.current_game()
    with refusing_illegal_actions(game):
        return menus.menu_step(
            game, offer_of(game, key, only_player_of_tried_moves(game, what_if.viewer)), picks, page
        )


def typed_moves(text: str, viewer: PlayerId | None) -> list[TrialMove]:
    """TrialMove functions for moves typed with `then` between them: `lay G5 57 2 then token G5`. Raises Refused."""
    typed_commands = (command.strip().removeprefix("/") for command in re.split(r"\bthen\b", text))
    return [_trial_move_from_text(command, viewer) for command in typed_commands if command]


def _trial_move_from_text(text: str, viewer: PlayerId | None) -> TrialMove:
    command_name, _, details = text.partition(" ")
    command = MOVE_COMMANDS.get(command_name.casefold())
    if command is None:
        raise Refused(
            f"There is no move {command_name}. Choose the first word from the list, e.g. `move:buy`."
        )
    return partial(_cursor_of_typed_move, TypedMove(command.kind, command.split_values(details)), viewer)


def _cursor_of_typed_move(move: TypedMove, viewer: PlayerId | None, game: Game) -> OfferCursor:
    return move(game, _player_of_typed_move(game, viewer, move.kind))


def _player_of_typed_move(game: Game, viewer: PlayerId | None, kind: str) -> PlayerId:
    actors = game.actors()
    if not actors:
        raise Refused("The game ends there.")
    if viewer is not None and (viewer in actors or any(offer.kind == kind for offer in game.offers(viewer))):
        return viewer
    return actors[0]


# --- trying ---------------------------------------------------------------------------------------------------------


def _try_one_move(what_if: WhatIf, game: Game, move: TrialMove) -> tuple[WhatIf, Game, MapView | None]:
    if len(what_if.steps) == MAX_MOVES:
        raise Refused(TOO_MANY_MOVES)
    if not what_if.may_continue or not may_try_moves(game, what_if.viewer):
        raise Refused(MONEY_IS_SECRET)
    prices_before = differences.share_prices(game)
    cursor = move(game)
    action = cursor.action()
    map_with_routes = map_view(game, action.routes) if isinstance(action, game_actions.RunRoutes) else None
    tried_moves = list(_try_with_forced_moves(game, cursor, what_if.viewer))
    last_trial, _ = tried_moves[-1]
    step = WhatIfStep(
        action,
        tuple(line for _, lines in tried_moves for line in lines),
        changed_hexes(event for tried_move, _ in tried_moves for event in tried_move.events),
        differences.share_prices(last_trial.game) != prices_before,
        pack_game(last_trial.game),
        last_trial.may_continue,
    )
    return what_if.with_steps((*what_if.steps, step)), last_trial.game, map_with_routes


def _try_with_forced_moves(
    game: Game, cursor: OfferCursor, viewer: PlayerId | None
) -> Iterator[tuple[TriedMove, Sequence[str]]]:
    tried_move = try_move(game, cursor, viewer)
    yield tried_move, move_lines(tried_move.events, tried_move.game, cursor.offer)
    for _ in range(MAX_FORCED):
        forced_move = (
            orders.forced_move(game) if tried_move.may_continue and may_try_moves(game, viewer) else None
        )
        if forced_move is None:
            return
        tried_move = try_move(game, forced_move.cursor, viewer)
        *lines, last_line = move_lines(tried_move.events, tried_move.game, forced_move.cursor.offer)
        yield tried_move, (*lines, f"{last_line} {AUTOMATIC_MARK}")


# --- the view -------------------------------------------------------------------------------------------------------


def _view_after(what_if: WhatIf, game: Game, note: str = "") -> WhatIfView:
    visible_game = game if what_if.may_continue else None
    step = what_if.steps[-1] if what_if.steps else None
    shows_map = step is None or bool(step.hexes)
    return WhatIfView(
        what_if=what_if,
        note=note,
        change_texts=tuple(_change_texts(what_if, game)),
        turn=None if visible_game is None else turn_view(visible_game),
        offer_texts=() if visible_game is None else tuple(_action_labels(visible_game, what_if.viewer)),
        buttons=()
        if visible_game is None
        else offered_buttons(
            visible_game, only_player_of_tried_moves(visible_game, what_if.viewer), has_only_single_moves=True
        ),
        map=_shown_map(game, step) if shows_map else None,
        focus_hexes=() if step is None else step.hexes,
        market=market_view(game) if step is None or step.has_new_price else None,
    )


def _shown_map(game: Game, step: WhatIfStep | None) -> MapView:
    whole_map = map_view(game)
    return map_part_in_play(game, whole_map) if step is None else whole_map


def _change_texts(what_if: WhatIf, game: Game) -> Iterator[str]:
    game_before, teller = what_if.base_game(), teller_of(game, MARKDOWN)
    search_deadline = monotonic() + RUN_SEARCH_SECONDS
    yield from map(teller.say, differences.price_changes(game_before, game))
    if what_if.viewer is not None:
        yield from map(teller.say, differences.net_worth_change(game_before, game, what_if.viewer))
    yield from map(
        teller.say, differences.run_changes(game_before, game, lambda: monotonic() > search_deadline)
    )


def _action_labels(game: Game, viewer: PlayerId | None) -> Iterator[str]:
    teller = plain_teller(game)
    offers = (
        offer
        for offer in game.offers(only_player_of_tried_moves(game, viewer))
        if offer.kind not in KINDS_WITHOUT_BUTTON
    )
    return iter(dict.fromkeys(teller.say(offer.label) for offer in offers if offer.blocking))
