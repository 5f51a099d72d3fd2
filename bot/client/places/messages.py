"""Single messages: embeds, files, creation and deletion."""

import io
import re
from collections.abc import Sequence
from typing import Final, NamedTuple, TypeAlias, cast

import discord

WEEK_MINUTES: Final = 10080
"""Minutes in a week, after which Discord hides an idle thread until the next post."""
_FILE_ID_PATTERN: Final = re.compile(r"/attachments/\d+/(\d+)/")
"""Finds the id of a file in its URL."""
TABLE_FILE_PREFIX: Final = "table"
"""Prefix of the names of the table's picture files."""
SECOND_TABLE_ALT_TEXT: Final = "Company holdings and coming trains."
HAS_THREAD_CODE: Final = 160004
"""Discord's code for a message that already has a thread."""


class AttachedFile(NamedTuple):
    """A file already attached to a message, by its id."""

    id: int

    def to_dict(self) -> dict[str, object]:
        """The file as an edit lists it."""
        return {"id": str(self.id)}


EditFiles: TypeAlias = Sequence[discord.Attachment | discord.File]
"""Files that an edit of a message lists."""


def files_for_edit(files: Sequence[AttachedFile | discord.File]) -> EditFiles:
    """Files for an edit, kept ones included."""
    return cast("EditFiles", files)


def attached_files(message: discord.Message) -> tuple[AttachedFile, ...]:
    """The files that are attached to a message."""
    return tuple(AttachedFile(file.id) for file in message.attachments)


def embedded_files(message: discord.Message) -> list[AttachedFile | None]:
    """The files shown by a message's embeds; None for each with an unknown id."""
    matches = [_FILE_ID_PATTERN.search(embed.image.url or "") for embed in message.embeds]
    return [None if match is None else AttachedFile(int(match[1])) for match in matches]


def picture_file(picture: bytes, name: str, alt_text: str) -> discord.File:
    """A picture to attach; `alt_text` is its alternative text."""
    return discord.File(io.BytesIO(picture), name, description=alt_text)


def table_files(pictures: Sequence[bytes], alt_text: str) -> list[discord.File]:
    """The pictures of the whole table; the first has the alternative text."""
    return [
        picture_file(
            picture,
            f"{TABLE_FILE_PREFIX}{number or ''}.png",
            alt_text if not number else SECOND_TABLE_ALT_TEXT,
        )
        for number, picture in enumerate(pictures)
    ]


async def make_thread_from(opening_message: discord.PartialMessage, name: str) -> int:
    """Make a thread from a message and return its id; an existing one is used.

    Raises discord.NotFound when the message is gone.
    """
    try:
        thread = await opening_message.create_thread(name=name, auto_archive_duration=WEEK_MINUTES)
    except discord.HTTPException as error:
        if error.code != HAS_THREAD_CODE:
            raise
        return opening_message.id  # a thread bears the number of the message it was made from
    return thread.id


async def delete_message(message: discord.PartialMessage | discord.Message) -> None:
    """Delete a message, if it is still there."""
    try:
        await message.delete()
    except discord.NotFound:
        return  # somebody else did
