"""What the page asks for: JSON about the guild as one person sees it, acting as that person, and a socket of news."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from pathlib import Path

from aiohttp import web

from bot.sandbox.browser.acts import ACTS
from bot.sandbox.browser.page_views import channel_view, message_view, state_view
from bot.sandbox.guild.person import Person
from bot.sandbox.guild.world import Change, World
from bot.sandbox.http.requests import answer, read_body
from bot.sandbox.refusal import Json, Refusal, SandboxError

_PAGE = Path(__file__).parents[1] / "page"
_SCRIPTS = ("app", "feed", "forms", "menus", "messages", "palette", "seats", "text", "welcome")
_FILES = {"": "index.html", "style.css": "style.css"} | {f"{name}.js": f"{name}.js" for name in _SCRIPTS}
_KINDS = {".html": "text/html", ".js": "text/javascript", ".css": "text/css"}
_CSP = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self' {socket}; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
_AT_ONCE = 100
"""Messages that the page gets at a time, and how many before one that it looks for."""
Asked = Callable[[web.Request], Awaitable[web.StreamResponse]]


def _id(text: str | None) -> int:
    return int(text) if text and text.isdigit() else 0


class PageApi:
    """The page and its questions; only the page itself may ask (docs/discord.md, client)."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._sockets: set[web.WebSocketResponse] = set()

    def table(self) -> list[web.RouteDef]:
        """All routes of this class."""
        files = [web.get(f"/{name}", self.file) for name in _FILES]
        return [
            *files,
            web.get("/sandbox/state", self._guarded(self.state)),
            web.get("/sandbox/messages", self._guarded(self.messages)),
            web.get("/sandbox/pins", self._guarded(self.pins)),
            web.post("/sandbox/act/{act}", self._guarded(self.act)),
            web.get("/sandbox/events", self._guarded(self.events)),
        ]

    async def close_sockets(self) -> None:
        """Close the sockets of all open pages."""
        for socket in tuple(self._sockets):
            await socket.close(code=1001)

    async def file(self, request: web.Request) -> web.Response:
        """A file of the page, with a policy that lets no foreign or inline script run."""
        path = _PAGE / _FILES[request.path.removeprefix("/")]
        policy = _CSP.format(socket=self._world.base_url.replace("http://", "ws://"))
        return web.Response(
            body=path.read_bytes(),
            headers={
                "Content-Type": f"{_KINDS[path.suffix]}; charset=utf-8",
                "Content-Security-Policy": policy,
                "X-Content-Type-Options": "nosniff",
                "Referrer-Policy": "no-referrer",
                "Cache-Control": "no-cache",
            },
        )

    def _guarded(self, handler: Asked) -> Asked:
        async def guarded(request: web.Request) -> web.StreamResponse:
            try:
                self._check_origin(request)
                return await handler(request)
            except Refusal as refusal:
                return answer({"problem": refusal.message}, refusal.status)
            except SandboxError as error:
                return answer({"problem": str(error)}, 400)

        return guarded

    def _check_origin(self, request: web.Request) -> None:
        port = self._world.base_url.rpartition(":")[2]
        homes = {f"127.0.0.1:{port}", f"localhost:{port}"}
        if request.host not in homes:  # a foreign name that resolves to this machine
            raise Refusal(403, 0, "This page is served on the loopback address only.")
        origin = request.headers.get("Origin")
        needs_origin = request.method == "POST" or "Upgrade" in request.headers
        if (origin is None and needs_origin) or (
            origin is not None and origin.removeprefix("http://") not in homes
        ):
            raise Refusal(403, 0, "Only the sandbox's own page may ask.")

    def _person(self, request: web.Request) -> Person:
        user = self._world.user(_id(request.query.get("person")))
        if user.bot:
            raise SandboxError("You cannot act as the bot.")
        return Person(self._world, user)

    def _say(self, body: object) -> web.Response:
        # The page may be open under either name of this machine, so files get addresses relative to it.
        text = json.dumps(body).replace(f"{self._world.base_url}/cdn/", "/cdn/")
        return web.Response(body=text.encode(), headers={"Content-Type": "application/json"})

    async def state(self, request: web.Request) -> web.Response:
        """Everything but messages, as one person sees it."""
        return self._say(state_view(self._world, self._person(request)))

    async def messages(self, request: web.Request) -> web.Response:
        """The last messages of a channel: before the one named ``before``; from shortly before the one ``around``."""
        person, asked = self._person(request), request.query
        found = person.messages(person.channel(_id(asked.get("channel"))))
        if "before" in asked:
            found = [m for m in found if m.id < _id(asked["before"])]
        start = len(found) - _AT_ONCE
        if "around" in asked:
            start = min(start, sum(m.id < _id(asked["around"]) for m in found) - _AT_ONCE // 2)
        return self._say([message_view(self._world, m) for m in found[max(0, start) :]])

    async def pins(self, request: web.Request) -> web.Response:
        """The pinned messages of a channel, the latest pinned first."""
        channel = self._person(request).channel(_id(request.query.get("channel")))
        return self._say([message_view(self._world, self._world.messages[pin]) for pin in channel.pins])

    async def act(self, request: web.Request) -> web.Response:
        """Do something as a person."""
        act = ACTS.get(request.match_info["act"])
        if act is None or request.content_type != "application/json":
            raise SandboxError("The sandbox does not know that.")
        body, _ = await read_body(request)
        return self._say(await act(self._person(request), body))

    async def events(self, request: web.Request) -> web.WebSocketResponse:
        """News for one person, until the page goes away."""
        person = self._person(request)
        socket = web.WebSocketResponse(heartbeat=30.0)
        await socket.prepare(request)
        self._sockets.add(socket)
        news: asyncio.Queue[Json] = asyncio.Queue()
        stop = self._world.listen(lambda change: self._note(person, change, news))
        sender = asyncio.create_task(self._send(socket, news))
        try:
            async for _ in socket:
                pass  # the page only listens
        finally:
            stop()
            sender.cancel()
            self._sockets.discard(socket)
        return socket

    def _note(self, person: Person, change: Change, news: asyncio.Queue[Json]) -> None:
        message, channel = change.message, change.channel
        body: Json = {"kind": change.kind}
        if message is not None:
            seen = self._world.may_see(person.id, self._world.channels[message.channel_id])
            if seen and message.only_for in (None, person.id):
                body["message"] = message_view(self._world, message)
            elif not message.pinged:
                return  # somebody else's secret; pings still move that person's badge
        elif channel is not None:
            if not self._world.may_see(person.id, channel):
                return
            body["channel"] = channel_view(self._world, channel)
        elif change.kind not in ("seen", "commands", "bot", "shown"):
            return
        news.put_nowait(body)

    async def _send(self, socket: web.WebSocketResponse, news: asyncio.Queue[Json]) -> None:
        while not socket.closed:
            text = json.dumps(await news.get()).replace(f"{self._world.base_url}/cdn/", "/cdn/")
            await socket.send_str(text)
