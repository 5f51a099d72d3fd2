"""The offers that a caretaker makes to people: posted once, answered, and never waited for too long."""

from datetime import timedelta

import pytest

from bot.table.orders.caretakers import OFFER_LIFETIME as WAITS
from bot.table.orders.caretakers import play_caretakers
from bot.table.votes.absent_seats import let_caretaker_play
from engine.caretaker import choose_move
from engine.core.actions import Action
from engine.core.ids import PlayerId
from engine.core.offers import OfferCursor
from engine.game import Game
from storage import format_timestamp, parse_timestamp
from tests.bot.orders.giving import MODERATOR
from tests.bot.support.positions import played_to, seated_at
from tests.bot.support.sandbox_bot import SandboxBot, Seated
from tests.bot.support.table_service import BOB, TableService

PRIVATE = "D&R"
"""Ann's; Bob's PLE may buy it."""


def asking(game: Game, player: PlayerId, seed: int, strength: str) -> Action:
    for offer in game.offers(player, "buy_private"):
        private = game.table.state.privates[PRIVATE]
        if private.owner == "p1" and offer.kind not in game.table.state.asked.get(player, []):
            return OfferCursor(offer).pick(PRIVATE).pick(20).action()
    return choose_move(game, player, seed, strength)


@pytest.fixture
def caretaker_asks(monkeypatch: pytest.MonkeyPatch) -> None:
    # Whether a caretaker likes to make an offer is a matter of its judgement.
    monkeypatch.setattr("engine.caretaker.choose_move", asking)


@pytest.fixture
async def asked(sandbox: SandboxBot, caretaker_asks: None) -> Seated:
    """A table at which a caretaker plays Bob's seat, and has just asked Ann for a private."""
    game = await seated_at(sandbox, played_to("buy_private"))
    await let_caretaker_play(sandbox.client.tables, game.number, MODERATOR, "p2")
    sandbox.client.caretakers.wake(game.number)
    await sandbox.learns(lambda: bool(offers(game)))
    await sandbox.settled()
    return game


def offers(game: Seated) -> list[str]:
    """The posts with an offer of Bob's."""
    return [message.content for message in game.messages if "an offer from **Bob**" in message.content]


async def owner(game: Seated) -> str | None:
    async with game.sandbox.client.tables.reading(game.number) as live:
        return live.game.table.state.privates[PRIVATE].owner


async def waits_for(game: Seated) -> tuple[PlayerId, ...]:
    async with game.sandbox.client.tables.reading(game.number) as live:
        return live.game.actors()


async def test_offer_is_posted_once_and_accepted(asked: Seated) -> None:
    assert len(offers(asked)) == 1
    assert offers(asked)[0].startswith(asked.sandbox.person("Ann").mention)
    assert {"Agree", "Refuse"} <= {button.label for button in asked.turn.buttons}
    for _ in range(3):
        await asked.sandbox.client.caretakers.wake_all()
        await asked.sandbox.settled()
    assert len(offers(asked)) == 1
    assert (asked.pings("Ann"), asked.pings("Cy")) == (1, 0)
    await asked.press("Ann", "Agree")
    assert await owner(asked) == "PLE"
    assert await waits_for(asked) != ("p2",)


async def test_refused_offer_is_not_repeated(asked: Seated) -> None:
    await asked.sandbox.restart()
    await asked.press("Ann", "Refuse")
    assert await owner(asked) == "p1"
    assert await waits_for(asked) != ("p2",)
    assert len(offers(asked)) == 1


async def test_pause_or_return_keeps_the_offer(asked: Seated) -> None:
    tables = asked.sandbox.client.tables
    begun = parse_timestamp(asked.sandbox.clock())
    await asked.slash("Ann", "mod pause")
    asked.sandbox.clock = lambda: format_timestamp(begun + 2 * WAITS)
    assert await play_caretakers(tables, asked.number)
    await asked.slash("Bob", "game back")
    await asked.slash("Ann", "game resume")
    assert not await play_caretakers(tables, asked.number)
    async with tables.reading(asked.number) as live:
        assert live.game.proposal is not None


async def test_withdrawn_offer_is_posted(asked: Seated) -> None:
    sandbox = asked.sandbox
    begun = parse_timestamp(sandbox.clock())
    sandbox.clock = lambda: format_timestamp(begun + WAITS)
    await sandbox.client.caretakers.wake_all()
    await sandbox.learns(lambda: any("withdraws" in str(message.embeds) for message in asked.messages))
    await sandbox.settled()
    assert (await owner(asked), len(offers(asked))) == ("p1", 1)


@pytest.mark.usefixtures("caretaker_asks")
@pytest.mark.parametrize(("waited", "stands"), [(WAITS - timedelta(milliseconds=1), True), (WAITS, False)])
async def test_offer_waits_for_half_a_day(service: TableService, waited: timedelta, *, stands: bool) -> None:
    """From its own move on, whatever happened before."""
    begun = parse_timestamp(service.tables.clock())
    service.tables.clock = lambda: format_timestamp(begun)
    game = await service.at(played_to("buy_private"))
    now = begun + timedelta(days=1)
    service.tables.clock = lambda: format_timestamp(now)
    await let_caretaker_play(service.tables, game, MODERATOR, "p2")
    assert await play_caretakers(service.tables, game)
    now, woken = now + waited, service.woken()
    assert await play_caretakers(service.tables, game) == stands
    async with service.tables.reading(game) as live:
        assert (live.game.proposal is not None) == stands
    assert (woken == []) == stands


async def test_person_offers_without_a_limit(service: TableService) -> None:
    game = await service.at(played_to("buy_private"))
    await service.do(game, BOB, "buy_private", private=PRIVATE, price=20)
    late = format_timestamp(parse_timestamp(service.tables.clock()) + 2 * WAITS)
    service.tables.clock = lambda: late
    assert not await play_caretakers(service.tables, game)
    async with service.tables.reading(game) as live:
        assert live.game.proposal is not None
