"""Menus: the question that comes next in the walk through an offer, and what the move would do when all is picked."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple, TypeAlias

from bot.table.errors import OthersTurn, Refused
from bot.table.live import LiveGame
from bot.table.markdown import MARKDOWN, plain
from bot.table.moves.completions import Item, items
from bot.table.moves.lays import PAGE, Lays, Sketch, laid, sketched
from bot.table.moves.moves import Quick, market_after, offer_key
from bot.table.moves.slot_values import NOTHING, RunChoice, open_slot, runs_of, walked
from engine import Cursor, Game, Offer, PlayerId, Preview, fact, funds, offers, preview
from engine.views import MarketView

Picks: TypeAlias = tuple[str, ...]
"""Values of the first slots of an offer, as text."""


@dataclass(frozen=True, slots=True)
class Way:
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
    """The next slot to fill: its label, its choices on this page, and whether there is a page after."""

    way: Way
    slot: str
    choices: tuple[Item, ...]
    page: int
    more: bool
    sketch: Sketch | None = None
    """A picture in which the choices are numbered, where there is one."""


@dataclass(frozen=True, slots=True)
class AmountQuestion:
    """The next slot takes a number of dollars, to be typed within limits; the usual ones are worth a button."""

    way: Way
    slot: str
    usual: tuple[Item, ...]
    limits: str
    """`$205 to $480 in steps of 5`."""


@dataclass(frozen=True, slots=True)
class Ready:
    """Every slot is filled: the move, and what it would do."""

    way: Way
    quick: Quick
    preview: Preview
    market: MarketView | None
    """The market as the move would leave it, where that is shown."""
    sketch: Lays | None = None
    """The tile as it would lie, where one is laid."""


@dataclass(frozen=True, slots=True)
class RunQuestion:
    """Which of these runs; the number of one, counted from 1, is its pick."""

    way: Way
    runs: tuple[RunChoice, ...]


Step: TypeAlias = SlotQuestion | AmountQuestion | RunQuestion | Ready


def offer_of(game: Game, key: str, player: PlayerId | None = None) -> Offer:
    """The offer (of one player) that a menu names; raises Refused for nobody's."""
    found = next((offer for offer in game.offers(player) if offer_key(offer) == key), None)
    if found is None:
        raise Refused("This is no longer possible.")
    return found


def offer_named(live: LiveGame, player: PlayerId, key: str) -> Offer:
    """The offer a menu names; raises NotYours for somebody else's, Refused for nobody's."""
    offer = offer_of(live.game, key)
    if offer.actor != player:
        raise OthersTurn(live.name_of(offer.actor))
    return offer


def next_step_of(game: Game, key: str, picked: Sequence[str], page: int) -> Step:
    """The next step in the offer that a menu names; raises Refused, IllegalAction."""
    return next_step(game, offer_of(game, key), picked, page)


def picked_move(game: Game, key: str, picked: Sequence[str]) -> Quick:
    """The move to which these picks lead in the offer that a menu names; raises Refused, IllegalAction."""
    return Quick.of(plain(game), picked_walk(game, offer_of(game, key), picked))


def picked_walk(game: Game, offer: Offer, picked: Sequence[str]) -> Cursor:
    """The walk after these picks; a slot with one legal value fills itself.

    Raises IllegalAction for a pick that is not legal.
    """
    names = (slot.name for slot in offer.slots)
    return walked(game, offer, dict(zip(names, picked, strict=False)))


def next_step(game: Game, offer: Offer, picked: Sequence[str], page: int = 0) -> Step:
    """The question after these picks, or what the move would do when none is left; raises IllegalAction."""
    runs = () if picked else runs_of(game, offer)
    if runs:
        return RunQuestion(way(game, Cursor(offer)), runs)
    here = picked_walk(game, offer, picked)
    if here.slot is None:
        quick = Quick.of(plain(game), here)
        shown = preview(game, here, MARKDOWN)
        return Ready(way(game, here), quick, shown, market_after(game, quick), laid(game, here))
    return (
        _amount(game, here, here.domain)
        if isinstance(here.domain, offers.IntRange)
        else _question(game, here, page)
    )


def way(game: Game, here: Cursor) -> Way:
    """The progress of a walk."""
    words = plain(game)
    picks, labels = picks_of(here), tuple(map(words.say, here.labels()))
    money = words.say(funds(game, here.offer))
    return Way(words.say(here.offer.label), picks, labels, back_from(here), money)


def picks_of(here: Cursor) -> Picks:
    """The picks as text; routes fill themselves, and are none."""
    values = (here.chosen[slot.name] for slot in here.offer.slots[: len(here.chosen)])
    picks: list[str] = []
    for value in values:
        if not isinstance(value, str | int):
            break
        picks.append(str(value) or NOTHING)
    return tuple(picks)


def back_from(here: Cursor) -> Picks | None:
    """The picks before the last question that had more than one answer; None where there was none."""
    picked = picks_of(here)
    for number in reversed(range(len(picked))):
        names = [slot.name for slot in here.offer.slots[:number]]
        before = Cursor(here.offer, {name: here.chosen[name] for name in names})
        if before.domain.only() is None:
            return picked[:number]
    return None


def _question(game: Game, here: Cursor, page: int) -> SlotQuestion:
    sketch = sketched(game, here, page)
    if sketch is not None:
        here, shown, more = sketch.asked(here), sketch.choices(), page + 1 < sketch.pages
    else:
        shown = list(items(plain(game), here.domain))[page * PAGE :]
        more = len(shown) > PAGE
    if not shown:
        raise Refused(open_slot(game, here))
    return SlotQuestion(way(game, here), _slot(game, here), tuple(shown[:PAGE]), page, more, sketch)


def _amount(game: Game, here: Cursor, domain: offers.IntRange) -> AmountQuestion:
    allowed = domain.allowed()
    if allowed is None:
        raise Refused(open_slot(game, here))
    limits = plain(game).say(allowed)
    return AmountQuestion(way(game, here), _slot(game, here), tuple(usual(domain)), limits)


def usual(domain: offers.IntRange) -> Iterator[Item]:
    """Amounts worth a button: the lowest, the one that is printed on what is paid for, and the highest."""
    high = domain.high - (domain.high - domain.low) % domain.step
    yield Item(domain.low, f"Lowest: ${domain.low}")
    if domain.face in domain and domain.face not in (None, domain.low, high):
        yield Item(domain.face, f"Face value: ${domain.face}")
    if high != domain.low:
        yield Item(high, f"Highest: ${high}")


def _slot(game: Game, here: Cursor) -> str:
    assert here.slot is not None
    return plain(game).say(fact(f"slot.{here.slot.name}"))


class Capacity(Enum):
    """Capacity in which somebody acts."""

    OWN = "own"
    """Acting for oneself, or as a substitute."""
    MODERATOR = "moderator"
    """Acting as a moderator, for any seat."""
    TABLE = "table"
    """Proposing for a seat that the group plays."""
    WHAT_IF = "what-if"
    """Acting on a copy of the game."""


class MenuPlace(NamedTuple):
    """Place in a menu: the game, its last move then, the key of the offer, picks so far, page, and capacity."""

    game: int
    seq: int
    key: str
    picks: Sequence[str] = ()
    page: int = 0
    capacity: Capacity = Capacity.OWN
