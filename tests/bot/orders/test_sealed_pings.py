"""At a table that seals, all who have not sealed are pinged, no matter whose turn it is, and nobody else."""

from datetime import UTC, datetime, timedelta

import pytest

from bot.table.orders import sealed_auction
from tests.bot.orders.sealed_table import (
    SEALED_BY,
    all_sealed,
    asks_to_seal,
    proposal,
    sealing,
    sent,
    withdrawn,
)
from tests.bot.sandbox.guild import send_away
from tests.bot.support.sandbox_bot import TABLE, SandboxBot, Seated
from tests.bot.support.timed import Timed
from tests.bot.support.waiting import Clock, direct_messages

pytestmark = pytest.mark.usefixtures("absent_players")


async def reminded(sandbox: SandboxBot, name: str) -> tuple[Clock, Seated]:
    """Somebody who wants direct messages has been asked by one to seal."""
    clock = Clock(sandbox)
    game = await sealing(sandbox)
    await sandbox.person(name).slash(TABLE, "pings", how="direct")
    await clock.on(seconds=30)
    await clock.on(hours=12)
    assert len(direct_messages(sandbox, name)) == 1
    return clock, game


async def test_unsealed_players_alone_are_reminded(patient: SandboxBot) -> None:
    game = await sealing(patient)
    clock = Clock(patient, datetime.now(UTC))
    await patient.person("Cy").slash(TABLE, "pings", how="direct")
    await all_sealed(game, "Ann")
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
    await all_sealed(game, "Cy")
    await clock.on(seconds=30)
    assert game.turn.content.startswith(patient.person("Ann").mention), "it was, and is, her turn"
    assert [game.pings(name) for name in SEALED_BY] == [1, 1, 0]


@pytest.mark.parametrize("name", ["Ann", "Cy"])
async def test_reminder_goes_with_the_seal(patient: SandboxBot, name: str) -> None:
    """In turn or not; it comes again after a withdrawal."""
    clock, game = await reminded(patient, name)
    if name == "Cy":
        (before,) = direct_messages(patient, "Cy")
        await game.press("Ann", "Pass")
        await clock.on(hours=1)
        assert [letter.id for letter in direct_messages(patient, "Cy")] == [before.id]
    await all_sealed(game, name)
    await clock.on(seconds=5)
    assert direct_messages(patient, name) == []
    await withdrawn(game, name, 1)
    await clock.on(hours=12)
    assert len(direct_messages(patient, name)) == 1


async def test_substitute_is_asked_to_seal(patient: SandboxBot) -> None:
    clock, game = await reminded(patient, "Cy")
    await patient.person("Dee").slash(TABLE, "pings", how="direct")
    await game.slash("Cy", "game substitute", who=patient.person("Dee").id)
    await clock.on(seconds=30)
    assert (len(direct_messages(patient, "Cy")), len(direct_messages(patient, "Dee"))) == (0, 1)


async def test_open_bids_ping_the_player_on_turn(patient: SandboxBot) -> None:
    clock, game = await reminded(patient, "Cy")
    await all_sealed(game, "Ann")
    await game.slash("Ann", "game agreement", player="Bob", how="together")
    before = game.pings("Ann")
    await game.press("Cy", "Agree", proposal(game))
    await clock.on(seconds=30)
    assert (direct_messages(patient, "Cy"), game.pings("Ann") - before) == ([], 1)
    assert not asks_to_seal(game)
    await game.slash("Bob", "game back")
    await clock.on(seconds=30)
    assert asks_to_seal(game)
    assert game.turn.content.startswith("**Ann**"), "who has sealed"
    assert len(direct_messages(patient, "Cy")) == 1, "who has not"


async def test_new_holder_of_a_table_seat_is_asked(patient: SandboxBot) -> None:
    clock, game = await reminded(patient, "Cy")
    dee = patient.person("Dee")
    await dee.slash(TABLE, "pings", how="direct")
    await game.slash("Ann", "game agreement", player="Bob")
    await game.press("Cy", "Agree", proposal(game))
    await game.slash("Ann", "game replace", player="Bob", newcomer=dee.id)
    asked = proposal(game)
    await game.press("Cy", "Agree", asked)
    await clock.on(seconds=30)
    assert direct_messages(patient, "Cy") == []
    await game.press("Dee", "Agree", asked)
    await clock.on(seconds=30)
    assert asks_to_seal(game)
    assert (len(direct_messages(patient, "Cy")), len(direct_messages(patient, "Dee"))) == (1, 1)


async def test_early_return_is_pinged_at_once(patient: SandboxBot) -> None:
    game = await sealing(patient)
    clock = Clock(patient, datetime.now(UTC))
    await game.slash("Bob", "away", until="10 days")
    await clock.on(hours=13)
    before = game.pings("Bob")
    await game.slash("Bob", "away", until="back")
    await clock.on(seconds=30)
    assert game.pings("Bob") == before + 1


async def test_unsealed_player_leaving_is_announced(patient: SandboxBot) -> None:
    clock, game = await reminded(patient, "Cy")
    send_away(patient.world, patient.person("Bob").id)
    await clock.on(hours=24)
    assert sum("**Bob** has left this server" in line for line in game.lines) == 1


async def test_setting_decides_who_is_pinged(patient: SandboxBot) -> None:
    clock, game = await reminded(patient, "Cy")
    await all_sealed(game, "Ann")
    before = game.pings("Ann")
    for value, messages in (("off", 0), ("on", 1)):
        await game.slash("Ann", "mod settings", setting="sealed", value=value)
        await clock.on(seconds=30)
        assert (game.pings("Ann"), len(direct_messages(patient, "Cy"))) == (before + 1, messages)


async def test_no_clock_runs_once_all_seal_again(sandbox: SandboxBot) -> None:
    table = await Timed.opened(sandbox, game=await sealing(sandbox))
    await table.game.slash("Ann", "game agreement", player="Bob")
    await table.game.press("Cy", "Agree", proposal(table.game))
    await table.look()
    await table.passes(timedelta(hours=14))
    await table.game.slash("Bob", "game back")
    await table.look()
    await table.passes(timedelta(hours=30))
    assert await table.bank("Ann") == timedelta(days=5) - timedelta(hours=2)
