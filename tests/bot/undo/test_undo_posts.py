"""Undo and redo at a table on Discord: what is asked, by which buttons, and what everybody sees."""

from pathlib import Path

import pytest

from bot.client.places.messages import WEEK
from bot.client.places.threads import HOUR
from bot.sandbox.guild.person import InteractionResult
from bot.sandbox.model import Message
from bot.table.outbox import notices
from engine.core.actions import read_action
from storage import games, log
from tests.bot.pings.test_posted_once import crashed, dies_before_ticking_off
from tests.bot.support.positions import first_moves, played_to, seated_at
from tests.bot.support.sandbox_bot import PATIENCE, SandboxBot, Seated


def labels(message: Message) -> list[str]:
    return [button.label for button in message.buttons]


async def counting(game: Seated) -> list[int]:
    return [row.seq for row in log.fold(await log.read(game.sandbox.db, game.number))]


async def posted(game: Seated, text: str) -> bool:
    """Whether the thread says this, soon."""
    return await game.sandbox.world.until(lambda: any(text in line for line in game.lines), timeout=PATIENCE)


async def passed(sandbox: SandboxBot) -> Seated:
    """A game in which Ann, Bob and Cy have passed."""
    game = await sandbox.game(("Ann", "Bob", "Cy"))
    for name in ("Ann", "Bob", "Cy"):
        await game.press(name, "Pass")
    return game


async def preview(game: Seated, name: str, to: int) -> Message:
    """What somebody is shown who wants to go back to a move."""
    result: InteractionResult = await game.slash(name, "undo", to=to)
    return result.ephemeral[0]


def question(game: Seated, number: int) -> Message:
    """The message of a proposal."""
    return next(m for m in game.messages if m.content.startswith(f"Proposal {number}:"))


async def test_undo_to_a_move_of_others_shows_what_is_lost_and_asks_them(sandbox: SandboxBot) -> None:
    """From the preview, which nobody else sees, to the line that names who agreed; the bot restarts between."""
    game = await passed(sandbox)
    offered = await sandbox.person("Bob").autocomplete(game.thread, "undo", focused="to", to="")
    assert [value for _, value in offered] == [3, 2, 1]
    asked = await preview(game, "Bob", 1)
    assert "These 3 moves would no longer count, and **Ann** and **Cy** have to agree" in asked.content
    assert all(
        f"> `{number}` **{name}** passes." in asked.content for number, name in ((2, "Ann"), (4, "Cy"))
    )
    assert len(await counting(game)) == 4
    await game.press("Bob", "Propose to go back to move 1", asked)
    proposal = question(game, 1)
    assert "the game goes back to where it stood after move 1, without **moves 2 to 4**" in proposal.content
    assert game.pings("Ann") >= 1
    await game.press("Ann", "Agree", proposal)
    await sandbox.stop()
    await sandbox.start()
    await game.press("Cy", "Agree", proposal)
    assert await posted(
        game, "**Bob** undoes moves 2 to 4, with the consent of **Ann** and **Cy** (proposal 1)."
    )
    assert await counting(game) == [1]
    assert "Redo moves 2 to 4" in labels(game.turn)
    history = (await game.slash("Cy", "log")).text
    assert "`5` ~~moves 2 to 4~~, undone by **Bob**, agreed to by **Ann** and **Cy**." in history


async def test_an_undo_that_concerns_nobody_else_is_posted_at_once(sandbox: SandboxBot) -> None:
    game = await sandbox.game()
    await game.press("Ann", "Pass")
    await game.slash("Ann", "undo", to=1)
    assert await posted(game, "**Ann** undoes move 2.")
    assert await counting(game) == [1]


async def test_a_move_is_undone_by_its_player_alone_and_the_button_says_whose_it_is(
    sandbox: SandboxBot,
) -> None:
    """Everybody sees the button below the turn message; no private answer has one."""
    game = await sandbox.game()
    answered = await game.press("Ann", "Pass")
    assert [label for label in labels(game.turn) if label.startswith("Undo")] == ["Undo Ann's move 2"]
    other = await game.press("Bob", "Undo Ann's move 2")
    assert await sandbox.hears(other, "The last move, number 2, is Ann's; you can undo your own move only")
    assert await counting(game) == [1, 2]
    private = [button.label for said in (answered, other) for one in said.ephemeral for button in one.buttons]
    assert not any(label.startswith("Undo") for label in private)


async def test_redo_by_the_button_of_the_turn_message(sandbox: SandboxBot) -> None:
    game = await sandbox.game()
    await game.press("Ann", "Pass")
    await game.press("Ann", "Undo Ann's move 2")
    assert "Redo move 2" in labels(game.turn)
    refused = await game.press("Bob", "Redo move 2")
    assert await sandbox.hears(refused, "Ann took that back")
    await game.press("Ann", "Redo move 2")
    assert await posted(game, "**Ann** redoes move 2 as 4.")
    assert "`4` **Ann** passes." in game.lines[-1]
    assert not any(label.startswith("Redo") for label in labels(game.turn))
    assert game.turn.content.startswith(sandbox.person("Bob").mention)


async def test_redo_after_somebody_moved_says_who(sandbox: SandboxBot) -> None:
    game = await sandbox.game()
    await game.press("Ann", "Pass")
    await game.slash("Ann", "undo")
    await game.slash("Ann", "bid", private="D&R", amount=20)
    assert "Ann has made move 4 since" in (await game.slash("Ann", "redo")).text


async def test_a_moderator_redoes_what_a_moderator_took_back(sandbox: SandboxBot) -> None:
    game = await passed(sandbox)
    asked = (await game.slash("Ann", "mod undo", to=1)).ephemeral[0]
    assert "`/redo` redoes them until the next move" in asked.content
    await game.press("Ann", asked.buttons[0].label, asked)
    assert await posted(game, "takes the game back, as a moderator")
    assert "A moderator took that back" in (await game.slash("Bob", "redo")).text
    await game.slash("Ann", "redo")
    assert await posted(game, "as a moderator, redoes moves 2 to 4 as 6 to 8.")
    # Redone moves are posted with their new numbers.
    shown = await preview(game, "Bob", 6)
    assert "> `7` **Bob** passes." in shown.content


async def test_what_was_undone_by_agreement_is_asked_for_again(sandbox: SandboxBot) -> None:
    game = await passed(sandbox)
    await game.press("Bob", "Propose to go back to move 3", await preview(game, "Bob", 3))
    await game.press("Cy", "Agree", question(game, 1))
    assert await posted(game, "**Bob** undoes move 4")
    await game.slash("Cy", "redo")
    proposal = question(game, 2)
    assert "what was undone comes back: **move 4** (of **Cy**)" in proposal.content
    await game.press("Bob", "Agree", proposal)
    assert await posted(game, "with the consent of **Bob** (proposal 2), redoes move 4 as 6.")


async def test_a_proposal_that_the_game_has_left_expires_and_says_so(sandbox: SandboxBot) -> None:
    game = await passed(sandbox)
    await game.press("Cy", "Propose to go back to move 2", await preview(game, "Cy", 2))
    await game.slash("Ann", "pass")
    await sandbox.expire()
    await sandbox.settled()
    assert "It has expired: the game has moved on." in sandbox.world.messages[question(game, 1).id].content
    assert not sandbox.world.messages[question(game, 1).id].buttons


async def test_a_preview_is_worth_nothing_once_the_game_has_moved_on(sandbox: SandboxBot) -> None:
    game = await passed(sandbox)
    asked = await preview(game, "Bob", 1)
    await game.press("Ann", "Pass")
    late = await game.press("Bob", "Propose to go back to move 1", asked)
    assert await sandbox.hears(late, "has moved on")


async def test_undo_past_a_sealed_bid_says_whose(sandbox: SandboxBot) -> None:
    game = await sandbox.game()
    await game.slash("Bob", "orders bid", private="CV", maximum=300)
    await game.press("Ann", "Pass")
    refused = await game.slash("Ann", "undo")
    assert "Bob's sealed maximum on CV was revealed by move 3" in refused.text
    assert "300" not in refused.text
    await game.press("Cy", "Pass")
    assert "Bob's sealed maximum on CV" in (await game.slash("Cy", "undo", to=1)).text
    asked = (await game.slash("Ann", "mod undo", to=1)).ephemeral[0]
    assert "Known since:** Bob's sealed maximum on CV was revealed by move 3" in asked.content
    assert await counting(game) == [1, 2, 3, 4]


async def test_undo_while_a_proposal_between_players_waits_takes_the_question_away(
    sandbox: SandboxBot,
) -> None:
    """A president asks another player for a private; it is the president's own move until it is answered."""
    game = await seated_at(sandbox, played_to("buy_private"))
    before = await game.digest()
    async with sandbox.client.tables.reading(game.number) as live:
        offer = next(o for o in live.game.offers() if o.kind == "buy_private")
        me = live.name_of(offer.actor)
        owner = next(p for p in live.game.table.state.privates.values() if p.owner not in (None, offer.actor))
        other = live.name_of(owner.owner or "")
    slots = {"private": owner.id, "price": 20}
    await game.slash(me, "buy-private", **slots)
    assert "Agree" in labels(game.turn)
    assert game.turn.content.startswith(sandbox.person(other).mention)
    await game.slash(me, "undo")
    assert await game.digest() == before
    assert "Agree" not in labels(game.turn)
    await game.slash(me, "redo")
    assert "Agree" in labels(game.turn)
    await game.press(other, "Refuse")


async def test_undo_after_the_end_takes_the_game_up_again(sandbox: SandboxBot) -> None:
    """The score sheet is posted, the thread closes soon; the player who moved last undoes it, and play continues."""
    game = await sandbox.game(("Ann", "Bob"))
    for name in ("Ann", "Bob"):
        await game.slash(name, "game abandon")
    assert await sandbox.world.until(lambda: sandbox.world.channel(game.thread).archive_minutes == HOUR)
    assert (await games.get_game(sandbox.db, game.number)).status == "finished"
    await game.slash("Bob", "undo")
    assert await posted(game, "The game continues: the score above is no longer the end.")
    assert (await games.get_game(sandbox.db, game.number)).status == "running"
    assert sandbox.world.channel(game.thread).archive_minutes == WEEK
    assert "Pass" in labels(game.turn)
    await game.press("Ann", "Pass")
    assert game.turn.content.startswith(sandbox.person("Bob").mention)


async def test_what_was_redone_just_before_a_crash_is_posted_once(
    sandbox: SandboxBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Stored, posted, and the process dies before it has ticked that off."""
    game = await sandbox.game()
    await game.press("Ann", "Pass")
    await game.slash("Ann", "undo")
    dies_before_ticking_off(monkeypatch, notices.LINE)
    await sandbox.person("Ann").press(game.turn, "Redo move 2")
    await crashed(sandbox, monkeypatch, game, lambda: any("redoes" in line for line in game.lines))
    assert sum("redoes move 2 as 4" in line for line in game.lines) == 1
    assert await counting(game) == [1, 4]
    assert game.turn.content.startswith(sandbox.person("Bob").mention)


async def test_a_proposal_that_is_accepted_as_the_bot_dies_is_carried_out_and_posted_once(
    sandbox: SandboxBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = await passed(sandbox)
    await game.press("Bob", "Propose to go back to move 3", await preview(game, "Bob", 3))
    dies_before_ticking_off(monkeypatch, notices.LINE)
    await sandbox.person("Cy").press(question(game, 1), "Agree")
    await crashed(sandbox, monkeypatch, game, lambda: any("undoes move 4" in line for line in game.lines))
    assert sum("undoes move 4" in line for line in game.lines) == 1
    assert await counting(game) == [1, 2, 3]


async def test_moves_of_a_recorded_game_are_listed_as_they_would_be_typed(sandbox: SandboxBot) -> None:
    """Their lines are not in the thread."""
    text = (Path(__file__).parents[2] / "golden" / "18tn-bank-3p.json").read_text("utf-8")
    game = await seated_at(sandbox, first_moves(text, 430))
    async with sandbox.client.tables.reading(game.number) as live:
        laid = next(row for row in reversed(live.counting) if '"lay_tile"' in row.payload)
        name, move = live.name_of(laid.actor), read_action(laid.payload).chosen()
    offered = await sandbox.person("Ann").autocomplete(game.thread, "undo", focused="to", to=str(laid.seq))
    typed = f"lay {move['hex']} {move['tile']} {move['rotation']}"
    assert (f"{laid.seq} {name}: {typed} (this stays)", laid.seq) in offered
