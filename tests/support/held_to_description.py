"""Listens at the loopback server: what comes in and goes out is held against Discord's own description."""

import json
import re
from collections.abc import Awaitable, Callable, Iterator
from contextvars import ContextVar
from typing import Any

import pytest
from aiohttp import web
from aiohttp.typedefs import Handler

from bot.sandbox.http import requests
from bot.sandbox.http.requests import RestMiddleware
from tests.support.discord_description import Description, Json, ids_as_text

BASE = "/api/v10"
MULTIPART = "multipart/"
PROXY = "1.1 proxy"
Serve = Callable[[RestMiddleware, web.Request, Handler], Awaitable[web.StreamResponse]]


class Held:
    """Complaints so far, each once: the first of many items in a list."""

    def __init__(self, known: Description, *, refused_may_be_wrong: bool = False) -> None:
        self._known = known
        self._refused_may_be_wrong = refused_may_be_wrong
        self._wrong: dict[str, str] = {}
        self._form: ContextVar[Json | None] = ContextVar("form", default=None)
        """The payload of a request with files, as the server has read it."""

    @property
    def wrong(self) -> list[str]:
        return list(self._wrong.values())

    def forget(self) -> None:
        self._wrong.clear()

    def listen(self, patch: pytest.MonkeyPatch) -> None:
        """Stand around every request of the servers that are started from now on."""
        serve, read = RestMiddleware._answer_refusals, requests._json_object

        async def answered(
            keeper: RestMiddleware, request: web.Request, handler: Handler
        ) -> web.StreamResponse:
            return await self._around(serve, keeper, request, handler)

        def noted(raw: bytes) -> Json:
            body = read(raw)
            self._form.set(body)
            return body

        patch.setattr(RestMiddleware, "_answer_refusals", answered)
        patch.setattr(requests, "_json_object", noted)

    async def _around(
        self, serve: Serve, keeper: RestMiddleware, request: web.Request, handler: Handler
    ) -> web.StreamResponse:
        self._form.set(None)
        multipart = request.content_type.startswith(MULTIPART)
        raw = b"" if multipart else await request.read()
        response = await serve(keeper, request, handler)
        if request.transport is None or request.transport.is_closing():
            return response  # the connection was cut, by order of a test: nobody reads this
        sent: Any = self._form.get() if multipart else _json(raw)
        for complaint in self._complaints(request, sent, response):
            self._wrong.setdefault(re.sub(r"\[\d+\]", "[]", complaint), complaint)
        return response

    def _complaints(self, request: web.Request, sent: object, response: web.StreamResponse) -> Iterator[str]:
        path = request.path.removeprefix(BASE)
        route = self._known.route(request.method, path)
        if route is None:
            if response.status != 404:
                yield f"{request.method} {path}: the description has no such route"
            return
        if not (self._refused_may_be_wrong and 400 <= response.status < 500):
            yield from self._known.wrong_query(route, request.query)
            if not (request.content_type.startswith(MULTIPART) and sent is None):
                yield from self._known.wrong_body(route, ids_as_text(sent))
        if isinstance(response, web.Response) and not _is_of_a_proxy(response):
            body = response.body if isinstance(response.body, bytes) else b""
            yield from self._known.wrong_answer(route, response.status, body)


def _is_of_a_proxy(response: web.Response) -> bool:
    ban = response.content_type == "text/plain"
    return response.status == 429 and (ban or response.headers.get("Via") == PROXY)


def _json(raw: bytes) -> object:
    try:
        return json.loads(raw) if raw else None
    except ValueError:
        return raw.decode("utf-8", "replace")
