"""Pauses that the table decides about: long ones, and those of a player who has let the game pause lately."""

from dataclasses import dataclass
from typing import ClassVar

from bot.table.clocks.pausing import pause_of, present, require_unpaused, until
from bot.table.live import LiveGame
from bot.table.outbox.notices import Line
from bot.table.tables import Tables
from bot.table.votes.seating import more_than_half
from bot.table.votes.subjects import Electorate, Subject
from storage import clocks
from storage.proposals import Proposal


@dataclass(frozen=True, slots=True)
class PauseProposal(Subject):
    """The game is to pause for N days, or (None) until a player resumes it."""

    kind: ClassVar[str] = "pause"

    days: int | None

    def says(self) -> str:
        """For how long."""
        return f"the game pauses {self._for_how_long()}"

    def electorate(self, live: LiveGame, by: int) -> Electorate:
        """More than half of the players, the proposer among them."""
        voters = present(live)
        return Electorate((), voters, more_than_half(voters), by=by)

    def gone(self, live: LiveGame) -> str | None:
        """It has ended."""
        return f"Game {live.id} has ended." if live.game.over else None

    async def require(self, tables: Tables, live: LiveGame, by: int) -> None:
        """It does not pause yet."""
        del by
        require_unpaused(live, tables.clock())

    async def carry(self, tables: Tables, live: LiveGame, proposal: Proposal) -> None:
        """Let it pause from now on."""
        pause = pause_of(proposal.by_user, self.days, tables.clock())
        text = f"The game pauses {until(pause)} (proposal {proposal.number}); `/game resume` ends the pause."
        posts = [Line(text).notice()]
        await clocks.start_pause(tables.db, live.id, pause, seq=live.seq, notices=posts, proposal=proposal)

    def _for_how_long(self) -> str:
        return "until a player resumes it" if self.days is None else f"for {self.days} days"
