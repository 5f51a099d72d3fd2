"""What a player is answered to a move, a press, an undo: in which order, and why the thread does not show it."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from bot.client.entry.replies import ack
from bot.client.features.moves import make
from bot.table.errors import MovedOn, NotYours, Refused
from bot.table.imports import TablePlace, add_recorded
from bot.table.moves.verbs import Verb
from bot.table.what_ifs import try_moves, typed_moves
from engine.game import Game
from storage import waiting_games
from tests.bot.support import declared
from tests.bot.support.asked import CLICK, COMMAND, Asked, Client
from tests.bot.support.declared import used
from tests.bot.support.positions import played_to
from tests.bot.support.table_service import ANN, BOB, CHANNEL, CY, GUILD, TableService

PLACE = TablePlace(GUILD, CHANNEL, ((ANN, "Ann"), (BOB, "Bob"), (CY, "Cy")))
THREAD = 77
WHY = "The thread does not show it yet. It is gone. It is shown as soon as that is repaired."


class Desk:
    """A game of Ann, Bob and Cy in a thread, and the client that they use."""

    def __init__(self, service: TableService, number: int) -> None:
        self.service, self.number = service, number
        self.client = Client(service.tables)

    async def use(self, asked: Any, custom_id: str) -> None:
        """Somebody uses the component with this id."""
        asked.client = self.client
        await used(custom_id).act(asked)

    async def press(self, asked: Any, label: str = "Pass", kind: str = "g") -> None:
        """Somebody presses the button of a move, or (`y`) confirms it."""
        seq, key = await self.key(label)
        await self.use(asked, f"{kind}:{self.number}:{seq}:{key}")

    async def type(self, asked: Any, name: str) -> None:
        """Somebody types a command in the thread."""
        asked.client, asked.channel_id = self.client, THREAD
        await declared.typed(asked, name)

    async def try_passing(self, times: int = 1) -> str:
        """The id of the button that makes in the game what Ann has tried: to pass, N times."""
        what_ifs = self.client.what_ifs
        async with self.service.tables.reading(self.number) as live:
            begun = what_ifs.begin(live, ANN)
        once = try_moves(begun, typed_moves("pass", begun.looker)).what_if
        what_ifs.change(begun, replace(once, steps=once.steps * times))
        return f"xm:{self.number}:{once.token}"

    async def key(self, label: str) -> tuple[int, str]:
        """The last row of the log, and the name of a button."""
        async with self.service.tables.reading(self.number) as live:
            found = [entry.quick for entry in await self.client.buttons.of(live) if entry.quick is not None]
            return live.seq, next(quick.key for quick in found if quick.label.startswith(label))


@pytest.fixture
async def desk(service: TableService) -> Desk:
    number = await service.game()
    await service.tables.show_in(number, THREAD)
    return Desk(service, number)


async def test_a_press_is_answered_only_where_the_thread_does_not_show_it(desk: Desk) -> None:
    """After the turn message, which the press edits."""
    shown: Any = Asked(ANN, "Ann")
    await desk.press(shown)
    assert shown.answers == ["turn 1"]
    desk.client.delivery_problems.note(desk.number, "held", "It is gone.")
    unshown: Any = Asked(BOB, "Bob")
    await desk.press(unshown)
    assert unshown.answers == ["turn 1", f"Your move is stored (number 3). {WHY}"]
    await ack(shown)
    await ack(unshown)


async def test_a_command_is_answered_with_what_it_did_and_why_the_thread_does_not_show_it(desk: Desk) -> None:
    plain: Any = Asked(ANN, "Ann", COMMAND)
    await desk.type(plain, "pass")
    assert plain.answers == ["turn 1", "Done, move 2: **Ann** passes."]
    desk.client.delivery_problems.note(desk.number, "held", "It is gone.")
    unshown: Any = Asked(BOB, "Bob", COMMAND)
    await desk.type(unshown, "pass")
    assert unshown.answers == ["turn 1", f"Done, move 3: **Bob** passes.\n{WHY}"]


async def test_a_command_for_a_game_that_is_not_in_memory_is_made_without_a_question(desk: Desk) -> None:
    desk.service.tables.forget(desk.number)
    asked: Any = Asked(ANN, "Ann", COMMAND)
    await desk.type(asked, "pass")
    assert asked.answers == ["turn 1", "Done, move 2: **Ann** passes."]


@pytest.mark.parametrize("cached", [True, False])
async def test_what_ends_a_game_is_asked_first_whether_it_is_in_memory_or_not(
    desk: Desk, cached: bool
) -> None:
    async with desk.service.tables.reading(desk.number) as live:
        assert live.seq == 1
    if not cached:
        desk.service.tables.forget(desk.number)
    assert (desk.service.tables.cached(desk.number) is not None) == cached
    asked: Any = Asked(BOB, "Bob", COMMAND)
    asked.client, asked.channel_id = desk.client, THREAD
    await make(asked, Verb("end_game", "Vote to end the game here"), {})
    [question] = asked.answers
    assert question.startswith("Confirm **Vote to end the game here**?")
    async with desk.service.tables.reading(desk.number) as live:
        assert live.seq == 1


async def test_an_onlooker_of_a_game_that_is_not_in_memory_moves_nothing(desk: Desk) -> None:
    desk.service.tables.forget(desk.number)
    with pytest.raises(NotYours):
        await desk.type(Asked(99, "Eve", COMMAND), "pass")


@pytest.mark.parametrize("way", ["pass", "undo", "g", "y", "xm"])
async def test_nothing_is_moved_in_a_locked_thread(desk: Desk, way: str) -> None:
    tried = await desk.try_passing()
    asked: Any = Asked(ANN, "Ann").in_a_locked_thread()
    before = await desk.service.digest(desk.number)

    async def moves() -> None:
        if way == "xm":
            await desk.use(asked, tried)
        elif way in "gy":
            await desk.press(asked, kind=way)
        else:
            await desk.type(asked, way)

    with pytest.raises(Refused, match="This thread is locked"):
        await moves()
    assert await desk.service.digest(desk.number) == before
    await ack(asked)


async def test_an_undo_by_command_is_answered_and_by_button_only_where_it_is_not_shown(desk: Desk) -> None:
    moved: Any = Asked(ANN, "Ann")
    await desk.press(moved)
    pressed: Any = Asked(ANN, "Ann", CLICK)
    await desk.use(pressed, f"u:{desk.number}:2")
    assert pressed.answers == ["turn 1"]
    await desk.service.do(desk.number, ANN, "pass")
    typed: Any = Asked(ANN, "Ann", COMMAND)
    await desk.type(typed, "undo")
    turn, answer = typed.answers
    assert (turn, answer.startswith("Done, move 5: ")) == ("turn 1", True)
    await desk.service.do(desk.number, ANN, "pass")
    desk.client.delivery_problems.note(desk.number, "held", "It is gone.")
    unshown: Any = Asked(ANN, "Ann", CLICK)
    await desk.use(unshown, f"u:{desk.number}:6")
    assert unshown.answers == ["turn 1", f"Your move is stored (number 7). {WHY}"]
    for asked in (moved, pressed, unshown):
        await ack(asked)


async def test_a_button_is_its_players_alone_and_of_its_position(desk: Desk) -> None:
    seq, key = await desk.key("Pass")
    with pytest.raises(MovedOn):
        await desk.use(Asked(ANN, "Ann"), f"g:{desk.number}:{seq - 1}:{key}")
    with pytest.raises(NotYours):
        await desk.press(Asked(99, "Eve"))


async def test_best_routes_are_searched_for_while_the_game_is_free(
    service: TableService, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A press waits for them; nobody else does."""
    known = Desk(service, await add_recorded(service.tables, played_to("run_routes"), PLACE))
    seq, key = await known.key("Best run")
    async with service.tables.reading(known.number) as live:
        actor = live.user_of(live.game.actors()[0])
    held: list[bool] = []

    async def answered(_: object, __: object, text: str, function: Callable[[Game], object]) -> object:
        held.append(service.tables.lock(known.number).locked())
        return function(Game.load(text))

    monkeypatch.setattr("bot.table.moves.turn_buttons.ask_position", answered)
    pressed: Any = Asked(actor or 0, "Ann")
    await Desk(service, known.number).use(pressed, f"g:{known.number}:{seq}:{key}")
    assert held == [False]
    await ack(pressed)


async def test_a_yes_shows_what_was_done_in_place_of_the_question_and_then_the_turn(desk: Desk) -> None:
    asked: Any = Asked(ANN, "Ann")
    await desk.press(asked, kind="y")
    assert asked.answers == ["edit Done, move 2: **Ann** passes.", "turn 1"]
    assert asked.views == [None, None], "the buttons of the question are gone"
    await ack(asked)


async def test_moves_of_a_what_if_are_made_up_to_the_first_that_is_not_possible_any_more(desk: Desk) -> None:
    tried = await desk.try_passing(3)
    desk.client.delivery_problems.note(desk.number, "held", "It is gone.")
    pressed: Any = Asked(ANN, "Ann")
    await desk.use(pressed, tried)
    made, turn, trouble = pressed.answers
    assert made == (
        "edit Done, move 2: **Ann** passes.\n"
        "**Not made: moves 2 to 3 of the what-if.** It is not your turn: Bob acts (auction)."
    )
    assert (turn, trouble) == ("turn 1", f"Your move is stored (number 2). {WHY}")
    late: Any = Asked(ANN, "Ann")
    with pytest.raises(MovedOn):
        await desk.use(late, tried)
    assert late.answers == []
    for asked in (pressed, late):
        await ack(asked)


async def test_after_each_way_to_move_a_button_leads_to_the_next_game_that_waits(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with desk.service.tables.reading(desk.number) as live:
        row = live.row

    async def waits(*_: object) -> Any:
        return row

    monkeypatch.setattr(waiting_games, "next_game", waits)
    tried, clicked, confirmed, moved = (Asked(user, "") for user in (ANN, BOB, CY, ANN))
    moved.type = COMMAND
    await desk.use(tried, await desk.try_passing())
    await desk.press(clicked)
    await desk.press(confirmed, kind="y")
    await desk.type(moved, "pass")
    assert tried.answers[1:] == ["turn 1", "Your turn here is over."]
    assert clicked.answers == ["turn 1", "Your turn here is over."]
    for asked, place in ((tried, 2), (clicked, 1), (confirmed, 0), (moved, 1)):
        [button] = asked.views[place].children
        assert button.label == f"My next game: {row.name}, game {row.id}"
        pressed: Any = asked
        await ack(pressed)


async def test_what_was_made_of_a_long_what_if_is_said_in_pieces(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.client.features.what_if.made_text", lambda *_: "x" * 2000 + "\nrest")
    asked: Any = Asked(ANN, "Ann")
    await desk.use(asked, await desk.try_passing())
    assert asked.answers == [f"edit {'x' * 2000}", "rest", "turn 1"]
    await ack(asked)
