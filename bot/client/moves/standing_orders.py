"""Standing orders on Discord: by commands, buttons and forms alike; their owners are notified when they end."""

import logging
import re
from collections.abc import Mapping
from typing import Any, Final

import discord

from bot.client.components import turn_buttons
from bot.client.components.buttons import BUTTONS, NUMBER
from bot.client.components.order_buttons import (
    MAXIMA,
    MAXIMUM,
    PRIVATE,
    THEN,
    maximum_form,
    order_button,
    seal_form,
    skip_menu,
)
from bot.client.entry.replies import after, edit_pressed, is_private, open_form, say, unless_stopped
from bot.client.entry.showable import require_showable
from bot.client.posts.turn_messages import Turns
from bot.client.requests.problems import Problem
from bot.client.texts.game_texts import pieces
from bot.table.errors import Refused
from bot.table.moves.walk import as_written
from bot.table.orders import ordering
from bot.table.orders.own_orders import Listed, listed, order_taps
from bot.table.orders.quick_orders import meant
from bot.table.orders.sealed import require_sealing
from bot.table.pings.ended_orders import ended_since
from bot.table.tables import Tables
from engine.core.ids import PlayerId
from engine.game import Game
from engine.orders import Order, giving
from engine.orders.common import biddable
from storage.errors import StorageError
from storage.tables import orders

_log = logging.getLogger("stationmaster.replies")

ROW: Final = 5
"""Buttons that a menu takes the place of."""
AMOUNT: Final = re.compile(r"\$?\s*([0-9][0-9,]{0,8})")
"""Dollars as they are typed: `120`, `$1,200`."""
LINE: Final = re.compile(r"\s*(?P<private>\S.*?)\s*[:=\s]\s*\$?(?P<most>[0-9][0-9,]{0,8})\s*")
"""A private and its maximum: `CV: 250`."""


class Orders:
    """Gives, lists and withdraws users' orders."""

    def __init__(self, tables: Tables, turns: Turns) -> None:
        self._tables = tables
        self._turns = turns

    async def give(self, interaction: discord.Interaction[Any], game_id: int, make: ordering.Make) -> None:
        """Let an order stand, and say so privately: in the list of one's orders, if it was given there."""
        require_showable(interaction)
        async with unless_stopped(interaction):
            outcome = await ordering.give(self._tables, game_id, interaction.user.id, make)
        with after(outcome.stored()):
            # First: on a turn message the answer to the click is its edit.
            await self._turns.show_next(interaction, game_id)
            if not await self._refreshed(interaction, game_id, "\n".join(outcome.lines)):
                await say(interaction, "\n".join(outcome.lines))

    async def click(
        self, interaction: discord.Interaction[Any], game_id: int, choice: str, what: str
    ) -> None:
        """A button: a quick order, a form, or an order that is withdrawn."""
        if choice in ("max", "seal"):
            await self._open(interaction, game_id, choice)
        elif choice == "withdraw":
            number = int(what) if re.fullmatch(NUMBER, what) else 0
            done = await ordering.withdraw(self._tables, game_id, interaction.user.id, number)
            with after(done):
                await self._refreshed(interaction, game_id, done)
        else:
            await self.give(interaction, game_id, lambda game, _: meant(game, choice, what))

    async def submitted(
        self, interaction: discord.Interaction[Any], game_id: int, choice: str, fields: Mapping[str, str]
    ) -> None:
        """A form that was sent."""
        if choice != "seal":
            await self.give(interaction, game_id, _maximum(fields))
            return
        try:
            await self.give(interaction, game_id, _sealed(fields))
        except Refused as error:
            # The form is gone, with all that was typed in it.
            typed = fields.get(MAXIMA, "").replace("`", "'")
            raise Refused(f"{error}\nYou typed:\n```\n{typed}\n```") from error

    async def show(self, interaction: discord.Interaction[Any], game_id: int) -> None:
        """List the person's orders, with buttons for what may be ordered now."""
        found = await listed(self._tables, game_id, interaction.user.id)
        if await say(interaction, found.text, view=_buttons(game_id, found)):
            await self._read(game_id, found)

    async def tell_ended(self, interaction: discord.Interaction[Any], game_id: int) -> None:
        """Tell the user privately, and once, which of their orders have ended since, and why."""
        if interaction.response.type is discord.InteractionResponseType.modal:
            return
        try:
            text, numbers = await ended_since(self._tables, game_id, interaction.user.id)
        except (Refused, StorageError) as error:
            # What was asked for is done and answered; a game that cannot be read tells of that where it is asked for.
            _log.info("game %s: ended orders could not be reported: %s", game_id, error)
            return
        if not text:
            return
        try:
            heard = await say(interaction, text)
        except Problem as error:
            _log.info("game %s: ended orders will be reported with the next answer: %r", game_id, error)
            heard = False
        if not heard:
            await orders.mark_not_notified(self._tables.db, game_id, numbers)

    async def _open(self, interaction: discord.Interaction[Any], game_id: int, choice: str) -> None:
        """Open a form: it is the first answer, or none."""
        async with self._tables.reading(game_id) as live:
            self._tables.require_playable(live)
            player = self._tables.seat_of(live, interaction.user.id)
            left, spec = biddable(live.game), live.game.rules.spec
            if not left:
                raise Refused("No privates are bid on now.")
            if choice == "max":
                names = {p: f"{p}: {spec.privates[p].name}, ${spec.privates[p].value}" for p in left}
                form = maximum_form(game_id, names)
            else:
                await require_sealing(self._tables.db, live)
                old = await ordering.sealed_by(self._tables, live, player)
                form = seal_form(game_id, spec, {p: old.get(p, 0) for p in left})
        await open_form(interaction, form)

    async def _refreshed(self, interaction: discord.Interaction[Any], game_id: int, done: str) -> bool:
        """Bring the list up to date in which something was pressed; False where it was elsewhere."""
        if not is_private(interaction):
            return False
        found = await listed(self._tables, game_id, interaction.user.id)
        first, *rest = pieces(f"{done}\n{found.text}")
        await edit_pressed(interaction, content=first, view=_buttons(game_id, found))
        for piece in rest:
            await say(interaction, piece)
        await self._read(game_id, found)
        return True

    async def _read(self, game_id: int, found: Listed) -> None:
        """Mark the ended orders as notified, for a user who has read why."""
        await orders.mark_notified(self._tables.db, game_id, found.ended)


def _buttons(game_id: int, found: Listed) -> discord.ui.View:
    buttons = [order_button(game_id, *tap) for tap in order_taps(found)]
    menu = [skip_menu(game_id, found.skips)] if found.skips else []
    return turn_buttons.rows_of([*buttons[: BUTTONS - len(menu) * ROW], *menu])


def _maximum(fields: Mapping[str, str]) -> ordering.Make:
    found = AMOUNT.fullmatch(fields.get(MAXIMUM, "").strip())
    if found is None:
        raise Refused("A maximum is a number of whole dollars, such as 120.")
    most, private = int(found[1].replace(",", "")), fields.get(PRIVATE, "")
    then = fields.get(THEN, "pass")
    return lambda game, _: giving.bid_up_to(game, private, most, "ask" if then == "ask" else "pass")


def _sealed(fields: Mapping[str, str]) -> ordering.Make:
    typed: list[tuple[str, int]] = []
    for line in filter(str.strip, fields.get(MAXIMA, "").splitlines()):
        found = LINE.fullmatch(line)
        if found is None:
            raise Refused(f"This is no private with a maximum: {line.strip()}. A line is such as `CV: 250`.")
        typed.append((found["private"], int(found["most"].replace(",", ""))))

    def make(game: Game, player: PlayerId) -> Order:
        del player
        maxima: dict[str, int] = {}
        for private, most in ((as_written(game, private), most) for private, most in typed):
            if private in maxima:
                raise Refused(f"{private} stands there twice: each private has one maximum.")
            maxima[private] = most
        return giving.seal(game, maxima)

    return make
