"""A table of the sandbox that seals its maxima."""

from bot.sandbox.guild.person import Modal
from bot.sandbox.model import Message
from bot.table.orders import sealed_auction
from tests.bot.support.sandbox_bot import PATIENCE, TABLE, SandboxBot, Seated

SEALED_BY = {
    "Ann": "D&R: 20\nC-P: 0\nB&S 0\nC&OC: $105\nCV: 260",
    "Bob": "C-P: 80\nB&OR: 105\nCV: 1,300",
    "Cy": "C-P: 60\nD&R: 40\nB&S: 100",
}


async def sealing(sandbox: SandboxBot) -> Seated:
    """A table of Ann, Bob and Cy that has chosen in its lobby to seal."""
    people = [sandbox.person(name) for name in SEALED_BY]
    await people[0].slash(TABLE, "game new", title="18chesapeake")
    for person in people[1:]:
        await person.press(sandbox.lobby(), "Join")
    order = {place: person.id for place, person in zip(("first", "second", "third"), people, strict=True)}
    await people[0].slash(TABLE, "game seats", **order)
    await people[1].slash(TABLE, "game settings", setting="sealed", value="on")
    assert "all at once by sealed maxima" in sandbox.lobby().content
    assert "says it in five points" in sandbox.lobby().content
    await people[0].press(sandbox.lobby(), "Start")
    await sandbox.settled()
    thread = max(number for number, channel in sandbox.world.channels.items() if channel.is_thread)
    return Seated(sandbox, 1, thread)


async def form(game: Seated, name: str) -> Modal:
    """The form in which a player seals."""
    modal = (await game.press(name, sealed_auction.BUTTON)).modal
    assert modal is not None
    return modal


async def sent(game: Seated, name: str, text: str) -> str:
    """A player seals by the form; what they read."""
    result = await game.sandbox.person(name).submit(await form(game, name), maxima=text)
    assert await game.sandbox.world.until(lambda: bool(result.text), timeout=PATIENCE)
    await game.sandbox.settled()
    return result.text


async def all_sealed(game: Seated, *names: str) -> None:
    """These players seal."""
    for name in names:
        await sent(game, name, SEALED_BY[name])


async def withdrawn(game: Seated, name: str, number: int) -> None:
    """A player withdraws their seal by a button of their list."""
    [shown] = (await game.slash(name, "orders list")).ephemeral
    await game.press(name, f"Withdraw {number}", game.sandbox.world.messages[shown.id])


def proposal(game: Seated) -> Message:
    """The question about a seat that the table decides now."""
    return next(m for m in reversed(game.messages) if any(b.label == "Agree" for b in m.buttons))


def asks_to_seal(game: Seated) -> bool:
    """Whether the turn message asks for seals."""
    return any(button.label == sealed_auction.BUTTON for button in game.turn.buttons)
