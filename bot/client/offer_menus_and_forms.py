"""Menus and forms for filling an offer: the message at each step."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

import discord

from bot.client.buttons import (
    KEY_PATTERN,
    MAX_FORM_TITLE_LENGTH,
    MAX_LABEL_LENGTH,
    Button,
    Menu,
    button,
    shortened,
    view_of,
)
from bot.client.entry.replies import open_form
from bot.client.pictures import Pictures
from bot.client.places.messages import picture_file
from bot.table.markdown import strong
from bot.table.moves.completions import MAX_ITEM_LABEL_LENGTH
from bot.table.moves.menus import (
    ActingAs,
    AmountQuestion,
    MenuPlace,
    MenuProgress,
    MenuStep,
    ReadyMove,
    RunQuestion,
    SlotQuestion,
)
from bot.table.moves.slot_values import EMPTY_VALUE

OFFER_KEY_PATTERN: Final = rf"{KEY_PATTERN}(?P<capacity_letter>[mt]?)"
"""Pattern of an offer's key with the letter of the capacity in which it is used."""
TRIED_KEY_PATTERN: Final = f"{KEY_PATTERN}w"
"""Pattern of the key of an offer or move in a what-if."""
CAPACITY_LETTERS: Final = {
    "": ActingAs.SELF,
    "m": ActingAs.MODERATOR,
    "t": ActingAs.GROUP,
    "w": ActingAs.WHAT_IF,
}
"""Capacities by their letter in ids, after the offer's key."""
MAX_CHOICE_BUTTONS: Final = 10
"""The most choices with a button each; more become a menu, which takes two clicks."""
MAX_NUMBERED_BUTTONS: Final = 20
"""The most choices with a button each if a picture numbers them."""
Item = discord.ui.Item[Any]


class Screen(NamedTuple):
    """A message's content."""

    text: str
    view: discord.ui.View


def step_screen(
    menu_place: MenuPlace, step: MenuStep, leave_button: Item | None = None, *, is_trial: bool = False
) -> Screen:
    """The message for a step; `leave_button` is shown while nothing is picked.

    In a what-if (`is_trial`) the button of a run picks it; otherwise it makes the move.
    """
    choices = (
        _run_buttons(menu_place, step, is_trial)
        if isinstance(step, RunQuestion)
        else _step_items(menu_place, step)
    )
    items = [
        *choices,
        *([leave_button] if leave_button is not None and step.progress.picks_before is None else []),
    ]
    return Screen(_step_text(step), view_of(items))


def _step_text(step: MenuStep) -> str:
    if isinstance(step, ReadyMove):
        return _full_text(step)
    if isinstance(step, RunQuestion):
        return _runs_text(step)
    return f"{_picked_text(step.progress)}: which {step.slot}?{_limits_text(step)} {step.progress.funds}."


def _limits_text(step: SlotQuestion | AmountQuestion) -> str:
    """The limits of an amount; the page, if the pictures have several."""
    if isinstance(step, AmountQuestion):
        return f" {step.limits_text}."
    if step.sketch is None or step.sketch.page_count == 1:
        return ""
    return f" Page {step.page + 1} of {step.sketch.page_count}."


def _runs_text(question: RunQuestion) -> str:
    """Each run with its trains' stops, in the order of its pictures."""
    run_texts = (f"{strong(run.label)}\n" + "\n".join(run.lines) for run in question.runs)
    return "\n".join([*run_texts, "Other routes: `/run routes:`."])


def _run_buttons(menu_place: MenuPlace, question: RunQuestion, is_trial: bool) -> Iterator[Item]:
    for number, run in enumerate(question.runs, 1):
        if is_trial:
            yield _step_button(menu_place, (str(number),), run.label)
        else:
            yield make_button(
                menu_place.game, menu_place.seq, _key_for_id(menu_place), str(number), run.label
            )


def _step_items(menu_place: MenuPlace, step: SlotQuestion | AmountQuestion | ReadyMove) -> Iterator[Item]:
    if isinstance(step, ReadyMove):
        return _make_buttons(menu_place, step)
    return (
        _amount_buttons(menu_place, step)
        if isinstance(step, AmountQuestion)
        else _choice_items(menu_place, step)
    )


def _picked_text(progress: MenuProgress) -> str:
    picked_labels = f" ({', '.join(progress.labels)})" if progress.labels else ""
    return f"{strong(progress.offer)}{picked_labels}"


def _full_text(ready: ReadyMove) -> str:
    """The full text of a move, since phones cut the labels of buttons."""
    return "\n".join([_picked_text(ready.progress), *(f"> {line}" for line in ready.preview.lines)])


def _make_buttons(menu_place: MenuPlace, ready: ReadyMove) -> Iterator[Item]:
    preview = ready.preview
    label = preview.full if len(preview.full) <= MAX_LABEL_LENGTH else preview.summary
    yield make_button(
        menu_place.game, menu_place.seq, _key_for_id(menu_place), join_picks(ready.progress.picked), label
    )
    yield from _back_button(menu_place, ready.progress)


def _amount_buttons(menu_place: MenuPlace, question: AmountQuestion) -> Iterator[Item]:
    picks = question.progress.picked
    for value, label in question.usual_amounts:
        yield _step_button(menu_place, (*picks, str(value)), label)
    typed = f"Another {question.slot} …"
    yield amount_button(menu_place.game, menu_place.seq, _key_for_id(menu_place), join_picks(picks), typed)
    yield from _back_button(menu_place, question.progress)


def _choice_items(menu_place: MenuPlace, question: SlotQuestion) -> Iterator[Item]:
    picks = question.progress.picked
    most_buttons = MAX_CHOICE_BUTTONS if question.sketch is None else MAX_NUMBERED_BUTTONS
    if len(question.choices) <= most_buttons and not question.page and not question.has_more:
        for value, label in question.choices:
            yield _step_button(menu_place, (*picks, str(value) or EMPTY_VALUE), label or EMPTY_VALUE)
    else:
        yield from _menu_items(menu_place, question)
    yield from _back_button(menu_place, question.progress)


def _menu_items(menu_place: MenuPlace, question: SlotQuestion) -> Iterator[Item]:
    game_id, seq, key = menu_place.game, menu_place.seq, _key_for_id(menu_place)
    picked = join_picks(question.progress.picked)
    options = [
        discord.SelectOption(
            label=shortened(label, MAX_ITEM_LABEL_LENGTH) or EMPTY_VALUE, value=str(value) or EMPTY_VALUE
        )
        for value, label in question.choices
    ]
    yield pick_menu(game_id, seq, key, picked, options, f"Choose the {question.slot}")
    if question.page:
        yield step_button(game_id, seq, key, picked, "Earlier", question.page - 1)
    if question.has_more:
        yield step_button(game_id, seq, key, picked, "More", question.page + 1)


def _back_button(menu_place: MenuPlace, progress: MenuProgress) -> Iterator[Item]:
    if progress.picks_before is not None:
        yield _step_button(menu_place, progress.picks_before, "Back")


def _step_button(menu_place: MenuPlace, picks: Sequence[str], label: str) -> Item:
    return step_button(menu_place.game, menu_place.seq, _key_for_id(menu_place), join_picks(picks), label)


def _key_for_id(menu_place: MenuPlace) -> str:
    return key_with_capacity(menu_place.key, menu_place.acting_as)


# --- parts of ids ----------------------------------------------------------------------------------------------------


def key_with_capacity(key: str, capacity: ActingAs) -> str:
    """An offer's key with the letter of the capacity, for ids."""
    return key + next(letter for letter, meant in CAPACITY_LETTERS.items() if meant is capacity)


def read_key_with_capacity(key_and_letter: str) -> tuple[str, ActingAs]:
    """The offer's key and the capacity from a menu's value."""
    key = key_and_letter.rstrip("".join(CAPACITY_LETTERS))
    return key, CAPACITY_LETTERS.get(key_and_letter.removeprefix(key), ActingAs.SELF)


def join_picks(picks: Sequence[str]) -> str:
    """Picks as one text for ids."""
    return ",".join(picks)


def split_picks(picked: str) -> list[str]:
    """The picks in an id."""
    return picked.split(",") if picked else []


# --- the buttons and the menu ----------------------------------------------------------------------------------------


def step_button(game: int, seq: int, key: str, picked: str, label: str, page: int = 0) -> Button:
    """A button to the step after these picks, or to another page of its menu."""
    return button(f"p:{game}:{seq}:{key}:{page}:{picked}", label)


def amount_button(game: int, seq: int, key: str, picked: str, label: str) -> Button:
    """A button that opens the form for the next amount."""
    return button(f"a:{game}:{seq}:{key}:{picked}", label)


def make_button(game: int, seq: int, key: str, picked: str, label: str) -> Button:
    """A button that makes the picked move; its label describes the move."""
    return button(f"c:{game}:{seq}:{key}:{picked}", label, discord.ButtonStyle.success)


def pick_menu(
    game: int, seq: int, key: str, picked: str, options: list[discord.SelectOption], prompt: str
) -> Menu:
    """The menu for one slot; picking a value leads to the next step."""
    return discord.ui.Select(custom_id=f"s:{game}:{seq}:{key}:{picked}", placeholder=prompt, options=options)


# --- the form for an amount ------------------------------------------------------------------------------------------

AMOUNT_FIELD: Final = "amount"
"""The id of the form's only field."""
MAX_AMOUNT_LENGTH: Final = 12
"""The most characters of a typed amount, with currency sign and commas."""


async def ask_amount(interaction: discord.Interaction, menu_place: MenuPlace, step: MenuStep) -> None:
    """Open the form for an amount; raises Refused if there was a response already."""
    assert isinstance(step, AmountQuestion), menu_place
    key = key_with_capacity(menu_place.key, menu_place.acting_as)
    await open_form(
        interaction, amount_form(menu_place.game, menu_place.seq, key, join_picks(menu_place.picks), step)
    )


def amount_form(game: int, seq: int, key: str, picked: str, question: AmountQuestion) -> discord.ui.Modal:
    """The form for the next amount, not kept in memory by discord.py."""
    # The cost after the colon is left out; the field's label has the limits.
    title = ": ".join(
        [question.progress.offer, *(labels.partition(": ")[0] for labels in question.progress.labels[:1])]
    )
    form = discord.ui.Modal(
        title=shortened(title, MAX_FORM_TITLE_LENGTH), custom_id=f"f:{game}:{seq}:{key}:{picked}"
    )
    label = f"{question.slot.capitalize()}, {question.limits_text}"
    field: discord.ui.TextInput[Any] = discord.ui.TextInput(
        custom_id=AMOUNT_FIELD, max_length=MAX_AMOUNT_LENGTH
    )
    form.add_item(discord.ui.Label(text=shortened(label, MAX_FORM_TITLE_LENGTH), component=field))
    form.stop()
    return form


def typed_amount(fields: Mapping[str, str]) -> str:
    """The amount typed into a form: `$1,200` is 1200."""
    return re.sub(r"[\s$,]", "", fields[AMOUNT_FIELD])


# --- pictures --------------------------------------------------------------------------------------------------------

MAX_DESCRIPTION_LENGTH: Final = 1000
"""The most characters of a picture's description; Discord's limit is a little higher."""


async def step_files(pictures: Pictures, step: MenuStep) -> list[discord.File]:
    """The picture with numbered choices, or of the market after the move."""
    if isinstance(step, ReadyMove) and step.market is not None:
        picture = await pictures.market(step.market)
        return [picture_file(picture, "market.png", "The market after this")]
    if isinstance(step, RunQuestion):
        return await _run_files(pictures, step)
    if isinstance(step, AmountQuestion) or step.sketch is None:
        return []
    alt_text = "; ".join(label for _, label in step.sketch.choices())
    return [
        picture_file(
            await pictures.sketch(step.sketch), "places.png", shortened(alt_text, MAX_DESCRIPTION_LENGTH)
        )
    ]


async def _run_files(pictures: Pictures, question: RunQuestion) -> list[discord.File]:
    """A map with the routes of each run, best first."""
    return [
        picture_file(await pictures.map(run.view), f"routes-{number}.png", run.label)
        for number, run in enumerate(question.runs, 1)
    ]
