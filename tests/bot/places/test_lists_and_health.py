"""Lists of games say where each stands and what is wrong; digests, health and followers say what is new."""

import asyncio
from dataclasses import replace
from datetime import UTC, datetime, time, timedelta
from types import SimpleNamespace
from typing import Any

import pytest

from bot.client.features import game_lists, health
from bot.client.features.game_lists import LOOKED_AT, ODD, games_of_person, games_of_server, running_of
from bot.client.features.health import LOOKS, SLOW_SECONDS, WORKS, Condition, Lag
from bot.table import digests
from bot.table.board_links_and_sessions import Followers
from bot.table.digests import LISTED, next_digest, turn_link
from bot.table.errors import Refused
from bot.table.outbox.circuit_breaker import CircuitBreaker
from bot.version_and_commit import commit, version
from storage import overviews
from tests.bot.support.table_service import ANN, BOB, TableService


def some(**values: Any) -> Any:
    """An object with these values."""
    return SimpleNamespace(**values)


# --- lists -----------------------------------------------------------------------------------------------------------


def game(number: int = 5, status: str = "running", **values: Any) -> Any:
    """The row of a game."""
    usual: dict[str, Any] = {
        "id": number, "name": "18AL", "title": "18al", "profile": "rulebook", "options": "[]", "status": status,
        "guild_id": 1, "channel_id": 2, "thread_id": 3, "board_message_id": 4, "turn_message_id": 6,
    }  # fmt: skip
    return some(**(usual | values))


def seen(row: Any, *waited_for: str, pause: Any = None) -> Any:
    """A game of Ann (p1) and Bob (p2) that waits for these players."""
    return some(
        row=row,
        waited_for=waited_for,
        pause=pause,
        users={"p1": ANN, "p2": BOB},
        names={"p1": "Ann", "p2": "Bob"},
    )


class SandboxBot:
    """Games that are listed, and what is known of them."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, *found: Any, sealed: tuple[int, ...] = ()) -> None:
        self.found, self.sealed, self.left = list(found), sealed, list[int]()
        self.damage: dict[int, str | Exception] = {}
        self.acting: tuple[str, ...] = ("p2",)
        self.read: list[int] = []
        self.tables: Any = some(
            db=None, clock=lambda: "2026-01-01T00:00:00+00:00", reviewed=True,
            known_damage=lambda number: self.damage.get(number), damage=self._damage, reading=self._reading,
        )  # fmt: skip
        self.problems: dict[int, str] = {}
        for name in ("of_user", "of_server"):
            monkeypatch.setattr(overviews, name, self._overviews)
        monkeypatch.setattr(game_lists, "GUILDS", some(having=self._having))
        monkeypatch.setattr(game_lists, "GAMES", some(with_value=self._with_value))
        self.troubles: Any = some(of=self.problems.get)

    async def of_person(self, user_id: int) -> str:
        return await games_of_person(self.tables, self.troubles, user_id)

    async def of_server(self) -> str:
        return await games_of_server(self.tables, self.troubles, 1)

    async def _overviews(self, _: object, __: int, ___: str) -> list[Any]:
        return self.found

    async def _having(self, *_: object) -> list[int]:
        return self.left

    async def _with_value(self, _: object, name: str, value: str) -> list[int]:
        assert (name, value) == ("sealed", "on")
        return list(self.sealed)

    async def _damage(self, number: int) -> str | None:
        found = self.damage.get(number)
        if isinstance(found, Exception):
            raise found
        return found

    def _reading(self, number: int) -> Any:
        sandbox = self

        class Reading:
            async def __aenter__(self) -> Any:
                sandbox.read.append(number)
                return some(game=some(actors=lambda: sandbox.acting))

            async def __aexit__(self, *_: object) -> None:
                """It is read."""

        return Reading()


async def test_a_persons_games_that_wait_for_them_come_first(monkeypatch: pytest.MonkeyPatch) -> None:
    sandbox = SandboxBot(
        monkeypatch,
        seen(game(1), "p2"), seen(game(2), "p1"), seen(game(3, "lobby")), seen(game(4, guild_id=9), "p1"),
    )  # fmt: skip
    sandbox.left = [9]
    assert (await sandbox.of_person(ANN)).split("\n") == [
        "**2. 18AL in <#3>: your turn**",
        "1. 18AL in <#3>: Bob's turn",
        "3. 18AL: not started, in <#2>",
        "4. 18AL: it waits, because this bot is not on its server any more",
    ]
    assert sandbox.read == []
    assert await running_of(sandbox.tables, ANN) == [(2, "18AL"), (4, "18AL"), (1, "18AL")]
    sandbox.found = []
    assert (await sandbox.of_person(ANN)).startswith("You are in no game.")


async def test_a_paused_game_waits_for_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    pause = some(until=None, lasts=lambda _: True)
    sandbox = SandboxBot(monkeypatch, seen(game(1), "p1", pause=pause))
    assert await sandbox.of_person(ANN) == ("1. 18AL in <#3>: pauses until a player resumes it; your turn")
    assert await sandbox.of_server() == "1. 18AL, running: <#3>: pauses until a player resumes it; Ann's turn"


async def test_while_a_table_seals_its_position_says_whose_turn_it_is(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    sandbox = SandboxBot(monkeypatch, seen(game(1), "p1"), sealed=(1,))
    assert await sandbox.of_person(ANN) == "**1. 18AL in <#3>: you have not sealed**"
    assert sandbox.read == [1]
    sandbox.acting = ("p1",)
    assert await sandbox.of_person(ANN) == "**1. 18AL in <#3>: your turn**"
    assert await sandbox.of_person(BOB) == "1. 18AL in <#3>: Ann's turn"


async def test_what_is_wrong_with_a_game_is_said_and_keeps_no_other_from_being_listed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    sandbox = SandboxBot(
        monkeypatch,
        seen(game(1), "p1"), seen(game(2, "lobby", profile="house")), seen(game(3, profile="house"), "p1"),
        seen(game(4), "p1"),
    )  # fmt: skip
    sandbox.damage[1], sandbox.problems[4] = "It is damaged.", "It is locked."
    lines = (await sandbox.of_person(ANN)).split("\n")
    assert lines == [
        f"**3. 18AL in <#3>: your turn. {ODD}**",
        "**4. 18AL in <#3>: your turn. It is locked.**",
        "1. 18AL in <#3>: It is damaged.",
        "2. 18AL: not started, in <#2>. There is no profile 'house'.",
    ]
    assert (await sandbox.of_server()).split("\n") == [
        "1. 18AL, running: <#3>. It is damaged.",
        "2. 18AL, open: <#3>. There is no profile 'house'.",
        f"3. 18AL, running: <#3>: Ann's turn. {ODD}",
        "4. 18AL, running: <#3>: Ann's turn. It is locked.",
    ]


async def test_before_all_games_were_looked_at_each_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    sandbox = SandboxBot(monkeypatch, *(seen(game(number), "p1") for number in range(1, 5)))
    sandbox.tables.reviewed = False
    sandbox.damage = {
        1: Refused("It is refused."),
        2: RuntimeError("nobody foresaw this"),
        3: "It is damaged.",
    }
    assert (await sandbox.of_server()).split("\n") == [
        "1. 18AL, running: <#3>. It is refused.",
        "2. 18AL, running: <#3>. it cannot be read just now.",
        "3. 18AL, running: <#3>. It is damaged.",
        "4. 18AL, running: <#3>: Bob's turn",
    ]
    sandbox.found = [seen(game(number), "p1") for number in range(1, LOOKED_AT + 3)]
    sandbox.damage, sandbox.read = {}, []
    await sandbox.of_server()
    assert sandbox.read == list(range(1, LOOKED_AT + 1))


async def test_a_game_without_a_board_is_found_in_its_channel(monkeypatch: pytest.MonkeyPatch) -> None:
    sandbox = SandboxBot(
        monkeypatch, seen(game(1, "lobby", board_message_id=None)), seen(game(2), pause=None)
    )
    sandbox.acting = ()
    assert (await sandbox.of_server()).split("\n") == [
        "1. 18AL, open, in <#2>",
        "2. 18AL, running: <#3>",
    ]
    assert sandbox.read == [2], "for whom it waits is not stored"
    sandbox.found = []
    assert (await sandbox.of_server()).startswith("No game is open or running here.")


# --- health ----------------------------------------------------------------------------------------------------------


def state(**values: Any) -> Condition:
    """A bot that is well, as far as nothing else is said."""
    usual: dict[str, Any] = {
        "version": "1", "commit": "c", "up": 5.0, "connected": True, "discord": WORKS, "outage": "", "lag": 0.0,
        "worst_lag": SLOW_SECONDS, "outbox": 0, "parked_posts": 0, "oldest_notice": health.OLD_SECONDS,
        "live_games": 1, "pictures": 0, "waiting_pictures": 0, "allowances": 0, "last_backup": None,
        "stale_backup": False,
    }  # fmt: skip
    return Condition(**(usual | values))


def test_a_bot_that_is_well_says_so() -> None:
    assert (state().troubles, state().warnings, state().json()["status"]) == ([], [], "ok")
    assert state().text().startswith("All is well.\nversion: 1\n")


@pytest.mark.parametrize(
    ("values", "trouble"),
    [
        ({"connected": False}, "not connected to Discord"),
        ({"discord": "refuses", "outage": "Discord refuses"}, "Discord refuses"),
        ({"worst_lag": SLOW_SECONDS + 0.1}, "the event loop was 1.1 s late"),
        ({"oldest_notice": health.OLD_SECONDS + 1}, "a notice waits for 601 s"),
    ],
)
def test_what_is_not_as_it_should_be_is_trouble(values: dict[str, Any], trouble: str) -> None:
    found = state(**values)
    assert (found.troubles, found.json()["status"]) == ([trouble], "trouble")
    assert found.text().startswith(f"Trouble: {trouble}.")


def test_what_an_owner_should_look_at_is_a_warning() -> None:
    found = state(parked_posts=2, stale_backup=True)
    assert found.warnings == [
        "stale backup: the last copy is of never", "parked posts: Discord refuses 2 of them",
    ]  # fmt: skip
    assert found.troubles == []
    assert "\nWarning: parked posts" in found.text()
    assert state(parked_posts=1, last_backup="2026-01-02", stale_backup=True).warnings == [
        "stale backup: the last copy is of 2026-01-02", "parked posts: Discord refuses 1 of them",
    ]  # fmt: skip


def test_the_event_loop_is_as_late_as_at_the_worst_look_of_a_minute() -> None:
    lag = Lag()
    assert (lag.now, lag.worst) == (0, 0)
    for seconds in (-1.0, 2.0, 0.5):
        lag.note(seconds)
    assert (lag.now, lag.worst) == (0.5, 2.0)
    for _ in range(LOOKS - 2):
        lag.note(0.1)
    assert lag.worst == 2.0
    lag.note(0.1)
    assert lag.worst == 0.5


def test_a_copy_is_stale_after_a_day_and_a_half_or_where_none_came_soon() -> None:
    now = datetime.now(UTC)
    assert not health._is_stale(now, 10**6)
    assert not health._is_stale(now - timedelta(hours=35, minutes=59), 0)
    assert health._is_stale(now - timedelta(hours=36), 0)
    assert not health._is_stale(None, health.FIRST_COPY_SECONDS)
    assert health._is_stale(None, health.FIRST_COPY_SECONDS + 1)


def test_a_notice_is_as_old_as_its_age_and_of_the_future_not_at_all() -> None:
    now = datetime.now(UTC)
    assert [health._age(at) for at in (None, (now + timedelta(hours=1)).isoformat())] == [0.0, 0.0]
    found = health._age((now - timedelta(seconds=5)).isoformat())
    assert 5.0 <= found == round(found, 1) < 6.0


def test_an_outage_is_described_with_its_beginning_and_what_waits_for_its_end() -> None:
    outage, waiting = some(detail="503"), some(rows=7, parked=2, games=3)
    found = health._sentence(outage, 3600.0, waiting)
    begun, _, rest = found.removeprefix("Discord has failed since ").partition(" ")
    assert rest == "(503); 5 notices of 3 games wait"
    assert (
        timedelta(0)
        <= datetime.now(UTC) - timedelta(hours=1) - datetime.fromisoformat(begun)
        < timedelta(seconds=5)
    )


async def test_the_state_has_the_figures_of_all_parts(
    service: TableService, monkeypatch: pytest.MonkeyPatch
) -> None:
    sizes = {"pictures": "ab", "waiting_pictures": "", "allowances": "c"}
    found = health.Health(service.tables, lambda: False, CircuitBreaker(), **sizes)
    monkeypatch.setattr(found, "_since", found._since - 100.26)
    for seconds in (0.123456, 0.056789):
        found.lag.note(seconds)
    state = await found.state()
    assert 100.0 <= state.up == round(state.up, 1)
    assert replace(state, up=0.0) == Condition(
        version(), commit(), 0.0, connected=False, discord=WORKS, outage="", lag=0.0568, worst_lag=0.1235,
        outbox=0, parked_posts=0, oldest_notice=0.0, live_games=0, pictures=2, waiting_pictures=0,
        allowances=1, last_backup=None, stale_backup=False,
    )  # fmt: skip
    failing: Any = some(outage=some(reason="refuses", detail="503"), lasted=60.0)
    state = await health.Health(service.tables, lambda: True, failing, **sizes).state()
    assert (state.discord, state.connected) == ("refuses", True)
    assert state.outage.endswith("(503); 0 notices of 0 games wait")
    assert state.troubles == [state.outage]


# --- digests ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("now", "due"),
    [
        ("2026-01-01T06:59:00+00:00", "2026-01-01T07:00:00+00:00"),
        ("2026-01-01T07:00:00+00:00", "2026-01-02T07:00:00+00:00"),
        ("2026-01-01T23:30:00+00:00", "2026-01-02T07:00:00+00:00"),
    ],
)
def test_the_next_digest_comes_at_its_hour_in_the_users_zone(now: str, due: str) -> None:
    assert next_digest(datetime.fromisoformat(now), time(8), "Europe/Berlin") == datetime.fromisoformat(due)


def test_a_direct_message_leads_to_the_turn_the_thread_or_the_channel() -> None:
    place = "https://discord.com/channels/1"
    assert turn_link(game()) == f"{place}/3/6"
    assert turn_link(game(turn_message_id=None)) == f"{place}/3"
    assert turn_link(game(thread_id=None, turn_message_id=None)) == f"{place}/2"


def test_a_digest_lists_the_games_and_how_many_more() -> None:
    one = digests._digest_text([game()]).split("\n")
    assert one == ["Your move in **1 game**:", f"[**18AL**, game 5]({turn_link(game())})"]
    assert len(digests._digest_text([game()] * LISTED).split("\n")) == LISTED + 1
    many = digests._digest_text([game()] * (LISTED + 2)).split("\n")
    assert (many[0], many[-1], len(many)) == (
        f"Your move in **{LISTED + 2} games**:", "and 2 more: `/mine` lists all.", LISTED + 2,
    )  # fmt: skip


# --- followers -------------------------------------------------------------------------------------------------------


async def test_who_follows_a_game_hears_of_it_alone_until_they_stop() -> None:
    followers = Followers()
    followers.wake(5)
    assert (len(followers), followers.games, followers.times(5)) == (0, (), 0)
    with followers.follow(5) as first, followers.follow(6) as other:
        with followers.follow(5) as second:
            assert (len(followers), followers.games) == (3, (5, 6))
            followers.wake(5)
            assert (first.is_set(), second.is_set(), other.is_set()) == (True, True, False)
            first.clear()
            before = followers.times(5), followers.times(6)
            followers.wake(5)
            assert first.is_set()
            assert followers.times(5) > before[0]
            assert followers.times(6) == before[1]
        assert len(followers) == 2
        first.clear()
        followers.wake_all()
        assert first.is_set()
        assert other.is_set()
        last = followers.times(5)
        assert last > before[0]
    assert (len(followers), followers.games, followers.times(5)) == (0, (), 0)
    with followers.follow(5) as news:
        assert not news.is_set()
        followers.wake(5)
        await asyncio.wait_for(news.wait(), 1)
        assert followers.times(5) > last, "no number is given twice"
