"""Events (seasons and tournaments) of a server: entrants, table assignments, and games."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal, TypeAlias

from storage.contract import Database, ParsedQuery, QuerySource, RowValues, Transaction, fetch, query
from storage.errors import NoSuchEvent, NotEntered, WrongEventStatus
from storage.personal_data import CARETAKER_USER
from storage.shards import ALL_SHARDS, ShardSet

EventStatus: TypeAlias = Literal["open", "drawn", "running", "ended", "cancelled"]
"""The status of an event: open (users can enter), drawn (tables are assigned), running, finished, or cancelled."""
EntrantStatus: TypeAlias = Literal["entered", "reserve", "withdrawn"]
UNFINISHED_STATUSES: Final[tuple[EventStatus, ...]] = ("open", "drawn", "running")
"""Statuses of events that are neither finished nor cancelled."""


@dataclass(frozen=True, slots=True)
class EventRow:
    """A season or tournament; `settings` is JSON text, times are ISO 8601 in UTC.

    `stage` is the current round of a tournament, from 1. `previous_id` is the event before this one, such as the
    previous season.
    """

    id: int
    guild_id: int
    channel_id: int
    name: str
    status: EventStatus
    stage: int
    settings: str
    seed: int
    opened_by: int
    created_at: str
    closes_at: str | None
    deadline: str | None
    previous_id: int | None


@dataclass(frozen=True, slots=True)
class Entrant:
    """An entrant of an event: number from 1, user, and division from 1 (None before the draw).

    `last_message_stage` is the last stage (tournament round) for which the user got a message about their games; 0 for
    none.
    """

    number: int
    user_id: int
    display_name: str
    status: EntrantStatus
    division: int | None = None
    last_message_stage: int = 0


_EVENT_COLUMNS: Final = (
    "id, guild_id, channel_id, name, status, stage, settings, seed, opened_by, created_at, "
    "closes_at, deadline, previous_id"
)


async def create_event(
    db: Database,
    *,
    guild_id: int,
    channel_id: int,
    name: str,
    settings: str,
    seed: int,
    opened_by: int,
    now: str,
    closes_at: str | None = None,
    previous_id: int | None = None,
) -> EventRow:
    """Add an event that is open for entrants and return it; `seed` must fit in 63 bits."""

    async def in_transaction(tx: Transaction) -> EventRow:
        row = await tx.row(
            "INSERT INTO events (guild_id, channel_id, name, status, settings, seed, opened_by, created_at, "
            f"closes_at, previous_id) VALUES (?, ?, ?, 'open', ?, ?, ?, ?, ?, ?) RETURNING {_EVENT_COLUMNS}",
            *(guild_id, channel_id, name, settings, seed, opened_by, now, closes_at, previous_id),
        )
        assert row is not None
        return EventRow(*row)

    return await db.write(in_transaction)


async def get_event(source: QuerySource, event_id: int) -> EventRow:
    """Return the event with this id; raises NoSuchEvent."""

    def read(rows: list[RowValues]) -> EventRow:
        if not rows:
            raise NoSuchEvent(event_id)
        return EventRow(*rows[0])

    return await fetch(
        source, ParsedQuery(query(f"SELECT {_EVENT_COLUMNS} FROM events WHERE id = ?", event_id), read)
    )


async def events_of_server(db: Database, guild_id: int) -> list[EventRow]:
    """Return the events of a server (guild), newest first."""
    rows = await db.rows(f"SELECT {_EVENT_COLUMNS} FROM events WHERE guild_id = ? ORDER BY id DESC", guild_id)
    return [EventRow(*row) for row in rows]


async def unfinished_events(
    db: Database, last_post_role: str, shards: ShardSet = ALL_SHARDS
) -> list[EventRow]:
    """Return the unfinished events of these shards, and ended events without a sent last post, oldest first.

    `last_post_role` is the role of an event's last post.
    """
    statuses_sql = ", ".join(f"'{status}'" for status in UNFINISHED_STATUSES)
    last_post_sql = "SELECT 1 FROM event_posts WHERE event_id = events.id AND role = ? AND message_id > 0"
    rows = await db.rows(
        f"SELECT {_EVENT_COLUMNS} FROM events WHERE (status IN ({statuses_sql}) OR "
        f"(status = 'ended' AND NOT EXISTS ({last_post_sql}))) AND {shards.sql_condition()} ORDER BY id",
        last_post_role,
    )
    return [EventRow(*row) for row in rows]


async def event_of_game(db: Database, game_id: int) -> EventRow | None:
    """Return the event to which a game belongs; None if it belongs to no event."""
    row = await db.row("SELECT event_id FROM event_tables WHERE game_id = ?", game_id)
    return None if row is None else await get_event(db, row[0])


async def next_event(db: Database, event_id: int) -> EventRow | None:
    """Return the event whose `previous_id` is this event; None if there is none, or if it was cancelled."""
    sql = "SELECT id FROM events WHERE previous_id = ? AND status <> 'cancelled' ORDER BY id DESC LIMIT 1"
    row = await db.row(sql, event_id)
    return None if row is None else await get_event(db, row[0])


async def posts_of_event(db: Database, event_id: int) -> dict[str, tuple[int, str]]:
    """Return an event's Discord posts by role: message id (0 if perhaps not sent) and digest of the content."""
    rows = await db.rows("SELECT role, message_id, shows FROM event_posts WHERE event_id = ?", event_id)
    return {role: (message_id, content_digest) for role, message_id, content_digest in rows}


async def set_post(db: Database, event_id: int, role: str, message_id: int, content_digest: str) -> None:
    """Record an event's Discord post in a role, such as its standings; `content_digest` is a digest of the post's
    content.

    `message_id` is 0 before the post is sent.
    """
    statement = (
        "INSERT INTO event_posts (event_id, role, message_id, shows) VALUES (?, ?, ?, ?) "
        "ON CONFLICT (event_id, role) DO UPDATE SET message_id = excluded.message_id, shows = excluded.shows"
    )
    await db.write(lambda tx: tx.put(statement, event_id, role, message_id, content_digest))


async def change_settings(db: Database, event_id: int, settings: str, deadline: str | None) -> None:
    """Replace an event's settings (JSON text) and its deadline."""
    statement = "UPDATE events SET settings = ?, deadline = ? WHERE id = ?"
    await db.write(lambda tx: tx.put(statement, settings, deadline, event_id))


async def change_status(
    db: Database,
    event_id: int,
    allowed_statuses: Sequence[EventStatus],
    status: EventStatus,
    deadline: str | None = None,
) -> EventRow:
    """Change an event's status and, if given, its deadline; return the event as it was. Raises WrongEventStatus."""

    async def in_transaction(tx: Transaction) -> EventRow:
        event = await lock_event(tx, event_id, allowed_statuses)
        statement = "UPDATE events SET status = ?, deadline = COALESCE(?, deadline) WHERE id = ?"
        await tx.put(statement, status, deadline, event_id)
        return event

    return await db.write(in_transaction)


async def lock_event(tx: Transaction, event_id: int, allowed_statuses: Sequence[EventStatus]) -> EventRow:
    await tx.put(f"SELECT id FROM events WHERE id = ?{tx.for_update}", event_id)
    event = await get_event(tx, event_id)
    if event.status not in allowed_statuses:
        raise WrongEventStatus(event.name, event.status)
    return event


# --- entrants --------------------------------------------------------------------------------------------------------


async def entrants_of_event(source: QuerySource, event_id: int) -> list[Entrant]:
    """Return an event's entrants by number, including reserves and withdrawn entrants."""
    columns = "number, user_id, display_name, status, division, told"
    sql = f"SELECT {columns} FROM entrants WHERE event_id = ? ORDER BY number"
    return await fetch(
        source, ParsedQuery(query(sql, event_id), lambda rows: [Entrant(*row) for row in rows])
    )


async def enter(
    db: Database, event_id: int, user_id: int, display_name: str, *, places: int | None, now: str
) -> Entrant:
    """Enter a user in an unfinished event.

    The user becomes a reserve after the draw, or if all `places` are taken (None: no limit). A user who has already
    entered keeps their place; computer players may enter several times. Raises NoSuchEvent, WrongEventStatus.
    """

    async def in_transaction(tx: Transaction) -> Entrant:
        event = await lock_event(tx, event_id, UNFINISHED_STATUSES)
        entrants = await entrants_of_event(tx, event_id)
        existing_entrant = next(
            (
                candidate
                for candidate in entrants
                if candidate.user_id == user_id and candidate.status != "withdrawn"
            ),
            None,
        )
        if existing_entrant is not None and user_id != CARETAKER_USER:
            return existing_entrant
        entered_count = sum(entrant.status == "entered" for entrant in entrants)
        is_full = event.status != "open" or (places is not None and entered_count >= places)
        number = max((entrant.number for entrant in entrants), default=0) + 1
        entrant = Entrant(number, user_id, display_name, "reserve" if is_full else "entered")
        await tx.put(
            "INSERT INTO entrants (event_id, number, user_id, display_name, status, joined_at) "
            "VALUES (?, ?, ?, ?, ?, ?)",
            *(event_id, number, user_id, display_name, entrant.status, now),
        )
        return entrant

    return await db.write(in_transaction)


async def leave(db: Database, event_id: int, user_id: int) -> Entrant | None:
    """Remove a user from an event; return the reserve who gets the free place, if any.

    After the draw, only a reserve can leave. Raises NoSuchEvent, NotEntered, WrongEventStatus.
    """

    async def in_transaction(tx: Transaction) -> Entrant | None:
        event = await lock_event(tx, event_id, UNFINISHED_STATUSES)
        entrants = await entrants_of_event(tx, event_id)
        leaving_entrant = next(
            (entrant for entrant in entrants if entrant.user_id == user_id and entrant.status != "withdrawn"),
            None,
        )
        if leaving_entrant is None:
            raise NotEntered(event.name)
        if leaving_entrant.status == "entered" and event.status != "open":
            raise WrongEventStatus(event.name, event.status)
        await tx.put(
            "DELETE FROM entrants WHERE event_id = ? AND number = ?", event_id, leaving_entrant.number
        )
        first_reserve = next(
            (
                entrant
                for entrant in entrants
                if entrant.status == "reserve" and entrant is not leaving_entrant
            ),
            None,
        )
        if leaving_entrant.status == "reserve" or first_reserve is None:
            return None
        await _set_entrant_status(tx, event_id, first_reserve.number, "entered")
        return replace(first_reserve, status="entered")

    return await db.write(in_transaction)


async def withdraw(db: Database, event_id: int, number: int) -> None:
    """Mark entrant `number` of a drawn or running event as withdrawn; raises NoSuchEvent, WrongEventStatus."""

    async def in_transaction(tx: Transaction) -> None:
        await lock_event(tx, event_id, ("drawn", "running"))
        await _set_entrant_status(tx, event_id, number, "withdrawn")

    await db.write(in_transaction)


async def substitute(db: Database, event_id: int, number: int, user_id: int, display_name: str) -> None:
    """Give the place of entrant `number` in a drawn or running event to another user.

    If the user is a reserve, they leave the reserve list. The user counts as having got no messages yet. Raises
    NoSuchEvent, WrongEventStatus.
    """

    async def in_transaction(tx: Transaction) -> None:
        await lock_event(tx, event_id, ("drawn", "running"))
        await tx.put(
            "DELETE FROM entrants WHERE event_id = ? AND user_id = ? AND status = 'reserve'",
            event_id,
            user_id,
        )
        await tx.put(
            "UPDATE entrants SET user_id = ?, display_name = ?, status = 'entered', told = 0 "
            "WHERE event_id = ? AND number = ?",
            *(user_id, display_name, event_id, number),
        )

    await db.write(in_transaction)


async def _set_entrant_status(tx: Transaction, event_id: int, number: int, status: EntrantStatus) -> None:
    statement = "UPDATE entrants SET status = ? WHERE event_id = ? AND number = ?"
    await tx.put(statement, status, event_id, number)
