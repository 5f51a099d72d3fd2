"""Menus: the next step in filling an offer, and the preview of the complete move."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple, TypeAlias

from bot.table.errors import OthersTurn, Refused
from bot.table.live import LiveGame
from bot.table.markdown import MARKDOWN, plain_teller
from bot.table.moves.completions import MenuItem, items
from bot.table.moves.lays import PAGE, LayChoices, Sketch, lay_sketch, sketched
from bot.table.moves.moves import OneClickMove, market_after, offer_key
from bot.table.moves.slot_values import NOTHING, RunChoice, filled_cursor, open_slot, runs_of
from engine import Cursor, Game, Offer, PlayerId, Preview, fact, funds, offers, preview
from engine.views import MarketView

Picks: TypeAlias = tuple[str, ...]
"""Values of the first slots of an offer, as text."""


@dataclass(frozen=True, slots=True)
class Progress:
    """A user's progress in an offer."""

    offer: str
    """The offer's label."""
    picked: Picks
    """Choices that lead here again."""
    labels: tuple[str, ...]
    """The labels of the picks."""
    back: Picks | None
    """The picks before the question that was asked last; None where none was."""
    funds: str
    """The money at hand: `PRR has $480, Ann $120`."""


@dataclass(frozen=True, slots=True)
class SlotQuestion:
    """A slot to fill: label, choices of this page, and `more` if there is a next page."""

    progress: Progress
    slot: str
    choices: tuple[MenuItem, ...]
    page: int
    has_more: bool
    sketch: Sketch | None = None
    """A picture in which the choices are numbered, where there is one."""


@dataclass(frozen=True, slots=True)
class AmountQuestion:
    """A slot for a number of dollars, typed within limits; usual amounts get buttons."""

    progress: Progress
    slot: str
    usual: tuple[MenuItem, ...]
    limits: str
    """`$205 to $480 in steps of 5`."""


@dataclass(frozen=True, slots=True)
class ReadyMove:
    """A complete move with its preview."""

    progress: Progress
    quick: OneClickMove
    preview: Preview
    market: MarketView | None
    """The market as the move would leave it, where that is shown."""
    sketch: LayChoices | None = None
    """The tile as it would lie, where one is laid."""


@dataclass(frozen=True, slots=True)
class RunQuestion:
    """The choice of a run; its pick is the run's number from 1."""

    progress: Progress
    runs: tuple[RunChoice, ...]


Step: TypeAlias = SlotQuestion | AmountQuestion | RunQuestion | ReadyMove


def offer_of(game: Game, key: str, player: PlayerId | None = None) -> Offer:
    """The offer (of a player) with a menu's key; raises Refused for an unknown one."""
    found = next((offer for offer in game.offers(player) if offer_key(offer) == key), None)
    if found is None:
        raise Refused("This is no longer possible.")
    return found


def offer_named(live: LiveGame, player: PlayerId, key: str) -> Offer:
    """The offer with a menu's key; raises NotYours for another player's, Refused for an unknown one."""
    offer = offer_of(live.game, key)
    if offer.actor != player:
        raise OthersTurn(live.name_of(offer.actor))
    return offer


def next_step_of(game: Game, key: str, picked: Sequence[str], page: int) -> Step:
    """The next step in the offer with a menu's key; raises Refused, IllegalAction."""
    return next_step(game, offer_of(game, key), picked, page)


def picked_move(game: Game, key: str, picked: Sequence[str]) -> OneClickMove:
    """The move of these picks in the offer with a menu's key; raises Refused, IllegalAction."""
    return OneClickMove.of(plain_teller(game), picked_walk(game, offer_of(game, key), picked))


def picked_walk(game: Game, offer: Offer, picked: Sequence[str]) -> Cursor:
    """The cursor after these picks; a slot with one legal value fills itself.

    Raises IllegalAction for a pick that is not legal.
    """
    names = (slot.name for slot in offer.slots)
    return filled_cursor(game, offer, dict(zip(names, picked, strict=False)))


def next_step(game: Game, offer: Offer, picked: Sequence[str], page: int = 0) -> Step:
    """The next slot to fill after these picks, or the complete move; raises IllegalAction."""
    runs = () if picked else runs_of(game, offer)
    if runs:
        return RunQuestion(progress_of(game, Cursor(offer)), runs)
    here = picked_walk(game, offer, picked)
    if here.slot is None:
        quick = OneClickMove.of(plain_teller(game), here)
        shown = preview(game, here, MARKDOWN)
        return ReadyMove(
            progress_of(game, here), quick, shown, market_after(game, quick), lay_sketch(game, here)
        )
    return (
        _amount(game, here, here.domain)
        if isinstance(here.domain, offers.IntRange)
        else _question(game, here, page)
    )


def progress_of(game: Game, cursor: Cursor) -> Progress:
    """The progress of a cursor."""
    words = plain_teller(game)
    picks, labels = picks_of(cursor), tuple(map(words.say, cursor.labels()))
    money = words.say(funds(game, cursor.offer))
    return Progress(words.say(cursor.offer.label), picks, labels, back_from(cursor), money)


def picks_of(cursor: Cursor) -> Picks:
    """The picks as text, without routes."""
    values = (cursor.chosen[slot.name] for slot in cursor.offer.slots[: len(cursor.chosen)])
    picks: list[str] = []
    for value in values:
        if not isinstance(value, str | int):
            break
        picks.append(str(value) or NOTHING)
    return tuple(picks)


def back_from(cursor: Cursor) -> Picks | None:
    """The picks before the last real choice; None if there was none."""
    picked = picks_of(cursor)
    for number in reversed(range(len(picked))):
        names = [slot.name for slot in cursor.offer.slots[:number]]
        before = Cursor(cursor.offer, {name: cursor.chosen[name] for name in names})
        if before.domain.only_value() is None:
            return picked[:number]
    return None


def _question(game: Game, cursor: Cursor, page: int) -> SlotQuestion:
    sketch = sketched(game, cursor, page)
    if sketch is not None:
        cursor, shown, more = sketch.cursor_for_choices(cursor), sketch.choices(), page + 1 < sketch.pages
    else:
        shown = list(items(plain_teller(game), cursor.domain))[page * PAGE :]
        more = len(shown) > PAGE
    if not shown:
        raise Refused(open_slot(game, cursor))
    return SlotQuestion(
        progress_of(game, cursor), _slot(game, cursor), tuple(shown[:PAGE]), page, more, sketch
    )


def _amount(game: Game, cursor: Cursor, domain: offers.IntRange) -> AmountQuestion:
    allowed = domain.allowed()
    if allowed is None:
        raise Refused(open_slot(game, cursor))
    limits = plain_teller(game).say(allowed)
    return AmountQuestion(
        progress_of(game, cursor), _slot(game, cursor), tuple(usual_amounts(domain)), limits
    )


def usual_amounts(domain: offers.IntRange) -> Iterator[MenuItem]:
    """Amounts worth a button: lowest, printed price, highest."""
    high = domain.high - (domain.high - domain.low) % domain.step
    yield MenuItem(domain.low, f"Lowest: ${domain.low}")
    if domain.face in domain and domain.face not in (None, domain.low, high):
        yield MenuItem(domain.face, f"Face value: ${domain.face}")
    if high != domain.low:
        yield MenuItem(high, f"Highest: ${high}")


def _slot(game: Game, cursor: Cursor) -> str:
    assert cursor.slot is not None
    return plain_teller(game).say(fact(f"slot.{cursor.slot.name}"))


class Capacity(Enum):
    """The capacity in which a user acts."""

    OWN = "own"
    """Acting for oneself, or as a substitute."""
    MODERATOR = "moderator"
    """Acting as a moderator, for any seat."""
    TABLE = "table"
    """Proposing for a seat that the group plays."""
    WHAT_IF = "what-if"
    """Acting on a copy of the game."""


class MenuPlace(NamedTuple):
    """A place in a menu: game, its last row then, offer, picks, page, and capacity."""

    game: int
    seq: int
    key: str
    picks: Sequence[str] = ()
    page: int = 0
    capacity: Capacity = Capacity.OWN
