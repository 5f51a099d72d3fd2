"""Settings: what is read, and what is refused."""

import re
from pathlib import Path

import pytest

from bot.tools.cli import main
from bot.tools.environment import Environment, SettingsError, read_settings

ROOT = Path(__file__).parents[3]
NAMES = [str(field.validation_alias) for field in Environment.model_fields.values()]


@pytest.fixture(autouse=True)
def alone(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Nothing is set but what a test writes: this process has an environment of its own."""
    for name in NAMES:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)


def given(**settings: str) -> Environment:
    """The settings of a file with these lines."""
    lines = [f"{name}={value}\n" for name, value in settings.items()]
    Path(".env").write_text("".join(lines), "utf-8")
    return read_settings()


def test_example_file_lists_every_setting(tmp_path: Path) -> None:
    example = (ROOT / ".env.example").read_text("utf-8")
    assert sorted(re.findall(r"^([A-Z_]+)=", example, re.MULTILINE)) == sorted(NAMES)
    (tmp_path / ".env").write_text(example, "utf-8")
    assert read_settings() == Environment.model_construct()


def test_operating_page_explains_every_setting() -> None:
    page = (ROOT / "docs/operating.md").read_text("utf-8")
    table = dict(re.findall(r"^\| `([A-Z_]+)` \| `?([^|`]+)`? \|", page, re.MULTILINE))
    assert sorted(table) == sorted(NAMES)
    for field in Environment.model_fields.values():
        if field.default is not None and not isinstance(field.default, float):
            assert table[str(field.validation_alias)].strip() == str(field.default)


def test_games_are_in_a_file_or_on_a_server() -> None:
    assert given().database_location == Path("stationmaster.db")
    found = given(DATABASE_URL="postgresql://ann:s3same@host/games")
    assert found.database_location == "postgresql://ann:s3same@host/games"
    assert "s3same" not in repr(found)


@pytest.mark.parametrize(
    ("settings", "why"),
    [
        ({"DISCORD_TOKEN": "s3same", "STATIONMASTER_DISCORD_URL": "http://127.0.0.1:1830"}, "both set"),
        ({"DATABASE_URL": "mysql://ann:s3same@host/games"}, "must begin with postgresql://"),
        ({"STATIONMASTER_SANDBOX_PORT": "many"}, "STATIONMASTER_SANDBOX_PORT"),
        *(({"STATIONMASTER_WORKERS": count}, "STATIONMASTER_WORKERS") for count in ("2", "-1", "65", "two")),
    ],
)
def test_setting_is_refused(settings: dict[str, str], why: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SettingsError, match=why) as caught:
        given(**settings)
    assert "s3same" not in str(caught.value), "no secret is said"
    assert main(["run"]) == SettingsError.exit_code
    assert why in capsys.readouterr().err
