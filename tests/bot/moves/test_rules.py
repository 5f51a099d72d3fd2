"""Which rules a table plays by: chosen in the lobby, posted at the start, looked up by topic."""

import pytest

from engine.titles import TITLES, Title
from storage import games
from tests.bot.support.sandbox_bot import TABLE, SandboxBot


def test_topics_of_a_variant() -> None:
    base, variant = TITLES["18chesapeake"].topics, TITLES["18chesapeake-off-the-rails"].topics
    assert base["export"] != variant["export"]
    assert base["canals"] == variant["canals"]


@pytest.mark.parametrize("title", TITLES.values(), ids=lambda title: title.id)
def test_options_have_plain_names(title: Title) -> None:
    """No code name, no comma, which parts options as they are typed."""
    names = [game_option.name for game_option in title.rules.OPTIONS.values()]
    assert len({name.casefold() for name in names} | set(title.rules.OPTIONS)) == 2 * len(names)
    assert not any("_" in name or "," in name for name in names)


@pytest.mark.usefixtures("undrawn")
async def test_options_of_a_lobby(sandbox: SandboxBot) -> None:
    ann, bob, cy = (sandbox.person(name) for name in ("Ann", "Bob", "Cy"))
    wrong = await ann.slash(TABLE, "game new", title="18al", options="coffee")
    assert "no option coffee" in wrong.text
    await ann.slash(TABLE, "game new", title="18al", options="unlimited_4d, hard_rust_t4")
    lobby = sandbox.lobby()
    assert "Any number of 4D-trains: There is no limit on 4D-trains" in lobby.content
    profile, options, _ = lobby.selects
    stranger = await bob.select(lobby, options.custom_id, ["hard_rust_t4"])
    assert "no seat" in stranger.ephemeral[0].content
    await ann.select(lobby, options.custom_id, ["double_yellow_first_or", "hard_rust_t4"])
    await ann.select(lobby, profile.custom_id, ["18xx.games"])
    lobby = sandbox.lobby()
    assert "Any number of 4D-trains:" not in lobby.content
    assert "Two yellow tiles in the first turn: " in lobby.content
    changed = await ann.slash(TABLE, "game options", options="none", profile="rulebook")
    assert "No optional rules" in changed.text
    await ann.slash(TABLE, "game options", options="LN_home_city_moved")
    for person in (bob, cy):
        await person.press(lobby, "Join")
    await ann.press(lobby, "Start")
    await sandbox.settled()
    row = (await games.games_with_status(sandbox.db, "running"))[-1]
    assert row.thread_id is not None
    posts = [m for m in sandbox.world.history(row.thread_id) if m.content or m.embeds]
    for text in (posts[0].content, posts[2].content):
        assert "L&N at home in Decatur: The home of the L&N is Decatur" in text
        assert "rulebook" in text
    async with sandbox.client.tables.reading(row.id) as live:
        assert live.game.table.map.homes["L&N"][0] == "C4"
    sandbox.client.tables.forget(row.id)
    async with sandbox.client.tables.reading(row.id) as live:
        assert live.game.rules.has_option("LN_home_city_moved")


async def test_other_sites_rules_say_where_they_differ(sandbox: SandboxBot) -> None:
    """By a command that tells them, in the channel of the lobby as it stands."""
    ann = sandbox.person("Ann")
    await ann.slash(TABLE, "game new", title="18al")
    chosen = (await ann.slash(TABLE, "game options", profile="18xx.games")).text
    assert "`/rules title:18AL topic:agreed` lists the differences" in chosen
    answer = await ann.slash(TABLE, "rules", title="18AL", topic="agreed")
    assert await sandbox.hears(answer, "must sell before anything else")
    assert "lists the differences" not in (await ann.slash(TABLE, "game options", profile="rulebook")).text
