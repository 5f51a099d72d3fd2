"""Clocks and pauses: turns, clock stops, pauses, and times when the bot ran.

Turns are stored only for games with a time bank. A pause stops all clocks. Times are ISO 8601 in UTC.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from storage import games, outbox, pings, proposals
from storage.contract import Cells, Database, Question, Transaction, ask, parse_timestamp, query
from storage.games import GameRow
from storage.outbox import OutboxMessage
from storage.proposals import StoredProposal
from storage.shards import ALL_SHARDS, ShardSet

StopReason: TypeAlias = Literal["pause", "waits", "outage", "away"]
"""The reason of a clock stop: a pause, a game that could not be played, an outage of the bot, an absent player."""
EVERYBODY: Final = ""
"""Used in place of a player id if the clocks of all players stopped."""


@dataclass(frozen=True, slots=True)
class ClockTurn:
    """A player's turn, from row `seq` of the log to row `ended` (None: not ended).

    The clock runs since the time `since`; `used` are milliseconds counted before that. `charged` are the milliseconds
    that an ended turn took from the time bank. `quiet` are the player's quiet hours as text. `zero` is the time when
    the game was told that the player's time is up.
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
    """A stop of one player's or EVERYBODY's clock, from `since` to `until` (None: not ended)."""

    player_id: str
    why: StopReason
    since: str
    until: str | None = None


@dataclass(frozen=True, slots=True)
class ClockChanges:
    """Changes of turns, stored with a row of the log. After an undo to row `back_to`, later turns are deleted."""

    turns: tuple[ClockTurn, ...] = ()
    back_to: int | None = None

    async def write(self, tx: Transaction, game_id: int, seq: int) -> None:
        del seq
        if self.back_to is not None:
            await tx.put("DELETE FROM turns WHERE game_id = ? AND seq > ?", game_id, self.back_to)
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
_GAMES_WITH_SETTING: Final = "SELECT game_id FROM game_settings WHERE key = ? AND value <> ?"
"""SQL: the ids of games that have a setting with any value but the given one."""


def turns_question(game_id: int) -> Question[list[ClockTurn]]:
    """Return a Question for the turns of a game, oldest first."""
    columns = f"SELECT {_TURN_COLUMNS} FROM turns WHERE game_id = ? ORDER BY seq, player_id"
    return Question(query(columns, game_id), lambda rows: [ClockTurn(*row) for row in rows])


async def clock_stops(db: Database, game_id: int) -> list[ClockStop]:
    """Return the clock stops of a game, oldest first."""
    return await ask(db, stops_question(game_id))


def stops_question(game_id: int) -> Question[list[ClockStop]]:
    """Return a Question for the clock stops of a game, oldest first."""
    columns = (
        f"SELECT {_CLOCK_STOP_COLUMNS} FROM clock_stops WHERE game_id = ? ORDER BY since, player_id, why"
    )
    return Question(query(columns, game_id), lambda rows: [ClockStop(*row) for row in rows])


async def store_clock_changes(
    db: Database,
    game_id: int,
    changes: ClockChanges,
    *,
    seq: int,
    notices: Sequence[OutboxMessage] = (),
    now: str,
) -> None:
    """Store clock changes of a running game, with notices about them. Raises NoSuchGame, WrongStatus."""

    async def change(tx: Transaction) -> None:
        games.require_status(await games.lock_and_read(tx, game_id), ("running",))
        await changes.write(tx, game_id, seq)
        await outbox.add_notices(tx, game_id, seq, notices, now)

    await db.write(change)


async def announce_again(tx: Transaction, game_id: int) -> None:
    """Let the clock announce again that a player's time is up, after a change of settings, within a transaction."""
    await tx.put("UPDATE turns SET zero = NULL WHERE game_id = ? AND ended IS NULL", game_id)


async def restart_turns(tx: Transaction, game_id: int, player_id: str | None = None) -> None:
    """Restart the current turns of one player or all, within a transaction."""
    statement = "DELETE FROM turns WHERE game_id = ? AND ended IS NULL AND player_id = COALESCE(?, player_id)"
    await tx.put(statement, game_id, player_id)


async def store_stop(db: Database, game_id: int, clock_stop: ClockStop) -> None:
    """Store a clock stop, or the new end of a stored one."""
    await db.write(lambda tx: write_stop(tx, game_id, clock_stop))


async def write_stop(tx: Transaction, game_id: int, clock_stop: ClockStop) -> None:
    """Store a clock stop, or the new end of a stored one, within a transaction."""
    await tx.put(
        f"INSERT INTO clock_stops (game_id, {_CLOCK_STOP_COLUMNS}) VALUES (?, ?, ?, ?, ?) "
        "ON CONFLICT (game_id, player_id, why, since) DO UPDATE SET until = excluded.until",
        *(game_id, clock_stop.player_id, clock_stop.why, clock_stop.since, clock_stop.until),
    )


async def write_stop_if_timed(tx: Transaction, game_id: int, clock_stop: ClockStop) -> None:
    """Store a clock stop within a transaction, if any turn of the game is timed."""
    if await tx.row("SELECT 1 FROM turns WHERE game_id = ? LIMIT 1", game_id) is not None:
        await write_stop(tx, game_id, clock_stop)


async def games_with_setting(db: Database, key: str, excluded_value: str, shards: ShardSet) -> list[GameRow]:
    """Return the running games of these shards that have a setting with any value but `excluded_value`."""
    chosen_games = set(await db.numbers(_GAMES_WITH_SETTING, key, excluded_value))
    if not chosen_games:
        return []
    return [row for row in await games.games_with_status(db, "running", shards) if row.id in chosen_games]


async def forget_stray_turns(db: Database, key: str, excluded_value: str) -> None:
    """Delete open turns of games that have not set `key`, or have set it to `excluded_value`."""
    stray_turns_sql = f"FROM turns WHERE ended IS NULL AND game_id NOT IN ({_GAMES_WITH_SETTING})"
    if await db.row(f"SELECT 1 {stray_turns_sql} LIMIT 1", key, excluded_value) is not None:
        await db.write(lambda tx: tx.put(f"DELETE {stray_turns_sql}", key, excluded_value))


async def last_run(db: Database, shard: int, shard_count: int) -> str | None:
    """Return when the bot last ran for a shard; None if unknown.

    If servers were divided into another number of shards then, the latest time of any shard counts.
    """
    return await ask(db, last_run_question(shard, shard_count))


async def record_run(
    db: Database,
    shard: int,
    shard_count: int,
    now: str,
    *,
    games_with_clocks: Sequence[int] = (),
    down_since: str | None = None,
) -> None:
    """Record that the bot runs for a shard.

    If the bot was down since `down_since`, the clocks of `games_with_clocks` stop for that time.
    """

    async def change(tx: Transaction) -> None:
        if down_since is not None:
            for game_id in games_with_clocks:
                await write_stop(tx, game_id, ClockStop(EVERYBODY, "outage", down_since, now))
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

    await db.write(change)


def last_run_question(shard: int, shard_count: int) -> Question[str | None]:
    """Return a Question for the time when the bot last ran for a shard."""
    # With another number of shards, the time of any shard counts for all, since no process ran in between.
    last_run_sql = "SELECT MAX(at) FROM last_runs WHERE shard = ? OR shard_count <> ?"
    return Question(
        query(last_run_sql, shard, shard_count), lambda rows: None if rows[0][0] is None else str(rows[0][0])
    )


@dataclass(frozen=True, slots=True)
class Pause:
    """A pause: its user, start and planned end, if any (ISO 8601 in UTC).

    `alone`: a player paused the game without asking the others.
    """

    by_user: int
    until: str | None
    at: str
    alone: bool = False

    def lasts_at(self, now: str) -> bool:
        """True unless the pause has run out at `now`."""
        return self.until is None or self.until > now


async def find_pause(db: Database, game_id: int) -> Pause | None:
    """Return the stored pause of a game, None if there is none. A pause that ran out stays stored until it is ended."""
    return await ask(db, pause_question(game_id))


def pause_question(game_id: int) -> Question[Pause | None]:
    """Return a Question for the pause of a game, None if there is none."""
    columns = "SELECT by_user, until, at, alone FROM pauses WHERE game_id = ?"
    return Question(query(columns, game_id), lambda rows: _read_pause(rows[0]) if rows else None)


def _read_pause(row: Cells) -> Pause:
    return Pause(row[0], row[1], row[2], bool(row[3]))


async def last_pause_ended(db: Database, game_id: int, user_id: int) -> str | None:
    """Return when a user's latest pause without a vote ended in a game; None if there was none."""
    rows = await db.rows(
        "SELECT MAX(ended) FROM past_pauses WHERE game_id = ? AND by_user = ?", game_id, user_id
    )
    return None if rows[0][0] is None else str(rows[0][0])


async def overdue_pauses(db: Database, now: str, shards: ShardSet = ALL_SHARDS) -> list[int]:
    """Return the running games of these shards whose pause has run out but is still stored."""
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
    """Pause a running game, with notices.

    Replaces any pause and accepts `proposal`, if given. Raises NoSuchGame, WrongStatus; nothing is changed then.
    """

    async def change(tx: Transaction) -> None:
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

    await db.write(change)


async def end_pause(
    db: Database, game_id: int, *, seq: int, notices: Sequence[OutboxMessage], now: str
) -> bool:
    """End a game's pause, with notices; False if the game is not paused."""

    async def change(tx: Transaction) -> bool:
        await games.lock_and_read(tx, game_id)
        await _record_pause(tx, game_id, now)
        was_paused = await tx.run("DELETE FROM pauses WHERE game_id = ?", game_id)
        if was_paused:
            await outbox.add_notices(tx, game_id, seq, notices, now)
        return was_paused > 0

    return await db.write(change)


async def _record_pause(tx: Transaction, game_id: int, now: str) -> None:
    """Store a game's pause, which ends now, as a clock stop. A pause without a vote is also stored in `past_pauses`."""
    pause = await ask(tx, pause_question(game_id))
    if pause is not None:
        ended_at = now if pause.until is None else min(pause.until, now)
        if pause.alone:
            await tx.put(
                "INSERT INTO past_pauses (game_id, by_user, at, ended) VALUES (?, ?, ?, ?) "
                "ON CONFLICT (game_id, at) DO NOTHING",
                *(game_id, pause.by_user, pause.at, ended_at),
            )
        await write_stop(tx, game_id, ClockStop(EVERYBODY, "pause", pause.at, ended_at))
