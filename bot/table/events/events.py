"""The life of an event: entry, draw, start, end, and the opening of the next season."""

import secrets
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Final, NamedTuple

from bot.table.errors import NotPermitted, Refused
from bot.table.events.event_settings import MAX_NAME_LENGTH, EventSettings, checked_settings
from bot.table.events.event_views import EventView, event_view
from bot.table.events.progress import next_season_groups
from bot.table.events.stage_draw import StageDrawRequest, draw_stage
from bot.table.game_cache import GameLocks
from bot.table.player_names import computer_name, distinct_name, harmless_name
from bot.table.tables import Tables
from bot.workers.workers import Priority, QueuePlace
from engine import caretaker
from storage import (
    CARETAKER_USER,
    Entrant,
    EventRow,
    WrongEventStatus,
    event_tables,
    events,
    later_timestamp,
    results,
)

MAX_EVENTS_OF_SERVER: Final = 10
"""Maximum number of open and running events on a server."""
SEED_LIMIT: Final = 2**31
"""Random seeds are below this number."""


class Organiser(NamedTuple):
    """The organiser (the user who opens an event), and the channel of its games."""

    user_id: int
    channel_id: int


class Events:
    """Opens, changes and ends events. All methods raise Refused or StorageError."""

    def __init__(self, tables: Tables) -> None:
        self._tables, self._db = tables, tables.db
        self.locks = GameLocks()
        """A lock for each event, by event id."""

    async def open_event(
        self,
        guild_id: int,
        organiser: Organiser,
        name: str,
        settings: EventSettings,
        days_open: int | None = None,
        previous_event: EventRow | None = None,
    ) -> EventRow:
        """Open an event for entry; raises Refused for impossible settings, or if the server has too many events.

        `days_open` is the number of days until entry closes (None: no limit); `previous_event` is last season's event.
        """
        settings_with_ids, event_name = checked_settings(settings), harmless_name(name).strip()
        if not 0 < len(event_name) <= MAX_NAME_LENGTH:
            raise Refused(f"Give the event a name of up to {MAX_NAME_LENGTH} characters.")
        events_of_server = await events.events_of_server(self._db, guild_id)
        current_events = [event for event in events_of_server if event.status in events.UNFINISHED_STATUSES]
        if len(current_events) >= MAX_EVENTS_OF_SERVER:
            raise Refused(
                f"This server already has {len(current_events)} events that are open or running, which is the limit. "
                "End or cancel one of them with `/event manage`."
            )
        now = self._tables.clock()
        closes_at = None if days_open is None else later_timestamp(now, timedelta(days=days_open))
        return await events.create_event(
            self._db,
            guild_id=guild_id,
            channel_id=organiser.channel_id,
            name=event_name,
            settings=settings_with_ids.model_dump_json(),
            seed=secrets.randbelow(SEED_LIMIT),
            opened_by=organiser.user_id,
            now=now,
            closes_at=closes_at,
            previous_id=None if previous_event is None else previous_event.id,
        )

    async def event_of_server(self, guild_id: int, event_id: int) -> EventRow:
        """The event with this id; raises NotPermitted for an event of another server."""
        event = await events.get_event(self._db, event_id)
        if event.guild_id != guild_id:
            raise NotPermitted(f"Event {event_id} belongs to another server.")
        return event

    async def view(self, event_id: int) -> EventView:
        """A snapshot of an event: entrants, tables, games and standings."""
        return await event_view(self._db, event_id)

    # --- entrants ----------------------------------------------------------------------------------------------------

    async def enter(self, event_id: int, user_id: int, name: str, role_ids: Sequence[int]) -> Entrant:
        """Enter a user in an event. If it is full or already drawn, the user joins the reserve list."""
        event = await events.get_event(self._db, event_id)
        settings = EventSettings.of(event.settings)
        if settings.entry_role is not None and settings.entry_role not in role_ids:
            raise Refused(f"Only members with <@&{settings.entry_role}> can enter {event.name}.")
        entrants = await events.entrants_of_event(self._db, event_id)
        names = [entrant.display_name for entrant in entrants if entrant.user_id != user_id]
        return await events.enter(
            self._db,
            event_id,
            user_id,
            distinct_name(harmless_name(name), names),
            places=settings.places,
            now=self._tables.clock(),
        )

    async def enter_computer(self, event_id: int) -> Entrant:
        """Enter a computer player in an event that is open."""
        event = await events.get_event(self._db, event_id)
        names = [entrant.display_name for entrant in await events.entrants_of_event(self._db, event_id)]
        places, now = EventSettings.of(event.settings).places, self._tables.clock()
        name = computer_name(caretaker.DEFAULT_STRENGTH, names)
        return await events.enter(self._db, event_id, CARETAKER_USER, name, places=places, now=now)

    async def change_settings(self, event_id: int, settings: EventSettings) -> None:
        """Change the settings of an event that is not drawn yet; raises Refused."""
        event = await events.get_event(self._db, event_id)
        if event.status != "open":
            raise WrongEventStatus(event.name, event.status)
        await events.change_settings(
            self._db, event_id, checked_settings(settings).model_dump_json(), event.deadline
        )

    async def leave(self, event_id: int, user_id: int) -> Entrant | None:
        """Remove a user from an event; returns the reserve who gets the place, or None without a reserve."""
        return await events.leave(self._db, event_id, user_id)

    # --- draw and start ----------------------------------------------------------------------------------------------

    async def draw(self, event_id: int) -> EventView:
        """Draw the next stage. A stage that was drawn but has not begun is drawn again with a new seed."""
        async with self.locks.lock_of(event_id):
            # Repeated if entrants entered or left while a worker drew.
            while not await self._draw(await self.view(event_id)):
                pass
            return await self.view(event_id)

    async def _draw(self, view: EventView) -> bool:
        """Draw the tables and store them; returns False if entrants entered or left during the draw."""
        event, stage, seed = view.event, self._stage_to_draw(view), secrets.randbelow(SEED_LIMIT)
        request = await self._stage_request(view, stage, seed)
        queue = QueuePlace(Priority.QUESTION, event.guild_id)
        tables = await self._tables.workers.run(queue, draw_stage, request)
        division_by_entrant = {
            entrant: division for division, group in enumerate(request.groups, start=1) for entrant in group
        }
        return await event_tables.store_draw(
            self._db, event.id, (event.status,), stage, seed, division_by_entrant, tables
        )

    def _stage_to_draw(self, view: EventView) -> int:
        event = view.event
        if event.status in ("open", "drawn"):
            return event.stage
        if event.status != "running" or view.settings.kind != "tournament":
            raise Refused(f"No round of {event.name} can be drawn now.")
        if view.unfinished_tables:
            raise Refused(
                f"{len(view.unfinished_tables)} games of this round have not ended. Draw the next round when they "
                "are over; `/event late` lists the players they wait for."
            )
        if view.is_final:
            raise Refused(f"The final of {event.name} has been played.")
        return event.stage + 1

    async def _stage_request(self, view: EventView, stage: int, seed: int) -> StageDrawRequest:
        settings, entrants = view.settings, view.present_entrants
        if len(entrants) < settings.table_size:
            raise Refused(
                f"{view.event.name} has {len(entrants)} entrants; a table needs {settings.table_size}."
            )
        if settings.kind == "tournament":
            entrants_of_round = view.going_on if stage > 1 else tuple(entrant.number for entrant in entrants)
            return StageDrawRequest(
                stage, (entrants_of_round,), settings, seed, view.meetings if stage > 1 else Counter()
            )
        ranked_entrants = await self._entrants_by_rank(view, seed)
        return StageDrawRequest.of_ranked_entrants(ranked_entrants, settings, seed)

    async def _entrants_by_rank(self, view: EventView, seed: int) -> list[int]:
        """Entrants of a season, best first: by rating, or by last season's result; newcomers come last, at random."""
        entrant_by_user = {
            entrant.user_id: entrant.number
            for entrant in view.present_entrants
            if entrant.user_id != CARETAKER_USER
        }
        ranked_entrants = [entrant.number for entrant in view.present_entrants]
        # Computer players share one user id, so they are placed like newcomers.
        if view.settings.seeding == "rating":
            ranked_entrants = await self._entrants_by_rating(view)
        else:
            ranked_entrants = shuffled(ranked_entrants, seed)
        previous_event_id = view.event.previous_id
        if previous_event_id is None or view.settings.seeding == "rating":
            return ranked_entrants
        ranked_users = await self._users_by_last_season(previous_event_id, set(entrant_by_user))
        # A user who withdrew and came back as a substitute had two places; the better one counts.
        returning_entrants = list(dict.fromkeys(entrant_by_user[user] for user in ranked_users))
        return [
            *returning_entrants,
            *(number for number in ranked_entrants if number not in returning_entrants),
        ]

    async def _entrants_by_rating(self, view: EventView) -> list[int]:
        ratings = await results.ratings_of_server(self._db, view.event.guild_id)
        title = view.settings.titles[0]

        def strength(entrant: Entrant) -> int:
            rating = ratings.get((entrant.user_id, title))
            return 0 if rating is None else rating.mu - 3 * rating.sigma

        return [entrant.number for entrant in sorted(view.present_entrants, key=strength, reverse=True)]

    async def _users_by_last_season(self, event_id: int, users: set[int]) -> list[int]:
        """The users who played last season, best first, after promotion and relegation."""
        last_season = await self.view(event_id)
        user_by_entrant = {entrant.number: entrant.user_id for entrant in last_season.entrants}
        groups = [[row.entrant_number for row in group] for group in last_season.standings.values()]
        absent_entrants = {
            number for group in groups for number in group if user_by_entrant[number] not in users
        }
        next_groups = next_season_groups(
            groups, last_season.settings.promoted, last_season.settings.relegated, absent_entrants
        )
        return [user_by_entrant[number] for group in next_groups for number in group]

    async def begin(self, event_id: int) -> EventRow:
        """Mark a drawn event as running; its deadline is counted from now."""
        event = await events.get_event(self._db, event_id)
        days = EventSettings.of(event.settings).days
        deadline = None if days is None else later_timestamp(self._tables.clock(), timedelta(days=days))
        await events.change_status(self._db, event_id, ("drawn",), "running", deadline)
        return replace(event, status="running", deadline=deadline)

    # --- the end -----------------------------------------------------------------------------------------------------

    async def finish(self, event_id: int) -> None:
        """Mark an event as ended."""
        await events.change_status(self._db, event_id, ("running",), "ended")

    async def cancel(self, event_id: int) -> None:
        """Cancel an event. Its running games continue as ordinary games."""
        await events.change_status(self._db, event_id, events.UNFINISHED_STATUSES, "cancelled")

    async def open_next_season(self, event_id: int, organiser: Organiser, name: str) -> EventRow:
        """Open the next season with the settings of an ended one; raises Refused if it has already been opened."""
        async with self.locks.lock_of(event_id):
            event = await events.get_event(self._db, event_id)
            if event.status != "ended":
                raise Refused(f"{event.name} is not over yet.")
            next_season = await events.next_event(self._db, event_id)
            if next_season is not None:
                raise Refused(f"{next_season.name} already follows {event.name}.")
            settings = EventSettings.of(event.settings)
            if settings.seeding == "random":
                settings = settings.model_copy(update={"seeding": "last season"})
            return await self.open_event(event.guild_id, organiser, name, settings, previous_event=event)


def shuffled(numbers: Sequence[int], seed: int) -> list[int]:
    """The numbers in random order; the same seed gives the same order."""
    import random

    order = list(numbers)
    random.Random(seed).shuffle(order)
    return order
