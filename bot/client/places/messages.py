"""Single messages: their files, threads made from them, and deletion."""

import io
import re
from collections.abc import Sequence
from typing import Final, NamedTuple, TypeAlias, cast

import discord

WEEK_MINUTES: Final = 10080
"""Minutes in a week; a thread without posts is hidden after this time."""
_FILE_ID_PATTERN: Final = re.compile(r"/attachments/\d+/(\d+)/")
"""Pattern of a file's URL, with its id."""
TABLE_FILE_PREFIX: Final = "table"
"""Prefix of the names of picture files of the whole table."""
SECOND_TABLE_ALT_TEXT: Final = "Company holdings and coming trains."
HAS_THREAD_CODE: Final = 160004
"""Discord's error code for a message that has a thread already."""


class AttachedFile(NamedTuple):
    """A file that a message has already, by its id."""

    id: int

    def to_dict(self) -> dict[str, object]:
        """The file as an edit must list it."""
        return {"id": str(self.id)}


EditFiles: TypeAlias = Sequence[discord.Attachment | discord.File]
"""Files that a message should have after an edit."""


def files_for_edit(files: Sequence[AttachedFile | discord.File]) -> EditFiles:
    """The files for an edit; files that the message has already stay."""
    return cast("EditFiles", files)


def attached_files(message: discord.Message) -> tuple[AttachedFile, ...]:
    """The files that a message has."""
    return tuple(AttachedFile(file.id) for file in message.attachments)


def embedded_files(message: discord.Message) -> list[AttachedFile | None]:
    """The files shown by a message's embeds; None for each whose id is unknown."""
    matches = [_FILE_ID_PATTERN.search(embed.image.url or "") for embed in message.embeds]
    return [None if match is None else AttachedFile(int(match[1])) for match in matches]


def picture_file(picture: bytes, name: str, alt_text: str) -> discord.File:
    """A picture to attach, with its alternative text."""
    return discord.File(io.BytesIO(picture), name, description=alt_text)


def table_files(pictures: Sequence[bytes], alt_text: str) -> list[discord.File]:
    """The pictures of the whole table; the first one has the alternative text."""
    return [
        picture_file(
            picture,
            f"{TABLE_FILE_PREFIX}{number or ''}.png",
            alt_text if not number else SECOND_TABLE_ALT_TEXT,
        )
        for number, picture in enumerate(pictures)
    ]


async def make_thread_from(opening_message: discord.PartialMessage, name: str) -> int:
    """Make a thread from a message, unless it has one; returns the thread's id.

    Raises discord.NotFound if the message was deleted.
    """
    try:
        thread = await opening_message.create_thread(name=name, auto_archive_duration=WEEK_MINUTES)
    except discord.HTTPException as error:
        if error.code != HAS_THREAD_CODE:
            raise
        return opening_message.id  # a thread has the id of the message from which it was made
    return thread.id


async def delete_message(message: discord.PartialMessage | discord.Message) -> None:
    """Delete a message if it still exists."""
    try:
        await message.delete()
    except discord.NotFound:
        return  # deleted by somebody else
