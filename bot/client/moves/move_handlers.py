"""What a click or a command leads to: the move is made, and the person who asked is answered privately."""

from collections.abc import Callable, Coroutine
from typing import Any

import discord

from bot.client.entry.replies import after, ask_first, edit_pressed, say, think, unless_stopped
from bot.client.entry.showable import require_showable
from bot.client.moves.next_game import lead_on, next_game_button
from bot.client.posts.turn_messages import Turns
from bot.client.requests.problems import DeliveryProblems
from bot.client.texts import game_texts
from bot.client.texts.what_if_texts import made_text
from bot.table.errors import error_sentence
from bot.table.live import LiveGame
from bot.table.moves.button_cache import Buttons
from bot.table.moves.moves import Quick, Typed, once_more, typed_move
from bot.table.tables import Outcome, Tables
from bot.table.undo.undoing import undo
from bot.table.what_if.what_ifs import WhatIf
from engine.core.ids import PlayerId


class MoveHandlers:
    """Moves and undo, from interaction to answer."""

    def __init__(self, tables: Tables, troubles: DeliveryProblems, turns: Turns, buttons: Buttons) -> None:
        self._tables = tables
        self._buttons = buttons
        self._troubles = troubles
        self._turns = turns

    async def typed(self, interaction: discord.Interaction, game_id: int, move: Typed) -> None:
        """A slash command: make the move, or ask first; the answer repeats what it did."""
        await think(interaction)
        require_showable(interaction)
        cached = self._tables.cached(game_id)
        # Most moves need no question, and a game in memory says so without a round trip to the database.
        if cached is None or _confirming(cached, interaction.user.id, move) is not None:
            async with self._tables.reading(game_id) as live:
                risky, seq = _to_confirm(live, interaction.user.id, move), live.seq
            if risky is not None:
                await ask_first(interaction, self._tables, game_id, seq, risky)
                return
        async with unless_stopped(interaction):
            outcome = await self._tables.submit(game_id, interaction.user.id, move)
        with after(outcome.stored()):
            await self._turns.show_next(interaction, game_id)
            view = await next_game_button(self._tables, interaction.user.id, game_id)
            await say(interaction, self._answer(game_id, outcome), view=view)

    async def click(self, interaction: discord.Interaction, game_id: int, seq: int, key: str) -> None:
        """A button on a turn message: the thread shows what it did."""
        require_showable(interaction)
        quick = await self._find(interaction, game_id, seq, key)
        if quick.confirm:
            await ask_first(interaction, self._tables, game_id, seq, quick)
            return
        async with unless_stopped(interaction):
            outcome = await self._tables.submit(game_id, interaction.user.id, quick, seq)
        with after(outcome.stored()):
            await self._turns.show_next(interaction, game_id)
            await self._say_trouble(interaction, game_id, outcome)
            await lead_on(self._tables, interaction, game_id)

    async def confirm(self, interaction: discord.Interaction, game_id: int, seq: int, key: str) -> None:
        """The `yes` to a question."""
        require_showable(interaction)
        quick = await self._find(interaction, game_id, seq, key)
        async with unless_stopped(interaction):
            outcome = await self._tables.submit(game_id, interaction.user.id, quick, seq)
        with after(outcome.stored()):
            text = self._answer(game_id, outcome)[: game_texts.LONGEST_MESSAGE]
            view = await next_game_button(self._tables, interaction.user.id, game_id)
            await edit_pressed(interaction, content=text, view=view)
            await self._turns.show_next(interaction, game_id)

    async def make_tried(self, interaction: discord.Interaction, what_if: WhatIf) -> None:
        """Make a user's own moves of a what-if; the first that is not possible stops them, and the answer says why."""
        require_showable(interaction)
        made, why = await self._made_tried(interaction, what_if)
        text = made_text(what_if, made, why)
        with after(text):
            first, *rest = game_texts.pieces(text)
            await edit_pressed(interaction, content=first, view=None, attachments=[])
            for piece in rest:
                await say(interaction, piece)
            await self._turns.show_next(interaction, what_if.row.id)
            await self._say_trouble(interaction, what_if.row.id, made[-1])
            await lead_on(self._tables, interaction, what_if.row.id)

    async def _made_tried(
        self, interaction: discord.Interaction, what_if: WhatIf
    ) -> tuple[list[Outcome], str]:
        """What was made, and what stopped the rest; raises what stopped the first."""
        made: list[Outcome] = []
        for step in what_if.own:
            seq = made[-1].seq if made else what_if.base
            try:
                async with unless_stopped(interaction):
                    move = once_more(step.action)
                    made.append(await self._tables.submit(what_if.row.id, interaction.user.id, move, seq))
            except Exception as error:
                if not made:
                    raise
                return made, error_sentence(error)
        return made, ""

    async def undo(self, interaction: discord.Interaction, game_id: int, seq: int | None = None) -> None:
        """Undo the user's own last move."""
        await think(interaction)
        await self.do(interaction, game_id, lambda: undo(self._tables, game_id, interaction.user.id, seq))

    async def do(
        self, interaction: discord.Interaction, game_id: int, deed: Callable[[], Coroutine[Any, Any, Outcome]]
    ) -> None:
        """Undo or redo moves: a command is answered; after a click the thread shows it."""
        require_showable(interaction)
        async with unless_stopped(interaction):
            outcome = await deed()
        with after(outcome.stored()):
            await self._turns.show_next(interaction, game_id)
            if interaction.type is discord.InteractionType.application_command:
                await say(interaction, self._answer(game_id, outcome))
            else:
                await self._say_trouble(interaction, game_id, outcome)

    def _answer(self, game_id: int, outcome: Outcome) -> str:
        """What the move did, and why the thread does not show it, if so."""
        trouble = self._troubles.of(game_id)
        return outcome.done() if trouble is None else f"{outcome.done()}\n{game_texts.unshown(trouble)}"

    async def _say_trouble(self, interaction: discord.Interaction, game_id: int, outcome: Outcome) -> None:
        trouble = self._troubles.of(game_id)
        if trouble is not None:
            await say(interaction, f"{outcome.stored()} {game_texts.unshown(trouble)}")

    async def _find(self, interaction: discord.Interaction, game_id: int, seq: int, key: str) -> Quick:
        await self._buttons.search(game_id)
        async with self._tables.reading(game_id) as live:
            player = self._tables.seat_of(live, interaction.user.id)
            self._tables.require_seq(live, seq)
            return await self._buttons.named(live, player, key)


def _confirming(live: LiveGame, user_id: int, move: Typed) -> PlayerId | None:
    """The player who may have to confirm such a move; None where nobody has to."""
    player = live.player_of(user_id)
    offers = () if player is None else live.game.offers(player, move.kind)
    return player if any(offer.confirm for offer in offers) else None


def _to_confirm(live: LiveGame, user_id: int, move: Typed) -> Quick | None:
    """What is typed, where players are asked to confirm it; raises IllegalAction, Refused."""
    player = _confirming(live, user_id, move)
    if player is None:
        return None
    quick = typed_move(live.game, player, move)
    return quick if quick.confirm else None
