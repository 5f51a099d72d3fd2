"""A snapshot of an event: entrants, tables, games and standings, for posts, pictures and the web page."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from bot.table.events.event_settings import EventSettings
from bot.table.events.points import PlayedGame, PlayedSeat, Standing, standings
from bot.table.events.progress import players_of_next_round
from storage import Database, Entrant, EventGame, EventRow, EventTable, event_tables, events


@dataclass(frozen=True)
class EventView:
    """An event with its entrants, tables and games, as stored when it was read."""

    event: EventRow
    settings: EventSettings
    entrants: tuple[Entrant, ...]
    tables: tuple[EventTable, ...]
    games: tuple[EventGame, ...]

    @cached_property
    def present_entrants(self) -> list[Entrant]:
        """Entrants who take part: neither on the reserve list nor withdrawn."""
        return [entrant for entrant in self.entrants if entrant.status == "entered"]

    @cached_property
    def reserves(self) -> list[Entrant]:
        """Entrants on the reserve list, in order of entry."""
        return [entrant for entrant in self.entrants if entrant.status == "reserve"]

    @cached_property
    def names(self) -> dict[int, str]:
        """Entrants' names, by entrant number."""
        return {entrant.number: entrant.display_name for entrant in self.entrants}

    @property
    def stage_tables(self) -> list[EventTable]:
        """The tables of the current stage."""
        return [table for table in self.tables if table.stage == self.event.stage]

    @property
    def running_games(self) -> list[EventGame]:
        """Games that are running or still in the lobby."""
        return [game for game in self.games if game.status in ("lobby", "running")]

    @property
    def unfinished_tables(self) -> list[EventTable]:
        """Tables of the current stage whose games have not begun or not ended."""
        ended_game_ids = {game.game_id for game in self.games if game.status in ("finished", "abandoned")}
        return [table for table in self.stage_tables if table.game_id not in ended_game_ids]

    @property
    def is_final(self) -> bool:
        """True if the current stage of a tournament is the final: it has one table."""
        return self.settings.kind == "tournament" and len(self.stage_tables) == 1 and bool(self.tables)

    @property
    def is_complete(self) -> bool:
        """True if the event is complete: all games of the last stage have ended."""
        is_last = self.settings.kind == "season" or self.is_final
        return bool(self.stage_tables) and is_last and not self.unfinished_tables

    @cached_property
    def games_played(self) -> list[PlayedGame]:
        """Finished games of all stages, with each seat's finishing place and score."""
        return [
            PlayedGame(
                game.game_id,
                game.event_table.division,
                game.event_table.stage,
                tuple(PlayedSeat(*place) for place in game.places),
            )
            for game in self.games
            if game.places
        ]

    @cached_property
    def meetings(self) -> Counter[frozenset[int]]:
        """The number of meetings (tables at which both were drawn) of each pair of entrants, in all stages."""
        return Counter(
            frozenset((entrant, other_entrant))
            for table in self.tables
            for entrant in table.entrants
            for other_entrant in table.entrants
            if entrant < other_entrant
        )

    @cached_property
    def standings(self) -> Mapping[int, tuple[Standing, ...]]:
        """The standings by group number. A tournament has one group, with the games of all stages."""
        return self._standings_of_games(self.games_played)

    def _standings_of_games(self, finished_games: Sequence[PlayedGame]) -> Mapping[int, tuple[Standing, ...]]:
        settings = self.settings
        group_by_entrant = {
            entrant.number: entrant.division for entrant in self.entrants if entrant.division is not None
        }
        rule_by_withdrawn_entrant = {
            entrant.number: settings.withdrawal for entrant in self.entrants if entrant.status == "withdrawn"
        }
        games_due = Counter(number for table in self.tables for number in table.entrants)
        return standings(
            finished_games,
            group_by_entrant,
            settings.scoring,
            settings.points_by_place,
            rule_by_withdrawn_entrant,
            games_due,
        )

    @cached_property
    def going_on(self) -> tuple[int, ...]:
        """Entrants who qualify for the next stage of a tournament, best first."""
        finished_games = [game for game in self.games_played if game.stage == self.event.stage]
        entrants_of_stage = {number for table in self.stage_tables for number in table.entrants}
        qualifier_count = min(
            self.settings.going_on or self._default_qualifier_count(len(entrants_of_stage)),
            len(entrants_of_stage),
        )
        (rows,) = self._standings_of_games(finished_games).values()
        withdrawn_entrants = {entrant.number for entrant in self.entrants if entrant.status == "withdrawn"}
        rank_by_entrant = {
            row.entrant_number: row.rank
            for row in rows
            if row.entrant_number in entrants_of_stage and row.entrant_number not in withdrawn_entrants
        }
        return players_of_next_round(
            finished_games, self.settings.winners_each, qualifier_count, rank_by_entrant
        )

    def _default_qualifier_count(self, entrant_count: int) -> int:
        size = self.settings.table_size
        return size * max(1, entrant_count // (4 * size))


async def event_view(db: Database, event_id: int) -> EventView:
    """Read an event with its entrants, tables and games; raises NoSuchEvent."""
    event = await events.get_event(db, event_id)
    return EventView(
        event,
        EventSettings.of(event.settings),
        tuple(await events.entrants_of_event(db, event_id)),
        tuple(await event_tables.tables_of_event(db, event_id)),
        tuple(await event_tables.games_of_event(db, event_id)),
    )
