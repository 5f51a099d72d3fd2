"""Filling any offer by private menus, one question at a time; at the end one button says all of the move."""

from collections.abc import Callable, Sequence
from typing import Final

import discord

from bot.client.components import turn_buttons
from bot.client.components.buttons import Menu, cancel_button, in_hand, offer_menu, shortened
from bot.client.components.modals import amount_form
from bot.client.components.screens import Screen, joined, screen
from bot.client.entry.replies import after, ask_first, edit_pressed, open_form, say, think, unless_stopped
from bot.client.entry.showable import require_showable
from bot.client.moves.next_game import next_game_button
from bot.client.pictures import Pictures, answering, question_of
from bot.client.places.messages import picture_file
from bot.client.posts.turn_messages import Turns
from bot.client.texts.game_texts import LONGEST_MESSAGE
from bot.table.live import LiveGame
from bot.table.moves.autocomplete import LONGEST
from bot.table.moves.lays import PAGE
from bot.table.moves.menus import AmountQuestion, Ready, RunQuestion, Step, next_step_of, picked_move
from bot.table.moves.moves import ASIDE, SEARCHED, Typed, offer_key
from bot.table.moves.position_questions import ask, for_move
from bot.table.moves.question_place import Capacity, Place
from bot.table.moves.turn_buttons import PASS, fitting
from bot.table.style import in_words, plain, strong
from bot.table.tables import Tables
from bot.table.votes.acting_as import make_as, offer_as
from bot.table.votes.proposals import Proposals
from engine.core.ids import PlayerId
from engine.core.offers import Offer
from engine.tell.teller import Teller

DESCRIPTION: Final = 1000
"""Characters of the words for a picture; Discord takes a few more."""


class Wizard:
    """Questions and answers in private messages; only the last button makes the move."""

    def __init__(self, tables: Tables, pictures: Pictures, turns: Turns, proposals: Proposals) -> None:
        self._tables = tables
        self._proposals = proposals
        self._turns = turns
        self._pictures = pictures

    async def begin(self, interaction: discord.Interaction, game_id: int) -> None:
        """Ask which of the person's offers it shall be."""
        user_id = interaction.user.id
        await self.begin_for(
            interaction, game_id, lambda live: self._tables.seat_of(live, user_id), Capacity.OWN
        )

    async def begin_for(
        self,
        interaction: discord.Interaction,
        game_id: int,
        whose: Callable[[LiveGame], PlayerId],
        capacity: Capacity,
    ) -> None:
        """Ask which of a player's offers it shall be, in this capacity."""
        await think(interaction)
        async with self._tables.reading(game_id) as live:
            player = whose(live)
            words, seq, name = plain(live.game), live.seq, live.name_of(player)
            offers = [offer for offer in live.game.offers(player) if offer.kind not in ASIDE]
            names = " and ".join(live.name_of(actor) for actor in live.game.actors())
        if not offers:
            whom = "you" if capacity is Capacity.OWN else name
            await say(interaction, f"There is nothing for {whom} to do now; it is {names}'s turn.")
            return
        head = (
            "Your moves:"
            if capacity is Capacity.OWN
            else f"{strong(name)}'s moves, in whose name you choose:"
        )
        await say(
            interaction, head, view=turn_buttons.rows_of([moves_menu(game_id, seq, words, offers, capacity)])
        )

    async def runs(self, interaction: discord.Interaction, game_id: int) -> None:
        """Show the runs to choose from; raises Refused with the reason where the person has none."""
        await think(interaction)
        async with self._tables.reading(game_id) as live:
            player = self._tables.seat_of(live, interaction.user.id)
            with in_words(live.game):
                offer, *_ = Typed(SEARCHED).offers(live.game, player)
            place, position = Place(game_id, live.seq, offer_key(offer)), live.game.dump()
        queue = question_of(interaction, game_id)
        step = await ask(
            self._tables.workers, queue, position, next_step_of, place.key, place.picks, place.page
        )
        drawing, shown = answering(interaction, self._pictures), _shown(place, step)
        await say(interaction, shown.text, view=shown.view, files=await step_files(drawing, step))

    async def open(self, interaction: discord.Interaction, place: Place) -> None:
        """Show the first step of an offer, in a new private message."""
        step = await self._step(interaction, place)
        if not await self._asked_first(interaction, place, step):
            shown = _shown(place, step)
            await say(interaction, shown.text, view=shown.view, files=await self._files(interaction, step))

    async def turn(self, interaction: discord.Interaction, place: Place) -> None:
        """Show another step, or another page of the same, in the same private message."""
        step = await self._step(interaction, place)
        if not await self._asked_first(interaction, place, step):
            shown = _shown(place, step)
            files = await self._files(interaction, step)
            await edit_pressed(interaction, content=shown.text, view=shown.view, attachments=files)

    async def form(self, interaction: discord.Interaction, place: Place) -> None:
        """Open the form in which the amount after these picks is typed."""
        await ask_amount(interaction, place, await self._step(interaction, place))

    async def make(self, interaction: discord.Interaction, place: Place) -> None:
        """Make the move to which these picks lead."""
        require_showable(interaction)
        async with self._tables.reading(place.game) as live:
            self._tables.require_seq(live, place.seq)
            actor = offer_as(self._tables, live, interaction.user.id, place).actor
            queue, position = for_move(live), live.game.dump()
        quick = await ask(self._tables.workers, queue, position, picked_move, place.key, place.picks)
        async with unless_stopped(interaction):
            done, stored = await make_as(
                self._tables, self._proposals, interaction.user.id, place, actor, quick
            )
        with after(stored):
            own = place.capacity is Capacity.OWN
            view = await next_game_button(self._tables, interaction.user.id, place.game) if own else None
            await edit_pressed(interaction, content=done[:LONGEST_MESSAGE], view=view, attachments=[])
            await self._turns.show_next(interaction, place.game)

    async def _step(self, interaction: discord.Interaction, place: Place) -> Step:
        async with self._tables.reading(place.game) as live:
            self._tables.require_seq(live, place.seq)
            offer_as(self._tables, live, interaction.user.id, place)
            queue, position = for_move(live), live.game.dump()
        return await ask(
            self._tables.workers, queue, position, next_step_of, place.key, place.picks, place.page
        )

    async def _files(self, interaction: discord.Interaction, step: Step) -> list[discord.File]:
        waiting = question_of(interaction)
        drawing = self._pictures.in_server(waiting.guild).seen_by(waiting.person)
        return await step_files(drawing, step)

    async def _asked_first(self, interaction: discord.Interaction, place: Place, step: Step) -> bool:
        """Whether the step is a move of one's own to be confirmed; then that is asked."""
        if not isinstance(step, Ready) or not step.quick.confirm or place.capacity is not Capacity.OWN:
            return False
        await ask_first(interaction, self._tables, place.game, place.seq, step.quick)
        return True


def moves_menu(game_id: int, seq: int, words: Teller, offers: Sequence[Offer], capacity: Capacity) -> Menu:
    """The offers to choose from, as many as a menu takes; passing is among them."""
    shown = fitting(offers, PAGE, lambda offer: offer.kind != PASS)
    options = [
        discord.SelectOption(
            label=shortened(words.say(offer.label), LONGEST), value=in_hand(offer_key(offer), capacity)
        )
        for offer in shown
    ]
    return offer_menu(game_id, seq, options)


async def step_files(drawing: Pictures, step: Step) -> list[discord.File]:
    """The picture in which the choices of a question are numbered, or the market as a move would leave it."""
    if isinstance(step, Ready) and step.market is not None:
        picture = await drawing.market(step.market)
        return [picture_file(picture, "market.png", "The market as it would be")]
    if isinstance(step, RunQuestion):
        return await _run_files(drawing, step)
    if isinstance(step, AmountQuestion) or step.sketch is None:
        return []
    words = "; ".join(label for _, label in step.sketch.choices())
    return [picture_file(await drawing.sketch(step.sketch), "places.png", shortened(words, DESCRIPTION))]


async def _run_files(drawing: Pictures, question: RunQuestion) -> list[discord.File]:
    """A map for each run, with its routes; the first is the best."""
    return [
        picture_file(await drawing.map(run.view), f"routes-{number}.png", run.label)
        for number, run in enumerate(question.runs, 1)
    ]


async def ask_amount(interaction: discord.Interaction, place: Place, step: Step) -> None:
    """Open the form in which an amount is typed; raises Refused when Discord was asked to wait already."""
    assert isinstance(step, AmountQuestion), place
    key = in_hand(place.key, place.capacity)
    await open_form(interaction, amount_form(place.game, place.seq, key, joined(place.picks), step))


def _shown(place: Place, step: Step) -> Screen:
    """A move that needs no picks can still be left."""
    return screen(
        place, step, cancel_button(place.game, "Back") if isinstance(step, Ready | RunQuestion) else None
    )
