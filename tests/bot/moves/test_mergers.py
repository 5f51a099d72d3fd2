"""Merger rounds at a table: by commands that complete themselves, by buttons and menus; and who is asked."""

from pathlib import Path

import pytest

from engine.record import read_record
from tests.bot.support.hand import Hand
from tests.bot.support.positions import NAMES, actor_of, first_moves, seated_at
from tests.bot.support.replayer import Replayer
from tests.bot.support.sandbox_bot import SandboxBot, Seated

RECORDED = (Path(__file__).parents[2] / "golden" / "18newengland-bank-3p.json").read_text("utf-8")
TWO_PARTNERS = 138
"""After this move NLN of Ann may merge with NYNH or HNH, or convert."""
ONE_ASKED = 209
"""After this move WNR of Cy is the only minor that can become a major; the others have companies, too."""
SHARES_TO_BUY = 622
"""After this move Ann has converted a minor into NYC and has money for shares of it."""
SEATS = dict(zip(("p1", "p2", "p3"), NAMES, strict=True))


async def _merging(sandbox: SandboxBot) -> tuple[Seated, str]:
    game = await seated_at(sandbox, first_moves(RECORDED, TWO_PARTNERS))
    return game, actor_of(game)


async def _completed(
    sandbox: SandboxBot, game: Seated, name: str, verb: str, slot: str, **typed: object
) -> dict[str, str]:
    offered = await sandbox.person(name).autocomplete(game.thread, verb, focused=slot, **{**typed, slot: ""})
    return {str(value): label for label, value in offered}


def _said(game: Seated) -> str:
    return "\n".join(game.lines)


@pytest.mark.usefixtures("undrawn")
async def test_merge_completes_pairs(sandbox: SandboxBot) -> None:
    game, name = await _merging(sandbox)
    partners = await _completed(sandbox, game, name, "merge", "partner")
    assert partners
    partner, outcome = next(iter(partners.items()))
    assert outcome.startswith(f"{partner}: par $")
    majors = await _completed(sandbox, game, name, "merge", "major", partner=partner)
    assert all("treasury $" in label and "tokens left $" in label for label in majors.values())
    assert await _completed(sandbox, game, name, "merge", "major", partner="B&A") == {}
    major = next(iter(majors))
    done = await game.slash(name, "merge", partner=partner, major=major)
    assert "Done" in done.text
    assert f"into **{major}** at $" in _said(game)


async def test_conversion_by_menu(sandbox: SandboxBot) -> None:
    game, name = await _merging(sandbox)
    button = next(b.label for b in game.turn.buttons if b.label.startswith("Convert"))
    assert ": pay $" in button
    assert button.endswith("par $100 …")
    hand = Hand(game, name)
    await hand.open(button)
    majors = hand.labels[:-1]
    assert all(": treasury $" in label and "tokens left $" in label for label in majors)
    await hand.press(majors[0])
    assert [picture.filename for picture in hand.asked.attachments] == ["market.png"]
    await hand.press("Convert")
    assert "converts" in _said(game)


@pytest.mark.usefixtures("undrawn")
async def test_why_no_merger(sandbox: SandboxBot) -> None:
    game, name = await _merging(sandbox)
    why = await game.slash(name, "why", move="merge", details="B&A CN")
    assert "cannot merge with B&A" in why.ephemeral[0].content
    verbs = await sandbox.person(name).autocomplete(game.thread, "why", focused="move", move="me")
    assert verbs[0][1] == "merge"
    assert "propose-merger" not in [value for _, value in verbs], "a merger of another title"


@pytest.mark.usefixtures("undrawn")
async def test_why_off_turn(sandbox: SandboxBot) -> None:
    game = await sandbox.game()
    early = await game.slash("Bob", "why", move="bid", details="D&R 20")
    assert early.text == "This would be possible on your turn."
    both = await game.slash("Bob", "why", move="buy PRR")
    assert both.text.startswith("On your turn this would be refused: ")
    unknown = await game.slash("Bob", "why", move="fly")
    assert unknown.text == "`/why` checks one command: choose it from the list, e.g. `move:buy details:PRR`."


async def test_merger_by_two_questions(sandbox: SandboxBot) -> None:
    game = await seated_at(sandbox, first_moves(RECORDED, TWO_PARTNERS))
    ann = Hand(game, "Ann")
    await ann.open("Merge NLN …")
    assert [label.split(":")[0] for label in ann.labels] == ["NYNH", "HNH"]
    await ann.press("HNH")
    label = next(label for label in ann.labels if label.startswith("P&W"))
    assert label.startswith("P&W: treasury ")
    assert label.endswith("one in F13 goes back")
    assert ann.asked.attachments == []
    await ann.press("P&W")
    assert [picture.filename for picture in ann.asked.attachments] == ["market.png"]
    assert ann.labels == ["Merge NLN with HNH into P&W, par $110", "Back"]
    await ann.press("Merge NLN")
    assert ann.asked.attachments == []
    assert "into **P&W** at $110" in _said(game)
    # Which of the two tokens goes back is asked next, before shares.
    await ann.open("Return a token of P&W …")
    assert (ann.labels, [one.filename for one in ann.asked.attachments]) == (
        ["city 2", "city 3"],
        ["places.png"],
    )
    await ann.press("city 2")
    assert ann.labels == ["Return a token of P&W: F13, city 2", "Back"]


@pytest.mark.usefixtures("undrawn")
async def test_only_deciders_are_pinged(sandbox: SandboxBot) -> None:
    """One of three presidents is asked; the round after it begins with a company of theirs."""
    game = await seated_at(sandbox, first_moves(RECORDED, ONE_ASKED - 1))
    before = {name: game.pings(name) for name in ("Ann", "Bob", "Cy")}
    await Replayer(sandbox, game, SEATS).play(read_record(RECORDED).actions[ONE_ASKED - 1], ONE_ASKED)
    await sandbox.settled()
    assert "**MR 4.1: WNR**" in game.turn.content
    assert {name: game.pings(name) - before[name] for name in before} == {"Ann": 0, "Bob": 0, "Cy": 1}
    await game.press("Cy", "Leave WNR as it is")
    assert "OR 4.2" in game.turn.content
    assert {name: game.pings(name) - before[name] for name in before} == {"Ann": 0, "Bob": 0, "Cy": 1}


@pytest.mark.usefixtures("undrawn")
async def test_shares_after_a_conversion(sandbox: SandboxBot) -> None:
    game = await seated_at(sandbox, first_moves(RECORDED, SHARES_TO_BUY))
    assert "Ann has 20% of NYC and may have up to 60%, for $100 a share." in game.turn.content
    assert list(await _completed(sandbox, game, "Ann", "buy", "company")) == ["NYC"]
    await game.slash("Ann", "buy", company="NYC")
    assert "Ann has 30% of NYC" in game.turn.content
    await game.press("Ann", "Buy NYC from the IPO, $100")
    assert "Ann has 40% of NYC" in game.turn.content
    await game.press("Ann", "No more shares of NYC")
    assert "NYC" not in game.turn.content.split("\n")[0]
