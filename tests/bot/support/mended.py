"""Rules that change between two starts of the bot."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

BEFORE = "1"
"""A version of the rules before today's."""


def played_before(database: Path) -> None:
    """Make the states kept in a database those of an earlier version of the rules."""
    with closing(sqlite3.connect(database)) as conn, conn:
        changed = conn.execute(
            "UPDATE states SET state = json_set(state, '$.rules', ?) WHERE json_extract(state, '$.rules') <> ?",
            (BEFORE, BEFORE),
        )
        assert changed.rowcount > 0


def bids_above_the_price(monkeypatch: pytest.MonkeyPatch) -> None:
    """A bid must be $10 above the one before: what was legal is refused."""
    monkeypatch.setattr("engine.play.steps.bid.MIN_RAISE_DOLLARS", 10)
    monkeypatch.setattr("engine.play.privates.auction.MIN_RAISE_DOLLARS", 10)


def deeper_discounts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("engine.play.privates.auction.PRICE_REDUCTION_DOLLARS", 10)
