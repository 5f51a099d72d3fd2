"""What a post of the bot tells of moves: the lines above the turn text, each with its number."""

import json
import re
import sqlite3
from collections.abc import Collection, Iterable
from contextlib import closing
from itertools import takewhile
from pathlib import Path
from typing import Any, Final

from bot.sandbox.model import Message
from bot.table.past.history_lines import MoveHistory
from bot.table.past.past_games import GameToReplay
from bot.table.tables import Tables
from bot.workers.workers import Priority, QueuePlace

NUMBERED: Final = re.compile(r"`(\d+)` ")


SMALL: Final = "-# "


def _parts(content: str, *, has_buttons: bool) -> tuple[str, str]:
    if has_buttons:
        lines, gap, rest = content.partition("\n\n")
        return (lines, rest) if gap else ("", content)
    return (content, "") if NUMBERED.match(content) or content.startswith(SMALL) else ("", content)


def turn_part(message: Message) -> str:
    """The text below the lines of the turn."""
    return _parts(message.content, has_buttons=bool(message.buttons))[1]


def record_lines(message: Message) -> list[str]:
    """The lines of moves in a post, each with the lines that belong to it."""
    found: list[str] = []
    for line in _parts(message.content, has_buttons=bool(message.buttons))[0].split("\n"):
        if NUMBERED.match(line):
            found.append(line)
        elif line and found:
            found[-1] += f"\n{line}"
    return found


def asides(message: Message) -> list[str]:
    """The small lines above those of moves, which are of no move."""
    lines = _parts(message.content, has_buttons=bool(message.buttons))[0].split("\n")
    return [line.removeprefix(SMALL) for line in takewhile(lambda line: line.startswith(SMALL), lines)]


def quiet(database: Path, game: int) -> set[int]:
    """The numbers of moves of which a thread tells nothing, since nothing happened."""
    return _numbers(line for line in _lines(database, game) if line.get("quiet"))


def unsent_lines(database: Path, game: int) -> set[int]:
    """The numbers of moves whose lines are not noted as posted."""
    return _numbers(_lines(database, game, "AND sent_at IS NULL"))


def _lines(database: Path, game: int, which: str = "") -> list[dict[str, Any]]:
    with closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True, timeout=30)) as conn:
        question = f"SELECT payload FROM outbox WHERE game_id = ? AND kind = 'line' {which}"
        return [json.loads(payload) for (payload,) in conn.execute(question, (game,))]


def _numbers(lines: Iterable[dict[str, Any]]) -> set[int]:
    found = (NUMBERED.match(line["text"]) for line in lines)
    return {int(numbered[1]) for numbered in found if numbered}


class PostedLines:
    """The lines of moves in messages, each as it was shown first in a message, in the order in which they came."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self._shown: dict[int, set[str]] = {}
        self._again: set[str] = set()

    def note(self, message: Message) -> None:
        """Look at a message that was posted or edited; what is struck out is no new line."""
        shown = self._shown.setdefault(message.id, set())
        for line in record_lines(message):
            number = line.split("`")[1]
            if number not in shown:
                shown.add(number)
                if number not in self._again or all(number != known.split("`")[1] for known in self.lines):
                    self.lines.append(line)
                self._again.discard(number)

    def may_come_again(self, numbers: Collection[int]) -> None:
        """The lines of these moves count once, though they may be posted in another thread, too."""
        self._again |= {str(number) for number in numbers}


def numbers(messages: list[Message]) -> list[int]:
    """The numbers of all lines of moves in these messages, in order."""
    return [int(line.split("`")[1]) for message in messages for line in record_lines(message)]


async def history_of(tables: Tables, game: int) -> MoveHistory:
    async with tables.reading(game) as live:
        past = GameToReplay.of(live)
    return await tables.replayer.history(past, QueuePlace(Priority.QUESTION))
