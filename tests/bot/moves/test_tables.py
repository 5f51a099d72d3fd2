"""The table: who may move, what is stored, and that nothing half-done stays."""

import asyncio
import re
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from bot.table import tables
from bot.table.errors import MovedOn, NotStored, NotYours, Refused, Untouched, error_sentence
from bot.table.live import LiveGame
from bot.table.moves.moves import Typed
from bot.table.moves.slot_values import walked
from bot.table.outbox.notices import BOARD, LINE, OPEN, PING, TURN, TurnChange
from bot.table.tables import MoveBuilder, Outcome, Tables
from bot.workers.workers import Workers
from engine.core.offers import Chosen, Domain, Slot
from engine.game import Game
from storage import OutcomeUnknown, Transaction, games, log, outbox
from tests.bot.support.tables import ANN, BOB, CY, Bench
from tests.support.noted import noted
from tests.support.unsent import unsent


async def test_only_routes_are_searched_for_by_a_worker_before_a_typed_move(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    searched: list[str] = []

    async def search(_: LiveGame, __: Game, ___: object, ____: str, typed: Typed) -> MoveBuilder:
        searched.append(typed.kind)
        return typed

    monkeypatch.setattr(tables, "ask_worker", search)
    game = await bench.game()
    await bench.do(game, ANN, "pass")
    with pytest.raises(Refused):
        await bench.do(game, BOB, "run_routes")
    assert searched == ["run_routes"]


async def test_a_move_is_stored_with_its_digest_and_notices(bench: Bench) -> None:
    game = await bench.game()
    woken = bench.woken()
    outcome = await bench.do(game, ANN, "bid", private="D&R", amount=20)
    assert woken == [game]
    rows = await log.read(bench.db, game)
    assert [row.kind for row in rows] == ["start", "action"]
    assert (rows[1].actor, rows[1].user_id) == ("p1", ANN)
    async with bench.tables.reading(game) as live:
        assert rows[1].digest == live.game.digest()
        assert live.as_it_stood(2) == live.game.dump()
    assert outcome == Outcome(2, ("**Ann** wins Delaware and Raritan Canal (D&R) for $20.",), first=2)
    kinds = [row.kind for row in await unsent(bench.db)]
    assert kinds == [OPEN, BOARD, PING, LINE, TURN, LINE, BOARD, TURN]


async def test_of_several_games_of_a_thread_the_one_in_play_counts(bench: Bench) -> None:
    first, later = await bench.lobby(), await bench.lobby()
    await bench.tables.show_in(later, 30)
    await games.abandon(bench.db, later)
    await bench.tables.show_in(first, 30)
    after_a_restart = Tables(bench.db)
    await after_a_restart.open()
    assert after_a_restart.game_in(30) == first


async def test_the_messages_that_show_a_game_in_memory_are_known_as_they_are_stored(bench: Bench) -> None:
    game = await bench.game()
    await bench.digest(game)
    await bench.tables.show_in(game, 30)
    for role, number in (("board", 1), ("turn", 2), ("board", 3)):
        await noted(bench.db, game, role, number)
        bench.tables.posted(game, role, number)
        row = await games.get_game(bench.db, game)
        async with bench.tables.reading(game) as live:
            assert live.row == row
    assert (row.thread_id, row.board_message_id, row.turn_message_id) == (30, 3, 2)


async def test_the_workers_of_the_tables_search_for_their_games_and_learn_which_have_moved_on(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    workers, moved = Workers(), list[int]()
    monkeypatch.setattr(workers, "moved_on", moved.append)
    game, there = await bench.game(), Bench.of(Tables(bench.db, workers=workers))
    async with there.tables.reading(game) as live:
        assert live.workers is workers
    assert moved == []
    await there.do(game, ANN, "pass")
    assert moved == [game]


async def test_somebody_else_and_an_onlooker_are_refused(bench: Bench) -> None:
    game = await bench.game()
    before = await bench.digest(game)
    with pytest.raises(Refused, match="Ann"):
        await bench.do(game, BOB, "bid", private="D&R", amount=20)
    with pytest.raises(NotYours, match="no seat"):
        await bench.do(game, 99, "pass")
    assert await bench.digest(game) == before
    assert await log.last_seq(bench.db, game) == 1


async def test_for_whom_another_has_moved_stays_pinged(bench: Bench) -> None:
    """They know nothing of it."""
    game = await bench.game()
    for user, mover in ((99, None), (BOB, "p2")):
        async with bench.tables.writing(game) as live:
            await bench.tables.make(live, live.game.actors()[0], user, Typed("pass"))
        turns = await outbox.of_kind(bench.db, game, TURN, 0)
        assert TurnChange.read(turns[-1].payload).mover == mover


async def test_a_position_that_is_gone_leads_to_the_turn_message_where_there_is_one(bench: Bench) -> None:
    game = await bench.game()
    async with bench.tables.reading(game) as live:
        with pytest.raises(MovedOn, match=r"Use the buttons of the newest turn message\.$"):
            bench.tables.require_seq(live, live.seq - 1)
    await noted(bench.db, game, "turn", 77)
    await bench.tables.reread(game)
    async with bench.tables.reading(game) as live:
        with pytest.raises(MovedOn, match=r"\[the newest turn message\]\(https://.*/77\)\.$"):
            bench.tables.require_seq(live, live.seq - 1)
        bench.tables.require_seq(live, None)


async def test_nobody_moves_for_another_seat(bench: Bench) -> None:
    game = await bench.game()
    with pytest.raises(NotYours, match="Ann"):
        await bench.tables.submit(
            game, BOB, lambda now, _: walked(now, now.offers("p1")[0], {"private": "D&R"})
        )
    assert await log.last_seq(bench.db, game) == 1


async def test_a_bid_above_cash_says_what_is_allowed_and_cites_the_rule(bench: Bench) -> None:
    game = await bench.game()
    before = await bench.digest(game)
    with pytest.raises(Refused, match=r"\(9\)"):
        await bench.do(game, ANN, "bid", private="CV", amount=9999)
    assert await bench.digest(game) == before


async def test_a_move_is_walked_once(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    """Typing and gate share one walk: the legal values of each slot are worked out once."""
    asked: Counter[str] = Counter()

    def slot(name: str, domain: Callable[[Any], Domain]) -> Slot:
        def counted(chosen: Chosen) -> Domain:
            asked[name] += 1
            return domain(chosen)

        return Slot(name, counted)

    monkeypatch.setattr("engine.play.steps.bid.Slot", slot)
    game = await bench.game()
    await bench.do(game, ANN, "bid", private="cv", amount="205")
    assert asked == {"private": 1, "amount": 1}


async def test_a_stale_request_is_refused(bench: Bench) -> None:
    game = await bench.game()
    await bench.do(game, ANN, "pass", expected=1)
    with pytest.raises(MovedOn):
        await bench.do(game, BOB, "pass", expected=1)
    await bench.do(game, BOB, "pass", expected=2)


async def test_of_two_presses_at_once_exactly_one_wins(bench: Bench) -> None:
    game = await bench.game()
    results = await asyncio.gather(
        *(bench.do(game, ANN, "pass", expected=1) for _ in range(5)), return_exceptions=True
    )
    assert sum(isinstance(result, MovedOn) for result in results) == 4
    assert await log.last_seq(bench.db, game) == 2


async def test_a_game_read_again_is_the_same(bench: Bench) -> None:
    game = await bench.game()
    await bench.do(game, ANN, "bid", private="CV", amount=205)
    await bench.do(game, BOB, "bid", private="D&R", amount=20)
    before = await bench.digest(game)
    assert await Bench.on(bench.db).digest(game) == before


async def test_another_process_that_was_faster_is_noticed(bench: Bench) -> None:
    game = await bench.game()
    other = Bench.on(bench.db)
    await other.digest(game)
    await bench.do(game, ANN, "pass")
    with pytest.raises(MovedOn):
        await other.do(game, ANN, "bid", private="CV", amount=205)
    assert await other.digest(game) == await bench.digest(game)


async def test_undo_goes_back_while_nobody_else_has_acted(bench: Bench) -> None:
    game = await bench.game()
    start = await bench.digest(game)
    await bench.do(game, ANN, "bid", private="CV", amount=205)
    with pytest.raises(Refused, match="Ann's"):
        await bench.undo(game, BOB)
    outcome = await bench.undo(game, ANN)
    assert "undoes" in outcome.lines[0]
    assert await bench.digest(game) == start
    assert await Bench.on(bench.db).digest(game) == start
    await bench.do(game, ANN, "pass")
    await bench.do(game, BOB, "pass")
    with pytest.raises(Refused, match="Bob's"):
        await bench.undo(game, ANN)
    assert await log.last_seq(bench.db, game) == 5


async def test_nothing_is_left_to_undo_at_the_start(bench: Bench) -> None:
    game = await bench.game()
    with pytest.raises(Refused, match="no move"):
        await bench.undo(game, ANN)


async def test_a_full_disk_is_said_and_changes_nothing(bench: Bench) -> None:
    game = await bench.game()
    before = await bench.digest(game)

    async def fill(tx: Transaction) -> None:
        pages = await tx.row("PRAGMA page_count")
        assert pages is not None
        await tx.run(f"PRAGMA max_page_count = {pages[0]}")

    await bench.db.write(fill)
    seen: NotStored | None = None
    for _ in range(200):
        try:
            await bench.pass_on(game)
            before = await bench.digest(game)
        except NotStored as problem:
            seen = problem
            break
    assert seen is not None
    assert "nothing was changed" in str(seen)
    assert await bench.digest(game) == before

    await bench.db.write(lambda tx: tx.run("PRAGMA max_page_count = 1000000"))
    last = await log.last_seq(bench.db, game)
    await bench.pass_on(game)
    assert await log.last_seq(bench.db, game) == last + 1


async def test_where_the_connection_was_lost_the_database_is_asked_whether_it_was_stored(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What nobody knew a moment ago is certain then, and is said without the doubt."""
    game = await bench.game()
    before = await log.last_seq(bench.db, game)

    async def lost(*_: object, **__: object) -> int:
        raise OutcomeUnknown("postgresql://host/games")

    with monkeypatch.context() as patched:
        patched.setattr(log, "commit_move", lost)
        with pytest.raises(NotStored, match="nothing was changed") as error_sentence:
            await bench.pass_on(game)
    assert "not known" not in str(error_sentence.value)
    await bench.pass_on(game)
    assert await log.last_seq(bench.db, game) == before + 1


async def test_an_unforeseen_error_keeps_no_state_and_gets_an_incident_number(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    game = await bench.game()
    before = await bench.digest(game)

    def broken(*_: object) -> list[str]:
        raise ZeroDivisionError

    with monkeypatch.context() as patch:
        patch.setattr("engine.tell.narrate.sentences", broken)
        with pytest.raises(Untouched) as caught:
            await bench.do(game, ANN, "pass")
    sentence = error_sentence(caught.value)
    assert re.search(r"incident [0-9a-f]+\)\. Nothing was changed\. Please try again", sentence)
    assert "ZeroDivisionError" not in sentence
    assert "ZeroDivisionError" in caplog.text
    assert await bench.digest(game) == before
    await bench.do(game, ANN, "pass", expected=1)


async def test_all_players_agree_to_stop_and_the_game_is_scored(bench: Bench) -> None:
    game = await bench.game()
    for person in (BOB, ANN, CY):
        await bench.do(game, person, "end_game")
    async with bench.tables.reading(game) as live:
        assert live.game.over
        assert live.row.status == "finished"
    assert (await unsent(bench.db))[-1].kind == "end"
    with pytest.raises(Refused, match="over"):
        await bench.do(game, ANN, "pass")


async def test_a_bot_that_ends_waits_until_no_game_is_being_changed(bench: Bench) -> None:
    first, second = await bench.game(), await bench.game()
    async with bench.tables.writing(first):
        draining = asyncio.create_task(bench.tables.drain())
        async with bench.tables.reading(second):
            await asyncio.sleep(0)
        for _ in range(5):
            await asyncio.sleep(0)
        assert not draining.done()
    await asyncio.wait_for(draining, 10)
