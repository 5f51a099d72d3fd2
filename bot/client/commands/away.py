"""`/away`: for a time a user is not pinged and their clocks stop, in all their games."""

from typing import Final

from discord import app_commands

from bot.client.bot_client import BotInteraction
from bot.client.commands.completion import Verbal
from bot.client.commands.typed import Name
from bot.client.entry.replies import after, say, think
from bot.client.entry.requirements import needs


@app_commands.command(
    name="away",
    description="Be away for a while: no pings and no deadlines at all your tables",
    extras=needs("ask"),
)
@app_commands.describe(until="Days (10), hours (36 hours), a date (2030-12-01), or back; default: as it is")
async def away(interaction: BotInteraction, until: Name | None = None) -> None:
    """Be away for a while."""
    await think(interaction)
    bot, user_id = interaction.client, interaction.user.id
    if until is None:
        await say(interaction, await bot.away.told(user_id))
        return
    done = await bot.away.say(user_id, until)
    with after(done):
        await say(interaction, done)


COMMANDS: Final[tuple[Verbal, ...]] = (away,)
"""The slash command of being away."""
