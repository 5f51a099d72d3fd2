"""Threads and forum posts, and their tags: opening, changing and deleting them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bot.sandbox import message_limits
from bot.sandbox.guild import messages, permissions, seed
from bot.sandbox.guild.world import Change, World
from bot.sandbox.model import (
    REQUIRE_TAG_FLAG,
    THREAD_KINDS,
    Channel,
    ChannelKind,
    Message,
    MessageFlag,
    MessageKind,
    iso_time_now,
)
from bot.sandbox.refusal import Json, Refusal, invalid_form_body, list_too_long, too_long, unknown_record

_PARENT_KINDS = (ChannelKind.TEXT, ChannelKind.ANNOUNCEMENT)
"""Types of channels in which threads can be opened; forum posts are threads, too."""


@dataclass(frozen=True, slots=True)
class ThreadRequest:
    """A request for a new thread. ``archive_minutes`` is the time without messages after which it is archived."""

    name: str
    archive_minutes: int
    kind: int = ChannelKind.PUBLIC_THREAD
    invitable: bool = True

    @classmethod
    def from_payload(cls, payload: Json) -> ThreadRequest:
        """Parse the payload of a request; raises Refusal for invalid names and archive times."""
        thread_request = cls(
            str(payload.get("name") or "").strip(),
            payload.get("auto_archive_duration") or 4320,
            payload.get("type") or ChannelKind.PRIVATE_THREAD,
            payload.get("invitable") is not False,
        )
        message_limits.check_thread_name(thread_request.name)
        message_limits.check_archive_minutes(thread_request.archive_minutes)
        return thread_request


def open_from_message(
    world: World, message: Message, thread_request: ThreadRequest, owner_id: int
) -> Channel:
    """Open a thread on a message. The thread has the message's id (docs/discord.md, threads)."""
    if message.thread_id is not None or message.id in world.channels:
        # docs.discord.com, JSON error codes: 160004.
        raise Refusal(400, 160004, "A thread has already been created for this message")
    parent = world.channel(message.channel_id)
    _check_parent(parent)
    thread = open_thread(world, parent, thread_request, owner_id, _public_thread_kind(parent), message.id)
    message.thread_id = thread.id
    message.flags |= MessageFlag.HAS_THREAD
    world.publish(Change("message_update", message=message))
    starter_message = Message(world.new_id(), thread.id, owner_id, kind=MessageKind.THREAD_STARTER)
    starter_message.reference = {"channel_id": str(message.channel_id), "message_id": str(message.id)}
    messages.add_message_to_channel(world, thread, starter_message)
    return thread


def open_without_message(
    world: World, parent: Channel, thread_request: ThreadRequest, owner_id: int
) -> Channel:
    """Open a thread without a message. A system message in the channel announces it if it is public."""
    _check_parent(parent)
    if thread_request.kind not in THREAD_KINDS:
        raise invalid_form_body("type", "Value must be one of (10, 11, 12).", "BASE_TYPE_CHOICES")
    thread = open_thread(world, parent, thread_request, owner_id, ChannelKind(thread_request.kind))
    if thread_request.kind != ChannelKind.PRIVATE_THREAD:
        system_message = Message(
            world.new_id(), parent.id, owner_id, thread_request.name, MessageKind.THREAD_CREATED
        )
        system_message.reference = {"channel_id": str(thread.id)}
        system_message.thread_id = thread.id
        messages.add_message_to_channel(world, parent, system_message)
    return thread


def _check_parent(parent: Channel) -> None:
    if parent.kind not in _PARENT_KINDS:
        # docs.discord.com, JSON error codes: 50024, since threads, voice channels and direct messages have no threads.
        raise Refusal(400, 50024, "Cannot execute action on this channel type")


def _public_thread_kind(parent: Channel) -> ChannelKind:
    is_announcement = parent.kind == ChannelKind.ANNOUNCEMENT
    return ChannelKind.ANNOUNCEMENT_THREAD if is_announcement else ChannelKind.PUBLIC_THREAD


def open_thread(
    world: World,
    parent: Channel,
    thread_request: ThreadRequest,
    owner_id: int,
    kind: ChannelKind,
    object_id: int | None = None,
    tags: list[str] | None = None,
) -> Channel:
    """Create a thread. ``object_id`` is the id of the message on which it is opened, if any."""
    check_thread_count(world, parent)
    thread = Channel(
        object_id or world.new_id(), kind, thread_request.name, parent.guild_id, parent.id, owner_id
    )
    thread.people, thread.applied_tags = [owner_id], tags or []
    thread.archive_minutes, thread.invitable = thread_request.archive_minutes, thread_request.invitable
    thread.archive_changed = iso_time_now()
    world.channels[thread.id] = thread
    world.publish(Change("channel_create", channel=thread))
    return thread


def check_thread_count(world: World, channel: Channel) -> None:
    """Raise Refusal if a server already has as many active threads as Discord allows."""
    active_thread_count = sum(
        c.is_thread and not c.archived and c.guild_id == channel.guild_id for c in world.channels.values()
    )
    if active_thread_count >= message_limits.MAX_ACTIVE_THREADS:
        raise Refusal(400, 160006, "Maximum number of active threads reached")


def change_channel(world: World, channel: Channel, payload: Json) -> Channel:
    """Rename, archive, lock, tag or describe a channel or thread; raises Refusal.

    An archived thread can be changed only by a request that also reopens it.
    """
    if channel.is_dm:
        raise Refusal(400, 50024, "Cannot execute action on this channel type")
    if channel.is_thread and channel.archived and payload.get("archived") is not False:
        # docs.discord.com, JSON error codes: 50083, operation on an archived thread; #6928 for locking it.
        raise Refusal(400, 50083, "Thread is archived")
    _check_changed_fields(payload)
    check_tag_change(world, channel, payload)
    is_reopened = channel.archived and payload.get("archived") is False
    if is_reopened:
        check_thread_count(world, channel)
    old_name, channel.name = channel.name, str(payload.get("name") or channel.name).strip()
    channel.topic = payload.get("topic", channel.topic)
    channel.archive_minutes = payload.get("auto_archive_duration", channel.archive_minutes)
    if payload.get("archived", channel.archived) != channel.archived:
        channel.archive_changed = iso_time_now()
    channel.archived = payload.get("archived", channel.archived)
    channel.locked = payload.get("locked", channel.locked)
    channel.invitable = payload.get("invitable", channel.invitable)
    set_tags(world, channel, payload)
    world.publish(Change("channel_update", channel=channel))
    if channel.is_thread and channel.name != old_name and not channel.archived:
        _post_system_message(world, channel, MessageKind.THREAD_RENAMED, content=channel.name)
    return channel


def _post_system_message(
    world: World, thread: Channel, kind: MessageKind, *, content: str = "", member_id: int | None = None
) -> None:
    system_message = Message(world.new_id(), thread.id, seed.BOT_ID, content, kind)
    system_message.mentions = [] if member_id is None else [member_id]
    messages.add_message_to_channel(world, thread, system_message)


def _check_changed_fields(payload: Json) -> None:
    if "name" in payload:
        message_limits.check_thread_name(str(payload["name"] or "").strip())
    if "auto_archive_duration" in payload:
        message_limits.check_archive_minutes(payload["auto_archive_duration"])
    if "topic" in payload and len(payload["topic"] or "") > message_limits.MAX_TOPIC_CHARS:
        raise too_long("topic", message_limits.MAX_TOPIC_CHARS)


def check_not_archived(channel: Channel) -> None:
    """Raise Refusal (50083) if the channel is an archived thread."""
    if channel.is_thread and channel.archived:
        raise Refusal(400, 50083, "Thread is archived")


def _check_thread(channel: Channel) -> None:
    if not channel.is_thread:
        # docs.discord.com, JSON error codes: 50024.
        raise Refusal(400, 50024, "Cannot execute action on this channel type")
    check_not_archived(channel)


def add_person(world: World, thread: Channel, user_id: int) -> None:
    """Add a user to a thread. Raises Refusal if the user cannot see its channel or the thread is full."""
    _check_thread(thread)
    guild = world.guild_of(thread)
    if guild is None or user_id not in guild.members:
        raise unknown_record("Member")
    if user_id in thread.people:
        return
    parent = world.channel(thread.parent_id or 0)
    if not world.permissions(user_id, parent) & permissions.VIEW_CHANNEL:
        raise Refusal(403, 50001, "Missing Access")
    if len(thread.people) >= message_limits.MAX_THREAD_MEMBERS:
        # docs.discord.com, JSON error codes: 30033.
        sentence = (
            f"Maximum number of thread participants has been reached ({message_limits.MAX_THREAD_MEMBERS})"
        )
        raise Refusal(400, 30033, sentence)
    thread.people.append(user_id)
    world.publish(Change("thread_people", channel=thread, user_id=user_id))
    if user_id != seed.BOT_ID:
        _post_system_message(world, thread, MessageKind.MEMBER_ADDED, member_id=user_id)


def delete_channel(world: World, channel: Channel) -> None:
    """Delete a channel or thread, with its messages and threads."""
    for thread in [c for c in world.channels.values() if c.parent_id == channel.id and c.is_thread]:
        delete_channel(world, thread)
    for message in [m for m in world.messages.values() if m.channel_id == channel.id]:
        messages.delete_silently(world, message)
    del world.channels[channel.id]
    world.publish(Change("channel_delete", channel=channel))


def forum_of(world: World, channel: Channel) -> Channel | None:
    """The forum of a forum post; None for other channels."""
    parent = world.channels.get(channel.parent_id or 0)
    return parent if channel.is_thread and parent and parent.kind == ChannelKind.FORUM else None


def check_post_tags(world: World, forum: Channel, tags: Sequence[object]) -> list[str]:
    """The tag ids of a new forum post. Raises Refusal for missing, unknown, reserved or too many tags."""
    tag_ids = [str(tag) for tag in tags]
    if not tag_ids and forum.flags & REQUIRE_TAG_FLAG:
        # docs.discord.com, JSON error codes: 40067.
        raise Refusal(400, 40067, "A tag is required to create a forum post in this channel")
    if len(tag_ids) > message_limits.MAX_APPLIED_TAGS:
        raise list_too_long("applied_tags", message_limits.MAX_APPLIED_TAGS)
    tag_by_id = {str(tag["id"]): tag for tag in forum.tags}
    for tag in tag_ids:
        if tag not in tag_by_id:
            # docs.discord.com, JSON error codes: 10087 is an unknown tag.
            raise Refusal(404, 10087, "Unknown tag")
        may_manage_threads = world.permissions(seed.BOT_ID, forum) & permissions.MANAGE_THREADS
        if tag_by_id[tag].get("moderated") and not may_manage_threads:
            raise Refusal(403, 50013, "Missing Permissions")
    return tag_ids


def check_tag_change(world: World, channel: Channel, payload: Json) -> None:
    """Raise Refusal if the payload has tags that the forum or forum post cannot have."""
    if "applied_tags" in payload:
        forum = forum_of(world, channel)
        if forum is None:
            raise Refusal(400, 50024, "Cannot execute action on this channel type")
        check_post_tags(world, forum, payload["applied_tags"])
    if len(payload.get("available_tags") or []) > message_limits.MAX_FORUM_TAGS:
        raise list_too_long("available_tags", message_limits.MAX_FORUM_TAGS)


def set_tags(world: World, channel: Channel, payload: Json) -> None:
    """Set a forum post's tags, or the tags that a forum offers. New tags get ids."""
    if "applied_tags" in payload:
        channel.applied_tags = [str(tag) for tag in payload["applied_tags"]]
    if "available_tags" in payload and channel.kind == ChannelKind.FORUM:
        channel.tags = [stored_tag(world, tag) for tag in payload["available_tags"]]


def stored_tag(world: World, given_fields: Json) -> Json:
    """A forum's tag with all fields that Discord stores."""
    default_fields: Json = {"moderated": False, "emoji_id": None, "emoji_name": None}
    return {**default_fields, **given_fields, "id": str(given_fields.get("id") or world.new_id())}
