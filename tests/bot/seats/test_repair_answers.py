"""`/game repair` and `/game move-here`: what is shown again, who is asked about the rest, and what is said."""

from types import SimpleNamespace
from typing import Any

import discord
import pytest

from bot.client.entry.showable import LOCKED
from bot.client.features import lobby_messages, repair
from bot.client.places.lost_threads import without_channel
from bot.client.requests.permission_problems import UNKNOWN_CHANNEL
from bot.table.errors import NotYours, Refused
from bot.table.outbox import notices
from bot.table.outbox.notices import TurnChange
from storage import outbox
from tests.bot.support.asked import COMMAND, Asked
from tests.bot.support.declared import typed
from tests.bot.support.table_service import ANN, CHANNEL, GUILD, TableService

EVE, THREAD, NEW, ELSEWHERE = 99, 77, 78, 6


def not_found(code: int) -> discord.NotFound:
    response: Any = SimpleNamespace(status=404, reason="Not Found")
    return discord.NotFound(response, {"code": code, "message": "gone"})


class Text(discord.TextChannel):
    """Another channel."""

    def __init__(self) -> None:
        self.id, self._type = ELSEWHERE, 0


class Forum(discord.ForumChannel):
    """Another channel, which is a forum."""

    def __init__(self) -> None:
        self.id = ELSEWHERE


class Workshop:
    """What repairs games, and in order what it has done."""

    def __init__(self, service: TableService, monkeypatch: pytest.MonkeyPatch) -> None:
        self.service = service
        self.done: list[str] = []
        self.there, self.officer, self.fails, self.plan = True, False, None, None
        self.tables = service.tables
        self.threads = self.forums = self.lost_threads = self.turns = self
        monkeypatch.setattr(repair, "moderates", self._moderates)
        monkeypatch.setattr(repair, "require", self._require)
        monkeypatch.setattr(repair, "ask", self.ask)
        monkeypatch.setattr(repair, "find_repair", self._find)
        monkeypatch.setattr(lobby_messages, "show", self._show_lobby)
        monkeypatch.setattr(repair, "ask_to_accept", self.ask_to_accept)

    async def repair(self, asked: Any, game: int) -> None:
        """Somebody asks for a repair."""
        await self._typed(asked, "game repair", game)

    async def move_here(self, asked: Any, game: int) -> None:
        """Somebody moves a game."""
        await self._typed(asked, "game move-here", game)

    async def _typed(self, asked: Any, name: str, game: int) -> None:
        asked.client, self.get_channel = self, asked.client.get_channel
        await typed(asked, name, number=game)

    there: bool
    officer: bool
    fails: Exception | None
    plan: object
    get_channel: Any

    async def _moderates(self, _: object) -> bool:
        return self.officer

    async def _require(self, _: object, right: str, game: int) -> None:
        if not self.officer:
            raise NotYours(f"{right} {game}")

    async def _show_lobby(self, _: object, game: int) -> None:
        self.done.append(f"lobby {game} shown")

    async def ask(self, *about: Any) -> bool:
        """Whether a thread is there; or a moderator is asked about a plan."""
        if len(about) == 1:
            assert about == (THREAD,)
            return self.there
        self.done.append(f"asked about {about[1:]}")
        return True

    async def _find(self, _: object, game: int) -> object:
        self.done.append(f"looked into {game}")
        return self.plan

    async def ask_to_accept(self, _: object, game: int, seq: int, why: str) -> None:
        """A moderator is asked whether a game continues."""
        self.done.append(f"continue {game} after {seq}: {why}")

    async def remove(self, game: int) -> None:
        """The turn message goes."""
        if self.fails is not None:
            raise self.fails
        self.done.append(f"turn of {game} removed")

    async def of(self, game: int) -> Any:
        """The thread of a game."""

        async def send(text: str, *, silent: bool) -> None:
            self.done.append(f"in {game}: {text} {silent}")

        return SimpleNamespace(send=send)

    async def prepare_forum(self, forum: Any, name: str) -> None:
        """The forum has tags."""
        self.done.append(f"tags of {name} in {forum.id}")

    async def move(self, row: Any, channel: int, why: str) -> int:
        """A game gets another thread."""
        if self.fails is not None:
            raise self.fails
        self.done.append(f"{row.id} to {channel}: {why}")
        return NEW

    async def game(self, status: str = "running") -> int:
        """A game of Ann, Bob and Cy in a thread."""
        number = await self.service.game()
        sql = "UPDATE games SET thread_id = ?, status = ? WHERE id = ?"
        await self.service.db.write(lambda tx: tx.run(sql, THREAD, status, number))
        await self.service.db.write(lambda tx: tx.run("DELETE FROM outbox"))
        return number


@pytest.fixture
def workshop(service: TableService, monkeypatch: pytest.MonkeyPatch) -> Workshop:
    return Workshop(service, monkeypatch)


def asked_by(user: int = ANN, *, guild: int = GUILD, locked: bool = False, channel: Any = None) -> Any:
    asked: Any = Asked(user, "Ann", COMMAND)
    thread: Any = object.__new__(discord.Thread)
    thread.locked = locked
    asked.guild_id, asked.channel, asked.channel_id = guild, channel, ELSEWHERE
    asked.app_permissions = discord.Permissions.all()
    asked.client = SimpleNamespace(get_channel={THREAD: thread}.get)
    return asked


async def test_the_message_of_a_lobby_is_shown_again(workshop: Workshop) -> None:
    game, asked, stranger = await workshop.service.lobby(), asked_by(), asked_by(EVE)
    await workshop.repair(asked, game)
    assert (asked.answers, asked.deferred) == (
        [f"The message of game 1 is in <#{CHANNEL}>, up to date."],
        True,
    )
    assert workshop.done == ["lobby 1 shown"]
    with pytest.raises(NotYours, match="moderate 1"):
        await workshop.repair(stranger, game)
    with pytest.raises(Refused, match="Game 1 is not played on this server"):
        await workshop.repair(asked_by(guild=GUILD + 1), game)
    assert workshop.done == ["lobby 1 shown"]


async def test_where_the_thread_is_there_board_and_turn_message_are_posted_again(workshop: Workshop) -> None:
    game, asked, woken = await workshop.game(), asked_by(), workshop.service.woken()
    await workshop.repair(asked, game)
    assert asked.answers == ["<#77> is there; its board and its turn message are brought up to date."]
    assert (workshop.done, woken) == ([], [1])
    rows = await outbox.of_game(workshop.service.db, game)
    expected = [TurnChange((), None, passes=True).notice(), notices.board(again=True)]
    assert [(row.seq, row.kind, row.payload) for row in rows] == [
        (1, one.kind, one.payload) for one in expected
    ]
    with pytest.raises(Refused) as refused:
        await workshop.repair(asked_by(locked=True), game)
    assert str(refused.value) == LOCKED
    assert len(await outbox.of_game(workshop.service.db, game)) == 2


async def test_where_the_thread_is_gone_the_game_gets_another(workshop: Workshop) -> None:
    game, asked = await workshop.game(), asked_by()
    workshop.there = False
    await workshop.repair(asked, game)
    assert workshop.done == [f"1 to {CHANNEL}: The thread of this game is gone; it continues here."]
    assert asked.answers == [f"Game 1 continues in <#{NEW}>."]
    workshop.fails = not_found(UNKNOWN_CHANNEL)
    with pytest.raises(Refused) as refused:
        await workshop.repair(asked, game)
    assert str(refused.value) == without_channel(1)
    workshop.fails = not_found(UNKNOWN_CHANNEL + 1)
    with pytest.raises(discord.NotFound):
        await workshop.repair(asked, game)


async def test_a_game_that_has_ended_is_neither_shown_again_nor_moved(workshop: Workshop) -> None:
    game, workshop.officer = await workshop.game("finished"), True
    for attempt in (
        workshop.repair(asked_by(), game),
        workshop.move_here(asked_by(channel=Text()), game),
    ):
        with pytest.raises(
            Refused, match=r"^Game 1 is not running: there is nothing to repair or to move\.$"
        ):
            await attempt
    assert workshop.done == ["looked into 1"]


async def test_a_damaged_game_is_shown_and_a_moderator_is_asked_about_it(
    workshop: Workshop, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who is no moderator has no sound game replayed."""
    game, workshop.plan = await workshop.game(), "a plan"
    await workshop.repair(asked_by(), game)
    assert workshop.done == []
    asked, problem = ["looked into 1", "asked about (1, 'a plan')"], "It is damaged."

    async def damage(_: int) -> str | None:
        return problem

    monkeypatch.setattr(workshop.service.tables, "damage", damage)
    for there, officer, before in ((True, False, 0), (False, False, 1), (True, True, 0)):
        workshop.there, workshop.officer = there, officer
        workshop.done.clear()
        await workshop.repair(asked_by(), game)
        assert len(workshop.done) == before + 2
        assert [workshop.done[0], workshop.done[-1]] == asked
        assert len([one for one in workshop.done if one.startswith("1 to")]) == before
    ended = await workshop.service.game()
    await workshop.service.db.write(
        lambda tx: tx.run("UPDATE games SET status = 'finished' WHERE id = ?", ended)
    )
    workshop.there = False
    workshop.done.clear()
    await workshop.repair(asked_by(), ended)
    assert workshop.done == ["looked into 2", "asked about (2, 'a plan')"]


async def test_of_a_game_on_hold_a_moderator_is_asked_whether_it_continues(workshop: Workshop) -> None:
    game = await workshop.game()
    async with workshop.service.tables.reading(game) as live:
        live.waits = "The rules have changed."
    await workshop.repair(asked_by(), game)
    assert workshop.done == ["continue 1 after 1: The rules have changed."]


async def test_a_game_that_is_moved_leaves_no_buttons_in_its_old_thread(workshop: Workshop) -> None:
    game, workshop.officer = await workshop.game(), True
    old = ["turn of 1 removed", f"in 1: This game continues in <#{ELSEWHERE}>. True"]
    moved = f"1 to {ELSEWHERE}: <@{EVE}> has moved this game here."
    for channel, first in ((Text(), []), (Forum(), ["tags of 18Chesapeake in 6"])):
        workshop.done.clear()
        asked = asked_by(EVE, channel=channel)
        await workshop.move_here(asked, game)
        assert workshop.done == [*first, *old, moved]
        assert (asked.answers, asked.deferred) == ([f"Game 1 continues in <#{NEW}>."], True)
    workshop.done.clear()
    for refused, why in (
        (asked_by(EVE, channel=Text(), guild=GUILD + 1), "Game 1 is not played on this server"),
        (asked_by(EVE), "Games are played on a server"),
    ):
        with pytest.raises(Refused, match=why):
            await workshop.move_here(refused, game)
    without = asked_by(EVE, channel=Text())
    without.app_permissions = discord.Permissions.none()
    with pytest.raises(Refused, match=r"^The game was not moved\. "):
        await workshop.move_here(without, game)
    workshop.officer = False
    with pytest.raises(NotYours):
        await workshop.move_here(asked_by(ANN, channel=Text()), game)
    assert workshop.done == []


async def test_an_old_thread_that_cannot_be_reached_keeps_its_buttons(
    workshop: Workshop, monkeypatch: pytest.MonkeyPatch
) -> None:
    game, workshop.officer = await workshop.game(), True

    async def fails(_: int) -> None:
        raise not_found(UNKNOWN_CHANNEL)

    monkeypatch.setattr(workshop, "remove", fails)
    await workshop.move_here(asked_by(channel=Text()), game)
    assert len(workshop.done) == 1
