"""What a post of the bot tells of moves: the lines above the turn text, each with its number."""

import re
from typing import Final

from bot.sandbox.model import Message

NUMBERED: Final = re.compile(r"`(\d+)` ")


def _parts(content: str, *, has_buttons: bool) -> tuple[str, str]:
    if not NUMBERED.match(content):
        return "", content
    if not has_buttons:
        return content, ""
    lines, _, rest = content.partition("\n\n")
    return lines, rest


def turn_part(message: Message) -> str:
    """The text below the lines of the turn."""
    return _parts(message.content, has_buttons=bool(message.buttons))[1]


def record_lines(message: Message) -> list[str]:
    """The lines of moves in a post, each with the lines that belong to it."""
    found: list[str] = []
    for line in _parts(message.content, has_buttons=bool(message.buttons))[0].split("\n"):
        if NUMBERED.match(line):
            found.append(line)
        elif line:
            found[-1] += f"\n{line}"
    return found


def numbers(messages: list[Message]) -> list[int]:
    """The numbers of all lines of moves in these messages, in order."""
    return [int(line.split("`")[1]) for message in messages for line in record_lines(message)]
