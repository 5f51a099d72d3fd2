"""Answers are true: stored moves are said to be stored, and `nothing was changed` is said only where that is
certain.
"""

import asyncio
from collections.abc import Awaitable, Callable
from types import ModuleType

import pytest

from bot.sandbox.guild import permissions
from bot.table.errors import FailedBeforeStoring, OutcomeNotKnown, error_sentence
from bot.table.lobby import Lobbies
from storage import games, log, seats
from tests.bot.support.lost_connections import breaks
from tests.bot.support.positions import actor_of, ruined
from tests.bot.support.sandbox_bot import TABLE, SandboxBot
from tests.bot.support.table_service import ANN, BOB, CHANNEL, CY, GUILD, TableService
from tests.support.unsent import unsent

pytestmark = pytest.mark.usefixtures("undrawn")

LONG = 1000
"""Faults enough for a whole test."""

# --- whether a move is stored ----------------------------------------------------------------------------------------


async def test_lost_answer_of_a_stored_move(service: TableService, monkeypatch: pytest.MonkeyPatch) -> None:
    game = await service.game()
    with monkeypatch.context() as patch:
        breaks(patch, log, "commit_move", done=True)
        assert (await service.do(game, ANN, "pass")).seq == 2
    await service.do(game, BOB, "pass", expected=2)
    assert await TableService.on(service.db).digest(game) == await service.digest(game)


async def test_move_that_was_not_stored(service: TableService, monkeypatch: pytest.MonkeyPatch) -> None:
    game = await service.game()
    before = await service.digest(game)
    with monkeypatch.context() as patch:
        breaks(patch, log, "commit_move", done=False)
        with pytest.raises(FailedBeforeStoring) as caught:
            await service.do(game, ANN, "pass")
    assert "Nothing was changed. Please try again" in error_sentence(caught.value)
    assert await service.digest(game) == before
    await service.do(game, ANN, "pass", expected=1)


@pytest.mark.parametrize("done", [True, False])
async def test_nobody_knows_if_it_is_stored(
    service: TableService, monkeypatch: pytest.MonkeyPatch, done: bool
) -> None:
    game = await service.game()
    await service.digest(game)
    with monkeypatch.context() as patch:
        breaks(patch, log, "commit_move", done=done)
        breaks(patch, log, "read_rows", done=False)
        with pytest.raises(
            OutcomeNotKnown, match=r"does not know.*`/log` and the newest turn message"
        ) as caught:
            await service.do(game, ANN, "pass")
    assert "othing was changed" not in error_sentence(caught.value)
    assert await log.last_seq(service.db, game) == 1 + done
    assert await service.digest(game) == await TableService.on(service.db).digest(game)


def test_unforeseen_error_claims_nothing() -> None:
    assert "othing was changed" not in error_sentence(KeyError("x"))


@pytest.mark.parametrize(
    ("module", "name", "act"),
    [
        (seats, "join_game", lambda lobbies, game: lobbies.join(game, 99, "Dee")),
        (seats, "leave_game", lambda lobbies, game: lobbies.leave(game, BOB)),
        (seats, "reorder_seats", lambda lobbies, game: lobbies.set_seat_order(game, ANN, (CY, BOB, ANN))),
        (games, "set_rules", lambda lobbies, game: lobbies.choose_rules(game, ANN, "18xx.games", None)),
        (log, "commit_start", lambda lobbies, game: lobbies.start(game, ANN)),
        (games, "abandon_game", lambda lobbies, game: lobbies.close_lobby(game, ANN)),
    ],
)
async def test_lost_answers_in_a_lobby(
    service: TableService,
    monkeypatch: pytest.MonkeyPatch,
    module: ModuleType,
    name: str,
    act: Callable[[Lobbies, int], Awaitable[object]],
) -> None:
    game = await service.lobby()
    with monkeypatch.context() as patch:
        breaks(patch, module, name, done=False)
        with pytest.raises(FailedBeforeStoring):
            await act(service.lobbies, game)
    with monkeypatch.context() as patch:
        breaks(patch, module, name, done=True)
        await act(service.lobbies, game)


async def test_lost_answers_of_opening(service: TableService, monkeypatch: pytest.MonkeyPatch) -> None:
    """The game is found among others; where its opener finds no seat, it is not left open."""
    earlier = await service.lobby()
    with monkeypatch.context() as patch:
        breaks(patch, games, "create_game", done=True)
        assert await service.lobby() == earlier + 1
    with monkeypatch.context() as patch:
        breaks(patch, seats, "join_game", done=False)
        with pytest.raises(ConnectionError):
            await service.lobby()
    assert [row.id for row in await games.list_games(service.db, GUILD, "lobby")] == [earlier, earlier + 1]


async def test_lobby_without_a_message_is_cleared(service: TableService) -> None:
    """The bot died as it was opened."""
    posted, lost = await service.lobby(), await service.lobby()
    await service.tables.record_thread_of_game(posted, CHANNEL + 1)
    await service.lobbies.abandon_unposted_lobbies()
    assert [row.id for row in await games.games_with_status(service.db, "lobby")] == [posted]
    assert (await games.get_game(service.db, lost)).status == "abandoned"


# --- what could not be shown -----------------------------------------------------------------------------------------


async def test_rate_limit_without_a_time(sandbox: SandboxBot, caplog: pytest.LogCaptureFixture) -> None:
    game = await sandbox.game()
    for name, body, content_type in (
        ("Ann", "<html>Too many requests</html>", "text/html"),
        ("Bob", "<html>Too many requests</html>", "application/json"),
        ("Cy", '{"message": "Too many requests"}', "application/json"),
        ("Ann", '"Too many requests"', "application/json"),
    ):
        sandbox.server.faults.jam("/callback", body, content_type)
        answered = await game.slash(name, "pass")
        assert f"Your move is stored (number {await game.seq()})." in answered.text
        assert "I cannot reach Discord right now." in answered.text
    assert "incident" not in caplog.text


@pytest.mark.usefixtures("unfilmed")
async def test_confirmed_move_whose_question_is_gone(sandbox: SandboxBot) -> None:
    game = await ruined(sandbox)
    name, seq = actor_of(game), await game.seq()
    question = (await game.slash(name, "move", move="bankrupt")).ephemeral[0]
    sandbox.server.faults.fail("/callback", status=404, code=10008)
    answered = await game.press(name, question.buttons[0].label, question)
    assert await sandbox.hears(answered, f"Your move is stored (number {seq + 1}).")
    assert "The message was deleted" in answered.text


async def test_answer_that_cannot_be_sent_at_all(
    sandbox: SandboxBot, caplog: pytest.LogCaptureFixture
) -> None:
    game = await sandbox.game()
    sandbox.server.faults.fail("/callback", status=400, code=50035, times=2)
    ann = asyncio.create_task(sandbox.person("Ann").slash(game.thread, "pass"))
    assert await sandbox.world.wait_until(lambda: len(game.moves) == 2, timeout=20)
    await sandbox.settled()
    assert await sandbox.world.wait_until(lambda: sandbox.server.faults.served == 2, timeout=20)
    ann.cancel()
    await asyncio.gather(ann, return_exceptions=True)
    assert "could not send this: Your move is stored (number 2)." in caplog.text


async def test_lobby_message_that_cannot_be_edited(sandbox: SandboxBot) -> None:
    await sandbox.person("Ann").slash(TABLE, "game new", title="18chesapeake")
    for button, says, seated in (
        ("Join", "You have a seat in game 1.", ["Ann", "Bob"]),
        ("Leave", "You have left game", ["Ann"]),
    ):
        sandbox.server.faults.fail("/callback", status=403)
        answered = await sandbox.person("Bob").press(sandbox.lobby(), button)
        assert await sandbox.hears(answered, says)
        assert "View Channel" in answered.text
        assert "will show this when it is next updated" in answered.text
        assert [seat.display_name for seat in await seats.seats(sandbox.db, 1)] == seated


async def test_start_without_an_edit_of_the_lobby(sandbox: SandboxBot) -> None:
    ann = sandbox.person("Ann")
    await ann.slash(TABLE, "game new", title="18chesapeake")
    await sandbox.person("Bob").press(sandbox.lobby(), "Join")
    sandbox.server.faults.fail("PATCH /api/v10/channels/", status=403)
    answered = await ann.slash(TABLE, "game start")
    assert "Game 1 has started; its thread is opening." in answered.text
    assert "View Channel" in answered.text
    await sandbox.settled()
    assert (await games.get_game(sandbox.db, 1)).board_message_id is not None


async def test_bot_stopped_while_storing(sandbox: SandboxBot, monkeypatch: pytest.MonkeyPatch) -> None:
    game, reached = await sandbox.game(), asyncio.Event()
    task: list[asyncio.Task[object] | None] = []

    async def hanging(*_: object, **__: object) -> int:
        task.append(asyncio.current_task())
        reached.set()
        await asyncio.Event().wait()
        raise AssertionError

    # A disk that takes for ever.
    monkeypatch.setattr(log, "commit_move", hanging)
    pressed = asyncio.create_task(sandbox.person("Ann").slash(game.thread, "pass"))
    await asyncio.wait_for(reached.wait(), 20)
    assert task[0] is not None
    task[0].cancel()
    text = (await pressed).text
    assert "The bot does not know if it stored this: it stopped in the meantime" in text
    assert "`/log`" in text


# --- permissions -----------------------------------------------------------------------------------------------------


async def test_game_that_cannot_be_posted(sandbox: SandboxBot, monkeypatch: pytest.MonkeyPatch) -> None:
    ann = sandbox.person("Ann")
    sandbox.server.faults.fail("POST /api/v10/channels/", status=403)
    answered = await ann.slash(TABLE, "game new", title="18chesapeake")
    assert "The game was not opened" in answered.text
    assert "Send Messages" in answered.text
    before = ann.messages(TABLE)
    with monkeypatch.context() as patch:
        breaks(patch, games, "set_thread", done=False)
        answered = await ann.slash(TABLE, "game new", title="18chesapeake")
    assert "The game was not opened" in answered.text
    assert ann.messages(TABLE) == [*before, *answered.messages]
    assert await games.games_with_status(sandbox.db, "lobby") == []
    assert "You have no games" in (await ann.slash(TABLE, "mine")).text


async def test_permissions_to_open_a_game(sandbox: SandboxBot) -> None:
    for bit, name in (
        (permissions.SEND_MESSAGES, "Send Messages"),
        (permissions.EMBED_LINKS, "Embed Links"),
        (permissions.ATTACH_FILES, "Attach Files"),
        (permissions.CREATE_THREADS, "Create Public Threads"),
        (permissions.SEND_IN_THREADS, "Send Messages in Threads"),
        (permissions.READ_HISTORY, "Read Message History"),
    ):
        sandbox.world.withheld_permissions = bit
        answered = await sandbox.person("Ann").slash(TABLE, "game new", title="18chesapeake")
        assert f"the permission {name}" in answered.text
        assert "Server Settings under Roles" in answered.text
    assert await games.list_games(sandbox.db, sandbox.client.guilds[0].id) == []


async def test_thread_that_cannot_be_made(sandbox: SandboxBot) -> None:
    """The game is stored; the thread comes as soon as the permission is given."""
    ann = sandbox.person("Ann")
    await ann.slash(TABLE, "game new", title="18chesapeake")
    await sandbox.person("Bob").press(sandbox.lobby(), "Join")
    lobby = sandbox.lobby()
    sandbox.server.faults.fail("/threads", status=403, code=50013, times=LONG)
    assert "Game 1 has started" in (await ann.slash(TABLE, "game start")).text
    assert await sandbox.world.wait_until(lambda: "cannot create its thread yet" in lobby.content, timeout=20)
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
    assert await sandbox.world.wait_until(lambda: "has started. " in lobby.content, timeout=20)
    assert "Create Public Threads" not in (await ann.slash(TABLE, "mine")).text


async def test_moves_say_why_they_are_not_shown(sandbox: SandboxBot) -> None:
    game = await sandbox.game()
    posts = f"POST /api/v10/channels/{game.thread}/messages"
    sandbox.server.faults.fail(posts, status=403, code=50013, times=LONG)
    turn = game.turn
    await sandbox.person("Ann").press(turn, "Pass")
    await sandbox.learns(lambda: sandbox.client.delivery_problems.problem_of(game.number) is not None)
    typed = await sandbox.person("Bob").slash(game.thread, "pass")
    assert "Done, move 3" in typed.text
    assert "The thread does not show it yet." in typed.text
    assert "Send Messages in Threads" in typed.text
    pressed = await sandbox.person("Bob").press_removed_button(turn, f"u:{game.number}:3")
    assert await sandbox.hears(pressed, "Your move is stored (number 4). The thread does not show it yet.")
    assert "does not show it yet" in (await sandbox.person("Bob").slash(game.thread, "redo")).text
