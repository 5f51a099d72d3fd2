"""The buttons of a turn message: one-click moves and menus; a worker searches for best routes once."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple, TypeVar

from bot.table.bounded_caches import BoundedDict
from bot.table.errors import NotYours, OthersTurn, Refused
from bot.table.game_cache import Locks
from bot.table.live import LiveGame, ask_position, move_queue
from bot.table.markdown import plain_teller, sentence_list
from bot.table.moves.moves import (
    ASIDE,
    SEARCHED,
    OneClickMove,
    offer_key,
    plain_moves,
    quick_fillings,
    told_apart,
)
from bot.table.tables import Tables
from engine import Cursor, Game, Offer, PlayerId, Teller, fact
from engine import offers as game_offers

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
class TurnButton:
    """A button of a one-click move, or of an offer's menus."""

    key: str
    label: str
    kind: str
    menu: bool
    form: str = ""
    """The pick after which an amount is typed into a form, where the button opens that."""
    reply: str = ""
    """The answer that it gives to an offer of another player."""
    quick: OneClickMove | None = None
    """The move of one click."""


def offered_buttons(
    game: Game, player: PlayerId | None = None, *, one_by_one: bool = False
) -> tuple[TurnButton, ...]:
    """The buttons now (for one player), in order of offers. Slow where routes are searched.

    `one_by_one`: no button makes several moves.
    """
    words, actors = plain_teller(game), game.actors()
    buttons: dict[str, TurnButton] = {}
    offers = game.offers(player)
    # While one player waits for another's answer nothing else can be decided; the asker may move by a command.
    for offer in [offer for offer in offers if offer.kind == ANSWER] or offers:
        if offer.kind in ASIDE:
            continue
        # Where it is not plain whose a button is, it says so.
        whose = "" if actors == (offer.actor,) else f"{game.name(offer.actor)}: "
        for entry in (not one_by_one and _pass_entries(game, offer)) or _entries(words, offer, whose):
            buttons.setdefault(entry.key, entry)
    return tuple(buttons.values())


def stepwise(game: Game, entries: Sequence[TurnButton], kinds: frozenset[str]) -> tuple[TurnButton, ...]:
    """The buttons with menus in place of one-click moves for these kinds of offers."""
    words = plain_teller(game)
    menus = (_menu(words, offer) for offer in game.offers() if offer.kind in kinds and offer.slots)
    return (*menus, *(entry for entry in entries if entry.kind not in kinds))


def turn_ends(game: Game, offer: Offer) -> tuple[OneClickMove, ...]:
    """One-click moves that end a company's step or turn by passing.

    Nothing, unless several passes are left of the turn and nothing else must be decided in it.
    """
    end = game.end_of_turn(offer.actor) if offer.kind == PASS else None
    if end is None or len(end.passes) < 2:
        return ()
    words = plain_teller(game)
    first, *others = end.passes
    whole = OneClickMove(words.say(fact("offer.end_turn")), first, along=tuple(others))
    return (*(quick_fillings(words, offer) if end.opens else ()), whole)


def _pass_entries(game: Game, offer: Offer) -> list[TurnButton]:
    """The buttons of passes that end a company's turn; none if passing does not."""
    ends = turn_ends(game, offer)
    return [TurnButton(quick.key, quick.label, offer.kind, menu=False, quick=quick) for quick in ends]


def fitting(found: Sequence[T], room: int, rank: Callable[[T], int | tuple[bool, ...]]) -> list[T]:
    """Buttons that fit into a message in order, those of higher rank first."""
    kept = set(sorted(range(len(found)), key=lambda number: rank(found[number]))[:room])
    return [one for number, one in enumerate(found) if number in kept]


def entry_rank(entry: TurnButton) -> tuple[bool, bool]:
    """A button's rank: passing first, then menus, by which every other move can be made."""
    return entry.kind != PASS, not entry.menu


def _forms(teller: Teller, offer: Offer, whose: str) -> Iterator[TurnButton]:
    """A button for each choice before an amount; none if there are many."""
    open_ways = [(choice, way) for choice, way in Cursor(offer).choices_and_walks() if _is_open(way)]
    if len(open_ways) > FORMS:
        return
    for choice, _ in open_ways:
        label = f"{whose}{choice.value}: another {teller.say(offer.label).lower()} …"
        yield TurnButton(
            f"{offer_key(offer)}.{choice.value}", label, offer.kind, menu=True, form=str(choice.value)
        )


def _is_open(way: Cursor) -> bool:
    return (
        way.slot is not None
        and isinstance(way.domain, game_offers.IntRange)
        and way.domain.only_value() is None
    )


def _entries(teller: Teller, offer: Offer, whose: str) -> Iterator[TurnButton]:
    for quick in told_apart(quick_fillings(teller, offer)):
        reply = str(quick.action.chosen().get("reply", ""))
        yield TurnButton(quick.key, whose + quick.label, offer.kind, menu=False, reply=reply, quick=quick)
    forms = tuple(_forms(teller, offer, whose)) if offer.kind in TYPED else ()
    yield from forms
    if offer.slots and not forms and offer.kind != ANSWER:
        yield _menu(teller, offer, whose)


def _menu(teller: Teller, offer: Offer, whose: str = "") -> TurnButton:
    return TurnButton(offer_key(offer), f"{whose}{teller.say(offer.label)} …", offer.kind, menu=True)


KEPT: Final = 1_000
"""Games whose buttons are cached; those of another one are searched for again."""


class _Position(NamedTuple):
    """The key of cached buttons: the last row and players' names."""

    seq: int
    players: tuple[tuple[PlayerId, str], ...]


class Buttons:
    """Caches the buttons of positions, including best routes."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._kept: BoundedDict[int, tuple[_Position, tuple[TurnButton, ...]]] = BoundedDict(KEPT)
        self._locks = Locks()

    async def search(self, game_id: int) -> None:
        """Search for a game's best routes, if not cached, without its lock."""
        cached = self._tables.cached(game_id)
        if cached is None or self.buttons_without_search(cached) is not None:
            return
        async with self._locks.of(game_id):
            async with self._tables.reading(game_id) as live:
                if self.buttons_without_search(live) is not None:
                    return
                position, queue, text = _position(live), move_queue(live), live.game.dump()
            self._kept[game_id] = (
                position,
                await ask_position(self._tables.workers, queue, text, offered_buttons),
            )

    async def of(self, live: LiveGame) -> tuple[TurnButton, ...]:
        """The buttons of a locked game."""
        buttons = self.buttons_without_search(live)
        if buttons is None:
            buttons = await ask_position(
                self._tables.workers, move_queue(live), live.game.dump(), offered_buttons
            )
            self._kept[live.id] = _position(live), buttons
        return buttons

    async def move_of_button(self, live: LiveGame, player: PlayerId, key: str) -> OneClickMove:
        """The one-click move of a button; another player's is refused with their name."""
        shown = [entry.quick for entry in await self.of(live) if entry.quick is not None]
        named = [quick for quick in (*shown, *plain_moves(live.game)) if quick.key == key]
        quick = next((quick for quick in named if quick.action.actor == player), None)
        if quick is not None:
            return quick
        actors = live.game.actors()
        owner = next((quick.action.actor for quick in named), None)
        if owner is not None and owner not in actors:
            raise NotYours(f"Only {live.name_of(owner)} can decide this, not you.")
        others = [live.name_of(other) for other in actors if other != player]
        if others:
            raise OthersTurn(sentence_list(others))
        raise Refused("This move is no longer possible.")

    def buttons_without_search(self, live: LiveGame) -> tuple[TurnButton, ...] | None:
        """The buttons, if no search is needed; else None."""
        kept, entries = self._kept.get(live.id, (None, ()))
        position = _position(live)
        if kept == position:
            return entries
        if any(offer.kind == SEARCHED for offer in live.game.offers()):
            return None
        entries = offered_buttons(live.game)
        self._kept[live.id] = position, entries
        return entries


def _position(live: LiveGame) -> _Position:
    return _Position(live.seq, live.game.players)
