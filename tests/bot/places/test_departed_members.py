"""Players who left their server: Discord is asked once an hour for each."""

from typing import Any, cast

import discord

from bot.client.places.departed_members import SEEN, DepartedMembers
from bot.table.tables import Tables
from storage.timestamps import later


class Guild:
    """A server that counts how often it is asked for a member."""

    id = 7

    def __init__(self) -> None:
        self.asked: list[int] = []

    async def fetch_member(self, user_id: int) -> None:
        """Everybody is a member."""
        self.asked.append(user_id)


class Clock:
    """Tables with nothing but a clock."""

    now = "2026-01-05T18:00:00.000+00:00"

    def clock(self) -> str:
        """The timestamp now."""
        return self.now


async def test_a_member_who_was_there_is_asked_for_again_after_an_hour() -> None:
    guild, tables = Guild(), Clock()
    members = DepartedMembers(cast(discord.Client, None), cast(Tables, tables))

    async def look(user_id: int) -> bool:
        return await members._has_left(cast(Any, guild), user_id, "game 1: seat p1")

    assert [await look(1), await look(1), await look(2)] == [False] * 3
    assert guild.asked == [1, 2]
    tables.now = later(tables.now, SEEN)
    assert not await look(1)
    assert guild.asked == [1, 2, 1]
