"""What is looked at again and again is looked at whatever went wrong before."""

import asyncio
import logging

import pytest

from bot.client.requests.retries import HOUR, MINUTE, keep_looking
from bot.table.errors import Refused
from storage import StorageError


async def test_a_look_that_fails_is_in_the_log_and_the_next_one_comes(
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.WARNING)
    faults: list[Exception] = [
        StorageError("the disk is full"),
        Refused("damaged"),
        KeyError("a mistake of ours"),
    ]
    slept: list[float] = []

    async def look() -> None:
        if faults:
            raise faults.pop(0)
        raise asyncio.CancelledError

    async def sleep(seconds: float) -> None:
        slept.append(seconds)

    with pytest.raises(asyncio.CancelledError):
        await keep_looking("what has run out", look, MINUTE, sleep)
    assert slept == [60.0] * 3
    assert HOUR == 3600.0, "where nobody waits"
    assert [record.exc_info is not None for record in caplog.records] == [False, False, True]
    assert "what has run out: the disk is full" in caplog.text
