"""What is answered to what somebody does with a lobby, and what its message and its channel show then."""

from typing import Any

import aiohttp
import pytest

from bot.client.moves.move_handlers import LATER, MoveHandlers
from bot.client.requests.delivery_problems import DeliveryProblems
from bot.table.errors import NotYours, Refused, Stored
from bot.table.lobby import Lobby
from bot.table.moves.turn_buttons import Buttons
from engine.caretaker import STRENGTHS, STRONGEST
from engine.titles import TITLES
from storage import games
from storage.games import Game
from tests.bot.support.asked import Asked, Shown
from tests.bot.support.tables import ANN, BOB, CHANNEL, Bench

TWO = ((ANN, "Ann"), (BOB, "Bob"))
WEAKEST = next(iter(STRENGTHS))


class Posts:
    """The messages of lobbies; they note what they show, or fail."""

    def __init__(self) -> None:
        self.noted: list[str] = []
        self.failure: Exception | None = None

    async def post(self, lobby: Lobby, _: object) -> int:
        return self._note(CHANNEL, f"posted {lobby.row.id}")

    async def show(self, game_id: int, asked: object = None) -> None:
        self._note(0, f"shown {game_id}{'' if asked is None else ', in the answer'}")

    async def close(self, row: Game, people: list[str], fate: str, asked: object = None) -> None:
        self._note(0, f"{row.id} {fate}: {people}{'' if asked is None else ', in the answer'}")

    async def ping_host(self, lobby: Lobby, by: int) -> None:
        self._note(0, f"{by} in {lobby.row.id}")

    def _note(self, answer: int, text: str) -> int:
        if self.failure is not None:
            raise self.failure
        self.noted.append(text)
        return answer


class Hall:
    """What handles lobbies, and the messages that it shows."""

    def __init__(self, bench: Bench) -> None:
        turns: Any = Shown()
        client: Any = object()
        self.bench, self.posts = bench, Posts()
        self.flows = MoveHandlers(
            client, bench.tables, bench.lobbies, DeliveryProblems(), turns, Buttons(bench.tables)
        )
        posts: Any = self.posts
        self.flows._posts = posts


@pytest.fixture
def hall(bench: Bench) -> Hall:
    return Hall(bench)


async def test_a_lobby_that_is_given_up_says_so_in_its_message_and_to_the_player(hall: Hall) -> None:
    number = await hall.bench.lobby(TWO)
    lobby = await hall.bench.lobbies.read(number)
    with pytest.raises(NotYours):
        await hall.flows.give_up_lobby(Asked(99, "Eve"), lobby)  # type: ignore[arg-type]
    assert hall.posts.noted == []
    asked: Any = Asked(ANN, "Ann")
    await hall.flows.give_up_lobby(asked, lobby)
    assert hall.posts.noted == [f"{number} was given up: ['Ann', 'Bob']"]
    assert asked.answers == [f"Game {number} was given up."]
    assert (await games.get_game(hall.bench.db, number)).status == "abandoned"


async def test_what_is_done_with_a_lobby_whose_message_cannot_be_edited_is_said_to_be_done(
    hall: Hall,
) -> None:
    number = await hall.bench.lobby(TWO)
    lobby = await hall.bench.lobbies.read(number)
    hall.posts.failure = aiohttp.ClientError()
    asked: Any = Asked(ANN, "Ann")
    with pytest.raises(Stored) as shown:
        await hall.flows.show_lobby(lobby, "You have a seat.", asked)
    assert (str(shown.value), shown.value.then) == ("You have a seat.", LATER)
    with pytest.raises(Stored) as agreed:
        await hall.flows.show_agreed(number, "It is agreed.")
    assert (str(agreed.value), agreed.value.then) == ("It is agreed.", LATER)
    with pytest.raises(Stored) as given_up:
        await hall.flows.give_up_lobby(asked, lobby)
    assert str(given_up.value) == f"Game {number} was given up."
    await hall.flows.ping_host(lobby, asked.user)
    assert asked.answers == []


@pytest.mark.parametrize(
    ("choice", "by", "done", "seated"),
    [
        ("join", (13, "Cy"), "You have a seat in game 1.", ["Ann", "Bob", "Cy"]),
        ("leave", (BOB, "Bob"), "Your seat in game 1 is free again.", ["Ann"]),
        *(
            (
                choice,
                (ANN, "Ann"),
                "A computer player has a seat in game 1.",
                ["Ann", "Bob", f"Adler ({kind})"],
            )
            for choice, kind in (("add", STRONGEST), (WEAKEST.lower(), WEAKEST))
        ),
    ],
)
async def test_a_choice_in_a_lobby_is_shown_in_the_answer(
    hall: Hall, choice: str, by: tuple[int, str], done: str, seated: list[str]
) -> None:
    number = await hall.bench.lobby(TWO)
    asked: Any = Asked(*by)
    assert await hall.flows.lobby_choice(asked, number, choice) == done
    assert hall.posts.noted == ["shown 1, in the answer", f"{by[0]} in 1"]
    names = [seat.display_name for seat in (await hall.bench.lobbies.read(number)).seats]
    assert names == seated


async def test_a_computer_player_is_removed_by_a_press(hall: Hall) -> None:
    number = await hall.bench.lobby(TWO)
    asked: Any = Asked(ANN, "Ann")
    await hall.flows.lobby_choice(asked, number, "add")
    await hall.flows.lobby_choice(asked, number, "remove")
    assert [seat.display_name for seat in (await hall.bench.lobbies.read(number)).seats] == ["Ann", "Bob"]


async def test_rules_picked_on_the_lobby_message_are_those_of_the_game(hall: Hall) -> None:
    number = await hall.bench.lobby(TWO)
    asked: Any = Asked(ANN, "Ann")
    await hall.flows.lobby_rules(asked, number, "profile", ["18xx.games"])
    profiled = (await hall.bench.lobbies.read(number)).row
    assert (profiled.profile, profiled.options) == ("18xx.games", "[]")
    [option] = list(TITLES["18chesapeake"].rules.OPTIONS)[:1]
    await hall.flows.lobby_rules(asked, number, "options", [option])
    chosen = (await hall.bench.lobbies.read(number)).row
    assert (chosen.profile, chosen.options) == ("18xx.games", f'["{option}"]')
    assert hall.posts.noted == ["shown 1, in the answer"] * 2


async def test_a_game_that_is_opened_says_where_its_message_is(hall: Hall) -> None:
    lobby = await hall.bench.lobbies.read(await hall.bench.lobby(TWO))
    here: Any = Asked(ANN, "Ann", thread=CHANNEL)
    await hall.flows.open_lobby(here, lobby)
    assert here.answers == ["Game 1 is open. You have a seat."]
    elsewhere: Any = Asked(ANN, "Ann", thread=77)
    await hall.flows.open_lobby(elsewhere, lobby)
    assert elsewhere.answers == [f"Game 1 is open in <#{CHANNEL}>. You have a seat."]


@pytest.mark.parametrize(
    ("failure", "why"),
    [
        (aiohttp.ClientError(), "Discord cannot be reached just now."),
        (Refused("The forum is full."), "The forum is full."),
    ],
)
async def test_of_a_game_that_cannot_be_posted_nothing_is_left(
    hall: Hall, failure: Exception, why: str
) -> None:
    number = await hall.bench.lobby(TWO)
    lobby = await hall.bench.lobbies.read(number)
    hall.posts.failure = failure
    asked: Any = Asked(ANN, "Ann")
    with pytest.raises(Refused) as refused:
        await hall.flows.open_lobby(asked, lobby)
    assert str(refused.value) == f"The game was not opened, and nothing is left of it. {why}"
    assert (await games.get_game(hall.bench.db, number)).status == "abandoned"
    assert asked.answers == []


async def test_a_game_that_is_left_open_without_a_message_is_named_with_what_closes_it(
    hall: Hall, monkeypatch: pytest.MonkeyPatch
) -> None:
    lobby = await hall.bench.lobbies.read(await hall.bench.lobby(TWO))

    async def fails(_: int) -> None:
        raise OSError("the disk is full")

    monkeypatch.setattr(hall.bench.lobbies, "withdraw", fails)
    hall.posts.failure = Refused("It is full.")
    with pytest.raises(Stored) as left:
        await hall.flows.open_lobby(Asked(ANN, "Ann"), lobby)  # type: ignore[arg-type]
    assert str(left.value) == (
        "Game 1 is open without a message: `/game abandon number:1` closes it. It is full."
    )
