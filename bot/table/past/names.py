"""The players' names at a move: those of the users who held their seats then."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final, Self

from bot.table.live import LiveGame
from engine.core.ids import PlayerId
from engine.game import Game
from storage.tables.seat_history import SeatEntry

_OPENS, _CLOSES = "\ue000", "\ue001"
_PLAYER: Final = re.compile(f"{_OPENS}(.*?){_CLOSES}")


@dataclass(frozen=True, slots=True)
class Names:
    """The names of a game's players over time."""

    now: Mapping[PlayerId, str]
    """Their names now; unless another holder of the seat is known, they always had them."""
    held: tuple[SeatEntry, ...] = ()
    """Who has held the seats, oldest first; substitutes play under the name of the holder."""

    @classmethod
    def of(cls, live: LiveGame) -> Self:
        """Those of a live game."""
        held = tuple(one for one in live.seat_history if one.role != "substitute")
        return cls(dict(live.game.players), held)

    def at(self, seq: int) -> dict[PlayerId, str]:
        """Each player's name at the row `seq`."""
        return {**self.now, **{one.player_id: one.display_name for one in self.held if one.since < seq}}

    def with_names(self, lines: Iterable[tuple[int, str]]) -> list[tuple[int, str]]:
        """Lines in which players stand unnamed, with the names of then, each by the number of its move."""
        found = []
        for seq, line in lines:
            names = self.at(seq) if _OPENS in line else {}
            found.append((seq, _PLAYER.sub(lambda held, n=names: n.get(held[1], held[1]), line)))  # type: ignore[misc]
        return found


def unnamed(game: Game) -> Game:
    """The game, with a mark for each player in place of the name, which `Names.told` reads."""
    return named(game, {player: f"{_OPENS}{player}{_CLOSES}" for player, _ in game.players})


def named(game: Game, names: Mapping[PlayerId, str]) -> Game:
    """The game, with these names of its players."""
    for player, name in names.items():
        game.rename(player, name)
    return game
