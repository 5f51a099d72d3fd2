"""What goes over the wire is held against Discord's own description, and what is wrong there is named."""

import json
from collections.abc import Iterable

import aiohttp
import pytest

from bot.sandbox.guild import seed
from bot.sandbox.refusal import Json
from bot.sandbox.server import LoopbackServer
from tests.support.discord_description import DESCRIPTION, JSON, Description, Route, description
from tests.support.held_to_description import Held

pytestmark = pytest.mark.skipif(
    not DESCRIPTION.exists(), reason="Discord's description of its API is not beside the checkout"
)
MESSAGES = "/channels/123456/messages"
CALLBACK = "/interactions/123456/token/callback"


@pytest.fixture(autouse=True)
def as_described() -> None:
    """What is wrong here fails no test: it is looked at."""


@pytest.fixture
def known() -> Description:
    found = description()
    assert found is not None
    return found


@pytest.fixture
def held(known: Description, monkeypatch: pytest.MonkeyPatch) -> Held:
    """Listens in place of what listens at every test."""
    listening = Held(known)
    listening.listen(monkeypatch)
    return listening


def route(known: Description, method: str, path: str) -> Route:
    found = known.route(method, path)
    assert found is not None
    return found


def names(faults: Iterable[str], *parts: str) -> bool:
    found = list(faults)
    return all(part in found[0] for part in parts) and len(found) == 1 if parts else found == []


CHOICES: Json = {"type": 8, "data": {"choices": [{"name": "x" * 101, "value": "1"}]}}
ANSWER = json.dumps({"message": "No."}).encode()


def test_faults_are_named(known: Description) -> None:
    """With route, place and reason; of several forms of a body the nearest is reported."""
    post, get = (route(known, method, MESSAGES) for method in ("POST", "GET"))
    where = "POST /channels/{channel_id}/messages: body at embeds[0].title: 3 is not of types"
    assert names(known.wrong_body(post, {"content": "x", "embeds": [{"title": 3}]}), where)
    assert names(known.wrong_body(post, {"content": "x"}))
    assert not names(known.wrong_body(post, None))
    faults = known.wrong_body(route(known, "POST", CALLBACK), CHOICES)
    assert names(faults, "data.choices[0].name", "longer than 100")
    assert names(known.wrong_query(get, {"limit": "100", "before": "123456"}))
    assert names(known.wrong_query(get, {"limit": "101"}), "query limit")
    assert names(known.wrong_query(get, {"sorted": "1"}), "query sorted")
    assert names(known.wrong_answer(post, 400, ANSWER), "answer 400", '"code" is a required property')
    assert names(known.wrong_answer(post, 204, b""), "status 204")
    assert names(known.wrong_answer(post, 503, b"<html>"))


async def _sent(server: LoopbackServer, body: Json, *, files: bool) -> None:
    """Send a message to the table's channel."""
    form = aiohttp.FormData()
    form.add_field("payload_json", json.dumps(body), content_type=JSON)
    form.add_field("files[0]", b"x", filename="x.txt")
    async with aiohttp.ClientSession(headers={"Authorization": f"Bot {server.token}"}) as session:
        url = f"{server.url}/api/v10/channels/{seed.TABLE_ID}/messages"
        sending = session.post(url, data=form) if files else session.post(url, json=body)
        async with sending as response:
            await response.read()


@pytest.mark.parametrize("files", [False, True])
async def test_wrong_body_is_caught(held: Held, files: bool) -> None:
    async with LoopbackServer() as server:
        await _sent(server, {"content": "x"}, files=files)
        assert held.wrong == []
        await _sent(server, {"content": "x", "tts": "loudly"}, files=files)
        assert [fault for fault in held.wrong if "body at tts" in fault] == held.wrong != []
