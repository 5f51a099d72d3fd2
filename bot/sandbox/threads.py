"""Opening and changing threads."""

from __future__ import annotations

from dataclasses import dataclass

from bot.sandbox import limits, posting
from bot.sandbox.model import Channel, ChannelKind, Flag, Message, MessageKind, iso_now
from bot.sandbox.refusal import Json, Refusal, form_error, too_long
from bot.sandbox.world import Change, World


@dataclass(frozen=True, slots=True)
class ThreadWish:
    """What a new thread shall be; ``archive_minutes`` is the idle time after which it archives itself."""

    name: str
    archive_minutes: int
    kind: int = ChannelKind.PUBLIC_THREAD
    invitable: bool = True

    @classmethod
    def read(cls, payload: Json) -> ThreadWish:
        """The wish in a request; refused when the name or the archive time is not allowed."""
        wish = cls(
            str(payload.get("name") or ""),
            payload.get("auto_archive_duration") or 4320,
            payload.get("type") or ChannelKind.PRIVATE_THREAD,
            payload.get("invitable") is not False,
        )
        limits.check_thread_name(wish.name)
        limits.check_archive_minutes(wish.archive_minutes)
        return wish


def open_from_message(world: World, message: Message, wish: ThreadWish, owner_id: int) -> Channel:
    """Open a thread below a message; it takes the message's id (docs/discord.md, threads)."""
    if message.thread_id is not None:
        # docs.discord.com, JSON error codes: 160004.
        raise Refusal(400, 160004, "A thread has already been created for this message")
    _check_parent(world.channel(message.channel_id))
    thread = _open(world, message.id, message.channel_id, wish, owner_id, ChannelKind.PUBLIC_THREAD)
    message.thread_id = thread.id
    message.flags |= Flag.HAS_THREAD
    world.tell(Change("message_update", message=message))
    starter = Message(world.new_id(), thread.id, owner_id, kind=MessageKind.THREAD_STARTER)
    starter.reference = {"channel_id": str(message.channel_id), "message_id": str(message.id)}
    posting.enter(world, thread, starter)
    return thread


def open_alone(world: World, parent: Channel, wish: ThreadWish, owner_id: int) -> Channel:
    """Open a thread without a message; a public one is announced in its channel."""
    _check_parent(parent)
    if wish.kind not in (ChannelKind.PUBLIC_THREAD, ChannelKind.PRIVATE_THREAD):
        raise form_error("type", "Value must be one of (11, 12).", "BASE_TYPE_CHOICES")
    thread = _open(world, world.new_id(), parent.id, wish, owner_id, ChannelKind(wish.kind))
    if wish.kind == ChannelKind.PUBLIC_THREAD:
        note = Message(world.new_id(), parent.id, owner_id, wish.name, MessageKind.THREAD_CREATED)
        note.reference = {"channel_id": str(thread.id)}
        note.thread_id = thread.id
        posting.enter(world, parent, note)
    return thread


def _check_parent(parent: Channel) -> None:
    if parent.is_thread or parent.is_dm:
        # docs.discord.com, JSON error codes: 50024, no threads in threads or direct conversations.
        raise Refusal(400, 50024, "Cannot execute action on this channel type")


def _open(
    world: World, ident: int, parent_id: int, wish: ThreadWish, owner_id: int, kind: ChannelKind
) -> Channel:
    thread = Channel(ident, kind, wish.name, parent_id=parent_id, owner_id=owner_id, people=[owner_id])
    thread.archive_minutes, thread.invitable, thread.archive_changed = (
        wish.archive_minutes,
        wish.invitable,
        iso_now(),
    )
    world.channels[ident] = thread
    world.tell(Change("channel_create", channel=thread))
    return thread


def change(world: World, channel: Channel, payload: Json) -> Channel:
    """Rename, archive, lock or describe a channel; an archived thread must be re-opened first or with it."""
    if channel.is_dm:
        raise Refusal(400, 50024, "Cannot execute action on this channel type")
    if (
        channel.is_thread
        and channel.archived
        and payload.get("archived") is not False
        and set(payload) - {"locked", "archived"}
    ):
        # docs.discord.com, JSON error codes: 50083, operation on an archived thread.
        raise Refusal(400, 50083, "Thread is archived")
    if "name" in payload:
        limits.check_thread_name(str(payload["name"] or ""))
    if "auto_archive_duration" in payload:
        limits.check_archive_minutes(payload["auto_archive_duration"])
    if "topic" in payload and len(payload["topic"] or "") > limits.TOPIC:
        raise too_long("topic", limits.TOPIC)
    channel.name = payload.get("name", channel.name)
    channel.topic = payload.get("topic", channel.topic)
    channel.archive_minutes = payload.get("auto_archive_duration", channel.archive_minutes)
    if payload.get("archived", channel.archived) != channel.archived:
        channel.archive_changed = iso_now()
    channel.archived = payload.get("archived", channel.archived)
    channel.locked = payload.get("locked", channel.locked)
    channel.invitable = payload.get("invitable", channel.invitable)
    world.tell(Change("channel_update", channel=channel))
    return channel


def check_not_archived(channel: Channel) -> None:
    """Refuse to edit or add people in an archived thread (50083, docs.discord.com, JSON error codes)."""
    if channel.is_thread and channel.archived:
        raise Refusal(400, 50083, "Thread is archived")


def add_person(world: World, thread: Channel, user_id: int) -> None:
    """Add a person to a thread."""
    check_not_archived(thread)
    world.user(user_id)
    if user_id not in thread.people:
        thread.people.append(user_id)
        world.tell(Change("thread_people", channel=thread))


def remove_person(world: World, thread: Channel, user_id: int) -> None:
    """Take a person out of a thread."""
    check_not_archived(thread)
    if user_id in thread.people:
        thread.people.remove(user_id)
        world.tell(Change("thread_people", channel=thread))


def remove(world: World, channel: Channel) -> None:
    """Delete a channel or thread with all that is in it; a channel takes its threads along."""
    for thread in [c for c in world.channels.values() if c.parent_id == channel.id]:
        remove(world, thread)
    for message in world.history(channel.id):
        del world.messages[message.id]
    del world.channels[channel.id]
    world.tell(Change("channel_delete", channel=channel))
