"""What comes with rows of a log, in their transaction."""

from dataclasses import dataclass
from typing import Final, Protocol

from storage.contract import Transaction


class SideEffects(Protocol):
    """What is stored together with rows of the log."""

    async def write(self, tx: Transaction, game_id: int, seq: int) -> None:
        """Store it, within the transaction of the rows; `seq` is the last row."""


@dataclass(frozen=True, slots=True)
class Nothing:
    """Nothing."""

    async def write(self, tx: Transaction, game_id: int, seq: int) -> None:
        """Store nothing."""
        del tx, game_id, seq


NOTHING: Final = Nothing()


@dataclass(frozen=True, slots=True)
class Both:
    """One thing and then another."""

    first: SideEffects
    then: SideEffects

    async def write(self, tx: Transaction, game_id: int, seq: int) -> None:
        """Store both."""
        await self.first.write(tx, game_id, seq)
        await self.then.write(tx, game_id, seq)
