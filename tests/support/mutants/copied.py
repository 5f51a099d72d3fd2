"""The copy of the project in which faults are tried, and how to tell that it has not changed."""

import hashlib
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path

COPIED = ("engine", "tests", "bot", "render", "storage", "benchmarks", "docs", "pyproject.toml")


def copy(out: Path) -> None:
    """Copy the project as it is now; what was measured in an earlier copy stays there."""
    for name in COPIED:
        if Path(name).is_dir():
            shutil.rmtree(out / name, ignore_errors=True)
            shutil.copytree(name, out / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy2(name, out / name)


def fingerprint(asked: Sequence[str]) -> str:
    """Equal for copies, in the present folder, that hold the same and of which the same is asked."""
    found = hashlib.sha256(repr(asked).encode())
    for path in _files():
        found.update(f"{path} {path.stat().st_size} ".encode() + path.read_bytes())
    return found.hexdigest()


def _files() -> Iterator[Path]:
    for name in COPIED:
        found = sorted(Path(name).rglob("*")) if Path(name).is_dir() else [Path(name)]
        yield from (path for path in found if path.is_file() and path.suffix != ".pyc")
