"""The buttons of each game's position: those that need a search are found by a worker, once."""

from typing import Final, NamedTuple

from bot.table.bounded import BoundedDict
from bot.table.errors import NotYours, NotYourTurn, Refused
from bot.table.game_cache import Locks
from bot.table.live import LiveGame
from bot.table.moves.moves import SEARCHED, Quick, plain_moves
from bot.table.moves.position_questions import ask, for_move
from bot.table.moves.turn_buttons import Entry, offered
from bot.table.style import sentence_list
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

    async def named(self, live: LiveGame, player: PlayerId, key: str) -> Quick:
        """The move of one click that a button names; one that is somebody else's is refused with their name."""
        shown = [entry.quick for entry in await self.of(live) if entry.quick is not None]
        named = [quick for quick in (*shown, *plain_moves(live.game)) if quick.key == key]
        quick = next((quick for quick in named if quick.action.actor == player), None)
        if quick is not None:
            return quick
        actors = live.game.actors()
        owner = next((quick.action.actor for quick in named), None)
        if owner is not None and owner not in actors:
            raise NotYours(f"That is for {live.name_of(owner)} to decide, not for you.")
        others = [live.name_of(other) for other in actors if other != player]
        if others:
            raise NotYourTurn(sentence_list(others))
        raise Refused("That move is not possible any more.")

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
