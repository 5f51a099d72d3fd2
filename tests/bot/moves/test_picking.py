"""Moves of several picks: menus open and ask, nothing acts by surprise, and one button at the end says all of it."""

from tests.bot.support.hand import Hand
from tests.bot.support.positions import actor_of, played_to, recorded, seated_at
from tests.bot.support.sandbox_bot import SandboxBot

BEFORE_A_LAY = 422
"""After this many a company may lay track in three hexes."""


async def test_bid_step_by_step(sandbox: SandboxBot) -> None:
    game = await sandbox.game()
    before, ann = await game.digest(), Hand(game, "Ann")
    await ann.choose("Bid")
    await ann.press("Delaware")
    assert ann.labels == ["Buy D&R for $20: cash $800 → $780", "Back"]
    await ann.press("Back")
    await ann.press("Cornelius")
    assert ann.asked.content.endswith("which amount? $205 to $800 in steps of 5. Ann has $800.")
    assert ann.labels == ["Lowest: $205", "Highest: $800", "Another amount …", "Back"]
    await ann.press("Lowest")
    assert ann.labels == ["Bid $205 on CV: free cash $800 → $595", "Back"]
    assert "> **Ann** bids $205 on CV." in ann.asked.content
    assert await game.digest() == before
    await ann.press("Back")
    await ann.press("Lowest")
    await ann.press("Bid $205")
    assert "Done" in ann.asked.content
    assert ann.labels == []
    assert "bids $205 on CV" in game.lines[-1]


async def test_amounts_are_typed(sandbox: SandboxBot) -> None:
    """Wrong ones are refused; the form outlives a restart, but not a move."""
    game = await sandbox.game()
    before, ann = await game.digest(), Hand(game, "Ann")
    await ann.choose("Bid")
    await ann.press("Cornelius")
    for typed in ("many", "7", "-205", "99999", "206", "205,CV"):
        modal, result = await ann.type("Another", typed)
        assert await sandbox.hears(result, "Allowed: $205 to $800 in steps of 5"), typed
    assert await game.digest() == before
    await sandbox.restart()
    await sandbox.person("Ann").submit(modal, amount="240")
    assert ann.labels[0] == "Bid $240 on CV: free cash $800 → $560"
    await game.press("Ann", "Pass")
    late = await sandbox.person("Ann").submit(modal, amount="240")
    newest = f"[the newest turn message](https://discord.com/channels/{sandbox.client.guilds[0].id}/{game.thread}/{game.turn.id})"
    assert await sandbox.hears(late, f"The game has moved on since then. Use the buttons of {newest}.")


async def test_company_takes_four_taps(sandbox: SandboxBot) -> None:
    game = await seated_at(sandbox, played_to("buy_share"))
    hand = Hand(game, actor_of(game))
    await hand.open("Start a company …")
    await hand.press("PRR")
    await hand.press("par $80")
    assert hand.labels[0].startswith("Start PRR at $80: cash ")
    await hand.press("Start PRR")
    assert "pars **PRR** at $80 and buys 20% for $160" in game.lines[-1]
    assert hand.taps == 4


async def test_track_by_picture(sandbox: SandboxBot) -> None:
    """The map with the hexes numbered, the tiles in one of them numbered, and the button that says all."""
    game = await seated_at(sandbox, recorded("18tn-bank-3p", BEFORE_A_LAY))
    before, hand = await game.digest(), Hand(game, actor_of(game))
    await hand.open("Lay track …")
    assert [a.filename for a in hand.asked.attachments] == ["places.png"]
    hexes = hand.labels
    assert hexes == ["1 · H13 $60", "2 · H15 Chattanooga", "3 · J15"]
    assert hand.asked.attachments[0].description == "; ".join(hexes)
    await hand.press("1 · H13")
    [picture] = hand.asked.attachments
    assert sandbox.world.picture(picture).startswith(b"\x89PNG")
    assert hand.asked.content == "**Lay track** (H13): which tile? NC&StL has $599, Cy $59."
    tiles = hand.labels
    assert tiles[-1] == "Back"
    number, tile = tiles[0].split(",")[0].split(" ")[0], tiles[0].split(" ")[2]
    await hand.press(f"{number} ·")
    assert [a.filename for a in hand.asked.attachments] == ["places.png"], "the tile as it would lie"
    assert hand.labels[0].startswith(f"Lay {tile} in H13, track ")
    assert await game.digest() == before
    for labels in (tiles, hexes):
        await hand.press("Back")
        assert (hand.labels, len(hand.asked.attachments)) == ([*labels], 1)
    await hand.press("1 ·")
    await hand.press(f"{number} ·")
    await hand.press("Lay ")
    assert f"lays {tile} (rotation " in " ".join(game.lines[-2:])
