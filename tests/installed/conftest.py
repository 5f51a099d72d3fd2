"""The wheel, built once, and the command that comes with it."""

import shutil
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path

import pytest
from filelock import FileLock

ROOT = Path(__file__).parents[2]
MADE_OF = (
    "bot",
    "engine",
    "render",
    "storage",
    "pyproject.toml",
    "setup.py",
    "README.md",
    "LICENSE",
    "NOTICE",
)
COMMIT = "0123456789abcdef0123456789abcdef01234567"
"""Stands for the commit of a build without git, as of a container."""


@pytest.fixture(scope="session")
def workshop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that all processes of this run of tests share."""
    common = tmp_path_factory.getbasetemp()
    folder = (common.parent if common.name.startswith("popen-") else common) / "workshop"
    folder.mkdir(exist_ok=True)
    return folder


@pytest.fixture(scope="session")
def wheel(workshop: Path) -> Path:
    """The wheel of the checkout, built without a way to a package index."""
    with FileLock(workshop / "wheel.lock"):
        if not (built := list(workshop.glob("*.whl"))):
            _build(workshop)
            built = list(workshop.glob("*.whl"))
    [only] = built
    return only


def _build(workshop: Path) -> None:
    source = workshop / "source"
    for name in MADE_OF:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, source / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(ROOT / name, source / name)
    _pip("wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", str(workshop), str(source))


@pytest.fixture(scope="session")
def stationmaster(pytestconfig: pytest.Config, workshop: Path, wheel: Path) -> Path:
    """The command of the wheel in an environment of its own, or the one that `--stationmaster` names.

    What the bot needs is that of the tests; nothing of the checkout is to be found there.
    """
    given: Path | None = pytestconfig.getoption("--stationmaster")
    if given is not None:
        return given
    home = workshop / "home"
    command = home / ("Scripts" if sys.platform == "win32" else "bin") / "stationmaster"
    with FileLock(workshop / "home.lock"):
        if not command.exists():
            venv.create(home, with_pip=False, symlinks=sys.platform != "win32")
            python = command.with_name("python")
            place = {"base": str(home), "platbase": str(home)}
            packages = Path(sysconfig.get_path("purelib", "venv", place))
            (packages / "needed.pth").write_text(f"{sysconfig.get_path('purelib')}\n", "utf-8")
            _pip("install", "--no-deps", "--no-index", "--no-compile", str(wheel), python=python)
    return command


def _pip(*arguments: str, python: Path = Path(sys.executable)) -> None:
    ended = subprocess.run(
        [str(python), "-m", "pip", "--disable-pip-version-check", *arguments],
        capture_output=True,
        text=True,
        check=False,
        env={"SOURCE_COMMIT": COMMIT, "PATH": ""},
    )
    assert ended.returncode == 0, ended.stdout + ended.stderr
