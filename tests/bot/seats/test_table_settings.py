"""What a table agrees on apart from the rules: chosen in the lobby by seated players, later by a moderator alone."""

import pytest

from bot.table.changing_settings import choose_game_setting
from bot.table.errors import Refused
from bot.table.outbox.notices import LINE, TURN, Line, TurnChange
from bot.table.settings.table_settings import REMINDERS, SETTINGS, value_of
from bot.table.votes.moderation import moderator_end
from storage import GAMES, NotSeated, Transaction, ask, clocks, games, outbox, pings, settings
from tests.bot.support.sandbox_bot import TABLE, SandboxBot
from tests.bot.support.table_service import ANN, BOB, CY, TableService

DEE = 14


async def test_whoever_has_a_seat_chooses_in_the_lobby_and_its_message_says_so(sandbox: SandboxBot) -> None:
    ann, dee = sandbox.person("Ann"), sandbox.person("Dee")
    await ann.slash(TABLE, "game new", title="18chesapeake")
    assert (
        "You have no seat"
        in (await dee.slash(TABLE, "game settings", setting="reminders", value="slow")).text
    )
    assert (
        "Reminders: after 24"
        in (await ann.slash(TABLE, "game settings", setting="reminders", value="slow")).text
    )
    assert await sandbox.world.until(lambda: "Reminders: after 24" in sandbox.lobby().content)


async def test_once_it_has_started_only_a_moderator_changes_it_and_a_line_says_so(
    sandbox: SandboxBot,
) -> None:
    game = await sandbox.game()
    refused = await game.slash("Bob", "game settings", setting="reminders", value="none")
    assert "a moderator may change this with `/mod settings`" in refused.text
    assert (
        "moderators of games"
        in (await game.slash("Bob", "mod settings", setting="reminders", value="none")).text
    )
    assert await GAMES.get(sandbox.db, game.number, "reminders") is None
    await game.slash("Ann", "mod settings", setting="reminders", value="none")
    assert any(line.endswith("as a moderator: Reminders: none.") for line in game.lines)


async def test_settings_and_their_values_are_completed_and_others_are_refused(sandbox: SandboxBot) -> None:
    game, ann = await sandbox.game(), sandbox.person("Ann")
    offered = await ann.autocomplete(game.thread, "mod settings", focused="setting", setting="")
    assert [value for _, value in offered] == list(SETTINGS)
    values = await ann.autocomplete(game.thread, "mod settings", focused="value", setting="sealed", value="")
    assert [value for _, value in values] == ["off", "on"]
    refused = await game.slash("Ann", "mod settings", setting="sealed", value="maybe")
    assert "**maybe** is no value of sealed. It may be **off** or **on**." in refused.text
    assert (
        "There is no setting **moon**"
        in (await game.slash("Ann", "mod settings", setting="moon", value="1")).text
    )


async def test_without_a_setting_all_are_listed(sandbox: SandboxBot) -> None:
    answer = (await (await sandbox.game()).slash("Bob", "game settings")).text
    assert all(f"{setting.about}: " in answer and f" {name}" in answer for name, setting in SETTINGS.items())


async def put(
    service: TableService, game: int, user: int, setting: str, value: str, *, moderator: bool = False
) -> str:
    """Choose a setting of a game."""
    return await choose_game_setting(
        service.tables, service.lobbies, game, user, setting, value, moderator=moderator
    )


async def test_in_a_lobby_who_is_seated_or_moderates_chooses_and_nothing_is_posted(
    service: TableService,
) -> None:
    game = await service.lobby(((ANN, "Ann"), (BOB, "Bob")))
    with pytest.raises(NotSeated):
        await put(service, game, CY, "reminders", "slow")
    line = await put(service, game, BOB, "reminders", " SLOW ")
    assert line.startswith(f"{REMINDERS.about}: ")
    await put(service, game, CY, "bank", "5 days", moderator=True)
    await put(service, game, ANN, "sealed", "on")
    assert await GAMES.all_of(service.db, game) == {"reminders": "slow", "bank": "5 days", "sealed": "on"}
    assert await service.lines(game) == []


async def test_once_a_game_runs_moderators_alone_choose_and_once_it_has_ended_nobody(
    service: TableService,
) -> None:
    game, woken = await service.game(), service.woken()
    before = await service.lines(game)
    with pytest.raises(Refused, match="a moderator may change this"):
        await put(service, game, ANN, "reminders", "slow")
    line = await put(service, game, DEE, "reminders", "slow", moderator=True)
    assert await service.lines(game) == [*before, f"<@{DEE}>, as a moderator: {line}"]
    assert woken == [game]
    [posted] = [row for row in await outbox.of_kind(service.db, game, LINE, -1) if line in row.payload]
    assert Line.read(posted.payload).new_post, "all players must see it"
    last = (await outbox.of_kind(service.db, game, TURN, -1))[-1]
    assert TurnChange.read(last.payload) == TurnChange((), None), (
        "the turn message may say something else now"
    )
    await moderator_end(service.tables, game, DEE, 1)
    with pytest.raises(Refused, match="has ended"):
        await put(service, game, DEE, "reminders", "usual", moderator=True)
    assert await value_of(service.db, game, "reminders") == "slow"


async def test_while_a_setting_is_stored_no_other_process_writes_the_game(
    service: TableService, monkeypatch: pytest.MonkeyPatch
) -> None:
    game, order = await service.game(), list[tuple[str, int]]()
    keep, write = games.lock, settings.Settings.write

    async def kept(tx: Transaction, number: int) -> None:
        order.append(("held", number))
        await keep(tx, number)

    async def written(of: settings.Settings, tx: Transaction, number: int, name: str, value: str) -> None:
        order.append(("written", number))
        await write(of, tx, number, name, value)

    monkeypatch.setattr(games, "lock", kept)
    monkeypatch.setattr(settings.Settings, "write", written)
    await put(service, game, DEE, "reminders", "slow", moderator=True)
    assert order[:2] == [("held", game), ("written", game)]


async def test_other_reminders_hold_for_those_who_were_pinged_already(service: TableService) -> None:
    game, now = await service.game(), "2026-01-05T12:00:00.000+00:00"
    known = pings.NotificationChanges((), "p1", ("p1",))
    await service.db.write(lambda tx: known.write(tx, game, 1, "2026-01-05T11:00:00.000+00:00"))
    service.tables.clock = lambda: now
    for setting, value, is_due in (("bank", "5 days", False), ("reminders", "slow", True)):
        await put(service, game, DEE, setting, value, moderator=True)
        [found], _ = await pings.of_game(service.db, game)
        assert (found.due_at == now) == is_due


async def test_players_seal_from_now_on_or_act_again_as_a_moderator_chooses(service: TableService) -> None:
    game = await service.game()
    for value, waited in (("on", ["p1", "p2", "p3"]), ("off", ["p1"])):
        await put(service, game, DEE, "sealed", value, moderator=True)
        notifications, _ = await pings.of_game(service.db, game)
        assert [one.player_id for one in notifications] == waited


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
async def test_what_changes_clocks_says_again_whose_time_is_up_and_who_seals_begins_another_turn(
    service: TableService, setting: str, value: str, runs: list[str | None]
) -> None:
    game = await service.game()
    running, ended = (
        clocks.Turn("p1", 1, "2031-01-01", zero="2031-01-03"),
        clocks.Turn("p2", 1, "2031-01-01", 1, zero="2031-01-02"),
    )
    await clocks.tick(service.db, game, clocks.Ticking((running, ended)), seq=1, now="2031-01-03")
    await put(service, game, DEE, setting, value, moderator=True)
    turns = await ask(service.db, clocks.turns_question(game))
    assert [turn.zero for turn in turns if turn.ended is None] == runs
    assert [turn.zero for turn in turns if turn.ended is not None] == ["2031-01-02"]
