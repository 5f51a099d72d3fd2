"""A table on a Discord server: the real client against the loopback server."""

import asyncio
from typing import Any

from tests.bot.support.positions import actor_of, ends_turn, played_to, seated_at
from tests.bot.support.sandbox_bot import TABLE, SandboxBot, Seated


async def test_first_moves_are_posted(sandbox: SandboxBot) -> None:
    game = await sandbox.game()
    board, first_line, turn = game.messages[0], game.lines[0], game.turn
    assert [embed["title"] for embed in board.embeds if "title" in embed] == ["18Chesapeake, game 1"]
    assert sorted(a.filename for a in board.attachments) == ["map.png", "market.png"]
    assert board.pinned
    assert "Ann, Bob, Cy" in first_line
    assert turn.content.startswith(f"<@{sandbox.person('Ann').id}>")
    assert (game.pings("Ann"), game.pings("Bob")) == (1, 0)

    result = await game.slash("Ann", "bid", private="D&R", amount=20)
    assert "Done" in result.text
    assert result.public == []
    assert any("Ann" in line and "D&R" in line for line in game.lines[1:])
    assert game.turn.content.startswith(f"<@{sandbox.person('Bob').id}>")
    assert [m for m in game.messages if m.buttons] == [game.turn]
    assert (game.pings("Ann"), game.pings("Bob")) == (1, 1)


def _uploads(game: Seated) -> list[int]:
    return [file.id for file in game.messages[0].attachments]


async def test_board_post_says_whose_turn_it_is(sandbox: SandboxBot) -> None:
    game = await sandbox.game()
    board = game.messages[0]
    assert "Auction, phase 2. It is **Ann**'s turn." in board.content
    seen = (board.id, _uploads(game))
    await game.press("Ann", "Pass")
    board = game.messages[0]
    assert "It is **Bob**'s turn." in board.content
    assert board.pinned
    assert (board.id, _uploads(game)) == seen
    assert "It is **Bob**'s turn." in (await game.slash("Dee", "status")).text


async def test_unchanged_picture_is_not_uploaded(
    sandbox: SandboxBot,
) -> None:
    game = await seated_at(sandbox, played_to("sell_shares"))
    name, before = actor_of(game), game.messages[0].attachments
    chosen: dict[str, str | int | float] = {"shares": 1}
    offered = await sandbox.person(name).autocomplete(
        game.thread, "sell", focused="company", company="", **chosen
    )
    chosen["company"] = offered[0][1]
    await game.slash(name, "sell", **chosen)
    assert [a.id for a in game.messages[0].attachments] == [a.id for a in before], (
        "once a turn is soon enough"
    )
    await game.press(name, "Done")
    after = game.messages[0].attachments
    assert [sorted(a.filename for a in files) for files in (before, after)] == [["map.png", "market.png"]] * 2
    assert [a.filename for a in after if a.id in {b.id for b in before}] == ["map.png"]
    embeds = [embed["image"]["url"] for embed in game.messages[0].embeds]
    assert embeds == ["attachment://map.png", "attachment://market.png"]


async def test_changed_pictures_come_after_the_turn(
    sandbox: SandboxBot,
) -> None:
    game = await seated_at(sandbox, played_to("lay_tile"))
    name, pictures, chosen = actor_of(game), _uploads(game), dict[str, str | int | float]()
    for option in ("hex", "tile", "rotation"):
        offered = await sandbox.person(name).autocomplete(
            game.thread, "lay", focused=option, **{**chosen, option: ""}
        )
        chosen[option] = offered[0][1]
    await game.slash(name, "lay", **chosen)
    assert _uploads(game) == pictures
    await ends_turn(game)
    assert len(_uploads(game)) == 2
    assert not set(_uploads(game)) & set(pictures)


async def test_illegal_move_is_private(sandbox: SandboxBot) -> None:
    game = await sandbox.game()
    before, posted = await game.digest(), len(game.messages)
    result = await game.slash("Ann", "bid", private="CV", amount=99999)
    assert "Allowed" in result.ephemeral[0].content
    assert "(9)" in result.ephemeral[0].content
    assert result.public == []
    assert await game.digest() == before
    assert len(game.messages) == posted
    out_of_turn = await game.slash("Bob", "pass")
    assert "Ann" in out_of_turn.ephemeral[0].content
    onlooker = await game.slash("Dee", "pass")
    assert "no seat" in onlooker.ephemeral[0].content
    assert await game.digest() == before


async def test_old_button_is_late(sandbox: SandboxBot) -> None:
    game = await sandbox.game()
    old = game.turn
    button = next(b.custom_id for b in old.buttons if b.label == "Pass")
    await game.press("Ann", "Pass")
    assert [(m.content, m.buttons) for m in game.messages if m.id == old.id] == [("`2` **Ann** passes.", [])]
    after = await game.digest()
    # Two presses of one button: the second was on its way while the message went.
    present = next(b.custom_id for b in game.turn.buttons if b.custom_id)
    late = await sandbox.person("Ann").press_late(game.turn, present)
    assert "Bob's turn" in late.ephemeral[0].content
    assert await game.digest() == after
    assert button is not None
    assert button.startswith("g:1:1:")


async def test_one_of_three_presses_wins(sandbox: SandboxBot) -> None:
    game = await sandbox.game()
    turn = game.turn
    results = await asyncio.gather(*(sandbox.person("Ann").press(turn, "Pass") for _ in range(3)))
    await sandbox.settled()
    lines = [message.content for result in results for message in result.ephemeral]
    assert len(lines) == 2
    assert all("moved on" in text for text in lines)
    assert await game.seq() == 2


async def test_player_new_at_the_turn_is_pinged(sandbox: SandboxBot) -> None:
    game = await sandbox.game(by_presses=True)
    await game.press("Ann", "Bid $205: Cornelius Vanderbilt, CV")
    assert (game.pings("Ann"), game.pings("Bob"), game.pings("Cy")) == (1, 1, 0)
    await game.press("Bob", "Pass")
    # Bob, who undoes it, knows about the turn, and Cy is pinged again when it comes back.
    await game.slash("Bob", "undo")
    assert (game.pings("Ann"), game.pings("Bob"), game.pings("Cy")) == (1, 1, 1)
    await game.press("Bob", "Pass")
    assert (game.pings("Ann"), game.pings("Bob"), game.pings("Cy")) == (1, 1, 2)
    assert {channel for channel, _ in sandbox.rung} == {game.thread}, "nobody as Bob and Cy joined"


async def test_sheets_come_with_a_picture(sandbox: SandboxBot) -> None:
    game = await sandbox.game()
    shown = [
        (await game.slash("Bob", command, **values)).ephemeral[0]
        for command, values in (("company", {"company": "PRR"}), ("player", {}), ("trains", {}))
    ]
    assert [[a.filename for a in m.attachments] for m in shown] == [
        ["company.png"],
        ["player.png"],
        ["phases.png"],
    ]
    for message in shown:
        assert sandbox.world.picture(message.attachments[0]).startswith(b"\x89PNG")


async def test_questions_are_answered_privately(sandbox: SandboxBot) -> None:
    game = await sandbox.game()
    assert "No moves yet" in (await game.slash("Bob", "log")).text
    await game.slash("Ann", "bid", private="D&R", amount=20)
    posted = len(game.messages)
    asked: list[tuple[str, dict[str, Any], str]] = [
        ("status", {}, "18Chesapeake"),
        ("map", {"around": "h6"}, "phase 2"),
        ("market", {}, "phase 2"),
        ("company", {"company": "prr"}, "Pennsylvania"),
        ("player", {"player": "Ann"}, "Delaware"),
        ("player", {}, "**Bob**"),
        ("trains", {}, "7 left"),
        ("log", {}, "D&R"),
        ("log", {"since": 3}, "since move 3"),
        ("why", {"move": "lay", "details": "D2 57 3"}, "auction"),
        ("why", {"move": "pass"}, "possible now"),
        ("mine", {}, "your turn"),
        ("help", {}, "/game new"),
    ]
    for command, values, expected in asked:
        result = await sandbox.person("Bob").slash(game.thread, command, **values)
        shown = result.ephemeral[0]
        text = shown.content + "".join(embed.get("description", "") for embed in shown.embeds)
        assert expected in text, (command, text)
        assert result.public == []
    for command, values in [
        ("map", {"around": "Z99"}),
        ("company", {"company": "XYZ"}),
        ("player", {"player": "Zoe"}),
    ]:
        result = await sandbox.person("Bob").slash(game.thread, command, **values)
        assert result.ephemeral[0].content.startswith("There is no")
    elsewhere = await sandbox.person("Bob").slash(TABLE, "status")
    assert "not the thread of a game" in elsewhere.ephemeral[0].content
    assert len(game.messages) == posted
