"""The public lines of a game, told again."""

from collections.abc import Iterator, Sequence

from bot.table.games.opening import Opening
from bot.table.past.chapters import THE_RULES, Chapter, Scribe, accepted
from bot.table.past.names import Names
from storage.log.log import Row


def retold(rows: Sequence[Row], names: Names | None = None) -> list[tuple[int, str]]:
    """What each of these rows (the start, then those that count) did, in public words, by its number in the log.

    Moves that do not lead where they led are not told, and it is said that they are not. Every move is made again.
    Without `names` players are called as when the game started.
    """
    chapter = Scribe(rows[0], rows[1:]).chapter(rows[1:])
    if names is None:
        names = Names(dict(Opening.read(rows[0].payload).players) if rows[0].kind == "start" else {})
    return told(rows[0], chapter, names)


def told(first: Row, chapter: Chapter, names: Names) -> list[tuple[int, str]]:
    """The lines of a chapter, and what is said of the moves in it that are not told; `first` is that of the game."""
    begins = [(first.seq, accepted(first))] if first.kind == "accept" else []
    return sorted([*begins, *names.told(chapter.lines), *_untold(chapter)])


def _untold(chapter: Chapter) -> Iterator[tuple[int, str]]:
    """What is said of moves that are not told; of those that follow one another together."""
    spans: list[tuple[int, int, str]] = []
    for first, last, why in chapter.untold:
        if spans and spans[-1][2] == why and not any(spans[-1][1] < seq < first for seq, _ in chapter.lines):
            spans[-1] = (spans[-1][0], last, why)
        else:
            spans.append((first, last, why))
    for first, last, why in spans:
        yield first, _not_told(first, last, why)


def _not_told(first: int, last: int, why: str) -> str:
    those = f"Move {first} is" if first == last else f"Moves {first} to {last} are"
    because = (
        "the rules have changed since"
        if why == THE_RULES
        else "the log was changed from outside, and this is not what was played; the game stands as it stood, and with "
        "`/game mend` it continues from there for good"
    )
    return f"`{first}` {those} not told again: {because}. The lines of then stand in the thread."
