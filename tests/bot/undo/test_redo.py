"""Redoing what was undone, until somebody moves: the same moves, the same position, the same orders."""

import asyncio
import json
from dataclasses import replace

import pytest

from bot.table import redo as redoing
from bot.table.errors import MovedOn, NotYours, Refused
from bot.table.games.game_log import Undone
from bot.table.games.loading import is_earlier, replayed, require_same_position
from bot.table.imports import TablePlace, add_recorded
from bot.table.moves.moves import Typed, once_more
from bot.table.orders import automatic, player_orders
from bot.table.orders.caretakers import play_caretakers
from bot.table.outbox.notices import LINE, TURN, Line, TurnChange
from bot.table.tables import Outcome
from bot.table.votes.absent_seats import let_caretaker_play
from bot.table.votes.moderation import moderator_accept, moderator_undo
from bot.table.votes.pauses import begin_pause
from engine.core.actions import LayTile, Pass
from engine.core.ids import PlayerId
from engine.game import Game
from engine.orders import new_orders
from engine.orders.order_kinds import Order
from engine.record import read_record
from storage import Row, SeatEntry, games, log, orders, outbox, seats
from tests.bot.support.positions import BANKRUPTCY, played_to
from tests.bot.support.table_service import ANN, BOB, CHANNEL, CY, GUILD, TableService

DEE, MODERATOR = 14, 99
PLACE = TablePlace(GUILD, CHANNEL, ((ANN, "Ann"), (BOB, "Bob"), (CY, "Cy")))


async def redo(service: TableService, game: int, user: int, seq: int | None = None) -> Outcome:
    return await redoing.redo(service.tables, game, user, seq, moderates=user == MODERATOR)


async def counting(service: TableService, game: int) -> list[int]:
    return [row.seq for row in log.fold(await log.read(service.db, game))]


async def sound(service: TableService, game: int) -> None:
    """The live game is what the log leads to, and what a restart finds."""
    digest, rows = await service.digest(game), await log.read(service.db, game)
    assert replayed(log.fold(rows)).digest() == digest
    async with service.tables.reading(game) as live:
        assert live.undone == Undone.of(rows)
    assert await TableService.on(service.db).digest(game) == digest


async def bidding(service: TableService, user: int, private: str, most: int) -> int:
    """A game in which somebody has sealed a maximum."""
    game = await service.game()

    def make(now: Game, player: PlayerId) -> Order:
        del player
        return new_orders.bid_up_to(now, private, most, "pass")

    await player_orders.give_order(service.tables, game, user, make)
    return game


async def standing(service: TableService, game: int) -> list[int]:
    return [one.number for one in await orders.standing(service.db, game)]


@pytest.fixture
async def undone(service: TableService) -> int:
    """Ann has bid, and undone it."""
    game = await service.game()
    await service.do(game, ANN, "bid", private="C-P", amount=45)
    await service.undo(game, ANN)
    return game


async def test_what_was_undone_comes_back_as_it_was(service: TableService) -> None:
    game = await service.game()
    await service.do(game, ANN, "bid", private="C-P", amount=45)
    before = await service.digest(game)
    await service.undo(game, ANN)
    woken = service.woken()
    outcome = await redo(service, game, ANN)
    assert woken == [game]
    assert outcome == Outcome(4, ("**Ann** redoes move 2 as 4.",))
    assert await service.digest(game) == before
    _, made, undo, again = await log.read(service.db, game)
    assert (undo.kind, undo.actor, undo.payload) == ("undo", "p1", '{"to": 1}')
    over = [TurnChange.read(one.payload) for one in await outbox.of_kind(service.db, game, TURN, 0)]
    assert [(one.fresh, one.passes) for one in over[-2:]] == [((), True), (("p2",), True)], (
        "nobody is pinged for a move of their own"
    )
    backs = [Line.read(one.payload).back for one in await outbox.of_kind(service.db, game, LINE, 0)]
    assert backs == [None, None, 1, None], "the post says after which row nothing counts any more"
    assert (again.kind, again.payload, again.digest) == (made.kind, made.payload, made.digest)
    assert (again.actor, again.user_id) == ("p1", ANN)
    await sound(service, game)


async def test_the_line_says_what_came_back(service: TableService, undone: int) -> None:
    await redo(service, undone, ANN)
    lines = [Line.read(one.payload).text for one in await outbox.of_kind(service.db, undone, LINE, 0)]
    move, small = lines[-1].split("\n")
    assert small == "-# **Ann** redoes move 2 as 4."
    assert move == lines[1].replace("`2`", "`4`")


@pytest.mark.parametrize(
    ("order", "mark"), [(orders.TIME_UP, "*(time is up)*"), (None, automatic.MARK), (7, automatic.MARK)]
)
async def test_what_nobody_made_by_hand_is_marked_as_it_was(
    service: TableService, order: int | None, mark: str
) -> None:
    game = await service.game()
    await service.do(game, ANN, "pass")
    made = orders.Changes(automatic=((2, order),))
    await service.db.write(lambda tx: made.write(tx, game, 2))
    service.tables.forget(game)
    await moderator_undo(service.tables, game, MODERATOR, 1, 2)
    await redo(service, game, MODERATOR)
    by = f"-# <@{MODERATOR}>, as a moderator, redoes move 2 as 4."
    assert (await service.lines(game))[-1] == f"`4` **Ann** passes. {mark}\n{by}"
    assert await orders.automatic_moves(service.db, game) == {2: order, 4: order}


async def test_what_a_caretaker_has_played_is_marked_as_theirs(service: TableService) -> None:
    game = await service.game()
    await let_caretaker_play(service.tables, game, MODERATOR, "p1")
    await play_caretakers(service.tables, game)
    made = (await service.lines(game))[-1]
    assert automatic.CARED in made
    await moderator_undo(service.tables, game, MODERATOR, 1, 2)
    await redo(service, game, MODERATOR)
    assert (await service.lines(game))[-1].split("\n")[0] == made.replace("`2`", "`4`")


@pytest.mark.parametrize(("order", "said"), [(orders.TIME_UP, True), (7, False)])
async def test_a_step_in_which_nothing_happened_is_said_again_only_where_time_was_up(
    service: TableService, order: int, said: bool
) -> None:
    game = await add_recorded(service.tables, played_to("lay_tile"), PLACE)
    async with service.tables.reading(game) as live:
        seq, (actor,) = live.seq, live.game.actors()
        user = live.user_of(actor)
    await service.do(game, user, "pass")
    made = orders.Changes(automatic=((seq + 1, order),))
    await service.db.write(lambda tx: made.write(tx, game, seq + 1))
    service.tables.forget(game)
    await moderator_undo(service.tables, game, MODERATOR, seq, seq + 1)
    await redo(service, game, MODERATOR)
    assert ("declines track. *(time is up)*" in (await service.lines(game))[-1]) == said
    assert ("declines track" in (await service.lines(game))[-1]) == said


async def test_a_redone_tile_is_shown_on_the_map_once_more(service: TableService) -> None:
    recorded = read_record(BANKRUPTCY.read_text("utf-8"))
    at, lay = next((at, one) for at, one in enumerate(recorded.actions) if isinstance(one, LayTile))
    game = await add_recorded(service.tables, replace(recorded, actions=recorded.actions[:at]), PLACE)
    async with service.tables.reading(game) as live:
        seq, user = live.seq, live.user_of(lay.actor)
    await service.tables.submit(game, user, once_more(lay))
    await service.undo(game, user)
    await redo(service, game, user)
    shown = [Line.read(one.payload).hexes for one in await outbox.of_kind(service.db, game, LINE, seq)]
    assert (shown[0], shown[-2:]) == ((lay.hex,), [(), (lay.hex,)])


async def test_only_whoever_took_their_move_back_puts_it_back(service: TableService, undone: int) -> None:
    for user in (BOB, MODERATOR):
        with pytest.raises(NotYours, match="Ann took that back"):
            await redo(service, undone, user)


async def test_redo_after_somebody_moved_is_refused_with_who_moved(
    service: TableService, undone: int
) -> None:
    await service.do(undone, ANN, "pass")
    with pytest.raises(Refused, match="Ann has made move 4 since"):
        await redo(service, undone, ANN)
    await service.do(undone, BOB, "pass")
    with pytest.raises(Refused, match="Ann has made move 4 since"):
        await redo(TableService.on(service.db), undone, ANN)


async def test_where_nothing_was_undone_nothing_comes_back(service: TableService) -> None:
    with pytest.raises(Refused, match="Nothing was undone"):
        await redo(service, await service.game(), ANN)


async def test_redo_after_a_restart(service: TableService, undone: int) -> None:
    again = TableService.on(service.db)
    await redo(again, undone, ANN)
    assert await counting(again, undone) == [1, 4]
    await sound(again, undone)


async def test_several_undos_are_redone_one_after_the_other(service: TableService) -> None:
    """The newest first, with a restart between; the game ends where it stood."""
    game = await service.game()
    for user in (ANN, BOB, CY):
        await service.do(game, user, "pass")
    before = await service.digest(game)
    for to in (3, 2, 1):
        await moderator_undo(service.tables, game, MODERATOR, to, (await log.last_seq(service.db, game)))
    for at in range(3):
        again = TableService.on(service.db) if at == 1 else service
        service.tables.forget(game)
        await redo(again, game, MODERATOR)
    service.tables.forget(game)
    assert await service.digest(game) == before
    with pytest.raises(Refused, match="Nothing was undone"):
        await redo(service, game, MODERATOR)
    await sound(service, game)


async def test_undo_redo_undo(service: TableService, undone: int) -> None:
    start = await service.digest(undone)
    await redo(service, undone, ANN)
    there = await service.digest(undone)
    await service.undo(undone, ANN)
    assert await service.digest(undone) == start
    await redo(service, undone, ANN)
    assert await service.digest(undone) == there
    assert await counting(service, undone) == [1, 6]
    await sound(service, undone)


async def test_in_a_game_of_earlier_rules_a_redone_move_is_posted_as_it_was(
    service: TableService, undone: int
) -> None:
    async with service.tables.reading(undone) as live:
        start = live.counting[0]
        opening = json.loads(start.payload)
        del opening["rules"]
        live.counting[0] = start._replace(payload=json.dumps(opening))
        assert is_earlier(live.counting[0])
    await redo(service, undone, ANN)
    lines = await service.lines(undone)
    assert lines[-1].split("\n")[0] == lines[1].replace("`2`", "`4`")


async def test_in_a_game_of_earlier_rules_a_pass_that_led_nowhere_is_posted_as_its_players(
    service: TableService,
) -> None:
    """Such logs hold passes of steps in which there is nothing to pass."""
    game = await add_recorded(service.tables, played_to("run_routes"), PLACE)
    async with service.tables.reading(game) as live:
        start, (offer, *_) = live.counting[0], live.game.offers()
        opening = json.loads(start.payload)
        del opening["rules"]
        live.counting[0] = start._replace(payload=json.dumps(opening))
        passes = Pass(actor=offer.actor, entity=offer.entity).model_dump_json()
        row = live.counting[-1]._replace(payload=passes, digest=live.game.digest(), actor=offer.actor)
        made = redoing._Made(live, automatic.AutomaticMoves(live, ()))
        await made.again(row)
        assert made.posted == [(f"**{live.name_of(offer.actor)}**.",)]


async def test_other_games_have_their_turn_between_the_moves_that_are_redone(
    service: TableService, monkeypatch: pytest.MonkeyPatch
) -> None:
    game, turns, found = await service.game(), [0], list[int]()
    for user in (ANN, BOB, CY):
        await service.do(game, user, "pass")
    await moderator_undo(service.tables, game, MODERATOR, 1, 4)

    async def others() -> None:
        while True:
            turns[0] += 1
            await asyncio.sleep(0)

    def comparing(live: Game, row: Row) -> None:
        found.append(turns[0])
        require_same_position(live, row)

    monkeypatch.setattr(redoing, "require_same_position", comparing)
    working = asyncio.create_task(others())
    await redo(service, game, MODERATOR)
    working.cancel()
    assert len(found) == len(set(found)) == 3
    assert found[-1] - found[0] < 20, "and nobody waits longer than that"


async def test_a_button_pressed_twice_redoes_once(service: TableService, undone: int) -> None:
    await redo(service, undone, ANN, 3)
    with pytest.raises(MovedOn):
        await redo(service, undone, ANN, 3)
    assert await counting(service, undone) == [1, 4]


async def test_what_a_moderator_took_back_a_moderator_redoes(service: TableService) -> None:
    game = await service.game()
    for user in (ANN, BOB, CY):
        await service.do(game, user, "pass")
    before = await service.digest(game)
    await moderator_undo(service.tables, game, MODERATOR, 1, 4)
    with pytest.raises(NotYours, match="A moderator took that back"):
        await redo(service, game, ANN)
    outcome = await redo(service, game, MODERATOR)
    assert outcome.lines == (f"<@{MODERATOR}>, as a moderator, redoes moves 2 to 4 as 6 to 8.",)
    assert await service.digest(game) == before
    rows = await log.read(service.db, game)
    assert [row.user_id for row in rows[-3:]] == [ANN, BOB, CY]


async def test_part_of_it_made_again_by_hand_is_a_move(service: TableService) -> None:
    """Bob makes the same move again, after Ann's and Bob's were undone: the rest would be another game."""
    game = await service.game()
    for user in (ANN, BOB):
        await service.do(game, user, "pass")
    await moderator_undo(service.tables, game, MODERATOR, 1, 3)
    await service.do(game, ANN, "pass")
    with pytest.raises(Refused, match="Ann has made move 5 since"):
        await redo(service, game, MODERATOR)


async def test_once_an_undone_move_was_made_again_by_hand_that_undone_before_it_comes_back(
    service: TableService,
) -> None:
    game = await service.game()
    for user in (ANN, BOB):
        await service.do(game, user, "pass")
    for seq, to in ((3, 2), (4, 1)):
        await moderator_undo(service.tables, game, MODERATOR, to, seq)
    await service.do(game, ANN, "pass")
    outcome = await redo(service, game, MODERATOR)
    assert outcome.lines == (f"<@{MODERATOR}>, as a moderator, redoes move 3 as 7.",)
    await sound(service, game)


# --- orders ----------------------------------------------------------------------------------------------------------


async def test_an_order_that_had_acted_has_acted_again(service: TableService) -> None:
    """It had ended with what it did; the undo gave it back, the redo ends it with the same words."""
    game = await bidding(service, BOB, "D&R", 30)
    await service.do(game, ANN, "pass")
    before, (ended,) = await service.digest(game), await orders.given_by(service.db, game, BOB)
    assert ended.state == "stopped"
    await moderator_undo(service.tables, game, MODERATOR, 1, 3)
    assert await standing(service, game) == [1]
    await redo(service, game, MODERATOR)
    assert await service.digest(game) == before
    assert await orders.given_by(service.db, game, BOB) == [ended]
    async with service.tables.reading(game) as live:
        assert live.automatic[6] == 1
    assert await orders.automatic_moves(service.db, game) == {3: 1, 6: 1}
    await sound(service, game)


async def test_an_order_that_ended_because_its_owner_took_back_stands_as_it_stood(
    service: TableService,
) -> None:
    game = await bidding(service, BOB, "CV", 300)
    await service.do(game, ANN, "pass")
    assert await standing(service, game) == [1]
    await service.undo(game, BOB)
    (ended,) = await orders.given_by(service.db, game, BOB)
    assert (ended.state, ended.why) == ("stopped", automatic.TAKEN_BACK)
    await redo(service, game, BOB)
    assert await standing(service, game) == [1]
    assert await service.db.rows("SELECT why, ended_seq FROM orders") == [(None, None)]
    assert await orders.automatic_moves(service.db, game) == {3: 1, 5: 1}
    await sound(service, game)


async def test_an_order_that_was_withdrawn_meanwhile_stays_withdrawn(service: TableService) -> None:
    game = await bidding(service, BOB, "CV", 300)
    await service.do(game, ANN, "pass")
    await moderator_undo(service.tables, game, MODERATOR, 1, 3)
    await player_orders.withdraw_order(service.tables, game, BOB, 1)
    await redo(service, game, MODERATOR)
    (withdrawn,) = await orders.given_by(service.db, game, BOB)
    assert withdrawn.state == "withdrawn"


async def test_after_a_redo_nothing_is_done_automatically(service: TableService) -> None:
    """Bob orders between undo and redo, and is then asked on turn: the order waits for the next move.

    Given once more it continues.
    """
    game = await service.game()
    await service.do(game, ANN, "pass")
    await service.undo(game, ANN)
    await player_orders.give_order(
        service.tables, game, BOB, lambda now, _: new_orders.bid_up_to(now, "CV", 300, "pass")
    )
    await redo(service, game, ANN)
    assert await counting(service, game) == [1, 4]
    assert await standing(service, game) == [1]
    await player_orders.give_order(
        service.tables, game, BOB, lambda now, _: new_orders.bid_up_to(now, "CV", 300, "pass")
    )
    assert await counting(service, game) == [1, 4, 5]
    assert await standing(service, game) == [2]


async def test_an_order_given_since_ends_with_the_redone_move_that_ends_it(service: TableService) -> None:
    game = await service.game()
    await service.do(game, ANN, "bid", private="D&R", amount=20)
    await service.undo(game, ANN)
    await player_orders.give_order(
        service.tables, game, BOB, lambda now, _: new_orders.bid_up_to(now, "D&R", 30, "pass")
    )
    await redo(service, game, ANN)
    (ended,) = await orders.given_by(service.db, game, BOB)
    assert (ended.state, ended.why) == ("stopped", "D&R has been sold to Ann.")


async def test_each_order_ends_with_the_row_with_which_it_ends(service: TableService) -> None:
    """So that a later undo to the middle of what came back gives back no order that had ended before."""
    game = await bidding(service, BOB, "D&R", 30)
    await service.do(game, ANN, "pass")
    await service.do(game, CY, "pass")
    await moderator_undo(service.tables, game, MODERATOR, 1, 4)
    await redo(service, game, MODERATOR)
    await service.undo(game, CY)
    assert await counting(service, game) == [1, 6, 7]
    assert await standing(service, game) == []
    await moderator_undo(service.tables, game, MODERATOR, 6, 9)
    assert await standing(service, game) == [1]


# --- what else may happen --------------------------------------------------------------------------------------------


async def test_the_end_of_a_game_comes_back_too(service: TableService) -> None:
    game = await service.game()
    for user in (ANN, BOB, CY):
        await service.do(game, user, "end_game")
    await service.undo(game, CY)
    assert (await games.get_game(service.db, game)).status == "running"
    await redo(service, game, CY)
    assert (await games.get_game(service.db, game)).status == "finished"
    await sound(service, game)


async def test_a_game_that_pauses_puts_nothing_back(service: TableService, undone: int) -> None:
    await begin_pause(service.tables, undone, BOB, None)
    with pytest.raises(Refused, match="pauses"):
        await redo(service, undone, ANN)


async def test_a_player_who_is_replaced_between_leaves_the_redo_to_the_newcomer(
    service: TableService, undone: int
) -> None:
    """The seat took it back; the log still says who made the move."""
    now = service.tables.clock()
    seat = SeatEntry("p1", "holder", DEE, "Dee", 3, None, now)
    await seats.replace_holder(service.db, undone, seat, leaving=ANN, notices=[])
    service.tables.forget(undone)
    with pytest.raises(NotYours, match="Dee took that back"):
        await redo(service, undone, ANN)
    await redo(service, undone, DEE)
    assert (await log.read(service.db, undone))[-1].user_id == ANN


async def test_what_leads_elsewhere_is_refused_and_changes_nothing(
    service: TableService, undone: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with service.tables.reading(undone) as live:
        before = live.game.digest()
        monkeypatch.setattr(type(live.game), "fits", lambda self, digest: False)
    with pytest.raises(Refused, match="cannot be redone"):
        await redo(service, undone, ANN)
    monkeypatch.undo()
    assert await service.digest(undone) == before
    await service.tables.submit(undone, ANN, Typed("pass"))


async def test_an_accept_ends_what_could_be_redone(service: TableService, undone: int) -> None:
    async with service.tables.reading(undone) as live:
        live.waits = "The rules have changed."
    await moderator_accept(service.tables, undone, MODERATOR)
    with pytest.raises(Refused, match="The game continues from move 4 since"):
        await redo(service, undone, ANN)


async def test_what_was_damaged_never_comes_back(service: TableService) -> None:
    """A row that could not be read was removed to repair the game."""
    game = await service.game()
    await service.do(game, ANN, "pass")
    mends = log.Entry("undo", log.undo_payload(1, mends=True), "d", "", MODERATOR)
    await log.commit_move(service.db, game, 2, [mends], now=service.tables.clock())
    with pytest.raises(Refused, match="The game continues from move 3 since"):
        await redo(TableService.on(service.db), game, MODERATOR)


async def test_a_redo_that_is_refused_as_it_is_stored_leaves_the_game_where_it_stood(
    service: TableService, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = await service.game()
    await service.do(game, ANN, "pass")
    await service.undo(game, ANN)
    before = await service.digest(game)

    with service.refusing(monkeypatch), pytest.raises(Refused, match="faster"):
        await redo(service, game, ANN)
    assert await service.digest(game) == before
    await redo(service, game, ANN)
    await sound(service, game)
