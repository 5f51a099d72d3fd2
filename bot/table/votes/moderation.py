"""Undo, repair and end of a game by moderators, each with a public line; and early ends by agreement."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

from bot.table.errors import Refused
from bot.table.games.game_log import moves_text
from bot.table.live import LiveGame
from bot.table.markdown import strong
from bot.table.outbox import notices
from bot.table.outbox.notices import Line
from bot.table.past.history_lines import accept_line
from bot.table.tables import Outcome, Tables
from bot.table.undo import rows_lost_by_undo, undo_to
from bot.table.votes.proposal_kinds import Electorate, ProposalSubject
from engine import RULES_VERSION, PlayerId, actions
from storage import CARETAKER_USER, NewLogRow, StoredProposal, log


@dataclass(frozen=True, slots=True)
class EndProposal(ProposalSubject):
    """A proposal to end the game now with the current scores."""

    kind: ClassVar[str] = "end"

    def describe(self) -> str:
        """The proposal in words: the game ends with the current scores."""
        return "the game ends here with the current scores"

    def electorate(self, live: LiveGame, by_user: int) -> Electorate:
        """The voters: all users who are not bankrupt must agree."""
        holders = (live.holder_of(player) for player in live.game.players_in_game())
        return Electorate(tuple(user for user in holders if user != CARETAKER_USER), proposer=by_user)

    def expiry_reason(self, live: LiveGame) -> str | None:
        return f"Game {live.id} has ended." if live.game.is_over else None

    async def carry_out(self, tables: Tables, live: LiveGame, proposal: StoredProposal) -> None:
        """End the game. The log gets a vote of each player."""
        text = f"All players have agreed to end the game here (proposal {proposal.number})."
        await end_early(tables, live, live.holder_of, text, proposal)


async def end_early(
    tables: Tables,
    live: LiveGame,
    user_of_player: Callable[[PlayerId], int],
    text: str,
    proposal: StoredProposal | None = None,
) -> None:
    """End a locked game, even a paused one, by adding each player's vote to the log; raises Refused.

    `user_of_player` returns the user who is stored with a player's vote. `text` is the public line. `proposal` is the
    proposal that led to this (None: no proposal).
    """
    if live.hold_reason is not None:
        raise Refused(live.hold_reason)
    live.require_running()
    try:
        players_to_vote = [offer.actor for offer in live.game.offers() if offer.kind == "end_game"]
        entries = [_end_vote_entry(live, player, user_of_player(player)) for player in players_to_vote]
        line_notice = Line(f"`{live.seq + len(entries)}` {text}").notice()
        turn_notice = notices.turn_change_between((), (), None).notice()
        pending_notices = [line_notice, notices.board_notice(), turn_notice, *notices.game_end_notices(live)]
        await tables.commit(live, entries, pending_notices, live.effective_rows, proposal)
    except BaseException:
        tables.forget(live.id)
        raise


def _end_vote_entry(live: LiveGame, player: PlayerId, user_id: int) -> NewLogRow:
    action = actions.EndGame(actor=player, entity=player)
    live.game.apply(action)
    voting_user = None if user_id == CARETAKER_USER else user_id
    return NewLogRow("action", action.model_dump_json(), live.game.digest(), player, voting_user)


async def moderator_undo(
    tables: Tables, game_id: int, user_id: int, target_seq: int, expected_seq: int
) -> Outcome:
    """Undo to log row `target_seq` as a moderator."""
    async with tables.writing(game_id) as live:
        tables.require_seq(live, expected_seq)
        lost_rows = rows_lost_by_undo(live, target_seq)
        lost_moves_text = (
            f"{strong(moves_text(lost_rows))} no longer count{'s' if len(lost_rows) == 1 else ''}"
        )
        text = f"<@{user_id}> as a moderator undoes moves: {lost_moves_text}."
        await undo_to(tables, live, target_seq, None, user_id, text)
    tables.on_notice(game_id)
    return Outcome(live.seq, (text,))


async def moderator_end(tables: Tables, game_id: int, user_id: int, expected_seq: int) -> str:
    """End a game with its current scores as a moderator; returns the public line."""
    text = f"<@{user_id}> as a moderator ends the game here. The current scores count."
    async with tables.writing(game_id) as live:
        tables.require_seq(live, expected_seq)
        await end_early(tables, live, lambda player: user_id, text)
    tables.on_notice(game_id)
    return text


async def moderator_abandon(tables: Tables, game_id: int, user_id: int, expected_seq: int) -> str:
    """End a game without scores as a moderator; returns the public line."""
    text = f"<@{user_id}> as a moderator abandons the game. It gets no score."
    async with tables.reading(game_id) as live:
        tables.require_seq(live, expected_seq)
        live.require_running()
        # A change of turn to nobody removes the turn message.
        posts = [Line(text).notice(), notices.turn_change_between((), (), None).notice()]
        await log.commit_abandon(tables.db, game_id, seq=live.seq, notices=posts, now=tables.clock())
    tables.reload_and_post(game_id)
    return text


async def moderator_accept(tables: Tables, game_id: int, user_id: int) -> Outcome:
    """Let a game on hold continue under the current rules, as a moderator.

    A game is on hold if its earlier moves would lead to another position under the current rules. It continues from its
    stored position.
    """
    async with tables.writing(game_id) as live:
        if live.hold_reason is None:
            raise Refused(f"Game {live.id} is not on hold, so there is nothing to accept.")
        payload = log.accept_payload(RULES_VERSION, live.game.dump())
        text = accept_line(live.seq + 1, RULES_VERSION, user_id)
        turn_change = notices.turn_change_between((), live.game.actors(), None)
        pending_notices = [
            Line(text).notice(),
            notices.board_notice(),
            turn_change.notice(),
            *notices.game_end_notices(live),
        ]
        entry = NewLogRow("accept", payload, live.game.digest(), "", user_id)
        await tables.commit(live, [entry], pending_notices, live.effective_rows)
        live.hold_reason = None
    tables.on_notice(game_id)
    return Outcome(live.seq, (text,))
