"""A table that seals its maxima: nothing is public until everybody has sealed, then the privates are sold at once."""

import asyncio
import re

import pytest

from bot.client.buttons import NUMBER
from bot.sandbox.people import Modal, Result
from bot.table import ordering, sealed
from bot.table.errors import Refused
from bot.table.loading import replayed
from engine.core.ids import PlayerId
from engine.game import Game
from engine.orders import Order, giving
from engine.titles import TITLES
from storage import Database, log, orders, sittings
from storage.log import fold
from storage.settings import GAMES
from storage.sittings import Sitting
from tests.bot.house import PATIENCE, TABLE, House, Seated
from tests.bot.sandbox.guild import send_away
from tests.bot.tables import ANN, BOB, CY, Bench

DEE = 400
EACH = {
    ANN: {"D&R": 20, "C&OC": 105, "CV": 260},
    BOB: {"C-P": 80, "B&OR": 105, "CV": 300},
    CY: {"C-P": 60, "D&R": 40, "B&S": 100},
}
"""What each would give; the CV goes to Bob, who chooses a par price then."""
SOLD = {"D&R": "p1", "C-P": "p2", "B&S": "p3", "C&OC": "p1", "B&OR": "p2", "CV": "p2"}


def maxima(user: int) -> ordering.Make:
    def make(game: Game, player: PlayerId) -> Order:
        del player
        return giving.seal(game, EACH[user])

    return make


async def table(bench: Bench) -> int:
    """A started game that seals."""
    game = await bench.game()
    await GAMES.put(bench.db, game, sealed.SEALED, "on")
    return game


async def seal(bench: Bench, game: int, user: int) -> tuple[str, ...]:
    return (await ordering.give(bench.tables, game, user, maxima(user))).lines


async def owners(bench: Bench, game: int) -> dict[str, str]:
    async with bench.tables.reading(game) as live:
        privates = live.game.table.state.privates.values()
        return {private.id: private.owner for private in privates if private.owner is not None}


async def standing(db: Database, game: int) -> list[int]:
    return [one.number for one in await orders.standing(db, game)]


async def test_nothing_happens_until_the_last_has_sealed_and_then_all_is_sold(bench: Bench) -> None:
    game = await table(bench)
    for user in (CY, ANN):
        await seal(bench, game, user)
    assert await owners(bench, game) == {}
    assert len(await log.read(bench.db, game)) == 1
    lines = await seal(bench, game, BOB)
    assert await owners(bench, game) == SOLD
    assert len(lines) > 10
    async with bench.tables.reading(game) as live:
        assert live.game.actors() == ("p2",)


async def test_the_log_alone_leads_to_the_same_game(bench: Bench) -> None:
    game = await table(bench)
    for user in EACH:
        await seal(bench, game, user)
    assert replayed(fold(await log.read(bench.db, game))).digest() == await bench.digest(game)


async def test_restart_between_seal_and_sale(bench: Bench) -> None:
    game = await table(bench)
    await seal(bench, game, BOB)
    again = Bench.on(bench.db)
    await seal(again, game, CY)
    last = Bench.on(bench.db)
    await seal(last, game, ANN)
    assert await owners(last, game) == SOLD


async def test_two_players_sealing_at_once_sell_all_just_once(bench: Bench) -> None:
    game = await table(bench)
    await seal(bench, game, ANN)
    await asyncio.gather(seal(bench, game, BOB), seal(bench, game, CY))
    assert await owners(bench, game) == SOLD
    made = await orders.automatic(bench.db, game)
    rows = fold(await log.read(bench.db, game))
    assert [row.seq for row in rows[1:]] == sorted(made)


async def test_a_withdrawn_seal_is_waited_for_again(bench: Bench) -> None:
    game = await table(bench)
    await seal(bench, game, ANN)
    await seal(bench, game, BOB)
    await ordering.withdraw(bench.tables, game, BOB, 2)
    await seal(bench, game, CY)
    assert await owners(bench, game) == {}
    await seal(bench, game, BOB)
    assert await owners(bench, game) == SOLD


async def test_another_seal_takes_the_place_of_the_first(bench: Bench) -> None:
    game = await table(bench)
    await seal(bench, game, ANN)
    await ordering.give(bench.tables, game, ANN, lambda now, _: giving.seal(now, {"CV": 300}))
    assert await standing(bench.db, game) == [2]


async def test_a_replaced_player_has_sealed_nothing(bench: Bench) -> None:
    """The seal was another person's: it ends, and whoever has the seat now is waited for."""
    game = await table(bench)
    await seal(bench, game, ANN)
    await seal(bench, game, BOB)
    now = bench.tables.clock()
    dee = Sitting("p2", "holder", DEE, "Dee", 1, None, now)
    await sittings.replace(bench.db, game, dee, leaving=BOB, notices=[])
    bench.tables.forget(game)
    await seal(bench, game, CY)
    assert await owners(bench, game) == {}
    await ordering.give(bench.tables, game, DEE, maxima(BOB))
    assert await owners(bench, game) == SOLD


async def test_undo_past_a_sealed_bid_names_what_was_revealed_and_seals_again(bench: Bench) -> None:
    """Whoever takes back ends his own seal; those of the others stand, and nothing happens before he seals anew."""
    game = await table(bench)
    for user in EACH:
        await seal(bench, game, user)
    async with bench.tables.reading(game) as live:
        shown = await sealed.revealed(bench.tables, live)
        assert shown == tuple(row.seq for row in live.counting[1:])
    await bench.tables.undo(game, BOB)
    assert "CV" not in await owners(bench, game)
    async with bench.tables.reading(game) as live:
        left = await sealed.revealed(bench.tables, live)
        assert set(left) < set(shown)
    (ended,) = [one for one in await orders.given_by(bench.db, game, BOB) if one.state == "stopped"]
    assert ended.why == "You have taken back what it did."
    before = await bench.digest(game)
    await ordering.give(bench.tables, game, BOB, maxima_left)
    assert await bench.digest(game) != before
    assert (await owners(bench, game))["CV"] == "p2"


def maxima_left(game: Game, player: PlayerId) -> Order:
    del player
    return giving.seal(game, {"CV": 400})


async def test_an_order_fires_while_its_owner_undoes(bench: Bench) -> None:
    """Both wait for the game: one comes first, and what is left is a whole game either way."""
    game = await table(bench)
    await ordering.give(bench.tables, game, BOB, lambda now, _: giving.bid_up_to(now, "D&R", 30, "pass"))
    await bench.do(game, ANN, "pass")
    moved, undone = await asyncio.gather(
        bench.do(game, CY, "pass"), bench.tables.undo(game, BOB), return_exceptions=True
    )
    assert isinstance(moved, BaseException) != isinstance(undone, BaseException)
    assert all(one is None or isinstance(one, Refused) for one in (_problem(moved), _problem(undone)))
    assert replayed(fold(await log.read(bench.db, game))).digest() == await bench.digest(game)


def _problem(found: object) -> BaseException | None:
    return found if isinstance(found, BaseException) else None


async def test_what_a_seal_says_stands_nowhere_for_others_to_read(bench: Bench) -> None:
    game = await table(bench)
    await ordering.give(bench.tables, game, BOB, lambda now, _: giving.seal(now, {"CV": 317}))
    rows = await bench.db.read(lambda tx: tx.rows("SELECT payload FROM outbox"))
    assert not any("317" in str(payload) for (payload,) in rows)
    assert any("1 of 3" in str(payload) for (payload,) in rows)


# --- on Discord ------------------------------------------------------------------------------------------------------

SEALED_BY = {
    "Ann": "D&R: 20\nC-P: 0\nB&S 0\nC&OC: $105\nCV: 260",
    "Bob": "C-P: 80\nB&OR: 105\nCV: 1,300",
    "Cy": "C-P: 60\nD&R: 40\nB&S: 100",
}


async def sealing(house: House) -> Seated:
    """A table of Ann, Bob and Cy that has chosen in its lobby to seal."""
    people = [house.person(name) for name in SEALED_BY]
    await people[0].slash(TABLE, "game new", title="18chesapeake")
    for person in people[1:]:
        await person.press(house.lobby(), "Join")
    order = {place: person.id for place, person in zip(("first", "second", "third"), people, strict=True)}
    await people[0].slash(TABLE, "game seats", **order)
    await people[1].slash(TABLE, "game settings", setting="sealed", value="on")
    assert "all at once by sealed maxima" in house.lobby().content
    assert "Not as in open play" in house.lobby().content
    await people[0].press(house.lobby(), "Start")
    await house.settled()
    thread = max(number for number, channel in house.world.channels.items() if channel.is_thread)
    return Seated(house, 1, thread)


async def form(game: Seated, name: str) -> Modal:
    modal = (await game.press(name, sealed.BUTTON)).modal
    assert modal is not None
    return modal


async def sent(game: Seated, name: str, text: str) -> str:
    """Somebody seals by the form; what he is told."""
    result: Result = await game.house.person(name).submit(await form(game, name), maxima=text)
    assert await game.house.world.until(lambda: bool(result.text), timeout=PATIENCE)
    await game.house.settled()
    return result.text


async def test_an_auction_by_sealed_maxima_needs_one_form_of_each_with_a_restart_between(
    house: House,
) -> None:
    """The table is told how many have sealed and nothing else; with the last seal everything is sold."""
    game = await sealing(house)
    assert "Not as in open play" in game.lines[0]
    assert sealed.ASKS in game.turn.content
    asked = await form(game, "Cy")
    assert "D&R: 0\nC-P: 0" in asked.fields[0]["value"]
    assert "Not as in open play" in str(asked.body)
    assert "Sealed maxima: D&R $40, C-P $60, B&S $100" in await sent(game, "Cy", SEALED_BY["Cy"])
    assert game.lines[-1] == "Sealed maxima: 1 of 3 players."
    assert "D&R: 40" in (await form(game, "Cy")).fields[0]["value"]
    await house.stop()
    await house.start()
    await sent(game, "Ann", SEALED_BY["Ann"])
    assert game.lines[-1] == "Sealed maxima: 2 of 3 players."
    assert len(re.findall(NUMBER, game.lines[-1])) == 2
    assert "Cy" not in "".join(game.lines[1:])
    await sent(game, "Bob", SEALED_BY["Bob"])
    said = "\n".join(game.lines)
    assert "All 3 players have sealed their maxima" in said
    assert "1300" not in said
    assert "1,300" not in said
    assert game.turn.content.startswith(house.person("Bob").mention)
    assert not any(label.label == sealed.BUTTON for label in game.turn.buttons)


async def test_what_is_no_maximum_is_refused_and_nothing_sealed(house: House) -> None:
    game = await sealing(house)
    assert "no private with a maximum: much" in await sent(game, "Cy", "much")
    assert "XY is not up for bids now" in await sent(game, "Cy", "XY: 20")
    assert await standing(house.db, game.number) == []


async def test_a_title_without_bids_has_nothing_to_seal(house: House) -> None:
    ann = house.person("Ann")
    await ann.slash(TABLE, "game new", title="18newengland")
    told = await ann.slash(TABLE, "game settings", setting="sealed", value="on")
    assert "18NewEngland has no auction: there is nothing to seal." in told.text


async def test_a_table_that_does_not_seal_has_a_button_for_one_maximum_only(house: House) -> None:
    game = await house.game()
    assert sealed.BUTTON not in [button.label for button in game.turn.buttons]
    assert sealed.ASKS not in game.turn.content


async def test_a_player_leaving_the_server_with_orders_open_keeps_them(house: House) -> None:
    """The seat is his until somebody else has it: what he has sealed still counts, and the sale comes."""
    game = await sealing(house)
    await sent(game, "Bob", SEALED_BY["Bob"])
    send_away(house.world, house.person("Bob").id)
    await sent(game, "Ann", SEALED_BY["Ann"])
    await sent(game, "Cy", SEALED_BY["Cy"])
    await house.settled()
    said = "\n".join(game.lines)
    assert "All 3 players have sealed their maxima" in said
    assert "**Bob** gets C-P" in said
    assert await house.world.until(
        lambda: any("**Bob** has left this server" in line for line in game.lines), timeout=PATIENCE
    )


@pytest.mark.parametrize("title", [name for name, title in TITLES.items() if title.spec.privates])
def test_where_sealed_bids_differ_is_said_of_each_title(title: str) -> None:
    """In few enough words for the lobby, the first line and the form."""
    said = sealed.what_differs(TITLES[title].spec)
    assert "lies on top" in said
    assert len(said) < 1300
    assert ("packet" in said) == (TITLES[title].spec.auction.eliminations > 0)
