"""Who becomes due, and how texts are cut."""

from dataclasses import replace

from bot.client.places.threads import thread_name
from bot.client.texts.game_texts import pieces
from bot.table.outbox.notices import END, Line, ThreadPing, TurnChange, end_of_offer, ending, hand_over
from engine.record import load_record
from tests.bot.support.positions import BANKRUPTCY
from tests.bot.support.tables import Bench


def test_rows_read_back_what_was_written() -> None:
    line = Line("**PRR** lays #57 in D2", ("D2",))
    assert Line.read(line.notice().payload) == line
    over = TurnChange(("p2",), "p1")
    assert TurnChange.read(over.notice().payload) == over


def test_only_who_is_new_and_did_not_move_is_due() -> None:
    assert hand_over(("p1",), ("p2",), "p1").fresh == ("p2",)
    assert hand_over(("p1",), ("p1",), "p1").fresh == ()
    assert hand_over(("p1", "p2"), ("p2",), "p1").fresh == ()
    assert hand_over(("p2",), ("p1",), "p1").fresh == ()
    assert hand_over((), ("p1",), None).fresh == ("p1",)


def test_long_texts_are_cut_at_line_ends() -> None:
    text = "\n".join(f"line {number}" for number in range(1000))
    cut = pieces(text)
    assert all(len(piece) <= 2000 for piece in cut)
    assert "\n".join(cut) == text
    assert [len(piece) for piece in pieces("x" * 4001)] == [2000, 2000, 1]


def test_a_name_of_a_thread_fits() -> None:
    assert len(thread_name(1, "18Chesapeake", ["x" * 32] * 6)) == 100


def test_what_a_turn_change_says_of_an_offer_is_read_back() -> None:
    over = TurnChange(("p2",), "p1", asks=True, settled="Bob refuses.", renewed=True)
    assert TurnChange.read(over.notice().payload) == over
    assert not TurnChange.read('{"fresh": [], "mover": null}').asks


def test_a_ping_mentions_users_and_a_role_only_where_there_is_one() -> None:
    assert ThreadPing((11, 12), "Look.").says() == "<@11> <@12>\nLook."
    assert ThreadPing((), "Look.", 7).says() == "<@&7>\nLook."
    ping = ThreadPing((11,), "Look.", 7)
    assert ThreadPing.read(ping.notice().payload) == ping


async def test_the_end_is_posted_with_the_move_that_ends_a_game_alone(bench: Bench) -> None:
    recorded, number = load_record(BANKRUPTCY.read_text("utf-8")), await bench.game()
    game = recorded.begin()
    game.apply_all(recorded.actions)
    async with bench.tables.reading(number) as live:
        over = replace(live, game=game)
        assert ending(live) == []
        assert [row.kind for row in ending(over)] == [END]
        assert ending(replace(over, row=replace(live.row, status="finished"))) == []


def test_the_newest_offer_is_the_one_whose_end_is_posted() -> None:
    settled, asks, neither = (
        TurnChange((), None, settled="Bob refuses."),
        TurnChange((), None, asks=True),
        TurnChange((), None),
    )
    assert end_of_offer([neither, settled, asks]) == "Bob refuses."
    assert end_of_offer([asks, settled]) == ""
    assert end_of_offer([neither]) == ""
