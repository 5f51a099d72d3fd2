"""Which rules a table plays by: chosen in the lobby, posted at the start, looked up by topic."""

import pytest

from bot.table.errors import Refused
from bot.table.moves.verbs import VERBS
from bot.table.settings.game_rules import read_options, rules_text, topics_of
from engine.titles import TITLES, Title
from storage import games
from tests.bot.support.sandbox_bot import TABLE, SandboxBot

SHARED = {"shares", "track", "trains", "emergency", "end"}
PRIVATES = {"auction", "privates"}
OWN = {
    "18al": {"objectives", "coal", "lumber", "named", "yards", "routes"},
    "18c2c": {"tokens", "own_shares", "destination", "mergers", "nationals", "house", "house 2"},
    "18c2c-full": {"tokens", "own_shares", "destination", "mergers", "nationals", "house", "house 2"},
    "18chesapeake": {"canals", "export", "two"},
    "18chesapeake-off-the-rails": {"variant", "export", "two"},
    "18newengland": {"draft", "minors", "operating", "mergers"},
    "18tn": {"louisville", "illinois", "war", "free"},
}


@pytest.mark.parametrize("name", TITLES)
def test_topics_of_titles(name: str) -> None:
    title = TITLES[name]
    assert SHARED | OWN[name] | (PRIVATES if title.spec.privates else set()) <= set(topics_of(title))
    for topic in topics_of(title):
        text = rules_text(title, None, topic)
        assert title.name in text
        assert len(text) <= 4000, topic
        for line in title.topics[topic].lines if topic in title.topics else ():
            assert line.endswith(".")
            assert f"- {line}" in text


def test_topics_of_a_variant() -> None:
    base, variant = TITLES["18chesapeake"].topics, TITLES["18chesapeake-off-the-rails"].topics
    assert base["export"] != variant["export"]
    assert base["canals"] == variant["canals"]


def test_powers_name_their_commands() -> None:
    text = rules_text(TITLES["18al"], None, "privates")
    assert "SNAR: `/marker`" in text
    assert "BLC: `/lay private:BLC`" in text
    assert "NDY: `/buy-train private:NDY`" in text
    assert {"marker", "lay", "buy-train"} <= set(VERBS)


def test_topics_and_options_as_typed() -> None:
    title = TITLES["18tn"]
    assert "fourth 3-train" in rules_text(title, None, "Civil WAR")
    with pytest.raises(Refused, match="no topic weather"):
        rules_text(title, None, "weather")
    assert read_options(title, [" SALVAGE_3", "triple_yellow_first_or", ""]) == (
        "triple_yellow_first_or",
        "salvage_3",
    )


@pytest.mark.parametrize("title", TITLES.values(), ids=lambda title: title.id)
def test_options_have_plain_names(title: Title) -> None:
    """No code name, no comma, which parts options as they are typed."""
    names = [option.name for option in title.rules.OPTIONS.values()]
    assert len({name.casefold() for name in names} | set(title.rules.OPTIONS)) == 2 * len(names)
    assert not any("_" in name or "," in name for name in names)


@pytest.mark.usefixtures("undrawn")
async def test_options_of_a_lobby(sandbox: SandboxBot) -> None:
    ann, bob, cy = (sandbox.person(name) for name in ("Ann", "Bob", "Cy"))
    profiles = await ann.autocomplete(TABLE, "game new", focused="profile", title="18al", profile="")
    assert profiles[0] == ("rulebook: the printed rules", "rulebook")
    offered = await ann.autocomplete(TABLE, "game new", focused="options", title="18al", options="4d")
    assert [value for _, value in offered] == ["unlimited_4d"]
    more = await ann.autocomplete(
        TABLE, "game new", focused="options", title="18al", options="unlimited_4d, hard"
    )
    assert [value for _, value in more] == ["unlimited_4d, hard_rust_t4"]
    wrong = await ann.slash(TABLE, "game new", title="18al", options="coffee")
    assert "no option coffee" in wrong.text
    await ann.slash(TABLE, "game new", title="18al", options="unlimited_4d, hard_rust_t4")
    lobby = sandbox.lobby()
    assert "Any number of 4D-trains: There is no limit on 4D-trains" in lobby.content
    profile, options = lobby.selects
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
    row = (await games.games_in(sandbox.db, "running"))[-1]
    assert row.thread_id is not None
    posts = [m for m in sandbox.world.history(row.thread_id) if m.content or m.embeds]
    for text in (posts[0].content, posts[2].content):
        assert "L&N at home in Decatur: The home of the L&N is Decatur" in text
        assert "rulebook" in text
    async with sandbox.client.tables.reading(row.id) as live:
        assert live.game.table.map.homes["L&N"][0] == "C4"
    sandbox.client.tables.forget(row.id)
    async with sandbox.client.tables.reading(row.id) as live:
        assert live.game.rules.option("LN_home_city_moved")


@pytest.mark.usefixtures("undrawn")
async def test_rules_by_title_and_topic(sandbox: SandboxBot) -> None:
    game = await sandbox.game()
    ann = sandbox.person("Ann")
    topics = await ann.autocomplete(game.thread, "rules", focused="topic", topic="canal")
    assert [value for _, value in topics] == ["canals"]
    answer = await game.slash("Ann", "rules", topic="canals")
    assert "D2" in answer.ephemeral[0].content
    assert answer.public == []
    other = await game.slash("Ann", "rules", title="18tn", topic="war")
    assert "Civil War" in other.text
    assert "Choose a title" in (await ann.slash(TABLE, "rules")).text
    assert await sandbox.hears(await ann.slash(game.thread, "help"), "Rules of 18Chesapeake")
    assert await sandbox.hears(await ann.slash(TABLE, "help"), "rules title")


@pytest.mark.parametrize("title", TITLES.values(), ids=TITLES)
def test_agreed_differences_are_listed(title: Title) -> None:
    """Leniency for reading logs is none of them: no game at a table has it."""
    text = rules_text(title, None, "agreed")
    flags = [title.rules.FLAGS[name] for profile in title.spec.profiles.values() for name in profile]
    assert {flag.use for flag in flags} in ({"rule", "log"}, set())
    for flag in flags:
        assert (f"- {flag.says}" in text) == (flag.use == "rule"), flag.says


async def test_other_sites_rules_say_where_they_differ(sandbox: SandboxBot) -> None:
    """By a command that tells them, in the channel of the lobby as it stands."""
    ann = sandbox.person("Ann")
    await ann.slash(TABLE, "game new", title="18al")
    chosen = (await ann.slash(TABLE, "game options", profile="18xx.games")).text
    assert "`/rules title:18AL topic:agreed` lists the differences" in chosen
    answer = await ann.slash(TABLE, "rules", title="18AL", topic="agreed")
    assert await sandbox.hears(answer, "sells before anything else")
    assert "lists the differences" not in (await ann.slash(TABLE, "game options", profile="rulebook")).text
