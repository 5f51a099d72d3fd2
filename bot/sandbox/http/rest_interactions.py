"""Routes of interaction responses, of follow-ups, and of the files of messages."""

from __future__ import annotations

from aiohttp import web

from bot.sandbox.guild import interactions, seed
from bot.sandbox.guild.wire import message_json
from bot.sandbox.guild.world import World
from bot.sandbox.http.requests import answer, ident, nothing, read_body
from bot.sandbox.refusal import unknown

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
