"""Proposals to undo or redo moves of other players, who must agree."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from bot.table import redo, undo
from bot.table.errors import GameMovedOn, Refused
from bot.table.games.game_log import moves_text
from bot.table.live import LiveGame
from bot.table.markdown import sentence_list, strong
from bot.table.tables import Tables
from bot.table.undo import UndoLoss, rows_lost_by_undo, undo_loss_of, undo_loss_text, undo_to
from bot.table.votes.proposal_kinds import Electorate, ProposalSubject
from engine import PlayerId
from storage import StoredProposal, proposals


@dataclass(frozen=True, slots=True)
class _UndoOrRedoProposal(ProposalSubject):
    """A proposed undo or redo. It is void once a log row is added after row `seq`."""

    changes_position: ClassVar[bool] = True

    seq: int
    by: int
    player: PlayerId
    players: tuple[PlayerId, ...]
    """The other players. All of them must agree."""
    moves: str
    """The moves to undo or redo, in words: `moves 8 to 12`."""
    names: str
    """The names of the players who made the moves to undo or redo: `**Ann** and **Bob**`."""

    def electorate(self, live: LiveGame, by_user: int) -> Electorate:
        """The voters: the users of all `players` must agree.

        For seats that no user plays, one user other than the proposer must agree or, if there is none, a moderator.
        """
        players_without_user = live.group_players | live.caretaker_players
        required_users = tuple(
            live.user_of(player) for player in self.players if player not in players_without_user
        )
        absent_players = [player for player in self.players if player in players_without_user]
        # The group or a caretaker plays these seats, so their other users are the same.
        other_voters = (
            tuple(user for user in live.other_users(absent_players[0]) if user != by_user)
            if absent_players
            else ()
        )
        needs_moderator = bool(absent_players) and not other_voters
        return Electorate(
            required_users,
            other_voters,
            int(bool(other_voters)),
            needs_moderator=needs_moderator,
            proposer=by_user,
        )

    def expiry_reason(self, live: LiveGame) -> str | None:
        """The reason why the proposal is void; None if it is valid.

        It is void if a log row was added, or if the proposer no longer plays their seat.
        """
        if self.is_outdated(live.seq):
            return "The game has moved on since then."
        return (
            None
            if live.player_of(self.by) == self.player
            else "The player who proposed this has left the seat."
        )

    def is_outdated(self, seq: int) -> bool:
        """True if a move or undo was made after the proposal; `seq` is the number of the last log row."""
        return seq != self.seq

    def consent_text(self, live: LiveGame, proposal: StoredProposal) -> str:
        """The players who agreed, for the public line: `with the consent of **Bob** (proposal 3)`."""
        prefix_by_player = dict.fromkeys(live.group_players | live.caretaker_players, "the group for ")
        names = (
            f"{prefix_by_player.get(player, '')}{strong(live.name_of(player))}" for player in self.players
        )
        return f"with the consent of {sentence_list(names)} (proposal {proposal.number})"


@dataclass(frozen=True, slots=True)
class UndoProposal(_UndoOrRedoProposal):
    """A proposed undo back to log row `to`, which becomes the last one that counts."""

    kind: ClassVar[str] = "undo"

    to: int

    def require_not_outdated(self, live: LiveGame) -> "UndoProposal":
        """Return this proposal, or raise GameMovedOn if a move or undo was made after it."""
        if self.is_outdated(live.seq):
            raise GameMovedOn
        return self

    def describe(self) -> str:
        """The proposal in words: the move to return to, and the moves that would be undone."""
        target_text = f"undo back to move {self.to}"
        return f"{target_text}: {strong(self.moves)} (of {self.names}) no longer count"

    async def carry_out(self, tables: Tables, live: LiveGame, proposal: StoredProposal) -> None:
        """Undo the moves; the log lists the players who agreed."""
        lost_moves_text = moves_text(rows_lost_by_undo(live, self.to))
        text = f"{strong(live.name_of(self.player))} undoes {lost_moves_text}, {self.consent_text(live, proposal)}."
        await undo_to(
            tables, live, self.to, self.player, proposal.by_user, text, tuple(self.players), proposal
        )


@dataclass(frozen=True, slots=True)
class RedoProposal(_UndoOrRedoProposal):
    """A proposed redo of moves that were undone by agreement."""

    kind: ClassVar[str] = "redo"

    def describe(self) -> str:
        """The proposal in words: the moves that would be redone."""
        return f"redo {strong(self.moves)} (of {self.names})"

    async def carry_out(self, tables: Tables, live: LiveGame, proposal: StoredProposal) -> None:
        attribution = f"{strong(live.name_of(self.player))}, {self.consent_text(live, proposal)},"
        await redo.redo_moves(tables, live, redo.moves_to_redo(live), self.player, attribution, proposal)


async def propose_undo(
    tables: Tables, live: LiveGame, by_user: int, target_seq: int, seen_seq: int
) -> UndoProposal:
    """The proposal to undo to log row `target_seq`; raises Refused.

    `seen_seq` is the number of the last log row that the user has seen.
    """
    if live.seq != seen_seq:
        raise GameMovedOn
    player = tables.seat_of(live, by_user)
    loss = await undo_loss_of(tables, live, target_seq, player)
    if loss.needs_no_consent:
        raise Refused(f"Nobody else must agree: `/undo to:{target_seq}` undoes your own moves.")
    await require_consent_possible(tables, live, loss)
    names = _names_text(live, [row.actor for row in loss.rows])
    return UndoProposal(
        live.seq, by_user, player, loss.other_players, moves_text(loss.rows), names, target_seq
    )


async def undo_question(tables: Tables, live: LiveGame, loss: UndoLoss) -> str:
    """The question shown to a user before other players are asked to agree to an undo; raises Refused.

    It lists the moves to be undone.
    """
    await require_consent_possible(tables, live, loss)
    names = sentence_list(strong(live.name_of(player)) for player in loss.other_players)
    moves_phrase = "This move" if len(loss.rows) == 1 else f"These {len(loss.rows)} moves"
    verb = "agrees" if len(loss.other_players) == 1 else "agree"
    lost_moves_text = await undo_loss_text(tables.db, live, loss)
    return f"{moves_phrase} will be undone if {names} {verb}:\n{lost_moves_text}"


async def require_consent_possible(tables: Tables, live: LiveGame, loss: UndoLoss) -> None:
    """Raise Refused if the other players cannot be asked to agree to this undo.

    This is so if the game is over, if secrets were revealed, or if a proposal for the same undo is already open.
    """
    if live.game.is_over:
        raise Refused(f"Game {live.id} has ended, so only a moderator can undo that far, with `/mod undo`.")
    undo.require_no_secrets(loss.revealed_secrets)
    for proposal in await proposals.open_proposals(tables.db, live.id, tables.clock(), UndoProposal.kind):
        open_undo = UndoProposal.read(proposal.payload)
        if (open_undo.seq, open_undo.to) == (live.seq, loss.target_seq):
            raise Refused(f"Proposal {proposal.number} already asks for this.")


def propose_redo(tables: Tables, live: LiveGame, by_user: int) -> RedoProposal:
    """The proposal to redo the last undo; raises Refused."""
    player, undone_moves = tables.seat_of(live, by_user), redo.moves_to_redo(live)
    other_voters = tuple(
        voter for voter in (undone_moves.undo.actor, *undone_moves.players_who_agreed) if voter != player
    )
    names = _names_text(live, [row.actor for row in undone_moves.rows])
    return RedoProposal(live.seq, by_user, player, other_voters, moves_text(undone_moves.rows), names)


def _names_text(live: LiveGame, players: Sequence[PlayerId]) -> str:
    return sentence_list(strong(live.name_of(player)) for player in dict.fromkeys(players))
