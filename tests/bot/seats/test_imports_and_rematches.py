"""Who claims which seat of an imported game, who may close a lobby, and what a rematch takes over."""

import pytest

from bot.table import rematch
from bot.table.lobby import LobbyOpener
from bot.table.orders import caretakers
from bot.table.orders.caretakers import DEFAULT_STRENGTH_NAME, join_with_same_strength
from bot.table.rematch import Rematches
from bot.table.votes.moderation import moderator_end
from storage import CARETAKER_USER, NotSeated, Seat, games
from tests.bot.support.lost_connections import breaks
from tests.bot.support.table_service import ANN, BOB, CHANNEL, CY, TableService

TWO = ((ANN, "Ann"), (BOB, "Bob"))

# --- lobbies and rematches -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "named"),
    [
        (DEFAULT_STRENGTH_NAME, DEFAULT_STRENGTH_NAME),
        ("Conductor (2)", "Conductor"),
        ("Lion (Conductor)", "Conductor"),
        ("Bob", DEFAULT_STRENGTH_NAME),
    ],
)
async def test_computer_keeps_its_strength(service: TableService, name: str, named: str) -> None:
    game = await service.lobby()
    lobby = await join_with_same_strength(service.lobbies, game, Seat(1, 2, "p2", CARETAKER_USER, name))
    assert [(seat.user_id, seat.display_name) for seat in lobby.seats][-1] == (
        CARETAKER_USER,
        f"Adler ({named})",
    )


async def test_seated_players_add_computers(service: TableService) -> None:
    game = await service.lobby(TWO)
    with pytest.raises(NotSeated):
        await caretakers.add_caretaker(service.lobbies, game, CY)
    await caretakers.add_caretaker(service.lobbies, game, ANN)
    with pytest.raises(NotSeated):
        await caretakers.remove_caretaker(service.lobbies, game, CY)
    assert (await service.lobbies.read(game)).people == (ANN, BOB)
    assert [seat.user_id for seat in (await service.lobbies.read(game)).seats] == [ANN, BOB, CARETAKER_USER]
    await caretakers.remove_caretaker(service.lobbies, game, BOB)
    assert [seat.user_id for seat in (await service.lobbies.read(game)).seats] == [ANN, BOB]


async def test_rematch_fails_without_a_trace(service: TableService, monkeypatch: pytest.MonkeyPatch) -> None:
    game = await service.lobby(TWO)
    await caretakers.add_caretaker(service.lobbies, game, ANN)
    await service.lobbies.start(game, ANN)
    await moderator_end(service.tables, game, BOB, 1)
    old, rematches = await games.get_game(service.db, game), Rematches(service.tables, service.lobbies)
    opener = LobbyOpener(ANN, "Ann", CHANNEL)
    with monkeypatch.context() as patch:
        breaks(patch, rematch, "record_rematch", done=False)
        with pytest.raises(ConnectionError):
            await rematches.open_rematch(old, opener)
    assert (await games.get_game(service.db, game + 1)).status == "abandoned"
    assert await rematches.find_rematch(game) is None
    opened = await rematches.open_rematch(old, opener)
    assert [seat.user_id for seat in opened.seats] == [ANN, CARETAKER_USER], "people join again themselves"
    found = await rematches.find_rematch(game)
    assert found is not None
    assert (found.id, found.status) == (opened.row.id, "lobby")
    await service.lobbies.withdraw(found.id)
    assert await rematches.find_rematch(game) is None, "and another may be opened"
