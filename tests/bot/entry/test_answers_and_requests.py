"""How requests to Discord and answers to people went: what is refused in words, held back, counted, and said late."""

import asyncio
from types import SimpleNamespace
from typing import Any

import aiohttp
import discord
import pytest

from bot.client.entry import replies
from bot.client.requests.permission_problems import (
    OUTAGE,
    PLACE,
    DeliveryProblems,
    in_words,
    is_outage,
    is_passing,
    missing,
)
from bot.client.requests.permissions_and_invitation import PERMISSION_NAMES, lacking
from bot.client.requests.retries import DAY, LONGEST, OFTEN, SoonAgain, reconnect_soon
from bot.table.errors import Refused, Stored


def some(**values: Any) -> Any:
    """An object with these values."""
    return SimpleNamespace(**values)


def thread(*, locked: bool = False) -> Any:
    found = object.__new__(discord.Thread)
    found.locked = locked
    return found


def failure(
    status: int, code: int = 0, kind: str = "application/json", method: str = "GET", url: str = ""
) -> Any:
    """What Discord refuses."""
    response: Any = some(status=status, reason="", headers={"Content-Type": kind}, method=method, url=url)
    return discord.HTTPException(response, {"code": code, "message": "no"})


class Client:
    """A client that knows these channels."""

    def __init__(self, **channels: Any) -> None:
        self._channels = channels

    def get_channel(self, number: int) -> Any:
        return self._channels.get(f"c{number}")


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (OSError("gone"), "Discord cannot be reached just now."),
        (failure(404, 10003), "The channel or thread is gone."),
        (failure(404, 10008), "The message is gone."),
        (
            failure(400, 160006),
            "There are too many threads here. A member who may manage threads archives some.",
        ),
        (failure(404, 10062), "Discord waited for the answer no longer."),
        (failure(404, 50027), "Discord waited for the answer no longer."),
        (failure(400, 40060), "Discord has had an answer already."),
        (
            failure(400, 50083),
            "The thread is archived. A member who may manage threads opens it again, and unlocks it if it is locked.",
        ),
        (failure(400, 160005), "The thread is locked. A member who may manage threads unlocks it."),
        (failure(500), "Discord is in trouble just now (it answers 500)."),
        (failure(429), "Discord is in trouble just now (it answers 429)."),
        (failure(499), "Discord refuses it (499, code 0: no)."),
        (failure(400, 50035), "Discord refuses it (400, code 50035: no)."),
    ],
)
def test_why_discord_did_not_do_something_is_said_in_words(error: Exception, words: str) -> None:
    client: Any = Client()
    assert in_words(client, error) == words


def test_of_a_long_refusal_the_beginning_is_repeated() -> None:
    client: Any = Client()
    refused = failure(400, 50035)
    refused.text = "x" * 300
    assert in_words(client, refused) == f"Discord refuses it (400, code 50035: {'x' * 200})."


@pytest.mark.parametrize(
    ("method", "path", "names"),
    [
        ("POST", "/channels/9/messages/8/threads", "View Channel, Create Public Threads"),
        ("PUT", "/channels/9/pins/8", "View Channel, Pin Messages"),
        (
            "POST",
            "/channels/9/messages",
            "View Channel, Send Messages, Send Messages in Threads, Embed Links, Attach Files",
        ),
        ("PATCH", "/channels/9/messages/8", "View Channel"),
        ("PATCH", "/channels/9", "View Channel, Manage Threads"),
        ("GET", "/channels/9/messages", "View Channel, Read Message History"),
        ("DELETE", "/guilds/9", "View Channel"),
    ],
)
@pytest.mark.parametrize("code", [50001, 50013])
def test_where_it_is_not_known_which_permission_is_missing_those_it_needs_are_named(
    method: str, path: str, names: str, code: int
) -> None:
    client: Any = Client()
    where = "in <#9>" if "channels" in path else "here"
    said = in_words(client, failure(403, code, method=method, url=f"https://discord.com/api/v10{path}"))
    assert said.startswith(f"I may not do that {where}: one of these permissions is missing: {names}.")


def test_in_a_locked_thread_that_is_the_reason() -> None:
    client: Any = Client(c9=thread(locked=True))
    refused = failure(403, 50013, method="POST", url="https://discord.com/api/v10/channels/9/messages")
    assert in_words(client, refused).startswith("The thread is locked.")


class KnownThread(discord.Thread):
    """A thread in which we have these permissions, as those of its channel are."""

    def __init__(self, held: discord.Permissions) -> None:
        self.held, self.locked, self.guild = held, False, some(me=None)

    def permissions_for(self, obj: Any, /) -> discord.Permissions:
        return self.held


class KnownChannel(discord.TextChannel):
    """A channel in which we have these permissions."""

    def __init__(self, held: discord.Permissions) -> None:
        self.held, self.guild = held, some(me=None)

    def permissions_for(self, obj: Any, /) -> discord.Permissions:
        return self.held


@pytest.mark.parametrize(
    ("kind", "name"), [(KnownThread, "Send Messages in Threads"), (KnownChannel, "Send Messages")]
)
def test_in_a_known_channel_or_thread_only_what_counts_there_is_named(kind: Any, name: str) -> None:
    held = discord.Permissions.all()
    held.update(send_messages=False, send_messages_in_threads=False)
    client: Any = Client(c9=kind(held))
    refused = failure(403, 50013, method="POST", url="https://discord.com/api/v10/channels/9/messages")
    assert in_words(client, refused) == (
        f"I may not do that in <#9>: the permission {name} is missing. A member who manages this server gives what is "
        "missing to my role under Server Settings, Roles, or in the settings of the channel under Permissions."
    )


@pytest.mark.parametrize(
    ("absent", "named"),
    [
        ("view_channel", "View Channel"),
        ("send_messages", "Send Messages, Create Public Threads"),
        ("send_messages_in_threads", "Create Public Threads, Send Messages in Threads"),
        ("embed_links", "Create Public Threads, Embed Links"),
    ],
)
def test_what_discord_takes_away_with_another_permission_is_not_named(absent: str, named: str) -> None:
    held = discord.Permissions.all()
    missing_too = {"create_public_threads": False, "attach_files": absent == "embed_links"}
    held.update(**{absent: False, **missing_too})
    assert ", ".join(lacking(held)) == named
    assert lacking(held, ("manage_threads", "pin_messages")) == []
    held.update(view_channel=False, manage_threads=False, pin_messages=False)
    assert lacking(held, tuple(PERMISSION_NAMES)) == ["View Channel"]


def test_several_permissions_that_are_missing_here_are_named_in_the_plural() -> None:
    assert missing(["View Channel", "Embed Links"], None) == (
        "I may not do that here: the permissions View Channel, Embed Links are missing. A member who manages this "
        "server gives what is missing to my role under Server Settings, Roles, or in the settings of the channel "
        "under Permissions."
    )


@pytest.mark.parametrize(
    ("status", "kind", "outage"),
    [
        (403, "application/json", False),
        (403, "text/html", True),
        (401, "application/json", True),
        (429, "application/json", True),
        (500, "application/json", True),
        (599, "text/html", True),
        (404, "text/html", False),
        (499, "application/json", False),
    ],
)
def test_an_answer_that_says_nothing_of_what_was_asked_is_an_outage(
    status: int, kind: str, outage: bool
) -> None:
    assert is_outage(status, kind) == outage
    assert is_passing(failure(status, kind=kind)) == outage


def test_the_network_says_nothing_of_a_post_and_an_error_of_ours_does() -> None:
    assert is_passing(aiohttp.ClientConnectionError())
    assert is_passing(TimeoutError())
    assert not is_passing(RuntimeError("no such thread"))


# --- requests --------------------------------------------------------------------------------------------------------


def test_what_is_wrong_with_the_thread_is_said_before_what_is_wrong_with_a_post() -> None:
    breaker: Any = some(is_open=False)
    problems = DeliveryProblems(breaker)
    assert problems.of(5) is None
    assert problems.note(5, "board", "No room.")
    assert not problems.note(5, "board", "No room.")
    assert problems.of(5) == "No room."
    assert problems.note(5, PLACE, "It is locked.")
    assert problems.of(5) == "It is locked."
    assert problems.of(6) is None
    breaker.is_open = True
    assert (problems.of(6), problems.of(5)) == (OUTAGE, "It is locked.")
    assert problems.clear(5, PLACE)
    assert not problems.clear(5, PLACE)
    assert problems.of(5) == "No room."
    assert DeliveryProblems().of(5) is None


def test_the_socket_is_connected_again_soon_but_not_all_day(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [0.0]
    monkeypatch.setattr("bot.client.requests.retries.ExponentialBackoff.delay", lambda _: 500.0)
    again = SoonAgain(lambda: now[0])
    assert [again.delay() for _ in range(OFTEN)] == [LONGEST] * OFTEN
    assert again.delay() == 500
    now[0] = DAY - 1
    assert again.delay() == 500
    now[0] = DAY
    assert again.delay() == LONGEST
    monkeypatch.setattr("bot.client.requests.retries.ExponentialBackoff.delay", lambda _: 2.0)
    assert again.delay() == 2


def test_each_attempt_to_connect_counts_for_a_day_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [0.0]
    monkeypatch.setattr("bot.client.requests.retries.ExponentialBackoff.delay", lambda _: 500.0)
    again = SoonAgain(lambda: now[0])
    again.delay()
    now[0] = 1
    assert [again.delay() for _ in range(OFTEN)] == [LONGEST] * (OFTEN - 1) + [500]
    now[0] = DAY
    assert [again.delay() for _ in range(3)] == [LONGEST, 500, 500]


def test_only_a_shard_that_is_there_is_connected_again_soon() -> None:
    shard = some(_parent=some(_backoff=None))
    client: Any = some(get_shard={3: shard}.get)
    reconnect_soon(client, 4)
    assert shard._parent._backoff is None
    reconnect_soon(client, 3)
    assert isinstance(shard._parent._backoff, SoonAgain)


# --- answers ---------------------------------------------------------------------------------------------------------


class Answered:
    """An interaction that takes answers."""

    def __init__(self, *failures: Exception) -> None:
        self.failures = list(failures)
        self.done = False
        self.first: list[dict[str, Any]] = []
        self.followups: list[dict[str, Any]] = []
        self.edits: list[dict[str, Any]] = []
        self.deferred = 0
        self.extras: dict[str, Any] = {}
        self.client: Any = Client()
        self.message: Any = None
        self.type = discord.InteractionType.component
        self.response = some(
            is_done=lambda: self.done, send_message=self._send, defer=self._defer, edit_message=self._send
        )
        self.followup = some(send=self._follow)

    async def _send(self, **parts: Any) -> None:
        if self.failures:
            raise self.failures.pop(0)
        self.first.append(parts)
        self.done = True

    async def _defer(self, **_: Any) -> None:
        if self.failures:
            raise self.failures.pop(0)
        self.deferred += 1
        self.done = True

    async def _follow(self, *_: Any, **parts: Any) -> Any:
        self.followups.append(parts)
        return some(delete=self._delete)

    async def _delete(self) -> None:
        self.followups.append({"deleted": True})

    async def edit_original_response(self, **parts: Any) -> None:
        self.edits.append(parts)


async def test_a_long_answer_comes_in_pieces_the_last_with_its_pictures() -> None:
    asked: Any = Answered()
    assert await replies.reply(asked, "x" * 2000 + "\nrest", files=["file"])  # type: ignore[list-item]
    assert asked.first == [{"ephemeral": True, "content": "x" * 2000}]
    assert asked.followups == [{"ephemeral": True, "content": "rest", "files": ["file"], "embeds": []}]


async def test_an_answer_without_words_has_no_content_and_its_buttons() -> None:
    asked: Any = Answered()
    view: Any = object()
    await replies.reply(asked, "", view=view)
    assert asked.first == [{"ephemeral": True, "content": None, "files": [], "embeds": [], "view": view}]


async def test_a_first_answer_that_was_taken_after_all_is_followed() -> None:
    asked: Any = Answered(failure(400, replies.ANSWERED))
    assert await replies.reply(asked, "Done.")
    assert [one["content"] for one in asked.followups] == ["Done."]
    with pytest.raises(discord.HTTPException):
        await replies.reply(Answered(failure(400, 50035)), "Done.")  # type: ignore[arg-type]


async def test_an_answer_that_comes_too_late_is_no_failure() -> None:
    late = discord.NotFound(failure(404, 10062).response, {"code": 10062, "message": ""})
    asked: Any = Answered(late)
    assert not await replies.reply(asked, "Done.")


async def test_what_went_wrong_after_a_move_was_stored_says_that_it_is_done() -> None:
    asked: Any = Answered()
    try:
        with replies.stored_but_not_shown("Your move is stored.", "It is shown soon."):
            raise failure(404, 10008)
    except Stored as error:
        await replies.report_error(asked, error)
    assert asked.first[0]["content"] == (
        "Your move is stored. This is done, but not all of it could be shown: The message is gone. It is shown soon."
    )
    alone: Any = Answered()
    try:
        with replies.stored_but_not_shown("Your move is stored."):
            raise Refused("Not here.")
    except Stored as error:
        await replies.report_error(alone, error)
    assert alone.first[0]["content"] == (
        "Your move is stored. This is done, but not all of it could be shown: Not here."
    )
    own: Any = Answered()
    await replies.report_error(own, failure(404, 10003))
    await replies.report_error(own, Refused("Not now."))
    assert own.first[0]["content"] == "The channel or thread is gone."
    assert own.followups[0]["content"] == "Not now."
    await replies.report_error(Answered(OSError()), Refused("Not now."))  # type: ignore[arg-type]


async def test_what_was_stored_stays_so_however_much_follows() -> None:
    inner = Stored("This is stored.", "It is seen later.")
    assert str(inner) == "This is stored."
    with pytest.raises(Stored) as found, replies.stored_but_not_shown("Something else."):
        raise inner
    assert found.value is inner


async def test_a_click_is_edited_in_place_also_where_it_was_acknowledged() -> None:
    asked: Any = Answered()
    await replies.edit_pressed(asked, content="a")
    await replies.edit_pressed(asked, content="b")
    assert (asked.first, asked.edits) == ([{"content": "a"}], [{"content": "b"}])
    taken: Any = Answered(failure(400, replies.ANSWERED))
    await replies.edit_pressed(taken, content="a")
    assert taken.edits == [{"content": "a"}]
    with pytest.raises(discord.HTTPException):
        await replies.edit_pressed(Answered(failure(400, 50035)), content="a")  # type: ignore[arg-type]


async def test_a_click_is_acknowledged_when_its_work_is_done_and_once() -> None:
    asked: Any = Answered()
    await replies.ack(asked)
    assert asked.deferred == 0, "nobody has thought about it"
    await replies.defer(asked)
    await replies.ack(asked)
    await replies.ack(asked)
    assert asked.deferred == 1
    said: Any = Answered()
    replies.ack_later(said)
    await replies.reply(said, "Done.")
    await replies.ack(said)
    assert said.deferred == 0
    late: Any = Answered(failure(404, 10062))
    replies.ack_later(late)
    await replies.ack(late)


async def test_a_click_whose_work_takes_long_says_so_until_it_is_done(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(replies, "ACK_AFTER", 0)
    asked: Any = Answered()
    replies.ack_later(asked)
    replies.ack_later(asked)
    for _ in range(20):
        await asyncio.sleep(0)
    assert (asked.deferred, asked.followups) == (1, [{"ephemeral": True, "wait": True}])
    await replies.ack(asked)
    assert asked.followups[1:] == [{"deleted": True}]
    quick: Any = Answered()
    replies.ack_later(quick)
    await replies.ack(quick)
    for _ in range(20):
        await asyncio.sleep(0)
    assert (quick.deferred, quick.followups) == (1, [])
    failing: Any = Answered(failure(404, 10062))
    replies.ack_later(failing)
    for _ in range(20):
        await asyncio.sleep(0)
    await replies.ack(failing)
    assert failing.followups == []


async def test_a_command_is_answered_by_thinking_and_a_click_later() -> None:
    typed: Any = Answered()
    typed.type = discord.InteractionType.application_command
    await replies.defer(typed)
    assert (typed.deferred, typed.extras) == (1, {})
    for kind in (discord.InteractionType.component, discord.InteractionType.modal_submit):
        clicked: Any = Answered()
        clicked.type = kind
        await replies.defer(clicked)
        assert (clicked.deferred, len(clicked.extras)) == (0, 1)
        await replies.ack(clicked)


def test_a_message_that_one_person_sees_is_private() -> None:
    for message, private in (
        (None, False),
        (some(flags=some(ephemeral=True)), True),
        (some(flags=some(ephemeral=False)), False),
    ):
        asked: Any = some(message=message)
        assert replies.is_private(asked) == private
