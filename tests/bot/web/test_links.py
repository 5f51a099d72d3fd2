"""A link opens the board for one user and one game, once; nothing else opens it."""

import re
from datetime import timedelta

import pytest

from bot.table.board_links_and_sessions import (
    INVALID_LINK_TEXT,
    SESSION_LIFETIME,
    BoardLinks,
    Browser,
    Visitor,
)
from bot.table.errors import Refused
from storage import games, later_timestamp
from tests.bot.support.table_service import ANN, BOB, CY, TableService

NOW = "2026-01-02T03:04:05.000+00:00"
SECOND, MINUTE, HOUR = timedelta(seconds=1), timedelta(minutes=1), timedelta(hours=1)


class Clock:
    """A clock that stands until it is moved."""

    def __init__(self) -> None:
        self.now = NOW

    def __call__(self) -> str:
        return self.now

    def pass_by(self, time: timedelta) -> None:
        """So much later."""
        self.now = later_timestamp(self.now, time)


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def links(service: TableService, clock: Clock) -> BoardLinks:
    return BoardLinks(service.db, clock)


@pytest.fixture
async def token(links: BoardLinks, game: int) -> str:
    return await links.personal_token(game, ANN, moderates=False)


async def seen(links: BoardLinks, game: int, secret: str) -> Visitor:
    visitor = await links.visitor(game, secret)
    assert visitor is not None
    return visitor


async def test_secrets_are_long(links: BoardLinks, game: int, token: str) -> None:
    assert re.fullmatch(r"[\w-]{22}\.[0-9a-f]{32}", token)
    links.has_board_per_seat, browser = True, Browser("of all seats")
    seats = [
        await links.open(await links.personal_token(game, user, moderates=False), browser)
        for user in (ANN, BOB, ANN)
    ]
    assert all(re.fullmatch(r"[\w-]{43}", one.secret) for one in seats)
    assert len({one.secret for one in seats}) == 3
    assert all(re.fullmatch("[0-9a-f]{6}", one.seat) for one in seats)
    assert (seats[0].seat == seats[2].seat, seats[0].seat == seats[1].seat) == (True, False)
    assert (await links.open(await links.spectator_token(game))).seat == ""


@pytest.mark.parametrize("change", ["signature", "nonce", "nothing", "other key"])
async def test_forged_link_opens_nothing(links: BoardLinks, token: str, change: str) -> None:
    nonce, _, signature = token.partition(".")
    forged = {
        "signature": f"{nonce}.{'0' * len(signature)}",
        "nonce": f"{nonce[::-1]}.{signature}",
        "nothing": "",
        "other key": nonce,
    }[change]
    with pytest.raises(Refused, match=INVALID_LINK_TEXT):
        await links.open(forged)
    assert (await links.open(token)).code == "", "and does not use up the true one"


async def test_changed_row_opens_nothing(service: TableService, links: BoardLinks, token: str) -> None:
    await service.db.write(lambda tx: tx.put("UPDATE board_links SET moderates = 1"))
    with pytest.raises(Refused, match=INVALID_LINK_TEXT):
        await links.open(token)


async def test_link_expires_after_an_hour(links: BoardLinks, clock: Clock, game: int, token: str) -> None:
    late = await links.personal_token(game, ANN, moderates=False)
    clock.pass_by(59 * MINUTE)
    await links.open(token)
    clock.pass_by(MINUTE)
    with pytest.raises(Refused, match=INVALID_LINK_TEXT):
        await links.open(late)


@pytest.mark.parametrize(("user", "lasts"), [(ANN, timedelta(days=14)), (None, timedelta(days=7))])
async def test_session_expires(
    links: BoardLinks, clock: Clock, game: int, user: int | None, lasts: timedelta
) -> None:
    link = links.spectator_token(game) if user is None else links.personal_token(game, user, moderates=False)
    opened = await links.open(await link)
    clock.pass_by(lasts - SECOND)
    assert await links.visitor(game, opened.secret) is not None
    clock.pass_by(SECOND)
    assert await links.visitor(game, opened.secret) is None


async def test_moderator_moderates_for_an_hour(links: BoardLinks, clock: Clock, game: int) -> None:
    opened = await links.open(await links.personal_token(game, ANN, moderates=True))
    assert (await seen(links, game, opened.secret)).moderates
    clock.pass_by(HOUR)
    assert not (await seen(links, game, opened.secret)).moderates


# --- a used link -----------------------------------------------------------------------------------------------------


async def test_used_link_waits_for_its_user(links: BoardLinks, game: int) -> None:
    token = await links.personal_token(game, ANN, moderates=True)
    await links.open(token)
    again = await links.open(token)
    before = await seen(links, game, again.secret)
    assert (before.user_id, before.moderates, before.code) == (None, False, again.code)
    assert [await links.codes_to_confirm(game, user) for user in (ANN, BOB)] == [[again.code], []]
    with pytest.raises(Refused, match="That code has expired"):
        await links.confirm(game, BOB, again.code)
    await links.confirm(game, ANN, again.code)
    after = await seen(links, game, again.secret)
    assert (after.user_id, after.moderates) == (ANN, False)
    assert await links.codes_to_confirm(game, ANN) == []


async def test_browser_waits_for_an_hour(links: BoardLinks, clock: Clock, game: int, token: str) -> None:
    await links.open(token)
    code = (await links.open(token)).code
    clock.pass_by(59 * MINUTE)
    assert await links.codes_to_confirm(game, ANN) == [code]
    clock.pass_by(MINUTE)
    assert await links.codes_to_confirm(game, ANN) == []


async def test_few_browsers_wait(links: BoardLinks, clock: Clock, game: int, token: str) -> None:
    opened = []
    for _ in range(8):
        opened.append(await links.open(token))
        clock.pass_by(SECOND)
    assert await links.codes_to_confirm(game, ANN) == [one.code for one in reversed(opened[-5:])]


@pytest.mark.parametrize(("drawn", "code"), [(0, "1000"), (-1, "9999")])
async def test_code_has_four_digits(
    links: BoardLinks, token: str, monkeypatch: pytest.MonkeyPatch, drawn: int, code: str
) -> None:
    monkeypatch.setattr("secrets.randbelow", lambda count: drawn % count)  # chance
    await links.open(token)
    assert (await links.open(token)).code == code


# --- the end ---------------------------------------------------------------------------------------------------------


async def test_removed_user_is_let_in_no_more(
    service: TableService, links: BoardLinks, game: int, token: str
) -> None:
    opened = await links.open(await links.personal_token(game, CY, moderates=False))
    unused, anns = await links.personal_token(game, CY, moderates=False), await links.open(token)
    await games.finish_game(service.db, game)
    await service.forget(CY)
    assert await links.visitor(game, opened.secret) is None
    with pytest.raises(Refused, match=INVALID_LINK_TEXT):
        await links.open(unused)
    assert await links.visitor(game, anns.secret) is not None


async def test_expired_rows_are_deleted(
    service: TableService, links: BoardLinks, clock: Clock, game: int, token: str
) -> None:
    await links.open(token)
    clock.pass_by(SESSION_LIFETIME)
    await links.personal_token(game, ANN, moderates=False)
    await links.forget_expired()
    tables = ("board_links", "board_sessions")
    assert [len(await service.db.rows(f"SELECT 1 FROM {table}")) for table in tables] == [1, 0]
