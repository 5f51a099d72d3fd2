"""`/privacy`: a file with the user's stored data, and removal of their name and id."""

import io
import json
from typing import Final

import discord
from discord import app_commands

from bot.client.anonymise_user import anonymise
from bot.client.bot_client import BotInteraction
from bot.client.buttons import Button, button, view_with_items
from bot.client.component import Component
from bot.client.entry.replies import edit_clicked_message, reply, wrap_as_stored_but_failed
from bot.client.entry.rights import needs
from bot.table.markdown import strong
from bot.table.rate_limits import RequestKind
from storage import (
    StillSeated,
    personal_data,
)

PRIVACY_TEXT: Final = f"""{strong("What the bot stores")}
About each player: Discord account number, display name at the time, seats, moves, proposals and votes with their \
times, results, ratings, standing orders, direct messages from this bot, ping settings and theme. It does not read \
messages of members, and shares nothing.
{strong("Who sees it")}
Names and moves: everybody who sees the game's thread. Results, ratings and thinking time: this server, by `/stats`. \
All of it: the operator of this bot.
{strong("How long")}
Games stay. Copies of posted lines and messages are deleted after 30 days, backups within four weeks. Messages on \
Discord stay until they are deleted there.
{strong("What you can do")}
Get a file with everything stored about you, or have your name and number removed: your games stay whole, with \
"{personal_data.FORMER_PLAYER_NAME}" in your place."""
"""The reply to `/privacy`, a short form of `docs/privacy.md`."""
REMOVAL_QUESTION: Final = (
    "Really remove your name? In every game, on every server, the bot replaces your name with "
    f"{personal_data.FORMER_PLAYER_NAME!r} and removes your account number. It deletes your theme, orders, "
    "ratings and ping settings. Your finished games can be viewed, but not resumed. This cannot be "
    "undone."
)
GIVE_UP_ADVICE: Final = (
    "Other players wait for you there, so give up your seat first: before the start with `/game "
    "leave`, later with `/game replace` or `/game abandon`. A moderator can help."
)
"""Advice for users who must give up their seats before the bot can remove their names."""
EXPORT_TEXT: Final = "This is everything the bot stores about you, except the log lines of your moves."
EXPORT_FILE_NAME: Final = "what-is-kept.json"


@app_commands.command(name="privacy", extras=needs("ask", RequestKind.QUESTION))
async def privacy(interaction: BotInteraction) -> None:
    """Show the data stored about you, or remove your name."""
    buttons = [
        privacy_button("export", "My data", discord.ButtonStyle.primary),
        privacy_button("remove", "Remove my name", discord.ButtonStyle.secondary),
    ]
    await reply(interaction, PRIVACY_TEXT, view=view_with_items(buttons))


def privacy_button(choice: str, label: str, style: discord.ButtonStyle) -> Button:
    """A button that sends the user their data (`export`) or removes it (`remove`, confirmed by `sure`)."""
    return button(f"q:{choice}", label, style)


class PrivacyButton(Component):
    """A button below the reply to `/privacy`."""

    id_pattern = r"q:(?P<choice>export|remove|sure)"
    # Users act for themselves only.
    user_right = "ask"

    async def act(self, interaction: BotInteraction) -> None:
        """Send the user their data, ask to confirm its removal, or remove it."""
        handler_by_choice = {"export": _export_data, "remove": _ask_to_confirm_removal, "sure": _remove_data}
        await handler_by_choice[self.choice](interaction)


async def _export_data(interaction: BotInteraction) -> None:
    user_id = interaction.user.id
    stored_data = {
        "user_id": user_id,
        **await personal_data.rows_about_user(interaction.client.tables.db, user_id),
    }
    text = json.dumps(stored_data, ensure_ascii=False, indent=1)
    file = discord.File(
        io.BytesIO(text.encode()), EXPORT_FILE_NAME, description="Everything stored about you"
    )
    await reply(interaction, EXPORT_TEXT, files=[file])


async def _ask_to_confirm_removal(interaction: BotInteraction) -> None:
    seated_games = await personal_data.games_with_seat(interaction.client.tables.db, interaction.user.id)
    if seated_games:
        raise StillSeated(seated_games, f"{StillSeated(seated_games)} {GIVE_UP_ADVICE}")
    removal_buttons = [privacy_button("sure", "Remove my name for good", discord.ButtonStyle.danger)]
    await reply(interaction, REMOVAL_QUESTION, view=view_with_items(removal_buttons))


async def _remove_data(interaction: BotInteraction) -> None:
    game_ids = await anonymise(interaction.client, interaction.user.id)
    await interaction.client.tables.db.vacuum()
    games_text = (
        "the bot stored nothing about you"
        if not game_ids
        else f"you were in games {', '.join(map(str, game_ids))}"
    )
    done_text = f"Your name and number are removed; {games_text}."
    with wrap_as_stored_but_failed(done_text):
        await edit_clicked_message(interaction, content=done_text, view=None)
