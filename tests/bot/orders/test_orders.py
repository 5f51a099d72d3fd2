"""Standing orders at the table: they act together with the move that leads to them, and for their owners only."""

from pathlib import Path
from typing import Any

import pytest

from bot.table.errors import NotStored, Refused
from bot.table.games.loading import replayed
from bot.table.imports import TablePlace, add_recorded
from bot.table.live import Known, pending_notifications
from bot.table.move_lines import FEWEST, Made
from bot.table.orders import automatic, player_orders
from bot.table.orders.automatic import AutomaticRun
from bot.table.orders.caretakers import play_caretakers, resume
from bot.table.orders.player_orders import list_orders
from bot.table.outbox.notices import LINE
from bot.table.votes.absent_seats import let_caretaker_play
from bot.table.votes.moderation import moderator_undo
from engine.core.actions import Action, Bid
from engine.core.events import Passed
from engine.core.ids import PlayerId
from engine.game import Game
from engine.orders import Stopped, forced_move, new_orders
from engine.orders.new_orders import presided
from engine.orders.order_kinds import BidUpTo, Order, Standing
from engine.record import load_record, read_record
from storage import DatabaseUnreachable, Entry, OutcomeUnknown, SeatEntry, log, orders, seats
from tests.bot.support.positions import BANKRUPTCY, first_moves, played_to
from tests.bot.support.table_service import ANN, BOB, CY, TableService
from tests.support.unsent import unsent
from tests.titles.builders import Position, new_game

DEE, MODERATOR = 400, 99
GOLDEN = Path(__file__).parents[2] / "golden"


def up_to(private: str, most: int, then: str = "pass") -> player_orders.OrderBuilder:
    """A sealed maximum."""

    def make(game: Game, player: PlayerId) -> Order:
        return new_orders.bid_up_to(game, private, most, then)  # type: ignore[arg-type]

    return make


async def give(
    service: TableService, game: int, user: int, make: player_orders.OrderBuilder
) -> tuple[str, ...]:
    return (await player_orders.give_order(service.tables, game, user, make)).lines


async def standing(service: TableService, game: int) -> list[int]:
    return [one.number for one in await orders.standing(service.db, game)]


async def deeds(service: TableService, game: int) -> list[tuple[str, bool]]:
    """Who made each move that counts, and whether it was automatic."""
    made = await orders.automatic_moves(service.db, game)
    return [(row.actor, row.seq in made) for row in log.fold(await log.read(service.db, game))[1:]]


async def owner(service: TableService, game: int, private: str) -> str | None:
    async with service.tables.reading(game) as live:
        return next(p.owner for p in live.game.table.state.privates.values() if p.id == private)


async def test_an_order_acts_with_the_move_that_leads_to_it(service: TableService) -> None:
    """One press, two rows, one transaction; the second is marked, in the log and for everybody."""
    game = await service.game()
    await give(service, game, BOB, up_to("CV", 300))
    outcome = await service.do(game, ANN, "bid", private="D&R", amount=20)
    assert outcome.seq == 3
    assert await deeds(service, game) == [("p1", False), ("p2", True)]
    lines = [row.payload for row in await unsent(service.db) if row.kind == LINE]
    assert [automatic.MARK in line for line in lines[-2:]] == [False, True]


async def test_an_order_acts_at_once_where_it_is_its_owners_turn(service: TableService) -> None:
    game = await service.game()
    lines = await give(service, game, ANN, up_to("D&R", 30))
    assert len(lines) == 2
    assert await owner(service, game, "D&R") == "p1"
    assert await deeds(service, game) == [("p1", True)]


async def test_a_move_that_was_chosen_with_another_is_stored_with_it_and_ends_the_orders_that_end_with_it(
    service: TableService,
) -> None:
    game = await service.game()
    await give(service, game, CY, up_to("D&R", 30))
    buys = Bid(actor="p1", entity="p1", private="D&R", amount=20)
    async with service.tables.reading(game) as live:
        found = await automatic.run_automatic_moves(service.db, live, (), ANN, "p1", (buys,))
    assert [entry.payload for entry in found.entries] == [buys.model_dump_json()]
    assert found.ended == [orders.Ended(1, "D&R has been sold to Ann.")]


async def test_a_maximum_stands_nowhere_for_others_to_read(service: TableService) -> None:
    """Neither in the log nor in what is posted; and others list only their own orders."""
    game = await service.game()
    await give(service, game, BOB, up_to("CV", 317))
    await service.do(game, ANN, "bid", private="D&R", amount=20)
    rows = [row.payload for row in await log.read(service.db, game)]
    posted = [row.payload for row in await unsent(service.db)]
    assert "317" not in repr([*rows[1:], *posted])
    assert "317" in (await list_orders(service.tables, game, BOB)).text
    assert "317" not in (await list_orders(service.tables, game, ANN)).text


async def test_of_two_equal_maxima_the_earlier_wins_without_anybody_waiting(service: TableService) -> None:
    game = await service.game()
    await service.do(game, ANN, "bid", private="C-P", amount=45)
    await service.do(game, BOB, "bid", private="C-P", amount=50)
    await give(service, game, ANN, up_to("C-P", 80))
    await give(service, game, BOB, up_to("C-P", 80))
    await service.do(game, CY, "bid", private="D&R", amount=20)
    assert await owner(service, game, "C-P") == "p1"
    assert await standing(service, game) == []


async def test_at_a_table_of_people_each_bid_of_an_order_keeps_its_line(service: TableService) -> None:
    """Those of computers, and at their table all, become one line where they are many."""
    game = await service.game()
    before = len(await service.lines(game))
    for user in (BOB, CY, ANN):
        await give(service, game, user, up_to("CV", 225))
    lines = (await service.lines(game))[before:]
    assert len(lines) > FEWEST
    assert [line.split(" ")[0] for line in lines] == [f"`{number}`" for number in range(2, 2 + len(lines))]


async def test_of_very_many_automatic_moves_the_rest_follows_the_next_move(
    service: TableService, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(automatic, "MOST", 2)
    game = await service.game()
    for user in (BOB, CY, ANN):
        await give(service, game, user, up_to("CV", 225))
    assert [row.seq for row in await log.read(service.db, game)] == [1, 2, 3]


async def test_without_orders_the_log_leads_to_the_same_game(service: TableService) -> None:
    game = await service.game()
    await give(service, game, BOB, up_to("CV", 300))
    await give(service, game, CY, up_to("CV", 250))
    await service.do(game, ANN, "bid", private="B&OR", amount=105)
    rows = log.fold(await log.read(service.db, game))
    assert replayed(rows).digest() == await service.digest(game)


async def test_orders_outlive_a_restart(service: TableService) -> None:
    """Neither given again nor dropped, nor is what they did done by hand afterwards."""
    game = await service.game()
    await give(service, game, BOB, up_to("CV", 300))
    await service.do(game, ANN, "bid", private="C-P", amount=45)
    again = TableService.on(service.db)
    await again.do(game, CY, "pass")
    await again.do(game, ANN, "pass")
    assert await deeds(again, game) == [
        ("p1", False),
        ("p2", True),
        ("p3", False),
        ("p1", False),
        ("p2", True),
    ]
    async with again.tables.reading(game) as live:
        assert set(live.automatic) == {3, 6}


async def test_undo_undoes_what_has_followed_automatically(service: TableService) -> None:
    """The order stands again and does it again after the next move; its maximum was sealed, so a moderator undoes."""
    game = await service.game()
    await give(service, game, BOB, up_to("D&R", 30))
    before = await service.digest(game)
    await service.do(game, ANN, "pass")
    assert await owner(service, game, "D&R") == "p2"
    assert await standing(service, game) == []
    await moderator_undo(service.tables, game, MODERATOR, 1, 3)
    assert await service.digest(game) == before
    assert await standing(service, game) == [1]
    await service.do(game, ANN, "pass")
    assert await owner(service, game, "D&R") == "p2"


async def test_who_undoes_what_their_order_did_decides_themselves(service: TableService) -> None:
    """Else it would be done again at once."""
    game = await service.game()
    await give(service, game, BOB, up_to("D&R", 30))
    await service.do(game, ANN, "pass")
    async with service.tables.reading(game) as live:
        changes = await automatic.orders_after_undo(service.db, live, replayed(live.counting[:2]), "p2", 2)
        assert changes == orders.Changes(
            ended=(orders.Ended(1, automatic.TAKEN_BACK, notified=False),), back_to=2
        )
    outcome = await service.undo(game, BOB)
    assert outcome.seq == 4
    assert await owner(service, game, "D&R") is None
    assert await standing(service, game) == []
    assert automatic.TAKEN_BACK in (await list_orders(service.tables, game, BOB)).text
    await service.do(game, BOB, "pass")


async def test_after_an_automatic_move_somebody_elses_move_is_not_undone(service: TableService) -> None:
    game = await service.game()
    await give(service, game, BOB, up_to("CV", 300))
    await service.do(game, ANN, "pass")
    with pytest.raises(Refused, match="Ann"):
        await service.undo(game, CY)


async def test_an_order_ends_when_somebody_else_plays_the_seat(service: TableService) -> None:
    game = await service.game()
    await give(service, game, BOB, up_to("CV", 300))
    now = service.tables.clock()
    await seats.replace_holder(
        service.db, game, SeatEntry("p2", "holder", DEE, "Dee", 1, None, now), leaving=BOB, notices=[]
    )
    service.tables.forget(game)
    await service.do(game, ANN, "pass")
    assert await deeds(service, game) == [("p1", False)]
    assert await standing(service, game) == []
    (ended,) = await orders.given_by(service.db, game, BOB)
    assert ended.why == automatic.CHANGED_HANDS


async def test_an_order_ends_when_a_caretaker_plays_the_seat(service: TableService) -> None:
    """A player who is back gives it anew."""
    game = await service.game()
    await give(service, game, BOB, up_to("CV", 300))
    await let_caretaker_play(service.tables, game, MODERATOR, "p2")
    await service.do(game, ANN, "pass")
    assert await standing(service, game) == []
    (ended,) = await orders.given_by(service.db, game, BOB)
    assert ended.why == automatic.CHANGED_HANDS


async def test_an_order_is_withdrawn_by_its_owner_alone(service: TableService) -> None:
    game = await service.game()
    await give(service, game, BOB, up_to("CV", 300))
    with pytest.raises(Refused, match="no order 1"):
        await player_orders.withdraw_order(service.tables, game, CY, 1)
    await player_orders.withdraw_order(service.tables, game, BOB, 1)
    await service.do(game, ANN, "pass")
    assert await deeds(service, game) == [("p1", False)]


async def test_an_order_that_can_do_nothing_more_is_refused(service: TableService) -> None:
    game = await service.game()
    await service.do(game, ANN, "bid", private="D&R", amount=20)
    with pytest.raises(Refused, match="has been sold to Ann"):
        await give(service, game, BOB, up_to("D&R", 30))
    assert await orders.given_by(service.db, game, BOB) == []


async def test_an_order_about_something_else_stands_while_its_owner_may_run(service: TableService) -> None:
    """A worker has looked what it does there: nothing."""
    place = TablePlace(1, 2, ((ANN, "Ann"), (BOB, "Bob"), (CY, "Cy")))
    game = await add_recorded(service.tables, played_to("run_routes"), place)
    async with service.tables.reading(game) as live:
        (actor,) = live.game.actors()
        (company, *_), user = presided(live.game, actor), live.user_of(actor)
    others = (await list_orders(service.tables, game, user)).skips[1:]
    await give(service, game, user, lambda now, _: new_orders.skip_step(now, company, "track", "withdrawn"))
    assert await standing(service, game) == [1]
    assert (await list_orders(service.tables, game, user)).skips == others, (
        "what is ordered is offered no more"
    )


async def test_an_order_that_is_not_readable_stops_no_game(service: TableService) -> None:
    """One that another version has stored."""
    game = await service.game()
    await orders.give(service.db, game, orders.Order(1, "p2", BOB, '{"kind": "nothing"}', 0, "2026-01-01"))
    await service.do(game, ANN, "pass")
    assert await standing(service, game) == []
    assert [one.number for one in await orders.to_notify(service.db, game, BOB)] == [1]
    assert automatic.UNREADABLE in (await list_orders(service.tables, game, BOB)).text


async def _before_a_forced_move(service: TableService) -> tuple[int, Action, Action]:
    """A table one move before nothing is left to choose: the move that leads there, and the one that is forced."""
    text = BANKRUPTCY.read_text("utf-8")
    written = read_record(text)
    game = load_record(text, 0).play()
    for number, action in enumerate(written.actions):
        if forced_move(game) is not None and written.actions[number - 1].actor != action.actor:
            place = TablePlace(1, 2, ((ANN, "Ann"), (BOB, "Bob"), (CY, "Cy")))
            table = await add_recorded(service.tables, load_record(text, number - 1), place)
            return table, written.actions[number - 1], action
        game.apply(action)
    raise AssertionError("no move is forced")


async def test_a_move_that_leaves_nothing_to_choose_is_made_automatically(service: TableService) -> None:
    """And the player who made the move before undoes both."""
    game, leads, forced = await _before_a_forced_move(service)
    async with service.tables.reading(game) as live:
        before, user = live.game.digest(), live.user_of(leads.actor)
    outcome = await service.do(game, user, leads.kind, **leads.chosen())
    assert [line.endswith(automatic.MARK) for line in outcome.lines].count(True) == 1
    assert not outcome.lines[0].endswith(automatic.MARK)
    async with service.tables.reading(game) as live:
        last = live.counting[-1]
        assert (last.payload, last.user_id) == (forced.model_dump_json(), None)
        assert live.automatic == {last.seq: None}
    await service.undo(game, user)
    assert await service.digest(game) == before


async def test_an_order_given_while_others_act_waits_for_its_owners_turn(service: TableService) -> None:
    """To pass the stock round is ordered in the auction already."""
    game = await service.game()
    posted = await service.lines(game)
    await give(service, game, CY, lambda now, _: new_orders.pass_stock(now, "over"))
    assert await service.lines(game) == posted, "nobody else knows of it"
    await service.do(game, ANN, "pass")
    await service.do(game, BOB, "pass")
    assert await deeds(service, game) == [("p1", False), ("p2", False)]
    assert await standing(service, game) == [1]


async def test_who_is_to_be_asked_is_asked_although_another_order_of_theirs_would_pass(
    service: TableService,
) -> None:
    """Nor does it pass as somebody else gives an order meanwhile."""
    game = await service.game()
    await give(service, game, BOB, up_to("CV", 100))
    await give(service, game, BOB, up_to("B&OR", 100, "ask"))
    await service.do(game, ANN, "pass")
    await give(service, game, CY, up_to("CV", 300))
    assert await deeds(service, game) == [("p1", False)]
    assert await standing(service, game) == [1, 3]


async def test_what_waits_since_an_undo_waits_for_a_move_and_not_for_an_order_of_somebody_else(
    service: TableService,
) -> None:
    game = await service.game()
    await give(service, game, BOB, up_to("D&R", 30))
    await service.do(game, ANN, "pass")
    await moderator_undo(service.tables, game, MODERATOR, 2, 3)
    assert not await play_caretakers(service.tables, game)
    assert not await resume(service.tables, game), "nobody here is a caretaker"
    await give(service, game, CY, up_to("CV", 300))
    assert await owner(service, game, "D&R") is None
    await give(service, game, BOB, up_to("D&R", 25))
    assert await owner(service, game, "D&R") == "p2"


async def test_an_undo_gives_no_order_back_that_a_later_one_has_taken_the_place_of(
    service: TableService,
) -> None:
    """Else both would stand, and the earlier one would act."""
    game = await service.game()
    await give(service, game, BOB, up_to("CV", 210, "ask"))
    await service.do(game, ANN, "bid", private="CV", amount=215)
    await give(service, game, BOB, up_to("CV", 300))
    assert await standing(service, game) == [2]
    await moderator_undo(service.tables, game, MODERATOR, 1, 3)
    assert await standing(service, game) == [2]
    assert await orders.to_notify(service.db, game, BOB) == [], "Bob knows: Bob gave the later one"
    assert automatic.OUTDATED in (await list_orders(service.tables, game, BOB)).text


async def test_who_wants_to_be_done_after_a_move_is_done_with_it(service: TableService) -> None:
    """In a stock round: else a share could still be bought after the sale."""
    place = TablePlace(1, 2, ((ANN, "Ann"), (BOB, "Bob"), (CY, "Cy")))
    game = await add_recorded(service.tables, played_to("sell_shares"), place)
    await give(service, game, CY, new_orders.done_after)
    lines = (await service.do(game, CY, "sell_shares", company="PRR", shares=1)).lines
    assert lines[-1] == "**Cy** is done. *(automatic)*"


async def test_a_vote_of_somebody_else_is_not_the_move_after_which_one_is_done(service: TableService) -> None:
    """Nor does anything outside the step: only a move of one's own in it."""
    game = await service.game()
    await give(service, game, ANN, new_orders.done_after)
    await service.do(game, BOB, "end_game")
    assert await deeds(service, game) == [("p2", False)]
    await service.do(game, ANN, "end_game")
    assert await deeds(service, game) == [("p2", False), ("p1", False)]
    assert await standing(service, game) == [1]


async def test_an_order_that_is_stored_although_the_connection_was_lost_is_given(
    service: TableService, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What the database has is what counts: it is looked up there."""
    game, stored = await service.game(), orders.give

    async def lost(*about: Any, **more: Any) -> None:
        await stored(*about, **more)
        raise OutcomeUnknown("postgresql://host/games")

    async def unreachable(*_: Any, **__: Any) -> None:
        raise DatabaseUnreachable("gone")

    with monkeypatch.context() as patch:
        patch.setattr(orders, "give", lost)
        (text,) = await give(service, game, BOB, up_to("CV", 300))
        patch.setattr(orders, "give", unreachable)
        with pytest.raises(NotStored):
            await give(service, game, CY, up_to("CV", 250))
    assert text.startswith("Order 1: Bid on CV up to $300")
    assert await standing(service, game) == [1]


async def test_the_best_run_is_offered_for_each_own_company_without_an_order_for_it(
    service: TableService,
) -> None:
    text = (GOLDEN / "18chesapeake-bank-4p.json").read_text("utf-8")
    people = ((ANN, "Ann"), (BOB, "Bob"), (CY, "Cy"), (DEE, "Dee"))
    game = await add_recorded(service.tables, first_moves(text, 100), TablePlace(1, 2, people))
    async with service.tables.reading(game) as live:
        user, own = next(
            (user, own)
            for number, (user, _) in enumerate(people, 1)
            if (own := presided(live.game, f"p{number}"))
        )
    assert (await list_orders(service.tables, game, user)).runs == own
    await give(service, game, user, lambda now, _: new_orders.run_best(now, own[0], "pay"))
    assert (await list_orders(service.tables, game, user)).runs == own[1:]


async def test_the_list_says_each_order_in_a_sentence_with_its_number(service: TableService) -> None:
    """Until when it stands, or why it has ended; one that cannot be read, too."""
    game = await service.game()
    assert (await list_orders(service.tables, game, BOB)).text == f"You have given no orders in game {game}."
    await give(service, game, BOB, up_to("D&R", 30))
    await give(service, game, BOB, lambda now, _: new_orders.pass_stock(now, "over"))
    shown = await list_orders(service.tables, game, BOB)
    assert shown.text.splitlines() == [
        "**Standing**",
        "`1` Bid on D&R up to $30, then pass; until D&R is sold, all have passed, or the round is over.",
        "`2` Pass in stock round 1; until the round is over, whatever happens.",
    ]
    await service.do(game, ANN, "bid", private="D&R", amount=20)
    await player_orders.withdraw_order(service.tables, game, BOB, 2)
    await orders.give(service.db, game, orders.Order(3, "p2", BOB, '{"kind": "nothing"}', 0, "2026-01-01"))
    shown = await list_orders(service.tables, game, BOB)
    assert shown.text.splitlines() == [
        "**Standing**",
        "`3` What is stored is no order.",
        "**Ended**",
        "`1` Bid on D&R up to $30, then pass. D&R has been sold to Ann.",
    ]
    assert (shown.standing, shown.ended) == ((3,), (1,))


async def test_an_order_of_a_former_player_ends_once_and_they_know_it_not(service: TableService) -> None:
    game = await service.game()
    await give(service, game, BOB, up_to("CV", 300))
    await let_caretaker_play(service.tables, game, MODERATOR, "p2")
    async with service.tables.reading(game) as live:
        following = automatic.AutomaticMoves(live, await orders.standing(service.db, game))
    assert following.standing == ()
    assert following.result.ended == [orders.Ended(1, automatic.CHANGED_HANDS, notified=False)]


def test_only_who_may_run_trains_needs_a_search_for_routes() -> None:
    """Every other automatic move is found without a worker."""
    run = Position().start("LV", 95, a=60).trains("LV", "2").tile("J2", "57", 1).operating("LV", "run").game()
    assert (automatic.may_search_routes(run, "a"), automatic.may_search_routes(run, "b")) == (True, False)
    assert not automatic.may_search_routes(new_game(), "a")


def test_a_worker_finds_the_move_of_an_order_or_why_it_ends() -> None:
    game = new_game()
    found = automatic.ordered_move(
        game, "a", [Standing(7, "a", new_orders.bid_up_to(game, "D&R", 30, "pass"), 0)]
    )
    assert isinstance(found, automatic.FoundMove)
    assert (found.action.kind, found.action.chosen(), found.order) == (
        "bid",
        {"private": "D&R", "amount": 20},
        7,
    )
    assert (found.move(game).walk.action(), found.move(game).order) == (found.action, 7)
    ended = automatic.ordered_move(
        game, "a", [Standing(8, "a", BidUpTo(private="D&R", most=5, then="ask"), 0)]
    )
    assert isinstance(ended, Stopped)
    assert ended.order == 8
    assert automatic.ordered_move(game, "a", []) is None


async def test_what_ends_with_a_move_ends_once_and_with_its_reason(service: TableService) -> None:
    """Because of what has happened, because its owner must be asked now, or because nobody can read it."""
    game = await service.game()
    await give(service, game, CY, up_to("D&R", 30))
    await give(service, game, BOB, up_to("CV", 215, "ask"))
    first, second = await orders.standing(service.db, game)
    await service.do(game, ANN, "bid", private="D&R", amount=20)
    await service.do(game, CY, "bid", private="CV", amount=230)
    await service.do(game, ANN, "pass")
    odd = orders.Order(3, "p2", BOB, '{"kind": "nothing"}', 0, "2026-01-01")
    async with service.tables.reading(game) as live:
        following = automatic.AutomaticMoves(live, [odd, first, second])
        await following.retrace(())
    assert following.standing == ()
    assert following.result.ended == [
        orders.Ended(3, automatic.UNREADABLE, notified=False),
        orders.Ended(1, "D&R has been sold to Ann.", notified=False),
        orders.Ended(2, "CV cannot be had for $215.", notified=False),
    ]


@pytest.mark.parametrize("read_before", [True, False])
async def test_who_is_waited_for_is_read_once_while_a_game_is_held(
    service: TableService, read_before: bool
) -> None:
    """Where settings and orders came with the game, notifications are read when they are asked for."""
    game = await service.game()
    async with service.tables.reading(game) as live:
        if not read_before:
            live.known = Known({}, [])
        found, pinged = await pending_notifications(service.db, live)
        assert ([one.player_id for one in found], pinged) == (["p1"], [])
        await service.db.write(lambda tx: tx.run("DELETE FROM notifications"))
        again, _ = await pending_notifications(service.db, live)
        assert again == (found if read_before else [])
        live.known = None
        assert await pending_notifications(service.db, live) == ([], [])


def test_what_follows_a_move_is_listed_row_by_row() -> None:
    """With what happened once, and the order that made each row."""
    found = AutomaticRun()
    for number, order in ((1, 7), (2, None)):
        row = Entry("action", f"{number}", "", "p1", ANN)
        found.add(Made(row, (Passed("p1"),), (f"line {number}",)), order)
    assert [row.payload for row in found.entries] == ["1", "2"]
    assert (found.lines, found.events) == ([("line 1",), ("line 2",)], [Passed("p1")] * 2)
    found.ended.append(orders.Ended(7, "Why.", False))
    assert found.changes(5, (), (3,)) == orders.Changes(
        (), (3,), (orders.Ended(7, "Why.", False),), ((5, 7), (6, None))
    )
