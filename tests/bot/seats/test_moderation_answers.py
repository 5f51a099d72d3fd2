"""What moderators are asked before something that cannot be undone, and what is answered when it is done."""

from typing import Any

import discord
import pytest
from discord import Object

from bot.client.features import rematch, repair
from bot.client.features.repair import ask, ask_to_accept, ask_to_end, close_question
from bot.table.errors import MovedOn, NotYours, Refused
from bot.table.games.repair import GameRepair, RepairPlan
from bot.table.lobby import Lobby
from bot.table.seats.rematch import Opener, Rematches
from bot.table.votes.moderating import Moderating
from storage import games
from storage.games import Game
from tests.bot.support.asked import COMMAND, Asked
from tests.bot.support.declared import typed, used
from tests.bot.support.tables import ANN, BOB, CHANNEL, CY, GUILD, Bench

EVE, THREAD = 99, 77
PRIVATELY: Any = type("Message", (), {"id": 7, "flags": type("Flags", (), {"ephemeral": True})})
OPENLY: Any = type("Message", (), {"id": 7, "flags": type("Flags", (), {"ephemeral": False})})


class Office:
    """What moderators turn to, with the messages of lobbies that it shows."""

    def __init__(self, bench: Bench) -> None:
        self.bench = bench
        self.noted: list[str] = []
        self.tables, self.lobbies, self.lobby_posts = bench.tables, bench.lobbies, self
        self.moderating, self.game_repair = Moderating(bench.tables), GameRepair(bench.tables)

    async def game(self) -> int:
        """A game of Ann, Bob and Cy, in a thread."""
        game = await self.bench.game()
        await self.bench.tables.show_in(game, THREAD)
        return game

    async def typed(self, asked: Any, name: str, **values: Any) -> None:
        """A moderator types a command."""
        asked.client = self
        await typed(asked, f"mod {name}", **values)

    async def press(self, asked: Any, custom_id: str) -> None:
        """A moderator presses the button with this id."""
        asked.client = self
        await used(custom_id).act(asked)

    async def show(self, game_id: int) -> None:
        self.noted.append(f"shown {game_id}")

    async def tell(self, row: Game, text: str) -> None:
        self.noted.append(f"{row.id}: {text}")

    async def close(self, row: Game, people: list[str], fate: str) -> None:
        self.noted.append(f"{row.id} {fate}: {people}")

    async def status(self, game_id: int) -> str:
        return (await games.get_game(self.bench.db, game_id)).status


def asked_by(user: int = EVE, *, guild: int = GUILD, message: Any = PRIVATELY) -> Any:
    asked: Any = Asked(user, "Eve", COMMAND, message=message, thread=THREAD)
    asked.guild_id = guild
    return asked


def labels(asked: Any) -> list[str]:
    return [item.label for item in asked.views[-1].children]


def ids(asked: Any) -> list[str]:
    return [item.custom_id for item in asked.views[-1].children]


@pytest.fixture
def office(bench: Bench) -> Office:
    return Office(bench)


async def passed(office: Office) -> int:
    """A game in which Ann, Bob and Cy have passed."""
    game = await office.game()
    for user in (ANN, BOB, CY):
        await office.bench.do(game, user, "pass")
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
    game, asked = await office.bench.lobby(), asked_by()
    await office.typed(asked, "close", number=game)
    assert asked.answers == [
        "Really close game 1, 18Chesapeake, which has not started? It cannot be opened again."
    ]
    assert (labels(asked), office.noted) == (["Close it", "No"], [])
    assert (ids(asked), asked.deferred) == (["d:1:0:close:0", "n:1"], True)
    await office.press(asked, f"d:{game}:0:close:0")
    assert office.noted == ["1 was closed by <@99>, as a moderator: ['Ann', 'Bob', 'Cy']"]
    assert asked.answers[1] == "edit Game 1 is closed."
    assert await office.status(game) == "abandoned"


async def test_a_moderator_of_another_server_touches_no_lobby(office: Office) -> None:
    game, asked = await office.bench.lobby(), asked_by(guild=GUILD + 1)
    for attempt in (
        office.typed(asked, "close", number=game),
        office.press(asked, f"d:{game}:0:close:0"),
        office.typed(asked, "options", number=game, profile="18xx.games"),
        office.typed(asked, "seats", number=game, first=Object(CY), second=Object(BOB), third=Object(ANN)),
    ):
        with pytest.raises(Refused, match="Game 1 is not played on this server"):
            await attempt
    lobby = await office.bench.lobbies.read(game)
    assert (lobby.row.profile, lobby.people, office.noted) == ("rulebook", (ANN, BOB, CY), [])


async def test_what_a_moderator_corrects_in_a_lobby_is_shown_and_said_in_its_channel(office: Office) -> None:
    game, seats, rules = await office.bench.lobby(), asked_by(), asked_by()
    await office.typed(seats, "seats", number=game, first=Object(CY), second=Object(BOB), third=Object(ANN))
    text = "<@99> has corrected, as a moderator, the seats: Cy, Bob, Ann"
    assert (seats.answers, office.noted) == ([text], ["shown 1", f"1: {text}"])
    await office.typed(rules, "options", number=game, profile="18xx.games")
    assert rules.deferred
    assert rules.answers[0].startswith("<@99> has corrected, as a moderator, the rules: ")
    lobby: Lobby = await office.bench.lobbies.read(game)
    assert (lobby.row.profile, lobby.people) == ("18xx.games", (CY, BOB, ANN))


async def test_a_moderator_lets_a_caretaker_play_a_seat_and_reads_so(office: Office) -> None:
    game, asked = await office.game(), asked_by()
    await office.typed(asked, "replace", player="Bob")
    assert asked.answers == [
        "From move 2 on a caretaker, the computer, plays the seat of **Bob** (as <@99> decides, as a moderator). "
        "As soon as **Bob** acts, that is over; `/game replace` gives the seat to another member."
    ]
    async with office.bench.tables.reading(game) as live:
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
    monkeypatch.setattr(office.bench.tables, "damage", damage)
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


# --- rematches -------------------------------------------------------------------------------------------------------


class Played:
    """A client whose lobbies are shown nowhere; what would be is noted."""

    def __init__(self, bench: Bench, *, forum: bool = False) -> None:
        self.tables, self.lobbies = bench.tables, bench.lobbies
        self.rematches = Rematches(bench.tables, bench.lobbies)
        self.lobby_posts = self.forums = self
        self.noted: list[str] = []
        self._forum = object() if forum else None

    async def click(self, asked: Any, game: int) -> None:
        """Somebody presses *Rematch* below the end of a game."""
        asked.client = self
        await used(f"again:{game}").act(asked)

    def of(self, _: Game) -> object | None:
        return self._forum

    async def ready(self, forum: Any, name: str) -> None:
        self.noted.append(f"tags of {name} in {forum.id}")

    async def post(self, lobby: Lobby, _: object) -> int:
        self.noted.append(f"{lobby.row.id} opened in {lobby.row.channel_id}")
        return lobby.row.channel_id

    async def show(self, number: int, _: object) -> None:
        self.noted.append(f"{number} shown")

    async def ping_host(self, lobby: Lobby, user: int) -> None:
        self.noted.append(f"{lobby.row.id}: {user} joined")


@pytest.mark.parametrize("forum", [False, True])
async def test_a_rematch_that_is_open_is_joined_and_shown(bench: Bench, forum: bool) -> None:
    old, played = await bench.game(), Played(bench, forum=forum)
    await bench.db.write(lambda tx: tx.run("UPDATE games SET status = 'finished' WHERE id = ?", old))
    opened = await played.rematches.open(await games.get_game(bench.db, old), Opener(ANN, "Ann", CHANNEL))
    place = opened.row.thread_id if forum else opened.row.channel_id
    joined: Any = Asked(BOB, "Bob")
    await played.click(joined, old)
    done = f"You have a seat in game 2, in <#{place}>."
    assert (joined.answers, played.noted) == ([done], ["2 shown", f"2: {BOB} joined"])
    again: Any = Asked(BOB, "Bob")
    await played.click(again, old)
    assert again.answers == [f"Game 2 is open for you all, in <#{place}>."]
    assert len((await bench.lobbies.read(2)).seats) == 2


class Text(discord.TextChannel):
    """A channel in which we have these permissions."""

    def __init__(self, held: discord.Permissions) -> None:
        self.id, self._type, self._held = 8, 0, held
        self.guild: Any = type("Guild", (), {"me": None})

    def permissions_for(self, _: object, /) -> discord.Permissions:
        return self._held


class Forum(discord.ForumChannel):
    """A forum in which we may do everything."""

    def __init__(self) -> None:
        self.id = 9
        self.guild: Any = type("Guild", (), {"me": None})

    def permissions_for(self, _: object, /) -> discord.Permissions:
        return discord.Permissions.all()


async def test_a_rematch_is_opened_where_it_can_be_played_and_who_comes_later_is_led_to_it(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    played, venues = Played(bench), list[Any]()

    async def for_another(*_: object) -> Any:
        return venues[-1]

    async def set_to(status: str, number: int) -> None:
        sql = "UPDATE games SET status = ?, thread_id = 70 + id WHERE id = ?"
        await bench.db.write(lambda tx: tx.run(sql, status, number))

    monkeypatch.setattr(rematch, "for_another", for_another)
    await bench.game()
    await set_to("finished", 1)
    asked: Any = Asked(ANN, "Ann")
    venues.append(Text(discord.Permissions.none()))
    with pytest.raises(Refused, match=r"^The game was not opened\. "):
        await played.click(asked, 1)
    assert played.noted == []
    venues.append(Text(discord.Permissions.all()))
    await played.click(asked, 1)
    assert played.noted == ["2 opened in 8"]
    await set_to("running", 2)
    late: Any = Asked(BOB, "Bob")
    await played.click(late, 1)
    assert late.answers == ["Game 2 plays this one again: <#72>."]
    await set_to("abandoned", 2)
    venues.append(Forum())
    await played.click(asked, 1)
    assert played.noted[1:] == ["tags of 18Chesapeake in 9", "3 opened in 9"]
    assert asked.answers == [
        f"Game {number} is open in <#{number + 6}>. You have a seat." for number in (2, 3)
    ]


async def test_nobody_plays_a_game_again_that_still_runs(bench: Bench) -> None:
    game, asked = await bench.game(), Asked(ANN, "Ann")
    with pytest.raises(Refused, match="Game 1 is not over"):
        await Played(bench).click(asked, game)
    assert asked.answers == []
