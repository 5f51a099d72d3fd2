"""Log lines: what they are about, in both forms, and that no secret is ever among them."""

import io
import json
import logging
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.sandbox.guild import seed
from bot.sandbox.http import requests
from bot.table.errors import Untouched, error_sentence
from bot.table.log_context import bind
from bot.table.rate_limits import RateLimiter
from bot.tools.logs import JsonLines, Lines, log_lines, without_secrets
from storage import StorageError, StorageFull
from tests.bot.support.sandbox_bot import SandboxBot
from tests.bot.support.waiting import handed_over

NAMES = ("Ann", "Bob", "Cy", "Dee", "Eve", "Fay")
TOKEN = "MTgzMA.sentinel.not-to-be-seen"


@pytest.fixture
def written() -> Iterator[io.StringIO]:
    """What is logged, at whatever time; afterwards the root of all loggers is restored."""
    stream = io.StringIO()
    logger = logging.getLogger()
    before, level = logger.handlers[:], logger.level
    yield stream
    logger.handlers[:] = before
    logger.setLevel(level)


def record(message: str, **extra: object) -> logging.LogRecord:
    """A record as loggers make it."""
    return logging.getLogger("test").makeRecord(
        "test", logging.WARNING, "", 0, message, (), None, extra=extra
    )


async def test_a_line_says_what_it_is_about() -> None:
    bind(game=7, server=None)
    line = record("stored", seq=12)
    assert Lines().format(line).endswith("WARNING test: stored game=7 seq=12")
    found = json.loads(JsonLines().format(line))
    assert (found["message"], found["level"], found["game"], found["seq"]) == ("stored", "WARNING", 7, 12)
    assert "server" not in found
    assert found["time"].endswith("+00:00")


async def test_an_exception_stays_on_the_line_of_its_object() -> None:
    try:
        raise ValueError("two\nlines")
    except ValueError:
        line = logging.getLogger("test").makeRecord(
            "test", logging.ERROR, "", 0, "failed", (), sys.exc_info()
        )
    text = JsonLines().format(line)
    assert "\n" not in text
    assert "ValueError: two\nlines" in json.loads(text)["exception"]


async def test_an_incident_is_found_in_the_log_by_its_number(caplog: pytest.LogCaptureFixture) -> None:
    sentence = error_sentence(ZeroDivisionError("never"))
    line = caplog.records[-1]
    found = json.loads(JsonLines().format(line))
    assert f"incident {found['incident']}" in sentence
    assert re.fullmatch("[0-9a-f]{6}", found["incident"])
    assert "ZeroDivisionError: never" in found["exception"]
    error_sentence(Untouched("without a cause"))
    assert "Untouched: without a cause" in JsonLines().format(caplog.records[-1])
    caused = Untouched()
    caused.__cause__ = ZeroDivisionError("under it")
    error_sentence(caused)
    exception = json.loads(JsonLines().format(caplog.records[-1]))["exception"]
    assert "ZeroDivisionError: under it" in exception
    assert "Untouched" not in exception, "what went wrong is logged, not what was made of it"


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        ("postgresql://bot:pa$$w:rd@db.example/games?x=1", "postgresql://bot:***@db.example/games?x=1"),
        ("postgresql://db.example:5432/games", "postgresql://db.example:5432/games"),
        (f"Bot {TOKEN}", "Bot ***"),
        (
            f"POST https://discord.com/api/v10/webhooks/123/{'aW50' * 9}",
            "POST https://discord.com/api/v10/webhooks/123/***",
        ),
        (f"/interactions/123/{'aW50' * 9}/callback", "/interactions/123/***/callback"),
        ("{'op': 2, 'd': {'token': 'a.b-c_d', 'x': 1}}", "{'op': 2, 'd': {'token': '***', 'x': 1}}"),
        ('{\\"token\\":\\"a.b-c_d\\"}', '{\\"token\\":\\"***\\"}'),
        ("GET /channels/123/messages", "GET /channels/123/messages"),
        ("GET /guilds/7/members/123 ended", "GET /guilds/7/members/*** ended"),
    ],
)
def test_secrets_are_hidden(text: str, seen: str) -> None:
    assert without_secrets(text, TOKEN) == seen


@pytest.mark.parametrize("form", ["text", "json"])
async def test_the_token_is_never_logged(
    form: str, written: io.StringIO, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Everything is logged, of every library, while a bot connects, plays and is refused: raw and as written."""
    for module in (seed, requests):
        monkeypatch.setattr(module, "DUMMY_TOKEN", TOKEN)
    log_lines("DEBUG", "json" if form == "json" else "text", "another secret", to=written)
    async with SandboxBot.opened(tmp_path / "games.db", pace=RateLimiter()) as sandbox:
        assert sandbox.server.token == TOKEN
        game = await sandbox.game()
        await game.press("Ann", "Pass")
        await game.press("Ann", "Pass")
        await sandbox.server.gateway.drop()
        await game.slash("Bob", "status")
    text = written.getvalue()
    assert "discord.http" in text
    assert "discord.gateway" in text
    assert TOKEN not in text
    assert [token for token in sandbox.world.interactions if token in text] == []
    if form == "json":
        lines = [json.loads(line) for line in text.splitlines()]
        assert {"game": game.number, "seq": 2}.items() <= next(
            line for line in lines if line["message"] == "stored action"
        ).items()


async def test_no_user_reads_where_files_lie(caplog: pytest.LogCaptureFixture) -> None:
    sentence = error_sentence(
        StorageFull("There is no room left to write to /srv/bot/games.db; nothing was changed. (SQLite: x)")
    )
    assert "no room left" in sentence
    assert "/srv" not in sentence
    assert "SQLite" not in sentence
    assert "/srv/bot/games.db" in caplog.text
    assert "/srv" not in error_sentence(StorageError("The database /srv/games.db cannot be opened."))


async def test_no_account_is_logged(patient: SandboxBot, written: io.StringIO) -> None:
    """Of players who take no direct messages, cannot be written to, may have left, and act where nobody can look."""
    log_lines("INFO", "text", to=written)
    for name in ("Ann", "Bob", "Cy"):
        await patient.person(name).slash("table", "pings", how="direct")
    patient.person("Bob").user.closed = True
    clock, game = await handed_over(patient)
    faults = patient.server.faults
    faults.fail("/members/", status=403, times=1000)
    await clock.on(seconds=30)
    await game.press("Bob", "Pass")
    faults.fail("POST /api/v10/users/@me/channels", status=400, times=1000)
    await clock.on(seconds=30)
    faults.clear()
    faults.rate_limit("/members/", times=1)
    await game.press("Cy", "Pass")
    await clock.on(days=2)
    await patient.client.note_seen(99, patient.person("Ann").id)
    text = written.getvalue()
    for part in ("no direct messages", "no direct message can be sent", "cannot check whether", "has left"):
        assert part in text, part
    assert [name for name in NAMES if str(patient.person(name).id) in text] == []
