"""Who claims which seat of an imported game, who may close a lobby, and what a rematch takes over."""

from datetime import UTC, datetime

import pytest

from bot.table import lobby as lobby_module
from bot.table import rematch
from bot.table.errors import NotYours
from bot.table.imports import REST, SURE, Claims
from bot.table.lobby import Opener, lobby_expires, may_give_up
from bot.table.orders import caretakers
from bot.table.orders.caretakers import NAME, join_again
from bot.table.rematch import Rematches
from bot.table.votes.moderation import moderator_end
from storage import CARETAKER, GAMES, NotSeated, Seat, games
from tests.bot.support.lost_connections import breaks
from tests.bot.support.table_service import ANN, BOB, CHANNEL, CY, TableService

TWO = ((ANN, "Ann"), (BOB, "Bob"))

# --- claims ----------------------------------------------------------------------------------------------------------


def test_computer_takes_the_other_seats() -> None:
    once = Claims.of("18AL", 7, ("Ann", "Bob", "Cy")).pressed(2, BOB, "Bob")
    assert [once.is_anothers(number, ANN) for number in (1, 2, REST, SURE)] == [False, True, False, False]
    assert not once.is_anothers(2, BOB)
    assert once.pressed(REST, BOB, "Bob") == once, "a second press makes sure"
    assert once.pressed(SURE, BOB, "Bob").people() == (
        (CARETAKER, f"Adler ({NAME})"), (BOB, "Bob"), (CARETAKER, f"Comet ({NAME})"),
    )  # fmt: skip
    for number in (REST, SURE):
        with pytest.raises(NotYours, match="Press your own seat first"):
            once.pressed(number, ANN, "Ann")


# --- lobbies and rematches -------------------------------------------------------------------------------------------


def test_lobby_expires_after_a_month() -> None:
    assert lobby_expires("2026-01-01T00:00:00+00:00") == datetime(2026, 1, 31, tzinfo=UTC)


@pytest.mark.parametrize(
    ("user", "seated", "may"),
    [(1, [1, 2], True), (1, [2], True), (2, [1, 2], False), (2, [2, 3], True), (4, [2], False)],
)
def test_opener_gives_a_lobby_up(user: int, seated: list[int], may: bool) -> None:
    assert may_give_up(user, 1, seated) == may


async def test_rematch_asks_those_who_have_not_joined(service: TableService) -> None:
    old, new = await service.lobby(), await service.lobby()
    assert await lobby_module.rematch_of(service.db, old) is None
    assert await lobby_module.asked_again(service.db, new, ()) == ()
    await lobby_module.note_rematch(service.db, old, new)
    assert await lobby_module.rematch_of(service.db, old) == new
    assert await lobby_module.asked_again(service.db, new, (BOB,)) == (ANN, CY)
    assert await lobby_module.asked_again(service.db, old, ()) == ()


@pytest.mark.parametrize(
    ("name", "named"),
    [(NAME, NAME), ("Conductor (2)", "Conductor"), ("Lion (Conductor)", "Conductor"), ("Bob", NAME)],
)
async def test_computer_keeps_its_strength(service: TableService, name: str, named: str) -> None:
    game = await service.lobby()
    lobby = await join_again(service.lobbies, game, Seat(1, 2, "p2", CARETAKER, name))
    assert [(seat.user_id, seat.display_name) for seat in lobby.seats][-1] == (CARETAKER, f"Adler ({named})")


async def test_seated_players_add_computers(service: TableService) -> None:
    game = await service.lobby(TWO)
    with pytest.raises(NotSeated):
        await caretakers.add_caretaker(service.lobbies, game, CY)
    await caretakers.add_caretaker(service.lobbies, game, ANN)
    with pytest.raises(NotSeated):
        await caretakers.remove_caretaker(service.lobbies, game, CY)
    assert (await service.lobbies.read(game)).people == (ANN, BOB)
    assert [seat.user_id for seat in (await service.lobbies.read(game)).seats] == [ANN, BOB, CARETAKER]
    await caretakers.remove_caretaker(service.lobbies, game, BOB)
    assert [seat.user_id for seat in (await service.lobbies.read(game)).seats] == [ANN, BOB]


async def test_rematch_fails_without_a_trace(service: TableService, monkeypatch: pytest.MonkeyPatch) -> None:
    game = await service.lobby(TWO)
    await caretakers.add_caretaker(service.lobbies, game, ANN)
    await service.lobbies.start(game, ANN)
    await moderator_end(service.tables, game, BOB, 1)
    old, rematches = await games.get_game(service.db, game), Rematches(service.tables, service.lobbies)
    opener = Opener(ANN, "Ann", CHANNEL)
    with monkeypatch.context() as patch:
        breaks(patch, rematch, "note_rematch", done=False)
        with pytest.raises(ConnectionError):
            await rematches.open_rematch(old, opener)
    assert (await games.get_game(service.db, game + 1)).status == "abandoned"
    assert await rematches.find_rematch(game) is None
    opened = await rematches.open_rematch(old, opener)
    assert [seat.user_id for seat in opened.seats] == [ANN, CARETAKER], "people join again themselves"
    found = await rematches.find_rematch(game)
    assert found is not None
    assert (found.id, found.status) == (opened.row.id, "lobby")
    await service.lobbies.withdraw(found.id)
    assert await rematches.find_rematch(game) is None, "and another may be opened"


async def test_rematch_keeps_settings_and_computers(service: TableService) -> None:
    game = await service.lobby(TWO)
    await caretakers.add_caretaker(service.lobbies, game, ANN, "Conductor")
    await GAMES.put(service.db, game, "bank", "5 days")
    await GAMES.put(service.db, game, lobby_module.PLAYED_AGAIN_AS, "99")
    rematches, old = Rematches(service.tables, service.lobbies), await games.get_game(service.db, game)
    opened = await rematches.open_rematch(old, Opener(BOB, "Bob", CHANNEL))
    assert [seat.display_name for seat in opened.seats] == ["Bob", "Adler (Conductor)"]
    kept = {"bank": "5 days", lobby_module.PLAYS_AGAIN: str(game)}
    assert await GAMES.all_of(service.db, opened.row.id) == kept
