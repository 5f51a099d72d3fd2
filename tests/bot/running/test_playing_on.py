"""While a player plays on, the turn message is edited where it stands; for another player it is posted anew."""

import re
from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path

import pytest

from bot.client.requests import old_edits
from engine.record import load_record, read_record
from tests.bot.support.hand import Hand
from tests.bot.support.harness import House, Seated
from tests.bot.support.positions import NAMES, actor_of, seated_at
from tests.bot.support.replayer import Replayer

RECORDED = (Path(__file__).parents[2] / "golden" / "18tn-bank-3p.json").read_text("utf-8")
SEATS = dict(zip(("p1", "p2", "p3"), NAMES, strict=True))
BEFORE_A_TURN = 421
"""After this many actions somebody else begins to act."""
BEFORE_A_LAY = 422
"""After this many actions a player may lay track, and plays on whether a tile is laid or not."""


async def _laying(house: House) -> tuple[Seated, str]:
    game = await seated_at(house, load_record(RECORDED, BEFORE_A_LAY))
    return game, actor_of(game)


async def _goes_on(game: Seated, name: str) -> None:
    """A press after which the same person acts."""
    await game.press(name, "Done with track")
    assert game.turn.content.startswith(f"**{name}**")


def _calls(house: House, since: int, *parts: str) -> Sequence[str]:
    return [line for line in house.server.requests[since:] if all(part in line for part in parts)]


async def test_the_next_buttons_are_the_answer_to_the_press(house: House) -> None:
    game, name = await _laying(house)
    before, pings, called = game.turn, game.pings(name), len(house.server.requests)
    old = [button.custom_id for button in before.buttons]
    await _goes_on(game, name)
    assert game.turn.id == before.id
    assert not {button.custom_id for button in game.turn.buttons if (button.custom_id or "")[0] == "g"} & set(
        old
    )
    assert game.pings(name) == pings
    assert len(_calls(house, called, "/callback")) == 1
    assert _calls(house, called, "/webhooks/") == []
    assert _calls(house, called, "DELETE") == []
    assert len(_calls(house, called, "POST", "/messages")) == 1, "the line of the move"


async def test_a_command_changes_it_where_it_stands(house: House) -> None:
    game, name = await _laying(house)
    before = game.turn.id
    await game.slash(name, "pass")
    assert (game.turn.id, game.turn.content[:2]) == (before, "**")
    assert "✓ track" in game.turn.content


async def test_whoever_comes_next_is_pinged_by_a_new_message(house: House) -> None:
    game = await house.game()
    before, pings = game.turn.id, game.pings("Bob")
    await game.press("Ann", "Pass")
    assert game.turn.id != before
    assert before not in house.world.messages
    assert game.pings("Bob") == pings + 1


async def test_below_a_picture_it_is_posted_again_without_a_ping(house: House) -> None:
    """A player who lays track sees the buttons below the map, not above it."""
    game, name = await _laying(house)
    hand, before, pings = Hand(game, name), game.turn.id, game.pings(name)
    await hand.open("Lay track …")
    await hand.press("2 · H15")
    await hand.press("Lay ")
    await house.settled()
    assert game.turn.id != before
    assert before not in house.world.messages
    assert [bool(message.attachments) for message in game.messages[-2:]] == [True, False]
    assert game.pings(name) == pings


async def test_far_from_the_newest_lines_it_is_posted_again_without_a_ping(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.client.posts.turn_messages.NEAR", 0)
    game, name = await _laying(house)
    before, pings = game.turn.id, game.pings(name)
    await _goes_on(game, name)
    assert game.turn.id != before
    assert game.messages[-1].id == game.turn.id
    assert game.pings(name) == pings


async def test_a_turn_message_that_was_deleted_is_posted_again(house: House) -> None:
    game, name = await _laying(house)
    before = game.turn.id
    house.world.messages.pop(before)
    await game.slash(name, "pass")
    assert game.turn.id != before
    assert game.turn.content.startswith(f"**{name}**")


async def test_after_a_restart_it_is_posted_again_and_then_edited(house: House) -> None:
    game, name = await _laying(house)
    before = game.turn.id
    await house.stop()
    await house.start()
    await _goes_on(game, name)
    after = game.turn.id
    assert after != before
    assert before not in house.world.messages
    await game.slash(name, "undo")
    assert game.turn.id == after


async def test_an_old_turn_message_is_not_edited_after_a_command_but_posted_again(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Discord takes few edits of what is older than an hour; those of the answer to a press are not among them."""
    game, name = await _laying(house)
    monkeypatch.setattr(old_edits, "OLD", timedelta(0))
    before, pings = game.turn.id, game.pings(name)
    await game.slash(name, "pass")
    assert game.turn.id != before
    assert before not in house.world.messages
    assert game.pings(name) == pings
    assert "✓ track" in game.turn.content


async def test_an_answer_that_fails_is_made_good_when_the_move_is_told(house: House) -> None:
    game, name = await _laying(house)
    before, called = game.turn.id, len(house.server.requests)
    house.server.faults.fail("/callback", status=400, code=50035, message="Invalid Form Body")
    await _goes_on(game, name)
    assert house.server.faults.served == 1
    assert game.turn.id == before
    assert len(_calls(house, called, "PATCH", f"/messages/{before}")) == 1


async def test_what_was_missed_is_a_link_once_somebody_continues(house: House) -> None:
    """The lines themselves when a player is pinged; they stand above, once the player has moved."""
    actions, game = (
        read_record(RECORDED).actions,
        await seated_at(house, load_record(RECORDED, BEFORE_A_TURN - 3)),
    )
    replayer = Replayer(house, game, SEATS)
    for number in range(BEFORE_A_TURN - 3, BEFORE_A_TURN):
        await replayer.play(actions[number], number + 1)
        await house.settled()
    [(link, told)] = re.findall(r"\[Since your last move\]\((\S+)\):\n-# (`\d+` .+)", game.turn.content)
    place, _, first = link.rpartition("/")
    assert place == f"https://discord.com/channels/{house.client.guilds[0].id}/{game.thread}"
    assert house.world.messages[int(first)].content.startswith(told)
    await _goes_on(game, actor_of(game))
    assert f"-# [Before your turn]({link})" in game.turn.content
    assert told not in game.turn.content
