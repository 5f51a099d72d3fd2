"""The buttons of a turn message: one-click moves and menus. Workers search for the best routes."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, TypeVar

from bot.table.bounded_caches import BoundedDict
from bot.table.errors import NotPermitted, OtherPlayersTurn, Refused
from bot.table.game_cache import GameLocks
from bot.table.live import LiveGame, ask_about_position, search_queue
from bot.table.markdown import plain_teller, sentence_list
from bot.table.moves.moves import (
    KINDS_WITHOUT_BUTTON,
    RUN_TRAINS_KIND,
    OneClickMove,
    moves_with_distinct_labels,
    moves_without_search,
    offer_key,
    one_click_moves,
)
from bot.table.tables import Tables
from engine import Game, Offer, OfferCursor, PlayerId, Teller, fact
from engine import offers as game_offers

T = TypeVar("T")

ANSWER_OFFER_KIND: Final = "answer"
"""The kind of move that answers another player's offer, such as to sell a train. Each possible answer has a button."""
KINDS_WITH_FORM: Final = frozenset({"bid"})
"""Kinds of moves, such as bids, with a button for each private; it opens a form for any other amount."""
MAX_FORM_BUTTONS: Final = 8
"""Maximum number of buttons that open a form. If an action needs more, one menu replaces them all."""
PASS_KIND: Final = "pass"
"""The kind of move with which a player passes, or ends a step or turn. It always has a button."""
MAX_BUTTONS: Final = 24
"""Maximum number of buttons on a turn message. Discord allows 25; one is for Undo."""


@dataclass(frozen=True, slots=True)
class TurnButton:
    """A button of a turn message: it makes a move, opens a menu, or opens a form for an amount."""

    key: str
    label: str
    kind: str
    opens_menu: bool
    picked_private: str = ""
    """For a button that opens a form for an amount: the private to bid on, for example; else empty."""
    offer_reply: str = ""
    """For a button that answers another player's offer: the answer, such as `agree`; else empty."""
    move: OneClickMove | None = None
    """The move that this button makes; None if it opens a menu or form."""


def offered_buttons(
    game: Game, player: PlayerId | None = None, *, has_only_single_moves: bool = False
) -> tuple[TurnButton, ...]:
    """The buttons for the current position or, with `player`, for this player's actions.

    This is slow if routes must be searched. With `has_only_single_moves`, no button makes several moves, such as all
    passes that end a turn.
    """
    teller, actors = plain_teller(game), game.actors()
    buttons: dict[str, TurnButton] = {}
    offers = game.offers(player)
    # An offer to another player blocks all other moves but its withdrawal, which is a typed command.
    for offer in [offer for offer in offers if offer.kind == ANSWER_OFFER_KIND] or offers:
        if offer.kind in KINDS_WITHOUT_BUTTON:
            continue
        # If more than one player can act, the label names the player.
        owner_prefix = "" if actors == (offer.actor,) else f"{game.name(offer.actor)}: "
        for button in (not has_only_single_moves and _pass_buttons(game, offer)) or _buttons_of_offer(
            teller, offer, owner_prefix
        ):
            buttons.setdefault(button.key, button)
    return tuple(buttons.values())


def with_menus(game: Game, buttons: Sequence[TurnButton], kinds: frozenset[str]) -> tuple[TurnButton, ...]:
    """These buttons, but with a menu for each action of these kinds instead of buttons for single moves."""
    teller = plain_teller(game)
    offer_menu_buttons = (
        _menu_button(teller, offer) for offer in game.offers() if offer.kind in kinds and offer.slots
    )
    return (*offer_menu_buttons, *(button for button in buttons if button.kind not in kinds))


def turn_ending_moves(game: Game, offer: Offer) -> tuple[OneClickMove, ...]:
    """One-click moves that end a company's whole turn, by passing in each of its remaining steps.

    If the first pass would make another action possible, a move with only this pass comes first. Empty if fewer than
    two passes remain.
    """
    turn_end = game.passes_ending_turn(offer.actor) if offer.kind == PASS_KIND else None
    if turn_end is None or len(turn_end.passes) < 2:
        return ()
    teller = plain_teller(game)
    first_pass, *further_passes = turn_end.passes
    whole_turn_pass = OneClickMove(
        teller.say(fact("offer.end_turn")), first_pass, further_actions=tuple(further_passes)
    )
    return (*(one_click_moves(teller, offer) if turn_end.has_action_between else ()), whole_turn_pass)


def _pass_buttons(game: Game, offer: Offer) -> list[TurnButton]:
    moves = turn_ending_moves(game, offer)
    return [TurnButton(move.key, move.label, offer.kind, opens_menu=False, move=move) for move in moves]


def lowest_ranked_items(
    items: Sequence[T], max_items: int, rank: Callable[[T], int | tuple[bool, ...]]
) -> list[T]:
    """The `max_items` items of lowest rank, in their original order."""
    kept_indexes = set(sorted(range(len(items)), key=lambda index: rank(items[index]))[:max_items])
    return [item for index, item in enumerate(items) if index in kept_indexes]


def button_rank(button: TurnButton) -> tuple[bool, bool]:
    """A rank for `lowest_ranked_items`: passes first, then menus, which can make any move, then other buttons."""
    return button.kind != PASS_KIND, not button.opens_menu


def _form_buttons(teller: Teller, offer: Offer, owner_prefix: str) -> Iterator[TurnButton]:
    """Buttons that open a form for an amount, one for each private; none if there are too many (MAX_FORM_BUTTONS)."""
    open_choices = [
        (choice, cursor)
        for choice, cursor in OfferCursor(offer).choices_and_cursors()
        if _needs_amount(cursor)
    ]
    if len(open_choices) > MAX_FORM_BUTTONS:
        return
    for choice, _ in open_choices:
        label = f"{owner_prefix}{choice.value}: another {teller.say(offer.label).lower()} …"
        yield TurnButton(
            f"{offer_key(offer)}.{choice.value}",
            label,
            offer.kind,
            opens_menu=True,
            picked_private=str(choice.value),
        )


def _needs_amount(cursor: OfferCursor) -> bool:
    return (
        cursor.slot is not None
        and isinstance(cursor.domain, game_offers.IntRange)
        and cursor.domain.only_value() is None
    )


def _buttons_of_offer(teller: Teller, offer: Offer, owner_prefix: str) -> Iterator[TurnButton]:
    """The buttons for one possible action. If its choices are secret, only a menu that its player alone can open."""
    if offer.secret:
        yield _menu_button(teller, offer, owner_prefix)
        return
    for move in moves_with_distinct_labels(one_click_moves(teller, offer)):
        reply = str(move.action.chosen().get("reply", ""))
        yield TurnButton(
            move.key, owner_prefix + move.label, offer.kind, opens_menu=False, offer_reply=reply, move=move
        )
    amount_form_buttons = (
        tuple(_form_buttons(teller, offer, owner_prefix)) if offer.kind in KINDS_WITH_FORM else ()
    )
    yield from amount_form_buttons
    if offer.slots and not amount_form_buttons and offer.kind != ANSWER_OFFER_KIND:
        yield _menu_button(teller, offer, owner_prefix)


def _menu_button(teller: Teller, offer: Offer, owner_prefix: str = "") -> TurnButton:
    return TurnButton(
        offer_key(offer), f"{owner_prefix}{teller.say(offer.label)} …", offer.kind, opens_menu=True
    )


MAX_CACHED_GAMES: Final = 1_000
"""Maximum number of games whose buttons are cached."""


class Buttons:
    """A cache of the turn buttons of games, including buttons for the best routes."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._buttons_by_game: BoundedDict[int, tuple[object, tuple[TurnButton, ...]]] = BoundedDict(
            MAX_CACHED_GAMES
        )
        self._locks = GameLocks()

    async def search_routes(self, game_id: int) -> None:
        """Find the best routes in a game and cache the buttons for them. The game stays unlocked meanwhile."""
        cached_game = self._tables.find_cached(game_id)
        if cached_game is None or self.buttons_without_search(cached_game) is not None:
            return
        async with self._locks.lock_of(game_id):
            async with self._tables.reading(game_id) as live:
                if self.buttons_without_search(live) is not None:
                    return
                position_key, queue, text = live.position_key, search_queue(live), live.game.dump()
            self._buttons_by_game[game_id] = (
                position_key,
                await ask_about_position(self._tables.workers, queue, text, offered_buttons),
            )

    async def buttons_of(self, live: LiveGame) -> tuple[TurnButton, ...]:
        """The buttons of a locked game, from the cache or computed by a worker."""
        buttons = self.buttons_without_search(live)
        if buttons is None:
            buttons = await ask_about_position(
                self._tables.workers, search_queue(live), live.game.dump(), offered_buttons
            )
            self._buttons_by_game[live.id] = live.position_key, buttons
        return buttons

    async def move_of_button(self, live: LiveGame, player: PlayerId, key: str) -> OneClickMove:
        """The move that a button makes for this player.

        Raises OtherPlayersTurn or NotPermitted if the button is another player's, Refused if the move is no longer
        possible.
        """
        shown_moves = [
            button.move
            for button in await self.buttons_of(live)
            if button.key == key and button.move is not None
        ]
        moves_with_key = shown_moves or [move for move in moves_without_search(live.game) if move.key == key]
        move = next((move for move in moves_with_key if move.action.actor == player), None)
        if move is not None:
            return move
        actors = live.game.actors()
        owner = next((move.action.actor for move in moves_with_key), None)
        if owner is not None and owner not in actors:
            raise NotPermitted(f"Only {live.name_of(owner)} can decide this, not you.")
        other_names = [live.name_of(other) for other in actors if other != player]
        if other_names:
            raise OtherPlayersTurn(sentence_list(other_names))
        raise Refused("This move is no longer possible.")

    def buttons_without_search(self, live: LiveGame) -> tuple[TurnButton, ...] | None:
        """The buttons of a game, if they are cached or can be made without a route search; else None."""
        cached_key, cached_buttons = self._buttons_by_game.get(live.id, (None, ()))
        if cached_key == live.position_key:
            return cached_buttons
        if any(offer.kind == RUN_TRAINS_KIND for offer in live.game.offers()):
            return None
        cached_buttons = offered_buttons(live.game)
        self._buttons_by_game[live.id] = live.position_key, cached_buttons
        return cached_buttons
