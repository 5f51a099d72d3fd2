"""Mentions: which users a message notifies.

This depends on the text and ``allowed_mentions``. Only members who can see the channel are notified.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass

from bot.sandbox.guild import permissions
from bot.sandbox.guild.world import World
from bot.sandbox.message_limits import MAX_MENTIONS
from bot.sandbox.model import Channel, Message, MessageFlag
from bot.sandbox.refusal import Json, invalid_form_body

_CODE_PATTERN = re.compile(r"```.*?```|``.*?``|`[^`\n]*`", re.DOTALL)
_USER_PATTERN = re.compile(r"<@!?(\d{15,20})>")
_ROLE_PATTERN = re.compile(r"<@&(\d{15,20})>")
_EVERYONE_PATTERN = re.compile(r"@(everyone|here)\b")
_MENTION_KINDS = ("roles", "users", "everyone")


@dataclass(frozen=True, slots=True)
class EffectiveMentions:
    """The mentions in a text that notify: users and roles in the order of the text, and everyone."""

    users: tuple[int, ...]
    has_everyone: bool
    roles: tuple[int, ...] = ()


def read_mentions(
    content: str, allowed_mentions: Json | None, known_ids: Collection[int], roles: Collection[int] = ()
) -> EffectiveMentions:
    """The mentions in a text that notify under ``allowed_mentions``.

    ``known_ids`` are all users; ``roles`` are those that may be mentioned. Without ``allowed_mentions``, all mentions
    in the text notify; with it, only those that it allows (docs.discord.com, message resource, "Allowed Mentions
    Object"; docs/discord.md, messages). Mentions in embeds and code never notify.
    """
    text_without_code = _CODE_PATTERN.sub("", content)
    user_ids, role_ids = (
        _mentioned_ids(_USER_PATTERN, text_without_code, known_ids),
        _mentioned_ids(_ROLE_PATTERN, text_without_code, roles),
    )
    mentions_everyone = bool(_EVERYONE_PATTERN.search(text_without_code))
    if allowed_mentions is None:
        return EffectiveMentions(user_ids, mentions_everyone, role_ids)
    _check_allowed_mentions(allowed_mentions)
    parse_kinds = allowed_mentions.get("parse") or []
    allowed_users, allowed_roles = (
        _allowed_ids(allowed_mentions, "users", user_ids),
        _allowed_ids(allowed_mentions, "roles", role_ids),
    )
    return EffectiveMentions(allowed_users, mentions_everyone and "everyone" in parse_kinds, allowed_roles)


def _mentioned_ids(pattern: re.Pattern[str], text: str, known_ids: Collection[int]) -> tuple[int, ...]:
    return tuple(dict.fromkeys(int(i) for i in pattern.findall(text) if int(i) in known_ids))


def _check_allowed_mentions(allowed_mentions: Json) -> None:
    for number, entry in enumerate(allowed_mentions.get("parse") or []):
        if entry not in _MENTION_KINDS:
            path = f"allowed_mentions.parse.{number}"
            raise invalid_form_body(path, f"Value must be one of {_MENTION_KINDS}.", "BASE_TYPE_CHOICES")
    for kind in ("users", "roles"):
        listed_ids = allowed_mentions.get(kind) or []
        if listed_ids and kind in (allowed_mentions.get("parse") or []):
            # docs.discord.com, "Allowed Mentions Object": a kind may be in `parse` or have a list of ids, not both.
            sentence = f"parse:[{kind}] and {kind}: [ids...] are mutually exclusive."
            raise invalid_form_body("allowed_mentions", sentence)
        if len(listed_ids) > MAX_MENTIONS:
            raise invalid_form_body(f"allowed_mentions.{kind}", f"Must be {MAX_MENTIONS} or fewer in length.")


def _allowed_ids(allowed_mentions: Json, kind: str, text_ids: tuple[int, ...]) -> tuple[int, ...]:
    if kind in (allowed_mentions.get("parse") or []):
        return text_ids
    listed_ids = {int(object_id) for object_id in allowed_mentions.get(kind) or []}
    return tuple(object_id for object_id in text_ids if object_id in listed_ids)


def effective_mentions(
    world: World, channel: Channel, content: str, allowed_mentions: Json | None, author_id: int
) -> EffectiveMentions:
    """The mentions in a text that notify. Roles and everyone do so only if the author may mention them."""
    guild = world.guild_of(channel)
    if guild is None:
        return read_mentions(content, allowed_mentions, world.users)
    may_ping_everyone = bool(world.permissions(author_id, channel) & permissions.MENTION_EVERYONE)
    roles = [role.id for role in guild.roles.values() if role.mentionable or may_ping_everyone]
    mentions = read_mentions(content, allowed_mentions, world.users, roles)
    return EffectiveMentions(mentions.users, mentions.has_everyone and may_ping_everyone, mentions.roles)


def notified_members(world: World, channel: Channel, message: Message) -> list[int]:
    """Ids of the members whom a message notifies: those who are mentioned and can see the channel."""
    if message.ephemeral or message.flags & MessageFlag.SILENT:
        return []
    guild = world.guild_of(channel)
    if guild is None:
        return [i for i in channel.people if i != message.author_id]
    mentioned_members = list(message.mentions)
    mentioned_members += [i for i in guild.members if set(message.mention_roles) & set(guild.roles_of(i))]
    if message.mention_everyone:
        mentioned_members = [i for i in guild.members if not world.users[i].bot]
    return [
        i
        for i in dict.fromkeys(mentioned_members)
        if i != message.author_id and may_be_pinged(world, channel, i)
    ]


def may_be_pinged(world: World, channel: Channel, user_id: int) -> bool:
    """True if a mention can notify a user: they can see the channel or, for a thread, its parent channel."""
    parent = world.channels.get(channel.parent_id or 0) if channel.is_thread else None
    return world.may_see(user_id, parent or channel)
