"""Claims: what a game has to post is posted by one process, in order."""

import asyncio

import pytest

from storage import Database, log, outbox
from storage.outbox import OutboxMessage, claim, give_up
from tests.storage.makers import Act, RunningGame

NOW = "2026-01-02T03:04:05+00:00"


@pytest.fixture
async def three_notices(db: Database, game_id: int, act: Act) -> int:
    """A game that has three notices to post."""
    await log.commit_move(
        db, game_id, 1, [act()], [OutboxMessage("line", payload) for payload in "abc"], now=NOW
    )
    return game_id


async def payloads(db: Database, game_id: int, holder: str, seconds: float = 30) -> str:
    return "".join(posting.payload for posting in await claim(db, game_id, holder, seconds=seconds))


async def test_who_claims_first_gets_all_of_it_in_order(
    db: Database, other: Database, three_notices: int
) -> None:
    assert await payloads(db, three_notices, "a") == "abc"
    assert await payloads(other, three_notices, "b") == ""
    assert await payloads(db, three_notices, "a") == "abc"


async def test_of_many_at_once_one_gets_it(db: Database, other: Database, three_notices: int) -> None:
    claims = [
        payloads(process, three_notices, name)
        for name, process in zip("abcdef", [db, other] * 3, strict=True)
    ]
    assert sorted(await asyncio.gather(*claims)) == ["", "", "", "", "", "abc"]


async def test_what_is_added_meanwhile_is_not_posted_before_it(
    db: Database, other: Database, three_notices: int, act: Act
) -> None:
    first = await claim(db, three_notices, "a", seconds=30)
    await log.commit_move(other, three_notices, 2, [act()], [OutboxMessage("line", "d")], now=NOW)
    assert await payloads(other, three_notices, "b") == ""
    await outbox.mark_sent(db, *(posting.id for posting in first), now=NOW)
    assert await payloads(other, three_notices, "b") == "d"


async def test_a_claim_runs_out(db: Database, other: Database, three_notices: int) -> None:
    assert await payloads(db, three_notices, "a") == "abc"
    assert await payloads(other, three_notices, "b") == ""
    assert await payloads(db, three_notices, "a", seconds=0.05) == "abc"
    await asyncio.sleep(0.06)
    assert await payloads(other, three_notices, "b") == "abc"


async def test_a_claim_keeps_others_out_for_as_long_as_it_says(db: Database, three_notices: int) -> None:
    """A million seconds, by the clock of the database, less what has passed since."""
    await claim(db, three_notices, "a", seconds=1_000_000)
    left = await db.read(lambda tx: tx.row(f"SELECT MIN(claimed_until) - {tx.clock()} FROM outbox"))
    assert left is not None
    assert 999_900_000 < left[0] <= 1_000_000_000


async def test_what_was_given_up_is_free_at_once(db: Database, other: Database, three_notices: int) -> None:
    await claim(db, three_notices, "a", seconds=30)
    await give_up(db, "b", three_notices)
    assert await payloads(other, three_notices, "b") == ""
    await give_up(db, "a", three_notices)
    assert await payloads(other, three_notices, "b") == "abc"


async def test_each_game_is_claimed_automatically(
    db: Database, other: Database, three_notices: int, running_game: RunningGame, act: Act
) -> None:
    second = await running_game(db)
    await log.commit_move(db, second, 1, [act()], [OutboxMessage("line", "x")], now=NOW)
    assert await payloads(db, three_notices, "a") == "abc"
    assert await payloads(other, second, "b") == "x"


async def test_what_rests_is_left_alone(db: Database, three_notices: int) -> None:
    await db.write(lambda tx: tx.run("UPDATE outbox SET parked_at = ? WHERE payload = 'a'", NOW))
    assert await payloads(db, three_notices, "a") == "bc"


async def test_what_a_process_gives_up_in_one_game_or_in_all_is_free_at_once(
    db: Database, other: Database, three_notices: int, running_game: RunningGame, act: Act
) -> None:
    """And nothing of another process."""
    second, third = await running_game(db), await running_game(db)
    for game in (second, third):
        await log.commit_move(db, game, 1, [act()], [OutboxMessage("line", "x")], now=NOW)
    for game, holder in ((three_notices, "a"), (second, "a"), (third, "c")):
        await claim(db, game, holder, seconds=30)
    await give_up(db, "a", three_notices)
    assert [await payloads(other, game, "b") for game in (three_notices, second, third)] == ["abc", "", ""]
    await give_up(db, "a")
    assert [await payloads(other, game, "b") for game in (second, third)] == ["x", ""]
