"""Standing orders: `/orders`, quick orders and sealed bids."""

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final, Literal

import discord
from discord import app_commands

from bot.client.bot_client import BotInteraction, game_here
from bot.client.buttons import BUTTONS, NUMBER, TITLE, Menu, shortened, view_of
from bot.client.component import Component
from bot.client.entry.replies import (
    defer,
    edit_pressed,
    is_private,
    open_form,
    reply,
    report_if_cancelled,
    stored_but_not_shown,
)
from bot.client.entry.rights import needs
from bot.client.entry.showable import require_showable
from bot.client.game_texts import message_pieces
from bot.client.parameters import Name, Number, companies, complete_entity, complete_slot
from bot.client.turn_panel import ORDER_ID, order_button
from bot.table.errors import Refused
from bot.table.moves.slot_values import as_written
from bot.table.orders import player_orders
from bot.table.orders.player_orders import OrderList, list_orders, more_quick_orders, order_behind
from bot.table.orders.sealed_auction import require_sealing
from bot.table.rate_limits import Kind
from engine import Game, PlayerId, TitleSpec
from engine import orders as order_rules
from storage import orders as stored

ROW: Final = 5
"""Buttons that a menu takes the place of."""
OPTIONS: Final = 25
"""Discord takes this many options in a menu."""
SKIPS: Final = {"track": "track", "token": "tokens"}
"""The steps that may be skipped, as the menu says them."""

# --- the commands ----------------------------------------------------------------------------------------------------

orders = app_commands.Group(name="orders", description="Moves that the bot makes for you.", guild_only=True)


@orders.command(name="list", extras=needs("play", Kind.QUESTION))
async def list_(interaction: BotInteraction) -> None:
    """List your orders in this game and when each stops."""
    await defer(interaction)
    game_id = game_here(interaction)
    listed = await list_orders(interaction.client.tables, game_id, interaction.user.id)
    if await reply(interaction, listed.text, view=list_panel(game_id, listed)):
        await _mark_read(interaction, game_id, listed)


@orders.command(name="withdraw", extras=needs("play"))
@app_commands.describe(number="The order's number in `/orders list`")
async def withdraw(interaction: BotInteraction, number: Number) -> None:
    """Withdraw an order."""
    await defer(interaction)
    tables, game = interaction.client.tables, game_here(interaction)
    await reply(interaction, await player_orders.withdraw_order(tables, game, interaction.user.id, number))


@orders.command(name="pass", extras=needs("play"))
@app_commands.describe(until="Stop when something concerns you, or pass until the round ends")
async def pass_(interaction: BotInteraction, until: Literal["concerned", "over"] = "concerned") -> None:
    """Pass in this stock round, or the next."""
    await _give_order(interaction, lambda game, _: order_rules.pass_stock(game, until))


@orders.command(name="buy", extras=needs("play"))
@app_commands.describe(
    company="The company",
    source="Buy from the IPO (default) or the market",
    shares="Stop when you hold this many; default: when the company floats",
)
@app_commands.autocomplete(company=complete_slot("buy", "company"), source=complete_slot("buy", "source"))
async def buy(
    interaction: BotInteraction,
    company: Name,
    source: Name = "offering",
    shares: app_commands.Range[int, 1, 20] | None = None,
) -> None:
    """Buy a share of a company in each turn of this stock round, then pass."""
    await _give_order(
        interaction, lambda game, _: order_rules.buy_shares(game, as_written(game, company), source, shares)
    )


@orders.command(name="bid", extras=needs("play"))
@app_commands.describe(
    private="Which private",
    maximum="Your highest bid",
    then="What to do when others bid more; default: pass",
)
@app_commands.autocomplete(private=complete_slot("bid", "private"))
async def bid(
    interaction: BotInteraction, private: Name, maximum: Number, then: Literal["pass", "ask"] = "pass"
) -> None:
    """Bid on a private up to a price that only you see."""
    await _give_order(
        interaction, lambda game, _: order_rules.bid_up_to(game, as_written(game, private), maximum, then)
    )


@orders.command(name="run", extras=needs("play"))
@app_commands.describe(company="Which company", dividend="What to do with the revenue; default: pay")
@app_commands.autocomplete(company=complete_entity("run"))
async def run(
    interaction: BotInteraction, company: Name, dividend: Literal["pay", "withhold", "half"] = "pay"
) -> None:
    """Run the best routes of a company, and pay out or withhold."""
    await _give_order(
        interaction, lambda game, _: order_rules.run_best(game, as_written(game, company), dividend)
    )


@orders.command(name="skip", extras=needs("play"))
@app_commands.describe(
    step="What to skip",
    company="Which company",
    until="Until you withdraw it (default), or until the current phase ends",
)
@app_commands.autocomplete(company=companies)
async def skip(
    interaction: BotInteraction,
    step: Literal["track", "tokens"],
    company: Name,
    until: Literal["withdrawn", "phase"] = "withdrawn",
) -> None:
    """Skip the track or the tokens of a company in each of its turns."""
    skipped: order_rules.Skipped = "track" if step == "track" else "token"
    await _give_order(
        interaction, lambda game, _: order_rules.skip_step(game, as_written(game, company), skipped, until)
    )


@orders.command(name="merger", extras=needs("play"))
async def merger(interaction: BotInteraction) -> None:
    """Pass in this or the next merger round."""
    await _give_order(interaction, lambda game, _: order_rules.pass_merger(game))


@orders.command(name="done", extras=needs("play"))
async def done(interaction: BotInteraction) -> None:
    """End this step after your next move in it."""
    await _give_order(interaction, order_rules.done_after)


async def _give_order(interaction: BotInteraction, build_order: player_orders.OrderBuilder) -> None:
    await defer(interaction)
    await give_order(interaction, game_here(interaction), build_order)


# --- the buttons -----------------------------------------------------------------------------------------------------


class OrderButton(Component):
    """The button of a quick order, an order's form, or a withdrawal."""

    template = ORDER_ID
    right = "play"

    async def act(self, interaction: BotInteraction) -> None:
        """Do it for the user's own seat."""
        if self.choice in ("max", "seal"):
            await _open_form(interaction, self.game, self.choice)
        elif self.choice == "withdraw":
            number = int(self.what) if re.fullmatch(NUMBER, self.what) else 0
            done = await player_orders.withdraw_order(
                interaction.client.tables, self.game, interaction.user.id, number
            )
            with stored_but_not_shown(done):
                await _refreshed(interaction, self.game, done)
        else:
            await give_order(
                interaction, self.game, lambda game, _: order_behind(game, self.choice, self.what)
            )


class SkipSelect(Component):
    """The select menu to skip a company's step."""

    template = rf"zs:(?P<game>{NUMBER})"
    right = "play"

    async def act(self, interaction: BotInteraction) -> None:
        """Give the order for the user's own seat."""
        await give_order(interaction, self.game, lambda game, _: order_behind(game, "skip", self.values[0]))


def skip_menu(game: int, skips: Sequence[order_rules.SkipStep]) -> Menu:
    """The menu of steps and companies to skip."""
    options = [
        discord.SelectOption(
            label=f"{skip.company}: skip {SKIPS[skip.step]}", value=f"{skip.company},{skip.step}"
        )
        for skip in skips
    ]
    prompt = "Skip track or tokens of a company"
    return discord.ui.Select(custom_id=f"zs:{game}", placeholder=prompt, options=options[:OPTIONS])


def list_panel(game_id: int, order_list: OrderList) -> discord.ui.View:
    """Buttons for possible orders, and for withdrawing standing ones."""
    buttons = [order_button(game_id, *tap) for tap in more_quick_orders(order_list)]
    menu = [skip_menu(game_id, order_list.skips)] if order_list.skips else []
    return view_of([*buttons[: BUTTONS - len(menu) * ROW], *menu])


# --- the forms -------------------------------------------------------------------------------------------------------

PRIVATE, MAXIMUM, THEN, MAXIMA = "private", "maximum", "then", "maxima"
"""Ids of the fields of the forms."""
SETTLED: Final = "The highest bid wins; the first message of the game says how."
"""The hint of the form about the sale."""
SIGNS: Final = 12
"""Characters of an amount."""
MOST_SIGNS: Final = 1000
"""Characters of the bids on all privates."""
LABEL: Final = 100
"""Characters of an option."""
WORDS: Final = 4000
"""Characters of a text in a form."""
THENS: Final = {"pass": "Pass when others bid more", "ask": "Ask me when others bid more"}
"""The choices once the bid is reached, with the labels of the options."""
AMOUNT: Final = re.compile(r"\$?\s*([0-9][0-9,]{0,8})")
"""Dollars as they are typed: `120`, `$1,200`."""
LINE: Final = re.compile(r"\s*(?P<private>\S.*?)\s*[:=\s]\s*\$?(?P<most>[0-9][0-9,]{0,8})\s*")
"""A private and its bid: `CV: 250`."""


class OrderModal(Component):
    """The form of an order."""

    template = rf"zf:(?P<game>{NUMBER}):(?P<choice>max|seal)"
    right = "play"

    async def act(self, interaction: BotInteraction) -> None:
        """Give the order; a refusal returns the typed text, since the form is gone."""
        if self.choice != "seal":
            await give_order(interaction, self.game, _maximum(self.fields))
            return
        try:
            await give_order(interaction, self.game, _sealed(self.fields))
        except Refused as error:
            typed = self.fields.get(MAXIMA, "").replace("`", "'")
            raise Refused(f"{error}\nYou typed:\n```\n{typed}\n```") from error


async def _open_form(interaction: BotInteraction, game_id: int, choice: str) -> None:
    """Open an order's form, as the first response."""
    tables = interaction.client.tables
    async with tables.reading(game_id) as live:
        tables.require_playable(live)
        player = tables.seat_of(live, interaction.user.id)
        left, spec = order_rules.biddable(live.game), live.game.rules.spec
        if not left:
            raise Refused("There is no auction of privates now.")
        if choice == "max":
            names = {p: f"{p}: {spec.privates[p].name}, ${spec.privates[p].value}" for p in left}
            form = maximum_form(game_id, names)
        else:
            await require_sealing(tables.db, live)
            old = await player_orders.sealed_by(tables, live, player)
            form = seal_form(game_id, spec, {p: old.get(p, 0) for p in left})
    await open_form(interaction, form)


def maximum_form(game: int, privates: dict[str, str]) -> discord.ui.Modal:
    """The form for a private (ids with labels), a maximum, and the action beyond it."""
    form = discord.ui.Modal(title="Sealed bid", custom_id=f"zf:{game}:max")
    several = [
        discord.SelectOption(label=shortened(name, LABEL), value=private)
        for private, name in privates.items()
    ][:OPTIONS]
    thens = [
        discord.SelectOption(label=says, value=then, default=then == "pass") for then, says in THENS.items()
    ]
    amount: discord.ui.TextInput[Any] = discord.ui.TextInput(custom_id=MAXIMUM, max_length=SIGNS)
    choice: discord.ui.Select[Any] = discord.ui.Select(custom_id=PRIVATE, options=several)
    then: discord.ui.Select[Any] = discord.ui.Select(custom_id=THEN, options=thens)
    for label, component in (("Private", choice), ("Your highest bid", amount), ("Then", then)):
        form.add_item(discord.ui.Label(text=label, component=component))
    form.stop()
    return form


def seal_form(game: int, spec: TitleSpec, maxima: dict[str, int]) -> discord.ui.Modal:
    """The form of sealed bids, with a field for each remaining private."""
    form = discord.ui.Modal(title=shortened("Seal your bids", TITLE), custom_id=f"zf:{game}:seal")
    lines = "\n".join(f"{private}: {most}" for private, most in maxima.items())
    field: discord.ui.TextInput[Any] = discord.ui.TextInput(
        custom_id=MAXIMA, style=discord.TextStyle.paragraph, default=lines, max_length=MOST_SIGNS
    )
    values = ", ".join(f"{private} ${spec.privates[private].value}" for private in maxima)
    hint = f"Values: {values}. 0: no bid. {SETTLED}"
    form.add_item(discord.ui.TextDisplay(shortened(hint, WORDS)))
    form.add_item(discord.ui.Label(text="Your highest bid for each", component=field))
    form.stop()
    return form


def _maximum(fields: Mapping[str, str]) -> player_orders.OrderBuilder:
    match = AMOUNT.fullmatch(fields.get(MAXIMUM, "").strip())
    if match is None:
        raise Refused("Type a sealed bid in whole dollars, such as 120.")
    most, private = int(match[1].replace(",", "")), fields.get(PRIVATE, "")
    then = fields.get(THEN, "pass")
    return lambda game, _: order_rules.bid_up_to(game, private, most, "ask" if then == "ask" else "pass")


def _sealed(fields: Mapping[str, str]) -> player_orders.OrderBuilder:
    typed: list[tuple[str, int]] = []
    for line in filter(str.strip, fields.get(MAXIMA, "").splitlines()):
        match = LINE.fullmatch(line)
        if match is None:
            raise Refused(
                f"Cannot read '{line.strip()}': each line is a private and a bid, such as `CV: 250`."
            )
        typed.append((match["private"], int(match["most"].replace(",", ""))))

    def make(game: Game, player: PlayerId) -> order_rules.Order:
        del player
        maxima: dict[str, int] = {}
        for private, most in ((as_written(game, private), most) for private, most in typed):
            if private in maxima:
                raise Refused(f"{private} is listed twice: give one bid for each private.")
            maxima[private] = most
        return order_rules.seal(game, maxima)

    return make


# --- what they do ----------------------------------------------------------------------------------------------------


async def give_order(
    interaction: BotInteraction, game_id: int, build_order: player_orders.OrderBuilder
) -> None:
    """Give an order, and confirm it privately, in the user's list if it was given there."""
    require_showable(interaction)
    async with report_if_cancelled(interaction):
        outcome = await player_orders.give_order(
            interaction.client.tables, game_id, interaction.user.id, build_order
        )
    with stored_but_not_shown(outcome.stored_text()):
        # First: on a turn message the answer to the click is its edit.
        await interaction.client.turns.show_next(interaction, game_id)
        if not await _refreshed(interaction, game_id, "\n".join(outcome.lines)):
            await reply(interaction, "\n".join(outcome.lines))


async def _refreshed(interaction: BotInteraction, game_id: int, done: str) -> bool:
    """Update the list in which a button was pressed; False if it was elsewhere."""
    if not is_private(interaction):
        return False
    listed = await list_orders(interaction.client.tables, game_id, interaction.user.id)
    first, *rest = message_pieces(f"{done}\n{listed.text}")
    await edit_pressed(interaction, content=first, view=list_panel(game_id, listed))
    for piece in rest:
        await reply(interaction, piece)
    await _mark_read(interaction, game_id, listed)
    return True


async def _mark_read(interaction: BotInteraction, game_id: int, order_list: OrderList) -> None:
    """Mark ended orders as known to a user who has read the reasons."""
    await stored.mark_notified(interaction.client.tables.db, game_id, order_list.ended)
