"""A start that cannot be: a sentence that names the setting, and an exit code that says whether to try again."""

import re
import socket
from collections.abc import Iterator
from configparser import ConfigParser
from pathlib import Path

import pytest

from bot.tools.cli import main
from bot.tools.environment import Environment, SettingsError, misspelt_setting_warnings, read_settings
from bot.tools.login import TokenRefused
from bot.tools.run import run
from bot.tools.sandbox_run import run_sandbox
from storage import ShardSet
from tests.bot.sandbox.faults import FaultyServer
from tests.bot.support.processes import ALONE, free_port, said, started

ROOT = Path(__file__).parents[2]
LOG = ROOT / "tests/golden/18chesapeake-agreement-2p.json"
UNWRITABLE = Path("/proc/nowhere")


def configure(**values: str) -> None:
    """Write settings into the file that every start reads."""
    Path(".env").write_text("".join(f'{name}="{value}"\n' for name, value in values.items()))


@pytest.fixture
def taken() -> Iterator[int]:
    """A port that somebody else listens at."""
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        yield int(other.getsockname()[1])


PROXIES = "separated by commas: 127.0.0.1, 10.0.0.0/24"
WEB = "STATIONMASTER_WEB: give the public address of the board page"
REFUSED: tuple[tuple[str, str, str], ...] = (
    ("DISCORD_TOKEN", " ", ""),
    ("DISCORD_TOKEN", "\t\n", ""),
    ("DISCORD_TOKEN", "a token in two", ""),
    ("STATIONMASTER_DISCORD_URL", "foo", ""),
    ("STATIONMASTER_DISCORD_URL", "https://discord.com", ""),
    ("STATIONMASTER_DISCORD_URL", "http://[", ""),
    ("STATIONMASTER_DISCORD_URL", "http://10.0.0.1:1830", ""),
    ("STATIONMASTER_WEB", "board.example.org", WEB),
    ("STATIONMASTER_WEB", "ftp://board.example.org", WEB),
    ("STATIONMASTER_WEB", "https://board.example.org/games", WEB),
    ("STATIONMASTER_WEB", "https://a b", WEB),
    ("STATIONMASTER_WEB", "https://", WEB),
    ("STATIONMASTER_WEB_PROXIES", "board.example.org", PROXIES),
    ("STATIONMASTER_WEB_PROXIES", "10.0.0.1/8", PROXIES),
    ("STATIONMASTER_WEB_PROXIES", "10.0.0.0/33", PROXIES),
    ("STATIONMASTER_WEB_PROXIES", "10.0.0.1;10.0.0.2", PROXIES),
    ("STATIONMASTER_WEB_PROXIES", ",", PROXIES),
    ("STATIONMASTER_CORRECTIONS", "none.toml", "none.toml cannot be read"),
    ("STATIONMASTER_CORRECTIONS", "odd.toml", "odd.toml cannot be read"),
    ("STATIONMASTER_SHARDS", "all", ""),
    ("STATIONMASTER_SHARDS", "4/4", "shards count from 0"),
    ("STATIONMASTER_SHARDS", "3-1/4", "shards count from 0"),
    ("STATIONMASTER_SHARDS", "0/0", "shards count from 0"),
    ("STATIONMASTER_SHARDS", "0-16/16", "shards count from 0"),
    ("STATIONMASTER_SHARDS", "0-1/4", "set DATABASE_URL"),
)


@pytest.mark.parametrize(("name", "value", "words"), REFUSED)
def test_setting_refused(capsys: pytest.CaptureFixture[str], name: str, value: str, words: str) -> None:
    Path("odd.toml").write_bytes(b"\xff\xfe not UTF-8")
    configure(**{name: value})
    assert main(["run"]) == SettingsError.exit_code
    printed = capsys.readouterr().err
    assert name in printed
    assert words in printed


@pytest.mark.parametrize("place", ["nowhere/games.db", "/proc/games.db"])
def test_database_cannot_be_made(capsys: pytest.CaptureFixture[str], place: str) -> None:
    configure(STATIONMASTER_DATABASE=place)
    assert main(["run"]) == 1
    printed = capsys.readouterr().err
    assert "STATIONMASTER_DATABASE" in printed
    assert "running" not in printed


def test_settings_file_cannot_be_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / ".env").write_bytes(b"\xff\xfe")
    assert main(["run"]) == SettingsError.exit_code
    assert "Cannot read the file .env" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("name", "value", "found"),
    [
        ("DISCORD_TOKEN", " abc.def \n", "abc.def"),
        ("STATIONMASTER_WEB", "https://Board.Example.org/", "https://board.example.org"),
        ("STATIONMASTER_SHARDS", "0/1", ShardSet()),
        ("STATIONMASTER_SHARDS", "5/16", ShardSet((5,), 16)),
        ("STATIONMASTER_SHARDS", "0-3/16", ShardSet((0, 1, 2, 3), 16)),
    ],
)
def test_setting_read(name: str, value: str, found: object) -> None:
    configure(**{"DATABASE_URL": "postgresql://ann@host/games", name: value})
    settings = read_settings()
    token = settings.discord_token and settings.discord_token.get_secret_value()
    assert found in (token, settings.web, settings.shard_set)


def test_file_takes_all_shards() -> None:
    configure(STATIONMASTER_SHARDS="0-3/4")
    assert read_settings().shard_set == ShardSet((0, 1, 2, 3), 4)


def test_sandbox_pings_at_once() -> None:
    assert (Environment().ping_delay, Environment().for_sandbox().ping_delay) == (30, 0)
    configure(STATIONMASTER_PING_AFTER="20")
    assert Environment().for_sandbox().ping_delay == 20


def test_play_is_for_the_sandbox(capsys: pytest.CaptureFixture[str]) -> None:
    configure(DISCORD_TOKEN="real")
    assert main(["play", str(LOG)]) == SettingsError.exit_code
    assert "`play` uses the sandbox" in capsys.readouterr().err


async def test_refused_token_ends_the_process(tmp_path: Path) -> None:
    async with FaultyServer(port=0) as server:
        server.faults.fail("/users/@me", status=401, code=0, message="401: Unauthorized")
        settings = {"STATIONMASTER_TEHME": "dark", "STATIONMASTER_DISCORD_URL": server.url}
        process = await started(tmp_path, free_port(), **ALONE, **settings)
        words = await said(process, "stationmaster: Discord does not accept DISCORD_TOKEN")
        assert await process.wait() == TokenRefused.exit_code
        assert server.faults.served == 1
    assert "WARNING stationmaster: STATIONMASTER_TEHME is not a setting" in words
    assert "Traceback" not in words


def test_systemd_restarts_no_refused_settings() -> None:
    unit = ConfigParser(strict=False, interpolation=None)
    unit.read(ROOT / "deploy" / "stationmaster.service")
    kept_down = set(unit["Service"]["RestartPreventExitStatus"].split())
    assert kept_down == {str(SettingsError.exit_code), str(TokenRefused.exit_code)}
    text = (ROOT / "deploy/stationmaster.service").read_text()
    assert re.findall(r"^StartLimit\w+", text, re.MULTILINE) == ["StartLimitIntervalSec", "StartLimitBurst"]


async def test_sandbox_refuses_its_settings(taken: int, tmp_path: Path) -> None:
    sound = {"STATIONMASTER_SANDBOX_PORT": 0, "STATIONMASTER_SANDBOX_STATE": tmp_path / "sandbox",
             "STATIONMASTER_WORKERS": 0}  # fmt: skip
    (tmp_path / "a file").touch()
    refused: tuple[tuple[str, object, str], ...] = (
        ("STATIONMASTER_SANDBOX_PORT", taken, f"cannot use port {taken}"),
        ("STATIONMASTER_WEB_PORT", taken, f"cannot use port {taken}"),
        ("STATIONMASTER_SANDBOX_STATE", UNWRITABLE, "Cannot write to the folder"),
        ("STATIONMASTER_SANDBOX_STATE", tmp_path / "a file", ".*is a file"),
    )
    for name, value, words in refused:
        with pytest.raises(SettingsError, match=f"{name}: {words}"):
            await run_sandbox(Environment.model_validate({**sound, name: value}))


@pytest.mark.parametrize("name", ["STATIONMASTER_HEALTH_PORT", "STATIONMASTER_BACKUPS"])
def test_bot_refuses_its_settings(taken: int, name: str) -> None:
    """Before anybody logs in."""
    value, words = (
        (taken, f"cannot use port {taken}") if "PORT" in name else (UNWRITABLE, "Cannot write to the folder")
    )
    with pytest.raises(SettingsError, match=f"{name}: {words}"):
        run(Environment.model_validate({"DISCORD_TOKEN": "never-sent", name: value}))


def test_folder_for_pictures_cannot_be_written(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["render", str(LOG), "--out", str(UNWRITABLE)]) == 1
    assert f"--out: Cannot write to the folder {UNWRITABLE}" in capsys.readouterr().err


def test_misspelt_name_is_warned_of(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """With the nearest right one, by every command that reads settings."""
    monkeypatch.setenv("STATIONMASTER_DATABSE", "games.db")  # the environment is read, too
    configure(STATIONMASTER_TEHME="dark", STATIONMASTER_XYZ="1", STATIONMASTER_PACE="2")
    assert list(misspelt_setting_warnings()) == [
        "STATIONMASTER_DATABSE is not a setting and was ignored. Did you mean STATIONMASTER_DATABASE?",
        "STATIONMASTER_TEHME is not a setting and was ignored. Did you mean STATIONMASTER_THEME?",
        "STATIONMASTER_XYZ is not a setting and was ignored.",
    ]
    for command in ("check", "backup copy.db", "restore copy.db", "export 1 game.json"):
        assert main(command.split()) == 1
        assert "Did you mean STATIONMASTER_DATABASE?" in capsys.readouterr().err
