"""Commands that show something in a private reply: `/status`, `/map`, `/market`, sheets and tables."""

from collections.abc import Callable
from dataclasses import replace
from typing import Final, TypeVar

from discord import app_commands

from bot.client.alt_texts import (
    history_alt_text,
    phases_alt_text,
    sale_alt_text,
    table_alt_text,
    tiles_alt_text,
)
from bot.client.bot_client import BotInteraction, game_id_here
from bot.client.buttons import VIEW_BUTTON_PATTERN, view_with_items
from bot.client.component import Component
from bot.client.entry.replies import defer, reply
from bot.client.entry.rights import needs
from bot.client.features.board_link import board_link_buttons
from bot.client.features.history import show_position_after_move
from bot.client.parameters import Name, Number, complete_company, complete_from
from bot.client.pictures import pictures_for_answer, question_queue
from bot.client.places.messages import picture_file, table_files
from bot.client.thread.board_post import board_files, board_post
from bot.table.clocks.deadlines import time_left_text
from bot.table.errors import Refused
from bot.table.live import LiveGame
from bot.table.markdown import strong
from bot.table.moves.completions import MenuItem
from bot.table.past.past_games import GameToReplay
from bot.table.past.past_views import current_net_worth
from bot.table.past.past_views import net_worth_chart as chart_of
from bot.table.rate_limits import RequestKind
from bot.table.votes.pauses import current_pause_text
from engine import Coord
from engine.views import (
    CompanyView,
    MapView,
    PlayerView,
    SaleView,
    TrainsView,
    company_hexes,
    company_view,
    map_part,
    map_part_in_play,
    map_view,
    market_view,
    phases_view,
    player_view,
    privates_view,
    table_view,
    tiles_view,
    trains_view,
    zone_hexes,
)
from render import render_chart, render_phases, render_sale, render_tiles

WHOLE_MAP_VALUE: Final = "all"
"""Value of `/map around:` for the whole map. Without it, `/map` shows only the part in play."""
T = TypeVar("T")


async def _current_view(interaction: BotInteraction, game_id: int, make_view: Callable[[LiveGame], T]) -> T:
    """A view (data for a picture or sheet) of a game's current position. Defers the interaction."""
    await defer(interaction)
    async with interaction.client.tables.reading(game_id) as live:
        return make_view(live)


# --- map and market --------------------------------------------------------------------------------------------------


@app_commands.command(name="status", extras=needs("look", RequestKind.PICTURE))
@app_commands.guild_only()
async def status(interaction: BotInteraction) -> None:
    """Show whose turn it is, with map and market."""
    game_id, tables = game_id_here(interaction), interaction.client.tables
    await defer(interaction)
    pictures = interaction.client.pictures.for_questions().for_user(interaction.user.id)
    board = await board_post(tables, pictures, game_id)
    async with tables.reading(game_id) as live:
        time_text = await time_left_text(tables, live)
        pause_text = current_pause_text(live.pause, tables.clock())
    pause_line = f"The game {pause_text}. `/game resume` ends the pause." if pause_text else ""
    text = "\n".join(filter(None, (board.text, pause_line, time_text)))
    view, files = view_with_items(await board_link_buttons(interaction, game_id)), board_files(board)
    await reply(interaction, text, embeds=list(board.embeds or ()), files=files, view=view)


@app_commands.command(name="map", extras=needs("look", RequestKind.PICTURE))
@app_commands.describe(
    around="A hex (close-up), a company (what it reaches), a part of the board, or: all",
    at="The number of a move; default: the current position",
)
@app_commands.guild_only()
async def map_(interaction: BotInteraction, around: Name | None = None, at: Number | None = None) -> None:
    """Show the map, or a part of it, now or after an earlier move."""
    game_id = game_id_here(interaction)
    if at is None:
        await show_map(interaction, game_id, around)
    else:
        await show_position_after_move(interaction, game_id, at, around)


@app_commands.command(name="market", extras=needs("look", RequestKind.PICTURE))
@app_commands.guild_only()
async def market(interaction: BotInteraction) -> None:
    """Show the stock market."""
    await show_market(interaction, game_id_here(interaction))


class ViewButton(Component):
    """The *Map*, *Market* or *Table* button, which shows the current position privately."""

    id_pattern = VIEW_BUTTON_PATTERN
    user_right = "look"
    request_kind = RequestKind.PICTURE

    async def act(self, interaction: BotInteraction) -> None:
        show_functions = {"map": show_map, "market": show_market, "table": show_table}
        await show_functions[self.subject](interaction, self.game)


async def show_map(interaction: BotInteraction, game_id: int, around: str | None = None) -> None:
    """Reply with a picture of the map: the part in play, the named part, or the surroundings of a hex."""
    view, focus_hexes = await _current_view(
        interaction, game_id, lambda live: _requested_map_part(live, (around or "").strip())
    )
    picture = await pictures_for_answer(interaction).map(view, focus_hexes)
    files = [picture_file(picture, "map.png", view.caption)]
    buttons = view_with_items(await board_link_buttons(interaction, game_id))
    await reply(interaction, view.caption, files=files, view=buttons)


async def show_market(interaction: BotInteraction, game_id: int) -> None:
    """Reply with a picture of the stock market."""
    view = await _current_view(interaction, game_id, lambda live: market_view(live.game))
    picture = await pictures_for_answer(interaction).market(view)
    await reply(interaction, view.caption, files=[picture_file(picture, "market.png", view.caption)])


def _requested_map_part(live: LiveGame, typed_text: str) -> tuple[MapView, tuple[Coord, ...]]:
    """The requested part of the map, and the hexes to show close up (empty: all). Raises Refused."""
    game, whole_map = live.game, map_view(live.game)
    if not typed_text:
        return map_part_in_play(game, whole_map), ()
    if typed_text.casefold() == WHOLE_MAP_VALUE:
        return whole_map, ()
    if any(typed_text.upper() == map_hex.coord for map_hex in whole_map.hexes):
        return whole_map, (typed_text.upper(),)
    company = {name.casefold(): name for name in game.title.spec.companies}.get(typed_text.casefold())
    hexes = company_hexes(game, company) if company else zone_hexes(game, typed_text)
    if not hexes:
        raise Refused(f"There is no {typed_text} on this map: type a hex, a company, or `{WHOLE_MAP_VALUE}`.")
    return map_part(whole_map, hexes), ()


# --- companies, players, privates ------------------------------------------------------------------------------------


@app_commands.command(name="company", extras=needs("look", RequestKind.PICTURE))
@app_commands.describe(company="Which company")
@app_commands.autocomplete(company=complete_company)
@app_commands.guild_only()
async def company(interaction: BotInteraction, company: Name) -> None:
    """Show a company's treasury, trains, tokens and shares."""
    user_id = interaction.user.id
    view = await _current_view(
        interaction,
        game_id_here(interaction),
        lambda live: company_view(live.game, _find_company(live, company), live.player_of(user_id)),
    )
    picture_bytes = await pictures_for_answer(interaction).company(view)
    picture = picture_file(picture_bytes, "company.png", f"The charter of {view.name}")
    await reply(interaction, company_sheet(view), files=[picture])


def _find_company(live: LiveGame, text: str) -> str:
    for company, company_spec in live.game.title.spec.companies.items():
        if text.strip().casefold() in (company.casefold(), company_spec.name.casefold()):
            return company
    raise Refused(f"There is no company {text}. Companies: {', '.join(live.game.title.spec.companies)}.")


def _player_items(live: LiveGame) -> list[MenuItem]:
    return [MenuItem(seat.player_id, seat.display_name) for seat in live.seats]


@app_commands.command(name="player", extras=needs("look", RequestKind.PICTURE))
@app_commands.describe(player="Which player; default: you")
@app_commands.autocomplete(player=complete_from(_player_items))
@app_commands.guild_only()
async def player(interaction: BotInteraction, player: Name | None = None) -> None:
    """Show a player's cash, shares and privates."""
    game_id, tables, user_id = game_id_here(interaction), interaction.client.tables, interaction.user.id
    await defer(interaction)
    async with tables.reading(game_id) as live:
        player_id = _find_player(live, player) if player else tables.seat_of(live, user_id)
        view = player_view(live.game, player_id, live.player_of(user_id))
    picture_bytes = await pictures_for_answer(interaction).player(view)
    picture = picture_file(picture_bytes, "player.png", f"The sheet of {view.name}")
    await reply(interaction, player_sheet(view), files=[picture])


def _find_player(live: LiveGame, text: str) -> str:
    for seat in live.seats:
        if text.strip().casefold() in (seat.player_id, seat.display_name.casefold()):
            return seat.player_id
    raise Refused(
        f"There is no player {text}. Players: {', '.join(seat.display_name for seat in live.seats)}."
    )


def _private_items(live: LiveGame) -> list[MenuItem]:
    return [MenuItem(name, f"{name}: {spec.name}") for name, spec in live.game.title.spec.privates.items()]


@app_commands.command(name="private", extras=needs("look", RequestKind.PICTURE))
@app_commands.describe(private="Which private; default: all")
@app_commands.autocomplete(private=complete_from(_private_items))
@app_commands.guild_only()
async def private(interaction: BotInteraction, private: Name | None = None) -> None:
    """Show privates: price, income, power, owner and bids."""
    view = await _current_view(
        interaction,
        game_id_here(interaction),
        lambda live: _privates_view(live, private, interaction.user.id),
    )
    picture_bytes = await pictures_for_answer(interaction).draw_view(render_sale, view)
    await reply(interaction, "", files=[picture_file(picture_bytes, "privates.png", sale_alt_text(view))])


def _privates_view(live: LiveGame, private_name: str | None, user_id: int) -> SaleView:
    view = privates_view(live.game, live.player_of(user_id))
    if view is None:
        raise Refused(f"{live.game.title.name} has no private companies.")
    return view if private_name is None else _find_private(view, private_name)


def _find_private(view: SaleView, private_name: str) -> SaleView:
    lots = [lot for column in view.columns for lot in column]
    for lot in lots:
        if private_name.strip().casefold() in (lot.badge.company.casefold(), lot.name.casefold()):
            return replace(view, columns=((lot,),), seats=(), upcoming_texts=())
    raise Refused(
        f"There is no private {private_name}. Privates: {', '.join(lot.badge.company for lot in lots)}."
    )


# --- the whole table -------------------------------------------------------------------------------------------------


@app_commands.command(name="table", extras=needs("look", RequestKind.PICTURE))
@app_commands.guild_only()
async def table(interaction: BotInteraction) -> None:
    """Show all players, all companies and the coming trains."""
    await show_table(interaction, game_id_here(interaction))


async def show_table(interaction: BotInteraction, game_id: int) -> None:
    """Reply with a picture of all players' holdings, the companies, and the coming trains."""
    user_id = interaction.user.id
    view = await _current_view(
        interaction, game_id, lambda live: table_view(live.game, live.player_of(user_id))
    )
    pictures = await pictures_for_answer(interaction).whole_table(view)
    await reply(interaction, "", files=table_files(pictures, table_alt_text(view)))


@app_commands.command(name="trains", extras=needs("look", RequestKind.PICTURE))
@app_commands.guild_only()
async def trains(interaction: BotInteraction) -> None:
    """Show the trains left, their prices and what each phase changes."""
    trains_left, view = await _current_view(
        interaction, game_id_here(interaction), lambda live: (trains_view(live.game), phases_view(live.game))
    )
    picture = await pictures_for_answer(interaction).draw_view(render_phases, view)
    await reply(
        interaction,
        trains_sheet(trains_left),
        files=[picture_file(picture, "phases.png", phases_alt_text(view))],
    )


@app_commands.command(name="tiles", extras=needs("look", RequestKind.PICTURE))
@app_commands.guild_only()
async def tiles(interaction: BotInteraction) -> None:
    """Show the tiles left."""
    view = await _current_view(interaction, game_id_here(interaction), lambda live: tiles_view(live.game))
    picture = await pictures_for_answer(interaction).draw_view(render_tiles, view)
    await reply(interaction, "", files=[picture_file(picture, "tiles.png", tiles_alt_text(view))])


@app_commands.command(name="chart", extras=needs("look", RequestKind.PICTURE))
@app_commands.guild_only()
async def chart(interaction: BotInteraction) -> None:
    """Show net worth and share prices by round."""
    tables = interaction.client.tables
    game, current_state = await _current_view(
        interaction,
        game_id_here(interaction),
        lambda live: (GameToReplay.of(live), current_net_worth(live.game)),
    )
    chart_view = chart_of(await tables.replayer.history(game, question_queue(interaction)), current_state)
    picture = await pictures_for_answer(interaction).draw_view(render_chart, chart_view)
    await reply(interaction, "", files=[picture_file(picture, "chart.png", history_alt_text(chart_view))])


# --- sheets in words -------------------------------------------------------------------------------------------------


def company_sheet(view: CompanyView) -> str:
    """Text about a company: shares, trains, tokens and treasury."""
    if view.is_closed:
        return f"{strong(view.badge.company)}, {view.name}: out of the game."
    if view.par is None:
        home_text = f" Home {view.home}." if view.home else ""
        phase_text = f" Available from phase {view.waits_for_phase} on." if view.waits_for_phase else ""
        reserved_text = f" Reserved by {view.reserved_by}." if view.reserved_by else ""
        return (
            f"{strong(view.badge.company)}, {view.name}: not started.{home_text}{phase_text}{reserved_text}"
        )
    zone_text = f" ({view.zone})" if view.zone else ""
    price = f"price {view.money(view.price)}{zone_text}, par {view.money(view.par)}"
    if view.is_price_fixed:
        price = f"value {view.money(view.price)}"
    trains = [f"{name} ({end_text})" if end_text else name for name, end_text in view.trains]
    trains += [f"{name} (obsolete, runs once more)" for name in view.obsolete_trains]
    float_text = "" if view.is_floated else f"\nNot floated yet: {view.float_percent}% must be sold."
    holders_text = ", ".join(
        f"{name} {percent}%{' (president)' if is_president else ''}"
        for name, percent, is_president in view.holders
    )
    shares_text = "".join(
        (
            "" if view.is_price_fixed else f"; IPO {view.offering_percent}%, market {view.market_percent}%",
            f", treasury {view.treasury_percent}%" if view.treasury_percent else "",
            f", reissued {_reissue_prices_text(view)}" if view.reissued else "",
            f", removed {view.removed_percent}%" if view.removed_percent else "",
        )
    )
    tokens_text = ", ".join((*map(view.money, view.tokens_left), *view.reserved_token_texts)) or "none"
    placed_text = ", ".join(view.tokens_placed) or "none"
    last_run = view.last_run
    last_run_text = (
        f"\nLast run: {last_run.money(last_run.revenue)}, {last_run.use_text}." if last_run else ""
    )
    privates_text = f"\nPrivates: {', '.join(view.privates)}." if view.privates else ""
    merger_text = f"\nFormed from {', '.join(view.merged_companies)}." if view.merged_companies else ""
    shells_text = f" On its shells: {view.shells_text}." if view.shells_text else ""
    markers_text = f"\nMarkers: {', '.join(view.markers)}." if view.markers else ""
    return (
        f"{strong(view.badge.company)}, {view.name}: {price}{float_text}\n"
        f"President: {view.president or 'nobody'}. Treasury: {view.money(view.treasury)}.\n"
        f"Trains: {', '.join(trains) or 'none'}.{shells_text} Tokens left: {tokens_text}; placed: {placed_text}.\n"
        f"Shares: {holders_text or 'no holders'}{shares_text}.{privates_text}{markers_text}{merger_text}{last_run_text}"
    )


def _reissue_prices_text(view: CompanyView) -> str:
    prices = view.reissued
    return " and ".join(f"{prices.count(price)} at {view.money(price)}" for price in dict.fromkeys(prices))


def player_sheet(view: PlayerView) -> str:
    """Text about a player: cash, shares and privates."""
    unbid_cash_text = (
        f" ({view.money(view.available_cash)} not tied up in bids)"
        if view.available_cash != view.cash
        else ""
    )
    shares_text = "\n".join(
        f"- {holding.badge.company} {holding.percent}%{' (president)' if holding.is_president else ''}: "
        f"{holding.money(holding.value)}"
        for holding in view.holdings
    )
    privates_text = "\n".join(
        f"- {name}: face {view.money(face_value)}, income {view.money(income)}"
        for _, name, face_value, income in view.privates
    )
    priority_text = ", priority deal" if view.has_priority_deal else ""
    heading = (
        f"{strong(view.name)}: cash {view.money(view.cash)}{unbid_cash_text}, net worth {view.money(view.net_worth)}, "
        f"certificates {view.certificates} of {view.certificate_limit}{priority_text}"
    )
    return "\n".join(part for part in (heading, shares_text, privates_text) if part)


def trains_sheet(view: TrainsView) -> str:
    """Text about the trains that are for sale now or later."""
    special_train_limits = "".join(f", {limit} for a {kind}" for kind, limit in view.train_limits)
    lines = [f"Phase {view.phase}, train limit {view.train_limit}{special_train_limits}."]
    for name, trains_left, price, stops, end_text in view.bank:
        count_text = "any number" if trains_left is None else f"{trains_left} left"
        stops_text = f", {stops} stops" if stops else ""
        lines.append(
            f"- {name}: {count_text}, {view.money(price)}{stops_text}{f', {end_text}' if end_text else ''}"
        )
    lines += [f"- {name} in the bank pool: {view.money(price)}" for name, price in view.pool]
    return "\n".join(lines)
