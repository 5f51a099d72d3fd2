"""What moderators do: shown before, where it cannot be undone; public; and recorded as done by them."""

import pytest

from bot.client.places.threads import HOUR
from bot.table.errors import MovedOn, Refused
from bot.table.moves.moves import Typed
from bot.table.past.game_record import ended_by
from bot.table.votes.acting_as import moderator_move
from bot.table.votes.moderation import moderator_abandon, moderator_end, moderator_undo
from bot.table.votes.pauses import begin_pause
from bot.table.votes.proposals import Proposals
from bot.table.votes.seat_proposals import own_seat, propose_seat
from storage import games, log
from tests.bot.support.sandbox_bot import TABLE, SandboxBot, Seated
from tests.bot.support.table_service import ANN, BOB, CY, TableService

DEE, MODERATOR = 14, 99


@pytest.fixture
async def played(service: TableService) -> int:
    """A game of three moves."""
    game = await service.game()
    for person in (ANN, BOB, CY):
        await service.do(game, person, "pass")
    return game


async def test_a_game_goes_back_to_any_move(service: TableService, played: int) -> None:
    async with service.tables.reading(played) as live:
        start = live.as_it_stood(1)
    assert start is not None
    await moderator_undo(service.tables, played, MODERATOR, 2, 4)
    assert [(r.kind, r.user_id) for r in await log.read(service.db, played)][-1] == ("undo", MODERATOR)
    with pytest.raises(MovedOn):
        await moderator_undo(service.tables, played, MODERATOR, 1, 4)
    with pytest.raises(Refused, match="none of those that count"):
        await moderator_undo(service.tables, played, MODERATOR, 3, 5)
    with pytest.raises(Refused, match="nothing to undo"):
        await moderator_undo(service.tables, played, MODERATOR, 2, 5)
    await moderator_undo(service.tables, played, MODERATOR, 1, 5)
    assert await service.digest(played) == await TableService.on(service.db).digest(played)
    await service.do(played, ANN, "pass")


async def test_a_game_goes_back_past_a_change_of_seats_which_stay(service: TableService, played: int) -> None:
    proposals = Proposals(service.tables)
    proposal = await proposals.put(
        played, BOB, lambda live: propose_seat(live, ANN, own_seat(live, ANN), (DEE, "Dee"), "own")
    )
    await proposals.answer(played, proposal.number, DEE, "yes")
    await service.do(played, DEE, "pass")
    await moderator_undo(service.tables, played, MODERATOR, 1, 5)
    for tables in (service, TableService.on(service.db)):
        async with tables.tables.reading(played) as live:
            assert (live.user_of("p1"), live.game.name("p1")) == (DEE, "Dee")
            assert live.game.actors() == ("p1",)
    await service.do(played, DEE, "pass")


async def test_a_moderator_moves_for_a_seat_and_stands_in_the_log(service: TableService) -> None:
    game = await service.game()
    with pytest.raises(MovedOn):
        await moderator_move(service.tables, game, "p1", MODERATOR, Typed("pass"), 0)
    woken = service.woken()
    outcome = await moderator_move(service.tables, game, "p1", MODERATOR, Typed("pass"), 1)
    assert game in woken
    assert outcome.lines[-1] == f"-# <@{MODERATOR}> acts for Ann, as a moderator."
    assert [(r.actor, r.user_id) for r in await log.read(service.db, game)][1:] == [("p1", MODERATOR)]
    with pytest.raises(Refused):
        await moderator_move(service.tables, game, "p1", MODERATOR, Typed("pass"), 2)


async def test_while_a_game_pauses_a_moderator_moves_for_nobody(service: TableService) -> None:
    game = await service.game()
    await begin_pause(service.tables, game, BOB, None)
    with pytest.raises(Refused, match="paus"):
        await moderator_move(service.tables, game, "p1", MODERATOR, Typed("pass"), 1)
    assert len(await log.read(service.db, game)) == 1


async def test_the_thread_says_which_moves_a_moderator_has_undone(service: TableService, played: int) -> None:
    woken = service.woken()
    one = await moderator_undo(service.tables, played, MODERATOR, 3, 4)
    assert woken == [played]
    more = await moderator_undo(service.tables, played, MODERATOR, 1, 5)
    by = f"<@{MODERATOR}> takes the game back, as a moderator: "
    assert one.lines == (f"{by}**move 4** no longer counts.",)
    assert more.lines == (f"{by}**moves 2 to 3** no longer count.",)


async def test_a_game_ended_by_a_moderator_is_scored_and_may_be_taken_up_again(
    service: TableService, played: int
) -> None:
    before = await service.digest(played)
    with pytest.raises(MovedOn):
        await moderator_end(service.tables, played, MODERATOR, 3)
    woken = service.woken()
    text = await moderator_end(service.tables, played, MODERATOR, 4)
    assert text == f"<@{MODERATOR}> ends the game here, as a moderator. It is scored as it stands."
    assert text in (await service.lines(played))[-1]
    assert woken == [played]
    assert [row.user_id for row in (await log.read(service.db, played))[4:]] == [MODERATOR] * 3
    assert (await games.get_game(service.db, played)).status == "finished"
    with pytest.raises(Refused, match="has ended"):
        await moderator_end(service.tables, played, MODERATOR, 7)
    await moderator_undo(service.tables, played, MODERATOR, 4, 7)
    assert (await games.get_game(service.db, played)).status == "running"
    assert await service.digest(played) == before


async def test_a_game_that_its_players_end_is_ended_by_no_moderator(
    service: TableService, played: int
) -> None:
    """Not by one who has moved for a player before either."""
    async with service.tables.writing(played) as live:
        await service.tables.make(live, live.game.actors()[0], MODERATOR, Typed("pass"))
    for user in (ANN, BOB, CY):
        await service.do(played, user, "end_game")
    async with service.tables.reading(played) as live:
        assert live.game.over
        assert ended_by(live) is None


async def test_a_game_whose_end_is_refused_stands_as_it_stood(
    service: TableService, played: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = await service.digest(played)

    with service.refusing(monkeypatch), pytest.raises(Refused, match="faster"):
        await moderator_end(service.tables, played, MODERATOR, 4)
    assert await service.digest(played) == before
    await service.do(played, ANN, "pass")


async def test_a_game_that_pauses_is_ended_and_undone_too(service: TableService, played: int) -> None:
    await begin_pause(service.tables, played, BOB, None)
    await moderator_undo(service.tables, played, MODERATOR, 3, 4)
    await moderator_end(service.tables, played, MODERATOR, 5)
    assert (await games.get_game(service.db, played)).status == "finished"


async def test_a_game_abandoned_by_a_moderator_takes_no_move(service: TableService, played: int) -> None:
    with pytest.raises(MovedOn):
        await moderator_abandon(service.tables, played, MODERATOR, 3)
    woken = service.woken()
    text = await moderator_abandon(service.tables, played, MODERATOR, 4)
    assert text == f"<@{MODERATOR}> abandons the game, as a moderator. It is not scored."
    assert (await service.lines(played))[-1] == text
    assert woken == [played]
    with pytest.raises(Refused, match="abandoned"):
        await service.do(played, ANN, "pass")
    with pytest.raises(Refused, match="abandoned"):
        await moderator_undo(service.tables, played, MODERATOR, 1, 4)
    with pytest.raises(Refused, match="has ended"):
        await moderator_abandon(service.tables, played, MODERATOR, 4)


# --- on Discord: Ann manages the server; the others do not -----------------------------------------------------------


async def sure(game: Seated, command: str, **values: object) -> str:
    """A command of Ann's, and the press that confirms it; what was asked."""
    question = (await game.slash("Ann", command, **values)).ephemeral[0]
    await game.press("Ann", question.buttons[0].label, question)
    await game.sandbox.settled()
    return question.content


async def test_what_would_be_lost_is_shown_before_and_posted_after(sandbox: SandboxBot) -> None:
    """The moderator plays here, and lost nothing less by it: it is public."""
    game = await sandbox.game()
    for name in ("Ann", "Bob", "Cy"):
        await game.press(name, "Pass")
    offered = await sandbox.person("Ann").autocomplete(game.thread, "mod undo", focused="to", to="")
    assert [value for _, value in offered] == [3, 2, 1]
    assert offered[0][0] == "3 Bob passes. (this stays)"
    question = (await game.slash("Ann", "mod undo", to=1)).ephemeral[0]
    assert "These 3 moves would no longer count" in question.content
    assert all(f"**{name}** passes" in question.content for name in ("Ann", "Bob", "Cy"))
    assert await game.seq() == 4
    await game.press("Ann", question.buttons[0].label, question)
    assert await sandbox.world.until(lambda: "takes the game back" in game.lines[-1])
    assert (
        f"<@{sandbox.person('Ann').id}> takes the game back, as a moderator: **moves 2 to 4**"
        in game.lines[-1]
    )
    await game.press("Ann", "Pass")


async def test_a_confirmation_is_worth_nothing_once_the_game_has_moved_on(sandbox: SandboxBot) -> None:
    game = await sandbox.game()
    await game.press("Ann", "Pass")
    question = (await game.slash("Ann", "mod undo", to=1)).ephemeral[0]
    await game.press("Bob", "Pass")
    late = await game.press("Ann", question.buttons[0].label, question)
    assert await sandbox.hears(late, "has moved on")
    assert await game.seq() == 3


async def test_a_moderator_moves_for_a_seat_by_menus(sandbox: SandboxBot) -> None:
    game = await sandbox.game(("Bob", "Cy", "Dee"))
    assert "moderators of games" in (await game.slash("Cy", "mod act", player="Bob")).text
    menu = (await game.slash("Ann", "mod act", player="Bob")).ephemeral[0]
    [value] = [value for label, value in menu.selects[0].options if label == "Pass"]
    await sandbox.person("Ann").select(menu, menu.selects[0].custom_id, [value])
    assert await sandbox.world.until(lambda: bool(sandbox.world.messages[menu.id].buttons))
    asked = sandbox.world.messages[menu.id]
    await game.press("Ann", asked.buttons[0].label, asked)
    assert await sandbox.world.until(lambda: any("acts for Bob" in line for line in game.lines))
    [line] = [line for line in game.lines if "acts for Bob" in line]
    assert "**Bob** passes" in line
    rows = await log.read(sandbox.db, game.number)
    assert (rows[-1].actor, rows[-1].user_id) == ("p1", sandbox.person("Ann").id)
    assert f"passes. (done by {sandbox.person('Ann').mention})" in (await game.slash("Cy", "log")).text


async def test_a_game_ended_by_a_moderator_says_by_whom(sandbox: SandboxBot) -> None:
    game = await sandbox.game()
    assert "scored as it stands" in await sure(game, "mod end")
    assert await sandbox.world.until(lambda: sandbox.world.channel(game.thread).archive_minutes == HOUR)
    who = sandbox.person("Ann").mention
    assert any(f"{who} ends the game here, as a moderator" in line for line in game.lines)
    [end] = [message for message in game.messages if "Thank you for the game" in message.content]
    assert f"{who} has ended the game, as a moderator, as it stands." in end.content
    assert "agreed to stop" not in end.content
    question = (await game.slash("Ann", "mod undo", to=1)).ephemeral[0]
    assert "as a moderator. It is scored" in question.content


async def test_a_game_abandoned_by_a_moderator_says_so_and_has_no_buttons(sandbox: SandboxBot) -> None:
    game = await sandbox.game()
    await sure(game, "mod abandon")
    assert await sandbox.world.until(lambda: any("abandons the game" in line for line in game.lines))
    assert not any(message.buttons for message in game.messages)
    assert (await games.get_game(sandbox.db, game.number)).status == "abandoned"


async def test_a_lobby_is_corrected_and_closed_by_a_moderator_without_a_seat(sandbox: SandboxBot) -> None:
    await sandbox.person("Bob").slash(TABLE, "game new", title="18al")
    lobby = sandbox.lobby()
    await sandbox.person("Cy").press(lobby, "Join")
    ann, bob, cy = (sandbox.person(name) for name in ("Ann", "Bob", "Cy"))
    assert "moderators" in (await cy.slash(TABLE, "mod options", number=1, options="none")).text
    await ann.slash(TABLE, "mod options", number=1, options="unlimited_4d")
    await ann.slash(TABLE, "mod seats", number=1, first=cy.id, second=bob.id)
    moderated = [
        m.content
        for m in ann.messages(TABLE)
        if "has corrected, as a moderator" in m.content and not m.ephemeral
    ]
    assert len(moderated) == 2
    assert "the seats: Cy, Bob" in moderated[1]
    assert "Any number of 4D-trains" in sandbox.world.messages[lobby.id].content
    question = (await ann.slash(TABLE, "mod close", number=1)).ephemeral[0]
    assert (await games.get_game(sandbox.db, 1)).status == "lobby"
    await ann.press(question, "Close it")
    assert await sandbox.world.until(lambda: "was closed by" in sandbox.world.messages[lobby.id].content)
    assert (await games.get_game(sandbox.db, 1)).status == "abandoned"
