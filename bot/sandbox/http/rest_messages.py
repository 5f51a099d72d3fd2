"""Routes of messages: those of channels with their pins, those made by interactions, and their files."""

from __future__ import annotations

from aiohttp import web

from bot.sandbox.guild import bot_permissions, interactions, messages, permissions, seed, threads
from bot.sandbox.guild.wire import channel_json, message_json
from bot.sandbox.guild.world import Change, World
from bot.sandbox.http.requests import answer, ident, nothing, read_body
from bot.sandbox.message_limits import HISTORY
from bot.sandbox.model import Message, MessageKind, iso_now
from bot.sandbox.refusal import Json, Refusal, form_error, unknown

_BASE = "/api/v10/channels/{channel}"


class MessageRoutes:
    """Messages of a channel, as the bot posts, reads, edits, pins and removes them."""

    def __init__(self, world: World) -> None:
        self._world = world

    def table(self) -> list[web.RouteDef]:
        """All routes of this class; pins before the messages whose path they share."""
        return [
            web.get(_BASE + "/messages/pins", self.pins),
            web.put(_BASE + "/messages/pins/{message}", self.pin),
            web.delete(_BASE + "/messages/pins/{message}", self.unpin),
            web.get(_BASE + "/messages", self.history),
            web.post(_BASE + "/messages", self.create),
            web.get(_BASE + "/messages/{message}", self.fetch),
            web.patch(_BASE + "/messages/{message}", self.edit),
            web.delete(_BASE + "/messages/{message}", self.delete),
            web.post(_BASE + "/messages/{message}/threads", self.thread),
            web.post(_BASE + "/typing", self.typing),
        ]

    def _message(self, request: web.Request) -> Message:
        return self._world.message(ident(request, "channel"), ident(request, "message"))

    async def create(self, request: web.Request) -> web.Response:
        """Post as the bot."""
        channel = self._world.channel(ident(request, "channel"))
        payload, uploads = await read_body(request)
        bot_permissions.require_to_post(self._world, channel, payload, uploads)
        message = messages.post(self._world, channel, payload, uploads, messages.Origin(seed.BOT_ID))
        return answer(message_json(self._world, message))

    async def fetch(self, request: web.Request) -> web.Response:
        """One message."""
        channel = self._world.channel(ident(request, "channel"))
        bot_permissions.require(self._world, channel, permissions.READ_HISTORY)
        return answer(message_json(self._world, self._message(request)))

    async def history(self, request: web.Request) -> web.Response:
        """Messages of a channel, newest first, up to a limit (docs.discord.com, "Get Channel Messages")."""
        channel = self._world.channel(ident(request, "channel"))
        bot_permissions.require(self._world, channel)
        if not channel.is_dm and not bot_permissions.may(self._world, channel, permissions.READ_HISTORY):
            return answer([])  # docs.discord.com, "Get Channel Messages": without the right to, no messages
        query = request.query
        limit = int(query.get("limit", 50))
        if not 1 <= limit <= HISTORY:
            raise form_error("limit", f"int value should be between 1 and {HISTORY}.", "NUMBER_TYPE_MAX")
        found = self._world.history(channel.id)
        if "before" in query:
            chosen = [m for m in found if m.id < int(query["before"])][-limit:]
        elif "after" in query:
            chosen = [m for m in found if m.id > int(query["after"])][:limit]
        elif "around" in query:
            centre = int(query["around"])
            chosen = sorted(sorted(found, key=lambda m: abs(m.id - centre))[:limit], key=lambda m: m.id)
        else:
            chosen = found[-limit:]
        return answer([message_json(self._world, m) for m in reversed(chosen)])

    async def edit(self, request: web.Request) -> web.Response:
        """Edit a message of the bot."""
        message = self._message(request)
        bot_permissions.require(self._world, self._world.channel(message.channel_id))
        payload, uploads = await read_body(request)
        if message.author_id != seed.BOT_ID:
            # docs.discord.com, JSON error codes: 50005.
            raise Refusal(403, 50005, "Cannot edit a message authored by another user")
        threads.check_not_archived(self._world.channel(message.channel_id))
        files = [permissions.ATTACH_FILES] * bool(uploads)
        bot_permissions.require(self._world, self._world.channel(message.channel_id), *files)
        messages.edit(self._world, message, payload, uploads)
        return answer(message_json(self._world, message))

    async def delete(self, request: web.Request) -> web.Response:
        """Remove a message."""
        message = self._message(request)
        bot_permissions.require_to_delete(self._world, self._world.channel(message.channel_id), message)
        if message.kind == MessageKind.THREAD_STARTER:
            # docs.discord.com, JSON error codes: 50021.
            raise Refusal(403, 50021, "Cannot execute action on a system message")
        messages.delete(self._world, message)
        return nothing()

    async def pins(self, request: web.Request) -> web.Response:
        """Pinned messages, last pinned first (docs.discord.com, "Get Channel Pins")."""
        channel = self._world.channel(ident(request, "channel"))
        bot_permissions.require(self._world, channel)
        if not channel.is_dm and not bot_permissions.may(self._world, channel, permissions.READ_HISTORY):
            return answer({"items": [], "has_more": False})  # docs.discord.com, "Get Channel Pins"
        items = [
            {"pinned_at": iso_now(), "message": message_json(self._world, self._world.messages[i])}
            for i in channel.pins
        ]
        return answer({"items": items, "has_more": False})

    async def pin(self, request: web.Request) -> web.Response:
        """Pin a message."""
        message = self._message(request)
        bot_permissions.require(
            self._world, self._world.channel(message.channel_id), permissions.PIN_MESSAGES
        )
        threads.check_not_archived(self._world.channel(message.channel_id))
        messages.pin(self._world, message, seed.BOT_ID)
        return nothing()

    async def unpin(self, request: web.Request) -> web.Response:
        """Take a message off the pinned ones."""
        message = self._message(request)
        channel = self._world.channel(message.channel_id)
        bot_permissions.require(self._world, channel, permissions.PIN_MESSAGES)
        threads.check_not_archived(channel)
        messages.unpin(self._world, message)
        return nothing()

    async def thread(self, request: web.Request) -> web.Response:
        """Open a thread below a message."""
        message = self._message(request)
        bot_permissions.require(
            self._world, self._world.channel(message.channel_id), permissions.CREATE_THREADS
        )
        payload, _ = await read_body(request)
        thread = threads.open_from_message(
            self._world, message, threads.ThreadRequest.read(payload), seed.BOT_ID
        )
        body: Json = channel_json(self._world, thread)
        return answer(body, 201)

    async def typing(self, request: web.Request) -> web.Response:
        """Show that the bot is writing."""
        channel = self._world.channel(ident(request, "channel"))
        sending = permissions.SEND_IN_THREADS if channel.is_thread else permissions.SEND_MESSAGES
        bot_permissions.require(self._world, channel, sending)
        self._world.tell(Change("typing", channel=channel, user_id=seed.BOT_ID))
        return nothing()


_API = "/api/v10"
_PICTURES = ("image/png", "image/jpeg", "image/gif", "image/webp")


class InteractionRoutes:
    """What a bot says to an interaction; the secret is the token in the path."""

    def __init__(self, world: World) -> None:
        self._world = world

    def table(self) -> list[web.RouteDef]:
        """All routes of this class."""
        hook = _API + "/webhooks/{application}/{token}"
        return [
            web.post(_API + "/interactions/{interaction}/{token}/callback", self.callback),
            web.post(hook, self.follow_up),
            web.get(hook + "/messages/{message}", self.fetch),
            web.patch(hook + "/messages/{message}", self.edit),
            web.delete(hook + "/messages/{message}", self.delete),
        ]

    async def callback(self, request: web.Request) -> web.Response:
        """The first response."""
        payload, uploads = await read_body(request)
        token = request.match_info["token"]
        return answer(
            interactions.answer(self._world, ident(request, "interaction"), token, payload, uploads)
        )

    def _token(self, request: web.Request) -> str:
        if ident(request, "application") != seed.APPLICATION_ID:
            raise unknown("Webhook")
        return request.match_info["token"]

    async def follow_up(self, request: web.Request) -> web.Response:
        """A further message."""
        token = self._token(request)
        payload, uploads = await read_body(request)
        return answer(message_json(self._world, interactions.follow_up(self._world, token, payload, uploads)))

    async def fetch(self, request: web.Request) -> web.Response:
        """A message made by an interaction."""
        _, message = interactions.message_of(self._world, self._token(request), request.match_info["message"])
        return answer(message_json(self._world, message))

    async def edit(self, request: web.Request) -> web.Response:
        """Edit a message made by an interaction, ephemeral or not."""
        token, ref = self._token(request), request.match_info["message"]
        payload, uploads = await read_body(request)
        message = interactions.edit_message(self._world, token, ref, payload, uploads)
        return answer(message_json(self._world, message))

    async def delete(self, request: web.Request) -> web.Response:
        """Remove a message made by an interaction."""
        interactions.delete_message(self._world, self._token(request), request.match_info["message"])
        return nothing()


class FileRoutes:
    """The files of messages."""

    def __init__(self, world: World) -> None:
        self._world = world

    def table(self) -> list[web.RouteDef]:
        """All routes of this class."""
        return [web.get("/cdn/attachments/{channel}/{attachment}/{name}", self.fetch)]

    async def fetch(self, request: web.Request) -> web.Response:
        """The bytes of a file; anything but a picture is offered as a download only."""
        found = self._world.file(ident(request, "attachment"))
        if found is None:
            raise web.HTTPNotFound
        attachment, data = found
        picture = attachment.content_type in _PICTURES
        place = "inline" if picture else "attachment"
        headers = {
            "Content-Type": attachment.content_type if picture else "application/octet-stream",
            "X-Content-Type-Options": "nosniff",
            "Content-Disposition": f'{place}; filename="{attachment.filename}"',
        }
        return web.Response(body=data, headers=headers)
