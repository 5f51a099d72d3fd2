"""What a press on a move, a choice in its menus or a form leads to, from what the id of the component carries."""

import re
from collections.abc import Mapping
from typing import Any, Final

from bot.client.bot_client import BotInteraction
from bot.client.callbacks.component import Press, answered, enter
from bot.client.callbacks.table_components import TABLE_PRESSES
from bot.client.components import buttons
from bot.client.components.modals import typed_amount
from bot.client.components.screens import Place, split
from bot.client.entry.acknowledging import edit_pressed, is_private
from bot.client.entry.rights import needed
from bot.client.moves.acting_as import TRIAL, hand_of
from bot.client.moves.what_if import WhatIf
from bot.client.moves.wizard import Wizard


def walks(interaction: BotInteraction, key: str) -> Wizard | WhatIf:
    """Who leads through the offer with this key: to a move, or to one that is only tried."""
    desk = interaction.client
    return desk.what_if if hand_of(key) == TRIAL else desk.wizard


class MoveButton(Press, template=buttons.MOVE_ID):
    """A move of one click."""

    async def act(self, interaction: BotInteraction) -> None:
        """Make the move, or ask first."""
        desk = interaction.client
        makes = desk.what_if if self.hand == TRIAL else desk.flows
        await makes.press(interaction, self.game, self.seq, self.key)


class ConfirmPress(Press, template=buttons.CONFIRM_ID):
    """The `yes` to a move that cannot be undone."""

    async def act(self, interaction: BotInteraction) -> None:
        """Make the move."""
        await interaction.client.flows.confirm(interaction, self.game, self.seq, self.key)


class CancelPress(Press, template=buttons.CANCEL_ID):
    """The `no` to a question."""

    async def act(self, interaction: BotInteraction) -> None:
        """Close the question."""
        await edit_pressed(interaction, content="Nothing was done.", view=None)


class UndoPress(Press, template=buttons.UNDO_ID):
    """Undoes one's own last move."""

    async def act(self, interaction: BotInteraction) -> None:
        """Take the move back."""
        await interaction.client.flows.undo(interaction, self.game, self.seq)


class RedoPress(Press, template=buttons.REDO_ID):
    """Redoes the last undo."""

    async def act(self, interaction: BotInteraction) -> None:
        """Put it back, or ask those who have agreed to the undo."""
        await interaction.client.taking_back.redo(interaction, self.game, self.seq)


class ProposePress(Press, template=buttons.PROPOSE_ID):
    """Proposes to take moves of others back, too."""

    async def act(self, interaction: BotInteraction) -> None:
        """Ask those concerned."""
        await interaction.client.taking_back.propose(interaction, self.game, self.seq, self.number)


class MenuPress(Press, template=buttons.MENU_ID):
    """Opens the menus of an offer."""

    async def act(self, interaction: BotInteraction) -> None:
        """Ask the first question, privately."""
        await interaction.client.wizard.open(interaction, Place(self.game, self.seq, self.key))


class StepPress(Press, template=buttons.STEP_ID):
    """Goes to another step of an offer, or to another page of a menu."""

    async def act(self, interaction: BotInteraction) -> None:
        """Show it."""
        place = Place(self.game, self.seq, self.key, split(self.picked), self.page)
        await walks(interaction, self.key).turn(interaction, place)


class AmountPress(Press, template=buttons.AMOUNT_ID):
    """Opens the form in which an amount is typed."""

    async def act(self, interaction: BotInteraction) -> None:
        """Open it; a form is the first answer, or none."""
        place = Place(self.game, self.seq, self.key, split(self.picked))
        await walks(interaction, self.key).form(interaction, place)


class MakePress(Press, template=buttons.MAKE_ID):
    """Makes a move of several picks."""

    async def act(self, interaction: BotInteraction) -> None:
        """Make it."""
        place = Place(self.game, self.seq, self.key, split(self.picked))
        await interaction.client.wizard.make(interaction, place)


class Pick(Press, template=buttons.PICK_ID):
    """The answer to one question of an offer."""

    async def act(self, interaction: BotInteraction) -> None:
        """Continue with the value picked."""
        picks = [*split(self.picked), *split(self.values[0])]
        await walks(interaction, self.key).turn(interaction, Place(self.game, self.seq, self.key, picks))


class OfferPick(Press, template=buttons.OFFER_ID):
    """The answer to the first question of `/move`: which of the offers."""

    @property
    def hand(self) -> str:
        """In whose name it is used."""
        return hand_of(self.values[0])

    async def act(self, interaction: BotInteraction) -> None:
        """Continue with the offer picked."""
        await interaction.client.wizard.turn(interaction, Place(self.game, self.seq, self.values[0]))


PRESSES: Final = (
    MoveButton,
    ConfirmPress,
    CancelPress,
    UndoPress,
    RedoPress,
    ProposePress,
    MenuPress,
    StepPress,
    AmountPress,
    MakePress,
    Pick,
    OfferPick,
    *TABLE_PRESSES,
)
"""Every press on what a game or its table offers, on components of old messages, too."""


async def submitted(interaction: BotInteraction) -> None:
    """A form with an amount was sent. Other forms are left alone."""
    data: Mapping[str, Any] = interaction.data or {}
    found = re.fullmatch(buttons.FORM_ID, data.get("custom_id", ""))
    if found is not None:
        await answered(interaction, lambda: _go_on(interaction, found, typed_amount(data)))


async def _go_on(interaction: BotInteraction, form: re.Match[str], amount: str) -> None:
    """Continue with the amount that was typed."""
    game_id = int(form["game"])
    await enter(interaction, needed("AmountPress", hand_of(form["key"])), game_id)
    place = Place(game_id, int(form["seq"]), form["key"], [*split(form["picked"]), amount])
    wizard = walks(interaction, form["key"])
    # A form that was opened from a message for everybody leads to one for this person alone.
    await (wizard.turn if is_private(interaction) else wizard.open)(interaction, place)
