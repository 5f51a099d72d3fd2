"""From what the thread of a game is made, and whom its questions wait for."""

from types import SimpleNamespace
from typing import Any

import discord
import pytest

from bot.client.pictures import Pictures, answering, question_of
from bot.client.places import threads
from bot.client.places.messages import WEEK
from bot.client.places.threads import HOUR, Threads
from bot.client.requests.permissions_and_invitation import lacking
from bot.workers.workers import NOBODY, Priority
from storage import games
from tests.bot.support.asked import Asked
from tests.bot.support.asked import Client as AskedClient
from tests.bot.support.table_service import ANN, CHANNEL, GUILD, TableService

LOBBY, OPENER = 50, 60


class Found(discord.Thread):
    """A thread that notes how it is changed."""

    def __init__(self, *, archived: bool = False, minutes: int = WEEK) -> None:
        self.id, self.archived, self.auto_archive_duration = LOBBY, archived, minutes
        self.changes: list[dict[str, Any]] = []

    async def edit(self, **parts: Any) -> Any:
        self.changes.append(parts)


class Client:
    """A client that knows a thread or asks for it; threads are made from its messages."""

    def __init__(self) -> None:
        self.known: object | None = None
        self.there: object = Found()
        self.asked = 0
        self.gone = False
        self.sent: list[tuple[int, str, str]] = []

    def get_channel(self, _: int) -> object | None:
        return self.known

    async def fetch_channel(self, _: int) -> object:
        if self.gone:
            raise missing()
        self.asked += 1
        return self.there

    def get_partial_messageable(self, number: int, guild_id: int) -> Any:
        assert guild_id == GUILD

        async def send(text: str, *, silent: bool, nonce: str) -> Any:
            assert silent
            self.sent.append((number, text, nonce))
            return SimpleNamespace(id=OPENER)

        return SimpleNamespace(id=number, send=send, get_partial_message=lambda message: message)


def missing() -> Any:
    response: Any = SimpleNamespace(status=404, reason="")
    return discord.NotFound(response, {"code": 10008, "message": ""})


class Place:
    """The threads of a bench, and the lobby of a game there."""

    def __init__(self, service: TableService, monkeypatch: pytest.MonkeyPatch) -> None:
        self.service, self.client = service, Client()
        client: Any = self.client
        self.threads = Threads(client, service.tables)
        self.lobby_is_gone = False
        self.fails: Exception | None = None
        self.forum: object | None = None
        self.posted: list[str] = []
        monkeypatch.setattr(threads, "thread_from", self._thread_from)
        monkeypatch.setattr(self.threads.forums, "forum_of", lambda _: self.forum)
        monkeypatch.setattr(self.threads.forums, "post_in", self._post)

    async def _thread_from(self, message: Any, name: str) -> int:
        if message == LOBBY and self.lobby_is_gone:
            raise missing()
        if self.fails:
            raise self.fails
        assert name.startswith("18Chesapeake")
        return int(message)

    async def _post(self, forum: object, row: games.GameRow, name: str, content: str) -> int:
        assert forum is self.forum
        self.posted.append(f"{name}: {content}")
        return OPENER

    async def row(self, message: int | None = LOBBY) -> games.GameRow:
        """The game, with the message of its lobby."""
        number = await self.service.game()
        if message is not None:
            await self.service.tables.show_in(number, message)
        return await games.get_game(self.service.db, number)


@pytest.fixture
def place(service: TableService, monkeypatch: pytest.MonkeyPatch) -> Place:
    return Place(service, monkeypatch)


async def test_a_thread_is_made_from_the_message_of_the_lobby(place: Place) -> None:
    row = await place.row()
    assert (await place.threads.make(row)).id == LOBBY
    assert place.client.sent == []
    assert place.service.tables.game_in(LOBBY) == row.id


@pytest.mark.parametrize("message", [LOBBY, None])
async def test_where_that_message_is_gone_the_thread_gets_another(place: Place, message: int | None) -> None:
    row = await place.row(message)
    place.lobby_is_gone = True
    assert (await place.threads.make(row)).id == OPENER
    assert place.client.sent == [(CHANNEL, "**Game 1: 18Chesapeake**", "opener.1")]
    assert (await games.get_game(place.service.db, row.id)).thread_id == OPENER


async def test_the_message_is_known_though_no_thread_could_be_made_from_it(place: Place) -> None:
    """After a crash in between no other one is posted."""
    row = await place.row(None)
    place.fails = TimeoutError("slow")
    with pytest.raises(TimeoutError):
        await place.threads.make(row)
    assert (await games.get_game(place.service.db, row.id)).thread_id == OPENER


async def test_the_thread_of_a_game_is_known_before_anybody_has_looked_at_the_game(place: Place) -> None:
    row = await place.row()
    for _ in range(2):
        assert (await place.threads.of(row.id)).id == LOBBY
        async with place.service.tables.reading(row.id):
            pass


async def test_in_a_forum_the_post_of_the_lobby_is_the_thread(place: Place) -> None:
    row, found = await place.row(), Found()
    place.forum, place.client.known = object(), found
    assert (await place.threads.make(row)).id == LOBBY
    [change] = found.changes
    assert change["name"].startswith("18Chesapeake")
    assert (place.posted, place.client.asked) == ([], 0)


@pytest.mark.parametrize("message", [LOBBY, None])
async def test_in_a_forum_another_post_takes_the_place_of_one_that_is_gone(
    place: Place, message: int | None
) -> None:
    row = await place.row(message)
    place.forum, place.client.gone = object(), True
    assert (await place.threads.make(row)).id == OPENER
    assert len(place.posted) == 1
    assert (await games.get_game(place.service.db, row.id)).thread_id == OPENER


async def test_a_thread_that_is_not_known_is_asked_for_before_it_is_changed(place: Place) -> None:
    thread: Any = SimpleNamespace(id=LOBBY)
    found = place.client.there = Found()
    for change in (place.threads.open, place.threads.end, place.threads.keep_open):
        await change(thread)
    assert found.changes == [
        {"archived": False},
        {"auto_archive_duration": HOUR},
        {"auto_archive_duration": WEEK},
    ]
    assert place.client.asked == 3
    place.client.known = object()
    await place.threads.open(thread)
    assert (len(found.changes), place.client.asked) == (3, 3)


@pytest.mark.parametrize(
    ("there", "ended"),
    [
        (Found(), False),
        (Found(archived=True), True),
        (Found(minutes=HOUR), True),
        (object(), False),
    ],
)
async def test_a_thread_has_ended_that_is_archived_or_will_be_soon(
    place: Place, there: object, ended: bool
) -> None:
    thread: Any = SimpleNamespace(id=LOBBY)
    place.client.there = there
    assert await place.threads.ended(thread) == ended


async def test_a_thread_that_is_not_listed_is_asked_for_and_opened_where_it_was_archived(
    place: Place,
) -> None:
    archived = place.client.there = Found(archived=True)
    archived.locked = False
    assert await place.threads.ready(LOBBY)
    assert (archived.changes, place.client.asked) == ([{"archived": False}], 1)
    listed = place.client.known = Found(archived=True)
    listed.locked = False
    assert await place.threads.ready(LOBBY)
    assert (listed.changes, place.client.asked) == ([{"archived": False}], 1)
    place.client.known, place.client.gone = None, True
    assert not await place.threads.ready(LOBBY)
    assert not await place.threads.ask(LOBBY)


async def test_another_thread_is_made_from_a_message_of_its_own_or_is_a_post(place: Place) -> None:
    row = await place.row()
    assert await place.threads.repost(row, CHANNEL + 1) == OPENER
    assert place.client.sent == [(CHANNEL + 1, "**Game 1: 18Chesapeake**", f"o{LOBBY}")]
    place.forum = object()
    assert await place.threads.repost(row, CHANNEL) == OPENER
    assert (len(place.posted), len(place.client.sent)) == (1, 1)


ME, OTHER = 7, 8


def message(number: int, author: int = ME, *, system: bool = False, answer: bool = False) -> Any:
    return SimpleNamespace(
        id=number,
        author=SimpleNamespace(id=author),
        is_system=lambda: system,
        interaction_metadata=object() if answer else None,
    )


async def test_posts_of_ours_are_no_answers(place: Place) -> None:
    written = [message(1), message(2, OTHER), message(3), message(4, system=True), message(5, answer=True)]

    async def history(*, limit: int | None, after: Any, oldest_first: bool) -> Any:
        assert (limit, after.id, oldest_first) == (None, 7, True)
        for one in written:
            yield one

    client: Any = place.client
    client.get_partial_messageable = lambda number, guild_id: SimpleNamespace(id=number, history=history)
    row = await place.row()
    for user, ours in ((None, []), (SimpleNamespace(id=ME), [1, 3])):
        client.user = user
        assert [one.id for one in await place.threads.ours(row, 7)] == ours


# --- who waits -------------------------------------------------------------------------------------------------------


def test_a_question_waits_in_the_queue_of_its_server_and_of_its_user(service: TableService) -> None:
    asked: Any = Asked(ANN, "Ann")
    assert question_of(asked) == (Priority.QUESTION, NOBODY, ANN, None)
    asked.guild_id = GUILD
    assert question_of(asked, 5) == (Priority.QUESTION, GUILD, ANN, 5)
    asked.client = AskedClient(service.tables)
    pictures = asked.client.pictures
    assert answering(asked)._queue == question_of(asked)
    assert (answering(asked)._person, pictures._person) == (ANN, None)


async def test_pictures_have_the_colours_of_the_person_the_server_or_the_bot() -> None:
    chosen = {(GUILD, ANN): "plain", (GUILD, None): "dark"}

    async def found(server: int, person: int | None) -> str | None:
        return chosen.get((server, person))

    pictures = Pictures("ours", chosen=found)
    here = pictures.in_server(GUILD)
    colours = [await one._colours() for one in (pictures, here, here.seen_by(ANN), Pictures("ours"))]
    assert colours == ["ours", "dark", "plain", "ours"]
    assert pictures._queue.priority == Priority.MOVE
    asking = here.asked()._queue
    assert (asking.priority, asking.guild) == (Priority.QUESTION, GUILD)


def test_without_the_channel_nothing_else_is_named_as_missing() -> None:
    wanted = ("view_channel", "manage_threads", "pin_messages", "create_public_threads")
    assert lacking(discord.Permissions.none(), wanted) == ["View Channel"]
