"""Where a game is opened: in the server's channel for games, else where it is asked for, with all that it needs."""

from types import SimpleNamespace
from typing import Any

import discord
import pytest

from bot.client.places.game_channels import for_another, for_new_game, require_place, require_place_of
from bot.table.errors import Refused
from storage import GUILDS
from tests.bot.support.table_service import GUILD, TableService

HERE, GAMES, OLD = 5, 6, 7
IN_NO_SERVER = "Games are played on a server, in a channel that all players can see."


class Place(discord.TextChannel):
    """A text channel in which we have these permissions."""

    def __init__(self, number: int, *without: str) -> None:
        self.id, self._type = number, discord.ChannelType.text.value
        self.held = discord.Permissions.all()
        self.held.update(**dict.fromkeys(without, False))
        self.guild: Any = SimpleNamespace(me=None)

    def permissions_for(self, obj: Any, /) -> discord.Permissions:
        return self.held


def asked(*places: Place, here: Place | None = None, server: int | None = GUILD) -> Any:
    """Somebody asks in a channel of a server with these channels."""
    known = {place.id: place for place in places}
    return SimpleNamespace(
        guild=None if server is None else SimpleNamespace(id=server, get_channel=known.get),
        channel=here,
        channel_id=None if here is None else here.id,
        app_permissions=discord.Permissions.all(),
    )


def game_in(channel: int) -> Any:
    return SimpleNamespace(channel_id=channel)


async def test_a_game_is_opened_where_it_is_asked_for_unless_the_server_has_a_channel_for_games(
    service: TableService,
) -> None:
    here, games, old = Place(HERE), Place(GAMES), Place(OLD)
    asking = asked(here, games, old, here=here)
    assert await for_new_game(asking, service.db) is here
    assert await for_another(asking, service.db, game_in(OLD)) is old, "another game goes where the first was"
    await GUILDS.put(service.db, GUILD, "channel", str(GAMES))
    assert await for_new_game(asking, service.db) is games
    assert await for_another(asking, service.db, game_in(OLD)) is games
    with pytest.raises(Refused) as refused:
        await for_new_game(asked(here, here=here), service.db)
    assert str(refused.value) == (
        "The channel that was chosen for games is gone, or I may not see it. A member who manages this server "
        "chooses another with `/setup channel:`, or none with `/setup back:`."
    )


async def test_where_the_channel_of_a_game_is_gone_it_is_said_how_another_is_opened(
    service: TableService,
) -> None:
    with pytest.raises(Refused) as refused:
        await for_another(asked(), service.db, game_in(OLD))
    assert str(refused.value) == (
        "The channel of this game is gone, or I may not see it. `/game new` opens another game."
    )
    for asking in (asked(), asked(server=None)):
        with pytest.raises(Refused) as refused:
            require_place_of(asking, game_in(OLD), "The game was not started.")
        assert str(refused.value) == (
            "The game was not started. Its channel is gone, or I may not see it. `/game new` opens another."
        )


async def test_in_a_direct_message_no_game_is_opened(service: TableService) -> None:
    with pytest.raises(Refused) as refused:
        await for_new_game(asked(server=None), service.db)
    assert str(refused.value) == IN_NO_SERVER


def test_discord_says_what_may_be_done_where_somebody_asks_and_roles_say_it_elsewhere() -> None:
    lacks = Place(OLD, "embed_links")
    here = asked(lacks, here=lacks)
    require_place(here, lacks, "The game was not opened.")
    require_place_of(here, game_in(OLD), "The game was not started.")
    elsewhere = asked(lacks, here=Place(HERE))
    with pytest.raises(
        Refused, match=r"^The game was not opened. I may not do that in <#7>: the permission "
    ):
        require_place(elsewhere, lacks, "The game was not opened.")
    with pytest.raises(
        Refused, match=r"^The game was not started. .*<#7>: the permission Embed Links is missing"
    ):
        require_place_of(elsewhere, game_in(OLD), "The game was not started.")
    here.app_permissions = discord.Permissions.none()
    with pytest.raises(Refused, match="the permission View Channel is missing"):
        require_place(here, lacks, "The game was not opened.")
    require_place(elsewhere, Place(GAMES), "The game was not opened.")
