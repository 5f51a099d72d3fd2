"""`/privacy`: a user's stored data as a file, and the removal of their name and number."""

import io
import json
from typing import Final

import discord

from bot.client.components import turn_buttons
from bot.client.components.buttons import privacy_button
from bot.client.entry.acknowledging import edit_pressed
from bot.client.entry.replies import after, say
from bot.client.pings.expired_direct_messages import ExpiredDirectMessages
from bot.table.past.names import without
from bot.table.style import strong
from bot.table.tables import Tables
from storage import people
from storage.errors import StillSeated
from storage.posts import direct_messages

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
"{people.FORMER}" in your place."""
"""The short form of `docs/privacy.md`."""
REALLY: Final = (
    f"Really? In every game, on every server, your name becomes {people.FORMER!r} and your number is removed; your "
    "theme, orders, ratings and ping settings are deleted. Your finished games can be viewed, but not resumed. "
    "This cannot be undone."
)
GIVE_UP: Final = (
    "Others wait for you there, so give up your seat first: `/game leave` before the start, later `/game replace`, "
    "or `/game abandon` with the others; a moderator can do both."
)
"""What to do where somebody still has a seat."""
FILE: Final = "what-is-kept.json"


class Privacy:
    """Answers requests for stored data; each answer is private."""

    def __init__(self, tables: Tables, old: ExpiredDirectMessages) -> None:
        self._tables = tables
        self._old = old
        self._db = tables.db

    async def show(self, interaction: discord.Interaction) -> None:
        """What is kept, in short, and what can be done."""
        offered = [
            privacy_button("export", "My data", discord.ButtonStyle.primary),
            privacy_button("remove", "Remove my name", discord.ButtonStyle.secondary),
        ]
        await say(interaction, ABOUT, view=turn_buttons.rows_of(offered))

    async def click(self, interaction: discord.Interaction, choice: str) -> None:
        """Do what is chosen: a file, the question before the removal, or the removal."""
        choices = {"export": self._export, "remove": self._ask, "sure": self._remove}
        await choices[choice](interaction)

    async def _export(self, interaction: discord.Interaction) -> None:
        person = interaction.user.id
        found = {"user_id": person, **await people.rows_about(self._db, person)}
        text = json.dumps(found, ensure_ascii=False, indent=1)
        file = discord.File(io.BytesIO(text.encode()), FILE, description="Everything stored about you")
        await say(
            interaction,
            "This is everything the bot stores about you, except the lines of your moves.",
            files=[file],
        )

    async def _ask(self, interaction: discord.Interaction) -> None:
        playing = await people.seated(self._db, interaction.user.id)
        if playing:
            raise StillSeated(playing, f"{StillSeated(playing)} {GIVE_UP}")
        sure = [privacy_button("sure", "Remove my name for good", discord.ButtonStyle.danger)]
        await say(interaction, REALLY, view=turn_buttons.rows_of(sure))

    async def _remove(self, interaction: discord.Interaction) -> None:
        found = await self.forget(interaction.user.id)
        await self._db.sweep()
        where = "nothing was kept" if not found else f"games with you until now: {', '.join(map(str, found))}"
        done = f"Your name and number are removed; {where}."
        with after(done):
            await edit_pressed(interaction, content=done, view=None)

    async def forget(self, user_id: int, guild_id: int | None = None) -> list[int]:
        """Anonymise a user in the games of a server, or everywhere; the games they were in. Raises StillSeated.

        The caller sweeps the file afterwards.
        """
        # Once their numbers are removed, nothing would delete the messages that still ping them.
        there = await direct_messages.posted_to(self._db, user_id, guild_id)
        found = await people.anonymise(self._db, user_id, without, guild_id=guild_id)
        await self._old.take(there)
        for game_id in found:
            self._tables.forget(game_id)
        return found
