"""A table on a Discord server: the real client against the loopback server."""

from tests.bot.support.positions import actor_of, ends_turn, played_to, seated_at
from tests.bot.support.sandbox_bot import SandboxBot, Seated


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
