"""Games that are shown elsewhere from now on: their thread is gone, or a moderator moves them."""

from collections.abc import Sequence

from storage import games
from storage.contract import Database, Transaction
from storage.games import Game
from storage.log import log
from storage.posts import outbox
from storage.posts.outbox import OutboxMessage


async def rehome(
    db: Database,
    game: Game,
    *,
    channel_id: int,
    thread_id: int,
    notices: Sequence[OutboxMessage],
    now: str,
) -> bool:
    """Show a game in another thread, which has nothing of it yet, and add what must be posted there.

    False, and nothing is changed, where it is not shown any more where `game` says. Raises NoSuchGame.
    """

    async def change(tx: Transaction) -> bool:
        if (await games.hold(tx, game.id)).thread_id != game.thread_id:
            return False
        await tx.put(
            "UPDATE games SET channel_id = ?, thread_id = ?, board_message_id = NULL, turn_message_id = NULL "
            "WHERE id = ?",
            *(channel_id, thread_id, game.id),
        )
        # The lines of the moves are where no link leads any more.
        await tx.put("UPDATE outbox SET message_id = NULL WHERE game_id = ?", game.id)
        await outbox.add(tx, game.id, await log.newest(tx, game.id), notices, now)
        return True

    return await db.write(change)
