"""Settings: what is read, and what is refused."""

import re
from pathlib import Path

import pytest

from bot.tools.cli import main
from bot.tools.environment import Environment, SettingsError, read_settings

NAMES = [str(field.validation_alias) for field in Environment.model_fields.values()]


@pytest.fixture(autouse=True)
def _clean(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in NAMES:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)


def test_example_file_lists_every_setting(tmp_path: Path) -> None:
    example = (Path(__file__).parents[3] / ".env.example").read_text("utf-8")
    assert sorted(re.findall(r"^([A-Z_]+)=", example, re.MULTILINE)) == sorted(NAMES)
    (tmp_path / ".env").write_text(example, "utf-8")
    assert read_settings() == Environment.model_construct()


def test_operating_page_explains_every_setting() -> None:
    page = (Path(__file__).parents[3] / "docs/operating.md").read_text("utf-8")
    table = dict(re.findall(r"^\| `([A-Z_]+)` \| `?([^|`]+)`? \|", page, re.MULTILINE))
    assert sorted(table) == sorted(NAMES)
    for field in Environment.model_fields.values():
        if field.default is not None and not isinstance(field.default, float):
            assert table[str(field.validation_alias)].strip() == str(field.default)


def test_token_is_never_sent_elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DISCORD_TOKEN", "real")
    assert read_settings().discord_token is not None
    monkeypatch.setenv("STATIONMASTER_DISCORD_URL", "http://127.0.0.1:1830")
    with pytest.raises(SettingsError, match="both set") as caught:
        read_settings()
    assert "real" not in str(caught.value)


def test_games_are_in_a_file_or_on_a_server(monkeypatch: pytest.MonkeyPatch) -> None:
    assert read_settings().database_location == Path("stationmaster.db")
    monkeypatch.setenv("DATABASE_URL", "postgresql://ann:s3same@host/games")
    assert read_settings().database_location == "postgresql://ann:s3same@host/games"
    assert "s3same" not in repr(read_settings())


def test_other_databases_are_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("DATABASE_URL", "mysql://ann:s3same@host/games")
    with pytest.raises(SettingsError, match="must begin with postgresql://") as caught:
        read_settings()
    assert "s3same" not in str(caught.value)


def test_command_says_what_is_wrong(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("STATIONMASTER_SANDBOX_PORT", "many")
    assert main(["run"]) == SettingsError.exit_code
    assert "STATIONMASTER_SANDBOX_PORT" in capsys.readouterr().err


@pytest.mark.parametrize("count", ["2", "-1", "65", "two"])
def test_number_of_workers_is_refused(
    count: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("STATIONMASTER_WORKERS", "0")
    assert read_settings().workers == 0
    monkeypatch.setenv("STATIONMASTER_WORKERS", count)
    assert main(["run"]) == SettingsError.exit_code
    assert "STATIONMASTER_WORKERS" in capsys.readouterr().err
