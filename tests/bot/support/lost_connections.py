"""A database that is lost while something is stored: nobody hears whether it was."""

from typing import Any

import pytest


def breaks(monkeypatch: pytest.MonkeyPatch, target: Any, name: str, *, done: bool) -> None:
    """The connection to the database breaks while this is stored: after it is (`done`), or before."""
    real = getattr(target, name)

    async def broken(*args: Any, **values: Any) -> Any:
        if done:
            await real(*args, **values)
        raise ConnectionError("the server closed the connection")

    monkeypatch.setattr(target, name, broken)
