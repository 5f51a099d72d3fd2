"""Lists of games: a damaged one is listed with what is wrong, and keeps no other from being listed."""

import logging
from collections.abc import Sequence
from typing import Final

from bot.client.troubles import Troubles
from bot.table.errors import Refused
from bot.table.live import Live
from bot.table.readings import damage_of
from bot.table.sealed import waited_for
from bot.table.service import Tables
from bot.table.style import sentence_list, strong
from storage import games, sittings
from storage.errors import StorageError
from storage.games import Game
from storage.settings import GUILDS, LEFT

_log = logging.getLogger("stationmaster")

LOOKED_AT: Final = 50
"""Games of a server that are looked at before they are listed; of more, what is known is told."""

ODD: Final = "Its row in the database was changed; it is played by the rules it started with."
"""Of a running game whose row cannot be read."""


class Listing:
    """The games of a person, and those of a server."""

    def __init__(self, tables: Tables, troubles: Troubles) -> None:
        self._tables = tables
        self._troubles = troubles

    async def of_person(self, user_id: int) -> str:
        """The person's games, those that wait for them first."""
        waiting: list[str] = []
        others: list[str] = []
        left = set(await GUILDS.having(self._tables.db, LEFT))
        for row in await self._played_by(user_id):
            if row.guild_id in left and row.status in ("lobby", "running"):
                others.append(
                    f"{row.id}. {row.name}: it waits, because this bot is not on its server any more"
                )
                continue
            if row.status == "lobby":
                others.append(f"{row.id}. {row.name}: not started, in <#{row.channel_id}>{_flaw(row)}")
            if row.status == "running":
                mine, line = await self._running(row, user_id)
                (waiting if mine else others).append(strong(line) if mine else line)
        return "\n".join(waiting + others) or "You are in no game. `/game list` shows open ones."

    async def _played_by(self, user_id: int) -> list[Game]:
        """The games in which a person has a seat, and those in which he stands in for somebody now."""
        db, now = self._tables.db, self._tables.clock()
        own = await games.games_of_user(db, user_id)
        seated = {row.id for row in own}
        others = [row for row in await sittings.running_with(db, user_id) if row.id not in seated]
        played = {row.id: sittings.substitutes(await sittings.history(db, row.id), now) for row in others}
        return own + [row for row in others if user_id in {one.user_id for one in played[row.id].values()}]

    async def of_server(self, guild_id: int) -> str:
        """The games that are open or running on a server."""
        rows = await games.list_games(self._tables.db, guild_id)
        listed = [row for row in rows if row.status in ("lobby", "running")]
        lines = [await self._listed(row, number < LOOKED_AT) for number, row in enumerate(listed)]
        return "\n".join(lines) or "No game is open or running here. `/game new` opens one."

    async def _listed(self, row: Game, look: bool) -> str:
        status = "open" if row.status == "lobby" else "running"
        place = f"<#{row.thread_id}>" if row.board_message_id else f"in <#{row.channel_id}>"
        start = f"{row.id}. {row.name}, {status}"
        line = f"{start}: {place}" if row.board_message_id else f"{start}, {place}"
        if row.status == "lobby":
            return f"{line}{_flaw(row)}"
        problem = await self._problem(row) if look else None
        turn = f": {await self._turn(row)}" if look and problem is None else ""
        return f"{line}{turn}{_noted(problem or self._remark(row))}"

    async def _turn(self, row: Game) -> str:
        async with self._tables.reading(row.id) as live:
            return f"{_names(live, live.game.actors())}'s turn"

    async def _running(self, row: Game, user_id: int) -> tuple[bool, str]:
        """Whether a game waits for the person, and its line."""
        place = f"{row.id}. {row.name} in <#{row.thread_id}>"
        problem = await self._problem(row)
        if problem is not None:
            return False, f"{place}: {problem}"
        async with self._tables.reading(row.id) as live:
            acting, player = live.game.actors(), live.player_of(user_id)
            mine = player in await waited_for(self._tables.db, live)
            yours = "your turn" if player in acting else "you have not sealed"
            turn = yours if mine else f"{_names(live, acting)}'s turn"
        return mine, f"{place}: {turn}{_noted(self._remark(row))}"

    def _remark(self, row: Game) -> str | None:
        """What is to be known of a running game that can be played."""
        return self._troubles.of(row.id) or (None if damage_of(row) is None else ODD)

    async def _problem(self, row: Game) -> str | None:
        """What is wrong with a running game; None where it can be played."""
        try:
            return await self._tables.damage(row.id)
        except (Refused, StorageError) as error:
            return str(error)
        except Exception:  # noqa: BLE001 - the other games are listed all the same
            _log.exception("game %s cannot be listed", row.id)
            return "it cannot be read just now."


def _names(live: Live, acting: Sequence[str]) -> str:
    return sentence_list(live.name_of(actor) for actor in acting)


def _flaw(row: Game) -> str:
    return _noted(damage_of(row))


def _noted(problem: str | None) -> str:
    return "" if problem is None else f". {problem}"
