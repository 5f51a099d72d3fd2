"""Notifications are written with what leads to them; a user is pinged once for each."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from storage import Database, clocks, games, overviews, pings, seats
from storage.clocks import Pause
from storage.outbox import OutboxMessage
from storage.pings import Notification, NotificationChanges, Ping, PingStep
from storage.seats import SeatEntry
from storage.settings import GUILD_SETTINGS, LEFT_SERVER_KEY
from storage.shards import ALL_SHARDS
from tests.storage.makers import ANN, BOB, SECOND, move, running_game
from tests.storage.posts.pinging import EARLY, LATE, NOW, notifications, ping, put, turn

TWELVE_HOURS = "2026-01-02T17:00:00.000+00:00"
"""A player who moved at five is reminded then."""


@pytest.fixture
async def game(game_id: int, db: Database) -> int:
    """A game in which Ann must act."""
    await put(db, game_id, turn("1"))
    return game_id


@pytest.mark.parametrize(
    ("changes", "left"),
    [
        ([turn("2", "1", "2")], {"p2": 0}),
        ([turn("", "1", "1")], {"p1": 1}),
        # Ann moved, Bob moved at once: only Ann hears of it.
        ([turn("2", "1", "2"), turn("1", "2", "1")], {"p1": 0}),
        # Bob became due and moved, and plays on: no ping is needed.
        ([turn("2", "1", "2"), turn("", "2", "2")], {"p2": 1}),
        # Ann handed over and took it back: nobody is to be pinged.
        ([turn("2", "1", "2"), turn("", "1", "1")], {"p1": 1}),
        # Somebody else's move says nothing about who became due before it.
        ([turn("2", "1", "23"), turn("", "3", "2")], {"p2": 0}),
        # Two became due one after the other and both still are.
        ([turn("2", "1", "2"), turn("3", "1", "23")], {"p2": 0, "p3": 0}),
        # One of two has moved.
        ([turn("23", "1", "23"), turn("", "2", "3")], {"p3": 0}),
        # A seat changes hands: its new holder is pinged, the others stay as they are.
        ([turn("", None, "12"), turn("2")], {"p1": 1, "p2": 0}),
        # The game is over.
        ([turn("2", "1", "2"), turn("", None, "")], {}),
    ],
)
async def test_turns_are_handed_over(
    db: Database, game_id: int, changes: Sequence[NotificationChanges], left: dict[str, int]
) -> None:
    await put(db, game_id, *changes)
    assert {one.player_id: one.stage for one in await notifications(db, game_id)} == left


async def test_notification_begins_with_its_move(db: Database, game_id: int) -> None:
    """A player who moves on is not reminded for twelve hours."""
    await move(db, game_id, 1, notices=[OutboxMessage("turn", "", turn("2", "1", "12"))], now=NOW)
    assert await notifications(db, game_id) == [
        Notification("p1", 2, NOW, 1, NOW, TWELVE_HOURS, NOW),
        Notification("p2", 2, NOW, 0, NOW, NOW),
    ]


async def test_ping_is_due(db: Database, game: int) -> None:
    """Not at once, nor while the game pauses or the bot is not on its server; other settings do not matter."""
    assert await pings.games_with_due_pings(db, NOW, EARLY) == []
    await GUILD_SETTINGS.put(db, 10, "theme", "dark")
    await GUILD_SETTINGS.put(db, 99, LEFT_SERVER_KEY, EARLY)
    paused, over = await running_game(db), await running_game(db)
    for other in (paused, over):
        await put(db, other, turn("1"))
    assert await pings.games_with_due_pings(db, NOW, NOW) == [game, paused, over]
    await clocks.start_pause(db, paused, Pause(ANN, None, NOW), seq=1, notices=[])
    await games.finish_game(db, over)
    assert await pings.games_with_due_pings(db, NOW, NOW) == [game]
    await GUILD_SETTINGS.put(db, 10, LEFT_SERVER_KEY, EARLY)
    assert await pings.games_with_due_pings(db, NOW, NOW) == []


async def test_reminder_is_due_at_its_time(db: Database, game: int) -> None:
    """However long the turn has lasted, in the shards asked about."""
    await ping(db, game)
    assert await pings.games_with_due_pings(db, NOW, NOW) == []
    assert await pings.games_with_due_pings(db, LATE, EARLY) == [game]
    assert await pings.games_with_due_pings(db, LATE, EARLY, SECOND) == []


@pytest.mark.parametrize("other", [{}, {"seq": 7}, {"stage": 1}, {"due_at": LATE}, {"player_id": "p2"}])
async def test_step_is_taken_once(db: Database, game: int, other: dict[str, object]) -> None:
    """None is where somebody else has taken one, or the player has moved since."""
    [before] = await notifications(db, game)
    seen = replace(before, **other)  # type: ignore[arg-type]
    step = PingStep(seen, 1, NOW, LATE, (Ping("p1", ANN, 0, "pending", "no"),))
    assert await db.write(lambda tx: pings.store_ping_step(tx, game, step)) == (other == {})
    after = await pings.notifications_of_game(db, game)
    assert after == (
        ([before], []) if other else ([replace(before, stage=1, due_at=LATE, pinged_at=NOW)], [*step.pings])
    )
    assert other or not await db.write(lambda tx: pings.store_ping_step(tx, game, step))


async def test_first_ping_is_remembered(db: Database, game: int) -> None:
    """Through reminders, with the time that the bot was down since."""
    other = await running_game(db)
    await put(db, other, turn("1"))
    await ping(db, game)
    await db.write(lambda tx: pings.add_downtime(tx, ALL_SHARDS, 5000))
    await db.write(lambda tx: pings.add_downtime(tx, SECOND, 5000))
    [before] = await notifications(db, game)
    assert await db.write(lambda tx: pings.store_ping_step(tx, game, PingStep(before, 2, LATE, LATE)))
    expected = Notification("p1", 0, NOW, 2, LATE, LATE, NOW, 5000)
    assert await notifications(db, game) == [expected]
    assert await notifications(db, other) == [Notification("p1", 0, NOW, 0, NOW, NOW)]
    for has_departed in (True, False):
        await pings.mark_departed(db, game, "p1", has_departed=has_departed)
        assert await notifications(db, game) == [replace(expected, has_departed=has_departed)]
    await put(db, game, turn("1"), now=LATE)
    assert await pings.notifications_of_game(db, game) == ([Notification("p1", 0, LATE, 0, LATE, LATE)], [])


async def seated(db: Database, game: int, player: str, user: int) -> None:
    """A user plays a seat from now on."""
    await seats.record_seat_change(
        db, game, SeatEntry(player, "holder", user, "Ann", 0, None, EARLY), notices=[]
    )


async def test_game_waits_for_who_plays_the_seat(db: Database) -> None:
    """Its holder no more, while somebody substitutes; no game that is over waits."""
    game, over = await running_game(db), await running_game(db)
    for number in (game, over):
        await put(db, number, turn("12"))
        for player in ("p1", "p2"):
            await seated(db, number, player, ANN)
    assert await overviews.games_waiting_for(db, ANN) == [game, over]
    await games.finish_game(db, over)
    assert await overviews.games_waiting_for(db, ANN) == [game]
    for player in ("p1", "p2"):
        await seated(db, game, player, BOB)
    assert [await overviews.games_waiting_for(db, user) for user in (ANN, BOB)] == [[], [game]]
