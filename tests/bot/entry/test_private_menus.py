"""Private menus: whose moves they offer, in which queue their pictures wait, and what their last button does."""

from typing import Any, Self

import discord
import pytest

from bot.client.entry.replies import ack, ack_later
from bot.client.moves.what_if import WhatIfHandlers
from bot.client.moves.wizard import Wizard
from bot.table.errors import MovedOn, NotYourTurn, Refused
from bot.table.games.imported import Place as Recorded
from bot.table.games.imported import add_recorded
from bot.table.live import LiveGame
from bot.table.moves.menus import picked_move
from bot.table.moves.moves import offer_key
from bot.table.moves.question_place import Capacity, Place
from bot.table.votes.absence import absence
from bot.table.votes.acting_as import make_as
from bot.table.votes.proposals import Proposals
from storage.posts import pings
from tests.bot.support.asked import COMMAND, Asked, Shown
from tests.bot.support.positions import played_to
from tests.bot.support.tables import ANN, BOB, CHANNEL, CY, GUILD, Bench

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
    """A game of Ann, Bob and Cy, and what asks for their moves."""

    def __init__(self, bench: Bench, number: int) -> None:
        self.bench, self.number, self.drawing = bench, number, Drawing()
        tables, pictures = bench.tables, self.drawing
        turns: Any = Shown()
        drawing: Any = pictures
        self.wizard = Wizard(tables, drawing, turns, Proposals(tables))

    async def place(
        self, kind: str, capacity: Capacity = Capacity.OWN, *picks: str, player: str | None = None
    ) -> Place:
        """Where the menus of an offer begin."""
        async with self.bench.tables.reading(self.number) as live:
            offer = next(one for one in live.game.offers(player) if one.kind == kind)
            return Place(self.number, live.seq, offer_key(offer), picks, capacity=capacity)

    async def actor(self) -> int:
        """The user who has to act."""
        async with self.bench.tables.reading(self.number) as live:
            return live.user_of(live.game.actors()[0]) or 0


@pytest.fixture
async def desk(bench: Bench) -> Desk:
    return Desk(bench, await bench.game())


async def test_a_menu_offers_the_moves_of_one_player_and_says_whose_they_are(desk: Desk) -> None:
    """None of those that are no part of a turn, such as a vote to end the game."""

    def seat(player: str) -> Any:
        def found(_: LiveGame) -> str:
            return player

        return found

    ann, bob, for_ann, for_bob = (Asked(user, "", COMMAND) for user in (ANN, BOB, 99, 99))
    menu: Any = desk.wizard
    await menu.begin(ann, desk.number)
    await menu.begin(bob, desk.number)
    await menu.begin_for(for_ann, desk.number, seat("p1"), Capacity.MODERATOR)
    await menu.begin_for(for_bob, desk.number, seat("p2"), Capacity.MODERATOR)
    assert ann.answers == ["Your moves:"]
    assert bob.answers == ["There is nothing for you to do now; it is Ann's turn."]
    assert for_ann.answers == ["**Ann**'s moves, in whose name you choose:"]
    assert for_bob.answers == ["There is nothing for Bob to do now; it is Ann's turn."]
    async with desk.bench.tables.reading(desk.number) as live:
        keys = [offer_key(offer) for offer in live.game.offers("p1") if offer.kind != "end_game"]
    for asked, hand in ((ann, ""), (for_ann, "m")):
        [menu] = asked.views[0].children
        assert [option.value for option in menu.options] == [f"{key}{hand}" for key in keys]


async def test_the_last_button_makes_the_move_and_shows_it_in_place_of_the_menu(desk: Desk) -> None:
    begun = await desk.place("pass")
    locked: Any = Asked(ANN, "Ann").in_a_locked_thread()
    with pytest.raises(Refused, match="This thread is locked"):
        await desk.wizard.make(locked, begun)
    for way in (desk.wizard.open, desk.wizard.turn, desk.wizard.make):
        with pytest.raises(NotYourTurn):
            await way(Asked(BOB, "Bob"), begun)  # type: ignore[arg-type]
    asked: Any = Asked(ANN, "Ann")
    await desk.wizard.make(asked, begun)
    assert asked.answers == ["edit Done, move 2: **Ann** passes.", "turn 1"]
    assert asked.views == [None, None], "the buttons of the menu are gone"
    with pytest.raises(MovedOn):
        await desk.wizard.make(asked, begun)
    with pytest.raises(MovedOn):
        await desk.wizard.open(asked, begun)
    await ack(asked)


async def test_after_ones_own_move_a_button_leads_to_ones_next_game_and_after_anothers_none_does(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with desk.bench.tables.reading(desk.number) as live:
        row = live.row

    async def waits(*_: object) -> Any:
        return row

    monkeypatch.setattr(pings, "next_for", waits)
    own: Any = Asked(ANN, "Ann")
    await desk.wizard.make(own, await desk.place("pass"))
    [button] = own.views[0].children
    assert button.label == f"My next game: 18Chesapeake, game {desk.number}"
    anothers: Any = Asked(99, "Mod")
    await desk.wizard.make(anothers, await desk.place("pass", Capacity.MODERATOR))
    assert anothers.answers[0].startswith("edit Done, move 3: ")
    assert anothers.views == [None, None]
    await ack(own)
    await ack(anothers)


async def test_what_gives_up_more_than_money_is_asked_first_but_in_nobody_elses_name(desk: Desk) -> None:
    """There the menu with all of the move is the question."""
    for way in (desk.wizard.open, desk.wizard.turn):
        own: Any = Asked(BOB, "Bob")
        await way(own, await desk.place("end_game", player="p2"))
        [question] = own.answers
        assert question.startswith("Confirm **Vote to end the game here**?")
        anothers: Any = Asked(99, "Mod")
        await way(anothers, await desk.place("end_game", Capacity.MODERATOR, player="p2"))
        assert anothers.answers[0].removeprefix("edit ").startswith("**Vote to end the game here**\n> ")
        assert [item.label for item in anothers.views[0].children][-1] == "Back"
    usual: Any = Asked(ANN, "Ann")
    await desk.wizard.open(usual, await desk.place("pass"))
    assert usual.answers[0].startswith("**Pass**")
    late: Any = Asked(BOB, "Bob")
    begun = await desk.place("end_game", player="p2")
    step = await desk.wizard._step(late, begun)
    with pytest.raises(MovedOn):
        await desk.wizard._asked_first(late, begun._replace(seq=begun.seq - 1), step)
    assert late.answers == [], "nothing is asked about an earlier position"


@pytest.mark.usefixtures("absent_players")
async def test_for_a_seat_that_the_table_plays_a_move_is_proposed_in_the_position_it_was_chosen_in(
    desk: Desk,
) -> None:
    proposals, game = Proposals(desk.bench.tables), desk.number
    left = await proposals.put(game, BOB, lambda live: absence(live, BOB, "p1", "group"))
    await proposals.answer(game, left.number, CY, "yes", moderates=False)
    begun = await desk.place("pass", Capacity.TABLE)
    asked: Any = Asked(BOB, "Bob")
    async with desk.bench.tables.reading(game) as live:
        quick = picked_move(live.game, begun.key, ())
    with pytest.raises(MovedOn):
        await make_as(desk.bench.tables, proposals, BOB, begun._replace(seq=begun.seq - 1), "p1", quick)
    await desk.wizard.make(asked, begun)
    answer, turn = asked.answers
    assert answer.startswith("edit Proposal 2")
    assert (turn, asked.views) == (f"turn {game}", [None, None])
    async with desk.bench.tables.reading(game) as live:
        assert live.seq == begun.seq
    await ack(asked)


async def test_a_form_for_an_amount_is_the_first_answer_or_none(desk: Desk) -> None:
    place = await desk.place("bid", Capacity.OWN, "CV")
    asked: Any = Asked(ANN, "Ann")
    ack_later(asked)
    await desk.wizard.form(asked, place)
    assert (len(asked.modals), asked.answers) == (1, [])
    [pending] = asked.extras.values()
    assert pending._task.done(), "nothing is said about it any more"
    late: Any = Asked(ANN, "Ann")
    await late.response.defer()
    with pytest.raises(Refused, match="That took too long"):
        await desk.wizard.form(late, place)
    assert late.modals == []


@pytest.mark.parametrize(("guild", "server"), [(None, 0), (GUILD, GUILD)])
async def test_pictures_of_menus_wait_as_moves_and_of_runs_as_questions(
    bench: Bench, guild: int | None, server: int
) -> None:
    """Each in the line of its server, and in the colours of its user."""
    desk = Desk(bench, await add_recorded(bench.tables, played_to("lay_tile"), PLACE))
    actor = await desk.actor()
    asked: Any = Asked(actor, "")
    asked.guild_id = guild
    await desk.wizard.open(asked, await desk.place("lay_tile"))
    assert desk.drawing.noted == [f"server {server}", f"person {actor}"]
    assert [file.filename for file in asked.files] == ["places.png"]
    assert "Back" not in [getattr(item, "label", None) for item in asked.views[0].children]
    running = Desk(bench, await add_recorded(bench.tables, played_to("run_routes"), PLACE))
    actor = await running.actor()
    runs: Any = Asked(actor, "", COMMAND)
    runs.guild_id = guild
    await running.wizard.runs(runs, running.number)
    assert running.drawing.noted == ["question", f"server {server}", f"person {actor}"]
    assert runs.files[0].filename == "routes-1.png"
    assert isinstance(runs.views[0].children[0], discord.ui.Button)
    trying: Any = WhatIfHandlers(bench.tables, running.drawing)  # type: ignore[arg-type]
    async with bench.tables.reading(running.number) as live:
        token = trying._what_ifs.begin(live, actor).token
    tried: Any = Asked(actor, "")
    await trying.turn(tried, (await running.place("run_routes", Capacity.WHAT_IF))._replace(seq=token))
    first, *_, leave = tried.views[0].children
    assert first.custom_id.startswith("p:"), "a run that is only tried is a step"
    assert leave.label == "Back to the what-if"
