"""Minors and majors at a table: by commands that complete themselves, by buttons and menus; and who is asked."""

import pytest

from bot.sandbox.guild.seed import GLOBAL_SCOPE
from tests.bot.support.hand import Hand
from tests.bot.support.positions import NAMES, actor_of, recorded, seated_at
from tests.bot.support.replayer import Replayer
from tests.bot.support.sandbox_bot import SandboxBot, Seated

RECORDED = "18newengland-bank-3p"
TWO_PARTNERS = 138
"""After this move NLN of Ann may merge with NYNH or HNH, or convert."""
ONE_ASKED = 209
"""After this move WNR of Cy is the only minor that can become a major; the others have companies, too."""
SHARES_TO_BUY = 622
"""After this move Ann has converted a minor into NYC and has money for shares of it."""
SEATS = dict(zip(("p1", "p2", "p3"), NAMES, strict=True))


async def _completed(
    sandbox: SandboxBot, game: Seated, name: str, verb: str, typed: str = ""
) -> dict[str, str]:
    offered = await sandbox.person(name).autocomplete(
        game.thread, "move", focused="details", move=verb, details=typed
    )
    return {str(value): label for label, value in offered}


def _said(game: Seated) -> str:
    return "\n".join(game.lines)


@pytest.mark.usefixtures("undrawn")
async def test_merge_completes_pairs(sandbox: SandboxBot) -> None:
    """And `/why` says why another partner is none."""
    game = await seated_at(sandbox, recorded(RECORDED, TWO_PARTNERS))
    name = actor_of(game)
    why = await game.slash(name, "why", move="merge", details="B&A CN")
    assert "cannot merge with B&A" in why.ephemeral[0].content
    verbs = await sandbox.person(name).autocomplete(game.thread, "why", focused="move", move="me")
    assert verbs[0][1] == "merge"
    assert "propose-merger" not in [value for _, value in verbs], "a merger of another title"
    partners = await _completed(sandbox, game, name, "merge")
    assert partners
    partner, outcome = next(iter(partners.items()))
    assert outcome.startswith(f"{partner}: par $")
    majors = await _completed(sandbox, game, name, "merge", f"{partner} ")
    assert all("treasury $" in label and "tokens left: $" in label for label in majors.values())
    assert await _completed(sandbox, game, name, "merge", "B&A ") == {}
    asked = (await game.slash(name, "move", move="merge")).ephemeral[0]
    assert [label for label, _ in asked.selects[0].options] == ["Merge NLN"], "by menus from there on"
    assert "There is no move prove in this title" in (await game.slash(name, "move", move="prove")).text
    major = next(iter(majors)).removeprefix(partner).strip()
    commands = sandbox.world.commands[GLOBAL_SCOPE]
    (why_command,) = (command for command in commands if command["name"] == "why")
    former = [{**why_command["options"][0], "name": option} for option in ("partner", "major")]
    commands.append({**why_command, "name": "merge", "options": former})
    done = await game.slash(name, "merge", partner=partner, major=major)
    assert done.text.startswith("Done")
    assert done.text.endswith("\n`/merge` is now `/move move:merge`."), "its name in the last release"
    assert f"into **{major}** at $" in _said(game)


async def test_merger_by_two_questions(sandbox: SandboxBot) -> None:
    game = await seated_at(sandbox, recorded(RECORDED, TWO_PARTNERS))
    convert = next(b.label for b in game.turn.buttons if b.label.startswith("Convert"))
    assert ": pay $" in convert
    assert convert.endswith("par $100 …")
    ann = Hand(game, "Ann")
    await ann.open("Merge NLN …")
    assert [label.split(":")[0] for label in ann.labels] == ["NYNH", "HNH"]
    await ann.press("HNH")
    label = next(label for label in ann.labels if label.startswith("P&W"))
    assert label.startswith("P&W: treasury ")
    assert label.endswith("one token in F13 goes back")
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
    game = await seated_at(sandbox, recorded(RECORDED, ONE_ASKED - 1))
    before = {name: game.pings(name) for name in ("Ann", "Bob", "Cy")}
    await Replayer(sandbox, game, SEATS).play(recorded(RECORDED).actions[ONE_ASKED - 1], ONE_ASKED)
    await sandbox.settled()
    assert "**MR 4.1: WNR**" in game.turn.content
    assert {name: game.pings(name) - before[name] for name in before} == {"Ann": 0, "Bob": 0, "Cy": 1}
    await game.press("Cy", "Leave WNR as it is")
    assert "OR 4.2" in game.turn.content
    assert {name: game.pings(name) - before[name] for name in before} == {"Ann": 0, "Bob": 0, "Cy": 1}


@pytest.mark.usefixtures("undrawn")
async def test_shares_after_a_conversion(sandbox: SandboxBot) -> None:
    game = await seated_at(sandbox, recorded(RECORDED, SHARES_TO_BUY))
    assert "Ann has 20% of NYC and may have up to 60%, for $100 a share." in game.turn.content
    assert list(await _completed(sandbox, game, "Ann", "buy")) == ["NYC"]
    await game.slash("Ann", "buy", company="NYC")
    assert "Ann has 30% of NYC" in game.turn.content
    await game.press("Ann", "Buy NYC from the IPO, $100")
    assert "Ann has 40% of NYC" in game.turn.content
    await game.press("Ann", "Buy no more shares of NYC")
    assert "NYC" not in game.turn.content.split("\n")[0]


@pytest.mark.usefixtures("undrawn")
async def test_draft_by_commands(sandbox: SandboxBot) -> None:
    game = await seated_at(sandbox, recorded(RECORDED, 0))
    first = actor_of(game)
    reserved: list[str] = []
    for _ in range(2 * len(NAMES) - 1):
        minors = await _completed(sandbox, game, actor_of(game), "reserve")
        assert len(minors) == 10 - len(reserved)
        reserved.append(next(iter(minors)))
        await game.slash(actor_of(game), "move", move="reserve", details=reserved[-1])
    assert actor_of(game) == first  # the snake has come back
    assert f"{first}, $400: reserved {reserved[0]}; can pay for spaces up to $70." in game.turn.content
    assert all(f"{name}, $400: reserved" in game.turn.content for name in NAMES)
    assert f"{reserved[0]} at $70: pay $140" in [b.label for b in game.turn.buttons]
    assert list(await _completed(sandbox, game, actor_of(game), "start-minor")) == [reserved[0]]
    first_words = f"{reserved[0]} 60"
    values = await _completed(sandbox, game, actor_of(game), "start-minor", f"{reserved[0]} ")
    assert values[first_words] == f"{reserved[0]} $60: $120 to the treasury"
    spaces = list(await _completed(sandbox, game, actor_of(game), "start-minor", f"{first_words} "))
    assert spaces == [f"{first_words} top", f"{first_words} bottom"]
    done = await game.slash(first, "move", move="start-minor", details=spaces[1])
    assert "Done" in done.text
    taken = await game.slash(actor_of(game), "move", move="reserve", details=reserved[1])
    assert "has already reserved" in taken.ephemeral[0].content
