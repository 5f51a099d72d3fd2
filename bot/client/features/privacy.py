"""`/privacy`: export of a user's data, and removal of their name and id.

Of a server that the bot has left all data waits for a while, then everything except the games is deleted.
"""

import io
import json
from typing import Final

import discord
from discord import app_commands

from bot.client.anonymise_user import anonymise
from bot.client.bot_client import BotInteraction
from bot.client.buttons import Button, button, view_of
from bot.client.component import Component
from bot.client.entry.replies import edit_pressed, reply, stored_but_not_shown
from bot.client.entry.rights import needs
from bot.table.markdown import strong
from bot.table.rate_limits import Kind
from storage import (
    StillSeated,
    personal_data,
)

ABOUT: Final = f"""{strong("What the bot stores")}
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
"{personal_data.FORMER}" in your place."""
"""The short form of `docs/privacy.md`."""
REALLY: Final = (
    "Really? In every game, on every server, the bot replaces your name with "
    f"{personal_data.FORMER!r} and removes your account number. It deletes your theme, orders, "
    "ratings and ping settings. Your finished games can be viewed, but not resumed. This cannot be "
    "undone."
)
GIVE_UP: Final = (
    "Other players wait for you there, so give up your seat first: before the start with `/game "
    "leave`, later with `/game replace` or `/game abandon`. A moderator can help."
)
"""Advice for a user who still has a seat."""
HANDED_OUT: Final = "This is everything the bot stores about you, except the log lines of your moves."
FILE: Final = "what-is-kept.json"


@app_commands.command(name="privacy", extras=needs("ask", Kind.QUESTION))
async def privacy(interaction: BotInteraction) -> None:
    """Show the data stored about you, or remove your name."""
    offered = [
        privacy_button("export", "My data", discord.ButtonStyle.primary),
        privacy_button("remove", "Remove my name", discord.ButtonStyle.secondary),
    ]
    await reply(interaction, ABOUT, view=view_of(offered))


def privacy_button(choice: str, label: str, style: discord.ButtonStyle) -> Button:
    """A button for data export (`export`) or removal (`remove`, then `sure`)."""
    return button(f"q:{choice}", label, style)


class PrivacyButton(Component):
    """The buttons for data export and removal; of no game."""

    template = r"q:(?P<choice>export|remove|sure)"
    # Users ask about themselves.
    right = "ask"

    async def act(self, interaction: BotInteraction) -> None:
        """Export the data, ask about the removal, or remove it."""
        choices = {"export": _export, "remove": _ask, "sure": _remove}
        await choices[self.choice](interaction)


async def _export(interaction: BotInteraction) -> None:
    person = interaction.user.id
    stored = {"user_id": person, **await personal_data.rows_about(interaction.client.tables.db, person)}
    text = json.dumps(stored, ensure_ascii=False, indent=1)
    file = discord.File(io.BytesIO(text.encode()), FILE, description="Everything stored about you")
    await reply(interaction, HANDED_OUT, files=[file])


async def _ask(interaction: BotInteraction) -> None:
    playing = await personal_data.games_with_seat(interaction.client.tables.db, interaction.user.id)
    if playing:
        raise StillSeated(playing, f"{StillSeated(playing)} {GIVE_UP}")
    sure = [privacy_button("sure", "Remove my name for good", discord.ButtonStyle.danger)]
    await reply(interaction, REALLY, view=view_of(sure))


async def _remove(interaction: BotInteraction) -> None:
    numbers = await anonymise(interaction.client, interaction.user.id)
    await interaction.client.tables.db.vacuum()
    where = (
        "the bot stored nothing about you"
        if not numbers
        else f"you were in games {', '.join(map(str, numbers))}"
    )
    done = f"Your name and number are removed; {where}."
    with stored_but_not_shown(done):
        await edit_pressed(interaction, content=done, view=None)


# --- servers that the bot has left -----------------------------------------------------------------------------------
