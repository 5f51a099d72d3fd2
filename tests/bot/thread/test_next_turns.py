"""Who has just moved, and moves next, has the next buttons at once: in the answer to their press."""

from typing import Any

import pytest

from bot.client.places.messages import KeptFile
from bot.client.thread import turns
from bot.table.outbox.notices import Line, RoundBegun, TurnChange
from tests.bot.support.asked import COMMAND
from tests.bot.support.table_service import ANN, BOB, CY, TableService
from tests.bot.support.turns import GOES_ON, PASSES, Press, Shown
from tests.support.noted import noted

LAYS = Line("`7` **PRR** lays #57 on F2.", ("F2",))


@pytest.fixture
async def shown(service: TableService, undrawn: None) -> Shown:
    return await Shown.begun(service)


async def pressed(shown: Shown, user: int = ANN, *, on: Any = None, typed: bool = False) -> Any:
    """What somebody is shown at once who has pressed on the turn message, or another one, or typed."""
    press: Any = Press(user, "Ann", message=None if typed else on or shown.turn)
    if typed:
        press.type = COMMAND
    shown.thread.done.clear()
    await shown.turns.show_next(press, shown.game)
    return press


async def test_the_turn_that_continues_is_shown_in_the_answer_to_the_press_and_not_again(
    shown: Shown,
) -> None:
    (sale,) = shown.turn.attachments
    assert (await pressed(shown)).parts is None, "nothing has happened"
    await shown.moved()
    await shown.say(Line("`7` A."))
    press = await pressed(shown)
    assert press.parts["content"].startswith("`7` A.\n\n**Ann**: ")
    assert press.parts["attachments"] == [KeptFile(sale.id)]
    assert shown.turn.labels[0] == press.parts["view"].children[0].label
    assert (await pressed(shown)).parts is None, "it is shown already"
    await shown.post()
    assert shown.thread.done == [], "it is shown already"
    assert ("`7` A.", shown.turn.id, False) in await shown.lines()


async def test_whoever_presses_elsewhere_or_types_has_the_turn_message_edited_unless_it_is_old(
    shown: Shown, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = shown.turn
    for typed in (True, False):
        await shown.moved()
        other = await shown.thread.send("Another one.")
        press = await pressed(shown, on=other, typed=typed)
        assert press.parts is None
        assert [(kind, number) for kind, number, _ in shown.thread.done] == [("edit", first.id)]
    monkeypatch.setattr(turns, "is_old", lambda _: True)
    await shown.moved()
    assert ((await pressed(shown, typed=True)).parts, shown.thread.done) == (None, [])
    assert (await pressed(shown)).parts is not None, "an answer is no edit"


async def test_what_is_for_sale_is_uploaded_with_the_answer(shown: Shown) -> None:
    """Where it has changed; its files are not known then, and it is uploaded again with the next change alone."""
    await shown.service.db.write(lambda tx: tx.put("UPDATE messages SET files = '[]'"))
    await shown.moved()
    assert [file.filename for file in (await pressed(shown)).parts["attachments"]] == ["sale.png"]
    assert await shown.post()
    assert shown.thread.done == []


async def test_nothing_is_shown_at_once_to_others_or_where_everybody_must_see_it(shown: Shown) -> None:
    await shown.moved()
    assert (await pressed(shown, BOB)).parts is None
    await shown.say(Line("`7` A.", new_post=True))
    assert ((await pressed(shown)).parts, shown.thread.done) == (None, [])


async def test_a_command_that_changes_the_map_is_followed_by_the_edit_that_shows_it(shown: Shown) -> None:
    await shown.moved()
    await shown.say(LAYS)
    assert ((await pressed(shown, typed=True)).parts, shown.thread.done) == (None, [])
    assert (await pressed(shown)).parts["content"].startswith(LAYS.text)


async def test_a_turn_that_has_no_room_is_not_shown_at_once(shown: Shown) -> None:
    await shown.moved()
    await shown.say(Line("`7` " + "a" * 1990))
    assert ((await pressed(shown)).parts, shown.thread.done) == (None, [])


async def test_the_post_of_a_turn_that_a_press_has_ended_shows_its_lines_alone(shown: Shown) -> None:
    first = shown.turn
    await shown.service.do(shown.game, ANN, "pass")
    other = await shown.thread.send("Another one.")
    for elsewhere in ({"on": other}, {"typed": True}):
        press = await pressed(shown, **elsewhere)
        assert (press.parts, shown.thread.done) == (None, [])
    press = await pressed(shown)
    assert press.parts == {"content": "`2` **Ann** passes.", "view": None, "attachments": []}
    await shown.post()
    assert first.id not in [number for _, number, _ in shown.thread.done], "it is shown already"
    assert ("`2` **Ann** passes.", first.id, False) in await shown.lines()


@pytest.mark.parametrize("case", ["same", "new"])
async def test_a_turn_that_is_over_keeps_its_map(
    shown: Shown, case: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(turns, "sale_view", lambda _: None)
    await shown.post(LAYS, GOES_ON)
    (picture,) = shown.turn.attachments
    await shown.service.do(shown.game, ANN, "pass")
    if case == "new":
        await shown.say(Line("`8` **PRR** lays #8 on F4.", ("F4",)))
    parts = (await pressed(shown)).parts
    if case == "same":
        assert parts["attachments"] == [KeptFile(picture.id)]
    else:
        assert [file.filename for file in parts["attachments"]] == ["closeup.png"]


async def test_the_table_is_added_to_a_turn_that_was_ended_at_once_after_the_next_is_posted(
    shown: Shown,
) -> None:
    first = shown.turn
    await shown.service.do(shown.game, ANN, "pass")
    await pressed(shown)
    await shown.post(RoundBegun("OR 1"))
    assert [(kind, number == first.id) for kind, number, _ in shown.thread.done] == [
        ("send", False), ("edit", True),
    ]  # fmt: skip
    assert (first.content, first.files[0]) == ("`2` **Ann** passes.", "table.png")


@pytest.mark.parametrize("case", ["none", "over", "another", "offered", "offer"])
async def test_nothing_is_shown_at_once_with_an_offer_or_no_turn(
    shown: Shown, case: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    message = shown.turn
    await shown.moved()
    if case == "none":
        await shown.service.db.write(lambda tx: tx.put("DELETE FROM messages"))
    elif case == "over":
        for user in (ANN, BOB, CY):
            await shown.service.do(shown.game, user, "end_game")
    elif case == "another":
        await shown.say(PASSES)
        await noted(shown.service.db, shown.game, "turn", shown.turn.id + 1)
    elif case == "offered":
        await shown.say(TurnChange((), None, settled="Agreed."))
    else:
        async with shown.service.tables.reading(shown.game) as live:
            monkeypatch.setattr(type(live.game), "proposal", object())
    assert ((await pressed(shown, on=message)).parts, shown.thread.done) == (None, [])


async def test_what_cannot_be_shown_at_once_is_shown_with_the_move(shown: Shown) -> None:
    await shown.moved()
    message = shown.turn
    await message.delete()
    other = await shown.thread.send("Another one.")
    assert (await pressed(shown, on=other)).parts is None
    assert await shown.post(PASSES)
    assert shown.turn.id != message.id
