"""What goes over the wire is held against Discord's own description, and what is wrong there is named."""

import json
from pathlib import Path

import aiohttp
import pytest

from bot.sandbox.guild import wire
from bot.sandbox.server import LoopbackServer
from tests.support.discord_description import DESCRIPTION, JSON, Description, Route, description, ids_as_text
from tests.support.held_to_description import Held

pytestmark = pytest.mark.skipif(
    not DESCRIPTION.exists(), reason="Discord's description of its API is not beside the checkout"
)
MESSAGES = "/channels/123456/messages"


@pytest.fixture(autouse=True)
def as_described() -> None:
    """What is wrong here fails no test: it is looked at."""


@pytest.fixture
def known() -> Description:
    """The description."""
    found = description()
    assert found is not None
    return found


@pytest.fixture
def held(known: Description, monkeypatch: pytest.MonkeyPatch) -> Held:
    """Listens in place of what listens at every test."""
    listening = Held(known)
    listening.listen(monkeypatch)
    return listening


def posting(known: Description) -> Route:
    """The route by which a message is sent."""
    found = known.route("POST", MESSAGES)
    assert found is not None
    return found


def test_a_route_is_found_by_its_path(known: Description) -> None:
    """Words go before parameters, and a method that the path has not is no route."""
    assert known.route("GET", "/users/@me") == Route("GET", "/users/@me")
    assert known.route("GET", "/users/12345678") == Route("GET", "/users/{user_id}")
    assert known.route("PUT", "/users/12345678") is None
    assert known.route("GET", "/nowhere") is None


def test_what_is_wrong_in_a_body_is_named_with_route_place_and_reason(known: Description) -> None:
    [fault] = known.wrong_body(posting(known), {"content": "x", "embeds": [{"title": 3}]})
    assert (
        fault
        == 'POST /channels/{channel_id}/messages: body at embeds[0].title: 3 is not of types "null", "string"'
    )
    assert list(known.wrong_body(posting(known), {"content": "x"})) == []
    assert list(known.wrong_body(posting(known), None)) != []


def test_of_several_forms_of_a_body_the_nearest_is_reported(known: Description) -> None:
    route = known.route("POST", "/interactions/123456/token/callback")
    assert route is not None
    [fault] = known.wrong_body(route, {"type": 8, "data": {"choices": [{"name": "x" * 101, "value": "1"}]}})
    assert "data.choices[0].name" in fault
    assert "longer than 100" in fault


def test_what_is_wrong_in_a_query_is_named(known: Description) -> None:
    route = known.route("GET", MESSAGES)
    assert route is not None
    assert list(known.wrong_query(route, {"limit": "100", "before": "123456"})) == []
    [too_many] = known.wrong_query(route, {"limit": "101"})
    assert "query limit" in too_many
    [unknown] = known.wrong_query(route, {"sorted": "1"})
    assert "query sorted" in unknown


def test_what_is_wrong_in_an_answer_is_named_by_its_status(known: Description) -> None:
    route = posting(known)
    [fault] = known.wrong_answer(route, 400, json.dumps({"message": "No."}).encode())
    assert "answer 400" in fault
    assert '"code" is a required property' in fault
    [fault] = known.wrong_answer(route, 204, b"")
    assert "status 204" in fault
    assert list(known.wrong_answer(route, 503, b"<html>")) == []


def test_numbers_in_place_of_ids_are_allowed_where_discord_py_sends_them_and_nowhere_else(
    known: Description,
) -> None:
    body = {"attachments": [{"id": 0}], "allowed_mentions": {"users": [123456]}, "content": "x"}
    assert list(known.wrong_body(posting(known), body)) != []
    assert list(known.wrong_body(posting(known), ids_as_text(body))) == []
    assert list(known.wrong_body(posting(known), ids_as_text(body | {"sticker_ids": [123456]}))) != []


async def _sent(server: LoopbackServer, path: str, **request: object) -> int:
    """The status of the answer to a message that is sent."""
    headers = {"Authorization": f"Bot {server.token}"}
    async with aiohttp.ClientSession(headers=headers) as session:
        response = await session.post(f"{server.url}/api/v10{path}", **request)  # type: ignore[arg-type]
        await response.read()
        return response.status


def _channel(server: LoopbackServer) -> str:
    return f"/channels/{server.world.channel_named('table').id}/messages"


def _with_file(payload: object) -> aiohttp.FormData:
    form = aiohttp.FormData()
    form.add_field("payload_json", json.dumps(payload), content_type=JSON)
    form.add_field("files[0]", b"x", filename="x.txt")
    return form


async def test_a_wrong_body_is_caught_on_its_way_with_and_without_files(held: Held) -> None:
    wrong, right = {"content": "x", "tts": "loudly"}, {"content": "x"}
    async with LoopbackServer() as server:
        for sent in ({"json": right}, {"data": _with_file(right)}):
            await _sent(server, _channel(server), **sent)
        assert held.wrong == []
        for sent in ({"json": wrong}, {"data": _with_file(wrong)}):
            await _sent(server, _channel(server), **sent)
            assert [fault for fault in held.wrong if "body at tts" in fault] == held.wrong != []
            held.forget()


async def test_a_wrong_answer_is_caught(held: Held, monkeypatch: pytest.MonkeyPatch) -> None:
    plain = wire.user_json
    monkeypatch.setattr(wire, "user_json", lambda user: plain(user) | {"username": None})
    async with LoopbackServer() as server:
        await _sent(server, _channel(server), json={"content": "x"})
    assert any("answer 200 at author.username" in fault for fault in held.wrong)


async def test_a_route_that_the_description_lacks_is_named(
    held: Held, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Unless the server lacks it, too, and says so."""
    async with LoopbackServer() as server:
        await _sent(server, "/channels/123456/nonsense", json={})
        assert held.wrong == []
        monkeypatch.setattr(Description, "route", lambda *_: None)
        await _sent(server, _channel(server), json={"content": "x"})
    [fault] = held.wrong
    assert "the description has no such route" in fault


def test_without_the_description_nothing_is_held_against_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the checkout stands alone."""
    monkeypatch.setattr("tests.support.discord_description.DESCRIPTION", Path("nowhere"))
    assert description.__wrapped__() is None
