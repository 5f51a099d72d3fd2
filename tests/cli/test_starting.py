"""A start that cannot be: a sentence that names the setting, and an exit code that says whether to try again."""

import re
import socket
from collections.abc import Iterator
from configparser import ConfigParser
from pathlib import Path

import pytest

from bot.tools.cli import main
from bot.tools.environment import Environment, SettingsError, misspelt, read_settings
from bot.tools.login import TokenRefused
from bot.tools.run import _on_discord
from bot.tools.sandbox_run import sandbox
from tests.bot.sandbox.faults import FaultyServer
from tests.bot.support.processes import ALONE, free_port, said, started

ROOT = Path(__file__).parents[2]
NAMES = [str(field.validation_alias) for field in Environment.model_fields.values()]
UNWRITABLE = "/proc/nowhere"


@pytest.fixture(autouse=True)
def _elsewhere(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A folder of its own, without settings of the user who runs the tests."""
    for name in NAMES:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def taken() -> Iterator[int]:
    """A port that somebody else listens at."""
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        yield int(other.getsockname()[1])


# The token


@pytest.mark.parametrize("token", [" ", "\t\n", "a token in two"])
def test_a_token_of_blanks_is_refused_at_the_start(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], token: str
) -> None:
    monkeypatch.setenv("DISCORD_TOKEN", token)
    assert main(["run"]) == SettingsError.exit_code
    assert "DISCORD_TOKEN: " in capsys.readouterr().err


def test_blanks_around_a_token_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DISCORD_TOKEN", " abc.def \n")
    token = read_settings().discord_token
    assert token is not None
    assert token.get_secret_value() == "abc.def"


async def test_a_refused_token_ends_with_a_sentence_and_an_exit_code_of_its_own(tmp_path: Path) -> None:
    """What is misspelt in the settings is logged before."""
    settings = {"STATIONMASTER_TEHME": "dark"}
    async with FaultyServer(port=0) as server:
        server.faults.fail("/users/@me", status=401, code=0, message="401: Unauthorized")
        process = await started(
            tmp_path, free_port(), **ALONE, **settings, STATIONMASTER_DISCORD_URL=server.url
        )
        words = await said(process, "stationmaster: Discord does not accept DISCORD_TOKEN")
        assert await process.wait() == TokenRefused.exit_code
        assert server.faults.served == 1
    assert "WARNING stationmaster: STATIONMASTER_TEHME is no setting" in words
    assert "Traceback" not in words


def test_systemd_does_not_restart_what_settings_keep_from_starting() -> None:
    unit = ConfigParser(strict=False, interpolation=None)
    unit.read(ROOT / "deploy" / "stationmaster.service")
    kept_down = set(unit["Service"]["RestartPreventExitStatus"].split())
    assert kept_down == {str(SettingsError.exit_code), str(TokenRefused.exit_code)}
    assert SettingsError.exit_code != TokenRefused.exit_code
    assert {"StartLimitIntervalSec", "StartLimitBurst"} <= {
        re.sub("=.*", "", line) for line in (ROOT / "deploy/stationmaster.service").read_text().splitlines()
    }


# Addresses and ports


@pytest.mark.parametrize("url", ["foo", "https://discord.com", "http://[", "http://10.0.0.1:1830"])
def test_an_address_that_is_no_server_of_this_machine_is_refused(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], url: str
) -> None:
    monkeypatch.setenv("STATIONMASTER_DISCORD_URL", url)
    assert main(["run"]) == SettingsError.exit_code
    assert "STATIONMASTER_DISCORD_URL: " in capsys.readouterr().err


async def test_a_taken_port_of_the_page_names_its_setting(taken: int) -> None:
    with pytest.raises(SettingsError, match=f"STATIONMASTER_SANDBOX_PORT: port {taken}"):
        await sandbox(Environment(STATIONMASTER_SANDBOX_PORT=taken))


async def test_a_taken_port_of_health_names_its_setting_before_anybody_logs_in(taken: int) -> None:
    with pytest.raises(SettingsError, match=f"STATIONMASTER_HEALTH_PORT: port {taken}"):
        await _on_discord(Environment(STATIONMASTER_HEALTH_PORT=taken), "never sent")


async def test_a_taken_port_of_the_board_page_names_its_setting(taken: int, tmp_path: Path) -> None:
    settings = Environment(
        STATIONMASTER_WEB_PORT=taken,
        STATIONMASTER_SANDBOX_PORT=0,
        STATIONMASTER_SANDBOX_STATE=tmp_path / "sandbox",
        STATIONMASTER_DATABASE=tmp_path / "games.db",
        STATIONMASTER_WORKERS=0,
    )
    with pytest.raises(SettingsError, match=f"STATIONMASTER_WEB_PORT: port {taken}"):
        await sandbox(settings)


@pytest.mark.parametrize(
    "address",
    [
        "board.example.org",
        "ftp://board.example.org",
        "https://board.example.org/games",
        "https://a b",
        "https://",
    ],
)
def test_an_address_of_the_board_page_is_one_without_a_path(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], address: str
) -> None:
    monkeypatch.setenv("STATIONMASTER_WEB", address)
    assert main(["run"]) == SettingsError.exit_code
    assert "STATIONMASTER_WEB: write where people reach the board page" in capsys.readouterr().err


def test_the_address_of_the_board_page_is_stored_as_browsers_say_it() -> None:
    assert Environment(STATIONMASTER_WEB="https://Board.Example.org/").web == "https://board.example.org"
    assert Environment().web is None


@pytest.mark.parametrize(
    "proxies", ["board.example.org", "10.0.0.1/8", "10.0.0.0/33", "10.0.0.1;10.0.0.2", ","]
)
def test_web_servers_are_named_by_addresses(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], proxies: str
) -> None:
    monkeypatch.setenv("STATIONMASTER_WEB_PROXIES", proxies)
    assert main(["run"]) == SettingsError.exit_code
    printed = capsys.readouterr().err
    assert "STATIONMASTER_WEB_PROXIES: " in printed
    assert "with commas between them: 127.0.0.1, 10.0.0.0/24" in printed


# Folders and files


async def test_a_state_folder_that_cannot_be_written_names_its_setting(tmp_path: Path) -> None:
    (tmp_path / "a file").touch()
    for place, why in ((Path(UNWRITABLE), "cannot be written"), (tmp_path / "a file", "is a file")):
        with pytest.raises(SettingsError, match=f"STATIONMASTER_SANDBOX_STATE: .*{why}"):
            await sandbox(Environment(STATIONMASTER_SANDBOX_STATE=place, STATIONMASTER_SANDBOX_PORT=0))


async def test_a_folder_for_backups_that_cannot_be_written_names_its_setting() -> None:
    with pytest.raises(SettingsError, match=r"STATIONMASTER_BACKUPS: .*cannot be written"):
        await _on_discord(Environment(STATIONMASTER_BACKUPS=Path(UNWRITABLE)), "never sent")


def test_a_folder_for_pictures_that_cannot_be_written_names_its_option(
    capsys: pytest.CaptureFixture[str],
) -> None:
    log = ROOT / "tests/golden/18chesapeake-agreement-2p.json"
    assert main(["render", str(log), "--out", UNWRITABLE]) == 1
    assert f"--out: The folder {UNWRITABLE} cannot be written" in capsys.readouterr().err


@pytest.mark.parametrize("place", ["nowhere/games.db", "/proc/games.db"])
def test_a_database_that_cannot_be_made_names_its_setting(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], place: str
) -> None:
    monkeypatch.setenv("STATIONMASTER_DATABASE", place)
    assert main(["run"]) == 1
    printed = capsys.readouterr().err
    assert "STATIONMASTER_DATABASE" in printed
    assert "running" not in printed


@pytest.mark.parametrize("content", [None, b"\xff\xfe not UTF-8"])
def test_corrections_that_cannot_be_read_name_their_setting(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path, content: bytes | None
) -> None:
    if content is not None:
        (tmp_path / "corrections.toml").write_bytes(content)
    monkeypatch.setenv("STATIONMASTER_CORRECTIONS", "corrections.toml")
    assert main(["run"]) == SettingsError.exit_code
    assert "STATIONMASTER_CORRECTIONS: corrections.toml cannot be read" in capsys.readouterr().err


def test_a_file_of_settings_that_cannot_be_read_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / ".env").write_bytes(b"\xff\xfe")
    assert main(["run"]) == SettingsError.exit_code
    assert "The file .env cannot be read" in capsys.readouterr().err


# Names


def test_a_misspelt_name_is_warned_of_with_the_nearest_right_one(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("STATIONMASTER_DATABSE", "games.db")
    monkeypatch.setenv("STATIONMASTER_PING_AFTER", "5")
    (tmp_path / ".env").write_text("STATIONMASTER_TEHME=dark\nSTATIONMASTER_XYZ=1\nSTATIONMASTER_PACE=2\n")
    assert list(misspelt()) == [
        "STATIONMASTER_DATABSE is no setting and was left out. Did you mean STATIONMASTER_DATABASE?",
        "STATIONMASTER_TEHME is no setting and was left out. Did you mean STATIONMASTER_THEME?",
        "STATIONMASTER_XYZ is no setting and was left out.",
    ]


def test_every_command_that_reads_settings_warns_of_misspelt_names(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("STATIONMASTER_DATABSE", "games.db")
    for command in (["check"], ["backup", "copy.db"], ["restore", "copy.db"], ["export", "1", "game.json"]):
        assert main(command) == 1
        assert "Did you mean STATIONMASTER_DATABASE?" in capsys.readouterr().err
