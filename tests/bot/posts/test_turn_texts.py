"""Texts of messages about a position: turns, missed lines, what-ifs, lobbies; and how they are cut."""

from collections.abc import AsyncIterator
from dataclasses import replace

import pytest

from bot.client import game_texts
from bot.client.features.wizard import offer_menu
from bot.client.game_texts import message_pieces, thread_name
from bot.client.lobby_panel import lobby_text
from bot.client.turn_texts import (
    MAX_MISSED_CHARACTERS,
    MAX_MISSED_LINES,
    MissedLines,
    missed_lines,
    seq_before_missed_lines,
    turn_text,
)
from bot.table.live import LiveGame
from bot.table.markdown import plain_teller
from bot.table.moves.lays import PAGE_SIZE
from bot.table.moves.menus import ActingAs
from bot.table.moves.moves import offer_key
from bot.table.outbox.notices import Line
from engine.core.facts import fact
from engine.core.offers import Offer
from engine.record import read_record
from engine.tell.view_builders import turn_view
from storage import LogRow, Ping
from storage.messages import OutboxNotice
from tests.bot.support.positions import BANKRUPTCY, played_to
from tests.bot.support.sandbox_bot import SandboxBot
from tests.bot.support.table_service import ANN, BOB, CY, GUILD, TableService

AUCTION = "**Auction: Ann** (cash $800, certificates 0/20)"
THREAD, TURN = 2, 77
LINK = f"https://discord.com/channels/{GUILD}/{THREAD}"


@pytest.fixture
async def live(service: TableService) -> AsyncIterator[LiveGame]:
    """A game of Ann, Bob and Cy that has just begun, in its thread."""
    async with service.tables.reading(await service.game()) as found:
        yield replace(found, row=replace(found.row, thread_id=THREAD, turn_message_id=TURN))


# --- turns -----------------------------------------------------------------------------------------------------------


def ping(player: str, user: int, stage: int = 0) -> Ping:
    """A ping that is posted."""
    return Ping(player, user, stage, "pending", "no")


def test_turn_mentions_who_is_pinged(live: LiveGame) -> None:
    assert turn_text(live) == f"**Ann**: {AUCTION}"
    assert turn_text(live, [ping("p1", ANN)]) == f"<@{ANN}>: {AUCTION}"
    others = [ping("p1", ANN, 2), ping("p2", CY, 1), ping("p3", CY), ping("p4", BOB)]
    assert turn_text(live, others).split("\n") == [
        f"<@{ANN}>: {AUCTION}",
        "-# Reminder 2: the others are waiting. `/pings` sets how I ping you.",
        f"Pinged to seal bids: <@{CY}> and <@{BOB}>.",
    ]
    board = replace(live, row=replace(live.row, board_message_id=3))
    assert turn_text(board).endswith(f"\n-# [Map and market]({LINK}/3)")


def test_turn_marks_its_steps(live: LiveGame) -> None:
    head = "**OR 1.1: PRR** (treasury $700, trains none, 3 tokens, next $40, president Ann with $20)"
    for kind, steps in (
        ("lay_tile", "-# **▸ track** · token · run · dividend · trains"),
        ("buy_train", "-# ✓ track · ✓ token · ✓ run · ✓ dividend · **▸ trains**"),
    ):
        text = turn_text(replace(live, game=played_to(kind).play()))
        assert text.split("\n") == [f"**Ann**: {head}", steps]


def test_forced_purchase_says_what_is_missing(live: LiveGame) -> None:
    """Rulebook 11.8: the cheapest train, treasury, the president's cash, and sales that are possible."""
    record = read_record(BANKRUPTCY.read_text("utf-8"))
    game, seen = record.initial_game(), list[tuple[str, ...]]()
    for action in record.actions[:400]:
        game.apply(action)
        if (duty_lines := turn_view(game).duty_lines) and game.proposal is None:
            seen.append(duty_lines)
            assert all(line in turn_text(replace(live, game=game)).split("\n") for line in duty_lines)
    assert all(duty_lines[0].startswith("Must buy a train for $") for duty_lines in seen)
    assert any(len(duty_lines) == 2 and duty_lines[1].startswith("Can sell: ") for duty_lines in seen)


# --- what was missed -------------------------------------------------------------------------------------------------


def since(live: LiveGame, *lines: str, first: int | None = None, seen: bool = False) -> list[str]:
    return turn_text(live, (), MissedLines(lines, first, seen)).split("\n")[1:]


def test_missed_lines_are_small_with_a_link(live: LiveGame) -> None:
    runs, before = "`1` PRR runs.\n-# It pays.", f"-# [Before your turn]({LINK}/33)"
    assert since(live, runs) == ["-# Since your last move:", "-# `1` PRR runs.", "-# It pays."]
    assert since(live, runs, first=33)[0] == f"-# [Since your last move]({LINK}/33):"
    assert since(live, runs, first=33, seen=True) == [before]
    assert since(live, runs, seen=True) == since(live) == []
    assert since(live, "x" * (MAX_MISSED_CHARACTERS + 1), first=33) == [before]


def test_last_of_many_missed_lines_are_repeated(live: LiveGame) -> None:
    head, *rest = since(live, *(f"line {number}" for number in range(MAX_MISSED_LINES + 3)))
    assert head == "-# Since your last move, 3 earlier in `/log`:"
    assert rest == [f"-# line {number}" for number in range(3, MAX_MISSED_LINES + 3)]
    half = "x" * (MAX_MISSED_CHARACTERS // 2)
    assert since(live, "first", half, half)[1:] == [f"-# {half}"] * 2
    assert since(live, "first", f"{half}y", half)[1:] == [f"-# {half}"]


def line(seq: int, message: int | None = None, *, is_unposted: bool = False, **flags: bool) -> OutboxNotice:
    """A line that was posted, or waits."""
    payload = Line(f"line {seq}", **flags).notice().payload  # type: ignore[arg-type]
    return OutboxNotice(seq, payload, message, seq, is_unposted)


def after(live: LiveGame, *actors: str, without: int = 0) -> LiveGame:
    """The game at Ann's turn (p1) with these who have moved; one of the rows may be undone."""
    rows = [LogRow(live.id, n, "action", "{}", "", actor, None, "") for n, actor in enumerate(actors, 1)]
    return replace(live, effective_rows=[row for row in rows if row.seq != without])


@pytest.mark.parametrize(
    ("actors", "posted", "missed", "row"),
    [
        (
            ("p2", "p1", "p2", "p3"),
            (line(1), line(2), line(3, 30), line(4, 31, is_unposted=True)),
            MissedLines(("line 3",), 30),
            2,
        ),
        # What stands in the post right above is not repeated: in that of the last turn, or in the one that ends.
        (("p1", "p2", "p3"), (line(2, 30), line(3, 31)), MissedLines(("line 2",), 30), 1),
        (("p1", "p2", "p2"), (line(2, TURN), line(3, is_unposted=True)), MissedLines(), 1),
        # Nobody misses the first line, nor anything who has made every move.
        (("", "p2"), (line(1), line(2)), MissedLines(("line 2",)), 1),
        (("p1", "p1"), (line(2),), MissedLines(has_moved=True), 1),
        # Neither is what stands in the own post of who keeps moving, or above that.
        (
            ("p1", "p2", "p2", "p2", "p1", "p1"),
            (line(2, 30), line(3, 31), line(4, TURN), line(5), line(6, is_unposted=True)),
            MissedLines(("line 2",), 30, True),
            1,
        ),
        # What is quiet, of no move or the first line was not missed.
        (("p1", "p2", "p2"), (line(2, is_silent=True), line(3, is_unposted=True)), MissedLines(), 1),
        (("p1", "p2", "p2"), (line(2, is_note=True), line(3, is_first=True)), MissedLines(), 1),
    ],
)
def test_missed_is_what_came_since_the_own_move(
    live: LiveGame, actors: tuple[str, ...], posted: tuple[OutboxNotice, ...], missed: MissedLines, row: int
) -> None:
    table = after(live, *actors)
    assert (missed_lines(table, posted), seq_before_missed_lines(table)) == (missed, row)


async def test_turn_message_repeats_what_was_missed(sandbox: SandboxBot) -> None:
    game = await sandbox.game()
    assert not [b for b in game.turn.buttons if b.label.startswith("Undo")]
    await game.press("Ann", "Pass")
    assert [b.label for b in game.turn.buttons if b.label.startswith("Undo")] == ["Undo Ann's move 2"]
    await game.press("Bob", "Pass")
    lines = game.turn.content.split("\n")
    assert lines[0].startswith(sandbox.person("Cy").mention)
    begins = next(number for number, line in enumerate(lines) if "Since your last move" in line)
    first = next(message for message in game.messages if message.content.startswith("`2` "))
    assert lines[begins].endswith(f"/{game.thread}/{first.id}):")
    shown = [line[:7] for line in lines[begins + 1 :]]
    assert shown == ["-# `2` ", "-# [Map"], "the post right above shows the last move"
    assert "begins. Seats in order" not in game.turn.content, "the thread begins with that"
    assert "[Map and market](https://discord.com/channels/" in game.turn.content
    await game.slash("Bob", "undo")
    await game.press("Bob", "Pass")
    text = game.turn.content
    assert (text.count("passes"), "`3`" in text, "undoes" in text) == (1, False, False)


# --- what-ifs --------------------------------------------------------------------------------------------------------


# --- other texts -----------------------------------------------------------------------------------------------------


def test_position_says_round_turn_and_end(live: LiveGame) -> None:
    view = turn_view(live.game)
    head = "**18Chesapeake**, game 1:"
    assert game_texts.position_text(live, view) == f"{head} Auction, phase 2. It is **Ann**'s turn."
    for values, said in (
        ({"actor_names": ("Ann", "Bob")}, "Auction, phase 2. It is **Ann** and **Bob**'s turn."),
        ({"actor_names": (), "ending": "The end: soon."}, "Auction, phase 2. The end: soon."),
        ({"is_over": True}, "over."),
    ):
        assert game_texts.position_text(live, replace(view, **values)) == f"{head} {said}"
    assert game_texts.bank_text(live, view) == "After move 1 the bank has $5600."


async def test_lobby_says_rules_players_and_expiry(service: TableService) -> None:
    lobby = await service.lobbies.read(await service.lobby(((ANN, "Ann"), (BOB, "Bob"))))
    lobby = replace(lobby, row=replace(lobby.row, created_at="2026-01-01T00:00:00+00:00"))
    title, rules, *seats, last = lobby_text(lobby).split("\n")
    assert (title, seats) == ("**Game 1: 18Chesapeake** for 2 to 6 players", ["1. Ann", "2. Bob"])
    assert rules.startswith("Rules: **rulebook**")
    assert last.startswith(
        "-# 2 joined, the seating is drawn at the start. Join below, or with `/game join`."
    )
    assert last.endswith("If it does not start, it closes <t:1769817600:R>.")
    full = lobby_text(
        replace(lobby, has_fixed_order=True, settings_lines=("Sealed.",), users_not_rejoined=(13, 14))
    ).split("\n")
    assert full[2:6] == ["Sealed.", "1. Ann", "2. Bob", "Play again, <@13> and <@14>?"]
    assert full[6].startswith("-# 2 joined, seated in this order. ")
    assert lobby_text(replace(lobby, seats=())).split("\n")[2] == "nobody yet"


def test_text_is_cut_at_line_ends() -> None:
    for text, cut in (
        ("", [""]),
        ("abcde", ["abcde"]),
        ("ab\ncd\nef", ["ab\ncd", "ef"]),
        ("a\nbcdef", ["a", "bcdef"]),
        ("abcdef", ["abcde", "f"]),
        ("\nabcdefg", ["\nabcd", "efg"]),
        ("abcde\nfg", ["abcde", "fg"]),
        ("abcdef\ng", ["abcde", "f\ng"]),
        ("ab\n\n\ncdefg", ["ab\n\n", "cdefg"]),
    ):
        assert message_pieces(text, 5) == cut


def test_thread_is_named_after_game_and_players() -> None:
    assert thread_name(5, "18AL", ["Ann", "Bob"]) == "18AL 5: Ann, Bob"
    assert thread_name(5, "18AL", ["x" * 200]) == "18AL 5: " + "x" * 92


def test_menu_of_many_offers_keeps_passing(live: LiveGame) -> None:
    many = [Offer("sell_shares", "a", f"C{number}", fact("offer.end_game")) for number in range(PAGE_SIZE)]
    passing = Offer("pass", "a", "a", fact("offer.end_game"))
    menu = offer_menu(5, 9, plain_teller(live.game), [*many, passing], ActingAs.MODERATOR)
    assert [option.value for option in menu.options] == [
        f"{offer_key(one)}m" for one in (*many[:-1], passing)
    ]
