"""A table that seals its maxima: nothing is public until everybody has sealed, then the privates are sold at once."""

import asyncio
from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

import pytest

from bot.table.changing_settings import choose_game_setting
from bot.table.errors import Refused
from bot.table.games.loading import replayed
from bot.table.lobby import OPEN_BIDDING
from bot.table.orders import caretakers, player_orders, sealed_auction
from bot.table.outbox.notices import TURN, TurnChange
from bot.table.votes.absent_seats import let_caretaker_play, propose_absence
from bot.table.votes.moderation import moderator_abandon, moderator_undo
from bot.table.votes.proposals import Proposals
from bot.table.votes.seat_proposals import propose_seat
from engine.core.ids import PlayerId
from engine.game import Game
from engine.orders import Order, new_orders
from storage import (
    GAMES,
    Database,
    OutboxMessage,
    SeatEntry,
    log,
    open_database,
    orders,
    outbox,
    pings,
    seats,
)
from tests.bot.support.table_service import ANN, BOB, CY, TableService
from tests.support.own_postgres import Server

DEE = 400
EACH = {
    ANN: {"D&R": 20, "C&OC": 105, "CV": 260},
    BOB: {"C-P": 80, "B&OR": 105, "CV": 300},
    CY: {"C-P": 60, "D&R": 40, "B&S": 100},
}
"""What each would give; the CV goes to Bob, who chooses a par price then."""
SOLD = {"D&R": "p1", "C-P": "p2", "B&S": "p3", "C&OC": "p1", "B&OR": "p2", "CV": "p2"}


def maxima(user: int) -> player_orders.OrderBuilder:
    def make(game: Game, player: PlayerId) -> Order:
        del player
        return new_orders.seal(game, EACH[user])

    return make


async def table(service: TableService) -> int:
    """A started game that seals."""
    game = await service.game()
    await GAMES.put(service.db, game, sealed_auction.SEALED, "on")
    return game


async def seal(service: TableService, game: int, user: int) -> tuple[str, ...]:
    return (await player_orders.give_order(service.tables, game, user, maxima(user))).lines


async def owners(service: TableService, game: int) -> dict[str, str]:
    async with service.tables.reading(game) as live:
        privates = live.game.table.state.privates.values()
        return {private.id: private.owner for private in privates if private.owner is not None}


async def standing(db: Database, game: int) -> list[int]:
    return [one.number for one in await orders.standing(db, game)]


async def test_nothing_happens_until_the_last_has_sealed_and_then_all_is_sold(service: TableService) -> None:
    game = await table(service)
    for user in (CY, ANN):
        await seal(service, game, user)
    assert await owners(service, game) == {}
    assert len(await log.read(service.db, game)) == 1
    lines = await seal(service, game, BOB)
    assert await owners(service, game) == SOLD
    assert len(lines) > 10
    async with service.tables.reading(game) as live:
        assert live.game.actors() == ("p2",)


async def test_the_log_alone_leads_to_the_same_game(service: TableService) -> None:
    game = await table(service)
    for user in EACH:
        await seal(service, game, user)
    assert replayed(log.fold(await log.read(service.db, game))).digest() == await service.digest(game)


async def test_restart_between_seal_and_sale(service: TableService) -> None:
    game = await table(service)
    await seal(service, game, BOB)
    again = TableService.on(service.db)
    await seal(again, game, CY)
    last = TableService.on(service.db)
    await seal(last, game, ANN)
    assert await owners(last, game) == SOLD


async def test_two_players_sealing_at_once_sell_all_just_once(service: TableService) -> None:
    game = await table(service)
    await seal(service, game, ANN)
    await asyncio.gather(seal(service, game, BOB), seal(service, game, CY))
    assert await owners(service, game) == SOLD
    made = await orders.automatic_moves(service.db, game)
    rows = log.fold(await log.read(service.db, game))
    assert [row.seq for row in rows[1:]] == sorted(made)


async def test_a_withdrawn_seal_is_waited_for_again(service: TableService) -> None:
    game = await table(service)
    await seal(service, game, ANN)
    await seal(service, game, BOB)
    await player_orders.withdraw_order(service.tables, game, BOB, 2)
    await seal(service, game, CY)
    assert await owners(service, game) == {}
    await seal(service, game, BOB)
    assert await owners(service, game) == SOLD


async def test_a_seal_withdrawn_from_an_abandoned_game_is_posted_nowhere(service: TableService) -> None:
    game = await table(service)
    await seal(service, game, ANN)
    await moderator_abandon(service.tables, game, CY, 1)
    before = await outbox.of_game(service.db, game)
    await player_orders.withdraw_order(service.tables, game, ANN, 1)
    assert await outbox.of_game(service.db, game) == before


async def test_another_seal_takes_the_place_of_the_first(service: TableService) -> None:
    game = await table(service)
    await seal(service, game, ANN)
    await player_orders.give_order(
        service.tables, game, ANN, lambda now, _: new_orders.seal(now, {"CV": 300})
    )
    assert await standing(service.db, game) == [2]


async def test_a_replaced_player_has_sealed_nothing(service: TableService) -> None:
    """The seal was another person's: it ends, and the new holder of the seat is waited for."""
    game = await table(service)
    await seal(service, game, ANN)
    await seal(service, game, BOB)
    now = service.tables.clock()
    dee = SeatEntry("p2", "holder", DEE, "Dee", 1, None, now)
    await seats.replace_holder(service.db, game, dee, leaving=BOB, notices=[])
    service.tables.forget(game)
    await seal(service, game, CY)
    assert await owners(service, game) == {}
    await player_orders.give_order(service.tables, game, DEE, maxima(BOB))
    assert await owners(service, game) == SOLD


async def test_undo_past_a_sealed_bid_is_for_a_moderator_and_the_sale_waits_for_a_new_seal(
    service: TableService,
) -> None:
    """What others have sealed is known by the sale; their seals stand, and nothing happens before a new one."""
    game = await table(service)
    for user in EACH:
        await seal(service, game, user)
    with pytest.raises(Refused, match="sealed maximum on the privates was revealed by move"):
        await service.undo(game, BOB)
    async with service.tables.reading(game) as live:
        first, last = live.counting[0].seq, live.seq
    await moderator_undo(service.tables, game, CY, first, last)
    assert await owners(service, game) == {}
    await player_orders.give_order(service.tables, game, BOB, higher)
    assert await owners(service, game) == SOLD


@pytest.mark.parametrize("user", [ANN, CY])
async def test_after_an_undo_who_seals_the_same_once_more_lets_the_sale_continue(
    service: TableService, user: int
) -> None:
    """All seals stand, and the table waits: what stands already is worth a new word, in turn or not."""
    game = await table(service)
    for user in EACH:
        await seal(service, game, user)
    async with service.tables.reading(game) as live:
        first, last = live.counting[0].seq, live.seq
    await moderator_undo(service.tables, game, CY, first, last)
    async with service.tables.reading(game) as live:
        assert await sealed_auction.waited_for(service.db, live) == live.game.actors() == ("p1",)
    assert [one.player_id for one in (await pings.of_game(service.db, game))[0]] == ["p1"]
    await seal(service, game, user)
    assert await owners(service, game) == SOLD


async def test_after_an_undo_another_order_does_not_announce_the_sale_once_more(
    service: TableService,
) -> None:
    """All have sealed, but nobody has sealed now."""
    game = await table(service)
    for user in EACH:
        await seal(service, game, user)
    async with service.tables.reading(game) as live:
        last = live.seq
    await moderator_undo(service.tables, game, CY, 1, last)
    await player_orders.give_order(
        service.tables, game, BOB, lambda now, _: new_orders.bid_up_to(now, "D&R", 25, "pass")
    )
    assert (await log.last_seq(service.db, game)) == last + 1, "it is not Bob's turn"
    await player_orders.give_order(
        service.tables, game, ANN, lambda now, _: new_orders.bid_up_to(now, "D&R", 30, "pass")
    )
    assert (await log.last_seq(service.db, game)) > last + 1, "it has acted"
    announced = "All 3 players have sealed their maxima: what follows comes of it."
    assert (await service.lines(game)).count(announced) == 1


async def test_a_seal_that_is_not_the_last_starts_no_sale_and_no_other_order_that_waits(
    service: TableService,
) -> None:
    """Since an undo only the player's own order acts with it, and the thread hears of no sale."""
    game = await table(service)
    await player_orders.give_order(
        service.tables, game, ANN, lambda now, _: new_orders.bid_up_to(now, "D&R", 30, "pass")
    )
    last = await log.last_seq(service.db, game)
    await moderator_undo(service.tables, game, CY, 1, last)
    await seal(service, game, CY)
    assert (await owners(service, game), await standing(service.db, game)) == ({}, [1, 2])
    await seal(service, game, ANN)
    assert (await owners(service, game), await standing(service.db, game)) == ({"D&R": "p1"}, [2, 3])
    *_, number, said = await service.lines(game)
    assert number == "Sealed maxima: 2 of 3 players."
    assert said == "`4` **Ann** wins Delaware and Raritan Canal (D&R) for $20. *(automatic)*"
    assert not any("All 3 players" in line for line in await service.lines(game))


def higher(game: Game, player: PlayerId) -> Order:
    del player
    return new_orders.seal(game, {**EACH[BOB], "CV": 400})


async def test_an_order_fires_while_its_owner_undoes(service: TableService) -> None:
    """Both wait for the game: one comes first, and what is left is a whole game either way."""
    game = await table(service)
    await player_orders.give_order(
        service.tables, game, BOB, lambda now, _: new_orders.bid_up_to(now, "D&R", 30, "pass")
    )
    await service.do(game, ANN, "pass")
    moved, undone = await asyncio.gather(
        service.do(game, CY, "pass"), service.undo(game, BOB), return_exceptions=True
    )
    assert isinstance(moved, BaseException) != isinstance(undone, BaseException)
    assert all(one is None or isinstance(one, Refused) for one in (_problem(moved), _problem(undone)))
    assert replayed(log.fold(await log.read(service.db, game))).digest() == await service.digest(game)


def _problem(found: object) -> BaseException | None:
    return found if isinstance(found, BaseException) else None


async def test_what_a_seal_says_stands_nowhere_for_others_to_read(service: TableService) -> None:
    game = await table(service)
    await player_orders.give_order(
        service.tables, game, BOB, lambda now, _: new_orders.seal(now, {"CV": 317})
    )
    rows = await service.db.read(lambda tx: tx.rows("SELECT payload FROM outbox"))
    assert not any("317" in str(payload) for (payload,) in rows)
    assert any("1 of 3" in str(payload) for (payload,) in rows)


async def test_on_a_server_of_its_own_all_is_sold_just_the_same(postgres: Server) -> None:
    """PostgreSQL, with another process taking over between two seals."""
    async with postgres.fresh() as url:
        async with await open_database(url) as db:
            service = TableService.on(db)
            game = await table(service)
            await seal(service, game, CY)
        async with await open_database(url) as db:
            service = TableService.on(db)
            await seal(service, game, ANN)
            await seal(service, game, BOB)
            assert await owners(service, game) == SOLD
            assert await listed_ends(service, game) == {ANN, BOB, CY}


async def listed_ends(service: TableService, game: int) -> set[int]:
    """Who is to be notified that their seal has ended."""
    return {user for user in EACH if await orders.to_notify(service.db, game, user)}


async def test_once_the_computer_plays_a_seat_the_thread_says_that_bids_are_open(
    service: TableService,
) -> None:
    """Who has sealed would wait for ever, and not know for what."""
    game = await table(service)
    await seal(service, game, ANN)
    assert sealed_auction.OPEN_BIDS in await let_caretaker_play(service.tables, game, DEE, "p3")
    *_, turn = await outbox.of_game(service.db, game)
    assert turn.kind == TURN
    assert sealed_auction.OPEN_BIDS not in await let_caretaker_play(service.tables, game, DEE, "p2")


async def test_once_the_table_plays_a_seat_only_the_player_on_turn_must_act(
    service: TableService, absent_players: None
) -> None:
    """The others have nothing to seal any more."""
    del absent_players
    game, asked = await table(service), Proposals(service.tables)
    await seal(service, game, ANN)
    assert [one.player_id for one in (await pings.of_game(service.db, game))[0]] == ["p2", "p3"]
    seat = await asked.put(game, ANN, lambda live: propose_absence(live, ANN, "p2"))
    await asked.answer(game, seat.number, CY, "yes")
    assert (await service.lines(game))[-1].endswith(f"\n{sealed_auction.OPEN_BIDS}")
    assert [one.player_id for one in (await pings.of_game(service.db, game))[0]] == ["p1"]


async def test_whoever_takes_over_the_seat_of_a_player_who_had_sealed_seals_too(
    service: TableService,
) -> None:
    game, asked = await table(service), Proposals(service.tables)
    await seal(service, game, BOB)
    await let_caretaker_play(service.tables, game, DEE, "p2")
    seat = await asked.put(game, ANN, lambda live: propose_seat(live, ANN, "p2", (DEE, "Dee"), "group"))
    for user in (CY, DEE):
        await asked.answer(game, seat.number, user, "yes")
    assert [one.player_id for one in (await pings.of_game(service.db, game))[0]] == ["p1", "p2", "p3"]


async def test_where_the_computer_plays_a_seat_nobody_waits_for_its_seal(service: TableService) -> None:
    game = await service.lobby(((ANN, "Ann"), (BOB, "Bob")))
    await caretakers.add_caretaker(service.lobbies, game, ANN)
    await GAMES.put(service.db, game, sealed_auction.SEALED, "on")
    assert (await service.lobbies.read(game)).agreed[-1] == f"-# {OPEN_BIDDING}"
    await service.lobbies.start(game, ANN)
    async with service.tables.reading(game) as live:
        assert not await sealed_auction.is_sealing(service.db, live)
        assert acting([await sealed_auction.sealing_notice(service.db, live, "on")]) == [live.game.actors()]


@pytest.mark.parametrize("by_table", [set(), {"p2"}])
async def test_where_the_table_plays_a_seat_bids_are_open(service: TableService, by_table: set[str]) -> None:
    async with service.tables.reading(await table(service)) as live:
        there: Any = SimpleNamespace(by_group=by_table, by_caretaker=set(), game=live.game)
        assert sealed_auction._could_seal(there) == (not by_table)


async def test_at_a_table_that_seals_each_new_player_must_act_at_once(service: TableService) -> None:
    """Elsewhere only the one on turn must."""
    game, found = await service.game(), []
    for value in ("off", "on"):
        await GAMES.put(service.db, game, sealed_auction.SEALED, value)
        async with service.tables.reading(game) as live:
            live.known = None
            found += [await sealed_auction.has_to_act(service.db, live, player) for player in ("p1", "p2")]
    assert found == [True, False, True, True]


def acting(posts: Sequence[OutboxMessage]) -> list[tuple[PlayerId, ...] | None]:
    """For whom the game waits after each of these."""
    return [None if one.notifications is None else one.notifications.acting for one in posts]


async def test_whoever_sits_down_where_nobody_could_seal_is_asked_with_all_others(
    service: TableService,
) -> None:
    """Only where the last seat gets a person, and only where bids were open until then."""
    game = await table(service)
    back = SeatEntry("p2", "holder", BOB, "Bob", 1, None, service.tables.clock())
    async with service.tables.reading(game) as live:
        assert await sealed_auction.seals_again(service.db, live, back) == []
    await let_caretaker_play(service.tables, game, DEE, "p2")
    async with service.tables.reading(game) as live:
        [notice] = await sealed_auction.seals_again(service.db, live, back)
        assert acting([notice]) == [("p1", "p2", "p3")]
        assert notice.notifications is not None
        assert notice.notifications.fresh == ("p2", "p3"), "Ann is asked for a move already"
    await let_caretaker_play(service.tables, game, DEE, "p3")
    async with service.tables.reading(game) as live:
        assert await sealed_auction.seals_again(service.db, live, back) == []


async def test_a_table_that_ends_the_game_before_all_have_sealed_waits_for_nobody(
    service: TableService,
) -> None:
    """Nor does a table wait for seals that a moderator lets seal afterwards."""
    game = await table(service)
    await seal(service, game, ANN)
    for user in EACH:
        await service.do(game, user, "end_game")
    pending = [TurnChange((), None).notice()]
    async with service.tables.reading(game) as live:
        assert live.game.over
        assert await sealed_auction.waited_for(service.db, live) == ()
        assert await sealed_auction.sealed_notices(service.db, live, pending, orders.Changes()) is pending
        [line, *_] = await sealed_auction.seal_count_lines(
            service.db, live, await orders.standing(service.db, game)
        )
        assert acting([line]) == [()]


async def test_where_bids_are_open_nobody_seals(service: TableService) -> None:
    """A form may be sent that was opened before the moderators changed the table."""
    game = await table(service)
    await seal(service, game, ANN)
    await GAMES.put(service.db, game, sealed_auction.SEALED, "off")
    with pytest.raises(Refused, match="does not seal"):
        await seal(service, game, BOB)
    assert await standing(service.db, game) == [1]


async def test_whose_seal_ends_with_a_move_is_waited_for_again(service: TableService) -> None:
    game = await table(service)
    await seal(service, game, BOB)
    pending = [TurnChange(("p1",), None).notice()]
    waiting = []
    async with service.tables.reading(game) as live:
        for changes in (orders.Changes(), orders.Changes(ended=(orders.Ended(1, "It has ended."),))):
            (found,) = await sealed_auction.sealed_notices(service.db, live, pending, changes)
            waiting.append(found.notifications and found.notifications.acting)
    assert waiting == [("p1", "p3"), ("p1", "p2", "p3")]


async def test_a_move_asks_for_the_orders_only_once(
    service: TableService, monkeypatch: pytest.MonkeyPatch
) -> None:
    game, pending = await table(service), [TurnChange(("p1",), None).notice()]
    async with service.tables.reading(game) as live:
        await sealed_auction.waited_for(service.db, live)
        with monkeypatch.context() as away:
            away.setattr(type(service.db), "rows", None)
            (found,) = await sealed_auction.sealed_notices(service.db, live, pending, orders.Changes())
    assert acting([found]) == [("p1", "p2", "p3")]


async def test_whoever_decides_after_the_sale_is_pinged_although_it_was_their_turn_before(
    service: TableService,
) -> None:
    """A player has sealed and gone: the last seal leads on to their par price, not a move of theirs."""
    game = await table(service)
    await player_orders.give_order(
        service.tables, game, ANN, lambda now, _: new_orders.seal(now, {**EACH[ANN], "CV": 400})
    )
    await seal(service, game, BOB)
    await seal(service, game, CY)
    [duty], _ = await pings.of_game(service.db, game)
    assert (duty.player_id, duty.stage) == ("p1", 0)
    assert duty.seq > 1


def test_after_a_move_only_who_has_not_sealed_is_pinged_and_waited_for() -> None:
    found = sealed_auction._only(pings.NotificationChanges(("p1", "p2"), "p3"), ("p2", "p3"))
    assert found == pings.NotificationChanges(("p2",), "p3", ("p2", "p3"))


async def test_another_setting_pings_nobody_who_has_sealed(service: TableService) -> None:
    game = await table(service)
    await seal(service, game, ANN)
    await choose_game_setting(service.tables, service.lobbies, game, DEE, "reminders", "slow", moderator=True)
    last = (await outbox.of_kind(service.db, game, TURN, -1))[-1]
    assert TurnChange.read(last.payload) == TurnChange((), None)
