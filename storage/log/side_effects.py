"""What comes with rows of a log, in their transaction."""

from typing import Final, Protocol

from storage.contract import Transaction


class SideEffects(Protocol):
    """What is stored together with rows of the log."""

    async def write(self, tx: Transaction, game_id: int, seq: int) -> None:
        """Store it, within the transaction of the rows; `seq` is the last row."""


class AllOf(tuple[SideEffects, ...]):
    """Side effects that are stored one after the other."""

    __slots__ = ()

    async def write(self, tx: Transaction, game_id: int, seq: int) -> None:
        """Store all."""
        for one in self:
            await one.write(tx, game_id, seq)


NOTHING: Final = AllOf()
"""No side effect."""
