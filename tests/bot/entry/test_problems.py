"""What Discord refuses, in words for people, and when the event socket is connected again."""

from types import SimpleNamespace
from typing import cast

import aiohttp
import discord
import pytest

from bot.client.requests.permission_problems import (
    OUTAGE_TEXT,
    THREAD_PROBLEM,
    DeliveryProblems,
    describe_refusal,
    is_outage,
    is_temporary,
    missing_permissions_text,
)
from bot.client.requests.permissions_and_invitation import (
    GAME_PERMISSIONS,
    PERMISSION_NAMES,
    missing_permissions,
)
from bot.client.requests.retries import DAY_SECONDS, MAX_PAUSE_SECONDS, MAX_SHORT_PAUSES, QuickBackoff
from bot.table.outbox.circuit_breaker import CircuitBreaker, Outage
from bot.workers.errors import TooManyQuestions

HOW = (
    "A member who manages this server can give it to my role: in Server Settings under Roles, or "
    "in the channel's settings under Permissions."
)
POSTING = "View Channel, Send Messages, Send Messages in Threads, Embed Links, Attach Files"


def failure(
    status: int, code: int = 0, kind: str = "application/json", request: str = "GET /"
) -> discord.HTTPException:
    """A request that Discord refuses; an answer of aiohttp needs a connection, so this stands for one."""
    method, path = request.split()
    answer = SimpleNamespace(
        status=status, reason="", headers={"Content-Type": kind}, method=method, url=f"https://discord{path}"
    )
    return discord.HTTPException(cast(aiohttp.ClientResponse, answer), {"code": code, "message": "no" * 200})


@pytest.fixture
def client() -> discord.Client:
    return discord.Client(intents=discord.Intents.none())


NO = "no" * 100


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (OSError("gone"), "I cannot reach Discord right now."),
        (failure(404, 10003), "The channel or thread was deleted."),
        (failure(404, 10008), "The message was deleted."),
        (failure(400, 160006), "There are too many threads here."),
        (failure(404, 10062), "The answer came too late for Discord."),
        (failure(404, 50027), "The answer came too late for Discord."),
        (failure(400, 40060), "The bot has already answered this press."),
        (failure(400, 50083), "The thread is archived. A member who may manage threads must reopen it"),
        (failure(400, 160005), "The thread is locked. A member who may manage threads must unlock it."),
        (failure(500), "Discord has a problem right now (error 500)."),
        (failure(429), "Discord has a problem right now (error 429)."),
        (failure(499), f"Discord refuses this (499, code 0: {NO})."),
        (failure(400, 50035), f"Discord refuses this (400, code 50035: {NO})."),
    ],
)
def test_refusals_in_words(client: discord.Client, error: Exception, words: str) -> None:
    assert describe_refusal(client, error).startswith(words)


@pytest.mark.parametrize(
    ("request_line", "names"),
    [
        ("POST /channels/9/messages/8/threads", "View Channel, Create Public Threads"),
        ("PUT /channels/9/pins/8", "View Channel, Pin Messages"),
        ("POST /channels/9/messages", POSTING),
        ("PATCH /channels/9/messages/8", "View Channel"),
        ("PATCH /channels/9", "View Channel, Manage Threads"),
        ("GET /channels/9/messages", "View Channel, Read Message History"),
        ("DELETE /guilds/9", "View Channel"),
    ],
)
@pytest.mark.parametrize("code", [50001, 50013])
def test_permissions_a_request_needs(
    client: discord.Client, request_line: str, names: str, code: int
) -> None:
    where = "in <#9>" if "channels" in request_line else "here"
    assert describe_refusal(client, failure(403, code, request=request_line)) == (
        f"I lack one of these permissions {where}: {names}. {HOW}"
    )


@pytest.mark.parametrize(
    ("absent", "named"),
    [
        ("", ""),
        ("view_channel send_messages embed_links", "View Channel"),
        ("send_messages attach_files", "Send Messages"),
        ("send_messages read_message_history", "Send Messages, Read Message History"),
        ("send_messages_in_threads embed_links", "Send Messages in Threads"),
        ("create_public_threads embed_links", "Create Public Threads, Embed Links"),
        ("manage_threads pin_messages", ""),
    ],
)
def test_lacking_permissions(absent: str, named: str) -> None:
    held = discord.Permissions.all()
    held.update(**dict.fromkeys(absent.split(), False))
    assert ", ".join(missing_permissions(held)) == named


def test_every_lacking_permission() -> None:
    assert missing_permissions(discord.Permissions.none(), PERMISSION_NAMES) == ["View Channel"]
    assert missing_permissions(discord.Permissions.none(), ("pin_messages",)) == ["Pin Messages"]
    assert len(GAME_PERMISSIONS) == 7


def test_missing_permissions_in_words() -> None:
    assert missing_permissions_text(["A"], None) == f"I need the permission A here. {HOW}"
    assert missing_permissions_text(["A", "B"], 9) == f"I need the permissions A, B in <#9>. {HOW}"


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
def test_outages(status: int, kind: str, outage: bool) -> None:
    assert is_outage(status, kind) == outage
    assert is_temporary(failure(status, kind=kind)) == outage


def test_network_errors_pass_and_bugs_do_not() -> None:
    assert is_temporary(aiohttp.ClientConnectionError())
    assert is_temporary(TimeoutError())
    assert is_temporary(TooManyQuestions("Many games have ended at once."))
    assert not is_temporary(RuntimeError("no such thread"))


def test_delivery_problems() -> None:
    breaker = CircuitBreaker()
    problems = DeliveryProblems(breaker)
    assert problems.problem_of(5) is None
    assert [problems.record(5, "board", "No room.") for _ in range(2)] == [True, False]
    assert problems.problem_of(5) == "No room."
    assert problems.record(5, THREAD_PROBLEM, "It is locked.")
    assert problems.problem_of(6) is None
    assert problems.problem_of(5) == "It is locked.", "what is wrong with the thread comes first"
    breaker.outage = Outage(0, "refuses", "500")
    assert (problems.problem_of(6), problems.problem_of(5)) == (OUTAGE_TEXT, "It is locked.")
    assert [problems.clear(5, THREAD_PROBLEM) for _ in range(2)] == [True, False]
    assert problems.problem_of(5) == "No room."
    assert DeliveryProblems().problem_of(5) is None


def test_socket_reconnects_soon_a_few_times_a_day() -> None:
    now = [0.0]
    again = QuickBackoff(lambda: now[0])
    begun = [again.delay() for _ in range(MAX_SHORT_PAUSES)]
    assert max(begun) == MAX_PAUSE_SECONDS
    now[0] = DAY_SECONDS - 1
    assert max(again.delay() for _ in range(30)) > MAX_PAUSE_SECONDS, "now the usual pauses hold"
    now[0] = DAY_SECONDS
    assert max(again.delay() for _ in range(MAX_SHORT_PAUSES)) <= MAX_PAUSE_SECONDS
