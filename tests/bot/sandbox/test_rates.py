"""Rate limits of the sandbox: kept where that is wanted, told in headers, and heeded by the real client."""

import asyncio

import pytest

from bot.sandbox import rates
from bot.sandbox.rates import Rates
from tests.bot.house import House

POST = "POST /api/v10/channels/7/messages"


def test_nothing_is_refused_unless_the_limits_are_kept() -> None:
    free = Rates()
    assert [free.too_soon(POST) for _ in range(100)] == [None] * 100
    assert free.headers(POST) == {}


def test_five_posts_in_five_seconds_for_each_channel() -> None:
    kept = Rates(kept=True)
    assert [kept.too_soon(POST) for _ in range(5)] == [None] * 5
    assert kept.headers(POST)["X-RateLimit-Remaining"] == "0"
    refusal = kept.too_soon(POST)
    assert refusal is not None
    assert 0 < refusal["retry_after"] <= 5
    assert refusal["global"] is False
    assert kept.too_soon(POST.replace("7", "8")) is None
    assert kept.too_soon("PATCH /api/v10/channels/7/messages/1") is None
    assert kept.refused == 1


def test_answers_to_interactions_count_for_their_token_alone() -> None:
    kept = Rates(kept=True)
    callback = "POST /api/v10/interactions/1/token/callback"
    assert [kept.too_soon(callback) for _ in range(100)] == [None] * 100
    edit = "PATCH /api/v10/webhooks/1/token/messages/@original"
    assert [kept.too_soon(edit) for _ in range(5)] == [None] * 5
    assert kept.too_soon(edit) is not None
    assert kept.too_soon(edit.replace("token", "other")) is None


def test_fifty_calls_a_second_in_all() -> None:
    kept = Rates(kept=True)
    lines = [f"POST /api/v10/channels/{number}/messages" for number in range(51)]
    refusals = [kept.too_soon(line) for line in lines]
    assert refusals[:50] == [None] * 50
    assert refusals[50] is not None
    assert refusals[50]["global"] is True


async def test_what_comes_too_soon_is_refused_and_the_client_heeds_the_headers(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    shorter = tuple(limit._replace(seconds=limit.seconds / 20) for limit in rates.LIMITS)
    monkeypatch.setattr(rates, "LIMITS", shorter)
    game = await house.game()
    house.server.rates.kept = True
    thread = house.client.get_partial_messageable(game.thread)
    for number in range(8):
        await thread.send(str(number))
    assert house.server.rates.refused == 0
    await asyncio.gather(*(thread.send(str(number)) for number in range(8, 20)))
    assert sorted(int(line) for line in game.lines if line.isdigit()) == list(range(20))
