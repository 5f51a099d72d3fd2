"""Clocks of games with a time bank: turns, clock stops, pauses, and when the bot last ran.

Turns are stored only for games with a time bank. A pause stops all clocks. Times are ISO 8601 in UTC.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from storage import games, outbox, pings, proposals
from storage.contract import Database, ParsedQuery, RowValues, Transaction, fetch, parse_timestamp, query
from storage.games import GameRow
from storage.outbox import OutboxMessage
from storage.proposals import StoredProposal
from storage.shards import ALL_SHARDS, ShardSet

StopReason: TypeAlias = Literal["pause", "waits", "outage", "away"]
"""Why a clock stopped.

`pause`: the game was paused. `waits`: nobody could move, for example because of an error. `outage`: the bot was down.
`away`: the player was absent.
"""
EVERYBODY: Final = ""
"""Value in place of a player id, for a stop of all players' clocks."""


@dataclass(frozen=True, slots=True)
class ClockTurn:
    """A player's turn, from log row `seq` to log row `ended` (None if still running).

    `since` is the time when the clock last started; `used` are the milliseconds counted before that time. `charged` are
    the milliseconds that an ended turn took from the time bank. `quiet` are the player's quiet hours as text. `zero` is
    the time when the bot announced that the player's time is up.
    """

    player_id: str
    seq: int
    since: str
    ended: int | None = None
    used: int = 0
    charged: int = 0
    quiet: str | None = None
    zero: str | None = None


@dataclass(frozen=True, slots=True)
class ClockStop:
    """A period in which a player's clock stood still, from `since` to `until` (None: until now).

    If the player is EVERYBODY, all clocks of the game stood still.
    """

    player_id: str
    why: StopReason
    since: str
    until: str | None = None


@dataclass(frozen=True, slots=True)
class ClockChanges:
    """Changes of turns, stored in the transaction of a log row.

    After an undo to log row `undo_target_seq`, turns that began later are deleted.
    """

    turns: tuple[ClockTurn, ...] = ()
    undo_target_seq: int | None = None

    async def write(self, tx: Transaction, game_id: int, seq: int) -> None:
        del seq
        if self.undo_target_seq is not None:
            await tx.put("DELETE FROM turns WHERE game_id = ? AND seq > ?", game_id, self.undo_target_seq)
        await tx.run_many(
            f"INSERT INTO turns (game_id, {_TURN_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) "
            "ON CONFLICT (game_id, player_id, seq) DO UPDATE SET ended = excluded.ended, since = excluded.since, "
            "used = excluded.used, charged = excluded.charged, quiet = excluded.quiet, zero = excluded.zero",
            [
                (game_id, t.player_id, t.seq, t.since, t.ended, t.used, t.charged, t.quiet, t.zero)
                for t in self.turns
            ],
        )


_TURN_COLUMNS: Final = "player_id, seq, since, ended, used, charged, quiet, zero"
_CLOCK_STOP_COLUMNS: Final = "player_id, why, since, until"
_GAMES_WITH_SETTING_SQL: Final = "SELECT game_id FROM game_settings WHERE key = ? AND value <> ?"
"""SQL: ids of the games in which a setting differs from a given value."""


def turns_query(game_id: int) -> ParsedQuery[list[ClockTurn]]:
    """Return the query for a game's turns, oldest first; run it with `fetch`."""
    select_sql = f"SELECT {_TURN_COLUMNS} FROM turns WHERE game_id = ? ORDER BY seq, player_id"
    return ParsedQuery(query(select_sql, game_id), lambda rows: [ClockTurn(*row) for row in rows])


async def clock_stops(db: Database, game_id: int) -> list[ClockStop]:
    """Return the clock stops of a game, oldest first."""
    return await fetch(db, clock_stops_query(game_id))


def clock_stops_query(game_id: int) -> ParsedQuery[list[ClockStop]]:
    """Return the query for a game's clock stops, oldest first; run it with `fetch`."""
    select_sql = (
        f"SELECT {_CLOCK_STOP_COLUMNS} FROM clock_stops WHERE game_id = ? ORDER BY since, player_id, why"
    )
    return ParsedQuery(query(select_sql, game_id), lambda rows: [ClockStop(*row) for row in rows])


async def store_clock_changes(
    db: Database,
    game_id: int,
    changes: ClockChanges,
    *,
    seq: int,
    notices: Sequence[OutboxMessage] = (),
    now: str,
) -> None:
    """Store clock changes of a running game, and queue notices about them; raises NoSuchGame, WrongStatus."""

    async def in_transaction(tx: Transaction) -> None:
        games.require_status(await games.lock_and_read(tx, game_id), ("running",))
        await changes.write(tx, game_id, seq)
        await outbox.add_notices(tx, game_id, seq, notices, now)

    await db.write(in_transaction)


async def reset_time_up_announcements(tx: Transaction, game_id: int) -> None:
    """Make the bot announce again that a player's time is up, within a transaction.

    Used after the game's settings have changed.
    """
    await tx.put("UPDATE turns SET zero = NULL WHERE game_id = ? AND ended IS NULL", game_id)


async def restart_turns(tx: Transaction, game_id: int, player_id: str | None = None) -> None:
    """Delete the running turns of one player, or of all, within a transaction, so that they start anew."""
    statement = "DELETE FROM turns WHERE game_id = ? AND ended IS NULL AND player_id = COALESCE(?, player_id)"
    await tx.put(statement, game_id, player_id)


async def store_clock_stop(db: Database, game_id: int, clock_stop: ClockStop) -> None:
    """Store a clock stop, or set the end of a stored one."""
    await db.write(lambda tx: write_clock_stop(tx, game_id, clock_stop))


async def write_clock_stop(tx: Transaction, game_id: int, clock_stop: ClockStop) -> None:
    """Store a clock stop, or set the end of a stored one, within a transaction."""
    await tx.put(
        f"INSERT INTO clock_stops (game_id, {_CLOCK_STOP_COLUMNS}) VALUES (?, ?, ?, ?, ?) "
        "ON CONFLICT (game_id, player_id, why, since) DO UPDATE SET until = excluded.until",
        *(game_id, clock_stop.player_id, clock_stop.why, clock_stop.since, clock_stop.until),
    )


async def write_clock_stop_if_timed(tx: Transaction, game_id: int, clock_stop: ClockStop) -> None:
    """Store a clock stop within a transaction, but only if the game has timed turns."""
    if await tx.row("SELECT 1 FROM turns WHERE game_id = ? LIMIT 1", game_id) is not None:
        await write_clock_stop(tx, game_id, clock_stop)


async def games_with_setting(db: Database, key: str, excluded_value: str, shards: ShardSet) -> list[GameRow]:
    """Return the running games of these shards in which setting `key` is set, but not to `excluded_value`."""
    chosen_game_ids = set(await db.numbers(_GAMES_WITH_SETTING_SQL, key, excluded_value))
    if not chosen_game_ids:
        return []
    return [row for row in await games.games_with_status(db, "running", shards) if row.id in chosen_game_ids]


async def delete_turns_without_clock(db: Database, key: str, excluded_value: str) -> None:
    """Delete the running turns of games in which setting `key` is missing or has the value `excluded_value`."""
    stray_turns_sql = f"FROM turns WHERE ended IS NULL AND game_id NOT IN ({_GAMES_WITH_SETTING_SQL})"
    if await db.row(f"SELECT 1 {stray_turns_sql} LIMIT 1", key, excluded_value) is not None:
        await db.write(lambda tx: tx.put(f"DELETE {stray_turns_sql}", key, excluded_value))


async def last_bot_run_time(db: Database, shard: int, shard_count: int) -> str | None:
    """Return the time when the bot last ran for a shard; None if unknown.

    Times recorded under another number of shards count for every shard; the latest of all these times is returned.
    """
    return await fetch(db, last_bot_run_query(shard, shard_count))


async def record_bot_run(
    db: Database,
    shard: int,
    shard_count: int,
    now: str,
    *,
    games_with_clocks: Sequence[int] = (),
    down_since: str | None = None,
) -> None:
    """Record that the bot is running for a shard at the time `now`.

    If the bot was down since `down_since`, the clocks of `games_with_clocks` are stopped for that period. It is also
    added to the downtime of notifications whose players were already pinged.
    """

    async def in_transaction(tx: Transaction) -> None:
        if down_since is not None:
            for game_id in games_with_clocks:
                await write_clock_stop(tx, game_id, ClockStop(EVERYBODY, "outage", down_since, now))
            down_milliseconds = round(
                (parse_timestamp(now) - parse_timestamp(down_since)).total_seconds() * 1000
            )
            await pings.add_downtime(tx, ShardSet((shard,), shard_count), down_milliseconds)
        await tx.put(
            "INSERT INTO last_runs (shard, shard_count, at) VALUES (?, ?, ?) "
            # A system clock that was set back is not an outage.
            "ON CONFLICT (shard, shard_count) DO UPDATE SET at = excluded.at WHERE last_runs.at < excluded.at",
            *(shard, shard_count, now),
        )

    await db.write(in_transaction)


def last_bot_run_query(shard: int, shard_count: int) -> ParsedQuery[str | None]:
    """Return the query for the time when the bot last ran for a shard (None if unknown); run it with `fetch`."""
    # With another number of shards, the time of any shard counts for all, since no process ran in between.
    last_run_sql = "SELECT MAX(at) FROM last_runs WHERE shard = ? OR shard_count <> ?"
    return ParsedQuery(
        query(last_run_sql, shard, shard_count), lambda rows: None if rows[0][0] is None else str(rows[0][0])
    )


@dataclass(frozen=True, slots=True)
class Pause:
    """A pause of a game: the user who paused it, its start `at`, and its planned end `until` (None: open-ended).

    `alone` is true if the user paused the game without a vote. Times are ISO 8601 in UTC.
    """

    by_user: int
    until: str | None
    at: str
    alone: bool = False

    def is_active_at(self, now: str) -> bool:
        """True if the pause is not over at the time `now`."""
        return self.until is None or self.until > now


async def find_pause(db: Database, game_id: int) -> Pause | None:
    """Return a game's pause, None if there is none; it stays stored after its planned end, until `end_pause`."""
    return await fetch(db, pause_query(game_id))


def pause_query(game_id: int) -> ParsedQuery[Pause | None]:
    """Return the query for a game's pause (None if there is none); run it with `fetch`."""
    select_sql = "SELECT by_user, until, at, alone FROM pauses WHERE game_id = ?"
    return ParsedQuery(query(select_sql, game_id), lambda rows: _read_pause(rows[0]) if rows else None)


def _read_pause(row: RowValues) -> Pause:
    return Pause(row[0], row[1], row[2], bool(row[3]))


async def end_of_last_unvoted_pause(db: Database, game_id: int, user_id: int) -> str | None:
    """Return the end of the latest pause that a user started in a game without a vote; None if there is none."""
    rows = await db.rows(
        "SELECT MAX(ended) FROM past_pauses WHERE game_id = ? AND by_user = ?", game_id, user_id
    )
    return None if rows[0][0] is None else str(rows[0][0])


async def games_with_overdue_pauses(db: Database, now: str, shards: ShardSet = ALL_SHARDS) -> list[int]:
    """Return the running games of these shards whose stored pause has reached its planned end."""
    return await db.numbers(
        "SELECT game_id FROM pauses JOIN games ON games.id = game_id WHERE until <= ? "
        f"AND games.status = 'running' AND {shards.sql_condition()} ORDER BY game_id",
        now,
    )


async def start_pause(
    db: Database,
    game_id: int,
    pause: Pause,
    *,
    seq: int,
    notices: Sequence[OutboxMessage],
    proposal: StoredProposal | None = None,
) -> None:
    """Pause a running game, replacing any earlier pause, and queue notices about it.

    `proposal`, if given, becomes accepted. Raises NoSuchGame, WrongStatus; nothing is changed then.
    """

    async def in_transaction(tx: Transaction) -> None:
        games.require_status(await games.lock_and_read(tx, game_id), ("running",))
        await _record_pause(tx, game_id, pause.at)
        await tx.put(
            "INSERT INTO pauses (game_id, by_user, until, at, alone) VALUES (?, ?, ?, ?, ?) ON CONFLICT (game_id) "
            "DO UPDATE SET by_user = excluded.by_user, until = excluded.until, at = excluded.at, "
            "alone = excluded.alone",
            *(game_id, pause.by_user, pause.until, pause.at, int(pause.alone)),
        )
        if proposal is not None:
            await proposals.close_in_transaction(tx, proposal, "accepted")
        await outbox.add_notices(tx, game_id, seq, notices, pause.at)

    await db.write(in_transaction)


async def end_pause(
    db: Database, game_id: int, *, seq: int, notices: Sequence[OutboxMessage], now: str
) -> bool:
    """End a game's pause and queue notices about it; return False if the game is not paused."""

    async def in_transaction(tx: Transaction) -> bool:
        await games.lock_and_read(tx, game_id)
        await _record_pause(tx, game_id, now)
        deleted_count = await tx.run("DELETE FROM pauses WHERE game_id = ?", game_id)
        if deleted_count:
            await outbox.add_notices(tx, game_id, seq, notices, now)
        return deleted_count > 0

    return await db.write(in_transaction)


async def _record_pause(tx: Transaction, game_id: int, now: str) -> None:
    """Store the game's pause, which ends now, as a clock stop; record a pause without a vote in `past_pauses`, too."""
    pause = await fetch(tx, pause_query(game_id))
    if pause is not None:
        ended_at = now if pause.until is None else min(pause.until, now)
        if pause.alone:
            await tx.put(
                "INSERT INTO past_pauses (game_id, by_user, at, ended) VALUES (?, ?, ?, ?) "
                "ON CONFLICT (game_id, at) DO NOTHING",
                *(game_id, pause.by_user, pause.at, ended_at),
            )
        await write_clock_stop(tx, game_id, ClockStop(EVERYBODY, "pause", pause.at, ended_at))
