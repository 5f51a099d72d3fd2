"""Mentions: the users whom a message notifies.

Its text counts together with its ``allowed_mentions``, and only for those who are there and may see the
channel.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass

from bot.sandbox.guild import permissions
from bot.sandbox.guild.world import World
from bot.sandbox.message_limits import MENTIONS
from bot.sandbox.model import Channel, Message, MessageFlag
from bot.sandbox.refusal import Json, form_error

_CODE = re.compile(r"```.*?```|``.*?``|`[^`\n]*`", re.DOTALL)
_USER = re.compile(r"<@!?(\d{15,20})>")
_ROLE = re.compile(r"<@&(\d{15,20})>")
_EVERYONE = re.compile(r"@(everyone|here)\b")
_PARSED = ("roles", "users", "everyone")


@dataclass(frozen=True, slots=True)
class Mentioned:
    """The effective mentions of a text: users and roles in order, and everyone."""

    users: tuple[int, ...]
    everyone: bool
    roles: tuple[int, ...] = ()


def read_mentions(
    content: str, allowed: Json | None, known: Collection[int], roles: Collection[int] = ()
) -> Mentioned:
    """Apply ``allowed_mentions`` to a text; ``known`` are the people there are, ``roles`` those that may be mentioned.

    Without the object everything in the text counts; with it only what it names (docs.discord.com, message resource,
    "Allowed Mentions Object"; docs/discord.md, messages). Mentions in embeds and in code never count.
    """
    spoken = _CODE.sub("", content)
    in_text, roles_in_text = _mentioned_ids(_USER, spoken, known), _mentioned_ids(_ROLE, spoken, roles)
    everyone = bool(_EVERYONE.search(spoken))
    if allowed is None:
        return Mentioned(in_text, everyone, roles_in_text)
    _check(allowed)
    parse = allowed.get("parse") or []
    users, named = _allowed_ids(allowed, "users", in_text), _allowed_ids(allowed, "roles", roles_in_text)
    return Mentioned(users, everyone and "everyone" in parse, named)


def _mentioned_ids(pattern: re.Pattern[str], text: str, known: Collection[int]) -> tuple[int, ...]:
    return tuple(dict.fromkeys(int(i) for i in pattern.findall(text) if int(i) in known))


def _check(allowed: Json) -> None:
    for number, entry in enumerate(allowed.get("parse") or []):
        if entry not in _PARSED:
            path = f"allowed_mentions.parse.{number}"
            raise form_error(path, f"Value must be one of {_PARSED}.", "BASE_TYPE_CHOICES")
    for kind in ("users", "roles"):
        named = allowed.get(kind) or []
        if named and kind in (allowed.get("parse") or []):
            # docs.discord.com, "Allowed Mentions Object": a parse entry and its id list exclude each other.
            sentence = f"parse:[{kind}] and {kind}: [ids...] are mutually exclusive."
            raise form_error("allowed_mentions", sentence)
        if len(named) > MENTIONS:
            raise form_error(f"allowed_mentions.{kind}", f"Must be {MENTIONS} or fewer in length.")


def _allowed_ids(allowed: Json, kind: str, in_text: tuple[int, ...]) -> tuple[int, ...]:
    if kind in (allowed.get("parse") or []):
        return in_text
    named = {int(ident) for ident in allowed.get(kind) or []}
    return tuple(ident for ident in in_text if ident in named)


def effective_mentions(
    world: World, channel: Channel, content: str, allowed: Json | None, author_id: int
) -> Mentioned:
    """The effective mentions of a text; everyone and roles only if its author may (docs, permissions)."""
    guild = world.guild_of(channel)
    if guild is None:
        return read_mentions(content, allowed, world.users)
    everybody = bool(world.permissions(author_id, channel) & permissions.MENTION_EVERYONE)
    roles = [role.id for role in guild.roles.values() if role.mentionable or everybody]
    mentions = read_mentions(content, allowed, world.users, roles)
    return Mentioned(mentions.users, mentions.everyone and everybody, mentions.roles)


def notified(world: World, channel: Channel, message: Message) -> list[int]:
    """Members notified of a message: mentioned, present, and able to see the channel."""
    if message.ephemeral or message.flags & MessageFlag.SILENT:
        return []
    guild = world.guild_of(channel)
    if guild is None:
        return [i for i in channel.people if i != message.author_id]
    people = list(message.mentions)
    people += [i for i in guild.members if set(message.mention_roles) & set(guild.roles_of(i))]
    if message.mention_everyone:
        people = [i for i in guild.members if not world.users[i].bot]
    return [i for i in dict.fromkeys(people) if i != message.author_id and may_be_pinged(world, channel, i)]


def may_be_pinged(world: World, channel: Channel, user_id: int) -> bool:
    """True if a mention reaches a user: a member who sees the channel, or its parent."""
    parent = world.channels.get(channel.parent_id or 0) if channel.is_thread else None
    return world.may_see(user_id, parent or channel)
