"""The organiser's panel of a season or tournament: settings, draw, start, withdrawals, substitutes, and the end."""

from collections.abc import Iterator
from typing import Any, Final

import discord

from bot.client.bot_client import BotInteraction
from bot.client.buttons import ID_NUMBER_PATTERN, button, view_with_items
from bot.client.component import Component
from bot.client.entry.replies import edit_clicked_message, open_form, reply
from bot.client.entry.rights import require_right, server_id_here
from bot.client.features.events.posts import advance_event_safely, cancel, event_button, shortened_post
from bot.client.features.events.setting_menus import (
    MAX_OPTIONS,
    RULE_MENU_NAMES,
    changed_settings,
    numbers_form,
    read_numbers,
    rule_menus,
    setting_menus,
)
from bot.table.errors import Refused
from bot.table.events.draw import Draw
from bot.table.events.event_settings import settings_lines
from bot.table.events.event_upkeep import end_unfinished_games, substitute, tables_without_users, withdraw
from bot.table.events.event_views import EventView
from bot.table.events.starting import group_name
from bot.table.markdown import sentence_list, strong
from engine import TITLES

PANEL_CHOICES_PATTERN: Final = (
    "draw|start|cancel|really|computer|numbers|rules|end|withdraw|substitute|who|by|"
    "titles|pace|reminders|scoring|withdrawal|seeding|profile|options"
)


async def require_moderator(interaction: BotInteraction) -> None:
    """Raise Refused unless the user may moderate games on this server."""
    await require_right(interaction, "moderate", None)


async def show_panel(
    interaction: BotInteraction, view: EventView, panel_note: str = "", *, is_edit: bool = False
) -> None:
    """Show an event's panel: in the clicked message if `is_edit` is set, else in a new private reply."""
    text, items = panel_text(view, panel_note), view_with_items(panel_items(view))
    if is_edit:
        await edit_clicked_message(interaction, content=text, view=items)
    else:
        await reply(interaction, text, view=items)


async def show_rules_page(interaction: BotInteraction, view: EventView) -> None:
    """Show the second page of an event's settings (rules) in the message with the panel."""
    text = shortened_post([strong(view.event.name), *(f"- {line}" for line in settings_lines(view.settings))])
    menus = [*rule_menus(view), event_button(view.event.id, "manage")]
    await edit_clicked_message(interaction, content=text, view=view_with_items(menus))


def panel_text(view: EventView, panel_note: str = "") -> str:
    """The text of an event's panel, above its menus and buttons."""
    event = view.event
    lines = [panel_note] if panel_note else []
    lines.append(f"{strong(event.name)} (event {event.id})")
    lines += [f"- {line}" for line in settings_lines(view.settings)]
    lines.append(f"{len(view.present_entrants)} entrants, {len(view.reserves)} reserves.")
    if event.status == "drawn":
        lines += [
            "",
            strong("The draw"),
            *draw_quality_lines(view),
            *lines_about_deserted_tables(view),
            "-# *Start* starts all games; *Draw again* draws new tables.",
            *table_lines(view),
        ]
    elif event.status == "running":
        lines.append(
            f"Games that have not ended: {len(view.unfinished_tables)}, running now: {len(view.running_games)}."
        )
        lines += lines_about_deserted_tables(view)
    return shortened_post(lines)


def lines_about_deserted_tables(view: EventView) -> Iterator[str]:
    """A line that names the tables without people (only computer players sit there); nothing if there are none."""
    tables = sentence_list(f"table {table.number}" for table in tables_without_users(view))
    if tables:
        yield (
            f"Only computer players are left at {tables}, so nobody moves there. Substitute a player, or end the "
            "unfinished games."
        )


def draw_quality_lines(view: EventView) -> Iterator[str]:
    """For each group, a line about the draw's quality: how often entrants meet, and how often they have each seat."""
    divisions = sorted({table.division for table in view.stage_tables})
    for division in divisions:
        tables = [table for table in view.stage_tables if table.division == division]
        heading = f"Group {group_name(division)}: " if view.settings.kind == "season" else ""
        yield f"{heading}{Draw(tuple(table.entrants for table in tables)).quality_text()}"


def table_lines(view: EventView) -> Iterator[str]:
    """The drawn tables, one line each: number, players, and the 18xx title if the event has several."""
    for table in view.stage_tables:
        names = ", ".join(view.names[number] for number in table.entrants)
        title = f"{TITLES[table.title].name}: " if len(view.settings.titles) > 1 else ""
        yield f"-# {table.number}. {title}{names}"


def panel_items(view: EventView) -> list[discord.ui.Item[Any]]:
    """The menus and buttons of an event's panel, which depend on the event's status."""
    event = view.event
    if event.status == "open":
        return [*setting_menus(view), *_buttons(view, "numbers", "rules", "computer", "draw", "cancel")]
    if event.status == "drawn":
        return _buttons(view, "start", "draw", "withdraw", "substitute", "cancel")
    if event.status == "running":
        choices = ["withdraw", "substitute"]
        if view.settings.kind == "tournament" and not view.unfinished_tables and not view.is_final:
            choices.append("draw")
        return _buttons(view, *choices, *(["end"] if view.running_games else []), "cancel")
    return (
        [event_button(event.id, "next")] if event.status == "ended" and view.settings.kind == "season" else []
    )


def _buttons(view: EventView, *choices: str) -> list[discord.ui.Item[Any]]:
    button_labels = {
        "numbers": "Numbers and deadline",
        "rules": "Rules and more",
        "computer": "Add a computer player",
        "draw": "Draw the tables" if view.event.status == "open" else "Draw again",
        "start": "Start",
        "cancel": "Cancel the event",
        "withdraw": "Withdraw a player",
        "substitute": "Substitute a player",
        "end": "End unfinished games",
    }
    if view.event.status == "running":
        button_labels["draw"] = "Draw the next round"
    button_styles = {
        "draw": discord.ButtonStyle.success if view.event.status == "open" else discord.ButtonStyle.secondary,
        "start": discord.ButtonStyle.success,
        "cancel": discord.ButtonStyle.danger,
        "end": discord.ButtonStyle.danger,
    }
    return [
        button(
            f"em:{view.event.id}:{choice}",
            button_labels[choice],
            button_styles.get(choice, discord.ButtonStyle.secondary),
        )
        for choice in choices
    ]


class EventPanel(Component):
    """A menu or button of an event's panel."""

    id_pattern = (
        rf"em:(?P<number>{ID_NUMBER_PATTERN}):(?P<choice>{PANEL_CHOICES_PATTERN})"
        "(?::(?P<picked>[0-9]*))?(?::(?P<menu>[0-9]))?"
    )
    user_right = "moderate"

    async def act(self, interaction: BotInteraction) -> None:
        """Carry out the chosen change of the event, and show the updated panel."""
        bot = interaction.client
        row = await bot.events.event_of_server(server_id_here(interaction), self.number)
        view = await bot.events.view(row.id)
        if self.choice == "numbers":
            await open_form(interaction, numbers_form(view))
            return
        if self.choice in ("withdraw", "substitute", "cancel", "who"):
            await self._ask(interaction, view)
            return
        if self.choice == "rules":
            await show_rules_page(interaction, view)
            return
        panel_note = await self._change_event(interaction, view)
        await advance_event_safely(bot, row.id)
        if self.choice in RULE_MENU_NAMES:
            await show_rules_page(interaction, await bot.events.view(row.id))
            return
        await show_panel(interaction, await bot.events.view(row.id), panel_note, is_edit=True)

    async def _ask(self, interaction: BotInteraction, view: EventView) -> None:
        event_id = view.event.id
        if self.choice == "cancel":
            question = f"Really cancel {strong(view.event.name)}? Its games continue without the event."
            confirm_button = button(f"em:{event_id}:really", "Cancel the event", discord.ButtonStyle.danger)
            await edit_clicked_message(
                interaction,
                content=question,
                view=view_with_items([confirm_button, event_button(event_id, "manage")]),
            )
        elif self.choice == "who":
            await self._ask_for_newcomer(interaction, view)
        else:
            next_choice = "by" if self.choice == "withdraw" else "who"
            menus = list(_entrant_menus(view, next_choice))
            question = {
                "withdraw": "Who withdraws? The caretaker plays their games to the end.",
                "substitute": "Which player does a reserve replace?",
            }[self.choice]
            await edit_clicked_message(
                interaction,
                content=question,
                view=view_with_items([*menus, event_button(event_id, "manage")]),
            )

    async def _ask_for_newcomer(self, interaction: BotInteraction, view: EventView) -> None:
        entrant_number, reserves = int(self.values[0]), view.reserves[:MAX_OPTIONS]
        if not reserves:
            raise Refused(
                f"{view.event.name} has no reserves. Members who press *Join* under its first post become reserves."
            )
        menu: discord.ui.Select[Any] = discord.ui.Select(
            custom_id=f"em:{view.event.id}:by:{entrant_number}",
            placeholder="Choose a reserve",
            options=[
                discord.SelectOption(label=reserve.display_name, value=str(reserve.number))
                for reserve in reserves
            ],
        )
        question = f"Which reserve replaces {strong(view.names[entrant_number])} in all running games?"
        await edit_clicked_message(
            interaction, content=question, view=view_with_items([menu, event_button(view.event.id, "manage")])
        )

    async def _change_event(self, interaction: BotInteraction, view: EventView) -> str:
        """Change the event as chosen in the menu; returns a sentence about the result."""
        bot, event_id = interaction.client, view.event.id
        if self.choice == "draw":
            await bot.events.draw(event_id)
            return "The tables are drawn. Nothing has started yet."
        if self.choice == "start":
            await bot.events.begin(event_id)
            return (
                f"{view.event.name} has started: its {len(view.stage_tables)} games open one after another."
            )
        if self.choice == "really":
            await cancel(bot, event_id)
            return f"{view.event.name} is cancelled."
        if self.choice == "computer":
            entrant = await bot.events.enter_computer(event_id)
            return f"{entrant.display_name} has entered."
        if self.choice == "end":
            ended_count, problems = await end_unfinished_games(bot.tables, event_id, interaction.user.id)
            return "\n".join([f"{ended_count} games have ended with their current scores.", *problems])
        if self.choice == "by":
            return await self._replace(interaction, view)
        await bot.events.change_settings(event_id, changed_settings(view.settings, self.choice, self.values))
        return "The settings are saved."

    async def _replace(self, interaction: BotInteraction, view: EventView) -> str:
        bot, moderator_id = interaction.client, interaction.user.id
        # First, begin all games that are due, since only begun games have seats to hand over.
        await advance_event_safely(bot, view.event.id)
        if not self.picked:
            entrant_number = int(self.values[0])
            game_count = await withdraw(bot.tables, view.event.id, entrant_number, moderator_id)
            name = view.names[entrant_number]
            return f"{name} has withdrawn. The computer player plays their running games to the end: {game_count}."
        entrant_number, reserve_number = int(self.picked), int(self.values[0])
        newcomer = next((reserve for reserve in view.reserves if reserve.number == reserve_number), None)
        if newcomer is None:
            raise Refused("That player is no longer on the reserve list.")
        game_count = await substitute(
            bot.tables, view.event.id, entrant_number, (newcomer.user_id, newcomer.display_name), moderator_id
        )
        return f"{newcomer.display_name} replaces {view.names[entrant_number]}. Running games taken over: {game_count}."


def _entrant_menus(view: EventView, choice: str) -> Iterator[discord.ui.Item[Any]]:
    """Up to four menus of entrants, each with as many as Discord allows."""
    statuses = ("entered", "withdrawn") if choice == "who" else ("entered",)
    listed_entrants = [entrant for entrant in view.entrants if entrant.status in statuses][: 4 * MAX_OPTIONS]
    for first_index in range(0, len(listed_entrants), MAX_OPTIONS):
        options = [
            discord.SelectOption(label=entrant.display_name, value=str(entrant.number))
            for entrant in listed_entrants[first_index : first_index + MAX_OPTIONS]
        ]
        yield discord.ui.Select(
            custom_id=f"em:{view.event.id}:{choice}::{first_index // MAX_OPTIONS}",
            placeholder=f"Entrants {options[0].label} to {options[-1].label}"[:100],
            options=options,
        )


class EventNumbersForm(Component):
    """The form for an event's numeric settings, such as the number of players at a table."""

    id_pattern = rf"en:(?P<number>{ID_NUMBER_PATTERN})"
    user_right = "moderate"

    async def act(self, interaction: BotInteraction) -> None:
        """Store the numbers typed into the form; raises Refused if a number is not allowed."""
        bot = interaction.client
        row = await bot.events.event_of_server(server_id_here(interaction), self.number)
        view = await bot.events.view(row.id)
        await bot.events.change_settings(row.id, read_numbers(view.settings, self.fields))
        await advance_event_safely(bot, row.id)
        await show_panel(
            interaction,
            await bot.events.view(row.id),
            "The settings are saved.",
            is_edit=interaction.message is not None,
        )
