"""A seat goes to somebody else, who agrees, or is played for a time by a substitute; what was played stays theirs."""

from contextlib import nullcontext

import pytest

from bot.client.anonymise_user import anonymise
from bot.table.clocks.away import begin_substitution, end_substitution, expire_substitution
from bot.table.errors import FailedBeforeStoring, NotPermitted, Refused
from bot.table.votes.proposals import Proposals
from bot.table.votes.seat_proposals import DecidedBy, own_seat, propose_seat
from storage import SeatEntry, log, seats
from tests.bot.support.lost_connections import breaks
from tests.bot.support.new_posts import NOW, NewPosts
from tests.bot.support.sandbox_bot import SandboxBot
from tests.bot.support.table_service import ANN, BOB, CY, TableService

pytestmark = pytest.mark.usefixtures("absent_players")

DEE, MODERATOR = 14, 99
NEW = (DEE, "Dee")
BEGUN, TWO_DAYS_LATER = "2026-01-01T00:00:00.000+00:00", "2026-01-03T00:00:01.000+00:00"


async def propose(
    service: TableService,
    game: int,
    by: int,
    leaving: int = ANN,
    newcomer: tuple[int, str] = NEW,
    warrant: DecidedBy = "own",
) -> Proposals:
    proposals = Proposals(service.tables)
    await proposals.propose(
        game, by, lambda live: propose_seat(live, by, own_seat(live, leaving), newcomer, warrant)
    )
    return proposals


async def holders(service: TableService, game: int) -> list[int]:
    return [seat.user_id for seat in await seats.seats(service.db, game)]


# --- another holder --------------------------------------------------------------------------------------------------


async def test_newcomer_takes_a_seat_over(service: TableService, played: int) -> None:
    before = await service.digest(played)
    proposals = await propose(service, played, ANN)
    assert await holders(service, played) == [ANN, BOB, CY]
    await proposals.vote(played, 1, DEE, "yes")
    assert await holders(service, played) == [DEE, BOB, CY]
    with pytest.raises(NotPermitted):
        await service.do(played, ANN, "pass")
    again = TableService.on(service.db)
    for tables in (service, again):
        assert await tables.digest(played) == before
        async with tables.tables.reading(played) as live:
            assert (live.game.name("p1"), live.player_of(DEE)) == ("Dee", "p1")
    assert "Dee" in (await again.do(played, DEE, "pass")).lines[0]
    by = [row.user_id for row in await log.read_rows(service.db, played) if row.actor == "p1"]
    sat = [s for s in await seats.seat_entries(service.db, played) if s.player_id == "p1"]
    assert (by, [(s.user_id, s.since) for s in sat]) == ([ANN, DEE], [(ANN, 0), (DEE, 4)])
    await again.undo(played, DEE)
    async with again.tables.reading(played) as live:
        assert live.game.name("p1") == "Dee"


@pytest.mark.parametrize("done", [True, False])
async def test_seat_changes_as_the_database_is_lost(
    service: TableService, played: int, monkeypatch: pytest.MonkeyPatch, *, done: bool
) -> None:
    proposals = await propose(service, played, ANN)
    with monkeypatch.context() as patch:
        breaks(patch, seats, "replace_holder", done=done)
        with nullcontext() if done else pytest.raises(FailedBeforeStoring):
            await proposals.vote(played, 1, DEE, "yes")
    assert await holders(service, played) == [DEE if done else ANN, BOB, CY]


async def test_new_holder_on_turn_acts_at_once(service: TableService, thread: NewPosts) -> None:
    await (await propose(service, thread.game, ANN, newcomer=(DEE, "Bob"))).vote(thread.game, 1, DEE, "yes")
    said = (
        "**Bob (2)** takes over the seat of **Ann** (proposal 1); in the log, moves up to 1 keep Ann's name."
    )
    line = ("line", {"text": said, "aside": True, "loud": True})
    assert (await thread.new())[-3:] == [line, ("turn", {"fresh": ["p1"]}), ("board", {})]
    entry = SeatEntry("p1", "holder", DEE, "Bob (2)", 1, None, NOW)
    assert (await seats.seat_entries(service.db, thread.game))[-1] == entry


async def test_substitute_takes_over_their_seat(service: TableService, played: int) -> None:
    await begin_substitution(service.tables, played, ANN, NEW, None)
    for by, newcomer in ((BOB, NEW), (ANN, (ANN, "Ann"))):
        with pytest.raises(Refused, match="already plays in this game"):
            await propose(service, played, by, by, newcomer)
    proposals = await propose(service, played, BOB, warrant="group")
    for user in (CY, DEE):
        await proposals.vote(played, 1, user, "yes")
    assert await holders(service, played) == [DEE, BOB, CY]
    await service.do(played, DEE, "pass")


# --- substitutes -----------------------------------------------------------------------------------------------------


async def test_substitute_plays_for_the_holder(service: TableService, thread: NewPosts) -> None:
    game, woken = thread.game, service.woken()
    text = await begin_substitution(service.tables, game, ANN, (DEE, "**Dee**"), 2)
    assert text == "<@14> plays for **Ann** from move 2 on until <t:1767398400:f>. `/game back` ends this."
    line = {"text": text, "aside": True, "loud": True}
    assert await thread.new() == [("line", line), ("turn", {"fresh": ["p1"]})]
    entry = SeatEntry("p1", "substitute", DEE, "Dee", 1, "2026-01-03T00:00:00.000+00:00", NOW)
    assert (await seats.seat_entries(service.db, game))[-1] == entry
    for newcomer in (DEE, CY):
        with pytest.raises(Refused, match=f"<@{newcomer}> already plays in this game"):
            await begin_substitution(service.tables, game, BOB, (newcomer, "Dee"), None)
    with pytest.raises(NotPermitted):
        await end_substitution(service.tables, game, DEE)
    back = "**Ann** is back from move 2 on."
    assert await end_substitution(service.tables, game, ANN) == back
    line = {"text": back, "aside": True, "loud": True}
    assert await thread.new() == [("line", line), ("turn", {"fresh": ["p1"]})]
    assert (await seats.seat_entries(service.db, game))[-1] == SeatEntry(
        "p1", "holder", ANN, "Ann", 1, None, NOW
    )
    with pytest.raises(NotPermitted):
        await service.do(game, DEE, "pass")
    with pytest.raises(Refused, match="You have no substitute"):
        await end_substitution(service.tables, game, ANN)
    text = await begin_substitution(service.tables, game, BOB, NEW, None)
    assert text == "<@14> plays for **Bob** from move 2 on. `/game back` ends this."
    ping = ("ping", {"users": [DEE], "text": "You play for **Bob** here."})
    assert (await thread.new())[1:] == [("turn", {}), ping]
    assert woken == [game] * 3


async def test_substitution_expires_once(service: TableService) -> None:
    game = await service.game()
    service.tables.clock = lambda: BEGUN
    await begin_substitution(service.tables, game, ANN, NEW, 2)
    said = await service.lines(game)
    for player in ("p1", "p2"):
        await expire_substitution(service.tables, game, player)
    assert await service.lines(game) == said
    service.tables.clock = lambda: TWO_DAYS_LATER
    with pytest.raises(NotPermitted):
        await service.do(game, DEE, "pass")
    woken = service.woken()
    for _ in range(2):
        await expire_substitution(service.tables, game, "p1")
    text = f"<@{DEE}> stops playing for **Ann**, as agreed. **Ann** plays again."
    assert (await service.lines(game), woken) == ([*said, text], [game])


# --- on Discord ------------------------------------------------------------------------------------------------------


async def test_seat_is_handed_over_by_a_press(sandbox: SandboxBot) -> None:
    game, dee = await sandbox.game(), sandbox.person("Dee")
    await game.slash("Ann", "game replace", newcomer=dee.id)
    question = game.proposal(1)
    assert (dee.id in question.pinged, game.pings("Dee")) == (True, 1)
    assert dee.id in sandbox.world.channel(game.thread).people
    assert "You cannot answer" in (await game.press("Eve", "Agree", question)).text
    await game.press("Dee", "Agree", question)
    assert await sandbox.world.wait_until(lambda: "accepted" in sandbox.world.messages[question.id].content)
    await sandbox.settled()
    assert not sandbox.world.messages[question.id].buttons
    assert any("**Dee** takes over the seat of **Ann**" in line for line in game.lines)
    assert game.turn_text.startswith(dee.mention)
    await game.press("Dee", "Pass")
    assert "**Dee** passes" in game.lines[-1]


async def test_substitute_joins_and_plays_by_buttons(sandbox: SandboxBot) -> None:
    game, dee, eve = await sandbox.game(), sandbox.person("Dee"), sandbox.person("Eve")
    await game.slash("Bob", "game substitute", who=eve.id)
    assert (game.pings("Eve"), eve.id in sandbox.world.channel(game.thread).people) == (1, True)
    assert game.turn_text.startswith(sandbox.person("Ann").mention)
    await game.slash("Ann", "game substitute", who=dee.id, days=5)
    assert any("plays for **Ann** from move" in line for line in game.lines)
    assert game.turn_text.startswith(dee.mention)
    await game.press("Dee", "Pass")
    assert "passes" in game.lines[-1]
    await game.slash("Ann", "game back")
    assert any("**Ann** is back" in line for line in game.lines)


@pytest.mark.parametrize("ends", ["in time", "anonymised"])
async def test_end_of_substitution_pings_the_holder(sandbox: SandboxBot, ends: str) -> None:
    game, now = await sandbox.game(), BEGUN
    sandbox.client.tables.clock = lambda: now
    dee = sandbox.person("Dee").id
    await game.slash("Ann", "game substitute", who=dee, days=2)
    rung = game.pings("Ann")
    if ends == "in time":
        now = TWO_DAYS_LATER
    else:
        await anonymise(sandbox.client, dee)
    for _ in range(2):
        await sandbox.expire()
        await sandbox.settled()
    assert sum("stops playing for **Ann**" in line for line in game.lines) == 1
    assert any("a former player plays for **Ann**" in line for line in game.lines) == (ends != "in time")
    assert game.pings("Ann") == rung + 1
    await game.press("Ann", "Pass")
    assert any("**Ann** passes" in line for line in game.lines)
