"""Before the first move: joining, seats, starting, giving up."""

import asyncio

import pytest

from bot.client.features.lobby_messages import lobby_text
from bot.table.errors import Damaged, NotYours, Refused
from bot.table.games.confirmed_writes import is_abandoned
from bot.table.lobby import OPEN_OF_ONE, OPEN_ON_A_SERVER, Lobby, Opener
from bot.table.outbox.notices import PING, ThreadPing
from bot.table.settings.game_rules import rules_text
from engine.tell.narrate import sentences
from engine.titles import TITLES
from storage import CARETAKER, GAMES, NotSeated, games, log, seats
from tests.bot.support.table_service import ANN, BOB, CHANNEL, CY, GUILD, TableService
from tests.support.unsent import unsent


async def test_nobody_sits_twice_and_no_more_than_the_title_takes(service: TableService) -> None:
    game = await service.lobby(((1, "A"), (2, "B"), (3, "C"), (4, "D"), (5, "E"), (6, "F")))
    with pytest.raises(Refused, match="already"):
        await service.lobbies.join(game, 1, "A")
    with pytest.raises(Exception, match="6 seats"):
        await service.lobbies.join(game, 7, "G")


async def test_one_player_is_too_few(service: TableService) -> None:
    game = await service.lobby(((ANN, "Ann"),))
    with pytest.raises(Refused, match=r"^18Chesapeake is for 2 to 6 players; 1 has joined\.$"):
        await service.lobbies.start(game, ANN)


async def test_two_players_may_be_too_few(service: TableService) -> None:
    lobby = await _tennessee(service)
    await service.lobbies.join(lobby.row.id, BOB, "Bob")
    with pytest.raises(Refused, match=r"^18TN is for 3 to 5 players; 2 have joined\.$"):
        await service.lobbies.start(lobby.row.id, ANN)


async def test_only_the_seated_start_arrange_and_choose_and_a_moderator(service: TableService) -> None:
    game = await service.lobby()
    with pytest.raises(NotSeated):
        await service.lobbies.start(game, 99)
    with pytest.raises(NotSeated):
        await service.lobbies.arrange(game, 99, (ANN, BOB, CY))
    with pytest.raises(NotSeated):
        await service.lobbies.choose(game, 99, "18xx.games", None)
    assert (await service.lobbies.choose(game, None, "18xx.games", None)).row.profile == "18xx.games"


async def test_a_started_game_takes_nobody_and_starts_once(service: TableService) -> None:
    game = await service.game()
    with pytest.raises(Refused, match="not in the lobby"):
        await service.lobbies.join(game, 99, "Zoe")
    with pytest.raises(Refused, match="not in the lobby"):
        await service.lobbies.start(game, ANN)
    assert await log.last_seq(service.db, game) == 1


async def test_the_first_line_says_what_chance_drew(service: TableService) -> None:
    game = await service.game()
    async with service.tables.reading(game) as live:
        (drawn,) = sentences(live.game.opening_events, live.game)
    lines = [posting.payload for posting in await unsent(service.db)]
    assert any(drawn in line and "Seats in order" in line for line in lines)


async def test_fixed_seats_stay_and_drawn_ones_follow_the_seed(service: TableService) -> None:
    game = await service.lobby()
    await service.lobbies.arrange(game, BOB, (CY, ANN, BOB))
    await service.lobbies.start(game, BOB)
    async with service.tables.reading(game) as live:
        assert [seat.user_id for seat in live.seats] == [CY, ANN, BOB]
        assert [name for _, name in live.game.players] == ["Cy", "Ann", "Bob"]
        assert live.player_of(ANN) == "p2"
    drawn = set()
    for _ in range(20):
        other = await service.lobby()
        await service.lobbies.start(other, ANN)
        async with service.tables.reading(other) as live:
            drawn.add(tuple(seat.user_id for seat in live.seats))
    assert len(drawn) > 1


async def test_seats_are_drawn_from_the_seed(service: TableService, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = []
    for seed in (3, 4):
        monkeypatch.setattr("secrets.randbelow", lambda _, seed=seed: seed)
        game = await service.lobby()
        await service.lobbies.start(game, ANN)
        drawn.append([seat.user_id for seat in await seats.seats(service.db, game)])
    assert drawn == [[BOB, CY, ANN], [CY, BOB, ANN]]


async def test_a_seed_is_drawn_from_all_numbers_of_31_bits(
    service: TableService, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("secrets.randbelow", lambda count: count - 1)
    assert (await games.get_game(service.db, await service.lobby())).seed == 0x7FFFFFFF


async def test_a_lobby_whose_rules_cannot_be_read_does_not_start(service: TableService) -> None:
    game = await service.lobby()
    await service.db.write(lambda tx: tx.run("UPDATE games SET profile = 'house'"))
    with pytest.raises(Damaged, match=r"^There is no profile 'house'\.$"):
        await service.lobbies.start(game, ANN)
    assert await log.last_seq(service.db, game) == 0


async def test_leaving_and_giving_up(service: TableService) -> None:
    game = await service.lobby()
    await service.lobbies.leave(game, CY)
    with pytest.raises(NotYours, match="Ann"):
        await service.lobbies.give_up(game, BOB)
    await service.lobbies.give_up(game, ANN)
    assert (await games.get_game(service.db, game)).status == "abandoned"
    with pytest.raises(Refused, match="abandoned"):
        await service.do(game, ANN, "pass")


async def test_after_the_opener_left_anybody_seated_gives_up(service: TableService) -> None:
    game = await service.lobby()
    await service.lobbies.leave(game, ANN)
    with pytest.raises(NotYours):
        await service.lobbies.give_up(game, 99)
    await service.lobbies.give_up(game, BOB)


@pytest.mark.parametrize(("title", "profile"), [("18unknown", "rulebook"), ("18chesapeake", "house")])
async def test_unknown_titles_and_profiles_are_refused(
    service: TableService, title: str, profile: str
) -> None:
    with pytest.raises(Refused, match=r"There is no title|has no profile"):
        await service.lobbies.new(GUILD, Opener(ANN, "Ann", CHANNEL), title, profile)


async def test_options_are_checked_posted_and_played(service: TableService) -> None:
    with pytest.raises(Refused, match="no option coffee"):
        await _tennessee(service, "coffee")
    with pytest.raises(Refused, match="Options: Best run required"):
        await service.lobbies.new(
            GUILD, Opener(ANN, "Ann", CHANNEL), "18chesapeake", "rulebook", ("salvage_3",)
        )
    lobby = await _tennessee(service, "salvage_3")
    assert "Salvage for 3-trains: The bank pays $50" in lobby_text(lobby)
    for user, name in ((BOB, "Bob"), (CY, "Cy")):
        await service.lobbies.join(lobby.row.id, user, name)
    await service.lobbies.start(lobby.row.id, ANN)
    async with service.tables.reading(lobby.row.id) as live:
        assert live.game.rules.option("salvage_3")
    (begins,) = await service.lines(lobby.row.id)
    assert begins.startswith(f"`1` **Game {lobby.row.id}: 18TN** begins. Seats in order: ")
    assert begins.endswith("that a company loses to the first 6-train (8)."), (
        "chance drew nothing: no space stands there"
    )
    text = rules_text(TITLES["18tn"], lobby.row)
    assert "Civil War" in text
    assert "H3" in rules_text(TITLES["18tn"], lobby.row, "agreed")


async def _tennessee(service: TableService, *options: str) -> Lobby:
    return await service.lobbies.new(GUILD, Opener(ANN, "Ann", CHANNEL), "18tn", "rulebook", options)


async def test_a_game_in_the_lobby_has_no_moves(service: TableService) -> None:
    game = await service.lobby()
    with pytest.raises(Refused, match="not started"):
        await service.do(game, ANN, "pass")


async def test_one_person_opens_so_many_games_and_no_more(service: TableService) -> None:
    opened = [await service.lobby(((ANN, "Ann"),)) for _ in range(OPEN_OF_ONE - 1)]
    theirs = await service.lobby(((BOB, "Bob"), (ANN, "Ann")))
    with pytest.raises(Refused, match=rf"{OPEN_OF_ONE} games already \({opened[0]}, .*{theirs}\)"):
        await service.lobby(((ANN, "Ann"),))
    await service.lobby(((BOB, "Bob"),))
    await service.lobbies.give_up(opened[0], ANN)
    await service.lobby(((ANN, "Ann"),))


async def test_who_leaves_what_they_opened_has_still_opened_it(service: TableService) -> None:
    for _ in range(OPEN_OF_ONE):
        await service.lobbies.leave(await service.lobby(((ANN, "Ann"),)), ANN)
    with pytest.raises(Refused, match="as many as one person may"):
        await service.lobby(((ANN, "Ann"),))


async def test_a_server_has_so_many_open_games_and_no_more(service: TableService) -> None:
    for person in range(OPEN_ON_A_SERVER):
        await service.lobby(((100 + person, "Somebody"),))
    with pytest.raises(Refused, match=f"{OPEN_ON_A_SERVER} games of this server"):
        await service.lobby(((ANN, "Ann"),))


async def test_games_opened_at_once_are_counted_one_after_the_other(service: TableService) -> None:
    found = await asyncio.gather(
        *(service.lobby(((ANN, "Ann"),)) for _ in range(2 * OPEN_OF_ONE)), return_exceptions=True
    )
    assert sum(isinstance(one, int) for one in found) == OPEN_OF_ONE


async def test_a_lobby_in_which_nobody_sat_down_keeps_nobody_from_opening_another(
    service: TableService,
) -> None:
    """The database failed between opening it and the first seat, and again when it was to be withdrawn."""
    whole = await games.get_game(service.db, await service.lobby())
    empty = await games.create_game(
        service.db,
        guild_id=whole.guild_id,
        channel_id=whole.channel_id,
        title=whole.title,
        profile=whole.profile,
        options=whole.options,
        seed=1,
        name=whole.name,
        now="2026",
    )
    assert await service.lobby() > empty.id
    await service.lobbies.give_up(empty.id, ANN)
    assert (await games.get_game(service.db, empty.id)).status == "abandoned"


async def test_a_lobby_whose_rules_cannot_be_read_neither_seats_nor_starts_anybody(
    service: TableService,
) -> None:
    game = await service.lobby()
    await games.set_rules(service.db, game, "rulebook", "x")
    with pytest.raises(Damaged, match="its options are 'x'"):
        await service.lobbies.join(game, 14, "Dee")
    with pytest.raises(Damaged, match="its options are 'x'"):
        await service.lobbies.start(game, ANN)
    row = await games.get_game(service.db, game)
    assert (row.status, len(await seats.seats(service.db, game))) == ("lobby", 3)


async def test_a_write_whose_answer_is_lost_is_looked_for_in_what_is_stored(service: TableService) -> None:
    first, second = await service.lobby(), await service.lobby()
    lobbies, row = service.lobbies, await games.get_game(service.db, second)
    assert await lobbies._opened(GUILD, row.seed, row.created_at) == row
    assert await lobbies._opened(GUILD, row.seed + 1, row.created_at) is None
    ann, *_ = taken = await seats.seats(service.db, first)
    assert (await lobbies._seat(first, ANN, 0), await lobbies._seat(first, ANN, 1)) == (ann, None)
    assert await lobbies._freed(first, [ann]) is None
    assert await lobbies._ordered(first, (ANN, BOB, CY)) == taken
    assert await lobbies._ordered(first, (BOB, ANN, CY)) is None
    assert (await lobbies._chosen(first, ("rulebook", "[]")), await is_abandoned(service.db, first)) == (
        True,
        None,
    )
    assert await lobbies._chosen(first, ("18xx.games", "[]")) is None
    await lobbies.leave(first, ANN)
    assert await lobbies._freed(first, [ann]) == ann
    await lobbies.give_up(first, BOB)
    assert await is_abandoned(service.db, first) is True


async def test_with_a_computer_player_bids_are_open_although_sealed_ones_were_chosen(
    service: TableService,
) -> None:
    game = await service.lobby(((ANN, "Ann"), (BOB, "Bob")))
    assert (await service.lobbies.read(game)).agreed == ()
    await GAMES.put(service.db, game, "sealed", "on")
    chosen = "Sale of the privates: all at once by sealed maxima, once everybody has sealed."
    short = "-# How sealed maximums are settled: the first message of the game says it in five points."
    assert (await service.lobbies.read(game)).agreed == (chosen, short)
    seated = await service.lobbies.join(game, CARETAKER, "Conductor")
    assert seated.agreed == (
        chosen,
        "-# The computer has a seat, and seals nothing: here bids are open all the same.",
    )
    assert seated.people == (ANN, BOB)


@pytest.mark.parametrize("computer", [False, True])
async def test_a_new_thread_pings_its_players_at_once_and_says_where_all_of_them_seal(
    service: TableService, *, computer: bool
) -> None:
    game = await service.lobby(((ANN, "Ann"), (BOB, "Bob")))
    await GAMES.put(service.db, game, "sealed", "on")
    if computer:
        await service.lobbies.join(game, CARETAKER, "Conductor")
    await service.lobbies.arrange(game, ANN, (ANN, BOB))
    woken = service.woken()
    await service.lobbies.start(game, ANN)
    assert woken == [game]
    [ping] = [ThreadPing.read(row.payload) for row in await unsent(service.db) if row.kind == PING]
    here = "Moves are posted here; the next player is pinged."
    sealed = "**Seal my maxima …** below the turn message asks each of you, in turn or not."
    text = here if computer else f"While privates are sold, {sealed}\n{here}"
    assert ping == ThreadPing((ANN, BOB), text)


async def test_the_first_line_of_a_game_says_all_that_was_agreed_on(service: TableService) -> None:
    game = (await _tennessee(service)).row.id
    for user, name in ((BOB, "Bob"), (CY, "Cy")):
        await service.lobbies.join(game, user, name)
    await service.lobbies.arrange(game, ANN, (ANN, BOB, CY))
    await GAMES.put(service.db, game, "bank", "5 days")
    await service.lobbies.start(game, ANN)
    assert await service.lines(game) == [
        "`1` **Game 1: 18TN** begins. Seats in order: Ann, Bob, Cy. Rules: **rulebook** (the printed rules). "
        "No optional rules.\nTime bank: 5 days for each player in the whole game."
    ]
