"""`/what-if`: trying moves on a copy of the game, in one private message; nothing is stored until they are made."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Final

import discord
from discord import app_commands

from bot.client.alt_texts import map_alt_text
from bot.client.bot_client import BotInteraction, game_here
from bot.client.buttons import BUTTONS, NUMBER, POSITION, Button, button, view_of
from bot.client.component import Component
from bot.client.entry.replies import defer, edit_pressed, reply, report_if_cancelled, stored_but_not_shown
from bot.client.entry.rights import needs
from bot.client.entry.showable import require_showable
from bot.client.features.moves import say_trouble
from bot.client.features.next_game import lead_on
from bot.client.features.wizard import OfferComponent
from bot.client.game_texts import LONGEST_MESSAGE, heading, message_pieces, steps
from bot.client.offer_menus_and_forms import (
    TRIED_KEY,
    amount_button,
    ask_amount,
    key_with_capacity,
    screen,
    split_picks,
    step_button,
    step_files,
    typed_amount,
)
from bot.client.parameters import Details, verbs
from bot.client.pictures import answering, question_of
from bot.client.places.messages import picture_file
from bot.client.turn_panel import move_button, move_style
from bot.table.errors import error_sentence
from bot.table.markdown import sentence_list, strong
from bot.table.moves.menus import Capacity, MenuPlace, ReadyMove
from bot.table.moves.menus import Step as OfferStep
from bot.table.moves.moves import once_more
from bot.table.moves.turn_buttons import TurnButton, entry_rank, fitting
from bot.table.rate_limits import Kind
from bot.table.tables import Outcome
from bot.table.what_ifs import (
    TrialMove,
    WhatIf,
    WhatIfStep,
    WhatIfView,
    move_of_key,
    move_of_picks,
    same_moves,
    step_of,
    try_moves,
    typed_moves,
    view_of_what_if,
)
from engine.views import TurnView

# --- trying moves ----------------------------------------------------------------------------------------------------


@app_commands.command(name="what-if", extras=needs("look", Kind.QUESTION))
@app_commands.describe(move="Moves to start with, such as: lay G5 57 2 then token G5; default: use buttons")
@app_commands.autocomplete(move=verbs)
@app_commands.guild_only()
async def what_if(interaction: BotInteraction, move: Details = "") -> None:
    """Try moves on a copy of the game; only you see it."""
    game_id, bot, user_id = game_here(interaction), interaction.client, interaction.user.id
    await defer(interaction)
    async with bot.tables.reading(game_id) as live:
        moves = typed_moves(move, live.player_of(user_id))
        begun = bot.what_ifs.begin(live, user_id)
    sight = await _next_sight(interaction, begun, try_moves, begun, moves)
    text, view = what_if_text(sight, begun.base), what_if_panel(sight, begun.base)
    await reply(interaction, text, view=view, files=await _files(interaction, sight))


class WhatIfComponent(OfferComponent):
    """A component of a what-if."""

    hand = "w"
    right = "look"
    cost = Kind.QUESTION


class WhatIfMoveButton(WhatIfComponent):
    """A one-click move in a what-if."""

    template = rf"g:{POSITION}:{TRIED_KEY}"

    async def act(self, interaction: BotInteraction) -> None:
        what_if = _what_if_of_button(interaction, self.game, self.seq)
        await _try_move(interaction, what_if, partial(move_of_key, self.key, what_if.looker))


class WhatIfStepButton(WhatIfComponent):
    """A button to another step of an offer, or page of a menu, in a what-if."""

    template = rf"p:{POSITION}:{TRIED_KEY}:(?P<page>{NUMBER}):(?P<picked>.*)"

    async def act(self, interaction: BotInteraction) -> None:
        """Show the step, or try the complete move."""
        await _show_step(interaction, self.place(split_picks(self.picked), self.page))


class WhatIfSlotSelect(WhatIfComponent):
    """The select menu of one slot in a what-if."""

    template = rf"s:{POSITION}:{TRIED_KEY}:(?P<picked>.*)"

    async def act(self, interaction: BotInteraction) -> None:
        """Continue with the value picked."""
        await _show_step(interaction, self.place([*split_picks(self.picked), *split_picks(self.values[0])]))


class WhatIfAmountButton(WhatIfComponent):
    """The button that opens the form of an amount in a what-if."""

    template = rf"a:{POSITION}:{TRIED_KEY}:(?P<picked>.*)"

    async def act(self, interaction: BotInteraction) -> None:
        """Open the form, as the first response."""
        place = self.place(split_picks(self.picked))
        await ask_amount(
            interaction,
            place,
            await _next_step(interaction, _what_if_of_button(interaction, self.game, self.seq), place),
        )


class WhatIfAmountModal(WhatIfComponent):
    """The form of an amount in a what-if."""

    template = rf"f:{POSITION}:{TRIED_KEY}:(?P<picked>.*)"

    async def act(self, interaction: BotInteraction) -> None:
        """Continue with the amount."""
        await _show_step(interaction, self.place([*split_picks(self.picked), typed_amount(self.fields)]))


class WhatIfButton(Component):
    """A button of a what-if: back, start over, try again from now, make the moves, or show."""

    template = rf"x:{POSITION}:(?P<choice>back|over|again|make|show)"
    right = "look"
    cost = Kind.QUESTION

    async def act(self, interaction: BotInteraction) -> None:
        what_if = _what_if_of_button(interaction, self.game, self.seq)
        if self.choice == "make":
            await _ask_to_make(interaction, what_if)
        elif self.choice == "again":
            await _try_again(interaction, what_if)
        else:
            kept = {"back": what_if.steps[:-1], "over": ()}
            then = what_if.with_steps(kept[self.choice]) if self.choice in kept else what_if
            await _show(interaction, await _next_sight(interaction, what_if, view_of_what_if, then))


def what_if_button(game: int, token: int, choice: str, label: str) -> Button:
    """A what-if's button: undo the last move (`back`) or all (`over`), try them anew (`again`), `make` them, or
    show it.
    """
    return button(f"x:{game}:{token}:{choice}", label)


def what_if_panel(sight: WhatIfView, latest: int) -> discord.ui.View:
    """The panel of a what-if: possible moves, and undo; `latest` is the game's last row."""
    what_if = sight.what_if
    choices = {"back": "Back", "over": "Start over"} if what_if.steps else {}
    if latest != what_if.base:
        choices["again"] = "Again from now"
    elif what_if.own_moves:
        choices["make"] = f"{make_label(what_if)} …"
    beside = [
        what_if_button(what_if.row.id, what_if.token, choice, label) for choice, label in choices.items()
    ]
    shown = fitting(sight.entries, BUTTONS - len(beside), entry_rank)
    return view_of([*(_entry_button(what_if.row.id, what_if.token, entry) for entry in shown), *beside])


def _entry_button(game: int, token: int, entry: TurnButton) -> Button:
    """The button of a move or an offer, whose menus open in the same message."""
    key = key_with_capacity(entry.key.partition(".")[0], Capacity.WHAT_IF)
    if entry.form:
        return amount_button(game, token, key, entry.form, entry.label)
    if entry.menu:
        return step_button(game, token, key, "", entry.label)
    return move_button(game, token, key, entry.label, move_style(entry))


async def _show_step(interaction: BotInteraction, menu_place: MenuPlace) -> None:
    """Show an offer's step in the what-if's message, or try the complete move."""
    what_if = _what_if_of_button(interaction, menu_place.game, menu_place.seq)
    step = await _next_step(interaction, what_if, menu_place)
    if isinstance(step, ReadyMove):
        await _try_move(
            interaction, what_if, partial(move_of_picks, menu_place.key, menu_place.picks, what_if.looker)
        )
        return
    shown = screen(
        menu_place,
        step,
        what_if_button(menu_place.game, menu_place.seq, "show", "Back to the what-if"),
        tried=True,
    )
    files = await step_files(answering(interaction), step)
    await edit_pressed(interaction, content=f"{TRYING}\n{shown.text}", view=shown.view, attachments=files)


def _what_if_of_button(interaction: BotInteraction, game_id: int, token: int) -> WhatIf:
    """The user's what-if as it was when a button was made; raises Refused if it is over or has changed."""
    return interaction.client.what_ifs.find(game_id, interaction.user.id, token)


async def _next_step(interaction: BotInteraction, what_if: WhatIf, menu_place: MenuPlace) -> OfferStep:
    return await interaction.client.tables.workers.run(
        question_of(interaction), step_of, what_if, menu_place.key, menu_place.picks, menu_place.page
    )


async def _try_move(interaction: BotInteraction, what_if: WhatIf, move: TrialMove) -> None:
    await _show(interaction, await _next_sight(interaction, what_if, try_moves, what_if, [move]))


async def _try_again(interaction: BotInteraction, what_if: WhatIf) -> None:
    """Try the same moves from the game's current position, as far as possible."""
    async with interaction.client.tables.reading(what_if.row.id) as live:
        fresh = interaction.client.what_ifs.begin(live, interaction.user.id)
    moves = list(same_moves([step.action for step in what_if.steps]))
    await _show(interaction, await _next_sight(interaction, fresh, try_moves, fresh, moves))


async def _next_sight(
    interaction: BotInteraction, before: WhatIf, work: Callable[..., WhatIfView], *args: object
) -> WhatIfView:
    """Run a worker's job, and store the what-if's next state."""
    sight = await interaction.client.tables.workers.run(question_of(interaction), work, *args)
    interaction.client.what_ifs.replace(before, sight.what_if)
    return sight


async def _show(interaction: BotInteraction, sight: WhatIfView) -> None:
    """Show the what-if in the pressed message, and whether the game has moved on."""
    async with interaction.client.tables.reading(sight.what_if.row.id) as live:
        latest = live.seq
    files = await _files(interaction, sight)
    text, view = what_if_text(sight, latest), what_if_panel(sight, latest)
    await edit_pressed(interaction, content=text, view=view, attachments=files)


async def _files(interaction: BotInteraction, sight: WhatIfView) -> list[discord.File]:
    drawing, files = answering(interaction), []
    if sight.map is not None:
        picture = await drawing.map(sight.map, sight.around)
        files.append(picture_file(picture, "map.png", map_alt_text(sight.map)))
    if sight.market is not None:
        picture = await drawing.market(sight.market)
        files.append(picture_file(picture, "market.png", sight.market.caption))
    return files


# --- making them in the game -----------------------------------------------------------------------------------------


async def _ask_to_make(interaction: BotInteraction, what_if: WhatIf) -> None:
    """Ask the user to confirm making their moves."""
    game_id, token = what_if.row.id, what_if.token
    yes = button(f"xm:{game_id}:{token}", make_label(what_if), discord.ButtonStyle.success)
    no = what_if_button(game_id, token, "show", "Back to the what-if")
    await edit_pressed(interaction, content=make_text(what_if), view=view_of([yes, no]), attachments=[])


class MakeWhatIfButton(Component):
    """The *Yes* button for making the user's own moves of a what-if."""

    template = rf"xm:{POSITION}"
    right = "play"

    async def act(self, interaction: BotInteraction) -> None:
        """Make the moves; the answer gives the reason if one stops."""
        what_if = _what_if_of_button(interaction, self.game, self.seq)
        require_showable(interaction)
        made, why = await _make_moves(interaction, what_if)
        text = made_text(what_if, made, why)
        with stored_but_not_shown(text):
            first, *rest = message_pieces(text)
            await edit_pressed(interaction, content=first, view=None, attachments=[])
            for piece in rest:
                await reply(interaction, piece)
            await interaction.client.turns.show_next(interaction, self.game)
            await say_trouble(interaction, self.game, made[-1])
            await lead_on(interaction, self.game)


async def _make_moves(interaction: BotInteraction, what_if: WhatIf) -> tuple[list[Outcome], str]:
    """Make the moves of a what-if; returns the moves made, and the problem that stopped the rest."""
    made: list[Outcome] = []
    for step in what_if.own_moves:
        seq = made[-1].seq if made else what_if.base
        try:
            async with report_if_cancelled(interaction):
                move = once_more(step.action)
                made.append(
                    await interaction.client.tables.submit(what_if.row.id, interaction.user.id, move, seq)
                )
        except Exception as error:
            if not made:
                raise
            return made, error_sentence(error)
    return made, ""


# --- the texts -------------------------------------------------------------------------------------------------------

HEAD: Final = "What if"
PRIVATE: Final = "-# Only you see this, and the bot stores nothing."
ROOM: Final = 1100
"""Characters of what was tried, of those that a message takes; of more, the last lines."""
MOST_WORDS: Final = 12
"""At most this many offers are named."""
ENDS: Final = (
    "The what-if ends here: money is secret, and what comes next depends on what others have. "
    "*Back* undoes the last move."
)
MOVED_ON: Final = "-# The game is now at move {}. *Again from now* repeats the what-if there."


MAKES: Final = (
    "The bot makes these moves in the game, one after the other, and stops at the first that is no "
    "longer possible."
)
ONLY_OWN: Final = "Other players' moves and everything after them are not made."
TRYING: Final = f"{strong(HEAD)}: nothing here happens in the game."
"""The text above the menus of a what-if."""


def make_label(what_if: WhatIf) -> str:
    """The button's label: `Make this move`, or the number of moves."""
    count = len(what_if.own_moves)
    return "Make this move" if count == 1 else f"Make these {count} moves"


def make_text(what_if: WhatIf) -> str:
    """The question before making the moves, which lists them."""
    own = what_if.own_moves
    others = ONLY_OWN if len(own) < len(what_if.steps) else ""
    parts = (strong(f"{make_label(what_if)}?"), *_numbered(own), MAKES, others)
    return "\n".join(part for part in parts if part)[:LONGEST_MESSAGE]


def made_text(what_if: WhatIf, made: Sequence[Outcome], why: str) -> str:
    """The text about the moves made, with the problem (`why`) that stopped the rest."""
    parts = [outcome.answer_text() for outcome in made]
    if why:
        number = len(made) + 1
        left = len(what_if.own_moves) - len(made)
        rest = f"move {number}" if left == 1 else f"moves {number} to {len(what_if.own_moves)}"
        parts.append(f"{strong(f'Not made: {rest} of the what-if.')} {why}")
    return "\n".join(parts)


def what_if_text(sight: WhatIfView, latest: int) -> str:
    """The text of a what-if; `latest` is the game's last row."""
    what_if = sight.what_if
    parts = (
        f"{strong(HEAD)}, from the position after move "
        f"{what_if.base}{'' if what_if.steps else ': try a move.'}",
        PRIVATE,
        *_numbered(what_if.steps),
        f"> {' · '.join(sight.changes)}" if sight.changes else "",
        f"{strong('Not possible')}: {sight.note}" if sight.note else "",
        ENDS if sight.turn is None else _next_choices_text(sight, sight.turn),
        MOVED_ON.format(latest) if latest != what_if.base else "",
    )
    return "\n".join(part for part in parts if part)[:LONGEST_MESSAGE]


def _numbered(tried: Sequence[WhatIfStep]) -> list[str]:
    """Numbered moves, with the lines of each and of automatic moves after it."""
    texts = ["\n".join(step.lines) for step in tried]
    numbered = [f"{number}. {text}" for number, text in enumerate(texts, 1)]
    kept: list[str] = []
    for text in reversed(numbered):
        if kept and sum(map(len, kept)) + len(text) > ROOM:
            break
        kept.insert(0, text[:ROOM])
    more = len(numbered) - len(kept)
    return [f"-# {more} earlier", *kept] if more else kept


def _next_choices_text(sight: WhatIfView, turn: TurnView) -> str:
    """The players on turn, the step, and their choices."""
    if turn.over:
        return f"{strong('The game is over.')}"
    named = sight.words[:MOST_WORDS]
    words = [*named, "more"] if len(sight.words) > len(named) else named
    who = strong(sentence_list(turn.actor_names))
    return "\n".join(filter(None, (heading(turn), steps(turn), f"{who} can: {', '.join(words)}.")))
