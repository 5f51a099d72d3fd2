"""The post of a turn: edited while the turn continues, left with its lines when it is over, found after a crash."""

from dataclasses import replace
from typing import Any

import discord
import pytest

from bot.client.buttons import BOARD
from bot.client.game_texts import LONGEST_MESSAGE
from bot.client.thread import turns
from bot.client.thread.desired import Waiting
from bot.client.thread.doubts import Doubts
from bot.table.clocks import deadlines
from bot.table.orders.sealed_auction import ASKS
from bot.table.outbox.notices import Line, RoundBegun, TurnChange
from bot.table.pings import pings_of_turn
from storage import messages, outbox
from tests.bot.support.table_service import ANN, BOB, CY, TableService
from tests.bot.support.turns import GOES_ON, PASSES, Shown
from tests.support.noted import noted

LAYS = Line("`7` **PRR** lays #57 on F2.", ("F2",))


@pytest.fixture
async def shown(service: TableService, undrawn: None) -> Shown:
    return await Shown.begun(service)


@pytest.fixture
def unsold(monkeypatch: pytest.MonkeyPatch) -> None:
    """As where nothing is for sale."""
    monkeypatch.setattr(turns, "sale_view", lambda _: None)


def names(files: Any) -> list[str]:
    """The names of files that are uploaded; what a message has already has none."""
    return [file.filename if isinstance(file, discord.File) else "" for file in files]


async def test_whoever_acts_is_pinged_once_by_the_turn_message(shown: Shown) -> None:
    first = shown.turn
    assert first.content.startswith(f"<@{ANN}>: ")
    assert [user.id for user in first.sent["allowed_mentions"].users] == [ANN]
    assert first.sent["silent"] is False
    assert [(file.filename, bool(file.description)) for file in first.sent["files"]] == [("sale.png", True)]
    assert (await shown.row()).turn_message_id == first.id
    assert await shown.post(PASSES)
    assert (shown.turn.id != first.id, first.id in shown.thread.posts) == (True, False)
    assert (shown.turn.sent["silent"], "allowed_mentions" in shown.turn.sent) == (True, False)


async def test_a_server_may_be_pinged_without_a_sound(shown: Shown, monkeypatch: pytest.MonkeyPatch) -> None:
    async def quietly(_: object, server: int) -> bool:
        return server == 1

    monkeypatch.setattr(turns, "pings_quietly", quietly)
    await shown.service.do(shown.game, ANN, "pass")
    await shown.post()
    assert (shown.turn.sent["silent"], len(shown.turn.sent["allowed_mentions"].users)) == (True, 1)


async def test_a_turn_that_continues_is_edited_in_its_post_and_nothing_is_uploaded_again(
    shown: Shown,
) -> None:
    first = shown.turn
    sale = first.attachments[0].id
    await shown.moved()
    assert await shown.post(Line("`7` A."), GOES_ON)
    ((kind, number, parts),) = shown.thread.done
    assert (kind, number, "attachments" in parts) == ("edit", first.id, False), "what is not named stays"
    assert [file.id for file in first.attachments] == [sale]
    assert first.content.startswith("`7` A.\n\n**Ann**: ")
    assert ("`7` A.", first.id, False) in await shown.lines()
    assert await shown.post(GOES_ON)
    assert shown.thread.done == [], "nothing else is to be seen"
    assert await shown.post(GOES_ON)
    assert shown.thread.done == []


@pytest.mark.parametrize("why", ["loud", "passes", "gone"])
async def test_a_turn_continues_in_a_new_post_where_others_must_see_it_or_the_old_one_is_gone(
    shown: Shown, why: str
) -> None:
    await shown.post(Line("`7` A."), GOES_ON)
    first = shown.turn
    if why == "gone":
        await first.delete()
    over = PASSES if why == "passes" else GOES_ON
    assert await shown.post(Line("`8` B.", new_post=why == "loud"), over)
    assert shown.turn.id != first.id
    assert (await shown.row()).turn_message_id == shown.turn.id
    stands = {text: message for text, message, _ in await shown.lines()}
    if why == "gone":
        assert shown.thread.said[0] == "`8` B."
        assert shown.turn.content.startswith("**Ann**: ") or shown.turn.content.startswith(f"<@{ANN}>: ")
    else:
        assert (first.content, first.labels, first.files) == ("`7` A.\n`8` B.", [], [])
        assert stands["`8` B."] == first.id
    assert len([post for post in shown.thread.posts.values() if post.labels]) == 1
    assert await shown.post(Line("`9` C."), GOES_ON)
    assert shown.verbs == ["edit"], "it is known again"


async def test_a_turn_that_was_overtaken_is_not_shown(shown: Shown) -> None:
    rows = await shown.say(GOES_ON)
    await shown.service.do(shown.game, ANN, "pass")
    waiting = await outbox.of_game(shown.service.db, shown.game)
    shown.thread.done.clear()
    assert await shown.turns.show(shown.game, Waiting(rows), Doubts(), shown.mark) is None
    assert (shown.thread.done, await outbox.of_game(shown.service.db, shown.game)) == ([], waiting)


async def test_a_game_that_is_over_has_no_turn_message_and_the_last_one_keeps_its_lines(shown: Shown) -> None:
    first = shown.turn
    await shown.post(Line("`7` A."), GOES_ON)
    for user in (ANN, BOB, CY):
        await shown.service.do(shown.game, user, "end_game")
    assert await shown.post()
    assert list(shown.thread.posts) == [first.id]
    assert (first.labels, first.files, first.content.split("\n")[0]) == ([], [], "`7` A.")
    assert "end" in first.content
    assert (await shown.row()).turn_message_id is None, "should an undo go back, its buttons are posted anew"


async def test_a_turn_message_without_lines_goes_with_the_end(shown: Shown) -> None:
    for user in (ANN, BOB, CY):
        await shown.service.do(shown.game, user, "end_game")
    await shown.tick_off("line")
    assert await shown.post()
    assert shown.thread.said == []
    assert shown.verbs == ["delete"]


@pytest.mark.parametrize("has_lines", [True, False])
async def test_the_table_stands_where_the_turn_ends_in_which_a_round_begins(
    shown: Shown, has_lines: bool
) -> None:
    first = shown.turn
    if has_lines:
        await shown.post(Line("`7` A."), GOES_ON)
    assert await shown.post(RoundBegun("OR 1"), PASSES)
    with_table = [post for post in shown.thread.posts.values() if "table.png" in post.files]
    if has_lines:
        assert with_table == [first]
        assert first.content == "`7` A."
    else:
        assert [post.content for post in with_table] == ["**OR 1**: the table."]
    assert (first.id in shown.thread.posts) == has_lines
    assert not [row for row in await outbox.of_game(shown.service.db, shown.game) if row.kind == "table"]


async def test_lines_for_which_the_post_has_no_room_are_messages_of_their_own_and_together(
    shown: Shown,
) -> None:
    first = shown.turn
    long = "`7` " + "a" * (LONGEST_MESSAGE - 4)
    assert await shown.post(Line(long), Line("`8` B."), Line("`9` C."), Line("`10` ", silent=True), PASSES)
    assert shown.thread.said[:2] == [long, "`8` B.\n`9` C."]
    assert (first.content, len(shown.thread.posts)) == (long, 3)
    second = list(shown.thread.posts)[1]
    assert [row[1:] for row in (await shown.lines())[-4:]] == [
        (first.id, False), (second, False), (second, False), (None, False),
    ]  # fmt: skip


async def test_a_turn_continues_in_a_new_post_where_its_own_has_no_room_for_the_turn_text(
    shown: Shown,
) -> None:
    first = shown.turn
    long = "`7` " + "a" * (LONGEST_MESSAGE - 10)
    assert await shown.post(Line(long), GOES_ON)
    assert shown.verbs == ["edit", "send"]
    assert (first.content, first.labels, shown.turn.id != first.id) == (long, [], True)


async def test_what_is_of_no_move_begins_the_next_post(shown: Shown) -> None:
    first = shown.turn
    await shown.post(Line("`7` A."), Line("Bob is back.", note=True), PASSES)
    assert (first.content, shown.turn.content.split("\n")[:2]) == ("`7` A.", ["-# Bob is back.", ""])
    stands = {text: message for text, message, _ in await shown.lines()}
    assert (stands["`7` A."], stands["Bob is back."]) == (first.id, shown.turn.id)


async def test_what_is_of_no_move_is_a_message_of_its_own_where_the_next_post_has_no_room_for_it(
    shown: Shown,
) -> None:
    long = "Bob is back" + "." * (LONGEST_MESSAGE - 20)
    await shown.post(Line(long, note=True), PASSES)
    before, turn = list(shown.thread.posts.values())[-2:]
    assert (before.content, turn, long in turn.content) == (long, shown.turn, False)


async def test_an_offer_keeps_its_words_and_its_end_begins_the_next_post(shown: Shown) -> None:
    first = shown.turn
    words = first.content
    over = TurnChange((), None, settled="**Bob** agrees.", passes=True)
    await shown.post(Line("`7` Bob agrees."), over)
    assert (first.content, first.labels) == (words, [])
    assert first.embeds[0].description == "**Bob** agrees."
    assert shown.turn.content.startswith("`7` Bob agrees.\n\n")
    assert ("`7` Bob agrees.", shown.turn.id, False) in await shown.lines()
    assert shown.turn.content.count("Bob agrees") == 1, "it is not missed"


@pytest.mark.parametrize("stands", [True, False])
async def test_what_a_post_begins_with_is_not_said_below_to_whoever_has_missed_it(
    shown: Shown, stands: bool
) -> None:
    await shown.service.do(shown.game, ANN, "pass")
    if stands:
        await shown.mark(
            [row for row in await outbox.of_game(shown.service.db, shown.game) if row.kind == "line"],
            shown.turn.id,
        )
    await shown.post(TurnChange((), None, settled="Agreed.", passes=True))
    assert shown.turn.content.startswith(f"`2` **Ann** passes.\n\n<@{BOB}>: ")
    assert shown.turn.content.count("passes.") == 1


async def test_whoever_is_on_turn_reads_what_they_have_missed(shown: Shown) -> None:
    await shown.service.do(shown.game, ANN, "pass")
    await shown.post()
    assert shown.turn.content.startswith(f"<@{BOB}>: ")
    assert "Since your last move" in shown.turn.content
    assert shown.turn.content.count("-# `2` **Ann** passes.") == 1


async def test_the_turn_message_leads_to_the_board_page_where_there_is_one(shown: Shown) -> None:
    assert BOARD not in shown.turn.labels
    shown.service.tables.board.address = "https://board.example"
    await shown.post(GOES_ON)
    assert shown.turn.labels.count(BOARD) == 1


async def test_the_map_is_shown_where_a_turn_has_changed_it_and_stays_with_its_lines(
    shown: Shown, unsold: None
) -> None:
    await shown.post(LAYS, PASSES)
    first = shown.thread.posts[min(shown.thread.posts)]
    assert (first.files, first.content) == (["closeup.png"], LAYS.text)
    second = shown.turn
    assert second.files == []
    await shown.post(Line("`8` **PRR** lays #8 on F4.", ("F4",)), GOES_ON)
    assert (shown.turn.id, second.files) == (second.id, ["closeup.png"])
    (picture,) = second.attachments
    await shown.post(Line("`9` A."), GOES_ON)
    assert second.attachments == [picture]
    await shown.post(Line("`10` **PRR** lays #9 on F6.", ("F6",)), GOES_ON)
    assert names(shown.thread.done[0][2]["attachments"]) == ["closeup.png"]
    (picture,) = second.attachments
    await shown.post(PASSES)
    assert (second.labels, second.attachments) == ([], [picture])


async def test_a_post_that_begins_with_lines_shows_the_map_they_have_changed(
    shown: Shown, unsold: None
) -> None:
    over = TurnChange((), None, settled="**Bob** agrees.", passes=True)
    await shown.post(LAYS, over)
    assert names(shown.turn.sent["files"]) == ["closeup.png"]
    (picture,) = shown.turn.attachments
    await shown.post(Line("`8` A."), GOES_ON)
    assert (shown.verbs, shown.turn.attachments) == (["edit"], [picture])


async def test_what_is_for_sale_is_shown_again_where_it_has_changed(shown: Shown) -> None:
    first = shown.turn
    before = first.attachments[0].id
    await shown.service.db.write(lambda tx: tx.put("""UPDATE messages SET files = '[["sale:another", 1]]'"""))
    await shown.post(GOES_ON)
    assert (shown.turn.id, first.files, first.attachments[0].id != before) == (first.id, ["sale.png"], True)


async def test_open_turns_before_the_newest_are_closed(shown: Shown) -> None:
    """A crash came before it was noted that they are over."""
    first, empty = shown.turn, await shown.thread.send("A turn.")
    await shown.service.do(shown.game, ANN, "pass")
    await shown.post()
    for number in (first.id, empty.id):
        await noted(shown.service.db, shown.game, "turn", number)
    await shown.post(GOES_ON)
    assert (empty.id in shown.thread.posts, first.content) == (False, "`2` **Ann** passes.")
    assert [row.message_id for row in await messages.turns(shown.service.db, shown.game)] == [shown.turn.id]


async def test_lines_that_were_undone_are_struck_out_in_earlier_posts(shown: Shown) -> None:
    first = shown.turn
    await shown.service.do(shown.game, ANN, "pass")
    await shown.post()
    assert first.content == "`2` **Ann** passes."
    other = await shown.thread.send("-# Bob is back.")
    await shown.mark(await shown.say(Line("Bob is back.", note=True)), other.id)
    await shown.service.undo(shown.game, ANN)
    await shown.post()
    assert first.content == "`2` ~~**Ann** passes.~~"
    edited = [number for kind, number, _ in shown.thread.done if kind == "edit"]
    assert edited[0] == first.id
    assert other.id not in edited, "nothing is struck out in it"
    await shown.service.do(shown.game, ANN, "pass")
    await shown.post()
    assert first.id not in [number for _, number, _ in shown.thread.done]
    await first.delete()
    await shown.service.undo(shown.game, ANN)
    assert await shown.post(), "somebody has deleted it"


async def test_lines_that_were_undone_in_the_same_turn_are_struck_out_as_its_post_is_edited(
    shown: Shown,
) -> None:
    await shown.post(Line("`2` A."), GOES_ON)
    await shown.moved()
    await shown.post(Line("`3` B.", back=0), GOES_ON)
    assert (shown.verbs, shown.turn.content.split("\n")[:2]) == (["edit"], ["`2` ~~A.~~", "`3` B."])


@pytest.mark.parametrize(
    ("length", "many", "struck"), [(0, 1, True), (LONGEST_MESSAGE, 1, False), (0, 11, True)]
)
async def test_only_what_a_message_takes_and_the_newest_posts_are_struck_out(
    shown: Shown, length: int, many: int, struck: bool
) -> None:
    await shown.service.do(shown.game, ANN, "pass")
    posts = [await shown.thread.send("") for _ in range(many)]
    rows = await outbox.of_game(shown.service.db, shown.game)
    line = next(row for row in rows if row.kind == "line")
    await shown.mark([line], posts[0].id)
    for post in posts:
        (more,) = await shown.say(Line("`2` Lost." + "x" * length))
        (quiet,) = await shown.say(Line("`2` Nothing.", silent=True))
        await shown.mark([more, quiet], post.id)
    await shown.post()
    await shown.service.undo(shown.game, ANN)
    await shown.post()
    said = [post.content for post in posts]
    assert "Nothing" not in "".join(said)
    assert [bool(text) for text in said] == ([struck] if many == 1 else [False, *[True] * 10])
    if struck:
        assert said[-1].endswith("`2` ~~Lost.~~")


@pytest.mark.parametrize("state", ["lines", "none", "closed", "gone", "never"])
async def test_where_no_move_is_possible_the_buttons_go_and_lines_stay(shown: Shown, state: str) -> None:
    first = shown.turn
    if state in ("lines", "closed"):
        await shown.post(Line("`7` A."), GOES_ON)
    if state == "closed":
        first._take(view=None, content="`7` A.")
    if state == "gone":
        await first.delete()
    if state == "never":
        await shown.service.db.write(lambda tx: tx.put("DELETE FROM messages"))
    shown.thread.done.clear()
    await shown.turns.remove(shown.game)
    verbs = {"lines": ["edit"], "closed": ["edit"], "none": ["delete"]}.get(state, [])
    assert shown.verbs == verbs
    if verbs == ["edit"]:
        assert (first.content, first.labels, first.files) == ("`7` A.", [], [])
    assert (await shown.row()).turn_message_id is None


async def test_the_turn_message_says_what_is_sealed_how_time_runs_and_offers_silence_after_a_reminder(
    shown: Shown, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = shown.turn
    assert "Mute for this turn" not in first.labels
    assert ASKS not in first.content

    async def of_turn(*_: object) -> str:
        return "\nThe clock runs."

    async def sealing(*_: object) -> bool:
        return True

    monkeypatch.setattr(deadlines, "turn_time_line", of_turn)
    monkeypatch.setattr(turns, "is_sealing", sealing)

    async def reminded(*asked: Any) -> Any:
        pings = await pings_of_turn(*asked)
        return pings._replace(named=tuple(replace(one, stage=1) for one in pings.named))

    monkeypatch.setattr(turns, "pings_of_turn", reminded)
    await shown.post(GOES_ON)
    assert first.content.endswith(f"\nThe clock runs.\n{ASKS}")
    assert first.content.startswith(f"<@{ANN}>: ")
    assert first.labels.count("Mute for this turn") == 1
    monkeypatch.setattr(turns, "BUTTONS", len(first.labels) - 1)
    await shown.post(GOES_ON)
    assert "Mute for this turn" not in first.labels
