"""Somebody plays for the holder of a seat for a time; the seat stays the holder's."""

import pytest

from bot.client.anonymise_user import anonymise
from bot.table.clocks.away import begin_substitution, end_substitution, expire_substitution
from bot.table.errors import NotYours, Refused
from storage import log, pings, seats
from tests.bot.sandbox.guild import send_away
from tests.bot.support.sandbox_bot import SandboxBot
from tests.bot.support.table_service import ANN, BOB, CY, TableService

DEE = 14
SUBSTITUTE = (DEE, "Dee")


async def test_a_substitute_plays_and_is_named_in_the_log_and_the_holder_keeps_the_seat(
    service: TableService,
) -> None:
    game = await service.game()
    await begin_substitution(service.tables, game, ANN, SUBSTITUTE, None)
    again = TableService.on(service.db)
    await again.do(game, DEE, "pass")
    assert [(row.actor, row.user_id) for row in await log.read(service.db, game)][1:] == [("p1", DEE)]
    assert [seat.user_id for seat in await seats.seats(service.db, game)] == [ANN, BOB, CY]


async def test_whoever_is_back_plays_alone_again(service: TableService) -> None:
    game = await service.game()
    await begin_substitution(service.tables, game, ANN, SUBSTITUTE, None)
    with pytest.raises(NotYours):
        await end_substitution(service.tables, game, DEE)
    await end_substitution(service.tables, game, ANN)
    with pytest.raises(NotYours):
        await service.do(game, DEE, "pass")
    with pytest.raises(Refused, match="You have no substitute"):
        await end_substitution(service.tables, game, ANN)
    await service.do(game, ANN, "pass")


async def test_a_substitute_plays_no_longer_than_was_said(service: TableService) -> None:
    game = await service.game()
    service.tables.clock = lambda: "2026-01-01T00:00:00.000+00:00"
    await begin_substitution(service.tables, game, ANN, SUBSTITUTE, 2)
    service.tables.clock = lambda: "2026-01-03T00:00:01.000+00:00"
    with pytest.raises(NotYours):
        await service.do(game, DEE, "pass")


async def test_no_player_of_the_game_plays_for_another(service: TableService) -> None:
    game = await service.game()
    with pytest.raises(Refused, match="already"):
        await begin_substitution(service.tables, game, ANN, (BOB, "Bob"), None)


async def test_the_substitute_is_pinged_and_plays_by_the_buttons(sandbox: SandboxBot) -> None:
    game = await sandbox.game()
    await game.slash("Ann", "game substitute", who=sandbox.person("Dee").id, days=5)
    assert any("plays for **Ann** until" in line for line in game.lines)
    assert game.turn_text.startswith(sandbox.person("Dee").mention)
    await game.press("Dee", "Pass")
    assert any("passes" in line for line in game.lines)
    await game.slash("Ann", "game back")
    assert any("**Ann** is back" in line for line in game.lines)


async def test_a_substitute_who_is_not_due_yet_joins_the_thread_by_one_mention(sandbox: SandboxBot) -> None:
    game = await sandbox.game()
    await game.slash("Bob", "game substitute", who=sandbox.person("Dee").id)
    assert game.pings("Dee") == 1
    assert sandbox.person("Dee").id in sandbox.world.channel(game.thread).people
    assert game.turn_text.startswith(sandbox.person("Ann").mention)


async def test_a_newcomer_joins_the_thread_by_being_asked(sandbox: SandboxBot) -> None:
    game = await sandbox.game()
    await game.slash("Bob", "game replace", newcomer=sandbox.person("Dee").id)
    assert game.pings("Dee") == 1
    assert sandbox.person("Dee").id in sandbox.world.channel(game.thread).people


async def test_the_end_of_the_time_announces_itself_and_pings_the_holder(sandbox: SandboxBot) -> None:
    game = await sandbox.game()
    now = "2026-01-01T00:00:00.000+00:00"
    sandbox.client.tables.clock = lambda: now
    await game.slash("Ann", "game substitute", who=sandbox.person("Dee").id, days=2)
    rung = game.pings("Ann")
    now = "2026-01-03T00:00:01.000+00:00"
    for _ in range(2):
        await sandbox.expire()
        await sandbox.settled()
    assert sum("plays for **Ann** no longer" in line for line in game.lines) == 1
    assert game.pings("Ann") == rung + 1
    await game.press("Ann", "Pass")
    assert any("**Ann** passes" in line for line in game.lines)


async def test_a_substitute_who_has_left_the_server_is_announced_and_not_the_holder(
    sandbox: SandboxBot,
) -> None:
    game = await sandbox.game()
    await game.slash("Bob", "game substitute", who=sandbox.person("Dee").id)
    send_away(sandbox.world, sandbox.person("Dee").id)
    await game.press("Ann", "Pass")
    await sandbox.settled()
    (last,) = [line for line in game.lines if "has left this server" in line]
    assert last.startswith("**Dee**, **Bob**'s substitute, has left this server")
    assert all(way in last for way in ("/game back", "/game replace", "/game pause"))
    assert "/game agreement" not in last, "that is refused while there is a substitute"


async def test_an_anonymised_substitute_is_announced_and_the_holder_pinged(sandbox: SandboxBot) -> None:
    game = await sandbox.game()
    await game.slash("Ann", "game substitute", who=sandbox.person("Dee").id)
    rung = game.pings("Ann")
    await anonymise(sandbox.client, sandbox.person("Dee").id)
    for _ in range(2):
        await sandbox.expire()
        await sandbox.settled()
    assert (
        sum("a former player plays for **Ann** no longer; **Ann** does." in line for line in game.lines) == 1
    )
    assert game.pings("Ann") == rung + 1


async def test_the_thread_says_from_which_move_on_somebody_else_plays(service: TableService) -> None:
    game = await service.game()
    begun = await begin_substitution(service.tables, game, ANN, SUBSTITUTE, None)
    assert begun == f"From move 2 on <@{DEE}> plays for **Ann**; `/game back` ends that."
    await service.do(game, DEE, "pass")
    assert await end_substitution(service.tables, game, ANN) == "**Ann** is back, from move 3 on."
    assert (await service.lines(game))[-1] == "**Ann** is back, from move 3 on."


async def test_a_substitute_stops_when_their_time_is_over_and_not_before(service: TableService) -> None:
    game = await service.game()
    service.tables.clock = lambda: "2026-01-01T00:00:00.000+00:00"
    await begin_substitution(service.tables, game, ANN, SUBSTITUTE, 2)
    said = await service.lines(game)
    await expire_substitution(service.tables, game, "p1")
    await expire_substitution(service.tables, game, "p2")
    assert await service.lines(game) == said
    service.tables.clock = lambda: "2026-01-03T00:00:01.000+00:00"
    woken = service.woken()
    for _ in range(2):
        await expire_substitution(service.tables, game, "p1")
    text = f"<@{DEE}> plays for **Ann** no longer, as was said; **Ann** does."
    assert (await service.lines(game), woken) == ([*said, text], [game])


async def test_a_substitute_of_a_player_who_need_not_act_is_no_reason_to_wait_for_them(
    service: TableService,
) -> None:
    game = await service.game()
    for holder in (BOB, ANN):
        await begin_substitution(service.tables, game, holder, (DEE + holder, "Dee"), None)
        notifications, _ = await pings.of_game(service.db, game)
        assert [one.player_id for one in notifications] == ["p1"]
