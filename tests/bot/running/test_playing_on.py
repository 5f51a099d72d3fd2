"""While a turn continues, its post is edited where it stands and gathers its lines; the next turn has another."""

from pathlib import Path

import pytest

from engine.core.actions import Pass
from engine.core.events import HomePlaced
from engine.record import load_record, read_record
from tests.bot.support.positions import BANKRUPTCY, actor_of, first_moves, seated_at
from tests.bot.support.records import numbers
from tests.bot.support.sandbox_bot import SandboxBot, Seated

RECORDED = (Path(__file__).parents[2] / "golden" / "18tn-bank-3p.json").read_text("utf-8")
BEFORE_A_LAY = 422
"""After this many actions a player may lay track, and plays on whether a tile is laid or not."""
BEFORE_A_DIVIDEND = 425
"""After this many actions a player pays out or withholds, and plays on in the same turn."""


class Turn:
    """Somebody's turn in a game, and what happens on Discord from its beginning on."""

    def __init__(self, game: Seated) -> None:
        self.game, self.name, self.post = game, actor_of(game), game.turn
        self._pings, self._requests = game.pings(self.name), len(game.sandbox.server.requests)

    async def press(self, *starts: str) -> None:
        """The button that begins so."""
        await self.game.press(
            self.name, next(b.label for b in self.game.turn.buttons if b.label.startswith(starts))
        )

    async def lay(self) -> None:
        """Lay a tile on H15 by pressing alone."""
        asked = (await self.game.press(self.name, "Lay track …")).ephemeral[0]
        person = self.game.sandbox.person(self.name)
        for start in ("2 · H15", "Lay "):
            await person.press(asked, next(b.label for b in asked.buttons if b.label.startswith(start)))
        await self.game.sandbox.settled()

    def requests(self, *parts: str) -> int:
        since = self.game.sandbox.server.requests[self._requests :]
        return sum(all(part in line for part in parts) for line in since)

    async def continues(self) -> None:
        """The same person acts, in this post, and was not pinged again."""
        assert self.game.turn.id == self.post.id
        assert self.game.turn_text.startswith(f"**{self.name}**")
        assert self.game.pings(self.name) == self._pings


@pytest.fixture
async def withholding(sandbox: SandboxBot) -> Turn:
    return Turn(await seated_at(sandbox, first_moves(RECORDED, BEFORE_A_DIVIDEND)))


@pytest.fixture
async def laying(sandbox: SandboxBot) -> Turn:
    return Turn(await seated_at(sandbox, first_moves(RECORDED, BEFORE_A_LAY)))


async def test_failed_answer_is_made_good(sandbox: SandboxBot, withholding: Turn) -> None:
    sandbox.server.faults.fail("/callback", status=400, code=50035, message="Invalid Form Body")
    old = {button.custom_id for button in withholding.post.buttons}
    await withholding.press("Withhold")
    await withholding.continues()
    assert sandbox.server.faults.served == 1
    assert withholding.requests("PATCH", f"/messages/{withholding.post.id}") == 1
    new = {b.custom_id for b in withholding.game.turn.buttons if (b.custom_id or "").startswith("g")}
    assert new & old == set()


async def test_turn_continues_after_a_restart(sandbox: SandboxBot, withholding: Turn) -> None:
    turn, game = withholding, withholding.game
    await turn.press("Withhold")
    await sandbox.stop()
    await sandbox.start()
    await game.slash(turn.name, "undo")
    await turn.continues()
    made = await game.seq()
    assert numbers([game.turn]) == [made - 1, made]


async def test_declined_step_is_no_line(laying: Turn) -> None:
    """The log has it, and so has the answer to a command; an undo is a line, whatever it undoes."""
    game = laying.game
    lines, posts = game.lines, len(game.messages)
    await laying.press("Done with track")
    await laying.continues()
    assert (game.lines, numbers([game.turn])) == (lines, [])
    assert "declines to lay track" in (await game.slash(laying.name, "log")).text
    await game.slash(laying.name, "undo")
    assert numbers([game.turn]) == [await game.seq()]
    assert len(game.messages) == posts


def _before_a_home() -> int:
    """After this many actions a company ends its turn, and the next one places its home token."""
    record = read_record(BANKRUPTCY.read_text("utf-8"))
    position = record.initial_game()
    for at, action in enumerate(record.actions):
        before, events = position.table.state.round.kind, position.apply(action)
        places = any(isinstance(event, HomePlaced) for event in events)
        if before == "operating" and isinstance(action, Pass) and places:
            return at
    raise AssertionError("no home token is placed so")


async def test_last_press_shows_the_home_token(sandbox: SandboxBot) -> None:
    """The next company's, in its answer: Discord takes few edits of an old message, and counts no answer."""
    record = load_record(BANKRUPTCY.read_text("utf-8"), _before_a_home())
    turn = Turn(await seated_at(sandbox, record))
    await turn.press("Done", "End")
    kept = sandbox.world.messages[turn.post.id]
    assert "places its home token" in kept.content
    assert ([file.filename for file in kept.attachments], kept.buttons) == (["closeup.png"], [])
    assert turn.requests("PATCH", f"/messages/{turn.post.id}") == 0
