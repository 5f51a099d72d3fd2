"""`/what-if`: a user tries moves on a copy of the game, in one private message.

The real game does not change until the user makes the moves in it.
"""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Final

import discord
from discord import app_commands

from bot.client.alt_texts import map_alt_text
from bot.client.bot_client import BotInteraction, game_id_here
from bot.client.buttons import (
    GAME_AND_SEQ_PATTERN,
    ID_NUMBER_PATTERN,
    MAX_BUTTONS,
    Button,
    button,
    view_with_items,
)
from bot.client.component import Component
from bot.client.entry.replies import (
    defer,
    edit_clicked_message,
    reply,
    report_if_cancelled,
    wrap_as_stored_but_failed,
)
from bot.client.entry.rights import needs
from bot.client.entry.showable import require_moves_showable_here
from bot.client.features.moves import report_delivery_problem
from bot.client.features.next_game import offer_next_game
from bot.client.features.wizard import OfferComponent
from bot.client.game_texts import MAX_MESSAGE_LENGTH, heading, message_pieces, steps_text
from bot.client.offer_menus_and_forms import (
    WHAT_IF_KEY_PATTERN,
    amount_button,
    amount_typed_in_form,
    key_with_acting_as,
    open_amount_form,
    split_picks,
    step_button,
    step_files,
    step_screen,
)
from bot.client.parameters import Details, complete_verb
from bot.client.pictures import pictures_for_answer, question_queue
from bot.client.places.messages import picture_file
from bot.client.turn_panel import move_button, move_style
from bot.table.errors import error_sentence
from bot.table.markdown import sentence_list, strong
from bot.table.moves.menus import ActingAs, MenuState, ReadyMove
from bot.table.moves.menus import MenuStep as OfferStep
from bot.table.moves.moves import move_for_other_position
from bot.table.moves.turn_buttons import TurnButton, button_rank, lowest_ranked_items
from bot.table.rate_limits import RequestKind
from bot.table.tables import Outcome
from bot.table.what_ifs import (
    TrialMove,
    WhatIf,
    WhatIfStep,
    WhatIfView,
    move_of_key,
    move_of_picks,
    next_menu_step,
    repeated_moves,
    try_moves,
    typed_moves,
    view_of_what_if,
)
from engine.views import TurnView

# --- trying moves ----------------------------------------------------------------------------------------------------


@app_commands.command(name="what-if", extras=needs("look", RequestKind.QUESTION))
@app_commands.describe(move="Moves to start with, such as: lay G5 57 2 then token G5; default: use buttons")
@app_commands.autocomplete(move=complete_verb)
@app_commands.guild_only()
async def what_if(interaction: BotInteraction, move: Details = "") -> None:
    """Try moves on a copy of the game; only you see it."""
    game_id, bot, user_id = game_id_here(interaction), interaction.client, interaction.user.id
    await defer(interaction)
    async with bot.tables.reading(game_id) as live:
        moves = typed_moves(move, live.player_of(user_id))
        new_what_if = bot.what_ifs.begin(live, user_id)
    what_if_view = await _run_in_worker(interaction, new_what_if, try_moves, new_what_if, moves)
    text, view = (
        what_if_text(what_if_view, new_what_if.base_seq),
        what_if_panel(what_if_view, new_what_if.base_seq),
    )
    await reply(interaction, text, view=view, files=await _picture_files(interaction, what_if_view))


class WhatIfComponent(OfferComponent):
    """Base class of the menus, buttons and forms by which a user chooses the values of a move in a what-if."""

    acting_as_letter = "w"
    user_right = "look"
    request_kind = RequestKind.QUESTION


class WhatIfMoveButton(WhatIfComponent):
    """A button of a what-if that tries a move with one click."""

    id_pattern = rf"g:{GAME_AND_SEQ_PATTERN}:{WHAT_IF_KEY_PATTERN}"

    async def act(self, interaction: BotInteraction) -> None:
        what_if = _what_if_of_button(interaction, self.game, self.seq)
        await _try_move(interaction, what_if, partial(move_of_key, self.key, what_if.viewer))


class WhatIfStepButton(WhatIfComponent):
    """A button of a what-if that leads to another step of a move, or to another page of a menu."""

    id_pattern = (
        rf"p:{GAME_AND_SEQ_PATTERN}:{WHAT_IF_KEY_PATTERN}:(?P<page>{ID_NUMBER_PATTERN}):(?P<picked>.*)"
    )

    async def act(self, interaction: BotInteraction) -> None:
        """Show the next step of the move, or try the move if it is complete."""
        await _show_step(interaction, self.menu_state(split_picks(self.picked), self.page))


class WhatIfSlotSelect(WhatIfComponent):
    """A menu of a what-if for one value of a move, such as the hex."""

    id_pattern = rf"s:{GAME_AND_SEQ_PATTERN}:{WHAT_IF_KEY_PATTERN}:(?P<picked>.*)"

    async def act(self, interaction: BotInteraction) -> None:
        """Continue the move with the chosen value."""
        await _show_step(
            interaction, self.menu_state([*split_picks(self.picked), *split_picks(self.values[0])])
        )


class WhatIfAmountButton(WhatIfComponent):
    """A button of a what-if that opens the form for an amount."""

    id_pattern = rf"a:{GAME_AND_SEQ_PATTERN}:{WHAT_IF_KEY_PATTERN}:(?P<picked>.*)"

    async def act(self, interaction: BotInteraction) -> None:
        """Open the form for an amount, which must be the first response to the click."""
        menu_state = self.menu_state(split_picks(self.picked))
        await open_amount_form(
            interaction,
            menu_state,
            await _next_step(interaction, _what_if_of_button(interaction, self.game, self.seq), menu_state),
        )


class WhatIfAmountModal(WhatIfComponent):
    """The form of a what-if for an amount, such as a price."""

    id_pattern = rf"f:{GAME_AND_SEQ_PATTERN}:{WHAT_IF_KEY_PATTERN}:(?P<picked>.*)"

    async def act(self, interaction: BotInteraction) -> None:
        """Continue the move with the typed amount."""
        await _show_step(
            interaction, self.menu_state([*split_picks(self.picked), amount_typed_in_form(self.fields)])
        )


class WhatIfControlButton(Component):
    """A control button of a what-if: undo the last move, start over, repeat all, make the moves, or show them."""

    id_pattern = rf"x:{GAME_AND_SEQ_PATTERN}:(?P<choice>back|over|again|make|show)"
    user_right = "look"
    request_kind = RequestKind.QUESTION

    async def act(self, interaction: BotInteraction) -> None:
        what_if = _what_if_of_button(interaction, self.game, self.seq)
        if self.choice == "make":
            await _ask_to_make_moves(interaction, what_if)
        elif self.choice == "again":
            await _repeat_tried_moves(interaction, what_if)
        else:
            steps_by_choice = {"back": what_if.steps[:-1], "over": ()}
            changed_what_if = (
                what_if.with_steps(steps_by_choice[self.choice])
                if self.choice in steps_by_choice
                else what_if
            )
            await _show_what_if(
                interaction, await _run_in_worker(interaction, what_if, view_of_what_if, changed_what_if)
            )


def what_if_button(game: int, token: int, choice: str, label: str) -> Button:
    """A control button of a what-if: `back` (undo one move), `over` (undo all), `again` (repeat), `make`, `show`."""
    return button(f"x:{game}:{token}:{choice}", label)


def what_if_panel(what_if_view: WhatIfView, latest_seq: int) -> discord.ui.View:
    """A what-if's buttons: possible moves, and controls. `latest_seq` is the real game's newest log row."""
    what_if = what_if_view.what_if
    control_labels = {"back": "Back", "over": "Start over"} if what_if.steps else {}
    if latest_seq != what_if.base_seq:
        control_labels["again"] = "Again from now"
    elif what_if.own_moves:
        control_labels["make"] = f"{make_moves_label(what_if)} …"
    control_buttons = [
        what_if_button(what_if.row.id, what_if.token, choice, label)
        for choice, label in control_labels.items()
    ]
    shown_move_buttons = lowest_ranked_items(
        what_if_view.buttons, MAX_BUTTONS - len(control_buttons), button_rank
    )
    return view_with_items(
        [
            *(_possible_move_button(what_if.row.id, what_if.token, entry) for entry in shown_move_buttons),
            *control_buttons,
        ]
    )


def _possible_move_button(game: int, token: int, entry: TurnButton) -> Button:
    """A what-if's button for a possible move. It tries the move, or opens the move's menus in the same message."""
    key = key_with_acting_as(entry.key.partition(".")[0], ActingAs.WHAT_IF)
    if entry.picked_private:
        return amount_button(game, token, key, entry.picked_private, entry.label)
    if entry.opens_menu:
        return step_button(game, token, key, "", entry.label)
    return move_button(game, token, key, entry.label, move_style(entry))


async def _show_step(interaction: BotInteraction, menu_state: MenuState) -> None:
    """Show a step of a move in the what-if's message, or try the move if it is complete."""
    what_if = _what_if_of_button(interaction, menu_state.game, menu_state.seq)
    step = await _next_step(interaction, what_if, menu_state)
    if isinstance(step, ReadyMove):
        await _try_move(
            interaction, what_if, partial(move_of_picks, menu_state.key, menu_state.picks, what_if.viewer)
        )
        return
    step_message = step_screen(
        menu_state,
        step,
        what_if_button(menu_state.game, menu_state.seq, "show", "Back to the what-if"),
        is_what_if=True,
    )
    files = await step_files(pictures_for_answer(interaction), step)
    await edit_clicked_message(
        interaction, content=f"{TRYING_TEXT}\n{step_message.text}", view=step_message.view, attachments=files
    )


def _what_if_of_button(interaction: BotInteraction, game_id: int, token: int) -> WhatIf:
    """The user's what-if (moves tried on a copy of the game) with this token. Raises Refused if it has ended."""
    return interaction.client.what_ifs.find(game_id, interaction.user.id, token)


async def _next_step(interaction: BotInteraction, what_if: WhatIf, menu_state: MenuState) -> OfferStep:
    return await interaction.client.tables.workers.run(
        question_queue(interaction),
        next_menu_step,
        what_if,
        menu_state.key,
        menu_state.picks,
        menu_state.page,
    )


async def _try_move(interaction: BotInteraction, what_if: WhatIf, move: TrialMove) -> None:
    await _show_what_if(interaction, await _run_in_worker(interaction, what_if, try_moves, what_if, [move]))


async def _repeat_tried_moves(interaction: BotInteraction, what_if: WhatIf) -> None:
    """Repeat the tried moves from the game's current position, as far as they are still possible."""
    async with interaction.client.tables.reading(what_if.row.id) as live:
        new_what_if = interaction.client.what_ifs.begin(live, interaction.user.id)
    moves = list(repeated_moves([step.action for step in what_if.steps]))
    await _show_what_if(
        interaction, await _run_in_worker(interaction, new_what_if, try_moves, new_what_if, moves)
    )


async def _run_in_worker(
    interaction: BotInteraction, old_what_if: WhatIf, job: Callable[..., WhatIfView], *args: object
) -> WhatIfView:
    """Run `job` (a function of a what-if) in a worker; stores and returns the new state."""
    what_if_view = await interaction.client.tables.workers.run(question_queue(interaction), job, *args)
    interaction.client.what_ifs.replace(old_what_if, what_if_view.what_if)
    return what_if_view


async def _show_what_if(interaction: BotInteraction, what_if_view: WhatIfView) -> None:
    """Show the what-if in the clicked message, with a note if the real game has changed."""
    async with interaction.client.tables.reading(what_if_view.what_if.row.id) as live:
        latest_seq = live.seq
    files = await _picture_files(interaction, what_if_view)
    text, view = what_if_text(what_if_view, latest_seq), what_if_panel(what_if_view, latest_seq)
    await edit_clicked_message(interaction, content=text, view=view, attachments=files)


async def _picture_files(interaction: BotInteraction, what_if_view: WhatIfView) -> list[discord.File]:
    pictures, files = pictures_for_answer(interaction), []
    if what_if_view.map is not None:
        picture = await pictures.map(what_if_view.map, what_if_view.focus_hexes)
        files.append(picture_file(picture, "map.png", map_alt_text(what_if_view.map)))
    if what_if_view.market is not None:
        picture = await pictures.market(what_if_view.market)
        files.append(picture_file(picture, "market.png", what_if_view.market.caption))
    return files


# --- making the tried moves ------------------------------------------------------------------------------------------


async def _ask_to_make_moves(interaction: BotInteraction, what_if: WhatIf) -> None:
    game_id, token = what_if.row.id, what_if.token
    yes_button = button(f"xm:{game_id}:{token}", make_moves_label(what_if), discord.ButtonStyle.success)
    back_button = what_if_button(game_id, token, "show", "Back to the what-if")
    await edit_clicked_message(
        interaction,
        content=make_moves_question(what_if),
        view=view_with_items([yes_button, back_button]),
        attachments=[],
    )


class MakeWhatIfButton(Component):
    """The *Yes* button that makes the user's tried moves in the real game."""

    id_pattern = rf"xm:{GAME_AND_SEQ_PATTERN}"
    user_right = "play"

    async def act(self, interaction: BotInteraction) -> None:
        """Make the tried moves in the real game. The reply names the moves made and, if one failed, the reason."""
        what_if = _what_if_of_button(interaction, self.game, self.seq)
        require_moves_showable_here(interaction)
        outcomes, problem = await _make_moves(interaction, what_if)
        text = moves_made_text(what_if, outcomes, problem)
        with wrap_as_stored_but_failed(text):
            first_message_text, *further_message_texts = message_pieces(text)
            await edit_clicked_message(interaction, content=first_message_text, view=None, attachments=[])
            for message_text in further_message_texts:
                await reply(interaction, message_text)
            await interaction.client.turns.show_next(interaction, self.game)
            await report_delivery_problem(interaction, self.game, outcomes[-1])
            await offer_next_game(interaction, self.game)


async def _make_moves(interaction: BotInteraction, what_if: WhatIf) -> tuple[list[Outcome], str]:
    """Make the tried moves in the real game. Returns those made and, if one failed, the reason."""
    outcomes: list[Outcome] = []
    for step in what_if.own_moves:
        seq = outcomes[-1].seq if outcomes else what_if.base_seq
        try:
            async with report_if_cancelled(interaction):
                move = move_for_other_position(step.action)
                outcomes.append(
                    await interaction.client.tables.submit(what_if.row.id, interaction.user.id, move, seq)
                )
        except Exception as error:
            if not outcomes:
                raise
            return outcomes, error_sentence(error)
    return outcomes, ""


# --- the texts -------------------------------------------------------------------------------------------------------

WHAT_IF_HEADING: Final = "What if"
ONLY_YOU_SEE_TEXT: Final = "-# Only you see this, and the bot stores nothing."
MAX_TRIED_MOVES_CHARACTERS: Final = 1100
"""Character limit for the list of tried moves in a what-if's message. Older moves are left out."""
MAX_NAMED_OFFERS: Final = 12
"""Number of possible moves named in a what-if's text."""
SECRET_MONEY_END_TEXT: Final = (
    "The what-if ends here: money is secret, and the next step depends on other players' cash. "
    "*Back* undoes the last move."
)
GAME_MOVED_ON_TEXT: Final = "-# The game is now at move {}. *Again from now* repeats the what-if there."


MAKES_MOVES_TEXT: Final = (
    "The bot makes these moves in the game, one after the other, and stops at the first that is no "
    "longer possible."
)
ONLY_OWN_MOVES_TEXT: Final = "It does not make other players' moves, or anything after them."
TRYING_TEXT: Final = f"{strong(WHAT_IF_HEADING)}: nothing here happens in the game."
"""The text above the menus for a move in `/what-if`."""


def make_moves_label(what_if: WhatIf) -> str:
    """Button label: `Make this move` or, for example, `Make these 3 moves`."""
    own_move_count = len(what_if.own_moves)
    return "Make this move" if own_move_count == 1 else f"Make these {own_move_count} moves"


def make_moves_question(what_if: WhatIf) -> str:
    """The question before the tried moves are made in the real game, with a list of them."""
    own_moves = what_if.own_moves
    only_own_moves_note = ONLY_OWN_MOVES_TEXT if len(own_moves) < len(what_if.steps) else ""
    text_parts = (
        strong(f"{make_moves_label(what_if)}?"),
        *_numbered_texts(own_moves),
        MAKES_MOVES_TEXT,
        only_own_moves_note,
    )
    return "\n".join(part for part in text_parts if part)[:MAX_MESSAGE_LENGTH]


def moves_made_text(what_if: WhatIf, outcomes: Sequence[Outcome], problem: str) -> str:
    """The reply after a what-if's moves were made in the real game. `problem` is the reason if one failed."""
    text_parts = [outcome.answer_text() for outcome in outcomes]
    if problem:
        first_unmade_number = len(outcomes) + 1
        unmade_move_count = len(what_if.own_moves) - len(outcomes)
        unmade_moves_text = (
            f"move {first_unmade_number}"
            if unmade_move_count == 1
            else f"moves {first_unmade_number} to {len(what_if.own_moves)}"
        )
        text_parts.append(f"{strong(f'Not made: {unmade_moves_text} of the what-if.')} {problem}")
    return "\n".join(text_parts)


def what_if_text(what_if_view: WhatIfView, latest_seq: int) -> str:
    """The text of a what-if's message. `latest_seq` is the real game's newest log row."""
    what_if = what_if_view.what_if
    text_parts = (
        f"{strong(WHAT_IF_HEADING)}, from the position after move "
        f"{what_if.base_seq}{'' if what_if.steps else ': try a move.'}",
        ONLY_YOU_SEE_TEXT,
        *_numbered_texts(what_if.steps),
        f"> {' · '.join(what_if_view.change_texts)}" if what_if_view.change_texts else "",
        f"{strong('Not possible')}: {what_if_view.note}" if what_if_view.note else "",
        SECRET_MONEY_END_TEXT
        if what_if_view.turn is None
        else _next_choices_text(what_if_view, what_if_view.turn),
        GAME_MOVED_ON_TEXT.format(latest_seq) if latest_seq != what_if.base_seq else "",
    )
    return "\n".join(part for part in text_parts if part)[:MAX_MESSAGE_LENGTH]


def _numbered_texts(tried_steps: Sequence[WhatIfStep]) -> list[str]:
    """The tried moves as numbered lines, each followed by the moves that it caused."""
    texts = ["\n".join(step.lines) for step in tried_steps]
    numbered_texts = [f"{number}. {text}" for number, text in enumerate(texts, 1)]
    shown_texts: list[str] = []
    for text in reversed(numbered_texts):
        if shown_texts and sum(map(len, shown_texts)) + len(text) > MAX_TRIED_MOVES_CHARACTERS:
            break
        shown_texts.insert(0, text[:MAX_TRIED_MOVES_CHARACTERS])
    omitted_move_count = len(numbered_texts) - len(shown_texts)
    return [f"-# {omitted_move_count} earlier", *shown_texts] if omitted_move_count else shown_texts


def _next_choices_text(what_if_view: WhatIfView, turn: TurnView) -> str:
    """Text about the next moves: whose turn it is, step, and possible moves."""
    if turn.is_over:
        return f"{strong('The game is over.')}"
    named_offer_texts = what_if_view.offer_texts[:MAX_NAMED_OFFERS]
    choice_texts = (
        [*named_offer_texts, "more"]
        if len(what_if_view.offer_texts) > len(named_offer_texts)
        else named_offer_texts
    )
    players = strong(sentence_list(turn.actor_names))
    return "\n".join(
        filter(None, (heading(turn), steps_text(turn), f"{players} can: {', '.join(choice_texts)}."))
    )
