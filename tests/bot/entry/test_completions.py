"""What completes the options of commands, and which game a command means where none is named."""

from typing import Any, Final

import pytest

from bot.sandbox.guild import seed
from bot.table.lobby import LobbyOpener
from bot.table.moves.completions import MAX_ITEMS
from bot.table.moves.slot_values import EMPTY_VALUE_WORD
from bot.table.settings.server_settings import choose_server_setting
from bot.table.settings.table_settings import SETTINGS
from engine.titles import TITLES
from storage import games
from tests.bot.support.declared import every_command
from tests.bot.support.positions import actor_of, played_to, seated_at
from tests.bot.support.sandbox_bot import TABLE, SandboxBot

pytestmark = pytest.mark.usefixtures("undrawn")

TITLE: Final = TITLES["18chesapeake"]
PROFILES: Final = list(TITLE.spec.profiles)
FEW: Final = 3
"""This many suggestions of an option are typed in full."""
MANAGED: Final = ("setup", "mod ")
SUGGESTING: Final = """
    game new title; game new profile; game new options; game settings setting; game settings value;
    game settings number; game repair number; mod settings value; setup title; setup profile; pings zone; rules topic;
    rules title; why move; what-if move; company company; player player; stats title; undo to; mod undo to;
    buy company; buy source; sell company; sell shares
"""
"""Options that have suggestions at a table in a stock round, and in a lobby."""


async def offered(
    sandbox: SandboxBot,
    command: str,
    option: str,
    typed: str = "",
    *,
    where: str | int = TABLE,
    who: str = "Ann",
    **more: object,
) -> list[object]:
    person, values = sandbox.person(who), {**more, option: typed}
    found = await person.autocomplete(where, command, focused=option, **values)
    return [value for _, value in found]


async def test_what_is_typed_in_full_comes_first(sandbox: SandboxBot) -> None:
    """Enter chooses it. Each option of each command, with the first suggestions of those before it filled in."""
    await sandbox.person("Ann").slash(TABLE, "game new", title="18chesapeake")
    game = await seated_at(sandbox, played_to("sell_shares"))
    walked = set()
    for command in every_command():
        name, values = command.qualified_name, dict[str, Any]()
        who = "Ann" if name.startswith(MANAGED) else actor_of(game)
        for option in (option.name for option in command.parameters if option.autocomplete):
            found = await offered(sandbox, name, option, where=game.thread, who=who, **values)
            for value in found[:FEW]:
                typed = str(value)
                first, *_ = await offered(sandbox, name, option, typed, where=game.thread, who=who, **values)
                assert first == value, (name, option)
            if found:
                walked.add(f"{name} {option}")
                values[option] = found[0]
    wanted = {" ".join(option.split()) for option in SUGGESTING.split(";")}
    assert walked >= wanted, wanted - walked
    # `on` is part of how `off` is explained.
    on = await offered(sandbox, "game settings", "value", "on", where=game.thread, setting="sealed")
    assert on[0] == "on"


async def test_newest_lobby_of_the_channel(sandbox: SandboxBot) -> None:
    ann, bob = sandbox.person("Ann"), sandbox.person("Bob")
    assert "No game is open in this channel" in (await bob.slash(TABLE, "game join")).text
    for _ in range(2):
        await ann.slash(TABLE, "game new", title="18chesapeake")
    assert "You have a seat in game 2." in (await bob.slash(TABLE, "game join")).text
    assert "You have a seat in game 1." in (await bob.slash(TABLE, "game join", number=1)).text
    assert "No game is open in this channel" in (await bob.slash("second-table", "game join")).text


async def test_thread_means_its_game(sandbox: SandboxBot) -> None:
    game = await sandbox.game()
    await sandbox.person("Ann").slash(TABLE, "game new", title="18chesapeake")
    assert await offered(sandbox, "game settings", "number") == [2]
    await sandbox.person("Ann").slash(TABLE, "game settings", setting="sealed", value="on")
    assert (
        "sealed bids, all resolved together"
        in (await sandbox.person("Ann").slash(TABLE, "game settings")).text
    )
    assert "sealed bids, all resolved together" in (await game.slash("Ann", "game settings", number=2)).text
    assert "privates: open bidding" in (await game.slash("Ann", "game settings")).text


async def test_numbers_of_games(sandbox: SandboxBot) -> None:
    running = await sandbox.game()
    guild, channel = sandbox.client.guilds[0].id, sandbox.lobby_channel
    openers = [LobbyOpener(1000 + number, "Dee", channel) for number in range(MAX_ITEMS + 5)]
    lobbies = sandbox.client.lobbies
    numbers = [(await lobbies.open_lobby(guild, by, "18chesapeake", "rulebook")).row.id for by in openers]
    assert await offered(sandbox, "game join", "number") == numbers[-MAX_ITEMS:]
    assert (await offered(sandbox, "game join", "number", "2"))[0] == numbers[0]
    assert await offered(sandbox, "game repair", "number") == [running.number]
    await sandbox.db.write(lambda tx: tx.run("UPDATE games SET guild_id = 5"))
    assert await offered(sandbox, "game join", "number") == []
    assert await offered(sandbox, "game repair", "number") == []


async def test_rules_of_a_game(sandbox: SandboxBot) -> None:
    """Titles, the usual one of the server first; profiles and options of the title that is typed or open."""
    first = await offered(sandbox, "game new", "title")
    assert first == list(TITLES)[:MAX_ITEMS]
    usual = list(TITLES)[1]
    await choose_server_setting(sandbox.db, seed.GUILD_ID, "title", usual)
    assert (
        await offered(sandbox, "game new", "title")
        == [usual, *(one for one in TITLES if one != usual)][:MAX_ITEMS]
    )
    known, options = dict[str, Any](title="18chesapeake"), list(TITLE.rules.OPTIONS)
    assert await offered(sandbox, "game new", "options", **known) == options
    assert await offered(sandbox, "game new", "profile", **known) == PROFILES
    for option in ("options", "profile"):
        assert await offered(sandbox, "game new", option, title="x") == []
        assert await offered(sandbox, "game options", option) == []
    await sandbox.person("Ann").slash(TABLE, "game new", title="18chesapeake")
    assert await offered(sandbox, "game options", "options") == [EMPTY_VALUE_WORD, *options][:MAX_ITEMS]
    assert await offered(sandbox, "game options", "options", number=404) == []
    assert await offered(sandbox, "game options", "profile") == PROFILES


async def test_profile_of_a_new_game(sandbox: SandboxBot) -> None:
    for number, (usual, typed, profile) in enumerate(
        (
            (None, {}, "rulebook"),
            (None, {"profile": "18xx.games"}, "18xx.games"),
            ("18xx.games", {}, "18xx.games"),
            ("18xx.games", {"profile": "rulebook"}, "rulebook"),
            ("of another title", {}, "rulebook"),
        ),
        1,
    ):
        await choose_server_setting(sandbox.db, seed.GUILD_ID, "profile", usual)
        await sandbox.person("Ann").slash(TABLE, "game new", title="18chesapeake", **typed)
        assert (await games.get_game(sandbox.db, number)).profile == profile


async def test_completions_in_a_game(sandbox: SandboxBot) -> None:
    game = await sandbox.game()
    here = dict[str, Any](where=game.thread)
    for name in ("Ann", "Bob", "Cy"):
        await game.slash(name, "pass")
    assert await offered(sandbox, "undo", "to", **here) == [3, 2, 1]
    said = await sandbox.person("Ann").autocomplete(game.thread, "undo", focused="to", to="")
    assert said[0][0] == "3 Bob passes. (stays)"
    assert await offered(sandbox, "bid", "amount", private="CV", **here) == [
        *range(205, 205 + 5 * MAX_ITEMS, 5)
    ]
    for typed, first in (("2", 205), ("$21", 210), ("٢", None), ("²", None), ("-2", None)):
        found = await offered(sandbox, "bid", "amount", typed, private="CV", **here)
        assert (found[0] if found else None) == first, typed
    assert await offered(sandbox, "bid", "private", who="Eve", **here) == [], "an onlooker makes no moves"
    assert await offered(sandbox, "private", "private", **here) == list(TITLE.spec.privates)
    assert await offered(sandbox, "company", "company", **here) == list(TITLE.spec.companies)
    assert await offered(sandbox, "player", "player", **here) == ["p1", "p2", "p3"]
    for setting, values in (("reminders", list(SETTINGS["reminders"].values)), ("x", [])):
        assert await offered(sandbox, "game settings", "value", setting=setting, **here) == values
    for command, option in (("undo", "to"), ("company", "company"), ("player", "player"), ("bid", "private")):
        assert await offered(sandbox, command, option) == [], "there is no game here"


async def test_hexes_of_a_company(sandbox: SandboxBot) -> None:
    game = await seated_at(sandbox, played_to("lay_tile"))
    who = actor_of(game)
    here = dict[str, Any](where=game.thread, who=who)
    assert await offered(sandbox, "lay", "private", **here) == ["PRR"]
    hexes = await offered(sandbox, "lay", "hex", **here)
    assert hexes
    assert await offered(sandbox, "lay", "hex", private="PRR", **here) == hexes
    assert await offered(sandbox, "lay", "hex", private="CV", **here) == []
