"""Undo and redo of other players' moves, to which those whose moves they are agree."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from bot.table import redo, undo
from bot.table.errors import MovedOn, Refused
from bot.table.games.game_log import moves_text
from bot.table.live import LiveGame
from bot.table.markdown import sentence_list, strong
from bot.table.tables import Tables
from bot.table.undo import Loss, go_back, loss_of, loss_text, lost_by
from bot.table.votes.proposal_kinds import Electorate, Subject
from engine import PlayerId
from storage import StoredProposal, proposals


@dataclass(frozen=True, slots=True)
class _Concerning(Subject):
    """A proposal of a seat's player after a row of the log, and the players whom it concerns."""

    acts: ClassVar[bool] = True

    seq: int
    by: int
    player: PlayerId
    players: tuple[PlayerId, ...]
    """The others whom it concerns, each of whom has to agree."""
    moves: str
    """`moves 8 to 12`."""
    names: str
    """Their players: `**Ann** and **Bob**`."""

    def electorate(self, live: LiveGame, by: int) -> Electorate:
        """The users who play each seat now; another player of the game where the group or a caretaker plays one."""
        away = live.by_group | live.by_caretaker
        must = tuple(live.user_of(player) for player in self.players if player not in away)
        absent = [player for player in self.players if player in away]
        # Nobody plays these seats, so that the others are the same for each of them.
        others = tuple(user for user in live.others_than(absent[0]) if user != by) if absent else ()
        alone = bool(absent) and not others
        return Electorate(must, others, int(bool(others)), moderator=alone, by=by)

    def gone(self, live: LiveGame) -> str | None:
        """Somebody has moved, or the proposer plays no more."""
        if self.is_overtaken(live.seq):
            return "The game has moved on since then."
        return (
            None
            if live.player_of(self.by) == self.player
            else "The player who proposed this has left the seat."
        )

    def is_overtaken(self, seq: int) -> bool:
        """Somebody has moved, or undone."""
        return seq != self.seq

    def consent(self, live: LiveGame, proposal: StoredProposal) -> str:
        """The players who have agreed, in words."""
        by_group = dict.fromkeys(live.by_group | live.by_caretaker, "the group for ")
        names = (f"{by_group.get(player, '')}{strong(live.name_of(player))}" for player in self.players)
        return f"with the consent of {sentence_list(names)} (proposal {proposal.number})"


@dataclass(frozen=True, slots=True)
class UndoProposal(_Concerning):
    """The game is to go back to where it stood after a move."""

    kind: ClassVar[str] = "undo"

    to: int

    def unless_overtaken(self, live: LiveGame) -> "UndoProposal":
        """Itself; raises MovedOn once somebody has moved, or undone."""
        if self.is_overtaken(live.seq):
            raise MovedOn
        return self

    def says(self) -> str:
        """The move to go back to, and the moves that are lost."""
        back = f"undo back to move {self.to}"
        return f"{back}: {strong(self.moves)} (of {self.names}) no longer count"

    async def carry(self, tables: Tables, live: LiveGame, proposal: StoredProposal) -> None:
        """Go back; who agreed stands in the log."""
        lost = moves_text(lost_by(live, self.to))
        text = f"{strong(live.name_of(self.player))} undoes {lost}, {self.consent(live, proposal)}."
        await go_back(
            tables, live, self.to, self.player, proposal.by_user, text, tuple(self.players), proposal
        )


@dataclass(frozen=True, slots=True)
class RedoProposal(_Concerning):
    """Redo what was undone by agreement."""

    kind: ClassVar[str] = "redo"

    def says(self) -> str:
        """The moves that come back."""
        return f"redo {strong(self.moves)} (of {self.names})"

    async def carry(self, tables: Tables, live: LiveGame, proposal: StoredProposal) -> None:
        who = f"{strong(live.name_of(self.player))}, {self.consent(live, proposal)},"
        await redo.put_back(tables, live, redo.redoable(live), self.player, who, proposal)


async def propose_undo(tables: Tables, live: LiveGame, by: int, to: int, seq: int) -> UndoProposal:
    """The proposal to go back to `to`, of a user who has seen the game after row `seq`. Raises Refused."""
    if live.seq != seq:
        raise MovedOn
    player = tables.seat_of(live, by)
    loss = await loss_of(tables, live, to, player)
    if loss.own:
        raise Refused(f"Nobody else must agree: `/undo to:{to}` undoes your own moves.")
    await require_open(tables, live, loss)
    names = _names(live, [row.actor for row in loss.rows])
    return UndoProposal(live.seq, by, player, loss.others, moves_text(loss.rows), names, to)


async def undo_question(tables: Tables, live: LiveGame, found: Loss) -> str:
    """The moves that would be lost, for a user who may ask the others; raises Refused."""
    await require_open(tables, live, found)
    names = sentence_list(strong(live.name_of(player)) for player in found.others)
    count = "This move" if len(found.rows) == 1 else f"These {len(found.rows)} moves"
    agree = "agrees" if len(found.others) == 1 else "agree"
    lost = await loss_text(tables.db, live, found)
    return f"{count} will be undone if {names} {agree}:\n{lost}"


async def require_open(tables: Tables, live: LiveGame, found: Loss) -> None:
    """Raise Refused where nobody can be asked about this loss: it has ended, secrets are known, or they are asked."""
    if live.game.over:
        raise Refused(f"Game {live.id} has ended, so only a moderator can undo that far, with `/mod undo`.")
    undo.require_no_secrets(found.shown)
    for one in await proposals.standing(tables.db, live.id, tables.clock(), UndoProposal.kind):
        asked = UndoProposal.read(one.payload)
        if (asked.seq, asked.to) == (live.seq, found.to):
            raise Refused(f"Proposal {one.number} already asks for this.")


def propose_redo(tables: Tables, live: LiveGame, by: int) -> RedoProposal:
    """A proposal to redo what was undone by agreement, by the proposer or with their consent."""
    player, taken = tables.seat_of(live, by), redo.redoable(live)
    others = tuple(one for one in (taken.undo.actor, *taken.agreed) if one != player)
    names = _names(live, [row.actor for row in taken.rows])
    return RedoProposal(live.seq, by, player, others, moves_text(taken.rows), names)


def _names(live: LiveGame, players: Sequence[PlayerId]) -> str:
    return sentence_list(strong(live.name_of(player)) for player in dict.fromkeys(players))
