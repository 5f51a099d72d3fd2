"""What a player is answered to undo and redo: what would be lost, in words, and the question to the others."""

from types import SimpleNamespace
from typing import Any

import pytest

from bot.client.features import undo
from bot.table.errors import MovedOn, NotYours, Refused
from bot.table.undo import LONGEST, SHOWN, first_lines, loss_of, loss_text
from bot.table.votes import undo_proposals
from bot.table.votes.pauses import begin_pause
from bot.table.votes.undo_proposals import undo_question
from storage import proposals
from tests.bot.support.asked import COMMAND, Asked, Client
from tests.bot.support.declared import typed, used
from tests.bot.support.table_service import ANN, BOB, CY, TableService

THREAD = 77
NAMES = {ANN: "Ann", BOB: "Bob", CY: "Cy"}


class Desk:
    """A game in which Ann, Bob and Cy have passed, in a thread, and the client that they use."""

    def __init__(self, service: TableService, game: int) -> None:
        self.service, self.game = service, game
        self.done: list[str] = []
        """What was proposed by a redo."""
        self.client = Client(service.tables)

    async def use(self, asked: Any, custom_id: str) -> None:
        """Somebody uses the component with this id."""
        asked.client = self.client
        await used(custom_id).act(asked)

    async def type(self, asked: Any, name: str, **values: Any) -> None:
        """Somebody types a command in the thread."""
        asked.client, asked.channel_id = self.client, THREAD
        await typed(asked, name, **values)

    async def proposed(self) -> list[int]:
        """Proposals that are put to the table."""
        found = await proposals.standing(self.service.db, self.game, self.service.tables.clock())
        return [one.number for one in found]

    async def propose_or_join(self, _: object, game_id: int, compose: Any) -> None:
        """A proposal to the table."""
        async with self.service.tables.reading(game_id) as live:
            self.done.append(f"proposed: {(await compose(live)).says()}")


@pytest.fixture
async def desk(service: TableService) -> Desk:
    game = await service.game()
    for user in (ANN, BOB, CY):
        await service.do(game, user, "pass")
    await service.tables.show_in(game, THREAD)
    return Desk(service, game)


@pytest.fixture
def unmoderated(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody here is a moderator."""

    async def no_moderator(_: object) -> bool:
        return False

    monkeypatch.setattr(undo, "moderates", no_moderator)


async def test_ones_own_moves_are_undone_at_once(desk: Desk) -> None:
    asked: Any = Asked(CY, "Cy", COMMAND)
    await desk.type(asked, "undo", to=3)
    assert asked.answers == ["turn 1", "Done, move 5: **Cy** undoes move 4."]
    assert asked.is_taken, "what takes a while is acknowledged before"


async def test_before_moves_of_others_are_undone_what_is_lost_is_shown_with_a_way_to_ask(desk: Desk) -> None:
    asked: Any = Asked(ANN, "Ann", COMMAND)
    await desk.type(asked, "undo", to=2)
    assert asked.answers == [
        "These 2 moves would no longer count, and **Bob** and **Cy** have to agree:\n"
        "> `3` **Bob** passes.\n> `4` **Cy** passes."
    ]
    [view] = asked.views
    assert [item.label for item in view.children] == ["Propose to go back to move 2", "No"]
    assert desk.done == []
    one: Any = Asked(ANN, "Ann", COMMAND)
    await desk.type(one, "undo", to=3)
    assert one.answers[0].startswith("This move would no longer count, and **Cy** has to agree:\n> `4`")


@pytest.mark.usefixtures("unmoderated")
async def test_a_game_that_pauses_or_is_not_theirs_shows_nobody_what_would_be_lost(desk: Desk) -> None:
    await desk.service.undo(desk.game, CY)
    with pytest.raises(NotYours):
        await desk.type(Asked(99, "Eve", COMMAND), "undo", to=2)
    await begin_pause(desk.service.tables, desk.game, BOB, None)
    asked: Any = Asked(ANN, "Ann", COMMAND)
    with pytest.raises(Refused, match="pauses"):
        await desk.type(asked, "undo", to=2)
    with pytest.raises(Refused, match="pauses"):
        await desk.type(asked, "redo")
    assert asked.answers == []


async def test_what_is_proposed_takes_the_place_of_the_question(desk: Desk) -> None:
    asked: Any = Asked(ANN, "Ann")
    await desk.use(asked, f"b:{desk.game}:4:2")
    [answer] = asked.answers
    assert answer.startswith("edit Proposal 1")
    assert asked.views == [None]
    assert await desk.proposed() == [1]
    again: Any = Asked(ANN, "Ann", COMMAND)
    with pytest.raises(Refused, match="Proposal 1 asks for that already"):
        await desk.type(again, "undo", to=2)
    assert again.answers == [], "the question is not asked twice"


async def test_nothing_is_proposed_of_a_game_that_moves_on_meanwhile(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After the question was looked at, and before it is put."""
    composed = undo_proposals.propose_undo

    async def meanwhile(*values: Any) -> Any:
        subject = await composed(*values)
        task = desk.service.do(desk.game, ANN, "pass")
        moved.append(task)
        return subject

    moved: list[Any] = []
    monkeypatch.setattr(undo, "propose_undo", meanwhile)
    putting = desk.client.proposals.put

    async def put_later(*values: Any) -> Any:
        await moved.pop()
        return await putting(*values)

    monkeypatch.setattr(desk.client.proposals, "put", put_later)
    asked: Any = Asked(BOB, "Bob")
    with pytest.raises(MovedOn):
        await desk.use(asked, f"b:{desk.game}:4:1")
    assert asked.answers == []
    assert await desk.proposed() == []


@pytest.mark.usefixtures("unmoderated")
async def test_redo_is_done_at_once_for_who_undid_in_the_position_of_the_button(desk: Desk) -> None:
    await desk.service.undo(desk.game, CY)
    other: Any = Asked(BOB, "Bob")
    with pytest.raises(NotYours, match="Cy took that back"):
        await desk.type(other, "redo")
    late: Any = Asked(CY, "Cy")
    with pytest.raises(MovedOn):
        await desk.use(late, f"e:{desk.game}:4")
    asked: Any = Asked(CY, "Cy")
    await desk.use(asked, f"e:{desk.game}:5")
    assert asked.answers == ["turn 1"]
    assert "**Cy** redoes move 4 as 6." in (await desk.service.lines(desk.game))[-1]


@pytest.mark.usefixtures("unmoderated")
async def test_others_are_asked_for_a_redo_by_who_undid_in_the_position_of_the_button(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    subject: Any = SimpleNamespace(says=lambda: "move 4 comes back")

    async def composed(*_: object) -> Any:
        return subject

    monkeypatch.setattr("bot.table.redo.asks_others", lambda *_: True)
    monkeypatch.setattr(undo, "propose_redo", composed)
    monkeypatch.setattr(undo, "propose_or_join", desk.propose_or_join)
    await desk.service.undo(desk.game, CY)
    other, asked = Asked(BOB, "Bob", COMMAND), Asked(CY, "Cy", COMMAND)
    with pytest.raises(NotYours):
        await desk.type(other, "redo")
    with pytest.raises(MovedOn):
        await desk.use(asked, f"e:{desk.game}:4")
    assert desk.done == []
    await desk.use(asked, f"e:{desk.game}:5")
    assert desk.done == ["proposed: move 4 comes back"]
    assert asked.is_taken


# --- what would be lost ----------------------------------------------------------------------------------------------


async def test_of_many_moves_the_last_are_listed_and_how_many_came_before(service: TableService) -> None:
    game = await service.game()
    for number in range(SHOWN + 1):
        user = (ANN, BOB, CY)[number % 3]
        await service.do(game, user, "bid", private="CV", amount=205 + 5 * number)
    async with service.tables.reading(game) as live:
        all_ = await loss_text(service.db, live, await loss_of(service.tables, live, 1, "p1"))
        fits = await loss_text(service.db, live, await loss_of(service.tables, live, 2, "p1"))
    listed = [line for line in all_.split("\n") if line.startswith(">")]
    assert listed[0] == "> 1 earlier, and"
    assert [line.split("`")[1] for line in listed[1:]] == [str(seq) for seq in range(3, SHOWN + 3)]
    assert "earlier" not in fits
    assert sum(line.startswith(">") for line in fits.split("\n")) == SHOWN


async def test_a_move_whose_line_is_gone_is_listed_as_it_would_be_typed(desk: Desk) -> None:
    async with desk.service.tables.reading(desk.game) as live:
        rows = (await loss_of(desk.service.tables, live, 1, "p1")).rows
        nowhere = [row._replace(seq=row.seq + 40) for row in rows]
        assert await first_lines(desk.service.db, live, nowhere[:1]) == ["`42` Ann: pass"]
        unread = [rows[0]._replace(seq=50, payload="{}", actor="")]
        assert await first_lines(desk.service.db, live, unread) == ["`50` a move"]
        assert await first_lines(desk.service.db, live, []) == []
        assert all(len(line) <= LONGEST for line in await first_lines(desk.service.db, live, rows))


async def test_a_question_names_everybody_whose_move_would_be_lost(desk: Desk) -> None:
    async with desk.service.tables.reading(desk.game) as live:
        found = await loss_of(desk.service.tables, live, 3, "p1")
        asked = await undo_question(desk.service.tables, live, found)
    assert asked.startswith("This move would no longer count, and **Cy** has to agree:")
