"""Seats that a caretaker plays: for somebody who has vanished, and from the start against people."""

import asyncio
import threading
from collections.abc import Awaitable, Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from bot.client.caretaker_moves import Caretakers
from bot.client.places.departed_members import departure_text
from bot.client.turn_texts import turn_text
from bot.table.clocks.away import end_substitution
from bot.table.errors import NotYours, Refused
from bot.table.imports import TablePlace, add_recorded
from bot.table.live import LiveGame
from bot.table.lobby import Opener
from bot.table.move_lines import played, with_mark
from bot.table.moves.moves import Typed
from bot.table.orders.automatic import AT_ONCE, CARED, caretaker_players, strength_of
from bot.table.orders.caretakers import add_caretaker, play_caretakers, remove_caretaker
from bot.table.orders.player_orders import give_order
from bot.table.votes.absent_seats import let_caretaker_play, propose_absence
from bot.table.votes.acting_as import moderator_move
from bot.table.votes.moderation import EndProposal, moderator_undo
from bot.table.votes.pauses import begin_pause, end_pause
from bot.table.votes.proposal_kinds import Asking
from bot.table.votes.proposals import Proposals
from bot.table.votes.seat_proposals import SeatProposal, propose_seat
from engine.caretaker import STRENGTHS, choose
from engine.core.actions import Action
from engine.core.ids import PlayerId
from engine.core.offers import Cursor, IntRange, Offer
from engine.game import Game
from engine.orders.new_orders import bid_up_to
from engine.play.steps.base import Request
from engine.record import read_record
from storage import (
    CARETAKER,
    OutcomeUnknown,
    SeatEntry,
    StoredProposal,
    games,
    log,
    orders,
    outbox,
    personal_data,
    seats,
)
from tests.bot.support.positions import first_moves
from tests.bot.support.sandbox_bot import PATIENCE, TABLE, SandboxBot, Seated
from tests.bot.support.table_service import ANN, BOB, CHANNEL, CY, GUILD, TableService
from tests.titles.builders import Position, do

pytestmark = pytest.mark.usefixtures("absent_players")

GOLDEN = Path(__file__).parents[2] / "golden"
FIRST_STOCK_ROUND = 14
"""After this many actions of 18chesapeake-bank-4p all privates are sold, and the first player is on turn."""
NEAR_THE_END = 400
DEE = 14
MODERATOR = 99


async def decide(service: TableService, game: int, by: int, player: PlayerId = "p1") -> StoredProposal:
    """Somebody proposes that a caretaker plays a seat."""
    return await Proposals(service.tables).put(
        game, by, lambda live: propose_absence(live, by, player, "caretaker")
    )


async def answer(
    service: TableService, game: int, proposal: StoredProposal, who: int, choice: str = "yes"
) -> Asking:
    """What somebody says to it."""
    return await Proposals(service.tables).answer(
        game, proposal.number, who, choice, moderates=who == MODERATOR
    )


async def roles(service: TableService, game: int, player: PlayerId = "p1") -> list[str]:
    """How somebody has sat in a seat."""
    return [s.role for s in await seats.entries(service.db, game) if s.player_id == player]


async def actors(service: TableService, game: int) -> tuple[PlayerId, ...]:
    """Who has to act."""
    async with service.tables.reading(game) as live:
        return live.game.actors()


async def moves(service: TableService, game: int) -> list[tuple[str, int | None]]:
    """Who made the moves, for whom."""
    return [(row.actor, row.user_id) for row in await log.read(service.db, game) if row.kind == "action"]


async def alone(service: TableService, caretakers: int = 2) -> int:
    """A started game of Ann and caretakers, she first, who have not moved yet."""
    game = await service.lobby(((ANN, "Ann"),))
    for _ in range(caretakers):
        await add_caretaker(service.lobbies, game, ANN)
    await service.lobbies.arrange(game, ANN, (ANN,))
    await service.lobbies.start(game, ANN)
    return game


def passing(game: Game, player: PlayerId, *_: object) -> Action:
    """A caretaker that always passes."""
    return game.offers(player, "pass")[0].fill()


def walked(choice: Request, game: Game, _: PlayerId) -> Cursor:
    """The walk to a move that is known."""
    return game.walk(choice)


def cheap(game: Game, offer: Offer) -> Request | None:
    """To have a private of the caretaker for as little as possible."""
    if offer.kind != "buy_private":
        return None
    privates = game.table.state.privates
    for choice in offer.slots[0].domain({}).choices():
        if privates[str(choice.value)].owner not in ("p2", "p3"):
            continue
        given = {"private": choice.value}
        prices = offer.slots[1].domain(given)
        if isinstance(prices, IntRange):
            return Request(offer.kind, offer.actor, offer.entity, {**given, "price": prices.low})
    return None


@pytest.fixture
async def away(service: TableService) -> int:
    """A game in which a caretaker plays the seat of Bob, who has vanished; it is Ann's turn."""
    game = await service.game()
    await answer(service, game, await decide(service, game, ANN, "p2"), CY)
    return game


# --- who decides, and who is back ------------------------------------------------------------------------------------


async def test_a_caretaker_plays_a_seat_only_after_more_than_half_of_the_others_have_said_so(
    service: TableService,
) -> None:
    game = await service.game()
    proposal = await decide(service, game, BOB)
    assert await roles(service, game) == ["holder"]
    await answer(service, game, proposal, CY)
    assert await roles(service, game) == ["holder", "caretaker"]
    assert [seat.user_id for seat in await seats.seats(service.db, game)] == [ANN, BOB, CY]
    await play_caretakers(service.tables, game)
    assert await moves(service, game) == [("p1", None)]
    assert await actors(service, game) == ("p2",)


async def test_two_who_accept_at_once_let_one_caretaker_sit_down(service: TableService) -> None:
    game = await service.lobby(((ANN, "Ann"), (BOB, "Bob"), (CY, "Cy"), (DEE, "Dee")))
    await service.lobbies.arrange(game, ANN, (ANN, BOB, CY, DEE))
    await service.lobbies.start(game, ANN)
    proposal = await decide(service, game, BOB)
    found = await asyncio.gather(
        answer(service, game, proposal, CY), answer(service, game, proposal, DEE), return_exceptions=True
    )
    assert [isinstance(one, Refused) for one in found] == [False, True]
    assert await roles(service, game) == ["holder", "caretaker"]


async def test_of_two_people_a_moderator_has_to_agree(service: TableService) -> None:
    game = await service.lobby(((ANN, "Ann"), (BOB, "Bob")))
    await service.lobbies.arrange(game, ANN, (ANN, BOB))
    await service.lobbies.start(game, ANN)
    proposal = await decide(service, game, BOB)
    assert await roles(service, game) == ["holder"]
    with pytest.raises(NotYours):
        await answer(service, game, proposal, DEE)
    await answer(service, game, proposal, MODERATOR)
    assert await roles(service, game) == ["holder", "caretaker"]


async def test_who_has_vanished_has_no_vote_when_the_next_one_does(service: TableService, away: int) -> None:
    """Bob would be waited for in vain; Ann, who is left, decides with a moderator, until Bob is back."""
    proposal, proposals = await decide(service, away, ANN, "p3"), Proposals(service.tables)
    asked = (await proposals.asking(away, proposal.number)).electorate
    assert (asked.voters, asked.moderator) == ((ANN,), True)
    await proposals.seen(away, BOB)
    asked = (await proposals.asking(away, proposal.number)).electorate
    assert (asked.voters, asked.needed, asked.moderator) == ((ANN, BOB), 2, False)


async def test_somebody_must_be_there_for_a_seat_that_the_table_plays(service: TableService) -> None:
    game = await service.lobby(((ANN, "Ann"), (BOB, "Bob")))
    await service.lobbies.arrange(game, ANN, (ANN, BOB))
    await service.lobbies.start(game, ANN)
    proposal = await Proposals(service.tables).put(game, ANN, lambda live: propose_absence(live, ANN, "p2"))
    await answer(service, game, proposal, MODERATOR)
    with pytest.raises(Refused, match="played by a person"):
        await let_caretaker_play(service.tables, game, MODERATOR, "p1")


async def test_a_moderator_lets_a_caretaker_play_and_the_thread_says_who_decided(
    service: TableService,
) -> None:
    game = await service.game()
    text = await let_caretaker_play(service.tables, game, MODERATOR, "p1")
    assert f"<@{MODERATOR}>" in text
    assert "As soon as **Ann** acts, that is over; `/game replace` gives" in text
    assert any(text in row.payload for row in await outbox.of_kind(service.db, game, "line", -1))
    with pytest.raises(Refused, match="caretaker plays that seat already"):
        await let_caretaker_play(service.tables, game, MODERATOR, "p1")


async def test_a_caretaker_sits_down_although_the_connection_was_lost_just_then(
    service: TableService, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is in memory is not taken for what is stored, where nobody knows what is."""
    game, assign = await service.game(), seats.assign

    async def lost(*about: Any, **more: Any) -> None:
        await assign(*about, **more)
        raise OutcomeUnknown("postgresql://host/games")

    with monkeypatch.context() as patch:
        patch.setattr(seats, "assign", lost)
        with pytest.raises(OutcomeUnknown):
            await let_caretaker_play(service.tables, game, MODERATOR, "p1")
    await play_caretakers(service.tables, game)
    assert await moves(service, game) == [("p1", None)]


async def test_the_last_person_keeps_their_seat(service: TableService) -> None:
    game = await service.game()
    await let_caretaker_play(service.tables, game, MODERATOR, "p1")
    await let_caretaker_play(service.tables, game, MODERATOR, "p2")
    with pytest.raises(Refused, match="played by a person"):
        await let_caretaker_play(service.tables, game, MODERATOR, "p3")
    with pytest.raises(Refused, match="played by a person"):
        await decide(service, game, ANN, "p3")


async def test_where_no_person_is_left_no_caretaker_moves(service: TableService, away: int) -> None:
    """Else a game would play itself to its end with nobody there."""
    async with service.tables.reading(away) as live:
        assert caretaker_players(live) == {"p2"}
        left = [
            SeatEntry(p, "caretaker", user, "", live.seq, None, "") for p, user in (("p1", ANN), ("p3", CY))
        ]
        assert caretaker_players(replace(live, seat_history=(*live.seat_history, *left))) == frozenset()


async def test_who_has_vanished_has_the_seat_back_by_acting(service: TableService, away: int) -> None:
    await Proposals(service.tables).seen(away, BOB)
    assert await roles(service, away, "p2") == ["holder", "caretaker", "holder"]
    assert "plays again" in await end_substitution(service.tables, away, BOB)
    await service.do(away, ANN, "pass")
    assert await actors(service, away) == ("p2",)


async def test_the_holder_who_returns_while_the_caretaker_is_to_move_moves_themselves(
    service: TableService,
) -> None:
    game = await service.game()
    await let_caretaker_play(service.tables, game, MODERATOR, "p1")
    # Bob is asked for, and the caretaker woken, at the same moment; whichever comes first, nobody moves twice.
    await asyncio.gather(Proposals(service.tables).seen(game, ANN), play_caretakers(service.tables, game))
    assert await moves(service, game) == []
    await service.do(game, ANN, "pass")
    assert await moves(service, game) == [("p1", ANN)]


async def test_a_holder_whose_move_is_faster_than_the_word_that_they_are_back_continues_themselves(
    service: TableService,
) -> None:
    game = await service.game()
    await let_caretaker_play(service.tables, game, MODERATOR, "p1")
    await service.do(game, ANN, "pass")
    assert await moves(service, game) == [("p1", ANN)]


async def test_a_vote_for_a_caretaker_ends_when_the_player_acts(service: TableService) -> None:
    game = await service.game()
    proposal = await decide(service, game, BOB)
    assert [over.number for over in await Proposals(service.tables).seen(game, ANN)] == [proposal.number]
    with pytest.raises(Refused, match="settled already"):
        await answer(service, game, proposal, CY)


async def test_who_takes_the_seat_over_meanwhile_has_it_and_the_caretaker_moves_no_more(
    service: TableService, away: int
) -> None:
    subject = await Proposals(service.tables).put(
        away, ANN, lambda live: propose_seat(live, ANN, "p2", (DEE, "Dee"), "group")
    )
    await answer(service, away, subject, CY)
    await service.do(away, ANN, "pass")
    assert await moves(service, away) != [("p1", ANN)]  # until then it has played
    await answer(service, away, subject, DEE)
    assert await roles(service, away, "p2") == ["holder", "caretaker", "holder"]
    made = len(await moves(service, away))
    while await actors(service, away) != ("p2",):
        await service.pass_on(away)
    await play_caretakers(service.tables, away)
    assert all(actor != "p2" for actor, _ in (await moves(service, away))[made:])
    await service.do(away, DEE, "pass")


async def test_nobody_gives_a_persons_seat_away_alone_because_others_have_vanished(
    service: TableService, away: int
) -> None:
    """Before it is proposed, or since."""

    def to_dee(live: LiveGame) -> SeatProposal:
        return propose_seat(live, ANN, "p3", (DEE, "Dee"), "group")

    proposals = Proposals(service.tables)
    with pytest.raises(Refused, match="a moderator with `/mod replace`"):
        await proposals.put(away, ANN, to_dee)
    await proposals.seen(away, BOB)
    proposal = await proposals.put(away, ANN, to_dee)
    for player in ("p2", "p1"):
        await let_caretaker_play(service.tables, away, MODERATOR, player)
    assert (await answer(service, away, proposal, DEE)).proposal.state == "open"
    assert (await answer(service, away, proposal, MODERATOR)).proposal.state == "accepted"


async def test_a_vote_that_a_newcomer_overtakes_is_about_nothing(service: TableService) -> None:
    game = await service.game()
    proposal = await decide(service, game, ANN, "p2")
    handed = await Proposals(service.tables).put(
        game, BOB, lambda live: propose_seat(live, BOB, "p2", (DEE, "Dee"), "own")
    )
    await answer(service, game, handed, DEE)
    with pytest.raises(Refused, match="has a new player"):
        await answer(service, game, proposal, CY)


# --- its moves -------------------------------------------------------------------------------------------------------


async def test_it_moves_with_the_move_that_brings_its_turn_marked_and_pinged_by_nobody(
    service: TableService, away: int
) -> None:
    async with service.tables.reading(away) as live:
        assert live.people_of("p2") == ()
    outcome = await service.do(away, ANN, "pass")
    assert await moves(service, away) == [("p1", ANN), ("p2", None)]
    assert outcome.lines[-1].endswith(CARED)
    rows = await log.read(service.db, away)
    assert len({row.created_at for row in rows[1:]}) == 1  # one transaction
    assert await actors(service, away) == ("p3",)


def test_its_mark_stands_on_its_own_move_and_on_nothing_that_this_led_to_for_others() -> None:
    """What LV, Ann's company, pays out breaks the bank; B&O, Bob's, places its home token when LV is done."""
    position = Position().start("LV", 95, a=60).start("B&O", 80, b=60).trains("LV", "2").tile("J2", "57", 1)
    game = position.bank(40).operated("LV").operating("LV", "dividend", revenue=50).game()
    paid = with_mark(played(game, game.walk(Request("dividend", "a", "LV", {"option": "pay"})))[1], CARED)
    assert paid[0].startswith("**LV** (Ann) pays out $50")
    assert [line for line in paid if CARED in line] == [paid[0]]
    do(game, "buy_train", "LV", train="2", source="bank", trade_in="", price=80)
    done = with_mark(played(game, game.walk(Request("pass", "a", "LV", {})))[1], CARED)
    assert done[0] == f"**LV** is done. {CARED}"
    assert any(line.startswith("**B&O** (Bob)") for line in done[1:])


async def test_the_same_position_gets_the_same_move(service: TableService, away: int) -> None:
    async with service.tables.reading(away) as live:
        text = live.game.dump()
    from_here = Game.load(text)
    from_here.play(Typed("pass")(from_here, "p1"))
    expected = choose(from_here, "p2", from_here.seed)
    await service.do(away, ANN, "pass")
    assert (await log.read(service.db, away))[-1].payload == expected.model_dump_json()


async def test_an_undo_takes_them_back_and_they_are_not_made_again_automatically(
    service: TableService, away: int
) -> None:
    before = await service.digest(away)
    await service.do(away, ANN, "pass")
    await service.undo(away, ANN)
    assert await service.digest(away) == before
    await play_caretakers(service.tables, away)
    assert await service.digest(away) == before
    await service.do(away, ANN, "pass")
    assert (await moves(service, away))[-1] == ("p2", None)


async def test_a_moderator_may_go_back_to_its_turn_move_for_it_or_let_it_continue(
    service: TableService, away: int
) -> None:
    await service.do(away, ANN, "pass")
    after = await service.digest(away)
    await moderator_undo(service.tables, away, MODERATOR, 2, await log.last_seq(service.db, away))
    await play_caretakers(service.tables, away)
    async with service.tables.reading(away) as live:
        assert live.game.actors() == ("p2",)
        assert "`/game resume` lets it continue" in turn_text(live, ())
    assert "resumes" in await end_pause(service.tables, away, CY)
    assert await service.digest(away) == after
    await moderator_undo(service.tables, away, MODERATOR, 2, await log.last_seq(service.db, away))
    await moderator_move(
        service.tables, away, "p2", MODERATOR, Typed("pass"), await log.last_seq(service.db, away)
    )
    assert (await moves(service, away))[-1] == ("p2", MODERATOR)


async def test_a_caretaker_that_sits_down_after_an_undo_moves_at_once(service: TableService) -> None:
    """The player who was to move once more has vanished: nobody would know that it waits."""
    game = await service.game()
    await service.do(game, ANN, "pass")
    await service.do(game, BOB, "pass")
    await service.undo(game, BOB)
    await let_caretaker_play(service.tables, game, MODERATOR, "p2")
    await play_caretakers(service.tables, game)
    assert (await moves(service, game))[-1] == ("p2", None)


async def test_where_it_waits_after_an_undo_an_order_does_not_let_it_continue(
    service: TableService, away: int
) -> None:
    await service.do(away, ANN, "pass")
    last = await log.last_seq(service.db, away)
    await moderator_undo(service.tables, away, MODERATOR, 2, last)
    await give_order(service.tables, away, CY, lambda game, _: bid_up_to(game, "CV", 100, "pass"))
    assert await log.last_seq(service.db, away) == last + 1
    await end_pause(service.tables, away, ANN)
    assert [actor for actor, _ in (await moves(service, away))[-2:]] == ["p2", "p3"]


async def test_it_continues_after_a_pause_and_not_during_it(service: TableService) -> None:
    game = await service.game()
    await begin_pause(service.tables, game, ANN, None)
    await let_caretaker_play(service.tables, game, MODERATOR, "p1")
    await play_caretakers(service.tables, game)
    assert await moves(service, game) == []
    await end_pause(service.tables, game, CY)
    await play_caretakers(service.tables, game)
    assert await moves(service, game) == [("p1", None)]


async def test_after_a_crash_between_sitting_down_and_moving_it_moves(service: TableService) -> None:
    game = await service.game()
    await let_caretaker_play(service.tables, game, MODERATOR, "p1")
    again = TableService.on(service.db)
    assert await seats.games_with_caretaker(service.db) == [game]
    await play_caretakers(again.tables, game)
    assert await moves(again, game) == [("p1", None)]


async def test_a_caretaker_without_an_idea_keeps_nobodys_move_from_being_made(
    service: TableService, away: int, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def at_a_loss(*_: object) -> None:
        raise ValueError("no idea")

    monkeypatch.setattr("engine.caretaker.choose", at_a_loss)
    await service.do(away, ANN, "pass")
    assert await moves(service, away) == [("p1", ANN)]
    assert "finds no move" in caplog.text


async def test_while_it_thinks_the_event_loop_continues(
    service: TableService, away: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    thinking, seen = threading.Event(), threading.Event()

    def slowly(game: Game, player: PlayerId, seed: int, strength: str) -> Action:
        thinking.set()
        assert seen.wait(PATIENCE)
        return choose(game, player, seed, strength)

    monkeypatch.setattr("engine.caretaker.choose", slowly)
    move = asyncio.create_task(service.do(away, ANN, "pass"))
    async with asyncio.timeout(PATIENCE):
        while not thinking.is_set():  # noqa: ASYNC110 - it thinks in a thread
            await asyncio.sleep(0.001)
    live = service.tables.cached(away)
    assert live is not None
    assert (live.seq, live.game.actors()) == (1, ("p2",))
    seen.set()
    await move
    assert await moves(service, away) == [("p1", ANN), ("p2", None)]


async def test_of_many_moves_some_are_stored_at_a_time_and_the_rest_follows(
    service: TableService, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = await alone(service, 3)
    monkeypatch.setattr("bot.table.orders.automatic.AT_ONCE", 2)
    await service.do(game, ANN, "pass")
    assert await moves(service, game) == [("p1", ANN), ("p2", None), ("p3", None)]
    await play_caretakers(service.tables, game)
    assert await moves(service, game) == [("p1", ANN), ("p2", None), ("p3", None), ("p4", None)]
    await service.undo(game, ANN)
    assert await actors(service, game) == ("p1",)


async def test_an_order_that_acts_after_its_moves_is_stored_with_the_row_that_it_made(
    service: TableService,
) -> None:
    game = await service.game()
    await give_order(service.tables, game, CY, lambda now, _: bid_up_to(now, "CV", 210, "pass"))
    for player in ("p1", "p2"):
        await let_caretaker_play(service.tables, game, MODERATOR, player)
    await play_caretakers(service.tables, game)
    made = await orders.automatic_moves(service.db, game)
    rows = {row.seq: row for row in await log.read(service.db, game)}
    assert {(rows[seq].actor, rows[seq].user_id) for seq, order in made.items() if order == 1} == {("p3", CY)}
    assert sorted(made) == [seq for seq, row in rows.items() if row.kind == "action"]


async def test_its_passes_in_a_stock_round_keep_their_lines(
    service: TableService, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only in an auction many bids and passes in a row become one line."""
    whole = read_record((GOLDEN / "18chesapeake-bank-4p.json").read_text("utf-8"))
    record, start = (
        replace(whole, actions=whole.actions[:FIRST_STOCK_ROUND]),
        whole.actions[FIRST_STOCK_ROUND],
    )
    people = ((ANN, "Ann"), (BOB, "Bob"), (CY, "Cy"), (DEE, "Dee"))
    game = await add_recorded(service.tables, record, TablePlace(GUILD, CHANNEL, people))
    for player in ("p2", "p3", "p4"):
        await let_caretaker_play(service.tables, game, MODERATOR, player)
    monkeypatch.setattr("engine.caretaker.choose", passing)
    before = len(await service.lines(game))
    await service.tables.submit(game, ANN, partial(walked, Request.of(start)))
    _, *lines = (await service.lines(game))[before:]
    passes = [f"**{name}** passes. {CARED}" for name in ("Bob", "Cy", "Dee")]
    assert [line.rpartition("`")[2].strip() for line in lines] == passes


async def test_it_refuses_at_once_what_makes_it_poorer(service: TableService) -> None:
    """In 18TN players may sell privates to each other."""
    lobby = await service.lobbies.new(GUILD, Opener(ANN, "Ann", CHANNEL), "18tn", "rulebook")
    game = lobby.row.id
    for _ in range(2):
        await add_caretaker(service.lobbies, game, ANN)
    await service.lobbies.arrange(game, ANN, (ANN,))
    await service.lobbies.start(game, ANN)
    for _ in range(200):
        await play_caretakers(service.tables, game)
        async with service.tables.reading(game) as live:
            offers = live.game.offers("p1")
            if not offers:  # the others have moved as often as they may at once
                continue
            choice = next(filter(None, (cheap(live.game, offer) for offer in offers)), None)
            usual = Request.of(choose(live.game, "p1", 1))
        if choice is not None:
            break
        await service.tables.submit(game, ANN, partial(walked, usual))
    assert choice is not None
    outcome = await service.tables.submit(game, ANN, partial(walked, choice))
    assert "refuses" in "\n".join(outcome.lines)


async def test_a_game_in_which_it_waits_for_somebody_is_not_taken_up_every_minute(
    service: TableService, away: int
) -> None:
    """Tables that were given up would fill the memory; whatever changes in a game wakes it."""
    jobs: list[asyncio.Task[None]] = []
    caretakers = Caretakers(service.tables, lambda job: jobs.append(asyncio.create_task(job)))
    service.tables.on_notice = caretakers.wake
    for expected in (1, 1):
        await caretakers.look()
        await asyncio.gather(*jobs)
        assert len(jobs) == expected
    await begin_pause(service.tables, away, ANN, None)
    await asyncio.gather(*jobs)
    assert len(jobs) == 2


# --- a first game against it -----------------------------------------------------------------------------------------


async def test_a_person_seats_computer_players_and_removes_the_last(service: TableService) -> None:
    game = await service.lobby(((ANN, "Ann"),))
    with pytest.raises(Exception, match="Join it first"):
        await add_caretaker(service.lobbies, game, BOB)
    await add_caretaker(service.lobbies, game, ANN)
    lobby = await add_caretaker(service.lobbies, game, ANN)
    assert [(s.user_id, s.display_name) for s in lobby.seats] == [
        (ANN, "Ann"),
        (CARETAKER, "Adler (Superintendent)"),
        (CARETAKER, "Comet (Superintendent)"),
    ]
    lobby = await remove_caretaker(service.lobbies, game, ANN)
    assert [seat.display_name for seat in lobby.seats] == ["Ann", "Adler (Superintendent)"]


@pytest.mark.parametrize("strength", STRENGTHS)
async def test_a_computer_player_plays_as_strongly_as_was_chosen(
    service: TableService, strength: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also the second one of its name."""
    game, played = await service.lobby(((ANN, "Ann"),)), []
    for _ in range(2):
        await add_caretaker(service.lobbies, game, ANN, strength)

    def noted(game: Game, player: PlayerId, seed: int, strength: str) -> Action:
        played.append((player, strength))
        return choose(game, player, seed, strength)

    monkeypatch.setattr("engine.caretaker.choose", noted)
    await service.lobbies.arrange(game, ANN, (ANN,))
    await service.lobbies.start(game, ANN)
    await service.do(game, ANN, "pass")
    assert dict(played) == {"p2": strength, "p3": strength}


async def test_a_seat_that_a_person_left_is_played_at_full_strength_whatever_their_name() -> None:
    person = seats.Seat(1, 1, "p1", ANN, "Apprentice")
    assert strength_of(person) is None
    named = {
        name: strength_of(replace(person, user_id=CARETAKER, display_name=name))
        for name in (
            "Comet (Conductor)",
            "Comet (Caretaker)",
            "Apprentice",
            "Apprentice (2)",
            "Caretaker (2)",
        )
    }
    assert list(named.values()) == ["Conductor", None, "Apprentice", "Apprentice", None], "earlier names, too"


async def test_a_game_in_which_caretakers_begin_comes_to_the_person_automatically(
    service: TableService,
) -> None:
    game = await service.lobby(((ANN, "Ann"),))
    await add_caretaker(service.lobbies, game, ANN)
    await service.lobbies.arrange(game, ANN, (ANN,))
    await seats.reorder(service.db, game, (CARETAKER, ANN))
    await service.lobbies.start(game, ANN)
    assert await roles(service, game) == ["caretaker"]
    assert await actors(service, game) == ("p1",)
    await play_caretakers(service.tables, game)
    assert await actors(service, game) == ("p2",)
    with pytest.raises(Refused, match="no move to undo"):
        await service.undo(game, ANN)


async def test_no_data_is_stored_of_a_computer_player_and_it_is_asked_nothing(service: TableService) -> None:
    game = await alone(service)
    async with service.tables.reading(game) as live:
        assert live.people == (ANN,)
        assert EndProposal().electorate(live, ANN).must == (ANN,)
    assert CARETAKER not in await personal_data.of_guild(service.db, GUILD)
    pinged = [row.payload for row in await outbox.of_kind(service.db, game, "ping", -1)]
    assert pinged
    assert all(str(CARETAKER) not in text for text in pinged)


async def test_where_the_only_person_has_left_the_message_is_for_moderators_alone(
    service: TableService,
) -> None:
    game = await alone(service)
    async with service.tables.reading(game) as live:
        text = departure_text(live, "p1")
    assert "/mod replace player:Ann" in text
    assert "/game" not in text


async def test_a_person_alone_gives_a_computers_seat_to_somebody_who_agrees(service: TableService) -> None:
    game = await alone(service)
    proposal = await Proposals(service.tables).put(
        game, ANN, lambda live: propose_seat(live, ANN, "p2", (BOB, "Bob"), "group")
    )
    await answer(service, game, proposal, BOB)
    assert await roles(service, game, "p2") == ["caretaker", "holder"]
    await service.do(game, ANN, "pass")
    assert await actors(service, game) == ("p2",)


async def test_two_people_among_computers_cannot_give_each_others_seat_away(service: TableService) -> None:
    game = await service.lobby(((ANN, "Ann"), (BOB, "Bob")))
    await add_caretaker(service.lobbies, game, ANN)
    await service.lobbies.start(game, ANN)

    def subject(live: LiveGame) -> object:
        return propose_seat(live, ANN, live.player_of(BOB) or "", (DEE, "Dee"), "group")

    async with service.tables.reading(game) as live:
        with pytest.raises(Refused, match="cannot give another player's seat away alone"):
            subject(live)


async def late(service: TableService) -> int:
    """A recorded game near its end, of Ann and three others whose seats caretakers play."""
    text = (GOLDEN / "18chesapeake-bank-4p.json").read_text("utf-8")
    place = TablePlace(GUILD, CHANNEL, ((ANN, "Ann"), (BOB, "Bob"), (CY, "Cy"), (DEE, "Dee")))
    game = await add_recorded(service.tables, first_moves(text, NEAR_THE_END), place)
    for player in ("p2", "p3", "p4"):
        await let_caretaker_play(service.tables, game, MODERATOR, player)
    return game


@pytest.mark.parametrize("begun", [late, pytest.param(alone, marks=pytest.mark.long)])
async def test_a_game_against_caretakers_is_played_to_its_end_with_a_restart_in_it(
    service: TableService, begun: Callable[[TableService], Awaitable[int]]
) -> None:
    game = await begun(service)
    longest = 0
    for turn in range(2_000):
        await play_caretakers(service.tables, game)
        async with service.tables.reading(game) as live:
            if live.game.over:
                break
            assert live.game.actors() == ("p1",)
            before, choice = live.seq, Request.of(choose(live.game, "p1", 1))
        await service.tables.submit(game, ANN, partial(walked, choice))
        longest = max(longest, await log.last_seq(service.db, game) - before)
        if turn == 3:
            digest = await service.digest(game)
            service = TableService.on(service.db)
            assert await service.digest(game) == digest
    assert (await log.last_row(service.db, game))[0].status == "finished"
    assert 1 < longest <= AT_ONCE + 300


# --- on Discord ------------------------------------------------------------------------------------------------------


async def against_two(sandbox: SandboxBot) -> Seated:
    """A running game of Ann against two computer players, seated with the buttons of the lobby."""
    ann = sandbox.person("Ann")
    await ann.slash(TABLE, "game new", title="18chesapeake")
    for strength in ("Apprentice", "Apprentice", "Superintendent"):
        await ann.press(sandbox.lobby(), f"Computer: {strength}")
    await ann.press(sandbox.lobby(), "One computer less")
    assert "Comet (Apprentice)" in sandbox.lobby().content
    assert "Superintendent" not in sandbox.lobby().content
    await ann.press(sandbox.lobby(), "Start")
    await sandbox.settled()
    row = (await games.games_in(sandbox.db, "running"))[-1]
    assert row.thread_id is not None
    return Seated(sandbox, row.id, row.thread_id)


async def until_mine(sandbox: SandboxBot, game: Seated) -> None:
    """Wait until the computer players have moved, and all is posted."""

    async def hers() -> bool:
        async with sandbox.client.tables.reading(game.number) as live:
            return live.game.over or live.player_of(sandbox.person("Ann").id) in live.game.actors()

    async with asyncio.timeout(PATIENCE):
        while not await hers():  # noqa: ASYNC110 - nobody tells
            await asyncio.sleep(0.02)
    await sandbox.settled()


async def test_a_person_plays_a_first_game_against_two_computers_over_a_restart(sandbox: SandboxBot) -> None:
    game = await against_two(sandbox)
    await until_mine(sandbox, game)
    for turn in range(8):
        await game.press("Ann", "Pass")
        await until_mine(sandbox, game)
        assert any(button.label.startswith("Undo Ann's move") for button in game.turn.buttons)
        if turn == 3:
            digest = await game.digest()
            await sandbox.stop()
            await sandbox.start()
            assert await game.digest() == digest
    found = [line for line in game.lines if line.endswith(CARED)]
    async with sandbox.client.tables.reading(game.number) as live:
        by_itself = [row for row in live.counting if row.kind == "action" and row.user_id is None]
    assert len(found) == len(by_itself) >= 8
    assert "<@-1>" not in "".join(message.content for message in game.messages)


async def test_a_restart_before_it_moves_lets_it_move_once(sandbox: SandboxBot) -> None:
    game = await sandbox.game()
    sandbox.client.caretakers.wake = lambda game_id: None  # type: ignore[method-assign]
    await game.press("Ann", "Pass")
    await game.slash("Ann", "mod replace", player="Bob")
    assert await game.seq() == 2
    await sandbox.stop()
    await sandbox.start()
    await sandbox.learns(lambda: any(CARED in line for line in game.lines))
    await sandbox.settled()
    assert [line for line in game.lines if CARED in line] == [game.moves[-1]]
    assert game.pings("Cy") == 1


async def test_the_table_lets_the_computer_play_for_ann_until_she_presses(sandbox: SandboxBot) -> None:
    game = await sandbox.game()
    await game.slash("Bob", "game agreement", player="Ann", how="caretaker")
    question = next(m for m in game.messages if m.content.startswith("Proposal 1:"))
    await game.press("Cy", "Agree", question)
    await sandbox.learns(lambda: any(CARED in line for line in game.lines))
    await sandbox.settled()
    called = game.pings("Ann")
    await game.press("Bob", "Pass")
    await game.press("Cy", "Pass")
    await sandbox.learns(lambda: sum(CARED in line for line in game.lines) == 2)
    await sandbox.settled()
    assert game.pings("Ann") == called
    await game.slash("Ann", "game back")
    assert await sandbox.world.until(lambda: any("**Ann** is back" in line for line in game.lines))
    await game.press("Bob", "Pass")
    await game.press("Cy", "Pass")
    assert sum(CARED in line for line in game.lines) == 2
    assert game.pings("Ann") == called + 1


async def test_an_order_and_the_computers_answer_each_other_until_the_private_is_sold(
    sandbox: SandboxBot,
) -> None:
    """More moves than are stored at once follow one order."""
    game = await against_two(sandbox)
    await until_mine(sandbox, game)
    await game.slash("Ann", "orders bid", private="CV", maximum=5)
    await sandbox.learns(lambda: any(" wins Cornelius Vanderbilt (CV) for " in line for line in game.lines))
    await until_mine(sandbox, game)
    async with sandbox.client.tables.reading(game.number) as live:
        bids = [row for row in live.counting if '"kind":"bid"' in row.payload]
        passes = [row for row in live.counting if '"kind":"pass"' in row.payload and row.actor == "p2"]
    assert len(bids) > AT_ONCE
    assert len(passes) >= AT_ONCE
    card = next(message for message in game.messages if "bids on CV, the highest $" in message.content)
    assert " times *(automatic)*" in card.content
    posts = [
        message for message in game.messages if message.content.startswith("`") and CARED in message.content
    ]
    assert len(posts) <= 3, "that of the first move, the sale, and what did not fit in there"
