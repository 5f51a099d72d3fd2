"""The last words in the thread of a game, and the map that grows."""

from dataclasses import replace
from typing import Any

import pytest

from bot.client.game_texts import LONGEST_MESSAGE
from bot.client.pictures import Pictures
from bot.client.thread import final_posts
from bot.client.thread.final_posts import farewell, once_more
from bot.table.live import LiveGame
from engine.tell.view_builders import score_view
from render import render_timelapse, scores_text
from storage import Row
from tests.bot.support.table_service import ANN, BOB, CY, TableService


async def test_the_farewell_names_who_wins_and_thanks_everybody(
    service: TableService, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with service.tables.reading(await service.game()) as live:
        pass
    view = score_view(live.game)
    first, second, third = view.rows
    alone = replace(view, rows=(first, replace(second, rank=2), replace(third, rank=3)))
    monkeypatch.setattr(final_posts, "score_view", lambda _: alone)
    text = farewell(live)
    ending, winners, *table, thanks = text.split("\n")
    assert ending == f"**{view.ending}**"
    assert winners == f"**{first.name}** wins with ${first.total}."
    assert (table[0], table[-1]) == ("```", "```")
    assert thanks == f"Thank you for the game, <@{ANN}>, <@{BOB}> and <@{CY}>!"
    both = replace(alone, rows=(first, replace(second, rank=1), alone.rows[2]))
    monkeypatch.setattr(final_posts, "score_view", lambda _: both)
    winners = farewell(live).split("\n")[1]
    assert winners == f"**{first.name}** and **{second.name}** win with ${first.total}."
    accepted: Any = Row(live.id, 2, "accept", "{}", live.game.digest(), "", None, live.row.created_at)
    changed = farewell(replace(live, counting=[*live.counting, accepted]))
    assert changed.startswith(farewell(live) + "\n-# The rules have changed since: ")
    monkeypatch.setattr(LiveGame, "people", ())
    assert farewell(live).endswith("\nThank you for the game, all!"), "the computer has played alone"
    assert once_more(live).timeout is None, "its button is there for good"
    assert final_posts._story_embeds(live.game, (), live.counting) == [], "nothing has turned"


async def test_a_farewell_names_the_moderator_who_has_ended_the_game_for_a_player(
    service: TableService, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with service.tables.reading(await service.game()) as live:
        assert "moderator" not in farewell(live)
        monkeypatch.setattr(final_posts, "ended_by", lambda _: CY)
        ending = f"**<@{CY}> has ended the game, as a moderator, as it stands.**"
        assert farewell(live).split("\n")[0] == ending


@pytest.mark.parametrize("over", [False, True])
async def test_a_table_that_is_too_long_by_one_is_left_to_the_picture(
    service: TableService, monkeypatch: pytest.MonkeyPatch, over: bool
) -> None:
    async with service.tables.reading(await service.game()) as live:
        room = LONGEST_MESSAGE - len(farewell(live).replace(scores_text(score_view(live.game)), ""))
        scores = "head\n\nsums\n\n" + "s" * (room - len("head\n\nsums\n\n") + over)
        monkeypatch.setattr(final_posts, "scores_text", lambda _: scores)
        text = farewell(live)
    assert ("```\nhead\n\nsums\n```" in text, len(text) == LONGEST_MESSAGE) == (over, not over)


@pytest.mark.parametrize(("maps", "size", "shown"), [(1, 9, 0), (2, 8_000_000, 1), (2, 8_000_001, 0)])
async def test_a_map_that_grows_is_shown_where_it_does_and_is_taken_everywhere(
    monkeypatch: pytest.MonkeyPatch, maps: int, size: int, shown: int
) -> None:
    async def once(_: object, draw: object, drawn: object) -> bytes:
        assert (draw, drawn) == (render_timelapse, some)
        return b"G" * size

    monkeypatch.setattr(Pictures, "once", once)
    some: Any = [object()] * maps
    files = await final_posts._timelapse(Pictures(), some)
    assert [(file.filename, file.description) for file in files] == [
        ("map.gif", "The map from the first tile to the last, 2 positions")
    ] * shown
