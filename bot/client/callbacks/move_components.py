"""Components with which moves are made, tried, undone and ordered."""

from typing import Final

from bot.client.bot_client import BotInteraction
from bot.client.callbacks.component import Component
from bot.client.components import buttons
from bot.client.components.modals import typed_amount
from bot.client.components.order_buttons import ORDER_FORM_ID, ORDER_ID, SKIP_ID
from bot.client.components.screens import split
from bot.client.components.view_buttons import MAKE_TRIED_ID, WHAT_IF_ID
from bot.client.entry.replies import edit_pressed, is_private
from bot.client.moves.what_if import WhatIfHandlers
from bot.client.moves.wizard import Wizard
from bot.table.moves.question_place import Capacity
from bot.table.rate_limits import Kind


def walks(interaction: BotInteraction, capacity: Capacity) -> Wizard | WhatIfHandlers:
    """Who leads through an offer: to a move, or to one that is only tried."""
    desk = interaction.client
    return desk.what_if if capacity is Capacity.WHAT_IF else desk.wizard


class MoveButton(Component):
    """A move of one click."""

    template = buttons.MOVE_ID
    right = "play"

    async def act(self, interaction: BotInteraction) -> None:
        """Make the move, or ask for confirmation."""
        desk = interaction.client
        makes = desk.what_if if self.capacity is Capacity.WHAT_IF else desk.flows
        await makes.click(interaction, self.game, self.seq, self.key)


class ConfirmButton(Component):
    """The `yes` to a move that cannot be undone."""

    template = buttons.CONFIRM_ID
    right = "play"

    async def act(self, interaction: BotInteraction) -> None:
        """Make the move."""
        await interaction.client.flows.confirm(interaction, self.game, self.seq, self.key)


class CancelButton(Component):
    """The `no` to a question."""

    template = buttons.CANCEL_ID
    right = "look"

    async def act(self, interaction: BotInteraction) -> None:
        """Close the question."""
        await edit_pressed(interaction, content="Nothing was done.", view=None)


class UndoButton(Component):
    """Undoes one's own last move."""

    template = buttons.UNDO_ID
    right = "play"

    async def act(self, interaction: BotInteraction) -> None:
        """Take the move back."""
        await interaction.client.flows.undo(interaction, self.game, self.seq)


class RedoButton(Component):
    """Redoes the last undo."""

    template = buttons.REDO_ID
    right = "look"

    async def act(self, interaction: BotInteraction) -> None:
        """Redo it, or ask those who have agreed to the undo."""
        await interaction.client.taking_back.redo(interaction, self.game, self.seq)


class ProposeUndoButton(Component):
    """Proposes to take moves of others back, too."""

    template = buttons.PROPOSE_ID
    right = "play"

    async def act(self, interaction: BotInteraction) -> None:
        """Ask those concerned."""
        await interaction.client.taking_back.propose(interaction, self.game, self.seq, self.number)


class OpenMenuButton(Component):
    """Opens the menus of an offer."""

    template = buttons.MENU_ID
    right = "play"

    async def act(self, interaction: BotInteraction) -> None:
        """Ask the first question, privately."""
        await interaction.client.wizard.open(interaction, self.place())


class StepButton(Component):
    """Goes to another step of an offer, or to another page of a menu."""

    template = buttons.STEP_ID
    right = "play"

    async def act(self, interaction: BotInteraction) -> None:
        """Show it."""
        place = self.place(split(self.picked), self.page)
        await walks(interaction, self.capacity).turn(interaction, place)


class AmountButton(Component):
    """Opens the modal in which an amount is typed."""

    template = buttons.AMOUNT_ID
    right = "play"

    async def act(self, interaction: BotInteraction) -> None:
        """Open it; a modal is the first response, or none."""
        place = self.place(split(self.picked))
        await walks(interaction, self.capacity).form(interaction, place)


class PickedMoveButton(Component):
    """Makes a move of several picks."""

    template = buttons.MAKE_ID
    right = "play"

    async def act(self, interaction: BotInteraction) -> None:
        """Make it."""
        place = self.place(split(self.picked))
        await interaction.client.wizard.make(interaction, place)


class SlotSelect(Component):
    """The answer to one question of an offer."""

    template = buttons.PICK_ID
    right = "play"

    async def act(self, interaction: BotInteraction) -> None:
        """Continue with the value picked."""
        picks = [*split(self.picked), *split(self.values[0])]
        await walks(interaction, self.capacity).turn(interaction, self.place(picks))


class OfferSelect(Component):
    """The answer to the first question of `/move`: which of the offers."""

    template = buttons.OFFER_ID
    right = "play"

    @property
    def capacity(self) -> Capacity:
        """In what capacity its user acts."""
        return buttons.by_hand(self.values[0])[1]

    async def act(self, interaction: BotInteraction) -> None:
        """Continue with the offer picked."""
        self.key, _ = buttons.by_hand(self.values[0])
        await interaction.client.wizard.turn(interaction, self.place())


class AmountModal(Component):
    """The modal in which an amount was typed."""

    template = buttons.FORM_ID
    right = "play"

    async def act(self, interaction: BotInteraction) -> None:
        """Continue with the amount; a modal opened from a message for everybody leads to one for this user alone."""
        picks = [*split(self.picked), typed_amount(self.fields)]
        wizard = walks(interaction, self.capacity)
        place = self.place(picks)
        await (wizard.turn if is_private(interaction) else wizard.open)(interaction, place)


class MakeTriedButton(Component):
    """The `yes` to making the moves of a what-if."""

    template = MAKE_TRIED_ID
    right = "play"

    async def act(self, interaction: BotInteraction) -> None:
        """Make them."""
        what_if = interaction.client.what_if.find(interaction, self.game, self.seq)
        await interaction.client.flows.make_tried(interaction, what_if)


class WhatIfButton(Component):
    """Undoes what-if moves, tries them anew, or shows the what-if."""

    template = WHAT_IF_ID
    right = "look"
    cost = Kind.QUESTION

    async def act(self, interaction: BotInteraction) -> None:
        """Do it in the same message."""
        await interaction.client.what_if.choice(interaction, self.game, self.seq, self.choice)


class OrderButton(Component):
    """A quick order, the modal for an order, or the withdrawal of one."""

    template = ORDER_ID
    right = "play"

    async def act(self, interaction: BotInteraction) -> None:
        """Do it, for the user's own seat."""
        await interaction.client.orders.click(interaction, self.game, self.choice, self.what)


class SkipSelect(Component):
    """The order to skip a step of a company."""

    template = SKIP_ID
    right = "play"

    async def act(self, interaction: BotInteraction) -> None:
        """Give it, for the user's own seat."""
        await interaction.client.orders.click(interaction, self.game, "skip", self.values[0])


class OrderModal(Component):
    """The modal in which an order was typed."""

    template = ORDER_FORM_ID
    right = "play"

    async def act(self, interaction: BotInteraction) -> None:
        """Give the order."""
        await interaction.client.orders.submitted(interaction, self.game, self.choice, self.fields)


MOVE_COMPONENTS: Final[tuple[type[Component], ...]] = (
    MoveButton,
    ConfirmButton,
    CancelButton,
    UndoButton,
    RedoButton,
    ProposeUndoButton,
    OpenMenuButton,
    StepButton,
    AmountButton,
    PickedMoveButton,
    SlotSelect,
    OfferSelect,
    AmountModal,
    MakeTriedButton,
    WhatIfButton,
    OrderButton,
    SkipSelect,
    OrderModal,
)
"""Components with which moves are made, tried, undone and ordered."""
