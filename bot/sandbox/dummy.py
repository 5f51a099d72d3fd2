"""The token of every sandbox."""

from typing import Final

DUMMY_TOKEN: Final = "sandbox.not-a-secret.token"
