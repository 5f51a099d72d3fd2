"""Functions for single messages: attached files, making a thread from a message, and deletion."""

import io
import re
from collections.abc import Sequence
from typing import Final, NamedTuple, TypeAlias, cast

import discord

WEEK_MINUTES: Final = 10080
"""Minutes in a week. Discord archives a running game's thread after a week without posts."""
_FILE_ID_PATTERN: Final = re.compile(r"/attachments/\d+/(\d+)/")
TABLE_FILE_PREFIX: Final = "table"
"""Start of the file names of pictures that show all players and companies."""
SECOND_TABLE_ALT_TEXT: Final = "Company holdings and coming trains."
HAS_THREAD_CODE: Final = 160004
"""Discord's error code if a message already has a thread."""


class AttachedFile(NamedTuple):
    """A file that a message already has; an edit keeps it by its id."""

    id: int

    def to_dict(self) -> dict[str, object]:
        """The file in the format of Discord's edit request."""
        return {"id": str(self.id)}


FilesAfterEdit: TypeAlias = Sequence[discord.Attachment | discord.File]
"""The files that a message should have after an edit, in discord.py's type."""


def files_for_edit(files: Sequence[AttachedFile | discord.File]) -> FilesAfterEdit:
    """Files for an edit, in discord.py's type: new ones, and those to keep."""
    return cast("FilesAfterEdit", files)


def attached_files(message: discord.Message) -> tuple[AttachedFile, ...]:
    """The files attached to a message, by id."""
    return tuple(AttachedFile(file.id) for file in message.attachments)


def embedded_files(message: discord.Message) -> list[AttachedFile | None]:
    """The image files that a message's embeds show; None in place of a file whose id is unknown."""
    matches = [_FILE_ID_PATTERN.search(embed.image.url or "") for embed in message.embeds]
    return [None if match is None else AttachedFile(int(match[1])) for match in matches]


def picture_file(picture: bytes, name: str, alt_text: str) -> discord.File:
    """A picture as a file to attach, with its alt text."""
    return discord.File(io.BytesIO(picture), name, description=alt_text)


def table_files(pictures: Sequence[bytes], alt_text: str) -> list[discord.File]:
    """The pictures of all players and companies as files. Only the first file gets the alt text."""
    return [
        picture_file(
            picture,
            f"{TABLE_FILE_PREFIX}{number or ''}.png",
            alt_text if not number else SECOND_TABLE_ALT_TEXT,
        )
        for number, picture in enumerate(pictures)
    ]


async def make_thread_from(opening_message: discord.PartialMessage, name: str) -> int:
    """Make a thread from a message and return its id. An existing thread is kept.

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
