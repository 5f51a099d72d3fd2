"""What users read is true: what was stored is said to be, and `nothing was changed` only where that is certain."""

import asyncio
import sqlite3
from collections.abc import Callable
from contextlib import closing
from typing import Any

import pytest

from bot.sandbox.guild import messages, permissions
from bot.table.errors import NotKnown, NotStored, Untouched, error_sentence
from bot.table.lobby import Lobbies
from bot.table.moves.moves import Typed
from storage import StorageError, games, log, seats
from tests.bot.support.lost_connections import breaks
from tests.bot.support.positions import actor_of, ruined
from tests.bot.support.sandbox_bot import TABLE, SandboxBot
from tests.bot.support.table_service import ANN, BOB, CHANNEL, CY, GUILD, TableService
from tests.support.unsent import unsent

pytestmark = pytest.mark.usefixtures("undrawn")

TWICE = 2
LONG = 1000
"""Faults enough for a whole test."""

# --- whether a move is stored ----------------------------------------------------------------------------------------


async def test_a_move_that_was_stored_although_the_answer_was_lost_is_done(
    service: TableService, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The database is asked again, and has it."""
    game = await service.game()
    with monkeypatch.context() as patch:
        breaks(patch, log, "commit_move", done=True)
        outcome = await service.do(game, ANN, "pass")
    assert outcome.seq == 2
    await service.do(game, BOB, "pass", expected=2)
    assert await TableService.on(service.db).digest(game) == await service.digest(game)


async def test_a_move_that_was_not_stored_is_said_not_to_be(
    service: TableService, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = await service.game()
    before = await service.digest(game)
    with monkeypatch.context() as patch:
        breaks(patch, log, "commit_move", done=False)
        with pytest.raises(Untouched) as caught:
            await service.do(game, ANN, "pass")
    assert "Nothing was changed. Please try again" in error_sentence(caught.value)
    assert await service.digest(game) == before
    await service.do(game, ANN, "pass", expected=1)


@pytest.mark.parametrize("done", [True, False])
async def test_where_the_database_cannot_be_asked_again_nobody_knows(
    service: TableService, monkeypatch: pytest.MonkeyPatch, done: bool
) -> None:
    """Then it is said where to look."""
    game = await service.game()
    await service.digest(game)
    with monkeypatch.context() as patch:
        breaks(patch, log, "commit_move", done=done)
        breaks(patch, log, "read", done=False)
        with pytest.raises(NotKnown, match=r"not known.*`/log` and the newest turn message") as caught:
            await service.do(game, ANN, "pass")
    assert "othing was changed" not in error_sentence(caught.value)
    assert await log.last_seq(service.db, game) == 1 + done
    assert await service.digest(game) == await TableService.on(service.db).digest(game)


async def test_a_storage_error_after_the_commit_is_no_reason_to_say_that_nothing_was_changed(
    service: TableService, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = await service.game()
    commit = log.commit_move

    async def lost(*args: Any, **values: Any) -> int:
        await commit(*args, **values)
        raise StorageError("The disk failed; nothing was changed.")

    with monkeypatch.context() as patch:
        patch.setattr(log, "commit_move", lost)
        assert (await service.do(game, ANN, "pass")).seq == 2

    async def refused(*_: Any, **__: Any) -> int:
        raise StorageError("The disk failed; nothing was changed.")

    with monkeypatch.context() as patch:
        patch.setattr(log, "commit_move", refused)
        with pytest.raises(NotStored):
            await service.do(game, BOB, "pass")


async def test_what_nobody_foresaw_claims_nothing() -> None:
    """Outside of what is known to have stored nothing."""
    assert "othing was changed" not in error_sentence(KeyError("x"))


@pytest.mark.parametrize(
    ("module", "name", "act"),
    [
        (seats, "join", lambda lobbies, game: lobbies.join(game, 99, "Dee")),
        (seats, "leave", lambda lobbies, game: lobbies.leave(game, BOB)),
        (seats, "reorder", lambda lobbies, game: lobbies.arrange(game, ANN, (CY, BOB, ANN))),
        (games, "set_rules", lambda lobbies, game: lobbies.choose(game, ANN, "18xx.games", None)),
        (log, "commit_start", lambda lobbies, game: lobbies.start(game, ANN)),
        (games, "abandon", lambda lobbies, game: lobbies.give_up(game, ANN)),
    ],
)
async def test_what_was_done_with_a_lobby_is_known_too(
    service: TableService,
    monkeypatch: pytest.MonkeyPatch,
    module: Any,
    name: str,
    act: Callable[[Lobbies, int], Any],
) -> None:
    game = await service.lobby()
    with monkeypatch.context() as patch:
        breaks(patch, module, name, done=False)
        with pytest.raises(Untouched):
            await act(service.lobbies, game)
    with monkeypatch.context() as patch:
        breaks(patch, module, name, done=True)
        await act(service.lobbies, game)


async def test_a_game_that_was_opened_is_found_among_others_where_the_answer_was_lost(
    service: TableService, monkeypatch: pytest.MonkeyPatch
) -> None:
    earlier = await service.lobby()
    breaks(monkeypatch, games, "create_game", done=True)
    assert await service.lobby() == earlier + 1


async def test_a_game_whose_opener_finds_no_seat_is_not_left_open(
    service: TableService, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        breaks(patch, seats, "join", done=False)
        with pytest.raises(ConnectionError):
            await service.lobby()
    assert await games.list_games(service.db, GUILD, "lobby") == []


async def test_a_lobby_that_was_being_opened_when_the_bot_died_is_cleared(service: TableService) -> None:
    """It has no message. One that has is left alone."""
    posted, lost = await service.lobby(), await service.lobby()
    await service.tables.show_in(posted, CHANNEL + 1)
    await service.lobbies.clear()
    assert [row.id for row in await games.games_in(service.db, "lobby")] == [posted]
    assert (await games.get_game(service.db, lost)).status == "abandoned"


# --- what could not be shown -----------------------------------------------------------------------------------------


async def test_a_move_whose_answer_could_not_be_sent_is_said_to_be_stored(sandbox: SandboxBot) -> None:
    game = await sandbox.game()
    sandbox.server.faults.fail("POST /api/v10/webhooks/", status=400, code=50035)
    answered = await game.slash("Ann", "pass")
    assert "Your move is stored (number 2)." in answered.text
    assert "othing was changed" not in answered.text
    assert await game.seq() == 2


@pytest.mark.parametrize(
    ("body", "content_type"),
    [
        ("<html>Too many requests</html>", "text/html"),
        ("<html>Too many requests</html>", "application/json"),
        ('{"message": "Too many requests"}', "application/json"),
        ('"Too many requests"', "application/json"),
    ],
)
async def test_a_limit_that_does_not_say_how_long_it_lasts_means_that_discord_is_out_of_reach(
    sandbox: SandboxBot, body: str, content_type: str, caplog: pytest.LogCaptureFixture
) -> None:
    game = await sandbox.game()
    sandbox.server.faults.jam("POST /api/v10/webhooks/", body, content_type)
    answered = await game.slash("Ann", "pass")
    assert "Your move is stored (number 2)." in answered.text
    assert "Discord cannot be reached just now." in answered.text
    assert "incident" not in caplog.text


@pytest.mark.usefixtures("unfilmed")
async def test_a_confirmed_move_whose_question_could_not_be_edited_is_said_to_be_stored(
    sandbox: SandboxBot,
) -> None:
    game = await ruined(sandbox)
    name, seq = actor_of(game), await game.seq()
    question = (await game.slash(name, "bankrupt")).ephemeral[0]
    sandbox.server.faults.fail("/callback", status=404, code=10008)
    answered = await game.press(name, question.buttons[0].label, question)
    assert await sandbox.hears(answered, f"Your move is stored (number {seq + 1}).")
    assert "The message is gone" in answered.text


async def test_a_move_by_menus_whose_last_menu_is_gone_is_said_to_be_stored(sandbox: SandboxBot) -> None:
    game, ann = await sandbox.game(), sandbox.person("Ann")
    modal = (await game.press("Ann", "CV: another bid …")).modal
    assert modal is not None
    number = (await ann.submit(modal, amount="230")).ephemeral[0].id
    menu = sandbox.world.messages[number]
    sandbox.server.faults.fail("/callback", status=404, code=10008)
    answered = await ann.press(menu, menu.buttons[0].label)
    assert await sandbox.hears(answered, "Your move is stored (number 2).")


async def test_an_answer_that_can_be_sent_in_no_way_harms_nothing(
    sandbox: SandboxBot, caplog: pytest.LogCaptureFixture
) -> None:
    """The thread shows the move."""
    game = await sandbox.game()
    sandbox.server.faults.fail("POST /api/v10/webhooks/", status=400, code=50035, times=TWICE)
    ann = asyncio.create_task(sandbox.person("Ann").slash(game.thread, "pass"))
    assert await sandbox.world.until(lambda: any("`2`" in line for line in game.lines), timeout=20)
    await sandbox.settled()
    assert await sandbox.world.until(lambda: sandbox.server.faults.served == TWICE, timeout=20)
    ann.cancel()
    await asyncio.gather(ann, return_exceptions=True)
    assert "this could not be said: Your move is stored (number 2)." in caplog.text


@pytest.mark.parametrize(
    ("button", "says"), [("Join", "You have a seat in game 1."), ("Leave", "is free again")]
)
async def test_joining_is_done_although_the_lobby_message_cannot_be_edited(
    sandbox: SandboxBot, button: str, says: str
) -> None:
    await sandbox.person("Ann").slash(TABLE, "game new", title="18chesapeake")
    bob = sandbox.person("Bob")
    if button == "Leave":
        await bob.press(sandbox.lobby(), "Join")
    sandbox.server.faults.fail("/callback", status=403)
    answered = await bob.press(sandbox.lobby(), button)
    assert await sandbox.hears(answered, says)
    assert "View Channel" in answered.text
    assert "shows it with its next change" in answered.text
    seated = [seat.display_name for seat in await seats.seats(sandbox.db, 1)]
    assert seated == (["Ann", "Bob"] if button == "Join" else ["Ann"])


async def test_a_game_starts_although_its_lobby_message_cannot_be_edited(sandbox: SandboxBot) -> None:
    ann = sandbox.person("Ann")
    await ann.slash(TABLE, "game new", title="18chesapeake")
    await sandbox.person("Bob").press(sandbox.lobby(), "Join")
    sandbox.server.faults.fail("PATCH /api/v10/channels/", status=403)
    answered = await ann.slash(TABLE, "game start")
    assert "Game 1 has started; its thread is opening." in answered.text
    assert "View Channel" in answered.text
    await sandbox.settled()
    assert (await games.get_game(sandbox.db, 1)).board_message_id is not None


async def test_a_player_gets_an_answer_when_the_bot_is_stopped_while_the_move_is_stored(
    sandbox: SandboxBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = await sandbox.game()
    reached = asyncio.Event()
    task: list[asyncio.Task[Any] | None] = []

    async def hanging(*_: Any, **__: Any) -> int:
        task.append(asyncio.current_task())
        reached.set()
        await asyncio.Event().wait()
        raise AssertionError

    monkeypatch.setattr(log, "commit_move", hanging)
    pressed = asyncio.create_task(sandbox.person("Ann").slash(game.thread, "pass"))
    await asyncio.wait_for(reached.wait(), 20)
    assert task[0] is not None
    task[0].cancel()
    text = (await pressed).text
    assert "It is not known whether this was stored: the bot was stopped meanwhile" in text
    assert "`/log`" in text


# --- permissions -----------------------------------------------------------------------------------------------------


async def lobbies(sandbox: SandboxBot) -> list[games.GameRow]:
    """What is open."""
    return await games.games_in(sandbox.db, "lobby")


async def test_a_game_that_cannot_be_posted_is_not_opened(sandbox: SandboxBot) -> None:
    sandbox.server.faults.fail("POST /api/v10/channels/", status=403)
    answered = await sandbox.person("Ann").slash(TABLE, "game new", title="18chesapeake")
    assert "not opened, and nothing is left of it" in answered.text
    assert "Send Messages" in answered.text
    assert await lobbies(sandbox) == []
    assert "in no game" in (await sandbox.person("Ann").slash(TABLE, "mine")).text


async def test_a_game_that_is_posted_but_cannot_be_noted_leaves_no_message(
    sandbox: SandboxBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        breaks(patch, games, "show_in", done=False)
        answered = await sandbox.person("Ann").slash(TABLE, "game new", title="18chesapeake")
    assert "nothing is left of it" in answered.text
    assert await lobbies(sandbox) == []
    assert sandbox.person("Ann").messages(TABLE) == answered.messages


@pytest.mark.parametrize(
    ("bit", "called"),
    [
        (permissions.SEND_MESSAGES, "Send Messages"),
        (permissions.EMBED_LINKS, "Embed Links"),
        (permissions.ATTACH_FILES, "Attach Files"),
        (permissions.CREATE_THREADS, "Create Public Threads"),
        (permissions.SEND_IN_THREADS, "Send Messages in Threads"),
        (permissions.READ_HISTORY, "Read Message History"),
    ],
)
async def test_a_missing_permission_is_named_before_a_game_is_opened(
    sandbox: SandboxBot, bit: int, called: str
) -> None:
    sandbox.world.withheld = bit
    answered = await sandbox.person("Ann").slash(TABLE, "game new", title="18chesapeake")
    assert f"the permission {called} is missing" in answered.text
    assert "Server Settings, Roles" in answered.text
    assert await games.list_games(sandbox.db, sandbox.client.guilds[0].id) == []


async def test_a_game_whose_thread_cannot_be_made_says_which_permission_is_missing_and_waits(
    sandbox: SandboxBot,
) -> None:
    """It is stored; the thread comes as soon as the permission is given."""
    ann = sandbox.person("Ann")
    await ann.slash(TABLE, "game new", title="18chesapeake")
    await sandbox.person("Bob").press(sandbox.lobby(), "Join")
    lobby = sandbox.lobby()
    sandbox.server.faults.fail("/threads", status=403, code=50013, times=LONG)
    answered = await ann.slash(TABLE, "game start")
    assert "Game 1 has started" in answered.text
    assert await sandbox.world.until(lambda: "cannot be made yet" in lobby.content, timeout=20)
    assert "Create Public Threads" in lobby.content
    for command in ("mine", "game list"):
        assert "Create Public Threads" in (await ann.slash(TABLE, command)).text
    sandbox.server.faults.clear()
    async with asyncio.timeout(20):
        while await unsent(sandbox.db):
            sandbox.client.sender.wake(1)
            await asyncio.sleep(0.05)
    row = await games.get_game(sandbox.db, 1)
    assert row.thread_id in sandbox.world.channels
    assert await sandbox.world.until(lambda: "has started. " in lobby.content, timeout=20)
    assert "Create Public Threads" not in (await ann.slash(TABLE, "mine")).text


async def test_the_answer_to_a_move_says_why_the_thread_does_not_show_it(sandbox: SandboxBot) -> None:
    """By command and by button, where it was not known before the move."""
    game = await sandbox.game()
    posts = f"POST /api/v10/channels/{game.thread}/messages"
    sandbox.server.faults.fail(posts, status=403, code=50013, times=LONG)
    await sandbox.person("Ann").press(game.turn, "Pass")
    async with asyncio.timeout(20):
        while sandbox.client.delivery_problems.of(game.number) is None:  # noqa: ASYNC110 - nobody tells
            await asyncio.sleep(0.01)
    typed = await sandbox.person("Bob").slash(game.thread, "pass")
    assert "Done, move 3" in typed.text
    assert "does not show it yet" in typed.text
    assert "Send Messages in Threads" in typed.text
    undone = await sandbox.person("Bob").slash(game.thread, "undo")
    assert "does not show it yet" in undone.text


async def test_a_deleted_thread_is_named(sandbox: SandboxBot) -> None:
    game = await sandbox.game()
    sandbox.server.faults.fail(f"/channels/{game.thread}/", status=404, code=10003, times=LONG)
    await sandbox.person("Ann").press(game.turn, "Pass")
    async with asyncio.timeout(20):
        while sandbox.client.delivery_problems.of(game.number) is None:  # noqa: ASYNC110 - nobody tells
            await asyncio.sleep(0.01)
    assert "The channel or thread is gone" in (await sandbox.person("Ann").slash(TABLE, "mine")).text


async def test_a_locked_thread_is_named(sandbox: SandboxBot) -> None:
    game = await sandbox.game()
    thread = sandbox.world.channel(game.thread)
    thread.archived = thread.locked = True
    await sandbox.client.tables.submit(game.number, sandbox.person("Ann").id, Typed("pass"))
    async with asyncio.timeout(20):
        while sandbox.client.delivery_problems.of(game.number) is None:  # noqa: ASYNC110 - nobody tells
            await asyncio.sleep(0.01)
    listed = (await sandbox.person("Ann").slash(TABLE, "game list")).text
    assert "archived" in listed
    assert "unlocks it" in listed


async def test_a_lobby_message_that_is_gone_is_posted_again(sandbox: SandboxBot) -> None:
    await sandbox.person("Ann").slash(TABLE, "game new", title="18chesapeake")
    messages.delete(sandbox.world, sandbox.lobby())
    joined = await sandbox.person("Bob").slash(TABLE, "game join")
    assert "You have a seat in game 1." in joined.text
    assert "2. Bob" in sandbox.lobby().content
    with closing(sqlite3.connect(sandbox.database)) as conn:
        assert conn.execute("SELECT COUNT(*) FROM games").fetchone()[0] == 1
