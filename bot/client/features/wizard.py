"""`/move`, `/run` and menus: private step-by-step entry of any move; the last button makes it."""

from collections.abc import Callable, Sequence
from typing import ClassVar, Final

import discord
from discord import app_commands

from bot.client.bot_client import BotInteraction, game_here
from bot.client.buttons import NUMBER, POSITION, Menu, cancel_button, shortened, view_of
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
    key_with_capacity,
    read_key_with_capacity,
    screen,
    split_picks,
    step_files,
    typed_amount,
)
from bot.client.pictures import Pictures, answering, question_of
from bot.client.turn_panel import MENU_ID
from bot.table.live import LiveGame, ask_position, move_queue
from bot.table.markdown import as_refusals, plain_teller, strong
from bot.table.moves.completions import LONGEST
from bot.table.moves.lays import PAGE
from bot.table.moves.menus import Capacity, MenuPlace, ReadyMove, RunQuestion, Step, next_step_of, picked_move
from bot.table.moves.moves import ASIDE, SEARCHED, TypedMove, offer_key
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
    """Ask for one of a player's offers, in this thread's game and this capacity."""
    game_id = game_here(interaction)
    await defer(interaction)
    async with interaction.client.tables.reading(game_id) as live:
        player = whose(live)
        words, seq, name = plain_teller(live.game), live.seq, live.name_of(player)
        offers = [offer for offer in live.game.offers(player) if offer.kind not in ASIDE]
        names = " and ".join(live.name_of(actor) for actor in live.game.actors())
    own = capacity is Capacity.OWN
    if not offers:
        whom = "You" if own else name
        await reply(interaction, f"{whom} cannot do anything now; it is {names}'s turn.")
        return
    head = "Your moves:" if own else f"{strong(name)}'s moves; you choose for this player:"
    await reply(interaction, head, view=view_of([offer_menu(game_id, seq, words, offers, capacity)]))


async def _run_typed(interaction: BotInteraction, verb: Verb, typed: Given) -> None:
    """Run the typed routes, or show the best ones."""
    if typed["routes"] is None:
        await _show_runs(interaction, game_here(interaction))
    else:
        await make(interaction, verb, typed)


run: Final = verb_command("run", _run_typed)


async def _show_runs(interaction: BotInteraction, game_id: int) -> None:
    """Show the runs to choose from; raises Refused with the reason if there are none."""
    tables = interaction.client.tables
    await defer(interaction)
    async with tables.reading(game_id) as live:
        player = tables.seat_of(live, interaction.user.id)
        with as_refusals(live.game):
            offer, *_ = TypedMove(SEARCHED).offers(live.game, player)
        place, position = MenuPlace(game_id, live.seq, offer_key(offer)), live.game.dump()
    queue = question_of(interaction, game_id)
    step = await ask_position(
        tables.workers, queue, position, next_step_of, place.key, place.picks, place.page
    )
    drawing, shown = answering(interaction), _screen_of(place, step)
    await reply(interaction, shown.text, view=shown.view, files=await step_files(drawing, step))


# --- the buttons, the menus and the form -----------------------------------------------------------------------------


class OfferComponent(Component):
    """A component of an offer's menus; its id contains the capacity."""

    hand = ""
    """The letter behind the key of the offer."""
    right: ClassVar[Right] = "play"

    @property
    def capacity(self) -> Capacity:
        """The capacity in which the user acts."""
        return HANDS[self.hand]

    @property
    def needs(self) -> Right:
        """The right that the user needs in this capacity."""
        return "moderate" if self.capacity is Capacity.MODERATOR else self.right

    def place(self, picks: Sequence[str] = (), page: int = 0) -> MenuPlace:
        """The user's place in the menus of an offer."""
        return MenuPlace(self.game, self.seq, self.key, picks, page, self.capacity)


class OpenMenuButton(OfferComponent):
    """The button that opens an offer's menus."""

    template = MENU_ID

    async def act(self, interaction: BotInteraction) -> None:
        """Show the first menu privately."""
        await _open_first_step(interaction, self.place())


class OfferSelect(OfferComponent):
    """The first menu of `/move`: the offers."""

    template = rf"o:{POSITION}"

    @property
    def capacity(self) -> Capacity:
        """The capacity in which the user acts."""
        return read_key_with_capacity(self.values[0])[1]

    async def act(self, interaction: BotInteraction) -> None:
        """Continue with the picked offer."""
        self.key, _ = read_key_with_capacity(self.values[0])
        await _show_step(interaction, self.place())


def offer_menu(game: int, seq: int, teller: Teller, offers: Sequence[Offer], capacity: Capacity) -> Menu:
    """The menu of offers, pass included, within Discord's limit."""
    options = [
        discord.SelectOption(
            label=shortened(teller.say(offer.label), LONGEST),
            value=key_with_capacity(offer_key(offer), capacity),
        )
        for offer in fitting(offers, PAGE, lambda offer: offer.kind != PASS)
    ]
    prompt = "What do you want to do?"
    return discord.ui.Select(custom_id=f"o:{game}:{seq}", placeholder=prompt, options=options)


class StepButton(OfferComponent):
    """The button to another step of an offer, or another page of a menu."""

    template = rf"p:{POSITION}:{OFFER_KEY}:(?P<page>{NUMBER}):(?P<picked>.*)"

    async def act(self, interaction: BotInteraction) -> None:
        await _show_step(interaction, self.place(split_picks(self.picked), self.page))


class SlotSelect(OfferComponent):
    """The select menu of one slot."""

    template = rf"s:{POSITION}:{OFFER_KEY}:(?P<picked>.*)"

    async def act(self, interaction: BotInteraction) -> None:
        """Continue with the value picked."""
        await _show_step(interaction, self.place([*split_picks(self.picked), *split_picks(self.values[0])]))


class AmountButton(OfferComponent):
    """The button that opens the form of an amount."""

    template = rf"a:{POSITION}:{OFFER_KEY}:(?P<picked>.*)"

    async def act(self, interaction: BotInteraction) -> None:
        """Open the form, as the first response."""
        place = self.place(split_picks(self.picked))
        await ask_amount(interaction, place, await _next_step(interaction, place))


class AmountModal(OfferComponent):
    """The form of an amount."""

    template = rf"f:{POSITION}:{OFFER_KEY}:(?P<picked>.*)"

    async def act(self, interaction: BotInteraction) -> None:
        """Continue with the amount; from a public message, in a private one."""
        place = self.place([*split_picks(self.picked), typed_amount(self.fields)])
        await (_show_step if is_private(interaction) else _open_first_step)(interaction, place)


class PickedMoveButton(OfferComponent):
    """The button that makes the picked move."""

    template = rf"c:{POSITION}:{OFFER_KEY}:(?P<picked>.*)"

    async def act(self, interaction: BotInteraction) -> None:
        """Make the move, or propose it for the group's seat, in place of the menu."""
        require_showable(interaction)
        bot, user_id, place = interaction.client, interaction.user.id, self.place(split_picks(self.picked))
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


async def _open_first_step(interaction: BotInteraction, menu_place: MenuPlace) -> None:
    """Show the first step of an offer, in a new private message."""
    step = await _next_step(interaction, menu_place)
    if not await _asked_first(interaction, menu_place, step):
        shown = _screen_of(menu_place, step)
        await reply(
            interaction, shown.text, view=shown.view, files=await step_files(_drawing(interaction), step)
        )


async def _show_step(interaction: BotInteraction, menu_place: MenuPlace) -> None:
    """Show another step or page in the same private message."""
    step = await _next_step(interaction, menu_place)
    if not await _asked_first(interaction, menu_place, step):
        shown, files = _screen_of(menu_place, step), await step_files(_drawing(interaction), step)
        await edit_pressed(interaction, content=shown.text, view=shown.view, attachments=files)


async def _next_step(interaction: BotInteraction, menu_place: MenuPlace) -> Step:
    tables = interaction.client.tables
    async with tables.reading(menu_place.game) as live:
        tables.require_seq(live, menu_place.seq)
        offer_as(tables, live, interaction.user.id, menu_place)
        queue, position = move_queue(live), live.game.dump()
    return await ask_position(
        tables.workers, queue, position, next_step_of, menu_place.key, menu_place.picks, menu_place.page
    )


async def _asked_first(interaction: BotInteraction, menu_place: MenuPlace, step: Step) -> bool:
    """True if the step is a move that needs confirmation, for which the user was asked."""
    if not isinstance(step, ReadyMove) or not step.quick.confirm or menu_place.capacity is not Capacity.OWN:
        return False
    await ask_first(interaction, menu_place.game, menu_place.seq, step.quick)
    return True


def _drawing(interaction: BotInteraction) -> Pictures:
    """Pictures in the user's theme, in the queue of moves."""
    waiting = question_of(interaction)
    return interaction.client.pictures.in_server(waiting.guild).seen_by(waiting.person)


def _screen_of(menu_place: MenuPlace, step: Step) -> Screen:
    """A move that needs no picks can still be left."""
    return screen(
        menu_place,
        step,
        cancel_button(menu_place.game, "Back") if isinstance(step, ReadyMove | RunQuestion) else None,
    )
