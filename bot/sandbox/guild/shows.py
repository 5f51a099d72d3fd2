"""What a sandbox can show to somebody who has just come: games to begin with, and recorded ones to watch."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Opening:
    """One way to begin: its name, the words of its button, and a sentence about it.

    ``command`` is typed for the person, who fills in the rest; without one the sandbox is asked to begin it.
    """

    name: str
    label: str
    text: str
    watched: bool = False
    """Whether it is there to be looked at, not to be played."""
    command: str | None = None


@dataclass(frozen=True, slots=True)
class Tape:
    """How far a recorded game has been shown: moves made, of how many."""

    made: int
    moves: int


class Shows(Protocol):
    """The process that runs the bot with the sandbox, and can put games on its tables."""

    @property
    def openings(self) -> Sequence[Opening]:
        """Ways to begin, in the order of the greeting's buttons."""
        ...

    async def begin(self, name: str) -> int:
        """Open the game of an opening; the channel in which it is shown. Raises SandboxError."""
        ...

    async def tape(self, channel_id: int) -> Tape | None:
        """How far the recorded game of a channel has been shown; None where there is none, or it went another way."""
        ...

    def has_board(self, channel_id: int) -> bool:
        """Whether a game is shown in a channel that has a page of its own, too."""
        ...

    async def board(self, channel_id: int, user_id: int) -> str:
        """The address of that page for a person. Raises SandboxError."""
        ...

    async def step(self, channel_id: int, moves: int) -> None:
        """Make the next recorded moves there. Raises SandboxError."""
        ...
