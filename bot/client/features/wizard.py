"""`/move`, `/run`, and the menus in which a user builds a move step by step in a private message."""

from collections.abc import Callable, Sequence
from typing import ClassVar, Final

import discord
from discord import app_commands

from bot.client.bot_client import BotInteraction, game_id_here
from bot.client.buttons import (
    GAME_AND_SEQ_PATTERN,
    ID_NUMBER_PATTERN,
    Menu,
    cancel_button,
    shortened_label,
    view_with_items,
)
from bot.client.component import Component
from bot.client.entry.replies import (
    ack_later,
    defer,
    edit_clicked_message,
    is_private,
    reply,
    report_if_cancelled,
    wrap_as_stored_but_failed,
)
from bot.client.entry.rights import needs
from bot.client.entry.showable import require_moves_showable_here
from bot.client.features.moves import TypedValues, ask_confirmation, make_typed_move, move_slash_command
from bot.client.features.next_game import next_game_view
from bot.client.game_texts import MAX_MESSAGE_LENGTH
from bot.client.offer_menus_and_forms import (
    ACTING_AS_LETTERS,
    OFFER_KEY_PATTERN,
    StepScreen,
    amount_typed_in_form,
    key_with_acting_as,
    open_amount_form,
    split_key_and_acting_as,
    split_picks,
    step_files,
    step_screen,
)
from bot.client.parameters import Details, Name, complete_details, complete_verb
from bot.client.pictures import Pictures, pictures_for_answer, question_queue
from bot.client.turn_panel import MENU_BUTTON_ID
from bot.table.errors import Refused
from bot.table.live import LiveGame, ask_about_position, search_queue
from bot.table.markdown import plain_teller, refusing_illegal_actions, strong
from bot.table.moves.completions import MAX_ITEM_LABEL_LENGTH
from bot.table.moves.lays import PAGE_SIZE
from bot.table.moves.menus import (
    ActingAs,
    MenuState,
    MenuStep,
    ReadyMove,
    RunQuestion,
    menu_step_of,
    picked_move,
)
from bot.table.moves.moves import KINDS_WITHOUT_BUTTON, RUN_TRAINS_KIND, TypedMove, offer_key
from bot.table.moves.turn_buttons import PASS_KIND, lowest_ranked_items
from bot.table.moves.verbs import MoveCommand, move_commands_of
from bot.table.rights import Right
from bot.table.votes.acting_as import move_or_propose, offer_in_capacity
from engine import Offer, PlayerId, Teller

# --- the commands ----------------------------------------------------------------------------------------------------


@app_commands.command(name="move", extras=needs("play"))
@app_commands.describe(
    move="Which move; default: choose from all", details="Its values in order; default: choose them by menus"
)
@app_commands.autocomplete(move=complete_verb, details=complete_details)
@app_commands.guild_only()
async def move(interaction: BotInteraction, move: Name | None = None, details: Details = "") -> None:
    """Make any move: choose it from menus, or type it."""
    tables, user_id, game_id = interaction.client.tables, interaction.user.id, game_id_here(interaction)
    ack_later(interaction)
    verb, is_possible = None, True
    if move is not None:
        async with tables.reading(game_id) as live:
            verb = move_commands_of(live.game).get(move.casefold().removeprefix("/"))
            if verb is None:
                raise Refused(f"There is no move {move} in this title. Choose it from the list.")
            is_possible = bool(live.game.offers(tables.seat_of(live, user_id), verb.kind))
    has_menus = (
        verb is None
        or verb.kind == RUN_TRAINS_KIND
        or any(parameter.is_required for parameter in verb.parameters)
    )
    if verb is not None and (details or not has_menus or not is_possible):
        await make_typed_move(interaction, verb, verb.parameter_values(details))
        return
    kind = None if verb is None else verb.kind
    await ask_for_offer(interaction, lambda live: tables.seat_of(live, user_id), ActingAs.SELF, kind)


async def ask_for_offer(
    interaction: BotInteraction,
    player_of: Callable[[LiveGame], PlayerId],
    acting_as: ActingAs,
    kind: str | None = None,
) -> None:
    """Show a menu of a player's possible moves, all or of one kind.

    `acting_as` says how the user acts: for their own seat, as a moderator, or by a proposal for a seat that the group
    plays.
    """
    game_id = game_id_here(interaction)
    await defer(interaction)
    async with interaction.client.tables.reading(game_id) as live:
        player = player_of(live)
        teller, seq, name = plain_teller(live.game), live.seq, live.name_of(player)
        offers = [offer for offer in live.game.offers(player, kind) if offer.kind not in KINDS_WITHOUT_BUTTON]
        names = " and ".join(live.name_of(actor) for actor in live.game.actors())
    is_acting_for_self = acting_as is ActingAs.SELF
    if not offers:
        subject = "You" if is_acting_for_self else name
        await reply(interaction, f"{subject} cannot do anything now; it is {names}'s turn.")
        return
    heading = "Your moves:" if is_acting_for_self else f"{strong(name)}'s moves; you choose for this player:"
    await reply(
        interaction, heading, view=view_with_items([offer_menu(game_id, seq, teller, offers, acting_as)])
    )


async def _run_typed_routes(
    interaction: BotInteraction, verb: MoveCommand, typed_values: TypedValues
) -> None:
    """Run the typed routes. If none were typed, show the best runs to choose from."""
    if typed_values["routes"] is None:
        await _show_best_runs(interaction, game_id_here(interaction))
    else:
        await make_typed_move(interaction, verb, typed_values)


run: Final = move_slash_command("run", _run_typed_routes)


async def _show_best_runs(interaction: BotInteraction, game_id: int) -> None:
    """Show the best runs to choose from. Raises Refused if the player has none now."""
    tables = interaction.client.tables
    await defer(interaction)
    async with tables.reading(game_id) as live:
        player = tables.seat_of(live, interaction.user.id)
        with refusing_illegal_actions(live.game):
            offer, *_ = TypedMove(RUN_TRAINS_KIND).offers(live.game, player)
        menu_state, position = MenuState(game_id, live.seq, offer_key(offer)), live.game.dump()
    queue = question_queue(interaction, game_id)
    step = await ask_about_position(
        tables.workers, queue, position, menu_step_of, menu_state.key, menu_state.picks, menu_state.page
    )
    pictures, step_message = pictures_for_answer(interaction), _screen_with_back(menu_state, step)
    await reply(
        interaction, step_message.text, view=step_message.view, files=await step_files(pictures, step)
    )


# --- the buttons, the menus and the form -----------------------------------------------------------------------------


class OfferComponent(Component):
    """A menu, button or form in which a user chooses values for an offer (a possible kind of move).

    Its id also says how the user acts: for their own seat, as a moderator, or for a seat that the group plays.
    """

    acting_as_letter = ""
    """Letter in the component's id that says how the user acts (see CAPACITY_LETTERS)."""
    user_right: ClassVar[Right] = "play"

    @property
    def acting_as(self) -> ActingAs:
        """Capacity of the user: for their own seat, as a moderator, for the group's seat, or in a what-if."""
        return ACTING_AS_LETTERS[self.acting_as_letter]

    @property
    def needed_right(self) -> Right:
        """The right that the user needs: `moderate` if they act as a moderator, otherwise `play`."""
        return "moderate" if self.acting_as is ActingAs.MODERATOR else self.user_right

    def menu_state(self, picks: Sequence[str] = (), page: int = 0) -> MenuState:
        """The user's place in the menus of a move: the values picked so far, and the menu's page."""
        return MenuState(self.game, self.seq, self.key, picks, page, self.acting_as)


class OpenMenuButton(OfferComponent):
    """A button of the turn message that opens the menus of a possible move."""

    id_pattern = MENU_BUTTON_ID

    async def act(self, interaction: BotInteraction) -> None:
        """Show the first menu of the move in a private message."""
        await _open_first_step(interaction, self.menu_state())


class OfferSelect(OfferComponent):
    """The first menu of `/move`, which lists the possible kinds of moves."""

    id_pattern = rf"o:{GAME_AND_SEQ_PATTERN}"

    @property
    def acting_as(self) -> ActingAs:
        """Capacity in which the user acts, read from the chosen menu option."""
        return split_key_and_acting_as(self.values[0])[1]

    async def act(self, interaction: BotInteraction) -> None:
        """Continue with the chosen kind of move."""
        self.key, _ = split_key_and_acting_as(self.values[0])
        await _show_step(interaction, self.menu_state())


def offer_menu(game: int, seq: int, teller: Teller, offers: Sequence[Offer], acting_as: ActingAs) -> Menu:
    """The menu of possible kinds of moves, including passing; at most as many as Discord allows."""
    options = [
        discord.SelectOption(
            label=shortened_label(teller.say(offer.label), MAX_ITEM_LABEL_LENGTH),
            value=key_with_acting_as(offer_key(offer), acting_as),
        )
        for offer in lowest_ranked_items(offers, PAGE_SIZE, lambda offer: offer.kind != PASS_KIND)
    ]
    prompt = "What do you want to do?"
    return discord.ui.Select(custom_id=f"o:{game}:{seq}", placeholder=prompt, options=options)


class StepButton(OfferComponent):
    """A button that leads to another step of a move, or to another page of a menu."""

    id_pattern = rf"p:{GAME_AND_SEQ_PATTERN}:{OFFER_KEY_PATTERN}:(?P<page>{ID_NUMBER_PATTERN}):(?P<picked>.*)"

    async def act(self, interaction: BotInteraction) -> None:
        await _show_step(interaction, self.menu_state(split_picks(self.picked), self.page))


class SlotSelect(OfferComponent):
    """The menu for one value of a move, such as the hex or the tile."""

    id_pattern = rf"s:{GAME_AND_SEQ_PATTERN}:{OFFER_KEY_PATTERN}:(?P<picked>.*)"

    async def act(self, interaction: BotInteraction) -> None:
        """Continue the move with the chosen value."""
        await _show_step(
            interaction, self.menu_state([*split_picks(self.picked), *split_picks(self.values[0])])
        )


class AmountButton(OfferComponent):
    """A button that opens the form for an amount, such as a price."""

    id_pattern = rf"a:{GAME_AND_SEQ_PATTERN}:{OFFER_KEY_PATTERN}:(?P<picked>.*)"

    async def act(self, interaction: BotInteraction) -> None:
        """Open the form for an amount, which must be the first response to the click."""
        menu_state = self.menu_state(split_picks(self.picked))
        await open_amount_form(interaction, menu_state, await _find_next_step(interaction, menu_state))


class AmountModal(OfferComponent):
    """The form for an amount, such as a price."""

    id_pattern = rf"f:{GAME_AND_SEQ_PATTERN}:{OFFER_KEY_PATTERN}:(?P<picked>.*)"

    async def act(self, interaction: BotInteraction) -> None:
        """Continue the move with the typed amount. If the form came from a public message, reply in a private one."""
        menu_state = self.menu_state([*split_picks(self.picked), amount_typed_in_form(self.fields)])
        await (_show_step if is_private(interaction) else _open_first_step)(interaction, menu_state)


class PickedMoveButton(OfferComponent):
    """The last button of the menus, which makes the move with the picked values."""

    id_pattern = rf"c:{GAME_AND_SEQ_PATTERN}:{OFFER_KEY_PATTERN}:(?P<picked>.*)"

    async def act(self, interaction: BotInteraction) -> None:
        """Make the move, or propose it if the group plays the seat. The result replaces the menu."""
        require_moves_showable_here(interaction)
        bot, user_id, menu_state = (
            interaction.client,
            interaction.user.id,
            self.menu_state(split_picks(self.picked)),
        )
        async with bot.tables.reading(menu_state.game) as live:
            bot.tables.require_seq(live, menu_state.seq)
            actor = offer_in_capacity(bot.tables, live, user_id, menu_state).actor
            queue, position = search_queue(live), live.game.dump()
        one_click_move = await ask_about_position(
            bot.tables.workers, queue, position, picked_move, menu_state.key, menu_state.picks
        )
        async with report_if_cancelled(interaction):
            full_reply, short_reply = await move_or_propose(
                bot.tables, bot.proposals, user_id, menu_state, actor, one_click_move
            )
        with wrap_as_stored_but_failed(short_reply):
            is_own = menu_state.acting_as is ActingAs.SELF
            view = await next_game_view(bot.tables, user_id, menu_state.game) if is_own else None
            await edit_clicked_message(
                interaction, content=full_reply[:MAX_MESSAGE_LENGTH], view=view, attachments=[]
            )
            bot.move_confirmations.remember(interaction, menu_state.game)
            await bot.turns.show_next(interaction, menu_state.game)


# --- the steps -------------------------------------------------------------------------------------------------------


async def _open_first_step(interaction: BotInteraction, menu_state: MenuState) -> None:
    step = await _find_next_step(interaction, menu_state)
    if not await _confirm_if_needed(interaction, menu_state, step):
        step_message = _screen_with_back(menu_state, step)
        await reply(
            interaction,
            step_message.text,
            view=step_message.view,
            files=await step_files(_pictures_for_moves(interaction), step),
        )


async def _show_step(interaction: BotInteraction, menu_state: MenuState) -> None:
    step = await _find_next_step(interaction, menu_state)
    if not await _confirm_if_needed(interaction, menu_state, step):
        step_message, files = (
            _screen_with_back(menu_state, step),
            await step_files(_pictures_for_moves(interaction), step),
        )
        await edit_clicked_message(
            interaction, content=step_message.text, view=step_message.view, attachments=files
        )


async def _find_next_step(interaction: BotInteraction, menu_state: MenuState) -> MenuStep:
    tables = interaction.client.tables
    async with tables.reading(menu_state.game) as live:
        tables.require_seq(live, menu_state.seq)
        offer_in_capacity(tables, live, interaction.user.id, menu_state)
        queue, position = search_queue(live), live.game.dump()
    return await ask_about_position(
        tables.workers, queue, position, menu_step_of, menu_state.key, menu_state.picks, menu_state.page
    )


async def _confirm_if_needed(interaction: BotInteraction, menu_state: MenuState, step: MenuStep) -> bool:
    """True if a complete move needs a confirmation; the user is then asked for it."""
    if (
        not isinstance(step, ReadyMove)
        or not step.move.needs_confirmation
        or menu_state.acting_as is not ActingAs.SELF
    ):
        return False
    await ask_confirmation(interaction, menu_state.game, menu_state.seq, step.move)
    return True


def _pictures_for_moves(interaction: BotInteraction) -> Pictures:
    """Pictures in the user's theme, drawn with the priority of moves instead of the lower one of questions."""
    queue = question_queue(interaction)
    return interaction.client.pictures.for_server(queue.guild_id).for_user(queue.user_id)


def _screen_with_back(menu_state: MenuState, step: MenuStep) -> StepScreen:
    """The message for a step of a move. Before any value is picked, its *Back* button cancels the move."""
    return step_screen(
        menu_state,
        step,
        cancel_button(menu_state.game, "Back") if isinstance(step, ReadyMove | RunQuestion) else None,
    )
