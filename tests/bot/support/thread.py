"""A thread without Discord: what is posted, edited, pinned and deleted in it, in order."""

import re
from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any, Final

import discord
from discord.components import _component_factory

THREAD: Final = 77
"""Its number, and that of the game's place."""
LATER: Final = 9 * 10**18
"""Numbers of messages that nobody would say are old."""


def refused(code: int, kind: type[discord.HTTPException] = discord.HTTPException) -> discord.HTTPException:
    """An error of Discord with this code."""
    response: Any = SimpleNamespace(status=400, reason="", method="", url="")
    return kind(response, {"code": code, "message": "no"})


def gone() -> discord.HTTPException:
    """A message is gone."""
    return refused(10008, discord.NotFound)


class Post:
    """A message of ours, as it is now; or its number alone, by which it is edited all the same."""

    def __init__(self, thread: "Thread", number: int) -> None:
        self.thread, self.id = thread, number
        self.channel = SimpleNamespace(id=thread.id)
        self.content, self.pinned = "", False
        self.embeds: list[discord.Embed] = []
        self.components: list[Any] = []
        self.attachments: list[Any] = []
        self.sent: dict[str, Any] = {}
        """With what it was sent."""

    @property
    def files(self) -> list[str]:
        """The names of its files."""
        return [file.filename for file in self.attachments]

    @property
    def labels(self) -> list[str]:
        return [part.label for row in self.components for part in row.children if hasattr(part, "label")]

    async def edit(self, **parts: Any) -> "Post":
        """Change what is named."""
        if self.id not in self.thread.posts:
            raise gone()
        self.thread.done.append(("edit", self.id, parts))
        self._take(**parts)
        return self

    async def delete(self) -> None:
        """Delete it."""
        if self.id not in self.thread.posts:
            raise gone()
        self.thread.done.append(("delete", self.id, {}))
        del self.thread.posts[self.id]

    async def pin(self) -> None:
        """Pin it."""
        if self.thread.pins is not None:
            raise self.thread.pins
        self.thread.done.append(("pin", self.id, {}))
        self.pinned = True

    def _take(self, **parts: Any) -> None:
        self.content = (parts.get("content", self.content) or "").strip()
        if "view" in parts:
            rows = [] if parts["view"] is None else parts["view"].to_components()
            self.components = [_component_factory(row) for row in rows]
        if "attachments" in parts:
            self.attachments = [self.thread.kept(self, file) for file in parts["attachments"]]
        if "embeds" in parts:
            # What an embed shows is no file of the message any more.
            shown = {file.filename: file for file in self.attachments}
            self.embeds = [embed.copy() for embed in parts["embeds"]]
            for embed in self.embeds:
                name = (embed.image.url or "").removeprefix("attachment://")
                if name in shown:
                    embed.set_image(url=f"https://cdn/attachments/{self.thread.id}/{shown[name].id}/{name}")


class Thread:
    """Stands for the thread of a game, and for what knows the threads of all games."""

    def __init__(self, number: int = THREAD) -> None:
        self.id = number
        self.posts: dict[int, Post] = {}
        self.done: list[tuple[str, int, dict[str, Any]]] = []
        """All that was done to messages, oldest first: what, to which, and with what."""
        self.pins: discord.HTTPException | None = None
        self._last = LATER
        self._files: dict[int, str] = {}

    @property
    def said(self) -> list[str]:
        return [post.content for post in self.posts.values()]

    @property
    def last(self) -> Post:
        """The newest message."""
        return list(self.posts.values())[-1]

    async def of(self, _: int) -> Any:
        """The thread of a game."""
        return self

    async def ready(self, number: int) -> bool:
        """It is there."""
        return number == self.id

    async def send(self, content: str = "", *, files: Sequence[Any] = (), **parts: Any) -> Any:
        """Post a message."""
        self._last += 1
        post = self.posts[self._last] = Post(self, self._last)
        post.sent = {**parts, "files": files}
        self.done.append(("send", post.id, post.sent))
        post._take(content=content, attachments=files, **parts)
        return post

    def get_partial_message(self, number: int) -> Any:
        """A message by its number, whether it is there or not."""
        return self.posts.get(number) or Post(self, number)

    async def fetch_message(self, number: int) -> Any:
        """A message by its number."""
        if number not in self.posts:
            raise gone()
        return self.posts[number]

    def kept(self, post: Post, file: Any) -> Any:
        """A file of a message: one that is uploaded has a new number, the others keep theirs."""
        if isinstance(file, discord.File):
            self._last += 1
            self._files[self._last] = file.filename
            return SimpleNamespace(id=self._last, filename=file.filename)
        number = int(file.to_dict()["id"])
        shown = [re.findall(r"/(\d+)/", embed.image.url or "") for embed in post.embeds]
        assert number in [one.id for one in post.attachments] or [str(number)] in [one[-1:] for one in shown]
        return SimpleNamespace(id=number, filename=self._files[number])
