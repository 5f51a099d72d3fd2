"""Random games, undone and redone at random: what is live is what the log leads to, and what was comes back."""

from contextlib import suppress
from random import Random

import pytest

from bot.table import redo
from bot.table.errors import Refused
from bot.table.games.loading import replayed_game
from bot.table.votes.moderation import moderator_undo
from engine.core.actions import Action
from engine.core.ids import PlayerId
from engine.game import Game
from engine.orders import new_orders
from engine.orders.order_kinds import Order as Wanted
from engine.play.steps.base import Request
from engine.record import make_record
from engine.titles import TITLES
from storage import Order, log, orders
from tests.bot.orders.giving import MODERATOR, give
from tests.bot.support.table_service import ANN, BOB, CY, TableService
from tests.support.long_runs import VARIED_TITLES, some_named
from tests.support.players.random_play import RandomPlayer

STEPS = 40
"""Moves, undos and redos of each game."""


class Chance:
    """People who move, order, undo and redo by chance at one table."""

    def __init__(self, service: TableService, game: int, seed: int) -> None:
        self._bench = service
        self._game = game
        self._random = Random(seed)
        self._player = RandomPlayer(seed)
        self._stood: dict[int, str] = {}
        """The position before each undo, by the number of the undo."""
        self.redone = 0

    async def step(self) -> None:
        (deed,) = self._random.choices(
            [self._move, self._order, self._undo, self._go_back, self._redo, self._to_and_fro],
            [10, 1, 3, 1, 4, 2],
        )
        with suppress(Refused):  # not possible now; the next one may be
            await deed()

    async def check(self) -> None:
        """The live game, the log, and what a restart finds are one position."""
        digest = await self._bench.digest(self._game)
        assert (
            replayed_game(log.effective_rows(await log.read_rows(self._bench.db, self._game))).digest()
            == digest
        )
        assert await TableService.on(self._bench.db).digest(self._game) == digest

    async def _move(self) -> None:
        async with self._bench.tables.reading(self._game) as live:
            if live.game.is_over:
                return
            action = self._player.choose(live.game)
            user = live.user_of(action.actor)

        def walk(game: Game, player: PlayerId, made: Action = action):  # type: ignore[no-untyped-def]
            return game.cursor_for(Request.of_action(made))

        await self._bench.tables.submit(self._game, user, walk)

    async def _order(self) -> None:
        def make(game: Game, player: PlayerId) -> Wanted:
            company = self._random.choice(list(game.table.state.companies))
            wanted: list[Wanted] = [
                new_orders.pass_stock_order(game, "concerned"),
                new_orders.run_best_order(game, company, "pay"),
            ]
            return self._random.choice(wanted)

        await give(self._bench, self._game, self._random.choice((ANN, BOB, CY)), make)

    async def _undo(self) -> None:
        before = await self._bench.digest(self._game)
        async with self._bench.tables.reading(self._game) as live:
            user = live.user_of(live.effective_rows[-1].actor or "p1")
        self._stood[(await self._bench.undo(self._game, user)).seq] = before

    async def _go_back(self) -> None:
        before = await self._bench.digest(self._game)
        async with self._bench.tables.reading(self._game) as live:
            to, seq = self._random.choice(live.effective_rows[-6:]).seq, live.seq
        undone = await moderator_undo(self._bench.tables, self._game, MODERATOR, to, seq)
        self._stood[undone.seq] = before

    async def _redo(self) -> None:
        async with self._bench.tables.reading(self._game) as live:
            taken = redo.moves_to_redo(live)
            user = live.user_of(taken.undo.actor) if taken.undo.actor else MODERATOR
        if self._random.random() < 0.3:
            self._bench.tables.forget(self._game)  # as after a restart
        try:
            await redo.redo(self._bench.tables, self._game, user, is_moderator=user == MODERATOR)
        except Refused as refused:
            raise AssertionError("what was undone does not come back") from refused
        assert await self._bench.digest(self._game) == self._stood[taken.undo.seq]
        self.redone += 1

    async def _to_and_fro(self) -> None:
        """Nothing has changed for the orders either."""
        before = await self._orders()
        await self._random.choice([self._undo, self._go_back])()
        await self._redo()
        assert await self._orders() == before

    async def _orders(self) -> dict[int, Order]:
        return {one.number: one for one in await orders.all_orders(self._bench.db, self._game)}


@pytest.mark.parametrize("title", some_named(VARIED_TITLES, TITLES))
@pytest.mark.parametrize("begun", [0, 60])
async def test_random_undo_and_redo_follow_the_log(service: TableService, title: str, begun: int) -> None:
    game = Game(title, [("p1", "Ann"), ("p2", "Bob"), ("p3", "Cy")], begun)
    player, actions = RandomPlayer(1), list[Action]()
    for _ in range(begun):
        actions.append(player.choose(game))
        game.apply(actions[-1])
    table = await service.at(make_record(game, actions))
    chance = Chance(service, table, begun)
    for step in range(STEPS):
        await chance.step()
        if step % 10 == 9:
            await chance.check()
    assert chance.redone > 0
