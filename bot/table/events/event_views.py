"""A snapshot of an event: entrants, tables, games and standings, for posts, pictures and the web page."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from bot.table.events.event_settings import EventSettings
from bot.table.events.points import PlayedGame, PlayedSeat, Standing, standings
from bot.table.events.progress import players_of_next_round
from storage import Database, Entrant, EventGame, EventRow, EventTable, events


@dataclass(frozen=True)
class EventView:
    """An event with its entrants, tables and games, as stored when it was read."""

    event: EventRow
    settings: EventSettings
    entrants: tuple[Entrant, ...]
    tables: tuple[EventTable, ...]
    games: tuple[EventGame, ...]

    @cached_property
    def present(self) -> list[Entrant]:
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
    def unfinished_games(self) -> list[EventTable]:
        """Tables of the current stage whose games have not begun or not ended."""
        over = {game.game_id for game in self.games if game.status in ("finished", "abandoned")}
        return [table for table in self.stage_tables if table.game_id not in over]

    @property
    def is_final(self) -> bool:
        """True if the current stage of a tournament is the final: it has one table."""
        return self.settings.kind == "tournament" and len(self.stage_tables) == 1 and bool(self.tables)

    @property
    def is_complete(self) -> bool:
        """True if the event is complete: all games of the last stage have ended."""
        is_last = self.settings.kind == "season" or self.is_final
        return bool(self.stage_tables) and is_last and not self.unfinished_games

    @cached_property
    def played(self) -> list[PlayedGame]:
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
            frozenset((one, other))
            for table in self.tables
            for one in table.entrants
            for other in table.entrants
            if one < other
        )

    @cached_property
    def standings(self) -> Mapping[int, tuple[Standing, ...]]:
        """The standings by group number. A tournament has one group, with the games of all stages."""
        return self._standings_of_games(self.played)

    def _standings_of_games(self, played: Sequence[PlayedGame]) -> Mapping[int, tuple[Standing, ...]]:
        settings = self.settings
        groups = {
            entrant.number: entrant.division for entrant in self.entrants if entrant.division is not None
        }
        withdrawn = {
            entrant.number: settings.withdrawal for entrant in self.entrants if entrant.status == "withdrawn"
        }
        due = Counter(number for table in self.tables for number in table.entrants)
        return standings(played, groups, settings.scoring, settings.points_by_place, withdrawn, due)

    @cached_property
    def going_on(self) -> tuple[int, ...]:
        """Entrants who go on to the next stage of a tournament (who qualify for it), best first."""
        stage = [game for game in self.played if game.stage == self.event.stage]
        playing = {number for table in self.stage_tables for number in table.entrants}
        player_count = min(
            self.settings.going_on or self._default_qualifier_count(len(playing)), len(playing)
        )
        (rows,) = self._standings_of_games(stage).values()
        away = {entrant.number for entrant in self.entrants if entrant.status == "withdrawn"}
        ranks = {
            row.entrant_number: row.rank
            for row in rows
            if row.entrant_number in playing and row.entrant_number not in away
        }
        return players_of_next_round(stage, self.settings.winners_each, player_count, ranks)

    def _default_qualifier_count(self, playing: int) -> int:
        size = self.settings.table_size
        return size * max(1, playing // (4 * size))


async def event_view(db: Database, event_id: int) -> EventView:
    """Read an event with its entrants, tables and games; raises NoSuchEvent."""
    event = await events.get_event(db, event_id)
    return EventView(
        event,
        EventSettings.of(event.settings),
        tuple(await events.entrants_of_event(db, event_id)),
        tuple(await events.tables_of_event(db, event_id)),
        tuple(await events.games_of_event(db, event_id)),
    )
