"""`/what-if`: moves tried on a copy of the game, seen by nobody else; the game itself stays as it is."""

from bot.table.what_ifs import WHAT_IF_ENDED
from engine.record import Record
from storage import log
from tests.bot.support.hand import Hand
from tests.bot.support.positions import actor_of, played_to, recorded, seated_at
from tests.bot.support.sandbox_bot import SandboxBot, Seated


async def stored(game: Seated) -> tuple[object, ...]:
    """All that is stored of a game, and all that everybody sees of it."""
    rows = await log.read_rows(game.sandbox.db, game.number)
    return rows, await game.digest(), [(m.id, m.content) for m in game.messages], game.sandbox.rung[:]


def just_before(name: str, kind: str, nth: int = 0) -> Record:
    """A recorded game just before a move of this kind."""
    actions = recorded(name).actions
    return recorded(name, [number for number, action in enumerate(actions) if action.kind == kind][nth])


async def test_moves_are_tried_in_a_row(
    sandbox: SandboxBot,
) -> None:
    game = await seated_at(sandbox, played_to("lay_tile"))
    before, ann = await stored(game), Hand(game, actor_of(game))
    await ann.what_if()
    at_first = ann.labels
    assert ann.asked.ephemeral
    assert [picture.filename for picture in ann.asked.attachments] == ["map.png", "market.png"]
    await ann.press("Lay track")
    assert ann.labels[-1] == "Back to the what-if"
    await ann.press("1 · #57")
    assert "1. **PRR** (Ann) lays #57 (rotation 1) on F2 (Harrisburg)." in ann.asked.content
    assert "> **PRR** $75 → $70 · your net worth $840 → $820" in ann.asked.content
    assert "**Ann** can: Buy a train, Done with trains." in ann.asked.content
    assert [picture.filename for picture in ann.asked.attachments] == ["map.png", "market.png"]
    await ann.press("2-train from the bank")
    assert "2. **PRR** (Ann) buys a 2-train" in ann.asked.content
    assert ann.asked.attachments == []
    await ann.press("Done with trains")
    assert "**Bob** can: " in ann.asked.content
    await ann.press("Back")
    await ann.press("Back")
    assert "2-train from" not in ann.asked.content
    assert ann.labels[:1] == ["2-train from the bank $80"]
    await ann.press("Start over")
    assert "try a move" in ann.asked.content
    assert ann.labels == at_first
    await ann.press("Lay track")
    await ann.press("Back to the what-if")
    assert ann.labels == at_first
    assert await stored(game) == before
    assert [m.id for m in sandbox.person("Ann").messages(game.thread) if m.only_for] == [ann.asked.id]


async def test_own_moves_are_made(sandbox: SandboxBot) -> None:
    """As far as they were possible, as typed."""
    game = await seated_at(sandbox, played_to("lay_tile"))
    before, ann = await stored(game), Hand(game, actor_of(game))
    assert "There is no move fly." in (await game.slash("Ann", "what-if", move="fly G5")).text
    await ann.what_if(move="/lay F2 57 1 then buy-train 2 then pay")
    assert "1. **PRR** (Ann) lays #57 (rotation 1) on F2 (Harrisburg)." in ann.asked.content
    assert "**Not possible**: " in ann.asked.content
    await ann.press("Make these 2 moves …")
    assert "**Make these 2 moves?**" in ann.asked.content
    assert "2. **PRR** (Ann) buys a 2-train" in ann.asked.content
    assert await stored(game) == before
    seq = await game.seq()
    await ann.press("Make these 2 moves")
    assert await ann.shows(f"Done, move {seq + 2}: **PRR** (Ann) buys a 2-train")
    await sandbox.settled()
    assert ann.labels == []
    assert await game.seq() == seq + 2
    assert any("lays #57 (rotation 1) on F2" in line for line in game.lines)


async def test_tried_run_is_made(sandbox: SandboxBot) -> None:
    game = await seated_at(sandbox, just_before("18chesapeake-bankruptcy-3p", "run_routes"))
    actor = actor_of(game)
    hand = Hand(game, actor)
    await hand.what_if(move="run then withhold")
    await hand.press("Make these 2 moves …")
    found = [line for line in hand.asked.content.splitlines() if line.startswith(("1. ", "2. "))]
    await hand.press("Make these 2 moves")
    assert await hand.shows("Done, move")
    await sandbox.settled()
    # The post names the president once.
    posted, president = "\n".join(game.lines).replace(f" ({actor})", ""), f" ({actor})"
    assert all(line[3:].removesuffix(".").replace(president, "") in posted for line in found)


async def test_moves_of_others_are_not_made(sandbox: SandboxBot) -> None:
    game = await sandbox.game()
    ann, dee = Hand(game, "Ann"), Hand(game, "Dee")
    await ann.what_if(move="pass then pass")
    await ann.press("Make this move …")
    assert "other players' moves" in ann.asked.content
    assert "2. " not in ann.asked.content
    await ann.press("Back to the what-if")
    assert "2. **Bob** passes" in ann.asked.content
    await dee.what_if(move="pass")
    assert not any(label.startswith("Make") for label in dee.labels)


async def test_impossible_move_stops_the_rest(
    sandbox: SandboxBot,
) -> None:
    """An order of the player ends the step between the two moves."""
    game = await seated_at(sandbox, played_to("buy_train"))
    before, ann = await game.seq(), Hand(game, actor_of(game))
    await ann.what_if(move="buy-train 2 then buy-train 2")
    await game.slash("Ann", "orders done")
    await ann.press("Make these 2 moves …")
    await ann.press("Make these 2 moves")
    assert await ann.shows("**Not made: move 2 of the what-if.**")
    assert f"Done, move {before + 1}: **PRR** (Ann) buys a 2-train" in ann.asked.content
    await sandbox.settled()
    assert await game.seq() == before + 2


async def test_late_moves_are_not_made(sandbox: SandboxBot) -> None:
    game = await sandbox.game()
    ann = Hand(game, "Ann")
    await ann.what_if(move="pass")
    await ann.press("Make this move …")
    await game.press("Ann", "Pass")
    before = await game.seq()
    assert await sandbox.hears(await ann.press("Make this move"), "The game has moved on")
    assert await game.seq() == before


async def test_amount_is_typed(sandbox: SandboxBot) -> None:
    game = await sandbox.game()
    before, ann = await stored(game), Hand(game, "Ann")
    await ann.what_if()
    modal, _ = await ann.type("CV: another bid", "230")
    assert modal.fields[0]["label"] == "Amount, $205 to $800 in steps of 5"
    assert await ann.shows("1. **Ann** bids $230 on CV.")
    assert await stored(game) == before


async def test_again_from_now(
    sandbox: SandboxBot,
) -> None:
    game = await sandbox.game()
    ann = Hand(game, "Ann")
    await ann.what_if(move="bid CV 230 then pass then pass")
    assert "Again from now" not in ann.labels
    await game.press("Ann", "Pass")
    await game.slash("Bob", "bid", private="CV", amount=300)
    before = await stored(game)
    await ann.press("Back")
    assert "The game is now at move 3" in ann.asked.content
    assert "from the position after move 1\n" in ann.asked.content
    await ann.press("Again from now")
    assert "from the position after move 3" in ann.asked.content
    assert "**Not possible**: " in ann.asked.content
    assert "Again from now" not in ann.labels
    assert await stored(game) == before


async def test_over_after_a_restart(sandbox: SandboxBot) -> None:
    game = await sandbox.game()
    before, ann = await stored(game), Hand(game, "Ann")
    await ann.what_if(move="pass")
    await sandbox.stop()
    await sandbox.start()
    for label in ("Pass", "Back"):
        late = await game.press("Ann", label, ann.asked)
        assert await sandbox.hears(late, WHAT_IF_ENDED)
    await ann.what_if()
    await ann.press("Pass")
    assert "1. **Ann** passes." in ann.asked.content
    assert await stored(game) == before
