"""Interactions: a user opens one, the bot responds in time, and may send more messages until the token expires."""

from __future__ import annotations

import time
from collections.abc import Sequence
from enum import IntEnum

from bot.sandbox import message_limits
from bot.sandbox.component_limits import check_modal
from bot.sandbox.guild import messages, seed
from bot.sandbox.guild.mentions import notified_members
from bot.sandbox.guild.wire import message_json
from bot.sandbox.guild.world import Change, Interaction, World
from bot.sandbox.model import Message, MessageFlag, MessageKind, Upload
from bot.sandbox.refusal import Json, Refusal, invalid_form_body, unknown_record


class InteractionKind(IntEnum):
    """Interaction types, by Discord's numbers."""

    COMMAND = 2
    COMPONENT = 3
    AUTOCOMPLETE = 4
    MODAL = 5


class ResponseKind(IntEnum):
    """Types of the first response to an interaction, by Discord's numbers."""

    MESSAGE = 4
    DEFER = 5
    DEFER_UPDATE = 6
    UPDATE = 7
    CHOICES = 8
    MODAL = 9


_ALLOWED_RESPONSES = {
    InteractionKind.COMMAND: {ResponseKind.MESSAGE, ResponseKind.DEFER, ResponseKind.MODAL},
    InteractionKind.COMPONENT: {
        ResponseKind.MESSAGE,
        ResponseKind.DEFER,
        ResponseKind.DEFER_UPDATE,
        ResponseKind.UPDATE,
        ResponseKind.MODAL,
    },
    InteractionKind.AUTOCOMPLETE: {ResponseKind.CHOICES},
    InteractionKind.MODAL: {
        ResponseKind.MESSAGE,
        ResponseKind.DEFER,
        ResponseKind.DEFER_UPDATE,
        ResponseKind.UPDATE,
    },
}


def open_interaction(
    world: World,
    kind: InteractionKind,
    user_id: int,
    channel_id: int,
    data: Json,
    message: Message | None = None,
    opened_by: Interaction | None = None,
) -> Interaction:
    """Create an interaction and send it to the bot. Also removes interactions whose tokens have expired."""
    now = time.monotonic()
    expired_tokens = [
        t
        for t, i in world.interactions.items()
        if now - i.opened_at > message_limits.INTERACTION_TOKEN_SECONDS + 60
    ]
    for token in expired_tokens:
        del world.interactions[token]
    interaction = Interaction(world.new_id(), kind, user_id, channel_id, data, opened_by=opened_by)
    if message is not None:
        interaction.message_id, interaction.shown_message = message.id, message_json(world, message)
    world.interactions[interaction.token] = interaction
    world.publish(Change("interaction", interaction=interaction))
    return interaction


def take_response(
    world: World, interaction_id: int, token: str, body: Json, uploads: Sequence[Upload]
) -> Json:
    """Process the bot's first response. Returns the body for `with_response` (docs/discord.md, client)."""
    interaction = world.interactions.get(token)
    if interaction is None or interaction.id != interaction_id:
        raise unknown_record("Interaction")
    try:
        return _accept_response(world, interaction, body, uploads)
    except Refusal as refusal:
        interaction.refusals.append(refusal)
        world.publish(Change("answer_refused", interaction=interaction))
        raise


def _accept_response(world: World, interaction: Interaction, body: Json, uploads: Sequence[Upload]) -> Json:
    if interaction.response_kind is not None:
        # docs/discord.md, interactions: a second response is refused with 400 / 40060.
        raise Refusal(400, 40060, "Interaction has already been acknowledged.")
    if time.monotonic() - interaction.opened_at > world.answer_seconds:
        # docs/discord.md, interactions: a response after 3 s is refused with 404 / 10062.
        raise unknown_record("Interaction")
    kind, data = body.get("type"), body.get("data") or {}
    if kind not in _ALLOWED_RESPONSES[InteractionKind(interaction.kind)]:
        # docs.discord.com, "Interaction Callback Type": the response types allowed for each interaction.
        raise invalid_form_body(
            "type", f"Interaction callback type {kind} is not valid here.", "BASE_TYPE_CHOICES"
        )
    message = _respond(world, interaction, ResponseKind(kind), data, uploads)
    interaction.response_kind = kind
    world.publish(Change("answered", interaction=interaction))
    return _callback_json(world, interaction, message)


def _respond(
    world: World, interaction: Interaction, kind: ResponseKind, data: Json, uploads: Sequence[Upload]
) -> Message | None:
    if kind == ResponseKind.CHOICES:
        message_limits.check_choices(data.get("choices", []), interaction.focused_kind)
        interaction.choices = data.get("choices", [])
        return None
    if kind == ResponseKind.MODAL:
        check_modal(data)
        interaction.modal = data
        return None
    if kind == ResponseKind.MESSAGE:
        is_command = interaction.kind == InteractionKind.COMMAND
        message_kind = MessageKind.COMMAND if is_command else MessageKind.DEFAULT
        message = _post_response(world, interaction, data, uploads, message_kind)
    elif kind == ResponseKind.DEFER:
        message = _post_placeholder(world, interaction, data.get("flags") or 0)
    else:
        source_message = _source_message(world, interaction)
        if kind == ResponseKind.UPDATE:
            # discord-api-docs #6277: this route reportedly drops files that are not sent again.
            messages.edit(world, source_message, {"attachments": [], **data}, uploads)
        interaction.original_id = source_message.id
        return source_message
    interaction.original_id = message.id
    return message


def _source_message(world: World, interaction: Interaction) -> Message:
    message = world.messages.get(interaction.message_id or 0)
    if message is None:
        raise unknown_record("Message")
    return message


def _post_response(
    world: World, interaction: Interaction, data: Json, uploads: Sequence[Upload], kind: MessageKind
) -> Message:
    channel = world.channel(interaction.channel_id)
    is_ephemeral = (data.get("flags") or 0) & MessageFlag.EPHEMERAL
    recipient_id = interaction.user_id if is_ephemeral else None
    message_origin = messages.MessageOrigin(seed.BOT_ID, interaction, kind, recipient_id)
    message = messages.post(world, channel, data, uploads, message_origin)
    interaction.message_ids.append(message.id)
    return message


def _post_placeholder(world: World, interaction: Interaction, flags: int) -> Message:
    """Post the "thinking" placeholder of a deferred response, which may be ephemeral."""
    channel = world.channel(interaction.channel_id)
    message = Message(
        world.new_id(), channel.id, seed.BOT_ID, kind=MessageKind.COMMAND, flags=MessageFlag.LOADING
    )
    messages.record_interaction(message, interaction)
    if flags & MessageFlag.EPHEMERAL:
        message.only_for = interaction.user_id
        message.flags |= MessageFlag.EPHEMERAL
    interaction.message_ids.append(message.id)
    return messages.add_message_to_channel(world, channel, message)


def _callback_json(world: World, interaction: Interaction, message: Message | None) -> Json:
    body: Json = {"id": str(interaction.id), "type": interaction.kind}
    if message is None:
        return {"interaction": body}
    body["response_message_id"] = str(message.id)
    body["response_message_loading"] = message.loading
    body["response_message_ephemeral"] = message.ephemeral
    if interaction.response_kind not in (ResponseKind.MESSAGE, ResponseKind.UPDATE):
        # docs.discord.com, "Interaction Callback Resource": only these two types have a message.
        return {"interaction": body}
    resource = {"type": interaction.response_kind, "message": message_json(world, message)}
    return {"interaction": body, "resource": resource}


# -- requests with the interaction's token --


def interaction_by_token(world: World, token: str) -> Interaction:
    """The interaction with this token; raises Refusal (10015 if unknown, 50027 if the token has expired)."""
    interaction = world.interactions.get(token)
    if interaction is None or interaction.response_kind is None:
        raise unknown_record("Webhook")
    if time.monotonic() - interaction.opened_at > message_limits.INTERACTION_TOKEN_SECONDS:
        # docs/discord.md, interactions: the token lasts 15 minutes; code 50027: docs.discord.com, JSON error codes.
        raise Refusal(401, 50027, "Invalid Webhook Token")
    return interaction


def follow_up(world: World, token: str, payload: Json, uploads: Sequence[Upload]) -> Message:
    """Post a follow-up message. After a deferral, the first follow-up replaces the placeholder."""
    interaction = interaction_by_token(world, token)
    original_message = world.messages.get(interaction.original_id or 0)
    if (
        interaction.response_kind == ResponseKind.DEFER
        and original_message is not None
        and original_message.loading
    ):
        return edit_or_replace_placeholder(world, interaction, original_message, payload, uploads)
    message = _post_response(world, interaction, payload, uploads, MessageKind.DEFAULT)
    _count_token_use(world, interaction)
    return message


def edit_or_replace_placeholder(
    world: World, interaction: Interaction, message: Message, payload: Json, uploads: Sequence[Upload]
) -> Message:
    """Edit a message with an interaction's token.

    An edited placeholder becomes a normal message, and notifies users like a new one.
    """
    was_placeholder = message.loading
    if was_placeholder:
        other_parts = payload.get("embeds") or [], payload.get("components") or [], uploads
        message_limits.check_not_empty(payload.get("content") or "", *other_parts)
    message.flags &= ~MessageFlag.LOADING
    try:
        messages.edit(world, message, payload, uploads)
    except Refusal:
        message.flags |= MessageFlag.LOADING if was_placeholder else 0
        raise
    if was_placeholder and not message.ephemeral:
        message.pinged = notified_members(world, world.channel(message.channel_id), message)
        world.publish(Change("message_filled", message=message))
    _count_token_use(world, interaction)
    return message


def message_by_token(world: World, token: str, message_ref: str) -> tuple[Interaction, Message]:
    """The interaction with this token, and its message with this id or ``@original``. Raises Refusal."""
    interaction = interaction_by_token(world, token)
    message_id = interaction.original_id if message_ref == "@original" else int(message_ref)
    message = world.messages.get(message_id or 0)
    if message is None or (
        message_id != interaction.original_id and message_id not in interaction.message_ids
    ):
        raise unknown_record("Message")
    return interaction, message


def edit_message(
    world: World, token: str, message_ref: str, payload: Json, uploads: Sequence[Upload]
) -> Message:
    """Edit a message with an interaction's token. Raises Refusal."""
    interaction, message = message_by_token(world, token, message_ref)
    return edit_or_replace_placeholder(world, interaction, message, payload, uploads)


def delete_message(world: World, token: str, message_ref: str) -> None:
    """Delete a message with an interaction's token. Raises Refusal."""
    interaction, message = message_by_token(world, token, message_ref)
    messages.delete(world, message)
    _count_token_use(world, interaction)


def _count_token_use(world: World, interaction: Interaction) -> None:
    interaction.token_uses += 1
    world.publish(Change("touched", interaction=interaction))


def has_bot_answered(world: World, interaction: Interaction) -> bool:
    """True if the bot has responded and no longer shows "thinking"."""
    if interaction.response_kind is None:
        return False
    if interaction.response_kind == ResponseKind.DEFER:
        original_message = world.messages.get(interaction.original_id or 0)
        return original_message is None or not original_message.loading
    return interaction.response_kind != ResponseKind.DEFER_UPDATE or interaction.token_uses > 0
