"""Refusals of command definitions at sync; where each limit comes from stands in docs/discord.md."""

from __future__ import annotations

import re
from collections.abc import Sequence

from bot.sandbox.refusal import Json, form_error

COMMANDS = 100
"""Chat commands of a scope."""
COMMAND_NAME = 32
COMMAND_DESCRIPTION = 100
COMMAND_SIZE = 8000
"""Characters of name, description and values of a command in all."""
OPTIONS = 25
"""Options, sub-commands and groups share these places."""
CREATIONS = 200
"""Commands that may be created a day, in each scope."""
DAY_SECONDS = 86400
OPTION_TEXT = 6000
"""Characters of a text that a person types, at most."""
OPTION_CHOICES = 25
OPTION_CHOICE_TEXT = 100
_NAME = re.compile(rf"^[-_'\w]{{1,{COMMAND_NAME}}}$")


def check_commands(commands: Sequence[Json]) -> None:
    """Refuse a set of commands; the chat commands among them have unique names."""
    chat = [c for c in commands if c.get("type", 1) == 1]
    if len(chat) > COMMANDS:
        raise form_error(
            "_", f"Maximum number of application commands reached ({COMMANDS}).", "BASE_TYPE_BAD_LENGTH"
        )
    _check_unique([c["name"] for c in chat], "_", "APPLICATION_COMMANDS_DUPLICATE_NAME")
    for number, command in enumerate(chat):
        _check_entry(command, str(number))
        _check_options(command.get("options", []), f"{number}.options", parent=0)
        if _weight(command) > COMMAND_SIZE:
            raise form_error(
                str(number), f"Command exceeds maximum size ({COMMAND_SIZE})", "APPLICATION_COMMAND_TOO_LARGE"
            )


def _check_entry(entry: Json, path: str) -> None:
    name = str(entry.get("name", ""))
    if not _NAME.match(name) or name != name.lower():
        raise form_error(
            f"{path}.name", f"Command name {name!r} is invalid", "APPLICATION_COMMAND_INVALID_NAME"
        )
    if not 1 <= len(entry.get("description") or "") <= COMMAND_DESCRIPTION:
        raise form_error(
            f"{path}.description",
            f"Must be between 1 and {COMMAND_DESCRIPTION} in length.",
            "BASE_TYPE_BAD_LENGTH",
        )


def _check_options(options: Sequence[Json], path: str, *, parent: int) -> None:
    if len(options) > OPTIONS:
        raise form_error(path, f"Must be {OPTIONS} or fewer in length.", "BASE_TYPE_MAX_LENGTH")
    _check_unique([o["name"] for o in options], path, "APPLICATION_COMMAND_OPTIONS_NAME_DUPLICATED")
    nested = [o for o in options if o["type"] in (1, 2)]
    if nested and len(nested) != len(options):
        raise form_error(
            path, "Sub-command and sub-command group option types are mutually exclusive to all other types."
        )
    optional_seen = False
    for number, option in enumerate(options):
        where = f"{path}.{number}"
        _check_entry(option, where)
        if option["type"] in (1, 2):
            if parent == 1 or (parent == 2 and option["type"] == 2):
                # one level of nesting below a group (docs/discord.md, commands)
                raise form_error(where, "Sub-commands are nested too deeply.")
            _check_options(option.get("options", []), f"{where}.options", parent=option["type"])
            continue
        if option.get("required"):
            if optional_seen:
                raise form_error(
                    where,
                    "Required options must be placed before non-required options",
                    "APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID",
                )
        else:
            optional_seen = True
        _check_choices(option, where)


def _check_choices(option: Json, path: str) -> None:
    choices = option.get("choices") or []
    if choices and option.get("autocomplete"):
        raise form_error(f"{path}.autocomplete", "Autocomplete cannot be used with choices.")
    if len(choices) > OPTION_CHOICES:
        raise form_error(
            f"{path}.choices", f"Must be {OPTION_CHOICES} or fewer in length.", "BASE_TYPE_MAX_LENGTH"
        )
    for choice in choices:
        longest = max(len(choice["name"]), len(str(choice["value"])))
        if not choice["name"] or longest > OPTION_CHOICE_TEXT:
            raise form_error(
                f"{path}.choices",
                f"Names and values are of 1 to {OPTION_CHOICE_TEXT} characters.",
                "BASE_TYPE_BAD_LENGTH",
            )


def _check_unique(names: list[str], path: str, code: str) -> None:
    if len(names) != len(set(names)):
        raise form_error(path, "The name is already used", code)


def _weight(entry: Json) -> int:
    own = len(entry["name"]) + len(entry.get("description") or "")
    choices = sum(len(c["name"]) + len(str(c["value"])) for c in entry.get("choices") or [])
    return own + choices + sum(_weight(option) for option in entry.get("options", []))
