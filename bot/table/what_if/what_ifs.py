"""What-ifs: moves that a user tries on a copy of a game, several in a row. Nothing of them is stored."""

import secrets
from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import takewhile
from typing import Final, NamedTuple
from zlib import compress, decompress

from bot.table.bounded import BoundedDict
from bot.table.errors import Refused
from bot.table.live import LiveGame
from engine.core.actions import Action
from engine.core.ids import Coord, PlayerId
from engine.game import Game
from engine.tell.move_preview import may_try
from storage.games import Game as GameRow

KEPT: Final = 200
"""What-ifs in memory, a few thousand characters for each move; the one used longest ago is dropped first."""
STATES: Final = 1000
"""How many states of a what-if have numbers of their own."""
NUMBERS: Final = 1_000_000
"""What-ifs have random numbers, so that none is taken for one from before a restart."""
OVER: Final = "This what-if is over. `/what-if` begins another one."
GONE_ON: Final = "You have moved on since: the message shows the what-if as it is now."
SECRET: Final = (
    "Money is secret here, and what others can do depends on theirs: try moves in your own turn only."
)


class Step(NamedTuple):
    """A what-if move, with the automatic moves after it."""

    action: Action
    lines: tuple[str, ...]
    hexes: tuple[Coord, ...]
    """Where the map changed."""
    priced: bool
    """Whether a share price changed."""
    packed: bytes
    """The game afterwards."""
    continues: bool
    """Whether the game stands at the next decision; else what follows was not looked at."""


@dataclass(frozen=True, slots=True)
class WhatIf:
    """What somebody has tried so far in a game, from the position after a row of its log."""

    row: GameRow
    user_id: int
    looker: PlayerId | None
    """The seat of the user who tries; None for an onlooker."""
    base: int
    """The last row of the log when it began."""
    packed: bytes
    """The game then."""
    number: int
    steps: tuple[Step, ...] = ()
    changes: int = 0
    """How often it has changed."""

    @property
    def token(self) -> int:
        """What buttons of this state of the what-if carry."""
        return self.number * STATES + self.changes % STATES

    @property
    def continues(self) -> bool:
        """Whether more can be tried after what was tried."""
        return not self.steps or self.steps[-1].continues

    @property
    def own(self) -> tuple[Step, ...]:
        """The moves of the user who tries, up to the first of somebody else: those that they could make."""
        return tuple(takewhile(lambda step: step.action.actor == self.looker, self.steps))

    def at_first(self) -> Game:
        """The game where the what-if began."""
        return unpacked(self.packed)

    def now(self) -> Game:
        """The game as it stands after what was tried; raises Refused where nothing more can be tried."""
        if not self.continues:
            raise Refused(SECRET)
        return unpacked(self.steps[-1].packed if self.steps else self.packed)

    def at(self, steps: Iterable[Step]) -> "WhatIf":
        """The same what-if with these moves made."""
        return replace(self, steps=tuple(steps), changes=self.changes + 1)


class WhatIfs:
    """The what-if of each user in each game, as long as they are in memory."""

    def __init__(self) -> None:
        self._kept: BoundedDict[tuple[int, int], WhatIf] = BoundedDict(KEPT)

    def begin(self, live: LiveGame, user_id: int) -> WhatIf:
        """A what-if from the current position, in place of the user's last one; raises Refused."""
        looker = live.player_of(user_id)
        if live.game.over:
            raise Refused(f"Game {live.id} is over.")
        if not may_try(live.game, looker):
            raise Refused(SECRET)
        number = secrets.randbelow(NUMBERS)
        what_if = WhatIf(live.row, user_id, looker, live.seq, packed(live.game), number)
        self._kept[live.id, user_id] = what_if
        return what_if

    def find(self, game_id: int, user_id: int, token: int) -> WhatIf:
        """The user's what-if as it was when a button was made; raises Refused when it is over, or has changed."""
        what_if = self._kept.get((game_id, user_id))
        if what_if is None or what_if.number != token // STATES:
            raise Refused(OVER)
        if what_if.token != token:
            raise Refused(GONE_ON)
        return what_if

    def change(self, before: WhatIf, after: WhatIf) -> None:
        """Store the next state of a what-if; raises Refused where it has changed meanwhile."""
        found = self.find(before.row.id, before.user_id, before.token)
        self._kept[found.row.id, found.user_id] = after


def packed(game: Game) -> bytes:
    """A game in few bytes."""
    return compress(game.dump().encode())


def unpacked(text: bytes) -> Game:
    """The game again."""
    return Game.load(decompress(text).decode())
