"""Values of a move, read from typed or picked text and checked by the engine.

A slot is one value that an action needs, such as hex or tile. The engine's `OfferCursor` is an action with its first
slots filled.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from bot.table.markdown import plain_teller, strong
from bot.table.moves.verbs import SLOTS_BY_ACTION_KIND
from engine import POOL, BadChoice, Game, Offer, OfferCursor, PlayerId, Teller, fact
from engine import offers as game_offers
from engine.views import MapView, RunView, map_view


@dataclass(frozen=True, slots=True)
class RunChoice:
    """A suggested run of a company: routes for all its trains, with texts and a picture."""

    label: str
    """The label of the run: `Best run $120`, `Run $110 without J2 (Allentown)`."""
    lines: tuple[str, ...]
    """A line for each train: `**3** H4 (Lancaster), G5, F6 (Reading): 30+20+20 = $70`."""
    view: MapView
    """The map with the routes drawn on it."""


def run_choices_of(game: Game, offer: Offer) -> tuple[RunChoice, ...]:
    """The runs to choose from for this action, best first; empty for actions other than running trains."""
    return tuple(_run_choices(game, suggested_runs(offer)))


def suggested_runs(offer: Offer) -> Sequence[game_offers.Suggestion]:
    """The engine's suggested routes for this action, best first; empty for actions other than running trains."""
    if len(offer.slots) != 1:
        return ()
    domain = OfferCursor(offer).domain
    return domain.find_suggestions() if isinstance(domain, game_offers.Routes) else ()


def routes_of_typed_number(domain: game_offers.Routes, text: str) -> Any:
    """The routes of the suggested run with the typed number (from 1); None if the text is not such a number."""
    number = int(text) if text.isascii() and text.isdecimal() and len(text) == 1 else 0
    suggestions = domain.find_suggestions() if number else ()
    return suggestions[number - 1].chosen["routes"] if number <= len(suggestions) and suggestions else None


def _run_choices(game: Game, suggestions: Sequence[game_offers.Suggestion]) -> Iterator[RunChoice]:
    teller = plain_teller(game)
    for suggestion in suggestions:
        view = map_view(game, suggestion.chosen["routes"])
        yield RunChoice(
            teller.say(suggestion.label), tuple(_run_line(teller, run) for run in view.runs), view
        )


def _run_line(teller: Teller, run: RunView) -> str:
    stops_text = ", ".join(teller.hex_name(coord) for coord, _, _ in run.stops)
    return f"{strong(run.train)} {stops_text}: {run.sum_text} = {run.money(run.revenue)}"


GivenValues: TypeAlias = Mapping[str, str | int | None]
"""Typed or picked values by slot name (such as `hex`); None: not given."""

EMPTY_VALUE_WORD: Final = "none"
"""The word that users type for an empty value, which Discord cannot send."""

ALTERNATIVE_WORDS: Final[Mapping[tuple[str, str], Mapping[str, str]]] = {
    ("buy_train", "source"): {"market": POOL, "bank pool": POOL}
}
"""Words that players also use for a value, with the value, by kind of move and slot."""

_TYPED_NUMBER_PATTERN: Final = re.compile(r"-?[0-9]{1,15}")


def offers_of(game: Game, player: PlayerId, kind: str, entity: str | None = None) -> list[Offer]:
    """The player's offers (possible actions) of this kind, of the company or player `entity` if given."""
    return [
        offer
        for offer in game.offers(player)
        if offer.kind == kind and (entity is None or offer.entity.casefold() == entity.casefold())
    ]


def filled_cursor(
    game: Game, offer: Offer, given_values: GivenValues, last_slot: str | None = None
) -> OfferCursor:
    """The action with these values; a value with only one legal choice is filled in automatically.

    Filling stops before the first value that is not given, and before `last_slot`. Raises IllegalAction for the first
    illegal value.
    """
    cursor = OfferCursor(offer)
    while (slot := cursor.slot) is not None and slot.name != last_slot:
        value = _slot_value(game, cursor, slot, given_values.get(slot.name))
        if value is None:
            break
        cursor = cursor.pick(value)
    return cursor


def parsed_values(game: Game, kind: str, given_values: GivenValues) -> dict[str, str | int]:
    """The typed values by slot name. Values that cannot be parsed for this kind of move are left out."""
    values = {
        name: parsed_value(game, kind, name, value)
        for name, value in given_values.items()
        if value is not None
    }
    return {name: value for name, value in values.items() if _fits_slot(kind, name, value)}


def parsed_value(game: Game, kind: str, slot: str, typed_value: str | int) -> str | int:
    """The typed value as the game writes it: a number or an id. Text that cannot be parsed is returned unchanged."""
    text = str(typed_value).strip()
    if SLOTS_BY_ACTION_KIND[kind].get(slot) is int:
        digits = text.removeprefix(game.rules.spec.currency)
        return int(digits) if _TYPED_NUMBER_PATTERN.fullmatch(digits) else text
    return canonical_id(game, ALTERNATIVE_WORDS.get((kind, slot), {}).get(text.casefold(), text))


def canonical_id(game: Game, text: str) -> str:
    """The canonical id of a company, private, train or hex, as the game writes it. Unknown text is unchanged."""
    spec = game.rules.spec
    known_ids = (*spec.companies, *spec.privates, *(train.name for train in spec.trains), *spec.map.all_hexes)
    return next((known_id for known_id in known_ids if known_id.casefold() == text.strip().casefold()), text)


def matching_value(game: Game, domain: game_offers.Domain, given_value: str | int) -> str | int:
    """The legal value with the value or label `given_value`, ignoring case; `given_value` itself if there is none."""
    if given_value in domain:
        return given_value
    typed_text = str(given_value).casefold()
    if typed_text == EMPTY_VALUE_WORD and "" in domain:
        return ""
    teller, choices = plain_teller(game), list(domain.choices())
    for text_of in (lambda choice: str(choice.value), teller.label):
        for choice in choices:
            if text_of(choice).casefold() == typed_text:
                return choice.value
    return given_value


def missing_value_text(game: Game, cursor: OfferCursor) -> str:
    """A question for the next missing value of a move, with its legal values: `Which hex? ...`."""
    assert cursor.slot is not None
    teller = plain_teller(game)
    name, legal_values = teller.say(fact(f"slot.{cursor.slot.name}")), cursor.domain.allowed()
    return f"Which {name}? {teller.say(legal_values)}." if legal_values else f"There is no legal {name} here."


def _slot_value(
    game: Game, cursor: OfferCursor, slot: game_offers.Slot, typed_value: str | int | None
) -> Any:
    domain = cursor.domain
    if isinstance(domain, game_offers.Routes):
        if typed_value is None:
            return next((best_suggestion.chosen["routes"] for best_suggestion in cursor.offer.suggest()), ())
        return _typed_routes(game, domain, str(typed_value).strip())
    if typed_value is None:
        return domain.only_value()
    kind = cursor.offer.kind
    value = matching_value(game, domain, parsed_value(game, kind, slot.name, typed_value))
    if not _fits_slot(kind, slot.name, value):
        reason = fact("choice.not_legal", slot=fact(f"slot.{slot.name}"), value=value)
        raise BadChoice(reason, domain.allowed(), slot.name, value)
    return value


def _fits_slot(kind: str, slot: str, value: str | int) -> bool:
    value_type = SLOTS_BY_ACTION_KIND[kind].get(slot)
    return value_type != tuple[str, ...] and (value_type is not int or isinstance(value, int))


def _typed_routes(game: Game, domain: game_offers.Routes, text: str) -> tuple[str, ...]:
    if text.casefold() == EMPTY_VALUE_WORD:
        return ()
    suggested_routes = routes_of_typed_number(domain, text)
    return game.read_routes(text) if suggested_routes is None else suggested_routes
