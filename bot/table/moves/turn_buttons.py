"""What stands on a turn message: one-click moves and menus. The best routes among them are searched for by a worker."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, TypeVar

from bot.table.moves.moves import ASIDE, Quick, offer_key, quick_fillings, told_apart
from bot.table.style import plain
from engine.core.facts import fact
from engine.core.ids import PlayerId
from engine.core.offers import Cursor, IntRange, Offer
from engine.game import Game
from engine.tell.teller import Teller

T = TypeVar("T")

ANSWER: Final = "answer"
"""The kind of what is done about an offer of one player to another; all of it has buttons."""
TYPED: Final = frozenset({"bid"})
"""Kinds for which the turn message has a button for each choice that opens the form for another amount."""
FORMS: Final = 8
"""More choices than this are offered in a menu."""
PASS: Final = "pass"
"""The kind that passes, or ends a step or a turn: it always has its button."""
MOST: Final = 24
"""Buttons on a turn message, of the 25 that Discord allows; the last place is for Undo."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One button: a move of one click, or (menu) the way into an offer that has slots."""

    key: str
    label: str
    kind: str
    menu: bool
    form: str = ""
    """The pick after which an amount is typed into a form, where the button opens that."""
    reply: str = ""
    """What it answers to an offer of another player."""
    quick: Quick | None = None
    """The move of one click."""


def offered(game: Game, player: PlayerId | None = None, *, one_by_one: bool = False) -> tuple[Entry, ...]:
    """The buttons of the moment (for one player), in the order of the offers. Slow where routes are searched for.

    `one_by_one`: no button makes several moves.
    """
    words, actors = plain(game), game.actors()
    found: dict[str, Entry] = {}
    offers = game.offers(player)
    # While one player waits for another's answer nothing else can be decided; the asker may move by a command.
    for offer in [offer for offer in offers if offer.kind == ANSWER] or offers:
        if offer.kind in ASIDE:
            continue
        # Where it is not plain whose a button is, it says so.
        whose = "" if actors == (offer.actor,) else f"{game.name(offer.actor)}: "
        for entry in (not one_by_one and _pass_entries(game, offer)) or _entries(words, offer, whose):
            found.setdefault(entry.key, entry)
    return tuple(found.values())


def stepwise(game: Game, entries: Sequence[Entry], kinds: frozenset[str]) -> tuple[Entry, ...]:
    """The same buttons, with one menu for each offer of these kinds in place of its moves of one click."""
    words = plain(game)
    menus = (_menu(words, offer) for offer in game.offers() if offer.kind in kinds and offer.slots)
    return (*menus, *(entry for entry in entries if entry.kind not in kinds))


def turn_ends(game: Game, offer: Offer) -> tuple[Quick, ...]:
    """The moves of one click by which a company passes: this step, if that opens anything, and its whole turn.

    Nothing, unless several passes are left of the turn and nothing else must be decided in it.
    """
    end = game.end_of_turn(offer.actor) if offer.kind == PASS else None
    if end is None or len(end.passes) < 2:
        return ()
    words = plain(game)
    first, *others = end.passes
    whole = Quick(words.say(fact("offer.end_turn")), first, along=tuple(others))
    return (*(quick_fillings(words, offer) if end.opens else ()), whole)


def _pass_entries(game: Game, offer: Offer) -> list[Entry]:
    """The buttons of a pass with which, or after which, a company's turn ends; none where it does not."""
    found = turn_ends(game, offer)
    return [Entry(quick.key, quick.label, offer.kind, menu=False, quick=quick) for quick in found]


def fitting(found: Sequence[T], room: int, rank: Callable[[T], int | tuple[bool, ...]]) -> list[T]:
    """Those that a message has room for, in their order: of a higher rank than the lowest first, whatever is cut."""
    kept = set(sorted(range(len(found)), key=lambda number: rank(found[number]))[:room])
    return [one for number, one in enumerate(found) if number in kept]


def entry_rank(entry: Entry) -> tuple[bool, bool]:
    """Passing comes first, then the menus, by which every other move can be made, too."""
    return entry.kind != PASS, not entry.menu


def _forms(words: Teller, offer: Offer, whose: str) -> Iterator[Entry]:
    """For each choice after which an amount is left open; none where there are many."""
    open_ways = [(choice, way) for choice, way in Cursor(offer).ways() if _is_open(way)]
    if len(open_ways) > FORMS:
        return
    for choice, _ in open_ways:
        label = f"{whose}{choice.value}: another {words.say(offer.label).lower()} …"
        yield Entry(
            f"{offer_key(offer)}.{choice.value}", label, offer.kind, menu=True, form=str(choice.value)
        )


def _is_open(way: Cursor) -> bool:
    return way.slot is not None and isinstance(way.domain, IntRange) and way.domain.only() is None


def _entries(words: Teller, offer: Offer, whose: str) -> Iterator[Entry]:
    for quick in told_apart(quick_fillings(words, offer)):
        reply = str(quick.action.chosen().get("reply", ""))
        yield Entry(quick.key, whose + quick.label, offer.kind, menu=False, reply=reply, quick=quick)
    forms = tuple(_forms(words, offer, whose)) if offer.kind in TYPED else ()
    yield from forms
    if offer.slots and not forms and offer.kind != ANSWER:
        yield _menu(words, offer, whose)


def _menu(words: Teller, offer: Offer, whose: str = "") -> Entry:
    return Entry(offer_key(offer), f"{whose}{words.say(offer.label)} …", offer.kind, menu=True)
