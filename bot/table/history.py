"""What a game has been, told again from its log."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from bot.table.live import Live, played
from bot.table.loading import begun, compare, is_earlier, version_of
from bot.table.redoable import Taken, those, walked
from bot.table.style import MARKDOWN, sentence_list, strong
from engine.core.actions import read_action
from engine.core.errors import EngineError
from engine.game import Game
from engine.interchange.earlier import FIRST_RULES, EarlierMoves
from engine.play.rules import RULES_VERSION
from engine.play.steps.base import Wish
from engine.record import Record, record
from engine.tell.narrate import sentences
from storage import log
from storage.log import Row


def recorded(live: Live) -> Record:
    """The whole game, every move that counts."""
    first = live.counting[0]
    actions = [read_action(row.payload) for row in live.counting if row.kind == "action"]
    found = record(live.game, actions)
    if not is_earlier(first):
        return found
    return replace(found, rules=FIRST_RULES, from_log=begun(live.counting).from_log)


def retold(rows: Sequence[Row]) -> list[tuple[int, str]]:
    """What each of these rows (the start, then those that count) did, in public words, by its number in the log.

    Moves that today's rules lead elsewhere are not told, and it is said that they are not.
    """
    begins = [number for number, row in enumerate(rows) if row.kind != "action"]
    stretches = [rows[begin:end] for begin, end in zip(begins, [*begins[1:], len(rows)], strict=True)]
    return [line for stretch in stretches for line in _stretch(stretch)]


def struck(live: Live, rows: Sequence[Row]) -> list[tuple[int, str]]:
    """What was taken back in a game with this log, and by whom, by the number of the undo."""
    return [
        (row.seq, f"`{row.seq}` ~~{those(gone)}~~, taken back by {_whoever(live, Taken(row, tuple(gone)))}.")
        for row, gone in walked(rows)
        if gone
    ]


def _whoever(live: Live, taken: Taken) -> str:
    if not taken.undo.actor:
        who = "somebody" if taken.undo.user_id is None else f"<@{taken.undo.user_id}>"
        return f"{who}, as a moderator"
    names = [strong(live.name_of(player)) for player in (taken.undo.actor, *taken.agreed)]
    return f"{names[0]}, agreed to by {sentence_list(names[1:])}" if names[1:] else names[0]


def in_anothers_name(live: Live) -> dict[int, int]:
    """Who made the moves that count of a player for whom they never sat, by the number of the move."""
    own = {(sitting.player_id, sitting.user_id) for sitting in live.sittings}
    return {
        row.seq: row.user_id
        for row in live.counting
        if row.kind == "action" and row.user_id is not None and (row.actor, row.user_id) not in own
    }


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
        line = _lines_of(first, begun(rows))
        for done, row in enumerate(moves):  # noqa: B007 - how many were done when it stops
            found = line(row)
            if found:
                yield row.seq, f"`{row.seq}` {found}"
    except EngineError:
        yield moves[done].seq, _untold(first, moves[done].seq, moves[-1].seq)


def _lines_of(first: Row, game: Game) -> Callable[[Row], str]:
    """Plays the moves after this start or accept; the line of each where it leads where it led.

    Raises IllegalAction or ReplayDiverged elsewhere.
    """
    earlier = EarlierMoves(game) if is_earlier(first) else None

    def line(row: Row) -> str:
        action = read_action(row.payload)
        if earlier is not None:
            lines = tuple(sentences(earlier.apply(action) or (), game, MARKDOWN))
        else:
            _, lines = played(game, game.walk(Wish.of(action)))
        compare(game, row)
        return "\n".join(lines)

    return line


def _untold(begin: Row, first: int, last: int) -> str:
    """That these moves after a start or an accept are not told, and why."""
    those = f"Move {first} is" if first == last else f"Moves {first} to {last} are"
    why = "the rules have changed since"
    if version_of(begin) == RULES_VERSION:
        why = (
            "the log was changed from outside, and this is not what was played; the game stands as it stood, and with "
            "`/game mend` it goes on from there for good"
        )
    return f"`{first}` {those} not told again: {why}. The lines of then stand in the thread."
