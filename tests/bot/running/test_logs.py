"""Log lines: what they are about, in both forms, and that no secret is ever among them."""

import io
import json
import logging
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.sandbox.guild import seed
from bot.table.errors import FailedBeforeStoring, error_sentence
from bot.table.log_context import bind
from bot.table.rate_limits import RateLimiter
from bot.tools.logs import JsonFormatter, LineFormatter, configure_logging, without_secrets
from storage import StorageError, StorageFull
from tests.bot.support.sandbox_bot import SandboxBot
from tests.bot.support.waiting import handed_over

NAMES = ("Ann", "Bob", "Cy", "Dee", "Eve", "Fay")
TOKEN = seed.DUMMY_TOKEN
SECRET = "aW50" * 9


@pytest.fixture
def written() -> Iterator[io.StringIO]:
    stream, logger = io.StringIO(), logging.getLogger()
    before, level = logger.handlers[:], logger.level
    yield stream
    logger.handlers[:] = before
    logger.setLevel(level)


async def test_line_says_what_it_is_about() -> None:
    bind(game=7, server=None, incident=None)
    logger = logging.getLogger("test")
    line = logger.makeRecord("test", logging.WARNING, "", 0, "stored", (), None, extra={"seq": 12})
    assert LineFormatter().format(line).endswith("WARNING test: stored game=7 seq=12")
    found = json.loads(JsonFormatter().format(line))
    assert (found["message"], found["level"], found["game"], found["seq"]) == ("stored", "WARNING", 7, 12)
    assert "server" not in found
    assert found["time"].endswith("+00:00")


def test_incident_is_found_in_the_log(caplog: pytest.LogCaptureFixture) -> None:
    """By its number; what went wrong is logged, not what was made of it, on the line of its object."""
    caused = FailedBeforeStoring()
    caused.__cause__ = ZeroDivisionError("under it,\nin two lines")
    for error, reason in (
        (ZeroDivisionError("never"), "ZeroDivisionError: never"),
        (FailedBeforeStoring("without a cause"), "FailedBeforeStoring: without a cause"),
        (caused, "ZeroDivisionError: under it,\nin two lines"),
    ):
        sentence = error_sentence(error)
        text = JsonFormatter().format(caplog.records[-1])
        assert "\n" not in text
        found = json.loads(text)
        assert re.fullmatch("[0-9a-f]{6}", found["incident"])
        assert f"incident {found['incident']}" in sentence
        assert reason in found["exception"]
        assert ("Untouched" in found["exception"]) == reason.startswith("Untouched")


def test_no_user_reads_where_files_lie(caplog: pytest.LogCaptureFixture) -> None:
    full = "There is no room left to write to /srv/games.db; nothing was changed. (SQLite: x)"
    sentence = error_sentence(StorageFull(full))
    assert "disk of the database is full" in sentence
    assert "SQLite" not in sentence
    assert "/srv/games.db" in caplog.text
    for text in (sentence, error_sentence(StorageError("The database /srv/games.db cannot be opened."))):
        assert "/srv" not in text


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        ("postgresql://bot:pa$$w:rd@db.example/games?x=1", "postgresql://bot:***@db.example/games?x=1"),
        ("postgresql://db.example:5432/games", "postgresql://db.example:5432/games"),
        (f"Bot {TOKEN}", "Bot ***"),
        (f"POST https://discord.com/api/v10/webhooks/123/{SECRET}", "POST https://discord.com/api/v10/webhooks/123/***"),
        (f"/interactions/123/{SECRET}/callback", "/interactions/123/***/callback"),
        ("{'op': 2, 'd': {'token': 'a.b-c_d', 'x': 1}}", "{'op': 2, 'd': {'token': '***', 'x': 1}}"),
        ('{\\"token\\":\\"a.b-c_d\\"}', '{\\"token\\":\\"***\\"}'),
        ("GET /channels/123/messages", "GET /channels/123/messages"),
        ("GET /guilds/7/members/123 ended", "GET /guilds/7/members/*** ended"),
    ],
)  # fmt: skip
def test_secrets_are_hidden(text: str, seen: str) -> None:
    assert without_secrets(text, TOKEN) == seen


@pytest.mark.parametrize("form", ["text", "json"])
async def test_token_is_never_logged(form: str, written: io.StringIO, tmp_path: Path) -> None:
    """Everything is logged, of every library, while a bot connects, plays and is refused: raw and as written."""
    configure_logging("DEBUG", "json" if form == "json" else "text", "another secret", stream=written)
    async with SandboxBot.opened(tmp_path / "games.db", pace=RateLimiter()) as sandbox:
        game = await sandbox.game()
        await game.press("Ann", "Pass")
        await game.press("Ann", "Pass")
        await sandbox.server.gateway.close_sockets()
        await game.slash("Bob", "status")
    text = written.getvalue()
    assert "discord.http" in text
    assert "discord.gateway" in text
    assert [token for token in (TOKEN, *sandbox.world.interactions) if token in text] == []
    if form == "json":
        lines = [json.loads(line) for line in text.splitlines()]
        stored = next(line for line in lines if line["message"] == "stored action")
        assert (stored["game"], stored["seq"]) == (game.number, 2)


async def test_no_account_is_logged(patient: SandboxBot, written: io.StringIO) -> None:
    """Players take no direct messages, cannot be written to, may have left, and act where nobody can look."""
    configure_logging("INFO", "text", stream=written)
    for name in ("Ann", "Bob", "Cy"):
        await patient.person(name).slash("table", "pings", how="direct")
    patient.person("Bob").user.refuses_dms = True
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
    await patient.client.on_user_active(99, patient.person("Ann").id)
    text = written.getvalue()
    for part in (
        "does not accept direct messages",
        ": seat p3: cannot send a direct message",
        "cannot check whether",
        "has left",
    ):
        assert part in text, part
    assert [name for name in NAMES if str(patient.person(name).id) in text] == []
