"""Links and sessions of the board page: a link is used once, however many try; what is waiting is its user's alone."""

import asyncio
from dataclasses import replace

import pytest

from storage import Database, board_page, events
from storage.board_page import BoardLink, BoardSession, PageId
from tests.storage.makers import LATER, NOW, running_game


@pytest.fixture
async def other(db: Database, game_id: int) -> int:
    """Another game."""
    return await running_game(db)


def session(game: int, number: int, *, user_id: int | None = 7, waits: bool = True) -> BoardSession:
    """A session, waiting or open."""
    state: board_page.SessionState = "waiting" if waits else "open"
    created = f"2026-01-02T03:04:{number:02}.000+00:00"
    digest = f"{game} {user_id} {number} {waits}"
    return BoardSession(digest, game, user_id, state, f"{1000 + number}", None, created, LATER)


async def opened(db: Database, *sessions: BoardSession) -> None:
    for one in sessions:
        await board_page.open_session(db, one)


async def test_link_is_used_once(db: Database, game_id: int) -> None:
    """And found until it expires."""
    link = BoardLink("once", game_id, 7, True, LATER, "Ann")
    await board_page.record_link(db, link)
    assert await board_page.find_link(db, "once", NOW) == link
    found = await asyncio.gather(*(board_page.mark_link_used(db, "once", NOW) for _ in range(6)))
    assert sorted(found) == [False] * 5 + [True]
    assert await board_page.find_link(db, "once", NOW) == link
    assert await board_page.find_link(db, "once", LATER) is None
    assert await board_page.find_link(db, "other", NOW) is None


async def test_one_key_signs_for_all(db: Database) -> None:
    found = await asyncio.gather(
        *(board_page.get_or_store_signing_key(db, f"{number}") for number in range(4))
    )
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


async def test_page_link_opens_once(db: Database) -> None:
    """One browser, however many try; its session ends with all sessions of the user."""
    event = await events.create_event(
        db, guild_id=1, channel_id=2, name="Spring", settings="{}", seed=4, opened_by=7, now=NOW
    )
    place = PageId("event", event.id)
    await board_page.record_page_link(db, "link", place, 7, LATER)
    found = await asyncio.gather(
        *(board_page.open_page_link(db, "link", f"{number}", NOW, LATER) for number in range(6))
    )
    winner = next(number for number, opened in enumerate(found) if opened == place)
    assert [one for one in found if one is not None] == [place]
    users = [await board_page.user_of_page_session(db, place, f"{winner}", now) for now in (NOW, LATER)]
    assert users == [7, None]
    assert await board_page.user_of_page_session(db, PageId("server", 1), f"{winner}", NOW) is None
    await db.write(lambda tx: board_page.end_sessions(tx, 7))
    assert await board_page.user_of_page_session(db, place, f"{winner}", NOW) is None
