"""Reads REST requests (JSON, or multipart with files) and writes responses as Discord's client expects them."""

from __future__ import annotations

import json
import re
from abc import ABC, abstractmethod
from contextlib import suppress
from dataclasses import dataclass, field

from aiohttp import BodyPartReader, web
from aiohttp.typedefs import Handler, Middleware

from bot.sandbox.guild import bot_permissions
from bot.sandbox.guild.seed import DUMMY_TOKEN
from bot.sandbox.guild.world import World
from bot.sandbox.http.rate_limits import RateLimits, rate_limit_line
from bot.sandbox.message_limits import MAX_FILE_BYTES
from bot.sandbox.model import Channel, Upload
from bot.sandbox.refusal import Json, Refusal, SandboxError

_FILE_PATTERN = re.compile(r"files\[(\d+)\]")


def json_response(body: object, status: int = 200, headers: dict[str, str] | None = None) -> web.Response:
    """A JSON response of type ``application/json`` without a charset (docs/discord.md, client)."""
    return web.Response(
        body=json.dumps(body).encode(),
        status=status,
        headers={"Content-Type": "application/json", **(headers or {})},
    )


def no_content_response() -> web.Response:
    return web.Response(status=204)


class RouteHandlers(ABC):
    """Base class of groups of request handlers."""

    def __init__(self, world: World) -> None:
        self._world = world

    @abstractmethod
    def routes(self) -> list[web.RouteDef]:
        """The routes of this group with their handlers."""

    def _channel(self, request: web.Request, *permission_bits: int) -> Channel:
        """The channel in the path. Raises Refusal unless the bot sees it and has the `permission_bits` permissions."""
        channel = self._world.channel(path_id(request, "channel"))
        bot_permissions.require_permissions(self._world, channel, *permission_bits)
        return channel


async def read_body(request: web.Request) -> tuple[Json, list[Upload]]:
    """The payload and files of a request; raises Refusal for invalid JSON (50109) or a file over 10 MiB (40005)."""
    if not request.content_type.startswith("multipart/"):
        raw_body = await request.read()
        return _json_object(raw_body or b"{}"), []
    payload: Json = {}
    files_by_index: dict[int, Upload] = {}
    async for part in await request.multipart():
        if not isinstance(part, BodyPartReader):
            continue
        if part.name == "payload_json":
            payload = _json_object(await part.read())
        elif name_match := _FILE_PATTERN.fullmatch(part.name or ""):
            files_by_index[int(name_match[1])] = Upload(part.filename or "file", await _read_bytes(part))
    return payload, [files_by_index[index] for index in sorted(files_by_index)]


async def _read_bytes(part: BodyPartReader) -> bytes:
    data = bytearray()
    has_too_large_file = False
    while chunk := await part.read_chunk(1 << 16):
        if len(data) <= MAX_FILE_BYTES:
            data += chunk
        else:
            has_too_large_file = (
                True  # reads on, since the client would get a broken pipe instead of the refusal
            )
    if has_too_large_file:
        # docs/discord.md, messages: 10 MiB per upload.
        raise Refusal(413, 40005, "Request entity too large")
    return bytes(data)


def _json_object(raw: bytes) -> Json:
    try:
        body = json.loads(raw)
    except ValueError:
        body = None
    if not isinstance(body, dict):
        # docs.discord.com, JSON error codes: 50109.
        raise Refusal(400, 50109, "The request body contains invalid JSON.")
    return body


def path_id(request: web.Request, name: str) -> int:
    """An id (snowflake) in the path; raises Refusal (50035) if it is not a number."""
    raw = request.match_info[name]
    if not raw.isdigit():
        raise Refusal(400, 50035, "Invalid Form Body")
    return int(raw)


@dataclass(slots=True)
class RestMiddleware:
    """Middleware that checks rate limits and the bot's token, and turns Refusal into a JSON response."""

    world: World
    rates: RateLimits = field(default_factory=RateLimits)
    requests: list[str] = field(default_factory=list)
    """Each REST request since the start, as "METHOD /path"."""

    def middleware(self) -> Middleware:
        """The middleware function for aiohttp."""

        @web.middleware
        async def guard(request: web.Request, handler: Handler) -> web.StreamResponse:
            if not request.path.startswith("/api/"):
                return await handler(request)
            self.requests.append(f"{request.method} {request.path}")
            return await self._serve(request, handler)

        return guard

    async def _serve(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        if not self.rates.is_enforced:
            return await self._answer_refusals(request, handler)
        if self.rates.is_banned:
            # Without a Via header, as from the proxy in front of Discord (docs/discord.md, rate limits).
            return web.Response(status=429, text="error code: 1015")
        request_line = rate_limit_line(f"{request.method} {request.path}", await _channel_change(request))
        error_body = self.rates.refuse_or_count(request_line)
        if error_body is not None:
            await request.read()
            response: web.StreamResponse = _wait_response(error_body, self.rates.headers(request_line))
        else:
            response = await self._answer_refusals(request, handler)
            response.headers.update(self.rates.headers(request_line))
        self.rates.count_status(response.status)
        return response

    async def _answer_refusals(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        try:
            self._check_token(request)
            return await handler(request)
        except Refusal as refusal:
            self.world.refusals.append(refusal)
            return json_response(refusal.body(), refusal.status)
        except web.HTTPNotFound:
            return json_response({"message": f"404: Not Found ({request.path})", "code": 0}, 404)
        except SandboxError as error:
            return json_response({"message": str(error), "code": 0}, 400)

    @staticmethod
    def _check_token(request: web.Request) -> None:
        tokenless_paths = ("/api/v10/webhooks/", "/api/v10/interactions/", "/api/v10/gateway")
        if request.path.startswith(tokenless_paths):
            return  # their paths contain a secret instead
        if request.headers.get("Authorization") != f"Bot {DUMMY_TOKEN}":
            # docs.discord.com, HTTP response codes: 401 for a missing or invalid Authorization header.
            raise Refusal(401, 0, "401: Unauthorized")


async def _channel_change(request: web.Request) -> Json:
    """The payload of a PATCH request, which affects its rate limit; empty for other requests."""
    if request.method == "PATCH" and request.content_type == "application/json":
        with suppress(Refusal):
            return _json_object(await request.read() or b"{}")
    return {}


def _wait_response(refusal: Json, headers: dict[str, str]) -> web.Response:
    scope = "global" if refusal["global"] else "user"
    wait_headers = {
        "Via": "1.1 sandbox",
        "Retry-After": f"{refusal['retry_after']:.3f}",
        "X-RateLimit-Scope": scope,
    }
    if refusal["global"]:
        wait_headers["X-RateLimit-Global"] = "true"
    return json_response(refusal, 429, {**headers, **wait_headers})
