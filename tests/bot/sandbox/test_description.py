"""What goes over the wire is held against Discord's own description, and what is wrong there is named."""

import json

import aiohttp
import pytest

from bot.sandbox.guild import seed
from bot.sandbox.refusal import Json
from bot.sandbox.server import LoopbackServer
from tests.support.discord_description import DESCRIPTION, JSON, Description, description
from tests.support.held_to_description import Held

pytestmark = pytest.mark.skipif(
    not DESCRIPTION.exists(), reason="Discord's description of its API is not beside the checkout"
)


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


async def _sent(server: LoopbackServer, body: Json, *, files: bool) -> None:
    """Send a message to the table's channel."""
    form = aiohttp.FormData()
    form.add_field("payload_json", json.dumps(body), content_type=JSON)
    form.add_field("files[0]", b"x", filename="x.txt")
    async with aiohttp.ClientSession(headers={"Authorization": f"Bot {server.token}"}) as session:
        url = f"{server.url}/api/v10/channels/{seed.TABLE_CHANNEL_ID}/messages"
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
