"""Registration of application commands, global or for one server, with Discord's checks.

docs/discord.md names the source of each limit.
"""

from __future__ import annotations

import re
import time
from collections.abc import Sequence

from bot.sandbox.guild import seed
from bot.sandbox.guild.world import Change, World
from bot.sandbox.refusal import Json, Refusal, invalid_form_body, length_out_of_range, too_long

MAX_COMMANDS = 100
"""Maximum number of slash commands of one server, and of global slash commands."""
MAX_NAME_CHARS = 32
MAX_DESCRIPTION_CHARS = 100
MAX_COMMAND_CHARS = 8000
"""Maximum number of characters of a command: its names, descriptions and values together."""
MAX_OPTIONS = 25
"""Maximum number of options, subcommands and groups at one level of a command."""
MAX_DAILY_CREATIONS = 200
"""Maximum number of commands that may be created per day for one server, or globally."""
DAY_SECONDS = 86400
MAX_OPTION_CHARS = 6000
"""Maximum number of characters that a user can type into a text option."""
MAX_CHOICES = 25
MAX_CHOICE_CHARS = 100
MAX_NUMBER = 1 << 53
"""Maximum absolute value of a number option."""
ALLOWED_CONTEXTS = (0, 1, 2)
"""Discord's numbers of the contexts in which a command can be offered: servers, DMs with the bot, other DMs."""
ALLOWED_INSTALLATION_TYPES = (0, 1)
"""Discord's numbers of installation types: for a server, for a user."""
_NUMBER_TYPES, _TEXT_TYPE, _CHANNEL_TYPE = (4, 10), 3, 7
_NAME_PATTERN = re.compile(rf"^[-_'\w]{{1,{MAX_NAME_CHARS}}}$")


def commands_offered_in(world: World, guild_id: int | None) -> list[Json]:
    """The commands offered in a server, including global ones; if `guild_id` is None, only global ones."""
    if guild_id is not None and seed.BOT_ID not in world.guilds[guild_id].members:
        return []
    guild_commands = [] if guild_id is None else world.commands.get(guild_id, [])
    return guild_commands + world.commands.get(seed.GLOBAL_SCOPE, [])


def sync(world: World, scope_id: int, commands: list[Json]) -> list[Json]:
    """Replace a server's commands, or the global ones. Commands with an existing name keep their id. Raises Refusal."""
    check_commands(commands)
    command_id_by_key = {_command_key(command): command["id"] for command in world.commands.get(scope_id, [])}
    _count_creations(
        world, scope_id, sum(_command_key(command) not in command_id_by_key for command in commands)
    )
    stored_commands = [
        _stored_command(world, scope_id, command, command_id_by_key.get(_command_key(command)))
        for command in commands
    ]
    world.commands[scope_id] = stored_commands
    world.store.put("commands", scope_id, {"list": stored_commands})
    world.publish(Change("commands"))
    return stored_commands


def _command_key(command: Json) -> tuple[str, int]:
    return command["name"], command.get("type", 1)


def _count_creations(world: World, scope_id: int, creation_count: int) -> None:
    """Count newly created commands. Raises Refusal if more than MAX_DAILY_CREATIONS are created in a day."""
    now = time.monotonic()
    recent_creation_times = [
        created_at
        for created_at in world.creation_times_by_scope.get(scope_id, [])
        if created_at > now - DAY_SECONDS
    ]
    if len(recent_creation_times) + creation_count > MAX_DAILY_CREATIONS:
        sentence = f"Max number of daily application command creates has been reached ({MAX_DAILY_CREATIONS})"
        raise Refusal(400, 30034, sentence)
    world.creation_times_by_scope[scope_id] = recent_creation_times + [now] * creation_count


def _stored_command(world: World, scope_id: int, command: Json, command_id: str | None) -> Json:
    id_fields: Json = {"id": command_id or str(world.new_id()), "application_id": str(seed.APPLICATION_ID)}
    if scope_id:
        id_fields["guild_id"] = str(scope_id)
        # docs.discord.com, application command structure: both fields exist for global commands only.
        command = {
            key: value for key, value in command.items() if key not in ("contexts", "integration_types")
        }
    member_permissions = command.get("default_member_permissions")
    permission_field = {
        "default_member_permissions": None if member_permissions is None else str(member_permissions)
    }
    given_fields = {
        key: value for key, value in command.items() if key != "integration_types" or value is not None
    }
    return {
        "type": 1,
        "options": [],
        **given_fields,
        **permission_field,
        **id_fields,
        "version": str(world.new_id()),
    }


def check_commands(commands: Sequence[Json]) -> None:
    """Raise Refusal if slash commands are invalid or too many, or two have the same name."""
    chat_commands = [c for c in commands if c.get("type", 1) == 1]
    if len(chat_commands) > MAX_COMMANDS:
        raise invalid_form_body(
            "_", f"Maximum number of application commands reached ({MAX_COMMANDS}).", "BASE_TYPE_BAD_LENGTH"
        )
    _check_unique_names([c["name"] for c in chat_commands], "_", "APPLICATION_COMMANDS_DUPLICATE_NAME")
    for number, command in enumerate(chat_commands):
        _check_name_and_description(command, str(number))
        _check_contexts(command, str(number))
        _check_options(command.get("options", []), f"{number}.options", parent_kind=0)
        if _count_chars(command) > MAX_COMMAND_CHARS:
            raise invalid_form_body(
                str(number),
                f"Command exceeds maximum size ({MAX_COMMAND_CHARS})",
                "APPLICATION_COMMAND_TOO_LARGE",
            )


def _check_name_and_description(entry: Json, path: str) -> None:
    name = str(entry.get("name", ""))
    if not _NAME_PATTERN.match(name) or name != name.lower():
        raise invalid_form_body(
            f"{path}.name", f"Command name {name!r} is invalid", "APPLICATION_COMMAND_INVALID_NAME"
        )
    if not 1 <= len((entry.get("description") or "").strip()) <= MAX_DESCRIPTION_CHARS:
        raise length_out_of_range(f"{path}.description", MAX_DESCRIPTION_CHARS)


def _check_contexts(command: Json, path: str) -> None:
    """Raise Refusal for unknown, empty or repeated contexts and installation types, or invalid permissions."""
    for key, allowed_values in (
        ("contexts", ALLOWED_CONTEXTS),
        ("integration_types", ALLOWED_INSTALLATION_TYPES),
    ):
        given_values = command.get(key)
        if given_values is None:
            continue
        if (
            not given_values
            or not set(given_values) <= set(allowed_values)
            or len(given_values) != len(set(given_values))
        ):
            raise invalid_form_body(
                f"{path}.{key}", f"Value must be one of {allowed_values}.", "BASE_TYPE_CHOICES"
            )
    member_permissions = command.get("default_member_permissions")
    if member_permissions is not None and not str(member_permissions).isdigit():
        raise invalid_form_body(
            f"{path}.default_member_permissions", "Value is not a number.", "NUMBER_TYPE_COERCE"
        )


def _check_options(options: Sequence[Json], path: str, *, parent_kind: int) -> None:
    if len(options) > MAX_OPTIONS:
        raise too_long(path, MAX_OPTIONS)
    _check_unique_names([o["name"] for o in options], path, "APPLICATION_COMMAND_OPTIONS_NAME_DUPLICATED")
    subcommands = [o for o in options if o["type"] in (1, 2)]
    if subcommands and len(subcommands) != len(options):
        raise invalid_form_body(
            path, "Sub-command and sub-command group option types are mutually exclusive to all other types."
        )
    has_seen_optional = False
    for number, option in enumerate(options):
        option_path = f"{path}.{number}"
        _check_name_and_description(option, option_path)
        if option["type"] in (1, 2):
            if parent_kind == 1 or (parent_kind == 2 and option["type"] == 2):
                # docs/discord.md, commands: a group may contain subcommands, but no groups
                raise invalid_form_body(option_path, "Sub-commands are nested too deeply.")
            _check_options(option.get("options", []), f"{option_path}.options", parent_kind=option["type"])
            continue
        if option.get("required"):
            if has_seen_optional:
                raise invalid_form_body(
                    option_path,
                    "Required options must be placed before non-required options",
                    "APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID",
                )
        else:
            has_seen_optional = True
        _check_option_fields(option, option_path)
        _check_choices(option, option_path)
        _check_bounds(option, option_path)


def _check_option_fields(option: Json, path: str) -> None:
    """Raise Refusal for fields that an option of this type cannot have."""
    if not 3 <= option["type"] <= 11:
        raise invalid_form_body(f"{path}.type", "Value must be one of 1 to 11.", "BASE_TYPE_CHOICES")
    types_by_field = {
        "choices": (_TEXT_TYPE, *_NUMBER_TYPES),
        "autocomplete": (_TEXT_TYPE, *_NUMBER_TYPES),
        "min_value": _NUMBER_TYPES,
        "max_value": _NUMBER_TYPES,
        "min_length": (_TEXT_TYPE,),
        "max_length": (_TEXT_TYPE,),
        "channel_types": (_CHANNEL_TYPE,),
    }
    for key, fitting_types in types_by_field.items():
        if option.get(key) not in (None, False, []) and option["type"] not in fitting_types:
            raise invalid_form_body(f"{path}.{key}", f"An option of type {option['type']} has no {key}.")


def _check_bounds(option: Json, path: str) -> None:
    for min_field, max_field, lower_limit, upper_limit in (
        ("min_value", "max_value", -MAX_NUMBER, MAX_NUMBER),
        ("min_length", "max_length", 0, MAX_OPTION_CHARS),
    ):
        for key in (min_field, max_field):
            value = option.get(key)
            if value is not None and not lower_limit <= value <= upper_limit:
                raise invalid_form_body(
                    f"{path}.{key}", f"Must be between {lower_limit} and {upper_limit}.", "NUMBER_TYPE_MAX"
                )
        if (
            option.get(min_field) is not None
            and option.get(max_field) is not None
            and option[min_field] > option[max_field]
        ):
            raise invalid_form_body(
                f"{path}.{max_field}", f"Must not be less than {min_field}.", "NUMBER_TYPE_MIN"
            )
    if option.get("max_length") == 0:
        raise invalid_form_body(f"{path}.max_length", "Must be 1 or more.", "NUMBER_TYPE_MIN")


def _check_choices(option: Json, path: str) -> None:
    choices = option.get("choices") or []
    if choices and option.get("autocomplete"):
        raise invalid_form_body(f"{path}.autocomplete", "Autocomplete cannot be used with choices.")
    if len(choices) > MAX_CHOICES:
        raise too_long(f"{path}.choices", MAX_CHOICES)
    for number, choice in enumerate(choices):
        _check_choice_value(option["type"], choice["value"], f"{path}.choices.{number}.value")
        longest_char_count = max(len(choice["name"]), len(str(choice["value"])))
        if not choice["name"] or longest_char_count > MAX_CHOICE_CHARS:
            raise invalid_form_body(
                f"{path}.choices",
                f"Names and values have 1 to {MAX_CHOICE_CHARS} characters.",
                "BASE_TYPE_BAD_LENGTH",
            )


def _check_choice_value(kind: int, value: object, path: str) -> None:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    if isinstance(value, str) != (kind == _TEXT_TYPE) or (kind != _TEXT_TYPE and not is_number):
        raise invalid_form_body(path, "The value has another type than the option.", "BASE_TYPE_INVALID")


def _check_unique_names(names: list[str], path: str, code: str) -> None:
    if len(names) != len(set(names)):
        raise invalid_form_body(path, "The name is already used", code)


def _count_chars(entry: Json) -> int:
    own_char_count = len(entry["name"]) + len(entry.get("description") or "")
    choice_char_count = sum(len(c["name"]) + len(str(c["value"])) for c in entry.get("choices") or [])
    return (
        own_char_count + choice_char_count + sum(_count_chars(option) for option in entry.get("options", []))
    )
