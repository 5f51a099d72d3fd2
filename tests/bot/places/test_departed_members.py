"""Players who left their server: Discord is asked once an hour for each."""

from dataclasses import replace
from functools import partial
from types import SimpleNamespace
from typing import Any, cast

import discord
import pytest

from bot.client.places.departed_members import SEEN, UNKNOWN_MEMBER, DepartedMembers, departure_text
from bot.table.live import LiveGame
from bot.table.tables import Tables
from engine.core.ids import PlayerId
from storage import later_timestamp, pings
from tests.bot.support.table_service import ANN, BOB, GUILD, TableService


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
    tables.now = later_timestamp(tables.now, SEEN)
    assert not await look(1)
    assert guild.asked == [1, 2, 1]


class Server:
    """A server that those of these users have left; others cannot be asked for, or are members."""

    id = GUILD

    def __init__(self, **left: int) -> None:
        self.asked: list[int] = []
        self.codes = left

    async def fetch_member(self, user_id: int) -> None:
        """A member, or Discord's code for why there is none."""
        self.asked.append(user_id)
        code = self.codes.get(f"u{user_id}")
        if code is not None:
            response: Any = SimpleNamespace(status=404, reason="")
            raise discord.NotFound(response, {"code": code, "message": ""})


async def departed(service: TableService, game_id: int) -> list[bool]:
    """Of each pending notification, whether its player has left."""
    pending, _ = await pings.of_game(service.db, game_id)
    return [one.departed for one in pending]


async def test_of_those_pinged_only_who_is_waited_for_is_looked_for_and_announced_once(
    service: TableService,
) -> None:
    number, other = await service.game(), await service.game()
    async with service.tables.reading(number) as live:
        ann, bob, _ = live.game.in_game()
    before = await service.lines(number)
    server = Server(**{f"u{ANN}": 10013, f"u{BOB}": UNKNOWN_MEMBER})
    client: Any = SimpleNamespace(get_guild=lambda guild: server if guild == GUILD else None)
    members = DepartedMembers(client, service.tables)
    woken = service.woken()
    await members.look(number, (ann, bob))
    assert server.asked == [ANN], "nobody waits for Bob"
    assert (await service.lines(number), await departed(service, number), woken) == (before, [False], [])
    server.codes[f"u{ANN}"] = UNKNOWN_MEMBER
    board = service.tables.board
    opened = [
        (game, user, (await board.open(await board.personal(game, user, moderates=False))).secret)
        for game, user in ((number, ANN), (number, BOB), (other, ANN))
    ]
    for _ in range(2):
        await members.look(number, (ann,))
    assert await departed(service, number) == [True]
    assert woken == [number]
    seen = [(game, user) for game, user, secret in opened if await board.visitor(game, secret)]
    assert seen == [(number, BOB), (other, ANN)], "the board of this game is closed to Ann"
    assert await service.lines(number) == [
        *before,
        "**Ann** has left this server, and the game waits for **Ann**. The other players can use:\n"
        "- `/game replace newcomer: player:Ann`: a member takes over the seat\n"
        "- `/game agreement player:Ann`: you play the seat as a group until a new player is found; "
        "with `how:caretaker` the computer plays it\n"
        "- `/game pause`: the game waits, for some days or until `/game resume`\n"
        "-# A moderator can do the same with `/mod replace`, `/mod act` and `/mod pause`.",
    ]


async def test_whoever_has_taken_a_seat_again_and_leaves_again_is_announced_again(
    service: TableService,
) -> None:
    number = await service.game()
    server = Server(**{f"u{ANN}": UNKNOWN_MEMBER})
    client: Any = SimpleNamespace(get_guild=lambda _: server)
    members = DepartedMembers(client, service.tables)
    async with service.tables.reading(number) as live:
        ann, *_ = live.game.in_game()
    for since in (0, 0, 7, 7):
        live.seat_history = tuple(replace(entry, since=since) for entry in live.seat_history)
        await members.look(number, (ann,))
    assert sum("has left this server" in line for line in await service.lines(number)) == 2


async def test_only_somebody_who_plays_on_a_server_that_is_there_is_looked_for(
    service: TableService, monkeypatch: pytest.MonkeyPatch
) -> None:
    number = await service.game()
    async with service.tables.reading(number) as live:
        ann, *_ = live.game.in_game()
    server = Server()
    servers: dict[int, Any] = {}
    client: Any = SimpleNamespace(get_guild=servers.get)
    members = DepartedMembers(client, service.tables)
    await members.look(number, (ann,))
    servers[GUILD] = server
    for kind in ("by_group", "by_caretaker"):
        with monkeypatch.context() as patch:
            patch.setattr(LiveGame, kind, frozenset({ann}))
            await members.look(number, (ann,))
    assert server.asked == []
    for stage, asked in ((1, []), (2, [ANN])):
        [waits], _ = await pings.of_game(service.db, number)
        taken = pings.PingStep(waits, stage, waits.at, waits.due_at)
        await service.db.write(partial(pings.step, game_id=number, taken=taken))
        await members.look(number, ())
        assert server.asked == asked, "from the second reminder on"


def test_what_can_be_done_depends_on_who_is_left() -> None:
    table: Any = SimpleNamespace(name_of=lambda _: "Ann", substitutes={}, others_than=lambda _: ())
    assert departure_text(table, PlayerId("p1")) == (
        "**Ann** has left this server, and no other person plays this game. A moderator gives the seat "
        "to a member with `/mod replace player:Ann newcomer:`, or ends the game with `/mod end`."
    )
    table.substitutes = {"p1": SimpleNamespace(display_name="Dee")}
    assert departure_text(table, PlayerId("p1")) == (
        "**Dee**, **Ann**'s substitute, has left this server, and the game waits. **Ann** can return with "
        "`/game back`, or name another with `/game substitute`. The other players can use:\n"
        "- `/game replace newcomer: player:Ann`: a member takes over the seat\n"
        "- `/game pause`: the game waits, for some days or until `/game resume`\n"
        "-# A moderator can do the same with `/mod replace`, `/mod act` and `/mod pause`."
    )
