"""What a press on a button, a choice in a menu or a form leads to, from what the id of the component carries."""

import re
from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any, Final, Generic, Self, TypeVar, cast

import discord

from bot.client import buttons
from bot.client.buttons import Button, Menu
from bot.client.desk import Asked
from bot.client.forms import typed_amount
from bot.client.hands import hand_of
from bot.client.holding import edit_pressed, hold, release
from bot.client.replies import say, tell
from bot.client.rights import needed, require
from bot.client.screens import Place, split

NUMBERS: Final = frozenset({"game", "seq", "page", "number"})
"""Parts of an id that are numbers."""
NEVER: Final = r"(?!)"
"""The id of no component."""
Used = TypeVar("Used", Button, Menu)


class Press(discord.ui.DynamicItem[Used], ABC, Generic[Used], template=NEVER):
    """A component that was used. It always answers: an error of any kind becomes a private sentence."""

    # What ids carry, each kind its part of it.
    game: int
    seq: int
    key: str
    page: int
    number: int
    picked: str
    wish: str
    what: str

    @classmethod
    async def from_custom_id(
        cls, interaction: discord.Interaction[Any], item: discord.ui.Item[Any], match: re.Match[str], /
    ) -> Self:
        """The component that was used, with what its id carries."""
        del interaction
        press = cls(cast("Used", item))  # its id says which kind of component it is
        for name, text in match.groupdict().items():
            setattr(press, name, int(text) if name in NUMBERS else text)
        return press

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """Do what the component is for; tell the person of any problem, privately."""
        hold(interaction)
        try:
            if await interaction.client.gate.admits(interaction):
                await require(interaction, needed(type(self).__name__, self.hand), self.game)
                if self.game:
                    interaction.client.acts(self.game, interaction.user.id)
                await self.act(interaction)
        except Exception as error:  # noqa: BLE001 - discord.py would swallow it, and the person would hear nothing
            await tell(interaction, error)
        finally:
            await release(interaction)

    @property
    def hand(self) -> str:
        """In whose name it is used."""
        return hand_of(getattr(self, "key", ""))

    @abstractmethod
    async def act(self, interaction: Asked) -> None:
        """What the component is for."""


class MovePress(Press[Button], template=buttons.MOVE_ID):
    """A move of one click."""

    async def act(self, interaction: Asked) -> None:
        """Make the move, or ask first."""
        await interaction.client.flows.press(interaction, self.game, self.seq, self.key)


class ConfirmPress(Press[Button], template=buttons.CONFIRM_ID):
    """The `yes` to a move that cannot be taken back."""

    async def act(self, interaction: Asked) -> None:
        """Make the move."""
        await interaction.client.flows.confirm(interaction, self.game, self.seq, self.key)


class CancelPress(Press[Button], template=buttons.CANCEL_ID):
    """The `no` to a question."""

    async def act(self, interaction: Asked) -> None:
        """Close the question."""
        await edit_pressed(interaction, content="Nothing was done.", view=None)


class UndoPress(Press[Button], template=buttons.UNDO_ID):
    """Takes back one's own last move."""

    async def act(self, interaction: Asked) -> None:
        """Take the move back."""
        await interaction.client.flows.undo(interaction, self.game, self.seq)


class MenuPress(Press[Button], template=buttons.MENU_ID):
    """Opens the menus of an offer."""

    async def act(self, interaction: Asked) -> None:
        """Ask the first question, privately."""
        await interaction.client.wizard.open(interaction, Place(self.game, self.seq, self.key))


class StepPress(Press[Button], template=buttons.STEP_ID):
    """Goes on, or back, to another step of an offer, or to another page of a menu."""

    async def act(self, interaction: Asked) -> None:
        """Show it."""
        place = Place(self.game, self.seq, self.key, split(self.picked), self.page)
        await interaction.client.wizard.turn(interaction, place)


class AmountPress(Press[Button], template=buttons.AMOUNT_ID):
    """Opens the form in which an amount is typed."""

    async def act(self, interaction: Asked) -> None:
        """Open it; a form is the first answer, or none."""
        place = Place(self.game, self.seq, self.key, split(self.picked))
        await interaction.client.wizard.form(interaction, place)


class MakePress(Press[Button], template=buttons.MAKE_ID):
    """Makes a move of several picks."""

    async def act(self, interaction: Asked) -> None:
        """Make it."""
        place = Place(self.game, self.seq, self.key, split(self.picked))
        await interaction.client.wizard.make(interaction, place)


class Pick(Press[Menu], template=buttons.PICK_ID):
    """The answer to one question of an offer."""

    async def act(self, interaction: Asked) -> None:
        """Go on with the value picked."""
        picks = [*split(self.picked), *split(self.item.values[0])]
        await interaction.client.wizard.turn(interaction, Place(self.game, self.seq, self.key, picks))


class OfferPick(Press[Menu], template=buttons.OFFER_ID):
    """The answer to the first question of `/move`: which of the offers."""

    @property
    def hand(self) -> str:
        """In whose name it is used."""
        return hand_of(self.item.values[0])

    async def act(self, interaction: Asked) -> None:
        """Go on with the offer picked."""
        await interaction.client.wizard.turn(interaction, Place(self.game, self.seq, self.item.values[0]))


class MendPress(Press[Button], template=buttons.MEND_ID):
    """The `yes` to mending or ending a damaged game."""

    async def act(self, interaction: Asked) -> None:
        """Do it."""
        await interaction.client.mends.confirm(interaction, self.game, self.seq, self.wish)


class MotionPress(Press[Button], template=buttons.MOTION_ID):
    """The answer to what is proposed to a table."""

    async def act(self, interaction: Asked) -> None:
        """Note it, and do what is agreed then."""
        await interaction.client.motions.answer(interaction, self.game, self.number, self.wish)


class DeedPress(Press[Button], template=buttons.DEED_ID):
    """The `yes` to what a moderator is about to do."""

    async def act(self, interaction: Asked) -> None:
        """Do it."""
        await interaction.client.moderation.confirm(interaction, self.game, self.seq, self.wish, self.number)


class LobbyPress(Press[Button], template=buttons.LOBBY_ID):
    """Join, leave or start on a lobby message."""

    async def act(self, interaction: Asked) -> None:
        """Do it, and bring the lobby message up to date."""
        await interaction.client.flows.lobby_press(interaction, self.game, self.wish)


class PrivacyPress(Press[Button], template=buttons.PRIVACY_ID):
    """What is kept of whoever presses, and its removal; belongs to no game."""

    game = 0

    async def act(self, interaction: Asked) -> None:
        """Answer, or do it."""
        await interaction.client.privacy.press(interaction, self.wish)


class MutePress(Press[Button], template=buttons.MUTE_ID):
    """No more calls in a game until whoever presses has acted; in direct messages, too."""

    async def act(self, interaction: Asked) -> None:
        """Note it, and say so privately."""
        await say(interaction, await interaction.client.calls.mute(self.game, interaction.user.id))


class ClaimPress(Press[Button], template=buttons.CLAIM_ID):
    """A seat of a game that was imported; there is no game yet."""

    game = 0

    async def act(self, interaction: Asked) -> None:
        """Take the seat or give it back; with the last one the game goes on."""
        await interaction.client.imports.claim(interaction, self.number)


class ImportPress(Press[Button], template=buttons.IMPORT_ID):
    """The `yes` to importing a file again; there is no game yet."""

    game = 0

    async def act(self, interaction: Asked) -> None:
        """Let its seats be claimed."""
        await interaction.client.imports.again(interaction)


class RulesPick(Press[Menu], template=buttons.RULES_ID):
    """Profile or options on a lobby message."""

    async def act(self, interaction: Asked) -> None:
        """Change what was agreed, and bring the lobby message up to date."""
        await interaction.client.flows.lobby_rules(interaction, self.game, self.what, self.item.values)


PRESSES: Final = (
    MovePress,
    ConfirmPress,
    CancelPress,
    UndoPress,
    MenuPress,
    StepPress,
    AmountPress,
    MakePress,
    Pick,
    OfferPick,
    MendPress,
    MotionPress,
    DeedPress,
    LobbyPress,
    RulesPick,
    PrivacyPress,
    MutePress,
    ClaimPress,
    ImportPress,
)
"""Every press there may be, on components of old messages, too."""


async def submitted(interaction: Asked) -> None:
    """A form was sent: go on with the amount; tell the person of any problem, privately."""
    data: Mapping[str, Any] = interaction.data or {}
    found = re.fullmatch(buttons.FORM_ID, data.get("custom_id", ""))
    if found is None:
        return
    hold(interaction)
    try:
        if await interaction.client.gate.admits(interaction):
            game_id = int(found["game"])
            await require(interaction, needed("AmountPress", hand_of(found["key"])), game_id)
            interaction.client.acts(game_id, interaction.user.id)
            picks = [*split(found["picked"]), typed_amount(data)]
            place = Place(game_id, int(found["seq"]), found["key"], picks)
            wizard = interaction.client.wizard
            # A form that was opened from a message for everybody leads to one for this person alone.
            await (wizard.turn if _is_private(interaction) else wizard.open)(interaction, place)
    except Exception as error:  # noqa: BLE001 - discord.py would swallow it, and the person would hear nothing
        await tell(interaction, error)
    finally:
        await release(interaction)


def _is_private(interaction: Asked) -> bool:
    return interaction.message is not None and interaction.message.flags.ephemeral
