"""The bot's settings, from environment variables and the file `.env`. Also checks folders and ports."""

import os
import re
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from difflib import get_close_matches
from pathlib import Path
from typing import Final, Literal, Self

from pydantic import Field, SecretStr, ValidationError, field_validator, model_validator
from pydantic_settings import BaseSettings, DotEnvSettingsSource, SettingsConfigDict

from bot.web.entry.addresses import LOOPBACK_NETWORKS, Proxies
from bot.workers.workers import DEFAULT_PROCESSES, MAX_PROCESSES, MIN_PROCESSES
from storage import ALL_SHARDS, ShardSet, is_server_url

SETTING_PREFIX: Final = "STATIONMASTER_"
"""Prefix of the environment variables for this bot's settings."""
SETTINGS_FILE: Final = ".env"
"""Name of the settings file in the working directory."""


class SettingsError(Exception):
    """Raised for unusable settings. `str()` gives a sentence for the operator."""

    exit_code = 78
    """EX_CONFIG, after which systemd does not restart the bot."""


class Environment(BaseSettings):
    """All settings of the bot, described in `.env.example`."""

    model_config = SettingsConfigDict(
        env_file=SETTINGS_FILE,
        env_file_encoding="utf-8",
        # `.env.example` is meant to be copied completely, with unused settings left empty.
        env_ignore_empty=True,
        extra="ignore",
        frozen=True,
    )

    discord_token: SecretStr | None = Field(default=None, validation_alias="DISCORD_TOKEN")
    discord_url: str | None = Field(default=None, validation_alias="STATIONMASTER_DISCORD_URL")
    discord_guild: int | None = Field(default=None, validation_alias="STATIONMASTER_GUILD")
    database: Path = Field(default=Path("stationmaster.db"), validation_alias="STATIONMASTER_DATABASE")
    backup_folder_or_off: Path = Field(default=Path("backups"), validation_alias="STATIONMASTER_BACKUPS")
    database_url: SecretStr | None = Field(default=None, validation_alias="DATABASE_URL")
    shards: str | None = Field(default=None, validation_alias="STATIONMASTER_SHARDS")
    sandbox_port: int = Field(default=1830, ge=0, le=65535, validation_alias="STATIONMASTER_SANDBOX_PORT")
    sandbox_folder: Path = Field(default=Path("sandbox"), validation_alias="STATIONMASTER_SANDBOX_STATE")
    corrections_file: Path | None = Field(default=None, validation_alias="STATIONMASTER_CORRECTIONS")
    theme: Literal["ours", "safe", "dark", "ours-large", "safe-large", "dark-large"] = Field(
        default="ours", validation_alias="STATIONMASTER_THEME"
    )
    ping_delay: float = Field(default=30, ge=0, le=3600, validation_alias="STATIONMASTER_PING_AFTER")
    rate_limit_factor: float = Field(default=1.0, ge=1, le=1000, validation_alias="STATIONMASTER_PACE")
    workers: int = Field(default=DEFAULT_PROCESSES, validation_alias="STATIONMASTER_WORKERS")
    log_format: Literal["text", "json"] = Field(default="text", validation_alias="STATIONMASTER_LOG_FORMAT")
    health_port: int | None = Field(
        default=None, ge=0, le=65535, validation_alias="STATIONMASTER_HEALTH_PORT"
    )
    web: str | None = Field(default=None, validation_alias="STATIONMASTER_WEB")
    client_secret: SecretStr | None = Field(default=None, validation_alias="DISCORD_CLIENT_SECRET")
    web_host: str = Field(default="127.0.0.1", validation_alias="STATIONMASTER_WEB_HOST")
    web_port: int = Field(default=1831, ge=0, le=65535, validation_alias="STATIONMASTER_WEB_PORT")
    web_proxies: str = Field(default=LOOPBACK_NETWORKS, validation_alias="STATIONMASTER_WEB_PROXIES")
    log_level: Literal["DEBUG", "INFO", "WARNING", "ERROR"] = Field(
        default="INFO", validation_alias="STATIONMASTER_LOG_LEVEL"
    )

    @field_validator("shards")
    @classmethod
    def _check_shards(cls, text: str | None) -> str | None:
        if text is not None and not re.fullmatch(r"\d{1,5}(-\d{1,5})?/\d{1,5}", text, re.ASCII):
            raise ValueError("give the first and last shard and the number of shards, such as 0-3/16")
        return text

    @field_validator("discord_token")
    @classmethod
    def _check_token(cls, token: SecretStr | None) -> SecretStr | None:
        if token is None:
            return None
        text = token.get_secret_value().strip()
        if not text:
            raise ValueError("it is blank. Copy the token from the portal, or unset it to start the sandbox")
        if any(map(str.isspace, text)):
            raise ValueError("a token has no spaces. Copy it again from the portal")
        return SecretStr(text)

    @model_validator(mode="after")
    def _check_token_target(self) -> Self:
        if self.discord_token is not None and self.discord_url is not None:
            raise ValueError(
                "DISCORD_TOKEN and STATIONMASTER_DISCORD_URL are both set: "
                "the token would be sent to that address instead of Discord. Unset one of them"
            )
        return self

    @model_validator(mode="after")
    def _check_database_url(self) -> Self:
        if self.database_url is not None and not is_server_url(self.database_url.get_secret_value()):
            raise ValueError("DATABASE_URL must begin with postgresql://; unset it to keep games in a file")
        return self

    @field_validator("web")
    @classmethod
    def _check_web_address(cls, address: str | None) -> str | None:
        if address is not None and not re.fullmatch(r"https?://[\w.-]+(:\d{1,5})?/?", address, re.ASCII):
            raise ValueError(
                "give the public address of the board page, without a path: https://board.example.org"
            )
        return None if address is None else address.rstrip("/").lower()

    @field_validator("web_proxies")
    @classmethod
    def _check_proxies(cls, text: str) -> str:
        try:
            Proxies.read_proxies(text)
        except ValueError as error:
            raise ValueError(
                f"{error}. Give the addresses or networks of the web servers in front of the board "
                "page, separated by commas: 127.0.0.1, 10.0.0.0/24"
            ) from error
        return text

    @field_validator("workers")
    @classmethod
    def _check_workers(cls, count: int) -> int:
        if count != 0 and not MIN_PROCESSES <= count <= MAX_PROCESSES:
            raise ValueError(
                f"give {MIN_PROCESSES} to {MAX_PROCESSES} processes, or 0 to do all work in the bot's own process"
            )
        return count

    @model_validator(mode="after")
    def _check_shard_numbers(self) -> Self:
        if self.shards is None:
            return self
        share = self.shard_set
        if not share.shards or share.shards[-1] >= share.shard_count:
            raise ValueError(
                f"STATIONMASTER_SHARDS is {self.shards}: shards count from 0, so the last of 16 is "
                "15, such as 0-15/16"
            )
        if self.database_url is None and len(share.shards) < share.shard_count:
            raise ValueError(
                "STATIONMASTER_SHARDS leaves shards to other processes, but only one process can "
                "use a database file: set DATABASE_URL, or give all shards"
            )
        return self

    @property
    def shard_set(self) -> ShardSet:
        """The Discord shards that this process serves. By default these are all shards."""
        if self.shards is None:
            return ALL_SHARDS
        shard_range, _, count = self.shards.partition("/")
        first_shard, _, last_shard = shard_range.partition("-")
        return ShardSet(tuple(range(int(first_shard), int(last_shard or first_shard) + 1)), int(count))

    @property
    def database_location(self) -> str | Path:
        """The URL of the database server if set, else the database file."""
        return self.database if self.database_url is None else self.database_url.get_secret_value()

    @property
    def backup_folder(self) -> Path | None:
        """The folder for daily backups; None if backups are off or the database is on a server."""
        has_backups = self.database_url is None and str(self.backup_folder_or_off) != "off"
        return self.backup_folder_or_off if has_backups else None

    def for_sandbox(self) -> Self:
        """The settings with a sandbox's defaults: pings without delay, and the board page on any free port."""
        sandbox_defaults = {"ping_delay": 0.0, "web_port": 0}
        return self.model_copy(
            update={n: v for n, v in sandbox_defaults.items() if n not in self.model_fields_set}
        )

    @property
    def sandbox_request_file(self) -> Path:
        """The file with the port and secret word that other processes need to send requests to a running sandbox."""
        return self.sandbox_folder / "requests.json"

    @property
    def sandbox_url(self) -> str:
        """URL of the sandbox's page."""
        return f"http://127.0.0.1:{self.sandbox_port}"


def read_settings(**overrides: object) -> Environment:
    """The settings from the environment and `.env`, replaced by `overrides` where given. Raises SettingsError."""
    try:
        return Environment(**overrides)  # type: ignore[arg-type]
    except ValidationError as error:
        raise SettingsError(
            "; ".join(_error_sentence(error_detail) for error_detail in error.errors()) + "."
        ) from error
    except (OSError, UnicodeDecodeError) as error:
        raise SettingsError(f"Cannot read the file {SETTINGS_FILE}: {error}.") from error


def misspelt_setting_warnings() -> Iterator[str]:
    """A sentence for each environment variable that has this bot's prefix but is not a setting."""
    known_names = _setting_names(str(field.validation_alias) for field in Environment.model_fields.values())
    for name in sorted(_setting_names((*os.environ, *_names_in_file())) - known_names):
        similar_names = get_close_matches(name, known_names, n=1)
        suggestion = f" Did you mean {SETTING_PREFIX}{similar_names[0]}?" if similar_names else ""
        yield f"{SETTING_PREFIX}{name} is not a setting and was ignored.{suggestion}"


def _setting_names(names: Iterable[str]) -> set[str]:
    """The names with this bot's prefix, in upper case and without the prefix."""
    return {
        name.upper().removeprefix(SETTING_PREFIX) for name in names if name.upper().startswith(SETTING_PREFIX)
    }


def _names_in_file() -> list[str]:
    try:
        return list(DotEnvSettingsSource(Environment).env_vars)
    except (OSError, UnicodeDecodeError):
        return []  # read_settings reports the error


def _error_sentence(error_detail: object) -> str:
    assert isinstance(error_detail, dict)
    setting_name = ".".join(str(part) for part in error_detail["loc"])
    problem = str(error_detail["msg"]).removeprefix("Value error, ")
    return f"{setting_name}: {problem}" if setting_name else problem


def require_folder(folder: Path, setting_name: str) -> None:
    """Raise SettingsError unless the folder is writable. The error names the setting."""
    if (problem := folder_problem(folder)) is not None:
        raise SettingsError(f"{setting_name}: {problem}")


def folder_problem(folder: Path) -> str | None:
    """The reason why a folder is not writable; None if it is writable. A missing folder is created."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return None
    except FileExistsError:
        return f"{folder} is a file; name a folder."
    except OSError as error:
        return f"Cannot write to the folder {folder}: {error.strerror}."


@contextmanager
def port_errors_as_setting_errors(port: int, setting_name: str) -> Iterator[None]:
    """Context manager: an error when a port is opened becomes a SettingsError that names the setting."""
    try:
        yield
    except OSError as error:
        raise SettingsError(
            f"{setting_name}: cannot use port {port} of this machine; another program may be using it. "
            f"Set another port, or stop that program ({error.strerror})."
        ) from error
