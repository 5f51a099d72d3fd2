"""What a command takes, what completes it, and which game it means where none is named."""

from types import SimpleNamespace
from typing import Any

import pytest
from discord import app_commands

from bot.client import parameters, which_game
from bot.client.entry.rights import server_here
from bot.client.features import COMMANDS, lobby, settings
from bot.client.features.moves import verb_command
from bot.table.errors import Refused
from bot.table.moves.completions import MOST
from bot.table.moves.slot_values import NOTHING
from bot.table.moves.verbs import LARGEST_NUMBER, LONGEST_DETAILS, LONGEST_NAME
from bot.table.settings.server_settings import choose_server_setting
from bot.table.settings.table_settings import SETTINGS
from engine.titles import TITLES
from storage import games
from tests.bot.support.asked import COMMAND, Asked
from tests.bot.support.table_service import ANN, BOB, CHANNEL, CY, GUILD, TableService


def limits(*path: str) -> dict[str, tuple[Any, Any]]:
    """The least and the most that each option of a command takes: of a number, or of the length of a text."""
    found: Any = COMMANDS
    for name in path:
        one = next(one for one in found if one.name == name)
        found = one.commands if isinstance(one, app_commands.Group) else one
    return {one.name: (one.min_value, one.max_value) for one in found.parameters}


def test_discord_keeps_what_is_typed_to_what_can_be_meant() -> None:
    assert limits("game", "join") == {"number": (1, 1_000_000_000)}
    assert limits("game", "options")["options"] == (1, 300)
    assert limits("game", "new")["title"] == (1, LONGEST_NAME)
    assert limits("undo") == {"to": (0, LARGEST_NUMBER)}
    assert limits("why")["details"] == (1, LONGEST_DETAILS)
    assert limits("game", "pause") == {"days": (1, 365)}


def test_the_options_of_a_move_take_only_what_can_be_meant() -> None:
    bid, lay = limits("bid"), limits("lay")
    assert bid["amount"] == (0, LARGEST_NUMBER)
    assert lay["hex"] == (1, LONGEST_NAME)


class Desk:
    """The bot behind a command, with the tables of a bench, in whose thread 77 a game is played."""

    def __init__(self, service: TableService, game: int | None = None) -> None:
        self.tables = SimpleNamespace(db=service.db, game_in=lambda place: game if place == 77 else None)
        self._bench = service

    async def live_soon(self, game_id: int) -> Any:
        assert game_id is not None, "there is no game to wait for"
        async with self._bench.tables.reading(game_id) as live:
            return live


def asked(service: TableService, place: int = CHANNEL, guild: int = GUILD, **named: Any) -> Any:
    found: Any = Asked(ANN, "Ann", COMMAND, thread=place)
    found.guild_id = guild
    found.client = Desk(service, named.pop("game", None))
    found.namespace = SimpleNamespace(**{"number": None, "title": None, **named})
    return found


async def test_where_no_game_is_named_the_newest_lobby_of_the_channel_is_meant(service: TableService) -> None:
    with pytest.raises(Refused, match="No game is open in this channel"):
        await which_game.open_game(asked(service), None)
    await service.lobby(((ANN, "Ann"),))
    newest = await service.lobby(((BOB, "Bob"),))
    assert await which_game.open_game(asked(service), None) == newest
    assert await which_game.open_game(asked(service), 1) == 1
    with pytest.raises(Refused, match="No game is open in this channel"):
        await which_game.open_game(asked(service, CHANNEL + 1), None)
    with pytest.raises(Refused, match="Game 1 is not played on this server"):
        await which_game.open_game(asked(service, guild=GUILD + 1), 1)
    with pytest.raises(Refused, match="No game is open in this channel"):
        await which_game.open_game(asked(service, guild=GUILD + 1), None)
    await service.tables.show_in(newest, 55)
    assert await which_game.open_game(asked(service, 55), None) == newest, "in a forum people ask in its post"


async def test_a_thread_means_its_game_unless_another_is_named(service: TableService) -> None:
    lobby = await service.lobby(((ANN, "Ann"),))
    assert await which_game.game_meant(asked(service, 77, game=9), None) == 9
    assert await which_game.game_meant(asked(service, 77, game=9), lobby) == lobby
    assert await which_game.game_meant(asked(service), None) == lobby


def test_a_direct_message_is_in_no_server() -> None:
    here: Any = SimpleNamespace(guild_id=GUILD)
    assert server_here(here) == GUILD
    here.guild_id = None
    assert server_here(here) == 0


def test_of_more_games_than_discord_lists_the_newest_are_offered_and_any_is_found_by_its_number() -> None:
    rows: Any = [SimpleNamespace(id=n, name=f"Game of {n} players") for n in range(100, 130)]
    assert [choice.value for choice in which_game._numbered(rows, "")] == list(range(105, 130))
    assert [choice.value for choice in which_game._numbered(rows, " ")] == list(range(105, 130))
    (found,) = which_game._numbered(rows, "101")
    assert (found.name, found.value) == ("101: Game of 101 players", 101)


async def test_numbers_of_games_are_completed_on_their_server_and_by_where_they_stand(
    service: TableService,
) -> None:
    lobby = await service.lobby(((ANN, "Ann"),))
    running = await service.game()
    for complete, number in ((which_game.lobby_choices, lobby), (which_game.running_choices, running)):
        assert [choice.value for choice in await complete(asked(service), "")] == [number]
        assert await complete(asked(service, guild=GUILD + 1), "") == []


async def test_options_of_a_lobby_begin_with_none_and_need_one(service: TableService) -> None:
    assert await which_game.lobby_options(asked(service), "") == []
    assert await which_game.lobby_profiles(asked(service), "") == []
    await service.lobby(((ANN, "Ann"),))
    title = TITLES["18chesapeake"]
    found = [choice.value for choice in await which_game.lobby_options(asked(service), "")]
    assert found == [NOTHING, *title.rules.OPTIONS][:MOST]
    profiles = [choice.value for choice in await which_game.lobby_profiles(asked(service), "")]
    assert profiles == list(title.spec.profiles)
    assert await which_game.lobby_options(asked(service, number=404), "") == []


async def test_options_of_a_game_that_is_to_be_opened_follow_its_title(service: TableService) -> None:
    known, unknown = asked(service, title="18chesapeake"), asked(service, title="x")
    title = TITLES["18chesapeake"]
    options = await which_game.title_options(known, "")
    assert [choice.value for choice in options] == list(title.rules.OPTIONS)
    profiles = await which_game.title_profiles(known, "")
    assert [choice.value for choice in profiles] == list(title.spec.profiles)
    for complete in (which_game.title_options, which_game.title_profiles):
        assert await complete(unknown, "") == []
        assert await complete(asked(service), "") == []


def test_options_are_typed_with_commas_and_none_by_its_word() -> None:
    assert which_game.options_named(None) is None
    assert which_game.options_named(f" {NOTHING} ") == []
    assert which_game.options_named("a,b") == ["a", "b"]


async def test_the_last_moves_are_completed_newest_first_and_say_that_they_stay(
    service: TableService,
) -> None:
    game = await service.game()
    for user in (ANN, BOB, CY):
        await service.do(game, user, "pass")
    found = await parameters.stays(asked(service, 77, game=game), "")
    assert [choice.value for choice in found] == [3, 2, 1]
    assert found[0].name == "3 Bob passes. (this stays)"
    assert await parameters.stays(asked(service, 78, game=game), "") == []
    assert await parameters._live_here(asked(service, 78, game=game)) is None


async def test_an_amount_is_completed_given_what_is_typed_for_other_options(service: TableService) -> None:
    """An option that is still empty is none."""
    game = await service.game()
    typing = asked(service, 77, game=game)
    typing.namespace = [("private", "CV"), ("amount", "")]
    amounts = await parameters.slot("bid", "amount")(typing, "")
    assert amounts[0].value == 205
    for typed, first in (("2", 205), ("$21", 210), ("٢", None), ("²", None), ("-2", None)):
        found = await parameters.slot("bid", "amount")(typing, typed)
        assert (found[0].value if found else None) == first, typed
    typing.namespace = [("private", "D&R"), ("amount", "")]
    assert [choice.value for choice in await parameters.slot("bid", "amount")(typing, "")] == [20]


async def test_a_move_by_a_private_is_completed_with_the_privates_and_then_for_the_one_typed(
    service: TableService, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = await service.game()
    heard: list[Any] = []

    def completes(*given: Any) -> list[Any]:
        heard.append(given[2:])
        return []

    monkeypatch.setattr(parameters, "entity_items", completes)
    monkeypatch.setattr(parameters, "slot_items", completes)
    options: Any = {name: verb_command(name)._params for name in ("lay", "bid", "run")}
    typing = asked(service, 77, game=game)
    typing.namespace = [("private", "CV"), ("hex", "")]
    await options["lay"]["private"].autocomplete(typing, "C")
    await options["lay"]["hex"].autocomplete(typing, "D")
    await options["bid"]["private"].autocomplete(typing, "C")
    assert heard == [
        ("lay_tile", "C"),
        ("lay_tile", "hex", {"private": "CV"}, "D", "CV"),
        ("bid", "private", {"private": "CV"}, "C", None),
    ]
    typing.user.id = 99
    await options["lay"]["private"].autocomplete(typing, "C")
    assert len(heard) == 3, "an onlooker makes no moves"
    assert options["run"]["routes"].autocomplete is None


async def test_lists_of_a_game_are_completed_in_its_thread(service: TableService) -> None:
    game = await service.game()
    options: Any = {one.name: one._params for one in COMMANDS if isinstance(one, app_commands.Command)}
    spec = TITLES["18chesapeake"].spec
    for place, here in ((77, True), (78, False)):
        typing = asked(service, place, game=game)
        for command, option, names in (
            ("private", "private", [f"{name}: {one.name}" for name, one in spec.privates.items()]),
            ("company", "company", [f"{name}: {one.name}" for name, one in spec.companies.items()]),
            ("player", "player", ["Ann", "Bob", "Cy"]),
        ):
            found = await options[command][option].autocomplete(typing, "")
            assert [choice.name for choice in found] == (names if here else [])


async def test_the_title_that_is_usual_on_the_server_comes_first(service: TableService) -> None:
    first = [choice.value for choice in await which_game.title_choices(asked(service), "")]
    assert first == list(TITLES)[:MOST]
    usual = list(TITLES)[1]
    await choose_server_setting(service.db, GUILD, "title", usual)
    found = [choice.value for choice in await which_game.title_choices(asked(service), "")]
    assert found == [usual, *(title for title in TITLES if title != usual)][:MOST]


async def test_values_are_completed_for_the_setting_that_is_typed(service: TableService) -> None:
    for name, values in (("reminders", list(SETTINGS["reminders"].values)), ("x", []), (None, [])):
        found = await settings._values(asked(service, setting=name), "")
        assert [choice.value for choice in found] == values


def test_a_bot_plays_no_seat() -> None:
    user: Any = SimpleNamespace(id=BOB, display_name="Bob", bot=False)
    assert parameters.person(user) == (BOB, "Bob")
    user.bot = True
    with pytest.raises(Refused, match="A bot plays no seat"):
        parameters.person(user)


async def test_the_reading_of_the_rules_is_what_was_typed_else_the_servers_else_the_rulebooks(
    service: TableService, monkeypatch: pytest.MonkeyPatch
) -> None:
    usual: list[str | None] = [None]

    async def settings(_: object, server: int) -> Any:
        assert server == GUILD
        return SimpleNamespace(profile=usual[0])

    monkeypatch.setattr(lobby, "server_settings", settings)

    async def chosen(typed: str | None) -> str:
        return (await lobby._chosen(service.db, GUILD, "18chesapeake", typed))[1]

    assert (await chosen(None), await chosen("18xx.games")) == ("rulebook", "18xx.games")
    usual[0] = "18xx.games"
    assert (await chosen(None), await chosen("rulebook")) == ("18xx.games", "rulebook")
    usual[0] = "of another title"
    assert await chosen(None) == "rulebook"


async def test_what_is_abandoned_is_a_lobby_at_once_and_a_running_game_by_agreement(
    service: TableService, monkeypatch: pytest.MonkeyPatch
) -> None:
    heard: list[str] = []

    async def give_up(_: object, lobby: Any) -> None:
        heard.append(f"given up {lobby.row.id}")

    async def propose_or_join(_: object, game_id: int, compose: Any) -> None:
        async with service.tables.reading(game_id) as live:
            heard.append(f"proposed in {game_id}: {compose(live).says()}")

    async def ask_to_end(_: object, game_id: int, problem: str) -> None:
        heard.append(f"asked to end {game_id}: {problem}")

    problems: dict[int, str] = {}

    async def damage(game_id: int) -> str | None:
        return problems.get(game_id)

    def by(user: int, place: int, game: int | None = None) -> Any:
        found = asked(service, place, game=game)
        found.user.id = user
        found.client.lobbies = service.lobbies
        found.client.tables.damage = damage
        return found

    monkeypatch.setattr(lobby, "ask_to_end", ask_to_end)
    monkeypatch.setattr(lobby, "give_up", give_up)
    monkeypatch.setattr(lobby, "propose_or_join", propose_or_join)
    abandon: Any = lobby.abandon.callback
    opened = await service.lobby(((ANN, "Ann"),))
    game = await service.game()
    await abandon(by(ANN, CHANNEL))
    await abandon(by(ANN, 77, game))
    assert heard[0] == f"given up {opened}"
    assert heard[1].startswith(f"proposed in {game}: ")
    with pytest.raises(Refused):
        await abandon(by(99, 77, game))
    problems[game] = "It is damaged."
    await service.tables.show_in(game, 77)
    await abandon(by(ANN, 77, game))
    await abandon(by(ANN, CHANNEL), game)
    assert heard[2:] == [f"asked to end {game}: It is damaged."] * 2
    with pytest.raises(Refused, match="Ask for that in the thread of the game, or in its channel"):
        await abandon(by(ANN, 78), game)
    assert (await games.get_game(service.db, game)).status == "running"
    await games.finish(service.db, game)
    await abandon(by(ANN, 77, game))
    assert heard[-1].startswith(f"proposed in {game}: "), "there is nothing to end"
