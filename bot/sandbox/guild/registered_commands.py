"""Registered commands: for all servers, and for single ones in addition."""

from __future__ import annotations

import time

from bot.sandbox.guild import seed
from bot.sandbox.guild.world import Change, World
from bot.sandbox.limits.command_limits import CREATIONS, DAY_SECONDS, check_commands
from bot.sandbox.refusal import Json, Refusal

EVERYWHERE = 0
"""The scope of commands for all servers; the others are ids of servers."""


def listed(world: World, guild_id: int | None) -> list[Json]:
    """All commands of a server: its own and the global ones, also of one name; in private the global ones."""
    if guild_id is not None and seed.BOT_ID not in world.guilds[guild_id].members:
        return []
    own = [] if guild_id is None else world.commands.get(guild_id, [])
    return own + world.commands.get(EVERYWHERE, [])


def sync(world: World, scope: int, commands: list[Json]) -> list[Json]:
    """Replace the commands of a scope: known names keep their ids, those that are not named are deleted."""
    check_commands(commands)
    known = {_key(command): command["id"] for command in world.commands.get(scope, [])}
    _count(world, scope, sum(_key(command) not in known for command in commands))
    fresh = [_registered(world, scope, command, known.get(_key(command))) for command in commands]
    world.commands[scope] = fresh
    world.store.put("commands", scope, {"list": fresh})
    world.tell(Change("commands"))
    return fresh


def _key(command: Json) -> tuple[str, int]:
    return command["name"], command.get("type", 1)


def _count(world: World, scope: int, created: int) -> None:
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
