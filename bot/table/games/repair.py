"""Repair of a damaged game: return to its last good position, or end the game."""

from dataclasses import dataclass

from bot.table.errors import Refused, StoredButFailed
from bot.table.games import loading
from bot.table.games.confirmed_writes import (
    CHECK_GAME_LIST_HINT,
    CHECK_LOG_HINT,
    confirm_write,
    find_stored_row,
    is_abandoned,
    return_true_after,
)
from bot.table.games.game_log import RowDamaged, checked_rows
from bot.table.games.loading import LastGoodPosition
from bot.table.outbox import notices
from bot.table.outbox.notices import Line
from bot.table.results_and_ratings import game_results
from bot.table.tables import Outcome, Tables
from engine import RULES_VERSION
from storage import LogRow, NewLogRow, StorageError, clocks, games, log, outbox, positions


@dataclass(frozen=True, slots=True)
class RepairPlan:
    """A possible repair of a damaged game: the problem, the number of the last log row, and the last good position."""

    problem: str
    seq: int
    good_position: LastGoodPosition
    status: games.Status

    def plan_text(self) -> str:
        """The repair in words, including the moves that would be lost."""
        if self.good_position.is_stored:
            return f"the game continues from the position stored after move {self.good_position.seq}; nothing is lost"
        lost_moves_text = f"move {self.seq} no longer counts"
        if self.good_position.seq + 1 < self.seq:
            lost_moves_text = f"moves {self.good_position.seq + 1} to {self.seq} no longer count"
        return f"the game goes back to move {self.good_position.seq}; {lost_moves_text}"


async def plan_repair(tables: Tables, game_id: int) -> RepairPlan:
    """The repair plan of a damaged game. Raises Refused if the game is not damaged or cannot be repaired."""
    plan = await find_repair(tables, game_id)
    if plan is None:
        raise _not_damaged_error(game_id)
    return plan


async def find_repair(tables: Tables, game_id: int) -> RepairPlan | None:
    """The repair plan of a game; None if it is not damaged. Raises Refused if it cannot be repaired."""
    problem = await tables.damage(game_id) or await _find_hidden_damage(tables, game_id)
    if problem is None:
        return None
    status = (await games.get_game(tables.db, game_id)).status
    if status == "abandoned":
        raise Refused(f"Game {game_id} was abandoned.")
    rows = await log.read_rows(tables.db, game_id)
    good_position = await loading.last_good_position(tables.db, game_id, rows) if rows else None
    if good_position is None:
        raise Refused(f"{problem} There is no good position to return to; `/game abandon` ends the game.")
    return RepairPlan(problem, rows[-1].seq, good_position, status)


async def _find_hidden_damage(tables: Tables, game_id: int) -> str | None:
    """A sentence about damage in the log of a game that can be loaded; None if no damage is found.

    None also for a game on hold, about which a moderator must decide first.
    """
    async with tables.reading(game_id) as live:
        if live.hold_reason is not None:
            return None
    return await loading.find_hidden_damage(tables.db, game_id)


async def repair_game(tables: Tables, game_id: int, user_id: int, expected_seq: int) -> Outcome:
    """Continue a damaged game from its last good position; raises Refused, StaleSequence."""
    plan = await plan_repair(tables, game_id)
    game, now = plan.good_position.game, tables.clock()
    text = f"`{plan.seq + 1}` <@{user_id}> repairs the game: {plan.plan_text()}."
    rows = await log.read_rows(tables.db, game_id)
    async with tables.lock(game_id):
        entry = _repair_entry(game_id, rows, plan, user_id)
        turn_change = notices.turn_change_between((), game.actors(), None)
        end_notices = [notices.END_NOTICE] if game.is_over and plan.status == "running" else []
        write = log.commit_move(
            tables.db,
            game_id,
            expected_seq,
            [entry],
            [Line(text).notice(), notices.board_notice(), turn_change.notice(), *end_notices],
            now=now,
            status="finished" if game.is_over else "running",
            state=game.dump(),
            changes=log.CombinedEffects(
                (clocks.ClockChanges(undo_target_seq=plan.good_position.seq), positions.DropPositions(0))
            ),
            results_of_game=game_results(game),
        )
        read_result = lambda: find_stored_row(tables.db, game_id, expected_seq, entry, now)  # noqa: E731
        seq = await confirm_write(write, read_result, CHECK_LOG_HINT)
        tables.forget(game_id)
    tables.on_notice(game_id)
    return Outcome(seq, (text,))


async def end_damaged_game(tables: Tables, game_id: int, user_id: int) -> str:
    """Abandon a damaged game, without scores; returns the public line. Raises Refused."""
    if await tables.damage(game_id) is None:
        raise _not_damaged_error(game_id)
    text = f"<@{user_id}> ends game {game_id}, which is damaged. It gets no score."
    async with tables.lock(game_id):
        write = games.abandon_game(tables.db, game_id)
        await confirm_write(
            return_true_after(write), lambda: is_abandoned(tables.db, game_id), CHECK_GAME_LIST_HINT
        )
        tables.forget(game_id)
        try:
            seq = await log.last_seq(tables.db, game_id)
            # A change of turn to nobody removes the turn message.
            for notice in (Line(text).notice(), notices.turn_change_between((), (), None).notice()):
                await outbox.add_notice_once(tables.db, game_id, seq, notice, tables.clock())
        except StorageError as error:
            raise StoredButFailed(text) from error
    tables.on_notice(game_id)
    return text


def _not_damaged_error(game_id: int) -> Refused:
    return Refused(f"Game {game_id} is not damaged, so there is nothing to repair.")


def _repair_entry(game_id: int, rows: list[LogRow], plan: RepairPlan, user_id: int) -> NewLogRow:
    """The log row that repairs a game: an undo to the last good position or else an accept row.

    An accept row is needed if the log would still be invalid after an undo. It contains the whole position that a
    moderator accepts.
    """
    game = plan.good_position.game
    undo_entry = NewLogRow(
        "undo", log.undo_payload(plan.good_position.seq, mends=True), game.digest(), "", user_id
    )
    if not plan.good_position.is_stored and _makes_log_valid(game_id, rows, undo_entry, plan):
        return undo_entry
    return NewLogRow("accept", log.accept_payload(RULES_VERSION, game.dump()), game.digest(), "", user_id)


def _makes_log_valid(game_id: int, rows: list[LogRow], undo_entry: NewLogRow, plan: RepairPlan) -> bool:
    undo_row = LogRow(
        game_id,
        plan.seq + 1,
        undo_entry.kind,
        undo_entry.payload,
        undo_entry.digest,
        "",
        undo_entry.user_id,
        "",
    )
    try:
        return checked_rows([*rows, undo_row])[-1].seq == plan.good_position.seq
    except RowDamaged:
        return False
