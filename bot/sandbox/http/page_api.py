"""HTTP API of the sandbox's browser page: what a user sees, the user's actions, and a WebSocket for changes."""

from __future__ import annotations

import asyncio
import base64
import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from aiohttp import web

from bot.sandbox.guild import messages
from bot.sandbox.guild.person import InteractionResult, Person
from bot.sandbox.guild.world import Change, SampleGames, World
from bot.sandbox.http.page_views import channel_view, message_view, result_view, state_view
from bot.sandbox.http.requests import json_response, read_body
from bot.sandbox.model import Message, Upload
from bot.sandbox.refusal import Json, Refusal, SandboxError

_PAGE_DIRECTORY = Path(__file__).parents[1] / "page"
_SCRIPT_NAMES = ("app", "feed", "forms", "menus", "messages", "palette", "seats", "text", "welcome")
_PAGE_FILES = {"": "index.html", "style.css": "style.css"} | {
    f"{name}.js": f"{name}.js" for name in _SCRIPT_NAMES
}
_CONTENT_TYPES = {".html": "text/html", ".js": "text/javascript", ".css": "text/css"}
_SECURITY_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self' {socket}; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
_MAX_MESSAGES_PER_RESPONSE = 100
"""Maximum number of messages in one response."""
MAX_MOVES_PER_PRESS = 20
"""Maximum number of recorded moves that one press of a button makes."""
PageHandler = Callable[[web.Request], Awaitable[web.StreamResponse]]
PageAction = Callable[[Person, Json], Awaitable[Json]]


def _id_or_zero(text: str | None) -> int:
    return int(text) if text and text.isdigit() else 0


class PageApi:
    """Request handlers for the browser page. They accept requests only from the page itself."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._sockets: set[web.WebSocketResponse] = set()

    def routes(self) -> list[web.RouteDef]:
        return [
            *(web.get(f"/{name}", self.file) for name in _PAGE_FILES),
            web.get("/sandbox/state", self._with_error_responses(self.state)),
            web.get("/sandbox/messages", self._with_error_responses(self.messages)),
            web.get("/sandbox/pins", self._with_error_responses(self.pins)),
            web.post("/sandbox/act/{act}", self._with_error_responses(self.run_action)),
            web.get("/sandbox/events", self._with_error_responses(self.events)),
        ]

    async def close_sockets(self) -> None:
        """Close the WebSockets of all open pages."""
        for socket in tuple(self._sockets):
            await socket.close(code=1001)

    async def file(self, request: web.Request) -> web.Response:
        """Respond with a file of the page, and a security policy against inline and foreign scripts."""
        path = _PAGE_DIRECTORY / _PAGE_FILES[request.path.removeprefix("/")]
        policy = _SECURITY_POLICY.format(socket=self._world.base_url.replace("http://", "ws://"))
        return web.Response(
            body=path.read_bytes(),
            headers={
                "Content-Type": f"{_CONTENT_TYPES[path.suffix]}; charset=utf-8",
                "Content-Security-Policy": policy,
                "X-Content-Type-Options": "nosniff",
                "Referrer-Policy": "no-referrer",
                "Cache-Control": "no-cache",
            },
        )

    def _with_error_responses(self, handler: PageHandler) -> PageHandler:
        async def checked_handler(request: web.Request) -> web.StreamResponse:
            try:
                self._check_origin(request)
                return await handler(request)
            except Refusal as refusal:
                return json_response({"problem": refusal.message}, refusal.status)
            except SandboxError as error:
                return json_response({"problem": str(error)}, 400)

        return checked_handler

    def _check_origin(self, request: web.Request) -> None:
        port = self._world.base_url.rpartition(":")[2]
        own_hosts = {f"127.0.0.1:{port}", f"localhost:{port}"}
        if request.host not in own_hosts:  # another name that resolves to this machine
            raise Refusal(403, 0, "This page can be opened only on this machine, at its loopback address.")
        origin = request.headers.get("Origin")
        needs_origin = request.method == "POST" or "Upgrade" in request.headers
        if (origin is None and needs_origin) or (
            origin is not None and origin.removeprefix("http://") not in own_hosts
        ):
            raise Refusal(403, 0, "Only the sandbox's own page can send requests.")

    def _person(self, request: web.Request) -> Person:
        user = self._world.user(_id_or_zero(request.query.get("person")))
        if user.bot:
            raise SandboxError("You cannot act as the bot.")
        return Person(self._world, user)

    def _page_json(self, body: object) -> str:
        # The page may be open at 127.0.0.1 or localhost, so URLs of files are made relative.
        return json.dumps(body).replace(f"{self._world.base_url}/cdn/", "/cdn/")

    def _json_response(self, body: object) -> web.Response:
        return web.Response(body=self._page_json(body).encode(), headers={"Content-Type": "application/json"})

    async def state(self, request: web.Request) -> web.Response:
        """Respond with everything that a user sees except messages."""
        return self._json_response(state_view(self._world, self._person(request)))

    async def messages(self, request: web.Request) -> web.Response:
        """Respond with a channel's newest messages, or with the messages ``before`` or ``around`` a message id."""
        person, query = self._person(request), request.query
        messages = person.messages(person.channel(_id_or_zero(query.get("channel"))))
        if "before" in query:
            messages = [m for m in messages if m.id < _id_or_zero(query["before"])]
        first_index = len(messages) - _MAX_MESSAGES_PER_RESPONSE
        if "around" in query:
            first_index = min(
                first_index,
                sum(m.id < _id_or_zero(query["around"]) for m in messages) - _MAX_MESSAGES_PER_RESPONSE // 2,
            )
        return self._json_response([message_view(self._world, m) for m in messages[max(0, first_index) :]])

    async def pins(self, request: web.Request) -> web.Response:
        """Respond with a channel's pinned messages, last pinned first."""
        channel = self._person(request).channel(_id_or_zero(request.query.get("channel")))
        return self._json_response(
            [message_view(self._world, self._world.messages[message_id]) for message_id in channel.pins]
        )

    async def run_action(self, request: web.Request) -> web.Response:
        action = PAGE_ACTIONS.get(request.match_info["act"])
        if action is None or request.content_type != "application/json":
            raise SandboxError("The sandbox does not know this request.")
        body, _ = await read_body(request)
        return self._json_response(await action(self._person(request), body))

    async def events(self, request: web.Request) -> web.WebSocketResponse:
        """Send the changes that a user sees over a WebSocket."""
        person = self._person(request)
        socket = web.WebSocketResponse(heartbeat=30.0)
        await socket.prepare(request)
        self._sockets.add(socket)
        changes: asyncio.Queue[Json] = asyncio.Queue()
        stop_listening = self._world.listen(lambda change: self._queue_change(person, change, changes))
        send_task = asyncio.create_task(self._send(socket, changes))
        try:
            async for _ in socket:
                pass  # the page sends nothing
        finally:
            stop_listening()
            send_task.cancel()
            self._sockets.discard(socket)
        return socket

    def _queue_change(self, person: Person, change: Change, queue: asyncio.Queue[Json]) -> None:
        message, channel = change.message, change.channel
        body: Json = {"kind": change.kind}
        if message is not None:
            sees_channel = self._world.may_see(person.id, self._world.channels[message.channel_id])
            if sees_channel and message.only_for in (None, person.id):
                body["message"] = message_view(self._world, message)
            elif not message.pinged:
                return  # not visible to this user, and nobody is notified
        elif channel is not None:
            if not self._world.may_see(person.id, channel):
                return
            body["channel"] = channel_view(channel, person)
        elif change.kind not in ("seen", "commands", "bot", "shown"):
            return
        queue.put_nowait(body)

    async def _send(self, socket: web.WebSocketResponse, queue: asyncio.Queue[Json]) -> None:
        while not socket.closed:
            await socket.send_str(self._page_json(await queue.get()))


def _number_value(body: Json, key: str) -> int:
    typed_digits = str(body.get(key, ""))
    if not typed_digits.isdigit():
        raise SandboxError(f"{key} is missing.")
    return int(typed_digits)


def _text_value(body: Json, key: str) -> str:
    text = body.get(key)
    if not isinstance(text, str):
        raise SandboxError(f"{key} is missing.")
    return text


def _visible_message(person: Person, body: Json) -> Message:
    message = person.world.messages.get(_number_value(body, "message"))
    if message is None:
        raise SandboxError("That message is gone.")
    return message


def _read_upload(value: Json) -> Upload:
    try:
        return Upload(
            _text_value(value, "name"), base64.b64decode(_text_value(value, "base64"), validate=True)
        )
    except ValueError:
        raise SandboxError("The file arrived incomplete.") from None


def _read_values(body: Json) -> dict[str, Any]:
    given_values: Json = body.get("values") or {}
    return {
        name: _read_upload(value) if isinstance(value, dict) else value
        for name, value in given_values.items()
    }


async def slash(person: Person, body: Json) -> Json:
    return result_view(
        await person.slash(_number_value(body, "channel"), _text_value(body, "command"), **_read_values(body))
    )


async def complete(person: Person, body: Json) -> Json:
    choices = await person.autocomplete(
        _number_value(body, "channel"),
        _text_value(body, "command"),
        focused=_text_value(body, "focused"),
        **_read_values(body),
    )
    return {"choices": [{"name": name, "value": value} for name, value in choices]}


async def press(person: Person, body: Json) -> Json:
    return result_view(await person.press(_visible_message(person, body), _text_value(body, "custom_id")))


async def select(person: Person, body: Json) -> Json:
    values = [str(value) for value in body.get("values") or []]
    return result_view(
        await person.select(_visible_message(person, body), _text_value(body, "custom_id"), values)
    )


async def submit(person: Person, body: Json) -> Json:
    opener_id = _number_value(body, "opened_by")
    for interaction in person.world.interactions.values():
        modal = InteractionResult(person.world, interaction).modal
        if interaction.id == opener_id and interaction.user_id == person.id and modal is not None:
            return result_view(await person.submit(modal, **_read_values(body)))
    raise SandboxError("That form is gone.")


async def say(person: Person, body: Json) -> Json:
    person.say(_number_value(body, "channel"), _text_value(body, "text"))
    return {}


async def look(person: Person, body: Json) -> Json:
    """Record that the user looks at a channel: its messages count as seen."""
    person.world.mark_seen(person.id, _number_value(body, "channel"))
    return {}


async def dismiss(person: Person, body: Json) -> Json:
    """Delete an ephemeral message that the user dismisses."""
    message = _visible_message(person, body)
    if message.only_for != person.id:
        raise SandboxError("You can dismiss only your own private messages.")
    messages.delete(person.world, message)
    return {}


def _sample_games(person: Person) -> SampleGames:
    if person.world.sample_games is None:
        raise SandboxError("This sandbox has no sample games to open.")
    return person.world.sample_games


async def begin(person: Person, body: Json) -> Json:
    """Open a sample game; returns its channel's id."""
    return {"channel": str(await _sample_games(person).open_game(_text_value(body, "name")))}


async def step(person: Person, body: Json) -> Json:
    """Make the next recorded moves of the game in a channel."""
    await _sample_games(person).make_next_moves(
        _number_value(body, "channel"), min(_number_value(body, "moves"), MAX_MOVES_PER_PRESS)
    )
    return {}


async def tape(person: Person, body: Json) -> Json:
    """The progress of a channel's recorded game, and true if the game has a board page."""
    sample_games, channel = person.world.sample_games, person.channel(_number_value(body, "channel"))
    playback = None if sample_games is None else await sample_games.playback(channel.id)
    return {
        "tape": None if playback is None else {"made": playback.moves_made, "moves": playback.move_count},
        "board": sample_games is not None and sample_games.has_board(channel.id),
    }


async def board(person: Person, body: Json) -> Json:
    """The URL of the user's board page for a channel's game."""
    return {
        "url": await _sample_games(person).board_url(
            person.channel(_number_value(body, "channel")).id, person.id
        )
    }


PAGE_ACTIONS: dict[str, PageAction] = {
    act.__name__: act
    for act in (slash, complete, press, select, submit, say, look, dismiss, begin, step, tape, board)
}
"""Functions for the page's actions, by the last part of their URL."""
