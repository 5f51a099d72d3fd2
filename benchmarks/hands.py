"""Benchmark of the Discord requests in a whole game that users play by buttons, menus and commands.

`python -m benchmarks.hands [--title T] [--players N] [--most N]` plays from the lobby to the score sheet with random
moves. The players know only what Discord shows: they read the turn message, press buttons, use menus and type commands.
The counts are those of `benchmarks.calls`. `--thread` also prints the messages in the thread.
"""

import argparse
import asyncio
import sys
from collections import Counter
from functools import partial
from random import Random
from typing import Final

from benchmarks.calls import Counted, running_bot, without_ids
from bot.sandbox.guild.world import World
from bot.sandbox.server import LoopbackServer
from engine.titles import TITLES
from tests.bot.support.player import Players, position

NAMES: Final = ("Ann", "Bob", "Cy", "Dee", "Eve", "Flo", "Gus", "Hal")
PATIENCE: Final = 60.0
"""Seconds to wait for a move before giving up."""


async def seated(server: LoopbackServer, title: str, count: int) -> Players:
    """The players of a newly started game."""
    first, *others = (server.person(name) for name in NAMES[:count])
    await first.slash("table", "game new", title=title)
    lobby = first.messages("table")[-1]
    for person in others:
        await person.press(lobby, "Join")
    await first.press(lobby, "Start")
    players = Players(server, lobby.id, NAMES[:count], Random(1830))
    assert await server.world.wait_until(
        lambda: lobby.id in server.world.channels and players.turn() is not None, timeout=PATIENCE
    )
    return players


async def measure(title: str, count: int, most: int | None) -> Counted:
    """Play a game to its end, or for `most` turns, and count."""
    async with running_bot(World(later_message_seconds=0.0)) as (server, _, client):
        players = await seated(server, title, count)
        counted, calls, turns = Counted(players.thread), len(server.requests), 0
        server.world.listen(counted.note)
        while not players.over() and turns != most:
            turn = players.turn()
            assert turn is not None
            before = position(turn)
            await players.act(turn)
            turns += 1
            has_moved = partial(_has_moved, players, before)
            assert await server.world.wait_until(has_moved, timeout=PATIENCE), turn.content
        async with client.tables.reading(1) as live:
            counted.moves = live.seq
        counted.calls = Counter(map(without_ids, server.requests[calls:]))
        return counted


def _has_moved(players: Players, before: int) -> bool:
    turn = players.turn()
    return players.over() or (turn is not None and position(turn) > before)


def main() -> int:
    """Run the benchmark and print the counts."""
    parser = argparse.ArgumentParser(prog="benchmarks.hands", description=__doc__)
    parser.add_argument("--title", default="1846", choices=list(TITLES), help="title")
    parser.add_argument("--players", type=int, default=4, help="number of players")
    parser.add_argument("--most", type=int, help="at most this many turns")
    parser.add_argument("--thread", action="store_true", help="print the posts")
    options = parser.parse_args()
    counted = asyncio.run(measure(options.title, options.players, options.most))
    print(f"{options.title} with {options.players} players:\n{counted.report()}")
    if options.thread:
        print("\n\n".join(["", *(text for _, text in sorted(counted.texts.items()))]))
    return 0


if __name__ == "__main__":
    sys.exit(main())
