"""What is answered to a proposal and to a vote, and what the thread is asked, once."""

import logging
from collections.abc import Sequence
from datetime import timedelta
from types import SimpleNamespace
from typing import Any

import discord
import pytest

from bot.client.features import proposals as feature
from bot.client.pictures import Pictures
from bot.client.requests.old_edits import OldEdits
from bot.client.requests.permission_problems import _SENTENCES, in_words
from bot.client.thread.apply import Applier
from bot.client.thread.desired import PROPOSAL
from bot.client.thread.doubts import Doubts
from bot.table.errors import NotYours, Refused, Stored
from bot.table.outbox import notices
from bot.table.undo import loss_of
from bot.table.votes.moderation import EndProposal
from bot.table.votes.proposal_kinds import made_text
from bot.table.votes.proposals import Proposals, message_of
from bot.table.votes.undo_proposals import propose_undo
from storage import Posting, format_timestamp, messages, outbox, parse_timestamp, proposals
from storage.messages import ShownMessage
from tests.bot.support.asked import Asked
from tests.bot.support.declared import used
from tests.bot.support.table_service import ANN, BOB, CY, TableService

THREAD = 77


class Thread:
    """The thread of the game, in which posts are made and edited."""

    def __init__(self) -> None:
        self.sent: list[tuple[str, list[int], int]] = []
        self.edits: list[tuple[int, str, int]] = []
        self.id, self.is_there = THREAD, True
        self.fails: Exception | None = None

    async def of(self, _: int) -> Any:
        return self

    async def ready(self, thread_id: int) -> bool:
        assert thread_id == THREAD
        return self.is_there

    async def send(self, text: str, *, view: Any, allowed_mentions: Any = None, **_: object) -> Any:
        pinged = allowed_mentions.users if allowed_mentions else []
        self.sent.append((text, [user.id for user in pinged], len(view.children)))
        return SimpleNamespace(id=100 + len(self.sent), content=text, attachments=[], embeds=[])

    def get_partial_message(self, number: int) -> Any:
        async def edit(*, content: str, view: Any) -> None:
            if self.fails:
                raise self.fails
            self.edits.append((number, content, len(view.children)))

        return SimpleNamespace(id=number, edit=edit)


class Table:
    """A game in which Ann and Bob have passed, and the proposals that are put to its players."""

    def __init__(self, service: TableService, game: int) -> None:
        self.service, self.game, self.thread = service, game, Thread()
        self.proposals = Proposals(service.tables)
        thread: Any = self.thread
        self.client: Any = SimpleNamespace(
            tables=service.tables,
            proposals=self.proposals,
            threads=thread,
            applier=Applier(service.tables, thread, Pictures(), OldEdits()),
        )

    def asked(self, user: int, name: str) -> Any:
        """Somebody asks for something."""
        asked: Any = Asked(user, name)
        asked.client = self.client
        return asked

    async def answer(self, asked: Any, choice: str) -> None:
        """Somebody answers the first proposal."""
        await used(f"t:{self.game}:1:{choice}").act(asked)

    async def proposed(self) -> Any:
        """Ann proposes to undo what Bob has done; what she is answered."""
        asked = self.asked(ANN, "Ann")
        async with self.service.tables.reading(self.game) as live:
            assert (await loss_of(self.service.tables, live, 1, "p1")).others == ("p2",)
            subject = await propose_undo(self.service.tables, live, ANN, 1, live.seq)
        await feature.propose(asked, self.game, lambda _: subject, "Others decide.")
        return asked

    async def mark(
        self, postings: Sequence[Posting], message_id: int | None = None, noted: Sequence[ShownMessage] = ()
    ) -> None:
        """Tick these off."""
        ids = [row.id for row in postings]
        now = self.service.tables.clock()
        await outbox.mark_sent(self.service.db, *ids, now=now, message_id=message_id, noted=noted)

    async def post(self, *found: Any) -> None:
        """Whatever is to be asked in the thread is; a message that was found may be that of the first proposal."""
        begun = ShownMessage(0, self.game, PROPOSAL, "1", None, "", "[]", self.service.tables.clock())
        doubts = Doubts([(await messages.put(self.service.db, begun), [*found])] if found else [])
        for row in await outbox.of_game(self.service.db, self.game):
            if row.kind == notices.PROPOSAL:
                posting: Any = row
                await feature.post(self.client, self.game, posting, doubts, self.mark)


@pytest.fixture
async def table(service: TableService, monkeypatch: pytest.MonkeyPatch) -> Table:
    async def no_moderator(_: object) -> bool:
        return False

    monkeypatch.setattr(feature, "moderates", no_moderator)
    game = await service.game()
    await service.tables.show_in(game, THREAD)
    for user in (ANN, BOB):
        await service.do(game, user, "pass")
    return Table(service, game)


async def test_the_proposer_reads_why_others_decide_and_that_they_are_asked(table: Table) -> None:
    asked = await table.proposed()
    found = await proposals.find(table.service.db, table.game, 1)
    assert found is not None
    assert asked.answers == [f"Others decide. {made_text(found[0])}"]


async def test_who_is_asked_is_pinged_once_with_buttons(table: Table) -> None:
    await table.proposed()
    await table.post()
    await table.post()
    [(text, pinged, buttons)] = table.thread.sent
    assert text.startswith("Proposal 1:")
    assert PROPOSAL not in [row.kind for row in await outbox.of_game(table.service.db, table.game)]
    assert (pinged, buttons) == ([BOB], 3)


async def test_a_proposal_without_a_reason_is_answered_without_one(table: Table) -> None:
    asked = table.asked(ANN, "Ann")
    await feature.propose(asked, table.game, lambda _: EndProposal())
    assert asked.answers == ["Proposal 1 is made; the thread asks the players who must agree."]


@pytest.mark.parametrize(("seconds", "pinged"), [(599, []), (601, [BOB, CY])])
async def test_nobody_is_pinged_again_for_ten_minutes_and_a_proposal_that_is_replaced_has_no_buttons(
    table: Table, seconds: int, pinged: list[int]
) -> None:
    async def stopping() -> None:
        asked = table.asked(ANN, "Ann")
        await feature.propose(asked, table.game, lambda _: EndProposal())

    now = parse_timestamp(table.service.tables.clock())
    table.service.tables.clock = lambda: format_timestamp(now)
    await stopping()
    await table.post()
    table.service.tables.clock = lambda: format_timestamp(now + timedelta(seconds=seconds))
    await stopping()
    await table.post()
    first, second = table.thread.sent
    assert (first[1], second[1], second[2]) == ([BOB, CY], pinged, 3)
    assert [(number, buttons) for number, _, buttons in table.thread.edits] == [(101, 0)]


async def test_what_was_decided_before_it_was_posted_pings_nobody_and_has_no_buttons(table: Table) -> None:
    await table.proposed()
    await table.proposals.answer(table.game, 1, BOB, "no")
    await table.post()
    [(text, pinged, buttons)] = table.thread.sent
    assert (pinged, buttons) == ([], 0)
    assert "refused" in text


async def test_what_was_withdrawn_before_it_was_posted_is_not_asked(table: Table) -> None:
    await table.proposed()
    await table.proposals.answer(table.game, 1, ANN, "withdraw")
    found = await proposals.find(table.service.db, table.game, 1)
    assert found is not None
    await table.post()
    assert table.thread.sent == []


async def test_a_withdrawn_proposal_is_known_where_it_was_asked(table: Table) -> None:
    await table.proposed()
    await table.proposals.answer(table.game, 1, ANN, "withdraw")
    await table.post(SimpleNamespace(id=55, attachments=[], embeds=[]))
    found = await proposals.find(table.service.db, table.game, 1)
    assert found is not None
    assert (await message_of(table.service.db, found[0]), table.thread.sent) == (55, [])


@pytest.mark.parametrize(
    ("state", "agreed", "said"),
    [
        ("open", 1, "Proposal 4 is made; the thread asks the players who must agree."),
        ("open", 2, "You agree to proposal 4"),
        ("accepted", 1, "Proposal 4 is accepted: no one else must agree."),
        ("accepted", 2, "You agree to proposal 4"),
    ],
)
async def test_whoever_proposes_or_joins_reads_what_that_has_led_to(
    table: Table, monkeypatch: pytest.MonkeyPatch, state: str, agreed: int, said: str
) -> None:
    votes = [SimpleNamespace(agrees=number < agreed) for number in range(3)]
    asking = SimpleNamespace(proposal=SimpleNamespace(number=4, state=state), votes=votes)
    shown: list[object] = []

    async def put_or_join(*_: object) -> object:
        return asking

    async def show(*of: object) -> None:
        shown.extend(of)

    monkeypatch.setattr(table.proposals, "put_or_join", put_or_join)
    monkeypatch.setattr(feature, "show", show)
    asked = table.asked(BOB, "Bob")
    await feature.propose_or_join(asked, table.game, lambda _: EndProposal())
    assert (asked.answers, shown) == ([said], [table.client, asking])


@pytest.mark.parametrize(
    ("user", "choice", "said"),
    [(ANN, "withdraw", "Your proposal is withdrawn."), (BOB, "no", "Your answer is noted.")],
)
async def test_an_answer_that_is_stored_is_said_so_though_it_cannot_be_shown(
    table: Table, monkeypatch: pytest.MonkeyPatch, user: int, choice: str, said: str
) -> None:
    async def fails(*_: object, **__: object) -> None:
        raise ConnectionError("gone")

    await table.proposed()
    monkeypatch.setattr(feature, "edit_pressed", fails)
    pressed = table.asked(user, "Ann")
    with pytest.raises(Stored) as stored_one:
        await table.answer(pressed, choice)
    assert str(stored_one.value) == said


async def test_what_was_asked_just_before_a_crash_is_not_asked_again(table: Table) -> None:
    await table.proposed()
    await table.post(SimpleNamespace(id=55, attachments=[], embeds=[]))
    found = await proposals.find(table.service.db, table.game, 1)
    assert found is not None
    assert await message_of(table.service.db, found[0]) == 55
    assert table.thread.sent == []


async def test_a_vote_is_shown_in_place_of_the_question(table: Table) -> None:
    await table.proposed()
    await table.post()
    bob = table.asked(BOB, "Bob")
    await table.answer(bob, "yes")
    assert bob.answers[0].startswith("edit Proposal 1")
    assert len(bob.views[0].children) == 0, "it is accepted"


async def test_who_votes_too_late_is_refused_and_sees_what_became_of_it(table: Table) -> None:
    await table.proposed()
    cy = table.asked(CY, "Cy")
    with pytest.raises(NotYours):
        await table.answer(cy, "yes")
    assert cy.answers == [], "it is open still"
    bob = table.asked(BOB, "Bob")
    await table.answer(bob, "no")
    late = table.asked(BOB, "Bob")
    with pytest.raises(Refused):
        await table.answer(late, "yes")
    [text] = late.answers
    assert text.startswith("edit ")
    assert late.views == [None]


async def test_the_same_proposal_again_is_a_yes(table: Table) -> None:
    for user, said in (
        (ANN, "Proposal 1 is made"),
        (BOB, "You agree to proposal 1"),
        (CY, "You agree to proposal 1"),
    ):
        asked = table.asked(user, "Ann")
        await feature.propose_or_join(asked, table.game, lambda _: EndProposal())
        assert asked.answers[0].startswith(said)
        if user == ANN:
            await table.post()
    assert [number for number, *_ in table.thread.edits] == [101, 101]
    assert [buttons for *_, buttons in table.thread.edits] == [3, 0]


async def test_a_settled_proposal_loses_its_buttons_where_it_is_posted(table: Table) -> None:
    await table.proposed()
    found = await proposals.find(table.service.db, table.game, 1)
    assert found is not None
    await feature.settle(table.client, found[0])
    assert table.thread.edits == [], "it is posted nowhere"
    await table.post()
    await table.proposals.answer(table.game, 1, BOB, "no", moderates=False)
    await feature.settle(table.client, found[0])
    [(number, text, buttons)] = table.thread.edits
    assert (number, buttons) == (101, 0)
    assert "refused" in text


async def test_a_settled_proposal_that_cannot_be_reached_keeps_its_buttons(
    table: Table, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    await table.proposed()
    await table.post()
    found = await proposals.find(table.service.db, table.game, 1)
    assert found is not None
    table.thread.is_there = False
    await feature.settle(table.client, found[0])
    table.thread.is_there, table.thread.fails = True, TimeoutError("slow")
    await feature.settle(table.client, found[0])
    assert "game 1: proposal 1 keeps its buttons: TimeoutError('slow')" in caplog.text
    table.thread.fails = None
    await table.service.db.write(lambda tx: tx.put("UPDATE games SET thread_id = NULL"))
    await feature.settle(table.client, found[0])
    assert table.thread.edits == []


async def test_what_was_answered_at_the_board_page_is_shown_in_the_thread(table: Table) -> None:
    await table.proposed()
    await table.post()
    await feature.renew(table.client, table.game, 1)
    assert [(number, buttons) for number, _, buttons in table.thread.edits] == [(101, 3)]
    await feature.renew(table.client, table.game, 9)
    assert len(table.thread.edits) == 1, "there is none"


async def test_who_is_seen_ends_what_was_proposed_about_their_absence(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    settled: list[object] = []

    async def seen(_: int, user: int) -> list[str]:
        if user == CY:
            raise Refused("It is damaged.")
        return ["one", "two"]

    async def settle(_: object, proposal: object) -> None:
        settled.append(proposal)

    monkeypatch.setattr(table.proposals, "seen", seen)
    monkeypatch.setattr(feature, "settle", settle)
    await feature.note_seen(table.client, table.game, BOB)
    await feature.note_seen(table.client, table.game, CY)
    assert settled == ["one", "two"]


@pytest.mark.parametrize(
    ("code", "said"),
    [
        (10003, "The channel or thread is gone."),
        (10008, "The message is gone."),
        (10062, "Discord waited for the answer no longer."),
        (40060, "Discord has had an answer already."),
        (50027, "Discord waited for the answer no longer."),
        (50083, "The thread is archived."),
        (160005, "The thread is locked."),
        (160006, "There are too many threads here."),
    ],
)
def test_each_refusal_of_discord_that_is_known_has_a_sentence(code: int, said: str) -> None:
    """Their codes are Discord's."""
    response: Any = SimpleNamespace(status=400, reason="", method="GET", url="")
    client: Any = object()
    refused = discord.HTTPException(response, {"code": code, "message": "no"})
    assert in_words(client, refused).startswith(said)
    assert len(_SENTENCES) == 8
