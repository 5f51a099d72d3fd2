"""Posts of forums: a thread together with its first message, which has the thread's id."""

from __future__ import annotations

from collections.abc import Sequence

from bot.sandbox.guild import forums, messages, seed, threads
from bot.sandbox.guild.world import World
from bot.sandbox.model import Channel, ChannelKind, Message, Upload
from bot.sandbox.refusal import Json, Refusal, form_error


def open_post(
    world: World, forum: Channel, wish: threads.ThreadWish, payload: Json, uploads: Sequence[Upload]
) -> Message:
    """Open a post of the bot; its first message. Nothing is left of one whose message is refused."""
    if "message" not in payload:
        raise form_error("message", "This field is required", "BASE_TYPE_REQUIRED")
    tags = forums.check_tags(world, forum, payload.get("applied_tags") or [])
    thread = threads.opened(world, forum, wish, seed.BOT_ID, ChannelKind.PUBLIC_THREAD, tags=tags)
    origin = messages.Origin(seed.BOT_ID, ident=thread.id)
    try:
        return messages.post(world, thread, payload["message"] or {}, uploads, origin)
    except Refusal:
        threads.remove(world, thread)
        raise
