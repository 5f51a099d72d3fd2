"""The buttons of each game's position: those that need a search are found by a worker, once."""

from typing import Final, NamedTuple

from bot.table.bounded import BoundedDict
from bot.table.game_cache import Locks
from bot.table.live import LiveGame
from bot.table.moves.asking import ask, for_move
from bot.table.moves.moves import SEARCHED
from bot.table.moves.turn_buttons import Entry, offered
from bot.table.tables import Tables
from engine.core.ids import PlayerId

KEPT: Final = 1_000
"""Games whose buttons are cached; those of another one are searched for again."""


class _Position(NamedTuple):
    """What buttons depend on: the last row of the log, and the players' names."""

    seq: int
    players: tuple[tuple[PlayerId, str], ...]


class Buttons:
    """Knows the buttons of positions, best routes among them."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._kept: BoundedDict[int, tuple[_Position, tuple[Entry, ...]]] = BoundedDict(KEPT)
        self._locks = Locks()

    async def search(self, game_id: int) -> None:
        """Let what a game's buttons need be searched for, if that is not known yet; the game is free meanwhile."""
        cached = self._tables.cached(game_id)
        if cached is None or self.known(cached) is not None:
            return
        async with self._locks.of(game_id):
            async with self._tables.reading(game_id) as live:
                if self.known(live) is not None:
                    return
                position, queue, text = _position(live), for_move(live), live.game.dump()
            self._kept[game_id] = position, await ask(self._tables.workers, queue, text, offered)

    async def of(self, live: LiveGame) -> tuple[Entry, ...]:
        """The buttons of a game that is being read."""
        found = self.known(live)
        if found is None:
            found = await ask(self._tables.workers, for_move(live), live.game.dump(), offered)
            self._kept[live.id] = _position(live), found
        return found

    def known(self, live: LiveGame) -> tuple[Entry, ...] | None:
        """The buttons, if none of them needs a search; else None."""
        kept, entries = self._kept.get(live.id, (None, ()))
        position = _position(live)
        if kept == position:
            return entries
        if any(offer.kind == SEARCHED for offer in live.game.offers()):
            return None
        entries = offered(live.game)
        self._kept[live.id] = position, entries
        return entries


def _position(live: LiveGame) -> _Position:
    return _Position(live.seq, live.game.players)
