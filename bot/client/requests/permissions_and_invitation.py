"""Permissions: those the bot needs, in words, and the link that invites it with them."""

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
"""Permissions by discord.py's names, and by those of Discord's settings."""


TABLE: Final = tuple(PERMISSION_NAMES)[:7]
"""The permissions that a game needs in its channel."""


INVITED: Final = (*TABLE, "pin_messages")
"""The permissions that the invitation gives the bot."""


_POSTING: Final = ("embed_links", "attach_files")
_IMPLIED: Final = (
    ("view_channel", TABLE[1:] + tuple(PERMISSION_NAMES)[7:]),
    ("send_messages", _POSTING),
    ("send_messages_in_threads", _POSTING),
)
"""The permissions that Discord takes away together with a missing one."""


def lacking(permissions: discord.Permissions, wanted: Iterable[str] = TABLE) -> list[str]:
    """Missing permissions, by the names in Discord's settings."""
    absent = {name: PERMISSION_NAMES[name] for name in wanted if not getattr(permissions, name)}
    # Without the first of these, Discord takes the others away, too.
    for name, implied in _IMPLIED:
        if name in absent:
            absent = {other: label for other, label in absent.items() if other not in implied}
    return list(absent.values())


SCOPES = ("bot", "applications.commands")
"""Scopes of a member with commands."""


def invite_link(application: int) -> str:
    """The invitation link of an application."""
    permissions = discord.Permissions(**dict.fromkeys(INVITED, True))
    return discord.utils.oauth_url(application, permissions=permissions, scopes=SCOPES)
