"""What a person sets before starting: environment variables, or lines in `.env`."""

from pathlib import Path
from typing import Literal, Self

from pydantic import Field, SecretStr, ValidationError, model_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

from storage.leases import WHOLE, Share
from storage.opening import on_a_server


class SettingsError(Exception):
    """Settings that cannot be used: `str()` is a sentence for the person who starts the bot."""


class Settings(BaseSettings):
    """Every setting there is; `.env.example` lists them with their meaning."""

    model_config = SettingsConfigDict(
        env_file=".env",
        env_file_encoding="utf-8",
        # `.env.example` is meant to be copied whole, with the lines that are not needed left empty.
        env_ignore_empty=True,
        extra="ignore",
        frozen=True,
    )

    discord_token: SecretStr | None = Field(default=None, validation_alias="DISCORD_TOKEN")
    discord_url: str | None = Field(default=None, validation_alias="STATIONMASTER_DISCORD_URL")
    discord_guild: int | None = Field(default=None, validation_alias="STATIONMASTER_GUILD")
    database: Path = Field(default=Path("stationmaster.db"), validation_alias="STATIONMASTER_DATABASE")
    backups_folder: Path = Field(default=Path("backups"), validation_alias="STATIONMASTER_BACKUPS")
    database_url: SecretStr | None = Field(default=None, validation_alias="DATABASE_URL")
    shards: str | None = Field(
        default=None, pattern=r"^\d{1,5}(-\d{1,5})?/\d{1,5}$", validation_alias="STATIONMASTER_SHARDS"
    )
    sandbox_port: int = Field(default=1830, ge=0, le=65535, validation_alias="STATIONMASTER_SANDBOX_PORT")
    sandbox_state: Path = Field(default=Path("sandbox"), validation_alias="STATIONMASTER_SANDBOX_STATE")
    corrections: Path | None = Field(default=None, validation_alias="STATIONMASTER_CORRECTIONS")
    theme: Literal["ours", "safe", "dark", "ours-large", "safe-large", "dark-large"] = Field(
        default="ours", validation_alias="STATIONMASTER_THEME"
    )
    ping_after: float = Field(default=30, ge=0, le=3600, validation_alias="STATIONMASTER_PING_AFTER")
    pace: float = Field(default=1.0, ge=1, le=1000, validation_alias="STATIONMASTER_PACE")
    log_format: Literal["text", "json"] = Field(default="text", validation_alias="STATIONMASTER_LOG_FORMAT")
    health_port: int | None = Field(
        default=None, ge=0, le=65535, validation_alias="STATIONMASTER_HEALTH_PORT"
    )
    log_level: Literal["DEBUG", "INFO", "WARNING", "ERROR"] = Field(
        default="INFO", validation_alias="STATIONMASTER_LOG_LEVEL"
    )

    @model_validator(mode="after")
    def _token_goes_to_discord_only(self) -> Self:
        if self.discord_token is not None and self.discord_url is not None:
            raise ValueError(
                "DISCORD_TOKEN and STATIONMASTER_DISCORD_URL are both set: "
                "the token would be sent to that address instead of Discord. Unset one of them"
            )
        return self

    @model_validator(mode="after")
    def _url_of_a_database_we_speak_to(self) -> Self:
        if self.database_url is not None and not on_a_server(self.database_url.get_secret_value()):
            raise ValueError("DATABASE_URL must begin with postgresql://; unset it to keep games in a file")
        return self

    @model_validator(mode="after")
    def _shards_that_there_are(self) -> Self:
        if self.shards is None:
            return self
        share = self.share
        if not share.shards or share.shards[-1] >= share.shard_count:
            raise ValueError(
                f"STATIONMASTER_SHARDS is {self.shards}: shards are counted from 0, the smaller first, "
                f"and the last of 16 is 15, as in 0-15/16"
            )
        if self.database_url is None and len(share.shards) < share.shard_count:
            raise ValueError(
                "STATIONMASTER_SHARDS leaves shards to other processes, but a file has room for one process: "
                "set DATABASE_URL, or name all shards"
            )
        return self

    @property
    def share(self) -> Share:
        """The part of the servers for which this process answers: all, unless it was set otherwise."""
        if self.shards is None:
            return WHOLE
        which, _, count = self.shards.partition("/")
        first, _, last = which.partition("-")
        return Share(tuple(range(int(first), int(last or first) + 1)), int(count))

    @property
    def games(self) -> str | Path:
        """Where the games are: a database on a server if one is set, else a file."""
        return self.database if self.database_url is None else self.database_url.get_secret_value()

    @property
    def backups(self) -> Path | None:
        """Where a copy of the file is put every day; None for "off", and for games on a server."""
        wanted = self.database_url is None and str(self.backups_folder) != "off"
        return self.backups_folder if wanted else None

    def of_sandbox(self) -> Self:
        """The same for a sandbox: whoever plays every seat is called at once, unless it was set otherwise."""
        return self if "ping_after" in self.model_fields_set else self.model_copy(update={"ping_after": 0.0})

    @property
    def sandbox_door(self) -> Path:
        """The file that says where a running sandbox takes requests."""
        return self.sandbox_state / "requests.json"

    @property
    def sandbox_page(self) -> str:
        """The address of the sandbox's page."""
        return f"http://127.0.0.1:{self.sandbox_port}"


def read_settings(**overrides: object) -> Settings:
    """Read the settings from the environment and `.env`; raises SettingsError."""
    try:
        return Settings(**overrides)  # type: ignore[arg-type]
    except ValidationError as error:
        raise SettingsError("; ".join(_sentence(detail) for detail in error.errors()) + ".") from error


def _sentence(detail: object) -> str:
    assert isinstance(detail, dict)
    where = ".".join(str(part) for part in detail["loc"])
    words = str(detail["msg"]).removeprefix("Value error, ")
    return f"{where}: {words}" if where else words
