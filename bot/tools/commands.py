"""Runs the subcommands of `stationmaster`. Each imports only the modules that it needs."""

import argparse
import asyncio
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from bot.table.errors import Refused
from bot.tools.environment import Environment, SettingsError, misspelt_setting_warnings, read_settings
from bot.tools.logs import without_secrets
from bot.tools.process import without_garbage_collection
from bot.workers import worker
from engine import EngineError
from storage import StorageError

INTERRUPTED_EXIT_CODE: Final = 130
"""Exit code after Ctrl-C, as in shells."""


def run_command(options: argparse.Namespace) -> int:
    """Run a parsed command. Returns the exit code; if it is not 0, the problem was printed on stderr."""
    try:
        return _run_typed_command(options)
    except EngineError as problem:
        from engine import describe_error

        return _report_failure(describe_error(problem))
    except SettingsError as problem:
        return _report_failure(str(problem), problem.exit_code)
    except (Refused, StorageError) as problem:
        return _report_failure(str(problem))
    except OSError as problem:
        if not str(problem):
            raise  # without a file name, only the traceback tells what happened
        return _report_failure(_os_error_text(problem))
    except KeyboardInterrupt:
        return INTERRUPTED_EXIT_CODE


def _report_failure(reason: str, exit_code: int = 1) -> int:
    print(f"stationmaster: {without_secrets(reason)}", file=sys.stderr)
    return exit_code


def _os_error_text(problem: OSError) -> str:
    """A sentence about an operating system error, with the file's name."""
    match problem:
        case FileNotFoundError() if problem.filename is not None:
            return f"There is no file {problem.filename}."
        case FileExistsError() if problem.filename is not None:
            return f"{problem.filename} already exists; name a new file."
        case _ if problem.filename is not None:
            return f"Cannot use {problem.filename}: {problem.strerror}."
    return str(problem)


def _run_typed_command(options: argparse.Namespace) -> int:
    match options.command:
        case "replay":
            return _replay(options.logs, compares_trace=options.trace)
        case "render":
            _render(options)
        case "routes":
            _print_routes(options)
        case "check":
            settings = _checked_settings()
            return asyncio.run(_check(options.database or settings.database_location))
        case "backup" | "restore":
            _back_up_or_restore(options)
        case "export":
            _export(options)
        case "migrate":
            _migrate(options)
        case "invite":
            _invite()
        case "play":
            _play(options)
        case _:
            _run_bot()
    return 0


def _settings_with_corrections() -> Environment:
    """The settings from the environment. Also applies the operator's corrections of titles.

    Raises SettingsError, TitleError.
    """
    settings = read_settings()
    if settings.corrections_file is not None:
        from engine import correct_titles

        correct_titles(_read_corrections(settings.corrections_file))
    return settings


def _checked_settings() -> Environment:
    """The settings from the environment, after printing warnings about unknown ones."""
    for sentence in misspelt_setting_warnings():
        print(f"stationmaster: {sentence}", file=sys.stderr)
    return _settings_with_corrections()


def _read_corrections(path: Path) -> str:
    try:
        return path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not text in UTF-8"
        raise SettingsError(f"STATIONMASTER_CORRECTIONS: {path} cannot be read: {reason}.") from error


def _replay(log_files: Sequence[Path], *, compares_trace: bool) -> int:
    from bot.tools.replay import replay_reports

    all_match = True
    for report in replay_reports(log_files, compares_trace=compares_trace):
        print(json.dumps(report), flush=True)
        all_match = all_match and report["matches_recorded_result"]
    return 0 if all_match else 1


def _render(options: argparse.Namespace) -> None:
    from bot.tools.recorded_positions import draw_recorded_position

    for picture_file in draw_recorded_position(options.log, options.at, options.out, theme=options.theme):
        print(picture_file)


def _print_routes(options: argparse.Namespace) -> None:
    from bot.tools.recorded_positions import best_routes_at

    report = best_routes_at(options.log, options.at)
    print(json.dumps(report.json()) if options.json else "\n".join(report.lines()))


def _back_up_or_restore(options: argparse.Namespace) -> None:
    from bot.tools.databases import back_up_database, restore

    print((back_up_database if options.command == "backup" else restore)(_checked_settings(), options.file))


async def _check(location: str | Path) -> int:
    from bot.tools.databases import check

    is_sound = True
    async for is_line_sound, line in check(location):
        print(line, flush=True)
        is_sound = is_sound and is_line_sound
    return 0 if is_sound else 1


def _export(options: argparse.Namespace) -> None:
    from bot.tools.databases import export

    print(
        asyncio.run(export(_checked_settings().database_location, options.game, options.file, options.form))
    )


def _migrate(options: argparse.Namespace) -> None:
    from bot.tools.databases import migrate

    print(asyncio.run(migrate(options.source, options.target, options.server)))


def _invite() -> None:
    from bot.tools.login import invitation_link

    print(asyncio.run(invitation_link(_checked_settings())))


def _play(options: argparse.Namespace) -> None:
    from bot.tools.run import play

    play(options.log, options.until, _settings_with_corrections())


def _run_bot() -> None:
    settings = _settings_with_corrections()
    if settings.workers:
        worker.start_fork_server()  # on another processor core it is ready when the bot is
    try:
        with without_garbage_collection():
            from bot.tools.run import run

        run(settings)
    finally:
        worker.end_fork_server()
