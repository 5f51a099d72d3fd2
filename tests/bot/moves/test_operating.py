"""A company's turn: track by autocomplete, routes by picture and by text, close-ups."""

import re
from typing import Final

from engine.tell.view_builders import map_view
from tests.bot.support.hand import Hand
from tests.bot.support.positions import actor_of, played_to, recorded, seated_at
from tests.bot.support.records import record_lines
from tests.bot.support.sandbox_bot import SandboxBot

THREE_RUNS: Final = 175
"""After this many actions a company has three runs to choose from."""


async def test_hex_then_tile_then_rotation(sandbox: SandboxBot) -> None:
    game = await seated_at(sandbox, played_to("lay_tile"))
    name = actor_of(game)
    person = sandbox.person(name)

    async def legal(focused: str, **typed: object) -> list[str | int | float]:
        offered = await person.autocomplete(game.thread, "lay", focused=focused, **typed)
        return [value for _, value in offered]

    hexes = await legal("hex", hex="")
    assert hexes
    assert await legal("hex", hex="Z9") == []
    tiles = await legal("tile", hex=hexes[0], tile="")
    assert tiles
    assert await legal("tile", hex="A7", tile="") == []
    rotations = await legal("rotation", hex=hexes[0], tile=tiles[0], rotation="")
    assert set(rotations) <= set(range(6))
    assert await legal("rotation", hex=hexes[0], tile="915", rotation="") == []

    before = await game.digest()
    # Straight track looks the same when turned half around: it is listed once, and legal both ways.
    illegal = {r for r in range(6) if not {r, (r + 3) % 6} & set(rotations)}
    assert illegal
    for rotation in illegal:
        refused = await game.slash(name, "lay", hex=hexes[0], tile=tiles[0], rotation=rotation)
        assert "(11.3)" in refused.ephemeral[0].content
    wrong: list[tuple[dict[str, str | int | float], str]] = [
        ({"hex": "Q7", "tile": "57", "rotation": 0}, "no hex Q7"),
        ({"hex": hexes[0], "tile": "999", "rotation": 0}, "no tile 999"),
        ({"hex": hexes[0], "tile": "611", "rotation": 0}, "brown"),
    ]
    for values, words in wrong:
        refused = await game.slash(name, "lay", **values)
        assert words in refused.ephemeral[0].content
    assert await game.digest() == before

    laid = await game.slash(name, "lay", hex=hexes[0], tile=tiles[0], rotation=rotations[0])
    assert "Done" in laid.text
    line = next(m for m in reversed(game.messages) if record_lines(m))
    assert str(hexes[0]) in record_lines(line)[-1]
    assert [a.filename for a in line.attachments] == ["closeup.png"]


async def test_three_runs_to_choose_from(sandbox: SandboxBot) -> None:
    """The others leave out a stop of the best, which their buttons name; one press runs, and so does the number."""
    game = await seated_at(sandbox, recorded("18chesapeake-bankruptcy-3p", THREE_RUNS))
    name = actor_of(game)
    hand = Hand(game, name)
    await hand.open("Run trains …")
    best, second, third, back = hand.labels
    assert (best, second, third, back) == (
        "Best run $120",
        "Run $80 without A7 (Ohio)",
        "Run $30 without A3",
        "Back",
    )
    pictures = [picture.filename for picture in hand.asked.attachments]
    assert pictures == ["routes-1.png", "routes-2.png", "routes-3.png"]
    assert len({sandbox.world.picture(picture) for picture in hand.asked.attachments}) == 3
    await hand.press(second)
    assert "runs for $80:" in "".join(game.lines)
    await game.slash(name, "undo")
    await game.slash(name, "run", routes="3")
    assert "runs for $30:" in "".join(game.lines)


async def test_run_as_suggested_and_as_typed(sandbox: SandboxBot) -> None:
    game = await seated_at(sandbox, played_to("run_routes"))
    name = actor_of(game)
    answer = (await game.slash(name, "run")).ephemeral[0]
    assert answer.buttons[0].label.startswith(("Best run", "Run $"))
    first = answer.content.split("\n**Run $")[0]
    sums = re.findall(r"^\*\*\S+\*\* .*: ([\d+]+) = \$(\d+)$", first, re.MULTILINE)
    assert sum(int(value) for _, value in sums) == int(answer.buttons[0].label.split("$")[1]) > 0
    assert all(sum(map(int, parts.split("+"))) == int(value) for parts, value in sums)
    before = await game.digest()
    for typed in ("nonsense", "A1-Z9", "H4"):
        refused = await game.slash(name, "run", routes=typed)
        assert refused.ephemeral[0].content
        assert "incident" not in refused.ephemeral[0].content
    assert await game.digest() == before
    async with sandbox.client.tables.reading(game.number) as live:
        best = live.game.offers(live.player_of(sandbox.person(name).id))[0].suggest()[0].chosen["routes"]
        runs = map_view(live.game, routes=best).runs
    stops = ", ".join("-".join(coord for coord, _, _ in run.stops) for run in runs)
    ran = await game.slash(name, "run", routes=stops)
    assert "Done" in ran.text, (stops, ran.text)
    await game.slash(name, "undo")
    await game.press(name, answer.buttons[0].label, (await game.slash(name, "run")).ephemeral[0])
    assert "runs" in next(line for line in reversed(game.lines) if line.startswith("`"))
