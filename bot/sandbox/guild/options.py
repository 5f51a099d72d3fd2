"""Command data from typed text, by the bot's registered definitions."""

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
"""Option types with Discord's numbers."""


@dataclass(frozen=True, slots=True)
class UsableCommand:
    """A usable command: its top-level definition, the path to it, and its own options."""

    command: Json
    path: tuple[Json, ...]
    options: tuple[Json, ...]

    @property
    def name(self) -> str:
        """The full name, as ``game new``."""
        return " ".join([self.command["name"], *(step["name"] for step in self.path)])

    @property
    def description(self) -> str:
        return str((self.path[-1] if self.path else self.command).get("description", ""))

    def wrap(self, options: list[Json], resolved: Json) -> Json:
        """An interaction's data with these options innermost."""
        for step in reversed(self.path):
            options = [{"name": step["name"], "type": step["type"], "options": options}]
        data: Json = {"id": self.command["id"], "name": self.command["name"], "type": 1, "options": options}
        if "guild_id" in self.command:
            data["guild_id"] = self.command["guild_id"]
        if resolved:
            data["resolved"] = resolved
        return data


def verbs(world: World, guild_id: int | None) -> list[UsableCommand]:
    """Every command and sub-command of a server, or of direct messages, by name."""
    commands: list[UsableCommand] = []
    for command in registered_commands.commands_of(world, guild_id):
        if command.get("type", 1) == 1:
            _collect(command, (), command.get("options", []), commands)
    return sorted(commands, key=lambda verb: verb.name)


def _collect(command: Json, path: tuple[Json, ...], options: list[Json], found: list[UsableCommand]) -> None:
    nested = [o for o in options if o["type"] in (1, 2)]
    for step in nested:
        _collect(command, (*path, step), step.get("options", []), found)
    if not nested:
        found.append(UsableCommand(command, path, tuple(options)))


def may_use(world: World, verb: UsableCommand, user_id: int, channel: Channel) -> bool:
    """True if Discord offers a command to a person in a channel (docs/discord.md, commands, metadata)."""
    contexts = verb.command.get("contexts")
    if contexts is not None and (1 if channel.is_dm else 0) not in contexts:
        return False
    if channel.is_dm:
        return verb.command.get("dm_permission") is not False
    needed = verb.command.get("default_member_permissions")
    wanted = permissions.USE_COMMANDS
    if needed is not None:
        wanted |= int(needed) or permissions.ADMINISTRATOR  # "0" leaves it to administrators
    return world.permissions(user_id, channel) & wanted == wanted


def verb_named(world: World, name: str, user_id: int, channel: Channel) -> UsableCommand:
    """The command of that full name; a SandboxError when it is unknown or not offered to that person there."""
    for verb in verbs(world, channel.guild_id):
        if verb.name == name.strip().removeprefix("/"):
            if not may_use(world, verb, user_id, channel):
                raise SandboxError(f"/{verb.name} is not offered to this person in this channel.")
            return verb
    raise SandboxError(f"There is no command /{name}.")


def fill(
    world: World, verb: UsableCommand, channel: Channel, values: Mapping[str, Any], focused: str | None = None
) -> Json:
    """Interaction data for a use of a command; `focused` is the option to complete.

    Raises SandboxError for unknown options, missing required ones and values that Discord's client would
    not send.
    """
    known = {option["name"]: option for option in verb.options}
    for name in (*values, *([focused] if focused is not None else [])):
        if name not in known:
            raise SandboxError(f"/{verb.name} has no option {name!r}; it has {', '.join(known) or 'none'}.")
    if focused is not None and not known[focused].get("autocomplete"):
        raise SandboxError(f"Option {focused!r} of /{verb.name} has no suggestions.")
    filled: list[Json] = []
    resolved: Json = {}
    for option in verb.options:
        name = option["name"]
        if name == focused:
            typed = str(values.get(name, ""))
            filled.append({"name": name, "type": option["type"], "value": typed, "focused": True})
        elif values.get(name) is not None:
            value = _option_value(world, channel, option, values[name], resolved)
            filled.append({"name": name, "type": option["type"], "value": value})
        elif option.get("required") and focused is None:
            raise SandboxError(f"Option {name!r} of /{verb.name} is required.")
    return verb.wrap(filled, resolved)


def _option_value(world: World, channel: Channel, option: Json, value: Any, resolved: Json) -> Any:
    kind, name = option["type"], option["name"]
    if kind == STRING:
        return _text(option, str(value).strip())
    if kind in (INTEGER, NUMBER):
        return _number(option, value)
    if kind == BOOLEAN:
        return _boolean(name, value)
    resolving = {USER: _person, MENTIONABLE: _person, ROLE: _role, CHANNEL: _channel, ATTACHMENT: _file}
    return resolving[kind](world, channel, name, value, resolved)


def _text(option: Json, text: str) -> str:
    _check_choice(option, text)
    least, most = option.get("min_length") or 0, option.get("max_length") or 6000
    if not least <= len(text) <= most:
        raise SandboxError(f"Option {option['name']!r} takes {least} to {most} characters.")
    return text


def _number(option: Json, value: Any) -> int | float:
    try:
        number: int | float = int(str(value)) if option["type"] == INTEGER else float(str(value))
    except ValueError:
        raise SandboxError(f"Option {option['name']!r} takes a number, not {value!r}.") from None
    _check_choice(option, number)
    least, most = option.get("min_value"), option.get("max_value")
    if (least is not None and number < least) or (most is not None and number > most):
        raise SandboxError(f"Option {option['name']!r} takes numbers from {least} to {most}.")
    return number


def _check_choice(option: Json, value: Any) -> None:
    choices = [choice["value"] for choice in option.get("choices") or []]
    if choices and value not in choices:
        raise SandboxError(f"Option {option['name']!r} takes one of {choices}.")


def _boolean(name: str, value: Any) -> bool:
    words = {"true": True, "false": False}
    text = str(value).lower()
    if text not in words:
        raise SandboxError(f"Option {name!r} takes true or false.")
    return words[text]


def _person(world: World, channel: Channel, name: str, value: Any, resolved: Json) -> str:
    ident = getattr(value, "id", None) or str(value).strip("<@!>")
    for user in world.users.values():
        if str(user.id) == str(ident) or user.name == str(ident):
            resolved.setdefault("users", {})[str(user.id)] = user_json(user)
            guild = world.guild_of(channel)
            if guild is not None and user.id in guild.members:
                held = str(world.permissions(user.id, channel))
                member = member_json(guild, user) | {"permissions": held}
                del member["user"]
                resolved.setdefault("members", {})[str(user.id)] = member
            return str(user.id)
    raise SandboxError(f"Option {name!r} takes a person, not {value!r}.")


def _channel(world: World, place: Channel, name: str, value: Any, resolved: Json) -> str:
    ident = getattr(value, "id", None) or str(value).strip("<#>")
    for channel in [c for c in world.channels.values() if c.guild_id == place.guild_id and not c.is_dm]:
        if str(ident) in (str(channel.id), channel.name):
            guild = world.guild_of(channel)
            held = guild.roles[guild.id].permissions if guild else 0
            body = channel_json(world, channel) | {"permissions": str(held)}
            resolved.setdefault("channels", {})[str(channel.id)] = body
            return str(channel.id)
    raise SandboxError(f"Option {name!r} takes a channel, not {value!r}.")


def _role(world: World, place: Channel, name: str, value: Any, resolved: Json) -> str:
    guild = world.guild_of(place)
    ident = getattr(value, "id", None) or str(value).strip("<@&>")
    for rank, role in enumerate(guild.roles.values() if guild else ()):
        if str(ident) in (str(role.id), role.name):
            resolved.setdefault("roles", {})[str(role.id)] = role_json(world, role, rank)
            return str(role.id)
    raise SandboxError(f"Option {name!r} takes a role, not {value!r}.")


def _file(world: World, channel: Channel, name: str, value: Any, resolved: Json) -> str:
    if not isinstance(value, Upload):
        raise SandboxError(f"Option {name!r} takes a file.")
    kept = messages.keep_files(world, [value], [])[0]
    world.loose_files[kept.id] = kept
    resolved.setdefault("attachments", {})[str(kept.id)] = attachment_json(world, channel.id, kept) | {
        "ephemeral": True
    }
    return str(kept.id)
