"""Menus and forms of an offer: the message at each step."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

import discord

from bot.client.buttons import KEY, LABEL, TITLE, Button, Menu, button, shortened, view_of
from bot.client.entry.replies import open_form
from bot.client.pictures import Pictures
from bot.client.places.messages import picture_file
from bot.table.markdown import strong
from bot.table.moves.completions import LONGEST
from bot.table.moves.menus import (
    AmountQuestion,
    Capacity,
    MenuPlace,
    Progress,
    ReadyMove,
    RunQuestion,
    SlotQuestion,
    Step,
)
from bot.table.moves.slot_values import NOTHING

OFFER_KEY: Final = rf"{KEY}(?P<hand>[mt]?)"
"""Key of an offer, and the letter for the capacity in which it is used."""
TRIED_KEY: Final = f"{KEY}w"
"""Key of an offer, or a move, that is tried in a what-if."""
HANDS: Final = {"": Capacity.OWN, "m": Capacity.MODERATOR, "t": Capacity.TABLE, "w": Capacity.WHAT_IF}
"""The capacity for which each letter behind a key stands."""
FEW: Final = 10
"""At most this many choices have a button each; more are a menu, which takes two clicks."""
NUMBERED: Final = 20
"""The same for choices that are numbered in a picture."""
Item = discord.ui.Item[Any]


class Screen(NamedTuple):
    """A message's content."""

    text: str
    view: discord.ui.View


def screen(menu_place: MenuPlace, step: Step, leave: Item | None = None, *, tried: bool = False) -> Screen:
    """A step as a message; `leave` leaves the offer while nothing is picked.

    Where moves are only `tried`, a run is a step, too; else its button makes the move.
    """
    choices = _runs(menu_place, step, tried) if isinstance(step, RunQuestion) else _items(menu_place, step)
    items = [*choices, *([leave] if leave is not None and step.progress.back is None else [])]
    return Screen(_step_text(step), view_of(items))


def _step_text(step: Step) -> str:
    if isinstance(step, ReadyMove):
        return _full_text(step)
    if isinstance(step, RunQuestion):
        return _runs_text(step)
    return f"{_picked_text(step.progress)}: which {step.slot}?{_limits(step)} {step.progress.funds}."


def _limits(step: SlotQuestion | AmountQuestion) -> str:
    """The limits of an amount, and the page of several pictures."""
    if isinstance(step, AmountQuestion):
        return f" {step.limits}."
    if step.sketch is None or step.sketch.pages == 1:
        return ""
    return f" Page {step.page + 1} of {step.sketch.pages}."


def _runs_text(question: RunQuestion) -> str:
    """Each run with its trains' stops, in order of its picture."""
    listed = (f"{strong(run.label)}\n" + "\n".join(run.lines) for run in question.runs)
    return "\n".join([*listed, "Other routes: `/run routes:`."])


def _runs(menu_place: MenuPlace, question: RunQuestion, tried: bool) -> Iterator[Item]:
    for number, run in enumerate(question.runs, 1):
        if tried:
            yield _step_button(menu_place, (str(number),), run.label)
        else:
            yield make_button(menu_place.game, menu_place.seq, _key(menu_place), str(number), run.label)


def _items(menu_place: MenuPlace, step: SlotQuestion | AmountQuestion | ReadyMove) -> Iterator[Item]:
    if isinstance(step, ReadyMove):
        return _make_buttons(menu_place, step)
    return _amounts(menu_place, step) if isinstance(step, AmountQuestion) else _choices(menu_place, step)


def _picked_text(way: Progress) -> str:
    picked = f" ({', '.join(way.labels)})" if way.labels else ""
    return f"{strong(way.offer)}{picked}"


def _full_text(ready: ReadyMove) -> str:
    """The full text of a move, since phones cut button labels."""
    return "\n".join([_picked_text(ready.progress), *(f"> {line}" for line in ready.preview.lines)])


def _make_buttons(menu_place: MenuPlace, ready: ReadyMove) -> Iterator[Item]:
    said = ready.preview
    label = said.full if len(said.full) <= LABEL else said.summary
    yield make_button(
        menu_place.game, menu_place.seq, _key(menu_place), join_picks(ready.progress.picked), label
    )
    yield from _back_button(menu_place, ready.progress)


def _amounts(menu_place: MenuPlace, question: AmountQuestion) -> Iterator[Item]:
    picked = question.progress.picked
    for value, label in question.usual:
        yield _step_button(menu_place, (*picked, str(value)), label)
    typed = f"Another {question.slot} …"
    yield amount_button(menu_place.game, menu_place.seq, _key(menu_place), join_picks(picked), typed)
    yield from _back_button(menu_place, question.progress)


def _choices(menu_place: MenuPlace, question: SlotQuestion) -> Iterator[Item]:
    picked = question.progress.picked
    few = FEW if question.sketch is None else NUMBERED
    if len(question.choices) <= few and not question.page and not question.has_more:
        for value, label in question.choices:
            yield _step_button(menu_place, (*picked, str(value) or NOTHING), label or NOTHING)
    else:
        yield from _menu(menu_place, question)
    yield from _back_button(menu_place, question.progress)


def _menu(menu_place: MenuPlace, question: SlotQuestion) -> Iterator[Item]:
    game_id, seq, key = menu_place.game, menu_place.seq, _key(menu_place)
    picked = join_picks(question.progress.picked)
    options = [
        discord.SelectOption(label=shortened(label, LONGEST) or NOTHING, value=str(value) or NOTHING)
        for value, label in question.choices
    ]
    yield pick_menu(game_id, seq, key, picked, options, f"Choose the {question.slot}")
    if question.page:
        yield step_button(game_id, seq, key, picked, "Earlier", question.page - 1)
    if question.has_more:
        yield step_button(game_id, seq, key, picked, "More", question.page + 1)


def _back_button(menu_place: MenuPlace, way: Progress) -> Iterator[Item]:
    if way.back is not None:
        yield _step_button(menu_place, way.back, "Back")


def _step_button(menu_place: MenuPlace, picks: Sequence[str], label: str) -> Item:
    return step_button(menu_place.game, menu_place.seq, _key(menu_place), join_picks(picks), label)


def _key(menu_place: MenuPlace) -> str:
    return key_with_capacity(menu_place.key, menu_place.capacity)


# --- what ids carry --------------------------------------------------------------------------------------------------


def key_with_capacity(key: str, capacity: Capacity) -> str:
    """An offer's key for ids, with the letter of the capacity."""
    return key + next(letter for letter, meant in HANDS.items() if meant is capacity)


def read_key_with_capacity(carried: str) -> tuple[str, Capacity]:
    """The offer's key and capacity in a menu's value."""
    key = carried.rstrip("".join(HANDS))
    return key, HANDS.get(carried.removeprefix(key), Capacity.OWN)


def join_picks(picks: Sequence[str]) -> str:
    """Picks as text for a component's id."""
    return ",".join(picks)


def split_picks(picked: str) -> list[str]:
    """The picks in a component's id."""
    return picked.split(",") if picked else []


# --- the buttons and the menu ----------------------------------------------------------------------------------------


def step_button(game: int, seq: int, key: str, picked: str, label: str, page: int = 0) -> Button:
    """The button to the step after these picks, or to a page of its menu."""
    return button(f"p:{game}:{seq}:{key}:{page}:{picked}", label)


def amount_button(game: int, seq: int, key: str, picked: str, label: str) -> Button:
    """The button that opens the form of the next amount."""
    return button(f"a:{game}:{seq}:{key}:{picked}", label)


def make_button(game: int, seq: int, key: str, picked: str, label: str) -> Button:
    """The button that makes the picked move, which its label describes."""
    return button(f"c:{game}:{seq}:{key}:{picked}", label, discord.ButtonStyle.success)


def pick_menu(
    game: int, seq: int, key: str, picked: str, options: list[discord.SelectOption], prompt: str
) -> Menu:
    """The menu of one slot; a pick leads to the next step."""
    return discord.ui.Select(custom_id=f"s:{game}:{seq}:{key}:{picked}", placeholder=prompt, options=options)


# --- the form of an amount -------------------------------------------------------------------------------------------

AMOUNT: Final = "amount"
"""Id of the only field."""
LONGEST_AMOUNT: Final = 12
"""Characters of an amount: a dollar sign and commas may be typed."""


async def ask_amount(interaction: discord.Interaction, menu_place: MenuPlace, step: Step) -> None:
    """Open the form of an amount; raises Refused if the interaction was deferred."""
    assert isinstance(step, AmountQuestion), menu_place
    key = key_with_capacity(menu_place.key, menu_place.capacity)
    await open_form(
        interaction, amount_form(menu_place.game, menu_place.seq, key, join_picks(menu_place.picks), step)
    )


def amount_form(game: int, seq: int, key: str, picked: str, question: AmountQuestion) -> discord.ui.Modal:
    """The form of the next amount, not kept in memory."""
    # What a choice costs stands behind a colon; the limits are said below.
    title = ": ".join(
        [question.progress.offer, *(labels.partition(": ")[0] for labels in question.progress.labels[:1])]
    )
    form = discord.ui.Modal(title=shortened(title, TITLE), custom_id=f"f:{game}:{seq}:{key}:{picked}")
    label = f"{question.slot.capitalize()}, {question.limits}"
    field: discord.ui.TextInput[Any] = discord.ui.TextInput(custom_id=AMOUNT, max_length=LONGEST_AMOUNT)
    form.add_item(discord.ui.Label(text=shortened(label, TITLE), component=field))
    form.stop()
    return form


def typed_amount(fields: Mapping[str, str]) -> str:
    """The amount typed into a modal: `$1,200` is 1200."""
    return re.sub(r"[\s$,]", "", fields[AMOUNT])


# --- pictures --------------------------------------------------------------------------------------------------------

DESCRIPTION: Final = 1000
"""Characters of the words for a picture; Discord takes a few more."""


async def step_files(drawing: Pictures, step: Step) -> list[discord.File]:
    """The picture with numbered choices, or the market after the move."""
    if isinstance(step, ReadyMove) and step.market is not None:
        picture = await drawing.market(step.market)
        return [picture_file(picture, "market.png", "The market after this")]
    if isinstance(step, RunQuestion):
        return await _run_files(drawing, step)
    if isinstance(step, AmountQuestion) or step.sketch is None:
        return []
    words = "; ".join(label for _, label in step.sketch.choices())
    return [picture_file(await drawing.sketch(step.sketch), "places.png", shortened(words, DESCRIPTION))]


async def _run_files(drawing: Pictures, question: RunQuestion) -> list[discord.File]:
    """A map for each run with its routes, the best first."""
    return [
        picture_file(await drawing.map(run.view), f"routes-{number}.png", run.label)
        for number, run in enumerate(question.runs, 1)
    ]
