"""What pyproject.toml cannot say: a built package notes the commit from which it was made."""

import os
import sys
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))

from bot.version_and_commit import commit_of  # noqa: E402 - the folder is not on the path before; needs nothing installed


class BuildWithCommit(build_py):
    """Notes the commit: SOURCE_COMMIT where there is no git, as for a container. An editable install asks git later."""

    def run(self) -> None:
        """Build, and write the note."""
        super().run()
        if not self.editable_mode:
            commit = os.environ.get("SOURCE_COMMIT", "").strip() or commit_of(HERE)
            (Path(self.build_lib) / "bot" / "commit.txt").write_text(f"{commit}\n", "ascii")


setup(cmdclass={"build_py": BuildWithCommit})
