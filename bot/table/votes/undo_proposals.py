"""Proposals to undo or redo moves of other players, who must agree."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from bot.table import redo, undo
from bot.table.errors import MovedOn, Refused
from bot.table.games.game_log import moves_text
from bot.table.live import LiveGame
from bot.table.markdown import sentence_list, strong
from bot.table.tables import Tables
from bot.table.undo import UndoLoss, go_back, loss_of, loss_text, lost_by
from bot.table.votes.proposal_kinds import Electorate, Subject
from engine import PlayerId
from storage import StoredProposal, proposals


@dataclass(frozen=True, slots=True)
class _Concerning(Subject):
    """An undo or redo after a log row, with the players concerned."""

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

    def electorate(self, live: LiveGame, by_user: int) -> Electorate:
        """The users of the seats concerned; another player where the group or a caretaker plays."""
        away = live.by_group | live.by_caretaker
        must = tuple(live.user_of(player) for player in self.players if player not in away)
        absent = [player for player in self.players if player in away]
        # Nobody plays these seats, so that the others are the same for each of them.
        others = tuple(user for user in live.others_than(absent[0]) if user != by_user) if absent else ()
        alone = bool(absent) and not others
        return Electorate(must, others, int(bool(others)), moderator=alone, by=by_user)

    def expiry_reason(self, live: LiveGame) -> str | None:
        """The reason: a move was made, or the proposer no longer plays."""
        if self.is_overtaken(live.seq):
            return "The game has moved on since then."
        return (
            None
            if live.player_of(self.by) == self.player
            else "The player who proposed this has left the seat."
        )

    def is_overtaken(self, seq: int) -> bool:
        """True after a move or undo."""
        return seq != self.seq

    def consent(self, live: LiveGame, proposal: StoredProposal) -> str:
        """The players who agreed, in words."""
        by_group = dict.fromkeys(live.by_group | live.by_caretaker, "the group for ")
        names = (f"{by_group.get(player, '')}{strong(live.name_of(player))}" for player in self.players)
        return f"with the consent of {sentence_list(names)} (proposal {proposal.number})"


@dataclass(frozen=True, slots=True)
class UndoProposal(_Concerning):
    """An undo to a move."""

    kind: ClassVar[str] = "undo"

    to: int

    def unless_overtaken(self, live: LiveGame) -> "UndoProposal":
        """The proposal itself; raises MovedOn after a move or undo."""
        if self.is_overtaken(live.seq):
            raise MovedOn
        return self

    def says(self) -> str:
        """The target move, and the moves lost."""
        back = f"undo back to move {self.to}"
        return f"{back}: {strong(self.moves)} (of {self.names}) no longer count"

    async def carry_out(self, tables: Tables, live: LiveGame, proposal: StoredProposal) -> None:
        """Undo, with those who agreed in the log."""
        lost = moves_text(lost_by(live, self.to))
        text = f"{strong(live.name_of(self.player))} undoes {lost}, {self.consent(live, proposal)}."
        await go_back(
            tables, live, self.to, self.player, proposal.by_user, text, tuple(self.players), proposal
        )


@dataclass(frozen=True, slots=True)
class RedoProposal(_Concerning):
    """A redo of an agreed undo."""

    kind: ClassVar[str] = "redo"

    def says(self) -> str:
        """The moves redone."""
        return f"redo {strong(self.moves)} (of {self.names})"

    async def carry_out(self, tables: Tables, live: LiveGame, proposal: StoredProposal) -> None:
        who = f"{strong(live.name_of(self.player))}, {self.consent(live, proposal)},"
        await redo.put_back(tables, live, redo.redoable(live), self.player, who, proposal)


async def propose_undo(tables: Tables, live: LiveGame, by_user: int, to: int, seq: int) -> UndoProposal:
    """The proposal of an undo to `to`, by a user who has seen row `seq`. Raises Refused."""
    if live.seq != seq:
        raise MovedOn
    player = tables.seat_of(live, by_user)
    loss = await loss_of(tables, live, to, player)
    if loss.is_own:
        raise Refused(f"Nobody else must agree: `/undo to:{to}` undoes your own moves.")
    await require_open(tables, live, loss)
    names = _names(live, [row.actor for row in loss.rows])
    return UndoProposal(live.seq, by_user, player, loss.other_players, moves_text(loss.rows), names, to)


async def undo_question(tables: Tables, live: LiveGame, loss: UndoLoss) -> str:
    """The lost moves, for a user who may ask the others; raises Refused."""
    await require_open(tables, live, loss)
    names = sentence_list(strong(live.name_of(player)) for player in loss.other_players)
    count = "This move" if len(loss.rows) == 1 else f"These {len(loss.rows)} moves"
    agree = "agrees" if len(loss.other_players) == 1 else "agree"
    lost = await loss_text(tables.db, live, loss)
    return f"{count} will be undone if {names} {agree}:\n{lost}"


async def require_open(tables: Tables, live: LiveGame, loss: UndoLoss) -> None:
    """Raise Refused if nobody can be asked: the game has ended, secrets were revealed, or a proposal is open."""
    if live.game.over:
        raise Refused(f"Game {live.id} has ended, so only a moderator can undo that far, with `/mod undo`.")
    undo.require_no_secrets(loss.revealed)
    for one in await proposals.open_proposals(tables.db, live.id, tables.clock(), UndoProposal.kind):
        asked = UndoProposal.read(one.payload)
        if (asked.seq, asked.to) == (live.seq, loss.target):
            raise Refused(f"Proposal {one.number} already asks for this.")


def propose_redo(tables: Tables, live: LiveGame, by_user: int) -> RedoProposal:
    """The proposal to redo an agreed undo."""
    player, taken = tables.seat_of(live, by_user), redo.redoable(live)
    others = tuple(one for one in (taken.undo.actor, *taken.agreed) if one != player)
    names = _names(live, [row.actor for row in taken.rows])
    return RedoProposal(live.seq, by_user, player, others, moves_text(taken.rows), names)


def _names(live: LiveGame, players: Sequence[PlayerId]) -> str:
    return sentence_list(strong(live.name_of(player)) for player in dict.fromkeys(players))
