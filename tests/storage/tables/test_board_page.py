"""Links and sessions of the board page: a link is used once, however many try; what is waiting is its user's alone."""

import asyncio

from storage import Database
from storage.tables import board_page
from storage.tables.board_page import Link, Session
from tests.storage.makers import NewGame

NOW = "2026-01-02T03:04:05.000+00:00"
LATER = "2026-02-02T03:04:05.000+00:00"


def session(game_id: int, number: int, *, user_id: int = 7, waits: bool = True) -> Session:
    """A session, waiting or open."""
    state: board_page.State = "waiting" if waits else "open"
    code, created = f"{1000 + number}", f"2026-01-02T03:04:{number:02}.000+00:00"
    return Session(f"{user_id} {number} {waits}", game_id, user_id, state, code, None, created, LATER)


async def test_of_many_who_use_a_link_at_once_one_is_first(db: Database, new_game: NewGame) -> None:
    game = await new_game(db)
    await board_page.give_out(db, Link("once", game.id, 7, False, LATER))
    found = await asyncio.gather(*(board_page.use(db, "once", NOW, lambda _: True) for _ in range(6)))
    assert sorted(first for one in found if one is not None for first in one[1:]) == [False] * 5 + [True]


async def test_a_link_for_spectators_is_always_as_new(db: Database, new_game: NewGame) -> None:
    game = await new_game(db)
    await board_page.give_out(db, Link("shared", game.id, None, False, LATER))
    found = [await board_page.use(db, "shared", NOW, lambda _: True) for _ in range(2)]
    assert [one and one[1] for one in found] == [True, True]


async def test_a_link_that_is_no_good_stays_as_it_is(db: Database, new_game: NewGame) -> None:
    game = await new_game(db)
    link = Link("once", game.id, 7, True, LATER)
    await board_page.give_out(db, link)
    assert await board_page.use(db, "once", NOW, lambda _: False) is None
    assert await board_page.use(db, "once", LATER, lambda _: True) is None
    assert await board_page.use(db, "other", NOW, lambda _: True) is None
    assert await board_page.use(db, "once", NOW, lambda _: True) == (link, True)


async def test_all_processes_sign_with_one_key(db: Database) -> None:
    found = await asyncio.gather(*(board_page.key(db, f"{number}") for number in range(4)))
    assert len(set(found)) == 1


async def test_the_newest_that_wait_are_listed_for_their_user(db: Database, new_game: NewGame) -> None:
    game, other = await new_game(db), await new_game(db)
    for number in range(board_page.WAITING + 2):
        await board_page.open_session(db, session(game.id, number))
    await board_page.open_session(db, session(game.id, 50, user_id=8))
    await board_page.open_session(db, session(game.id, 51, waits=False))
    waiting = await board_page.waiting(db, 7, game.id, NOW)
    assert [one.code for one in waiting] == ["1006", "1005", "1004", "1003", "1002"]
    assert await board_page.waiting(db, 7, other.id, NOW) == []
    assert not await board_page.confirm(db, 8, game.id, "1006", LATER)
    assert await board_page.confirm(db, 7, game.id, "1006", LATER)
    assert (await board_page.waiting(db, 7, game.id, NOW))[0].code == "1005"


async def test_sessions_and_links_of_one_user_end_in_one_game_or_in_all(
    db: Database, new_game: NewGame
) -> None:
    game, other = await new_game(db), await new_game(db)
    sessions = [session(game.id, 1), session(other.id, 2), session(game.id, 3, user_id=8)]
    for one in sessions:
        await board_page.open_session(db, one)
    await board_page.give_out(db, Link("link", game.id, 7, False, LATER))
    await db.write(lambda tx: board_page.end_sessions(tx, 7, game.id))
    there = [await board_page.session(db, one.digest, NOW) is not None for one in sessions]
    assert there == [False, True, True]
    assert await board_page.use(db, "link", NOW, lambda _: True) is None
    await db.write(lambda tx: board_page.end_sessions(tx, 7))
    assert [await board_page.session(db, one.digest, NOW) is not None for one in sessions] == [
        False,
        False,
        True,
    ]
