"""What decisions about seats, pauses and endings leave in the thread and in the log, word for word."""

from typing import Any

import pytest

from bot.table.clocks.away import begin_substitution, end_substitution
from bot.table.errors import NotYours, Refused
from bot.table.moves.moves import Typed
from bot.table.votes.absent_seats import let_caretaker_play, propose_absence, propose_move
from bot.table.votes.moderation import EndProposal, moderator_abandon, moderator_accept, moderator_end
from bot.table.votes.pauses import PauseProposal
from bot.table.votes.proposals import WITHDRAW, Proposals
from bot.table.votes.seat_proposals import propose_seat
from engine.play.rules import RULES_VERSION
from storage import SeatEntry, log, seats
from tests.bot.support.new_posts import NOW, NewPosts, Posted
from tests.bot.support.table_service import ANN, BOB, CY, TableService

pytestmark = pytest.mark.usefixtures("absent_players")

DEE, MODERATOR = 14, 99
KEPT = "`/game replace` gives the seat to another member."


def aside(text: str, *fresh: str, loud: bool = True) -> Posted:
    """A line of no move, and a turn that says something else since; these players have to act anew."""
    line = {"text": text, "aside": True} | ({"loud": True} if loud else {})
    turn: dict[str, Any] = {}
    return [("line", line), ("turn", turn | ({"fresh": list(fresh)} if fresh else {}))]


async def test_the_table_plays_a_seat_until_its_player_is_back(
    service: TableService, thread: NewPosts
) -> None:
    game, asked = thread.game, Proposals(service.tables)
    seat = await asked.put(game, BOB, lambda live: propose_absence(live, BOB, "p1"))
    assert await thread.new() == [("proposal", {"proposal": 1})]
    await asked.answer(game, seat.number, CY, "yes")
    assert await thread.new() == aside(
        "From move 2 on the table plays the seat of **Ann** (proposal 1): one proposes a move with `/game propose`, "
        f"another agrees. As soon as **Ann** acts, that is over; {KEPT}",
        "p1",
    )
    assert (await seats.entries(service.db, game))[-1] == SeatEntry("p1", "group", ANN, "Ann", 1, None, NOW)
    move = await asked.put(game, BOB, lambda live: propose_move(live, "p1", Typed("pass")))
    subject = (await asked.asking(game, move.number)).subject
    assert subject.says() == "for **Ann**: Pass"
    await asked.answer(game, move.number, CY, "yes")
    [_, line, *_] = await thread.new()
    said = "`2` **Ann** passes.\n-# For Ann: proposed by <@12>, agreed to by the table (proposal 2)."
    assert line == ("line", {"text": said})
    for kind in ("end_game", "bid"):
        with pytest.raises(Refused):
            await asked.put(game, BOB, lambda live, kind=kind: propose_move(live, "p1", Typed(kind)))  # type: ignore[misc]
    with pytest.raises(Refused, match=r"^That is no move of Ann\.$"):
        await asked.put(
            game, BOB, lambda live: propose_move(live, "p1", lambda now, _: Typed("pass")(now, "p2"))
        )
    assert await asked.seen(game, ANN) == []
    assert await thread.new() == aside("**Ann** is back, from move 3 on.", loud=False)
    assert (await seats.entries(service.db, game))[-1] == SeatEntry("p1", "holder", ANN, "Ann", 2, None, NOW)


async def test_whoever_is_back_on_turn_is_asked_for_their_move(
    service: TableService, thread: NewPosts
) -> None:
    await let_caretaker_play(service.tables, thread.game, MODERATOR, "p1")
    woken = service.woken()
    await thread.new()
    await Proposals(service.tables).seen(thread.game, ANN)
    found = await thread.new()
    assert found[1] == ("turn", {"fresh": ["p1"]})
    assert woken == [thread.game]


async def test_a_caretaker_sits_down_by_a_moderators_word_until_somebody_takes_over(
    service: TableService, thread: NewPosts
) -> None:
    game, asked = thread.game, Proposals(service.tables)
    woken = service.woken()
    text = await let_caretaker_play(service.tables, game, MODERATOR, "p3")
    assert text == (
        "From move 2 on a caretaker, the computer, plays the seat of **Cy** (as <@99> decides, as a moderator). "
        f"As soon as **Cy** acts, that is over; {KEPT}"
    )
    assert (await thread.new())[0] == ("line", {"text": text, "aside": True, "loud": True})
    assert woken == [game]
    entry = SeatEntry("p3", "caretaker", CY, "Cy", 1, None, NOW)
    assert (await seats.entries(service.db, game))[-1] == entry
    given = await asked.put(game, BOB, lambda live: propose_seat(live, BOB, "p3", (DEE, "Bob"), "group"))
    for user in (ANN, DEE):
        await asked.answer(game, given.number, user, "yes")
    said = "**Bob (2)** takes over the seat of **Cy** (proposal 1); moves up to 1 stay Cy's."
    assert (await thread.new())[1:] == [
        ("line", {"text": said, "aside": True, "loud": True}), ("turn", {}), ("board", {}),
    ]  # fmt: skip
    entry = SeatEntry("p3", "holder", DEE, "Bob (2)", 1, None, NOW)
    assert (await seats.entries(service.db, game))[-1] == entry


async def test_the_new_holder_of_the_seat_on_turn_must_act_at_once(
    service: TableService, thread: NewPosts
) -> None:
    asked = Proposals(service.tables)
    given = await asked.put(thread.game, ANN, lambda live: propose_seat(live, ANN, "p1", (DEE, "Dee"), "own"))
    await asked.answer(thread.game, given.number, DEE, "yes")
    found = await thread.new()
    assert [one for one in found if one[0] == "turn"] == [("turn", {"fresh": ["p1"]})]


async def test_the_table_lets_the_game_pause_and_ends_it(service: TableService, thread: NewPosts) -> None:
    game, asked = thread.game, Proposals(service.tables)
    pause = await asked.put(game, ANN, lambda _: PauseProposal(9))
    await asked.answer(game, pause.number, BOB, "yes")
    said = "The game pauses until <t:1768003200:f> (proposal 1); `/game resume` ends the pause."
    assert (await thread.new())[1:] == [("line", {"text": said})]
    with pytest.raises(Refused, match="Game 1 pauses already"):
        await asked.put(game, ANN, lambda _: PauseProposal(None))
    end = await asked.put(game, ANN, lambda _: EndProposal())
    for user in (BOB, CY):
        await asked.answer(game, end.number, user, "yes")
    said = "`4` All players have agreed to end the game here (proposal 2)."
    assert (await thread.new())[1:] == [("line", {"text": said}), ("board", {}), ("turn", {}), ("end", {})]
    rows = (await log.read(service.db, game))[1:]
    assert [(row.actor, row.user_id) for row in rows] == [("p1", ANN), ("p2", BOB), ("p3", CY)]
    for late in (
        asked.put(game, ANN, lambda _: EndProposal()),
        let_caretaker_play(service.tables, game, MODERATOR, "p3"),
        moderator_end(service.tables, game, MODERATOR, 4),
    ):
        with pytest.raises(Refused, match="Game 1 has ended"):
            await late


async def test_a_proposal_that_there_is_not_is_neither_shown_nor_answered(
    service: TableService, thread: NewPosts
) -> None:
    asked = Proposals(service.tables)
    for missing in (
        asked.asking(thread.game, 7), asked.settled(thread.game, 7), asked.answer(thread.game, 7, ANN, "yes"),
    ):  # fmt: skip
        with pytest.raises(Refused, match="There is no proposal 7 in game 1"):
            await missing


async def test_only_its_proposer_withdraws_a_proposal_and_no_line_says_so(
    service: TableService, thread: NewPosts
) -> None:
    game, asked = thread.game, Proposals(service.tables)
    mine = await asked.put(game, ANN, lambda _: EndProposal())
    await thread.new()
    with pytest.raises(NotYours, match="Only the player who made this proposal can withdraw it"):
        await asked.answer(game, mine.number, BOB, WITHDRAW)
    woken = service.woken()
    gone = (await asked.answer(game, mine.number, ANN, WITHDRAW)).proposal
    assert (gone.state, gone.why) == ("expired", "was withdrawn")
    assert woken == [game]
    assert not [one for one in await thread.new() if one[0] == "line"]


async def test_what_is_open_once_is_agreed_to_where_it_is_proposed_again(
    service: TableService, thread: NewPosts
) -> None:
    game, asked = thread.game, Proposals(service.tables)
    first = await asked.put_or_join(game, ANN, lambda _: PauseProposal(9))
    assert [(vote.user_id, vote.agrees) for vote in first.votes] == [(ANN, True)]
    assert [one.proposal.number for one in await asked.open_in(await _live(service, game))] == [1]
    second = await asked.put_or_join(game, BOB, lambda _: PauseProposal(9))
    assert (second.proposal.number, second.proposal.state) == (1, "accepted")
    assert await asked.open_in(await _live(service, game)) == []


async def _live(service: TableService, game: int) -> Any:
    async with service.tables.reading(game) as live:
        return live


async def test_a_substitute_plays_for_a_time_or_until_the_holder_is_back(
    service: TableService, thread: NewPosts
) -> None:
    game = thread.game
    woken = service.woken()
    text = await begin_substitution(service.tables, game, ANN, (DEE, "**Dee**"), 2)
    assert text == "From move 2 on <@14> plays for **Ann** until <t:1767398400:f>; `/game back` ends that."
    assert await thread.new() == aside(text, "p1")
    until = "2026-01-03T00:00:00.000+00:00"
    entry = SeatEntry("p1", "substitute", DEE, "Dee", 1, until, NOW)
    assert (await seats.entries(service.db, game))[-1] == entry
    with pytest.raises(Refused, match="<@14> plays in this game already"):
        await begin_substitution(service.tables, game, BOB, (DEE, "Dee"), None)
    assert await end_substitution(service.tables, game, ANN) == "**Ann** is back, from move 2 on."
    assert await thread.new() == aside("**Ann** is back, from move 2 on.", "p1")
    assert (await seats.entries(service.db, game))[-1] == SeatEntry("p1", "holder", ANN, "Ann", 1, None, NOW)
    text = await begin_substitution(service.tables, game, BOB, (DEE, "Dee"), None)
    assert text == "From move 2 on <@14> plays for **Bob**; `/game back` ends that."
    assert await thread.new() == [
        *aside(text),
        ("ping", {"users": [DEE], "text": "You play for **Bob** here."}),
    ]
    assert woken == [game] * 3


async def test_whoever_took_the_seat_back_by_acting_is_back_already(
    service: TableService, thread: NewPosts
) -> None:
    """Once the game has moved on since, they have no substitute who could stop."""
    game = thread.game
    await let_caretaker_play(service.tables, game, MODERATOR, "p2")
    await Proposals(service.tables).seen(game, BOB)
    await thread.new()
    assert await end_substitution(service.tables, game, BOB) == "**Bob** plays again."
    with pytest.raises(Refused, match="You have no substitute"):
        await end_substitution(service.tables, game, CY)
    assert await thread.new() == []
    await service.do(game, ANN, "pass")
    with pytest.raises(Refused, match="You have no substitute"):
        await end_substitution(service.tables, game, BOB)


async def test_a_moderator_accepts_a_position_or_abandons_the_game(
    service: TableService, thread: NewPosts
) -> None:
    game = thread.game
    async with service.tables.writing(game) as live:
        live.waits = "It waits."
        digest = live.game.digest()
    woken = service.woken()
    outcome = await moderator_accept(service.tables, game, MODERATOR)
    text = f"`2` <@99> accepts: the game continues from here by version {RULES_VERSION} of the rules."
    assert (outcome.seq, outcome.lines) == (2, (text,))
    assert await thread.new() == [("line", {"text": text}), ("board", {}), ("turn", {"fresh": ["p1"]})]
    row = (await log.read(service.db, game))[-1]
    assert (row.kind, row.actor, row.user_id, row.digest) == ("accept", "", MODERATOR, digest)
    with pytest.raises(Refused, match="Game 1 does not wait: there is nothing to accept"):
        await moderator_accept(service.tables, game, MODERATOR)
    text = await moderator_abandon(service.tables, game, MODERATOR, 2)
    assert await thread.new() == [("line", {"text": text}), ("turn", {})]
    assert woken == [game] * 2
    for late in (
        moderator_end(service.tables, game, MODERATOR, 2),
        let_caretaker_play(service.tables, game, MODERATOR, "p3"),
        Proposals(service.tables).put(game, ANN, lambda _: EndProposal()),
    ):
        with pytest.raises(Refused, match="Game 1 has ended"):
            await late
