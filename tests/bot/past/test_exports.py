"""A game is handed out as files; what is secret stays so."""

import csv
from dataclasses import replace
from io import StringIO

import pytest

from bot.client.features.import_export import SECRET_MONEY_TEXT
from bot.sandbox.guild.person import InteractionResult
from bot.sandbox.model import ChannelKind
from bot.table.past.game_record import files_of_record
from engine.interchange import read_log, replay
from engine.record import Record, read_record
from storage import games
from tests.bot.support import changes
from tests.bot.support.positions import recorded
from tests.bot.support.sandbox_bot import TABLE, SandboxBot, Seated

OWN = "`game-3.json` is the whole game in the bot's own format; `/game import` reads it."
LEDGER = "`game-3-ledger.csv` lists every payment and its reason."
LOG = "`game-3-18xx.games.json` is a log in the format of 18xx.games."


async def exported(game: Seated, name: str) -> tuple[InteractionResult, dict[str, str]]:
    """`/game export` in the thread of a game: the answer, and its files by name."""
    result = await game.slash(name, "game export")
    store = game.sandbox.world.store
    found = {file.filename: store.read_file(file.id) or b"" for file in result.ephemeral[-1].attachments}
    return result, {name: data.decode() for name, data in found.items()}


def shortened_alt_text(record: Record) -> Record:
    game = record.initial_game()
    game.apply_all(record.actions[:20])
    return replace(record, actions=record.actions[:20], scores=None, digest=game.digest())


@pytest.mark.parametrize(
    ("record", "files", "notes"),
    [
        (recorded("18chesapeake-bank-4p"), 3, [OWN, LEDGER, LOG]),
        # By its rules nobody sells in the first stock round of 18TN.
        (
            recorded("18tn-bank-3p"),
            3,
            [OWN, LEDGER, LOG, "18xx.games itself would stop at action 43"],
        ),
        (
            shortened_alt_text(recorded("18c2c-bank-3p")),
            2,
            [OWN, LEDGER, "There is no `game-3-18xx.games.json`: "],
        ),
    ],
)
def test_each_file_is_explained(record: Record, files: int, notes: list[str]) -> None:
    papers, found = files_of_record(3, record)
    names = ["game-3.json", "game-3-ledger.csv", "game-3-18xx.games.json"]
    assert [paper.name for paper in papers] == names[:files]
    assert [note[: len(start)] for note, start in zip(found, notes, strict=True)] == notes
    assert not [note for note in found if note.endswith("..") or not note.endswith(".")]


async def test_onlookers_export_a_game(sandbox: SandboxBot) -> None:
    """In every form, privately; each leads to the position of the table."""
    game = await sandbox.game()
    await game.press("Ann", "Pass")
    result, found = await exported(game, "Eve")
    assert result.public == []
    assert list(found) == ["game-1.json", "game-1-ledger.csv", "game-1-18xx.games.json", "game-1-scores.csv"]
    assert [result.text.count(f"`{name}`") for name in found] == [1] * 4
    assert result.text.endswith("`game-1-scores.csv` has the current scores.")
    read = replay(read_log(found["game-1-18xx.games.json"])).game
    assert read is not None
    assert read.digest() == read_record(found["game-1.json"]).play().digest() == await game.digest()
    ledger = list(csv.DictReader(StringIO(found["game-1-ledger.csv"])))
    assert [row["payee"] for row in ledger] == ["Ann", "Bob", "Cy"]
    assert ledger[0]["what"] == "Ann begins with $800."
    scores = csv.DictReader(StringIO(found["game-1-scores.csv"]))
    assert {row["player"] for row in scores} == {"Ann", "Bob", "Cy"}
    for name in ("Ann", "Bob", "Cy"):
        await game.slash(name, "game abandon")
    over, _ = await exported(game, "Eve")
    assert over.text.endswith("`game-1-scores.csv` has the final scores.")


@pytest.mark.usefixtures("undrawn", "unfilmed")
async def test_secret_money_is_not_exported(sandbox: SandboxBot) -> None:
    """18C2C: whole game, ledger and score sheet would count everybody's money until the game is over."""
    await sandbox.person("Ann").slash(TABLE, "game new", title="18c2c")
    await sandbox.person("Bob").press(sandbox.lobby(), "Join")
    await sandbox.person("Ann").press(sandbox.lobby(), "Start")
    await sandbox.settled()
    row = (await games.games_with_status(sandbox.db, "running"))[-1]
    game = Seated(sandbox, row.id, row.thread_id or 0)
    async with sandbox.client.tables.reading(row.id) as live:
        acts = live.name_of(live.game.actors()[0])
    removes = next(button.label for button in game.turn.buttons if "KTC" in button.label)
    await game.press(acts, removes)
    result, found = await exported(game, "Ann")
    assert (result.text, list(found)) == (SECRET_MONEY_TEXT, ["game-1.txt"])
    assert "KTC" in found["game-1.txt"]
    assert "cash" not in found["game-1.txt"]
    for name in ("Ann", "Bob"):
        await game.slash(name, "game abandon")
    _, found = await exported(game, "Ann")
    assert len(found) > 1


async def test_game_without_a_position_is_not_exported(sandbox: SandboxBot) -> None:
    eve = sandbox.person("Eve")
    await sandbox.person("Ann").slash(TABLE, "game new", title="18chesapeake")
    elsewhere = changes.open_server(sandbox.world, "Elsewhere", eve.id, [eve.id])
    other = changes.add_channel(sandbox.world, elsewhere, ChannelKind.TEXT, "other")
    await sandbox.learns(lambda: sandbox.client.get_channel(other.id) is not None)
    for channel, why in ((TABLE, "not started"), (other, "not on this server")):
        result = await eve.slash(channel, "game export", number=1)
        assert why in result.text
        assert not result.ephemeral[-1].attachments
