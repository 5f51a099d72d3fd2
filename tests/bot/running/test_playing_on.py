"""While a turn continues, its post is edited where it stands and gathers its lines; the next turn has another."""

import re
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from datetime import timedelta
from pathlib import Path

import pytest

from bot.client.requests import old_edits
from engine.core.actions import BuyTrain, Pass
from engine.core.events import HomePlaced
from engine.record import load_record, read_record
from tests.bot.support.hand import Hand
from tests.bot.support.positions import NAMES, actor_of, ends_turn, first_moves, seated_at
from tests.bot.support.records import numbers, record_lines
from tests.bot.support.replayer import Replayer
from tests.bot.support.sandbox_bot import SandboxBot, Seated

CHESAPEAKE = (Path(__file__).parents[2] / "golden" / "18chesapeake-bankruptcy-3p.json").read_text("utf-8")
RECORDED = (Path(__file__).parents[2] / "golden" / "18tn-bank-3p.json").read_text("utf-8")
SEATS = dict(zip(("p1", "p2", "p3"), NAMES, strict=True))
BEFORE_A_TURN = 421
"""After this many actions somebody else begins to act."""
BEFORE_A_DIVIDEND = 425
"""After this many actions a player pays out or withholds, and plays on in the same turn."""
BEFORE_A_LAY = 422
"""After this many actions a player may lay track, and plays on whether a tile is laid or not."""


async def _laying(sandbox: SandboxBot) -> tuple[Seated, str]:
    game = await seated_at(sandbox, first_moves(RECORDED, BEFORE_A_LAY))
    return game, actor_of(game)


async def _withholding(sandbox: SandboxBot) -> tuple[Seated, str]:
    game = await seated_at(sandbox, first_moves(RECORDED, BEFORE_A_DIVIDEND))
    return game, actor_of(game)


async def _continues(game: Seated, name: str) -> None:
    """A press after which the same person acts."""
    await game.press(name, next(b.label for b in game.turn.buttons if b.label.startswith("Withhold")))
    assert game.turn_text.startswith(f"**{name}**")
    assert game.turn.content.startswith(f"`{await game.seq()}` "), "its line stands above"


def _requests(sandbox: SandboxBot, since: int, *parts: str) -> Sequence[str]:
    return [line for line in sandbox.server.requests[since:] if all(part in line for part in parts)]


async def test_the_next_buttons_are_the_answer_to_the_press(sandbox: SandboxBot) -> None:
    game, name = await _withholding(sandbox)
    before, pings, called = game.turn, game.pings(name), len(sandbox.server.requests)
    old = [button.custom_id for button in before.buttons]
    await _continues(game, name)
    assert game.turn.id == before.id
    assert not {button.custom_id for button in game.turn.buttons if (button.custom_id or "")[0] == "g"} & set(
        old
    )
    assert game.pings(name) == pings
    assert len(_requests(sandbox, called, "/callback")) == 1
    assert _requests(sandbox, called, "/webhooks/") == []
    assert _requests(sandbox, called, "DELETE") == []
    assert _requests(sandbox, called, "POST", "/messages") == []
    assert _requests(sandbox, called, "PATCH", f"/messages/{before.id}") == [], (
        "the answer shows the line of the move, too"
    )


async def test_a_command_changes_it_where_it_stands(sandbox: SandboxBot) -> None:
    game, name = await _withholding(sandbox)
    before = game.turn.id
    await game.slash(name, "withhold")
    assert (game.turn.id, game.turn_text[:2]) == (before, "**")
    assert "✓ dividend" in game.turn_text
    assert numbers([game.turn]) == [await game.seq()]


async def test_whoever_comes_next_is_pinged_by_a_new_message(sandbox: SandboxBot) -> None:
    game = await sandbox.game()
    before, pings, called = game.turn.id, game.pings("Bob"), len(sandbox.server.requests)
    await game.press("Ann", "Pass")
    assert game.turn.id != before
    kept = sandbox.world.messages[before]
    assert (kept.content, kept.buttons) == ("`2` **Ann** passes.", [])
    assert game.pings("Bob") == pings + 1
    assert len(_requests(sandbox, called, "POST", "/messages")) == 1
    assert _requests(sandbox, called, "DELETE") == []


async def test_a_lay_is_shown_in_the_post_of_its_turn_which_keeps_the_picture(sandbox: SandboxBot) -> None:
    game, name = await _laying(sandbox)
    hand, before, pings = Hand(game, name), game.turn.id, game.pings(name)
    await hand.open("Lay track …")
    await hand.press("2 · H15")
    await hand.press("Lay ")
    await sandbox.settled()
    assert game.turn.id == before
    (picture,) = game.turn.attachments
    assert picture.filename == "closeup.png"
    assert game.pings(name) == pings
    called = len(sandbox.server.requests)
    await ends_turn(game)
    kept = sandbox.world.messages[before]
    assert [file.id for file in kept.attachments] == [picture.id], "it is not uploaded again"
    assert (record_lines(kept)[0], kept.buttons) != ("", [])
    assert "H15" in record_lines(kept)[0]
    assert len(_requests(sandbox, called, "POST", "/messages")) == 1


def _before_a_home() -> int:
    """After this many actions a company ends its turn, and the next one places its home token."""
    record = read_record(CHESAPEAKE)
    position = record.begin()
    for at, action in enumerate(record.actions):
        before, events = position.table.state.round.kind, position.apply(action)
        places = any(isinstance(event, HomePlaced) for event in events)
        if before == "operating" and isinstance(action, Pass) and places:
            return at
    raise AssertionError("no home token is placed so")


async def test_the_answer_to_the_last_press_of_a_turn_shows_what_it_changes_on_the_map(
    sandbox: SandboxBot,
) -> None:
    """A home token of the next company: Discord takes few edits of a message that is old, and counts no answer."""
    game = await seated_at(sandbox, load_record(CHESAPEAKE, _before_a_home()))
    turn, called = game.turn, len(sandbox.server.requests)
    labels = [button.label for button in turn.buttons]
    await game.press(actor_of(game), next(label for label in labels if label.startswith(("Done", "End"))))
    kept = sandbox.world.messages[turn.id]
    assert "places its home token" in kept.content
    assert ([file.filename for file in kept.attachments], kept.buttons) == (["closeup.png"], [])
    assert _requests(sandbox, called, "PATCH", f"/messages/{turn.id}") == []


async def test_a_lay_that_is_undone_is_struck_out_and_shown_no_more(sandbox: SandboxBot) -> None:
    game, name = await _laying(sandbox)
    hand, before = Hand(game, name), game.turn.id
    await hand.open("Lay track …")
    await hand.press("2 · H15")
    await hand.press("Lay ")
    await sandbox.settled()
    made = await game.seq()
    await game.slash(name, "undo")
    laid, undone = record_lines(game.turn)
    assert (laid[: len(f"`{made}` ~~")], laid[-2:]) == (f"`{made}` ~~", "~~")
    assert undone == f"`{made + 1}` **{name}** undoes move {made}."
    assert (game.turn.id, game.turn.attachments) == (before, [])


async def test_what_all_must_see_at_once_begins_a_new_post_of_the_same_turn(sandbox: SandboxBot) -> None:
    """A train that begins a phase: its line stays with the others, the turn continues below."""
    actions = read_record(CHESAPEAKE).actions
    at = next(n for n, one in enumerate(actions) if isinstance(one, BuyTrain) and one.train == "3")
    game = await seated_at(sandbox, first_moves(CHESAPEAKE, at))
    name, before, pings = actor_of(game), game.turn.id, game.pings(actor_of(game))
    await game.press(name, next(b.label for b in game.turn.buttons if "3-train" in b.label))
    kept = sandbox.world.messages[before]
    assert "**Phase 3**" in record_lines(kept)[-1]
    assert (kept.buttons, game.turn.id != before) == ([], True)
    assert game.turn_text.startswith(f"**{name}**")
    assert game.pings(name) == pings


async def test_a_step_in_which_nothing_happened_is_no_line_and_no_post(sandbox: SandboxBot) -> None:
    """The log has it, and so has the answer to a command."""
    game, name = await _laying(sandbox)
    before, lines, posts = game.turn.id, game.lines, len(game.messages)
    await game.press(name, "Done with track")
    assert (game.turn.id, game.lines, numbers([game.turn])) == (before, lines, [])
    assert game.turn_text.startswith(f"**{name}**")
    assert "declines track" in (await game.slash(name, "log")).text
    await game.slash(name, "undo")
    assert numbers([game.turn]) == [await game.seq()], "an undo is one, whatever it undoes"
    assert len(game.messages) == posts


async def test_lines_for_which_a_post_has_no_room_begin_another(
    sandbox: SandboxBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The turn text needs room as well: the lines stay, and the turn continues in a new post."""
    game, name = await _withholding(sandbox)
    before = game.turn.id
    room = len(game.turn.content)
    monkeypatch.setattr("bot.client.thread.turn_lines.LONGEST_MESSAGE", room)
    await game.slash(name, "withhold")
    kept = sandbox.world.messages[before]
    assert (numbers([kept]), kept.buttons) == ([await game.seq()], [])
    assert (game.turn.id != before, numbers([game.turn])) == (True, [])
    assert game.turn_text.startswith(f"**{name}**")


async def test_a_turn_message_that_was_deleted_is_posted_again(sandbox: SandboxBot) -> None:
    game, name = await _withholding(sandbox)
    before = game.turn.id
    sandbox.world.messages.pop(before)
    await game.slash(name, "withhold")
    assert game.turn.id != before
    assert game.turn.content.startswith(f"**{name}**")
    assert game.moves[-1].startswith(f"`{await game.seq()}` "), "the line is not lost"


async def test_after_a_restart_it_continues_where_it_stands(sandbox: SandboxBot) -> None:
    game, name = await _withholding(sandbox)
    before = game.turn.id
    await _continues(game, name)
    await sandbox.stop()
    await sandbox.start()
    await game.slash(name, "undo")
    assert game.turn.id == before
    made = await game.seq()
    assert numbers([game.turn]) == [made - 1, made]


async def test_an_old_turn_message_is_edited_by_what_waits_for_old_edits(
    sandbox: SandboxBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Discord takes few edits of what is older than an hour; those of the answer to a press are not among them."""
    game, name = await _withholding(sandbox)
    monkeypatch.setattr(old_edits, "OLD", timedelta(0))
    waited: list[int] = []

    @asynccontextmanager
    async def place(channel_id: int, message_id: int) -> AsyncIterator[None]:
        waited.append(message_id)
        yield

    monkeypatch.setattr(sandbox.client.old_edits, "place", place)
    before, pings, called = game.turn.id, game.pings(name), len(sandbox.server.requests)
    await game.slash(name, "withhold")
    assert (game.turn.id, game.pings(name)) == (before, pings)
    assert "✓ dividend" in game.turn_text
    assert waited == [before]
    assert len(_requests(sandbox, called, "PATCH", f"/messages/{before}")) == 1


async def test_an_answer_that_fails_is_made_good_when_the_move_is_posted(sandbox: SandboxBot) -> None:
    game, name = await _withholding(sandbox)
    before, called = game.turn.id, len(sandbox.server.requests)
    sandbox.server.faults.fail("/callback", status=400, code=50035, message="Invalid Form Body")
    await _continues(game, name)
    assert sandbox.server.faults.served == 1
    assert game.turn.id == before
    assert len(_requests(sandbox, called, "PATCH", f"/messages/{before}")) == 1


async def test_what_was_missed_is_a_link_once_somebody_continues(sandbox: SandboxBot) -> None:
    """The lines themselves when a player is pinged; they stand above, once the player has moved."""
    actions, game = (
        read_record(RECORDED).actions,
        await seated_at(sandbox, first_moves(RECORDED, BEFORE_A_TURN - 3)),
    )
    replayer = Replayer(sandbox, game, SEATS)
    for number in range(BEFORE_A_TURN - 3, BEFORE_A_TURN):
        await replayer.play(actions[number], number + 1)
        await sandbox.settled()
    [(link, line)] = re.findall(r"\[Since your last move\]\((\S+)\):\n-# (`\d+` .+)", game.turn_text)
    place, _, first = link.rpartition("/")
    assert place == f"https://discord.com/channels/{sandbox.client.guilds[0].id}/{game.thread}"
    assert line in sandbox.world.messages[int(first)].content
    await game.press(actor_of(game), "Done with track")
    assert f"-# [Before your turn]({link})" in game.turn_text
    assert line not in game.turn_text
