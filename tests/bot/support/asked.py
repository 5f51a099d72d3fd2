"""Interactions without Discord: a person who presses or types, and what they are answered, in order."""

from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any, Self

import discord

from bot.client.pictures import Pictures
from bot.client.requests.permission_problems import DeliveryProblems
from bot.table.moves.turn_buttons import Buttons
from bot.table.tables import Tables
from bot.table.votes.proposals import Proposals
from bot.table.what_ifs import WhatIfs

CLICK, COMMAND = discord.InteractionType.component, discord.InteractionType.application_command


class Shown:
    """Turn messages that note in the answers when they are shown."""

    async def show_next(self, interaction: Any, game_id: int) -> None:
        """As an edit of the turn message of this game."""
        interaction.answers.append(f"turn {game_id}")
        interaction.views.append(None)


class Client:
    """What a feature knows of the client: its tables, and what shows something."""

    def __init__(self, tables: Tables, pictures: Any = None) -> None:
        self.tables, self.turns = tables, Shown()
        self.pictures = Pictures() if pictures is None else pictures
        self.delivery_problems, self.buttons = DeliveryProblems(), Buttons(tables)
        self.proposals, self.what_ifs = Proposals(tables), WhatIfs()


class Asked:
    """An interaction of a person in the thread of a game, with all that is answered to it.

    `answers` holds the texts in order; edits of what was pressed begin with `edit `.
    """

    def __init__(
        self,
        user_id: int,
        name: str,
        kind: discord.InteractionType = CLICK,
        *,
        message: Any = None,
        thread: int | None = None,
    ) -> None:
        self.client: Any = None
        """The client, for what asks it."""
        self.user = SimpleNamespace(id=user_id, display_name=name, mention=f"<@{user_id}>")
        self.type, self.message = kind, message
        self.guild_id: int | None = None
        self.guild = None
        self.channel_id = thread
        self.channel: Any = None
        self.app_permissions = discord.Permissions.none()
        self.extras: dict[str, Any] = {}
        self.answers: list[str] = []
        self.views: list[Any] = []
        """What stood below each of the answers."""
        self.files: list[Any] = []
        """All that was attached to them."""
        self.modals: list[Any] = []
        self.deferred = False
        self._done = False
        self.response: Any = SimpleNamespace(
            is_done=lambda: self._done,
            type=None,
            send_message=self._say,
            edit_message=self.edit_original_response,
            send_modal=self._open,
            defer=self._defer,
        )
        self.followup: Any = SimpleNamespace(send=self._say)

    async def _say(
        self, content: str | None = None, view: Any = None, files: Sequence[Any] = (), **_: object
    ) -> None:
        self._done = True
        self.files += files
        self.answers.append(content or "")
        self.views.append(view)

    async def edit_original_response(
        self, content: str | None = None, view: Any = None, attachments: Sequence[Any] = (), **_: object
    ) -> None:
        """The message that was pressed shows this."""
        self._done = True
        self.files += attachments
        self.answers.append(f"edit {content}")
        self.views.append(view)

    async def _open(self, form: Any) -> None:
        self._done = True
        self.modals.append(form)

    async def _defer(self, **_: object) -> None:
        self._done = self.deferred = True

    @property
    def is_taken(self) -> bool:
        """Whether Discord was answered that it takes a while, or will be: it waits three seconds for a word."""
        return self.deferred or bool(self.extras)

    def in_a_locked_thread(self) -> Self:
        """The same interaction where nothing could be shown."""
        self.guild_id, self.channel = 1, object.__new__(discord.Thread)
        self.channel.locked = True
        return self
