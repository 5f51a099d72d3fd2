"""Registered commands, global and by server, and refusals of definitions.

Where each limit comes from stands in docs/discord.md.
"""

from __future__ import annotations

import re
import time
from collections.abc import Sequence

from bot.sandbox.guild import seed
from bot.sandbox.guild.world import Change, World
from bot.sandbox.refusal import Json, Refusal, bad_length, form_error, too_long

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
NUMBER = 1 << 53
"""A whole number lies between minus this and this."""
CONTEXTS = (0, 1, 2)
"""Contexts: in a server, in private with the bot, in private among people."""
INSTALLS = (0, 1)
"""Installations: for a server, for a person."""
_NUMBERS, _TEXT, _CHANNEL = (4, 10), 3, 7
_NAME = re.compile(rf"^[-_'\w]{{1,{COMMAND_NAME}}}$")


def commands_of(world: World, guild_id: int | None) -> list[Json]:
    """All commands of a server: its own and global ones; in direct messages the global ones."""
    if guild_id is not None and seed.BOT_ID not in world.guilds[guild_id].members:
        return []
    own = [] if guild_id is None else world.commands.get(guild_id, [])
    return own + world.commands.get(seed.EVERYWHERE, [])


def sync(world: World, scope: int, commands: list[Json]) -> list[Json]:
    """Replace the commands of a scope: known names keep their ids, those that are not named are deleted."""
    check_commands(commands)
    known = {_key(command): command["id"] for command in world.commands.get(scope, [])}
    _count_created(world, scope, sum(_key(command) not in known for command in commands))
    fresh = [_registered(world, scope, command, known.get(_key(command))) for command in commands]
    world.commands[scope] = fresh
    world.store.put("commands", scope, {"list": fresh})
    world.publish(Change("commands"))
    return fresh


def _key(command: Json) -> tuple[str, int]:
    return command["name"], command.get("type", 1)


def _count_created(world: World, scope: int, created: int) -> None:
    """Refuse more than N new commands a day (docs/discord.md, commands)."""
    now = time.monotonic()
    recent = [moment for moment in world.creations.get(scope, []) if moment > now - DAY_SECONDS]
    if len(recent) + created > CREATIONS:
        sentence = f"Max number of daily application command creates has been reached ({CREATIONS})"
        raise Refusal(400, 30034, sentence)
    world.creations[scope] = recent + [now] * created


def _registered(world: World, scope: int, command: Json, ident: str | None) -> Json:
    ids: Json = {"id": ident or str(world.new_id()), "application_id": str(seed.APPLICATION_ID)}
    if scope:
        ids["guild_id"] = str(scope)
        # docs.discord.com, application command structure: both hold for global commands only.
        command = {
            key: value for key, value in command.items() if key not in ("contexts", "integration_types")
        }
    allowed = command.get("default_member_permissions")
    permissions = {"default_member_permissions": None if allowed is None else str(allowed)}
    given = {key: value for key, value in command.items() if key != "integration_types" or value is not None}
    return {"type": 1, "options": [], **given, **permissions, **ids, "version": str(world.new_id())}


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
        _check_places(command, str(number))
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
    if not 1 <= len((entry.get("description") or "").strip()) <= COMMAND_DESCRIPTION:
        raise bad_length(f"{path}.description", COMMAND_DESCRIPTION)


def _check_places(command: Json, path: str) -> None:
    """Refuse unknown contexts and integration types, and none at all."""
    for key, allowed in (("contexts", CONTEXTS), ("integration_types", INSTALLS)):
        named = command.get(key)
        if named is None:
            continue
        if not named or not set(named) <= set(allowed) or len(named) != len(set(named)):
            raise form_error(f"{path}.{key}", f"Value must be one of {allowed}.", "BASE_TYPE_CHOICES")
    needed = command.get("default_member_permissions")
    if needed is not None and not str(needed).isdigit():
        raise form_error(f"{path}.default_member_permissions", "Value is not a number.", "NUMBER_TYPE_COERCE")


def _check_options(options: Sequence[Json], path: str, *, parent: int) -> None:
    if len(options) > OPTIONS:
        raise too_long(path, OPTIONS)
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
        _check_kind(option, where)
        _check_choices(option, where)
        _check_bounds(option, where)


def _check_kind(option: Json, path: str) -> None:
    """Refuse fields that a kind of option lacks (docs, application command option structure)."""
    if not 3 <= option["type"] <= 11:
        raise form_error(f"{path}.type", "Value must be one of 1 to 11.", "BASE_TYPE_CHOICES")
    fits = {
        "choices": (_TEXT, *_NUMBERS),
        "autocomplete": (_TEXT, *_NUMBERS),
        "min_value": _NUMBERS,
        "max_value": _NUMBERS,
        "min_length": (_TEXT,),
        "max_length": (_TEXT,),
        "channel_types": (_CHANNEL,),
    }
    for key, kinds in fits.items():
        if option.get(key) not in (None, False, []) and option["type"] not in kinds:
            raise form_error(f"{path}.{key}", f"An option of type {option['type']} has no {key}.")


def _check_bounds(option: Json, path: str) -> None:
    for least, most, low, high in (
        ("min_value", "max_value", -NUMBER, NUMBER),
        ("min_length", "max_length", 0, OPTION_TEXT),
    ):
        for key in (least, most):
            value = option.get(key)
            if value is not None and not low <= value <= high:
                raise form_error(f"{path}.{key}", f"Must be between {low} and {high}.", "NUMBER_TYPE_MAX")
        if option.get(least) is not None and option.get(most) is not None and option[least] > option[most]:
            raise form_error(f"{path}.{most}", f"Must not be less than {least}.", "NUMBER_TYPE_MIN")
    if option.get("max_length") == 0:
        raise form_error(f"{path}.max_length", "Must be 1 or more.", "NUMBER_TYPE_MIN")


def _check_choices(option: Json, path: str) -> None:
    choices = option.get("choices") or []
    if choices and option.get("autocomplete"):
        raise form_error(f"{path}.autocomplete", "Autocomplete cannot be used with choices.")
    if len(choices) > OPTION_CHOICES:
        raise too_long(f"{path}.choices", OPTION_CHOICES)
    for number, choice in enumerate(choices):
        _check_value(option["type"], choice["value"], f"{path}.choices.{number}.value")
        longest = max(len(choice["name"]), len(str(choice["value"])))
        if not choice["name"] or longest > OPTION_CHOICE_TEXT:
            raise form_error(
                f"{path}.choices",
                f"Names and values are of 1 to {OPTION_CHOICE_TEXT} characters.",
                "BASE_TYPE_BAD_LENGTH",
            )


def _check_value(kind: int, value: object, path: str) -> None:
    """Refuse a choice's value of the wrong type (docs, application command option choice)."""
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    if isinstance(value, str) != (kind == _TEXT) or (kind != _TEXT and not is_number):
        raise form_error(path, "The value's type is not that of the option.", "BASE_TYPE_INVALID")


def _check_unique(names: list[str], path: str, code: str) -> None:
    if len(names) != len(set(names)):
        raise form_error(path, "The name is already used", code)


def _weight(entry: Json) -> int:
    own = len(entry["name"]) + len(entry.get("description") or "")
    choices = sum(len(c["name"]) + len(str(c["value"])) for c in entry.get("choices") or [])
    return own + choices + sum(_weight(option) for option in entry.get("options", []))
