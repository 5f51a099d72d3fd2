"""What moderators are asked before something that cannot be undone, and what is answered when it is done."""

from typing import Any, cast

import pytest
from discord import Object

from bot.client.bot_client import BotClient
from bot.client.features import lobby_messages, repair
from bot.client.features.repair import ask, ask_to_accept, ask_to_end, close_question
from bot.table.errors import MovedOn, NotYours, Refused
from bot.table.games.repair import RepairPlan
from bot.table.lobby import Lobby
from storage import games
from tests.bot.support.asked import COMMAND, Asked
from tests.bot.support.declared import typed, used
from tests.bot.support.lobbies import Foyer
from tests.bot.support.table_service import ANN, BOB, CY, GUILD, TableService

EVE, THREAD = 99, 77
PRIVATELY: Any = type("Message", (), {"id": 7, "flags": type("Flags", (), {"ephemeral": True})})
OPENLY: Any = type("Message", (), {"id": 7, "flags": type("Flags", (), {"ephemeral": False})})


class Office(Foyer):
    """What moderators turn to, with the messages of lobbies that it shows."""

    def __init__(self, service: TableService) -> None:
        super().__init__(service)
        self.service = service

    async def game(self) -> int:
        """A game of Ann, Bob and Cy, in a thread."""
        game = await self.service.game()
        await self.service.tables.show_in(game, THREAD)
        return game

    async def typed(self, asked: Any, name: str, **values: Any) -> None:
        """A moderator types a command."""
        asked.client = self
        await typed(asked, f"mod {name}", **values)

    async def press(self, asked: Any, custom_id: str) -> None:
        """A moderator presses the button with this id."""
        asked.client = self
        await used(custom_id).act(asked)

    async def lobby(self) -> int:
        """A lobby of Ann, Bob and Cy, with its message."""
        game, client = await self.service.lobby(), cast("BotClient", self)
        await lobby_messages.show(client, game)
        return game

    async def status(self, game_id: int) -> str:
        return (await games.get_game(self.service.db, game_id)).status


def asked_by(user: int = EVE, *, guild: int = GUILD, message: Any = PRIVATELY) -> Any:
    asked: Any = Asked(user, "Eve", COMMAND, message=message, thread=THREAD)
    asked.guild_id = guild
    return asked


def labels(asked: Any) -> list[str]:
    return [item.label for item in asked.views[-1].children]


def ids(asked: Any) -> list[str]:
    return [item.custom_id for item in asked.views[-1].children]


@pytest.fixture
def office(service: TableService) -> Office:
    return Office(service)


async def passed(office: Office) -> int:
    """A game in which Ann, Bob and Cy have passed."""
    game = await office.game()
    for user in (ANN, BOB, CY):
        await office.service.do(game, user, "pass")
    return game


async def test_what_a_moderator_would_take_back_is_shown_before(office: Office) -> None:
    game = await passed(office)
    several, one = asked_by(), asked_by()
    await office.typed(several, "undo", to=2)
    assert several.answers == [
        "These 2 moves would no longer count; seats stay as they are, and `/redo` redoes them until the next move:\n"
        "> `3` **Bob** passes.\n> `4` **Cy** passes."
    ]
    assert labels(several) == ["Go back to where it stood after move 2", "No"]
    assert (ids(several), several.deferred) == (["d:1:4:undo:2", "n:1"], True)
    await office.typed(one, "undo", to=3)
    assert one.answers[0].startswith("This move would no longer count; ")
    await office.press(one, f"d:{game}:4:undo:3")
    assert one.answers[1].startswith("edit Done, move 5: <@99> takes the game back, as a moderator")
    with pytest.raises(MovedOn):
        await office.press(one, f"d:{game}:4:undo:2")


@pytest.mark.parametrize(
    ("choice", "how", "done", "status"),
    [
        ("end", "scored as it stands", "ends the game here", "finished"),
        ("abandon", "without a score", "abandons the game", "abandoned"),
    ],
)
async def test_a_moderator_ends_a_game_after_a_question(
    office: Office, choice: str, how: str, done: str, status: str
) -> None:
    game, asked = await office.game(), asked_by()
    await office.typed(asked, choice)
    assert asked.answers == [f"Really end game 1 here, {how}? Its players are not asked."]
    assert labels(asked) == [f"End it, {how}", "No"]
    assert (ids(asked), asked.deferred) == ([f"d:1:1:{choice}:0", "n:1"], True)
    assert await office.status(game) == "running"
    await office.press(asked, f"d:{game}:1:{choice}:0")
    assert done in asked.answers[1]
    assert await office.status(game) == status
    late = asked_by()
    with pytest.raises(Refused):
        await office.typed(late, choice)
    assert late.answers == []


async def test_a_game_that_has_ended_is_ended_no_more(office: Office) -> None:
    game, asked = await office.game(), asked_by()
    await office.press(asked_by(), f"d:{game}:1:end:0")
    with pytest.raises(Refused, match="Game 1 has ended"):
        await office.typed(asked, "end")
    assert asked.answers == []


async def test_a_moderator_closes_a_lobby_after_a_question(office: Office) -> None:
    game, asked = await office.lobby(), asked_by()
    await office.typed(asked, "close", number=game)
    assert asked.answers == [
        "Really close game 1, 18Chesapeake, which has not started? It cannot be opened again."
    ]
    assert labels(asked) == ["Close it", "No"]
    assert (ids(asked), asked.deferred) == (["d:1:0:close:0", "n:1"], True)
    await office.press(asked, f"d:{game}:0:close:0")
    assert office.channel.last.content == (
        "**Game 1: 18Chesapeake** was closed by <@99>, as a moderator. Ann, Bob and Cy"
    )
    assert asked.answers[1] == "edit Game 1 is closed."
    assert await office.status(game) == "abandoned"


async def test_a_moderator_of_another_server_touches_no_lobby(office: Office) -> None:
    game, asked = await office.service.lobby(), asked_by(guild=GUILD + 1)
    for attempt in (
        office.typed(asked, "close", number=game),
        office.press(asked, f"d:{game}:0:close:0"),
        office.typed(asked, "options", number=game, profile="18xx.games"),
        office.typed(asked, "seats", number=game, first=Object(CY), second=Object(BOB), third=Object(ANN)),
    ):
        with pytest.raises(Refused, match="Game 1 is not played on this server"):
            await attempt
    lobby = await office.service.lobbies.read(game)
    assert (lobby.row.profile, lobby.people, office.places) == ("rulebook", (ANN, BOB, CY), [])


async def test_what_a_moderator_corrects_in_a_lobby_is_shown_and_said_in_its_channel(office: Office) -> None:
    game, seats, rules = await office.lobby(), asked_by(), asked_by()
    await office.typed(seats, "seats", number=game, first=Object(CY), second=Object(BOB), third=Object(ANN))
    text = "<@99> has corrected, as a moderator, the seats: Cy, Bob, Ann"
    message, told = office.channel.said
    assert (seats.answers, told) == ([text], f"**Game 1: 18Chesapeake**: {text}")
    assert message.index("Cy") < message.index("Bob") < message.index("Ann")
    await office.typed(rules, "options", number=game, profile="18xx.games")
    assert rules.deferred
    assert rules.answers[0].startswith("<@99> has corrected, as a moderator, the rules: ")
    lobby: Lobby = await office.service.lobbies.read(game)
    assert (lobby.row.profile, lobby.people) == ("18xx.games", (CY, BOB, ANN))


async def test_a_moderator_lets_a_caretaker_play_a_seat_and_reads_so(office: Office) -> None:
    game, asked = await office.game(), asked_by()
    await office.typed(asked, "replace", player="Bob")
    assert asked.answers == [
        "From move 2 on a caretaker, the computer, plays the seat of **Bob** (as <@99> decides, as a moderator). "
        "As soon as **Bob** acts, that is over; `/game replace` gives the seat to another member."
    ]
    async with office.service.tables.reading(game) as live:
        assert live.by_caretaker == {"p2"}


async def test_what_waits_for_nobody_is_not_accepted(office: Office) -> None:
    game = await office.game()
    with pytest.raises(Refused, match="there is nothing to accept"):
        await office.press(asked_by(), f"d:{game}:1:accept:0")


# --- damaged games ---------------------------------------------------------------------------------------------------


@pytest.fixture
def as_moderator(monkeypatch: pytest.MonkeyPatch) -> Any:
    """`as_moderator(False)`: who asks is none."""

    def set_to(moderates: bool) -> None:
        async def found(_: object) -> bool:
            return moderates

        async def require(_: object, right: str, game: int) -> None:
            assert (right, game) == ("moderate", 1)
            if not moderates:
                raise NotYours("For moderators.")

        monkeypatch.setattr(repair, "moderates", found)
        monkeypatch.setattr(repair, "require", require)

    return set_to


class Followed(Asked):
    """An interaction whose follow-ups everybody sees unless they say otherwise."""

    def __init__(self) -> None:
        super().__init__(EVE, "Eve", COMMAND)
        self.public: list[tuple[str, bool, list[str]]] = []
        private = self.followup.send

        async def send(content: str = "", *, ephemeral: bool = False, **parts: Any) -> None:
            if ephemeral:
                await private(content, **parts)
            else:
                found = [item.label for item in parts["view"].children]
                self.public.append((content, parts["silent"], found))

        self.followup.send = send


async def test_a_moderator_is_asked_privately_and_others_leave_the_question_for_one(
    office: Office, as_moderator: Any
) -> None:
    question = "It waits.\nContinue from here? No earlier move can be undone afterwards."
    as_moderator(True)
    officer: Any = Followed()
    await ask_to_accept(officer, 1, 4, "It waits.")
    assert (officer.answers, officer.public) == ([question], [])
    assert labels(officer) == ["Continue from here", "No"]
    assert ids(officer) == ["d:1:4:accept:0", "n:1"]
    as_moderator(False)
    player: Any = Followed()
    await ask_to_accept(player, 1, 4, "It waits.")
    assert player.answers == ["Game 1 needs a moderator. The question is posted here for them."]
    assert player.public == [(question, True, ["Continue from here"])]


async def test_how_a_damaged_game_would_be_repaired_is_said_with_the_question(
    office: Office, as_moderator: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    as_moderator(True)
    asked: Any = Followed()
    monkeypatch.setattr(RepairPlan, "says", lambda _: "the game goes back to move 3")
    plan: Any = object.__new__(RepairPlan)
    object.__setattr__(plan, "problem", "Move 4 cannot be read.")
    object.__setattr__(plan, "seq", 4)
    await ask(asked, 1, plan)
    assert asked.answers == [
        "Move 4 cannot be read.\nThe game goes back to move 3. Repair the game? This cannot be undone."
    ]
    assert labels(asked) == ["Repair the game", "No"]
    assert ids(asked) == ["m:1:4:mend", "n:1"]


async def test_only_a_moderator_is_asked_whether_a_damaged_game_ends(
    office: Office, as_moderator: Any
) -> None:
    as_moderator(False)
    player: Any = Followed()
    with pytest.raises(NotYours):
        await ask_to_end(player, 1, "It is damaged.")
    assert player.answers == []
    as_moderator(True)
    officer: Any = Followed()
    await ask_to_end(officer, 1, "It is damaged.")
    assert officer.answers == ["It is damaged.\nReally end it, without a score? This cannot be undone."]
    assert labels(officer) == ["End the game", "No"]
    assert ids(officer) == ["m:1:0:end", "n:1"]


async def test_a_game_that_cannot_be_read_is_ended_by_the_question_about_its_damage(
    office: Office, as_moderator: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def damage(_: int) -> str:
        return "It is damaged."

    as_moderator(True)
    await office.game()
    monkeypatch.setattr(office.service.tables, "damage", damage)
    asked = asked_by()
    await office.typed(asked, "end")
    assert asked.answers == ["It is damaged.\nReally end it, without a score? This cannot be undone."]
    assert ids(asked) == ["m:1:0:end", "n:1"]


async def test_the_answer_to_a_question_that_everybody_sees_names_who_agreed() -> None:
    private, public = asked_by(), asked_by(message=OPENLY)
    await close_question(private, "It is done.")
    await close_question(public, "It is done.")
    assert (private.answers, public.answers) == (["edit It is done."], ["edit <@99> agreed."])
    assert private.views == public.views == [None]
