"""Former names of commands: Discord may still offer them to users for a while, and they run the commands of today."""

from collections.abc import Mapping, Sequence
from typing import Any, Final, TypeAlias, cast

import discord

from bot.table.moves.verbs import MOVES_IN_MENU

Options: TypeAlias = Sequence[Mapping[str, Any]]
"""Options of a command as Discord sends them."""

FORMER_COMMANDS: Final = {
    "calls": "pings",
    "game accept": "game repair",
    "game mend": "game repair",
    "mod accept": "game repair",
    "mod repair": "game repair",
    **{verb: f"move move:{verb}" for verb in MOVES_IN_MENU},
}
"""Commands of today by the names they had in the last release."""
_NEW_NAME_KEY: Final = "new_name"
_SUBCOMMAND: Final = discord.AppCommandOptionType.subcommand.value
_TEXT: Final = discord.AppCommandOptionType.string.value


def use_new_name(interaction: discord.Interaction[Any]) -> None:
    """Turn a command by a former name into the command of today; the first reply to it names that."""
    data = cast(dict[str, Any], interaction.data)
    former_name, options = data["name"], data.get("options", [])
    if options and options[0]["type"] == _SUBCOMMAND:
        former_name, options = f"{former_name} {options[0]['name']}", options[0].get("options", [])
    new_name = FORMER_COMMANDS.get(former_name)
    if new_name is None:
        return
    if former_name in MOVES_IN_MENU:
        data |= {"name": "move", "options": _move_options(former_name, options)}
    else:
        data["name"], _, subcommand = new_name.partition(" ")
        within = {"type": _SUBCOMMAND, "name": subcommand, "options": options}
        data["options"] = [within] if subcommand else options
    interaction.extras[_NEW_NAME_KEY] = f"`/{former_name}` is now `/{new_name}`."


def new_name_line(interaction: discord.Interaction[Any]) -> str:
    """The line that names the command of today, once, if the user used a former name; else nothing."""
    line: str = interaction.extras.pop(_NEW_NAME_KEY, "")
    return line


def _move_options(verb: str, options: Options) -> Options:
    """The options of `/move` for a verb with these options."""
    details = " ".join(f"{option['name']}:{option['value']}" for option in options)
    values = {"move": verb, "details": details} if details else {"move": verb}
    return [{"type": _TEXT, "name": name, "value": value} for name, value in values.items()]
