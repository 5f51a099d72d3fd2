"""Standing orders (`/orders`), by which the bot moves for a player; their buttons; and sealed bids."""

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final, Literal

import discord
from discord import app_commands

from bot.client.bot_client import BotInteraction, game_id_here
from bot.client.buttons import (
    ID_NUMBER_PATTERN,
    MAX_BUTTONS,
    MAX_FORM_TITLE_LENGTH,
    Menu,
    shortened_label,
    view_with_items,
)
from bot.client.component import Component
from bot.client.entry.replies import (
    defer,
    edit_clicked_message,
    is_private,
    open_form,
    reply,
    report_if_cancelled,
    wrap_as_stored_but_failed,
)
from bot.client.entry.rights import needs
from bot.client.entry.showable import require_moves_showable_here
from bot.client.game_texts import message_pieces
from bot.client.parameters import Name, Number, complete_actor, complete_company, complete_move_parameter
from bot.client.turn_panel import ORDER_BUTTON_PATTERN, order_button
from bot.table.errors import Refused
from bot.table.moves.slot_values import canonical_id
from bot.table.orders import player_orders
from bot.table.orders.player_orders import OrderList, list_orders, order_of_button, quick_orders_of_list
from bot.table.orders.sealed_auction import require_sealing
from bot.table.rate_limits import RequestKind
from engine import Game, PlayerId, TitleSpec
from engine import orders as order_rules
from storage import orders as stored

BUTTONS_PER_ROW: Final = 5
"""Discord's limit for the buttons in a row; a menu takes a whole row."""
MAX_OPTIONS: Final = 25
"""Discord's limit for the options of a menu."""
SKIPPABLE_STEP_LABELS: Final = {"track": "track", "token": "tokens"}
"""Menu labels of the steps (track, tokens) that an order can skip."""

# --- the commands ----------------------------------------------------------------------------------------------------

orders = app_commands.Group(name="orders", description="Moves that the bot makes for you.", guild_only=True)


@orders.command(name="list", extras=needs("play", RequestKind.QUESTION))
async def list_orders_here(interaction: BotInteraction) -> None:
    """List your orders in this game, and when each one ends."""
    await defer(interaction)
    game_id = game_id_here(interaction)
    order_list = await list_orders(interaction.client.tables, game_id, interaction.user.id)
    if await reply(interaction, order_list.text, view=order_list_buttons(game_id, order_list)):
        await _mark_ended_orders_read(interaction, game_id, order_list)


@orders.command(name="withdraw", extras=needs("play"))
@app_commands.describe(number="The order's number in `/orders list`")
async def withdraw(interaction: BotInteraction, number: Number) -> None:
    """Withdraw an order."""
    await defer(interaction)
    tables, game_id = interaction.client.tables, game_id_here(interaction)
    await reply(interaction, await player_orders.withdraw_order(tables, game_id, interaction.user.id, number))


@orders.command(name="pass", extras=needs("play"))
@app_commands.describe(until="Stop when something concerns you, or pass until the round ends")
async def pass_(interaction: BotInteraction, until: Literal["concerned", "over"] = "concerned") -> None:
    """Pass in this stock round, or the next."""
    await _build_and_give_order(interaction, lambda game, _: order_rules.pass_stock_order(game, until))


@orders.command(name="buy", extras=needs("play"))
@app_commands.describe(
    company="The company",
    source="Buy from the IPO (default) or the market",
    shares="Stop when you hold this many; default: when the company floats",
)
@app_commands.autocomplete(
    company=complete_move_parameter("buy", "company"), source=complete_move_parameter("buy", "source")
)
async def buy(
    interaction: BotInteraction,
    company: Name,
    source: Name = "offering",
    shares: app_commands.Range[int, 1, 20] | None = None,
) -> None:
    """Buy a share of a company in each turn of this stock round, then pass."""
    await _build_and_give_order(
        interaction,
        lambda game, _: order_rules.buy_shares_order(game, canonical_id(game, company), source, shares),
    )


@orders.command(name="bid", extras=needs("play"))
@app_commands.describe(
    private="Which private",
    maximum="Your highest bid",
    then="What to do when others bid more; default: pass",
)
@app_commands.autocomplete(private=complete_move_parameter("bid", "private"))
async def bid(
    interaction: BotInteraction, private: Name, maximum: Number, then: Literal["pass", "ask"] = "pass"
) -> None:
    """Bid on a private up to a price that only you see."""
    await _build_and_give_order(
        interaction,
        lambda game, _: order_rules.bid_up_to_order(game, canonical_id(game, private), maximum, then),
    )


@orders.command(name="run", extras=needs("play"))
@app_commands.describe(company="Which company", dividend="What to do with the revenue; default: pay")
@app_commands.autocomplete(company=complete_actor("run"))
async def run(
    interaction: BotInteraction, company: Name, dividend: Literal["pay", "withhold", "half"] = "pay"
) -> None:
    """Run the best routes of a company, and pay out or withhold."""
    await _build_and_give_order(
        interaction, lambda game, _: order_rules.run_best_order(game, canonical_id(game, company), dividend)
    )


@orders.command(name="skip", extras=needs("play"))
@app_commands.describe(
    step="What to skip",
    company="Which company",
    until="Until you withdraw it (default), or until the current phase ends",
)
@app_commands.autocomplete(company=complete_company)
async def skip(
    interaction: BotInteraction,
    step: Literal["track", "tokens"],
    company: Name,
    until: Literal["withdrawn", "phase"] = "withdrawn",
) -> None:
    """Skip the track or the tokens of a company in each of its turns."""
    skipped_step: order_rules.SkippableStep = "track" if step == "track" else "token"
    await _build_and_give_order(
        interaction,
        lambda game, _: order_rules.skip_step_order(game, canonical_id(game, company), skipped_step, until),
    )


@orders.command(name="merger", extras=needs("play"))
async def pass_merger_rounds(interaction: BotInteraction) -> None:
    """Pass in this or the next merger round."""
    await _build_and_give_order(interaction, lambda game, _: order_rules.pass_merger_order(game))


@orders.command(name="done", extras=needs("play"))
async def end_step_after_move(interaction: BotInteraction) -> None:
    """End this step automatically after your next move in it."""
    await _build_and_give_order(interaction, order_rules.done_after_order)


async def _build_and_give_order(interaction: BotInteraction, build_order: player_orders.OrderBuilder) -> None:
    await defer(interaction)
    await give_order(interaction, game_id_here(interaction), build_order)


# --- the buttons -----------------------------------------------------------------------------------------------------


class OrderButton(Component):
    """A button that gives a standing order, opens the form for one, or withdraws one."""

    id_pattern = ORDER_BUTTON_PATTERN
    user_right = "play"

    async def act(self, interaction: BotInteraction) -> None:
        """Give or withdraw the standing order, or open its form. It is always for the user's own seat."""
        if self.choice in ("max", "seal"):
            await _open_form(interaction, self.game, self.choice)
        elif self.choice == "withdraw":
            number = int(self.subject) if re.fullmatch(ID_NUMBER_PATTERN, self.subject) else 0
            done_text = await player_orders.withdraw_order(
                interaction.client.tables, self.game, interaction.user.id, number
            )
            with wrap_as_stored_but_failed(done_text):
                await _refresh_order_list(interaction, self.game, done_text)
        else:
            await give_order(
                interaction, self.game, lambda game, _: order_of_button(game, self.choice, self.subject)
            )


class SkipSelect(Component):
    """The select menu of steps that a standing order can skip."""

    id_pattern = rf"zs:(?P<game>{ID_NUMBER_PATTERN})"
    user_right = "play"

    async def act(self, interaction: BotInteraction) -> None:
        """Give the order to skip the chosen step of a company."""
        await give_order(
            interaction, self.game, lambda game, _: order_of_button(game, "skip", self.values[0])
        )


def skip_menu(game: int, skip_steps: Sequence[order_rules.SkipStep]) -> Menu:
    """The menu of steps that standing orders can skip, such as `PRR: skip tokens`."""
    options = [
        discord.SelectOption(
            label=f"{skip_step_order.company}: skip {SKIPPABLE_STEP_LABELS[skip_step_order.step]}",
            value=f"{skip_step_order.company},{skip_step_order.step}",
        )
        for skip_step_order in skip_steps
    ]
    prompt = "Skip track or tokens of a company"
    return discord.ui.Select(custom_id=f"zs:{game}", placeholder=prompt, options=options[:MAX_OPTIONS])


def order_list_buttons(game_id: int, order_list: OrderList) -> discord.ui.View:
    """The buttons and menu below the list of a user's orders, which give or withdraw orders."""
    buttons = [order_button(game_id, *order) for order in quick_orders_of_list(order_list)]
    menus = [skip_menu(game_id, order_list.steps_to_skip)] if order_list.steps_to_skip else []
    return view_with_items([*buttons[: MAX_BUTTONS - len(menus) * BUTTONS_PER_ROW], *menus])


# --- the forms -------------------------------------------------------------------------------------------------------

PRIVATE_FIELD, MAXIMUM_FIELD, OUTBID_FIELD, SEALED_BIDS_FIELD = "private", "maximum", "then", "maxima"
"""Ids of the fields in the bid forms."""
AUCTION_RULES_HINT: Final = "The highest bid wins. The first message of the game has the details."
"""A hint in the form for sealed bids: where to read the rules of the private auction."""
MAX_AMOUNT_LENGTH: Final = 12
"""Longest amount that a user can type into the form, in characters."""
MAX_BIDS_LENGTH: Final = 1000
"""Longest list of bids that a user can type into the form, in characters."""
MAX_OPTION_LENGTH: Final = 100
"""Discord's limit for the label of a menu option, in characters."""
MAX_FORM_TEXT_LENGTH: Final = 4000
"""Discord's limit for a text in a form, in characters."""
OUTBID_LABELS: Final = {"pass": "Pass when others bid more", "ask": "Ask me when others bid more"}
"""Menu labels for what a bid order does when its maximum is exceeded: pass, or ask the player."""
AMOUNT_DIGITS_PATTERN: Final = "(?P<digits>[0-9][0-9,]{0,8})"
"""Regex for a typed amount without currency sign: `120`, `1,200`."""


class OrderModal(Component):
    """The form for a standing order: either a maximum bid on one private (`max`), or sealed bids (`seal`)."""

    id_pattern = rf"zf:(?P<game>{ID_NUMBER_PATTERN}):(?P<choice>max|seal)"
    user_right = "play"

    async def act(self, interaction: BotInteraction) -> None:
        """Give the order typed into the form. If the order is refused, the reply repeats the typed text."""
        if self.choice != "seal":
            await give_order(interaction, self.game, _read_maximum_bid(self.fields))
            return
        try:
            await give_order(interaction, self.game, _read_sealed_bids(self.fields))
        except Refused as error:
            typed_bids = self.fields.get(SEALED_BIDS_FIELD, "").replace("`", "'")
            raise Refused(f"{error}\nYou typed:\n```\n{typed_bids}\n```") from error


async def _open_form(interaction: BotInteraction, game_id: int, choice: str) -> None:
    tables = interaction.client.tables
    async with tables.reading(game_id) as live:
        tables.require_playable(live)
        player = tables.seat_of(live, interaction.user.id)
        private_ids, spec = order_rules.privates_to_bid_on(live.game), live.game.rules.spec
        if not private_ids:
            raise Refused("There is no auction of privates now.")
        if choice == "max":
            label_by_private = {
                private_id: f"{private_id}: {private.name}, {spec.money(private.face_value)}"
                for private_id in private_ids
                for private in [spec.privates[private_id]]
            }
            form = maximum_bid_form(game_id, label_by_private)
        else:
            await require_sealing(tables.db, live)
            old_bids = await player_orders.sealed_bids_of(tables, live, player)
            form = sealed_bids_form(
                game_id, spec, {private_id: old_bids.get(private_id, 0) for private_id in private_ids}
            )
    await open_form(interaction, form)


def maximum_bid_form(game: int, label_by_private: dict[str, str]) -> discord.ui.Modal:
    """The form for a standing bid order: a private, the maximum bid, and whether to pass or ask when outbid."""
    form = discord.ui.Modal(title="Sealed bid", custom_id=f"zf:{game}:max")
    private_options = [
        discord.SelectOption(label=shortened_label(name, MAX_OPTION_LENGTH), value=private)
        for private, name in label_by_private.items()
    ][:MAX_OPTIONS]
    outbid_options = [
        discord.SelectOption(label=option_label, value=outbid_field, default=outbid_field == "pass")
        for outbid_field, option_label in OUTBID_LABELS.items()
    ]
    amount_field: discord.ui.TextInput[Any] = discord.ui.TextInput(
        custom_id=MAXIMUM_FIELD, max_length=MAX_AMOUNT_LENGTH
    )
    private_field: discord.ui.Select[Any] = discord.ui.Select(
        custom_id=PRIVATE_FIELD, options=private_options
    )
    outbid_field: discord.ui.Select[Any] = discord.ui.Select(custom_id=OUTBID_FIELD, options=outbid_options)
    for label, component in (
        ("Private", private_field),
        ("Your highest bid", amount_field),
        ("Then", outbid_field),
    ):
        form.add_item(discord.ui.Label(text=label, component=component))
    form.stop()
    return form


def sealed_bids_form(game: int, spec: TitleSpec, bid_by_private: dict[str, int]) -> discord.ui.Modal:
    """The form for sealed bids: one text field with a line for each private for sale."""
    form = discord.ui.Modal(
        title=shortened_label("Seal your bids", MAX_FORM_TITLE_LENGTH), custom_id=f"zf:{game}:seal"
    )
    lines = "\n".join(f"{private}: {maximum_bid}" for private, maximum_bid in bid_by_private.items())
    bids_field: discord.ui.TextInput[Any] = discord.ui.TextInput(
        custom_id=SEALED_BIDS_FIELD,
        style=discord.TextStyle.paragraph,
        default=lines,
        max_length=MAX_BIDS_LENGTH,
    )
    face_values_text = ", ".join(
        f"{private} {spec.money(spec.privates[private].face_value)}" for private in bid_by_private
    )
    hint_text = f"Values: {face_values_text}. 0: no bid. {AUCTION_RULES_HINT}"
    form.add_item(discord.ui.TextDisplay(shortened_label(hint_text, MAX_FORM_TEXT_LENGTH)))
    form.add_item(discord.ui.Label(text="Your highest bid for each", component=bids_field))
    form.stop()
    return form


def _read_maximum_bid(fields: Mapping[str, str]) -> player_orders.OrderBuilder:
    amount_text, private = fields.get(MAXIMUM_FIELD, ""), fields.get(PRIVATE_FIELD, "")
    then: Literal["ask", "pass"] = "ask" if fields.get(OUTBID_FIELD) == "ask" else "pass"
    return lambda game, _: order_rules.bid_up_to_order(game, private, read_amount(game, amount_text), then)


def read_amount(game: Game, amount_text: str) -> int:
    """The amount in dollars that a user has typed, such as `120` or `$1,200`."""
    match = re.fullmatch(rf"{_currency_sign_pattern(game)}\s*{AMOUNT_DIGITS_PATTERN}", amount_text.strip())
    if match is None:
        raise Refused("Type a sealed bid in whole dollars, such as 120.")
    return int(match["digits"].replace(",", ""))


def _currency_sign_pattern(game: Game) -> str:
    return f"(?:{re.escape(game.rules.spec.currency)})?"


def _read_sealed_bids(fields: Mapping[str, str]) -> player_orders.OrderBuilder:
    lines = list(filter(str.strip, fields.get(SEALED_BIDS_FIELD, "").splitlines()))

    def build_order(game: Game, player: PlayerId) -> order_rules.Order:
        del player
        bid_by_private: dict[str, int] = {}
        for private, maximum_bid in [_read_bid(game, line) for line in lines]:
            if private in bid_by_private:
                raise Refused(f"{private} is listed twice: give one bid for each private.")
            bid_by_private[private] = maximum_bid
        return order_rules.seal_bids_order(game, bid_by_private)

    return build_order


def _read_bid(game: Game, line: str) -> tuple[str, int]:
    """A private's id and the bid in dollars, from a typed line such as `CV: 250`."""
    pattern = rf"\s*(?P<private>\S.*?)\s*[:=\s]\s*{_currency_sign_pattern(game)}{AMOUNT_DIGITS_PATTERN}\s*"
    match = re.fullmatch(pattern, line)
    if match is None:
        raise Refused(
            f"Cannot read '{line.strip()}': each line must have a private and a bid, such as `CV: 250`."
        )
    return canonical_id(game, match["private"]), int(match["digits"].replace(",", ""))


# --- giving orders ---------------------------------------------------------------------------------------------------


async def give_order(
    interaction: BotInteraction, game_id: int, build_order: player_orders.OrderBuilder
) -> None:
    """Give a standing order and reply privately. After a click in the list of orders, update the list instead."""
    require_moves_showable_here(interaction)
    async with report_if_cancelled(interaction):
        outcome = await player_orders.give_order(
            interaction.client.tables, game_id, interaction.user.id, build_order
        )
    with wrap_as_stored_but_failed(outcome.stored_text()):
        # First, since a click on a turn message is answered by editing that message.
        await interaction.client.turns.show_next(interaction, game_id)
        if not await _refresh_order_list(interaction, game_id, "\n".join(outcome.lines)):
            await reply(interaction, "\n".join(outcome.lines))


async def _refresh_order_list(interaction: BotInteraction, game_id: int, done_text: str) -> bool:
    """If a button of the list of orders was clicked, update the list; False if the button was elsewhere."""
    if not is_private(interaction):
        return False
    order_list = await list_orders(interaction.client.tables, game_id, interaction.user.id)
    first_piece, *further_pieces = message_pieces(f"{done_text}\n{order_list.text}")
    await edit_clicked_message(interaction, content=first_piece, view=order_list_buttons(game_id, order_list))
    for piece in further_pieces:
        await reply(interaction, piece)
    await _mark_ended_orders_read(interaction, game_id, order_list)
    return True


async def _mark_ended_orders_read(interaction: BotInteraction, game_id: int, order_list: OrderList) -> None:
    await stored.mark_notified(interaction.client.tables.db, game_id, order_list.ended_orders)
