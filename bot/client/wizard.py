"""Filling any offer by private menus, one question at a time; each menu carries the earlier picks."""

import asyncio
from collections.abc import Sequence
from typing import Any, NamedTuple

import discord

from bot.client import panel
from bot.client.buttons import offer_menu, page_button, pick_menu
from bot.client.pictures import Pictures
from bot.client.posts import picture_file
from bot.client.replies import after, ask_first, say, think, unless_stopped
from bot.client.texts import LONGEST_MESSAGE, done, stored
from bot.table.complete import LONGEST
from bot.table.live import Live
from bot.table.menus import PAGE, Question, next_step, offer_named
from bot.table.moves import Quick, offer_key
from bot.table.preview import market_after
from bot.table.service import Outcome, Tables
from bot.table.style import plain, strong
from bot.table.walk import NOTHING
from engine.core.ids import PlayerId
from engine.tell.views import MarketView


class Place(NamedTuple):
    """Where somebody is in the questions of an offer: the game, its last move then, the offer, picks so far, page."""

    game: int
    seq: int
    key: str
    picks: Sequence[str] = ()
    page: int = 0


class Ask(NamedTuple):
    """The next question, and the market as its first answer would make it, where that is shown."""

    question: Question
    market: MarketView | None

    @property
    def prompt(self) -> str:
        """What is asked, and what the picture shows."""
        shown = f" The picture shows the market with {self.question.choices[0].value}." if self.market else ""
        return f"{_prompt(self.question)}{shown}"


class Wizard:
    """Questions and answers in private messages; the last answer makes the move."""

    def __init__(self, tables: Tables, pictures: Pictures) -> None:
        self._tables = tables
        self._pictures = pictures

    async def begin(self, interaction: discord.Interaction, game_id: int) -> None:
        """Ask which of the person's offers it shall be."""
        await think(interaction)
        async with self._tables.reading(game_id) as live:
            player = self._tables.seat_of(live, interaction.user.id)
            words, offers = plain(live.game), live.game.offers(player)
            names = " and ".join(live.name_of(actor) for actor in live.game.actors())
            seq = live.seq
        if not offers:
            await say(interaction, f"There is nothing for you to do now; it is {names}'s turn.")
            return
        labelled = {offer_key(offer): words.say(offer.label) for offer in offers[:PAGE]}
        options = [discord.SelectOption(label=label[:LONGEST], value=key) for key, label in labelled.items()]
        await say(interaction, "Your moves:", view=panel.rows_of([offer_menu(game_id, seq, options)]))

    async def open(self, interaction: discord.Interaction, place: Place) -> None:
        """Ask the first question of an offer, in a new private message."""
        await think(interaction)
        step = await self._step(interaction, place)
        if isinstance(step, Ask):
            menu = _menu(place, step.question)
            await say(interaction, step.prompt, view=menu, files=await self._beside(step))
        else:
            await self._make(interaction, place, step)

    async def turn(self, interaction: discord.Interaction, place: Place) -> None:
        """Ask the next question, or another page of the same, in the same private message."""
        await think(interaction)
        step = await self._step(interaction, place)
        if isinstance(step, Ask):
            menu, pictures = _menu(place, step.question), await self._beside(step)
            await interaction.edit_original_response(content=step.prompt, view=menu, attachments=pictures)
        else:
            outcome = await self._make(interaction, place, step)
            if outcome is not None:
                with after(stored(outcome)):
                    await interaction.edit_original_response(
                        content=done(outcome)[:LONGEST_MESSAGE], view=None, attachments=[]
                    )

    async def _beside(self, ask: Ask) -> list[discord.File]:
        """The picture beside a question, if there is one."""
        if ask.market is None:
            return []
        words = f"The market with {ask.question.choices[0].value}"
        return [picture_file(await self._pictures.market(ask.market), "market.png", words)]

    async def _step(self, interaction: discord.Interaction, place: Place) -> Ask | Quick:
        async with self._tables.reading(place.game) as live:
            player = self._tables.seat_of(live, interaction.user.id)
            self._tables.require_seq(live, place.seq)
            return await asyncio.to_thread(_step_of, live, player, place)

    async def _make(self, interaction: discord.Interaction, place: Place, quick: Quick) -> Outcome | None:
        """Make the move, or ask first."""
        if not quick.confirm:
            async with unless_stopped(interaction):
                return await self._tables.submit(place.game, interaction.user.id, quick, place.seq)
        await ask_first(interaction, place.game, place.seq, quick)
        return None


def _step_of(live: Live, player: PlayerId, place: Place) -> Ask | Quick:
    offer = offer_named(live, player, place.key)
    step = next_step(live.game, offer, place.picks, place.page)
    if isinstance(step, Question):
        return Ask(step, market_after(live.game, offer, step))
    return Quick.of(plain(live.game), step)


def _prompt(question: Question) -> str:
    picked = f" ({', '.join(question.picked)})" if question.picked else ""
    return f"{strong(question.offer)}{picked}: which {question.slot}?"


def _menu(place: Place, question: Question) -> discord.ui.View:
    game_id, seq, key = place.game, place.seq, place.key
    picked = ",".join(value or NOTHING for value in question.picked)
    options = [
        discord.SelectOption(label=label[:LONGEST] or NOTHING, value=str(value) or NOTHING)
        for value, label in question.choices
    ]
    prompt = f"Choose the {question.slot}"
    items: list[discord.ui.Item[Any]] = [pick_menu(game_id, seq, key, picked, options, prompt)]
    if question.page:
        items.append(page_button(game_id, seq, key, question.page - 1, picked, "Back"))
    if question.more:
        items.append(page_button(game_id, seq, key, question.page + 1, picked, "More"))
    return panel.rows_of(items)
