"""Filling any offer by private menus, one question at a time; each menu carries the earlier picks."""

import asyncio
from collections.abc import Sequence
from typing import Any

import discord

from bot.client import panel
from bot.client.buttons import cancel_button, confirm_button, offer_menu, page_button, pick_menu
from bot.client.replies import say, think
from bot.table.complete import LONGEST
from bot.table.live import Live
from bot.table.moves import IRREVOCABLE, NOTHING, Quick, offer_key
from bot.table.service import Tables
from bot.table.walk import PAGE, Question, next_step, offer_named
from engine.core.actions import Action
from engine.core.ids import PlayerId
from engine.game import Game


class Wizard:
    """Questions and answers in private messages; the last answer makes the move."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables

    async def begin(self, interaction: discord.Interaction, game_id: int) -> None:
        """Ask which of the person's offers it shall be."""
        await think(interaction)
        async with self._tables.reading(game_id) as live:
            player = self._tables.seat_of(live, interaction.user.id)
            offers = live.game.offers(player)
            names = " and ".join(live.name_of(actor) for actor in live.game.actors())
            seq = live.seq
        if not offers:
            await say(interaction, f"There is nothing for you to do now; it is {names}'s turn.")
            return
        labelled = {offer_key(offer): offer.label for offer in offers[:PAGE]}
        options = [discord.SelectOption(label=label[:LONGEST], value=key) for key, label in labelled.items()]
        await say(interaction, "Your moves:", view=panel.rows_of([offer_menu(game_id, seq, options)]))

    async def open(self, interaction: discord.Interaction, game_id: int, seq: int, key: str) -> None:
        """Ask the first question of an offer, in a new private message."""
        await think(interaction)
        step = await self._step(interaction, game_id, seq, key, [], 0)
        if isinstance(step, Question):
            await say(interaction, _prompt(step), view=_menu(game_id, seq, key, step))
        else:
            await self._make(interaction, game_id, seq, step, own_message=False)

    async def turn(
        self,
        interaction: discord.Interaction,
        game_id: int,
        seq: int,
        key: str,
        picks: Sequence[str],
        page: int,
    ) -> None:
        """Ask the next question, or another page of the same, in the same private message."""
        await think(interaction)
        step = await self._step(interaction, game_id, seq, key, picks, page)
        if isinstance(step, Question):
            await interaction.edit_original_response(
                content=_prompt(step), view=_menu(game_id, seq, key, step)
            )
        else:
            await self._make(interaction, game_id, seq, step, own_message=True)

    async def _step(
        self,
        interaction: discord.Interaction,
        game_id: int,
        seq: int,
        key: str,
        picks: Sequence[str],
        page: int,
    ) -> Question | Action:
        async with self._tables.reading(game_id) as live:
            player = self._tables.seat_of(live, interaction.user.id)
            self._tables.require_seq(live, seq)
            return await asyncio.to_thread(_step_of, live, player, key, picks, page)

    async def _make(
        self, interaction: discord.Interaction, game_id: int, seq: int, action: Action, *, own_message: bool
    ) -> None:
        if action.kind in IRREVOCABLE:
            quick = Quick(action.kind.replace("_", " "), action)
            view = panel.rows_of([confirm_button(game_id, seq, quick.key, "Yes"), cancel_button(game_id)])
            await say(interaction, f"Really: **{quick.label}**? This cannot be taken back.", view=view)
            return

        def compose(game: Game, player: PlayerId) -> Action:
            del game, player
            return action

        outcome = await self._tables.submit(game_id, interaction.user.id, compose, seq)
        if own_message:
            done = f"Done, move {outcome.seq}: " + "\n".join(outcome.lines)
            await interaction.edit_original_response(content=done[:2000], view=None)


def _step_of(live: Live, player: PlayerId, key: str, picks: Sequence[str], page: int) -> Question | Action:
    offer = offer_named(live, player, key)
    return next_step(offer, ["" if pick == NOTHING else pick for pick in picks], page)


def _prompt(question: Question) -> str:
    picked = f" ({', '.join(question.picked)})" if question.picked else ""
    return f"**{question.offer.label}**{picked}: which {question.slot.replace('_', ' ')}?"


def _menu(game_id: int, seq: int, key: str, question: Question) -> discord.ui.View:
    picked = ",".join(value or NOTHING for value in question.picked)
    options = [
        discord.SelectOption(label=choice.label[:LONGEST] or NOTHING, value=str(choice.value) or NOTHING)
        for choice in question.choices
    ]
    prompt = f"Choose the {question.slot.replace('_', ' ')}"
    items: list[discord.ui.Item[Any]] = [pick_menu(game_id, seq, key, picked, options, prompt)]
    if question.page:
        items.append(page_button(game_id, seq, key, question.page - 1, picked, "Back"))
    if question.more:
        items.append(page_button(game_id, seq, key, question.page + 1, picked, "More"))
    return panel.rows_of(items)
