"""What an interaction passes before its work: rights, pace, and places where nothing can be shown."""

import asyncio
import logging
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import discord
import pytest

from bot.client.entry import rights
from bot.client.entry.admission import LONGEST_TYPED, RESTARTING, TOO_LONG, Admission
from bot.client.entry.rights import owners
from bot.client.entry.showable import LOCKED, require_showable
from bot.client.requests.permission_problems import missing
from bot.client.requests.permissions_and_invitation import PERMISSION_NAMES, TABLE, lacking
from bot.table.errors import NotYours, Refused
from bot.table.log_context import facts_of
from bot.table.rate_limits import Kind, RetryAfter, Scope
from bot.table.rights import Right, UserStanding, refusal
from bot.table.settings.server_settings import choose_moderator_role
from storage import NotSeated
from tests.bot.support.table_service import ANN, GUILD, TableService


def some(**values: Any) -> Any:
    """An object with these values."""
    return SimpleNamespace(**values)


# --- rights ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("standing", "has"),
    [
        (UserStanding(), {"ask", "look"}),
        (UserStanding(here=False), {"ask"}),
        (UserStanding(seated=True), {"ask", "look", "play", "sit"}),
        (UserStanding(here=False, seated=True, moderates=True, manages=True), {"ask"}),
        (UserStanding(moderates=True), {"ask", "look", "moderate"}),
        (UserStanding(manages=True), {"ask", "look", "manage"}),
        (UserStanding(owns=True), {"ask", "look", "own"}),
        (UserStanding(here=False, owns=True), {"ask", "own"}),
    ],
)
def test_each_standing_has_its_rights_and_no_others(standing: UserStanding, has: set[str]) -> None:
    every: Any = ("ask", "look", "play", "sit", "moderate", "manage", "own")
    assert {right for right in every if standing.has(right)} == has


@pytest.mark.parametrize(
    ("role", "held", "may", "moderates"),
    [
        (None, (), {"manage_threads"}, True),
        (None, (7,), set(), False),
        (7, (6, 7), set(), True),
        (7, (6,), {"manage_threads"}, False),
        (7, (), {"manage_threads", "manage_guild"}, True),
        (7, (), {"manage_guild"}, False),
    ],
)
async def test_moderators_hold_the_role_or_may_manage_threads_where_there_is_none(
    service: TableService, role: int | None, held: tuple[int, ...], may: set[str], moderates: bool
) -> None:
    await choose_moderator_role(service.db, GUILD, role)
    permissions = some(manage_guild="manage_guild" in may, manage_threads="manage_threads" in may)
    asks = some(guild_id=GUILD, user=some(roles=[some(id=number) for number in held]))
    asks.permissions, asks.client = permissions, some(tables=service.tables)
    assert await rights.moderates(asks) == moderates


def test_the_owner_of_the_bot_is_a_person_or_the_members_of_a_team() -> None:
    alone, team = (
        some(owner=some(id=1), team=None),
        some(owner=some(id=1), team=some(members=[some(id=2), some(id=3)])),
    )
    assert [owners(one) for one in (None, alone, team)] == [set(), {1}, {2, 3}]


@pytest.mark.parametrize(
    ("right", "game", "server", "kind", "said"),
    [
        ("look", 1, GUILD + 1, NotYours, "not played on this server"),
        ("own", None, GUILD, NotYours, "Only the owner of this bot"),
        ("manage", None, GUILD, NotYours, "may manage this server"),
        ("moderate", None, GUILD, NotYours, "the role <@&7>"),
        ("moderate", None, GUILD + 1, NotYours, "the permission Manage Threads here"),
        ("sit", 1, GUILD, NotSeated, "no seat in game 1"),
        ("play", 1, GUILD, NotYours, "played by Ann, Bob, Cy"),
        ("play", None, GUILD, NotYours, "not played on this server"),
        ("moderate", 1, GUILD + 1, NotYours, "not played on this server"),
    ],
)
async def test_a_refusal_says_what_the_right_needs(
    service: TableService, right: Right, game: int | None, server: int, kind: type[Exception], said: str
) -> None:
    assert await service.game() == 1
    await choose_moderator_role(service.db, GUILD, 7)
    refused = await refusal(service.db, server, right, game)
    assert isinstance(refused, kind)
    assert said in str(refused)


async def test_it_is_read_who_plays_the_game_that_is_meant_and_where_and_who_moderates(
    service: TableService,
) -> None:
    game = await service.game()

    async def found(
        right: Any, number: int | None, user: int = ANN, guild: int | None = GUILD
    ) -> UserStanding:
        asked: Any = some(user=some(id=user, roles=[]), guild_id=guild, permissions=discord.Permissions.all())
        asked.client = some(tables=service.tables, application=None)
        return await rights.standing(asked, right, number)

    usual = UserStanding(manages=True)
    assert await found("play", game) == replace(usual, seated=True)
    assert await found("play", game, 99) == usual
    assert await found("play", game, guild=GUILD + 1) == replace(usual, seated=True, here=False)
    assert await found("play", game, guild=None) == replace(usual, seated=True, here=False)
    assert await found("moderate", game) == replace(usual, seated=True, moderates=True)
    assert await found("moderate", None) == replace(usual, moderates=True)
    assert not (await found("moderate", None, guild=None)).moderates, "nobody moderates direct messages"
    assert await found("play", None) == usual, "nobody has a seat where no game is meant"
    assert await found("ask", game + 1) == usual, "nothing is looked up for what everybody may"


# --- pace ------------------------------------------------------------------------------------------------------------


class Asked:
    """An interaction, and what is answered to it."""

    def __init__(self, kind: discord.InteractionType, **data: Any) -> None:
        self.type, self.data = kind, data
        self.channel_id, self.guild_id, self.id = 4, 1, 3
        self.user = some(id=11)
        self.client = some(tables=some(game_in={4: 5}.get))
        self.completed: list[list[Any]] = []
        self.response = some(autocomplete=self._complete)

    async def _complete(self, choices: list[Any]) -> None:
        self.completed.append(choices)


class Pace:
    """Allowances that are used up for the kinds named."""

    def __init__(self, **used: RetryAfter) -> None:
        self.used = {Kind[name]: retry for name, retry in used.items()}
        self.asked: list[Kind] = []

    def ask(self, kind: Kind, person: int, server: int | None) -> RetryAfter | None:
        assert (person, server) == (11, 1)
        self.asked.append(kind)
        return self.used.get(kind)


@pytest.fixture
def said(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What is answered."""
    texts: list[str] = []

    async def say(_: object, text: str) -> bool:
        texts.append(text)
        return True

    monkeypatch.setattr("bot.client.entry.admission.reply", say)
    return texts


def command(**data: Any) -> Any:
    return Asked(discord.InteractionType.application_command, **data)


def typing(**data: Any) -> Any:
    return Asked(discord.InteractionType.autocomplete, **data)


async def test_who_is_let_in_acts_in_the_game_of_the_thread_and_is_under_way(said: list[str]) -> None:
    """Who only types acts in no game."""
    admission, acted = Admission(Pace()), list[int]()  # type: ignore[arg-type]
    admission.on_act = acted.append
    assert admission.idle
    working = asyncio.create_task(admission.admits(command(), Kind.MOVE))
    assert await working
    assert acted == [5]
    await asyncio.sleep(0)
    is_idle = admission.idle
    assert is_idle
    assert await admission.admits(typing(), Kind.COMPLETION)
    assert acted == [5]
    assert [admission.idle, *said] == [False]
    noted = facts_of(logging.makeLogRecord({}))
    assert noted == {"game": 5, "server": 1, "request": 3}, "each line of the log says what it is about"


async def test_who_asks_too_much_reads_how_long_to_wait_and_later_nothing(said: list[str]) -> None:
    pace = Pace(PICTURE=RetryAfter(Scope.PERSON, 0.2), MOVE=RetryAfter(Scope.SERVER, 3.2))
    admission = Admission(pace)  # type: ignore[arg-type]
    assert not await admission.admits(command(), Kind.PICTURE)
    assert not await admission.admits(command(), Kind.MOVE)
    assert said == [
        "You have asked for many pictures in a short time. Please wait 1 second and try again. "
        "Moves are taken meanwhile.",
        "People of this server have asked for many moves in a short time. Please wait 4 seconds and try again.",
    ]
    pace.used[Kind.WORD] = RetryAfter(Scope.PERSON, 1)
    assert not await admission.admits(command(), Kind.MOVE)
    assert len(said) == 2
    asked = typing()
    assert not await admission.admits(asked, Kind.MOVE)
    assert asked.completed == [[]]
    assert admission.idle


@pytest.mark.parametrize(
    "data",
    [
        {"options": [{"value": "x" * (LONGEST_TYPED + 1)}]},
        {"options": [{"options": [{"value": 5}, {"value": "x" * (LONGEST_TYPED + 1)}]}]},
        {"components": [{"component": {"value": "x" * (LONGEST_TYPED + 1)}}]},
    ],
)
async def test_a_text_that_is_too_long_is_not_looked_at(said: list[str], data: dict[str, Any]) -> None:
    admission = Admission(Pace())  # type: ignore[arg-type]
    assert not await admission.admits(command(**data), Kind.MOVE)
    assert said == [TOO_LONG]
    fits = {"options": [{"value": "x" * LONGEST_TYPED}]}
    assert await admission.admits(command(**fits), Kind.MOVE)


async def test_who_asks_while_the_bot_ends_is_refused_and_who_is_under_way_finishes(
    said: list[str], caplog: pytest.LogCaptureFixture
) -> None:
    admission, held = Admission(Pace()), asyncio.Event()  # type: ignore[arg-type]

    async def works() -> None:
        await admission.admits(command(), Kind.MOVE)
        await held.wait()

    working = asyncio.create_task(works())
    await asyncio.sleep(0)
    await admission.close(0)
    assert caplog.messages == ["1 requests are not finished"]
    closing = asyncio.create_task(admission.close(10))
    await asyncio.sleep(0)
    assert not closing.done()
    assert not await admission.admits(command(), Kind.MOVE)
    assert said == [RESTARTING]
    held.set()
    await asyncio.wait_for(closing, 10)
    assert working.done()
    await asyncio.wait_for(admission.close(10), 10)
    assert len(caplog.messages) == 1


# --- places where nothing can be shown --------------------------------------------------------------------------------


def asked_in(channel: Any, *without: str, guild: int | None = 1) -> Any:
    """An interaction in a place where the bot lacks these permissions."""
    held = discord.Permissions.all()
    held.update(**dict.fromkeys(without, False))
    return some(guild_id=guild, channel=channel, app_permissions=held)


def thread(*, locked: bool = False) -> Any:
    found = object.__new__(discord.Thread)
    found.locked = locked
    return found


def test_nothing_is_changed_where_the_table_could_not_see_it() -> None:
    """A bot that may manage threads writes in a locked one."""
    require_showable(asked_in(thread()))
    require_showable(asked_in(thread(locked=True)))
    require_showable(asked_in(some(), "manage_threads"))
    require_showable(asked_in(some(), "send_messages", guild=None))
    with pytest.raises(Refused, match="This thread is locked"):
        require_showable(asked_in(thread(locked=True), "manage_threads"))
    with pytest.raises(Refused, match=r"Nothing was changed.*Send Messages is missing"):
        require_showable(asked_in(some(), "send_messages"))
    require_showable(asked_in(thread(), "send_messages"))
    with pytest.raises(Refused, match="Send Messages in Threads is missing"):
        require_showable(asked_in(thread(), "send_messages_in_threads"))
    assert "/game move-here" in LOCKED


def test_missing_permissions_are_named_without_what_follows_from_them() -> None:
    everything = discord.Permissions.all()
    assert lacking(everything) == []
    assert lacking(discord.Permissions.none()) == ["View Channel"]
    everything.update(send_messages=False, embed_links=False, read_message_history=False)
    assert lacking(everything) == ["Send Messages", "Read Message History"]
    everything.update(send_messages=True, pin_messages=False)
    assert lacking(everything, ("embed_links", "pin_messages")) == ["Embed Links", "Pin Messages"]
    assert missing(["Embed Links"], None).startswith(
        "I may not do that here: the permission Embed Links is missing."
    )
    assert missing(["A", "B"], 9).startswith("I may not do that in <#9>: the permissions A, B are missing.")
    assert len(TABLE) == 7
    assert set(TABLE) < set(PERMISSION_NAMES)
