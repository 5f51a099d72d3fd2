"""The draw of one stage of an event, run by a worker: all groups of a season, or one round of a tournament."""

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from bot.table.errors import Refused
from bot.table.events.draw import (
    DrawImpossible,
    divide_into_groups,
    draw_group,
    draw_round,
    titles_of_tables,
)
from bot.table.events.event_settings import EventSettings
from storage import EventTable


@dataclass(frozen=True, slots=True)
class StageDrawRequest:
    """The input of a draw: groups of entrants, each best first, and how often each pair of entrants has met before."""

    stage: int
    groups: tuple[tuple[int, ...], ...]
    settings: EventSettings
    seed: int
    earlier_meetings: Counter[frozenset[int]] = field(default_factory=Counter)

    @classmethod
    def of_ranked_entrants(
        cls, ranked_entrants: Sequence[int], settings: EventSettings, seed: int
    ) -> "StageDrawRequest":
        """The input for the draw of a season. The entrants (`ranked_entrants`, best first) are divided into groups."""
        return cls(
            1, divide_into_groups(ranked_entrants, settings.group_size, settings.table_size), settings, seed
        )


def draw_stage(request: StageDrawRequest) -> list[EventTable]:
    """Draw the tables of a stage. Run by a worker, since a large group takes seconds. Raises Refused."""
    try:
        seatings = (
            _season_seatings(request) if request.settings.kind == "season" else _round_seatings(request)
        )
    except DrawImpossible as problem:
        raise Refused(str(problem)) from problem
    titles = titles_of_tables(len(seatings), request.settings.titles, request.seed)
    return [
        EventTable(request.stage, number, division, title, entrants)
        for number, ((division, entrants), title) in enumerate(zip(seatings, titles, strict=True), start=1)
    ]


def _season_seatings(request: StageDrawRequest) -> list[tuple[int, tuple[int, ...]]]:
    settings = request.settings
    return [
        (division, table)
        for division, group in enumerate(request.groups, start=1)
        for table in draw_group(
            group, settings.table_size, settings.games_each, request.seed + division
        ).tables
    ]


def _round_seatings(request: StageDrawRequest) -> list[tuple[int, tuple[int, ...]]]:
    settings, (entrants,) = request.settings, request.groups
    is_first = request.stage == 1
    earlier_meetings, seatings = Counter(request.earlier_meetings), list[tuple[int, tuple[int, ...]]]()
    rng = random.Random(request.seed)
    for _ in range(settings.games_each if is_first else 1):
        entrants_apart = () if is_first else entrants[: -(-len(entrants) // settings.table_size)]
        draw = draw_round(
            entrants,
            settings.table_size,
            settings.table_sizes,
            earlier_meetings,
            rng.randrange(2**31),
            entrants_apart,
        )
        for table in draw.tables:
            seatings.append((1, table))
            earlier_meetings.update(
                frozenset((entrant, other_entrant))
                for entrant in table
                for other_entrant in table
                if entrant < other_entrant
            )
    return seatings
