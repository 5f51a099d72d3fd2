"""Refusals of command definitions at sync, after docs.discord.com "Application Commands" and DISCORD.md 2.1."""

from __future__ import annotations

import re
from collections.abc import Sequence

from bot.sandbox.refusal import Json, form_error

_NAME = re.compile(r"^[-_'\w]{1,32}$")


def check_commands(commands: Sequence[Json]) -> None:
    """Refuse a set of commands; the chat commands among them are at most 100 with unique names."""
    chat = [c for c in commands if c.get("type", 1) == 1]
    if len(chat) > 100:
        # DISCORD.md 2.1: 100 slash commands per scope.
        raise form_error("_", "Maximum number of application commands reached (100).", "BASE_TYPE_BAD_LENGTH")
    _check_unique([c["name"] for c in chat], "_", "APPLICATION_COMMANDS_DUPLICATE_NAME")
    for number, command in enumerate(chat):
        _check_entry(command, str(number))
        _check_options(command.get("options", []), f"{number}.options", parent=0)
        if _weight(command) > 8000:
            # docs.discord.com, "Application Commands": name, description and values of a command sum to 8000 at most.
            raise form_error(
                str(number), "Command exceeds maximum size (8000)", "APPLICATION_COMMAND_TOO_LARGE"
            )


def _check_entry(entry: Json, path: str) -> None:
    name = str(entry.get("name", ""))
    if not _NAME.match(name) or name != name.lower():
        raise form_error(
            f"{path}.name", f"Command name {name!r} is invalid", "APPLICATION_COMMAND_INVALID_NAME"
        )
    if not 1 <= len(entry.get("description") or "") <= 100:
        raise form_error(
            f"{path}.description", "Must be between 1 and 100 in length.", "BASE_TYPE_BAD_LENGTH"
        )


def _check_options(options: Sequence[Json], path: str, *, parent: int) -> None:
    if len(options) > 25:
        # DISCORD.md 2.1: options, sub-commands and groups share 25 places.
        raise form_error(path, "Must be 25 or fewer in length.", "BASE_TYPE_MAX_LENGTH")
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
                # DISCORD.md 2.1: one level of nesting below a group.
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
    if len(choices) > 25:
        raise form_error(f"{path}.choices", "Must be 25 or fewer in length.", "BASE_TYPE_MAX_LENGTH")
    for choice in choices:
        if not 1 <= len(choice["name"]) <= 100 or len(str(choice["value"])) > 100:
            raise form_error(
                f"{path}.choices", "Names and values are of 1 to 100 characters.", "BASE_TYPE_BAD_LENGTH"
            )


def _check_unique(names: list[str], path: str, code: str) -> None:
    if len(names) != len(set(names)):
        raise form_error(path, "The name is already used", code)


def _weight(entry: Json) -> int:
    own = len(entry["name"]) + len(entry.get("description") or "")
    choices = sum(len(c["name"]) + len(str(c["value"])) for c in entry.get("choices") or [])
    return own + choices + sum(_weight(option) for option in entry.get("options", []))
