"""What is looked at before a start, so that it ends with the name of the setting: folders and ports."""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from bot.tools.environment import Settings, SettingsError


def require_folders(settings: Settings) -> None:
    """Raise SettingsError unless the bot may write to the folders that it will need on Discord."""
    if settings.backups is not None:
        require_folder(settings.backups, "STATIONMASTER_BACKUPS")


def require_folder(folder: Path, setting: str) -> None:
    """Raise SettingsError, which names the setting, unless files can be written to a folder."""
    if (why := unwritable(folder)) is not None:
        raise SettingsError(f"{setting}: {why}")


def unwritable(folder: Path) -> str | None:
    """Why no file can be written to a folder, which is made unless it is there; None if one can."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return None
    except FileExistsError:
        return f"{folder} is a file; name a folder."
    except OSError as error:
        return f"The folder {folder} cannot be written: {error.strerror}."


@contextmanager
def taking_port(port: int, setting: str) -> Iterator[None]:
    """Say in a SettingsError which setting names a port that cannot be had."""
    try:
        yield
    except OSError as error:
        raise SettingsError(
            f"{setting}: port {port} of this machine cannot be used; another program may have it. "
            f"Set another, or stop that program ({error.strerror})."
        ) from error
