"""What is kept of users is shown to them and to nobody else, and goes when they say so; games stay whole."""

import asyncio
import json
import re
from pathlib import Path

from bot.client.anonymise_user import anonymise
from bot.client.features.left_servers import KEPT
from bot.client.features.privacy import ABOUT
from bot.sandbox.guild.person import InteractionResult
from bot.table.past.anonymise import anonymised
from storage import ANONYMISED, FORMER, GUILDS, backups, games, log, personal_data, seats
from storage.old_rows import KEPT as LINES_KEPT
from tests.bot.support.sandbox_bot import TABLE, SandboxBot, Seated


async def _finished(sandbox: SandboxBot) -> Seated:
    """A game that all three have agreed to end."""
    game = await sandbox.game()
    await game.press("Ann", "Pass")
    for name in ("Ann", "Bob", "Cy"):
        asked = await game.slash(name, "game abandon")
        if asked.ephemeral and asked.ephemeral[-1].buttons:
            await game.press(name, asked.ephemeral[-1].buttons[0].label, asked.ephemeral[-1])
    assert (await games.get_game(sandbox.db, game.number)).status == "finished"
    return game


async def _ask(sandbox: SandboxBot, name: str, *labels: str) -> InteractionResult:
    """`/privacy`, and these buttons one after the other."""
    person = sandbox.person(name)
    result = await person.slash(TABLE, "privacy")
    for label in labels:
        result = await person.press(result.ephemeral[-1], label)
    return result


def _on_disk(folder: Path) -> bytes:
    return b"".join(file.read_bytes() for file in folder.glob("games.db*"))


async def test_privacy_is_explained_in_short_and_privately(sandbox: SandboxBot) -> None:
    answer = await _ask(sandbox, "Eve")
    assert "What the bot stores" in answer.text
    assert answer.public == []


async def test_users_get_a_file_of_what_is_stored_of_themselves_alone(sandbox: SandboxBot) -> None:
    game = await sandbox.game()
    await game.press("Ann", "Pass")
    answer = await _ask(sandbox, "Ann", "My data")
    [file] = answer.ephemeral[-1].attachments
    kept = json.loads(sandbox.world.store.file(file.id) or b"")
    assert kept["user_id"] == sandbox.person("Ann").id
    assert [row["display_name"] for row in kept["seats"]] == ["Ann"]
    assert [row["seq"] for row in kept["log"]] == [1, 2]
    assert str(sandbox.person("Bob").id) not in json.dumps(kept)


async def test_whoever_has_a_seat_gives_it_up_first(sandbox: SandboxBot) -> None:
    game = await sandbox.game()
    answer = await _ask(sandbox, "Ann", "Remove my name")
    assert f"not ended: {game.number}" in answer.text
    assert "`/game replace`" in answer.text
    assert (await seats.seats(sandbox.db, game.number))[0].display_name == "Ann"


async def test_somebody_who_is_removed_is_nowhere_in_the_file_and_the_game_stays_whole(
    sandbox: SandboxBot, tmp_path: Path
) -> None:
    game = await _finished(sandbox)
    ann = sandbox.person("Ann")
    await GUILDS.put(sandbox.db, ann.channel(TABLE).guild_id or 0, f"theme:{ann.id}", "dark")
    before, moves = await game.digest(), await log.read(sandbox.db, game.number)
    asked = await _ask(sandbox, "Ann", "Remove my name")
    assert "cannot be undone" in asked.text
    assert (await seats.seats(sandbox.db, game.number))[0].display_name == "Ann"
    question = asked.ephemeral[-1]
    await sandbox.person("Ann").press(question, "Remove my name for good")
    assert await sandbox.world.until(lambda: "removed; games with you until now: 1" in question.content)
    assert await game.digest() == before
    assert [row.digest for row in await log.read(sandbox.db, game.number)] == [row.digest for row in moves]
    listed = await sandbox.person("Bob").slash(game.thread, "player", player="p1")
    assert listed.ephemeral
    await sandbox.stop()
    found = await asyncio.to_thread(_on_disk, tmp_path)
    assert str(ann.id).encode() not in found
    assert ann.id.to_bytes(8, "big") not in found
    assert re.search(rb"(?<!\w)Ann(?!\w)", found) is None
    await sandbox.start()
    assert await game.digest() == before


async def test_a_game_without_one_of_its_players_is_not_taken_up_again(sandbox: SandboxBot) -> None:
    game = await _finished(sandbox)
    await anonymise(sandbox.client, sandbox.person("Ann").id)
    answer = await game.slash("Cy", "undo")
    assert "A player of this game was anonymised, so it cannot be resumed." in answer.text
    assert (await games.get_game(sandbox.db, game.number)).status == "finished"
    assert (await seats.seats(sandbox.db, game.number))[0].user_id == personal_data.ANONYMISED


def test_the_page_says_what_the_program_does() -> None:
    """`docs/privacy.md`: how long things are kept, and the name of a removed user."""
    page = (Path(__file__).parents[3] / "docs/privacy.md").read_text("utf-8")
    assert f"kept for {KEPT.days} days" in page
    assert f"{LINES_KEPT.days} days after they were posted" in page
    assert f'"{personal_data.FORMER}"' in page
    assert (backups.DAYS, backups.WEEKS) == (7, 4)
    assert "kept for seven days and four weeks" in page
    assert f"{LINES_KEPT.days} days" in ABOUT


ANN = personal_data.Somebody(11, ("Ann",), ("p1",))


def test_a_player_is_renamed_who_was_played_by_the_user_under_a_name_of_theirs() -> None:
    """Another player may have the same name, and the seat another holder by now."""
    start = json.dumps({"players": [["p1", "Ann"], ["p2", "Ann"]]})
    assert json.loads(anonymised("start", start, ANN)) == {"players": [["p1", FORMER], ["p2", "Ann"]]}
    taken_over = json.dumps({"players": [["p1", "Dee"], ["p2", "Bob"]]})
    assert anonymised("start", taken_over, ANN) == taken_over


def test_a_number_goes_out_of_lists_and_is_nobodys_elsewhere() -> None:
    notice = json.dumps({"users": [11, 12], "holder": 11, "seq": 12, "text": "<@11>, 111, Ann and Anna"})
    assert json.loads(anonymised("words", notice, ANN)) == {
        "users": [12],
        "holder": ANONYMISED,
        "seq": 12,
        "text": f"{FORMER}, 111, {FORMER} and Anna",
    }
