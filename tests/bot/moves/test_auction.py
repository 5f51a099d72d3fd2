"""The auction at a table: one picture with every card, buttons for the usual bids, a form for any other."""

from tests.bot.support.positions import played_to, recorded, seated_at
from tests.bot.support.sandbox_bot import SandboxBot


async def test_no_card_when_all_are_sold(sandbox: SandboxBot) -> None:
    game = await seated_at(sandbox, played_to("buy_share"))
    assert game.turn.attachments == []


async def test_turn_shows_every_card(sandbox: SandboxBot) -> None:
    """A bid by the form is refused outside its limits; the first private is bought and has none."""
    game = await sandbox.game()
    [card] = game.turn.attachments
    assert card.filename == "sale.png"
    assert "Delaware and Raritan Canal, D&R, $20, income $5: buy for $20." in (card.description or "")
    labels = [button.label for button in game.turn.buttons]
    assert "Buy for $20: Delaware and Raritan Canal, D&R" in labels
    assert not [label for label in labels if label.startswith(("D&R: another", "Bid …"))]
    before, turn = await game.digest(), game.turn
    modal = (await game.press("Ann", "CV: another bid …")).modal
    assert modal is not None
    assert modal.title == "Bid: Cornelius Vanderbilt, CV $200"
    assert modal.fields[0]["label"] == "Amount, $205 to $800 in steps of 5"
    refused = await sandbox.person("Ann").submit(modal, amount="206")
    assert await sandbox.hears(refused, "Allowed: $205 to $800 in steps of 5")
    assert (await game.digest(), game.turn) == (before, turn)
    await game.press("Ann", "Bid $205: Cornelius Vanderbilt, CV")
    [card] = game.turn.attachments
    text = card.description or ""
    assert "Cornelius Vanderbilt, CV, $200, income $30: bids from $210, Ann $205." in text
    assert "Ann has $800, $595 free." in text
    assert "If all pass, D&R falls to $15." in text
    assert sandbox.world.picture(card).startswith(b"\x89PNG")


async def test_draft_has_cards(sandbox: SandboxBot) -> None:
    """Of minors; that title has no privates."""
    game = await seated_at(sandbox, recorded("18newengland-bank-3p", 1))
    [card] = game.turn.attachments
    assert "reserved by" in (card.description or "")
    assert "Free spaces: 2 at $50" in (card.description or "")
    assert "has no private companies" in (await game.slash("Ann", "private")).text
