"""A game from a file continues at a table whose seats were claimed, each by its player."""

import json
import re
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from bot.client.features import import_export
from bot.sandbox.guild import permissions
from bot.sandbox.guild.person import InteractionResult
from bot.sandbox.guild.seed import GUILD_ID
from bot.sandbox.model import REQUIRE_TAG, Message, Upload
from bot.table import imports as imported_game
from bot.table.errors import NotStored, NotYours, Refused
from bot.table.games.game_log import Opening
from bot.table.imports import (
    BegunGame,
    Claims,
    TablePlace,
    add_imported,
    add_recorded,
    games_imported_from,
    read_imported,
    read_position,
    read_recorded,
    renamed,
)
from bot.table.orders.automatic import CARED
from bot.table.outbox.notices import Line, ThreadPing, TurnChange
from bot.table.results_and_ratings import scored
from engine.core.actions import Action, Privatize, RedeemShare, read_action
from engine.interchange.writer import write_log
from engine.record import Record, load_record, read_record, write_record
from storage import CARETAKER, OutcomeUnknown, Seat, ask, games, log, results, seats
from tests.bot.support import changes
from tests.bot.support.places import forum_of
from tests.bot.support.positions import BANKRUPTCY
from tests.bot.support.sandbox_bot import PATIENCE, TABLE, SandboxBot, Seated, is_table_ping
from tests.bot.support.table_service import TableService

GOLDEN = Path(__file__).parents[2] / "golden"
EARLIER = GOLDEN / "format_1" / "18al-price-3p.json"
"""A game in which less was asked than by today's rules."""
FOUR = ("Ann", "Bob", "Cy", "Dee")
NOW = "2026-01-01T00:00:00Z"


def recorded(moves: int | None, name: str = "18chesapeake-bank-4p") -> Record:
    """This many moves of a golden game of Ann, Bob, Cy and Dee; None: all."""
    record = read_record((GOLDEN / f"{name}.json").read_text("utf-8"))
    if moves is None:
        return record
    actions = record.actions[:moves]
    game = record.begin()
    game.apply_all(actions)
    return replace(record, actions=actions, scores=None, digest=game.digest())


def log_of(record: Record) -> str:
    """It as a log of 18xx.games."""
    return write_log(record.begin(), record.actions)


async def imported(sandbox: SandboxBot, text: str, name: str = "game.json") -> InteractionResult:
    """Ann's `/game import` of this text."""
    return await sandbox.person("Ann").slash(TABLE, "game import", file=Upload(name, text.encode()))


def offered(sandbox: SandboxBot) -> Message:
    """The message on which seats are claimed."""
    return next(m for m in reversed(sandbox.person("Ann").messages(TABLE)) if "imported after" in m.content)


async def claimed(sandbox: SandboxBot, *names: str) -> InteractionResult:
    """Each of these people takes the seat of the same name; what the last one reads."""
    for name in names:
        message = offered(sandbox)
        button = next(button.label for button in message.buttons if button.label == name)
        result = await sandbox.person(name).press(message, button)
    return result


async def continued(sandbox: SandboxBot, count: int = 1) -> Seated:
    """The table that continues, as said by the last message of this many that say so."""

    def announced() -> list[Message]:
        return [m for m in sandbox.person("Ann").messages(TABLE) if re.match(r"Game \d+, 18", m.content)]

    assert await sandbox.world.until(lambda: len(announced()) == count, timeout=PATIENCE)
    number = int(announced()[-1].content.split()[1].rstrip(","))
    await sandbox.settled()
    row = await games.get_game(sandbox.db, number)
    assert row.thread_id is not None
    return Seated(sandbox, row.id, row.thread_id)


@pytest.mark.parametrize("write", [log_of, write_record])
async def test_a_running_game_continues_when_its_seats_are_claimed(
    sandbox: SandboxBot, write: object
) -> None:
    """The bot is started anew between two claims: the message knows who has claimed what."""
    record = recorded(60)
    assert callable(write)
    answer = await imported(sandbox, write(record))
    assert "is read" in answer.text
    await claimed(sandbox, "Ann", "Cy")
    await sandbox.stop()
    await sandbox.start()
    await claimed(sandbox, "Dee", "Bob")
    game = await continued(sandbox)
    assert await game.digest() == record.digest
    async with sandbox.client.tables.reading(game.number) as live:
        seats = [(seat.display_name, seat.user_id) for seat in live.seats]
        whose = live.name_of(live.game.actors()[0])
    assert seats == [(name, sandbox.person(name).id) for name in FOUR]
    assert [m.pinged for m in game.messages if is_table_ping(m)] == [[number for _, number in seats]]
    assert game.turn
    before = await game.seq()
    await game.slash(whose, "pass")
    assert await game.seq() == before + 1


@pytest.mark.usefixtures("unfilmed")
async def test_a_finished_game_is_over_at_its_table(sandbox: SandboxBot) -> None:
    record = recorded(None, "18chesapeake-agreement-2p")
    await imported(sandbox, write_record(record))
    await claimed(sandbox, "Ann", "Bob")
    game = await continued(sandbox)
    assert (await games.get_game(sandbox.db, game.number)).status == "finished"
    assert not any(is_table_ping(message) for message in game.messages)
    async with sandbox.client.tables.reading(game.number) as live:
        assert live.game.scores() == record.scores


async def test_what_was_exported_is_imported_with_the_same_position(sandbox: SandboxBot) -> None:
    """Both forms that `/game export` hands out."""
    game = await sandbox.game()
    await game.press("Ann", "Pass")
    result = await game.slash("Eve", "game export")
    digests: dict[int, str] = {}
    for file in result.ephemeral[-1].attachments:
        if file.filename.endswith(".json"):
            answer = await imported(
                sandbox, (sandbox.world.store.file(file.id) or b"").decode(), file.filename
            )
            if digests:  # both are the same game
                await sandbox.person("Ann").press(answer.ephemeral[-1], "Import it again")
            await claimed(sandbox, "Ann", "Bob", "Cy")
            again = await continued(sandbox, len(digests) + 1)
            digests[again.number] = await again.digest()
    assert list(digests) == [2, 3]
    assert set(digests.values()) == {await game.digest()}


async def test_a_file_that_was_imported_already_is_known_and_imported_again_only_on_purpose(
    sandbox: SandboxBot,
) -> None:
    text = log_of(recorded(20))
    await imported(sandbox, text)
    await claimed(sandbox, *FOUR)
    first = await continued(sandbox)
    answer = await imported(sandbox, text)
    assert f"it is game {first.number} (<#{first.thread}>)" in answer.text
    assert not any("imported after" in message.content for message in sandbox.person("Ann").messages(TABLE))
    [question] = answer.ephemeral
    assert [(button.label, button.custom_id) for button in question.buttons] == [
        ("Import it again", "j"),
        ("No", "n:0"),
    ]
    await sandbox.stop()
    await sandbox.start()
    await sandbox.person("Ann").press(question, "Import it again")
    assert await sandbox.world.until(lambda: not question.buttons, timeout=PATIENCE)
    assert (
        question.content
        == f"The game is read, and waits in <#{sandbox.lobby_channel}> until every seat is claimed."
    )
    assert question.attachments == []
    await claimed(sandbox, *FOUR)
    second = await continued(sandbox, 2)
    assert await second.digest() == await first.digest()
    assert "game 1 (" in (await imported(sandbox, text)).text
    # One move more is another game.
    assert "is read" in (await imported(sandbox, log_of(recorded(21)))).text


async def test_only_games_of_the_same_server_that_are_not_given_up_are_imported_already(
    service: TableService,
) -> None:
    """What another server plays is nobody's business here."""
    read = read_imported(log_of(recorded(20)).encode())
    number = await add_imported(
        service.tables, read, TablePlace(1, 2, tuple(enumerate(FOUR, 11)), thread_id=3)
    )
    assert [row.id for row in await games_imported_from(service.tables, read, 1)] == [number]
    assert await games_imported_from(service.tables, read, 2) == []
    await games.abandon(service.db, number)
    assert await games_imported_from(service.tables, read, 1) == []


@pytest.mark.parametrize("stored", [False, True])
async def test_a_crash_in_the_last_claim_is_made_good_by_pressing_again(
    sandbox: SandboxBot, monkeypatch: pytest.MonkeyPatch, stored: bool
) -> None:
    """Just before the game was stored, and just after: there is one game in the end."""
    await imported(sandbox, log_of(recorded(20)))
    await claimed(sandbox, *FOUR[:3])

    async def crash(*about: Any) -> int:
        if stored:
            await add_imported(*about)
        raise KeyError("the machine went off")

    with monkeypatch.context() as patch:
        patch.setattr("bot.client.features.import_export.add_imported", crash)
        await claimed(sandbox, "Dee")
    await sandbox.stop()
    await sandbox.start()
    await claimed(sandbox, "Dee")
    game = await continued(sandbox)
    assert await game.digest() == recorded(20).digest
    assert [row.id for row in await games.games_in(sandbox.db, "running")] == [game.number]
    assert not await games.games_in(sandbox.db, "lobby")


async def test_an_import_that_cannot_be_stored_leaves_no_open_game_behind(
    service: TableService, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where it was stored, and only the answer was lost, the game continues."""
    place, store = TablePlace(1, 2, tuple(enumerate(FOUR, 11)), thread_id=3), log.commit_start

    async def lost(*about: Any, **more: Any) -> None:
        raise OutcomeUnknown("postgresql://host/games")

    async def late(*about: Any, **more: Any) -> None:
        await store(*about, **more)
        await lost()

    monkeypatch.setattr(log, "commit_start", lost)
    with pytest.raises(NotStored):
        await add_recorded(service.tables, recorded(3), place)
    monkeypatch.setattr(log, "commit_start", late)
    await add_recorded(service.tables, recorded(3), place)
    assert [row.status for row in await games.list_games(service.db, 1)] == ["abandoned", "running"]


async def test_in_a_forum_seats_are_claimed_in_the_post_in_which_the_game_continues(
    sandbox: SandboxBot,
) -> None:
    forum = await forum_of(sandbox, makes_tags=True)
    answer = await imported(sandbox, log_of(recorded(20)))
    [post] = [channel for channel in sandbox.world.channels.values() if channel.parent_id == forum.id]
    assert {tag["name"] for tag in forum.tags if tag["id"] in post.applied_tags} == {"18Chesapeake", "open"}
    assert f"<#{post.id}>" in answer.text
    assert post.name == "18Chesapeake, imported after 20 moves"
    for name in FOUR:
        await sandbox.person(name).press(sandbox.world.messages[post.id], name)
    assert await sandbox.world.until(lambda: "continues with" in sandbox.world.messages[post.id].content)
    await sandbox.settled()
    [row] = await games.games_in(sandbox.db, "running")
    assert (row.thread_id, row.channel_id) == (post.id, post.parent_id)
    assert post.name == "18Chesapeake 1: Ann, Bob, Cy, Dee"
    assert Seated(sandbox, row.id, post.id).turn


async def test_where_each_post_needs_a_tag_and_none_fits_nothing_is_imported(sandbox: SandboxBot) -> None:
    forum = await forum_of(sandbox, tags=("trains",), flags=REQUIRE_TAG)
    answer = await imported(sandbox, log_of(recorded(5)))
    assert f"Every post in <#{forum.id}> needs a tag, and it has none that fits." in answer.text
    assert not [channel for channel in sandbox.world.channels.values() if channel.parent_id == forum.id]


def test_games_that_were_imported_already_are_named_with_their_threads() -> None:
    rows: Any = [SimpleNamespace(id=number, thread_id=thread) for number, thread in ((3, 7), (4, None))]
    assert import_export._already(rows) == (
        "This very game, after the same moves, was imported here already: it is game 3 (<#7>) and game 4. "
        "Import it again?"
    )


async def test_seats_that_nobody_claims_are_left_to_the_computer_by_whoever_plays(
    sandbox: SandboxBot,
) -> None:
    """Who played them elsewhere is not here; the next to act is one of them."""
    record = recorded(25)
    await imported(sandbox, log_of(record))
    assert len(offered(sandbox).buttons) == len(FOUR)
    await claimed(sandbox, "Cy")
    answer = await sandbox.person("Eve").press(offered(sandbox), "Continue with 3 computer players")
    assert "Press your own seat first" in answer.text
    await claimed(sandbox, "Ann")
    await sandbox.person("Cy").press(offered(sandbox), "Continue with 2 computer players")
    await sandbox.person("Cy").press(offered(sandbox), "Yes, with 2 computer players")
    game = await continued(sandbox)
    async with sandbox.client.tables.reading(game.number) as live:
        assert [seat.display_name for seat in live.seats] == [
            "Ann",
            "Adler (Caretaker)",
            "Cy",
            "Comet (Caretaker)",
        ]
        assert live.by_caretaker == {"p2", "p4"}
    await sandbox.learns(lambda: any(CARED in line for line in game.lines))


async def test_a_seat_is_given_back_and_taken_by_nobody_else_meanwhile(sandbox: SandboxBot) -> None:
    await imported(sandbox, log_of(recorded(20)))
    await claimed(sandbox, "Ann")
    message = offered(sandbox)
    assert "has claimed the seat" in (await sandbox.person("Bob").press(message, "Ann")).text
    assert "You have claimed" in (await sandbox.person("Ann").press(message, "Bob")).text
    await sandbox.person("Ann").press(message, "Ann")
    assert "1. Ann: free" in offered(sandbox).content


async def test_a_moderator_frees_the_seat_of_somebody_who_has_left(sandbox: SandboxBot) -> None:
    """Ann may manage threads; nobody else takes a seat away, and she no free one twice."""
    await imported(sandbox, log_of(recorded(20)))
    await claimed(sandbox, "Bob", "Cy")
    changes.leave(sandbox.world, sandbox.world.guilds[GUILD_ID], sandbox.person("Bob").id)
    answer = await sandbox.person("Dee").press(offered(sandbox), "Bob")
    assert "Bob has claimed the seat of Bob. A moderator frees it" in answer.text
    await sandbox.stop()
    await sandbox.start()
    await sandbox.person("Ann").press(offered(sandbox), "Bob")
    assert "2. Bob: free" in offered(sandbox).content
    await sandbox.person("Ann").press(offered(sandbox), "Bob")
    await sandbox.person("Ann").press(offered(sandbox), "Cy")
    assert re.findall(r"^\d\. (.*?)(?: \(|$)", offered(sandbox).content, re.MULTILINE) == [
        "Ann: free",
        "Bob: Ann",
        "Cy: free",
        "Dee: free",
    ]


async def test_the_action_that_cannot_be_read_is_named(sandbox: SandboxBot) -> None:
    log = json.loads(log_of(recorded(20)))
    log["actions"][6]["type"] = "teleport"
    answer = await imported(sandbox, json.dumps(log))
    assert "action 7 (teleport by" in answer.text
    assert "no title here knows" in answer.text


@pytest.mark.parametrize(
    ("record", "why"),
    [
        (
            load_record(EARLIER.read_text("utf-8"), 13),
            "The rules have changed since the game began, and today's refuse it: action 13: It is not your turn",
        ),
        (
            replace(recorded(5), digest=recorded(6).digest),
            "The game cannot be read: action 5: The position is not the recorded one.",
        ),
    ],
)
async def test_a_game_that_todays_rules_lead_elsewhere_is_refused_and_leaves_nothing(
    sandbox: SandboxBot, record: Record, why: str
) -> None:
    """One in which more is asked now than then, and one that comes to another position."""
    answer = await imported(sandbox, write_record(record))
    assert why in answer.text
    assert answer.public == []
    assert await games.list_games(sandbox.db, GUILD_ID) == []


@pytest.mark.parametrize(
    "text", ["", "{", "[]", '{"title": "1830", "players": [], "actions": []}', "\x00\xff"]
)
async def test_what_is_no_game_is_refused_in_a_sentence(sandbox: SandboxBot, text: str) -> None:
    answer = await imported(sandbox, text)
    assert "The game cannot be read: " in answer.text
    assert "went wrong" not in answer.text
    assert answer.public == []


async def test_a_game_is_not_imported_where_it_could_not_be_played(sandbox: SandboxBot) -> None:
    sandbox.world.withheld = permissions.CREATE_THREADS
    found = (await imported(sandbox, log_of(recorded(5)))).text
    assert found.startswith("The game was not imported. ")
    assert "Create Public Threads" in found


async def test_a_file_that_is_too_large_is_not_read(
    sandbox: SandboxBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = log_of(recorded(5))
    size = len(text.encode())
    monkeypatch.setattr("engine.interchange.LARGEST", size - 1)
    assert f"larger than {size - 1:,} bytes" in (await imported(sandbox, text)).text
    monkeypatch.setattr("engine.interchange.LARGEST", size)
    assert "is read" in (await imported(sandbox, text)).text


async def test_a_file_that_has_a_million_characters_in_a_name_is_refused_in_few(sandbox: SandboxBot) -> None:
    log = json.loads(log_of(recorded(5)))
    log["actions"][4]["company"] = "x" * 10**6
    answer = await imported(sandbox, json.dumps(log))
    assert "action 5 (bid by" in answer.text
    assert len(answer.text) < 1_100


def test_whoever_has_another_id_in_the_file_has_it_nowhere_at_the_table() -> None:
    """A share that a president takes from another player, and one that a company buys from a player (18C2C)."""
    record = replace(recorded(0), players=(("7", "Ann"), ("8", "Bob")))
    taken = [Seat(1, number, f"p{number}", number, "") for number in (1, 2)]
    moves: list[Action] = [
        Privatize(actor="7", entity="7", company="B&O", seller="8"),
        RedeemShare(actor="8", entity="B&O", company="B&O", source="7"),
    ]
    assert renamed(replace(record, actions=tuple(moves)), taken) == [
        Privatize(actor="p1", entity="p1", company="B&O", seller="p2"),
        RedeemShare(actor="p2", entity="B&O", company="B&O", source="p1"),
    ]


def test_one_move_is_counted_as_one() -> None:
    assert "after 1 move." in Claims.of("18AL", 1, ["A"]).text()


def test_names_from_a_file_are_distinct_and_mean_nothing_to_discord() -> None:
    """However a file names its players, the message reads back as it was written."""
    claims = Claims.of("18AL", 3, ["A: b", "**A b**", "<@5>\n2. x: free"])
    assert Claims.read(claims.text()) == claims
    assert len({seat.was for seat in claims.seats}) == 3
    taken = claims.pressed(2, 7, "Zoe: (free)").pressed(1, 8, "free")
    assert Claims.read(taken.text()) == taken


def test_who_claims_two_seats_or_anothers_is_refused() -> None:
    claims = Claims.of("18AL", 3, ["A", "B"]).pressed(1, 7, "Ann")
    with pytest.raises(NotYours, match="Ann has claimed"):
        claims.pressed(1, 8, "Bob")
    with pytest.raises(Refused, match="claimed the seat of A"):
        claims.pressed(2, 7, "Ann")
    with pytest.raises(Refused, match="not open"):
        Claims.read("Game 3 continues.")
    assert claims.people() is None
    assert claims.pressed(2, 8, "Bob").people() == ((7, "Ann"), (8, "Bob"))


def test_a_recorded_game_is_posted_with_its_end_or_with_a_ping_to_those_who_sit_in_its_thread() -> None:
    row: Any = SimpleNamespace(id=5, name="18AL", title="18al", profile="rulebook", options="[]")
    people = ((7, "Ann"), (CARETAKER, "Computer"), (8, "Bob"))
    entries: Any = (None,) * 3
    for over, thread, kinds in (
        (False, None, ["open", "board", "line", "turn"]),
        (False, 9, ["open", "board", "ping", "line", "turn"]),
        (True, 9, ["open", "board", "line", "turn", "end"]),
    ):
        game = BegunGame(entries, (), "", (), over, () if over else ("p1",))
        rows = imported_game._notices(game, row, 2, TablePlace(1, 2, people, thread))
        assert [one.kind for one in rows] == kinds
        line = Line.read(next(one.payload for one in rows if one.kind == "line"))
        assert line.text.startswith("`3` **18AL** as recorded, after 2 moves. Rules: **rulebook**")
        assert (line.first, line.new_post) == (True, False)
        pinged = [ThreadPing.read(one.payload).users for one in rows if one.kind == "ping"]
        assert pinged == [(7, 8)] * ("ping" in kinds)
        turn = TurnChange.read(next(one.payload for one in rows if one.kind == "turn"))
        assert turn == TurnChange(game.actors, None)


def test_a_game_has_a_result_only_when_it_is_over() -> None:
    text = BANKRUPTCY.read_text("utf-8")
    assert scored(load_record(text, 10).begin()) == ()
    whole = load_record(text)
    game = whole.begin()
    game.apply_all(whole.actions)
    found = scored(game)
    assert sorted(one.player_id for one in found) == ["p1", "p2", "p3"]
    assert [one.won for one in found] == [one.rank == 1 for one in found]
    assert any(one.won for one in found)


def test_a_game_whose_first_row_says_nothing_of_a_log_reads_no_action_from_one() -> None:
    opening = Opening("18chesapeake", "rulebook", (), 5, (("p1", "Ann"), ("p2", "Bob"), ("p3", "Cy")))
    assert replace(opening, from_log=None).begin().from_log == 0
    assert replace(opening, from_log=3).begin().from_log == 3


def test_what_is_wrong_with_a_file_is_said_in_a_thousand_characters_at_most() -> None:
    """Discord takes 2,000 in a message; what a file names may be of any length."""
    recorded = json.loads(write_record(load_record((GOLDEN / "18tn-bank-3p.json").read_text("utf-8"), 1)))
    with pytest.raises(Refused) as refused:
        read_imported(json.dumps(recorded | {"title": "x" * 3000}).encode())
    said = str(refused.value).removeprefix("The game cannot be read: ")
    assert said.endswith("x…")
    assert len(said) == 1000
    with pytest.raises(Refused) as refused:
        read_imported(json.dumps(recorded | {"title": ""}).encode())
    unnamed = str(refused.value).removeprefix("The game cannot be read: ")
    for title in ("18xx", "x" * (1000 - len(unnamed))):
        with pytest.raises(Refused) as refused:
            read_imported(json.dumps(recorded | {"title": title}).encode())
        assert "…" not in str(refused.value)


async def test_an_imported_game_is_stored_as_if_it_had_been_played_at_this_table(
    service: TableService, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its first four users have the seats; nobody here has made the moves."""
    monkeypatch.setattr(service.tables, "clock", lambda: NOW)
    record, woken = recorded(3), service.woken()
    people = (*enumerate(FOUR, 11), (15, "Eve"))
    number = await add_recorded(service.tables, record, TablePlace(1, 2, people, thread_id=3))
    assert woken == [number]
    row = await games.get_game(service.db, number)
    assert (row.guild_id, row.channel_id, row.thread_id, row.status) == (1, 2, 3, "running")
    assert (row.title, row.profile, row.options, row.seed, row.name, row.created_at) == (
        *(record.title, record.profile, json.dumps(sorted(record.options)), record.seed),
        *("18Chesapeake", NOW),
    )
    players = tuple((f"p{seat}", name) for seat, name in enumerate(FOUR, 1))
    taken = [
        (seat.seat, seat.player_id, seat.user_id, seat.display_name)
        for seat in await ask(service.db, seats.question(number))
    ]
    assert taken == [(seat, f"p{seat}", 10 + seat, name) for seat, name in enumerate(FOUR, 1)]
    start, *moves = await log.read(service.db, number)
    assert Opening.read(start.payload) == Opening(
        *(record.title, record.profile, tuple(sorted(record.options)), record.seed, players),
        from_log=min(record.from_log, 3),
    )
    assert (start.kind, start.actor, start.user_id, start.created_at) == ("start", "", None, NOW)
    assert [
        (one.kind, read_action(one.payload), one.actor, one.user_id, one.created_at) for one in moves
    ] == [("action", action, action.actor, None, NOW) for action in record.actions]
    assert moves[-1].digest == record.digest
    assert await results.places_of_server(service.db, 1) == []
    async with TableService.on(service.db).tables.reading(number) as live:
        assert live.game.digest() == record.digest


async def test_a_game_of_more_players_than_there_are_members_is_not_stored(service: TableService) -> None:
    with pytest.raises(Refused) as refused:
        await add_recorded(
            service.tables, recorded(3), TablePlace(1, 2, ((11, "Ann"), (12, "Bob"), (13, "Cy")))
        )
    assert str(refused.value) == ("The game has 4 players, but this server has only 3 members for them.")
    assert await games.list_games(service.db, 1) == []


def test_of_a_file_that_is_no_log_its_path_and_what_is_wrong_are_named(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    for content, says in (
        (None, f"{path} cannot be read: No such file or directory."),
        (b"\xff", f"{path} is not a log: it is not text."),
        (b"{", f"{path}: "),
    ):
        if content is not None:
            path.write_bytes(content)
        for read in (read_position, read_recorded):
            with pytest.raises(Refused) as refused:
                read(path, None)
            assert str(refused.value).startswith(says)
            assert (str(refused.value) == says) == (content != b"{")


def test_a_log_is_read_up_to_a_move(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    path.write_text(write_record(recorded(5)))
    for until in (3, None):
        part = recorded(until or 5)
        assert read_recorded(path, until).actions == part.actions
        assert read_position(path, until).digest() == part.digest
