"""Sends, edits and deletes messages, so that a game's thread shows the desired posts.

All requests about posts are made here. They respect Discord's limits: message length, edits of old messages, and
archived threads that must be opened first. A nonce prevents a message from being sent twice.
"""

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final, NamedTuple

import discord

from bot.client.entry.replies import edit_clicked_message
from bot.client.game_texts import message_pieces
from bot.client.pictures import Pictures
from bot.client.places.messages import (
    AttachedFile,
    attached_files,
    delete_message,
    embedded_files,
    files_for_edit,
)
from bot.client.places.threads import Threads
from bot.client.requests.old_edits import OldEdits
from bot.client.requests.permission_problems import UNKNOWN_CHANNEL_CODE
from bot.client.thread.desired import BOARD_ROLE, TURN_ROLE, Post
from bot.client.thread.doubts import UnconfirmedMessages
from bot.client.thread.pictures_of_posts import Picture, picture_names
from bot.client.thread.pictures_of_posts import draw_picture_files as draw_files
from bot.table.bounded_caches import BoundedDict
from bot.table.outbox.sender import MarkSent
from bot.table.tables import Tables
from storage import ThreadMessage, messages, parse_timestamp, pings

MAX_REMEMBERED_MESSAGES: Final = 2_000
"""Number of board posts and turn messages whose content is cached, to avoid needless edits."""
THREAD_ARCHIVED_CODE: Final = 50083
"""Discord's error code for an edit in an archived thread."""


class MessageDeleted(Exception):  # noqa: N818 - somebody has deleted it
    """Raised if a message that must be edited was deleted on Discord. Its database row is deleted, too."""


class _MessageChanges(NamedTuple):
    """An edit of a message: the changed parts, and the names of the pictures in its files (None: files unchanged)."""

    parts: dict[str, Any]
    names: list[str] | None


class Applier:
    """Sends and edits the posts in games' threads, and records their content in the database."""

    def __init__(self, tables: Tables, threads: Threads, pictures: Pictures, old_edits: OldEdits) -> None:
        self._tables, self._threads, self._pictures = tables, threads, pictures
        self._old_edits = old_edits
        self._content_by_message: BoundedDict[int | None, ThreadMessage] = BoundedDict(
            MAX_REMEMBERED_MESSAGES
        )
        """By Discord's message id: the current content of board posts and turn messages.

        Row ids would not work as keys, since SQLite reuses the id of a deleted row.
        """

    def current_content(self, shown_message: ThreadMessage) -> ThreadMessage | None:
        """A board post's or turn message's content as last sent by this process; None if it has not sent it."""
        return self._content_by_message.get(shown_message.message_id)

    async def send(
        self,
        game_id: int,
        post: Post,
        unconfirmed: UnconfirmedMessages,
        mark_sent: MarkSent,
        ended_turns: Sequence[ThreadMessage] = (),
    ) -> ThreadMessage:
        """Send a post, unless it was sent before a crash, and mark its outbox rows as sent.

        The rows of `ended_turns` (messages about turns that are over) are stored in the same transaction.
        """
        row, sent_messages = unconfirmed.take_row(post.role, post.key)
        pieces, names_and_ids = message_pieces(post.text or ""), list[tuple[str, int | None]]()
        if len(sent_messages) < len(pieces):
            drawn_files = [
                (picture.name, file)
                for picture in post.pictures or ()
                for file in await self._draw(game_id, picture)
            ]
            new_row = row or ThreadMessage(
                0, game_id, post.role, post.key, None, "", "[]", self._tables.clock()
            )
            row = await messages.put_message(self._tables.db, replace(new_row, key=post.key))
            thread = await self._threads.thread_of(game_id)
            for number, piece in enumerate(pieces[len(sent_messages) :], len(sent_messages)):
                is_last = number == len(pieces) - 1
                parts = _send_options(post, [file for _, file in drawn_files]) if is_last else {}
                nonce = _nonce(row) + (f".{number}" if number else "")
                sent_messages.append(await thread.send(piece, silent=post.silent, nonce=nonce, **parts))
            names_and_ids = _names_and_file_ids([name for name, _ in drawn_files], sent_messages[-1])
        assert row is not None
        if post.pinged:
            await pings.mark_pinged(self._tables.db, game_id, post.pinged)
        sent_row = replace(
            row, message_id=sent_messages[0].id, shows=post.shows, files=json.dumps(names_and_ids)
        )
        # A message whose row is not stored is looked for after a crash.
        if post.rows:
            await mark_sent(post.rows, sent_messages[0].id, [sent_row, *ended_turns])
        else:
            await messages.record_message_changes(self._tables.db, sent_row, *ended_turns)
        if post.role == BOARD_ROLE:
            self._content_by_message[sent_row.message_id] = sent_row
        if post.role in (BOARD_ROLE, TURN_ROLE):
            self._tables.record_message(game_id, post.role, sent_messages[0].id)
        return sent_row

    async def edit(self, game_id: int, post: Post) -> ThreadMessage:
        """Edit a message so that it shows a post. Returns the message's row, which the caller must store.

        If Discord does not allow another edit of an old message yet, this waits; for a board post, it raises PostLater.
        Raises MessageDeleted.
        """
        shown_row = await self._edit_message(game_id, post)
        if post.role in (BOARD_ROLE, TURN_ROLE):
            self._content_by_message[shown_row.message_id] = shown_row
        return shown_row

    async def _edit_message(self, game_id: int, post: Post) -> ThreadMessage:
        shown_row = post.message
        assert shown_row is not None
        assert shown_row.message_id is not None
        changes = await self._find_changes(game_id, post)
        if changes is None:
            return replace(shown_row, key=post.key)
        thread = await self._threads.thread_of(game_id)
        message = thread.get_partial_message(shown_row.message_id)
        if post.role == BOARD_ROLE:
            self._old_edits.require_slot(thread.id, message.id)
        async with self._old_edits.edit_slot(thread.id, message.id):
            try:
                return await self._edit(message, game_id, post, changes)
            except discord.NotFound as error:
                if error.code == UNKNOWN_CHANNEL_CODE:
                    raise
                await self.delete_message_row(game_id, shown_row)
                raise MessageDeleted from error
            except discord.HTTPException as error:
                # Threads of running games were opened before; the thread of an ended game archives itself.
                if error.code != THREAD_ARCHIVED_CODE or post.role != BOARD_ROLE:
                    raise
            await self._threads.open(thread)
            return await self._edit(message, game_id, post, await self._find_changes(game_id, post))

    async def show_post_as_response(self, interaction: discord.Interaction, post: Post) -> ThreadMessage:
        """Show a post in the clicked message as the response to the click. Discord's limit for edits does not apply."""
        assert post.message is not None
        if post.message.shows == post.shows:
            return post.message
        # Files that a response does not list are removed.
        changes, names = await self._with_all_files(post.message.game_id, post, _text_and_buttons(post))
        await edit_clicked_message(interaction, **changes)
        file_ids = [file.id if isinstance(file, AttachedFile) else None for file in changes["attachments"]]
        files = [*zip(names or (), file_ids, strict=True)]
        shown_row = self._content_by_message[post.message.message_id] = replace(
            post.message, shows=post.shows, files=json.dumps(files)
        )
        return shown_row

    async def record_ended_turns(self, game_id: int, ended_turns: Sequence[ThreadMessage]) -> None:
        """Store the rows of messages about turns that are over."""
        if any(turn_row.id for turn_row in ended_turns):
            await messages.record_message_changes(self._tables.db, *ended_turns)
            await self._tables.reread(game_id)

    async def fetch(self, game_id: int, shown_message: ThreadMessage) -> discord.Message | None:
        """Fetch a message from Discord; None if it was deleted."""
        assert shown_message.message_id is not None
        try:
            return await (await self._threads.thread_of(game_id)).fetch_message(shown_message.message_id)
        except discord.NotFound:
            return None

    async def delete(self, game_id: int, shown_message: ThreadMessage) -> None:
        """Delete a message from Discord, if it still exists, and its database row."""
        assert shown_message.message_id is not None
        await delete_message(
            (await self._threads.thread_of(game_id)).get_partial_message(shown_message.message_id)
        )
        await self.delete_message_row(game_id, shown_message)

    async def delete_message_row(self, game_id: int, shown_message: ThreadMessage) -> None:
        """Delete the database row of a message that no longer exists."""
        await messages.delete_message_rows(self._tables.db, shown_message.id)
        if shown_message.role in (BOARD_ROLE, TURN_ROLE):
            await self._tables.reread(game_id)

    async def _edit(
        self, message: discord.PartialMessage, game_id: int, post: Post, changes: _MessageChanges | None
    ) -> ThreadMessage:
        assert post.message is not None
        if changes is None:
            return replace(post.message, key=post.key)
        edited_message = await message.edit(**changes.parts)
        files = (
            post.message.files
            if changes.names is None
            else json.dumps(_names_and_file_ids(changes.names, edited_message))
        )
        kept_file_ids = {
            file.id for file in changes.parts.get("attachments", ()) if isinstance(file, AttachedFile)
        }
        if not kept_file_ids <= {number for _, number in json.loads(files)}:
            # Discord has lost a file that should have stayed, so all are uploaded again.
            reupload_post = replace(post, message=replace(post.message, shows="", files="[]"))
            return await self._edit(
                message, game_id, reupload_post, await self._find_changes(game_id, reupload_post)
            )
        return replace(post.message, key=post.key, shows=post.shows, files=files)

    async def _find_changes(self, game_id: int, post: Post) -> _MessageChanges | None:
        """The edit that makes a message show a post; None if the message already shows it."""
        assert post.message is not None
        changed_parts = _text_and_buttons(post) if post.message.shows != post.shows else {}
        shown_picture_names, wanted_pictures = picture_names(post.message, ""), post.pictures
        if wanted_pictures is None or (
            post.message.shows and [picture.name for picture in wanted_pictures] == shown_picture_names
        ):
            return _MessageChanges(changed_parts, None) if changed_parts else None
        if post.role == BOARD_ROLE:
            changed_parts |= {"content": post.text, "embeds": list(post.embeds or ())}
        return await self._with_all_files(game_id, post, changed_parts)

    async def _with_all_files(
        self, game_id: int, post: Post, changed_parts: dict[str, Any]
    ) -> _MessageChanges:
        """The edit with all files of the message. Files that the message already has are kept by their ids."""
        assert post.message is not None
        known_files = [
            (name, file_id)
            for name, file_id in json.loads(post.message.files)
            if file_id and post.message.shows
        ]
        files = list[tuple[str, AttachedFile | discord.File]]()
        for picture in (
            dict.fromkeys(Picture(name) for name, _ in known_files)
            if post.pictures is None
            else post.pictures
        ):
            kept_files = [
                (name, AttachedFile(file_id)) for name, file_id in known_files if name == picture.name
            ]
            drawn_files = () if kept_files else await self._draw(game_id, picture)
            files += [*kept_files, *((picture.name, file) for file in drawn_files)]
        return _MessageChanges(
            {**changed_parts, "attachments": files_for_edit([file for _, file in files])},
            [picture_name for picture_name, _ in files],
        )

    async def _draw(self, game_id: int, picture: Picture) -> list[discord.File]:
        return await draw_files(self._tables, self._pictures, game_id, picture)


def _text_and_buttons(post: Post) -> dict[str, Any]:
    """Text and buttons of an edit. A board's embeds are left out, since they change with its pictures."""
    parts: dict[str, Any] = {} if post.text is None else {"content": post.text}
    if post.role == BOARD_ROLE:
        return parts
    return {**parts, "view": post.view} | ({} if post.embeds is None else {"embeds": list(post.embeds)})


def _send_options(post: Post, files: list[discord.File]) -> dict[str, Any]:
    allowed_mentions = discord.AllowedMentions(
        users=[discord.Object(user) for user in post.users],
        roles=[discord.Object(role) for role in post.roles],
    )
    parts: dict[str, Any] = {"files": files}
    parts |= {"allowed_mentions": allowed_mentions} if post.users or post.roles else {}
    parts |= {} if post.view is None else {"view": post.view}
    return parts | ({} if post.embeds is None else {"embeds": list(post.embeds)})


def _names_and_file_ids(names: Sequence[str], message: discord.Message) -> list[tuple[str, int | None]]:
    """Each picture name with the id of its file; all ids are None if the message has a different number of files."""
    files = attached_files(message) or embedded_files(message)
    file_ids = [None if file is None else file.id for file in files]
    return [*zip(names, file_ids if len(file_ids) == len(names) else [None] * len(names), strict=True)]


def _nonce(row: ThreadMessage) -> str:
    """The nonce of a post's message. For a few minutes, Discord creates only one message with this nonce."""
    return f"{row.id}.{int(parse_timestamp(row.at).timestamp() * 1000)}"
