"""Starts the bot: on Discord if a token is set, else in the sandbox. Also `stationmaster play`."""

import asyncio
import logging
import sys
from collections.abc import Coroutine
from pathlib import Path
from typing import Any

import discord

from bot.sandbox.guild.seed import DUMMY_TOKEN
from bot.sandbox.redirect import redirect_discord_to
from bot.table.imports import read_recorded_game
from bot.tools.environment import Environment, SettingsError, misspelt_setting_warnings, require_folder
from bot.tools.logs import configure_logging
from bot.tools.serving import serve
from storage import open_database

_log = logging.getLogger("stationmaster")


def run(settings: Environment) -> None:
    """Run the bot until it is stopped, on Discord or in the sandbox; raises SettingsError, StorageError."""
    start_logging(settings)
    if settings.discord_token is not None:
        _run_in_loop(_run_on_discord(settings, settings.discord_token.get_secret_value()))
    elif settings.discord_url is not None:
        _redirect_discord(settings.discord_url)
        _run_in_loop(_run_on_discord(settings, DUMMY_TOKEN))
    else:
        from bot.tools.sandbox_run import run_sandbox  # not needed by a bot on Discord

        _run_in_loop(run_sandbox(settings))


def play(log_file: Path, last_action_number: int | None, settings: Environment) -> None:
    """Show a recorded game in the running sandbox. Starts a sandbox if none is running.

    Raises Refused if the log cannot be used, SettingsError if a token or another address of Discord is set.
    """
    if settings.discord_token is not None or settings.discord_url is not None:
        raise SettingsError("`play` uses the sandbox: unset DISCORD_TOKEN and STATIONMASTER_DISCORD_URL.")

    from bot.tools.sandbox_run import run_sandbox, show_in_running_sandbox

    start_logging(settings)
    recorded_game = read_recorded_game(log_file, last_action_number)
    answer = asyncio.run(
        show_in_running_sandbox(settings.sandbox_request_file, log_file.resolve(), last_action_number)
    )
    if answer is not None:
        sys.stderr.write(f"{answer}\n")
        return
    asyncio.run(run_sandbox(settings, recorded_game))


def _run_in_loop(coroutine: Coroutine[Any, Any, None]) -> None:
    """Run a coroutine in uvloop's event loop if uvloop is installed, else in Python's own."""
    try:
        from uvloop import new_event_loop
    except ImportError:  # as on Windows
        asyncio.run(coroutine)
        return
    with asyncio.Runner(loop_factory=new_event_loop) as runner:
        runner.run(coroutine)


def _redirect_discord(url: str) -> None:
    try:
        redirect_discord_to(url)
    except ValueError as error:
        raise SettingsError(
            f"STATIONMASTER_DISCORD_URL: {error} Give an address such as http://127.0.0.1:1830."
        ) from error


async def _run_on_discord(settings: Environment, token: str) -> None:
    """Run the bot on Discord, or on a server with the same API."""
    if settings.backup_folder is not None:
        require_folder(settings.backup_folder, "STATIONMASTER_BACKUPS")
    async with await open_database(settings.database_location) as db:
        await serve(db, settings, token)


def start_logging(settings: Environment) -> None:
    """Start logging to standard error, and warn of unknown settings."""
    # The bot uses no voice channels, so warnings about missing voice libraries are turned off.
    discord.VoiceClient.warn_nacl = discord.VoiceClient.warn_dave = False
    token = settings.discord_token.get_secret_value() if settings.discord_token else ""
    configure_logging(settings.log_level, settings.log_format, token)
    for sentence in misspelt_setting_warnings():
        _log.warning("%s", sentence)
