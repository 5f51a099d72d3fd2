"""Autocomplete: what a slot may be, given what is typed already. Reads live games in memory only."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from bot.table.moves import earlier_picks, offers_of
from engine.core.ids import PlayerId
from engine.core.offers import Choice
from engine.game import Game

MOST: Final = 25
"""Discord shows at most this many choices."""
LONGEST: Final = 100
"""Discord refuses a longer label or value, and shows nothing at all then."""


def slot_choices(
    game: Game,
    player: PlayerId,
    kind: str,
    slot: str,
    given: Mapping[str, Any],
    typed: str,
    entity: str | None = None,
) -> list[Choice]:
    """The legal values of a slot that fit what is typed, labelled, at most 25."""
    return first_fitting(_values(game, player, kind, slot, given, entity), typed)


def entity_choices(game: Game, player: PlayerId, kind: str, typed: str) -> list[Choice]:
    """For whom an action of this kind is possible."""
    return first_fitting(
        (Choice(offer.entity, f"{offer.entity}: {offer.label}") for offer in offers_of(game, player, kind)),
        typed,
    )


def first_fitting(choices: Iterator[Choice], typed: str) -> list[Choice]:
    """The first 25 different choices that fit what is typed, cut to the length Discord takes."""
    wanted = typed.strip().casefold()
    found: dict[str | int, Choice] = {}
    for choice in choices:
        if len(found) == MOST:
            break
        if choice.value not in found and _fits(choice, wanted):
            found[choice.value] = Choice(choice.value, choice.label[:LONGEST])
    return list(found.values())


def _fits(choice: Choice, wanted: str) -> bool:
    value = str(choice.value)
    return len(value) <= LONGEST and (
        value.casefold().startswith(wanted) or wanted in choice.label.casefold()
    )


def _values(
    game: Game, player: PlayerId, kind: str, slot: str, given: Mapping[str, Any], entity: str | None
) -> Iterator[Choice]:
    for offer in offers_of(game, player, kind, entity):
        chosen = earlier_picks(offer, slot, given)
        if chosen is not None:
            yield from offer.domain(slot, chosen).choices()
