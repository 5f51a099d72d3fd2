"""Clocks and pauses: turns, clock stops, pauses, and times when the bot ran.

Turns are kept only for games whose table has chosen a time bank; a pause stops all clocks. Times are ISO
8601 in UTC.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from storage import games, outbox, pings, proposals
from storage.contract import Cells, Database, Question, Transaction, ask, parse_timestamp, query
from storage.games import GameRow
from storage.outbox import OutboxMessage
from storage.proposals import StoredProposal
from storage.shards import WHOLE, ShardSet

Why: TypeAlias = Literal["pause", "waits", "outage", "away"]
"""Why a player could not act: the game paused or could not be played, the bot was down, the player was away."""
EVERYBODY: Final = ""
"""In place of a player: nobody in the game could act."""


@dataclass(frozen=True, slots=True)
class ClockTurn:
    """A player's turn, from row `seq` of the log until row `ended` (None: still).

    Milliseconds: `used` was counted before `since`; `charged` is what an ended turn has taken from the
    bank. `quiet` are the quiet hours that count for it, as text; `zero` is when a line said that its time
    is up.
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
    """A stop of a player's or EVERYBODY's clock, from one time to another (None: still)."""

    player_id: str
    why: Why
    since: str
    until: str | None = None


@dataclass(frozen=True, slots=True)
class Ticking:
    """Changes of clocks stored with a row of the log; an undo deletes the turns after its target."""

    turns: tuple[ClockTurn, ...] = ()
    back_to: int | None = None

    async def write(self, tx: Transaction, game_id: int, seq: int) -> None:
        del seq
        if self.back_to is not None:
            await tx.put("DELETE FROM turns WHERE game_id = ? AND seq > ?", game_id, self.back_to)
        await tx.run_many(
            f"INSERT INTO turns (game_id, {_TURN}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) "
            "ON CONFLICT (game_id, player_id, seq) DO UPDATE SET ended = excluded.ended, since = excluded.since, "
            "used = excluded.used, charged = excluded.charged, quiet = excluded.quiet, zero = excluded.zero",
            [
                (game_id, t.player_id, t.seq, t.since, t.ended, t.used, t.charged, t.quiet, t.zero)
                for t in self.turns
            ],
        )


_TURN: Final = "player_id, seq, since, ended, used, charged, quiet, zero"
_CLOCK_STOP: Final = "player_id, why, since, until"
_CHOSEN: Final = "SELECT game_id FROM game_settings WHERE key = ? AND value <> ?"
"""The games that have chosen another value of a setting than this one."""


def turns_question(game_id: int) -> Question[list[ClockTurn]]:
    """Ask for the turns of a game, oldest first."""
    columns = f"SELECT {_TURN} FROM turns WHERE game_id = ? ORDER BY seq, player_id"
    return Question(query(columns, game_id), lambda rows: [ClockTurn(*row) for row in rows])


async def clock_stops(db: Database, game_id: int) -> list[ClockStop]:
    """Return when the clocks of a game have stood, oldest first."""
    return await ask(db, stops_question(game_id))


def stops_question(game_id: int) -> Question[list[ClockStop]]:
    """Ask when the clocks of a game have stood, oldest first."""
    columns = f"SELECT {_CLOCK_STOP} FROM clock_stops WHERE game_id = ? ORDER BY since, player_id, why"
    return Question(query(columns, game_id), lambda rows: [ClockStop(*row) for row in rows])


async def store_clock_changes(
    db: Database, game_id: int, ticking: Ticking, *, seq: int, notices: Sequence[OutboxMessage] = (), now: str
) -> None:
    """Store clock changes of a running game, with notices about them. Raises NoSuchGame, WrongStatus."""

    async def change(tx: Transaction) -> None:
        games.require(await games.lock_and_read(tx, game_id), ("running",))
        await ticking.write(tx, game_id, seq)
        await outbox.add_notices(tx, game_id, seq, notices, now)

    await db.write(change)


async def announce_again(tx: Transaction, game_id: int) -> None:
    """Apply or announce the setting for expired time once more, within a transaction."""
    await tx.put("UPDATE turns SET zero = NULL WHERE game_id = ? AND ended IS NULL", game_id)


async def restart_turns(tx: Transaction, game_id: int, player_id: str | None = None) -> None:
    """Restart the current turns of one player or all, within a transaction."""
    statement = "DELETE FROM turns WHERE game_id = ? AND ended IS NULL AND player_id = COALESCE(?, player_id)"
    await tx.put(statement, game_id, player_id)


async def store_stop(db: Database, game_id: int, clock_stop: ClockStop) -> None:
    """Store a clock stop, or shorten one."""
    await db.write(lambda tx: write_stop(tx, game_id, clock_stop))


async def write_stop(tx: Transaction, game_id: int, clock_stop: ClockStop) -> None:
    """Store a clock stop, or shorten one, within a transaction."""
    await tx.put(
        f"INSERT INTO clock_stops (game_id, {_CLOCK_STOP}) VALUES (?, ?, ?, ?, ?) "
        "ON CONFLICT (game_id, player_id, why, since) DO UPDATE SET until = excluded.until",
        *(game_id, clock_stop.player_id, clock_stop.why, clock_stop.since, clock_stop.until),
    )


async def write_stop_if_timed(tx: Transaction, game_id: int, clock_stop: ClockStop) -> None:
    """Store a clock stop within a transaction if the game has clocks."""
    if await tx.row("SELECT 1 FROM turns WHERE game_id = ? LIMIT 1", game_id) is not None:
        await write_stop(tx, game_id, clock_stop)


async def games_with(db: Database, key: str, without: str, shards: ShardSet) -> list[GameRow]:
    """Return the running games of these shards with another value of a setting than this one."""
    wanted = set(await db.numbers(_CHOSEN, key, without))
    if not wanted:
        return []
    return [row for row in await games.games_in(db, "running", shards) if row.id in wanted]


async def forget_stray(db: Database, key: str, without: str) -> None:
    """Delete open turns of games whose setting has this value, or that are not running."""
    stray = f"FROM turns WHERE ended IS NULL AND game_id NOT IN ({_CHOSEN})"
    if await db.row(f"SELECT 1 {stray} LIMIT 1", key, without) is not None:
        await db.write(lambda tx: tx.put(f"DELETE {stray}", key, without))


async def last_run(db: Database, shard: int, shard_count: int) -> str | None:
    """Return when the bot last ran for a shard, however shards were divided; None if unknown."""
    return await ask(db, last_run_question(shard, shard_count))


async def record_run(
    db: Database, shard: int, shard_count: int, now: str, *, out: Sequence[int] = (), since: str | None = None
) -> None:
    """Record that the bot runs for a shard.

    If it was down `since` its last run, the clocks of games stop for that time.

    `out` are the games of the shard that have clocks.
    """

    async def change(tx: Transaction) -> None:
        if since is not None:
            for game_id in out:
                await write_stop(tx, game_id, ClockStop(EVERYBODY, "outage", since, now))
            down = round((parse_timestamp(now) - parse_timestamp(since)).total_seconds() * 1000)
            await pings.add_downtime(tx, ShardSet((shard,), shard_count), down)
        await tx.put(
            "INSERT INTO last_runs (shard, shard_count, at) VALUES (?, ?, ?) "
            # A clock that was set back makes no outage.
            "ON CONFLICT (shard, shard_count) DO UPDATE SET at = excluded.at WHERE last_runs.at < excluded.at",
            *(shard, shard_count, now),
        )

    await db.write(change)


def last_run_question(shard: int, shard_count: int) -> Question[str | None]:
    """Ask when the bot last ran for a shard."""
    # As long as servers were divided otherwise, any sign is one for all of them: no process ran between.
    last = "SELECT MAX(at) FROM last_runs WHERE shard = ? OR shard_count <> ?"
    return Question(
        query(last, shard, shard_count), lambda rows: None if rows[0][0] is None else str(rows[0][0])
    )


@dataclass(frozen=True, slots=True)
class Pause:
    """A pause: who started it and when, and its planned end, if any (ISO 8601 in UTC).

    `alone`: a player has begun it without asking the others.
    """

    by_user: int
    until: str | None
    at: str
    alone: bool = False

    def lasts_at(self, now: str) -> bool:
        """True until the pause runs out."""
        return self.until is None or self.until > now


async def find_pause(db: Database, game_id: int) -> Pause | None:
    """Return a game's pause, even if it has run out but was not ended; None if there is none."""
    return await ask(db, pause_question(game_id))


def pause_question(game_id: int) -> Question[Pause | None]:
    """Ask for the pause of a game, None if there is none."""
    columns = "SELECT by_user, until, at, alone FROM pauses WHERE game_id = ?"
    return Question(query(columns, game_id), lambda rows: _read_pause(rows[0]) if rows else None)


def _read_pause(row: Cells) -> Pause:
    return Pause(row[0], row[1], row[2], bool(row[3]))


async def last_pause_ended(db: Database, game_id: int, user_id: int) -> str | None:
    """Return when a user's last pause of their own ended in a game; None if there was none."""
    rows = await db.rows(
        "SELECT MAX(ended) FROM past_pauses WHERE game_id = ? AND by_user = ?", game_id, user_id
    )
    return None if rows[0][0] is None else str(rows[0][0])


async def overdue_pauses(db: Database, now: str, shards: ShardSet = WHOLE) -> list[int]:
    """Return the running games of these shards whose pause has run out and was not ended."""
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
    """Pause a running game, replacing any pause, with notices; accept a given proposal with it.

    All or nothing. Raises NoSuchGame, WrongStatus.
    """

    async def change(tx: Transaction) -> None:
        games.require(await games.lock_and_read(tx, game_id), ("running",))
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
    """Resume a game, with the notices about it; False, and nothing, if it does not pause."""

    async def change(tx: Transaction) -> bool:
        await games.lock_and_read(tx, game_id)
        await _record_pause(tx, game_id, now)
        ended = await tx.run("DELETE FROM pauses WHERE game_id = ?", game_id)
        if ended:
            await outbox.add_notices(tx, game_id, seq, notices, now)
        return ended > 0

    return await db.write(change)


async def _record_pause(tx: Transaction, game_id: int, now: str) -> None:
    """Record the duration of a pause, in which clocks stood."""
    pause = await ask(tx, pause_question(game_id))
    if pause is not None:
        ended = now if pause.until is None else min(pause.until, now)
        if pause.alone:
            await tx.put(
                "INSERT INTO past_pauses (game_id, by_user, at, ended) VALUES (?, ?, ?, ?) "
                "ON CONFLICT (game_id, at) DO NOTHING",
                *(game_id, pause.by_user, pause.at, ended),
            )
        await write_stop(tx, game_id, ClockStop(EVERYBODY, "pause", pause.at, ended))
