"""A seat goes to somebody else, who agrees, or is played for a time by a substitute; what was played stays theirs."""

from contextlib import nullcontext

import pytest

from bot.client.anonymise_user import anonymise
from bot.table.clocks.away import begin_substitution, end_substitution, expire_substitution
from bot.table.errors import NothingStored, NotYours, Refused
from bot.table.votes.proposals import Proposals
from bot.table.votes.seat_proposals import Warrant, own_seat, propose_seat
from storage import SeatEntry, log, pings, seats
from tests.bot.sandbox.guild import send_away
from tests.bot.support.lost_connections import breaks
from tests.bot.support.new_posts import NOW, NewPosts
from tests.bot.support.sandbox_bot import SandboxBot
from tests.bot.support.table_service import ANN, BOB, CY, TableService

pytestmark = pytest.mark.usefixtures("absent_players")

DEE = 14
NEW = (DEE, "Dee")
BEGUN, TWO_DAYS_LATER = "2026-01-01T00:00:00.000+00:00", "2026-01-03T00:00:01.000+00:00"


@pytest.fixture
async def played(service: TableService) -> int:
    """A game of three moves."""
    game = await service.game()
    for person in (ANN, BOB, CY):
        await service.do(game, person, "pass")
    return game


async def propose(
    service: TableService,
    game: int,
    by: int,
    leaving: int = ANN,
    newcomer: tuple[int, str] = NEW,
    warrant: Warrant = "own",
) -> Proposals:
    """Somebody proposes that a newcomer takes a seat over."""
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
    with pytest.raises(NotYours):
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
        with nullcontext() if done else pytest.raises(NothingStored):
            await proposals.vote(played, 1, DEE, "yes")
    assert await holders(service, played) == [DEE if done else ANN, BOB, CY]


async def test_new_holder_on_turn_acts_at_once(service: TableService, thread: NewPosts) -> None:
    await (await propose(service, thread.game, ANN)).vote(thread.game, 1, DEE, "yes")
    assert [one for one in await thread.new() if one[0] == "turn"] == [("turn", {"fresh": ["p1"]})]


async def test_others_give_a_seat_away(service: TableService, played: int) -> None:
    proposals = await propose(service, played, BOB, warrant="group")
    for user in (DEE, CY):
        assert await holders(service, played) == [ANN, BOB, CY]
        await proposals.vote(played, 1, user, "yes")
    assert await holders(service, played) == [DEE, BOB, CY]


async def test_newcomer_may_refuse(service: TableService, played: int) -> None:
    proposals = await propose(service, played, 99, warrant="moderator")
    with pytest.raises(NotYours):
        await proposals.vote(played, 1, 99, "yes")
    await proposals.vote(played, 1, DEE, "no")
    with pytest.raises(Refused, match="settled already"):
        await proposals.vote(played, 1, DEE, "yes")
    assert await holders(service, played) == [ANN, BOB, CY]


async def test_present_holder_keeps_the_seat(service: TableService, played: int) -> None:
    proposals = await propose(service, played, BOB, warrant="group")
    assert (await proposals.vote(played, 1, ANN, "no")).proposal.state == "refused"
    with pytest.raises(Refused, match="settled already"):
        await proposals.vote(played, 1, DEE, "yes")


async def test_onlooker_proposes_and_answers_nothing(service: TableService, played: int) -> None:
    with pytest.raises(NotYours):
        await propose(service, played, 99, warrant="group")
    proposals = await propose(service, played, BOB, warrant="group")
    with pytest.raises(NotYours, match="not for you"):
        await proposals.vote(played, 1, 99, "yes")


async def test_nobody_plays_two_seats(service: TableService, played: int) -> None:
    with pytest.raises(Refused, match="plays in this game already"):
        await propose(service, played, ANN, newcomer=(BOB, "Bob"))
    proposals = await propose(service, played, ANN)
    await propose(service, played, BOB, BOB)
    await proposals.vote(played, 1, DEE, "yes")
    with pytest.raises(Refused, match="plays in this game already"):
        await proposals.vote(played, 2, DEE, "yes")
    assert await holders(service, played) == [DEE, BOB, CY]


async def test_substitute_takes_over_their_seat(service: TableService, played: int) -> None:
    await begin_substitution(service.tables, played, ANN, NEW, None)
    for by, newcomer in ((BOB, NEW), (ANN, (ANN, "Ann"))):
        with pytest.raises(Refused, match="plays in this game already"):
            await propose(service, played, by, by, newcomer)
    proposals = await propose(service, played, BOB, warrant="group")
    for user in (CY, DEE):
        await proposals.vote(played, 1, user, "yes")
    assert await holders(service, played) == [DEE, BOB, CY]
    await service.do(played, DEE, "pass")


async def test_newcomer_gets_a_distinct_name(service: TableService, played: int) -> None:
    await (await propose(service, played, ANN, newcomer=(DEE, "Bob"))).vote(played, 1, DEE, "yes")
    async with service.tables.reading(played) as live:
        assert live.name_of("p1") == "Bob (2)"


# --- substitutes -----------------------------------------------------------------------------------------------------


async def test_substitute_plays_for_the_holder(service: TableService, thread: NewPosts) -> None:
    game, woken = thread.game, service.woken()
    text = await begin_substitution(service.tables, game, ANN, (DEE, "**Dee**"), 2)
    assert text == "From move 2 on <@14> plays for **Ann** until <t:1767398400:f>; `/game back` ends that."
    line = {"text": text, "aside": True, "loud": True}
    assert await thread.new() == [("line", line), ("turn", {"fresh": ["p1"]})]
    entry = SeatEntry("p1", "substitute", DEE, "Dee", 1, "2026-01-03T00:00:00.000+00:00", NOW)
    assert (await seats.seat_entries(service.db, game))[-1] == entry
    for newcomer in (DEE, CY):
        with pytest.raises(Refused, match=f"<@{newcomer}> plays in this game already"):
            await begin_substitution(service.tables, game, BOB, (newcomer, "Dee"), None)
    with pytest.raises(NotYours):
        await end_substitution(service.tables, game, DEE)
    back = "**Ann** is back, from move 2 on."
    assert await end_substitution(service.tables, game, ANN) == back
    line = {"text": back, "aside": True, "loud": True}
    assert await thread.new() == [("line", line), ("turn", {"fresh": ["p1"]})]
    assert (await seats.seat_entries(service.db, game))[-1] == SeatEntry(
        "p1", "holder", ANN, "Ann", 1, None, NOW
    )
    with pytest.raises(NotYours):
        await service.do(game, DEE, "pass")
    with pytest.raises(Refused, match="You have no substitute"):
        await end_substitution(service.tables, game, ANN)
    text = await begin_substitution(service.tables, game, BOB, NEW, None)
    assert text == "From move 2 on <@14> plays for **Bob**; `/game back` ends that."
    ping = ("ping", {"users": [DEE], "text": "You play for **Bob** here."})
    assert (await thread.new())[1:] == [("turn", {}), ping]
    assert woken == [game] * 3


async def test_substitute_stands_in_the_log(service: TableService) -> None:
    game = await service.game()
    await begin_substitution(service.tables, game, ANN, NEW, None)
    await TableService.on(service.db).do(game, DEE, "pass")
    assert [(row.actor, row.user_id) for row in await log.read_rows(service.db, game)][1:] == [("p1", DEE)]
    assert await holders(service, game) == [ANN, BOB, CY]
    service.tables.forget(game)
    assert await end_substitution(service.tables, game, ANN) == "**Ann** is back, from move 3 on."


async def test_substitution_expires_once(service: TableService) -> None:
    game = await service.game()
    service.tables.clock = lambda: BEGUN
    await begin_substitution(service.tables, game, ANN, NEW, 2)
    said = await service.lines(game)
    for player in ("p1", "p2"):
        await expire_substitution(service.tables, game, player)
    assert await service.lines(game) == said
    service.tables.clock = lambda: TWO_DAYS_LATER
    with pytest.raises(NotYours):
        await service.do(game, DEE, "pass")
    woken = service.woken()
    for _ in range(2):
        await expire_substitution(service.tables, game, "p1")
    text = f"<@{DEE}> plays for **Ann** no longer, as was said; **Ann** does."
    assert (await service.lines(game), woken) == ([*said, text], [game])


async def test_only_the_player_on_turn_is_waited_for(service: TableService) -> None:
    game = await service.game()
    for holder in (BOB, ANN):
        await begin_substitution(service.tables, game, holder, (DEE + holder, "Dee"), None)
        notifications, _ = await pings.notifications_of_game(service.db, game)
        assert [one.player_id for one in notifications] == ["p1"]


# --- on Discord ------------------------------------------------------------------------------------------------------


async def test_seat_is_handed_over_by_a_press(sandbox: SandboxBot) -> None:
    game, dee = await sandbox.game(), sandbox.person("Dee")
    await game.slash("Ann", "game replace", newcomer=dee.id)
    question = next(m for m in game.messages if m.content.startswith("Proposal 1:"))
    assert (dee.id in question.pinged, game.pings("Dee")) == (True, 1)
    assert dee.id in sandbox.world.channel(game.thread).people
    assert "not for you" in (await game.press("Eve", "Agree", question)).text
    await game.press("Dee", "Agree", question)
    assert await sandbox.world.wait_until(lambda: "accepted" in sandbox.world.messages[question.id].content)
    await sandbox.settled()
    assert not sandbox.world.messages[question.id].buttons
    assert any("**Dee** takes over the seat of **Ann**" in line for line in game.lines)
    assert game.turn_text.startswith(dee.mention)
    await game.press("Dee", "Pass")
    assert "**Dee** passes" in game.lines[-1]


async def test_question_is_answered_after_a_restart(sandbox: SandboxBot) -> None:
    game = await sandbox.game()
    await game.slash("Bob", "game replace", newcomer=sandbox.person("Dee").id, player="Ann")
    question = next(m for m in game.messages if m.content.startswith("Proposal 1:"))
    await sandbox.stop()
    await sandbox.start()
    for name in ("Cy", "Dee"):
        await game.press(name, "Agree", question)
    assert await sandbox.world.wait_until(lambda: "accepted" in sandbox.world.messages[question.id].content)
    await sandbox.settled()
    assert sum("**Dee** takes over the seat" in line for line in game.lines) == 1


async def test_substitute_joins_and_plays_by_buttons(sandbox: SandboxBot) -> None:
    game, dee, eve = await sandbox.game(), sandbox.person("Dee"), sandbox.person("Eve")
    await game.slash("Bob", "game substitute", who=eve.id)
    assert (game.pings("Eve"), eve.id in sandbox.world.channel(game.thread).people) == (1, True)
    assert game.turn_text.startswith(sandbox.person("Ann").mention)
    await game.slash("Ann", "game substitute", who=dee.id, days=5)
    assert any("plays for **Ann** until" in line for line in game.lines)
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
    assert sum("plays for **Ann** no longer" in line for line in game.lines) == 1
    assert any("a former player plays for **Ann**" in line for line in game.lines) == (ends != "in time")
    assert game.pings("Ann") == rung + 1
    await game.press("Ann", "Pass")
    assert any("**Ann** passes" in line for line in game.lines)


async def test_departed_substitute_is_announced(sandbox: SandboxBot) -> None:
    game = await sandbox.game()
    await game.slash("Bob", "game substitute", who=sandbox.person("Dee").id)
    send_away(sandbox.world, sandbox.person("Dee").id)
    await game.press("Ann", "Pass")
    await sandbox.settled()
    [last] = [line for line in game.lines if "has left this server" in line]
    assert last.startswith("**Dee**, **Bob**'s substitute, has left this server")
    assert all(way in last for way in ("/game back", "/game replace", "/game pause"))
    assert "/game agreement" not in last, "that is refused while there is a substitute"
