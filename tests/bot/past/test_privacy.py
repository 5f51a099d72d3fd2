"""Privacy: users see the data stored about them, nobody else does, and it goes when they say so; games stay whole."""

import asyncio
import json
import re
from pathlib import Path

from bot.client.features.left_servers import DATA_RETENTION
from bot.client.features.privacy import (
    EXPORT_FILE_NAME,
    EXPORT_TEXT,
    GIVE_UP_ADVICE,
    PRIVACY_TEXT,
    REMOVAL_QUESTION,
)
from bot.sandbox.guild.person import InteractionResult
from storage import GUILD_SETTINGS, backups, games, log, personal_data, seats
from storage.old_rows import ROW_RETENTION as LINES_KEPT
from tests.bot.support.sandbox_bot import TABLE, SandboxBot, Seated

REMOVE, SURE = "Remove my name", "Remove my name for good"


async def finished(sandbox: SandboxBot) -> Seated:
    """A game that all three have agreed to end."""
    game = await sandbox.game()
    await game.press("Ann", "Pass")
    for name in ("Ann", "Bob", "Cy"):
        await game.slash(name, "game abandon")
    assert (await games.get_game(sandbox.db, game.number)).status == "finished"
    return game


async def ask(sandbox: SandboxBot, name: str, *labels: str) -> InteractionResult:
    person = sandbox.person(name)
    result = await person.slash(TABLE, "privacy")
    assert (result.text, result.public) == (PRIVACY_TEXT, [])
    for label in labels:
        result = await person.press(result.ephemeral[-1], label)
    return result


def on_disk(folder: Path) -> bytes:
    return b"".join(file.read_bytes() for file in folder.glob("games.db*"))


async def test_users_get_their_own_data(sandbox: SandboxBot) -> None:
    game = await sandbox.game()
    await game.press("Ann", "Pass")
    answer = await ask(sandbox, "Ann", "My data")
    assert answer.text == EXPORT_TEXT
    [file] = answer.ephemeral[-1].attachments
    text = (sandbox.world.store.read_file(file.id) or b"").decode()
    kept = json.loads(text)
    assert (file.filename, file.description) == (EXPORT_FILE_NAME, "Everything stored about you")
    assert text.startswith(f'{{\n "user_id": {sandbox.person("Ann").id},\n')
    assert [row["display_name"] for row in kept["seats"]] == ["Ann"]
    assert [row["seq"] for row in kept["log"]] == [1, 2]
    assert str(sandbox.person("Bob").id) not in text


async def test_seated_users_keep_their_names(sandbox: SandboxBot) -> None:
    game = await sandbox.game()
    answer = await ask(sandbox, "Ann", REMOVE)
    assert f"these games: {game.number}" in answer.text
    assert answer.text.endswith(GIVE_UP_ADVICE)
    assert (await seats.seats(sandbox.db, game.number))[0].display_name == "Ann"
    asked = (await ask(sandbox, "Eve", REMOVE)).ephemeral[-1]
    await sandbox.person("Eve").press(asked, SURE)
    nothing = "Your name and number are removed; the bot stored nothing about you."
    assert await sandbox.world.wait_until(lambda: asked.content == nothing)


async def test_removed_name_is_nowhere_on_disk(sandbox: SandboxBot, tmp_path: Path) -> None:
    """Not even in what the file of the database has of deleted rows; the game stays whole."""
    game = await finished(sandbox)
    ann = sandbox.person("Ann")
    await GUILD_SETTINGS.put(sandbox.db, ann.channel(TABLE).guild_id or 0, f"theme:{ann.id}", "dark")
    before, moves = await game.digest(), await log.read_rows(sandbox.db, game.number)
    asked = await ask(sandbox, "Ann", REMOVE)
    assert asked.text == REMOVAL_QUESTION
    assert (await seats.seats(sandbox.db, game.number))[0].display_name == "Ann"
    question = asked.ephemeral[-1]
    await ann.press(question, SURE)
    assert await sandbox.world.wait_until(lambda: "removed; you were in games 1" in question.content)
    names = [seat.display_name for seat in await seats.seats(sandbox.db, game.number)]
    assert names == [personal_data.FORMER_PLAYER_NAME, "Bob", "Cy"]
    assert sandbox.client.tables.find_cached(game.number) is None
    assert await game.digest() == before
    assert [row.digest for row in await log.read_rows(sandbox.db, game.number)] == [
        row.digest for row in moves
    ]
    listed = await sandbox.person("Bob").slash(game.thread, "player", player="p1")
    assert listed.ephemeral
    await sandbox.stop()
    found = await asyncio.to_thread(on_disk, tmp_path)
    assert str(ann.id).encode() not in found
    assert ann.id.to_bytes(8, "big") not in found
    assert re.search(rb"(?<!\w)Ann(?!\w)", found) is None
    await sandbox.start()
    assert await game.digest() == before


def test_privacy_page_holds() -> None:
    page = (Path(__file__).parents[3] / "docs/privacy.md").read_text("utf-8")
    assert f"kept for {DATA_RETENTION.days} days" in page
    assert f"{LINES_KEPT.days} days after they were posted" in page
    assert f'"{personal_data.FORMER_PLAYER_NAME}"' in page
    assert (backups.DAYS_WITH_BACKUP, backups.WEEKS_WITH_BACKUP) == (7, 4)
    assert "kept for seven days and four weeks" in page
    assert f"{LINES_KEPT.days} days" in PRIVACY_TEXT
