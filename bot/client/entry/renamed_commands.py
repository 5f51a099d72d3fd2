"""Old names of renamed commands, which Discord may still offer for a while. They run the renamed command."""

from collections.abc import Mapping, Sequence
from typing import Any, Final, TypeAlias, cast

import discord

from bot.table.moves.verbs import VERBS_OF_MOVE_COMMAND

Options: TypeAlias = Sequence[Mapping[str, Any]]
"""Options of a command, as in Discord's interaction data."""

NEW_NAME_BY_OLD_NAME: Final = {
    "calls": "pings",
    "game accept": "game repair",
    "game mend": "game repair",
    "mod accept": "game repair",
    "mod repair": "game repair",
    **{verb: f"move move:{verb}" for verb in VERBS_OF_MOVE_COMMAND},
}
"""Current names of renamed commands, by the name in the last release."""
_NEW_NAME_KEY: Final = "new_name"
_SUBCOMMAND_OPTION_TYPE: Final = discord.AppCommandOptionType.subcommand.value
_TEXT_OPTION_TYPE: Final = discord.AppCommandOptionType.string.value


def use_new_command_name(interaction: discord.Interaction[Any]) -> None:
    """Replace a command's old name in an interaction by the new name, which the first reply will mention."""
    data = cast(dict[str, Any], interaction.data)
    former_name, options = data["name"], data.get("options", [])
    if options and options[0]["type"] == _SUBCOMMAND_OPTION_TYPE:
        former_name, options = f"{former_name} {options[0]['name']}", options[0].get("options", [])
    new_name = NEW_NAME_BY_OLD_NAME.get(former_name)
    if new_name is None:
        return
    if former_name in VERBS_OF_MOVE_COMMAND:
        data |= {"name": "move", "options": _move_options(former_name, options)}
    else:
        data["name"], _, subcommand = new_name.partition(" ")
        subcommand_data = {"type": _SUBCOMMAND_OPTION_TYPE, "name": subcommand, "options": options}
        data["options"] = [subcommand_data] if subcommand else options
    interaction.extras[_NEW_NAME_KEY] = f"`/{former_name}` is now `/{new_name}`."


def new_command_name_line(interaction: discord.Interaction[Any]) -> str:
    """A line that tells the user a command's new name; empty if the user typed the current name."""
    line: str = interaction.extras.pop(_NEW_NAME_KEY, "")
    return line


def _move_options(verb: str, options: Options) -> Options:
    """Options of `/move` for the same move as an old command, such as `/exchange`, with these options."""
    details = " ".join(f"{option['name']}:{option['value']}" for option in options)
    new_option_values = {"move": verb, "details": details} if details else {"move": verb}
    return [
        {"type": _TEXT_OPTION_TYPE, "name": name, "value": value} for name, value in new_option_values.items()
    ]
