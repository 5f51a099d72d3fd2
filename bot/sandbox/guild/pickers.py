"""Options of role and channel select menus, which Discord fills with the server's roles and channels."""

from __future__ import annotations

from bot.sandbox.guild.world import World
from bot.sandbox.model import Channel, walk_components
from bot.sandbox.refusal import Json

ROLE_MENU, CHANNEL_MENU = 6, 8
"""Component types of role and channel select menus, by Discord's numbers."""


def picker_options(world: World, channel: Channel, menu: Json) -> list[Json]:
    """The options of a role or channel menu, in the same form as a text menu's options."""
    default_ids = {str(default_value["id"]) for default_value in menu.get("default_values") or []}
    return [
        {"label": name, "value": str(number), "default": str(number) in default_ids}
        for number, name in _picker_entries(world, channel, menu)
    ]


def add_picker_options(world: World, channel: Channel, components: list[Json]) -> list[Json]:
    """The message components, with options added to their role and channel menus."""
    return [
        {
            **row,
            "components": [
                {**child, "options": picker_options(world, channel, child)}
                if child.get("type") in (ROLE_MENU, CHANNEL_MENU)
                else child
                for child in row.get("components", [])
            ],
        }
        for row in components
    ]


def picker_with_id(components: list[Json], custom_id: str) -> Json | None:
    """The role or channel menu with this custom_id; None if there is none."""
    pickers = (c for c in walk_components(components) if c.get("type") in (ROLE_MENU, CHANNEL_MENU))
    return next((menu for menu in pickers if menu["custom_id"] == custom_id), None)


def _picker_entries(world: World, menu_channel: Channel, menu: Json) -> list[tuple[int, str]]:
    if menu["type"] == ROLE_MENU:
        guild = world.guilds[menu_channel.guild_id or 0]
        return [(role.id, role.name) for role in guild.roles.values()]
    kinds = menu.get("channel_types")
    return [
        (channel.id, channel.name)
        for channel in world.channels.values()
        if channel.guild_id == menu_channel.guild_id and (not kinds or channel.kind in kinds)
    ]
