"""Benchmark of the Discord requests that moves cause.

`python -m benchmarks.calls [--log LOG] [--set N] [--number N] [--whole]` replays an operating round of a recorded game,
or the whole game, in the sandbox (a local imitation of Discord). Each move is made by its player, by button if
possible, else by command. `--between` seconds pass between two moves, and the next player is pinged after `--after`
seconds. The result counts messages posted, deleted and left, edits, pings, megabytes of files, and requests to Discord
by kind. `--thread` also prints the messages in the thread at the end.
"""

import argparse
import asyncio
import re
import sys
from collections import Counter
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from aiohttp.typedefs import Middleware

from bot.client.app import Stationmaster
from bot.client.features.pings import ping_due_users
from bot.sandbox.guild.person import InteractionResult, Person
from bot.sandbox.guild.world import Change, World
from bot.sandbox.model import Message
from bot.sandbox.redirect import discord_redirected_to
from bot.sandbox.server import LoopbackServer
from bot.table.imports import moves_with_seated_players, store_recorded_game
from bot.table.moves.moves import OneClickMove
from bot.table.rate_limits import RateLimiter
from bot.tools.showcase import SANDBOX_TABLE
from bot.workers.workers import MAX_JOB_SECONDS_BY_PRIORITY, Priority
from engine.core.actions import Action
from engine.record import Record, load_record
from storage import Database, games, open_database, outbox
from tests.bot.support.spelling import spelt

LOG: Final = Path(__file__).parents[1] / "tests/golden/18chesapeake-bank-4p.json"
UNHURRIED: Final = 1000.0
"""Factor on rate limits, since moves follow each other faster here than users make them."""
LONGEST_WORK: Final = 600.0
"""Time limit for a worker process's background work, in seconds."""
REST: Final = 0.25
"""Seconds without a request to Discord after which all effects of a move count as done."""
_IDS: Final = re.compile(r"/\d{5,}|/[\w-]{30,}")


@contextmanager
def unhurried() -> Iterator[None]:
    """Within the context, let background work take longer than the usual time limit."""
    usual = MAX_JOB_SECONDS_BY_PRIORITY[Priority.QUESTION]
    MAX_JOB_SECONDS_BY_PRIORITY[Priority.QUESTION] = LONGEST_WORK
    try:
        yield
    finally:
        MAX_JOB_SECONDS_BY_PRIORITY[Priority.QUESTION] = usual


@dataclass
class Counted:
    """Counts of a thread's messages, and of requests to Discord by method and path."""

    thread: int
    moves: int = 0
    pressed: int = 0
    posted: set[int] = field(default_factory=set)
    deleted: set[int] = field(default_factory=set)
    edits: int = 0
    pings: int = 0
    private: int = 0
    files: dict[int, int] = field(default_factory=dict)
    """Size in bytes of each file in public messages, by attachment id."""
    texts: dict[int, str] = field(default_factory=dict)
    calls: Counter[str] = field(default_factory=Counter)

    def note(self, change: Change) -> None:
        """Count a change of the thread's messages."""
        message = change.message
        if message is None or message.channel_id != self.thread:
            return
        if message.ephemeral:
            self.private += change.kind == "message_create"
            return
        self.files |= {file.id: file.size for file in message.attachments}
        self.texts[message.id] = message.content
        if change.kind == "message_create":
            self.posted.add(message.id)
            self.pings += len(message.pinged)
        elif change.kind == "message_delete":
            self.deleted.add(message.id)
            self.texts.pop(message.id, None)
        elif change.kind == "message_update":
            self.edits += 1

    def report(self) -> str:
        """All counts as text, one per line."""
        left, calls = self.posted - self.deleted, sum(self.calls.values())
        kinds = [f"    {count:4}  {name}" for name, count in self.calls.most_common()]
        by_button = ", {} of them by a button of the turn message, the others by commands"
        return "\n".join(
            [
                f"{self.moves} moves{by_button.format(self.pressed) if self.pressed else ''}",
                f"  messages: {len(self.posted)} posted ({len(self.posted) / self.moves:.2f} a move), "
                f"{len(left)} left; {self.edits} edits, {self.private} for one person alone",
                f"  pings:    {self.pings}",
                f"  files:    {len(self.files)}, {sum(self.files.values()) / 1e6:.1f} MB",
                f"  calls:    {calls} ({calls / self.moves:.2f} a move)",
                *kinds,
            ]
        )


class Table:
    """A recorded game in a thread of the sandbox, and the users who replay it."""

    def __init__(self, server: LoopbackServer, db: Database, client: Stationmaster, game_id: int) -> None:
        self._server, self._db, self._client, self._id = server, db, client, game_id
        self.thread = 0

    async def wait_until_idle(self) -> None:
        """Wait until everything is posted and the bot makes no more requests."""
        calls = -1
        while calls != len(self._server.requests) or await outbox.games_with_unposted_notices(self._db):
            calls = len(self._server.requests)
            await asyncio.sleep(REST)
        self.thread = (await games.get_game(self._db, self._id)).thread_id or 0

    async def number(self) -> int:
        """Number of the game's last move."""
        async with self._client.tables.reading(self._id) as live:
            return live.seq

    def has_next_position(self, number: int) -> bool:
        """True if a public message has buttons for a position after move `number`."""
        made_for = re.compile(rf"\w:{self._id}:(\d+)(:.*)?")
        messages = reversed(self._server.world.history(self.thread))
        matches = (made_for.fullmatch(b.custom_id or "") for m in messages for b in m.buttons)
        return any(int(button[1]) > number for button in matches if button)

    async def play(self, action: Action, coming_actions: Sequence[Action] = ()) -> bool:
        """Make a move as its player and wait for all effects; returns True if made by a button."""
        before = await self.number()
        pressed = await self.make(action, coming_actions)
        await self.wait_until_idle()
        assert await self.number() > before, action
        return pressed

    async def make(self, action: Action, coming_actions: Sequence[Action] = ()) -> bool:
        """Make a move as its player; returns True if made by a button.

        If one button also makes some of the `coming_actions`, these are made along with it.
        """
        async with self._client.tables.reading(self._id) as live:
            person = self._person(live.user_of(action.actor))
            privates = live.game.table.state.privates
            end = live.game.passes_ending_turn(action.actor)
        along = () if end is None or action != end.passes[0] else end.passes[1:]
        ends = OneClickMove(
            "", action, further_actions=along if along == tuple(coming_actions[: len(along)]) else ()
        )
        button = self._button(person, f":{ends.key}") or self._button(
            person, f":{OneClickMove('', action).key}"
        )
        if button:
            result = await person.press(*button)
        else:
            name, values = spelt(action, privates)
            result = await person.slash(self.thread, name, **values)
        await _confirmed(person, result)
        return button is not None

    def _button(self, person: Person, ending: str) -> tuple[Message, str] | None:
        """The newest public button whose custom_id has this ending, with its message."""
        for message in reversed(person.messages(self.thread)):
            for button in message.buttons:
                if not message.ephemeral and (button.custom_id or "").endswith(ending):
                    return message, button.custom_id or ""
        return None

    def _person(self, user_id: int) -> Person:
        return Person(self._server.world, self._server.world.user(user_id))


async def _confirmed(person: Person, result: InteractionResult) -> None:
    for question in result.ephemeral:
        if question.buttons:
            await person.press(question, question.buttons[0].label)


def round_bounds(record: Record, number_of_set: int, number: int) -> tuple[int, int]:
    """Number of moves before operating round `number_of_set`.`number` (such as OR 3.2), and up to its end."""
    game, inside = record.initial_game(), list[int]()
    for at, action in enumerate(record.actions):
        current = game.table.state.round
        if current.kind == "operating" and (current.set, current.number) == (number_of_set, number):
            inside.append(at)
        game.apply(action)
    if not inside:
        raise SystemExit(f"There is no operating round {number_of_set}.{number} in this game.")
    return inside[0], inside[-1] + 1


@dataclass
class Times:
    """Seconds until a ping, seconds between two moves, and the simulated time."""

    after: float = 0.0
    between: float = 0.0
    now: datetime = field(default_factory=lambda: datetime.now(UTC))

    def clock(self) -> str:
        """The simulated time, ISO 8601 in UTC."""
        return self.now.isoformat(timespec="milliseconds")

    async def pass_time(self, client: Stationmaster) -> None:
        """Advance the simulated time to the next move, and send due pings."""
        self.now += timedelta(seconds=self.between)
        await ping_due_users(client)


@asynccontextmanager
async def running_bot(
    world: World, around: Sequence[Middleware] = (), **options: Any
) -> AsyncIterator[tuple[LoopbackServer, Database, Stationmaster]]:
    """A sandbox server with this world, the bot's database, and a connected bot with these options."""
    with TemporaryDirectory() as folder:
        async with (
            LoopbackServer(world=world, middlewares=around) as server,
            await open_database(Path(folder) / "games.db") as db,
        ):
            with discord_redirected_to(server.url):
                client = Stationmaster(
                    db,
                    guild_ready_timeout=0.02,
                    sync_always=True,
                    rate_limiter=RateLimiter(UNHURRIED),
                    **options,
                )
                async with client:
                    running = asyncio.create_task(client.start(server.token))
                    await client.wait_until_ready()
                    yield server, db, client
                    await client.close()
                    await running


async def measure(record: Record, part: tuple[int, int], times: Times) -> Counted:
    """Replay the moves of a recorded game from number `part[0]` up to `part[1]`, and count."""
    world = World(later_message_seconds=0.0)  # what a press leads to is waited for by `at_rest`
    async with running_bot(world, ping_delay=times.after) as (server, db, client):
        client.tables.clock = times.clock
        return await _played(server, db, client, record, part, times)


async def _played(
    server: LoopbackServer,
    db: Database,
    client: Stationmaster,
    record: Record,
    part: tuple[int, int],
    times: Times,
) -> Counted:
    begin, end = part
    game_id = await store_recorded_game(
        client.tables, replace(record, actions=record.actions[:begin]), SANDBOX_TABLE
    )
    table = Table(server, db, client, game_id)
    await table.wait_until_idle()
    async with client.tables.reading(game_id) as live:
        actions = moves_with_seated_players(record, live.seats)[begin:end]
    counted, calls = Counted(table.thread), len(server.requests)
    stop = server.world.listen(counted.note)
    first = await table.number()
    for number, action in enumerate(actions, first):
        counted.moves += 1
        if await table.number() > number:
            continue  # it was automatic
        counted.pressed += await table.play(action, actions[number - first + 1 :])
        await times.pass_time(client)
        await table.wait_until_idle()
    stop()
    counted.calls = Counter(map(without_ids, server.requests[calls:]))
    return counted


def without_ids(request: str) -> str:
    """A request as `METHOD /path`, with an ellipsis in place of each id."""
    return _IDS.sub("/…", request.replace("/api/v10", ""))


def main() -> int:
    """Run the benchmark and print the counts."""
    parser = argparse.ArgumentParser(prog="benchmarks.calls", description=__doc__)
    parser.add_argument(
        "--log", type=Path, default=LOG, help="a log; four players of 18Chesapeake without one"
    )
    parser.add_argument("--set", type=int, default=3, help="operating rounds of which set")
    parser.add_argument("--number", type=int, default=1, help="which of them")
    parser.add_argument("--after", type=float, default=0, help="seconds until whoever has to act is called")
    parser.add_argument("--between", type=float, default=0, help="seconds between two moves")
    parser.add_argument("--whole", action="store_true", help="the whole game instead")
    parser.add_argument(
        "--first", type=int, default=0, help="this many of its moves are left out at the start"
    )
    parser.add_argument("--most", type=int, help="at most this many moves")
    parser.add_argument("--thread", action="store_true", help="print the posts")
    options = parser.parse_args()
    record, times = load_record(options.log.read_text("utf-8")), Times(options.after, options.between)
    begin, end = (
        (options.first, len(record.actions))
        if options.whole
        else round_bounds(record, options.set, options.number)
    )
    end = end if options.most is None else min(end, begin + options.most)
    counted = asyncio.run(measure(record, (begin, end), times))
    what = "Moves" if options.whole else f"OR {options.set}.{options.number}"
    print(f"{what} {begin + 1} to {end} of {options.log.stem}:\n{counted.report()}")
    if options.thread:
        print("\n\n".join(["", *(text for _, text in sorted(counted.texts.items()))]))
    return 0


if __name__ == "__main__":
    sys.exit(main())
