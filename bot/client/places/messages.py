"""Single messages: embeds, files, creation and deletion."""

import io
import re
from collections.abc import Sequence
from typing import Final, NamedTuple, TypeAlias, cast

import discord

WEEK: Final = 10080
"""Minutes after which an idle thread is hidden; the next post shows it again."""
_FILE: Final = re.compile(r"/attachments/\d+/(\d+)/")
"""The number of a file in its address."""
TABLE: Final = "table"
"""Prefix of the names of its files."""
TABLE_MORE: Final = "Company holdings and coming trains."
HAS_THREAD: Final = 160004
"""Discord's code for a message that has a thread already."""


class AttachedFile(NamedTuple):
    """A file already attached to a message, by its id."""

    id: int

    def to_dict(self) -> dict[str, object]:
        """The file as an edit lists it."""
        return {"id": str(self.id)}


Files: TypeAlias = Sequence[discord.Attachment | discord.File]
"""Files that an edit of a message lists."""


def files_for_edit(files: Sequence[AttachedFile | discord.File]) -> Files:
    """Files for an edit, kept ones included."""
    return cast("Files", files)


def files_of(message: discord.Message) -> tuple[AttachedFile, ...]:
    """The files that are attached to a message."""
    return tuple(AttachedFile(file.id) for file in message.attachments)


def files_shown(message: discord.Message) -> list[AttachedFile | None]:
    """The files shown by a message's embeds; None for each with an unknown id."""
    matches = [_FILE.search(embed.image.url or "") for embed in message.embeds]
    return [None if match is None else AttachedFile(int(match[1])) for match in matches]


def picture_file(picture: bytes, name: str, alt_text: str) -> discord.File:
    """A picture to attach; `alt_text` is its alternative text."""
    return discord.File(io.BytesIO(picture), name, description=alt_text)


def table_files(pictures: Sequence[bytes], alt_text: str) -> list[discord.File]:
    """The pictures of the whole table; the first has the alternative text."""
    return [
        picture_file(picture, f"{TABLE}{number or ''}.png", alt_text if not number else TABLE_MORE)
        for number, picture in enumerate(pictures)
    ]


async def thread_from(opener: discord.PartialMessage, name: str) -> int:
    """Make a thread from a message and return its id; an existing one is used.

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
