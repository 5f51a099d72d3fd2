"""Sealed maxima on Discord: asked by a form, only their number posted, and the whole auction with the last of them."""

import re
from datetime import timedelta

from bot.table.orders import sealed_auction
from storage import orders
from tests.bot.orders.sealed_table import (
    SEALED_BY,
    all_sealed,
    asks_to_seal,
    form,
    proposal,
    sealing,
    sent,
    withdrawn,
)
from tests.bot.sandbox.guild import send_away
from tests.bot.support.records import record_lines
from tests.bot.support.sandbox_bot import PATIENCE, TABLE, SandboxBot, Seated
from tests.bot.support.timed import Timed


def buyers(game: Seated, private: str) -> list[str]:
    """Who has got a private, as the thread says."""
    said = "\n".join(game.lines)
    return [name for name in SEALED_BY if re.search(rf"\*\*{name}\*\* wins [^.]*\({private}\) for", said)]


async def test_sealed_auction_takes_one_form_each(sandbox: SandboxBot) -> None:
    game = await sealing(sandbox)
    [rules] = [m.content for m in sandbox.world.messages.values() if "the loser's maximum" in m.content]
    assert game.lines[0] == rules
    assert sealed_auction.ASKS in game.turn.content
    asked = await form(game, "Cy")
    assert asked.fields[0]["value"] == "D&R: 0\nC-P: 0\nB&S: 0\nC&OC: 0\nB&OR: 0\nCV: 0"
    assert "The highest maximum wins" in str(asked.body)
    assert "Sealed maxima: D&R $40, C-P $60, B&S $100" in await sent(game, "Cy", SEALED_BY["Cy"])
    assert game.lines[-1] == "Sealed maxima: 1 of 3 players."
    assert "D&R: 40" in (await form(game, "Cy")).fields[0]["value"]
    await sandbox.restart()
    before = game.lines
    await sent(game, "Ann", "D&R: 20")
    assert "takes the place of order 2" in await sent(game, "Ann", SEALED_BY["Ann"])
    assert game.lines == [*before, "Sealed maxima: 2 of 3 players."]
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
    assert said.count("All 3 players have sealed their maxima") == 1
    assert not re.search("1,?300", said)
    assert game.turn.content.startswith(sandbox.person("Bob").mention)
    assert not asks_to_seal(game)
    await sandbox.restart()
    refused = "sealed maximum on the privates was revealed by move"
    assert refused in (await game.slash("Bob", "undo")).text
    question = (await game.slash("Ann", "mod undo", to=1)).ephemeral[0]
    assert refused in question.content
    await game.press("Ann", question.buttons[0].label, question)
    assert await sandbox.world.until(lambda: any("takes the game back" in line for line in game.lines))
    await sandbox.settled()
    assert asks_to_seal(game)


async def test_seal_form_refuses(sandbox: SandboxBot) -> None:
    game = await sealing(sandbox)
    for typed, said in (
        ("CV: 240\nmuch\n```", "This is no private with a maximum: much."),
        ("XY: 20", "XY is not up for bids now"),
        ("cv: 240\n\nD&R: 20\nCV: 0", "CV stands there twice: each private has one maximum."),
    ):
        answer = await sent(game, "Cy", typed)
        assert answer.startswith(said)
        back = typed.replace("`", "'")
        assert answer.endswith(f"You typed:\n```\n{back}\n```"), "nothing that is typed ends the block"
    assert await orders.standing(sandbox.db, game.number) == []


async def test_lobby_offers_a_sealed_sale(sandbox: SandboxBot) -> None:
    ann = sandbox.person("Ann")
    await ann.slash(TABLE, "game new", title="18chesapeake")
    assert "a sealed sale of the privates with `/game settings`" in sandbox.lobby().content
    await ann.press(sandbox.lobby(), "Computer: Conductor")
    assert "deadlines and reminders with `/game settings`" in sandbox.lobby().content
    await ann.slash(TABLE, "game new", title="18newengland")
    answer = await ann.slash(TABLE, "game settings", setting="sealed", value="on")
    assert "18NewEngland has no auction: there is nothing to seal." in answer.text
    assert "sealed" not in sandbox.lobby().content


async def test_open_auction_asks_for_no_seals(sandbox: SandboxBot) -> None:
    game = await sandbox.game()
    assert not asks_to_seal(game)
    assert sealed_auction.ASKS not in game.turn.content


async def test_seal_counts_after_its_player_left(sandbox: SandboxBot) -> None:
    game = await sealing(sandbox)
    await all_sealed(game, "Bob")
    send_away(sandbox.world, sandbox.person("Bob").id)
    await all_sealed(game, "Ann", "Cy")
    assert buyers(game, "C-P") == ["Bob"]
    left = "**Bob** has left this server"
    assert await sandbox.world.until(lambda: any(left in line for line in game.lines), timeout=PATIENCE)


async def test_earlier_of_equal_seals_wins(sandbox: SandboxBot) -> None:
    game = await sealing(sandbox)
    await sent(game, "Cy", "CV: 250")
    await sent(game, "Ann", "CV: 250")
    await sent(game, "Bob", "D&R: 20\nC-P: 50\nB&S: 60\nC&OC: 90\nB&OR: 110")
    assert buyers(game, "CV") == ["Cy"]


async def test_seal_is_withdrawn_by_a_button(sandbox: SandboxBot) -> None:
    game = await sealing(sandbox)
    await all_sealed(game, "Ann", "Bob")
    await withdrawn(game, "Bob", 2)
    counted = "Sealed maxima: 1 of 3 players."
    assert await sandbox.world.until(lambda: game.lines[-1] == counted, timeout=PATIENCE)
    await all_sealed(game, "Cy")
    assert game.lines[-1] == "Sealed maxima: 2 of 3 players."
    await all_sealed(game, "Bob")
    assert buyers(game, "CV") == ["Bob"]


async def test_new_player_is_asked_to_seal(sandbox: SandboxBot) -> None:
    """They neither see nor inherit what the former holder sealed."""
    game = await sealing(sandbox)
    await all_sealed(game, "Bob")
    await game.slash("Bob", "game replace", newcomer=sandbox.person("Dee").id)
    await game.press("Dee", "Agree", proposal(game))
    assert "no orders" in (await game.slash("Dee", "orders list")).text
    await all_sealed(game, "Ann", "Cy")
    assert game.lines[-1] == "Sealed maxima: 2 of 3 players."
    assert "CV: 0" in (await form(game, "Dee")).fields[0]["value"]
    await sent(game, "Dee", SEALED_BY["Bob"])
    assert "**Dee** wins Cornelius Vanderbilt (CV) for" in "\n".join(game.lines)


async def test_no_clock_runs_while_a_table_seals(sandbox: SandboxBot) -> None:
    """Also where it begins to in the middle of a turn."""
    table = await Timed.opened(sandbox, at_zero="pass")
    await table.game.slash("Ann", "mod settings", setting="sealed", value="on")
    await all_sealed(table.game, "Ann")
    await table.passes(timedelta(days=9))
    await all_sealed(table.game, "Bob", "Cy")
    await table.passes(timedelta(hours=1))
    assert await table.bank("Ann") == timedelta(days=5)
    assert await table.counted("Bob") == timedelta(hours=1)
    assert table.lines_with("time is up") == 0


async def test_next_player_reads_the_whole_sale(sandbox: SandboxBot) -> None:
    game = await sealing(sandbox)
    await sent(game, "Bob", "CV: 240")
    await sent(game, "Cy", "D&R: 0")
    await sent(game, "Ann", "D&R: 20\nC-P: 60\nB&S: 80\nC&OC: 105\nB&OR: 125")
    assert game.turn.content.startswith(sandbox.person("Bob").mention)
    _, since = game.turn.content.split("Since your last move")
    assert since.count(" wins ") == 6, since
    assert "**Ann** wins Delaware and Raritan Canal (D&R) for $20" in since


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
