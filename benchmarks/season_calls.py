"""Benchmark of the Discord requests of a season (an event with several games).

`python -m benchmarks.season_calls [--players N] [--seats N] [--games N]` enters players for an event in the sandbox,
draws and starts it, and lets a moderator end one of its games. It counts the requests to Discord by kind, in total and
per game.
"""

import argparse
import asyncio
import sys
from collections import Counter

from benchmarks.calls import REST, running_bot, without_ids
from bot.client.app import Stationmaster
from bot.client.features.events.posts import EVENT_CHECK, advance_event_safely
from bot.sandbox.guild import seed
from bot.sandbox.guild.world import World
from bot.sandbox.model import User
from bot.sandbox.server import LoopbackServer
from bot.table.events.event_settings import EventSettings
from bot.table.events.events import Organiser
from bot.table.votes.moderation import moderator_end
from storage import Database, direct_messages, games, outbox

TITLE = "18chesapeake"
FIRST = seed.OWNER_ID + 1_000
"""User id of the first entrant."""
ROUNDS = 3
"""Number of checks after which nothing more follows: games start, entrants are notified, posts change."""


async def settled(server: LoopbackServer, db: Database, client: Stationmaster) -> None:
    """Wait until everything that is due is posted."""
    for _ in range(ROUNDS):
        await EVENT_CHECK.check(client)
        calls = -1
        while calls != len(server.requests) or await outbox.games_with_unposted_notices(db):
            calls = len(server.requests)
            await asyncio.sleep(REST)
        while await direct_messages.unsent_messages(db):
            await client.direct_messages.send()


async def measure(players: int, seats: int, each: int) -> None:
    """Play a season through; prints a table for its start and one for the end of a game."""
    world = World(later_message_seconds=0.0)
    for number in range(players):
        user = User(FIRST + number, f"Player{number + 1}")
        world.users[user.id] = user
        world.guilds[seed.GUILD_ID].members[user.id] = [seed.GUILD_ID + seed.PLAYERS_ROLE_OFFSET]
    async with running_bot(world, ping_delay=0) as (server, db, client):
        settings = EventSettings(titles=(TITLE,), table_size=seats, games_each=each)
        organiser = Organiser(seed.OWNER_ID, seed.TABLE_CHANNEL_ID)
        event = await client.events.open_event(seed.GUILD_ID, organiser, "Spring", settings)
        for number in range(players):
            await client.events.enter(event.id, FIRST + number, f"Player{number + 1}", ())
        await advance_event_safely(client, event.id)
        drawn = await client.events.draw(event.id)
        await settled(server, db, client)
        before = len(server.requests)
        await client.events.begin(event.id)
        await settled(server, db, client)
        print(_report("start", server.requests[before:], len(drawn.tables)))
        row, before = (await games.games_with_status(db, "running"))[0], len(server.requests)
        async with client.tables.reading(row.id) as live:
            seq = live.seq
        await moderator_end(client.tables, row.id, seed.OWNER_ID, seq)
        await settled(server, db, client)
        print(_report("end of one game", server.requests[before:], 1))


def _report(part: str, requests: list[str], count: int) -> str:
    calls = Counter(map(without_ids, requests))
    rows = [f"| {name} | {number} | {number / count:.1f} |" for name, number in calls.most_common()]
    total = sum(calls.values())
    return "\n".join(
        [f"| {part} | calls | a game |", "|---|---|---|", *rows, f"| all | {total} | {total / count:.1f} |"]
    )


def main() -> int:
    """Run the benchmark and print the counts."""
    parser = argparse.ArgumentParser(prog="benchmarks.season_calls", description=__doc__)
    parser.add_argument("--players", type=int, default=7, help="entrants")
    parser.add_argument("--seats", type=int, default=4, help="players at a table")
    parser.add_argument("--games", type=int, default=4, help="games for each entrant")
    options = parser.parse_args()
    asyncio.run(measure(options.players, options.seats, options.games))
    return 0


if __name__ == "__main__":
    sys.exit(main())
