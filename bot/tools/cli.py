"""The `stationmaster` command."""

import argparse
import asyncio
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from bot.table.errors import Refused
from bot.tools.arguments import parsed
from bot.tools.export import export
from bot.tools.keep import backup, check, restore
from bot.tools.migrate import migrate
from bot.tools.redaction import without_secrets
from bot.tools.render import draw
from bot.tools.replay import reports
from bot.tools.routes import routes_at
from bot.tools.settings import Settings, SettingsError, misspelt, read_settings
from engine.core.errors import EngineError
from engine.tell.failing import failure
from engine.titles import correct
from storage.errors import StorageError

INTERRUPTED: Final = 130
"""The exit code after Ctrl-C, as shells have it."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command (`run` by default) and return 0 if all went well, else an exit code, with a sentence on stderr.

    1 for what went wrong, 78 and 77 for settings that have to be changed before another start (SettingsError).
    """
    options = parsed(arguments)
    try:
        return _dispatch(options)
    except EngineError as problem:
        return _failed(failure(problem))
    except SettingsError as problem:
        return _failed(str(problem), problem.exit_code)
    except (Refused, StorageError) as problem:
        return _failed(str(problem))
    except OSError as problem:
        if not str(problem):
            raise  # nothing but where it came from says what it was
        return _failed(_sentence(problem))
    except KeyboardInterrupt:
        return INTERRUPTED


def _failed(why: str, code: int = 1) -> int:
    print(f"stationmaster: {without_secrets(why)}", file=sys.stderr)
    return code


def _sentence(problem: OSError) -> str:
    """What the system refuses, with the file that it is about."""
    match problem:
        case FileNotFoundError() if problem.filename is not None:
            return f"There is no file {problem.filename}."
        case FileExistsError() if problem.filename is not None:
            return f"{problem.filename} is there already; name a file that is not."
        case _ if problem.filename is not None:
            return f"{problem.filename} cannot be used: {problem.strerror}."
    return str(problem)


def _dispatch(options: argparse.Namespace) -> int:
    if options.command == "replay":
        return _replay(options.logs, trace=options.trace)
    if options.command == "render":
        for picture in draw(options.log, options.at, options.out, theme=options.theme):
            print(picture)
        return 0
    if options.command == "migrate":
        print(asyncio.run(migrate(options.source, options.target, options.server)))
        return 0
    if options.command == "routes":
        report = routes_at(options.log, options.at)
        print(json.dumps(report.json()) if options.json else "\n".join(report.lines()))
        return 0
    if options.command in ("backup", "check", "restore"):
        return _keep(options)
    if options.command == "export":
        print(asyncio.run(export(_told_settings().games, options.game, options.file, options.form)))
        return 0
    # Discord's library takes a while to load, and not every command needs it.
    from bot.tools.play import play
    from bot.tools.run import run

    if options.command == "invite":
        from bot.tools.invite import invitation

        print(asyncio.run(invitation(_told_settings())))
    elif options.command == "play":
        play(options.log, options.until, _settings())
    else:
        run(_settings())
    return 0


def _settings() -> Settings:
    """The settings, with the titles as their owner has corrected them; raises SettingsError, TitleError."""
    settings = read_settings()
    if settings.corrections is not None:
        correct(_corrections(settings.corrections))
    return settings


def _told_settings() -> Settings:
    """The settings, after what is misspelt among them; a bot that starts has a log for that."""
    for sentence in misspelt():
        print(f"stationmaster: {sentence}", file=sys.stderr)
    return _settings()


def _corrections(place: Path) -> str:
    try:
        return place.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is not text in UTF-8"
        raise SettingsError(f"STATIONMASTER_CORRECTIONS: {place} cannot be read: {why}.") from error


def _replay(logs: Sequence[Path], *, trace: bool) -> int:
    """Print a line of JSON a file; 1 if any game is refused or ends otherwise than recorded."""
    passed = True
    for report in reports(logs, trace=trace):
        print(json.dumps(report), flush=True)
        passed = passed and report["matches_recorded_result"]
    return 0 if passed else 1


def _keep(options: argparse.Namespace) -> int:
    settings = _told_settings()
    if options.command == "check":
        return asyncio.run(_check(options.database or settings.games))
    print((backup if options.command == "backup" else restore)(settings, options.file))
    return 0


async def _check(where: str | Path) -> int:
    """Print a line for the file and for each game; 1 if anything is wrong."""
    sound = True
    async for fine, line in check(where):
        print(line, flush=True)
        sound = sound and fine
    return 0 if sound else 1


if __name__ == "__main__":
    sys.exit(main())
