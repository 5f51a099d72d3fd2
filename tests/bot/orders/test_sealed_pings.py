"""At a table that seals, all who have not sealed are pinged, no matter whose turn it is, and nobody else."""

from datetime import UTC, datetime, timedelta

import pytest

from bot.table.orders import sealed_auction
from tests.bot.orders.test_sealed_on_discord import SEALED_BY, sealing, sent
from tests.bot.sandbox.guild import send_away
from tests.bot.support.sandbox_bot import TABLE, SandboxBot, Seated
from tests.bot.support.timed import Timed
from tests.bot.support.waiting import Clock, direct_messages

pytestmark = pytest.mark.usefixtures("absent_players")


async def test_who_has_not_sealed_is_reminded_and_nobody_else(patient: SandboxBot) -> None:
    """No matter whose turn it is: Ann, who has sealed, can only wait for Bob and Cy; Cy wants messages."""
    game = await sealing(patient)
    clock = Clock(patient, datetime.now(UTC))
    await patient.person("Cy").slash(TABLE, "pings", how="direct")
    await sent(game, "Ann", SEALED_BY["Ann"])
    await clock.on(seconds=30)
    await clock.restart(hours=12)
    assert [game.pings(name) for name in SEALED_BY] == [0, 1, 0]
    assert f"Pinged to seal: {patient.person('Bob').mention}." in game.turn.content
    assert sealed_auction.ASKS in direct_messages(patient, "Cy")[-1].content
    assert "you have not sealed" in (await game.slash("Cy", "mine")).text
    await sent(game, "Bob", SEALED_BY["Bob"].partition("\nCV")[0])
    await clock.on(hours=24)
    assert [game.pings(name) for name in SEALED_BY] == [0, 1, 0]
    assert "Reminder 2" in direct_messages(patient, "Cy")[-1].content
    await sent(game, "Cy", SEALED_BY["Cy"])
    await clock.on(seconds=30)
    assert game.turn.content.startswith(patient.person("Ann").mention), "it was, and is, her turn"
    assert [game.pings(name) for name in SEALED_BY] == [1, 1, 0]


@pytest.mark.parametrize("name", ["Ann", "Cy"])
async def test_the_message_that_asks_somebody_to_seal_is_gone_once_they_have(
    patient: SandboxBot, name: str
) -> None:
    """On turn or not."""
    clock, game = await reminded(patient, name)
    await sent(game, name, SEALED_BY[name])
    await clock.on(seconds=5)
    assert direct_messages(patient, name) == []
    [shown] = (await game.slash(name, "orders list")).ephemeral
    await game.press(name, "Withdraw 1", patient.world.messages[shown.id])
    await clock.on(hours=12)
    assert len(direct_messages(patient, name)) == 1


async def test_whoever_has_not_sealed_stays_pinged_when_another_bids_openly(patient: SandboxBot) -> None:
    clock, game = await reminded(patient, "Cy")
    (before,) = direct_messages(patient, "Cy")
    await game.press("Ann", "Pass")
    await clock.on(hours=1)
    assert [letter.id for letter in direct_messages(patient, "Cy")] == [before.id]


async def test_whoever_takes_a_seat_that_has_to_seal_is_pinged_and_the_one_before_is_not(
    patient: SandboxBot,
) -> None:
    clock, game = await reminded(patient, "Cy")
    await patient.person("Dee").slash(TABLE, "pings", how="direct")
    await game.slash("Cy", "game substitute", who=patient.person("Dee").id)
    await clock.on(seconds=30)
    assert (len(direct_messages(patient, "Cy")), len(direct_messages(patient, "Dee"))) == (0, 1)


async def test_once_bids_are_open_whoever_has_the_turn_is_pinged_and_nobody_is_asked_to_seal(
    patient: SandboxBot,
) -> None:
    clock, game = await reminded(patient, "Cy")
    await sent(game, "Ann", SEALED_BY["Ann"])
    await game.slash("Ann", "game agreement", player="Bob", how="together")
    question = next(m for m in reversed(game.messages) if any(b.label == "Agree" for b in m.buttons))
    before = game.pings("Ann")
    await game.press("Cy", "Agree", question)
    await clock.on(seconds=30)
    assert (direct_messages(patient, "Cy"), game.pings("Ann") - before) == ([], 1)
    assert not any(button.label == sealed_auction.BUTTON for button in game.turn.buttons)
    await game.slash("Bob", "game back")
    await clock.on(seconds=30)
    assert any(button.label == sealed_auction.BUTTON for button in game.turn.buttons)
    assert game.turn.content.startswith("**Ann**"), "who has sealed"
    assert len(direct_messages(patient, "Cy")) == 1, "who has not"


async def test_whoever_takes_over_a_seat_that_the_table_played_is_asked_to_seal_as_all_are(
    patient: SandboxBot,
) -> None:
    clock, game = await reminded(patient, "Cy")
    await patient.person("Dee").slash(TABLE, "pings", how="direct")
    for question, names in (
        ("game agreement", {"player": "Bob"}),
        ("game replace", {"player": "Bob", "newcomer": patient.person("Dee").id}),
    ):
        await game.slash("Ann", question, **names)
        asked = next(m for m in reversed(game.messages) if any(b.label == "Agree" for b in m.buttons))
        await game.press("Cy", "Agree", asked)
    await clock.on(seconds=30)
    assert direct_messages(patient, "Cy") == []
    await game.press("Dee", "Agree", asked)
    await clock.on(seconds=30)
    assert any(button.label == sealed_auction.BUTTON for button in game.turn.buttons)
    assert (len(direct_messages(patient, "Cy")), len(direct_messages(patient, "Dee"))) == (1, 1)


async def test_whoever_is_back_earlier_than_they_said_is_asked_to_seal_at_once(patient: SandboxBot) -> None:
    game = await sealing(patient)
    clock = Clock(patient, datetime.now(UTC))
    await game.slash("Bob", "away", until="10 days")
    await clock.on(hours=13)
    before = game.pings("Bob")
    await game.slash("Bob", "away", until="back")
    await clock.on(seconds=30)
    assert game.pings("Bob") == before + 1


async def test_a_player_leaving_the_server_before_they_have_sealed_is_announced(patient: SandboxBot) -> None:
    clock, game = await reminded(patient, "Cy")
    send_away(patient.world, patient.person("Bob").id)
    await clock.on(hours=24)
    assert sum("**Bob** has left this server" in line for line in game.lines) == 1


async def test_when_a_moderator_lets_the_table_seal_or_not_whoever_is_waited_for_then_is_pinged(
    patient: SandboxBot,
) -> None:
    clock, game = await reminded(patient, "Cy")
    await sent(game, "Ann", SEALED_BY["Ann"])
    before = game.pings("Ann")
    await game.slash("Ann", "mod settings", setting="sealed", value="off")
    await clock.on(seconds=30)
    assert (game.pings("Ann"), direct_messages(patient, "Cy")) == (before + 1, [])
    await game.slash("Ann", "mod settings", setting="sealed", value="on")
    await clock.on(seconds=30)
    assert (game.pings("Ann"), len(direct_messages(patient, "Cy"))) == (before + 1, 1)


async def test_once_all_seal_again_no_clock_runs(sandbox: SandboxBot) -> None:
    table = await Timed.opened(sandbox, game=await sealing(sandbox))
    game = table.game
    await game.slash("Ann", "game agreement", player="Bob")
    question = next(m for m in reversed(game.messages) if any(b.label == "Agree" for b in m.buttons))
    await game.press("Cy", "Agree", question)
    await table.look()
    await table.passes(timedelta(hours=14))
    await game.slash("Bob", "game back")
    await table.look()
    await table.passes(timedelta(hours=30))
    assert await table.bank("Ann") == timedelta(days=5) - timedelta(hours=2)


async def reminded(sandbox: SandboxBot, name: str) -> tuple[Clock, Seated]:
    """Somebody who wants direct messages has been asked by one to seal."""
    clock = Clock(sandbox)
    game = await sealing(sandbox)
    await sandbox.person(name).slash(TABLE, "pings", how="direct")
    await clock.on(seconds=30)
    await clock.on(hours=12)
    assert len(direct_messages(sandbox, name)) == 1
    return clock, game
