"""Posting, editing and deleting messages. If an operation raises Refusal, it has changed nothing."""

from __future__ import annotations

import mimetypes
import re
import struct
from collections.abc import Sequence
from dataclasses import dataclass, replace

from bot.sandbox import message_limits
from bot.sandbox.component_limits import check_components
from bot.sandbox.guild import seed
from bot.sandbox.guild.mentions import EffectiveMentions, effective_mentions, notified_members
from bot.sandbox.guild.world import Change, Interaction, World
from bot.sandbox.message_limits import trimmed_embed
from bot.sandbox.model import (
    Attachment,
    Channel,
    Message,
    MessageFlag,
    MessageKind,
    Upload,
    embedded_file_names_in,
    iso_time_now,
)
from bot.sandbox.refusal import Json, Refusal, too_long, unknown_record

_CDN_PATTERN = re.compile(r"/cdn/attachments/\d+/(\d+)/")


@dataclass(frozen=True, slots=True)
class MessageOrigin:
    """Origin of a message: its author, and the interaction to which it responds, if any."""

    author_id: int
    interaction: Interaction | None = None
    kind: MessageKind = MessageKind.DEFAULT
    only_for: int | None = None
    object_id: int | None = None
    """The id for the new message; None to generate one."""


def post(
    world: World, channel: Channel, payload: Json, uploads: Sequence[Upload], origin: MessageOrigin
) -> Message:
    """Post a message; raises Refusal."""
    duplicate = _earlier_duplicate(world, channel, payload, origin)
    if duplicate is not None:
        return duplicate
    content = (payload.get("content") or "").strip()
    embeds = [trimmed_embed(embed) for embed in payload.get("embeds") or []]
    components, flags = payload.get("components") or [], payload.get("flags") or 0
    message_limits.check_content(content)
    check_components(components)
    message_limits.check_uploads(uploads)
    message_limits.check_embeds(embeds, {upload.filename for upload in uploads})
    message_limits.check_not_empty(content, embeds, components, uploads)
    check_not_closed(channel)
    if channel.parent_id is not None and channel.parent_id not in world.channels:
        raise unknown_record("Channel")
    mentions = effective_mentions(world, channel, content, payload.get("allowed_mentions"), origin.author_id)
    message = Message(
        origin.object_id or world.new_id(),
        channel.id,
        origin.author_id,
        content,
        origin.kind,
        flags & MessageFlag.SILENT,
    )
    message.embeds, message.components = embeds, components
    _set_mentions(message, mentions)
    message.only_for = origin.only_for
    message.nonce = str(payload["nonce"]) if payload.get("nonce") is not None else None
    if origin.interaction is not None:
        record_interaction(message, origin.interaction)
    if origin.only_for is not None:
        message.flags |= MessageFlag.EPHEMERAL
    message.pinged = notified_members(world, channel, message)
    message.attachments = store_uploads(world, uploads, payload.get("attachments") or [])
    return add_message_to_channel(world, channel, message)


def _earlier_duplicate(
    world: World, channel: Channel, payload: Json, origin: MessageOrigin
) -> Message | None:
    """The recent message with the same nonce, if ``enforce_nonce`` is set (docs.discord.com, "Create Message")."""
    nonce = payload.get("nonce")
    if nonce is None:
        return None
    if len(str(nonce)) > message_limits.MAX_NONCE_CHARS:
        raise too_long("nonce", message_limits.MAX_NONCE_CHARS)
    recent_messages = world.history(channel.id)[-50:] if payload.get("enforce_nonce") else []
    return next(
        (m for m in recent_messages if m.nonce == str(nonce) and m.author_id == origin.author_id), None
    )


def add_message_to_channel(world: World, channel: Channel, message: Message) -> Message:
    """Add a new message to its channel and publish the change."""
    world.messages[message.id] = message
    if not message.ephemeral:
        channel.last_message_id = message.id
        channel.message_count += 1
        if channel.is_thread:
            _add_pinged_members(world, channel, message)
            if channel.archived:  # docs/discord.md, threads: posting reopens it unless it is locked
                channel.archived, channel.archive_changed = False, iso_time_now()
                world.publish(Change("channel_update", channel=channel))
    world.publish(Change("message_create", message=message))
    return message


def edit(world: World, message: Message, payload: Json, uploads: Sequence[Upload]) -> Message:
    """Change those fields of a message that the payload contains. Notifies nobody (docs/discord.md, messages)."""
    content = (payload["content"] or "").strip() if "content" in payload else message.content
    embeds = [trimmed_embed(e) for e in payload["embeds"] or []] if "embeds" in payload else message.embeds
    components = (payload["components"] or []) if "components" in payload else message.components
    message_limits.check_content(content)
    check_components(components)
    embeds = [_restore_attachment_names(message, embed) for embed in embeds]
    kept_files = _files_to_keep(message, payload, embeds)
    message_limits.check_uploads(uploads, len(kept_files))
    message_limits.check_embeds(embeds, {a.filename for a in kept_files} | {u.filename for u in uploads})
    message_limits.check_not_empty(content, embeds, components, kept_files, uploads)
    channel = world.channel(message.channel_id)
    mentions = effective_mentions(world, channel, content, payload.get("allowed_mentions"), message.author_id)
    for removed_file in (a for a in message.attachments if a not in kept_files):
        world.store.drop_file(removed_file.id)
    if "content" in payload:
        _set_mentions(message, mentions)
    message.content, message.embeds, message.components = content, embeds, components
    message.attachments = kept_files + store_uploads(world, uploads, payload.get("attachments") or [])
    message.edited = iso_time_now()
    world.publish(Change("message_update", message=message))
    return message


def delete(world: World, message: Message) -> None:
    """Delete a message and its files."""
    for attachment in message.attachments:
        world.store.drop_file(attachment.id)
    del world.messages[message.id]
    world.update_counts(world.channels[message.channel_id])
    world.publish(Change("message_delete", message=message))


def delete_silently(world: World, message: Message) -> None:
    """Delete a message when its channel is deleted. No change is published."""
    for attachment in message.attachments:
        world.store.drop_file(attachment.id)
    del world.messages[message.id]
    world.store.put("message", message.id, None)


def pin(world: World, message: Message) -> None:
    """Pin a message and post the system message about the pin. Raises Refusal if the channel has too many pins."""
    channel = world.channels[message.channel_id]
    if message.pinned:
        return
    if len(channel.pins) >= message_limits.MAX_PINS:
        raise Refusal(
            400, 30003, f"Maximum number of pins reached for the channel ({message_limits.MAX_PINS})"
        )
    message.pinned = True
    channel.pins.insert(0, message.id)
    world.publish(Change("message_update", message=message))
    world.publish(Change("pins", channel=channel))
    pin_notice = Message(world.new_id(), channel.id, seed.BOT_ID, kind=MessageKind.MESSAGE_PINNED)
    pin_notice.reference = {"channel_id": str(channel.id), "message_id": str(message.id)}
    add_message_to_channel(world, channel, pin_notice)


def store_uploads(
    world: World, uploads: Sequence[Upload], attachment_entries: Sequence[Json]
) -> list[Attachment]:
    """Store uploaded files. A file's description is in the entry of ``attachments`` whose id is the file's index."""
    description_by_index = {str(entry.get("id")): entry.get("description") for entry in attachment_entries}
    stored_files = []
    for index, upload in enumerate(uploads):
        pixel_size = picture_size(upload.data)
        kind = mimetypes.guess_type(upload.filename)[0] or "application/octet-stream"
        name = re.sub(r"[^\w.\-]", "_", upload.filename)
        attachment = Attachment(
            world.new_id(),
            name,
            len(upload.data),
            kind,
            upload.description or description_by_index.get(str(index)),
        )
        if pixel_size is not None:
            attachment.width, attachment.height = pixel_size
        world.store.put_file(attachment.id, upload.data)
        stored_files.append(attachment)
    return stored_files


def picture_size(data: bytes) -> tuple[int, int] | None:
    """Width and height of a PNG in pixels; None for other data."""
    if data[:8] != b"\x89PNG\r\n\x1a\n" or len(data) < 24:
        return None
    width, height = struct.unpack(">II", data[16:24])
    return width, height


def check_not_closed(channel: Channel) -> None:
    """Raise Refusal (50083) if the channel is an archived and locked thread."""
    if channel.is_thread and channel.archived and channel.locked:
        raise Refusal(400, 50083, "Thread is archived")


def record_interaction(message: Message, interaction: Interaction) -> None:
    """Record in a message the interaction to which it responds."""
    message.interaction_id, message.interaction_kind = interaction.id, interaction.kind
    message.interaction_user_id, message.interaction_name = interaction.user_id, interaction.name
    message.interaction_message_id = interaction.message_id
    if interaction.opened_by is not None:
        message.interaction_opened_by = interaction.opened_by.id


def _set_mentions(message: Message, mentions: EffectiveMentions) -> None:
    message.mentions, message.mention_everyone = list(mentions.users), mentions.has_everyone
    message.mention_roles = list(mentions.roles)


def _add_pinged_members(world: World, thread: Channel, message: Message) -> None:
    for new_member_id in [i for i in message.pinged if i not in thread.people]:
        thread.people.append(new_member_id)
        world.publish(Change("thread_people", channel=thread, user_id=new_member_id))


def _restore_attachment_names(message: Message, embed: Json) -> Json:
    """The embed with attachment names instead of the URLs of the message's own files."""
    file_name_by_id = {a.id: a.filename for a in message.attachments}
    fixed_embed = dict(embed)
    for embed_part in ("image", "thumbnail"):
        picture = embed.get(embed_part) or {}
        url_match = _CDN_PATTERN.search(picture.get("url") or "")
        if url_match and int(url_match[1]) in file_name_by_id:
            fixed_embed[embed_part] = {"url": f"attachment://{file_name_by_id[int(url_match[1])]}"}
    return fixed_embed


def _files_to_keep(message: Message, payload: Json, embeds: Sequence[Json]) -> list[Attachment]:
    """The files that remain after an edit: those that the edit lists, and those that the embeds still show."""
    if "attachments" not in payload:
        return list(message.attachments)
    listed_attachment_ids = {str(entry.get("id")) for entry in payload["attachments"] or []}
    embedded_files = embedded_file_names_in(list(embeds))
    # New files are listed by their index; they replace old files of the same name.
    listed_file_names = {
        e.get("filename") for e in payload["attachments"] or [] if len(str(e.get("id"))) < 10
    }
    return [
        replace(a)
        for a in message.attachments
        if str(a.id) in listed_attachment_ids
        or (a.filename in embedded_files and a.filename not in listed_file_names)
    ]
