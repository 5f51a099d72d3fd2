"""A link opens the board for one user and one game, once; nothing else opens it."""

import re
from datetime import timedelta

import pytest

from bot.table.board_links_and_sessions import INVALID, SESSION, BoardLinks
from bot.table.errors import Refused
from storage import games, later_timestamp
from tests.bot.support.table_service import ANN, BOB, CY, TableService

NOW = "2026-01-02T03:04:05.000+00:00"


class Clock:
    """What time it is."""

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


async def test_a_link_opens_the_board_for_its_user(service: TableService, links: BoardLinks) -> None:
    game = await service.game()
    opened = await links.open(await links.personal(game, ANN, moderates=False))
    visitor = await links.visitor(game, opened.secret)
    assert (opened.game_id, opened.code, opened.seat) == (game, "", "")
    assert visitor is not None
    assert (visitor.user_id, visitor.moderates) == (ANN, False)


async def test_nobody_guesses_a_link_or_what_a_browser_keeps(
    service: TableService, links: BoardLinks
) -> None:
    """128 random bits and as many of the signature; 256 of a session, and of the key."""
    game = await service.game()
    token = await links.personal(game, ANN, moderates=False)
    assert re.fullmatch(r"[\w-]{22}\.[0-9a-f]{32}", token)
    links.by_seat = True
    seats = [await links.open(await links.personal(game, user, moderates=False)) for user in (ANN, BOB, ANN)]
    assert all(re.fullmatch(r"[\w-]{43}", one.secret) for one in seats)
    assert len({one.secret for one in seats}) == 3
    assert all(re.fullmatch("[0-9a-f]{6}", one.seat) for one in seats)
    assert (seats[0].seat == seats[2].seat, seats[0].seat == seats[1].seat) == (True, False)
    assert (await links.open(await links.shared(game))).seat == ""
    assert len(await links._signing_key()) == 32


async def test_a_browser_waits_an_hour_to_be_confirmed(
    service: TableService, links: BoardLinks, clock: Clock
) -> None:
    game = await service.game()
    token = await links.personal(game, ANN, moderates=False)
    await links.open(token)
    code = (await links.open(token)).code
    clock.pass_by(timedelta(minutes=59))
    assert await links.waiting(game, ANN) == [code]
    clock.pass_by(timedelta(minutes=1))
    assert await links.waiting(game, ANN) == []


async def test_a_session_is_for_one_game(service: TableService, links: BoardLinks) -> None:
    game, other = await service.game(), await service.game()
    opened = await links.open(await links.personal(game, ANN, moderates=False))
    assert await links.visitor(other, opened.secret) is None


@pytest.mark.parametrize("change", ["signature", "nonce", "nothing", "other key"])
async def test_a_forged_link_opens_nothing(service: TableService, links: BoardLinks, change: str) -> None:
    token = await links.personal(await service.game(), ANN, moderates=False)
    nonce, _, signature = token.partition(".")
    forged = {
        "signature": f"{nonce}.{'0' * len(signature)}",
        "nonce": f"{nonce[::-1]}.{signature}",
        "nothing": "",
        "other key": nonce,
    }[change]
    with pytest.raises(Refused, match=INVALID):
        await links.open(forged)
    assert (await links.open(token)).code == "", "and does not use up the true one"


async def test_a_link_whose_row_was_changed_opens_nothing(service: TableService, links: BoardLinks) -> None:
    """Who can write a row of the database, but does not know the key, widens no link."""
    token = await links.personal(await service.game(), BOB, moderates=False)
    await service.db.write(lambda tx: tx.put("UPDATE board_links SET moderates = 1"))
    with pytest.raises(Refused, match=INVALID):
        await links.open(token)


async def test_a_link_expires_after_an_hour(service: TableService, links: BoardLinks, clock: Clock) -> None:
    game = await service.game()
    early, late = [await links.personal(game, ANN, moderates=False) for _ in range(2)]
    clock.pass_by(timedelta(minutes=59))
    await links.open(early)
    clock.pass_by(timedelta(minutes=1))
    with pytest.raises(Refused, match=INVALID):
        await links.open(late)


@pytest.mark.parametrize(("user", "lasts"), [(ANN, timedelta(days=14)), (None, timedelta(days=7))])
async def test_a_session_expires_that_of_a_spectator_sooner(
    service: TableService, links: BoardLinks, clock: Clock, user: int | None, lasts: timedelta
) -> None:
    game = await service.game()
    link = links.shared(game) if user is None else links.personal(game, user, moderates=False)
    opened = await links.open(await link)
    clock.pass_by(lasts - timedelta(seconds=1))
    assert await links.visitor(game, opened.secret) is not None
    clock.pass_by(timedelta(seconds=1))
    assert await links.visitor(game, opened.secret) is None


@pytest.mark.parametrize(("drawn", "code"), [(0, "1000"), (-1, "9999")])
async def test_a_code_to_confirm_has_four_digits(
    service: TableService, links: BoardLinks, monkeypatch: pytest.MonkeyPatch, drawn: int, code: str
) -> None:
    """Whatever is drawn, up to the last of as many numbers as asked for."""
    monkeypatch.setattr("secrets.randbelow", lambda count: drawn % count)
    token = await links.personal(await service.game(), ANN, moderates=False)
    await links.open(token)
    assert (await links.open(token)).code == code


async def test_a_moderator_moderates_for_an_hour(
    service: TableService, links: BoardLinks, clock: Clock
) -> None:
    """After that Discord is asked again whether they are one."""
    game = await service.game()
    opened = await links.open(await links.personal(game, ANN, moderates=True))
    first = await links.visitor(game, opened.secret)
    clock.pass_by(timedelta(hours=1))
    second = await links.visitor(game, opened.secret)
    assert [first and first.moderates, second and second.moderates] == [True, False]


async def test_who_opens_a_used_link_is_a_spectator_until_its_user_confirms_the_code(
    service: TableService, links: BoardLinks
) -> None:
    game = await service.game()
    token = await links.personal(game, ANN, moderates=True)
    await links.open(token)
    again = await links.open(token)
    before = await links.visitor(game, again.secret)
    assert before is not None
    assert (before.user_id, before.moderates, before.code) == (None, False, again.code)
    assert await links.waiting(game, ANN) == [again.code]
    await links.confirm(game, ANN, again.code)
    after = await links.visitor(game, again.secret)
    assert after is not None
    assert (after.user_id, after.moderates) == (ANN, False)
    assert await links.waiting(game, ANN) == []


async def test_nobody_confirms_the_browser_of_another_user(service: TableService, links: BoardLinks) -> None:
    game = await service.game()
    token = await links.personal(game, ANN, moderates=False)
    await links.open(token)
    again = await links.open(token)
    with pytest.raises(Refused, match="No browser waits"):
        await links.confirm(game, BOB, again.code)
    assert await links.waiting(game, BOB) == []


async def test_few_browsers_wait_to_be_confirmed(
    service: TableService, links: BoardLinks, clock: Clock
) -> None:
    """Who opens a used link again and again hides no other, and fills no table."""
    game = await service.game()
    token = await links.personal(game, ANN, moderates=False)
    opened = []
    for _ in range(8):
        opened.append(await links.open(token))
        clock.pass_by(timedelta(seconds=1))
    assert await links.waiting(game, ANN) == [one.code for one in reversed(opened[-5:])]


async def test_a_link_for_spectators_opens_for_everybody_and_nothing_more(
    service: TableService, links: BoardLinks
) -> None:
    game = await service.game()
    token = await links.shared(game)
    for _ in range(2):
        opened = await links.open(token)
        visitor = await links.visitor(game, opened.secret)
        assert visitor is not None
        assert (visitor.user_id, visitor.moderates, visitor.code) == (None, False, "")


async def test_the_links_and_sessions_of_a_removed_user_open_nothing(
    service: TableService, links: BoardLinks
) -> None:
    game = await service.game()
    opened = await links.open(await links.personal(game, CY, moderates=False))
    unused = await links.personal(game, CY, moderates=False)
    anns = await links.open(await links.personal(game, ANN, moderates=False))
    await games.finish(service.db, game)
    await service.forget(CY)
    assert await links.visitor(game, opened.secret) is None
    with pytest.raises(Refused, match=INVALID):
        await links.open(unused)
    assert await links.visitor(game, anns.secret) is not None


async def test_who_leaves_one_game_stays_at_the_boards_of_others_until_all_are_ended(
    service: TableService, links: BoardLinks
) -> None:
    here, there = await service.game(), await service.game()
    opened = {
        game: await links.open(await links.personal(game, ANN, moderates=False)) for game in (here, there)
    }
    unused = await links.personal(here, ANN, moderates=False)

    async def open_at() -> list[int]:
        return [game for game, one in opened.items() if await links.visitor(game, one.secret) is not None]

    await links.end(ANN, here)
    assert await open_at() == [there]
    with pytest.raises(Refused, match=INVALID):
        await links.open(unused)
    await links.end(ANN)
    assert await open_at() == []


async def test_links_are_valid_after_a_restart(
    service: TableService, links: BoardLinks, clock: Clock
) -> None:
    """The key is in the database, and each process reads it."""
    token = await links.personal(await service.game(), ANN, moderates=False)
    assert (await BoardLinks(service.db, clock).open(token)).code == ""


async def test_what_has_expired_is_deleted(service: TableService, links: BoardLinks, clock: Clock) -> None:
    game = await service.game()
    await links.open(await links.personal(game, ANN, moderates=False))
    clock.pass_by(SESSION)
    await links.personal(game, ANN, moderates=False)
    await links.forget_expired()
    assert [
        len(await service.db.rows(f"SELECT 1 FROM {table}")) for table in ("board_links", "board_sessions")
    ] == [1, 0]
