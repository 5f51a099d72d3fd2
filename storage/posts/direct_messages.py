"""Direct messages: written down before they are sent, so that after a crash each is looked for and none is doubled."""

import json
from collections.abc import Sequence
from dataclasses import dataclass

from storage.contract import Database, Transaction
from storage.leases import WHOLE, Share
from storage.posts import pings
from storage.posts.pings import Called

UNTOLD, TOLD, IN_A_LETTER = 0, 1, 2
"""Whether the owner of an ended order knows why: no, yes, or by a direct message that is on its way."""


@dataclass(frozen=True, slots=True)
class Calling:
    """A user to be pinged by a direct message, for a pending notification of a game."""

    game_id: int
    called: Called


@dataclass(frozen=True, slots=True)
class Letter:
    """A direct message: its user, its text, the notifications (games, players) it is for, and when it was queued.

    It goes with the server of the first game that it is about.
    """

    id: int
    game_id: int
    user_id: int
    text: str
    duties: tuple[tuple[int, str], ...]
    created_at: str


@dataclass(frozen=True, slots=True)
class Posted:
    """A direct message that a person has, by its number."""

    letter_id: int
    user_id: int
    message_id: int


async def wanted(db: Database, share: Share = WHOLE) -> dict[int, list[Calling]]:
    """Return the users to be pinged by a direct message in games of these shards, and for what."""
    rows = await db.rows(
        "SELECT game_id, player_id, user_id, stage, thread, direct FROM called "
        f"JOIN games ON games.id = game_id WHERE direct = 'writes' AND {pings.GOING_ON} "
        f"AND {share.where()} ORDER BY user_id, game_id, player_id"
    )
    found: dict[int, list[Calling]] = {}
    for game_id, *row in rows:
        found.setdefault(row[1], []).append(Calling(game_id, Called(*row)))
    return found


async def unsent(db: Database, share: Share = WHOLE) -> list[Letter]:
    """Return what was written down and is not known to have been sent, in games of a share."""
    rows = await db.rows(
        "SELECT letters.id, game_id, user_id, text, duties, letters.created_at FROM letters "
        f"JOIN games ON games.id = game_id WHERE sent_at IS NULL AND {share.where()} ORDER BY letters.id"
    )
    return [
        Letter(
            number, game_id, user_id, text, tuple((game, player) for game, player in json.loads(duties)), at
        )
        for number, game_id, user_id, text, duties, at in rows
    ]


async def write(
    tx: Transaction, user_id: int, text: str, duties: Sequence[tuple[int, str]], game_id: int, now: str
) -> None:
    """Queue a message, within a transaction; no other message pings its user for the same."""
    await tx.put(
        "INSERT INTO letters (game_id, user_id, text, duties, created_at) VALUES (?, ?, ?, ?, ?)",
        *(game_id, user_id, text, json.dumps(list(duties)), now),
    )
    await _mark(tx, user_id, duties, "written")


async def sent(db: Database, letter: Letter, now: str, message_id: int) -> None:
    """Record that the user was reached, and by which message, if it pings them."""
    kept = message_id if letter.duties else None

    async def change(tx: Transaction) -> None:
        await tx.put("UPDATE letters SET sent_at = ?, message_id = ? WHERE id = ?", now, kept, letter.id)
        await _told(tx, letter, TOLD)

    await db.write(change)


async def take_back(db: Database, letter: Letter) -> None:
    """A message was not sent: it is dropped, and another pings its user, if that is still right."""

    async def change(tx: Transaction) -> None:
        await tx.put("DELETE FROM letters WHERE id = ?", letter.id)
        await _mark(tx, letter.user_id, letter.duties, "writes")

    await db.write(change)


async def not_wanted(db: Database, user_id: int, duties: Sequence[tuple[int, str]]) -> None:
    """No direct message is needed for these notifications any more."""
    await db.write(lambda tx: _mark(tx, user_id, duties, "written"))


async def closed(tx: Transaction, letter: Letter) -> None:
    """The user accepts no direct messages: they are pinged in the thread instead, within a transaction."""
    await tx.put("DELETE FROM letters WHERE id = ?", letter.id)
    await _told(tx, letter, UNTOLD)
    for game_id, player in letter.duties:
        await tx.put(
            "UPDATE called SET thread = CASE thread WHEN 'no' THEN 'rings' ELSE thread END "
            "WHERE game_id = ? AND player_id = ? AND user_id = ? AND muted = 0",
            *(game_id, player, letter.user_id),
        )


async def _told(tx: Transaction, letter: Letter, told: int) -> None:
    """What becomes of ended orders that the message names: their owner knows, or hears of them with an answer."""
    statement = "UPDATE orders SET told = ? WHERE game_id = ? AND user_id = ? AND told = ?"
    await tx.put(statement, told, letter.game_id, letter.user_id, IN_A_LETTER)


_STANDS = (
    "SELECT user_id, game_id, player_id FROM called JOIN games ON games.id = game_id WHERE direct <> 'no' "
    "AND games.status = 'running' AND NOT EXISTS (SELECT 1 FROM pauses WHERE pauses.game_id = games.id)"
)
"""The notifications for which users are pinged by direct messages."""


async def outdated(db: Database, share: Share = WHOLE) -> list[Posted]:
    """Return the stale direct messages about games of these shards.

    A ping is stale once its user has acted, or while a game pauses, after which they are pinged anew. A later
    message replaces an earlier one, whichever process has sent it.
    """

    async def query(tx: Transaction) -> list[Posted]:
        rows = await tx.rows(
            "SELECT letters.id, user_id, message_id, duties, guild_id FROM letters "
            "JOIN games ON games.id = game_id WHERE message_id IS NOT NULL ORDER BY letters.id DESC"
        )
        left = {tuple(row) for row in await tx.rows(_STANDS)}
        found = []
        for letter_id, user_id, message_id, duties, guild_id in rows:
            calls_to = {(user_id, game, player) for game, player in json.loads(duties)}
            if share.holds(guild_id) and calls_to.isdisjoint(left):
                found.append(Posted(letter_id, user_id, message_id))
            left -= calls_to
        return found

    return await db.read(query)


async def posted_to(db: Database, user_id: int, guild_id: int | None = None) -> list[Posted]:
    """Return the messages that a person is known to have, about games of one server or of all."""
    rows = await db.rows(
        "SELECT letters.id, user_id, message_id FROM letters JOIN games ON games.id = game_id "
        "WHERE user_id = ? AND message_id IS NOT NULL AND guild_id = COALESCE(?, guild_id)",
        *(user_id, guild_id),
    )
    return [Posted(*row) for row in rows]


async def gone(db: Database, letter_id: int) -> None:
    """Record that the person does not have a message any more."""
    await db.write(lambda tx: tx.put("UPDATE letters SET message_id = NULL WHERE id = ?", letter_id))


async def forget_sent(db: Database, before: str) -> int:
    """Delete what was sent before a time (ISO 8601 in UTC) and return how many messages that were.

    Those are left that the person still has and that will be deleted there.
    """
    statement = "DELETE FROM letters WHERE sent_at < ? AND message_id IS NULL"
    return await db.write(lambda tx: tx.run(statement, before))


async def _mark(
    tx: Transaction, user_id: int, duties: Sequence[tuple[int, str]], direct: pings.Direct
) -> None:
    await tx.run_many(
        "UPDATE called SET direct = ? WHERE game_id = ? AND player_id = ? AND user_id = ? AND muted = 0",
        [(direct, game_id, player, user_id) for game_id, player in duties],
    )
