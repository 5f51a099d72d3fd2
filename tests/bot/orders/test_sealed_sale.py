"""A table that seals its maxima: nothing is public until everybody has sealed, then the privates are sold at once."""

import asyncio

import pytest

from bot.table.errors import Refused
from bot.table.game_setting_changes import choose_game_setting
from bot.table.games.loading import replayed_game
from bot.table.lobby import BIDDING_IS_OPEN_TEXT
from bot.table.orders import caretakers, sealed_auction
from bot.table.orders.player_orders import OrderList, list_orders
from bot.table.outbox.notices import TURN_KIND, TurnChange
from bot.table.votes.absent_seats import let_caretaker_play
from bot.table.votes.moderation import moderator_abandon, moderator_undo
from engine.titles import TITLES
from storage import GAME_SETTINGS, log, orders, outbox, pings
from tests.bot.orders.giving import MODERATOR, give, owners, sealing, standing, up_to, withdraw
from tests.bot.support.new_posts import NewPosts, Posted
from tests.bot.support.table_service import ANN, BOB, CY, DEE, TableService

EACH = {
    ANN: {"D&R": 20, "C&OC": 105, "CV": 260},
    BOB: {"C-P": 80, "B&OR": 105, "CV": 300},
    CY: {"C-P": 60, "D&R": 40, "B&S": 100},
}
SOLD = {"D&R": "p1", "C-P": "p2", "B&S": "p3", "C&OC": "p1", "B&OR": "p2", "CV": "p2"}
UNTIL_ALL = "Valid until the round ends, all privates are sold, or all players pass without a price falling."
WITH_PRIVATES = [name for name, title in TITLES.items() if title.spec.privates]


async def choose(service: TableService, game: int, value: str = "on") -> None:
    await GAME_SETTINGS.put(service.db, game, sealed_auction.SEALED_SETTING, value)
    service.tables.forget(game)


@pytest.fixture
async def game(service: TableService) -> int:
    number = await service.game()
    await choose(service, number)
    return number


async def seal(service: TableService, game: int, *users: int) -> None:
    for user in users:
        await give(service, game, user, sealing(**EACH[user]))


async def undo_all(service: TableService, game: int) -> None:
    await moderator_undo(service.tables, game, MODERATOR, 1, await log.last_seq(service.db, game))


async def waited_for(service: TableService, game: int) -> list[str]:
    """For whom the table waits, as the pings have it."""
    return [one.player_id for one in (await pings.notifications_of_game(service.db, game))[0]]


async def test_last_seal_sells_everything(service: TableService, game: int) -> None:
    await seal(service, game, CY, ANN)
    assert (await owners(service, game), await log.last_seq(service.db, game)) == ({}, 1)
    assert len(await give(service, game, BOB, sealing(**EACH[BOB]))) > 10
    assert await owners(service, game) == SOLD
    async with service.tables.reading(game) as live:
        assert live.game.actors() == ("p2",)
    rows = log.effective_rows(await log.read_rows(service.db, game))
    assert replayed_game(rows).digest() == await service.digest(game)


async def test_two_last_seals_sell_once(service: TableService, game: int) -> None:
    await seal(service, game, ANN)
    await asyncio.gather(seal(service, game, BOB), seal(service, game, CY))
    assert await owners(service, game) == SOLD
    made = await orders.automatic_moves(service.db, game)
    rows = log.effective_rows(await log.read_rows(service.db, game))
    assert [row.seq for row in rows[1:]] == sorted(made)


async def test_seal_in_an_ended_game_is_posted_nowhere(service: TableService, game: int) -> None:
    await seal(service, game, ANN)
    await moderator_abandon(service.tables, game, CY, 1)
    before = await outbox.unposted_notices_of_game(service.db, game)
    await withdraw(service, game, ANN, 1)
    assert await outbox.unposted_notices_of_game(service.db, game) == before


# --- undo ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("maxima", [EACH[BOB], {**EACH[BOB], "CV": 400}])
async def test_sale_is_undone_by_a_moderator(
    service: TableService, game: int, maxima: dict[str, int]
) -> None:
    """The seals stand; a new one, the same or another, lets the sale continue."""
    await seal(service, game, *EACH)
    with pytest.raises(Refused, match="sealed bid on the privates"):
        await service.undo(game, BOB)
    await undo_all(service, game)
    assert (await owners(service, game), await waited_for(service, game)) == ({}, ["p1"])
    async with service.tables.reading(game) as live:
        assert await sealed_auction.players_who_must_act(service.db, live) == live.game.actors() == ("p1",)
    await give(service, game, BOB, sealing(**maxima))
    assert await owners(service, game) == SOLD


async def test_sale_is_announced_once(service: TableService, game: int) -> None:
    await seal(service, game, *EACH)
    await undo_all(service, game)
    last = await log.last_seq(service.db, game)
    await give(service, game, BOB, up_to("D&R", 25))
    assert await log.last_seq(service.db, game) == last, "it is not Bob's turn"
    await give(service, game, ANN, up_to("D&R", 30))
    assert await log.last_seq(service.db, game) > last, "it has acted"
    announced = "All 3 players have sealed their bids. The auction is resolved now."
    assert (await service.lines(game)).count(announced) == 1


async def test_early_seal_starts_only_its_owners_orders(service: TableService, game: int) -> None:
    await give(service, game, ANN, up_to("D&R", 30))
    await undo_all(service, game)
    await seal(service, game, CY)
    assert (await owners(service, game), await standing(service, game)) == ({}, [1, 2])
    await seal(service, game, ANN)
    assert (await owners(service, game), await standing(service, game)) == ({"D&R": "p1"}, [2, 3])
    won = "`4` **Ann** wins Delaware and Raritan Canal (D&R) for $20. *(automatic)*"
    assert (await service.lines(game))[-2:] == ["Sealed bids: 2 of 3 players.", won]


# --- what the thread learns ------------------------------------------------------------------------------------------


def notes(*lines: str) -> Posted:
    """Notes in the thread, each with the turn message that shows it."""
    return [post for line in lines for post in (("line", {"text": line, "aside": True}), ("turn", {}))]


async def test_thread_learns_only_how_many_sealed(service: TableService, thread: NewPosts) -> None:
    game = thread.game
    with pytest.raises(
        Refused, match=r"^This game has no sealed auction, or one of its players cannot seal bids."
    ):
        await give(service, game, BOB, sealing(CV=317))
    await choose(service, game)
    said = f"Sealed bids: CV $317. {UNTIL_ALL}"
    assert await give(service, game, BOB, sealing(CV=317)) == (f"Order 1: {said}",)
    assert await list_orders(service.tables, game, BOB) == OrderList(
        f"**Standing**\n`1` {said}",
        (1,),
        (),
        can_order_pass=True,
        companies_to_run=(),
        steps_to_skip=(),
        can_order_bid=True,
        is_sealing=True,
    )
    assert await thread.new() == notes("Sealed bids: 1 of 3 players.")
    await give(service, game, BOB, sealing(CV=310))
    assert await thread.new() == []
    await give(service, game, CY, sealing(CV=330))
    assert await thread.new() == notes("Sealed bids: 2 of 3 players.")
    await withdraw(service, game, BOB, 2)
    assert await thread.new() == notes("Sealed bids: 1 of 3 players.")
    await give(service, game, BOB, up_to("C-P", 50))
    await withdraw(service, game, BOB, 4)
    assert await thread.new() == []
    await withdraw(service, game, CY, 3)
    assert await thread.new() == notes("Sealed bids: 0 of 3 players.")


async def test_thread_learns_the_results_of_a_sale(service: TableService, thread: NewPosts) -> None:
    """The log has every bid."""
    game = thread.game
    await choose(service, game)
    await give(service, game, BOB, sealing(CV=310))
    await give(service, game, CY, sealing(CV=330))
    await thread.new()
    first, *rest = await give(service, game, ANN, sealing(**{"D&R": 30}))
    assert first.startswith("Order 3: Sealed bids: D&R $30. Valid until")
    assert all(line.endswith("*(automatic)*") for line in rest[:6])
    posts = await thread.new()
    assert posts[:2] == notes("All 3 players have sealed their bids. The auction is resolved now.")
    lines = [content for kind, content in posts[2:] if kind == "line"]
    assert [content.get("quiet") for content in lines] == [True, True, True, None, True, True, None], lines
    assert [line["text"].split(" ")[0] for line in lines] == [f"`{n}`" for n in range(2, 2 + len(lines))]
    assert lines[-1]["text"] == "`8` Privates pay **Ann** $5 (D&R).\nA 2-train is exported (6 left)."


@pytest.mark.parametrize("title", WITH_PRIVATES)
def test_rules_of_a_sale_fit_the_title(title: str) -> None:
    spec = TITLES[title].spec
    auction, said = spec.auction, sealed_auction.sealed_auction_rules(spec)
    assert said.startswith(
        "How sealed bids are resolved, once all players have sealed theirs:\n- The highest bid wins"
    )
    assert said.count("\n- ") == said.count("\n") == 5
    assert len(said) < 1100
    last = "When all pass and a price falls, sealed bids stay valid in the next stock round."
    first = "Players first remove privates from the packet openly; then they seal bids. "
    for words, holds in (
        ("The private on top of each column takes no bids", len(auction.columns) > 1),
        ("The private on top takes no bids", len(auction.columns) <= 1),
        ("set aside for every bid,", auction.all_bids_bind),
        ("set aside for every high bid,", not auction.all_bids_bind),
        (f". {last}", auction.in_stock_rounds),
        (f"\n- {first}", auction.eliminations),
    ):
        assert said.count(words) == int(bool(holds)), words
    sealed_auction.require_title_with_auction(TITLES[title])


# --- for whom the table waits ----------------------------------------------------------------------------------------


async def test_setting_changes_who_is_waited_for(service: TableService) -> None:
    number = await service.game()
    for value, fresh, players in (("on", ("p2", "p3"), ["p1", "p2", "p3"]), ("off", (), ["p1"])):
        await choose_game_setting(
            service.tables, service.lobbies, number, DEE, "sealed", value, is_moderator=True
        )
        last = (await outbox.notices_of_kind(service.db, number, TURN_KIND, -1))[-1]
        assert TurnChange.read(last.payload) == TurnChange(fresh, None)
        assert await waited_for(service, number) == players


async def test_caretaker_opens_the_bids(service: TableService, game: int) -> None:
    await seal(service, game, ANN)
    assert sealed_auction.BIDS_ARE_OPEN_LINE in await let_caretaker_play(
        service.tables, game, MODERATOR, "p3"
    )
    assert (await outbox.unposted_notices_of_game(service.db, game))[-1].kind == TURN_KIND
    assert sealed_auction.BIDS_ARE_OPEN_LINE not in await let_caretaker_play(
        service.tables, game, MODERATOR, "p2"
    )


async def test_computers_open_the_bids(service: TableService) -> None:
    number = await service.lobby(((ANN, "Ann"), (BOB, "Bob")))
    await caretakers.add_caretaker(service.lobbies, number, ANN)
    await choose(service, number)
    assert (await service.lobbies.read(number)).settings_lines[-1] == f"-# {BIDDING_IS_OPEN_TEXT}"
    await service.lobbies.start(number, ANN)
    async with service.tables.reading(number) as live:
        assert not await sealed_auction.is_sealing(service.db, live)


async def test_ended_game_waits_for_nobody(service: TableService, game: int) -> None:
    await seal(service, game, ANN)
    for user in EACH:
        await service.do(game, user, "end_game")
    assert await waited_for(service, game) == []
    async with service.tables.reading(game) as live:
        assert live.game.is_over
        assert await sealed_auction.players_who_must_act(service.db, live) == ()


async def test_move_leaves_the_unsealed_waited_for(service: TableService, game: int) -> None:
    await seal(service, game, BOB)
    await service.do(game, ANN, "pass")
    assert await waited_for(service, game) == ["p1", "p3"]


async def test_sale_pings_the_buyer_again(service: TableService, game: int) -> None:
    """Ann has sealed and gone: the last seal leads to her par price, not a move of hers."""
    await give(service, game, ANN, sealing(**{**EACH[ANN], "CV": 400}))
    await seal(service, game, BOB, CY)
    [duty], _ = await pings.notifications_of_game(service.db, game)
    assert (duty.player_id, duty.stage, duty.seq > 1) == ("p1", 0, True)
