"""`/move`, `/run` and menus: any move is put together privately, one question at a time; the last button makes it."""

from collections.abc import Callable, Sequence
from typing import ClassVar, Final

import discord
from discord import app_commands

from bot.client.bot_client import BotInteraction, game_here
from bot.client.buttons import NUMBER, POSITION, Menu, cancel_button, rows_of, shortened
from bot.client.component import Component
from bot.client.entry.replies import (
    defer,
    edit_pressed,
    is_private,
    reply,
    report_if_cancelled,
    stored_but_not_shown,
)
from bot.client.entry.rights import needs
from bot.client.entry.showable import require_showable
from bot.client.features.moves import Given, ask_first, make, verb_command
from bot.client.features.next_game import next_game_button
from bot.client.game_texts import LONGEST_MESSAGE
from bot.client.offer_menus_and_forms import (
    HANDS,
    OFFER_KEY,
    Screen,
    ask_amount,
    by_hand,
    in_hand,
    screen,
    split,
    step_files,
    typed_amount,
)
from bot.client.pictures import Pictures, answering, question_of
from bot.client.turn_panel import MENU_ID
from bot.table.live import LiveGame, ask_position, move_queue
from bot.table.markdown import as_refusals, plain, strong
from bot.table.moves.completions import LONGEST
from bot.table.moves.lays import PAGE
from bot.table.moves.menus import Capacity, MenuPlace, Ready, RunQuestion, Step, next_step_of, picked_move
from bot.table.moves.moves import ASIDE, SEARCHED, Typed, offer_key
from bot.table.moves.turn_buttons import PASS, fitting
from bot.table.moves.verbs import Verb
from bot.table.rights import Right
from bot.table.votes.acting_as import make_as, offer_as
from engine import Offer, PlayerId, Teller

# --- the commands ----------------------------------------------------------------------------------------------------


@app_commands.command(name="move", extras=needs("play"))
@app_commands.guild_only()
async def move(interaction: BotInteraction) -> None:
    """Make any move, by menus."""
    tables, user_id = interaction.client.tables, interaction.user.id
    await ask_which(interaction, lambda live: tables.seat_of(live, user_id), Capacity.OWN)


async def ask_which(
    interaction: BotInteraction, whose: Callable[[LiveGame], PlayerId], capacity: Capacity
) -> None:
    """Ask which of a player's offers it shall be, in the game of this thread and in this capacity."""
    game_id = game_here(interaction)
    await defer(interaction)
    async with interaction.client.tables.reading(game_id) as live:
        player = whose(live)
        words, seq, name = plain(live.game), live.seq, live.name_of(player)
        offers = [offer for offer in live.game.offers(player) if offer.kind not in ASIDE]
        names = " and ".join(live.name_of(actor) for actor in live.game.actors())
    own = capacity is Capacity.OWN
    if not offers:
        whom = "You" if own else name
        await reply(interaction, f"{whom} cannot do anything now; it is {names}'s turn.")
        return
    head = "Your moves:" if own else f"{strong(name)}'s moves; you choose for this player:"
    await reply(interaction, head, view=rows_of([offer_menu(game_id, seq, words, offers, capacity)]))


async def _run(interaction: BotInteraction, verb: Verb, typed: Given) -> None:
    """Run the typed routes, or show the best ones to choose from."""
    if typed["routes"] is None:
        await _show_runs(interaction, game_here(interaction))
    else:
        await make(interaction, verb, typed)


run: Final = verb_command("run", _run)


async def _show_runs(interaction: BotInteraction, game_id: int) -> None:
    """Show the runs to choose from; raises Refused with the reason where the person has none."""
    tables = interaction.client.tables
    await defer(interaction)
    async with tables.reading(game_id) as live:
        player = tables.seat_of(live, interaction.user.id)
        with as_refusals(live.game):
            offer, *_ = Typed(SEARCHED).offers(live.game, player)
        place, position = MenuPlace(game_id, live.seq, offer_key(offer)), live.game.dump()
    queue = question_of(interaction, game_id)
    step = await ask_position(
        tables.workers, queue, position, next_step_of, place.key, place.picks, place.page
    )
    drawing, shown = answering(interaction), _shown(place, step)
    await reply(interaction, shown.text, view=shown.view, files=await step_files(drawing, step))


# --- the buttons, the menus and the form -----------------------------------------------------------------------------


class OfferComponent(Component):
    """A component that leads through an offer; its id says in which capacity."""

    hand = ""
    """The letter behind the key of the offer."""
    right: ClassVar[Right] = "play"

    @property
    def capacity(self) -> Capacity:
        """The capacity in which its user acts."""
        return HANDS[self.hand]

    @property
    def needs(self) -> Right:
        """The right that its user needs, in this capacity."""
        return "moderate" if self.capacity is Capacity.MODERATOR else self.right

    def place(self, picks: Sequence[str] = (), page: int = 0) -> MenuPlace:
        """Place of its user among the questions of its offer."""
        return MenuPlace(self.game, self.seq, self.key, picks, page, self.capacity)


class OpenMenuButton(OfferComponent):
    """Opens the menus of an offer."""

    template = MENU_ID

    async def act(self, interaction: BotInteraction) -> None:
        """Ask the first question, privately."""
        await _open(interaction, self.place())


class OfferSelect(OfferComponent):
    """The answer to the first question of `/move`: which of the offers."""

    template = rf"o:{POSITION}"

    @property
    def capacity(self) -> Capacity:
        """The capacity in which its user acts."""
        return by_hand(self.values[0])[1]

    async def act(self, interaction: BotInteraction) -> None:
        """Continue with the offer picked."""
        self.key, _ = by_hand(self.values[0])
        await _turn(interaction, self.place())


def offer_menu(game: int, seq: int, words: Teller, offers: Sequence[Offer], capacity: Capacity) -> Menu:
    """The offers to choose from, as many as a menu takes; passing is among them."""
    options = [
        discord.SelectOption(
            label=shortened(words.say(offer.label), LONGEST), value=in_hand(offer_key(offer), capacity)
        )
        for offer in fitting(offers, PAGE, lambda offer: offer.kind != PASS)
    ]
    prompt = "What do you want to do?"
    return discord.ui.Select(custom_id=f"o:{game}:{seq}", placeholder=prompt, options=options)


class StepButton(OfferComponent):
    """Goes to another step of an offer, or to another page of a menu."""

    template = rf"p:{POSITION}:{OFFER_KEY}:(?P<page>{NUMBER}):(?P<picked>.*)"

    async def act(self, interaction: BotInteraction) -> None:
        await _turn(interaction, self.place(split(self.picked), self.page))


class SlotSelect(OfferComponent):
    """The answer to one question of an offer."""

    template = rf"s:{POSITION}:{OFFER_KEY}:(?P<picked>.*)"

    async def act(self, interaction: BotInteraction) -> None:
        """Continue with the value picked."""
        await _turn(interaction, self.place([*split(self.picked), *split(self.values[0])]))


class AmountButton(OfferComponent):
    """Opens the form in which an amount is typed."""

    template = rf"a:{POSITION}:{OFFER_KEY}:(?P<picked>.*)"

    async def act(self, interaction: BotInteraction) -> None:
        """Open it; a form is the first response, or none."""
        place = self.place(split(self.picked))
        await ask_amount(interaction, place, await _step(interaction, place))


class AmountModal(OfferComponent):
    """The form in which an amount was typed."""

    template = rf"f:{POSITION}:{OFFER_KEY}:(?P<picked>.*)"

    async def act(self, interaction: BotInteraction) -> None:
        """Continue with the amount; a form opened from a message for everybody leads to one for this user alone."""
        place = self.place([*split(self.picked), typed_amount(self.fields)])
        await (_turn if is_private(interaction) else _open)(interaction, place)


class PickedMoveButton(OfferComponent):
    """Makes the move to which the picks lead."""

    template = rf"c:{POSITION}:{OFFER_KEY}:(?P<picked>.*)"

    async def act(self, interaction: BotInteraction) -> None:
        """Make it, or propose it for a seat that the group plays, and show that in place of the menu."""
        require_showable(interaction)
        bot, user_id, place = interaction.client, interaction.user.id, self.place(split(self.picked))
        async with bot.tables.reading(place.game) as live:
            bot.tables.require_seq(live, place.seq)
            actor = offer_as(bot.tables, live, user_id, place).actor
            queue, position = move_queue(live), live.game.dump()
        quick = await ask_position(bot.tables.workers, queue, position, picked_move, place.key, place.picks)
        async with report_if_cancelled(interaction):
            done, stored = await make_as(bot.tables, bot.proposals, user_id, place, actor, quick)
        with stored_but_not_shown(stored):
            own = place.capacity is Capacity.OWN
            view = await next_game_button(bot.tables, user_id, place.game) if own else None
            await edit_pressed(interaction, content=done[:LONGEST_MESSAGE], view=view, attachments=[])
            await bot.turns.show_next(interaction, place.game)


# --- the steps -------------------------------------------------------------------------------------------------------


async def _open(interaction: BotInteraction, place: MenuPlace) -> None:
    """Show the first step of an offer, in a new private message."""
    step = await _step(interaction, place)
    if not await _asked_first(interaction, place, step):
        shown = _shown(place, step)
        await reply(
            interaction, shown.text, view=shown.view, files=await step_files(_drawing(interaction), step)
        )


async def _turn(interaction: BotInteraction, place: MenuPlace) -> None:
    """Show another step, or another page of the same, in the same private message."""
    step = await _step(interaction, place)
    if not await _asked_first(interaction, place, step):
        shown, files = _shown(place, step), await step_files(_drawing(interaction), step)
        await edit_pressed(interaction, content=shown.text, view=shown.view, attachments=files)


async def _step(interaction: BotInteraction, place: MenuPlace) -> Step:
    tables = interaction.client.tables
    async with tables.reading(place.game) as live:
        tables.require_seq(live, place.seq)
        offer_as(tables, live, interaction.user.id, place)
        queue, position = move_queue(live), live.game.dump()
    return await ask_position(
        tables.workers, queue, position, next_step_of, place.key, place.picks, place.page
    )


async def _asked_first(interaction: BotInteraction, place: MenuPlace, step: Step) -> bool:
    """Ask the user to confirm, where the step is a move of their own that needs it; True if so."""
    if not isinstance(step, Ready) or not step.quick.confirm or place.capacity is not Capacity.OWN:
        return False
    await ask_first(interaction, place.game, place.seq, step.quick)
    return True


def _drawing(interaction: BotInteraction) -> Pictures:
    """Pictures that wait as those of moves do, in the colours that the user sees."""
    waiting = question_of(interaction)
    return interaction.client.pictures.in_server(waiting.guild).seen_by(waiting.person)


def _shown(place: MenuPlace, step: Step) -> Screen:
    """A move that needs no picks can still be left."""
    return screen(
        place, step, cancel_button(place.game, "Back") if isinstance(step, Ready | RunQuestion) else None
    )
