"""Private menus: whose moves they offer, in which queue their pictures wait, and what their last button does."""

from types import SimpleNamespace
from typing import Any, Self

import discord
import pytest

from bot.client.entry.replies import ack, ack_later
from bot.client.offer_menus_and_forms import in_hand, joined
from bot.table.errors import MovedOn, OthersTurn, Refused
from bot.table.imports import TablePlace as Recorded
from bot.table.imports import add_recorded
from bot.table.moves.menus import Capacity, MenuPlace
from bot.table.moves.moves import offer_key
from bot.table.votes.absent_seats import propose_absence
from bot.table.votes.proposals import Proposals
from storage import waiting_games
from tests.bot.support import declared
from tests.bot.support.asked import COMMAND, Asked, Client
from tests.bot.support.declared import used
from tests.bot.support.positions import played_to
from tests.bot.support.table_service import ANN, BOB, CHANNEL, CY, GUILD, TableService

THREAD = 77
PLACE = Recorded(GUILD, CHANNEL, ((ANN, "Ann"), (BOB, "Bob"), (CY, "Cy")))


class Drawing:
    """Pictures that note for whom they are drawn."""

    def __init__(self) -> None:
        self.noted: list[str] = []

    def asked(self) -> Self:
        self.noted.append("question")
        return self

    def in_server(self, server: int) -> Self:
        self.noted.append(f"server {server}")
        return self

    def seen_by(self, person: int) -> Self:
        self.noted.append(f"person {person}")
        return self

    async def map(self, _: object) -> bytes:
        return b"map"

    async def sketch(self, _: object) -> bytes:
        return b"sketch"


class Desk:
    """A game of Ann, Bob and Cy in a thread, and the client that they use."""

    def __init__(self, service: TableService, number: int) -> None:
        self.service, self.number, self.drawing = service, number, Drawing()
        self.client = Client(service.tables, self.drawing)

    async def use(self, asked: Any, custom_id: str, **data: Any) -> None:
        """Somebody uses the component with this id."""
        asked.client = self.client
        await used(custom_id, **data).act(asked)

    async def open(self, asked: Any, place: MenuPlace) -> None:
        """Somebody opens the menus of an offer below the turn message."""
        await self.use(asked, f"w:{place.game}:{place.seq}:{place.key}")

    async def turn(self, asked: Any, place: MenuPlace) -> None:
        """Somebody goes to a step of an offer, in the private message."""
        key = in_hand(place.key, place.capacity)
        await self.use(asked, f"p:{place.game}:{place.seq}:{key}:0:{joined(place.picks)}")

    async def make(self, asked: Any, place: MenuPlace) -> None:
        """Somebody presses the button that makes the move."""
        key = in_hand(place.key, place.capacity)
        await self.use(asked, f"c:{place.game}:{place.seq}:{key}:{joined(place.picks)}")

    async def form(self, asked: Any, place: MenuPlace) -> None:
        """Somebody opens the form for an amount."""
        await self.use(asked, f"a:{place.game}:{place.seq}:{place.key}:{joined(place.picks)}")

    async def type(self, asked: Any, name: str, **values: Any) -> None:
        """Somebody types a command in the thread."""
        asked.client, asked.channel_id = self.client, THREAD
        await self.service.tables.show_in(self.number, THREAD)
        await declared.typed(asked, name, **values)

    async def place(
        self, kind: str, capacity: Capacity = Capacity.OWN, *picks: str, player: str | None = None
    ) -> MenuPlace:
        """Where the menus of an offer begin."""
        async with self.service.tables.reading(self.number) as live:
            offer = next(one for one in live.game.offers(player) if one.kind == kind)
            return MenuPlace(self.number, live.seq, offer_key(offer), picks, capacity=capacity)

    async def actor(self) -> int:
        """The user who has to act."""
        async with self.service.tables.reading(self.number) as live:
            return live.user_of(live.game.actors()[0]) or 0


@pytest.fixture
async def desk(service: TableService) -> Desk:
    return Desk(service, await service.game())


async def test_a_menu_offers_the_moves_of_one_player_and_says_whose_they_are(desk: Desk) -> None:
    """None of those that are no part of a turn, such as a vote to end the game."""

    ann, bob, for_ann, for_bob = (Asked(user, "", COMMAND) for user in (ANN, BOB, 99, 99))
    await desk.type(ann, "move")
    await desk.type(bob, "move")
    await desk.type(for_ann, "mod act", player="Ann")
    await desk.type(for_bob, "mod act", player="Bob")
    assert ann.answers == ["Your moves:"]
    assert bob.answers == ["There is nothing for you to do now; it is Ann's turn."]
    assert for_ann.answers == ["**Ann**'s moves, in whose name you choose:"]
    assert for_bob.answers == ["There is nothing for Bob to do now; it is Ann's turn."]
    async with desk.service.tables.reading(desk.number) as live:
        keys = [offer_key(offer) for offer in live.game.offers("p1") if offer.kind != "end_game"]
    for asked, hand in ((ann, ""), (for_ann, "m")):
        [menu] = asked.views[0].children
        assert [option.value for option in menu.options] == [f"{key}{hand}" for key in keys]


async def test_the_last_button_makes_the_move_and_shows_it_in_place_of_the_menu(desk: Desk) -> None:
    begun = await desk.place("pass")
    locked: Any = Asked(ANN, "Ann").in_a_locked_thread()
    with pytest.raises(Refused, match="This thread is locked"):
        await desk.make(locked, begun)
    for way in (desk.open, desk.turn, desk.make):
        with pytest.raises(OthersTurn):
            await way(Asked(BOB, "Bob"), begun)
    asked: Any = Asked(ANN, "Ann")
    await desk.make(asked, begun)
    assert asked.answers == ["edit Done, move 2: **Ann** passes.", "turn 1"]
    assert asked.views == [None, None], "the buttons of the menu are gone"
    with pytest.raises(MovedOn):
        await desk.make(asked, begun)
    with pytest.raises(MovedOn):
        await desk.open(asked, begun)
    await ack(asked)


async def test_after_ones_own_move_a_button_leads_to_ones_next_game_and_after_anothers_none_does(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with desk.service.tables.reading(desk.number) as live:
        row = live.row

    async def waits(*_: object) -> Any:
        return row

    monkeypatch.setattr(waiting_games, "next_game", waits)
    own: Any = Asked(ANN, "Ann")
    await desk.make(own, await desk.place("pass"))
    [button] = own.views[0].children
    assert button.label == f"My next game: 18Chesapeake, game {desk.number}"
    anothers: Any = Asked(99, "Mod")
    await desk.make(anothers, await desk.place("pass", Capacity.MODERATOR))
    assert anothers.answers[0].startswith("edit Done, move 3: ")
    assert anothers.views == [None, None]
    await ack(own)
    await ack(anothers)


async def test_what_gives_up_more_than_money_is_asked_first_but_in_nobody_elses_name(desk: Desk) -> None:
    """There the menu with all of the move is the question."""
    for way in (desk.open, desk.turn):
        own: Any = Asked(BOB, "Bob")
        await way(own, await desk.place("end_game", player="p2"))
        [question] = own.answers
        assert question.startswith("Confirm **Vote to end the game here**?")
    anothers: Any = Asked(99, "Mod")
    await desk.turn(anothers, await desk.place("end_game", Capacity.MODERATOR, player="p2"))
    assert anothers.answers[0].startswith("edit **Vote to end the game here**\n> ")
    assert [item.label for item in anothers.views[0].children][-1] == "Back"
    usual: Any = Asked(ANN, "Ann")
    await desk.open(usual, await desk.place("pass"))
    assert usual.answers[0].startswith("**Pass**")


@pytest.mark.usefixtures("absent_players")
async def test_for_a_seat_that_the_table_plays_a_move_is_proposed_in_the_position_it_was_chosen_in(
    desk: Desk,
) -> None:
    proposals, game = Proposals(desk.service.tables), desk.number
    left = await proposals.put(game, BOB, lambda live: propose_absence(live, BOB, "p1", "group"))
    await proposals.answer(game, left.number, CY, "yes", moderates=False)
    begun = await desk.place("pass", Capacity.TABLE)
    asked: Any = Asked(BOB, "Bob")
    with pytest.raises(MovedOn):
        await desk.make(asked, begun._replace(seq=begun.seq - 1))
    await desk.make(asked, begun)
    answer, turn = asked.answers
    assert answer.startswith("edit Proposal 2")
    assert (turn, asked.views) == (f"turn {game}", [None, None])
    async with desk.service.tables.reading(game) as live:
        assert live.seq == begun.seq
    await ack(asked)


async def test_a_form_for_an_amount_is_the_first_answer_or_none(desk: Desk) -> None:
    place = await desk.place("bid", Capacity.OWN, "CV")
    asked: Any = Asked(ANN, "Ann")
    ack_later(asked)
    await desk.form(asked, place)
    assert (len(asked.modals), asked.answers) == (1, [])
    [pending] = asked.extras.values()
    assert pending._task.done(), "nothing is said about it any more"
    late: Any = Asked(ANN, "Ann")
    await late.response.defer()
    with pytest.raises(Refused, match="That took too long"):
        await desk.form(late, place)
    assert late.modals == []


@pytest.mark.parametrize("private", [True, False])
async def test_an_amount_typed_below_a_message_for_everybody_leads_to_one_for_its_user(
    desk: Desk, private: bool
) -> None:
    place = await desk.place("bid")
    flags: Any = SimpleNamespace(flags=SimpleNamespace(ephemeral=private))
    asked: Any = Asked(ANN, "Ann", message=flags)
    amount = {"component": {"custom_id": "amount", "value": " $205 "}}
    await desk.use(asked, f"f:{place.game}:{place.seq}:{place.key}:CV", components=[amount])
    [answer] = asked.answers
    assert answer.startswith("edit **Bid" if private else "**Bid")
    await ack(asked)


@pytest.mark.parametrize(("guild", "server"), [(None, 0), (GUILD, GUILD)])
async def test_pictures_of_menus_wait_as_moves_and_of_runs_as_questions(
    service: TableService, guild: int | None, server: int
) -> None:
    """Each in the line of its server, and in the colours of its user."""
    desk = Desk(service, await add_recorded(service.tables, played_to("lay_tile"), PLACE))
    actor = await desk.actor()
    asked: Any = Asked(actor, "")
    asked.guild_id = guild
    await desk.open(asked, await desk.place("lay_tile"))
    assert desk.drawing.noted == [f"server {server}", f"person {actor}"]
    assert [file.filename for file in asked.files] == ["places.png"]
    assert "Back" not in [getattr(item, "label", None) for item in asked.views[0].children]
    running = Desk(service, await add_recorded(service.tables, played_to("run_routes"), PLACE))
    actor = await running.actor()
    runs: Any = Asked(actor, "", COMMAND)
    runs.guild_id = guild
    await running.type(runs, "run", routes=None)
    assert running.drawing.noted == ["question", f"server {server}", f"person {actor}"]
    assert runs.files[0].filename == "routes-1.png"
    assert isinstance(runs.views[0].children[0], discord.ui.Button)
    async with service.tables.reading(running.number) as live:
        token = running.client.what_ifs.begin(live, actor).token
    tried: Any = Asked(actor, "")
    await running.turn(tried, (await running.place("run_routes", Capacity.WHAT_IF))._replace(seq=token))
    first, *_, leave = tried.views[0].children
    assert first.custom_id.startswith("p:"), "a run that is only tried is a step"
    assert leave.label == "Back to the what-if"
