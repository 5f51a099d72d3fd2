"""Migrations that databases have run: they are never edited, or two databases of one version would differ."""

import hashlib
from typing import Final

import pytest

from storage.migrations.migration import Migration
from storage.migrations.schema_versions import MIGRATIONS

RELEASED: Final = {
    1: "c6e009846122a101",
    2: "15180be09e98fb06",
    3: "fdf944b4443ec6f7",
    4: "6c1ca9540b538ce0",
    5: "ff9db07b93960b52",
    6: "7b944c7321aefa97",
    7: "01c50aa80f7774fb",
    8: "00d5fece6dd8a8d2",
    9: "00432089216feb0c",
    10: "d14f55c4f9c06e2e",
    11: "fe8203dcd836caee",
    12: "415c178fed925529",
    13: "fa48d26f0530ca70",
    14: "a1806fd5611c082e",
    15: "ae6916d1257b5c3d",
    16: "16c27fa6d69112b2",
    17: "779ce7de84889292",
    18: "b2d75cedad293bd4",
    19: "19eb845cb463db7d",
    20: "f161e5a2a921fda4",
    21: "fe7dbc164eb0d832",
    22: "998a3162b32535a1",
    23: "4269ab0aa547115d",
    24: "e9c6f74eb6581b9d",
    25: "7aebe2f81eb7aa9b",
    26: "a5e34e209df02723",
}
"""The beginning of a SHA-256 of the statements of each, by its number; a new one is added when it is released."""


def fingerprint(migration: Migration) -> str:
    """Of the statements for both databases."""
    return hashlib.sha256(repr((migration.sqlite, migration.postgres)).encode()).hexdigest()[:16]


@pytest.mark.parametrize("migration", MIGRATIONS, ids=lambda one: f"m{one.number:02}")
def test_a_migration_that_was_released_is_never_edited(migration: Migration) -> None:
    assert RELEASED.get(migration.number, fingerprint(migration)) == fingerprint(migration)


def test_every_migration_but_the_newest_was_released() -> None:
    numbers = [migration.number for migration in MIGRATIONS]
    assert numbers[: len(RELEASED)] == list(RELEASED)
