"""In which queue a question of somebody on Discord waits for a worker, and the pictures that answer it."""

import discord

from bot.client.pictures import Pictures
from bot.workers.workers import NOBODY, Priority, Queue


def question_of(interaction: discord.Interaction, about: int | None = None) -> Queue:
    """The queue for a question; `about` is the game whose present position it is about, if it is about one."""
    return Queue(Priority.QUESTION, interaction.guild_id or NOBODY, interaction.user.id, about)


def answering(interaction: discord.Interaction, pictures: Pictures) -> Pictures:
    """These pictures for a question: they wait in its queue, and have the colours that its user sees."""
    waiting = question_of(interaction)
    return pictures.asked().in_server(waiting.guild).seen_by(waiting.person)
