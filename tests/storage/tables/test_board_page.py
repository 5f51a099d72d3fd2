"""Links and sessions of the board page: a link is used once, however many try; what is waiting is its user's alone."""

import asyncio
from dataclasses import replace

from storage import Database, board_page
from storage.board_page import Link, Session
from tests.storage.makers import NewGame

NOW = "2026-01-02T03:04:05.000+00:00"
LATER = "2026-02-02T03:04:05.000+00:00"
LAST = "2026-03-02T03:04:05.000+00:00"


def session(game_id: int, number: int, *, user_id: int = 7, waits: bool = True) -> Session:
    """A session, waiting or open."""
    state: board_page.State = "waiting" if waits else "open"
    code, created = f"{1000 + number}", f"2026-01-02T03:04:{number:02}.000+00:00"
    return Session(f"{user_id} {number} {waits}", game_id, user_id, state, code, None, created, LATER)


async def test_of_many_who_use_a_link_at_once_one_is_first(db: Database, new_game: NewGame) -> None:
    game = await new_game(db)
    await board_page.give_out(db, Link("once", game.id, 7, False, LATER))
    found = await asyncio.gather(*(board_page.use(db, "once", NOW) for _ in range(6)))
    assert sorted(found) == [False] * 5 + [True]


async def test_a_link_is_found_until_it_expires_used_or_not(db: Database, new_game: NewGame) -> None:
    game = await new_game(db)
    link = Link("once", game.id, 7, True, LATER, "Ann")
    await board_page.give_out(db, link)
    for _ in range(2):
        assert await board_page.link(db, "once", NOW) == link
        assert await board_page.link(db, "once", LATER) is None
        assert await board_page.link(db, "other", NOW) is None
        await board_page.use(db, "once", NOW)


async def test_sessions_of_a_browser_and_of_a_user_are_listed(db: Database, new_game: NewGame) -> None:
    """The latest first, at all games; of a user those that are open."""
    game, other = await new_game(db), await new_game(db)
    sessions = [
        replace(session(game.id, 1, waits=False), browser="a"),
        replace(session(other.id, 2, waits=False), browser="b"),
        replace(session(other.id, 3), browser="a"),
        replace(session(other.id, 4, user_id=8, waits=False), browser=""),
    ]
    for one in sessions:
        await board_page.open_session(db, one)
    assert await board_page.sessions_in(db, "a", NOW) == [sessions[2], sessions[0]]
    assert await board_page.sessions_in(db, "", NOW) == []
    assert await board_page.sessions_of(db, 7, NOW) == [sessions[1], sessions[0]]
    assert await board_page.sessions_in(db, "a", LATER) == await board_page.sessions_of(db, 7, LATER) == []


async def test_many_sessions_are_asked_for_at_once(db: Database, new_game: NewGame) -> None:
    """More than one statement takes; what is over, or never was, is left out."""
    game = await new_game(db)
    one, two = session(game.id, 1, waits=False), replace(session(game.id, 2, waits=False), expires_at=NOW)
    for stored in (one, two):
        await board_page.open_session(db, stored)
    asked = [one.digest, *map(str, range(board_page.AT_ONCE)), two.digest]
    assert await board_page.sessions_by(db, asked, NOW) == {one.digest: one}
    assert await board_page.sessions_by(db, [], NOW) == {}


async def test_a_session_takes_the_place_of_others(db: Database, new_game: NewGame) -> None:
    game = await new_game(db)
    old, kept, new = (session(game.id, number, waits=False) for number in range(3))
    for one in (old, kept):
        await board_page.open_session(db, one)
    await board_page.open_session(db, new, [old.digest])
    assert await board_page.sessions_of(db, 7, NOW) == [new, kept]


async def test_a_user_ends_no_session_of_others(db: Database, new_game: NewGame) -> None:
    game = await new_game(db)
    mine, spectator = (
        session(game.id, 1, waits=False),
        replace(session(game.id, 2, waits=False), user_id=None),
    )
    for one in (mine, spectator):
        await board_page.open_session(db, one)
    assert [await board_page.end_session(db, one.digest, 8) for one in (mine, spectator)] == [False, False]
    assert [await board_page.end_session(db, one.digest) for one in (spectator, spectator)] == [True, False]
    assert await board_page.end_session(db, mine.digest, 7)
    assert await board_page.sessions_by(db, [mine.digest, spectator.digest], NOW) == {}


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
    assert await board_page.link(db, "link", NOW) is None
    await db.write(lambda tx: board_page.end_sessions(tx, 7))
    assert [await board_page.session(db, one.digest, NOW) is not None for one in sessions] == [
        False,
        False,
        True,
    ]


async def test_what_has_expired_waits_for_nobody_and_is_deleted(db: Database, new_game: NewGame) -> None:
    """At the very moment up to which it was good."""
    game = await new_game(db)
    later = replace(session(game.id, 1), expires_at=LAST)
    for one in (later, session(game.id, 2)):
        await board_page.open_session(db, one)
    for nonce, expires in (("short", LATER), ("long", LAST)):
        await board_page.give_out(db, Link(nonce, game.id, 7, False, expires))
    assert [one.code for one in await board_page.waiting(db, 7, game.id, NOW)] == ["1002", "1001"]
    assert [one.code for one in await board_page.waiting(db, 7, game.id, LATER)] == ["1001"]
    assert await board_page.session(db, session(game.id, 2).digest, LATER) is None
    await board_page.forget_expired(db, LATER)
    assert await board_page.waiting(db, 7, game.id, NOW) == [later]
    assert [await board_page.link(db, nonce, NOW) for nonce in ("short", "long")] == [
        None,
        Link("long", game.id, 7, False, LAST),
    ]


async def test_only_a_browser_that_waits_is_confirmed_and_by_its_code(
    db: Database, new_game: NewGame
) -> None:
    """In its own game; it lasts as long as is said then."""
    game, other = await new_game(db), await new_game(db)
    for one in (session(game.id, 1), session(game.id, 2), session(game.id, 3, waits=False)):
        await board_page.open_session(db, one)
    assert not await board_page.confirm(db, 7, game.id, "1003", LAST)
    assert not await board_page.confirm(db, 7, other.id, "1001", LAST)
    assert await board_page.confirm(db, 7, game.id, "1001", LAST)
    confirmed, waits = [await board_page.session(db, session(game.id, n).digest, NOW) for n in (1, 2)]
    assert confirmed == replace(session(game.id, 1), state="open", expires_at=LAST)
    assert waits == session(game.id, 2)


async def test_browsers_that_wait_make_room_for_no_others(db: Database, new_game: NewGame) -> None:
    """Neither in another game, nor those that were confirmed."""
    game, other = await new_game(db), await new_game(db)
    await board_page.open_session(db, session(game.id, 1, waits=False))
    await board_page.open_session(db, session(other.id, 2))
    for number in range(10, 10 + board_page.WAITING):
        await board_page.open_session(db, session(game.id, number))
    assert len(await board_page.waiting(db, 7, game.id, NOW)) == 5
    assert len(await board_page.waiting(db, 7, other.id, NOW)) == 1
    assert await board_page.session(db, session(game.id, 1, waits=False).digest, NOW) is not None
