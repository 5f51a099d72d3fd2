"""Undoing one's own: freely until another person has acted, and never past what was secret."""

import asyncio
from dataclasses import replace
from functools import partial

import pytest

from bot.table.errors import GameMovedOn, Refused
from bot.table.live import LiveGame
from bot.table.moves.moves import TypedMove
from bot.table.orders import automatic
from bot.table.outbox import notices
from bot.table.outbox.notices import Line, TurnChange
from bot.table.tables import Outcome
from bot.table.undo import (
    MAX_SHOWN_MOVES,
    SECRET_ORDER_KINDS,
    changes_by_undo,
    last_undoable_row,
    revealed_secrets,
    undo,
    undo_loss_of,
    undo_loss_text,
)
from bot.table.votes.acting_as import moderator_move
from bot.table.votes.moderation import moderator_end, moderator_undo
from engine.core.actions import Action, EndGame, LayTile, PlaceToken
from engine.game import Game
from engine.orders import new_orders
from engine.orders.order_kinds import Order
from engine.record import load_record, read_record
from engine.titles import TITLES
from storage import LogRow, OutboxMessage, SeatEntry, Transaction, games, log, orders
from tests.bot.orders.giving import MODERATOR, counting, ended, give, passing, standing, up_to
from tests.bot.seats.test_votes import table
from tests.bot.support.positions import BANKRUPTCY, played_to
from tests.bot.support.table_service import ANN, BOB, CY, EVERYBODY, TableService
from tests.support.players.random_play import RandomPlayer


async def acting(service: TableService, game: int) -> int:
    async with service.tables.reading(game) as live:
        return live.user_of(live.game.actors()[0])


async def posted(service: TableService, seq: int) -> list[OutboxMessage]:
    rows = await service.db.rows(f"SELECT kind, payload FROM outbox WHERE seq = {seq} ORDER BY id")
    return [OutboxMessage(str(kind), str(payload)) for kind, payload in rows]


@pytest.fixture
async def stock(service: TableService) -> int:
    return await service.at(played_to("buy_share"))


# --- one's own -------------------------------------------------------------------------------------------------------


async def test_undo_is_posted_with_board_and_turn(service: TableService) -> None:
    game = await service.game()
    await service.do(game, ANN, "pass")
    with pytest.raises(GameMovedOn):
        await undo(service.tables, game, ANN, 1, 1)
    woken = service.woken()
    assert await undo(service.tables, game, ANN, 2, 1) == Outcome(3, ("**Ann** undoes move 2.",))
    assert (woken, await counting(service, game)) == ([game], [1])
    assert await posted(service, 3) == [
        Line("`3` **Ann** undoes move 2.", undo_target=1).notice(),
        notices.board_notice(),
        replace(TurnChange((), "p1", is_new_turn=True).notice(), notifications=None),
    ]


async def test_other_moves_need_agreement(service: TableService, passed: int) -> None:
    await service.undo(passed, CY)
    for to, why in (
        (1, "are not yours alone: others must agree"),
        (2, "^Move 3 is not yours alone"),
        (3, "^Move 3 is the last one"),
        (4, "Move 4 of game"),
    ):
        with pytest.raises(Refused, match=why):
            await undo(service.tables, passed, ANN, target_seq=to)
    async with service.tables.reading(passed) as live:
        assert (await undo_loss_of(service.tables, live, 1, "p1")).other_players == ("p2",)


@pytest.mark.parametrize("nobody", [None, orders.TIME_UP_ORDER_NUMBER])
async def test_undecided_moves_are_nobodys(service: TableService, nobody: int | None) -> None:
    """Of a caretaker, or of a player who ran out of time."""
    game = await service.game()
    await service.do(game, ANN, "pass")
    async with service.tables.reading(game) as live:
        live.automatic_rows[2] = nobody
    with pytest.raises(Refused, match=r"None of these moves is yours.*/mod undo"):
        await undo(service.tables, game, CY, target_seq=1)
    await undo(service.tables, game, ANN, target_seq=1)
    assert await counting(service, game) == [1]


@pytest.mark.parametrize(
    ("made", "player", "others", "own"),
    [
        ({}, "p1", ("p2",), False),
        ({3: 1}, "p1", ("p2",), True),
        ({2: None, 3: 1}, "p1", ("p2",), False),
        ({2: None}, "p3", ("p2",), False),
        ({2: orders.TIME_UP_ORDER_NUMBER}, "p3", ("p2",), False),
        ({2: 1}, "p3", ("p1", "p2"), False),
        ({2: 1}, "p2", ("p1",), False),
    ],
)
async def test_deciding_players_agree(
    service: TableService,
    passed: int,
    made: dict[int, int | None],
    player: str,
    others: tuple[str, ...],
    own: bool,
) -> None:
    """By hand or by an order; a move that was decided takes along what orders did after it."""
    await service.undo(passed, CY)
    async with service.tables.reading(passed) as live:
        live.automatic_rows |= made
        found = await undo_loss_of(service.tables, live, 1, player)
    assert (found.other_players, found.needs_no_consent) == (others, own)


async def test_open_order_goes_with_the_move_before(service: TableService, stock: int) -> None:
    first = await acting(service, stock)
    await service.do(stock, first, "pass")
    second = await acting(service, stock)
    await service.undo(stock, first)
    before = await service.digest(stock)
    await give(service, stock, second, passing("over"))
    await service.do(stock, first, "pass")
    async with service.tables.reading(stock) as live:
        last = live.effective_rows[-1]
        assert (live.user_of(last.actor), live.automatic_rows.get(last.seq)) == (second, 1)
    await service.undo(stock, first)
    assert (await service.digest(stock), await standing(service, stock)) == (before, [1])


async def test_ordered_purchase_needs_agreement(service: TableService, stock: int) -> None:
    """Else the player who acts before would see the purchase, and be faster."""
    first, before = await acting(service, stock), (await counting(service, stock))[-1]
    await service.do(stock, first, "pass")
    second = await acting(service, stock)
    await service.undo(stock, first)
    await give(
        service, stock, second, lambda now, _: new_orders.buy_shares_order(now, "SRR", "offering", None)
    )
    await service.do(stock, first, "pass")
    with pytest.raises(Refused, match=rf"others must agree. `/undo to:{before}` asks them"):
        await service.undo(stock, first)
    async with service.tables.reading(stock) as live:
        asked = (await undo_loss_of(service.tables, live, before, live.player_of(first))).other_players
        assert [live.user_of(player) for player in asked] == [second]


@pytest.mark.parametrize("undo_first", [False, True])
async def test_move_and_undo_at_once(service: TableService, undo_first: bool) -> None:
    """Of two players; Bob's order answers Ann's move. One of both is refused, and nothing is half done."""
    game = await service.lobby(EVERYBODY[:2])
    await service.lobbies.set_seat_order(game, ANN, (ANN, BOB))
    await service.lobbies.start(game, ANN)
    for user in (ANN, BOB):
        await service.do(game, user, "pass")
    await give(service, game, BOB, up_to("CV", 300))
    move, undoing = service.do(game, ANN, "pass", 3), service.undo(game, BOB, 3)
    both = (undoing, move) if undo_first else (move, undoing)
    done, late = await asyncio.gather(*both, return_exceptions=True)
    assert isinstance(late, GameMovedOn)
    assert not isinstance(done, BaseException)
    assert await counting(service, game) == ([1, 2] if undo_first else [1, 2, 3, 4, 5])
    assert await service.digest(game) == await TableService.on(service.db).digest(game)


def moved(seq: int, actor: str = "p1", kind: log.LogRowKind = "action") -> LogRow:
    return LogRow(5, seq, kind, '{"kind": "pass", "actor": "p1", "entity": "p1"}', "", actor, 1, "now")


def after_moves(*rows: LogRow, automatic: dict[int, int | None], cared: str = "") -> LiveGame:
    """A game whose log has these rows after its start; a caretaker plays one seat from the second row on."""
    live = table()
    live.effective_rows = [moved(1, "", "start"), *rows]
    live.automatic_rows = automatic
    if cared:
        live.seat_history = (SeatEntry(cared, "caretaker", 0, "Somebody", 2, None, "now"),)
    return live


@pytest.mark.parametrize(
    ("live", "seq"),
    [
        (after_moves(moved(2), moved(3, "p2"), automatic={3: None}), 2),
        # What one's own order did after one's own move goes with it; after another's move it is a move.
        (after_moves(moved(2), moved(3, "p2"), moved(4), automatic={3: 7, 4: 8}), 2),
        (after_moves(moved(2, "p2"), moved(3), moved(4), automatic={3: 7, 4: None}), 3),
        # What the caretaker has played for one is one's own; what another's has played goes with one's move.
        (after_moves(moved(2, "p2"), moved(3), automatic={3: None}, cared="p1"), 3),
        (after_moves(moved(2), moved(3, "p2"), automatic={3: None}, cared="p2"), 2),
    ],
)
def test_own_last_move_is_undone(live: LiveGame, seq: int) -> None:
    assert last_undoable_row(live, "p1").seq == seq


# --- what was secret -------------------------------------------------------------------------------------------------


async def test_acting_maximum_is_a_limit(service: TableService) -> None:
    """Else Ann would bid, see whether Bob's maximum answers, undo that, and bid more; Bob learns nothing by it."""
    game = await service.game()
    await give(service, game, BOB, up_to("D&R", 30))
    await service.do(game, ANN, "pass")
    revealed = "Move 3 has revealed Bob's sealed bid on D&R"
    with pytest.raises(Refused, match=revealed):
        await service.undo(game, ANN)
    async with service.tables.reading(game) as live:
        assert len((await undo_loss_of(service.tables, live, 1)).revealed_secrets) == 1
    await service.undo(game, BOB)
    assert await counting(service, game) == [1, 2]


async def test_exceeded_maximum_ends_with_an_undo(service: TableService) -> None:
    """Else Ann would bid too much, undo that, and bid less, until Bob's answers; a moderator gives it back."""
    game = await service.game()
    await give(service, game, BOB, up_to("CV", 215, "ask"))
    await service.do(game, ANN, "bid", private="CV", amount=260)
    await moderator_undo(service.tables, game, MODERATOR, 1, 2)
    assert await standing(service, game) == [1]
    await service.do(game, ANN, "bid", private="CV", amount=260)
    await service.undo(game, ANN)
    assert await ended(service, game) == [(1, automatic.SEALED_BID_TOO_LOW_REASON)]
    assert [one.number for one in await orders.unnotified_orders(service.db, game, BOB)] == [1]
    await service.do(game, ANN, "bid", private="CV", amount=205)
    assert await counting(service, game) == [1, 6]


async def titled(game: int, title: str, tx: Transaction) -> None:
    await tx.put("UPDATE games SET title = ? WHERE id = ?", title, game)


async def test_secret_money_is_a_limit_at_the_end(service: TableService) -> None:
    """The end shows what everybody has; in other games that was never hidden."""
    by_rulebook = [name for name in reversed(TITLES) if "rulebook" in TITLES[name].spec.profiles]
    for limited, title in {TITLES[name].spec.secret_cash: name for name in by_rulebook}.items():
        game = await service.lobby()
        await service.db.write(partial(titled, game, title))
        await service.lobbies.start(game, ANN)
        for user in (ANN, BOB, CY):
            async with service.tables.reading(game) as live:
                assert await revealed_secrets(service.db, live, live.effective_rows[-1:], "p3") == []
            await service.do(game, user, "end_game")
        shown = ["The game ended with move 4 and has revealed everybody's money."] if limited else []
        async with service.tables.reading(game) as live:
            assert live.game.is_over
            assert await revealed_secrets(service.db, live, live.effective_rows[-1:], "p3") == shown


@pytest.mark.parametrize("title", TITLES)
def test_chance_is_drawn_before_the_first_move(title: str) -> None:
    """So nothing that is drawn can be seen and undone; a title that draws later needs a limit.

    The cards of a secret draft are shuffled below those that its players see: an undo shows them the same ones again.
    """
    game, player = Game(title, [("p1", "Ann"), ("p2", "Bob"), ("p3", "Cy")], 3), RandomPlayer(3)
    while game.table.is_selling_privates and game.table.auction.deck:
        game.apply(player.choose(game))
    drawn = game.table.state.draws
    for _ in range(150):
        if not game.is_over:
            game.apply(player.choose(game))
    assert game.table.state.draws == drawn


def test_orders_with_amounts_are_secret() -> None:
    """Of the others the values are public, or no bid can answer them."""
    with_amounts = {kind for kind in Order.__args__ if {"most", "maxima"} & kind.model_fields.keys()}
    assert {kind.model_fields["kind"].default for kind in with_amounts} == SECRET_ORDER_KINDS


# --- at the end ------------------------------------------------------------------------------------------------------


async def test_last_move_of_a_game_is_undone(service: TableService) -> None:
    game = await service.game()
    for user in (ANN, BOB, CY):
        await service.do(game, user, "end_game")
    assert (await games.get_game(service.db, game)).status == "finished"
    with pytest.raises(Refused, match=r"Cy's.*[Oo]nly a moderator can undo"):
        await service.undo(game, ANN)
    await service.undo(game, CY)
    assert (await games.get_game(service.db, game)).status == "running"
    *_, end, undo_row = await log.read_rows(service.db, game)
    assert end.payload == EndGame(actor="p3", entity="p3").model_dump_json()
    kinds = [one.kind for one in await posted(service, undo_row.seq)]
    assert kinds == [notices.LINE_KIND, notices.BOARD_KIND, notices.TURN_KIND, notices.END_KIND], (
        "its thread stays open"
    )
    goes_on = "The game continues, so the score above no longer counts."
    assert (await service.lines(game))[-1] == f"`{undo_row.seq}` **Cy** undoes move {end.seq}. {goes_on}"
    await service.do(game, ANN, "pass")


async def test_only_a_moderator_undoes_a_moderators_end(service: TableService) -> None:
    game = await service.game()
    await service.do(game, ANN, "end_game")
    await moderator_end(service.tables, game, MODERATOR, 2)
    for user, to in ((BOB, 2), (CY, 2), (CY, None)):
        with pytest.raises(Refused, match="A moderator has ended this game"):
            await undo(service.tables, game, user, target_seq=to)
    await moderator_undo(service.tables, game, MODERATOR, 2, 4)
    await service.do(game, ANN, "pass")


async def test_moderators_word_for_a_player_is_undone(service: TableService) -> None:
    game = await service.game()
    await moderator_move(service.tables, game, "p1", MODERATOR, TypedMove("end_game"), 1)
    await service.undo(game, ANN)
    assert await counting(service, game) == [1]


# --- what would be lost ----------------------------------------------------------------------------------------------


async def test_last_lost_moves_are_listed(service: TableService) -> None:
    game = await service.game()
    for number in range(MAX_SHOWN_MOVES + 1):
        await service.do(game, (ANN, BOB, CY)[number % 3], "bid", private="CV", amount=205 + 5 * number)
    async with service.tables.reading(game) as live:
        whole = await undo_loss_text(service.db, live, await undo_loss_of(service.tables, live, 1, "p1"))
        fits = await undo_loss_text(service.db, live, await undo_loss_of(service.tables, live, 2, "p1"))
    earlier, *listed = (line for line in whole.split("\n") if line.startswith(">"))
    assert earlier == "> 1 earlier, and"
    assert [line.split("`")[1] for line in listed] == [str(seq) for seq in range(3, MAX_SHOWN_MOVES + 3)]
    assert "earlier" not in fits
    assert sum(line.startswith(">") for line in fits.split("\n")) == MAX_SHOWN_MOVES


def around(kind: str) -> tuple[Game, Game, Action]:
    """A recorded game before and after the first action of a kind, and that action."""
    text = BANKRUPTCY.read_text("utf-8")
    actions = read_record(text).actions
    at = next(number for number, action in enumerate(actions) if action.kind == kind)
    return load_record(text, at).play(), load_record(text, at + 1).play(), actions[at]


@pytest.mark.parametrize("kind", ["lay_tile", "place_token", "dividend", "par", "pass"])
def test_undo_says_what_changes_back(kind: str) -> None:
    before, after, action = around(kind)
    found = list(changes_by_undo(after, before))
    match action:
        case LayTile():
            assert found[0] == f"Track restored on {action.hex}."
        case PlaceToken():
            assert found[0] == f"Tokens restored on {action.hex}."
        case _ if kind == "dividend":
            old, new = (
                game.table.price(game.table.state.companies[action.entity]) for game in (before, after)
            )
            assert found == [f"Share prices restored: **{action.entity}** ${new} → ${old}."]
        case _:
            assert [said.endswith("no price yet.") for said in found] == [True] * (kind == "par")
