"""The turn message carries what the decision needs: who, with what, and what happened since."""

from pathlib import Path

from bot.client.turn_texts import MOST_LINES, Missed, turn_text
from engine.record import read_record
from engine.tell.view_builders import turn_view
from tests.bot.support.positions import first_moves, seated_at
from tests.bot.support.sandbox_bot import SandboxBot

GOLDEN = Path(__file__).parents[2] / "golden" / "18chesapeake-bankruptcy-3p.json"


async def test_whoever_is_pinged_reads_what_happened_since_their_last_move(sandbox: SandboxBot) -> None:
    game = await sandbox.game()
    await game.press("Ann", "Pass")
    await game.press("Bob", "Pass")
    lines = game.turn.content.split("\n")
    assert lines[0].startswith(sandbox.person("Cy").mention)
    since = next(number for number, line in enumerate(lines) if "Since your last move" in line)
    first = next(message for message in game.messages if message.content.startswith("`2` "))
    assert lines[since].endswith(f"/{game.thread}/{first.id}):")
    assert [line[:7] for line in lines[since + 1 : since + 3]] == ["-# `2` ", "-# `3` "]
    assert "passes" in lines[since + 2]
    assert "begins. Seats in order" not in game.turn.content, "the thread begins with that"


async def test_that_a_game_was_imported_is_not_repeated_as_missed(sandbox: SandboxBot) -> None:
    """The thread begins with it."""
    game = await seated_at(sandbox, first_moves(GOLDEN.read_text("utf-8"), 40))
    assert any("as recorded, after 40 moves" in line for line in game.lines)
    assert "as recorded" not in game.turn.content


async def test_what_was_undone_is_not_posted_again(sandbox: SandboxBot) -> None:
    game = await sandbox.game()
    await game.press("Ann", "Pass")
    await game.slash("Ann", "undo")
    await game.press("Ann", "Pass")
    text = game.turn.content
    assert text.count("passes") == 1
    assert "`2`" not in text
    assert "undoes" not in text


async def test_undoing_is_offered_with_what_it_undoes_and_not_before_a_move(sandbox: SandboxBot) -> None:
    game = await sandbox.game()
    assert not [b for b in game.turn.buttons if b.label.startswith("Undo")]
    await game.press("Ann", "Pass")
    assert [b.label for b in game.turn.buttons if b.label.startswith("Undo")] == ["Undo Ann's move 2"]


async def test_the_turn_message_leads_to_map_and_market(sandbox: SandboxBot) -> None:
    game = await sandbox.game()
    assert "[Map and market](https://discord.com/channels/" in game.turn.content


async def test_long_absence_is_said_shortly(sandbox: SandboxBot) -> None:
    game = await sandbox.game()
    async with sandbox.client.tables.reading(game.number) as live:
        text = turn_text(live, (), Missed(tuple(f"`{number}` Somebody passes." for number in range(2, 40))))
    assert text.count("passes") == MOST_LINES
    assert f"{38 - MOST_LINES} earlier in `/log`" in text
    assert "`39`" in text
    assert len(text) < 2000


async def test_what_was_posted_small_is_repeated_with_one_mark(sandbox: SandboxBot) -> None:
    game = await sandbox.game()
    async with sandbox.client.tables.reading(game.number) as live:
        assert "\n-# `1` Begun.\n-# Small." in turn_text(live, (), Missed(("`1` Begun.\n-# Small.",)))


async def test_a_line_for_which_there_is_no_room_is_linked_and_nothing_else_is_said_of_it(
    sandbox: SandboxBot,
) -> None:
    """The first line of a table that seals its maxima."""
    game = await sandbox.game()
    async with sandbox.client.tables.reading(game.number) as live:
        text = turn_text(live, (), Missed(("long " * 400,), 7))
    assert f"-# [Before your turn](https://discord.com/channels/{live.row.guild_id}/{game.thread}/7)" in text
    assert "Since" not in text


def test_a_forced_purchase_says_what_is_missing_and_what_may_be_sold() -> None:
    """Rulebook 11.8: the cheapest train, treasury, the president's cash, and sales that are possible."""
    record = read_record(GOLDEN.read_text("utf-8"))
    game = record.begin()
    seen = []
    for action in record.actions[:400]:
        game.apply(action)
        if duty := turn_view(game).duty:
            seen.append(duty)
    assert seen
    assert all(duty[0].startswith("A train must be bought: $") for duty in seen)
    assert any(len(duty) == 2 and duty[1].startswith("May be sold: ") for duty in seen)
