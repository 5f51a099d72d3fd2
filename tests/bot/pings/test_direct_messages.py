"""What a direct message says and carries, what is found of it after a crash, and how long nobody is tried again."""

from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import timedelta
from types import SimpleNamespace
from typing import Any

import aiohttp
import discord
import pytest

from bot.client import direct_messages as texts
from bot.client.direct_messages import (
    BY_GROUP,
    LONGEST_PAUSE,
    PAUSE,
    ROOM,
    DirectMessages,
    ExpiredDirectMessages,
)
from bot.client.game_texts import heading
from bot.client.places.threads import SKEW
from bot.table.live import LiveGame
from bot.table.orders.sealed_auction import ASKS
from bot.table.outbox.circuit_breaker import CircuitBreaker
from bot.table.settings.person_settings import CLOSED
from engine.tell.view_builders import turn_view
from storage import PEOPLE, Ping, later_timestamp, parse_timestamp
from storage import direct_messages as stored
from tests.bot.support.table_service import ANN, BOB, CY, GUILD, TableService

ME, ELSE = 1, 2
AT = "2026-01-05T12:00:00.000+00:00"


class Channel:
    """Direct messages with each person: what was sent, what stands there, and what fails."""

    def __init__(self) -> None:
        self.user: Any = SimpleNamespace(id=ME)
        self.there: list[Any] = []
        self.after: list[Any] = []
        self.sent: list[tuple[int, str, str, list[str]]] = []
        self.deleted: list[int] = []
        self.failure: Exception | None = None
        self.tried = 0
        self._with = 0

    async def create_dm(self, user: discord.Object) -> "Channel":
        self.tried += 1
        if self.failure is not None:
            raise self.failure
        self._with = user.id
        return self

    async def send(self, text: str, *, view: discord.ui.View, nonce: str) -> Any:
        self.sent.append((self._with, text, nonce, labels(view)))
        return SimpleNamespace(id=1000 + len(self.sent))

    async def history(self, *, limit: int | None, after: Any, oldest_first: bool) -> AsyncIterator[Any]:
        assert (limit, oldest_first) == (None, True)
        self.after.append(after)
        for message in self.there:
            yield message

    def get_partial_message(self, number: int) -> Any:
        async def delete() -> None:
            self.deleted.append(number)

        return SimpleNamespace(delete=delete)


def labels(view: discord.ui.View) -> list[str]:
    """What the buttons say."""
    return [str(getattr(item, "label", "")) for item in view.children]


def message(number: int, text: str, author: int = ME) -> Any:
    """A message that stands in a channel."""
    return SimpleNamespace(id=number, content=text, author=SimpleNamespace(id=author))


def forbidden() -> discord.Forbidden:
    """What Discord answers where somebody takes no messages."""
    answer: Any = SimpleNamespace(status=403, reason="Forbidden")
    return discord.Forbidden(answer, {"code": 50007, "message": "no"})


def for_games(*numbers: int) -> stored.DirectMessage:
    """A message for Bob about these games."""
    return stored.DirectMessage(7, numbers[0], BOB, "x", tuple((number, "p2") for number in numbers), AT)


class Post:
    """Who writes direct messages of a bench."""

    def __init__(self, service: TableService) -> None:
        self.service, self.channel, self.breaker = service, Channel(), CircuitBreaker()
        client: Any = self.channel
        self.writer = DirectMessages(client, service.tables, self.breaker)
        self.old = ExpiredDirectMessages(client, service.tables)

    async def queued(self, *wanted: tuple[int, str], text: str = "x", user: int = BOB, game: int = 1) -> None:
        """A message that is written down."""
        at = self.service.tables.clock()
        await self.service.db.write(lambda tx: stored.write(tx, user, text, wanted, game, at))

    async def rest(self) -> list[str]:
        """What is not known to have been sent."""
        return [dm.text for dm in await stored.unsent(self.service.db)]

    def on(self, **by: float) -> None:
        """So much later."""
        now = later_timestamp(self.service.tables.clock(), timedelta(**by))
        self.service.tables.clock = lambda: now


@pytest.fixture
def post(service: TableService) -> Post:
    found = Post(service)
    found.on()
    return found


# --- what it says ----------------------------------------------------------------------------------------------------


def entries(*lengths: int) -> list[Any]:
    """What is said of games, N characters of each."""
    return [texts._Entry(n, "p1", str(n) * length) for n, length in enumerate(lengths, 1)]


def test_one_message_lists_as_many_games_as_fit_and_says_how_many_there_are_more() -> None:
    assert texts._list_text(entries(3)) == "It is your move:\n111"
    assert texts._list_text(entries(2, 2)) == "It is your move in 2 games:\n11\n22"
    half = ROOM // 2
    assert texts._list_text(entries(half, half, 1, 1)) == (
        f"It is your move in 4 games:\n{'1' * half}\n{'2' * half}\nAnd 2 more: `/mine` lists all."
    )
    alone = texts._list_text(entries(ROOM + 1, 1))
    assert alone == f"It is your move in 2 games:\n{'1' * (ROOM + 1)}\nAnd 1 more: `/mine` lists all."


def test_each_game_has_a_button_to_its_board_and_one_that_mutes_it_in_one_row() -> None:
    many, one = for_games(1, 1, 2, 3, 4, 5, 6), for_games(9, 9)
    assert labels(texts._buttons(many, board=False)) == [f"Mute game {n} for this turn" for n in range(1, 6)]
    assert labels(texts._buttons(many, board=True)) == [
        *("Board of game 1", "Board of game 2"),
        *("Mute game 1 for this turn", "Mute game 2 for this turn"),
    ]
    assert labels(texts._buttons(one, board=False)) == ["Mute for this turn"]
    assert labels(texts._buttons(one, board=True)) == ["Board", "Mute for this turn"]
    digest = replace(one, notifications=())
    assert labels(texts._buttons(digest, board=True)) == []


def test_a_message_is_known_by_its_number_and_time_and_in_the_log_by_its_seat() -> None:
    """Numbers of withdrawn messages are used again."""
    assert texts._nonce(for_games(3)) == "l7.1767614400"
    assert texts._recipient(for_games(3, 4)) == "game 3: seat p2"
    twice = replace(for_games(3), notifications=((4, "p1"), (3, "p3"), (3, "p2")))
    assert texts._recipient(twice) == "game 3: seat p3"
    assert texts._recipient(replace(twice, notifications=())) == "game 3"


async def test_of_a_game_it_says_the_round_what_to_do_and_where(service: TableService) -> None:
    game = await service.game()
    async with service.tables.reading(game) as live:
        row = replace(live.row, thread_id=5, turn_message_id=6)
        at = LiveGame(row, live.seats, live.game, live.seq)
    ping = Ping("p1", ANN, 0, "no", "pending")
    first, *_, last = texts._of_game(at, ping).split("\n")
    assert first == f"**18Chesapeake**, game 1: {heading(turn_view(at.game))}"
    assert last == f"[Go there](https://discord.com/channels/{GUILD}/5/6)"
    assert ASKS not in texts._of_game(at, ping)
    assert texts._of_game(at, replace(ping, stage=2)).split("\n")[0] == f"{first} Reminder 2."
    assert texts._of_game(at, replace(ping, player_id="p2")).split("\n")[-2:] == [ASKS, last]
    # The turn message is about to be posted anew: the thread stays.
    moved = texts._of_game(at, replace(ping, thread="pending"))
    assert moved.endswith(f"[Go there](https://discord.com/channels/{GUILD}/5)")
    at.row = replace(row, turn_message_id=None)
    assert texts._of_game(at, replace(ping, thread="pending")).endswith(
        f"(https://discord.com/channels/{GUILD}/5)"
    )
    left: Any = SimpleNamespace(player_id="p1", role="group", user_id=0, since=1, until=None, at="")
    of_table = LiveGame(row, live.seats, live.game, live.seq, seat_history=(left,))
    assert texts._of_game(of_table, ping).split("\n")[-2:] == [BY_GROUP, last]


# --- sending it ------------------------------------------------------------------------------------------------------


async def test_what_was_written_down_is_sent_once_with_its_buttons(post: Post) -> None:
    game = await post.service.game()
    await post.writer._deliver(replace(for_games(game), text="your move"))
    assert [(*sent[:2], *sent[3:]) for sent in post.channel.sent] == [
        (BOB, "your move", ["Mute for this turn"])
    ]
    post.service.tables.board.address = "https://board.example"
    await post.writer._deliver(for_games(game))
    assert post.channel.sent[1][3] == ["Board", "Mute for this turn"]


async def test_whoever_takes_messages_again_may_hear_once_more_that_they_take_none(post: Post) -> None:
    game = await post.service.game()
    await PEOPLE.put(post.service.db, BOB, CLOSED, "closed")
    await post.writer._deliver(for_games(game))
    assert await PEOPLE.get(post.service.db, BOB, CLOSED) is None


async def test_a_message_that_stands_there_after_a_crash_is_not_sent_again(post: Post) -> None:
    game = await post.service.game()
    await post.queued((game, "p2"), text="your move")
    [dm] = await stored.unsent(post.service.db)
    post.channel.there = [message(50, "your move", ELSE), message(51, "other"), message(52, "your move")]
    assert await post.writer._found(dm) == 52
    began = parse_timestamp(dm.created_at) - SKEW
    assert [after.id for after in post.channel.after] == [discord.utils.time_snowflake(began)]
    await stored.sent(post.service.db, dm, dm.created_at, 52)
    assert await post.writer._found(dm) is None, "an earlier message says the same"
    post.channel.there.append(message(53, "your move"))
    assert await post.writer._found(dm) == 53
    post.channel.user = None
    assert await post.writer._found(dm) is None


async def test_a_ping_that_was_not_sent_is_dropped_and_a_digest_is_sent_after_all(post: Post) -> None:
    """Another ping is written, if that is still right."""
    game = await post.service.game()
    await post.queued((game, "p2"), text="your move")
    await post.queued(text="digest")
    await post.writer.send()
    assert await post.rest() == []
    assert [sent[:2] for sent in post.channel.sent] == [(BOB, "digest")]


async def test_digests_and_ended_orders_are_written_down_and_sent_with_the_same_look(
    post: Post, monkeypatch: pytest.MonkeyPatch
) -> None:
    await post.service.game()
    for name, text in (("write_digests", "digest"), ("write_ended", "ended")):

        async def write(_: object, text: str = text) -> None:
            await post.queued(text=text)

        monkeypatch.setattr(texts, name, write)
    await post.writer.send()
    assert [sent[:2] for sent in post.channel.sent] == [(BOB, "digest"), (BOB, "ended")]
    assert await post.rest() == []


async def test_where_discord_does_not_answer_a_message_waits_longer_each_time(post: Post) -> None:
    await post.service.game()
    await post.queued(text="digest")
    post.channel.failure = aiohttp.ClientError()
    pauses = list[int]()
    for _ in range(10):
        await post.writer.send()
        assert await post.rest() == ["digest"]
        [(_, until)] = post.writer._failed.values()
        pauses.append(round((until - parse_timestamp(post.service.tables.clock())).total_seconds()))
        assert not post.writer._may_try(BOB)
        assert post.writer._may_try(CY)
        post.on(seconds=pauses[-1] - 0.5)
        await post.writer.send()
        assert post.channel.tried == len(pauses)
        post.on(seconds=0.5)
        assert post.writer._may_try(BOB)
    assert pauses == [1, 2, 4, 8, 16, 32, 64, 128, 256, LONGEST_PAUSE]
    post.channel.failure = None
    await post.writer.send()
    assert (await post.rest(), post.writer._failed) == ([], {})


async def test_in_an_outage_a_failure_says_nothing_of_a_person(
    post: Post, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(CircuitBreaker, "is_open", True)
    post.writer._note_failure(for_games(1), aiohttp.ClientError())
    assert post.writer._may_try(BOB)


async def test_in_an_outage_nothing_is_sent(post: Post, monkeypatch: pytest.MonkeyPatch) -> None:
    await post.service.game()
    await post.queued(text="digest")
    monkeypatch.setattr(CircuitBreaker, "is_open", True)
    await post.writer.send()
    assert (await post.rest(), post.channel.sent) == (["digest"], [])


async def test_whoever_takes_no_message_any_more_is_pinged_in_their_threads(post: Post) -> None:
    game, other = await post.service.game(), await post.service.game()
    woken = post.service.woken()
    await post.queued((game, "p2"), (other, "p2"), text="your move")
    post.channel.failure = forbidden()
    await post.writer.send()
    assert (await post.rest(), post.channel.sent, set(woken)) == ([], [], {game, other})
    assert await PEOPLE.get(post.service.db, BOB, CLOSED) == "closed"


# --- deleting it -----------------------------------------------------------------------------------------------------


async def test_what_cannot_be_deleted_is_tried_again_after_a_pause(
    post: Post, monkeypatch: pytest.MonkeyPatch
) -> None:
    gone = list[int]()

    async def outdated(*_: object) -> list[stored.Posted]:
        return [stored.Posted(number, BOB, 50 + number) for number in (1, 2) if number not in gone]

    async def note(_: object, number: int) -> None:
        gone.append(number)

    monkeypatch.setattr(stored, "outdated", outdated)
    monkeypatch.setattr(stored, "gone", note)
    post.channel.failure = aiohttp.ClientError()
    await post.old.clear()
    post.channel.failure = None
    post.on(seconds=PAUSE.total_seconds() - 1)
    await post.old.clear()
    assert (post.channel.deleted, gone) == ([], [])
    post.on(seconds=1)
    await post.old.clear()
    assert (post.channel.deleted, gone) == ([51, 52], [1, 2])
    post.channel.failure = forbidden()
    await post.old.take([stored.Posted(3, BOB, 53)])
    assert (post.channel.deleted, gone) == ([51, 52], [1, 2, 3])
