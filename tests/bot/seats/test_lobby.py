"""Until the first move: joining, seats, starting, giving up; and what the first posts of a game say."""

import asyncio

import pytest

from bot.table.errors import GameDamaged, NotPermitted, Refused
from bot.table.lobby import MAX_LOBBIES_OF_SERVER, MAX_LOBBIES_OF_USER, Lobby, LobbyOpener
from bot.table.outbox.notices import PING_KIND, ThreadPing
from engine.tell.narrate import sentences
from storage import CARETAKER_USER, GAME_SETTINGS, NotSeated, games, log, seats
from tests.bot.support.lost_connections import breaks
from tests.bot.support.sandbox_bot import TABLE, SandboxBot
from tests.bot.support.table_service import ANN, BOB, CHANNEL, CY, GUILD, TableService
from tests.support.unsent import unsent

ALONE, TWO = ((ANN, "Ann"),), ((ANN, "Ann"), (BOB, "Bob"))
OPENER = LobbyOpener(ANN, "Ann", CHANNEL)


async def tennessee(service: TableService, *options: str) -> Lobby:
    return await service.lobbies.open_lobby(GUILD, OPENER, "18tn", "rulebook", options)


# --- who sits down and starts ----------------------------------------------------------------------------------------


async def test_seats_are_limited(service: TableService) -> None:
    game = await service.lobby(tuple((number, f"P{number}") for number in range(1, 7)))
    with pytest.raises(Refused, match="already"):
        await service.lobbies.join(game, 1, "P1")
    with pytest.raises(Exception, match="6 seats"):
        await service.lobbies.join(game, 7, "P7")


async def test_players_may_be_too_few(service: TableService) -> None:
    game = await service.lobby(ALONE)
    with pytest.raises(Refused, match=r"^18Chesapeake is for 2 to 6 players; 1 has joined\.$"):
        await service.lobbies.start(game, ANN)
    lobby = await tennessee(service)
    await service.lobbies.join(lobby.row.id, BOB, "Bob")
    with pytest.raises(Refused, match=r"^18TN is for 3 to 5 players; 2 have joined\.$"):
        await service.lobbies.start(lobby.row.id, ANN)


async def test_seated_players_and_moderators_choose(service: TableService) -> None:
    game, lobbies = await service.lobby(), service.lobbies
    for attempt in (
        lobbies.start(game, 99),
        lobbies.set_seat_order(game, 99, (ANN, BOB, CY)),
        lobbies.choose_rules(game, 99, "18xx.games", None),
    ):
        with pytest.raises(NotSeated):
            await attempt
    assert (await lobbies.choose_rules(game, None, "18xx.games", None)).row.profile == "18xx.games"


async def test_lobby_and_game_refuse_what_is_not_theirs(service: TableService) -> None:
    lobby, game = await service.lobby(), await service.game()
    with pytest.raises(Refused, match="not started"):
        await service.do(lobby, ANN, "pass")
    for attempt in (service.lobbies.join(game, 99, "Zoe"), service.lobbies.start(game, ANN)):
        with pytest.raises(Refused, match="no longer open"):
            await attempt
    assert await log.last_seq(service.db, game) == 1


async def test_fixed_seats_stay(service: TableService) -> None:
    game = await service.lobby()
    await service.lobbies.set_seat_order(game, BOB, (CY, ANN, BOB))
    await service.lobbies.start(game, BOB)
    async with service.tables.reading(game) as live:
        assert [seat.user_id for seat in live.seats] == [CY, ANN, BOB]
        assert [name for _, name in live.game.players] == ["Cy", "Ann", "Bob"]
        assert live.player_of(ANN) == "p2"


async def test_seats_are_drawn_from_the_seed(service: TableService) -> None:
    drawn = []
    for seed in (3, 4):
        row = await games.create_game(
            service.db, guild_id=GUILD, channel_id=CHANNEL, title="18chesapeake", profile="rulebook", options="[]",
            seed=seed, name="18Chesapeake", now="2026",
        )  # fmt: skip
        for user, name in ((ANN, "Ann"), (BOB, "Bob"), (CY, "Cy")):
            await service.lobbies.join(row.id, user, name)
        await service.lobbies.start(row.id, ANN)
        drawn.append([seat.user_id for seat in await seats.seats(service.db, row.id)])
    assert drawn == [[BOB, CY, ANN], [CY, BOB, ANN]]


@pytest.mark.parametrize(
    ("profile", "options", "why"),
    [("house", "[]", r"^There is no profile 'house'\.$"), ("rulebook", "x", "'x' are not optional rules")],
)
async def test_damaged_lobby_seats_and_starts_nobody(
    service: TableService, profile: str, options: str, why: str
) -> None:
    game = await service.lobby()
    await games.set_rules(service.db, game, profile, options)
    for attempt in (service.lobbies.join(game, 14, "Dee"), service.lobbies.start(game, ANN)):
        with pytest.raises(GameDamaged, match=why):
            await attempt
    row = await games.get_game(service.db, game)
    assert (row.status, len(await seats.seats(service.db, game))) == ("lobby", 3)
    assert await log.last_seq(service.db, game) == 0


async def test_opener_gives_up_or_those_left(service: TableService) -> None:
    first, second = await service.lobby(), await service.lobby()
    await service.lobbies.leave(first, CY)
    with pytest.raises(NotPermitted, match="Ann"):
        await service.lobbies.close_lobby(first, BOB)
    await service.lobbies.close_lobby(first, ANN)
    assert (await games.get_game(service.db, first)).status == "abandoned"
    with pytest.raises(Refused, match="abandoned"):
        await service.do(first, ANN, "pass")
    await service.lobbies.leave(second, ANN)
    with pytest.raises(NotPermitted):
        await service.lobbies.close_lobby(second, 99)
    await service.lobbies.close_lobby(second, BOB)


# --- how many are open -----------------------------------------------------------------------------------------------


async def test_one_person_opens_few_games(service: TableService) -> None:
    opened = [await service.lobby(ALONE) for _ in range(MAX_LOBBIES_OF_USER - 1)]
    theirs = await service.lobby(((BOB, "Bob"), (ANN, "Ann")))
    with pytest.raises(
        Refused, match=rf"{MAX_LOBBIES_OF_USER} open games waiting for players \({opened[0]}, .*{theirs}\)"
    ):
        await service.lobby(ALONE)
    await service.lobby(((BOB, "Bob"),))
    await service.lobbies.close_lobby(opened[0], ANN)
    await service.lobby(ALONE)


async def test_opener_who_leaves_has_opened_it(service: TableService) -> None:
    for _ in range(MAX_LOBBIES_OF_USER):
        await service.lobbies.leave(await service.lobby(ALONE), ANN)
    with pytest.raises(Refused, match="which is the limit"):
        await service.lobby(ALONE)


async def test_server_has_few_open_games(service: TableService) -> None:
    for person in range(MAX_LOBBIES_OF_SERVER):
        await service.lobby(((100 + person, "Somebody"),))
    with pytest.raises(Refused, match=f"{MAX_LOBBIES_OF_SERVER} open games"):
        await service.lobby(ALONE)


async def test_games_opened_at_once_are_counted(service: TableService) -> None:
    attempts = (service.lobby(ALONE) for _ in range(2 * MAX_LOBBIES_OF_USER))
    found = await asyncio.gather(*attempts, return_exceptions=True)
    assert sum(isinstance(one, int) for one in found) == MAX_LOBBIES_OF_USER


async def test_empty_lobby_hinders_nobody(service: TableService) -> None:
    # The database failed between opening it and the first seat, and again when it was to be withdrawn.
    empty = await games.create_game(
        service.db, guild_id=GUILD, channel_id=CHANNEL, title="18al", profile="rulebook", options="[]", seed=1,
        name="18AL", now="2026",
    )  # fmt: skip
    assert await service.lobby() > empty.id
    await service.lobbies.close_lobby(empty.id, ANN)
    assert (await games.get_game(service.db, empty.id)).status == "abandoned"


# --- what is said ----------------------------------------------------------------------------------------------------


async def test_first_line_says_seats_and_rules(service: TableService) -> None:
    game = (await tennessee(service)).row.id
    for user, name in ((BOB, "Bob"), (CY, "Cy")):
        await service.lobbies.join(game, user, name)
    await service.lobbies.set_seat_order(game, ANN, (ANN, BOB, CY))
    await GAME_SETTINGS.put(service.db, game, "bank", "5 days")
    await service.lobbies.start(game, ANN)
    assert await service.lines(game) == [
        "`1` **Game 1: 18TN** begins. Seats in order: Ann, Bob, Cy. Rules: **rulebook** (the printed rules). "
        "No optional rules.\nTime bank: 5 days for each player, for the whole game."
    ]
    chesapeake = await service.game()
    async with service.tables.reading(chesapeake) as live:
        [drawn] = sentences(live.game.opening_events, live.game)
    [begins] = await service.lines(chesapeake)
    assert begins.endswith(f" No optional rules. {drawn}")


@pytest.mark.parametrize("computer", [False, True])
async def test_new_thread_pings_its_players(service: TableService, *, computer: bool) -> None:
    game = await service.lobby(TWO)
    await GAME_SETTINGS.put(service.db, game, "sealed", "on")
    if computer:
        await service.lobbies.join(game, CARETAKER_USER, "Conductor")
    await service.lobbies.set_seat_order(game, ANN, (ANN, BOB))
    woken = service.woken()
    await service.lobbies.start(game, ANN)
    assert woken == [game]
    [ping] = [ThreadPing.read(row.payload) for row in await unsent(service.db) if row.kind == PING_KIND]
    here = "Moves are posted here; the next player is pinged."
    sealed = (
        "During the auction, each of you can press **Seal my bids …** below the turn message at any time."
    )
    text = here if computer else f"{sealed}\n{here}"
    assert ping == ThreadPing((ANN, BOB), text)


# --- on Discord ------------------------------------------------------------------------------------------------------


async def test_lobby_message_shows_each_change(sandbox: SandboxBot) -> None:
    ann, bob = sandbox.person("Ann"), sandbox.person("Bob")
    await ann.slash(TABLE, "game new", title="18chesapeake")
    message = sandbox.lobby()
    for button, who, seated in (
        ("Join", bob, ["Ann", "Bob"]),
        ("Computer: Apprentice", ann, ["Ann", "Bob", "Adler (Apprentice)"]),
        ("Computer: Conductor", bob, ["Ann", "Bob", "Adler (Apprentice)", "Comet (Conductor)"]),
        ("Remove a computer", bob, ["Ann", "Bob", "Adler (Apprentice)"]),
        ("Remove a computer", bob, ["Ann", "Bob"]),
    ):
        answered = await who.press(sandbox.lobby(), button)
        assert not answered.text
        listed = "\n".join(f"{number}. {name}" for number, name in enumerate(seated, 1))
        assert f"\n{listed}\n-# {len(seated)} joined" in sandbox.lobby().content
    assert "already" in (await bob.press(sandbox.lobby(), "Join")).text
    await bob.press(sandbox.lobby(), "Leave")
    assert "Bob" not in sandbox.lobby().content
    assert "2 to 6 players" in (await ann.press(sandbox.lobby(), "Start")).text
    assert "18Chesapeake, open" in (await bob.slash(TABLE, "game list")).text
    assert "so only they can abandon it" in (await bob.slash(TABLE, "game abandon", number=1)).text
    assert "Game 1 is abandoned." in (await ann.slash(TABLE, "game abandon")).text
    assert message.content == "**Game 1: 18Chesapeake** was abandoned. Ann"
    assert not message.buttons


async def test_unposted_lobby_is_named(sandbox: SandboxBot, monkeypatch: pytest.MonkeyPatch) -> None:
    breaks(monkeypatch, games, "abandon_game", done=False)
    sandbox.server.faults.fail("POST /api/v10/channels/", status=403)
    answer = await sandbox.person("Ann").slash(TABLE, "game new", title="18chesapeake")
    assert (
        "Game 1 is open, but its lobby message is missing. `/game abandon number:1` closes the game."
        in answer.text
    )


async def test_joining_does_without_the_hosts_ping(sandbox: SandboxBot) -> None:
    await sandbox.person("Ann").slash(TABLE, "game new", title="18chesapeake")
    for user in range(20, 24):
        await sandbox.client.lobbies.join(1, user, f"P{user}")
    sandbox.server.faults.fail("POST /api/v10/channels/", status=403)
    answer = await sandbox.person("Bob").slash(TABLE, "game join", number=1)
    assert "You have a seat in game 1." in answer.text
    assert "6. Bob" in sandbox.lobby().content


async def test_first_moves_are_posted(sandbox: SandboxBot) -> None:
    game = await sandbox.game()
    board, first_line, turn = game.messages[0], game.lines[0], game.turn
    assert [embed["title"] for embed in board.embeds if "title" in embed] == ["18Chesapeake, game 1"]
    assert sorted(a.filename for a in board.attachments) == ["map.png", "market.png"]
    assert board.pinned
    assert "Ann, Bob, Cy" in first_line
    assert turn.content.startswith(f"<@{sandbox.person('Ann').id}>")
    assert (game.pings("Ann"), game.pings("Bob")) == (1, 0)

    result = await game.slash("Ann", "bid", private="D&R", amount=20)
    assert "Done" in result.text
    assert result.public == []
    assert any("Ann" in line and "D&R" in line for line in game.lines[1:])
    assert game.turn.content.startswith(f"<@{sandbox.person('Bob').id}>")
    assert [m for m in game.messages if m.buttons] == [game.turn]
    assert (game.pings("Ann"), game.pings("Bob")) == (1, 1)
