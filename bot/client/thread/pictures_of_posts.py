"""Pictures in posts. A picture's name depends on its content, so it is drawn only if the message lacks it."""

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Final

import discord

from bot.client.alt_texts import sale_alt_text, scores_alt_text, table_alt_text
from bot.client.pictures import Pictures
from bot.client.places.messages import picture_file, table_files
from bot.table.tables import Tables
from engine import Coord
from engine.views import SaleView, map_view, score_view, table_view
from render import render_sale
from storage import ThreadMessage

TABLE_PREFIX: Final = "table:"
CLOSE_UP_PREFIX: Final = "map:"


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture that a post should show. Its name depends on its content; equal names mean equal pictures."""

    name: str
    hexes: tuple[Coord, ...] = field(default=(), compare=False)
    sale: SaleView | None = field(default=None, compare=False)
    drawn_files: Callable[[], list[discord.File]] | None = field(default=None, compare=False)
    """Returns the picture's files; None if the picture is not drawn yet."""


SCORES_PICTURE: Final = Picture("scores")
"""The picture of the score sheet."""


def close_up_pictures(row_ids: tuple[int, ...], hexes: tuple[Coord, ...]) -> tuple[Picture, ...]:
    """The picture of the map around these hexes; empty without hexes.

    It is named after `row_ids`, the ids of the outbox rows about the changed hexes.
    """
    return (Picture(f"{CLOSE_UP_PREFIX}{','.join(map(str, row_ids))}", hexes),) if hexes else ()


def sale_pictures(sale: SaleView | None) -> tuple[Picture, ...]:
    """The picture of the private auction; empty if no privates are for sale."""
    return () if sale is None else (Picture(f"sale:{digest(repr(sale).encode())}", sale=sale),)


def table_picture(row_id: int) -> Picture:
    """The picture of all players and companies at the start of a round; `row_id` (an outbox row) names the file."""
    return Picture(f"{TABLE_PREFIX}{row_id}")


def picture_names(message: ThreadMessage, prefix: str) -> list[str]:
    """Names of a message's pictures that begin with `prefix`."""
    return [
        name
        for name in dict.fromkeys(name for name, _ in json.loads(message.files))
        if name.startswith(prefix)
    ]


def digest(content: bytes) -> str:
    """A short hash of the content, which is the same in every process."""
    return blake2b(content, digest_size=12).hexdigest()


async def draw_picture_files(
    tables: Tables, pictures: Pictures, game_id: int, picture: Picture
) -> list[discord.File]:
    """The files of a picture, drawn if necessary; empty if the game is damaged."""
    if picture.drawn_files is not None:
        return picture.drawn_files()
    if await tables.damage(game_id) is not None:
        return []
    async with tables.reading(game_id) as live:
        pictures, game = pictures.for_server(live.row.guild_id), live.game
        sale, scores = picture.sale, score_view(game) if picture is SCORES_PICTURE else None
        table = table_view(game) if picture.name.startswith(TABLE_PREFIX) else None
        whole_map = live.view(map_view) if picture.hexes else None
    if sale is not None:
        return [picture_file(await pictures.draw_view(render_sale, sale), "sale.png", sale_alt_text(sale))]
    if scores is not None:
        return [picture_file(await pictures.scores(scores), "scores.png", scores_alt_text(scores))]
    if table is not None:
        return table_files(await pictures.whole_table(table), table_alt_text(table))
    assert whole_map is not None
    alt_text = f"The map around {', '.join(picture.hexes)}"
    return [picture_file(await pictures.map(whole_map, picture.hexes), "closeup.png", alt_text)]
