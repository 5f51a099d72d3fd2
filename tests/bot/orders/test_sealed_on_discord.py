"""Sealed maxima on Discord: asked by a form, only their number posted, and the whole auction with the last of them."""

import asyncio
import re
from datetime import timedelta

import pytest

from bot.sandbox.guild.person import InteractionResult, Modal
from bot.table.orders import sealed_auction
from engine.titles import TITLES
from storage import orders
from tests.bot.sandbox.guild import send_away
from tests.bot.support.records import record_lines
from tests.bot.support.sandbox_bot import PATIENCE, TABLE, SandboxBot, Seated
from tests.bot.support.timed import Timed

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
    assert "all at once by sealed maxima" in sandbox.lobby().content
    assert "says it in five points" in sandbox.lobby().content
    await people[0].press(sandbox.lobby(), "Start")
    await sandbox.settled()
    thread = max(number for number, channel in sandbox.world.channels.items() if channel.is_thread)
    return Seated(sandbox, 1, thread)


async def form(game: Seated, name: str) -> Modal:
    modal = (await game.press(name, sealed_auction.BUTTON)).modal
    assert modal is not None
    return modal


async def sent(game: Seated, name: str, text: str) -> str:
    """A player seals by the form; what they read."""
    result: InteractionResult = await game.sandbox.person(name).submit(await form(game, name), maxima=text)
    assert await game.sandbox.world.until(lambda: bool(result.text), timeout=PATIENCE)
    await game.sandbox.settled()
    return result.text


async def test_an_auction_by_sealed_maxima_needs_one_form_of_each_with_a_restart_between(
    sandbox: SandboxBot,
) -> None:
    """The table reads how many have sealed and nothing else; with the last seal everything is sold."""
    game = await sealing(sandbox)
    assert "at the loser's maximum" in game.lines[0]
    assert sealed_auction.ASKS in game.turn.content
    asked = await form(game, "Cy")
    assert "D&R: 0\nC-P: 0" in asked.fields[0]["value"]
    assert "The highest maximum wins" in str(asked.body)
    assert "Sealed maxima: D&R $40, C-P $60, B&S $100" in await sent(game, "Cy", SEALED_BY["Cy"])
    assert game.lines[-1] == "Sealed maxima: 1 of 3 players."
    assert "D&R: 40" in (await form(game, "Cy")).fields[0]["value"]
    await sandbox.stop()
    await sandbox.start()
    await sent(game, "Ann", SEALED_BY["Ann"])
    assert game.lines[-1] == "Sealed maxima: 2 of 3 players."
    assert "Cy" not in "".join(game.lines[1:])
    before, turn, posts = await game.seq(), game.turn.id, len(game.messages)
    await sent(game, "Bob", SEALED_BY["Bob"])
    said = "\n".join(game.lines)
    assert await game.seq() > before + 10, "all bids are moves"
    result = record_lines(sandbox.world.messages[turn])
    assert result, "it is one post, with what came of the bids alone"
    assert not [line for line in result if " bids " in line or "drops out" in line]
    assert "\n".join(result).count(" wins ") == 6
    assert "wins Delaware and Raritan Canal (D&R) for $20" in "\n".join(result), "the private on top, too"
    assert len(game.messages) == posts + 1, "the next turn"
    assert "All 3 players have sealed their maxima" in said
    assert "1300" not in said
    assert "1,300" not in said
    assert game.turn.content.startswith(sandbox.person("Bob").mention)
    assert not any(label.label == sealed_auction.BUTTON for label in game.turn.buttons)


async def test_what_is_no_maximum_is_refused_and_nothing_sealed(sandbox: SandboxBot) -> None:
    game = await sealing(sandbox)
    answer = await sent(game, "Cy", "CV: 240\nmuch")
    assert "no private with a maximum: much" in answer
    assert "You typed:\n```\nCV: 240\nmuch\n```" in answer, "so that nothing has to be thought of again"
    assert "XY is not up for bids now" in await sent(game, "Cy", "XY: 20")
    answer = await sent(game, "Cy", "cv: 240\nD&R: 20\nCV: 0")
    assert "CV stands there twice" in answer, "a line was added above those that were there"
    assert await orders.standing(sandbox.db, game.number) == []


async def test_a_title_without_bids_has_nothing_to_seal(sandbox: SandboxBot) -> None:
    ann = sandbox.person("Ann")
    await ann.slash(TABLE, "game new", title="18newengland")
    answer = await ann.slash(TABLE, "game settings", setting="sealed", value="on")
    assert "18NewEngland has no auction: there is nothing to seal." in answer.text
    assert "sealed" not in sandbox.lobby().content


async def test_a_lobby_offers_a_sealed_sale_if_all_are_people(sandbox: SandboxBot) -> None:
    ann = sandbox.person("Ann")
    await ann.slash(TABLE, "game new", title="18chesapeake")
    assert "a sealed sale of the privates with `/game settings`" in sandbox.lobby().content
    await ann.press(sandbox.lobby(), "Computer: Conductor")
    assert "deadlines and reminders with `/game settings`" in sandbox.lobby().content


async def test_a_table_that_does_not_seal_has_a_button_for_one_maximum_only(sandbox: SandboxBot) -> None:
    game = await sandbox.game()
    assert sealed_auction.BUTTON not in [button.label for button in game.turn.buttons]
    assert sealed_auction.ASKS not in game.turn.content


async def test_a_player_leaving_the_server_with_orders_open_keeps_them(sandbox: SandboxBot) -> None:
    """The seat is kept until somebody else has it: the seal still counts, and the sale comes."""
    game = await sealing(sandbox)
    await sent(game, "Bob", SEALED_BY["Bob"])
    send_away(sandbox.world, sandbox.person("Bob").id)
    await sent(game, "Ann", SEALED_BY["Ann"])
    await sent(game, "Cy", SEALED_BY["Cy"])
    await sandbox.settled()
    said = "\n".join(game.lines)
    assert "All 3 players have sealed their maxima" in said
    assert "**Bob** wins Columbia-Philadelphia" in said
    assert await sandbox.world.until(
        lambda: any("**Bob** has left this server" in line for line in game.lines), timeout=PATIENCE
    )


@pytest.mark.parametrize("title", [name for name, title in TITLES.items() if title.spec.privates])
def test_how_sealed_maximums_are_settled_is_said_of_each_title_in_five_points(title: str) -> None:
    said = sealed_auction.sale_rules(TITLES[title].spec)
    assert said.count("\n- ") == said.count("\n") == 5
    assert "at the loser's maximum" in said
    assert len(said) < 1100
    assert ("packet" in said) == (TITLES[title].spec.auction.eliminations > 0)


async def test_how_sealed_maximums_are_settled_is_said_once(sandbox: SandboxBot) -> None:
    game = await sealing(sandbox)
    said = [m.content for m in sandbox.world.messages.values() if "the loser's maximum" in m.content]
    assert len(said) == 1, said[1]
    assert said[0] in game.lines
    assert "loser" not in str((await form(game, "Bob")).body)


def sold_to(game: Seated, private: str) -> list[str]:
    """Who has got a private, as the thread tells it."""
    said = "\n".join(game.lines)
    return [name for name in SEALED_BY if re.search(rf"\*\*{name}\*\* wins [^.]*\({private}\) for", said)]


async def test_of_equal_maxima_the_earlier_seal_wins_whoever_reaches_it_first(sandbox: SandboxBot) -> None:
    game = await sealing(sandbox)
    rest = "D&R: 20\nC-P: 50\nB&S: 60\nC&OC: 90\nB&OR: 110"
    await sent(game, "Cy", "CV: 250")
    await sent(game, "Ann", "CV: 250")
    await sent(game, "Bob", rest)
    assert sold_to(game, "CV") == ["Cy"]


async def test_a_seal_is_withdrawn_by_a_button_and_then_waited_for(sandbox: SandboxBot) -> None:
    game = await sealing(sandbox)
    await sent(game, "Ann", SEALED_BY["Ann"])
    await sent(game, "Bob", SEALED_BY["Bob"])
    [shown] = (await game.slash("Bob", "orders list")).ephemeral
    await game.press("Bob", "Withdraw 2", sandbox.world.messages[shown.id])
    assert await sandbox.world.until(
        lambda: game.lines[-1] == "Sealed maxima: 1 of 3 players.", timeout=PATIENCE
    )
    await sent(game, "Cy", SEALED_BY["Cy"])
    assert game.lines[-1] == "Sealed maxima: 2 of 3 players."
    await sent(game, "Bob", SEALED_BY["Bob"])
    assert sold_to(game, "CV") == ["Bob"]


async def test_a_change_of_what_is_sealed_is_posted_nowhere(sandbox: SandboxBot) -> None:
    game = await sealing(sandbox)
    await sent(game, "Ann", SEALED_BY["Ann"])
    before = list(game.lines)
    assert "takes the place of order 1" in await sent(game, "Ann", "CV: 240")
    assert game.lines == before


async def test_two_players_sealing_at_once_by_forms_sell_all_just_once(sandbox: SandboxBot) -> None:
    game = await sealing(sandbox)
    await sent(game, "Ann", SEALED_BY["Ann"])
    forms = {name: await form(game, name) for name in ("Bob", "Cy")}
    await asyncio.gather(
        *(sandbox.person(name).submit(one, maxima=SEALED_BY[name]) for name, one in forms.items())
    )
    assert await sandbox.world.until(
        lambda: "wins Cornelius Vanderbilt (CV) for" in "\n".join(game.lines), timeout=PATIENCE
    )
    await sandbox.settled()
    assert sum(line.count("wins Cornelius Vanderbilt (CV) for") for line in game.lines) == 1
    assert sum("have sealed their maxima" in line for line in game.lines) == 1


async def test_a_replaced_player_is_asked_again(sandbox: SandboxBot) -> None:
    """The seal was the former holder's: the newcomer neither sees it nor is bound by it."""
    game = await sealing(sandbox)
    await sent(game, "Bob", SEALED_BY["Bob"])
    dee = sandbox.person("Dee")
    await game.slash("Bob", "game replace", newcomer=dee.id)
    question = next(m for m in reversed(game.messages) if any(b.label == "Agree" for b in m.buttons))
    await game.press("Dee", "Agree", question)
    await sandbox.settled()
    assert "no orders" in (await game.slash("Dee", "orders list")).text
    await sent(game, "Ann", SEALED_BY["Ann"])
    await sent(game, "Cy", SEALED_BY["Cy"])
    assert game.lines[-1] == "Sealed maxima: 2 of 3 players."
    assert "CV: 0" in (await form(game, "Dee")).fields[0]["value"]
    await sent(game, "Dee", SEALED_BY["Bob"])
    assert "**Dee** wins Cornelius Vanderbilt (CV) for" in "\n".join(game.lines)


async def test_undo_past_a_sealed_bid_is_for_a_moderator_who_reads_what_is_known(sandbox: SandboxBot) -> None:
    """With a restart between; nothing of the auction happens again before somebody seals again or bids."""
    game = await sealing(sandbox)
    for name, text in SEALED_BY.items():
        await sent(game, name, text)
    assert sold_to(game, "CV") == ["Bob"]
    await sandbox.stop()
    await sandbox.start()
    assert "sealed maximum on the privates was revealed by move" in (await game.slash("Bob", "undo")).text
    question = (await game.slash("Ann", "mod undo", to=1)).ephemeral[0]
    assert "sealed maximum on the privates was revealed by move" in question.content
    await game.press("Ann", question.buttons[0].label, question)
    assert await sandbox.world.until(lambda: any("takes the game back" in line for line in game.lines))
    await sandbox.settled()
    assert any(button.label == sealed_auction.BUTTON for button in game.turn.buttons)


async def test_no_clock_runs_while_a_table_seals(sandbox: SandboxBot) -> None:
    """Nor on, where it begins to in the middle of a turn."""
    table = await Timed.opened(sandbox, at_zero="pass")
    await table.game.slash("Ann", "mod settings", setting="sealed", value="on")
    await sent(table.game, "Ann", SEALED_BY["Ann"])
    await table.passes(timedelta(days=9))
    for name in ("Bob", "Cy"):
        await sent(table.game, name, SEALED_BY[name])
    await table.passes(timedelta(hours=1))
    assert await table.bank("Ann") == timedelta(days=5)
    assert await table.counted("Bob") == timedelta(hours=1)
    assert table.lines_with("time is up") == 0


async def test_the_next_player_reads_all_that_a_sealed_sale_sold(sandbox: SandboxBot) -> None:
    """All of it, that of the private on top, too."""
    game = await sealing(sandbox)
    await sent(game, "Bob", "CV: 240")
    await sent(game, "Cy", "D&R: 0")
    await sent(game, "Ann", "D&R: 20\nC-P: 60\nB&S: 80\nC&OC: 105\nB&OR: 125")
    assert game.turn.content.startswith(sandbox.person("Bob").mention)
    _, since = game.turn.content.split("Since your last move")
    assert since.count(" wins ") == 6, since
    assert "**Ann** wins Delaware and Raritan Canal (D&R) for $20" in since


async def test_while_seals_are_asked_for_no_press_bids_openly(sandbox: SandboxBot) -> None:
    game = await sealing(sandbox)
    shown = [button.label for button in game.turn.buttons]
    assert "Bid …" in shown, shown
    assert not [label for label in shown if "$" in label], shown
    [asked] = (await game.press("Ann", "Bid …")).ephemeral
    await game.press("Ann", asked.buttons[0].label, asked)
    assert await game.seq() == 1, "only the next press makes the bid"
    await game.slash("Ann", "mod settings", setting="sealed", value="off")
    assert [button.label for button in game.turn.buttons if "$" in button.label]
