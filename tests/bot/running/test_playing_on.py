"""While a turn continues, its post is edited where it stands and gathers its lines; the next turn has another."""

import re
from datetime import timedelta
from pathlib import Path

import pytest

from bot.client.requests import old_edits
from bot.table.outbox.sender import NotYet
from engine.core.actions import BuyTrain, Pass
from engine.core.events import HomePlaced
from engine.record import load_record, read_record
from tests.bot.support.positions import NAMES, actor_of, ends_turn, first_moves, seated_at
from tests.bot.support.records import numbers, record_lines
from tests.bot.support.replayer import Replayer
from tests.bot.support.sandbox_bot import SandboxBot, Seated

GOLDEN = Path(__file__).parents[2] / "golden"
CHESAPEAKE = (GOLDEN / "18chesapeake-bankruptcy-3p.json").read_text("utf-8")
RECORDED = (GOLDEN / "18tn-bank-3p.json").read_text("utf-8")
SEATS = dict(zip(("p1", "p2", "p3"), NAMES, strict=True))
BEFORE_A_TURN = 421
"""After this many actions somebody else begins to act."""
BEFORE_A_LAY = 422
"""After this many actions a player may lay track, and plays on whether a tile is laid or not."""
BEFORE_A_DIVIDEND = 425
"""After this many actions a player pays out or withholds, and plays on in the same turn."""


class Turn:
    """Somebody's turn in a game, and what happens on Discord from its beginning on."""

    def __init__(self, game: Seated) -> None:
        self.game, self.name, self.post = game, actor_of(game), game.turn
        self._pings, self._requests = game.pings(self.name), len(game.sandbox.server.requests)

    @classmethod
    async def after(cls, sandbox: SandboxBot, moves: int) -> "Turn":
        return cls(await seated_at(sandbox, first_moves(RECORDED, moves)))

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

    async def continues(self, *, same: bool = True) -> None:
        """The same person acts, in this post or another, and was not pinged again."""
        assert (self.game.turn.id == self.post.id) == same
        assert self.game.turn_text.startswith(f"**{self.name}**")
        assert self.game.pings(self.name) == self._pings


@pytest.fixture
async def withholding(sandbox: SandboxBot) -> Turn:
    return await Turn.after(sandbox, BEFORE_A_DIVIDEND)


@pytest.fixture
async def laying(sandbox: SandboxBot) -> Turn:
    return await Turn.after(sandbox, BEFORE_A_LAY)


async def test_next_buttons_answer_the_press(withholding: Turn) -> None:
    """And show the line of the move, in one request."""
    turn, game = withholding, withholding.game
    old = {button.custom_id for button in turn.post.buttons}
    await turn.press("Withhold")
    await turn.continues()
    assert numbers([game.turn]) == [await game.seq()]
    new = {button.custom_id for button in game.turn.buttons if (button.custom_id or "").startswith("g")}
    assert new & old == set()
    others = ("/webhooks/", "DELETE", f"/messages/{turn.post.id}")
    assert (turn.requests("/callback"), [turn.requests(part) for part in others]) == (1, [0, 0, 0])
    assert turn.requests("POST", "/messages") == 0


async def test_failed_answer_is_made_good(sandbox: SandboxBot, withholding: Turn) -> None:
    sandbox.server.faults.fail("/callback", status=400, code=50035, message="Invalid Form Body")
    await withholding.press("Withhold")
    await withholding.continues()
    assert sandbox.server.faults.served == 1
    assert withholding.requests("PATCH", f"/messages/{withholding.post.id}") == 1


async def test_old_turn_waits_for_its_place(
    sandbox: SandboxBot, withholding: Turn, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Discord takes few edits of what is older than an hour: two in a while."""
    monkeypatch.setattr(old_edits, "OLD", timedelta(0))  # time
    monkeypatch.setattr(old_edits, "OLD_EDIT_SECONDS", 600.0)  # time
    game, places = withholding.game, sandbox.client.old_edits
    await game.slash(withholding.name, "withhold")
    await withholding.continues()
    assert "✓ dividend" in game.turn_text
    assert numbers([game.turn]) == [await game.seq()]
    places.require_place(game.thread, game.turn.id)
    async with places.waiting_place(game.thread, game.turn.id):
        with pytest.raises(NotYet):
            places.require_place(game.thread, game.turn.id)


async def test_full_post_begins_another(withholding: Turn, monkeypatch: pytest.MonkeyPatch) -> None:
    """The turn text needs room as well: the lines stay, and the turn continues in a new post."""
    turn, game = withholding, withholding.game
    # Chance: no turn of a recorded game is as long as a message may be.
    monkeypatch.setattr("bot.client.thread.turn_lines.LONGEST_MESSAGE", len(game.turn.content))
    await game.slash(turn.name, "withhold")
    await turn.continues(same=False)
    kept = game.sandbox.world.messages[turn.post.id]
    assert (numbers([kept]), kept.buttons) == ([await game.seq()], [])
    assert numbers([game.turn]) == []


async def test_deleted_turn_is_posted_again(withholding: Turn) -> None:
    turn, game = withholding, withholding.game
    game.sandbox.world.messages.pop(turn.post.id)
    await game.slash(turn.name, "withhold")
    await turn.continues(same=False)
    assert game.moves[-1].startswith(f"`{await game.seq()}` "), "the line is not lost"


async def test_turn_continues_after_a_restart(sandbox: SandboxBot, withholding: Turn) -> None:
    turn, game = withholding, withholding.game
    await turn.press("Withhold")
    await sandbox.stop()
    await sandbox.start()
    await game.slash(turn.name, "undo")
    await turn.continues()
    made = await game.seq()
    assert numbers([game.turn]) == [made - 1, made]


async def test_next_player_has_a_new_post(sandbox: SandboxBot) -> None:
    game = await sandbox.game()
    turn, pings = Turn(game), game.pings("Bob")
    await turn.press("Pass")
    assert game.turn.id != turn.post.id
    kept = sandbox.world.messages[turn.post.id]
    assert (kept.content, kept.buttons) == ("`2` **Ann** passes.", [])
    assert game.pings("Bob") == pings + 1
    assert (turn.requests("POST", "/messages"), turn.requests("DELETE")) == (1, 0)


async def test_lay_keeps_its_picture(laying: Turn) -> None:
    """In the post of its turn, without another upload when that ends."""
    game = laying.game
    await laying.lay()
    await laying.continues()
    (picture,) = game.turn.attachments
    assert picture.filename == "closeup.png"
    before = laying.requests("POST", "/messages")
    await ends_turn(game)
    kept = game.sandbox.world.messages[laying.post.id]
    assert [file.id for file in kept.attachments] == [picture.id]
    assert kept.buttons == []
    assert "H15" in record_lines(kept)[0]
    assert laying.requests("POST", "/messages") == before + 1


async def test_undone_lay_is_struck_out(laying: Turn) -> None:
    game = laying.game
    await laying.lay()
    made = await game.seq()
    await game.slash(laying.name, "undo")
    laid, undone = record_lines(game.turn)
    assert re.fullmatch(rf"`{made}` ~~.*~~", laid)
    assert undone == f"`{made + 1}` **{laying.name}** undoes move {made}."
    assert (game.turn.id, game.turn.attachments) == (laying.post.id, [])


async def test_declined_step_is_no_line(laying: Turn) -> None:
    """The log has it, and so has the answer to a command; an undo is a line, whatever it undoes."""
    game = laying.game
    lines, posts = game.lines, len(game.messages)
    await laying.press("Done with track")
    await laying.continues()
    assert (game.lines, numbers([game.turn])) == (lines, [])
    assert "declines track" in (await game.slash(laying.name, "log")).text
    await game.slash(laying.name, "undo")
    assert numbers([game.turn]) == [await game.seq()]
    assert len(game.messages) == posts


def _before_a_home() -> int:
    """After this many actions a company ends its turn, and the next one places its home token."""
    record = read_record(CHESAPEAKE)
    position = record.initial_game()
    for at, action in enumerate(record.actions):
        before, events = position.table.state.round.kind, position.apply(action)
        places = any(isinstance(event, HomePlaced) for event in events)
        if before == "operating" and isinstance(action, Pass) and places:
            return at
    raise AssertionError("no home token is placed so")


async def test_last_press_shows_the_home_token(sandbox: SandboxBot) -> None:
    """Of the next company, in its answer: Discord takes few edits of an old message, and counts no answer."""
    turn = Turn(await seated_at(sandbox, load_record(CHESAPEAKE, _before_a_home())))
    await turn.press("Done", "End")
    kept = sandbox.world.messages[turn.post.id]
    assert "places its home token" in kept.content
    assert ([file.filename for file in kept.attachments], kept.buttons) == (["closeup.png"], [])
    assert turn.requests("PATCH", f"/messages/{turn.post.id}") == 0


async def test_new_phase_begins_a_new_post(sandbox: SandboxBot) -> None:
    """Its line stays with the others, the turn continues below."""
    actions = read_record(CHESAPEAKE).actions
    at = next(n for n, one in enumerate(actions) if isinstance(one, BuyTrain) and one.train == "3")
    turn = Turn(await seated_at(sandbox, first_moves(CHESAPEAKE, at)))
    label = next(b.label for b in turn.post.buttons if "3-train" in b.label)
    await turn.press(label)
    await turn.continues(same=False)
    kept = sandbox.world.messages[turn.post.id]
    assert "**Phase 3**" in record_lines(kept)[-1]
    assert kept.buttons == []


async def test_missed_moves_become_a_link(sandbox: SandboxBot) -> None:
    """The lines themselves when a player is pinged; they stand above, once the player has moved."""
    actions, begun = read_record(RECORDED).actions, BEFORE_A_TURN - 3
    game = await seated_at(sandbox, first_moves(RECORDED, begun))
    replayer = Replayer(sandbox, game, SEATS)
    for number in range(begun, BEFORE_A_TURN):
        await replayer.play(actions[number], number + 1)
        await sandbox.settled()
    [(link, line)] = re.findall(r"\[Since your last move\]\((\S+)\):\n-# (`\d+` .+)", game.turn_text)
    place, _, first = link.rpartition("/")
    assert place == f"https://discord.com/channels/{sandbox.client.guilds[0].id}/{game.thread}"
    assert line in sandbox.world.messages[int(first)].content
    await Turn(game).press("Done with track")
    assert f"-# [Before your turn]({link})" in game.turn_text
    assert line not in game.turn_text
