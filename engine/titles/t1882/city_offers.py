"""Offers to place or take a token in one of several cities."""

from collections.abc import Callable, Sequence

from engine.board.map import StopId
from engine.core.facts import Fact, fact
from engine.core.ids import Coord, EntityId, PlayerId
from engine.core.offers import FilteredChoices, Offer, Slot, Suggestion
from engine.play.steps.place_token import city_label
from engine.play.table import Table


def city_choice_offer(
    t: Table,
    kind: str,
    entity: EntityId,
    label: Fact,
    stops: Sequence[StopId],
    *,
    choice_label: Callable[..., Fact],
    other_hex_refusal: Callable[[Coord], Fact],
    actor: PlayerId,
    blocking: bool = True,
) -> Offer:
    """An offer to choose one of these cities.

    `choice_label` returns the menu label of a city, and `other_hex_refusal` the error message for a place that is not
    in the list.
    """
    hexes = list(dict.fromkeys(coord for coord, _ in stops))
    return t.offer(
        kind,
        entity,
        label,
        Slot(
            "hex",
            lambda _: FilteredChoices(
                hexes,
                lambda coord: None if coord in hexes else other_hex_refusal(coord),
                lambda coord: fact("choice.spot", hex=coord, name=t.map.hexes[coord].name),
            ),
        ),
        Slot(
            "city",
            lambda c: FilteredChoices(
                range(len(t.map.topology(c["hex"]).stops)),
                lambda city: None if (c["hex"], city) in stops else other_hex_refusal(c["hex"]),
                lambda city: fact("choice.city", number=city + 1),
            ),
        ),
        suggest=lambda: [
            Suggestion(choice_label(spot=city_label(t, *stop)), {"hex": stop[0], "city": stop[1]})
            for stop in stops
        ],
        actor=actor,
        blocking=blocking,
    )
