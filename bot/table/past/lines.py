"""The public lines of a game, made again."""

from collections.abc import Iterator

from bot.table.past.chapters import THE_RULES, Chapter, accepted
from bot.table.past.names import Names
from storage.log import Row


def chapter_lines(first: Row, chapter: Chapter, names: Names) -> list[tuple[int, str]]:
    """The lines of a chapter, and what is said of moves in it that are not shown; `first` is that of the game."""
    begins = [(first.seq, accepted(first))] if first.kind == "accept" else []
    return sorted([*begins, *names.with_names(chapter.lines), *_gap_lines(chapter)])


def _gap_lines(chapter: Chapter) -> Iterator[tuple[int, str]]:
    """What is said of moves that are not shown; consecutive ones together."""
    spans: list[tuple[int, int, str]] = []
    for first, last, why in chapter.skipped:
        if (
            spans
            and spans[-1][2] == why
            and not any(seq in range(spans[-1][1], first) for seq, _ in chapter.lines)
        ):
            spans[-1] = (spans[-1][0], last, why)
        else:
            spans.append((first, last, why))
    for first, last, why in spans:
        yield first, _gap_text(first, last, why)


def _gap_text(first: int, last: int, why: str) -> str:
    those = f"Move {first} is" if first == last else f"Moves {first} to {last} are"
    because = (
        "the rules have changed since"
        if why == THE_RULES
        else "the log was changed from outside and does not show what was played; the position is unchanged, and "
        "a moderator continues from it for good with `/game repair`"
    )
    return f"`{first}` {those} not shown again: {because}. The original lines are in the thread."
