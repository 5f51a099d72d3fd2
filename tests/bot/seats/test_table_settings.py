"""What a table agrees on apart from the rules: chosen in the lobby by seated players, later by a moderator alone."""

import pytest

from bot.table.errors import Refused
from bot.table.game_setting_changes import choose_game_setting
from bot.table.outbox.notices import LINE_KIND, TURN_KIND, Line, TurnChange
from bot.table.settings.table_settings import REMINDERS, SETTINGS, setting_value
from bot.table.votes.moderation import moderator_end
from storage import GAME_SETTINGS, NotSeated, clocks, fetch, outbox, pings
from tests.bot.support.sandbox_bot import TABLE, SandboxBot
from tests.bot.support.table_service import ANN, BOB, CY, TableService

DEE = 14


async def put(
    service: TableService, game: int, user: int, setting: str, value: str, *, moderator: bool = False
) -> str:
    return await choose_game_setting(
        service.tables, service.lobbies, game, user, setting, value, is_moderator=moderator
    )


async def test_lobby_chooses_without_a_line(service: TableService) -> None:
    game = await service.lobby(((ANN, "Ann"), (BOB, "Bob")))
    with pytest.raises(NotSeated):
        await put(service, game, CY, "reminders", "slow")
    line = await put(service, game, BOB, "reminders", " SLOW ")
    assert line.startswith(f"{REMINDERS.description}: ")
    await put(service, game, CY, "bank", "5 days", moderator=True)
    await put(service, game, ANN, "sealed", "on")
    assert await GAME_SETTINGS.settings_of(service.db, game) == {
        "reminders": "slow",
        "bank": "5 days",
        "sealed": "on",
    }
    assert await service.lines(game) == []


async def test_moderators_choose_while_a_game_runs(service: TableService) -> None:
    game, woken = await service.game(), service.woken()
    before = await service.lines(game)
    with pytest.raises(Refused, match="only a moderator can change this"):
        await put(service, game, ANN, "reminders", "slow")
    line = await put(service, game, DEE, "reminders", "slow", moderator=True)
    assert await service.lines(game) == [*before, f"<@{DEE}> as a moderator: {line}"]
    assert woken == [game]
    [posted] = [
        row for row in await outbox.notices_of_kind(service.db, game, LINE_KIND, -1) if line in row.payload
    ]
    assert Line.read(posted.payload).is_new_post, "all players must see it"
    last = (await outbox.notices_of_kind(service.db, game, TURN_KIND, -1))[-1]
    assert TurnChange.read(last.payload) == TurnChange((), None), "the turn message may change"
    await moderator_end(service.tables, game, DEE, 1)
    with pytest.raises(Refused, match="has ended"):
        await put(service, game, DEE, "reminders", "usual", moderator=True)
    assert await setting_value(service.db, game, "reminders") == "slow"


async def test_other_reminders_hold_at_once(service: TableService) -> None:
    game, now = await service.game(), "2026-01-05T12:00:00.000+00:00"
    known = pings.NotificationChanges((), "p1", ("p1",))
    await service.db.write(lambda tx: known.write(tx, game, 1, "2026-01-05T11:00:00.000+00:00"))
    service.tables.clock = lambda: now
    for setting, value, is_due in (("bank", "5 days", False), ("reminders", "slow", True)):
        await put(service, game, DEE, setting, value, moderator=True)
        [found], _ = await pings.notifications_of_game(service.db, game)
        assert (found.due_at == now) == is_due


@pytest.mark.parametrize(
    ("setting", "value", "runs"),
    [
        ("bank", "5 days", [None]),
        ("grace", "1 hour", [None]),
        ("at_zero", "pass", [None]),
        ("away", "2 days", [None]),
        ("reminders", "slow", ["2031-01-03"]),
        ("sealed", "on", []),
    ],
)
async def test_clock_settings_announce_time_again(
    service: TableService, setting: str, value: str, runs: list[str | None]
) -> None:
    game = await service.game()
    running = clocks.ClockTurn("p1", 1, "2031-01-01", zero="2031-01-03")
    ended = clocks.ClockTurn("p2", 1, "2031-01-01", 1, zero="2031-01-02")
    await clocks.store_clock_changes(
        service.db, game, clocks.ClockChanges((running, ended)), seq=1, now="2031-01-03"
    )
    await put(service, game, DEE, setting, value, moderator=True)
    turns = await fetch(service.db, clocks.turns_query(game))
    assert [turn.zero for turn in turns if turn.ended is None] == runs
    assert [turn.zero for turn in turns if turn.ended is not None] == ["2031-01-02"]


async def test_settings_on_discord(sandbox: SandboxBot) -> None:
    ann, dee, slow = sandbox.person("Ann"), sandbox.person("Dee"), {"setting": "reminders", "value": "slow"}
    await ann.slash(TABLE, "game new", title="18chesapeake")
    assert "You have no seat" in (await dee.slash(TABLE, "game settings", **slow)).text
    assert "Reminders: after 24" in (await ann.slash(TABLE, "game settings", **slow)).text
    assert await sandbox.world.wait_until(lambda: "Reminders: after 24" in sandbox.lobby().content)
    game = await sandbox.game()
    for by, command, values, why in (
        ("Bob", "game settings", slow, "only a moderator can change this, with `/mod settings`"),
        ("Bob", "mod settings", slow, "moderators of games"),
        ("Ann", "mod settings", {"setting": "sealed", "value": "maybe"},
         "**maybe** is not a value of sealed. Use **off** or **on**."),
        ("Ann", "mod settings", {"setting": "bank", "value": "30 minutes"},
         "or any number of hours, days or weeks, such as `36 hours`."),
        ("Ann", "mod settings", {"setting": "moon", "value": "1"}, "There is no setting **moon**"),
    ):  # fmt: skip
        assert why in (await game.slash(by, command, **values)).text
    assert await GAME_SETTINGS.settings_of(sandbox.db, game.number) == {}
    await game.slash("Ann", "mod settings", setting="reminders", value="none")
    assert any(line.endswith("as a moderator: Reminders: none.") for line in game.lines)
    offered = await ann.autocomplete(game.thread, "mod settings", focused="setting", setting="")
    assert [value for _, value in offered] == list(SETTINGS)
    offered = await ann.autocomplete(game.thread, "mod settings", focused="value", setting="sealed", value="")
    assert [value for _, value in offered] == ["off", "on"]
    answer = (await game.slash("Bob", "game settings")).text
    assert all(
        f"{setting.description}: " in answer and f" {name}" in answer for name, setting in SETTINGS.items()
    )
