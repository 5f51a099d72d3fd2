"""Links to the board page as answers: to whom they are given, of which games, and what a browser waits for."""

from typing import Any

import pytest

from bot.client.answers import board_links
from bot.client.answers.board_links import CONFIRMED, MOST, NO_PAGE, SHARED, WAITING, YOURS, BoardAnswers
from bot.client.answers.health import _shown
from bot.client.places.messages import TABLE, TABLE_MORE, table_files
from bot.table.errors import NotYours, Refused
from tests.bot.support.asked import COMMAND, Asked
from tests.bot.support.tables import ANN, GUILD, Bench

EVE = 99


class Links:
    """Links by whom they are for; codes that wait."""

    def __init__(self) -> None:
        self.address: str | None = "https://board"
        self.codes: list[str] = []
        self.confirmed: list[tuple[int, int, str]] = []

    async def personal_url(self, game_id: int, user_id: int, *, moderates: bool, name: str) -> str:
        assert name
        return f"https://board/{game_id}/{user_id}/{'m' if moderates else 'p'}"

    async def shared_url(self, game_id: int) -> str:
        return f"https://board/{game_id}"

    async def waiting(self, game_id: int, user_id: int) -> list[str]:
        assert game_id
        assert user_id
        return self.codes

    async def confirm(self, game_id: int, user_id: int, code: str) -> None:
        self.confirmed.append((game_id, user_id, code))


class Desk:
    """What answers with links."""

    def __init__(self, bench: Bench) -> None:
        self.links = Links()
        links: Any = self.links
        self.answers = BoardAnswers(bench.tables, links)


@pytest.fixture
def desk(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> Desk:
    async def moderates(asked: Any) -> bool:
        return bool(asked.user.id == EVE)

    monkeypatch.setattr(board_links, "moderates", moderates)
    return Desk(bench)


def asked_by(user: int = ANN, guild: int | None = GUILD) -> Any:
    asked: Any = Asked(user, "Ann", COMMAND)
    asked.guild_id = guild
    return asked


def below(asked: Any) -> list[str]:
    """Where the buttons of an answer lead."""
    return [item.url or item.custom_id for item in asked.views[-1].children]


async def test_the_answer_has_a_link_of_ones_own_and_what_waits_to_be_confirmed(
    bench: Bench, desk: Desk
) -> None:
    game, usual, waits = await bench.game(), asked_by(), asked_by()
    await desk.answers.show(usual, game)
    assert (usual.answers, below(usual)) == ([YOURS.format(1)], ["https://board/1/11/p"])
    assert usual.deferred
    desk.links.codes = ["0042", "0043"]
    await desk.answers.show(waits, game)
    assert waits.answers == [f"{YOURS.format(1)}\n{WAITING}"]
    assert len(below(waits)) == 3


async def test_a_link_lets_a_moderator_moderate_on_the_server_of_the_game_alone(
    bench: Bench, desk: Desk
) -> None:
    game = await bench.game()
    for user, guild, found in ((EVE, GUILD, "m"), (EVE, GUILD + 1, "p"), (ANN, GUILD, "p")):
        [button] = await desk.answers.buttons(asked_by(user, guild), game)
        assert button.url == f"https://board/1/{user}/{found}"


async def test_a_link_is_for_members_of_the_server_and_for_players_anywhere(bench: Bench, desk: Desk) -> None:
    game = await bench.game()
    for user, guild in ((EVE, GUILD), (ANN, None), (ANN, GUILD + 1)):
        asked = asked_by(user, guild)
        await desk.answers.show(asked, game)
        assert len(asked.answers) == 1
    stranger = asked_by(EVE, GUILD + 1)
    with pytest.raises(NotYours, match="not played on this server"):
        await desk.answers.show(stranger, game)
    assert stranger.answers == []


async def test_a_game_that_has_not_started_has_no_board(bench: Bench, desk: Desk) -> None:
    lobby = await bench.lobby()
    for attempt in (desk.answers.show, desk.answers.share):
        with pytest.raises(Refused, match="Game 1 has not started yet: there is no board to look at"):
            await attempt(asked_by(), lobby)


async def test_without_a_page_nothing_leads_there(bench: Bench, desk: Desk) -> None:
    game, asked = await bench.game(), asked_by()
    desk.links.address = None
    for attempt in (desk.answers.show, desk.answers.share):
        with pytest.raises(Refused) as refused:
            await attempt(asked, game)
        assert str(refused.value) == NO_PAGE
    assert await desk.answers.buttons(asked, game) == []
    await desk.answers.say_games(asked, "Your games", [(game, "18AL")])
    assert (asked.answers, below(asked)) == (["Your games"], [])


async def test_spectators_have_a_link_that_everybody_may_use(bench: Bench, desk: Desk) -> None:
    game, asked = await bench.game(), asked_by()
    await desk.answers.share(asked, game)
    assert asked.answers == [SHARED.format(1, "<https://board/1>")]
    assert asked.deferred


async def test_a_list_of_games_leads_to_the_boards_of_the_first(desk: Desk) -> None:
    """Several games of one title each by its number."""
    asked, many = asked_by(), [(number, "18AL") for number in range(1, MOST + 2)]
    await desk.answers.say_games(asked, "Your games", many)
    assert below(asked) == [f"https://board/{number}/11/p" for number in range(1, MOST + 1)]
    labels = [item.label for item in asked.views[-1].children]
    assert labels == [f"Board of 18AL, game {number}" for number in range(1, MOST + 1)]


async def test_a_browser_is_confirmed_in_place_of_the_question(desk: Desk) -> None:
    asked = asked_by()
    await desk.answers.confirm(asked, 5, "0042")
    assert (desk.links.confirmed, asked.answers) == ([(5, ANN, "0042")], [f"edit {CONFIRMED}"])
    assert asked.views == [None]


# --- small words -----------------------------------------------------------------------------------------------------


def test_the_words_of_the_table_stand_with_its_first_picture() -> None:
    files = table_files([b"1", b"2", b"3"], "Ann has $5")
    assert [(file.filename, file.description) for file in files] == [
        (f"{TABLE}.png", "Ann has $5"), (f"{TABLE}1.png", TABLE_MORE), (f"{TABLE}2.png", TABLE_MORE),
    ]  # fmt: skip


def test_what_health_shows_is_in_words() -> None:
    assert [_shown(value) for value in (True, False, None, 0, 3)] == ["yes", "no", "unknown", "0", "3"]
