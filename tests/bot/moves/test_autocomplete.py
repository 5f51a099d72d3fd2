"""Autocomplete: what is typed in full comes first, since Enter chooses the first suggestion."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import discord
from discord import app_commands

from bot.client.features import COMMANDS
from tests.bot.support.positions import actor_of, played_to, seated_at
from tests.bot.support.sandbox_bot import SandboxBot, Seated

FEW = 6
"""This many suggestions of an option are typed in full."""
MANAGED = ("setup", "mod ")
"""How commands begin that are not there for every player."""
ANYWHERE = {
    *(
        "game new title",
        "game new profile",
        "game new options",
        "game settings setting",
        "game settings value",
    ),
    *("game settings number", "game repair number", "mod settings value", "setup title", "setup profile"),
    *(
        "pings zone",
        "rules topic",
        "rules title",
        "why move",
        "what-if move",
        "company company",
        "player player",
    ),
    *("stats title", "undo to", "mod undo to", "buy company", "buy source", "sell company", "sell shares"),
}
"""Options that have suggestions at a table in a stock round, and in a lobby."""


async def test_every_completion_puts_what_is_typed_in_full_first(sandbox: SandboxBot) -> None:
    """Each option of each command, with the first suggestions of those before it filled in."""
    await sandbox.person("Ann").slash("table", "game new", title="18chesapeake")
    game = await seated_at(sandbox, played_to("sell_shares"))
    walked = set()
    for command in _commands():
        values: dict[str, Any] = {}
        asked = _Asked(sandbox, game, command.qualified_name, values)
        for option in (option for option in command.parameters if option.autocomplete):
            found = await asked.offered(option.name, "")
            for value in found[:FEW]:
                first, *_ = await asked.offered(option.name, str(value))
                assert first == value, (command.qualified_name, option.name)
            if found:
                walked.add(f"{command.qualified_name} {option.name}")
                values[option.name] = found[0]
    assert walked >= ANYWHERE, ANYWHERE - walked


@dataclass
class _Asked:
    """A command being typed in a thread, by the player who may use it."""

    sandbox: SandboxBot
    game: Seated
    command: str
    values: dict[str, Any]

    async def offered(self, name: str, typed: str) -> list[Any]:
        """What is suggested for an option."""
        who = "Ann" if self.command.startswith(MANAGED) else actor_of(self.game)
        person, values = self.sandbox.person(who), {**self.values, name: typed}
        found = await person.autocomplete(self.game.thread, self.command, focused=name, **values)
        return [value for _, value in found]


async def test_a_setting_typed_in_full_is_the_one_that_enter_chooses(sandbox: SandboxBot) -> None:
    """`on` is part of how `off` is explained."""
    game = await sandbox.game()
    found = await sandbox.person("Ann").autocomplete(
        game.thread, "game settings", focused="value", setting="sealed", value="on"
    )
    assert found[0][1] == "on"


def _commands() -> Iterator[app_commands.Command[Any, ..., Any]]:
    for command in COMMANDS:
        for one in command.walk_commands() if isinstance(command, app_commands.Group) else [command]:
            if isinstance(one, app_commands.Command) and any(
                option.type is not discord.AppCommandOptionType.subcommand for option in one.parameters
            ):
                yield one
