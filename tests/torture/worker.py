"""A bot without Discord: plays random moves at its tables and posts the outbox to a file, until it is killed.

It plays while it owns its shard, and stands by while another process does. Prints `duty` when it begins, `ack GAME SEQ`
once a move is stored, and `refused` when one is not, because another process has taken over. Arguments: database, the
file of posts, seed; with "drain" for a seed it moves nothing, posts what is left, and ends.
"""

import asyncio
import itertools
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

from bot.table.errors import OutcomeNotKnown, Refused
from bot.table.lobby import Lobbies, LobbyOpener
from bot.table.outbox.circuit_breaker import CircuitBreaker
from bot.table.outbox.sender import MarkSent, Sender
from bot.table.tables import MoveBuilder, Tables
from engine.core.actions import Action
from engine.core.ids import PlayerId
from engine.core.offers import OfferCursor
from engine.game import Game
from storage import GameRow, Posting, ShardLost, StorageError, games, open_database, outbox
from tests.support.players.random_play import RandomPlayer

TABLES = 3
PEOPLE = ((11, "Ann"), (12, "Bob"), (13, "Cy"))


class Wall:
    """Posts, one line each, seen by everybody at once; it stands whichever process is killed."""

    def __init__(self, path: Path) -> None:
        self._path = path

    async def deliver(self, game: GameRow, postings: Sequence[Posting], mark: MarkSent) -> None:
        """Post these in order; what may be there already is looked for first."""
        there = set(self._path.read_text().splitlines()) if self._path.exists() else set()
        for posting in postings:
            line = f"{game.id} {posting.seq} {posting.kind} {posting.id}"
            if line not in there:
                await asyncio.sleep(0)  # a moment in which the process may be killed
                with self._path.open("ab", buffering=0) as file:
                    file.write(f"{line}\n".encode())
            await mark([posting], None, ())


@asynccontextmanager
async def sending(tables: Tables, wall: Wall) -> AsyncIterator[None]:
    """Post what is in the outbox of these tables, as long as this lasts."""
    sender = Sender(
        *(tables.db, wall.deliver, tables.clock, lambda error: False, CircuitBreaker()),
        send_probe=asyncio.Event().wait,
        shards=tables.shards,
    )
    tables.on_notice = sender.wake
    task = asyncio.create_task(sender.run())
    try:
        yield
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def tables_of_event(tables: Tables) -> list[int]:
    """The running games; new ones where there are too few."""
    lobbies = Lobbies(tables)
    running = [row.id for row in await games.games_with_status(tables.db, "running")]
    while len(running) < TABLES:
        first, *others = PEOPLE
        lobby = await lobbies.open_lobby(1, LobbyOpener(first[0], first[1], 2), "18chesapeake", "rulebook")
        for user_id, name in others:
            await lobbies.join(lobby.row.id, user_id, name)
        await lobbies.start(lobby.row.id, first[0])
        running.append(lobby.row.id)
    return running


async def one_move(tables: Tables, game_id: int, player: RandomPlayer) -> int:
    """A move of the acting player at a table; the sequence it got."""
    async with tables.reading(game_id) as live:
        action = player.choose(live.game)
        user_id, seq = live.user_of(action.actor), live.seq
    return (await tables.submit(game_id, user_id, meant(action), seq)).seq


def meant(action: Action) -> MoveBuilder:
    """This very move."""

    def compose(game: Game, player: PlayerId) -> OfferCursor:
        offer = next(
            offer
            for offer in game.offers(player)
            if (offer.kind, offer.entity) == (action.kind, action.entity)
        )
        return OfferCursor(offer).pick_all(action.chosen())

    return compose


async def play(tables: Tables, player: RandomPlayer) -> None:
    """Move at every table in turn, as people do whatever happens, until another process has taken over."""
    while True:
        try:
            for game_id in await tables_of_event(tables):
                print("ack", game_id, await one_move(tables, game_id, player), flush=True)
        except (Refused, OutcomeNotKnown, StorageError) as error:
            if isinstance(error, ShardLost) or isinstance(error.__cause__, ShardLost):
                print("refused", flush=True)
                return
            print("met", repr(error), repr(error.__cause__), flush=True)


async def main(where: str, posts: str, seed: str) -> None:
    """Play whenever this process owns the shard, or post what is left."""
    drains = seed == "drain"
    async with await open_database(where if "://" in where else Path(where)) as db:
        for number in itertools.count(0 if drains else 1000 * int(seed)):
            async with db.own_shards() as duty:
                tables = Tables(duty.db, shards=duty.shards)
                await tables.open()
                async with sending(tables, Wall(Path(posts))):
                    print("duty", flush=True)
                    if not drains:
                        await play(tables, RandomPlayer(number))
                    while drains and (await outbox.backlog(db)).row_count:  # noqa: ASYNC110 - the database tells nobody
                        await asyncio.sleep(0.01)
            if drains:
                return


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
