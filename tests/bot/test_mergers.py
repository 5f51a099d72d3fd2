"""Merger rounds at a table: by commands that complete themselves, by buttons and menus; and who is asked."""

from bot.sandbox.people import Result
from tests.bot.house import House, Seated
from tests.bot.positions import actor_of, played_to, seated_at

SEED = 6
"""A game in which the first president asked can both merge and convert."""


async def _merging(house: House) -> tuple[Seated, str]:
    game = await seated_at(house, played_to("merge", SEED, "18newengland"))
    return game, actor_of(game)


async def _completed(
    house: House, game: Seated, name: str, verb: str, slot: str, **typed: object
) -> dict[str, str]:
    """What autocomplete offers: value and label."""
    offered = await house.person(name).autocomplete(game.thread, verb, focused=slot, **{**typed, slot: ""})
    return {str(value): label for label, value in offered}


def _said(game: Seated) -> str:
    return "\n".join(game.lines)


async def test_merge_completes_pairs_and_tells_what_becomes_of_everything(house: House) -> None:
    game, name = await _merging(house)
    partners = await _completed(house, game, name, "merge", "partner")
    assert partners
    partner, told = next(iter(partners.items()))
    assert told.startswith(f"{partner}: par $")
    majors = await _completed(house, game, name, "merge", "major", partner=partner)
    assert all("treasury $" in label and "left $" in label for label in majors.values())
    assert await _completed(house, game, name, "merge", "major", partner="B&A") == {}
    major = next(iter(majors))
    done = await game.slash(name, "merge", partner=partner, major=major)
    assert "Done" in done.text
    assert f"into **{major}** at $" in _said(game)


async def test_a_conversion_by_the_button_and_its_menu(house: House) -> None:
    game, name = await _merging(house)
    button = next(b.label for b in game.turn.buttons if b.label.startswith("Convert"))
    assert ": pay $" in button
    assert button.endswith("par $100 …")
    menu = (await game.press(name, button)).ephemeral[0]
    labels = [label for label, _ in menu.selects[0].options]
    assert all("par $100, treasury $" in label for label in labels)
    assert [picture.filename for picture in menu.attachments] == ["market.png"]
    assert f"the market with {menu.selects[0].options[0][1]}" in menu.content
    await house.person(name).select(menu, menu.selects[0].custom_id, [menu.selects[0].options[0][1]])
    await house.settled()
    assert "converts" in _said(game)


async def test_a_merger_by_menus_shows_the_market_before_it_is_made(house: House) -> None:
    game, name = await _merging(house)
    button = next(b.label for b in game.turn.buttons if b.label.startswith("Merge"))
    menu = (await game.press(name, button)).ephemeral[0]
    while menu.selects:
        shown = [picture.filename for picture in menu.attachments]
        value = menu.selects[0].options[-1][1]
        await house.person(name).select(menu, menu.selects[0].custom_id, [value])
        await house.settled()
        menu = house.world.messages[menu.id]
    assert shown == ["market.png"]
    assert menu.attachments == []
    assert f"into **{value}** at $" in _said(game)


async def test_only_the_president_may_merge(house: House) -> None:
    game, name = await _merging(house)
    other = next(person for person in ("Ann", "Bob", "Cy") if person != name)
    refused: Result = await game.slash(other, "convert", major="B&A")
    assert "not your turn" in refused.ephemeral[0].content


async def test_why_a_merger_is_not_possible(house: House) -> None:
    game, name = await _merging(house)
    why = await game.slash(name, "why", move="merge", details="B&A CN")
    assert "cannot merge with B&A" in why.ephemeral[0].content
    verbs = await house.person(name).autocomplete(game.thread, "why", focused="move", move="me")
    assert [value for _, value in verbs] == ["merge"]


async def test_nobody_else_is_asked_or_pinged_about_a_conversion(house: House) -> None:
    game, name = await _merging(house)
    others = [person for person in ("Ann", "Bob", "Cy") if person != name]
    before = {person: game.pings(person) for person in others}
    majors = await _completed(house, game, name, "convert", "major")
    await game.slash(name, "convert", major=next(iter(majors)))
    while actor_of(game) == name and any(
        b.label.startswith(("No more shares", "Leave")) for b in game.turn.buttons
    ):
        label = next(b.label for b in game.turn.buttons if b.label.startswith(("No more shares", "Leave")))
        await game.press(name, label)
    asked = actor_of(game)
    after = {person: game.pings(person) for person in others}
    assert {person for person in others if after[person] > before[person]} <= {asked}
