"""A game is handed out as files, and read from one; what is secret stays so."""

import csv
from dataclasses import replace
from io import StringIO
from pathlib import Path

from bot.sandbox.guild.person import InteractionResult
from bot.sandbox.model import ChannelKind, Message
from bot.table.past.game_record import papers_of
from engine.interchange import read_log, replay
from engine.record import read_record
from tests.bot.support import changes
from tests.bot.support.sandbox_bot import TABLE, SandboxBot, Seated

GOLDEN = Path(__file__).parents[2] / "golden"


def files(sandbox: SandboxBot, message: Message) -> dict[str, str]:
    """The files of a message, by name."""
    found = {file.filename: sandbox.world.store.file(file.id) or b"" for file in message.attachments}
    return {name: data.decode() for name, data in found.items()}


async def exported(game: Seated, name: str) -> tuple[InteractionResult, dict[str, str]]:
    """`/game export` in the thread of a game."""
    result = await game.slash(name, "game export")
    return result, files(game.sandbox, result.ephemeral[-1])


async def test_whoever_looks_on_gets_the_game_in_every_form_and_privately(sandbox: SandboxBot) -> None:
    game = await sandbox.game()
    await game.press("Ann", "Pass")
    result, found = await exported(game, "Eve")
    assert result.public == []
    assert list(found) == ["game-1.json", "game-1-ledger.csv", "game-1-18xx.games.json", "game-1-scores.csv"]
    text = result.text
    assert [text.count(f"`{name}`") for name in found] == [1] * 4
    for said in (
        "`game-1.json` is the whole game in our own form; `/game import` reads it.",
        "`game-1-ledger.csv` has every payment and what it was for.",
        "`game-1-18xx.games.json` is a log as 18xx.games writes them.",
    ):
        assert said in text
    assert text.endswith("`game-1-scores.csv` has the score sheet as it would be now.")


def test_each_file_of_a_game_is_said_once() -> None:
    record = read_record((GOLDEN / "18chesapeake-bank-4p.json").read_text("utf-8"))
    papers, notes = papers_of(3, record)
    assert [paper.name for paper in papers] == ["game-3.json", "game-3-ledger.csv", "game-3-18xx.games.json"]
    assert notes == [
        "`game-3.json` is the whole game in our own form; `/game import` reads it.",
        "`game-3-ledger.csv` has every payment and what it was for.",
        "`game-3-18xx.games.json` is a log as 18xx.games writes them.",
    ]


def test_where_the_other_site_would_stop_is_said() -> None:
    """By its rules nobody sells in the first stock round of 18TN."""
    papers, notes = papers_of(3, read_record((GOLDEN / "18tn-bank-3p.json").read_text("utf-8")))
    assert [paper.name for paper in papers] == ["game-3.json", "game-3-ledger.csv", "game-3-18xx.games.json"]
    assert len(notes) == 4
    assert notes[-1].startswith("By its own rules that site would stop at action 43")
    assert notes[-1][-2:] == notes[-1][-2:].strip(" .") + "." != ".."


def test_a_game_that_the_other_site_does_not_have_is_read_by_ours_all_the_same() -> None:
    record = read_record((GOLDEN / "18c2c-bank-3p.json").read_text("utf-8"))
    game, begun = record.begin(), record.actions[:20]
    game.apply_all(begun)
    papers, notes = papers_of(3, replace(record, actions=begun, scores=None, digest=game.digest()))
    assert [paper.name for paper in papers] == ["game-3.json", "game-3-ledger.csv"]
    assert notes[0] == "`game-3.json` is the whole game in our own form; `/game import` reads it."
    assert [note.startswith("There is no `game-3-18xx.games.json`: ") for note in notes] == [
        False,
        False,
        True,
    ]


async def test_log_and_record_lead_to_the_position_of_the_table(sandbox: SandboxBot) -> None:
    game = await sandbox.game()
    await game.press("Ann", "Pass")
    _, found = await exported(game, "Ann")
    read = replay(read_log(found["game-1-18xx.games.json"])).game
    assert read is not None
    assert read.digest() == read_record(found["game-1.json"]).play().digest() == await game.digest()


async def test_ledger_and_score_sheet_have_the_names_of_players(sandbox: SandboxBot) -> None:
    game = await sandbox.game()
    _, found = await exported(game, "Ann")
    ledger = list(csv.DictReader(StringIO(found["game-1-ledger.csv"])))
    assert [row["payee"] for row in ledger] == ["Ann", "Bob", "Cy"]
    assert ledger[0]["what"] == "Ann begins with $800."
    assert {row["player"] for row in csv.DictReader(StringIO(found["game-1-scores.csv"]))} == {
        "Ann",
        "Bob",
        "Cy",
    }


async def test_a_game_that_has_not_started_is_not_handed_out(sandbox: SandboxBot) -> None:
    await sandbox.person("Ann").slash(TABLE, "game new", title="18chesapeake")
    result = await sandbox.person("Ann").slash(TABLE, "game export", number=1)
    assert "not started" in result.text
    assert not result.ephemeral[-1].attachments


async def test_a_game_of_another_server_is_not_handed_out(sandbox: SandboxBot) -> None:
    await sandbox.game()
    eve = sandbox.person("Eve")
    elsewhere = changes.open_server(sandbox.world, "Elsewhere", eve.id, [eve.id])
    channel = changes.add_channel(sandbox.world, elsewhere, ChannelKind.TEXT, "other")
    await sandbox.learns(lambda: sandbox.client.get_channel(channel.id) is not None)
    result = await eve.slash(channel, "game export", number=1)
    assert "not played on this server" in result.text
    assert not result.ephemeral[-1].attachments
