"""Late posts are batched: every line, one turn message, and a ping for each player who is still due."""

from collections.abc import Sequence

from bot.client.poster import Poster
from bot.sandbox.guild.world import Change
from bot.table.moves.moves import Typed
from bot.table.outbox.notices import TurnChange
from bot.table.tables import Tables
from bot.table.undo import undo
from storage import Posting, games, open_database
from tests.bot.support.sandbox_bot import SandboxBot, Seated


async def _meanwhile(sandbox: SandboxBot, game: Seated, *moves: tuple[str, Typed]) -> list[str]:
    """The turn messages that are posted when the bot comes back after these moves."""
    await sandbox.stop()
    async with await open_database(sandbox.database) as db:
        tables = Tables(db)
        for name, move in moves:
            await tables.submit(game.number, sandbox.person(name).id, move)
    posted: list[str] = []

    def note(change: Change) -> None:
        if change.kind == "message_create" and change.message is not None and change.message.buttons:
            posted.append(change.message.content)

    stop = sandbox.world.listen(note)
    await sandbox.start()
    await sandbox.settled()
    stop()
    return posted


async def test_hand_overs_posted_late_make_one_turn_message(sandbox: SandboxBot) -> None:
    game = await sandbox.game()
    rung = [game.pings(name) for name in ("Ann", "Bob", "Cy")]
    posted = await _meanwhile(sandbox, game, ("Ann", Typed("pass")), ("Bob", Typed("pass")))
    assert [text.startswith(sandbox.person("Cy").mention) for text in posted] == [True]
    assert [m for m in game.messages if m.buttons] == [game.turn]
    assert [sum(f"`{number}`" in line for line in game.lines) for number in (2, 3)] == [1, 1]
    assert [game.pings(name) for name in ("Ann", "Bob", "Cy")] == [rung[0], rung[1], rung[2] + 1]


async def test_whoever_became_due_first_is_pinged_although_the_last_move_was_another_ones(
    sandbox: SandboxBot,
) -> None:
    """Ann hands over to Bob, then Cy agrees to stop: Bob has not heard of it yet."""
    game = await sandbox.game()
    posted = await _meanwhile(sandbox, game, ("Ann", Typed("pass")), ("Cy", Typed("end_game")))
    assert [text.startswith(sandbox.person("Bob").mention) for text in posted] == [True]
    assert (game.pings("Bob"), game.pings("Cy")) == (1, 0)


async def test_a_turn_handed_over_and_undone_pings_nobody(sandbox: SandboxBot) -> None:
    game = await sandbox.game()
    await sandbox.client.tables.drain()
    rung = game.pings("Ann")
    await sandbox.stop()
    async with await open_database(sandbox.database) as db:
        tables = Tables(db)
        await tables.submit(game.number, sandbox.person("Ann").id, Typed("pass"))
        await undo(tables, game.number, sandbox.person("Ann").id, None)
    await sandbox.start()
    await sandbox.settled()
    assert (game.pings("Ann"), game.pings("Bob")) == (rung, 0)
    assert game.turn.content.startswith("**Ann**")


async def test_a_hand_over_that_is_overtaken_waits_for_the_next_one(sandbox: SandboxBot) -> None:
    """Its row is not ticked off and nothing is posted: the player it made due is pinged with the newest."""
    game = await sandbox.game()
    turn, rung = game.turn, game.pings("Ann")
    over = TurnChange(("p1",), None).notice()
    overtaken = Posting(1, game.number, await game.seq() - 1, over.kind, over.payload, "", 0, None)
    ticked: list[Posting] = []
    row = await games.get_game(sandbox.client.tables.db, game.number)

    async def mark(postings: Sequence[Posting], *_: object) -> None:
        ticked.extend(postings)

    await Poster(sandbox.client).deliver(row, [overtaken], mark)
    assert (ticked, game.turn.id, game.pings("Ann")) == ([], turn.id, rung)
