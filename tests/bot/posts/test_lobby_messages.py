"""The message of a lobby: posted, changed by the answer to a click on it or by an edit, closed without buttons."""

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from bot.client.game_texts import LONGEST_MESSAGE
from bot.client.posts.lobby_posts import LobbyPosts
from storage import games
from tests.bot.support.asked import Asked
from tests.bot.support.tables import ANN, BOB, CHANNEL, CY, GUILD, Bench
from tests.bot.support.thread import Thread, gone


def some(**values: Any) -> Any:
    """An object with these values."""
    return SimpleNamespace(**values)


class Lobby:
    """A lobby of Ann, Bob and Cy, and the channel in which its message stands; in a forum it is a post."""

    def __init__(self, bench: Bench, number: int) -> None:
        self.bench, self.number, self.channel = bench, number, Thread(CHANNEL)
        self.places: list[tuple[int, int]] = []
        client: Any = some(get_channel=lambda _: None, get_partial_messageable=self._place)
        self.posts = LobbyPosts(client, bench.tables)
        self.listed: list[int] = []
        forums: Any = some(of=lambda _: None, show=self._show)
        self.posts._forums = forums

    def _place(self, number: int, guild_id: int) -> Any:
        self.places.append((number, guild_id))
        return self.channel

    async def _show(self, row: Any) -> None:
        self.listed.append(row.id)

    async def row(self) -> Any:
        return await games.get_game(self.bench.db, self.number)

    async def posted(self) -> Any:
        """Its message."""
        await self.posts.post(await self.bench.lobbies.read(self.number), (BOB,))
        return self.channel.last


@pytest.fixture
async def opened(bench: Bench) -> Lobby:
    return Lobby(bench, await bench.lobby())


async def test_a_lobby_has_a_message_with_buttons_that_pings_those_who_are_meant(opened: Lobby) -> None:
    message = await opened.posted()
    assert [user.id for user in message.sent["allowed_mentions"].users] == [BOB]
    assert ("Ann" in message.content, message.labels[:2]) == (True, ["Join", "Leave"])
    assert ((await opened.row()).thread_id, opened.places[-1]) == (message.id, (CHANNEL, GUILD))


async def test_a_lobby_message_is_changed_by_the_answer_to_a_click_on_it_or_by_an_edit(opened: Lobby) -> None:
    message = await opened.posted()
    await opened.bench.lobbies.leave(opened.number, CY)
    on_it: Any = Asked(BOB, "Bob", message=message)
    await opened.posts.show(opened.number, on_it)
    ((shown,), changed) = on_it.answers, [kind for kind, *_ in opened.channel.done]
    assert (shown.startswith("edit "), "Cy" in shown, changed) == (True, False, ["send"])
    assert on_it.views[0].children[0].label == "Join"
    for other in (Asked(BOB, "Bob", message=some(id=1)), Asked(BOB, "Bob"), None):
        asked: Any = other
        opened.channel.done.clear()
        await opened.posts.show(opened.number, asked)
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
    await opened.posts.show(opened.number, late)
    assert opened.channel.done[-1][:2] == ("edit", message.id)
    await message.delete()
    await opened.posts.show(opened.number)
    assert (await opened.row()).thread_id == opened.channel.last.id != message.id
    assert opened.channel.last.sent["allowed_mentions"].users == []


async def test_a_lobby_that_has_started_meanwhile_is_not_shown_as_open(opened: Lobby) -> None:
    await opened.posted()
    await opened.bench.lobbies.start(opened.number, ANN)
    opened.channel.done.clear()
    await opened.posts.show(opened.number)
    assert opened.channel.done == []


async def test_the_message_of_a_lobby_says_what_became_of_it_and_has_no_buttons_any_more(
    opened: Lobby,
) -> None:
    message = await opened.posted()
    row = await opened.row()
    await opened.posts.close(row, ["Ann", "Bob"], "was closed")
    assert (message.content, message.labels) == ("**Game 1: 18Chesapeake** was closed. Ann and Bob", [])
    assert opened.listed == [1]
    await opened.posts.close(row, ["A" * LONGEST_MESSAGE], "was closed")
    assert len(message.content) == LONGEST_MESSAGE
    await message.delete()
    await opened.posts.close(row, ["Ann", "Bob"], "was closed")
    assert (opened.listed, opened.channel.said) == ([1, 1], [])


async def test_what_is_said_of_a_lobby_is_quiet_and_in_its_channel(opened: Lobby) -> None:
    await opened.posts.tell(await opened.row(), "It is full.")
    assert (opened.channel.said, opened.channel.last.sent["silent"]) == (
        ["**Game 1: 18Chesapeake**: It is full."],
        True,
    )
    assert opened.places == [(CHANNEL, GUILD)]


async def test_a_lobby_in_a_forum_has_its_message_in_its_post_and_one_that_was_never_posted_has_none(
    opened: Lobby,
) -> None:
    forums: Any = some(of=lambda _: some(), show=opened._show)
    opened.posts._forums = forums
    row = replace(await opened.row(), thread_id=9)
    assert (opened.posts._place(row), opened.posts._message(row).id) == (9, 9)
    assert opened.places == [(9, GUILD)]
    row = replace(row, thread_id=None)
    assert (opened.posts._place(row), opened.posts._message(row).id) == (0, 0)
