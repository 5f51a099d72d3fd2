"""Forums: their tags, and which of them a post has."""

from __future__ import annotations

from collections.abc import Sequence

from bot.sandbox.guild import permissions, seed
from bot.sandbox.guild.world import World
from bot.sandbox.limits import message_limits
from bot.sandbox.model import REQUIRE_TAG, Channel, ChannelKind
from bot.sandbox.refusal import Json, Refusal, form_error


def forum_of(world: World, channel: Channel) -> Channel | None:
    """The forum of a post; None where a channel is none."""
    parent = world.channels.get(channel.parent_id or 0)
    return parent if channel.is_thread and parent and parent.kind == ChannelKind.FORUM else None


def check_tags(world: World, forum: Channel, tags: Sequence[object]) -> list[str]:
    """The tags of a post as they are kept; refused where one is missing, unknown or reserved, or there are too many."""
    named = [str(tag) for tag in tags]
    if not named and forum.flags & REQUIRE_TAG:
        # docs.discord.com, JSON error codes: 40067.
        raise Refusal(400, 40067, "A tag is required to create a forum post in this channel")
    if len(named) > message_limits.APPLIED_TAGS:
        raise form_error(
            "applied_tags",
            f"Must be {message_limits.APPLIED_TAGS} or fewer in length.",
            "BASE_TYPE_BAD_LENGTH",
        )
    known = {str(tag["id"]): tag for tag in forum.tags}
    for tag in named:
        if tag not in known:
            # docs.discord.com, JSON error codes: 10087 is an unknown tag.
            raise Refusal(404, 10087, "Unknown tag")
        manages = world.permissions(seed.BOT_ID, forum) & permissions.MANAGE_THREADS
        if known[tag].get("moderated") and not manages:
            raise Refusal(403, 50013, "Missing Permissions")
    return named


def check_change(world: World, channel: Channel, payload: Json) -> None:
    """Refuse tags that a channel, or a post, cannot have."""
    if "applied_tags" in payload:
        forum = forum_of(world, channel)
        if forum is None:
            raise Refusal(400, 50024, "Cannot execute action on this channel type")
        check_tags(world, forum, payload["applied_tags"])
    if len(payload.get("available_tags") or []) > message_limits.FORUM_TAGS:
        raise form_error(
            "available_tags",
            f"Must be {message_limits.FORUM_TAGS} or fewer in length.",
            "BASE_TYPE_BAD_LENGTH",
        )


def retag(world: World, channel: Channel, payload: Json) -> None:
    """Give a post its tags, or a forum those that it offers; new ones get numbers."""
    if "applied_tags" in payload:
        channel.applied_tags = [str(tag) for tag in payload["applied_tags"]]
    if "available_tags" in payload and channel.kind == ChannelKind.FORUM:
        channel.tags = [tag_of(world, tag) for tag in payload["available_tags"]]


def tag_of(world: World, given: Json) -> Json:
    """A tag as the service keeps it."""
    blank: Json = {"moderated": False, "emoji_id": None, "emoji_name": None}
    return {**blank, **given, "id": str(given.get("id") or world.new_id())}
