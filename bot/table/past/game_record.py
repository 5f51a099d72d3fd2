"""Records of games: files, undone moves, and moves made for other players."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import takewhile
from typing import Final, NamedTuple

from bot.table.games.game_log import StruckMoves
from bot.table.games.loading import game_before_moves, is_earlier
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
from storage import Row


def record_of(live: LiveGame) -> Record:
    """The record of a game with every effective move."""
    return _record(live.game, live.counting)


def record_text(state: str, rows: Sequence[Row]) -> str:
    """The record as text after these effective rows."""
    return write_record(_record(Game.load(state), rows))


def _record(game: Game, rows: Sequence[Row]) -> Record:
    record = make_record(game, [read_action(row.payload) for row in rows if row.kind == "action"])
    if not is_earlier(rows[0]):
        return record
    return replace(record, rules=interchange.FIRST_RULES, from_log=game_before_moves(rows).from_log)


def undone_lines(live: LiveGame) -> list[tuple[int, str]]:
    """Lines about undos since the last accept, with their users, by number of the undo."""
    names = NamesOverTime.of(live)
    return [
        (row.undo.seq, f"`{row.undo.seq}` ~~{row.moves}~~, undone by {_whoever(row, names)}.")
        for row in live.undo_history.struck
    ]


def _whoever(one: StruckMoves, names_then: NamesOverTime) -> str:
    undo = one.undo
    if not undo.actor:
        who = "somebody" if undo.user_id is None else f"<@{undo.user_id}>"
        return f"{who} as a moderator"
    name_of = names_then.names_at(undo.seq)
    names = [strong(name_of[player]) for player in (undo.actor, *one.agreed)]
    return f"{names[0]}, agreed to by {sentence_list(names[1:])}" if names[1:] else names[0]


def moves_by_others(live: LiveGame) -> dict[int, int]:
    """Users who moved for a player whose seat they never had, by number of the move."""
    own = {(seat_entry.player_id, seat_entry.user_id) for seat_entry in live.seat_history}
    return {
        row.seq: row.user_id
        for row in live.counting
        if row.kind == "action" and row.user_id is not None and (row.actor, row.user_id) not in own
    }


def ended_by(live: LiveGame) -> int | None:
    """The moderator who ended the game for its players; else None."""
    others = moves_by_others(live)
    last = takewhile(_ends_the_game, reversed(live.counting))
    return next((others[row.seq] for row in last if row.seq in others), None)


def _ends_the_game(row: Row) -> bool:
    return row.kind == "action" and read_action(row.payload).kind == "end_game"


ELSEWHERE: Final = "The current rules play its moves differently, so `/game import` refuses it."
"""Note on a game whose rules have changed since it began."""


class GameFile(NamedTuple):
    """A file: name and content."""

    name: str
    text: str


def files_of_record(game_id: int, record: Record) -> tuple[list[GameFile], list[str]]:
    """The files made from a record, with a sentence about each."""
    own = GameFile(f"game-{game_id}.json", write_record(record))
    papers, notes = (
        [own],
        [f"`{own.name}` is the whole game in the bot's own format; `/game import` reads it."],
    )
    for name, about, write in (
        (f"game-{game_id}-ledger.csv", "lists every payment and its reason.", as_ledger),
        (f"game-{game_id}-18xx.games.json", "is a log in the format of 18xx.games.", as_log),
    ):
        try:
            papers.append(GameFile(name, write(record)))
        except EngineError as problem:
            notes.append(
                f"There is no `{name}`: {describe_error(problem, record.initial_game()).rstrip('.')}."
            )
            if write is as_ledger:
                notes[0] = f"`{own.name}` is the whole game in the bot's own format. {ELSEWHERE}"
        else:
            notes.append(f"`{name}` {about}")
            notes += log_warnings(papers[-1].text) if write is as_log else []
    return papers, notes


def log_warnings(log: str) -> list[str]:
    """Actions at which 18xx.games, with its own rules, would stop; empty if none."""
    problem = interchange.refused_there(log)
    return (
        []
        if problem is None
        else [f"That site's own rules would stop at {describe_error(problem).rstrip('.')}."]
    )


def as_log(record: Record) -> str:
    """A log of 18xx.games; raises Unreadable or ReplayDiverged."""
    return _played_again(record, interchange.write_log)


def as_ledger(record: Record) -> str:
    """The ledger as CSV, a line for each payment; raises ReplayDiverged."""
    return _played_again(record, ledger_csv)


def _played_again(record: Record, write: Callable[[Game, Sequence[Action]], str]) -> str:
    game = record.initial_game()
    text = write(game, record.actions)
    if not game.matches_digest(record.digest):
        raise ReplayDiverged(len(record.actions))
    return text
