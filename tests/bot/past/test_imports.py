"""A game from a file continues at a table whose seats were claimed, each by its player."""

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from bot.client.features import import_export
from bot.sandbox.guild import permissions
from bot.sandbox.guild.person import InteractionResult
from bot.sandbox.guild.seed import GUILD_ID
from bot.sandbox.model import REQUIRE_TAG_FLAG, Message, Upload
from bot.table.errors import FailedBeforeStoring, NotPermitted, Refused
from bot.table.games.game_log import GameStart
from bot.table.imports import (
    ImportTarget,
    SeatClaims,
    games_imported_from,
    moves_with_seated_players,
    read_imported_game,
    store_imported_game,
    store_recorded_game,
)
from bot.table.orders.automatic import CARETAKER_MARK
from bot.table.outbox.notices import LINE_KIND, PING_KIND, Line, ThreadPing
from engine.core.actions import Action, Privatize, RedeemShare, read_action
from engine.interchange import MAX_LOG_BYTES
from engine.interchange.writer import write_log
from engine.record import Record, load_record, read_record, write_record
from storage import Seat, games, log, outbox, results, seats
from tests.bot.support import changes
from tests.bot.support.lost_connections import breaks
from tests.bot.support.places import forum_of
from tests.bot.support.positions import BANKRUPTCY
from tests.bot.support.sandbox_bot import PATIENCE, TABLE, SandboxBot, Seated, is_table_ping
from tests.bot.support.table_service import EVERYBODY, TableService

GOLDEN = Path(__file__).parents[2] / "golden"
EARLIER = GOLDEN / "format_1" / "18al-price-3p.json"
"""A game in which less was asked than by today's rules."""
FOUR = ("Ann", "Bob", "Cy", "Dee")
PLACE = ImportTarget(1, 2, EVERYBODY, thread_id=3)
NOW = "2026-01-01T00:00:00Z"


def recorded(moves: int | None, name: str = "18chesapeake-bank-4p") -> Record:
    """This many moves of a golden game of Ann, Bob, Cy and Dee; None: all."""
    record = read_record((GOLDEN / f"{name}.json").read_text("utf-8"))
    if moves is None:
        return record
    game = record.initial_game()
    game.apply_all(record.actions[:moves])
    return replace(record, actions=record.actions[:moves], scores=None, digest=game.digest())


def log_of(record: Record) -> str:
    return write_log(record.initial_game(), record.actions)


def spoiled(record: Record, number: int, **fields: str) -> str:
    content = json.loads(log_of(record))
    content["actions"][number - 1].update(fields)
    return json.dumps(content)


async def imported(sandbox: SandboxBot, text: str, name: str = "game.json") -> InteractionResult:
    return await sandbox.person("Ann").slash(TABLE, "game import", file=Upload(name, text.encode()))


def offered(sandbox: SandboxBot) -> Message:
    """The message on which seats are claimed."""
    return next(m for m in reversed(sandbox.person("Ann").messages(TABLE)) if "imported after" in m.content)


async def press(sandbox: SandboxBot, name: str, label: str) -> str:
    return (await sandbox.person(name).press(offered(sandbox), label)).text


async def claimed(sandbox: SandboxBot, *names: str) -> None:
    for name in names:
        await press(sandbox, name, name)


async def continued(sandbox: SandboxBot, count: int = 1) -> Seated:
    """The table that continues, as said by the last message of this many that say so."""

    def announced() -> list[Message]:
        return [m for m in sandbox.person("Ann").messages(TABLE) if re.match(r"Game \d+ \(18", m.content)]

    assert await sandbox.world.wait_until(lambda: len(announced()) == count, timeout=PATIENCE)
    number = int(announced()[-1].content.split()[1].rstrip(","))
    await sandbox.settled()
    row = await games.get_game(sandbox.db, number)
    return Seated(sandbox, row.id, row.thread_id or 0)


async def test_game_continues_once_claimed(sandbox: SandboxBot) -> None:
    """With a restart between two claims: the message knows who has claimed what."""
    record = recorded(60)
    assert "is imported" in (await imported(sandbox, write_record(record))).text
    await claimed(sandbox, "Ann", "Cy")
    await sandbox.restart()
    await claimed(sandbox, "Dee", "Bob")
    game = await continued(sandbox)
    assert await game.digest() == record.digest
    async with sandbox.client.tables.reading(game.number) as live:
        sat = [(seat.display_name, seat.user_id) for seat in live.seats]
        whose = live.name_of(live.game.actors()[0])
    assert sat == [(name, sandbox.person(name).id) for name in FOUR]
    assert [m.pinged for m in game.messages if is_table_ping(m)] == [[number for _, number in sat]]
    before = await game.seq()
    await game.slash(whose, "pass")
    assert await game.seq() == before + 1


async def test_export_is_imported(sandbox: SandboxBot) -> None:
    """Both forms that `/game export` hands out: the same game, again only on purpose."""
    game = await sandbox.game()
    await game.press("Ann", "Pass")
    result = await game.slash("Eve", "game export")
    files = [file for file in result.ephemeral[-1].attachments if file.filename.endswith(".json")]
    own, other = ((sandbox.world.store.read_file(file.id) or b"").decode() for file in files)
    await imported(sandbox, own)
    await claimed(sandbox, "Ann", "Bob", "Cy")
    first = await continued(sandbox)
    answer = await imported(sandbox, other)
    assert f"as game {first.number} (<#{first.thread}>)" in answer.text
    assert not any("imported after" in message.content for message in sandbox.person("Ann").messages(TABLE))
    [question] = answer.ephemeral
    assert [button.label for button in question.buttons] == ["Import it again", "No"]
    await sandbox.restart()
    await sandbox.person("Ann").press(question, "Import it again")
    assert await sandbox.world.wait_until(lambda: not question.buttons, timeout=PATIENCE)
    waits = f"The game is imported. It continues in <#{sandbox.lobby_channel}> when every seat is claimed."
    assert (question.content, question.attachments) == (waits, [])
    await claimed(sandbox, "Ann", "Bob", "Cy")
    second = await continued(sandbox, 2)
    assert await second.digest() == await first.digest() == await game.digest()
    assert "game 2 (" in (await imported(sandbox, own)).text


async def test_earlier_imports_are_found(service: TableService) -> None:
    read = read_imported_game(log_of(recorded(20)).encode())
    number = await store_imported_game(service.tables, read, PLACE)
    more = read_imported_game(log_of(recorded(21)).encode())

    for file, server, known in ((read, 1, [number]), (read, 2, []), (more, 1, [])):
        assert [row.id for row in await games_imported_from(service.tables, file, server)] == known
    await games.abandon_game(service.db, number)
    assert await games_imported_from(service.tables, read, 1) == []


@pytest.mark.parametrize("stored", [False, True])
async def test_crash_in_the_last_claim(
    sandbox: SandboxBot, monkeypatch: pytest.MonkeyPatch, stored: bool
) -> None:
    await imported(sandbox, log_of(recorded(20)))
    await claimed(sandbox, *FOUR[:3])

    with monkeypatch.context() as patch:
        breaks(patch, import_export, "store_imported_game", done=stored)
        await claimed(sandbox, "Dee")
    await sandbox.restart()
    await claimed(sandbox, "Dee")
    game = await continued(sandbox)
    assert await game.digest() == recorded(20).digest
    assert [row.id for row in await games.games_with_status(sandbox.db, "running")] == [game.number]
    assert not await games.games_with_status(sandbox.db, "lobby")


async def test_unstored_import_leaves_no_open_game(
    service: TableService, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where it was stored, and only the answer was lost, the game continues."""
    with monkeypatch.context() as patch:
        breaks(patch, log, "commit_start", done=False)
        with pytest.raises(FailedBeforeStoring):
            await store_recorded_game(service.tables, recorded(3), PLACE)
    with monkeypatch.context() as patch:
        breaks(patch, log, "commit_start", done=True)
        await store_recorded_game(service.tables, recorded(3), PLACE)
    assert [row.status for row in await games.list_games(service.db, 1)] == ["abandoned", "running"]


async def test_import_in_a_forum(sandbox: SandboxBot) -> None:
    """Seats are claimed in the post in which the game continues."""
    forum = await forum_of(sandbox, makes_tags=True)
    answer = await imported(sandbox, log_of(recorded(20)))
    [post] = [channel for channel in sandbox.world.channels.values() if channel.parent_id == forum.id]
    assert {tag["name"] for tag in forum.tags if tag["id"] in post.applied_tags} == {"18Chesapeake", "open"}
    assert f"<#{post.id}>" in answer.text
    assert post.name == "18Chesapeake, imported after 20 moves"
    for name in FOUR:
        await sandbox.person(name).press(sandbox.world.messages[post.id], name)
    assert await sandbox.world.wait_until(
        lambda: "continues. Players:" in sandbox.world.messages[post.id].content
    )
    await sandbox.settled()
    [row] = await games.games_with_status(sandbox.db, "running")
    assert (row.thread_id, row.channel_id) == (post.id, post.parent_id)
    assert post.name == "18Chesapeake 1: Ann, Bob, Cy, Dee"
    assert Seated(sandbox, row.id, post.id).turn


# --- claims ----------------------------------------------------------------------------------------------------------


async def test_computers_take_the_seats_that_are_left(sandbox: SandboxBot) -> None:
    await imported(sandbox, log_of(recorded(25)))
    assert len(offered(sandbox).buttons) == len(FOUR)
    await claimed(sandbox, "Cy")
    assert "Press your own seat first" in await press(sandbox, "Eve", "Continue with 3 computer players")
    await claimed(sandbox, "Ann")
    await press(sandbox, "Cy", "Continue with 2 computer players")
    await press(sandbox, "Cy", "Yes, with 2 computer players")
    game = await continued(sandbox)
    async with sandbox.client.tables.reading(game.number) as live:
        names = [seat.display_name for seat in live.seats]
        assert names == ["Ann", "Adler (Caretaker)", "Cy", "Comet (Caretaker)"]
        assert live.caretaker_players == {"p2", "p4"}
    await sandbox.learns(lambda: any(CARETAKER_MARK in line for line in game.lines))


async def test_moderator_frees_a_seat(sandbox: SandboxBot) -> None:
    """That of a user who has left, and of nobody else."""
    await imported(sandbox, log_of(recorded(20)))
    await claimed(sandbox, "Bob", "Cy")
    changes.leave(sandbox.world, sandbox.world.guilds[GUILD_ID], sandbox.person("Bob").id)
    refused = "Bob has already claimed the seat of Bob. A moderator can press it to free it"
    assert refused in await press(sandbox, "Dee", "Bob")
    await sandbox.restart()
    await press(sandbox, "Ann", "Bob")
    assert "2. Bob: free" in offered(sandbox).content
    await press(sandbox, "Ann", "Bob")
    await press(sandbox, "Ann", "Cy")
    listed = re.findall(r"^\d\. (.*?)(?: \(|$)", offered(sandbox).content, re.MULTILINE)
    assert listed == ["Ann: free", "Bob: Ann", "Cy: free", "Dee: free"]


def test_claims_are_read_back() -> None:
    assert "after 1 move." in SeatClaims.of("18AL", 1, ["A"]).text()
    claims = SeatClaims.of("18AL", 3, ["A: b", "**A b**", "<@5>\n2. x: free"])
    assert SeatClaims.read(claims.text()) == claims
    assert len({seat.recorded_name for seat in claims.seats}) == 3
    taken = claims.after_press(2, 7, "Zoe: (free)").after_press(1, 8, "free")
    assert SeatClaims.read(taken.text()) == taken


def test_claims_are_refused() -> None:
    claims = SeatClaims.of("18AL", 3, ["A", "B"]).after_press(1, 7, "Ann")
    with pytest.raises(NotPermitted, match="Ann has already claimed"):
        claims.after_press(1, 8, "Bob")
    with pytest.raises(Refused, match="claimed the seat of A"):
        claims.after_press(2, 7, "Ann")
    with pytest.raises(Refused, match="can no longer be claimed"):
        SeatClaims.read("Game 3 continues.")
    assert claims.claimants() is None
    assert claims.after_press(1, 7, "Ann") == SeatClaims.of("18AL", 3, ["A", "B"]), "Ann gives it back"
    assert claims.after_press(2, 8, "Bob").claimants() == ((7, "Ann"), (8, "Bob"))


# --- refused files ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "why"),
    [
        *((text, "The bot cannot read this game: ") for text in ("", "{", "[]", "\x00\xff")),
        ('{"title": "1830", "players": [], "actions": []}', "The bot cannot read this game: "),
        (spoiled(recorded(20), 7, type="teleport"), "action 7 (teleport by"),
        (spoiled(recorded(5), 5, company="x" * 10**6), "action 5 (bid by"),
        (
            write_record(load_record(EARLIER.read_text("utf-8"), 13)),
            "The bot's rules have changed since this game began, and the current ones refuse it: "
            "action 13: It is not your turn",
        ),
        (
            write_record(replace(recorded(5), digest=recorded(6).digest)),
            "The bot cannot read this game: action 5: The position differs from the recorded one.",
        ),
    ],
    ids=range(9),
)
def test_bad_file_is_refused_in_a_sentence(text: str, why: str) -> None:
    with pytest.raises(Refused) as refused:
        read_imported_game(text.encode())
    assert why in str(refused.value)
    assert len(str(refused.value)) < 1_100


async def test_bad_file_leaves_nothing(sandbox: SandboxBot) -> None:
    for text in ("{", write_record(load_record(EARLIER.read_text("utf-8"), 13))):
        answer = await imported(sandbox, text)
        assert "went wrong" not in answer.text
        assert answer.public == []
    assert await games.list_games(sandbox.db, GUILD_ID) == []
    text = log_of(recorded(5))
    assert (
        f"too large: the limit is {MAX_LOG_BYTES:,} bytes"
        in (await imported(sandbox, text.ljust(MAX_LOG_BYTES + 1))).text
    )
    assert "is imported" in (await imported(sandbox, text.ljust(MAX_LOG_BYTES))).text
    sandbox.world.withheld_permissions = permissions.CREATE_THREADS
    found = (await imported(sandbox, text)).text
    assert found.startswith("The game was not imported. ")
    assert "Create Public Threads" in found


async def test_import_needs_a_tag_that_fits(sandbox: SandboxBot) -> None:
    forum = await forum_of(sandbox, tags=("trains",), flags=REQUIRE_TAG_FLAG)
    answer = await imported(sandbox, log_of(recorded(5)))
    assert f"every post in <#{forum.id}> needs a tag, and the forum has none that fits." in answer.text
    assert not [channel for channel in sandbox.world.channels.values() if channel.parent_id == forum.id]


async def test_import_needs_as_many_members(service: TableService) -> None:
    with pytest.raises(Refused) as refused:
        await store_recorded_game(service.tables, recorded(3), ImportTarget(1, 2, EVERYBODY[:3]))
    assert str(refused.value) == "The game has 4 players, but only 3 members of this server can take seats."
    assert await games.list_games(service.db, 1) == []


# --- what is stored --------------------------------------------------------------------------------------------------


def test_imported_actions_get_new_ids() -> None:
    """A share that a president takes from another player, and one that a company buys from a player (18C2C)."""
    record = replace(recorded(0), players=(("7", "Ann"), ("8", "Bob")))
    taken = [Seat(1, number, f"p{number}", number, "") for number in (1, 2)]
    moves: tuple[Action, ...] = (
        Privatize(actor="7", entity="7", company="B&O", seller="8"),
        RedeemShare(actor="8", entity="B&O", company="B&O", source="7"),
    )
    assert moves_with_seated_players(replace(record, actions=moves), taken) == [
        Privatize(actor="p1", entity="p1", company="B&O", seller="p2"),
        RedeemShare(actor="p2", entity="B&O", company="B&O", source="p1"),
    ]


@pytest.mark.parametrize(
    ("record", "thread", "kinds"),
    [
        (recorded(2), None, ["open", "board", "line", "turn"]),
        (recorded(2), 9, ["open", "board", "ping", "line", "turn"]),
        (recorded(None, "18chesapeake-agreement-2p"), 9, ["open", "board", "line", "turn", "end"]),
    ],
)
async def test_import_is_posted(
    service: TableService, record: Record, thread: int | None, kinds: list[str]
) -> None:
    game = await store_recorded_game(service.tables, record, ImportTarget(1, 2, EVERYBODY, thread))
    rows = await outbox.unposted_notices_of_game(service.db, game)
    assert [row.kind for row in rows] == kinds
    line = Line.read(next(row.payload for row in rows if row.kind == LINE_KIND))
    moves = len(record.actions)
    said = f"`{moves + 1}` **18Chesapeake** as recorded, after {moves} moves. Rules: **"
    assert (line.text[: len(said)], line.is_first, line.is_new_post) == (said, True, False)
    pinged = [ThreadPing.read(row.payload).users for row in rows if row.kind == PING_KIND]
    assert pinged == [tuple(user for user, _ in EVERYBODY)] * (PING_KIND in kinds)


async def test_import_is_stored_as_if_played_here(service: TableService) -> None:
    """The first users have the seats; nobody here has made the moves."""
    service.tables.clock = lambda: NOW
    record, woken = recorded(3), service.woken()
    number = await store_recorded_game(
        service.tables, record, replace(PLACE, people=(*EVERYBODY, (15, "Eve")))
    )
    assert woken == [number]
    row = await games.get_game(service.db, number)
    assert (row.guild_id, row.channel_id, row.thread_id, row.status) == (1, 2, 3, "running")
    about = (record.title, record.profile, json.dumps(sorted(record.options)), record.seed)
    assert (row.title, row.profile, row.options, row.seed, row.name, row.created_at) == (
        *about,
        "18Chesapeake",
        NOW,
    )
    taken = [
        (seat.player_id, seat.user_id, seat.display_name) for seat in await seats.seats(service.db, number)
    ]
    assert taken == [(f"p{seat}", user, name) for seat, (user, name) in enumerate(EVERYBODY, 1)]
    start, *moves = await log.read_rows(service.db, number)
    players = tuple((player, name) for player, _, name in taken)
    opening = GameStart(record.title, record.profile, (), record.seed, players, from_log=record.from_log)
    assert GameStart.read(start.payload) == replace(opening, from_log=min(record.from_log, 3))
    assert (start.kind, start.actor, start.user_id, start.created_at) == ("start", "", None, NOW)
    made = [(one.kind, read_action(one.payload), one.actor, one.user_id, one.created_at) for one in moves]
    assert made == [("action", action, action.actor, None, NOW) for action in record.actions]
    assert moves[-1].digest == record.digest
    assert await results.places_of_server(service.db, 1) == []
    assert await TableService.on(service.db).digest(number) == record.digest


async def test_import_stores_results(service: TableService) -> None:
    await store_recorded_game(service.tables, load_record(BANKRUPTCY.read_text("utf-8")), PLACE)
    found = await results.places_of_server(service.db, 1)
    assert sorted(one.user_id for one in found) == [11, 12, 13]
    assert [one.won for one in found] == [one.rank == 1 for one in found]
    assert any(one.won for one in found)
