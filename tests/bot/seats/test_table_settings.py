"""What a table agrees on apart from the rules: chosen in the lobby by seated players, later by a moderator alone."""

from bot.table.settings.table_settings import SETTINGS
from storage.settings import GAMES
from tests.bot.support.harness import TABLE, House


async def test_whoever_has_a_seat_chooses_in_the_lobby_and_its_message_says_so(house: House) -> None:
    ann, dee = house.person("Ann"), house.person("Dee")
    await ann.slash(TABLE, "game new", title="18chesapeake")
    assert (
        "You have no seat"
        in (await dee.slash(TABLE, "game settings", setting="reminders", value="slow")).text
    )
    assert (
        "Reminders: after 24"
        in (await ann.slash(TABLE, "game settings", setting="reminders", value="slow")).text
    )
    assert await house.world.until(lambda: "Reminders: after 24" in house.lobby().content)


async def test_once_it_has_started_only_a_moderator_changes_it_and_a_line_says_so(house: House) -> None:
    game = await house.game()
    refused = await game.slash("Bob", "game settings", setting="reminders", value="none")
    assert "a moderator may change this with `/mod settings`" in refused.text
    assert (
        "moderators of games"
        in (await game.slash("Bob", "mod settings", setting="reminders", value="none")).text
    )
    assert await GAMES.get(house.db, game.number, "reminders") is None
    await game.slash("Ann", "mod settings", setting="reminders", value="none")
    assert any(line.endswith("as a moderator: Reminders: none.") for line in game.lines)


async def test_settings_and_their_values_are_completed_and_others_are_refused(house: House) -> None:
    game, ann = await house.game(), house.person("Ann")
    offered = await ann.autocomplete(game.thread, "mod settings", focused="setting", setting="")
    assert [value for _, value in offered] == list(SETTINGS)
    values = await ann.autocomplete(game.thread, "mod settings", focused="value", setting="sealed", value="")
    assert [value for _, value in values] == ["off", "on"]
    refused = await game.slash("Ann", "mod settings", setting="sealed", value="maybe")
    assert "**maybe** is no value of sealed. It may be **off** or **on**." in refused.text
    assert (
        "There is no setting **moon**"
        in (await game.slash("Ann", "mod settings", setting="moon", value="1")).text
    )


async def test_without_a_setting_all_are_listed(house: House) -> None:
    told = (await (await house.game()).slash("Bob", "game settings")).text
    assert all(f"{setting.about}: " in told and f" {name}" in told for name, setting in SETTINGS.items())
