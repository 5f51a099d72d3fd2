"""Links to the board page as answers: to whom they are given, of which games, and what a browser waits for."""

from collections.abc import Callable
from typing import Any, TypeAlias

import pytest

from bot.client.features import board_link
from bot.client.features.board_link import MOST, NO_PAGE, WAITING, YOURS, board_links, say_games, show
from bot.client.features.health import _shown
from bot.client.places.messages import TABLE, TABLE_MORE, table_files
from bot.table.errors import NotYours, Refused
from tests.bot.support.asked import COMMAND, Asked, Client
from tests.bot.support.table_service import ANN, GUILD, TableService

EVE = 99
Asks: TypeAlias = Callable[..., Any]


class Links:
    """Links by whom they are for; codes that wait."""

    def __init__(self) -> None:
        self.address: str | None = "https://board"
        self.codes: list[str] = []

    async def personal_url(self, game_id: int, user_id: int, *, moderates: bool, name: str) -> str:
        assert name
        return f"https://board/{game_id}/{user_id}/{'m' if moderates else 'p'}"

    async def waiting(self, game_id: int, user_id: int) -> list[str]:
        assert game_id
        assert user_id
        return self.codes


@pytest.fixture
def links(service: TableService, monkeypatch: pytest.MonkeyPatch) -> Links:
    """The links of the tables; Eve moderates."""

    async def moderates(asked: Any) -> bool:
        return bool(asked.user.id == EVE)

    monkeypatch.setattr(board_link, "moderates", moderates)
    found: Any = Links()
    service.tables.board = found
    links: Links = found
    return links


@pytest.fixture
def asked_by(service: TableService, links: Links) -> Asks:
    """Somebody who asks, on a server or elsewhere."""

    def asks(user: int = ANN, guild: int | None = GUILD) -> Any:
        asked: Any = Asked(user, "Ann", COMMAND)
        asked.guild_id, asked.client = guild, Client(service.tables)
        return asked

    return asks


def below(asked: Any) -> list[str]:
    """Where the buttons of an answer lead."""
    return [item.url or item.custom_id for item in asked.views[-1].children]


async def test_the_answer_has_a_link_of_ones_own_and_what_waits_to_be_confirmed(
    service: TableService, links: Links, asked_by: Asks
) -> None:
    game, usual, waits = await service.game(), asked_by(), asked_by()
    await show(usual, game)
    assert (usual.answers, below(usual)) == ([YOURS.format(1)], ["https://board/1/11/p"])
    assert usual.deferred
    links.codes = ["0042", "0043"]
    await show(waits, game)
    assert waits.answers == [f"{YOURS.format(1)}\n{WAITING}"]
    assert len(below(waits)) == 3


async def test_a_link_lets_a_moderator_moderate_on_the_server_of_the_game_alone(
    service: TableService, asked_by: Asks
) -> None:
    game = await service.game()
    for user, guild, found in ((EVE, GUILD, "m"), (EVE, GUILD + 1, "p"), (ANN, GUILD, "p")):
        [button] = await board_links(asked_by(user, guild), game)
        assert button.url == f"https://board/1/{user}/{found}"


async def test_a_link_is_for_members_of_the_server_and_for_players_anywhere(
    service: TableService, asked_by: Asks
) -> None:
    game = await service.game()
    for user, guild in ((EVE, GUILD), (ANN, None), (ANN, GUILD + 1)):
        asked = asked_by(user, guild)
        await show(asked, game)
        assert len(asked.answers) == 1
    stranger = asked_by(EVE, GUILD + 1)
    with pytest.raises(NotYours, match="not played on this server"):
        await show(stranger, game)
    assert stranger.answers == []


async def test_a_game_that_has_not_started_has_no_board(service: TableService, asked_by: Asks) -> None:
    lobby = await service.lobby()
    with pytest.raises(Refused, match="Game 1 has not started yet: there is no board to look at"):
        await show(asked_by(), lobby)


async def test_without_a_page_nothing_leads_there(
    service: TableService, links: Links, asked_by: Asks
) -> None:
    game, asked = await service.game(), asked_by()
    links.address = None
    with pytest.raises(Refused) as refused:
        await show(asked, game)
    assert str(refused.value) == NO_PAGE
    assert await board_links(asked, game) == []
    await say_games(asked, "Your games", [(game, "18AL")])
    assert (asked.answers, below(asked)) == (["Your games"], [])


async def test_a_list_of_games_leads_to_the_boards_of_the_first(asked_by: Asks) -> None:
    """Several games of one title each by its number."""
    asked, many = asked_by(), [(number, "18AL") for number in range(1, MOST + 2)]
    await say_games(asked, "Your games", many)
    assert below(asked) == [f"https://board/{number}/11/p" for number in range(1, MOST + 1)]
    labels = [item.label for item in asked.views[-1].children]
    assert labels == [f"Board of 18AL, game {number}" for number in range(1, MOST + 1)]


# --- small words -----------------------------------------------------------------------------------------------------


def test_the_words_of_the_table_stand_with_its_first_picture() -> None:
    files = table_files([b"1", b"2", b"3"], "Ann has $5")
    assert [(file.filename, file.description) for file in files] == [
        (f"{TABLE}.png", "Ann has $5"), (f"{TABLE}1.png", TABLE_MORE), (f"{TABLE}2.png", TABLE_MORE),
    ]  # fmt: skip


def test_what_health_shows_is_in_words() -> None:
    assert [_shown(value) for value in (True, False, None, 0, 3)] == ["yes", "no", "unknown", "0", "3"]
