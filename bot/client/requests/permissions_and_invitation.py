"""The Discord permissions that the bot needs, and the invitation link that asks for them."""

from collections.abc import Iterable
from typing import Final

import discord

PERMISSION_NAMES: Final = {
    "view_channel": "View Channel",
    "send_messages": "Send Messages",
    "create_public_threads": "Create Public Threads",
    "send_messages_in_threads": "Send Messages in Threads",
    "embed_links": "Embed Links",
    "attach_files": "Attach Files",
    "read_message_history": "Read Message History",
    "manage_threads": "Manage Threads",
    "pin_messages": "Pin Messages",
}
"""Names of permissions in Discord's settings, by their names in discord.py."""


GAME_PERMISSIONS: Final = tuple(PERMISSION_NAMES)[:7]
"""Permissions that the bot needs in a channel to run games there."""


INVITATION_PERMISSIONS: Final = (*GAME_PERMISSIONS, "pin_messages")
"""Permissions that the invitation link asks for."""


_POSTING_PERMISSIONS: Final = ("embed_links", "attach_files")
_DEPENDENT_PERMISSIONS: Final = (
    ("view_channel", GAME_PERMISSIONS[1:] + tuple(PERMISSION_NAMES)[7:]),
    ("send_messages", _POSTING_PERMISSIONS),
    ("send_messages_in_threads", _POSTING_PERMISSIONS),
)
"""Pairs of a permission and the permissions that have no effect without it."""


def missing_permissions(
    permissions: discord.Permissions, needed_names: Iterable[str] = GAME_PERMISSIONS
) -> list[str]:
    """Names of needed permissions that are missing, as Discord's settings show them."""
    label_by_missing_name = {
        name: PERMISSION_NAMES[name] for name in needed_names if not getattr(permissions, name)
    }
    # Without the first of these permissions, Discord denies the others, too.
    for name, dependent_names in _DEPENDENT_PERMISSIONS:
        if name in label_by_missing_name:
            label_by_missing_name = {
                missing_name: label
                for missing_name, label in label_by_missing_name.items()
                if missing_name not in dependent_names
            }
    return list(label_by_missing_name.values())


INVITATION_SCOPES = ("bot", "applications.commands")
"""OAuth scopes of an invitation: a bot with commands."""


def invite_link(application_id: int) -> str:
    """The link that invites the bot, from its application id."""
    permissions = discord.Permissions(**dict.fromkeys(INVITATION_PERMISSIONS, True))
    return discord.utils.oauth_url(application_id, permissions=permissions, scopes=INVITATION_SCOPES)
