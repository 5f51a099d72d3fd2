"""Discord's REST routes for messages: in channels, pinned, or by interaction token; and for their files."""

from __future__ import annotations

from aiohttp import web

from bot.sandbox.guild import bot_permissions, interactions, messages, permissions, seed, threads
from bot.sandbox.guild.wire import channel_json, message_json
from bot.sandbox.http.requests import RouteHandlers, json_response, no_content_response, path_id, read_body
from bot.sandbox.message_limits import MAX_HISTORY_MESSAGES
from bot.sandbox.model import Channel, Message, MessageKind
from bot.sandbox.refusal import Refusal, invalid_form_body, unknown_record

_API = "/api/v10"
_CHANNEL = _API + "/channels/{channel}"
_PICTURE_TYPES = ("image/png", "image/jpeg", "image/gif", "image/webp")


class MessageRoutes(RouteHandlers):
    """REST routes with which the bot posts, reads, edits, pins and deletes messages in channels."""

    def routes(self) -> list[web.RouteDef]:
        """The routes. Those for pins come first, because the pattern for messages would also match them."""
        return [
            web.put(_CHANNEL + "/messages/pins/{message}", self.pin),
            web.get(_CHANNEL + "/messages", self.history),
            web.post(_CHANNEL + "/messages", self.create),
            web.get(_CHANNEL + "/messages/{message}", self.fetch),
            web.patch(_CHANNEL + "/messages/{message}", self.edit),
            web.delete(_CHANNEL + "/messages/{message}", self.delete),
            web.post(_CHANNEL + "/messages/{message}/threads", self.open_thread),
        ]

    def _message(self, request: web.Request) -> Message:
        return self._world.message(path_id(request, "channel"), path_id(request, "message"))

    def _may_read_history(self, channel: Channel) -> bool:
        return channel.is_dm or bot_permissions.has_permission(self._world, channel, permissions.READ_HISTORY)

    async def create(self, request: web.Request) -> web.Response:
        channel = self._world.channel(path_id(request, "channel"))
        payload, uploads = await read_body(request)
        bot_permissions.require_to_post(self._world, channel, payload, uploads)
        message = messages.post(self._world, channel, payload, uploads, messages.MessageOrigin(seed.BOT_ID))
        return json_response(message_json(self._world, message))

    async def fetch(self, request: web.Request) -> web.Response:
        self._channel(request, permissions.READ_HISTORY)
        return json_response(message_json(self._world, self._message(request)))

    async def history(self, request: web.Request) -> web.Response:
        """Respond with messages of a channel, newest first (docs.discord.com, "Get Channel Messages")."""
        channel = self._channel(request)
        if not self._may_read_history(channel):
            return json_response([])  # docs.discord.com, "Get Channel Messages": empty without the permission
        query = request.query
        limit = int(query.get("limit", 50))
        if not 1 <= limit <= MAX_HISTORY_MESSAGES:
            raise invalid_form_body(
                "limit", f"int value should be between 1 and {MAX_HISTORY_MESSAGES}.", "NUMBER_TYPE_MAX"
            )
        messages = self._world.history(channel.id)
        if "before" in query:
            chosen_messages = [m for m in messages if m.id < int(query["before"])][-limit:]
        elif "after" in query:
            chosen_messages = [m for m in messages if m.id > int(query["after"])][:limit]
        elif "around" in query:
            centre_id = int(query["around"])
            chosen_messages = sorted(
                sorted(messages, key=lambda m: abs(m.id - centre_id))[:limit], key=lambda m: m.id
            )
        else:
            chosen_messages = messages[-limit:]
        return json_response([message_json(self._world, m) for m in reversed(chosen_messages)])

    async def edit(self, request: web.Request) -> web.Response:
        message, channel = self._message(request), self._channel(request)
        payload, uploads = await read_body(request)
        if message.author_id != seed.BOT_ID:
            # docs.discord.com, JSON error codes: 50005.
            raise Refusal(403, 50005, "Cannot edit a message authored by another user")
        threads.check_not_archived(channel)
        bot_permissions.require_permissions(self._world, channel, *[permissions.ATTACH_FILES] * bool(uploads))
        messages.edit(self._world, message, payload, uploads)
        return json_response(message_json(self._world, message))

    async def delete(self, request: web.Request) -> web.Response:
        message = self._message(request)
        bot_permissions.require_to_delete_message(
            self._world, self._world.channel(message.channel_id), message
        )
        if message.kind == MessageKind.THREAD_STARTER:
            # docs.discord.com, JSON error codes: 50021.
            raise Refusal(403, 50021, "Cannot execute action on a system message")
        messages.delete(self._world, message)
        return no_content_response()

    async def pin(self, request: web.Request) -> web.Response:
        message, channel = self._message(request), self._channel(request, permissions.PIN_MESSAGES)
        threads.check_not_archived(channel)
        messages.pin(self._world, message)
        return no_content_response()

    async def open_thread(self, request: web.Request) -> web.Response:
        """Open a thread on a message."""
        message, _ = self._message(request), self._channel(request, permissions.CREATE_THREADS)
        payload, _ = await read_body(request)
        thread_request = threads.ThreadRequest.from_payload(payload)
        thread = threads.open_from_message(self._world, message, thread_request, seed.BOT_ID)
        return json_response(channel_json(self._world, thread), 201)


class InteractionRoutes(RouteHandlers):
    """REST routes for responses to interactions. The token in the path serves instead of the bot's token."""

    def routes(self) -> list[web.RouteDef]:
        webhook_path = _API + "/webhooks/{application}/{token}"
        return [
            web.post(_API + "/interactions/{interaction}/{token}/callback", self.callback),
            web.post(webhook_path, self.follow_up),
            web.get(webhook_path + "/messages/{message}", self.fetch),
            web.patch(webhook_path + "/messages/{message}", self.edit),
            web.delete(webhook_path + "/messages/{message}", self.delete),
        ]

    async def callback(self, request: web.Request) -> web.Response:
        payload, uploads = await read_body(request)
        token = request.match_info["token"]
        return json_response(
            interactions.take_response(self._world, path_id(request, "interaction"), token, payload, uploads)
        )

    def _token(self, request: web.Request) -> str:
        if path_id(request, "application") != seed.APPLICATION_ID:
            raise unknown_record("Webhook")
        return request.match_info["token"]

    async def follow_up(self, request: web.Request) -> web.Response:
        token = self._token(request)
        payload, uploads = await read_body(request)
        return json_response(
            message_json(self._world, interactions.follow_up(self._world, token, payload, uploads))
        )

    async def fetch(self, request: web.Request) -> web.Response:
        _, message = interactions.message_by_token(
            self._world, self._token(request), request.match_info["message"]
        )
        return json_response(message_json(self._world, message))

    async def edit(self, request: web.Request) -> web.Response:
        token, message_ref = self._token(request), request.match_info["message"]
        payload, uploads = await read_body(request)
        message = interactions.edit_message(self._world, token, message_ref, payload, uploads)
        return json_response(message_json(self._world, message))

    async def delete(self, request: web.Request) -> web.Response:
        interactions.delete_message(self._world, self._token(request), request.match_info["message"])
        return no_content_response()


class FileRoutes(RouteHandlers):
    """Routes for the files of messages."""

    def routes(self) -> list[web.RouteDef]:
        return [web.get("/cdn/attachments/{channel}/{attachment}/{name}", self.fetch)]

    async def fetch(self, request: web.Request) -> web.Response:
        """Respond with a file's bytes. Browsers must download files other than pictures."""
        file = self._world.file(path_id(request, "attachment"))
        if file is None:
            raise web.HTTPNotFound
        attachment, data = file
        is_picture = attachment.content_type in _PICTURE_TYPES
        disposition = "inline" if is_picture else "attachment"
        headers = {
            "Content-Type": attachment.content_type if is_picture else "application/octet-stream",
            "X-Content-Type-Options": "nosniff",
            "Content-Disposition": f'{disposition}; filename="{attachment.filename}"',
        }
        return web.Response(body=data, headers=headers)
