"""`/orders` on Discord: given, listed and withdrawn privately; what orders do is posted for everybody, as automatic."""

import asyncio

from bot.table.games.loading import replayed
from storage import log, orders
from tests.bot.support.sandbox_bot import SandboxBot


async def test_a_sealed_maximum_is_seen_by_nobody_else_and_acts_after_a_restart(sandbox: SandboxBot) -> None:
    game = await sandbox.game()
    given = await game.slash("Bob", "orders bid", private="CV", maximum=317)
    assert given.public == []
    assert (
        "Bid on CV up to $317, then pass; until CV is sold, all have passed, or the round is over."
        in given.text
    )
    await sandbox.stop()
    await sandbox.start()
    await game.press("Ann", "Pass")
    await sandbox.settled()
    assert any("bids $205 on CV" in line and "*(automatic)*" in line for line in game.lines)
    assert not any("317" in line for line in game.lines)
    # Ann undoes her pass and the bid with it, Bob the bid alone.
    undoes = "Undo Ann's move 2 or Bob's move 3"
    assert [b.label for b in game.turn.buttons if b.label.startswith("Undo")] == [undoes]
    other = await game.press("Cy", undoes)
    assert await sandbox.hears(other, "The last move, number 2, is Ann's; you can undo your own move only")
    assert "317" in (await game.slash("Bob", "orders list")).text
    assert "no orders" in (await game.slash("Ann", "orders list")).text


async def test_an_order_is_withdrawn_and_a_wrong_one_refused_with_the_reason(sandbox: SandboxBot) -> None:
    game = await sandbox.game()
    await game.slash("Bob", "orders pass")
    assert "is withdrawn" in (await game.slash("Bob", "orders withdraw", number=1)).text
    assert "no order 1" in (await game.slash("Bob", "orders withdraw", number=1)).text
    assert "no company XYZ" in (await game.slash("Bob", "orders buy", company="XYZ")).text
    assert "no step now" in (await game.slash("Bob", "orders done")).text


async def test_an_order_that_fires_while_its_owner_undoes_leaves_a_whole_game(sandbox: SandboxBot) -> None:
    """Whichever comes first: the other one is made in the position it finds, or refused with the reason."""
    game = await sandbox.game()
    await game.slash("Bob", "orders bid", private="CV", maximum=300)
    await game.press("Ann", "Pass")
    await sandbox.stop()
    await sandbox.start()
    turn, thread = game.turn, game.thread
    await asyncio.gather(
        sandbox.person("Cy").press(turn, "Pass"), sandbox.person("Bob").slash(thread, "undo")
    )
    await sandbox.settled()
    rows = log.fold(await log.read(sandbox.db, game.number))
    assert replayed(rows).digest() == await game.digest()
    moved, undone = (
        any("**Cy** passes" in line for line in game.lines),
        any("undoes" in line for line in game.lines),
    )
    assert moved != undone
    standing = [one.number for one in await orders.standing(sandbox.db, game.number)]
    assert standing == ([] if undone else [1])
