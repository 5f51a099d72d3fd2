"""Undoing one's own: freely until another person has acted, and never past what was secret."""

import asyncio
from dataclasses import replace

import pytest

from bot.table.errors import MovedOn, Refused
from bot.table.games.loading import replayed
from bot.table.imports import TablePlace, add_recorded
from bot.table.moves.moves import Typed
from bot.table.orders import automatic, player_orders
from bot.table.outbox import notices
from bot.table.outbox.notices import Line, TurnChange
from bot.table.tables import Outcome
from bot.table.undo import SECRET_ORDERS, loss_of, revealed_secrets, undo
from bot.table.votes.acting_as import moderator_move
from bot.table.votes.moderation import moderator_end, moderator_undo
from bot.table.votes.pauses import begin_pause
from engine.core.actions import EndGame
from engine.core.ids import PlayerId
from engine.game import Game
from engine.orders import new_orders
from engine.orders.order_kinds import Order
from engine.titles import TITLES
from storage import OutboxMessage, games, log, orders
from tests.bot.support.positions import played_to
from tests.bot.support.table_service import ANN, BOB, CY, TableService
from tests.support.players.random_play import RandomPlayer

MODERATOR = 99
PEOPLE = ((ANN, "Ann"), (BOB, "Bob"), (CY, "Cy"))


def up_to(private: str, most: int) -> player_orders.OrderBuilder:
    """A sealed maximum."""

    def make(game: Game, player: PlayerId) -> Order:
        return new_orders.bid_up_to(game, private, most, "pass")

    return make


async def give(
    service: TableService, game: int, user: int, make: player_orders.OrderBuilder
) -> tuple[str, ...]:
    return (await player_orders.give_order(service.tables, game, user, make)).lines


async def counting(service: TableService, game: int) -> list[int]:
    return [row.seq for row in log.fold(await log.read(service.db, game))]


async def stock_round(service: TableService) -> int:
    """A table at which somebody may buy a share."""
    return await add_recorded(service.tables, played_to("buy_share"), TablePlace(1, 2, PEOPLE))


async def acting(service: TableService, game: int) -> int:
    """Whose turn it is."""
    async with service.tables.reading(game) as live:
        return live.user_of(live.game.actors()[0])


# --- one's own -------------------------------------------------------------------------------------------------------


async def test_own_moves_go_one_after_the_other_until_another_persons_is_reached(
    service: TableService,
) -> None:
    game = await stock_round(service)
    before = await service.digest(game)
    first = await acting(service, game)
    start = (await counting(service, game))[-1]
    await service.do(game, first, "buy_share", company="SRR", source="offering")
    own = 1
    while await acting(service, game) == first:
        await service.do(game, first, "pass")
        own += 1
    second = await acting(service, game)
    await service.do(game, second, "pass")
    with pytest.raises(Refused, match="until somebody else acts"):
        await service.undo(game, first)
    await service.undo(game, second)
    for _ in range(own):
        await service.undo(game, first)
    assert await service.digest(game) == before
    assert (await counting(service, game))[-1] == start


async def test_own_moves_go_at_once_back_to_one_that_is_named(service: TableService) -> None:
    """What the undo names is what goes; the line says from where to where."""
    game = await service.game()
    await service.do(game, ANN, "pass")
    await give(service, game, BOB, lambda now, _: new_orders.pass_stock(now, "over"))
    with pytest.raises(MovedOn):
        await undo(service.tables, game, ANN, 1, 1)
    woken = service.woken()
    outcome = await undo(service.tables, game, ANN, 2, 1)
    assert outcome == Outcome(3, ("**Ann** undoes move 2.",))
    assert woken == [game]
    assert await counting(service, game) == [1]


async def test_an_undo_is_posted_at_once_with_its_board_and_the_turn(service: TableService) -> None:
    game = await service.game()
    await service.do(game, ANN, "pass")
    woken = service.woken()
    assert await service.undo(game, ANN) == Outcome(3, ("**Ann** undoes move 2.",))
    assert woken == [game]
    asked = "SELECT kind, payload FROM outbox WHERE seq = 3 ORDER BY id"
    assert [OutboxMessage(str(kind), str(payload)) for kind, payload in await service.db.rows(asked)] == [
        Line("`3` **Ann** undoes move 2.", back=1).notice(),
        notices.board(),
        replace(TurnChange((), "p1", passes=True).notice(), notifications=None),
    ]


async def test_while_a_game_pauses_nobody_undoes_a_move(service: TableService) -> None:
    game = await service.game()
    await service.do(game, ANN, "pass")
    await begin_pause(service.tables, game, BOB, None)
    for undoing in (service.undo(game, ANN), undo(service.tables, game, ANN, to=1)):
        with pytest.raises(Refused, match="pauses"):
            await undoing
    assert await counting(service, game) == [1, 2]


@pytest.mark.parametrize("nobody", [None, orders.TIME_UP])
async def test_what_nobody_has_decided_for_another_is_not_ones_own(
    service: TableService, nobody: int | None
) -> None:
    """Nobody would be asked: neither the caretaker who moved there, nor the player who ran out of time."""
    game = await service.game()
    await service.do(game, ANN, "pass")
    async with service.tables.reading(game) as live:
        live.automatic[2] = nobody
    with pytest.raises(Refused, match=r"None of it is yours.*/mod undo"):
        await undo(service.tables, game, CY, to=1)
    await undo(service.tables, game, ANN, to=1)
    assert await counting(service, game) == [1]


async def test_what_others_have_done_is_not_undone_without_them(service: TableService) -> None:
    game = await service.game()
    await service.do(game, ANN, "pass")
    await service.do(game, BOB, "pass")
    for to, why in ((1, "are not yours alone: others must agree"), (2, "^Move 3 is not yours alone")):
        with pytest.raises(Refused, match=why):
            await undo(service.tables, game, ANN, to=to)
    async with service.tables.reading(game) as live:
        assert (await loss_of(service.tables, live, 1, "p1")).others == ("p2",)


async def test_who_cannot_undo_reads_whose_move_was_the_last_one_by_hand(service: TableService) -> None:
    """What somebody else's order has done since is not named."""
    game = await service.game()
    for user in (ANN, BOB, CY):
        await service.do(game, user, "pass")
    async with service.tables.reading(game) as live:
        live.automatic[4] = 1
    with pytest.raises(Refused, match=r"^The last move, number 3, is Bob's; "):
        await service.undo(game, ANN)


@pytest.mark.parametrize(("forced", "own"), [(False, True), (True, False)])
async def test_only_a_move_that_was_decided_takes_what_orders_did_after_it_along(
    service: TableService, forced: bool, own: bool
) -> None:
    """A player who had nothing to choose led to nothing: the owner of the order is asked."""
    game = await service.game()
    await service.do(game, ANN, "pass")
    await service.do(game, BOB, "pass")
    async with service.tables.reading(game) as live:
        live.automatic |= {3: 1} | ({2: None} if forced else {})
        found = await loss_of(service.tables, live, 1, "p1")
    assert (found.others, found.own) == (("p2",), own)


async def test_what_an_order_that_keeps_no_secret_has_done_goes_with_the_move_before_it(
    service: TableService,
) -> None:
    game = await stock_round(service)
    first = await acting(service, game)
    await service.do(game, first, "pass")
    second = await acting(service, game)
    await service.undo(game, first)
    before = await service.digest(game)
    await give(service, game, second, lambda now, _: new_orders.pass_stock(now, "over"))
    await service.do(game, first, "pass")
    async with service.tables.reading(game) as live:
        last = live.counting[-1]
        assert (live.user_of(last.actor), live.automatic.get(last.seq)) == (second, 1)
    await service.undo(game, first)
    assert await service.digest(game) == before
    assert [one.number for one in await orders.standing(service.db, game)] == [1]


async def test_what_an_order_has_bought_is_not_undone_without_its_owner(service: TableService) -> None:
    """Else the player who acts before would see the purchase, and be faster."""
    game = await stock_round(service)
    first = await acting(service, game)
    before = (await counting(service, game))[-1]
    await service.do(game, first, "pass")
    second = await acting(service, game)
    await service.undo(game, first)
    await give(service, game, second, lambda now, _: new_orders.buy_shares(now, "SRR", "offering", None))
    await service.do(game, first, "pass")
    with pytest.raises(Refused, match=rf"others must agree. `/undo to:{before}` asks them"):
        await service.undo(game, first)
    async with service.tables.reading(game) as live:
        asked = (await loss_of(service.tables, live, before, live.player_of(first))).others
        assert [live.user_of(player) for player in asked] == [second]


async def test_what_a_caretaker_has_bought_is_no_secret_that_others_must_agree_about(
    service: TableService,
) -> None:
    """Nor does a pass by order ask anybody where it follows the player's own move."""
    game = await stock_round(service)
    before = (await counting(service, game))[-1]
    first = await acting(service, game)
    await service.do(game, first, "pass")
    await service.do(game, await acting(service, game), "buy_share", company="SRR", source="offering")
    await service.do(game, await acting(service, game), "pass")
    async with service.tables.reading(game) as live:
        live.automatic |= {before + 2: None, before + 3: 1}
        found = await loss_of(service.tables, live, before, live.player_of(first))
        assert found.others == (live.counting[-1].actor,)
    assert found.own


async def _two_of_whom_one_has_ordered(service: TableService) -> tuple[int, int]:
    """Ann acts; Bob has passed, with an order to bid when the turn comes. The game, and what Bob has seen."""
    game = await service.lobby(PEOPLE[:2])
    await service.lobbies.arrange(game, ANN, (ANN, BOB))
    await service.lobbies.start(game, ANN)
    await service.do(game, ANN, "pass")
    await service.do(game, BOB, "pass")
    await give(service, game, BOB, up_to("CV", 300))
    return game, (await counting(service, game))[-1]


async def test_an_order_that_fires_while_its_owner_undoes_comes_first(service: TableService) -> None:
    """Ann's move, which Bob's order answers, is stored while Bob clicks Undo: refused, and nothing is half done."""
    game, seen = await _two_of_whom_one_has_ordered(service)
    made, undone = await asyncio.gather(
        service.do(game, ANN, "pass"), service.undo(game, BOB, seen), return_exceptions=True
    )
    assert isinstance(undone, MovedOn)
    assert not isinstance(made, BaseException)
    assert await counting(service, game) == [1, 2, 3, 4, 5]
    assert await service.digest(game) == await TableService.on(service.db).digest(game)


async def test_an_undo_that_comes_before_the_move_leaves_nothing_for_the_order_to_answer(
    service: TableService,
) -> None:
    game, seen = await _two_of_whom_one_has_ordered(service)
    undone, made = await asyncio.gather(
        service.undo(game, BOB, seen), service.do(game, ANN, "pass", seen), return_exceptions=True
    )
    assert isinstance(made, MovedOn)
    assert not isinstance(undone, BaseException)
    assert await counting(service, game) == [1, 2]
    assert [one.number for one in await orders.standing(service.db, game)] == []


# --- what was secret -------------------------------------------------------------------------------------------------


async def test_undo_past_a_sealed_bid_is_refused_by_its_name(service: TableService) -> None:
    """Else Ann would bid, see whether Bob's maximum answers, undo that, and bid more, until she knows it."""
    game = await service.game()
    await give(service, game, BOB, up_to("D&R", 30))
    await service.do(game, ANN, "pass")
    with pytest.raises(
        Refused, match="Bob's sealed maximum on D&R was revealed by move 3, as far as it acted"
    ):
        await service.undo(game, ANN)
    assert await counting(service, game) == [1, 2, 3]


async def test_who_has_sealed_it_undoes_what_it_did(service: TableService) -> None:
    """Bob learns nothing by it."""
    game = await service.game()
    await give(service, game, BOB, up_to("D&R", 30))
    await service.do(game, ANN, "pass")
    await service.undo(game, BOB)
    assert await counting(service, game) == [1, 2]


async def test_a_maximum_that_has_not_acted_is_no_limit(service: TableService) -> None:
    game = await service.game()
    await give(service, game, CY, up_to("D&R", 30))
    await service.do(game, ANN, "pass")
    await service.undo(game, ANN)
    assert await counting(service, game) == [1]


async def test_a_maximum_that_was_not_enough_stands_no_more_when_the_bid_is_undone(
    service: TableService,
) -> None:
    """Else Ann would bid too much, undo that, and bid less, until Bob's maximum answers."""
    game = await service.game()
    await give(service, game, BOB, lambda now, _: new_orders.bid_up_to(now, "CV", 215, "ask"))
    await service.do(game, ANN, "bid", private="CV", amount=260)
    async with service.tables.reading(game) as live:
        back = replayed(live.counting[:1])
        changes = await automatic.orders_after_undo(service.db, live, back, "p1", 1)
        assert changes == orders.Changes(
            ended=(orders.Ended(1, automatic.NOT_ENOUGH, notified=False),), back_to=1
        )
    await service.undo(game, ANN)
    assert await orders.standing(service.db, game) == []
    await service.do(game, ANN, "bid", private="CV", amount=205)
    assert await counting(service, game) == [1, 4]


async def test_a_moderator_gives_back_a_maximum_that_was_not_enough(service: TableService) -> None:
    game = await service.game()
    await give(service, game, BOB, lambda now, _: new_orders.bid_up_to(now, "CV", 215, "ask"))
    await service.do(game, ANN, "bid", private="CV", amount=260)
    await moderator_undo(service.tables, game, MODERATOR, 1, 2)
    assert [one.number for one in await orders.standing(service.db, game)] == [1]


async def test_an_order_given_since_takes_the_place_of_one_that_an_undo_would_give_back(
    service: TableService,
) -> None:
    game = await service.game()
    await give(service, game, BOB, lambda now, _: new_orders.bid_up_to(now, "CV", 215, "ask"))
    await service.do(game, ANN, "bid", private="CV", amount=260)
    await service.do(game, BOB, "pass")
    await give(service, game, BOB, lambda now, _: new_orders.bid_up_to(now, "CV", 300, "ask"))
    async with service.tables.reading(game) as live:
        changes = await automatic.orders_after_undo(service.db, live, replayed(live.counting[:1]), None, 1)
        assert changes == orders.Changes(
            ended=(orders.Ended(1, automatic.OUTDATED, notified=True),), back_to=1
        )
    await moderator_undo(service.tables, game, MODERATOR, 1, 3)
    assert [one.number for one in await orders.standing(service.db, game)] == [2]


async def test_a_moderator_goes_past_a_sealed_bid(service: TableService) -> None:
    game = await service.game()
    await give(service, game, BOB, up_to("D&R", 30))
    await service.do(game, ANN, "pass")
    async with service.tables.reading(game) as live:
        assert len((await loss_of(service.tables, live, 1)).shown) == 1
    await moderator_undo(service.tables, game, MODERATOR, 1, 3)
    assert await counting(service, game) == [1]
    assert [one.number for one in await orders.standing(service.db, game)] == [1]


async def _played(service: TableService, game: int, title: str) -> None:
    """A lobby of this title."""
    await service.db.write(lambda tx: tx.run("UPDATE games SET title = ? WHERE id = ?", title, game))


async def test_the_end_of_a_game_with_secret_money_is_a_limit(service: TableService) -> None:
    """It shows what everybody has; in other games that was never hidden."""
    kinds = {TITLES[name].spec.secret_cash: name for name in reversed(TITLES)}
    for limited, title in kinds.items():
        game = await service.lobby()
        await _played(service, game, title)
        await service.lobbies.start(game, ANN)
        for user in (ANN, BOB, CY):
            async with service.tables.reading(game) as live:
                assert await revealed_secrets(service.db, live, live.counting[-1:], "p3") == []
            await service.do(game, user, "end_game")
        shown = ["The end of the game, with move 4, has shown everybody's money."] if limited else []
        async with service.tables.reading(game) as live:
            assert live.game.over
            assert await revealed_secrets(service.db, live, live.counting[-1:], "p3") == shown


@pytest.mark.parametrize("title", TITLES)
def test_chance_is_drawn_before_the_first_move_and_never_after(title: str) -> None:
    """So nothing that is drawn can be seen and undone; a title that draws later needs a limit."""
    game, player = Game(title, [("p1", "Ann"), ("p2", "Bob"), ("p3", "Cy")], 3), RandomPlayer(3)
    drawn = game.table.state.draws
    for _ in range(150):
        if not game.over:
            game.apply(player.choose(game))
    assert game.table.state.draws == drawn


def test_every_kind_of_order_that_keeps_a_number_from_others_is_sealed() -> None:
    """Of the others the values are public, or no bid can answer them."""
    with_amounts = {kind for kind in Order.__args__ if {"most", "maxima"} & kind.model_fields.keys()}
    assert {kind.model_fields["kind"].default for kind in with_amounts} == SECRET_ORDERS


# --- at the end ------------------------------------------------------------------------------------------------------


async def test_who_made_the_last_move_of_a_game_takes_it_back_and_it_continues(service: TableService) -> None:
    game = await service.game()
    for user in (ANN, BOB, CY):
        await service.do(game, user, "end_game")
    assert (await games.get_game(service.db, game)).status == "finished"
    with pytest.raises(Refused, match=r"Cy's.*only a moderator goes back further"):
        await service.undo(game, ANN)
    await service.undo(game, CY)
    assert (await games.get_game(service.db, game)).status == "running"
    rows = await log.read(service.db, game)
    assert rows[-2].payload == EndGame(actor="p3", entity="p3").model_dump_json()
    asked = f"SELECT kind FROM outbox WHERE seq = {rows[-1].seq} ORDER BY id"
    posted = [str(kind) for (kind,) in await service.db.rows(asked)]
    assert posted == [notices.LINE, notices.BOARD, notices.TURN, notices.END], "its thread stays open"
    assert (await service.lines(game))[-1] == (
        f"`{rows[-1].seq}` **Cy** undoes move {rows[-2].seq}. "
        "The game continues: the score above is no longer the end."
    )
    await service.do(game, ANN, "pass")


async def test_what_a_moderator_has_ended_no_player_takes_up_again(service: TableService) -> None:
    """It was in the name of each of them, and nobody's own move; nor is it where one of them had agreed before."""
    game = await service.game()
    await service.do(game, ANN, "end_game")
    await moderator_end(service.tables, game, MODERATOR, 2)
    for user in (BOB, CY):
        with pytest.raises(Refused, match="A moderator has ended this game"):
            await undo(service.tables, game, user, to=2)
    with pytest.raises(Refused, match="A moderator has ended this game"):
        await service.undo(game, CY)
    await moderator_undo(service.tables, game, MODERATOR, 2, 4)
    await service.do(game, ANN, "pass")


async def test_a_word_that_a_moderator_has_given_for_a_player_is_undone_while_the_game_continues(
    service: TableService,
) -> None:
    game = await service.game()
    await moderator_move(service.tables, game, "p1", MODERATOR, Typed("end_game"), 1)
    await service.undo(game, ANN)
    assert await counting(service, game) == [1]
