"""Events without Discord: heats and a final, players who withdraw or are replaced, ties, and who may enter."""

from functools import partial

import pytest

from bot.table.errors import Refused
from bot.table.events.event_settings import EventSettings
from bot.table.events.event_upkeep import substitute, tables_without_users, withdraw
from bot.table.events.event_views import EventView
from bot.table.events.events import Events, Organiser
from bot.table.events.starting import begin_games
from storage import NewEventGame, event_tables, games, results, seats
from storage.results import GameResult
from tests.bot.support.table_service import ANN, BOB, CHANNEL, CY, EVERYBODY, GUILD, TableService

SEASON = EventSettings(titles=("18tn",), games_each=2, group_size=4, promoted=0, relegated=0)
CUP = EventSettings(kind="tournament", titles=("18tn",), games_each=1)
MODERATOR = 99
PAUL, ROLE = 15, 77


class Club:
    """A server with one event."""

    def __init__(self, service: TableService, event_id: int) -> None:
        self.service, self.id = service, event_id
        self.events = Events(service.tables)

    @classmethod
    async def opened(cls, service: TableService, settings: EventSettings, players: int = 4) -> "Club":
        row = await Events(service.tables).open_event(
            GUILD, Organiser(MODERATOR, CHANNEL), "Spring", settings
        )
        club = cls(service, row.id)
        names = [name for _, name in EVERYBODY] + ["Eve", "Fay", "Gus", "Hal"]
        for number, name in enumerate(names[:players]):
            await club.events.enter(row.id, ANN + number, name, (ROLE,))
        return club

    async def view(self) -> EventView:
        return await self.events.view(self.id)

    async def begin(self) -> EventView:
        """Draw the next stage and begin its games."""
        await self.events.draw(self.id)
        await self.events.begin(self.id)
        return await self.go_on()

    async def go_on(self) -> EventView:
        """Begin the games that have not begun."""
        await begin_games(self.service.tables, self.service.lobbies, self.id)
        return await self.view()

    async def end(self, *totals: int) -> EventView:
        """All running games end; entrants have these totals, by number."""
        for game in (await self.view()).running_games:
            own = [totals[entrant - 1] for entrant in game.event_table.entrants]
            places = [1 + sum(other > total for other in own) for total in own]
            rows = [
                GameResult(f"p{seat}", place, total, place == 1)
                for seat, (place, total) in enumerate(zip(places, own, strict=True), start=1)
            ]
            await self.service.db.write(
                partial(
                    games.change_status,
                    game_id=game.game_id,
                    allowed_statuses=("running",),
                    status="finished",
                )
            )
            await results.add_results(self.service.db, game.game_id, rows)
        return await self.view()


async def test_heats_lead_to_a_final(service: TableService) -> None:
    """The winners of both heats, then the best of the rest; the final stands alone."""
    club = await Club.opened(service, CUP, 8)
    heats = await club.begin()
    assert [len(table.entrants) for table in heats.stage_tables] == [4, 4]
    with pytest.raises(Refused, match="2 games of this round have not ended"):
        await club.events.draw(club.id)
    heats = await club.end(800, 700, 600, 500, 400, 300, 200, 100)
    winners = {min(table.entrants) for table in heats.stage_tables}
    assert not heats.is_complete
    assert winners < set(heats.going_on)
    final = await club.begin()
    assert [set(table.entrants) for table in final.stage_tables] == [set(heats.going_on)]
    assert (await club.end(*range(800, 0, -100))).is_complete


async def test_all_who_tie_share_the_rank(service: TableService) -> None:
    club = await Club.opened(service, SEASON)
    await club.begin()
    (rows,) = (await club.end(500, 500, 500, 500)).standings.values()
    assert [(row.rank, int(row.points)) for row in rows] == [(1, 10)] * 4


@pytest.mark.parametrize(("rule", "rank", "points"), [("keeps", 1, 20), ("loses", 4, 0)])
async def test_withdrawn_player_keeps_or_loses_points(
    service: TableService, rule: str, rank: int, points: int
) -> None:
    club = await Club.opened(service, SEASON.model_copy(update={"withdrawal": rule}))
    begun = await club.begin()
    assert await withdraw(service.tables, club.id, 1, MODERATOR) == 2
    for game in begun.games:
        async with service.tables.reading(game.game_id) as live:
            assert live.caretaker_players == {f"p{game.event_table.entrants.index(1) + 1}"}
    (rows,) = (await club.end(800, 700, 600, 500)).standings.values()
    assert next((row.rank, int(row.points)) for row in rows if row.entrant_number == 1) == (rank, points)


async def test_substitute_takes_over_all_games(service: TableService) -> None:
    club = await Club.opened(service, SEASON)
    begun = await club.begin()
    assert (await club.events.enter(club.id, PAUL, "Paul", ())).status == "reserve"
    assert await substitute(service.tables, club.id, 2, (PAUL, "Paul"), MODERATOR) == 2
    for game in begun.games:
        players = {seat.user_id for seat in await seats.seats(service.db, game.game_id)}
        assert (PAUL in players, BOB in players) == (True, False)
    entrants = [(one.number, one.user_id, one.status) for one in (await club.view()).entrants]
    assert entrants[1:] == [(2, PAUL, "entered"), (3, CY, "entered"), (4, 14, "entered")]
    with pytest.raises(Refused, match="Paul already plays in Spring"):
        await substitute(service.tables, club.id, 3, (PAUL, "Paul"), MODERATOR)


async def test_only_a_role_may_enter(service: TableService) -> None:
    club = await Club.opened(service, SEASON.model_copy(update={"entry_role": ROLE}))
    with pytest.raises(Refused, match="Only members with <@&77> can enter Spring"):
        await club.events.enter(club.id, PAUL, "Paul", (ROLE + 1,))


async def test_next_season_keeps_the_ladder(service: TableService) -> None:
    """The winner of the second group goes up, the last of the first goes down, and newcomers begin below."""
    settings = SEASON.model_copy(update={"promoted": 1, "relegated": 1})
    club = await Club.opened(service, settings, 8)
    begun = await club.begin()
    upper, lower = ([one.number for one in begun.entrants if one.division == division] for division in (1, 2))
    await club.end(*range(800, 0, -100))
    await club.events.finish(club.id)
    row = await club.events.open_next_season(club.id, Organiser(MODERATOR, CHANNEL), "Spring 2")
    for number in (8, 3, 1, 2, 7, 5, 4, 6):
        await club.events.enter(row.id, ANN + number - 1, f"Player {number}", ())
    drawn = await club.events.draw(row.id)
    following = {one.user_id - ANN + 1: one.division for one in drawn.entrants}
    wanted = {*upper, min(lower)} - {max(upper)}
    assert {number for number, division in following.items() if division == 1} == wanted
    with pytest.raises(Refused, match="Spring 2 already follows Spring"):
        await club.events.open_next_season(club.id, Organiser(MODERATOR, CHANNEL), "Spring 3")


async def test_entrants_who_come_late_are_drawn(service: TableService) -> None:
    """A draw for those who were there before is not stored."""
    club = await Club.opened(service, SEASON)
    assert not await event_tables.store_draw(service.db, club.id, ("open",), 1, 5, {1: 1, 2: 1, 3: 1}, [])
    drawn = await club.events.draw(club.id)
    assert {entrant.division for entrant in drawn.entrants} == {1}


async def test_table_of_computers_waits_for_a_person(service: TableService) -> None:
    """Computer players make no moves without a person, so the organiser is told."""
    club = await Club.opened(service, SEASON, 1)
    for _ in range(3):
        await club.events.enter_computer(club.id)
    await club.begin()
    assert tables_without_users(await club.view()) == []
    assert await withdraw(service.tables, club.id, 1, MODERATOR) == 0
    view = await club.view()
    assert tables_without_users(view) == view.stage_tables


async def test_player_who_came_back_is_drawn_once(service: TableService) -> None:
    """They withdrew, took another place over, and enter the next season."""
    club = await Club.opened(service, SEASON)
    await club.begin()
    await withdraw(service.tables, club.id, 1, MODERATOR)
    await club.events.enter(club.id, ANN, "Ann", ())
    await club.end(800, 700, 600, 500)
    await substitute(service.tables, club.id, 2, (ANN, "Ann"), MODERATOR)
    await club.events.finish(club.id)
    row = await club.events.open_next_season(club.id, Organiser(MODERATOR, CHANNEL), "Spring 2")
    for number in range(4):
        await club.events.enter(row.id, ANN + number, f"Player {number}", ())
    drawn = await club.events.draw(row.id)
    assert {frozenset(table.entrants) for table in drawn.tables} == {frozenset({1, 2, 3, 4})}


async def test_game_that_cannot_start_holds_up_none(service: TableService) -> None:
    club = await Club.opened(service, SEASON)
    await club.events.draw(club.id)
    await club.events.begin(club.id)
    view = await club.view()
    damaged = NewEventGame("18Tennessee", "no such rules", "[]", 1, {})
    await event_tables.open_game(service.db, view.event, view.tables[0], damaged, service.tables.clock())
    assert [game.status for game in (await club.go_on()).games] == ["lobby", "running"]
