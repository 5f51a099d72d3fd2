"""Lines that belong to no turn: each a message of its own, but those that had to wait are posted together.

And the pictures that go with lines: the map where it has changed, the table as a round begins.
"""

from collections.abc import Awaitable, Callable, Iterator, Sequence, Set
from datetime import datetime, timedelta
from itertools import accumulate, takewhile
from typing import Final, NamedTuple, TypeAlias

import discord

from bot.client.alt_texts import of_table
from bot.client.game_texts import LONGEST_MESSAGE, pieces
from bot.client.pictures import Pictures
from bot.client.places.messages import picture_file, table_files
from bot.table.markdown import strong
from bot.table.outbox.notices import Line, RoundBegun
from bot.table.outbox.sender import MarkSent
from bot.table.tables import Tables
from engine import Coord
from engine.views import map_view, table_view
from storage import Posting, parse_timestamp

LATE: Final = timedelta(seconds=5)
"""Lines that have waited for so long, in an outage or while the bot was away, are read together."""


Draw: TypeAlias = Callable[[tuple[Coord, ...]], Awaitable[list[discord.File]]]
"""Draws the map around these hexes."""


class _Batch(NamedTuple):
    """Lines that are one message."""

    postings: Sequence[Posting]
    lines: Sequence[Line]

    def text(self) -> str:
        return _joined(self.lines)

    def nonce(self, piece: int) -> str:
        first, last = self.postings[0].id, self.postings[-1].id
        return f"{first}.{piece}" if first == last else f"{first}-{last}"

    def hexes(self) -> tuple[Coord, ...]:
        return tuple(dict.fromkeys(coord for line in self.lines for coord in line.hexes))


async def post_lines(
    thread: discord.PartialMessageable,
    postings: Sequence[Posting],
    mark: MarkSent,
    found: Sequence[discord.Message],
    draw: Draw,
    now: datetime | None = None,
) -> None:
    """Post lines in order, and tick each off; those posted before a crash (`found`) are not posted again.

    Those that are late `now` are posted together; None: all of them.
    """
    for batch in _batches(
        postings, found, lambda row: now is None or now - parse_timestamp(row.created_at) >= LATE
    ):
        await mark(batch.postings, await _post(thread, batch, found, draw))


async def _post(
    thread: discord.PartialMessageable, batch: _Batch, found: Sequence[discord.Message], draw: Draw
) -> int:
    """Post these lines; the number of the message with the first of them."""
    cut = pieces(batch.text())
    sent: list[int] = []
    for number, piece in enumerate(cut):
        message = next((m for m in found if m.content == piece.strip()), None)
        if message is None:
            files = await draw(batch.hexes()) if number == len(cut) - 1 else []
            message = await thread.send(piece, files=files, silent=True, nonce=batch.nonce(number))
        sent.append(message.id)
    return sent[0]


async def close_up(
    tables: Tables, pictures: Pictures, game_id: int, hexes: tuple[Coord, ...]
) -> list[discord.File]:
    """The map around hexes where it has changed, if it has."""
    if not hexes or await tables.damage(game_id) is not None:
        return []
    async with tables.reading(game_id) as live:
        view, pictures = map_view(live.game), pictures.in_server(live.row.guild_id)
    picture = await pictures.map(view, hexes)
    return [picture_file(picture, "closeup.png", f"The map around {', '.join(hexes)}")]


async def table_pictures(tables: Tables, pictures: Pictures, game_id: int) -> list[discord.File]:
    """What everybody has, as a round begins."""
    async with tables.reading(game_id) as live:
        view, pictures = table_view(live.game), pictures.in_server(live.row.guild_id)
    return table_files(await pictures.whole_table(view), of_table(view))


async def post_round(
    thread: discord.PartialMessageable,
    postings: Sequence[Posting],
    found: Sequence[discord.Message],
    draw: Callable[[], Awaitable[list[discord.File]]],
) -> None:
    """Post the table in a message of its own, unless that was done before a crash; of several rounds the last."""
    text = f"{strong(RoundBegun.read(postings[-1].payload).name)}: the table."
    if all(message.content != text for message in found):
        await thread.send(text, files=await draw(), silent=True, nonce=f"table.{postings[-1].id}")


def _batches(
    postings: Sequence[Posting], found: Sequence[discord.Message], is_late: Callable[[Posting], bool]
) -> Iterator[_Batch]:
    """These lines as messages: what was posted together before a crash stays together."""
    lines = [Line.read(posting.payload) for posting in postings]
    posted = {message.content for message in found}
    begin = 0
    while begin < len(lines):
        ends = _ends(lines, begin)
        known = [end for end in ends if _joined(lines[begin:end]) in posted]
        end = known[-1] if known else begin + 1
        if not known and is_late(postings[begin]):
            end = next((cut for cut in ends if _is_posted(lines, cut, posted)), ends[-1])
        yield _Batch(postings[begin:end], lines[begin:end])
        begin = end


def _is_posted(lines: Sequence[Line], begin: int, posted: Set[str]) -> bool:
    """Whether there is a message that begins with this line."""
    return any(_joined(lines[begin:end]) in posted for end in _ends(lines, begin))


def _ends(lines: Sequence[Line], begin: int) -> list[int]:
    """Behind which lines a message may end that begins with this one; one that is too long is alone, in pieces."""
    lengths = accumulate(len(line.text) + 1 for line in lines[begin:])
    fitting = takewhile(lambda length: length <= LONGEST_MESSAGE + 1, lengths)
    return [begin + number for number, _ in enumerate(fitting, 1)] or [begin + 1]


def _joined(lines: Sequence[Line]) -> str:
    """The text of a message; Discord trims what it is given."""
    return "\n".join(line.text for line in lines).strip()
