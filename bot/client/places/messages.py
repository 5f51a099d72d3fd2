"""Single posts: embeds of the board, files, and recognising, making or deleting a message."""

import io
import re
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple, TypeAlias, cast

import discord

from bot.client import game_texts
from bot.client.buttons import REMATCH_ID, VOTE_ID
from bot.client.pictures import Pictures
from bot.table.settings.game_rules import chosen_rules
from bot.table.tables import Tables
from engine.views import map_part_in_play, map_view, market_view

Test: TypeAlias = Callable[[discord.Message], bool]
"""Whether a message is the one looked for."""
WEEK: Final = 10080
"""Minutes after which an idle thread is hidden; the next post shows it again."""
_FILE: Final = re.compile(r"/attachments/\d+/(\d+)/")
"""The number of a file in its address."""
TABLE: Final = "table"
"""How the names of its files begin."""
TABLE_MORE: Final = "What the companies have, and the trains to come."
HAS_THREAD: Final = 160004
"""Discord's code for a message that has a thread already."""


class Board(NamedTuple):
    """The board post of a game after its move `seq`: the position in words, the heading, PNGs of map and market, and
    what it says of round and turn.
    """

    text: str
    title: str
    pictures: tuple[bytes, bytes]
    seq: int
    says: str

    def embeds(self) -> list[discord.Embed]:
        """One for the map and one for the stock market, whose pictures are attached."""
        return [
            discord.Embed(title=self.title).set_image(url="attachment://map.png"),
            discord.Embed().set_image(url="attachment://market.png"),
        ]

    def files(self) -> list[discord.File]:
        """Both pictures, to be uploaded once."""
        on_map, on_market = self.pictures
        return [
            picture_file(on_map, "map.png", "The map"),
            picture_file(on_market, "market.png", "The stock market"),
        ]


class KeptFile(NamedTuple):
    """A file that a message has already, by its number."""

    id: int

    def to_dict(self) -> dict[str, object]:
        """As an edit lists it."""
        return {"id": str(self.id)}


Files: TypeAlias = Sequence[discord.Attachment | discord.File]
"""What an edit lists as the files of a message."""


def listed(files: Sequence[KeptFile | discord.File]) -> Files:
    """Files for an edit; the library asks of what stays no more than how it is listed."""
    return cast("Files", files)


def files_of(message: discord.Message) -> tuple[KeptFile, ...]:
    """The files that are attached to a message."""
    return tuple(KeptFile(file.id) for file in message.attachments)


def files_shown(message: discord.Message) -> list[KeptFile | None]:
    """The files that the embeds of a message show, None for each whose number its address does not say."""
    found = [_FILE.search(embed.image.url or "") for embed in message.embeds]
    return [None if one is None else KeptFile(int(one[1])) for one in found]


async def board_of(tables: Tables, pictures: Pictures, game_id: int) -> Board:
    """The position of a game, drawn."""
    async with tables.reading(game_id) as live:
        says = game_texts.position_text(live)
        text = f"{says} {game_texts.as_of(live)}\n{chosen_rules(live.row)}"
        title, seq = game_texts.board_title(live.row), live.seq
        on_map, on_market = map_part_in_play(live.game, map_view(live.game)), market_view(live.game)
        pictures = pictures.in_server(live.row.guild_id)
    return Board(text, title, await pictures.board(on_map, on_market), seq, says)


def picture_file(picture: bytes, name: str, words_for_it: str) -> discord.File:
    """A picture to attach; `words_for_it` are for those who cannot see it."""
    return discord.File(io.BytesIO(picture), name, description=words_for_it)


def table_files(pictures: Sequence[bytes], words_for_it: str) -> list[discord.File]:
    """The pictures of the whole table; the words stand with the first."""
    return [
        picture_file(picture, f"{TABLE}{number or ''}.png", words_for_it if not number else TABLE_MORE)
        for number, picture in enumerate(pictures)
    ]


def turn_of(game_id: int, seq: int, content: str) -> Test:
    """Whether a message is the turn message after move `seq` of a game: same words, and buttons made for it."""
    made_for = rf"\w:{game_id}:{seq}(:.*)?"

    def same(message: discord.Message) -> bool:
        ids = [getattr(part, "custom_id", "") for row in message.components for part in _parts(row)]
        return message.content == content and any(re.fullmatch(made_for, one) for one in ids)

    return same


def stays(message: discord.Message) -> bool:
    """Whether a message with buttons stays whatever is posted after it: what is put to the table, and the end."""
    ids = [getattr(part, "custom_id", "") or "" for row in message.components for part in _parts(row)]
    return any(re.fullmatch(kind, one) for one in ids for kind in (VOTE_ID, REMATCH_ID))


def _parts(row: object) -> list[object]:
    return list(row.children) if isinstance(row, discord.ActionRow) else []


async def thread_from(opener: discord.PartialMessage, name: str) -> int:
    """Make a thread from a message and return its number; one that is there already is as good.

    Raises discord.NotFound when the message is gone.
    """
    try:
        thread = await opener.create_thread(name=name, auto_archive_duration=WEEK)
    except discord.HTTPException as error:
        if error.code != HAS_THREAD:
            raise
        return opener.id  # a thread bears the number of the message it was made from
    return thread.id


async def delete(message: discord.PartialMessage | discord.Message) -> None:
    """Delete a message, if it is still there."""
    try:
        await message.delete()
    except discord.NotFound:
        return  # somebody else did
