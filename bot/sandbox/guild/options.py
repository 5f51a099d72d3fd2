"""Payloads of slash command interactions, built from typed values and the bot's registered commands."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from bot.sandbox.guild import messages, permissions, registered_commands
from bot.sandbox.guild.wire import attachment_json, channel_json, member_json, role_json, user_json
from bot.sandbox.guild.world import World
from bot.sandbox.model import Channel, Upload
from bot.sandbox.refusal import Json, SandboxError

STRING, INTEGER, BOOLEAN, USER, CHANNEL, ROLE, MENTIONABLE, NUMBER, ATTACHMENT = range(3, 12)
"""Types of command options, by Discord's numbers."""


@dataclass(frozen=True, slots=True)
class UsableCommand:
    """A command or subcommand that a user can type: the top-level command, the path to the subcommand, and options."""

    command: Json
    path: tuple[Json, ...]
    options: tuple[Json, ...]

    @property
    def name(self) -> str:
        """The full name, such as ``game new``."""
        return " ".join([self.command["name"], *(step["name"] for step in self.path)])

    @property
    def description(self) -> str:
        return str((self.path[-1] if self.path else self.command).get("description", ""))

    def interaction_data(self, options: list[Json], resolved: Json) -> Json:
        """The interaction's data with these options, nested in the command's groups."""
        for step in reversed(self.path):
            options = [{"name": step["name"], "type": step["type"], "options": options}]
        data: Json = {"id": self.command["id"], "name": self.command["name"], "type": 1, "options": options}
        if "guild_id" in self.command:
            data["guild_id"] = self.command["guild_id"]
        if resolved:
            data["resolved"] = resolved
        return data


def list_commands(world: World, guild_id: int | None) -> list[UsableCommand]:
    """All commands and subcommands of a server, or of direct messages (None), sorted by name."""
    commands: list[UsableCommand] = []
    for command in registered_commands.commands_offered_in(world, guild_id):
        if command.get("type", 1) == 1:
            _collect_commands(command, (), command.get("options", []), commands)
    return sorted(commands, key=lambda usable_command: usable_command.name)


def _collect_commands(
    command: Json, path: tuple[Json, ...], options: list[Json], found_commands: list[UsableCommand]
) -> None:
    subcommands = [o for o in options if o["type"] in (1, 2)]
    for step in subcommands:
        _collect_commands(command, (*path, step), step.get("options", []), found_commands)
    if not subcommands:
        found_commands.append(UsableCommand(command, path, tuple(options)))


def may_use(world: World, usable_command: UsableCommand, user_id: int, channel: Channel) -> bool:
    """True if Discord offers a command to a user in a channel (docs/discord.md, commands, metadata)."""
    contexts = usable_command.command.get("contexts")
    if contexts is not None and (1 if channel.is_dm else 0) not in contexts:
        return False
    if channel.is_dm:
        return usable_command.command.get("dm_permission") is not False
    member_permissions = usable_command.command.get("default_member_permissions")
    needed_bits = permissions.USE_COMMANDS
    if member_permissions is not None:
        needed_bits |= int(member_permissions) or permissions.ADMINISTRATOR  # "0" means administrators only
    return world.permissions(user_id, channel) & needed_bits == needed_bits


def find_command(world: World, name: str, user_id: int, channel: Channel) -> UsableCommand:
    """The command with this full name. Raises SandboxError if it is unknown, or not offered to the user here."""
    for usable_command in list_commands(world, channel.guild_id):
        if usable_command.name == name.strip().removeprefix("/"):
            if not may_use(world, usable_command, user_id, channel):
                raise SandboxError(f"This person cannot use /{usable_command.name} in this channel.")
            return usable_command
    raise SandboxError(f"There is no command /{name}.")


def command_interaction_data(
    world: World,
    usable_command: UsableCommand,
    channel: Channel,
    values: Mapping[str, Any],
    focused_option: str | None = None,
) -> Json:
    """The interaction data for a command with these values. `focused_option` is the option to autocomplete, if any.

    Raises SandboxError for unknown options, missing required options, and values that Discord's client would not send.
    """
    options_by_name = {option["name"]: option for option in usable_command.options}
    for name in (*values, *([focused_option] if focused_option is not None else [])):
        if name not in options_by_name:
            raise SandboxError(
                f"/{usable_command.name} has no option {name!r}; it has {', '.join(options_by_name) or 'none'}."
            )
    if focused_option is not None and not options_by_name[focused_option].get("autocomplete"):
        raise SandboxError(f"Option {focused_option!r} of /{usable_command.name} has no suggestions.")
    filled_options: list[Json] = []
    resolved: Json = {}
    for option in usable_command.options:
        name = option["name"]
        if name == focused_option:
            typed_text = str(values.get(name, ""))
            filled_options.append(
                {"name": name, "type": option["type"], "value": typed_text, "focused": True}
            )
        elif values.get(name) is not None:
            value = _option_value(world, channel, option, values[name], resolved)
            filled_options.append({"name": name, "type": option["type"], "value": value})
        elif option.get("required") and focused_option is None:
            raise SandboxError(f"Option {name!r} of /{usable_command.name} is required.")
    return usable_command.interaction_data(filled_options, resolved)


def _option_value(world: World, channel: Channel, option: Json, value: Any, resolved: Json) -> Any:
    kind, name = option["type"], option["name"]
    if kind == STRING:
        return _text_value(option, str(value).strip())
    if kind in (INTEGER, NUMBER):
        return _number_value(option, value)
    if kind == BOOLEAN:
        return _boolean_value(name, value)
    value_reader_by_type = {
        USER: _person_value,
        MENTIONABLE: _person_value,
        ROLE: _role_value,
        CHANNEL: _channel_value,
        ATTACHMENT: _file_value,
    }
    return value_reader_by_type[kind](world, channel, name, value, resolved)


def _text_value(option: Json, text: str) -> str:
    _check_choice(option, text)
    min_chars, max_chars = option.get("min_length") or 0, option.get("max_length") or 6000
    if not min_chars <= len(text) <= max_chars:
        raise SandboxError(f"Option {option['name']!r} takes {min_chars} to {max_chars} characters.")
    return text


def _number_value(option: Json, value: Any) -> int | float:
    try:
        number: int | float = int(str(value)) if option["type"] == INTEGER else float(str(value))
    except ValueError:
        raise SandboxError(f"Option {option['name']!r} takes a number, not {value!r}.") from None
    _check_choice(option, number)
    minimum, maximum = option.get("min_value"), option.get("max_value")
    if (minimum is not None and number < minimum) or (maximum is not None and number > maximum):
        raise SandboxError(f"Option {option['name']!r} takes numbers from {minimum} to {maximum}.")
    return number


def _check_choice(option: Json, value: Any) -> None:
    choices = [choice["value"] for choice in option.get("choices") or []]
    if choices and value not in choices:
        raise SandboxError(f"Option {option['name']!r} takes one of {choices}.")


def _boolean_value(name: str, value: Any) -> bool:
    boolean_words = {"true": True, "false": False}
    text = str(value).lower()
    if text not in boolean_words:
        raise SandboxError(f"Option {name!r} takes true or false.")
    return boolean_words[text]


def _person_value(world: World, channel: Channel, name: str, value: Any, resolved: Json) -> str:
    user_id_or_name = getattr(value, "id", None) or str(value).strip("<@!>")
    for user in world.users.values():
        if str(user.id) == str(user_id_or_name) or user.name == str(user_id_or_name):
            resolved.setdefault("users", {})[str(user.id)] = user_json(user)
            guild = world.guild_of(channel)
            if guild is not None and user.id in guild.members:
                held_permissions = str(world.permissions(user.id, channel))
                member_data = member_json(guild, user) | {"permissions": held_permissions}
                del member_data["user"]
                resolved.setdefault("members", {})[str(user.id)] = member_data
            return str(user.id)
    raise SandboxError(f"Option {name!r} takes a person, not {value!r}.")


def _channel_value(world: World, channel_of_use: Channel, name: str, value: Any, resolved: Json) -> str:
    channel_id_or_name = getattr(value, "id", None) or str(value).strip("<#>")
    for channel in [
        c for c in world.channels.values() if c.guild_id == channel_of_use.guild_id and not c.is_dm
    ]:
        if str(channel_id_or_name) in (str(channel.id), channel.name):
            guild = world.guild_of(channel)
            everyone_permissions = guild.roles[guild.id].permissions if guild else 0
            channel_data = channel_json(world, channel) | {"permissions": str(everyone_permissions)}
            resolved.setdefault("channels", {})[str(channel.id)] = channel_data
            return str(channel.id)
    raise SandboxError(f"Option {name!r} takes a channel, not {value!r}.")


def _role_value(world: World, channel_of_use: Channel, name: str, value: Any, resolved: Json) -> str:
    guild = world.guild_of(channel_of_use)
    role_id_or_name = getattr(value, "id", None) or str(value).strip("<@&>")
    for rank, role in enumerate(guild.roles.values() if guild else ()):
        if str(role_id_or_name) in (str(role.id), role.name):
            resolved.setdefault("roles", {})[str(role.id)] = role_json(world, role, rank)
            return str(role.id)
    raise SandboxError(f"Option {name!r} takes a role, not {value!r}.")


def _file_value(world: World, channel: Channel, name: str, value: Any, resolved: Json) -> str:
    if not isinstance(value, Upload):
        raise SandboxError(f"Option {name!r} takes a file.")
    attachment = messages.store_uploads(world, [value], [])[0]
    world.unattached_files[attachment.id] = attachment
    resolved.setdefault("attachments", {})[str(attachment.id)] = attachment_json(
        world, channel.id, attachment
    ) | {"ephemeral": True}
    return str(attachment.id)
