"""Lines of moves in the post of a turn: those that tell something, each once, struck out where undone."""

import json
from dataclasses import replace

from bot.client.thread.turn_lines import TurnLog, line_belongs_to_turn, move_lines_in, strike_out_if_it_fits
from bot.table.move_lines import eventful_lines, move_lines
from bot.table.moves.moves import TypedMove
from bot.table.undo import undo
from engine.core import events as e
from engine.core.events import Event
from engine.core.facts import fact
from engine.core.offers import Offer
from storage import messages
from tests.bot.support.table_service import ANN, TableService

POST = 7


def row(number: int, text: str, message: int | None = None, **more: object) -> messages.OutboxNotice:
    """A row of the outbox: of a post, or one that waits."""
    line = json.dumps({"text": text, "hexes": [], **more})
    return messages.OutboxNotice(number, line, message, number, message is None)


async def recorded(service: TableService, *rows: messages.OutboxNotice, post: int | None = POST) -> TurnLog:
    async with service.tables.reading(await service.game()) as live:
        return TurnLog.of_message(live, rows, post)


async def test_post_shows_old_and_waiting_lines(service: TableService) -> None:
    gone, quiet = replace(row(5, "`5` D."), is_unposted=False), row(6, "`6` Nothing.", quiet=True)
    record = await recorded(
        service, row(2, "`2` A.", POST), row(3, "`3` B.", 8), row(4, "`4` C."), gone, quiet
    )
    assert (record.text, record.new_row_ids) == ("`2` A.\n`4` C.", (4, 6))
    assert record.with_turn_text("Who acts.") == "`2` A.\n`4` C.\n\nWho acts."
    nothing = await recorded(service, row(2, "`2` A."), post=None)
    assert (nothing, nothing.with_turn_text("Who acts.")) == (TurnLog(), "Who acts.")


async def test_turn_has_only_lines_of_moves(service: TableService) -> None:
    record = await recorded(service, row(2, "The game pauses."), row(3, "`3` B."))
    assert (record.text, record.new_row_ids) == ("`3` B.", (3,))
    assert [
        line_belongs_to_turn(row(2, text).payload) for text in ("`2` A.", "`/why` says it.", "A `2` B")
    ] == [
        True,
        False,
        False,
    ]


async def test_president_is_named_once_in_a_turn(service: TableService) -> None:
    record = await recorded(
        service,
        row(2, "`2` **PRR** (Ann) lays #57.\n**PRR** (Ann) pays no dividend."),
        row(3, "`3` **PRR** (Ann) buys a 3-train.\n**B&O** (Bob) discards a 2-train."),
        row(4, "`4` **PRR** (Ann) buys a 3-train.\nD&R closes."),
        row(5, "`5` **PRR** (Cy) lays #8."),
        row(6, "`6` **C&O** (Cy) passes."),
    )
    assert record.text.split("\n") == [
        "`2` **PRR** (Ann) lays #57.",
        "**PRR** pays no dividend.",
        "`3` **PRR** buys a 3-train.",
        "**B&O** (Bob) discards a 2-train.",
        "`4` **PRR** (Ann) buys a 3-train.",
        "D&R closes.",
        "`5` **PRR** (Cy) lays #8.",
        "`6` **C&O** (Cy) passes.",
    ]


async def test_lines_without_room_wait(
    service: TableService,
) -> None:
    record = await recorded(
        service, row(2, "`2` " + "a" * 1500, POST), row(3, "`3` " + "b" * 600), row(4, "`4` C.")
    )
    assert (record.text[:5], len(record.text), record.new_row_ids) == ("`2` a", 1504, ())
    assert record.with_turn_text("x" * 494) is not None
    assert record.with_turn_text("x" * 495) is None
    posted, unposted = row(2, "`2` " + "a" * 1495, POST), row(3, "`3` " + "b" * 96)
    fits = await recorded(service, posted, unposted, row(4, "`4` " + "c" * 395))
    assert (len(fits.text), fits.new_row_ids) == (2000, (3, 4))
    more = await recorded(service, posted, unposted, row(4, "`4` " + "c" * 396), row(5, "`5` D."))
    assert (len(more.text), more.new_row_ids) == (1600, (3,))
    shown = await recorded(service, posted, row(3, "`3` " + "b" * 600, POST), row(4, "`4` C."))
    assert (len(shown.text), shown.new_row_ids) == (2000, ()), "nothing that was shown makes room"


async def test_changed_hexes_leave_out_what_was_undone(
    service: TableService,
) -> None:
    game = await service.game()
    await service.tables.submit(game, ANN, TypedMove("pass"))
    await undo(service.tables, game, ANN)
    async with service.tables.reading(game) as live:
        rows = [
            row(2, "`2` A.", POST, hexes=["B2"]),
            row(3, "`3` B.", POST, hexes=["F2", "G3"]),
            row(4, "`4` C.", POST),
            row(5, "`5` D.", hexes=["H4", "F2"]),
            row(6, "At home.", hexes=["J6"], aside=True),
        ]
        record = TurnLog.of_message(live, rows, POST)
    assert (record.hexes, record.pictured_row_ids) == (("F2", "G3", "H4", "J6"), (3, 5, 6))


def test_lines_are_found_in_a_post() -> None:
    for content, has_buttons, lines in (
        ("`2` A.\nB.\n\nWho acts.", True, "`2` A.\nB."),
        ("`2` A.\n\nWho acts.\n\nMore.", True, "`2` A."),
        ("`2` A.\n\nB.", False, "`2` A.\n\nB."),
        ("-# Back.\n\nWho acts.", True, "-# Back."),
        ("-# Back.", False, "-# Back."),
        ("Who acts.", True, ""),
        ("Who acts.", False, ""),
    ):
        assert move_lines_in(content, has_buttons=has_buttons) == lines


def test_strokes_are_left_out_where_too_long() -> None:
    assert strike_out_if_it_fits(["~~" + "a" * 1996 + "~~"], ["a" * 1996]) == "~~" + "a" * 1996 + "~~"
    assert strike_out_if_it_fits(["~~" + "a" * 1997 + "~~"], ["a" * 1997]) == "a" * 1997


async def test_events_are_said_in_the_order_of_play(service: TableService) -> None:
    done = fact("button.done")
    async with service.tables.reading(await service.game()) as live:

        def said_of(*events: Event, kind: str = "pass") -> tuple[str, ...]:
            return move_lines(events, live.game, Offer(kind, "p1", "PRR", done, ()))

        begins = e.RoundStarted("operating", 1, 2, None)
        declined, sold = e.Passed("PRR", fact("declined.track")), e.SharesSold("p1", "PRR", 1, 25, 30, 25)
        changes = e.PresidentChanged("PRR", "p1", "p2")
        ended, *rest = eventful_lines(said_of(declined, e.TrainExported("2"), begins))
        assert (ended, [line.split()[0] for line in rest]) == ("**PRR** is done.", ["A", "__OR"])
        assert [line.split()[0] for line in said_of(e.Passed("p1"), begins)] == ["**Ann**", "__OR"]
        assert eventful_lines(said_of(declined)) == ()
        ends, pays = (
            e.EndTriggered("bank", "operating", "nothing"),
            e.DividendDecided("PRR", 120, 12, 0, 80, 90),
        )
        first, second = said_of(ends, pays, kind="dividend")
        assert ("pays out" in first, "bank is broken" in second.lower()) == (True, True)
        first, second = said_of(changes, sold, kind="sell_shares")
        assert ("sells" in first, "becomes president" in second) == (True, True)
        other = e.SharesSold("p1", "C&O", 1, 25, 30, 25)
        assert "becomes president" in said_of(changes, other, kind="sell_shares")[0]
