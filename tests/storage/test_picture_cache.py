"""The cache of pictures: found by what they show, and never larger than it may be."""

import pytest

from storage import ConstraintBroken, Database, pictures
from storage.pictures import PictureKey


def key(game_id: int, seq: int, view: str = "map", theme: str = "light") -> PictureKey:
    return PictureKey(game_id, seq, view, theme)


async def kept(db: Database) -> list[int]:
    return await db.read(
        lambda conn: [row[0] for row in conn.execute("SELECT seq FROM pictures ORDER BY id")]
    )


async def test_a_picture_is_found_by_all_of_its_key(db: Database, game_id: int) -> None:
    await pictures.put(db, key(game_id, 1), b"\x89PNG\x00one")
    assert await pictures.get(db, key(game_id, 1)) == b"\x89PNG\x00one"
    for other in (
        key(game_id, 2),
        key(game_id + 1, 1),
        key(game_id, 1, "market"),
        key(game_id, 1, theme="dark"),
    ):
        assert await pictures.get(db, other) is None


async def test_a_picture_drawn_again_takes_the_place_of_the_first(db: Database, game_id: int) -> None:
    await pictures.put(db, key(game_id, 1), b"one")
    await pictures.put(db, key(game_id, 1), b"two")
    assert await pictures.get(db, key(game_id, 1)) == b"two"
    assert await kept(db) == [1]


async def test_the_oldest_make_room(db: Database, game_id: int) -> None:
    for seq in range(1, 8):
        await pictures.put(db, key(game_id, seq), bytes(100), most_bytes=350)
    assert await kept(db) == [5, 6, 7]
    await pictures.put(db, key(game_id, 8), bytes(250), most_bytes=350)
    assert await kept(db) == [7, 8]


async def test_a_picture_larger_than_the_cache_is_not_kept(db: Database, game_id: int) -> None:
    await pictures.put(db, key(game_id, 1), bytes(100), most_bytes=350)
    await pictures.put(db, key(game_id, 2), bytes(351), most_bytes=350)
    assert await kept(db) == []


async def test_a_picture_belongs_to_a_game(db: Database) -> None:
    with pytest.raises(ConstraintBroken):
        await pictures.put(db, key(99, 1), b"one")
