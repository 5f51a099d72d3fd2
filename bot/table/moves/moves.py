"""Typed moves and one-click moves, their keys in buttons, and the text that asks to confirm a move."""

import hashlib
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from bot.table.errors import Refused
from bot.table.markdown import plain_teller, strong
from bot.table.moves.slot_values import (
    EMPTY_VALUE_WORD,
    GivenValues,
    canonical_id,
    filled_cursor,
    missing_value_text,
    offers_of,
    parsed_values,
)
from bot.table.moves.verbs import MOVE_COMMANDS, POWER_PARAMETER, SLOTS_BY_ACTION_KIND
from engine import Action, Game, IllegalAction, Offer, OfferCursor, PlayerId, Request, Teller, actions
from engine.views import MarketView, market_view

KINDS_WITHOUT_BUTTON: Final = frozenset({"end_game"})
"""Kinds of moves that get no button, since they are always possible and rarely wanted."""
KINDS_WITH_ENTITY: Final = frozenset(
    command.kind
    for command in MOVE_COMMANDS.values()
    if any(parameter.name == POWER_PARAMETER for parameter in command.parameters)
    and POWER_PARAMETER not in SLOTS_BY_ACTION_KIND[command.kind]
)
"""Kinds of moves whose commands let the user name the entity (private or company) that makes the move."""
RUN_TRAINS_KIND: Final = "run_routes"
"""The kind of move that runs trains; its suggested routes may need a long search."""


@dataclass(frozen=True, slots=True)
class TypedMove:
    """A move as a user typed it: its kind, the typed values by name, and the acting company or player, if named."""

    kind: str
    given_values: GivenValues = field(default_factory=dict)
    entity: str | None = None

    def __call__(self, game: Game, player: PlayerId) -> OfferCursor:
        """The complete move in this position; raises IllegalAction, or Refused if the user must type more values."""
        cursor = self.partial_cursor(game, player)
        if cursor.slot is not None:
            raise Refused(missing_value_text(game, cursor))
        return cursor

    def partial_cursor(self, game: Game, player: PlayerId) -> OfferCursor:
        """The move filled with the typed values, complete if possible; raises IllegalAction.

        If several possible actions accept the values, the first one is used.
        """
        incomplete_cursor: OfferCursor | None = None
        refusal: IllegalAction | None = None
        complete_cursors: list[OfferCursor] = []
        for offer in self.offers(game, player):
            try:
                cursor = filled_cursor(game, offer, self.given_values)
            except IllegalAction as problem:
                refusal = refusal or problem
                continue
            if cursor.slot is None:
                complete_cursors.append(cursor)
            incomplete_cursor = incomplete_cursor or cursor
        if complete_cursors:
            _require_one_company(game, complete_cursors)
            return complete_cursors[0]
        if incomplete_cursor is None:
            assert refusal is not None, self
            raise refusal
        return incomplete_cursor

    def offers(self, game: Game, player: PlayerId) -> list[Offer]:
        """Offers (possible actions) that the typed move may mean.

        Raises IllegalAction with the reason if there is none.
        """
        offers = offers_of(game, player, self.kind, self.entity)
        if not offers:
            entity = None if self.entity is None else canonical_id(game, self.entity)
            value_by_slot = parsed_values(game, self.kind, self.given_values)
            problem = game.obstacle(Request(self.kind, player, entity, value_by_slot))
            assert problem is not None, self
            raise problem
        return offers


@dataclass(frozen=True, slots=True)
class OneClickMove:
    """A complete move that one click on a button makes."""

    label: str
    action: Action
    needs_confirmation: bool = False
    """True if the user is asked to confirm the move first."""
    further_actions: tuple[Action, ...] = ()
    """Further actions of the same player that are made and undone together with the move."""

    @classmethod
    def of(cls, teller: Teller, cursor: OfferCursor) -> "OneClickMove":
        """The one-click move for a complete move. If the move needs confirmation, the label is that of its button."""
        offer, action = cursor.offer, cursor.action()
        if offer.confirm:
            return next(move for move in one_click_moves(teller, offer) if move.action == action)
        return cls(teller.say(offer.label), action)

    @property
    def key(self) -> str:
        """Eight hexadecimal digits that identify the move; its button carries them."""
        return _short_hash(
            "".join(action.model_dump_json() for action in (self.action, *self.further_actions))
        )

    def __call__(self, game: Game, player: PlayerId) -> OfferCursor:
        """The move in the current position; raises IllegalAction."""
        del player
        # Checking routes may need a search for better ones, which was done when these were found.
        has_checked_routes = self.action.kind == RUN_TRAINS_KIND
        return (
            cursor_of_action(game, self.action)
            if has_checked_routes
            else game.cursor_for(Request.of_action(self.action))
        )


def _require_one_company(game: Game, cursors: Sequence[OfferCursor]) -> None:
    """Raise Refused if several companies could make this move: the user must name the company."""
    offers = [cursor.offer for cursor in cursors if cursor.offer.entity in game.title.spec.companies]
    if len(offers) > 1 and offers[0].kind in KINDS_WITH_ENTITY:
        teller = plain_teller(game)
        choices_text = " or ".join(
            f"`{POWER_PARAMETER}:{offer.entity}` ({teller.say(offer.label)})" for offer in offers
        )
        raise Refused(f"Several moves match this. Add {choices_text}.")


def cursor_of_action(game: Game, action: Action) -> OfferCursor:
    """The complete move for an action that was found in this position; its values are not checked again.

    Raises IllegalAction if the action's kind is not possible for its company or player.
    """
    for offer in game.offers(action.actor):
        if (offer.kind, offer.entity) == (action.kind, action.entity):
            return OfferCursor(offer, action.chosen())
    return game.cursor_for(Request.of_action(action))


def move_for_other_position(action: Action) -> "TypedMove | OneClickMove":
    """The same move for use in another position, where it is checked again."""
    if isinstance(action, actions.RunRoutes):
        return TypedMove(action.kind, {"routes": ";".join(action.routes) or EMPTY_VALUE_WORD}, action.entity)
    return OneClickMove("", action)


def one_click_move_of(game: Game, player: PlayerId, move: TypedMove) -> OneClickMove:
    """A typed move as a one-click move; raises IllegalAction, or Refused if the user must type more values."""
    return OneClickMove.of(plain_teller(game), move(game, player))


def one_click_moves(teller: Teller, offer: Offer) -> tuple[OneClickMove, ...]:
    """The one-click moves for one possible action."""
    if not offer.slots:
        return (OneClickMove(teller.say(offer.label), offer.fill(), offer.confirm),)
    return tuple(
        OneClickMove(teller.say(suggestion.label), offer.fill(**suggestion.chosen), offer.confirm)
        for suggestion in offer.suggest()
    )


def moves_with_distinct_labels(moves: Sequence[OneClickMove]) -> tuple[OneClickMove, ...]:
    """These moves, without moves in a hex whose cities the moves choose between: their labels would be the same."""
    moves_per_hex = Counter(
        move.action.chosen().get("hex") for move in moves if "city" in move.action.chosen()
    )
    return tuple(move for move in moves if moves_per_hex[move.action.chosen().get("hex")] < 2)


def moves_without_search(game: Game) -> Iterator[OneClickMove]:
    """All one-click moves that are possible now, without runs, which would need a route search."""
    teller = plain_teller(game)
    return (
        move
        for offer in game.offers()
        if offer.kind != RUN_TRAINS_KIND
        for move in one_click_moves(teller, offer)
    )


def offer_key(offer: Offer) -> str:
    """Eight hexadecimal digits that identify an offer (possible action): its kind, player, and company."""
    return _short_hash(f"{offer.kind} {offer.actor} {offer.entity}")


def _short_hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:8]


KINDS_WITH_MARKET_PREVIEW: Final = frozenset({"merge", "convert"})
"""Kinds of moves whose preview shows the stock market after the move."""


def market_after(game: Game, move: OneClickMove) -> MarketView | None:
    """The stock market after a move; None for kinds of moves whose preview does not show it."""
    if move.action.kind not in KINDS_WITH_MARKET_PREVIEW:
        return None
    return market_view(_game_after_move(game, move))


def confirmation_question(game: Game, move: OneClickMove) -> str:
    """The text that asks the user to confirm a move, and says if it can be undone."""
    game_after = _game_after_move(game, move)
    # The final score shows everybody's cash.
    reveals_cash = game_after.is_over and game.rules.spec.secret_cash
    undo_text = "You cannot undo this." if reveals_cash else "You can undo it only until another player acts."
    return f"Confirm {strong(move.label)}? {undo_text}"


def _game_after_move(game: Game, move: OneClickMove) -> Game:
    later_game = Game.load(game.dump())
    later_game.apply(move.action)
    return later_game
