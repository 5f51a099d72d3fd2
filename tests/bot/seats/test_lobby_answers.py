"""What is answered to what somebody does with a lobby, and what its message and its channel show then."""

from typing import Any, cast

import aiohttp
import pytest

from bot.client.bot_client import BotClient
from bot.client.features import lobby_messages
from bot.client.features.lobby_messages import LATER
from bot.table.errors import NotYours, Refused, Stored
from engine.caretaker import STRENGTHS, STRONGEST
from engine.titles import TITLES
from storage import games
from tests.bot.support.asked import Asked
from tests.bot.support.declared import used
from tests.bot.support.lobbies import Foyer
from tests.bot.support.table_service import ANN, BOB, CHANNEL, TableService

TWO = ((ANN, "Ann"), (BOB, "Bob"))
WEAKEST = next(iter(STRENGTHS))


class Hall(Foyer):
    """What handles lobbies, and the messages that it shows."""

    def __init__(self, service: TableService) -> None:
        super().__init__(service)
        self.service, self.client = service, cast("BotClient", self)

    def asked(self, user: int, name: str, **where: Any) -> Any:
        """Somebody asks for something."""
        asked: Any = Asked(user, name, **where)
        asked.client = self
        return asked

    async def posted(self) -> tuple[int, Any]:
        """The number of a lobby of Ann and Bob, and its message."""
        number = await self.service.lobby(TWO)
        await lobby_messages.open_lobby(self.asked(ANN, "Ann"), await self.lobbies.read(number))
        return number, self.channel.last


@pytest.fixture
def hall(service: TableService) -> Hall:
    return Hall(service)


async def test_a_lobby_that_is_given_up_says_so_in_its_message_and_to_the_player(hall: Hall) -> None:
    number, message = await hall.posted()
    lobby = await hall.lobbies.read(number)
    with pytest.raises(NotYours):
        await lobby_messages.give_up(hall.asked(99, "Eve"), lobby)
    assert "was given up" not in message.content
    asked = hall.asked(ANN, "Ann")
    await lobby_messages.give_up(asked, lobby)
    assert message.content == "**Game 1: 18Chesapeake** was given up. Ann and Bob"
    assert asked.answers == [f"Game {number} was given up."]
    assert (await games.get_game(hall.service.db, number)).status == "abandoned"


async def test_what_is_done_with_a_lobby_whose_message_cannot_be_edited_is_said_to_be_done(
    hall: Hall,
) -> None:
    number, _ = await hall.posted()
    lobby = await hall.lobbies.read(number)
    hall.failure = aiohttp.ClientError()
    asked = hall.asked(ANN, "Ann")
    with pytest.raises(Stored) as shown:
        await lobby_messages.show_done(hall.client, number, "You have a seat.", asked)
    assert (str(shown.value), shown.value.then) == ("You have a seat.", LATER)
    with pytest.raises(Stored) as given_up:
        await lobby_messages.give_up(asked, lobby)
    assert str(given_up.value) == f"Game {number} was given up."
    assert asked.answers == []


async def test_a_host_who_cannot_be_pinged_keeps_nobody_from_joining(hall: Hall) -> None:
    number = await hall.service.lobby(((ANN, "Ann"), *((20 + seat, f"P{seat}") for seat in range(5))))
    hall.failure = aiohttp.ClientError()
    await lobby_messages.ping_host(hall.client, await hall.lobbies.read(number), BOB)
    assert hall.places != []


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
    number, message = await hall.posted()
    asked = hall.asked(*by, message=message)
    assert await lobby_messages.choose(asked, number, choice) == done
    (shown,) = asked.answers
    assert shown.startswith("edit ")
    assert [seat.display_name for seat in (await hall.lobbies.read(number)).seats] == seated


async def test_a_computer_player_is_removed_by_a_press(hall: Hall) -> None:
    number, _ = await hall.posted()
    for choice in ("add", "remove"):
        await lobby_messages.choose(hall.asked(ANN, "Ann"), number, choice)
    assert [seat.display_name for seat in (await hall.lobbies.read(number)).seats] == ["Ann", "Bob"]


async def test_rules_picked_on_the_lobby_message_are_those_of_the_game(hall: Hall) -> None:
    number, message = await hall.posted()
    [option] = list(TITLES["18chesapeake"].rules.OPTIONS)[:1]
    for what, value, options in (("profile", "18xx.games", "[]"), ("options", option, f'["{option}"]')):
        asked = hall.asked(ANN, "Ann", message=message)
        await used(f"r:{number}:{what}", values=[value]).act(asked)
        chosen = (await hall.lobbies.read(number)).row
        assert (chosen.profile, chosen.options) == ("18xx.games", options)
        assert asked.answers[0].startswith("edit ")


async def test_a_game_that_is_opened_says_where_its_message_is(hall: Hall) -> None:
    lobby = await hall.lobbies.read(await hall.service.lobby(TWO))
    here, elsewhere = hall.asked(ANN, "Ann", thread=CHANNEL), hall.asked(ANN, "Ann", thread=77)
    await lobby_messages.open_lobby(here, lobby)
    assert here.answers == ["Game 1 is open. You have a seat."]
    await lobby_messages.open_lobby(elsewhere, lobby)
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
    number = await hall.service.lobby(TWO)
    lobby = await hall.lobbies.read(number)
    hall.failure = failure
    asked = hall.asked(ANN, "Ann")
    with pytest.raises(Refused) as refused:
        await lobby_messages.open_lobby(asked, lobby)
    assert str(refused.value) == f"The game was not opened, and nothing is left of it. {why}"
    assert (await games.get_game(hall.service.db, number)).status == "abandoned"
    assert asked.answers == []


async def test_a_game_that_is_left_open_without_a_message_is_named_with_what_closes_it(
    hall: Hall, monkeypatch: pytest.MonkeyPatch
) -> None:
    lobby = await hall.lobbies.read(await hall.service.lobby(TWO))

    async def fails(_: int) -> None:
        raise OSError("the disk is full")

    monkeypatch.setattr(hall.lobbies, "withdraw", fails)
    hall.failure = Refused("It is full.")
    with pytest.raises(Stored) as left:
        await lobby_messages.open_lobby(hall.asked(ANN, "Ann"), lobby)
    assert str(left.value) == (
        "Game 1 is open without a message: `/game abandon number:1` closes it. It is full."
    )
