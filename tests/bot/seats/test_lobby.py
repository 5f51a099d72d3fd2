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
from tests.bot.support.tables import ANN, BOB, CHANNEL, CY, GUILD, Bench
from tests.support.unsent import unsent


async def test_nobody_sits_twice_and_no_more_than_the_title_takes(bench: Bench) -> None:
    game = await bench.lobby(((1, "A"), (2, "B"), (3, "C"), (4, "D"), (5, "E"), (6, "F")))
    with pytest.raises(Refused, match="already"):
        await bench.lobbies.join(game, 1, "A")
    with pytest.raises(Exception, match="6 seats"):
        await bench.lobbies.join(game, 7, "G")


async def test_one_player_is_too_few(bench: Bench) -> None:
    game = await bench.lobby(((ANN, "Ann"),))
    with pytest.raises(Refused, match=r"^18Chesapeake is for 2 to 6 players; 1 has joined\.$"):
        await bench.lobbies.start(game, ANN)


async def test_two_players_may_be_too_few(bench: Bench) -> None:
    lobby = await _tennessee(bench)
    await bench.lobbies.join(lobby.row.id, BOB, "Bob")
    with pytest.raises(Refused, match=r"^18TN is for 3 to 5 players; 2 have joined\.$"):
        await bench.lobbies.start(lobby.row.id, ANN)


async def test_only_the_seated_start_arrange_and_choose_and_a_moderator(bench: Bench) -> None:
    game = await bench.lobby()
    with pytest.raises(NotSeated):
        await bench.lobbies.start(game, 99)
    with pytest.raises(NotSeated):
        await bench.lobbies.arrange(game, 99, (ANN, BOB, CY))
    with pytest.raises(NotSeated):
        await bench.lobbies.choose(game, 99, "18xx.games", None)
    assert (await bench.lobbies.choose(game, None, "18xx.games", None)).row.profile == "18xx.games"


async def test_a_started_game_takes_nobody_and_starts_once(bench: Bench) -> None:
    game = await bench.game()
    with pytest.raises(Refused, match="not in the lobby"):
        await bench.lobbies.join(game, 99, "Zoe")
    with pytest.raises(Refused, match="not in the lobby"):
        await bench.lobbies.start(game, ANN)
    assert await log.last_seq(bench.db, game) == 1


async def test_the_first_line_says_what_chance_drew(bench: Bench) -> None:
    game = await bench.game()
    async with bench.tables.reading(game) as live:
        (drawn,) = sentences(live.game.opening_events, live.game)
    lines = [posting.payload for posting in await unsent(bench.db)]
    assert any(drawn in line and "Seats in order" in line for line in lines)


async def test_fixed_seats_stay_and_drawn_ones_follow_the_seed(bench: Bench) -> None:
    game = await bench.lobby()
    await bench.lobbies.arrange(game, BOB, (CY, ANN, BOB))
    await bench.lobbies.start(game, BOB)
    async with bench.tables.reading(game) as live:
        assert [seat.user_id for seat in live.seats] == [CY, ANN, BOB]
        assert [name for _, name in live.game.players] == ["Cy", "Ann", "Bob"]
        assert live.player_of(ANN) == "p2"
    drawn = set()
    for _ in range(20):
        other = await bench.lobby()
        await bench.lobbies.start(other, ANN)
        async with bench.tables.reading(other) as live:
            drawn.add(tuple(seat.user_id for seat in live.seats))
    assert len(drawn) > 1


async def test_seats_are_drawn_from_the_seed(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = []
    for seed in (3, 4):
        monkeypatch.setattr("secrets.randbelow", lambda _, seed=seed: seed)
        game = await bench.lobby()
        await bench.lobbies.start(game, ANN)
        drawn.append([seat.user_id for seat in await seats.seats(bench.db, game)])
    assert drawn == [[BOB, CY, ANN], [CY, BOB, ANN]]


async def test_a_seed_is_drawn_from_all_numbers_of_31_bits(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("secrets.randbelow", lambda count: count - 1)
    assert (await games.get_game(bench.db, await bench.lobby())).seed == 0x7FFFFFFF


async def test_a_lobby_whose_rules_cannot_be_read_does_not_start(bench: Bench) -> None:
    game = await bench.lobby()
    await bench.db.write(lambda tx: tx.run("UPDATE games SET profile = 'house'"))
    with pytest.raises(Damaged, match=r"^There is no profile 'house'\.$"):
        await bench.lobbies.start(game, ANN)
    assert await log.last_seq(bench.db, game) == 0


async def test_leaving_and_giving_up(bench: Bench) -> None:
    game = await bench.lobby()
    await bench.lobbies.leave(game, CY)
    with pytest.raises(NotYours, match="Ann"):
        await bench.lobbies.give_up(game, BOB)
    await bench.lobbies.give_up(game, ANN)
    assert (await games.get_game(bench.db, game)).status == "abandoned"
    with pytest.raises(Refused, match="abandoned"):
        await bench.do(game, ANN, "pass")


async def test_after_the_opener_left_anybody_seated_gives_up(bench: Bench) -> None:
    game = await bench.lobby()
    await bench.lobbies.leave(game, ANN)
    with pytest.raises(NotYours):
        await bench.lobbies.give_up(game, 99)
    await bench.lobbies.give_up(game, BOB)


@pytest.mark.parametrize(("title", "profile"), [("18unknown", "rulebook"), ("18chesapeake", "house")])
async def test_unknown_titles_and_profiles_are_refused(bench: Bench, title: str, profile: str) -> None:
    with pytest.raises(Refused, match=r"There is no title|has no profile"):
        await bench.lobbies.new(GUILD, Opener(ANN, "Ann", CHANNEL), title, profile)


async def test_options_are_checked_posted_and_played(bench: Bench) -> None:
    with pytest.raises(Refused, match="no option coffee"):
        await _tennessee(bench, "coffee")
    with pytest.raises(Refused, match="Options: Best run required"):
        await bench.lobbies.new(
            GUILD, Opener(ANN, "Ann", CHANNEL), "18chesapeake", "rulebook", ("salvage_3",)
        )
    lobby = await _tennessee(bench, "salvage_3")
    assert "Salvage for 3-trains: The bank pays $50" in lobby_text(lobby)
    for user, name in ((BOB, "Bob"), (CY, "Cy")):
        await bench.lobbies.join(lobby.row.id, user, name)
    await bench.lobbies.start(lobby.row.id, ANN)
    async with bench.tables.reading(lobby.row.id) as live:
        assert live.game.rules.option("salvage_3")
    (begins,) = await bench.lines(lobby.row.id)
    assert begins.startswith(f"`1` **Game {lobby.row.id}: 18TN** begins. Seats in order: ")
    assert begins.endswith("that a company loses to the first 6-train (8)."), (
        "chance drew nothing: no space stands there"
    )
    text = rules_text(TITLES["18tn"], lobby.row)
    assert "Civil War" in text
    assert "H3" in rules_text(TITLES["18tn"], lobby.row, "agreed")


async def _tennessee(bench: Bench, *options: str) -> Lobby:
    return await bench.lobbies.new(GUILD, Opener(ANN, "Ann", CHANNEL), "18tn", "rulebook", options)


async def test_a_game_in_the_lobby_has_no_moves(bench: Bench) -> None:
    game = await bench.lobby()
    with pytest.raises(Refused, match="not started"):
        await bench.do(game, ANN, "pass")


async def test_one_person_opens_so_many_games_and_no_more(bench: Bench) -> None:
    opened = [await bench.lobby(((ANN, "Ann"),)) for _ in range(OPEN_OF_ONE - 1)]
    theirs = await bench.lobby(((BOB, "Bob"), (ANN, "Ann")))
    with pytest.raises(Refused, match=rf"{OPEN_OF_ONE} games already \({opened[0]}, .*{theirs}\)"):
        await bench.lobby(((ANN, "Ann"),))
    await bench.lobby(((BOB, "Bob"),))
    await bench.lobbies.give_up(opened[0], ANN)
    await bench.lobby(((ANN, "Ann"),))


async def test_who_leaves_what_they_opened_has_still_opened_it(bench: Bench) -> None:
    for _ in range(OPEN_OF_ONE):
        await bench.lobbies.leave(await bench.lobby(((ANN, "Ann"),)), ANN)
    with pytest.raises(Refused, match="as many as one person may"):
        await bench.lobby(((ANN, "Ann"),))


async def test_a_server_has_so_many_open_games_and_no_more(bench: Bench) -> None:
    for person in range(OPEN_ON_A_SERVER):
        await bench.lobby(((100 + person, "Somebody"),))
    with pytest.raises(Refused, match=f"{OPEN_ON_A_SERVER} games of this server"):
        await bench.lobby(((ANN, "Ann"),))


async def test_games_opened_at_once_are_counted_one_after_the_other(bench: Bench) -> None:
    found = await asyncio.gather(
        *(bench.lobby(((ANN, "Ann"),)) for _ in range(2 * OPEN_OF_ONE)), return_exceptions=True
    )
    assert sum(isinstance(one, int) for one in found) == OPEN_OF_ONE


async def test_a_lobby_in_which_nobody_sat_down_keeps_nobody_from_opening_another(bench: Bench) -> None:
    """The database failed between opening it and the first seat, and again when it was to be withdrawn."""
    whole = await games.get_game(bench.db, await bench.lobby())
    empty = await games.create_game(
        bench.db,
        guild_id=whole.guild_id,
        channel_id=whole.channel_id,
        title=whole.title,
        profile=whole.profile,
        options=whole.options,
        seed=1,
        name=whole.name,
        now="2026",
    )
    assert await bench.lobby() > empty.id
    await bench.lobbies.give_up(empty.id, ANN)
    assert (await games.get_game(bench.db, empty.id)).status == "abandoned"


async def test_a_lobby_whose_rules_cannot_be_read_neither_seats_nor_starts_anybody(bench: Bench) -> None:
    game = await bench.lobby()
    await games.set_rules(bench.db, game, "rulebook", "x")
    with pytest.raises(Damaged, match="its options are 'x'"):
        await bench.lobbies.join(game, 14, "Dee")
    with pytest.raises(Damaged, match="its options are 'x'"):
        await bench.lobbies.start(game, ANN)
    row = await games.get_game(bench.db, game)
    assert (row.status, len(await seats.seats(bench.db, game))) == ("lobby", 3)


async def test_a_write_whose_answer_is_lost_is_looked_for_in_what_is_stored(bench: Bench) -> None:
    first, second = await bench.lobby(), await bench.lobby()
    lobbies, row = bench.lobbies, await games.get_game(bench.db, second)
    assert await lobbies._opened(GUILD, row.seed, row.created_at) == row
    assert await lobbies._opened(GUILD, row.seed + 1, row.created_at) is None
    ann, *_ = taken = await seats.seats(bench.db, first)
    assert (await lobbies._seat(first, ANN, 0), await lobbies._seat(first, ANN, 1)) == (ann, None)
    assert await lobbies._freed(first, [ann]) is None
    assert await lobbies._ordered(first, (ANN, BOB, CY)) == taken
    assert await lobbies._ordered(first, (BOB, ANN, CY)) is None
    assert (await lobbies._chosen(first, ("rulebook", "[]")), await is_abandoned(bench.db, first)) == (
        True,
        None,
    )
    assert await lobbies._chosen(first, ("18xx.games", "[]")) is None
    await lobbies.leave(first, ANN)
    assert await lobbies._freed(first, [ann]) == ann
    await lobbies.give_up(first, BOB)
    assert await is_abandoned(bench.db, first) is True


async def test_with_a_computer_player_bids_are_open_although_sealed_ones_were_chosen(bench: Bench) -> None:
    game = await bench.lobby(((ANN, "Ann"), (BOB, "Bob")))
    assert (await bench.lobbies.read(game)).agreed == ()
    await GAMES.put(bench.db, game, "sealed", "on")
    chosen = "Sale of the privates: all at once by sealed maxima, once everybody has sealed."
    short = "-# How sealed maximums are settled: the first message of the game says it in five points."
    assert (await bench.lobbies.read(game)).agreed == (chosen, short)
    seated = await bench.lobbies.join(game, CARETAKER, "Conductor")
    assert seated.agreed == (
        chosen,
        "-# The computer has a seat, and seals nothing: here bids are open all the same.",
    )
    assert seated.people == (ANN, BOB)


@pytest.mark.parametrize("computer", [False, True])
async def test_a_new_thread_pings_its_players_at_once_and_says_where_all_of_them_seal(
    bench: Bench, *, computer: bool
) -> None:
    game = await bench.lobby(((ANN, "Ann"), (BOB, "Bob")))
    await GAMES.put(bench.db, game, "sealed", "on")
    if computer:
        await bench.lobbies.join(game, CARETAKER, "Conductor")
    await bench.lobbies.arrange(game, ANN, (ANN, BOB))
    woken = bench.woken()
    await bench.lobbies.start(game, ANN)
    assert woken == [game]
    [ping] = [ThreadPing.read(row.payload) for row in await unsent(bench.db) if row.kind == PING]
    here = "Moves are posted here; the next player is pinged."
    sealed = "**Seal my maxima …** below the turn message asks each of you, in turn or not."
    text = here if computer else f"While privates are sold, {sealed}\n{here}"
    assert ping == ThreadPing((ANN, BOB), text)


async def test_the_first_line_of_a_game_says_all_that_was_agreed_on(bench: Bench) -> None:
    game = (await _tennessee(bench)).row.id
    for user, name in ((BOB, "Bob"), (CY, "Cy")):
        await bench.lobbies.join(game, user, name)
    await bench.lobbies.arrange(game, ANN, (ANN, BOB, CY))
    await GAMES.put(bench.db, game, "bank", "5 days")
    await bench.lobbies.start(game, ANN)
    assert await bench.lines(game) == [
        "`1` **Game 1: 18TN** begins. Seats in order: Ann, Bob, Cy. Rules: **rulebook** (the printed rules). "
        "No optional rules.\nTime bank: 5 days for each player in the whole game."
    ]
