"""The offers that a caretaker makes to people: posted once, answered, and never waited for too long."""

from datetime import timedelta

import pytest

from bot.table.imports import TablePlace, add_recorded
from bot.table.orders.caretakers import PATIENCE as WAITS
from bot.table.orders.caretakers import play_caretakers
from bot.table.votes.absent_seats import let_caretaker_play
from engine.caretaker import choose
from engine.core.actions import Action
from engine.core.ids import PlayerId
from engine.core.offers import Cursor
from engine.game import Game
from storage import format_timestamp, parse_timestamp
from tests.bot.support.positions import played_to, seated_at
from tests.bot.support.sandbox_bot import SandboxBot, Seated
from tests.bot.support.table_service import ANN, BOB, CHANNEL, CY, GUILD, TableService

MODERATOR = 99
PRIVATE = "D&R"
"""Ann's; Bob's PLE may buy it."""


def asking(game: Game, player: PlayerId, seed: int, strength: str) -> Action:
    """A caretaker that asks Ann for a private wherever it would ask for one."""
    for offer in game.offers(player, "buy_private"):
        private = game.table.state.privates[PRIVATE]
        if private.owner == "p1" and offer.kind not in game.table.state.asked.get(player, []):
            return Cursor(offer).pick(PRIVATE).pick(20).action()
    return choose(game, player, seed, strength)


@pytest.fixture
async def asked(sandbox: SandboxBot, monkeypatch: pytest.MonkeyPatch) -> Seated:
    """A table at which a caretaker plays Bob's seat, and has just asked Ann for a private."""
    monkeypatch.setattr("engine.caretaker.choose", asking)
    game = await seated_at(sandbox, played_to("buy_private"))
    await let_caretaker_play(sandbox.client.tables, game.number, MODERATOR, "p2")
    sandbox.client.caretakers.wake(game.number)
    await sandbox.learns(lambda: bool(offers(game)))
    await sandbox.settled()
    return game


def offers(game: Seated) -> list[str]:
    """The posts with an offer of Bob's."""
    return [message.content for message in game.messages if "an offer of **Bob**" in message.content]


async def owner(game: Seated) -> str | None:
    async with game.sandbox.client.tables.reading(game.number) as live:
        return live.game.table.state.privates[PRIVATE].owner


async def waits_for(game: Seated) -> tuple[PlayerId, ...]:
    async with game.sandbox.client.tables.reading(game.number) as live:
        return live.game.actors()


async def test_an_offer_is_posted_once_and_pings_only_who_is_asked(asked: Seated) -> None:
    assert len(offers(asked)) == 1
    assert offers(asked)[0].startswith(asked.sandbox.person("Ann").mention)
    assert {"Agree", "Refuse"} <= {button.label for button in asked.turn.buttons}
    assert (asked.pings("Ann"), asked.pings("Cy")) == (1, 0)
    for _ in range(3):
        await asked.sandbox.client.caretakers.look()
        await asked.sandbox.settled()
    assert len(offers(asked)) == 1
    assert asked.pings("Ann") == 1


async def test_who_is_asked_agrees_and_the_caretaker_plays_on(asked: Seated) -> None:
    await asked.press("Ann", "Agree")
    await asked.sandbox.settled()
    assert await owner(asked) == "PLE"
    assert await waits_for(asked) != ("p2",)


@pytest.mark.parametrize("restarts", [False, True])
async def test_once_refused_it_plays_on_and_does_not_ask_again(asked: Seated, *, restarts: bool) -> None:
    if restarts:
        await asked.sandbox.stop()
        await asked.sandbox.start()
    await asked.press("Ann", "Refuse")
    await asked.sandbox.settled()
    assert await owner(asked) == "p1"
    assert await waits_for(asked) != ("p2",)
    assert len(offers(asked)) == 1


async def test_an_offer_that_nobody_answers_is_withdrawn_after_half_a_day(asked: Seated) -> None:
    """Until then the table waits for Ann; afterwards the caretaker plays on without the private."""
    sandbox = asked.sandbox
    begun = parse_timestamp(sandbox.clock())
    async with sandbox.client.tables.reading(asked.number) as live:
        long_ago = format_timestamp(begun - WAITS)  # when the others moved says nothing about the offer
        live.counting[:] = [
            row if row.actor == "p2" else row._replace(created_at=long_ago) for row in live.counting
        ]
    for passed in (WAITS - timedelta(minutes=5), WAITS + timedelta(minutes=5)):
        assert await waits_for(asked) == ("p1",)
        sandbox.clock = lambda passed=passed: format_timestamp(begun + passed)  # type: ignore[misc]
        await sandbox.client.caretakers.look()
        await sandbox.settled()
    assert await owner(asked) == "p1"
    await sandbox.learns(lambda: any("withdraws" in str(message.embeds) for message in asked.messages))
    assert not await proposed(asked)
    assert len(offers(asked)) == 1


async def proposed(game: Seated) -> bool:
    async with game.sandbox.client.tables.reading(game.number) as live:
        return live.game.proposal is not None


async def test_during_a_pause_no_offer_is_withdrawn(asked: Seated) -> None:
    sandbox = asked.sandbox
    begun = parse_timestamp(sandbox.clock())
    await asked.slash("Ann", "mod pause")
    sandbox.clock = lambda: format_timestamp(begun + 2 * WAITS)
    await sandbox.client.caretakers.look()
    await sandbox.settled()
    assert await proposed(asked)


async def test_whose_offer_it_is_again_may_let_it_stand(asked: Seated) -> None:
    """Bob has come back: no caretaker withdraws it."""
    sandbox = asked.sandbox
    begun = parse_timestamp(sandbox.clock())
    await asked.slash("Bob", "game back")
    sandbox.clock = lambda: format_timestamp(begun + 2 * WAITS)
    assert not await play_caretakers(sandbox.client.tables, asked.number)
    assert await proposed(asked)


@pytest.mark.parametrize(("waited", "stands"), [(WAITS - timedelta(milliseconds=1), True), (WAITS, False)])
async def test_an_offer_waits_for_half_a_day_to_the_moment(
    service: TableService, monkeypatch: pytest.MonkeyPatch, waited: timedelta, stands: bool
) -> None:
    """Then the caretaker withdraws it, which is posted at once, and plays on."""
    monkeypatch.setattr("engine.caretaker.choose", asking)
    place = TablePlace(GUILD, CHANNEL, ((ANN, "Ann"), (BOB, "Bob"), (CY, "Cy")))
    game = await add_recorded(service.tables, played_to("buy_private"), place)
    now = service.tables.clock()
    service.tables.clock = lambda: now
    await let_caretaker_play(service.tables, game, MODERATOR, "p2")
    assert await play_caretakers(service.tables, game)
    now, woken = format_timestamp(parse_timestamp(now) + waited), service.woken()
    assert await play_caretakers(service.tables, game) == stands
    async with service.tables.reading(game) as live:
        assert (live.game.proposal is not None) == stands
    assert (woken == []) == stands


async def test_an_offer_of_a_person_waits_for_as_long_as_it_takes(
    service: TableService, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody withdraws it, and no caretaker has to look at it again."""
    place = TablePlace(GUILD, CHANNEL, ((ANN, "Ann"), (BOB, "Bob"), (CY, "Cy")))
    game = await add_recorded(service.tables, played_to("buy_private"), place)
    await service.do(game, BOB, "buy_private", private=PRIVATE, price=20)
    late = format_timestamp(parse_timestamp(service.tables.clock()) + 2 * WAITS)
    monkeypatch.setattr(service.tables, "clock", lambda: late)
    assert not await play_caretakers(service.tables, game)
    async with service.tables.reading(game) as live:
        assert live.game.proposal is not None
