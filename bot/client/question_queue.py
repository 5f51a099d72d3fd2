"""In which queue a question of somebody on Discord waits for a worker."""

import discord

from bot.workers.queues import NOBODY, Priority, Queue


def question_of(interaction: discord.Interaction, about: int | None = None) -> Queue:
    """The queue for a question; `about` is the game whose present position it is about, if it is about one."""
    return Queue(Priority.QUESTION, interaction.guild_id or NOBODY, interaction.user.id, about)
