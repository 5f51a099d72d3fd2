"""Build step that pyproject.toml cannot express: a built package records the git commit it was made from."""

import os
import sys
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))

from bot.version_and_commit import commit_of_checkout  # noqa: E402 - the folder is not on the path before; needs nothing installed


class BuildWithCommit(build_py):
    """Records the commit of the build, from git or from SOURCE_COMMIT if there is no git, as in a container.

    An editable install records nothing, since it can ask git later.
    """

    def run(self) -> None:
        """Build the package and write the commit into it."""
        super().run()
        if not self.editable_mode:
            commit = os.environ.get("SOURCE_COMMIT", "").strip() or commit_of_checkout(HERE)
            (Path(self.build_lib) / "bot" / "commit.txt").write_text(f"{commit}\n", "ascii")


setup(cmdclass={"build_py": BuildWithCommit})
