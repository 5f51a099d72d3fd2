"""The record of a game as files, lines about its undos, and moves that users made for other players."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import takewhile
from typing import Final, NamedTuple

from bot.table.games.game_log import UndoneRows
from bot.table.games.loading import began_under_first_rules, game_before_moves
from bot.table.live import LiveGame
from bot.table.markdown import sentence_list, strong
from bot.table.past.anonymise import NamesOverTime
from engine import (
    Action,
    EngineError,
    Game,
    Record,
    ReplayDiverged,
    describe_error,
    interchange,
    ledger_csv,
    make_record,
    read_action,
    write_record,
)
from storage import LogRow


def record_of(live: LiveGame) -> Record:
    """The record of a game: all moves that were not undone."""
    return _make_record(live.game, live.effective_rows)


def record_text(state: str, rows: Sequence[LogRow]) -> str:
    """The record of a game as text; `state` is its position, `rows` are its log rows without undone ones."""
    return write_record(_make_record(Game.load(state), rows))


def _make_record(game: Game, rows: Sequence[LogRow]) -> Record:
    record = make_record(game, [read_action(row.payload) for row in rows if row.kind == "action"])
    if not began_under_first_rules(rows[0]):
        return record
    return replace(record, rules=interchange.FIRST_RULES_VERSION, from_log=game_before_moves(rows).from_log)


def undo_lines(live: LiveGame) -> list[tuple[int, str]]:
    """A line for each undo after the last repair by a moderator, with the number of its log row."""
    names = NamesOverTime.of(live)
    return [
        (row.undo.seq, f"`{row.undo.seq}` ~~{row.moves_text}~~, undone by {_undoer_text(row, names)}.")
        for row in live.undo_history.undone_ranges
    ]


def _undoer_text(undone_rows: UndoneRows, names_over_time: NamesOverTime) -> str:
    undo_row = undone_rows.undo
    if not undo_row.actor:
        undoer = "somebody" if undo_row.user_id is None else f"<@{undo_row.user_id}>"
        return f"{undoer} as a moderator"
    names_at_undo = names_over_time.names_at(undo_row.seq)
    names = [strong(names_at_undo[player]) for player in (undo_row.actor, *undone_rows.players_who_agreed)]
    return f"{names[0]}, agreed to by {sentence_list(names[1:])}" if names[1:] else names[0]


def outside_users_by_row(live: LiveGame) -> dict[int, int]:
    """Moves by users who have never had the seat, such as moderators: log row to user id."""
    seat_users = {(seat_entry.player_id, seat_entry.user_id) for seat_entry in live.seat_history}
    return {
        row.seq: row.user_id
        for row in live.effective_rows
        if row.kind == "action" and row.user_id is not None and (row.actor, row.user_id) not in seat_users
    }


def moderator_who_ended(live: LiveGame) -> int | None:
    """The moderator who ended the game early; None if it ended normally or by the players' agreement."""
    outside_users = outside_users_by_row(live)
    ending_rows = takewhile(_is_early_end, reversed(live.effective_rows))
    return next((outside_users[row.seq] for row in ending_rows if row.seq in outside_users), None)


def _is_early_end(row: LogRow) -> bool:
    return row.kind == "action" and read_action(row.payload).kind == "end_game"


NOT_IMPORTABLE_NOTE: Final = "The current rules play its moves differently, so `/game import` refuses it."
"""Note about a game that `/game import` refuses, since the current rules play its moves differently."""


class GameFile(NamedTuple):
    """A file to attach to a message: name and text."""

    name: str
    text: str


def files_of_record(game_id: int, record: Record) -> tuple[list[GameFile], list[str]]:
    """The files about a game (record, ledger, and log for 18xx.games), and sentences about problems with them."""
    record_file = GameFile(f"game-{game_id}.json", write_record(record))
    game_files, notes = (
        [record_file],
        [f"`{record_file.name}` is the whole game in the bot's own format; `/game import` reads it."],
    )
    for name, description, write in (
        (f"game-{game_id}-ledger.csv", "lists every payment and its reason.", ledger_text),
        (f"game-{game_id}-18xx.games.json", "is a log in the format of 18xx.games.", log_text),
    ):
        try:
            game_files.append(GameFile(name, write(record)))
        except EngineError as problem:
            notes.append(
                f"There is no `{name}`: {describe_error(problem, record.initial_game()).rstrip('.')}."
            )
            if write is ledger_text:
                notes[0] = (
                    f"`{record_file.name}` is the whole game in the bot's own format. {NOT_IMPORTABLE_NOTE}"
                )
        else:
            notes.append(f"`{name}` {description}")
            notes += log_warnings(game_files[-1].text) if write is log_text else []
    return game_files, notes


def log_warnings(log_json: str) -> list[str]:
    """A sentence about the first action in an 18xx.games log that the site would refuse; empty if it accepts all."""
    problem = interchange.refusal_on_18xx_games(log_json)
    return (
        [] if problem is None else [f"18xx.games itself would stop at {describe_error(problem).rstrip('.')}."]
    )


def log_text(record: Record) -> str:
    """The game as a log for 18xx.games; raises Unreadable or ReplayDiverged."""
    return _replay_and_write(record, interchange.write_log)


def ledger_text(record: Record) -> str:
    """The game's ledger as CSV text, one line for each payment; raises ReplayDiverged."""
    return _replay_and_write(record, ledger_csv)


def _replay_and_write(record: Record, write: Callable[[Game, Sequence[Action]], str]) -> str:
    game = record.initial_game()
    text = write(game, record.actions)
    if not game.matches_digest(record.digest):
        raise ReplayDiverged(len(record.actions))
    return text
