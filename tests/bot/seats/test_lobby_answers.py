"""What is answered to what somebody does with a lobby, and what its message and its channel show then."""

from typing import Any

import aiohttp
import pytest

from bot.client.features.lobby import LATER, open_lobby, ping_host
from bot.table.errors import NotYours, Refused, Stored
from bot.table.lobby import Lobby
from engine.caretaker import STRENGTHS, STRONGEST
from engine.titles import TITLES
from storage import games
from storage.games import Game
from tests.bot.support import declared
from tests.bot.support.asked import Asked, Client
from tests.bot.support.declared import used
from tests.bot.support.tables import ANN, BOB, CHANNEL, GUILD, Bench

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
    """A client that opens and shows lobbies."""

    def __init__(self, bench: Bench) -> None:
        self.bench, self.posts = bench, Posts()
        self.client = Client(bench.tables)
        self.client.lobbies, self.client.lobby_posts = bench.lobbies, self.posts

    def asked(self, user: int, name: str, thread: int | None = None) -> Any:
        """Somebody asks for something."""
        found: Any = Asked(user, name, thread=thread)
        found.guild_id, found.client = GUILD, self.client
        return found

    async def press(self, asked: Any, number: int, choice: str) -> None:
        """Somebody presses a button of a lobby message."""
        await used(f"l:{number}:{choice}").act(asked)

    async def pick(self, asked: Any, number: int, what: str, value: str) -> None:
        """Somebody picks rules on a lobby message."""
        await used(f"r:{number}:{what}", values=[value]).act(asked)

    async def give_up(self, asked: Any, number: int) -> None:
        """Somebody gives a game up."""
        await declared.typed(asked, "game abandon", number=number)


@pytest.fixture
def hall(bench: Bench) -> Hall:
    return Hall(bench)


async def test_a_lobby_that_is_given_up_says_so_in_its_message_and_to_the_player(hall: Hall) -> None:
    number = await hall.bench.lobby(TWO)
    with pytest.raises(NotYours):
        await hall.give_up(hall.asked(99, "Eve"), number)
    assert hall.posts.noted == []
    asked = hall.asked(ANN, "Ann")
    await hall.give_up(asked, number)
    assert hall.posts.noted == [f"{number} was given up: ['Ann', 'Bob']"]
    assert asked.answers == [f"Game {number} was given up."]
    assert (await games.get_game(hall.bench.db, number)).status == "abandoned"


async def test_what_is_done_with_a_lobby_whose_message_cannot_be_edited_is_said_to_be_done(
    hall: Hall,
) -> None:
    number = await hall.bench.lobby(TWO)
    lobby = await hall.bench.lobbies.read(number)
    hall.posts.failure = aiohttp.ClientError()
    asked = hall.asked(ANN, "Ann")
    with pytest.raises(Stored) as shown:
        await hall.press(asked, number, "add")
    assert (str(shown.value), shown.value.then) == ("A computer player has a seat in game 1.", LATER)
    with pytest.raises(Stored) as given_up:
        await hall.give_up(asked, number)
    assert str(given_up.value) == f"Game {number} was given up."
    await ping_host(asked, lobby)
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
                "",
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
    asked = hall.asked(*by)
    if choice in ("join", "leave"):
        await declared.typed(asked, f"game {choice}", number=number)
        assert asked.answers == [done]
    else:
        await hall.press(asked, number, choice)
        assert asked.answers == []
    assert hall.posts.noted == ["shown 1, in the answer", f"{by[0]} in 1"]
    names = [seat.display_name for seat in (await hall.bench.lobbies.read(number)).seats]
    assert names == seated


async def test_a_computer_player_is_removed_by_a_press(hall: Hall) -> None:
    number = await hall.bench.lobby(TWO)
    asked = hall.asked(ANN, "Ann")
    await hall.press(asked, number, "add")
    await hall.press(asked, number, "remove")
    assert [seat.display_name for seat in (await hall.bench.lobbies.read(number)).seats] == ["Ann", "Bob"]


async def test_rules_picked_on_the_lobby_message_are_those_of_the_game(hall: Hall) -> None:
    number = await hall.bench.lobby(TWO)
    asked = hall.asked(ANN, "Ann")
    await hall.pick(asked, number, "profile", "18xx.games")
    profiled = (await hall.bench.lobbies.read(number)).row
    assert (profiled.profile, profiled.options) == ("18xx.games", "[]")
    [option] = list(TITLES["18chesapeake"].rules.OPTIONS)[:1]
    await hall.pick(asked, number, "options", option)
    chosen = (await hall.bench.lobbies.read(number)).row
    assert (chosen.profile, chosen.options) == ("18xx.games", f'["{option}"]')
    assert hall.posts.noted == ["shown 1, in the answer"] * 2


async def test_a_game_that_is_opened_says_where_its_message_is(hall: Hall) -> None:
    lobby = await hall.bench.lobbies.read(await hall.bench.lobby(TWO))
    here = hall.asked(ANN, "Ann", thread=CHANNEL)
    await open_lobby(here, lobby)
    assert here.answers == ["Game 1 is open. You have a seat."]
    elsewhere = hall.asked(ANN, "Ann", thread=77)
    await open_lobby(elsewhere, lobby)
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
    asked = hall.asked(ANN, "Ann")
    with pytest.raises(Refused) as refused:
        await open_lobby(asked, lobby)
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
        await open_lobby(hall.asked(ANN, "Ann"), lobby)
    assert str(left.value) == (
        "Game 1 is open without a message: `/game abandon number:1` closes it. It is full."
    )
