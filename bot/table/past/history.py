"""What the log of a game shows: the whole game as a record, what was undone, who moved for whom."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import takewhile

from bot.table.games.loading import begun, is_earlier
from bot.table.games.redoable import Struck
from bot.table.live import LiveGame
from bot.table.past.names import Names
from bot.table.style import sentence_list, strong
from engine.core.actions import read_action
from engine.game import Game
from engine.interchange.old_exports import FIRST_RULES
from engine.record import Record, record, write_record
from storage.log import Row


def recorded(live: LiveGame) -> Record:
    """The whole game, every move that counts."""
    return _record(live.game, live.counting)


def written(state: str, rows: Sequence[Row]) -> str:
    """The file of a game after these rows, all of which count."""
    return write_record(_record(Game.load(state), rows))


def _record(game: Game, rows: Sequence[Row]) -> Record:
    found = record(game, [read_action(row.payload) for row in rows if row.kind == "action"])
    if not is_earlier(rows[0]):
        return found
    return replace(found, rules=FIRST_RULES, from_log=begun(rows).from_log)


def struck(live: LiveGame) -> list[tuple[int, str]]:
    """What was undone in a game since the last accept, and by whom, by the number of the undo."""
    names = Names.of(live)
    return [
        (one.undo.seq, f"`{one.undo.seq}` ~~{one.moves}~~, undone by {_whoever(one, names)}.")
        for one in live.undone.struck
    ]


def _whoever(one: Struck, names_then: Names) -> str:
    undo = one.undo
    if not undo.actor:
        who = "somebody" if undo.user_id is None else f"<@{undo.user_id}>"
        return f"{who}, as a moderator"
    name_of = names_then.at(undo.seq)
    names = [strong(name_of[player]) for player in (undo.actor, *one.agreed)]
    return f"{names[0]}, agreed to by {sentence_list(names[1:])}" if names[1:] else names[0]


def in_anothers_name(live: LiveGame) -> dict[int, int]:
    """Who made the moves that count of a player for whom they never sat, by the number of the move."""
    own = {(seat_entry.player_id, seat_entry.user_id) for seat_entry in live.seat_history}
    return {
        row.seq: row.user_id
        for row in live.counting
        if row.kind == "action" and row.user_id is not None and (row.actor, row.user_id) not in own
    }


def ended_by(live: LiveGame) -> int | None:
    """The moderator who gave the word for a player as a game ended; None where nobody has."""
    others = in_anothers_name(live)
    last = takewhile(_ends_the_game, reversed(live.counting))
    return next((others[row.seq] for row in last if row.seq in others), None)


def _ends_the_game(row: Row) -> bool:
    return row.kind == "action" and read_action(row.payload).kind == "end_game"
