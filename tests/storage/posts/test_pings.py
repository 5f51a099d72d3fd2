"""NotificationChanges are written with what leads to them; who is pinged to one is pinged once."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from storage import Database, clocks, direct_messages, games, log, outbox, pings, seats, waiting_games
from storage.clocks import Pause
from storage.errors import StaleSequence
from storage.outbox import OutboxMessage
from storage.pings import Notification, NotificationChanges, Ping, PingStep
from storage.seats import SeatEntry
from storage.settings import GUILDS, LEFT
from storage.shards import WHOLE, ShardSet
from tests.storage.makers import Act, NewGame, RunningGame

EARLY, NOW, LATE = (f"2026-01-02T{hour:02}:00:00.000+00:00" for hour in (3, 5, 23))
ANN = 100


async def put(db: Database, game: int, *changes: NotificationChanges, now: str = NOW) -> None:
    """What becomes of notifications, one after the other."""
    for number, notifications in enumerate(changes):
        await outbox.put(db, game, number, [OutboxMessage("turn", "{}", notifications)], now)


async def waits_for(db: Database, game: int) -> list[tuple[str, int]]:
    """Whose notifications there are, and the stage of each."""
    return [
        (notification.player_id, notification.stage) for notification in (await pings.of_game(db, game))[0]
    ]


async def pinged(db: Database, game: int, **to: object) -> Ping:
    """The first notification of the game is looked at: Ann is pinged to it."""
    notification = (await pings.of_game(db, game))[0][0]
    one = Ping(notification.player_id, ANN, notification.stage, **{"thread": "pending", "direct": "no", **to})  # type: ignore[arg-type]
    assert await db.write(
        lambda tx: pings.step(tx, game, PingStep(notification, notification.stage + 1, NOW, LATE, (one,)))
    )
    return one


@pytest.mark.parametrize(
    ("changes", "left"),
    [
        ([NotificationChanges(("p2",), "p1", ("p2",))], [("p2", 0)]),
        ([NotificationChanges((), "p1", ("p1",))], [("p1", 1)]),
        # Ann moved, Bob moved at once: only Ann hears of it.
        (
            [NotificationChanges(("p2",), "p1", ("p2",)), NotificationChanges(("p1",), "p2", ("p1",))],
            [("p1", 0)],
        ),
        # Bob became due and moved, and plays on: no ping is needed.
        ([NotificationChanges(("p2",), "p1", ("p2",)), NotificationChanges((), "p2", ("p2",))], [("p2", 1)]),
        # Ann handed over and took it back: nobody is to be pinged.
        ([NotificationChanges(("p2",), "p1", ("p2",)), NotificationChanges((), "p1", ("p1",))], [("p1", 1)]),
        # Somebody else's move says nothing about who became due before it.
        (
            [NotificationChanges(("p2",), "p1", ("p2", "p3")), NotificationChanges((), "p3", ("p2",))],
            [("p2", 0)],
        ),
        # Two became due one after the other and both still are.
        (
            [NotificationChanges(("p2",), "p1", ("p2",)), NotificationChanges(("p3",), "p1", ("p2", "p3"))],
            [("p2", 0), ("p3", 0)],
        ),
        # One of two has moved.
        (
            [NotificationChanges(("p2", "p3"), "p1", ("p2", "p3")), NotificationChanges((), "p2", ("p3",))],
            [("p3", 0)],
        ),
        # A seat changes hands: its new holder is pinged, the others stay as they are.
        ([NotificationChanges((), None, ("p1", "p2")), NotificationChanges(("p2",))], [("p1", 1), ("p2", 0)]),
        # The game is over.
        ([NotificationChanges(("p2",), "p1", ("p2",)), NotificationChanges((), None, ())], []),
    ],
)
async def test_who_is_due_after_several_hand_overs(
    db: Database,
    running_game: RunningGame,
    changes: Sequence[NotificationChanges],
    left: list[tuple[str, int]],
) -> None:
    game = await running_game(db)
    await put(db, game, *changes)
    assert await waits_for(db, game) == left


async def test_a_duty_is_stored_with_the_move_or_not_at_all(
    db: Database, running_game: RunningGame, act: Act
) -> None:
    game = await running_game(db)
    turn = OutboxMessage("turn", "{}", NotificationChanges(("p2",), "p1", ("p2",)))
    with pytest.raises(StaleSequence):
        await log.commit_move(db, game, 5, [act()], [turn], now=NOW)
    assert await waits_for(db, game) == []
    await log.commit_move(db, game, 1, [act()], [turn], now=NOW)
    assert (await pings.of_game(db, game))[0] == [Notification("p2", 2, NOW, 0, NOW, NOW)]


async def test_who_became_due_just_now_is_not_pinged_yet(db: Database, running_game: RunningGame) -> None:
    game = await running_game(db)
    await put(db, game, NotificationChanges(("p1",)))
    assert await pings.due(db, NOW, EARLY) == []
    assert await pings.due(db, NOW, NOW) == [game]


async def test_nothing_is_due_in_a_game_that_pauses_or_is_over(
    db: Database, running_game: RunningGame
) -> None:
    paused, over = await running_game(db), await running_game(db)
    for game in (paused, over):
        await put(db, game, NotificationChanges(("p1",)))
    assert await pings.due(db, NOW, NOW) == [paused, over]
    await clocks.start_pause(db, paused, Pause(ANN, None, NOW), seq=1, notices=[])
    await games.finish(db, over)
    assert await pings.due(db, NOW, NOW) == []


async def test_nothing_is_due_on_a_server_that_the_bot_is_not_on(
    db: Database, running_game: RunningGame
) -> None:
    game = await running_game(db)
    await put(db, game, NotificationChanges(("p1",)))
    guild = (await games.get_game(db, game)).guild_id
    await GUILDS.put(db, guild, LEFT, EARLY)
    assert await pings.due(db, NOW, NOW) == []
    await GUILDS.forget(db, guild, LEFT)
    assert await pings.due(db, NOW, NOW) == [game]


async def test_a_step_is_taken_once(db: Database, running_game: RunningGame) -> None:
    game = await running_game(db)
    await put(db, game, NotificationChanges(("p1",)))
    notification = (await pings.of_game(db, game))[0][0]
    step = PingStep(notification, 1, NOW, LATE, (Ping("p1", ANN, 0, "pending", "no"),))
    assert await db.write(lambda tx: pings.step(tx, game, step))
    assert not await db.write(lambda tx: pings.step(tx, game, step))
    assert await pings.due(db, NOW, NOW) == []


async def test_who_has_acted_is_not_muted_any_more(db: Database, running_game: RunningGame) -> None:
    game = await running_game(db)
    await put(db, game, NotificationChanges(("p1",)))
    assert not await pings.mute(db, game, ANN)
    await pinged(db, game)
    assert await pings.mute(db, game, ANN)
    assert [one.muted for one in (await pings.of_game(db, game))[1]] == [True]
    await put(db, game, NotificationChanges((), "p1", ("p1",)))
    assert (await pings.of_game(db, game))[1] == []


async def test_who_sleeps_now_is_pinged_at_the_same_stage_later(
    db: Database, running_game: RunningGame
) -> None:
    game = await running_game(db)
    await put(db, game, NotificationChanges(("p1",)))
    one = await pinged(db, game)
    await pings.put_off(db, game, one, LATE)
    assert await pings.of_game(db, game) == ([Notification("p1", 0, NOW, 0, NOW, LATE)], [])


async def test_a_reminder_that_comes_later_leaves_the_ping_where_it_was(
    db: Database, running_game: RunningGame
) -> None:
    game = await running_game(db)
    await put(db, game, NotificationChanges(("p1",)))
    await pinged(db, game)
    [notification], _ = await pings.of_game(db, game)
    step = PingStep(notification, 2, LATE, LATE, (Ping("p1", ANN, 1, "pending", "no"),))
    assert await db.write(lambda tx: pings.step(tx, game, step))
    await pings.put_off(db, game, step.pinged[0], LATE)
    [notification], _ = await pings.of_game(db, game)
    assert (notification.stage, notification.pinged_at) == (1, NOW)


async def test_the_first_ping_is_remembered_through_reminders_with_the_time_the_bot_was_down_since(
    db: Database, running_game: RunningGame
) -> None:
    game, other = await running_game(db), await running_game(db)
    for number in (game, other):
        await put(db, number, NotificationChanges(("p1",)))
    await pinged(db, game)
    await db.write(lambda tx: pings.was_down(tx, WHOLE, 5000))
    await db.write(lambda tx: pings.was_down(tx, ShardSet((1,), 2), 5000))
    [notification], _ = await pings.of_game(db, game)
    assert await db.write(lambda tx: pings.step(tx, game, PingStep(notification, 2, LATE, LATE)))
    [notification], _ = await pings.of_game(db, game)
    assert (notification.pinged_at, notification.down, notification.departed) == (NOW, 5000, False)
    [unpinged], _ = await pings.of_game(db, other)
    assert (unpinged.pinged_at, unpinged.down) == (None, 0)
    await pings.mark_departed(db, game, "p1")
    assert (await pings.of_game(db, game))[0][0].departed
    await put(db, game, NotificationChanges(("p1",)), now=LATE)
    assert await pings.of_game(db, game) == ([Notification("p1", 0, LATE, 0, LATE, LATE)], [])


async def test_of_several_games_the_one_that_has_waited_longest_is_next(
    db: Database, running_game: RunningGame
) -> None:
    found = [await running_game(db) for _ in range(3)]
    for game, at in zip(found, (LATE, EARLY, NOW), strict=True):
        seat = SeatEntry("p1", "holder", ANN, "Ann", 0, None, EARLY)
        await seats.assign(db, game, seat, notices=[])
        await put(db, game, NotificationChanges(("p1",)), now=at)

    async def following(but: int) -> int | None:
        row = await waiting_games.next_game(db, ANN, but)
        return None if row is None else row.id

    assert await following(found[0]) == found[1]
    assert await following(found[1]) == found[2]
    await clocks.start_pause(db, found[1], Pause(ANN, None, NOW), seq=1, notices=[])
    assert await following(found[0]) == found[2]
    assert await waiting_games.next_game(db, ANN + 1, found[0]) is None


async def test_a_ping_that_one_message_carries_is_in_no_other(
    db: Database, running_game: RunningGame
) -> None:
    game = await running_game(db)
    await put(db, game, NotificationChanges(("p1",)))
    await pinged(db, game, thread="no", direct="pending")
    assert list(await direct_messages.wanted(db)) == [ANN]
    await db.write(lambda tx: direct_messages.write(tx, ANN, "Your move", [(game, "p1")], game, NOW))
    assert await direct_messages.wanted(db) == {}
    (letter,) = await direct_messages.unsent(db)
    await direct_messages.take_back(db, letter)
    assert (list(await direct_messages.wanted(db)), await direct_messages.unsent(db)) == ([ANN], [])


async def test_who_takes_no_messages_is_pinged_in_the_thread(db: Database, running_game: RunningGame) -> None:
    game = await running_game(db)
    await put(db, game, NotificationChanges(("p1",)))
    await pinged(db, game, thread="no", direct="pending")
    await db.write(lambda tx: direct_messages.write(tx, ANN, "Your move", [(game, "p1")], game, NOW))
    (letter,) = await direct_messages.unsent(db)
    await db.write(lambda tx: direct_messages.closed(tx, letter))
    assert [one.thread for one in (await pings.of_game(db, game))[1]] == ["pending"]
    assert await direct_messages.unsent(db) == []


async def test_who_mutes_a_game_is_pinged_neither_by_message_nor_in_the_thread(
    db: Database, running_game: RunningGame
) -> None:
    """Not even where a message was queued before, and cannot be sent or is not accepted."""
    game = await running_game(db)
    await put(db, game, NotificationChanges(("p1",)))
    await pinged(db, game, thread="no", direct="pending")
    await pings.mute(db, game, ANN)
    assert await direct_messages.wanted(db) == {}
    await db.write(lambda tx: direct_messages.write(tx, ANN, "Your move", [(game, "p1")], game, NOW))
    (letter,) = await direct_messages.unsent(db)
    await direct_messages.take_back(db, letter)
    assert await direct_messages.wanted(db) == {}
    await db.write(lambda tx: direct_messages.closed(tx, letter))
    assert [one.thread for one in (await pings.of_game(db, game))[1]] == ["no"]


async def test_a_message_goes_with_its_first_game_and_is_out_of_date_by_those_of_other_processes(
    db: Database, new_game: NewGame
) -> None:
    """Two processes have divided the servers; the later message is about a server of the second."""
    first, second = [await waiting(db, new_game, guild_id=shard << 22) for shard in (0, 1)]
    await sent(db, [(first, "p1"), (second, "p1")], 71)
    await put(db, first, NotificationChanges((), "p1", ("p1",)))
    assert await direct_messages.outdated(db) == []
    await sent(db, [(second, "p1")], 72)
    assert await direct_messages.outdated(db, ShardSet((1,), 2)) == []
    assert [one.message_id for one in await direct_messages.outdated(db, ShardSet((0,), 2))] == [71]
    assert [one.message_id for one in await direct_messages.posted_to(db, ANN, 1 << 22)] == [72]
    assert len(await direct_messages.posted_to(db, ANN)) == 2


async def waiting(db: Database, new_game: NewGame, guild_id: int) -> int:
    """A running game on a server that has pinged Ann by a direct message."""
    game = (await new_game(db, guild_id=guild_id)).id
    await log.commit_start(db, game, [log.Entry("start", "{}", "d1", "")], now=NOW)
    await put(db, game, NotificationChanges(("p1",)))
    await pinged(db, game, thread="no", direct="pending")
    return game


async def sent(db: Database, notifications: list[tuple[int, str]], message_id: int) -> None:
    """Ann was sent a message that pings her to these."""
    await db.write(
        lambda tx: direct_messages.write(tx, ANN, "Your move", notifications, notifications[0][0], NOW)
    )
    (letter,) = await direct_messages.unsent(db)
    await direct_messages.sent(db, letter, NOW, message_id)


def changed(notification: Notification, **to: object) -> Notification:
    """It, as it was seen before it changed."""
    return replace(notification, **to)  # type: ignore[arg-type]


@pytest.mark.parametrize("other", [{"seq": 7}, {"stage": 1}, {"due_at": LATE}, {"player_id": "p2"}])
async def test_a_step_from_another_notification_is_not_taken(
    db: Database, running_game: RunningGame, other: dict[str, object]
) -> None:
    """Somebody else has taken one, or the player has moved since: nobody is pinged."""
    game = await running_game(db)
    await put(db, game, NotificationChanges(("p1",)))
    before = await pings.of_game(db, game)
    step = PingStep(changed(before[0][0], **other), 1, NOW, LATE, (Ping("p1", ANN, 0, "pending", "no"),))
    assert not await db.write(lambda tx: pings.step(tx, game, step))
    assert await pings.of_game(db, game) == before


async def test_a_step_that_is_no_ping_leaves_the_notification_unpinged(
    db: Database, running_game: RunningGame
) -> None:
    game = await running_game(db)
    await put(db, game, NotificationChanges(("p1",)))
    [notification], _ = await pings.of_game(db, game)
    assert await db.write(lambda tx: pings.step(tx, game, PingStep(notification, 0, LATE, LATE)))
    assert await pings.of_game(db, game) == ([replace(notification, at=LATE, due_at=LATE)], [])


async def test_a_reminder_is_due_at_its_time_however_long_the_turn_has_lasted(
    db: Database, running_game: RunningGame
) -> None:
    """In the shards asked about."""
    game = await running_game(db)
    await put(db, game, NotificationChanges(("p1",)))
    await pinged(db, game)
    assert await pings.due(db, NOW, EARLY) == []
    assert await pings.due(db, LATE, EARLY) == [game]
    assert await pings.due(db, LATE, EARLY, ShardSet((1,), 2)) == []


async def test_another_setting_of_the_server_keeps_nobody_from_being_pinged(
    db: Database, running_game: RunningGame
) -> None:
    """Nor does that of another server, nor the pause of another game."""
    game, paused = await running_game(db), await running_game(db)
    await put(db, game, NotificationChanges(("p1",)))
    await GUILDS.put(db, 10, "theme", "dark")
    await GUILDS.put(db, 99, LEFT, EARLY)
    await clocks.start_pause(db, paused, Pause(ANN, None, NOW), seq=1, notices=[])
    assert await pings.due(db, NOW, NOW) == [game]


async def seated(db: Database, game: int, player: str, user: int) -> None:
    """A user plays a seat from now on."""
    await seats.assign(db, game, SeatEntry(player, "holder", user, "Ann", 0, None, EARLY), notices=[])


async def test_a_changed_setting_is_looked_at_now_in_the_games_of_its_user(
    db: Database, running_game: RunningGame
) -> None:
    """What is due already stays so; other users' games wait."""
    own, others = await running_game(db), await running_game(db)
    for game, user in ((own, ANN), (others, ANN + 1)):
        await seated(db, game, "p1", user)
        await put(db, game, NotificationChanges((), None, ("p1",)), now=NOW)
        await put(db, game, NotificationChanges(("p2",)), now=EARLY)
    await db.write(lambda tx: pings.look_again(tx, ANN, LATE))
    found = [[one.due_at for one in (await pings.of_game(db, game))[0]] for game in (own, others)]
    later = "2026-01-02T17:00:00.000+00:00"
    assert found == [[later, EARLY], [later, EARLY]], "all of it is due before that"
    await db.write(lambda tx: pings.look_again(tx, ANN, NOW))
    found = [[one.due_at for one in (await pings.of_game(db, game))[0]] for game in (own, others)]
    assert found == [[NOW, EARLY], [later, EARLY]]


async def test_changed_reminders_are_looked_at_for_those_who_were_pinged(
    db: Database, running_game: RunningGame
) -> None:
    game = await running_game(db)
    await put(db, game, NotificationChanges(("p1", "p2")))
    await pinged(db, game)
    await db.write(lambda tx: pings.look_at(tx, game, EARLY))
    assert [one.due_at for one in (await pings.of_game(db, game))[0]] == [EARLY, NOW]


async def test_a_turn_message_has_pinged_those_who_were_to_be_pinged_in_the_thread(
    db: Database, running_game: RunningGame
) -> None:
    """At the stage that it pinged them at."""
    game = await running_game(db)
    await put(db, game, NotificationChanges(("p1",)))
    one = await pinged(db, game)
    await pings.mark_pinged(db, game, [replace(one, stage=1)])
    assert [ping.thread for ping in (await pings.of_game(db, game))[1]] == ["pending"]
    await pings.mark_pinged(db, game, [one])
    assert [ping.thread for ping in (await pings.of_game(db, game))[1]] == ["pinged"]
    await put(db, game, NotificationChanges(("p1",)))
    one = await pinged(db, game, thread="no")
    await pings.mark_pinged(db, game, [one])
    assert [ping.thread for ping in (await pings.of_game(db, game))[1]] == ["no"]


@pytest.mark.parametrize(("thread", "then"), [("no", "no"), ("pending", "pinged"), ("pinged", "pinged")])
async def test_who_mutes_a_game_is_not_pinged_by_what_was_to_come(
    db: Database, running_game: RunningGame, thread: str, then: str
) -> None:
    game = await running_game(db)
    await put(db, game, NotificationChanges(("p1",)))
    await pinged(db, game, thread=thread, direct="pending")
    assert not await pings.mute(db, game, ANN + 1)
    assert await pings.mute(db, game, ANN)
    assert [(one.thread, one.direct) for one in (await pings.of_game(db, game))[1]] == [(then, "queued")]


async def test_a_game_waits_for_the_user_who_plays_the_seat_now(
    db: Database, running_game: RunningGame
) -> None:
    """Its holder no more, while somebody substitutes; no game that is over waits."""
    game, over = await running_game(db), await running_game(db)
    for number in (game, over):
        await put(db, number, NotificationChanges(("p1", "p2")))
        await seated(db, number, "p1", ANN)
        await seated(db, number, "p2", ANN)
    assert await waiting_games.waiting_for(db, ANN) == [game, over]
    await games.finish(db, over)
    assert await waiting_games.waiting_for(db, ANN) == [game]
    for player in ("p1", "p2"):
        await seated(db, game, player, ANN + 1)
    assert (await waiting_games.waiting_for(db, ANN), await waiting_games.waiting_for(db, ANN + 1)) == (
        [],
        [game],
    )


async def test_who_moves_on_is_not_reminded_for_twelve_hours(db: Database, running_game: RunningGame) -> None:
    game = await running_game(db)
    await put(db, game, NotificationChanges((), "p1", ("p1",)))
    later = "2026-01-02T17:00:00.000+00:00"
    assert (await pings.of_game(db, game))[0] == [Notification("p1", 0, NOW, 1, NOW, later, NOW)]
