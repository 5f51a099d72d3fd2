"""The last words in the thread of a game."""

from dataclasses import replace

import pytest

from bot.client.pictures import Pictures
from bot.client.thread.final_posts import MAX_ANIMATION_BYTES, final_files, result_buttons, result_text
from engine.record import load_record
from engine.tell.view_builders import score_view
from storage import LogRow, personal_data
from tests.bot.support.positions import BANKRUPTCY, first_moves
from tests.bot.support.table_service import ANN, BOB, CY, TableService


async def test_farewell_names_winners_and_players(service: TableService) -> None:
    async with service.tables.reading(await service.game()) as live:
        pass
    text = result_text(live)
    ending, winners, *table, thanks = text.split("\n")
    assert ending == f"**{score_view(live.game).ending}**"
    assert winners == "**Ann**, **Bob** and **Cy** win with $800."
    assert (table[0], table[-1]) == ("```", "```")
    assert thanks == f"Thank you for the game, <@{ANN}>, <@{BOB}> and <@{CY}>!"
    recorded = load_record(BANKRUPTCY.read_text("utf-8"))
    over = recorded.initial_game()
    over.apply_all(recorded.actions)
    first = score_view(over).rows[0]
    assert f"\n**{first.name}** wins with ${first.total}.\n" in result_text(replace(live, game=over))
    accepted = LogRow(live.id, 2, "accept", "{}", live.game.digest(), "", None, live.row.created_at)
    changed = result_text(replace(live, effective_rows=[*live.effective_rows, accepted]))
    assert changed.startswith(f"{text}\n-# The bot's rules have changed since, so ")
    nobody, name = personal_data.ANONYMISED_USER, personal_data.FORMER_PLAYER_NAME
    for gone, thanked in ((1, f"<@{BOB}> and <@{CY}>"), (3, "all")):
        seats = (
            *(replace(seat, user_id=nobody, display_name=name) for seat in live.seats[:gone]),
            *live.seats[gone:],
        )
        assert result_text(replace(live, seats=seats)).endswith(f"Thank you for the game, {thanked}!")
    buttons = result_buttons(live, "https://board.test/board/result/1.0")
    assert buttons.timeout is None, "they are there for good"
    assert [getattr(one, "label", None) for one in buttons.children] == ["Rematch", "Result page", "Film"]


class Drawn(Pictures):
    """Pictures that are not drawn; that of the map which grows has this size."""

    def __init__(self, size: int) -> None:
        super().__init__()
        self.size = size

    async def drawn(self, *_: object) -> bytes:
        return b"PNG"

    async def draw_uncached(self, *_: object) -> bytes:
        return b"G" * self.size


@pytest.mark.parametrize(
    ("moves", "size", "files"),
    [(3, 9, []), (60, MAX_ANIMATION_BYTES, ["map.gif"]), (60, MAX_ANIMATION_BYTES + 1, [])],
)
async def test_timelapse_is_shown_where_it_fits(
    service: TableService, moves: int, size: int, files: list[str]
) -> None:
    """And where the map has changed at all."""
    record = first_moves(BANKRUPTCY.read_text("utf-8"), moves)
    async with service.tables.reading(await service.at(record)) as live:
        found = await final_files(live, service.tables, Drawn(size))
    names = [file.filename for file in found.files]
    assert names == ["chart.png", *files, "scores.csv", f"game-{live.id}.json"]
    growing = [file.description for file in found.files if file.filename == "map.gif"]
    assert all(words and words.startswith("The map from the first tile to the last, ") for words in growing)
