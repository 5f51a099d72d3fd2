"""Lines of no move stand in the post of the turn, or begin the next one; a round begins with a post of its own."""

from dataclasses import replace

from engine.record import Record
from tests.bot.support.positions import actor_of, played_to, seated_at
from tests.bot.support.records import asides, numbers
from tests.bot.support.sandbox_bot import SandboxBot, Seated


def _before_a_round() -> Record:
    """A stock round whose last pass begins an operating round."""
    record = played_to("lay_tile")
    return replace(record, actions=record.actions[:-1])


def _tables(game: Seated) -> list[str]:
    """The contents of the messages that show the whole table."""
    return [m.content for m in game.messages if any(a.filename == "table.png" for a in m.attachments)]


async def test_refused_proposal_is_a_line_of_the_turn(sandbox: SandboxBot) -> None:
    game = await sandbox.game()
    turn = game.turn.id
    await game.slash("Bob", "game pause", days=5)
    question, posts = game.messages[-1], len(game.messages)
    await game.press("Ann", "Refuse", question)
    await game.press("Cy", "Refuse", question)
    assert (game.messages[-1].id, len(game.messages)) == (question.id, posts)
    (said,) = asides(sandbox.world.messages[turn])
    assert said == f"{sandbox.person('Cy').mention} has refused proposal 1: the game pauses for 5 days."
    await game.press("Ann", "Pass", sandbox.world.messages[turn])
    kept = sandbox.world.messages[turn]
    assert (asides(kept), numbers([kept]), kept.buttons) == ([said], [2], [])


async def test_round_begins_with_its_own_post(sandbox: SandboxBot) -> None:
    game = await seated_at(sandbox, _before_a_round())
    turn, posts = game.turn.id, len(game.messages)
    await game.press(actor_of(game), "Pass")
    (shown,) = _tables(game)
    assert shown.startswith("__OR 1.1__ begins.\nPrivates pay ")
    assert sandbox.world.messages[turn].content.startswith("`27` **Bob** passes.")
    assert "begins" not in sandbox.world.messages[turn].content + game.turn.content
    assert len(game.messages) == posts + 2, "the round and the next turn"
    await game.slash("Bob", "undo")
    assert all(line.startswith("~~") for line in _tables(game)[0].split("\n"))
