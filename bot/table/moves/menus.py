"""Menus that fill an offer slot by slot, and the preview of the complete move."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple, TypeAlias

from bot.table.errors import OthersTurn, Refused
from bot.table.live import LiveGame
from bot.table.markdown import MARKDOWN, plain_teller
from bot.table.moves.completions import MenuItem, domain_items
from bot.table.moves.lays import PAGE_SIZE, ChoicePicture, LayChoices, picture_of_choices, sketch_of_lay
from bot.table.moves.moves import OneClickMove, market_after, offer_key
from bot.table.moves.slot_values import EMPTY_VALUE, RunChoice, filled_cursor, open_slot_text, run_choices_of
from engine import Game, Offer, OfferCursor, PlayerId, Preview, fact, funds, offers, preview
from engine.views import MarketView

PickedValues: TypeAlias = tuple[str, ...]
"""Values of the first slots of an offer, in order, as text."""


@dataclass(frozen=True, slots=True)
class MenuProgress:
    """A user's picks in an offer so far."""

    offer: str
    """The offer's label."""
    picked: PickedValues
    """The picks as text, from which this menu can be opened again."""
    labels: tuple[str, ...]
    """The labels of the picks."""
    picks_before: PickedValues | None
    """The picks before the latest question, to which Back returns; None if there was none."""
    funds: str
    """The money that can be spent, in words: `PRR has $480, Ann $120`."""


@dataclass(frozen=True, slots=True)
class SlotQuestion:
    """A slot to fill from a menu; `more` is true if there is a next page of choices."""

    progress: MenuProgress
    slot: str
    choices: tuple[MenuItem, ...]
    page: int
    has_more: bool
    sketch: ChoicePicture | None = None
    """A picture in which the choices are numbered, if there is one."""


@dataclass(frozen=True, slots=True)
class AmountQuestion:
    """A slot for an amount in dollars, typed into a form; usual amounts have buttons."""

    progress: MenuProgress
    slot: str
    usual_amounts: tuple[MenuItem, ...]
    limits_text: str
    """The limits in words: `$205 to $480 in steps of 5`."""


@dataclass(frozen=True, slots=True)
class ReadyMove:
    """A complete move with its preview."""

    progress: MenuProgress
    move: OneClickMove
    preview: Preview
    market: MarketView | None
    """The market after the move, if it is shown for this kind."""
    sketch: LayChoices | None = None
    """The picture of the tile in its place, for a tile lay."""


@dataclass(frozen=True, slots=True)
class RunQuestion:
    """The choice between runs; the picked value is the run's number from 1."""

    progress: MenuProgress
    runs: tuple[RunChoice, ...]


MenuStep: TypeAlias = SlotQuestion | AmountQuestion | RunQuestion | ReadyMove


def offer_of(game: Game, key: str, player: PlayerId | None = None) -> Offer:
    """The offer with this key (of `player` if given); raises Refused if there is none."""
    matching_offer = next((offer for offer in game.offers(player) if offer_key(offer) == key), None)
    if matching_offer is None:
        raise Refused("This is no longer possible.")
    return matching_offer


def own_offer_of(live: LiveGame, player: PlayerId, key: str) -> Offer:
    """The player's offer with this key; raises BelongsToAnother for another player's, Refused if there is none."""
    offer = offer_of(live.game, key)
    if offer.actor != player:
        raise OthersTurn(live.name_of(offer.actor))
    return offer


def menu_step_of(game: Game, key: str, picked: Sequence[str], page: int) -> MenuStep:
    """The next menu step after these picks, in the offer with this key; raises Refused, IllegalAction."""
    return menu_step(game, offer_of(game, key), picked, page)


def picked_move(game: Game, key: str, picked: Sequence[str]) -> OneClickMove:
    """The complete move of these picks, in the offer with this key; raises Refused, IllegalAction."""
    return OneClickMove.of(plain_teller(game), picked_cursor(game, offer_of(game, key), picked))


def picked_cursor(game: Game, offer: Offer, picked: Sequence[str]) -> OfferCursor:
    """The cursor after these picks; slots with only one legal value are filled automatically.

    Raises IllegalAction for an illegal pick.
    """
    names = (slot.name for slot in offer.slots)
    return filled_cursor(game, offer, dict(zip(names, picked, strict=False)))


def menu_step(game: Game, offer: Offer, picked: Sequence[str], page: int = 0) -> MenuStep:
    """The next slot to fill after these picks, or the complete move; raises IllegalAction."""
    runs = () if picked else run_choices_of(game, offer)
    if runs:
        return RunQuestion(menu_progress_of(game, OfferCursor(offer)), runs)
    cursor = picked_cursor(game, offer, picked)
    if cursor.slot is None:
        move = OneClickMove.of(plain_teller(game), cursor)
        move_preview = preview(game, cursor, MARKDOWN)
        return ReadyMove(
            menu_progress_of(game, cursor),
            move,
            move_preview,
            market_after(game, move),
            sketch_of_lay(game, cursor),
        )
    return (
        _amount_question(game, cursor, cursor.domain)
        if isinstance(cursor.domain, offers.IntRange)
        else _slot_question(game, cursor, page)
    )


def menu_progress_of(game: Game, cursor: OfferCursor) -> MenuProgress:
    """The picks of a cursor so far."""
    teller = plain_teller(game)
    picks, labels = picks_of(cursor), tuple(map(teller.say, cursor.labels()))
    funds_text = teller.say(funds(game, cursor.offer))
    return MenuProgress(
        teller.say(cursor.offer.label), picks, labels, picks_before_choice(cursor), funds_text
    )


def picks_of(cursor: OfferCursor) -> PickedValues:
    """The picks of a cursor as text, without routes."""
    values = (cursor.chosen[slot.name] for slot in cursor.offer.slots[: len(cursor.chosen)])
    picks: list[str] = []
    for value in values:
        if not isinstance(value, str | int):
            break
        picks.append(str(value) or EMPTY_VALUE)
    return tuple(picks)


def picks_before_choice(cursor: OfferCursor) -> PickedValues | None:
    """The picks before the last one that was a choice between several values; None if there was none."""
    picked = picks_of(cursor)
    for number in reversed(range(len(picked))):
        names = [slot.name for slot in cursor.offer.slots[:number]]
        before = OfferCursor(cursor.offer, {name: cursor.chosen[name] for name in names})
        if before.domain.only_value() is None:
            return picked[:number]
    return None


def _slot_question(game: Game, cursor: OfferCursor, page: int) -> SlotQuestion:
    sketch = picture_of_choices(game, cursor, page)
    if sketch is not None:
        cursor, choices, has_more = (
            sketch.cursor_for_choices(cursor),
            sketch.choices(),
            page + 1 < sketch.page_count,
        )
    else:
        choices = list(domain_items(plain_teller(game), cursor.domain))[page * PAGE_SIZE :]
        has_more = len(choices) > PAGE_SIZE
    if not choices:
        raise Refused(open_slot_text(game, cursor))
    return SlotQuestion(
        menu_progress_of(game, cursor),
        _slot_name(game, cursor),
        tuple(choices[:PAGE_SIZE]),
        page,
        has_more,
        sketch,
    )


def _amount_question(game: Game, cursor: OfferCursor, domain: offers.IntRange) -> AmountQuestion:
    allowed = domain.allowed()
    if allowed is None:
        raise Refused(open_slot_text(game, cursor))
    limits_text = plain_teller(game).say(allowed)
    return AmountQuestion(
        menu_progress_of(game, cursor),
        _slot_name(game, cursor),
        tuple(usual_amounts(domain, game.rules.spec.currency)),
        limits_text,
    )


def usual_amounts(domain: offers.IntRange, currency: str) -> Iterator[MenuItem]:
    """Amounts that get a button: the lowest, the printed price, the highest."""
    highest = domain.high - (domain.high - domain.low) % domain.step
    yield MenuItem(domain.low, f"Lowest: {currency}{domain.low}")
    if domain.face in domain and domain.face not in (None, domain.low, highest):
        yield MenuItem(domain.face, f"Face value: {currency}{domain.face}")
    if highest != domain.low:
        yield MenuItem(highest, f"Highest: {currency}{highest}")


def _slot_name(game: Game, cursor: OfferCursor) -> str:
    assert cursor.slot is not None
    return plain_teller(game).say(fact(f"slot.{cursor.slot.name}"))


class ActingAs(Enum):
    """In which capacity a user acts."""

    SELF = "own"
    """For their own seat, or as a substitute."""
    MODERATOR = "moderator"
    """As a moderator, for any seat."""
    GROUP = "table"
    """By a proposal, for a seat that the group plays."""
    WHAT_IF = "what-if"
    """In a what-if, on a copy of the game."""


class MenuPlace(NamedTuple):
    """A place in a menu: game, last log row when it was shown, offer key, picks, page, and capacity."""

    game: int
    seq: int
    key: str
    picks: Sequence[str] = ()
    page: int = 0
    acting_as: ActingAs = ActingAs.SELF
