"""`/privacy`: what is kept of whoever asks, as a file; and the removal of his name and number."""

import io
import json
from typing import Final

import discord

from bot.client.components import panel
from bot.client.components.buttons import privacy_button
from bot.client.entry.acknowledging import edit_pressed
from bot.client.entry.replies import after, say, think
from bot.client.pings.expired_direct_messages import ExpiredDirectMessages
from bot.table.past.anonymize import without
from bot.table.style import strong
from bot.table.tables import Tables
from storage import people
from storage.errors import StillSeated
from storage.posts import direct_messages

ABOUT: Final = f"""{strong("What is kept")}
Of whoever takes a seat: the number of the account on Discord, the display name of then, seats, moves, proposals and \
answers with their times, results, standing orders, direct messages of this bot, how you want to be pinged, and a \
chosen theme. Messages of people are not read. Nothing is handed on.
{strong("Who sees it")}
Names and moves: everybody who sees the game's thread. Results, and how long you take: this server, by `/stats`. All \
of it: the operator of this bot.
{strong("How long")}
Games stay. Lines and messages that were posted go after 30 days; copies of the whole, if there are any, within four \
weeks. What was posted on Discord stays there until it is deleted there.
{strong("What you can do")}
Have a file with all that is kept of you, or have name and number removed: your games stay whole, with \
"{people.FORMER}" in your place."""
"""The short form of `docs/privacy.md`."""
REALLY: Final = (
    f"Really? In every game, on every server, your name becomes {people.FORMER!r} and your number goes; themes, "
    "orders and how you are pinged are deleted. Games that have ended can be looked at, but not taken up again. "
    "This cannot be undone."
)
GIVE_UP: Final = (
    "Others wait for you there, so a seat is given up first: `/game leave` before a game starts; later "
    "`/game replace`, or `/game abandon` with the others; a moderator can do both."
)
"""What to do where somebody still has a seat."""
FILE: Final = "what-is-kept.json"


class Privacy:
    """Answers whoever asks what is kept of him; each answer is private."""

    def __init__(self, tables: Tables, old: ExpiredDirectMessages) -> None:
        self._tables = tables
        self._old = old
        self._db = tables.db

    async def show(self, interaction: discord.Interaction) -> None:
        """What is kept, in short, and what can be done."""
        offered = [
            privacy_button("export", "What is kept of me", discord.ButtonStyle.primary),
            privacy_button("remove", "Remove my name", discord.ButtonStyle.secondary),
        ]
        await say(interaction, ABOUT, view=panel.rows_of(offered))

    async def press(self, interaction: discord.Interaction, wish: str) -> None:
        """Do what is wished: a file, the question before the removal, or the removal."""
        await think(interaction)
        wishes = {"export": self._export, "remove": self._ask, "sure": self._remove}
        await wishes[wish](interaction)

    async def _export(self, interaction: discord.Interaction) -> None:
        person = interaction.user.id
        found = {"user_id": person, **await people.kept(self._db, person)}
        text = json.dumps(found, ensure_ascii=False, indent=1)
        file = discord.File(io.BytesIO(text.encode()), FILE, description="All that is kept of you")
        await say(
            interaction,
            "This is all that is kept of you, but for the lines that tell of moves.",
            files=[file],
        )

    async def _ask(self, interaction: discord.Interaction) -> None:
        playing = await people.seated(self._db, interaction.user.id)
        if playing:
            raise StillSeated(playing, f"{StillSeated(playing)} {GIVE_UP}")
        sure = [privacy_button("sure", "Remove my name for good", discord.ButtonStyle.danger)]
        await say(interaction, REALLY, view=panel.rows_of(sure))

    async def _remove(self, interaction: discord.Interaction) -> None:
        found = await self.forget(interaction.user.id)
        await self._db.sweep()
        where = "nothing was kept" if not found else f"games with you until now: {', '.join(map(str, found))}"
        done = f"Your name and number are removed; {where}."
        with after(done):
            await edit_pressed(interaction, content=done, view=None)

    async def forget(self, user_id: int, guild_id: int | None = None) -> list[int]:
        """Forget a person in the games of a server, or everywhere; the games that had him. Raises StillSeated.

        What is on the disk is swept by whoever asks.
        """
        # Once their numbers are forgotten, nobody would delete the messages that still call him.
        there = await direct_messages.posted_to(self._db, user_id, guild_id)
        found = await people.forget(self._db, user_id, without, guild_id=guild_id)
        await self._old.take(there)
        for game_id in found:
            self._tables.forget(game_id)
        return found
