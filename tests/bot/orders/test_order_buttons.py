"""Standing orders on Discord: by buttons, in the list of one's orders, by forms and by `/orders`."""

from bot.sandbox.guild.person import InteractionResult
from bot.sandbox.model import Message
from engine.orders.new_orders import suggested_orders
from engine.orders.order_kinds import BidUpTo, BuyShares, RunBest, SkipStep, read_order, write_order
from engine.record import Record
from storage import orders
from tests.bot.orders.giving import AT
from tests.bot.support.positions import NAMES, actor_of, played_to, recorded, seated_at
from tests.bot.support.sandbox_bot import PATIENCE, SandboxBot, Seated

RECORDED = "18tn-bank-3p"
BEFORE_A_RUN = 424
UNTIL = "Pass until something concerns me"
MAXIMUM = "Sealed bid …"


def labels(message: Message) -> list[str]:
    return [button.label for button in message.buttons]


async def answered(game: Seated, result: InteractionResult) -> str:
    assert await game.sandbox.world.wait_until(lambda: bool(result.text), timeout=PATIENCE)
    await game.sandbox.settled()
    return result.text


async def listed(game: Seated, name: str) -> Message:
    result = await game.slash(name, "orders list")
    assert await game.sandbox.world.wait_until(lambda: bool(result.ephemeral), timeout=PATIENCE)
    return result.ephemeral[-1]


def again(game: Seated, message: Message) -> Message:
    return game.sandbox.world.messages[message.id]


async def stands(game: Seated) -> list[object]:
    return [read_order(one.payload) for one in await orders.standing_orders(game.sandbox.db, game.number)]


async def test_pass_until_takes_a_tap(sandbox: SandboxBot) -> None:
    """In turn or not."""
    game = await seated_at(sandbox, played_to("buy_share"))
    actor, before = actor_of(game), await game.digest()
    other = next(name for name in NAMES if name != actor)
    assert "Order 1: Pass in stock round" in await answered(game, await game.press(other, UNTIL))
    assert await game.digest() == before
    assert "You already gave this order, number 1" in await answered(game, await game.press(other, UNTIL))
    assert "Order 2: Pass in stock round" in await answered(game, await game.press(actor, UNTIL))
    assert "*(automatic)*" in game.lines[-1]
    assert actor_of(game) != actor


async def test_maximum_acts_after_a_restart(sandbox: SandboxBot) -> None:
    game = await sandbox.game()
    given = await game.slash("Bob", "orders bid", private="CV", maximum=317)
    assert given.public == []
    assert "Bid on CV up to $317, then pass. Valid until CV is sold, all players pass, or" in given.text
    await sandbox.restart()
    await game.press("Ann", "Pass")
    assert any("bids $205 on CV" in line and "*(automatic)*" in line for line in game.lines)
    assert not any("317" in line for line in game.lines)
    # Ann undoes her pass and the bid with it, Bob the bid alone.
    undoes = "Undo Ann's move 2 or Bob's move 3"
    assert [label for label in labels(game.turn) if label.startswith("Undo")] == [undoes]
    other = await game.press("Cy", undoes)
    assert await sandbox.hears(other, "The last move, number 2, is Ann's: you can undo your own move only")


async def test_run_order_pays_at_once(sandbox: SandboxBot) -> None:
    game = await seated_at(sandbox, recorded(RECORDED, BEFORE_A_RUN))
    label = next(
        label for label in labels(game.turn) if label.endswith("always run the best routes and pay out")
    )
    before = await game.seq()
    result = await game.press(actor_of(game), label)
    await answered(game, result)
    assert await game.seq() == before + 2
    [answer] = result.ephemeral
    assert answer.content.startswith("Order 1: Run the best routes")
    assert label not in labels(game.turn)
    assert any("*(automatic)*" in line and "ays" in line for line in game.lines[-2:])


def _after_a_purchase() -> Record:
    """A recorded game in which a player may again buy what they bought last, of a company that has not floated."""
    record = recorded(RECORDED)
    game = record.initial_game()
    for number, action in enumerate(record.actions):
        player = game.actors()[0]
        made = (past for past in reversed(record.actions[:number]) if past.actor == player)
        if any(isinstance(order, BuyShares) for order in suggested_orders(game, player, made)):
            return recorded(RECORDED, number)
        game.apply(action)
    raise AssertionError("nobody may")


async def test_same_share_again_until_floated(sandbox: SandboxBot) -> None:
    game = await seated_at(sandbox, _after_a_purchase())
    actor, before = actor_of(game), await game.seq()
    label = next(label for label in labels(game.turn) if label.endswith("same again until floated"))
    answer = await answered(game, await game.press(actor, label))
    assert "Buy a share of" in answer
    assert await game.seq() > before
    assert answer.endswith(f"**{actor}** is done. *(automatic)*")
    assert game.lines[-1].startswith(f"`{before}` "), "to be done with a turn is no line of the thread"


# --- the form --------------------------------------------------------------------------------------------------------


async def test_maximum_is_typed_into_a_form(sandbox: SandboxBot) -> None:
    game, bob = await sandbox.game(), sandbox.person("Bob")
    await game.press("Ann", "Buy for $20: Delaware and Raritan Canal, D&R")
    modal = (await game.press("Bob", MAXIMUM)).modal
    assert modal is not None
    options = [[option["value"] for option in field.get("options", ())] for field in modal.fields]
    assert options == [["C-P", "B&S", "C&OC", "B&OR", "CV"], [], ["pass", "ask"]]
    assert "CV: Cornelius Vanderbilt, $200" in str(modal.fields)
    assert [option.get("default", False) for option in modal.fields[-1]["options"]] == [True, False]
    for typed, said in (
        ("120", "up to $120, then pass"),
        ("$ 5", "up to $5, then pass"),
        (" $1,200 ", "up to $1200, then ask me. Valid until CV is sold, or costs more than your maximum."),
        ("much", "whole dollars"),
        ("-5", "whole dollars"),
        ("12.5", "whole dollars"),
    ):
        then = "ask" if "ask" in said else "pass"
        result = await bob.submit(modal, private="CV", maximum=typed, then=then)
        assert said in await answered(game, result), typed
    assert await stands(game) == [BidUpTo(private="CV", most=1200, then="ask")]
    assert not any("1,200" in line or "1200" in line for line in game.lines)


async def test_no_form_in_a_pause_or_after_the_end(sandbox: SandboxBot) -> None:
    game = await sandbox.game()
    shown = await listed(game, "Bob")
    await game.slash("Ann", "mod pause")
    paused = await game.press("Bob", MAXIMUM, shown)
    assert await sandbox.hears(paused, "is paused")
    await game.slash("Ann", "game resume")
    for name in NAMES:
        await game.slash(name, "game abandon")
    pressed = await game.press("Bob", MAXIMUM, shown)
    assert (paused.modal, pressed.modal) == (None, None)
    assert await sandbox.hears(pressed, "There is no auction of privates now.")


# --- the list --------------------------------------------------------------------------------------------------------


async def test_list_stays_up_to_date(sandbox: SandboxBot) -> None:
    game = await sandbox.game()
    shown = await listed(game, "Bob")
    assert labels(shown) == [UNTIL, "Pass whatever happens", MAXIMUM]
    await game.press("Bob", "Pass whatever happens", shown)
    assert await sandbox.world.wait_until(
        lambda: "Withdraw 1" in labels(again(game, shown)), timeout=PATIENCE
    )
    assert "whatever happens" in again(game, shown).content
    await sandbox.restart()
    await game.press("Bob", "Withdraw 1", again(game, shown))
    assert await sandbox.world.wait_until(
        lambda: "Withdraw 1" not in labels(again(game, shown)), timeout=PATIENCE
    )
    assert "Order 1 is withdrawn." in again(game, shown).content
    assert await stands(game) == []
    await game.slash("Bob", "orders bid", private="CV", maximum=300)
    shown = await listed(game, "Bob")
    sandbox.server.faults.fail("/callback")
    pressed = await game.press("Bob", "Withdraw 2", shown)
    assert await sandbox.hears(pressed, "Order 2 is withdrawn. However")


async def test_track_is_skipped_from_the_list(sandbox: SandboxBot) -> None:
    """And tokens by a command; by the president alone."""
    game = await seated_at(sandbox, played_to("lay_tile"))
    actor, before = actor_of(game), await game.seq()
    shown = await listed(game, actor)
    [menu] = shown.selects
    company = menu.options[0][1].partition(",")[0]
    track = {"step": "track", "company": company}
    other = next(name for name in NAMES if name != actor)
    refused = await answered(game, await game.slash(other, "orders skip", **track))
    assert f"You are not president of {company}" in refused
    await game.slash(actor, "orders skip", step="tokens", company=company)
    assert await stands(game) == [SkipStep(company=company, step="token")]
    value = next(value for label, value in menu.options if label.endswith("skip track"))
    await sandbox.person(actor).select(shown, menu.custom_id, [value])
    await sandbox.settled()
    assert await game.seq() > before
    assert any(company in line and "*(automatic)*" in line for line in game.lines)
    shown = again(game, shown)
    assert f"Skip track of {company}. Valid until you withdraw it" in shown.content
    assert value not in [value for _, value in shown.selects[0].options]
    assert "Withdraw 2" in labels(shown)
    answer = await answered(game, await game.slash(actor, "orders skip", **track, until="phase"))
    assert f"Skip track of {company}. Valid until phase 2 ends" in answer


async def test_long_list_continues_in_another_message(sandbox: SandboxBot) -> None:
    game = await sandbox.game()
    text = write_order(RunBest(company="B&O", dividend="pay"))
    for number in range(1, 25):
        given = orders.Order(number, "p2", sandbox.person("Bob").id, text, 0, AT)
        await orders.store_order(sandbox.db, game.number, given)
    listing = await game.slash("Bob", "orders list")
    assert await sandbox.world.wait_until(lambda: bool(listing.ephemeral[-1].buttons), timeout=PATIENCE)
    pressed = await game.press("Bob", "Withdraw 3", listing.ephemeral[-1])
    assert await sandbox.hears(pressed, "`24` Run the best routes of B&O and pay")
    assert "Order 3 is withdrawn." in again(game, listing.ephemeral[-1]).content
