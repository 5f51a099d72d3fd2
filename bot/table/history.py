"""What a game has been, told again from its log."""

from collections.abc import Iterator, Sequence

from bot.table.live import Live, played
from bot.table.loading import begun, compare, is_earlier, way
from engine.core.actions import Action, read_action
from engine.core.errors import EngineError
from engine.game import Game
from engine.interchange.earlier import apply_earlier
from engine.play.steps.base import Wish
from engine.record import Record, record
from storage import log
from storage.log import Row


def recorded(live: Live) -> Record:
    """The whole game, every move that counts, as today's rules ask for them."""
    return record(live.game, _actions(live.counting))


def retold(rows: Sequence[Row]) -> list[tuple[int, str]]:
    """What each of these rows (the start, then those that count) did, in public words, by its number in the log.

    Moves that today's rules lead elsewhere are not told, and it is said that they are not.
    """
    begins = [number for number, row in enumerate(rows) if row.kind != "action"]
    stretches = [rows[begin:end] for begin, end in zip(begins, [*begins[1:], len(rows)], strict=True)]
    return [line for stretch in stretches for line in _stretch(stretch)]


def accept_line(seq: int, rules: str, user_id: int | None) -> str:
    """The public line of an accept."""
    return f"`{seq}` <@{user_id}> accepts: the game goes on from here by version {rules} of the rules."


def _stretch(rows: Sequence[Row]) -> Iterator[tuple[int, str]]:
    """The lines of a start or an accept, and of the moves after it."""
    first, *moves = rows
    if first.kind == "accept":
        yield first.seq, accept_line(first.seq, log.accepted(first.seq, first.payload).rules, first.user_id)
    if not moves:
        return
    done = 0
    try:
        game = begun(rows)
        makes_way = way(first, game)
        for done, row in enumerate(moves):  # noqa: B007 - how many were done when it stops
            action = read_action(row.payload)
            if makes_way(action):
                yield row.seq, _line(game, row, action)
    except EngineError:
        yield moves[done].seq, _untold(moves[done].seq, moves[-1].seq)


def _line(game: Game, row: Row, action: Action) -> str:
    """Play the move; its line, where it leads where it led; else raises IllegalAction or ReplayDiverged."""
    _, lines = played(game, game.walk(Wish.of(action)))
    compare(game, row)
    return f"`{row.seq}` " + "\n".join(lines)


def _untold(first: int, last: int) -> str:
    those = f"Move {first} is" if first == last else f"Moves {first} to {last} are"
    return f"`{first}` {those} not told again: the rules have changed since. The lines of then stand in the thread."


def _actions(rows: Sequence[Row]) -> list[Action]:
    found = [read_action(row.payload) for row in rows if row.kind == "action"]
    return apply_earlier(begun(rows), found) if is_earlier(rows[0]) else found
