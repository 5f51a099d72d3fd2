"""Seasons for the tests: drawn, and some of their games over."""

from collections.abc import Sequence

from bot.table.events.event_settings import EventSettings
from bot.table.events.event_views import EventView
from bot.table.events.events import Events
from bot.table.events.stage_draw import StageDrawRequest
from bot.table.events.starting import begin_games
from storage import GameResult, event_tables, events, games, results
from tests.bot.support.table_service import ANN, CHANNEL, GUILD, TableService

NAMES = ("Ada", "Ben", "Cat", "Dan", "Eva", "Fay", "Gus")


def season(groups: int = 1, size: int = 7, *, over: int = 0, withdrawn: int | None = None) -> EventView:
    """Groups of this size at tables of four; the first games are over, of which the first entrants were best."""
    settings = EventSettings(titles=("1889",), group_size=size)
    ladder = range(1, groups * size + 1)
    draw = StageDrawRequest.of_ranked_entrants(ladder, settings, seed=5)
    seated = [
        (division, tuple(group[(turn + place) % len(group)] for place in (0, 1, 2, 4)))
        for division, group in enumerate(draw.groups, start=1)
        for turn in range(len(group))
    ]
    tables = [
        event_tables.EventTable(1, number, division, "1889", entrants, 100 + number)
        for number, (division, entrants) in enumerate(seated, start=1)
    ]
    games = [
        event_tables.EventGame(
            table,
            100 + table.number,
            "finished" if number < over else "running",
            thread_id=7000 + table.number,
            places=_places(table) if number < over else (),
        )
        for number, table in enumerate(tables)
    ]
    divisions = {number: division for division, group in enumerate(draw.groups, 1) for number in group}
    entrants = [
        events.Entrant(
            number,
            1000 + number,
            f"{NAMES[(number - 1) % size % 7]} {(number - 1) // 7 + 1}",
            "withdrawn" if number == withdrawn else "entered",
            divisions[number],
        )
        for number in ladder
    ]
    event = events.EventRow(
        *(
            3,
            1,
            2,
            "Spring",
            "running",
            1,
            settings.model_dump_json(),
            5,
            11,
            "2026-12-01T00:00:00.000+00:00",
        ),
        closes_at=None,
        deadline="2027-02-28T00:00:00.000+00:00",
        previous_id=None,
    )
    return EventView(event, settings, tuple(entrants), tuple(tables), tuple(games))


def _places(table: event_tables.EventTable) -> tuple[tuple[int, int, int], ...]:
    return tuple(
        (entrant, place, 2000 - 500 * (place - 1)) for place, entrant in enumerate(sorted(table.entrants), 1)
    )


async def running_season(
    service: TableService, names: Sequence[str] = NAMES, *, over: int = 0, group_size: int = 7
) -> events.EventRow:
    """A season whose games have begun, and of which the first are over."""
    db, tables = service.db, service.tables
    settings = EventSettings(titles=("1889",), group_size=group_size)
    row = await events.create_event(
        db,
        guild_id=GUILD,
        channel_id=CHANNEL,
        name="Spring & summer <b>",
        settings=settings.model_dump_json(),
        seed=5,
        opened_by=ANN,
        now=tables.clock(),
    )
    for number, name in enumerate(names):
        await events.enter(db, row.id, ANN + number, name, places=None, now=tables.clock())
    of_service = Events(tables)
    await of_service.draw(row.id)
    await of_service.begin(row.id)
    await begin_games(tables, service.lobbies, row.id)
    for game in (await of_service.view(row.id)).games[:over]:
        await games.finish_game(db, game.game_id)
        found = [GameResult(f"p{seat}", seat, 1000 - 100 * seat, seat == 1) for seat in range(1, 5)]
        await results.add_results(db, game.game_id, found)
    return await events.get_event(db, row.id)
