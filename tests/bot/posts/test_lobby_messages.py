"""The message of a lobby: posted, changed by the answer to a click on it or by an edit, closed without buttons."""

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from bot.client.features import lobby_messages
from bot.client.game_texts import LONGEST_MESSAGE
from bot.table.errors import Refused
from storage import games
from tests.bot.support.asked import Asked
from tests.bot.support.lobbies import Foyer
from tests.bot.support.table_service import ANN, BOB, CHANNEL, CY, GUILD, TableService
from tests.bot.support.thread import gone


class Lobby(Foyer):
    """A lobby of Ann, Bob and Cy, and the channel in which its message stands."""

    def __init__(self, service: TableService, number: int) -> None:
        super().__init__(service)
        self.service, self.number = service, number
        self.client: Any = self

    async def row(self) -> Any:
        return await games.get_game(self.service.db, self.number)

    async def posted(self) -> Any:
        """Its message."""
        asked: Any = Asked(ANN, "Ann", thread=CHANNEL)
        asked.client = self
        lobby = replace(await self.lobbies.read(self.number), asked=(BOB,))
        await lobby_messages.open_lobby(asked, lobby)
        return self.channel.last

    async def shown(self, asked: Any = None) -> None:
        await lobby_messages.show(self.client, self.number, asked)

    async def closed(self, row: Any, people: list[str]) -> None:
        await lobby_messages.close(self.client, row, people, "was closed")


@pytest.fixture
async def opened(service: TableService) -> Lobby:
    return Lobby(service, await service.lobby())


async def test_a_lobby_has_a_message_with_buttons_that_pings_those_who_are_meant(opened: Lobby) -> None:
    message = await opened.posted()
    assert [user.id for user in message.sent["allowed_mentions"].users] == [BOB]
    assert ("Ann" in message.content, message.labels[:2]) == (True, ["Join", "Leave"])
    assert ((await opened.row()).thread_id, opened.places[-1]) == (message.id, (CHANNEL, GUILD))


async def test_a_lobby_message_that_cannot_be_noted_is_deleted(
    opened: Lobby, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fails(*_: object) -> None:
        raise RuntimeError("nobody foresaw this")

    monkeypatch.setattr(opened.tables, "show_in", fails)
    with pytest.raises(Refused):
        await opened.posted()
    assert opened.channel.said == []


async def test_a_lobby_message_is_changed_by_the_answer_to_a_click_on_it_or_by_an_edit(opened: Lobby) -> None:
    message = await opened.posted()
    await opened.lobbies.leave(opened.number, CY)
    on_it: Any = Asked(BOB, "Bob", message=message)
    await opened.shown(on_it)
    ((shown,), changed) = on_it.answers, [kind for kind, *_ in opened.channel.done]
    assert (shown.startswith("edit "), "Cy" in shown, changed) == (True, False, ["send"])
    assert on_it.views[0].children[0].label == "Join"
    for other in (Asked(BOB, "Bob", message=SimpleNamespace(id=1)), Asked(BOB, "Bob"), None):
        opened.channel.done.clear()
        await opened.shown(other)
        ((kind, number, parts),) = opened.channel.done
        assert (kind, number, parts["content"], other and other.answers) == (
            "edit", message.id, shown.removeprefix("edit "), other and [],
        )  # fmt: skip


async def test_where_a_click_is_answered_too_late_the_message_is_edited_and_where_it_is_gone_posted_again(
    opened: Lobby,
) -> None:
    message = await opened.posted()
    late: Any = Asked(BOB, "Bob", message=message)

    async def edit_message(**_: object) -> None:
        raise gone()

    late.response.edit_message = late.edit_original_response = edit_message
    await opened.shown(late)
    assert opened.channel.done[-1][:2] == ("edit", message.id)
    await message.delete()
    await opened.shown()
    assert (await opened.row()).thread_id == opened.channel.last.id != message.id
    assert opened.channel.last.sent["allowed_mentions"].users == []


async def test_a_lobby_that_has_started_meanwhile_is_not_shown_as_open(opened: Lobby) -> None:
    await opened.posted()
    await opened.lobbies.start(opened.number, ANN)
    opened.channel.done.clear()
    await opened.shown()
    assert opened.channel.done == []


async def test_the_message_of_a_lobby_says_what_became_of_it_and_has_no_buttons_any_more(
    opened: Lobby,
) -> None:
    message = await opened.posted()
    row = await opened.row()
    await opened.closed(row, ["Ann", "Bob"])
    assert (message.content, message.labels) == ("**Game 1: 18Chesapeake** was closed. Ann and Bob", [])
    assert opened.tagged == [1]
    await opened.closed(row, ["A" * LONGEST_MESSAGE])
    assert len(message.content) == LONGEST_MESSAGE
    await message.delete()
    await opened.closed(row, ["Ann", "Bob"])
    assert (opened.tagged, opened.channel.said) == ([1, 1], [])


async def test_what_is_said_of_a_lobby_is_quiet_and_in_its_channel(opened: Lobby) -> None:
    await lobby_messages.tell(opened.client, await opened.row(), "It is full.")
    assert (opened.channel.said, opened.channel.last.sent["silent"]) == (
        ["**Game 1: 18Chesapeake**: It is full."],
        True,
    )
    assert opened.places == [(CHANNEL, GUILD)]


@pytest.mark.parametrize(("thread", "place"), [(9, 9), (None, 0)])
async def test_a_lobby_in_a_forum_has_its_message_in_its_post(
    opened: Lobby, thread: int | None, place: int
) -> None:
    """One that was never posted has none."""
    opened.forum = object()
    await opened.closed(replace(await opened.row(), thread_id=thread), [])
    assert opened.places == [(place, GUILD)]
