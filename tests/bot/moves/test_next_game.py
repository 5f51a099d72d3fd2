"""After a turn a button leads to the next of one's own games that waits."""

from bot.client.features.next_game import next_game_view
from bot.sandbox.guild.person import InteractionResult
from tests.bot.support.hand import Hand
from tests.bot.support.sandbox_bot import SandboxBot, Seated
from tests.bot.support.waiting import Clock


def leads_to(result: InteractionResult) -> list[str | None]:
    """Where the link buttons of an answer lead."""
    return [button.url for message in result.ephemeral for button in message.buttons if button.url]


async def three(sandbox: SandboxBot) -> tuple[Clock, list[Seated]]:
    """Three games of Ann, Bob and Cy, opened an hour apart; in each it is Ann's turn."""
    clock, games = Clock(sandbox), []
    for _ in range(3):
        games.append(await sandbox.game())
        await clock.on(hours=1)
    return clock, games


async def test_longest_waiting_game_is_next(sandbox: SandboxBot) -> None:
    """No game that pauses is."""
    _, (first, second, third) = await three(sandbox)
    ann, tables = sandbox.person("Ann").id, sandbox.client.tables
    assert await next_game_view(tables, ann, second.number) is None, "it is still their turn here"
    [link] = leads_to(await second.slash("Ann", "pass"))
    assert str(link).endswith(f"/{first.thread}/{first.turn.id}")
    await second.slash("Ann", "undo")
    await first.slash("Ann", "mod pause")
    pressed = await second.press("Ann", "Pass")
    assert await sandbox.world.wait_until(lambda: bool(leads_to(pressed)))
    assert f"/{third.thread}/" in str(leads_to(pressed)[0])
    assert pressed.ephemeral[0].buttons[0].label == "My next game: 18Chesapeake, game 3"
    assert leads_to(await third.slash("Ann", "pass")) == []


async def test_link_after_a_menu_and_a_what_if(sandbox: SandboxBot) -> None:
    _, (first, second, _) = await three(sandbox)
    by_menu, tried = Hand(second, "Ann"), Hand(first, "Ann")
    await by_menu.fill("CV: another bid …", "230")
    await by_menu.press("Bid $230")
    assert await sandbox.world.wait_until(
        lambda: bool(by_menu.labels) and "My next game" in by_menu.labels[0]
    )
    await tried.what_if(move="pass")
    await tried.press("Make this move …")
    made = await tried.press("Make this move")
    assert await sandbox.world.wait_until(lambda: bool(leads_to(made)))
