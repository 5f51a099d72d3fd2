"""Sealed maxima on Discord: asked by a form, pinged until sealed, only counted, and all sold with the last."""

import re
from datetime import UTC, datetime, timedelta

import pytest

from bot.sandbox.guild.person import Modal
from bot.sandbox.model import Message
from bot.table.orders import sealed_auction
from storage import orders
from tests.bot.sandbox.guild import send_away
from tests.bot.support.records import record_lines
from tests.bot.support.sandbox_bot import PATIENCE, TABLE, SandboxBot, Seated
from tests.bot.support.timed import Timed
from tests.bot.support.waiting import Clock, direct_messages

pytestmark = pytest.mark.usefixtures("absent_players")

SEALED_BY = {
    "Ann": "D&R: 20\nC-P: 0\nB&S 0\nC&OC: $105\nCV: 260",
    "Bob": "C-P: 80\nB&OR: 105\nCV: 1,300",
    "Cy": "C-P: 60\nD&R: 40\nB&S: 100",
}


async def sealing(sandbox: SandboxBot) -> Seated:
    """A table of Ann, Bob and Cy that has chosen in its lobby to seal."""
    people = [sandbox.person(name) for name in SEALED_BY]
    await people[0].slash(TABLE, "game new", title="18chesapeake")
    for person in people[1:]:
        await person.press(sandbox.lobby(), "Join")
    order = {place: person.id for place, person in zip(("first", "second", "third"), people, strict=True)}
    await people[0].slash(TABLE, "game seats", **order)
    await people[1].slash(TABLE, "game settings", setting="sealed", value="on")
    assert "Sale of the privates: sealed bids, all resolved together" in sandbox.lobby().content
    assert "see the first message of the game" in sandbox.lobby().content
    await people[0].press(sandbox.lobby(), "Start")
    await sandbox.settled()
    thread = max(number for number, channel in sandbox.world.channels.items() if channel.is_thread)
    return Seated(sandbox, 1, thread)


async def form(game: Seated, name: str) -> Modal:
    modal = (await game.press(name, sealed_auction.SEAL_BUTTON_LABEL)).modal
    assert modal is not None
    return modal


async def sent(game: Seated, name: str, text: str) -> str:
    """A player seals by the form; what they read."""
    result = await game.sandbox.person(name).submit(await form(game, name), maxima=text)
    assert await game.sandbox.world.wait_until(lambda: bool(result.text), timeout=PATIENCE)
    await game.sandbox.settled()
    return result.text


async def have_all_sealed(game: Seated, *names: str) -> None:
    for name in names:
        await sent(game, name, SEALED_BY[name])


async def withdrawn(game: Seated, name: str, number: int) -> None:
    [shown] = (await game.slash(name, "orders list")).ephemeral
    await game.press(name, f"Withdraw {number}", game.sandbox.world.messages[shown.id])


def proposal(game: Seated) -> Message:
    """The question about a seat that the table decides now."""
    return next(m for m in reversed(game.messages) if any(b.label == "Agree" for b in m.buttons))


def asks_to_seal(game: Seated) -> bool:
    return any(button.label == sealed_auction.SEAL_BUTTON_LABEL for button in game.turn.buttons)


async def test_sealed_auction_takes_one_form_each(sandbox: SandboxBot) -> None:
    game = await sealing(sandbox)
    [rules] = [m.content for m in sandbox.world.messages.values() if "the second-highest bid" in m.content]
    assert game.lines[0] == rules
    assert sealed_auction.SEAL_HINT in game.turn.content
    asked = await form(game, "Cy")
    assert asked.fields[0]["value"] == "D&R: 0\nC-P: 0\nB&S: 0\nC&OC: 0\nB&OR: 0\nCV: 0"
    assert "The highest bid wins" in str(asked.body)
    assert "Sealed bids: D&R $40, C-P $60, B&S $100" in await sent(game, "Cy", SEALED_BY["Cy"])
    assert game.lines[-1] == "Sealed bids: 1 of 3 players."
    assert "D&R: 40" in (await form(game, "Cy")).fields[0]["value"]
    await sandbox.restart()
    before = game.lines
    await sent(game, "Ann", "D&R: 20")
    assert "replaces order 2" in await sent(game, "Ann", SEALED_BY["Ann"])
    assert game.lines == [*before, "Sealed bids: 2 of 3 players."]
    assert "Cy" not in "".join(game.lines[1:])
    seq, turn, posts = await game.seq(), game.turn.id, len(game.messages)
    await sent(game, "Bob", SEALED_BY["Bob"])
    said = "\n".join(game.lines)
    assert await game.seq() > seq + 10, "all bids are moves"
    result = record_lines(sandbox.world.messages[turn])
    assert not [line for line in result if " bids " in line or "drops out" in line]
    assert "\n".join(result).count(" wins ") == 6
    assert "wins Delaware and Raritan Canal (D&R) for $20" in "\n".join(result), "the private on top, too"
    assert len(game.messages) == posts + 1, "the next turn"
    assert said.count("All 3 players have sealed their bids") == 1
    assert not re.search("1,?300", said)
    assert game.turn.content.startswith(sandbox.person("Bob").mention)
    assert not asks_to_seal(game)
    await sandbox.restart()
    refused = "sealed bid on the privates"
    assert refused in (await game.slash("Bob", "undo")).text
    question = (await game.slash("Ann", "mod undo", to=1)).ephemeral[0]
    assert refused in question.content
    await game.press("Ann", question.buttons[0].label, question)
    assert await sandbox.world.wait_until(
        lambda: any("as a moderator undoes moves" in line for line in game.lines)
    )
    await sandbox.settled()
    assert asks_to_seal(game)


async def test_seal_form_refuses(sandbox: SandboxBot) -> None:
    game = await sealing(sandbox)
    for typed, said in (
        ("CV: 240\nmuch\n```", "Cannot read 'much'"),
        ("XY: 20", "XY is not up for bids now"),
        ("cv: 240\n\nD&R: 20\nCV: 0", "CV is listed twice: give one bid for each private."),
    ):
        answer = await sent(game, "Cy", typed)
        assert answer.startswith(said)
        back = typed.replace("`", "'")
        assert answer.endswith(f"You typed:\n```\n{back}\n```"), "nothing that is typed ends the block"
    assert await orders.standing_orders(sandbox.db, game.number) == []


async def test_lobby_offers_a_sealed_sale(sandbox: SandboxBot) -> None:
    ann = sandbox.person("Ann")
    await ann.slash(TABLE, "game new", title="18chesapeake")
    assert "a sealed auction of the privates with `/game settings`" in sandbox.lobby().content
    await ann.press(sandbox.lobby(), "Computer: Conductor")
    assert "deadlines and reminders with `/game settings`" in sandbox.lobby().content
    await ann.slash(TABLE, "game new", title="18newengland")
    answer = await ann.slash(TABLE, "game settings", setting="sealed", value="on")
    assert "18NewEngland has no auction, so there are no bids to seal." in answer.text
    assert "sealed" not in sandbox.lobby().content


async def test_new_player_is_asked_to_seal(sandbox: SandboxBot) -> None:
    """They neither see nor inherit what the former holder sealed."""
    game = await sealing(sandbox)
    await have_all_sealed(game, "Bob")
    await game.slash("Bob", "game replace", newcomer=sandbox.person("Dee").id)
    await game.press("Dee", "Agree", proposal(game))
    assert "no orders" in (await game.slash("Dee", "orders list")).text
    await have_all_sealed(game, "Ann", "Cy")
    assert game.lines[-1] == "Sealed bids: 2 of 3 players."
    assert "CV: 0" in (await form(game, "Dee")).fields[0]["value"]
    await sent(game, "Dee", SEALED_BY["Bob"])
    assert "**Dee** wins Cornelius Vanderbilt (CV) for" in "\n".join(game.lines)


async def test_no_clock_runs_while_a_table_seals(sandbox: SandboxBot) -> None:
    table = await Timed.opened(sandbox, at_zero="pass")
    await table.game.slash("Ann", "mod settings", setting="sealed", value="on")
    await have_all_sealed(table.game, "Ann")
    await table.passes(timedelta(days=9))
    await have_all_sealed(table.game, "Bob", "Cy")
    await table.passes(timedelta(hours=1))
    assert await table.bank("Ann") == timedelta(days=5)
    assert await table.counted("Bob") == timedelta(hours=1)
    assert table.lines_with("time is up") == 0


async def test_no_single_press_bids_while_sealing(sandbox: SandboxBot) -> None:
    game = await sealing(sandbox)
    shown = [button.label for button in game.turn.buttons]
    assert "Bid …" in shown, shown
    assert not [label for label in shown if "$" in label], shown
    [asked] = (await game.press("Ann", "Bid …")).ephemeral
    await game.press("Ann", asked.buttons[0].label, asked)
    assert await game.seq() == 1, "only the next press makes the bid"
    await game.slash("Ann", "mod settings", setting="sealed", value="off")
    assert [button.label for button in game.turn.buttons if "$" in button.label]


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
    await have_all_sealed(game, "Ann")
    await clock.on(seconds=30)
    await clock.restart(hours=12)
    assert [game.pings(name) for name in SEALED_BY] == [0, 1, 0]
    assert f"Pinged to seal bids: {patient.person('Bob').mention}." in game.turn.content
    assert sealed_auction.SEAL_HINT in direct_messages(patient, "Cy")[-1].content
    assert "your sealed bids are missing" in (await game.slash("Cy", "mine")).text
    await sent(game, "Bob", SEALED_BY["Bob"].partition("\nCV")[0])
    await clock.on(hours=24)
    assert [game.pings(name) for name in SEALED_BY] == [0, 1, 0]
    assert "Reminder 2" in direct_messages(patient, "Cy")[-1].content
    await have_all_sealed(game, "Cy")
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
    await have_all_sealed(game, name)
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
    await have_all_sealed(game, "Ann")
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


async def test_unsealed_player_leaving_is_announced(patient: SandboxBot) -> None:
    clock, game = await reminded(patient, "Cy")
    send_away(patient.world, patient.person("Bob").id)
    await clock.on(hours=24)
    assert sum("**Bob** has left this server" in line for line in game.lines) == 1
