"""Games: made, found, shown somewhere, and moved from one status to the next; settings of servers."""

from dataclasses import replace

import pytest

from storage import Database, fetch, games, log, seats
from storage.errors import ConstraintBroken, NoSuchGame, WrongStatus
from storage.games import GameRow
from storage.settings import GAME_SETTINGS, GUILD_SETTINGS, LEFT_SERVER_KEY
from tests.storage.makers import NOW, SECOND, START, move, new_game, running_game, undo
from tests.support.noted import noted


def ids(found: list[GameRow]) -> list[int]:
    return [game.id for game in found]


async def status(db: Database, game: int) -> str:
    return (await games.get_game(db, game)).status


async def test_game_is_what_it_was_made_as(db: Database) -> None:
    """A missing one is named."""
    game = await new_game(db)
    assert game == GameRow(
        *(1, 10, 20, None, None, None, "t18al", "rulebook", '{"short": true}', 42, "lobby", NOW, "Friday")
    )
    assert await games.get_game(db, game.id) == game
    for attempt in (
        games.get_game(db, 99),
        games.set_thread(db, 99, 1),
        log.commit_start(db, 99, [START], now=NOW),
        log.read_rows(db, 99),
    ):
        with pytest.raises(NoSuchGame, match="no game 99"):
            await attempt


async def test_game_knows_its_newest_messages(db: Database, game_id: int) -> None:
    await games.set_thread(db, game_id, 2**62)
    for role, number in (("board", 7), ("turn", 5), ("turn", 6), ("turn", None), ("line", 9)):
        await noted(db, game_id, role, number)
    game = await games.get_game(db, game_id)
    assert (game.thread_id, game.board_message_id, game.turn_message_id) == (2**62, 7, 6)


async def test_thread_shows_one_game_in_play(db: Database) -> None:
    """And the next after it; a game that is started there is shown there."""
    first, second, third = [(await new_game(db)).id for _ in range(3)]
    await games.set_thread(db, first, 30)
    with pytest.raises(ConstraintBroken):
        await games.set_thread(db, second, 30)
    await games.abandon_game(db, first)
    await games.set_thread(db, second, 30)
    await log.commit_start(db, second, [START], now=NOW)
    await log.commit_start(db, third, [START], now=NOW, thread_id=31)
    found = [(await games.get_game(db, game)).thread_id for game in (first, second, third)]
    assert found == [30, 30, 31]


async def test_games_are_listed(db: Database) -> None:
    """By guild, status, shard, and by who sits there; oldest first."""
    lobby, running = (await new_game(db)).id, await running_game(db)
    elsewhere, again = [(await new_game(db, guild_id=guild)).id for guild in (1 << 22, 10)]
    assert ids(await games.list_games(db, 10)) == [lobby, running, again]
    assert ids(await games.list_games(db, 10, "running")) == [running]
    assert ids(await games.games_with_status(db, "lobby")) == [lobby, elsewhere, again]
    assert ids(await games.games_with_status(db, "lobby", SECOND)) == [elsewhere]
    assert ids(await games.games_with_status(db, "running", SECOND)) == []
    for game in (lobby, running, elsewhere):
        await GAME_SETTINGS.put(db, game, "start", "full")
    assert ids(await games.games_with_setting(db, "lobby", "start")) == [lobby, elsewhere]
    assert ids(await games.games_with_setting(db, "lobby", "start", SECOND)) == [elsewhere]
    assert ids(await games.games_with_setting(db, "lobby", "bank")) == []
    for game, user in ((lobby, 7), (lobby, 7), (elsewhere, 7), (elsewhere, 8)):
        await seats.join_game(db, game, user, "Ann", now=NOW)
    assert [ids(await games.games_of_user(db, user)) for user in (7, 9)] == [[lobby, elsewhere], []]


async def test_games_are_counted_unless_given_up(db: Database, game_id: int) -> None:
    """Before the start."""
    given_up, elsewhere, *_ = [(await new_game(db, guild_id=guild)).id for guild in (10, 11, 10, 10)]
    for game in (given_up, elsewhere, game_id):
        await games.abandon_game(db, game)
    assert await games.count_games(db, 10) == [("t18al", "abandoned", 1), ("t18al", "lobby", 2)]


async def test_game_starts_once(db: Database, game_id: int) -> None:
    with pytest.raises(WrongStatus, match="is running, not in the lobby") as caught:
        await log.commit_start(db, game_id, [START], now=NOW)
    assert caught.value.status == "running"
    assert await log.last_seq(db, game_id) == 1


async def test_lobby_alone_changes_its_rules(db: Database, game_id: int) -> None:
    game, other = await new_game(db), await new_game(db)
    await games.set_rules(db, game.id, "18xx.games", "{}")
    assert await games.get_game(db, game.id) == replace(game, profile="18xx.games", options="{}")
    assert await games.get_game(db, other.id) == other
    with pytest.raises(WrongStatus, match="is running, not in the lobby"):
        await games.set_rules(db, game_id, "18xx.games", "{}")


async def test_running_game_alone_takes_moves(db: Database, game_id: int) -> None:
    """And finishes: its last move does that, too, and the undo of it takes it up again."""
    lobby = await new_game(db)
    for attempt in (move(db, lobby.id, 0), games.finish_game(db, lobby.id)):
        with pytest.raises(WrongStatus, match="still in the lobby, not running"):
            await attempt
    await move(db, game_id, 1, status="finished")
    assert await status(db, game_id) == "finished"
    for attempt in (move(db, game_id, 2, undo(1)), games.abandon_game(db, game_id)):
        with pytest.raises(WrongStatus, match="is finished"):
            await attempt
    await move(db, game_id, 2, undo(1), status="running")
    assert await status(db, game_id) == "running"
    await games.finish_game(db, game_id)
    assert await status(db, game_id) == "finished"
    await games.abandon_game(db, other := await running_game(db))
    with pytest.raises(WrongStatus, match="is abandoned, not running"):
        await move(db, other, 1)
    assert [await log.last_seq(db, game) for game in (lobby.id, game_id)] == [0, 3]


async def test_settings_belong_to_their_owner(db: Database) -> None:
    assert await GUILD_SETTINGS.get(db, 1, "theme") is None
    for owner, key, value in (
        (1, "theme", "dark"),
        (1, "theme", "light"),
        (1, "language", "en"),
        (2, "theme", "x"),
    ):
        await GUILD_SETTINGS.put(db, owner, key, value)
    assert [await GUILD_SETTINGS.get(db, owner, "theme") for owner in (1, 2)] == ["light", "x"]
    assert await GUILD_SETTINGS.get(db, 2, "language") is None
    await GUILD_SETTINGS.forget(db, 1, "theme")
    assert await GUILD_SETTINGS.settings_of(db, 1) == {"language": "en"}
    assert await fetch(db, GUILD_SETTINGS.query_for_keys(1, ("language", "zone"))) == {"language": "en"}
    assert await fetch(db, GUILD_SETTINGS.query_for_keys(1, ("zone",))) == {}
    await GUILD_SETTINGS.forget_all(db, 1)
    assert [await GUILD_SETTINGS.settings_of(db, owner) for owner in (1, 2)] == [{}, {"theme": "x"}]


async def test_owners_are_found_by_a_setting(db: Database) -> None:
    for guild, value in ((3, "2026"), (1, "2025"), (2, "2027")):
        await GUILD_SETTINGS.put(db, guild, LEFT_SERVER_KEY, value)
        await GUILD_SETTINGS.put(db, guild, "theme", "2026")
    await GUILD_SETTINGS.put(db, 4, "theme", "dark")
    assert await GUILD_SETTINGS.owners_with_setting(db, LEFT_SERVER_KEY) == [1, 2, 3]
    assert await GUILD_SETTINGS.owners_with_value(db, LEFT_SERVER_KEY, "2026") == [3]
    assert await GUILD_SETTINGS.owners_with_value_at_most(db, LEFT_SERVER_KEY, "2026") == [1, 3]
