"""Games: made, found, shown somewhere, and moved from one status to the next."""

from dataclasses import replace

import pytest

from storage import ConstraintBroken, Database, NoSuchGame, WrongStatus, games, log, seats
from storage.shards import ShardSet
from tests.storage.makers import Act, NewGame, Undo
from tests.support.noted import noted

NOW = "2026-01-02T03:04:05+00:00"


def start() -> list[log.Entry]:
    return [log.Entry("start", "{}", "d", "")]


async def test_a_game_is_what_it_was_made_as(db: Database, new_game: NewGame) -> None:
    game = await new_game(db)
    assert game == games.GameRow(
        id=1,
        guild_id=10,
        channel_id=20,
        thread_id=None,
        board_message_id=None,
        turn_message_id=None,
        title="t18al",
        profile="rulebook",
        options='{"short": true}',
        seed=42,
        status="lobby",
        created_at=NOW,
        name="Friday",
    )
    assert await games.get_game(db, game.id) == game


async def test_a_game_that_is_not_there_has_a_name_in_the_refusal(db: Database) -> None:
    with pytest.raises(NoSuchGame, match="no game number 99"):
        await games.get_game(db, 99)
    with pytest.raises(NoSuchGame):
        await games.show_in(db, 99, 1)
    with pytest.raises(NoSuchGame):
        await log.commit_start(db, 99, start(), now=NOW)
    with pytest.raises(NoSuchGame):
        await log.read(db, 99)


async def test_a_game_knows_its_newest_messages(db: Database, new_game: NewGame) -> None:
    game = await new_game(db)
    await games.show_in(db, game.id, 2**62)
    for role, number in (("board", 7), ("turn", 5), ("turn", 6), ("turn", None), ("line", 9)):
        await noted(db, game.id, role, number)
    game = await games.get_game(db, game.id)
    assert (game.thread_id, game.board_message_id, game.turn_message_id) == (2**62, 7, 6)


async def test_a_thread_shows_one_game_in_play_and_the_next_after_it(db: Database, new_game: NewGame) -> None:
    first, second = await new_game(db), await new_game(db)
    await games.show_in(db, first.id, 30)
    with pytest.raises(ConstraintBroken):
        await games.show_in(db, second.id, 30)
    await games.abandon(db, first.id)
    await games.show_in(db, second.id, 30)
    shown = [await games.get_game(db, game.id) for game in (first, second)]
    assert [(game.thread_id, game.status) for game in shown] == [(30, "abandoned"), (30, "lobby")]


async def test_games_are_listed_by_guild_and_status(db: Database, new_game: NewGame) -> None:
    lobby, running, elsewhere = await new_game(db), await new_game(db), await new_game(db, guild_id=11)
    await log.commit_start(db, running.id, start(), now=NOW)
    assert [game.id for game in await games.list_games(db, 10)] == [lobby.id, running.id]
    assert [game.id for game in await games.list_games(db, 10, "running")] == [running.id]
    assert [game.id for game in await games.games_in(db, "lobby")] == [lobby.id, elsewhere.id]


async def test_games_are_found_by_who_sits_there(db: Database, new_game: NewGame) -> None:
    first, second, _ = await new_game(db), await new_game(db, guild_id=11), await new_game(db)
    for game, user in ((first, 7), (first, 7), (second, 7), (second, 8)):
        await seats.join(db, game.id, user, "Ann", now=NOW)
    assert [game.id for game in await games.games_of_user(db, 7)] == [first.id, second.id]
    assert [game.id for game in await games.games_of_user(db, 9)] == []


async def test_a_game_starts_once(db: Database, new_game: NewGame) -> None:
    game = await new_game(db)
    await log.commit_start(db, game.id, start(), now=NOW)
    with pytest.raises(WrongStatus, match="is running, not in the lobby") as caught:
        await log.commit_start(db, game.id, start(), now=NOW)
    assert caught.value.status == "running"
    assert len(await log.read(db, game.id)) == 1


async def test_a_start_that_fails_leaves_the_lobby(db: Database, new_game: NewGame, act: Act) -> None:
    game = await new_game(db)
    with pytest.raises(Exception, match="begins with a row that starts it"):
        await log.commit_start(db, game.id, [act()], now=NOW)
    assert (await games.get_game(db, game.id)).status == "lobby"


async def test_only_a_running_game_finishes(db: Database, new_game: NewGame, game_id: int) -> None:
    lobby = await new_game(db)
    with pytest.raises(WrongStatus, match="still in the lobby, not running"):
        await games.finish(db, lobby.id)
    await games.finish(db, game_id)
    assert (await games.get_game(db, game_id)).status == "finished"
    with pytest.raises(WrongStatus, match="is finished"):
        await games.abandon(db, game_id)


async def test_an_abandoned_game_takes_no_moves(db: Database, game_id: int, act: Act) -> None:
    await games.abandon(db, game_id)
    with pytest.raises(WrongStatus, match="is abandoned, not running"):
        await log.commit_move(db, game_id, 1, [act()], now=NOW)
    assert await log.last_seq(db, game_id) == 1


async def test_a_game_in_the_lobby_takes_no_moves(db: Database, new_game: NewGame, act: Act) -> None:
    game = await new_game(db)
    with pytest.raises(WrongStatus):
        await log.commit_move(db, game.id, 0, [act()], now=NOW)


async def test_the_last_move_finishes_the_game_and_its_undo_takes_it_up_again(
    db: Database, game_id: int, act: Act, undo: Undo
) -> None:
    await log.commit_move(db, game_id, 1, [act()], now=NOW, status="finished")
    assert (await games.get_game(db, game_id)).status == "finished"
    with pytest.raises(WrongStatus, match="is finished, not running"):
        await log.commit_move(db, game_id, 2, [undo(1)], now=NOW)
    await log.commit_move(db, game_id, 2, [undo(1)], now=NOW, status="running")
    assert (await games.get_game(db, game_id)).status == "running"


async def test_rules_and_options_are_changed_in_the_lobby_alone(
    db: Database, new_game: NewGame, game_id: int
) -> None:
    game, other = await new_game(db), await new_game(db)
    await games.set_rules(db, game.id, "18xx.games", "{}")
    assert await games.get_game(db, game.id) == replace(game, profile="18xx.games", options="{}")
    assert await games.get_game(db, other.id) == other
    with pytest.raises(WrongStatus, match="is running, not in the lobby"):
        await games.set_rules(db, game_id, "18xx.games", "{}")


async def test_games_are_counted_unless_given_up_before_the_start(
    db: Database, new_game: NewGame, game_id: int
) -> None:
    given_up, elsewhere = await new_game(db), await new_game(db, guild_id=11)
    lobbies = [await new_game(db), await new_game(db)]
    for game in (given_up.id, elsewhere.id, game_id):
        await games.abandon(db, game)
    title = lobbies[0].title
    assert await games.count_games(db, 10) == [(title, "abandoned", 1), (title, "lobby", 2)]


async def test_games_of_a_status_are_those_of_the_shards_asked_about(db: Database, new_game: NewGame) -> None:
    """Oldest first."""
    found = [await new_game(db, guild_id=shard << 22) for shard in (1, 0, 1)]
    assert [game.id for game in await games.games_in(db, "lobby", ShardSet((1,), 2))] == [
        found[0].id,
        found[2].id,
    ]
    assert await games.games_in(db, "running", ShardSet((1,), 2)) == []


async def test_the_thread_of_a_game_that_starts_is_where_it_is_shown(db: Database, new_game: NewGame) -> None:
    """One that is known already stays."""
    first, second = await new_game(db), await new_game(db)
    await games.show_in(db, second.id, 31)
    await log.commit_start(db, first.id, start(), now=NOW, thread_id=30)
    await log.commit_start(db, second.id, start(), now=NOW)
    assert [(await games.get_game(db, game.id)).thread_id for game in (first, second)] == [30, 31]
