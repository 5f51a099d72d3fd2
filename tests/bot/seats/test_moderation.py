"""Moderators' actions: shown before, where they cannot be undone; public; and recorded as theirs."""

import pytest

from bot.client.places.threads import HOUR_MINUTES
from bot.sandbox.guild import threads
from bot.table.errors import GameMovedOn, Refused
from bot.table.moves.moves import TypedMove
from bot.table.votes.absent_seats import let_caretaker_play
from bot.table.votes.acting_as import moderator_move
from bot.table.votes.moderation import (
    EndProposal,
    moderator_abandon,
    moderator_accept,
    moderator_end,
    moderator_undo,
)
from bot.table.votes.pauses import begin_pause
from bot.table.votes.proposals import Proposals
from engine.play.rules import RULES_VERSION
from storage import games, log
from tests.bot.support.new_posts import NewPosts
from tests.bot.support.sandbox_bot import TABLE, SandboxBot, Seated
from tests.bot.support.table_service import ANN, BOB, TableService

MODERATOR = 99
PASS = TypedMove("pass")


# --- the service -----------------------------------------------------------------------------------------------------


async def test_moderator_goes_back_to_any_move(service: TableService, played: int) -> None:
    woken = service.woken()
    one = await moderator_undo(service.tables, played, MODERATOR, 3, 4)
    by = f"<@{MODERATOR}> as a moderator undoes moves: "
    assert (one.lines, woken) == ((f"{by}**move 4** no longer counts.",), [played])
    assert [(r.kind, r.user_id) for r in await log.read_rows(service.db, played)][-1] == ("undo", MODERATOR)
    with pytest.raises(GameMovedOn):
        await moderator_undo(service.tables, played, MODERATOR, 1, 4)
    for to, why in ((4, "was undone or does not exist"), (3, "nothing to undo")):
        with pytest.raises(Refused, match=why):
            await moderator_undo(service.tables, played, MODERATOR, to, 5)
    more = await moderator_undo(service.tables, played, MODERATOR, 1, 5)
    assert more.lines == (f"{by}**moves 2 to 3** no longer count.",)
    assert await service.digest(played) == await TableService.on(service.db).digest(played)
    await service.do(played, ANN, "pass")


async def test_pausing_game_is_undone_and_ended(service: TableService, played: int) -> None:
    await begin_pause(service.tables, played, BOB, None)
    with pytest.raises(Refused, match="paus"):
        await moderator_move(service.tables, played, "p1", MODERATOR, PASS, 4)
    await moderator_undo(service.tables, played, MODERATOR, 3, 4)
    await moderator_end(service.tables, played, MODERATOR, 5)
    assert (await games.get_game(service.db, played)).status == "finished"


async def test_ended_game_is_taken_up_again(service: TableService, played: int) -> None:
    before = await service.digest(played)
    with pytest.raises(GameMovedOn):
        await moderator_end(service.tables, played, MODERATOR, 3)
    woken = service.woken()
    text = await moderator_end(service.tables, played, MODERATOR, 4)
    assert text == f"<@{MODERATOR}> as a moderator ends the game here. The current scores count."
    assert text in (await service.lines(played))[-1]
    assert woken == [played]
    assert [row.user_id for row in (await log.read_rows(service.db, played))[4:]] == [MODERATOR] * 3
    assert (await games.get_game(service.db, played)).status == "finished"
    with pytest.raises(Refused, match="has ended"):
        await moderator_end(service.tables, played, MODERATOR, 7)
    await moderator_undo(service.tables, played, MODERATOR, 4, 7)
    assert (await games.get_game(service.db, played)).status == "running"
    assert await service.digest(played) == before


async def test_abandoned_game_takes_no_move(service: TableService, thread: NewPosts) -> None:
    game = thread.game
    with pytest.raises(GameMovedOn):
        await moderator_abandon(service.tables, game, MODERATOR, 0)
    woken = service.woken()
    text = await moderator_abandon(service.tables, game, MODERATOR, 1)
    assert text == f"<@{MODERATOR}> as a moderator abandons the game. It gets no score."
    assert (await thread.new(), woken) == ([("line", {"text": text}), ("turn", {})], [game])
    for late, why in (
        (service.do(game, ANN, "pass"), "abandoned"),
        (moderator_undo(service.tables, game, MODERATOR, 1, 1), "abandoned"),
        (moderator_abandon(service.tables, game, MODERATOR, 1), "Game 1 has ended"),
        (moderator_end(service.tables, game, MODERATOR, 1), "Game 1 has ended"),
        (let_caretaker_play(service.tables, game, MODERATOR, "p3"), "Game 1 has ended"),
        (Proposals(service.tables).propose(game, ANN, lambda _: EndProposal()), "Game 1 has ended"),
    ):
        with pytest.raises(Refused, match=why):
            await late


async def test_moderator_accepts_a_position(service: TableService, thread: NewPosts) -> None:
    game = thread.game
    async with service.tables.writing(game) as live:
        live.hold_reason = "It waits."
        digest = live.game.digest()
    woken = service.woken()
    outcome = await moderator_accept(service.tables, game, MODERATOR)
    text = f"`2` <@99> accepts: the game continues from here under version {RULES_VERSION} of the rules."
    assert (outcome.seq, outcome.lines, woken) == (2, (text,), [game])
    assert await thread.new() == [("line", {"text": text}), ("board", {}), ("turn", {"fresh": ["p1"]})]
    row = (await log.read_rows(service.db, game))[-1]
    assert (row.kind, row.actor, row.user_id, row.digest) == ("accept", "", MODERATOR, digest)
    with pytest.raises(Refused, match="Game 1 is not on hold, so there is nothing to accept"):
        await moderator_accept(service.tables, game, MODERATOR)


# --- on Discord: Ann manages the server; the others do not -----------------------------------------------------------


async def asked(game: Seated, command: str, *buttons: str, **values: object) -> str:
    """A command of Ann's, and the press that confirms it; what was asked."""
    question = (await game.slash("Ann", command, **values)).ephemeral[0]
    text = question.content
    assert [button.label for button in question.buttons] == [*buttons, "No"]
    await game.press("Ann", question.buttons[0].label, question)
    await game.sandbox.settled()
    return text


async def test_undo_shows_what_would_be_lost(sandbox: SandboxBot) -> None:
    game, ann = await sandbox.game(), sandbox.person("Ann")
    for name in ("Ann", "Bob", "Cy"):
        await game.press(name, "Pass")
    offered = await ann.autocomplete(game.thread, "mod undo", focused="to", to="")
    assert [value for _, value in offered] == [3, 2, 1]
    assert offered[0][0] == "3 Bob passes. (stays)"
    assert (await game.slash("Ann", "mod undo", to=3)).text.startswith("This move will be undone:\n")
    late = (await game.slash("Ann", "mod undo", to=3)).ephemeral[0]
    assert await game.seq() == 4
    question = await asked(game, "mod undo", "Undo back to move 2", to=2)
    assert question == (
        "These 2 moves will be undone:\n> `3` **Bob** passes.\n> `4` **Cy** passes.\n"
        "-# Seats do not change. `/redo` works until the next move."
    )
    assert await sandbox.world.wait_until(lambda: "as a moderator undoes moves" in game.lines[-1])
    assert f"<@{ann.id}> as a moderator undoes moves: **moves 3 to 4**" in game.lines[-1]
    assert await sandbox.hears(await game.press("Ann", late.buttons[0].label, late), "has moved on")
    assert await game.seq() == 5
    await game.press("Bob", "Pass")


async def test_moderator_moves_by_menus(sandbox: SandboxBot) -> None:
    game, ann = await sandbox.game(("Bob", "Cy", "Dee")), sandbox.person("Ann")
    assert "moderators of games" in (await game.slash("Cy", "mod act", player="Bob")).text
    nothing = (await game.slash("Ann", "mod act", player="Cy")).text
    assert nothing == "Cy cannot do anything now; it is Bob's turn."
    menu = (await game.slash("Ann", "mod act", player="Bob")).ephemeral[0]
    assert menu.content == "**Bob**'s moves; you choose for this player:"
    assert {value[-1] for _, value in menu.selects[0].options} == {"m"}
    [value] = [value for label, value in menu.selects[0].options if label == "Pass"]
    await ann.select(menu, menu.selects[0].custom_id, [value])
    assert await sandbox.world.wait_until(lambda: bool(sandbox.world.messages[menu.id].buttons))
    shown = sandbox.world.messages[menu.id]
    await game.press("Ann", shown.buttons[0].label, shown)
    assert await sandbox.world.wait_until(lambda: any("acts for Bob" in line for line in game.lines))
    [line] = [line for line in game.lines if "acts for Bob" in line]
    assert "**Bob** passes" in line
    rows = await log.read_rows(sandbox.db, game.number)
    assert (rows[-1].actor, rows[-1].user_id) == ("p1", ann.id)
    assert f"passes. (done by {ann.mention})" in (await game.slash("Cy", "log")).text


async def test_moderator_ends_a_game(sandbox: SandboxBot) -> None:
    game, who = await sandbox.game(), sandbox.person("Ann").mention
    question = await asked(game, "mod end", "End it, with the current scores")
    assert question == "Really end game 1 here, with the current scores? The bot does not ask its players."
    assert await sandbox.world.wait_until(
        lambda: sandbox.world.channel(game.thread).archive_minutes == HOUR_MINUTES
    )
    assert any(f"{who} as a moderator ends the game here" in line for line in game.lines)
    [end] = [message for message in game.messages if "Thank you for the game" in message.content]
    assert f"{who} as a moderator has ended the game. The current scores count." in end.content
    assert "agreed to stop" not in end.content
    back = (await game.slash("Ann", "mod undo", to=1)).ephemeral[0]
    assert "The current scores count" in back.content
    assert "Game 1 has ended" in (await game.slash("Ann", "mod end")).text
    assert "is not running, so there is nothing to repair" in (await game.slash("Ann", "game repair")).text
    refused = await sandbox.person("Ann").slash("second-table", "game move-here", number=1)
    assert "is not running, so there is nothing to repair" in refused.text


async def test_moderator_corrects_and_closes_a_lobby(sandbox: SandboxBot) -> None:
    ann, bob, cy = (sandbox.person(name) for name in ("Ann", "Bob", "Cy"))
    await bob.slash(TABLE, "game new", title="18al")
    lobby = sandbox.lobby()
    await cy.press(lobby, "Join")
    assert "moderators" in (await cy.slash(TABLE, "mod options", number=1, options="none")).text
    rules = await ann.slash(TABLE, "mod options", number=1, options="unlimited_4d")
    seats = await ann.slash(TABLE, "mod seats", number=1, first=cy.id, second=bob.id)
    corrected = f"<@{ann.id}> as a moderator has corrected "
    assert rules.text.startswith(f"{corrected}the rules: ")
    assert seats.text == f"{corrected}the seats: Cy, Bob"
    posted = [m.content for m in ann.messages(TABLE) if corrected in m.content and not m.ephemeral]
    assert posted == [f"**Game 1: 18AL**: {text}" for text in (rules.text, seats.text)]
    shown = sandbox.world.messages[lobby.id].content
    assert "Any number of 4D-trains" in shown
    assert "1. Cy\n2. Bob\n" in shown
    await ann.press((await ann.slash(TABLE, "mod close", number=1)).ephemeral[0], "No")
    question = (await ann.slash(TABLE, "mod close", number=1)).ephemeral[0]
    asks = "Really close game 1, 18AL, before it has started? You cannot reopen it."
    assert (question.content, (await games.get_game(sandbox.db, 1)).status) == (asks, "lobby")
    await ann.press(question, "Close it")
    assert await sandbox.world.wait_until(lambda: not lobby.buttons)
    assert lobby.content == f"**Game 1: 18AL** was closed by <@{ann.id}> as a moderator. Cy and Bob"
    assert (await games.get_game(sandbox.db, 1)).status == "abandoned"


async def test_repair_is_for_players_and_moderators(sandbox: SandboxBot) -> None:
    game = await sandbox.game()
    await sandbox.person("Bob").slash(TABLE, "game new", title="18al")
    for number in (1, 2):
        answer = await sandbox.person("Dee").slash(TABLE, "game repair", number=number)
        assert "Manage Threads" in answer.text
    answer = await sandbox.person("Bob").slash(TABLE, "game repair", number=2)
    assert answer.text == f"The lobby message of game 2 is in <#{sandbox.lobby_channel}> and up to date."
    threads.change_channel(sandbox.world, sandbox.world.channel(game.thread), {"locked": True})
    await sandbox.learns(lambda: bool(getattr(sandbox.client.get_channel(game.thread), "locked", False)))
    assert "this thread is locked" in (await sandbox.person("Ann").slash(TABLE, "game repair", number=1)).text
