"""Links and sessions of the board page: a link is used once, however many try; what is waiting is its user's alone."""

import asyncio
from dataclasses import replace

import pytest

from storage import Database, board_page, events
from storage.board_page import Link, PagePlace, Session
from tests.storage.makers import LAST, LATER, NOW, running_game


@pytest.fixture
async def other(db: Database, game_id: int) -> int:
    """Another game."""
    return await running_game(db)


def session(game: int, number: int, *, user_id: int | None = 7, waits: bool = True) -> Session:
    """A session, waiting or open."""
    state: board_page.SessionState = "waiting" if waits else "open"
    created = f"2026-01-02T03:04:{number:02}.000+00:00"
    digest = f"{game} {user_id} {number} {waits}"
    return Session(digest, game, user_id, state, f"{1000 + number}", None, created, LATER)


async def opened(db: Database, *sessions: Session) -> None:
    for one in sessions:
        await board_page.open_session(db, one)


async def codes(db: Database, game: int, now: str = NOW) -> list[str]:
    """The codes of browsers that wait for the user there."""
    return [one.code for one in await board_page.unconfirmed_sessions(db, 7, game, now)]


async def test_link_is_used_once(db: Database, game_id: int) -> None:
    """And found until it expires."""
    link = Link("once", game_id, 7, True, LATER, "Ann")
    await board_page.record_link(db, link)
    assert await board_page.find_link(db, "once", NOW) == link
    found = await asyncio.gather(*(board_page.use_up_link(db, "once", NOW) for _ in range(6)))
    assert sorted(found) == [False] * 5 + [True]
    assert await board_page.find_link(db, "once", NOW) == link
    assert await board_page.find_link(db, "once", LATER) is None
    assert await board_page.find_link(db, "other", NOW) is None


async def test_one_key_signs_for_all(db: Database) -> None:
    found = await asyncio.gather(*(board_page.signing_key(db, f"{number}") for number in range(4)))
    assert len(set(found)) == 1


async def test_sessions_are_listed(db: Database, game_id: int, other: int) -> None:
    """The latest first, at all games: of a browser, and of a user those that are open."""
    mine = replace(session(game_id, 1, waits=False), browser="a")
    elsewhere = replace(session(other, 2, waits=False), browser="b")
    waits = replace(session(other, 3), browser="a")
    await opened(db, mine, elsewhere, waits, session(other, 4, user_id=8, waits=False))
    assert await board_page.sessions_in_browser(db, "a", NOW) == [waits, mine]
    assert await board_page.sessions_in_browser(db, "", NOW) == []
    assert await board_page.sessions_of_user(db, 7, NOW) == [elsewhere, mine]
    assert (
        await board_page.sessions_in_browser(db, "a", LATER)
        == await board_page.sessions_of_user(db, 7, LATER)
        == []
    )


async def test_many_sessions_are_found_by_digest(db: Database, game_id: int) -> None:
    """More than one statement takes; what is over, or never was, is left out."""
    one, two = session(game_id, 1), replace(session(game_id, 2), expires_at=NOW)
    await opened(db, one, two)
    asked = [one.digest, *map(str, range(board_page.SESSIONS_PER_QUERY)), two.digest]
    assert await board_page.sessions_by_digest(db, asked, NOW) == {one.digest: one}
    assert await board_page.sessions_by_digest(db, [], NOW) == {}


async def test_session_replaces_others(db: Database, game_id: int) -> None:
    old, kept, new = (session(game_id, number, waits=False) for number in range(3))
    await opened(db, old, kept)
    await board_page.open_session(db, new, [old.digest])
    assert await board_page.sessions_of_user(db, 7, NOW) == [new, kept]


async def test_user_ends_no_session_of_others(db: Database, game_id: int) -> None:
    mine, spectator = session(game_id, 1), session(game_id, 2, user_id=None, waits=False)
    await opened(db, mine, spectator)
    assert [await board_page.end_session(db, one.digest, 8) for one in (mine, spectator)] == [False, False]
    assert [await board_page.end_session(db, one.digest) for one in (spectator, spectator)] == [True, False]
    assert await board_page.end_session(db, mine.digest, 7)
    assert await board_page.sessions_by_digest(db, [mine.digest, spectator.digest], NOW) == {}


async def test_newest_browsers_wait(db: Database, game_id: int, other: int) -> None:
    """They make room neither for those of others or at other games, nor for confirmed ones."""
    elsewhere, confirmed = session(other, 2), session(game_id, 50, waits=False)
    await opened(db, confirmed, elsewhere, session(game_id, 51, user_id=8))
    await opened(db, *(session(game_id, number) for number in range(board_page.MAX_WAITING_BROWSERS + 2)))
    assert await codes(db, game_id) == ["1006", "1005", "1004", "1003", "1002"]
    assert await codes(db, other) == ["1002"]
    assert await board_page.find_session(db, confirmed.digest, NOW) == confirmed


async def test_browser_is_confirmed_by_its_code(db: Database, game_id: int, other: int) -> None:
    """By its own user, in its own game; it lasts as long as is said then."""
    one, two = session(game_id, 1), session(game_id, 2)
    await opened(db, one, two, session(game_id, 3, waits=False))
    for user, game, code in ((8, game_id, "1001"), (7, other, "1001"), (7, game_id, "1003")):
        assert not await board_page.confirm_session(db, user, game, code, LAST)
    assert await board_page.confirm_session(db, 7, game_id, "1001", LAST)
    opened_one = replace(one, state="open", expires_at=LAST)
    assert await board_page.sessions_by_digest(db, [one.digest, two.digest], NOW) == {
        one.digest: opened_one,
        two.digest: two,
    }
    assert await codes(db, game_id) == ["1002"]


async def test_sessions_of_a_user_end(db: Database, game_id: int, other: int) -> None:
    """In one game or in all, with the links."""
    sessions = [session(game_id, 1), session(other, 2), session(game_id, 3, user_id=8)]
    await opened(db, *sessions)
    await board_page.record_link(db, Link("link", game_id, 7, False, LATER))
    for game, left in ((game_id, [False, True, True]), (None, [False, False, True])):
        await db.write(lambda tx, where=game: board_page.end_sessions(tx, 7, where))  # type: ignore[misc]
        assert [await board_page.find_session(db, one.digest, NOW) is not None for one in sessions] == left
        assert await board_page.find_link(db, "link", NOW) is None


async def test_expired_sessions_are_deleted(db: Database, game_id: int) -> None:
    """At the very moment up to which they were good."""
    later = replace(session(game_id, 1), expires_at=LAST)
    await opened(db, later, session(game_id, 2))
    links = [Link(nonce, game_id, 7, False, expires) for nonce, expires in (("short", LATER), ("long", LAST))]
    for link in links:
        await board_page.record_link(db, link)
    assert await codes(db, game_id) == ["1002", "1001"]
    assert await codes(db, game_id, LATER) == ["1001"]
    assert await board_page.find_session(db, session(game_id, 2).digest, LATER) is None
    await board_page.delete_expired(db, LATER)
    assert await board_page.unconfirmed_sessions(db, 7, game_id, NOW) == [later]
    assert [await board_page.find_link(db, link.nonce, NOW) for link in links] == [None, links[1]]


async def test_page_link_opens_once(db: Database) -> None:
    """One browser, however many try; its session ends with all sessions of the user."""
    event = await events.create_event(
        db, guild_id=1, channel_id=2, name="Spring", settings="{}", seed=4, opened_by=7, now=NOW
    )
    place = PagePlace("event", event.id)
    await board_page.record_page_link(db, "link", place, 7, LATER)
    found = await asyncio.gather(
        *(board_page.open_page_link(db, "link", f"{number}", NOW, LATER) for number in range(6))
    )
    winner = next(number for number, opened in enumerate(found) if opened == place)
    assert [one for one in found if one is not None] == [place]
    users = [await board_page.user_of_page_session(db, place, f"{winner}", now) for now in (NOW, LATER)]
    assert users == [7, None]
    assert await board_page.user_of_page_session(db, PagePlace("server", 1), f"{winner}", NOW) is None
    await db.write(lambda tx: board_page.end_sessions(tx, 7))
    assert await board_page.user_of_page_session(db, place, f"{winner}", NOW) is None
