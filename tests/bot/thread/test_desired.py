"""Which posts a thread should show where a turn begins, continues, or is over."""

from dataclasses import replace

import discord
import pytest

from bot.client.thread.desired import Post, TurnDraft, WaitingRows, turn_posts
from bot.table.outbox.notices import Line, RoundStart, TurnChange
from storage import OutboxMessage, Ping, Posting
from storage.messages import OutboxNotice, ShownTurns, ThreadMessage
from tests.bot.support.table_service import ANN, BOB, CY, TableService

DRAFT = TurnDraft("Who acts.", discord.ui.View(), None)
GOES_ON, PASSES = TurnChange((), None), TurnChange((), None, is_new_turn=True)
ASKED = TurnChange((), None, outcome="**Bob** agrees.", is_new_turn=True)
A, LONG = Line("`7` A."), Line("`7` " + "a" * 1995)
LAID, BACK = Line("`7` A.", ("F2",)), Line("Bob is back.", is_note=True)
NEXT, LONG_NOTE = Line("`8` B.", is_after_round=True), Line("Bob is back" + "." * 1980, is_note=True)
PINGED = (Ping("p1", ANN, 0, "pending", "pending"),)


def message(number: int, key: str = "", files: str = "[]") -> ThreadMessage:
    """A turn message that is open."""
    return ThreadMessage(number, 1, "turn", key, 100 + number, "", files, "2026")


def waiting(*said: Line | RoundStart | TurnChange) -> tuple[WaitingRows, list[OutboxNotice]]:
    notices: list[OutboxMessage] = [one.notice() for one in said]
    rows = [
        Posting(n, 1, 7, one.kind, one.payload, "2026-01-01", 0, None) for n, one in enumerate(notices, 21)
    ]
    kinds = {kind: [row for row in rows if row.kind == kind] for kind in ("turn", "line", "table")}
    lines = [OutboxNotice(7, row.payload, None, row.id, True) for row in kinds["line"]]
    return WaitingRows(kinds["turn"], kinds["line"], kinds["table"]), lines


def looks(post: Post) -> str:
    """A post in short: which message, what it says, its pictures, and the rows that are ticked off."""
    what = "new" if post.message is None else str(post.message.id)
    pictures = "?" if post.pictures is None else " ".join(one.name for one in post.pictures)
    rows = ",".join(str(row.id) for row in post.rows)
    return f"{post.role} {what}: {(post.text or '')[:20]!r} [{pictures}] {rows}".strip()


WHOLE = r"'`7` A.\n\nWho acts.'"
CASES: dict[str, tuple[list[int], list[Line | RoundStart | TurnChange], list[str]]] = {
    "a turn begins": ([], [PASSES], ["turn new: 'Who acts.' []"]),
    "it goes on": ([1], [A, GOES_ON], [f"turn 1: {WHOLE} [] 21,22"]),
    "it goes on and changes the map": ([1], [LAID, GOES_ON], [f"turn 1: {WHOLE} [map:21] 21,22"]),
    "it passes": ([1], [A, PASSES], ["line 1: '`7` A.' [] 21", "turn new: 'Who acts.' []"]),
    "it passes without a line": ([1], [PASSES], ["turn new: 'Who acts.' []"]),
    "a round begins": (
        [1], [A, RoundStart("OR 1"), PASSES],
        ["line 1: '`7` A.' [] 21", "round new: '**OR 1** begins.' [table:22] 22", "turn new: 'Who acts.' []"],
    ),
    "moves of the new round follow it": (
        [1], [A, NEXT, RoundStart("OR 1", "OR 1 begins.", hexes=("F2",)), PASSES],
        [
            "line 1: '`7` A.' [] 21", "round new: 'OR 1 begins.' [table:23 map:23] 23",
            r"turn new: '`8` B.\n\nWho acts.' [] 22",
        ],
    ),
    "a later move waits with the round": (
        [1], [A, RoundStart("OR 1"), Line("`8` B."), PASSES],
        [
            "line 1: '`7` A.' [] 21", "round new: '**OR 1** begins.' [table:22] 22",
            r"turn new: '`8` B.\n\nWho acts.' [] 23",
        ],
    ),
    "a round begins after no line": (
        [1], [RoundStart("OR 1"), PASSES],
        ["round new: '**OR 1** begins.' [table:21] 21", "turn new: 'Who acts.' []"],
    ),
    "an aside begins the next turn": (
        [1], [A, BACK, PASSES],
        ["line 1: '`7` A.' [] 21", r"turn new: '-# Bob is back.\n\nWho' [] 22"],
    ),
    "an offer is settled": ([1], [A, ASKED], [f"turn new: {WHOLE} [] 21", "line 1: '' [?]"]),
    "a line has no room": (
        [1], [A, LONG, PASSES],
        ["line 1: '`7` A.' [] 21", "line new: '`7` aaaaaaaaaaaaaaaa' [] 22", "turn new: 'Who acts.' []"],
    ),
    "an aside has no room": (
        [1], [A, LONG_NOTE, PASSES],
        ["line 1: '`7` A.' [] 21", "line new: 'Bob is back.........' [] 22", "turn new: 'Who acts.' []"],
    ),
    "a quiet line has no words": (
        [1], [A, Line("`8` ", is_silent=True), PASSES], ["line 1: '`7` A.' [] 21,22", "turn new: 'Who acts.' []"],
    ),
    "nothing is known to stand there": ([], [A, PASSES], ["line new: '`7` A.' [] 21", "turn new: 'Who acts.' []"]),
    "it was shown before a crash": ([1, 2], [A, PASSES], [f"turn 2: {WHOLE} [] 21"]),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES)
async def test_turns_are_shown(service: TableService, case: str) -> None:
    numbers, said, wanted = CASES[case]
    rows, lines = waiting(*said)
    # A turn message that was noted just before a crash shows the newest turn.
    turns = [message(number, "22" if number == 2 else "") for number in numbers]
    settled = "**Bob** agrees." if ASKED in said else ""
    async with service.tables.reading(await service.game()) as live:
        posts = turn_posts(live, ShownTurns(turns, lines, []), rows, DRAFT, settled)
    assert [looks(post) for post in posts] == wanted


@pytest.mark.parametrize(("line", "pinged"), [(replace(A, is_new_post=True), ()), (A, PINGED)])
async def test_turn_others_must_see_is_renewed(
    service: TableService, line: Line, pinged: tuple[Ping, ...]
) -> None:
    rows, lines = waiting(line, GOES_ON)
    async with service.tables.reading(await service.game()) as live:
        shown, draft = ShownTurns([message(1)], lines, []), DRAFT._replace(pinged=pinged)
        first, second = turn_posts(live, shown, rows, draft)
    assert (first.text, second.message, second.key, second.pinged) == ("`7` A.", None, "22", pinged)
    assert second.users == tuple(one.user_id for one in pinged)


async def test_finished_game_has_no_turn(service: TableService) -> None:
    game = await service.game()
    for user in (ANN, BOB, CY):
        await service.do(game, user, "end_game")
    rows, lines = waiting(A, PASSES)
    async with service.tables.reading(game) as live:
        assert [
            looks(post) for post in turn_posts(live, ShownTurns([message(1)], lines, []), rows, DRAFT)
        ] == ["line 1: '`7` A.' [] 21"]


async def test_table_shown_before_a_crash_stays(service: TableService) -> None:
    rows, lines = waiting(A, PASSES)
    with_table = message(1, files='[["table:9", 5], ["table:9", 6]]')
    async with service.tables.reading(await service.game()) as live:
        first, _ = turn_posts(live, ShownTurns([with_table], lines, []), rows, DRAFT)
    assert looks(first) == "line 1: '`7` A.' [table:9] 21"
