"""The page for players: the commands that it names are there, and its table is what whole games show."""

import re
from pathlib import Path

from bot.client.features import COMMANDS
from tests.support import command_table

PAGE = Path(__file__).parents[1] / "docs/playing.md"


def test_command_table_shows_whole_games() -> None:
    """`python -m tests.support.command_table` writes it."""
    assert command_table.table() in PAGE.read_text("utf-8")


def test_named_commands_exist() -> None:
    """Also those in examples, with the parameters that they have."""
    known = {command.name for command in COMMANDS}
    named = re.findall(r"`/([a-z-]+)", PAGE.read_text("utf-8"))
    assert set(named) <= known
    for name, parameters in re.findall(r"`/([a-z-]+)((?: \w+:[^`\s]+)+)", PAGE.read_text("utf-8")):
        [command] = [command for command in COMMANDS if command.name == name]
        has = {parameter.display_name for parameter in command.parameters}  # type: ignore[union-attr]
        assert set(re.findall(r" (\w+):", parameters)) <= has
