"""Applies desired posts to a thread: sends, edits and deletes messages.

Nothing else talks to Discord about posts. It knows how long a message may be, that old ones are edited
rarely, that an archived thread must be opened, and under which nonce a message is sent, so that it is not
made twice.
"""

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final, NamedTuple

import discord

from bot.client.entry.replies import edit_pressed
from bot.client.game_texts import message_pieces
from bot.client.pictures import Pictures
from bot.client.places.messages import AttachedFile, delete, files_for_edit, files_of, files_shown
from bot.client.places.threads import Threads
from bot.client.requests.old_edits import OldEdits
from bot.client.requests.permission_problems import UNKNOWN_CHANNEL
from bot.client.thread.desired import BOARD, TURN, Post
from bot.client.thread.doubts import DoubtfulMessages
from bot.client.thread.pictures_of_posts import Picture, names_of
from bot.client.thread.pictures_of_posts import draw_files as drawn_now
from bot.table.bounded_caches import BoundedDict
from bot.table.outbox.sender import MarkSent
from bot.table.tables import Tables
from storage import ShownMessage, messages, parse_timestamp, pings

KNOWN: Final = 2_000
"""The most boards and turns whose shown content is remembered; another one is edited once more."""
ARCHIVED: Final = 50083
"""Discord's code for what cannot be done in an archived thread."""


class MessageGone(Exception):  # noqa: N818 - somebody has deleted it
    """A message to edit was deleted; its row is deleted, too."""


class _Changes(NamedTuple):
    """Changes of a message, and the names of its pictures, file by file, where they are listed."""

    parts: dict[str, Any]
    names: list[str] | None


class Applier:
    """Updates messages in threads, and records their content."""

    def __init__(self, tables: Tables, threads: Threads, pictures: Pictures, old_edits: OldEdits) -> None:
        self._tables, self._threads, self._pictures = tables, threads, pictures
        self._old_edits = old_edits
        self._now: BoundedDict[int, ShownMessage] = BoundedDict(KNOWN)
        """Content of a board or an open turn since it was noted, by number: that is done again when it is over."""

    def current_row(self, shown_message: ShownMessage) -> ShownMessage | None:
        """The current row of a board or open turn that this process sent or edited; else None."""
        return self._now.get(shown_message.id)

    async def send(
        self,
        game_id: int,
        post: Post,
        doubts: DoubtfulMessages,
        mark_sent: MarkSent,
        ended_turns: Sequence[ShownMessage] = (),
    ) -> ShownMessage:
        """Send a post, unless it was sent before a crash, and mark its rows as sent.

        Record ended turns in `ended_turns`.
        """
        row, sent = doubts.take_row(post.role, post.key)
        cut, shown = message_pieces(post.text or ""), list[tuple[str, int | None]]()
        if len(sent) < len(cut):
            lists = [
                (picture.name, file)
                for picture in post.pictures or ()
                for file in await self._draw(game_id, picture)
            ]
            new = row or ShownMessage(0, game_id, post.role, post.key, None, "", "[]", self._tables.clock())
            row = await messages.put_message(self._tables.db, replace(new, key=post.key))
            thread = await self._threads.thread_of(game_id)
            for number, piece in enumerate(cut[len(sent) :], len(sent)):
                is_last = number == len(cut) - 1
                parts = _sent_with(post, [file for _, file in lists]) if is_last else {}
                nonce = _nonce(row) + (f".{number}" if number else "")
                sent.append(await thread.send(piece, silent=post.silent, nonce=nonce, **parts))
            shown = _files_by_name([name for name, _ in lists], sent[-1])
        assert row is not None
        if post.pinged:
            await pings.mark_pinged(self._tables.db, game_id, post.pinged)
        noted = replace(row, message_id=sent[0].id, shows=post.shows, files=json.dumps(shown))
        # After a crash what is not noted is looked for.
        if post.rows:
            await mark_sent(post.rows, sent[0].id, [noted, *ended_turns])
        else:
            await messages.record_changes(self._tables.db, noted, *ended_turns)
        if post.role == BOARD:
            self._now[noted.id] = noted
        if post.role in (BOARD, TURN):
            self._tables.record_message(game_id, post.role, sent[0].id)
        return noted

    async def edit(self, game_id: int, post: Post) -> ShownMessage:
        """Edit a message to show a post, if it differs; the content is not recorded yet. Raises MessageGone.

        Where an old message may be edited only later, words wait; for a board this raises NotYet.
        """
        shown = await self._edited(game_id, post)
        if post.role in (BOARD, TURN):
            self._now[shown.id] = shown
        return shown

    async def _edited(self, game_id: int, post: Post) -> ShownMessage:
        at = post.message
        assert at is not None
        assert at.message_id is not None
        changes = await self._changes(game_id, post)
        if changes is None:
            return replace(at, key=post.key)
        thread = await self._threads.thread_of(game_id)
        message = thread.get_partial_message(at.message_id)
        if post.role == BOARD:
            self._old_edits.require_place(thread.id, message.id)
        async with self._old_edits.waiting_place(thread.id, message.id):
            try:
                return await self._edit(message, game_id, post, changes)
            except discord.NotFound as error:
                if error.code == UNKNOWN_CHANNEL:
                    raise
                await self.forget(game_id, at)
                raise MessageGone from error
            except discord.HTTPException as error:
                # Threads of running games are opened before; one that is over archives itself.
                if error.code != ARCHIVED or post.role != BOARD:
                    raise
            await self._threads.open(thread)
            return await self._edit(message, game_id, post, await self._changes(game_id, post))

    async def answer(self, interaction: discord.Interaction, post: Post) -> ShownMessage:
        """Show a post in the pressed message as its response, which is not counted as an edit."""
        assert post.message is not None
        if post.message.shows == post.shows:
            return post.message
        # What an answer does not list is removed.
        parts, names = await self._with_all_files(post.message.game_id, post, _text_and_buttons(post))
        await edit_pressed(interaction, **parts)
        numbers = [file.id if isinstance(file, AttachedFile) else None for file in parts["attachments"]]
        files = [*zip(names or (), numbers, strict=True)]
        shown = self._now[post.message.id] = replace(post.message, shows=post.shows, files=json.dumps(files))
        return shown

    async def record_ended_turns(self, game_id: int, ended_turns: Sequence[ShownMessage]) -> None:
        """Record messages of ended turns."""
        if any(one.id for one in ended_turns):
            await messages.record_changes(self._tables.db, *ended_turns)
            await self._tables.reread(game_id)

    async def fetch(self, game_id: int, shown_message: ShownMessage) -> discord.Message | None:
        """The current message; None if it is deleted."""
        assert shown_message.message_id is not None
        try:
            return await (await self._threads.thread_of(game_id)).fetch_message(shown_message.message_id)
        except discord.NotFound:
            return None

    async def delete(self, game_id: int, shown_message: ShownMessage) -> None:
        """Delete a message, if it is still there."""
        assert shown_message.message_id is not None
        await delete((await self._threads.thread_of(game_id)).get_partial_message(shown_message.message_id))
        await self.forget(game_id, shown_message)

    async def forget(self, game_id: int, shown_message: ShownMessage) -> None:
        """Delete the row of a deleted message."""
        await messages.delete_rows(self._tables.db, shown_message.id)
        if shown_message.role in (BOARD, TURN):
            await self._tables.reread(game_id)

    async def _edit(
        self, message: discord.PartialMessage, game_id: int, post: Post, changes: _Changes | None
    ) -> ShownMessage:
        assert post.message is not None
        if changes is None:
            return replace(post.message, key=post.key)
        edited = await message.edit(**changes.parts)
        files = (
            post.message.files if changes.names is None else json.dumps(_files_by_name(changes.names, edited))
        )
        kept = {file.id for file in changes.parts.get("attachments", ()) if isinstance(file, AttachedFile)}
        if not kept <= {number for _, number in json.loads(files)}:
            # A file that should have stayed was lost: all of them are uploaded.
            lost = replace(post, message=replace(post.message, shows="", files="[]"))
            return await self._edit(message, game_id, lost, await self._changes(game_id, lost))
        return replace(post.message, key=post.key, shows=post.shows, files=files)

    async def _changes(self, game_id: int, post: Post) -> _Changes | None:
        """The changes that make a message show a post; None if it already does."""
        assert post.message is not None
        parts = _text_and_buttons(post) if post.message.shows != post.shows else {}
        names, wanted = names_of(post.message, ""), post.pictures
        if wanted is None or (post.message.shows and [picture.name for picture in wanted] == names):
            return _Changes(parts, None) if parts else None
        if post.role == BOARD:
            parts |= {"content": post.text, "embeds": list(post.embeds or ())}
        return await self._with_all_files(game_id, post, parts)

    async def _with_all_files(self, game_id: int, post: Post, parts: dict[str, Any]) -> _Changes:
        """The changes with all files of the message; known ones are kept by id."""
        assert post.message is not None
        had = [
            (name, number) for name, number in json.loads(post.message.files) if number and post.message.shows
        ]
        files = list[tuple[str, AttachedFile | discord.File]]()
        for picture in (
            dict.fromkeys(Picture(name) for name, _ in had) if post.pictures is None else post.pictures
        ):
            kept = [(name, AttachedFile(number)) for name, number in had if name == picture.name]
            drawn = () if kept else await self._draw(game_id, picture)
            files += [*kept, *((picture.name, file) for file in drawn)]
        return _Changes(
            {**parts, "attachments": files_for_edit([file for _, file in files])}, [one for one, _ in files]
        )

    async def _draw(self, game_id: int, picture: Picture) -> list[discord.File]:
        return await drawn_now(self._tables, self._pictures, game_id, picture)


def _text_and_buttons(post: Post) -> dict[str, Any]:
    """Text and buttons of an edit; a board's embeds go with its pictures."""
    parts: dict[str, Any] = {} if post.text is None else {"content": post.text}
    if post.role == BOARD:
        return parts
    return {**parts, "view": post.view} | ({} if post.embeds is None else {"embeds": list(post.embeds)})


def _sent_with(post: Post, files: list[discord.File]) -> dict[str, Any]:
    only = discord.AllowedMentions(
        users=[discord.Object(user) for user in post.users],
        roles=[discord.Object(role) for role in post.roles],
    )
    parts: dict[str, Any] = {"files": files}
    parts |= {"allowed_mentions": only} if post.users or post.roles else {}
    parts |= {} if post.view is None else {"view": post.view}
    return parts | ({} if post.embeds is None else {"embeds": list(post.embeds)})


def _files_by_name(names: Sequence[str], message: discord.Message) -> list[tuple[str, int | None]]:
    """A message's files by the names of its pictures; without ids if they do not match."""
    files = files_of(message) or files_shown(message)
    numbers = [None if file is None else file.id for file in files]
    return [*zip(names, numbers if len(numbers) == len(names) else [None] * len(names), strict=True)]


def _nonce(row: ShownMessage) -> str:
    """The nonce: for a few minutes Discord treats messages with the same one as one."""
    return f"{row.id}.{int(parse_timestamp(row.at).timestamp() * 1000)}"
