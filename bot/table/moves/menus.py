"""Menus that ask for the values of a move one after the other, and the preview of the complete move.

The engine's `Offer` is an action that is possible now, such as a tile lay. Its slots are the values that the player
must choose, such as hex and tile.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple, TypeAlias

from bot.table.errors import OtherPlayersTurn, Refused
from bot.table.live import LiveGame
from bot.table.markdown import MARKDOWN, plain_teller
from bot.table.moves.completions import MenuItem, domain_items
from bot.table.moves.lays import PAGE_SIZE, ChoicePicture, LayChoices, picture_of_choices, picture_of_lay
from bot.table.moves.moves import OneClickMove, market_after, offer_key
from bot.table.moves.slot_values import (
    EMPTY_VALUE_WORD,
    RunChoice,
    filled_cursor,
    missing_value_text,
    run_choices_of,
)
from engine import Game, Offer, OfferCursor, PlayerId, Preview, fact, funds_fact, offers, preview
from engine.views import MarketView

PickedValues: TypeAlias = tuple[str, ...]
"""The values picked so far for an action, in order, as text."""


@dataclass(frozen=True, slots=True)
class MenuProgress:
    """The progress of a user in a menu: the values of an action that they have picked so far."""

    offer: str
    """The label of the offer (possible action), such as `Lay track`."""
    picked: PickedValues
    """The picked values as text. They are enough to open the menu at this step again."""
    labels: tuple[str, ...]
    """The labels of the picked values."""
    picks_before: PickedValues | None
    """The picked values to which the Back button returns, without the latest pick; None at the first question."""
    funds: str
    """The money available for the action, in words: `PRR has $480, Ann $120`."""


@dataclass(frozen=True, slots=True)
class SlotQuestion:
    """A menu step that asks for the value of one slot, such as a hex. `has_more` is true if another page follows."""

    progress: MenuProgress
    slot: str
    choices: tuple[MenuItem, ...]
    page: int
    has_more: bool
    choice_picture: ChoicePicture | None = None
    """The picture that shows the numbered choices; None if these choices have no picture."""


@dataclass(frozen=True, slots=True)
class AmountQuestion:
    """A menu step that asks for an amount in dollars, typed into a form. Usual amounts have buttons."""

    progress: MenuProgress
    slot: str
    usual_amounts: tuple[MenuItem, ...]
    limits_text: str
    """The limits in words: `$205 to $480 in steps of 5`."""


@dataclass(frozen=True, slots=True)
class ReadyMove:
    """The last menu step: a complete move with its preview."""

    progress: MenuProgress
    move: OneClickMove
    preview: Preview
    market: MarketView | None
    """The stock market after the move; None for kinds of moves whose preview does not show it."""
    choice_picture: LayChoices | None = None
    """The picture of the laid tile; None for other moves."""


@dataclass(frozen=True, slots=True)
class RunQuestion:
    """A menu step that asks for a run. The picked value is the run's number, from 1."""

    progress: MenuProgress
    runs: tuple[RunChoice, ...]


MenuStep: TypeAlias = SlotQuestion | AmountQuestion | RunQuestion | ReadyMove


def offer_of(game: Game, key: str, player: PlayerId | None = None) -> Offer:
    """The offer (possible action) with this key; with `player`, only this player's offers count.

    Raises Refused if the action is no longer possible.
    """
    offer_with_key = next((offer for offer in game.offers(player) if offer_key(offer) == key), None)
    if offer_with_key is None:
        raise Refused("This is no longer possible.")
    return offer_with_key


def own_offer_of(live: LiveGame, player: PlayerId, key: str) -> Offer:
    """The player's offer (possible action) with this key.

    Raises OtherPlayersTurn if it is another player's action, Refused if the action is no longer possible.
    """
    offer = offer_of(live.game, key)
    if offer.actor != player:
        raise OtherPlayersTurn(live.name_of(offer.actor))
    return offer


def menu_step_of(game: Game, key: str, picks: Sequence[str], page: int) -> MenuStep:
    """The next menu step for the action with this key, after these picks; raises Refused, IllegalAction."""
    return menu_step(game, offer_of(game, key), picks, page)


def picked_move(game: Game, key: str, picks: Sequence[str]) -> OneClickMove:
    """The complete move for the action with this key and these picks; raises Refused, IllegalAction."""
    return OneClickMove.of(plain_teller(game), picked_cursor(game, offer_of(game, key), picks))


def picked_cursor(game: Game, offer: Offer, picks: Sequence[str]) -> OfferCursor:
    """The action with these picks as its values. A value with only one legal choice is picked automatically.

    Raises IllegalAction for an illegal pick.
    """
    slot_names = (slot.name for slot in offer.slots)
    return filled_cursor(game, offer, dict(zip(slot_names, picks, strict=False)))


def menu_step(game: Game, offer: Offer, picks: Sequence[str], page: int = 0) -> MenuStep:
    """The next menu step for an action: a question, or the complete move; raises IllegalAction."""
    run_choices = () if picks else run_choices_of(game, offer)
    if run_choices:
        return RunQuestion(menu_progress_of(game, OfferCursor(offer)), run_choices)
    cursor = picked_cursor(game, offer, picks)
    if cursor.slot is None:
        move = OneClickMove.of(plain_teller(game), cursor)
        move_preview = preview(game, cursor, MARKDOWN)
        return ReadyMove(
            menu_progress_of(game, cursor),
            move,
            move_preview,
            market_after(game, move),
            picture_of_lay(game, cursor),
        )
    return (
        _amount_question(game, cursor, cursor.domain)
        if isinstance(cursor.domain, offers.IntRange)
        else _slot_question(game, cursor, page)
    )


def menu_progress_of(game: Game, cursor: OfferCursor) -> MenuProgress:
    """The values that a user has picked so far for an unfinished move, with their labels."""
    teller = plain_teller(game)
    picks, labels = picks_of(cursor), tuple(map(teller.say, cursor.labels()))
    funds_text = teller.say(funds_fact(game, cursor.offer))
    return MenuProgress(
        teller.say(cursor.offer.label), picks, labels, picks_before_choice(cursor), funds_text
    )


def picks_of(cursor: OfferCursor) -> PickedValues:
    """The picked values of an unfinished move as text. Routes, and values after them, are left out."""
    values = (cursor.chosen[slot.name] for slot in cursor.offer.slots[: len(cursor.chosen)])
    picks: list[str] = []
    for value in values:
        if not isinstance(value, str | int):
            break
        picks.append(str(value) or EMPTY_VALUE_WORD)
    return tuple(picks)


def picks_before_choice(cursor: OfferCursor) -> PickedValues | None:
    """The picks without the user's last real choice, and without automatic picks after it.

    None if each pick was the only legal value.
    """
    picked = picks_of(cursor)
    for number in reversed(range(len(picked))):
        slot_names = [slot.name for slot in cursor.offer.slots[:number]]
        earlier_cursor = OfferCursor(cursor.offer, {name: cursor.chosen[name] for name in slot_names})
        if earlier_cursor.domain.only_value() is None:
            return picked[:number]
    return None


def _slot_question(game: Game, cursor: OfferCursor, page: int) -> SlotQuestion:
    choice_picture = picture_of_choices(game, cursor, page)
    if choice_picture is not None:
        cursor, choices, has_more = (
            choice_picture.cursor_for_choices(cursor),
            choice_picture.choices(),
            page + 1 < choice_picture.page_count,
        )
    else:
        choices = list(domain_items(plain_teller(game), cursor.domain))[page * PAGE_SIZE :]
        has_more = len(choices) > PAGE_SIZE
    if not choices:
        raise Refused(missing_value_text(game, cursor))
    return SlotQuestion(
        menu_progress_of(game, cursor),
        _slot_name(game, cursor),
        tuple(choices[:PAGE_SIZE]),
        page,
        has_more,
        choice_picture,
    )


def _amount_question(game: Game, cursor: OfferCursor, domain: offers.IntRange) -> AmountQuestion:
    legal_range = domain.allowed()
    if legal_range is None:
        raise Refused(missing_value_text(game, cursor))
    limits_text = plain_teller(game).say(legal_range)
    return AmountQuestion(
        menu_progress_of(game, cursor),
        _slot_name(game, cursor),
        tuple(usual_amounts(domain, game.rules.spec.currency)),
        limits_text,
    )


def usual_amounts(domain: offers.IntRange, currency: str) -> Iterator[MenuItem]:
    """Amounts that get a button: the lowest legal amount, the face value, and the highest legal amount."""
    highest = domain.high - (domain.high - domain.low) % domain.step
    yield MenuItem(domain.low, f"Lowest: {currency}{domain.low}")
    if domain.face_value in domain and domain.face_value not in (None, domain.low, highest):
        yield MenuItem(domain.face_value, f"Face value: {currency}{domain.face_value}")
    if highest != domain.low:
        yield MenuItem(highest, f"Highest: {currency}{highest}")


def _slot_name(game: Game, cursor: OfferCursor) -> str:
    assert cursor.slot is not None
    return plain_teller(game).say(fact(f"slot.{cursor.slot.name}"))


class ActingAs(Enum):
    """The capacity in which a user makes a move, such as player or moderator."""

    SELF = "own"
    """As the player of the user's seat, also as a substitute."""
    MODERATOR = "moderator"
    """As a moderator, for any seat."""
    GROUP = "table"
    """As a proposer, who proposes a move for a seat that the group (the other players together) plays."""
    WHAT_IF = "what-if"
    """As the user of a what-if, in which the move is only tried on a private copy of the game."""


class MenuState(NamedTuple):
    """The state of a menu: game, last log row when opened, key of the action, picks, page, and the user's capacity."""

    game: int
    seq: int
    key: str
    picks: Sequence[str] = ()
    page: int = 0
    acting_as: ActingAs = ActingAs.SELF
