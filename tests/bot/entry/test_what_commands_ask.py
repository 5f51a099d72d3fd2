"""What commands and components ask of those who do the work, given what was typed or pressed, and what they answer."""

from datetime import UTC, datetime, time
from types import SimpleNamespace
from typing import Any

import pytest
from discord import app_commands

from bot.client.features import COMMANDS
from bot.client.features.moves import verb_command
from bot.client.features.pings import pings_text
from bot.client.features.settings import HOW
from bot.client.pictures import Pictures
from bot.table.errors import Refused, Stored
from bot.table.moves.moves import Typed
from bot.table.moves.verbs import VERBS
from bot.table.settings.durations_and_zones import QuietHours
from bot.table.settings.person_settings import PersonSettings
from bot.table.settings.themes import theme_of
from tests.bot.support.asked import COMMAND, Asked, Client
from tests.bot.support.table_service import ANN, BOB, GUILD, TableService

GAME, THREAD = 5, 77


class Desk:
    """Those who do the work of a command: they note what is asked, and answer that it is done."""

    def __init__(self, notes: list[tuple[Any, ...]], name: str = "") -> None:
        self._notes, self._name = notes, name

    def __getattr__(self, name: str) -> "Desk":
        return Desk(self._notes, f"{self._name}.{name}".removeprefix("."))

    async def __call__(self, *given: Any, **named: Any) -> str:
        self._notes.append((self._name, *given[isinstance(given[0], Asked) :], *named.items()))
        return f"{self._name} is done."


def command(name: str) -> Any:
    """A command by its full name."""
    found: Any = COMMANDS
    for part in name.split():
        one: Any = next(one for one in found if one.name == part)
        found = one.commands if isinstance(one, app_commands.Group) else one
    return found


def asked(db: Any = None) -> Any:
    """Ann types a command in the thread of a game."""
    found: Any = Asked(ANN, "Ann", COMMAND, thread=THREAD)
    found.guild_id, found.notes = GUILD, []
    found.client = Desk(found.notes)
    found.client.tables = SimpleNamespace(db=db, game_in=lambda place: GAME if place == THREAD else None)
    return found


@pytest.mark.parametrize(
    ("name", "typed", "move"),
    [
        ("run", {"routes": "D2"}, Typed("run_routes", {"routes": "D2"}, None)),
        (
            "lay",
            {"hex": "D2", "tile": "57", "rotation": None, "private": "CV"},
            Typed("lay_tile", {"hex": "D2", "tile": "57", "rotation": None}, "CV"),
        ),
        (
            "lay",
            {"hex": "D2", "tile": "57", "private": None},
            Typed("lay_tile", {"hex": "D2", "tile": "57"}, None),
        ),
        ("bid", {"private": "CV", "amount": 5}, Typed("bid", {"private": "CV", "amount": 5}, None)),
    ],
)
async def test_a_command_makes_the_move_that_was_typed(
    service: TableService, monkeypatch: pytest.MonkeyPatch, name: str, typed: dict[str, Any], move: Typed
) -> None:
    game, made = await service.game(), list[Any]()
    await service.tables.show_in(game, THREAD)

    async def submit(*what: Any) -> None:
        made.append(what)
        raise Refused("Noted.")

    monkeypatch.setattr(service.tables, "submit", submit)
    ann: Any = Asked(ANN, "Ann", COMMAND, thread=THREAD)
    ann.client = Client(service.tables)
    with pytest.raises(Refused, match="Noted"):
        await command(name).callback(ann, **typed)
    assert made == [(game, ANN, move)]


BOB_THERE = SimpleNamespace(id=BOB, display_name="Bob", bot=False)


async def test_groups_of_commands_are_in_servers_only_with_all_that_stands_in_them() -> None:
    """Each works, too."""
    shared = {"abandon", "options", "pause", "replace", "resume", "seats", "settings"}
    of_players = {
        *("new", "join", "leave", "start", "repair", "move-here", "list", "substitute", "back"),
        *("agreement", "propose", "export", "import"),
    }
    groups: dict[str, tuple[tuple[str, ...], set[str]]] = {
        "game": ((), shared | of_players),
        "mod": ((), shared | {"act", "close", "end", "role", "undo"}),
        "orders": ((), {"bid", "buy", "done", "list", "merger", "pass", "run", "skip", "withdraw"}),
        "board": ((), {"open", "sessions", "share"}),
    }
    for group, (some, names) in groups.items():
        for name in some:
            ann = asked()
            await command(f"{group} {name}").callback(ann)
            assert len(ann.notes) == 1
        declared = next(one for one in COMMANDS if one.name == group)
        assert isinstance(declared, app_commands.Group)
        assert declared.guild_only
        assert {one.name for one in declared.commands} == names


async def test_quiet_hours_end_with_either_time_and_other_choices_hold(service: TableService) -> None:
    service.tables.clock = lambda: "2026-01-01T12:00:00+00:00"

    async def pings(**typed: str) -> list[str]:
        ann = asked()
        ann.client.tables = service.tables
        await command("pings").callback(ann, **typed)
        return str(ann.answers[0]).split("\n")

    chosen = await pings(quiet_from="22:30", quiet_to="7:00", zone="Europe/Berlin", digest="18:00")
    zone = "Time zone: Europe/Berlin, where it is 13:00 now."
    assert chosen[1] == f"Quiet hours: 22:30 to 07:00. Daily digest: at 18:00. {zone}"
    assert await pings() == chosen
    either = await pings(quiet_to="off", how="direct")
    assert either[:2] == [
        "You are pinged by a direct message.",
        f"Quiet hours: none. Daily digest: at 18:00. {zone}",
    ]


async def test_settings_are_shown_until_both_what_and_how_are_typed(service: TableService) -> None:
    lobby = await service.lobby()

    async def settings(**typed: Any) -> Any:
        ann = asked(service.db)
        ann.client.tables, ann.client.lobbies = service.tables, service.lobbies
        await command("game settings").callback(ann, number=lobby, **typed)
        return ann

    shown = [
        (await settings(**typed)).answers[0] for typed in ({}, {"setting": "reminders"}, {"value": "off"})
    ]
    assert shown == [shown[0]] * 3
    assert shown[0].endswith(HOW)


def test_commands_of_moves_say_of_each_option_what_it_is_and_what_may_be_typed() -> None:
    for name, verb in VERBS.items():
        made = verb_command(name)
        options = [(one.name, str(one.description), one.required) for one in made.parameters]
        assert options == [(one.name, one.about, one.required) for one in verb.parameters]
        assert all(one.default is None for one in made.parameters if not one.required)
        assert made.guild_only
    limits = {
        name: [
            (one.name, one.min_value, one.max_value, one.autocomplete)
            for one in verb_command(name).parameters
        ]
        for name in ("lay", "bid", "run", "issue")
    }
    assert limits == {
        "lay": [
            ("hex", 1, 100, True),
            ("tile", 1, 100, True),
            ("rotation", 0, 1_000_000, True),
            ("private", 1, 100, True),
        ],
        "bid": [("private", 1, 100, True), ("amount", 0, 1_000_000, True)],
        "run": [("routes", 1, 800, False)],
        "issue": [("offering", None, None, True), ("treasury", None, None, True)],
    }


def test_how_somebody_is_pinged_is_said_with_all_that_they_have_chosen() -> None:
    noon = datetime(2026, 1, 1, 12, tzinfo=UTC)
    assert pings_text(PersonSettings(), noon) == (
        "You are pinged in the game's thread.\n"
        "Quiet hours: none. Daily digest: none. Time zone: UTC, where it is 12:00 now; choose your city.\n"
        "Reminders: on."
    )
    quiet = QuietHours(time(22, 30), time(7), "Europe/Berlin")
    until = datetime.fromtimestamp(1_900_000_000, UTC)
    chosen = PersonSettings("both", quiet, "Europe/Berlin", time(18), reminders=False, away_until=until)
    assert pings_text(chosen, noon) == (
        "You are pinged in the game's thread and by a direct message."
        " Not before <t:1900000000:f>: until then you are away.\n"
        "Quiet hours: 22:30 to 07:00. Daily digest: at 18:00. Time zone: Europe/Berlin, where it is 13:00 now.\n"
        "Reminders: off."
    )


async def test_pictures_are_drawn_as_chosen_for_oneself_or_with_the_right_for_everybody(
    service: TableService, monkeypatch: pytest.MonkeyPatch
) -> None:
    rights: list[str] = []

    async def require(_: object, right: str) -> None:
        rights.append(right)

    monkeypatch.setattr("bot.client.features.settings.require", require)

    async def theme(**typed: Any) -> str:
        ann = asked(service.db)
        ann.client.pictures = Pictures()
        await command("theme").callback(ann, **typed)
        answer: str = ann.answers[-1]
        return answer

    assert await theme(look="dark") == "Pictures that you ask for are drawn so from now on: dark."
    assert rights == []
    everybody = await theme(letters="large", everybody=True)
    assert everybody == "Pictures in this server are drawn so from now on: light, large text."
    assert rights == ["manage"]
    assert await theme_of(service.db, GUILD, BOB) == "ours-large"
    assert await theme_of(service.db, GUILD, ANN) == "dark"


async def test_the_role_of_moderators_is_shown_chosen_or_gone_without(service: TableService) -> None:
    async def role(**typed: Any) -> str:
        ann = asked(service.db)
        await command("mod role").callback(ann, **typed)
        answer: str = ann.answers[-1]
        return answer

    none = "No role is chosen: members who may manage threads moderate games here. `/mod role role:` chooses one."
    seven = "Members with <@&7> moderate games here. `/mod role without:True` goes without a role again."
    seventh = SimpleNamespace(id=7)
    assert await role() == none
    assert await role(role=seventh) == f"From now on: {seven}"
    assert await role() == seven
    with pytest.raises(Refused, match="not both"):
        await role(role=seventh, without=True)
    assert await role(without=True) == f"From now on: {none}"
    assert await role() == none


async def test_a_role_that_is_stored_is_said_to_be_where_the_answer_is_lost(service: TableService) -> None:
    async def lost(**_: object) -> None:
        raise ConnectionError

    for typed, stored in (
        ({"role": SimpleNamespace(id=7)}, "The role is chosen."),
        ({"without": True}, "No role is chosen."),
    ):
        ann = asked(service.db)
        ann.followup.send = lost
        with pytest.raises(Stored, match=stored):
            await command("mod role").callback(ann, **typed)


async def test_statistics_are_of_all_of_one_or_of_two_against_each_other(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def statistics(_: object, *of: Any) -> str:
        return f"of {of}"

    async def head_to_head(_: object, *of: Any) -> str:
        return f"between {of}"

    monkeypatch.setattr("bot.client.features.game_lists.statistics", statistics)
    monkeypatch.setattr("bot.client.features.game_lists.head_to_head", head_to_head)

    async def stats(**typed: Any) -> str:
        ann = asked()
        await command("stats").callback(ann, **typed)
        answer: str = ann.answers[-1]
        return answer

    bob, cy = SimpleNamespace(id=BOB), SimpleNamespace(id=13)
    assert await stats() == f"of ({GUILD}, None, None)"
    assert await stats(player=bob, title="18Chesapeake") == f"of ({GUILD}, {BOB}, '18chesapeake')"
    assert await stats(against=bob) == f"between ({GUILD}, ({ANN}, {BOB}), None)"
    assert await stats(player=cy, against=bob) == f"between ({GUILD}, (13, {BOB}), None)"
