"""Menus and forms that fill an offer (a possible kind of move) with values, step by step."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

import discord

from bot.client.buttons import (
    MAX_FORM_TITLE_LENGTH,
    MAX_LABEL_LENGTH,
    MOVE_KEY_PATTERN,
    Button,
    Menu,
    button,
    shortened_label,
    view_with_items,
)
from bot.client.entry.replies import open_form
from bot.client.pictures import Pictures
from bot.client.places.messages import picture_file
from bot.table.markdown import strong
from bot.table.moves.completions import MAX_ITEM_LABEL_LENGTH
from bot.table.moves.menus import (
    ActingAs,
    AmountQuestion,
    MenuProgress,
    MenuState,
    MenuStep,
    ReadyMove,
    RunQuestion,
    SlotQuestion,
)
from bot.table.moves.slot_values import EMPTY_VALUE_WORD

OFFER_KEY_PATTERN: Final = rf"{MOVE_KEY_PATTERN}(?P<acting_as_letter>[mt]?)"
"""Regex for an offer's key, followed by the letter that says how the user acts (see CAPACITY_LETTERS)."""
WHAT_IF_KEY_PATTERN: Final = f"{MOVE_KEY_PATTERN}w"
"""Regex for the key of an offer or move in a what-if; the key ends with the letter `w`."""
ACTING_AS_LETTERS: Final = {
    "": ActingAs.SELF,
    "m": ActingAs.MODERATOR,
    "t": ActingAs.GROUP,
    "w": ActingAs.WHAT_IF,
}
"""Letters in component ids for how a user acts: for their own seat, as a moderator, for the group, or in a what-if."""
MAX_CHOICE_BUTTONS: Final = 10
"""Maximum number of choices that are shown as buttons. More become a menu, which takes two clicks."""
MAX_NUMBERED_BUTTONS: Final = 20
"""Maximum number of choices that are shown as buttons if they are numbered in a picture."""
Item = discord.ui.Item[Any]


class StepScreen(NamedTuple):
    """Text and components of a message that shows one step of a move."""

    text: str
    view: discord.ui.View


def step_screen(
    menu_state: MenuState, step: MenuStep, leave_button: Item | None = None, *, is_what_if: bool = False
) -> StepScreen:
    """The message for one step of a move, with its buttons or menu.

    `leave_button` is shown until a value is picked. In a what-if (`is_what_if`), a button for a run picks the run;
    otherwise it makes the move.
    """
    choices = (
        _run_buttons(menu_state, step, is_what_if)
        if isinstance(step, RunQuestion)
        else _step_items(menu_state, step)
    )
    items = [
        *choices,
        *([leave_button] if leave_button is not None and step.progress.picks_before is None else []),
    ]
    return StepScreen(_step_text(step), view_with_items(items))


def _step_text(step: MenuStep) -> str:
    if isinstance(step, ReadyMove):
        return _full_move_text(step)
    if isinstance(step, RunQuestion):
        return _runs_text(step)
    return f"{_picked_text(step.progress)}: which {step.slot}?{_limits_text(step)} {step.progress.funds}."


def _limits_text(step: SlotQuestion | AmountQuestion) -> str:
    if isinstance(step, AmountQuestion):
        return f" {step.limits_text}."
    if step.choice_picture is None or step.choice_picture.page_count == 1:
        return ""
    return f" Page {step.page + 1} of {step.choice_picture.page_count}."


def _runs_text(question: RunQuestion) -> str:
    run_texts = (f"{strong(run.label)}\n" + "\n".join(run.lines) for run in question.runs)
    return "\n".join([*run_texts, "Other routes: `/run routes:`."])


def _run_buttons(menu_state: MenuState, question: RunQuestion, is_what_if: bool) -> Iterator[Item]:
    for number, run in enumerate(question.runs, 1):
        if is_what_if:
            yield _step_button(menu_state, (str(number),), run.label)
        else:
            yield make_move_button(
                menu_state.game, menu_state.seq, _key_for_id(menu_state), str(number), run.label
            )


def _step_items(menu_state: MenuState, step: SlotQuestion | AmountQuestion | ReadyMove) -> Iterator[Item]:
    if isinstance(step, ReadyMove):
        return _make_move_buttons(menu_state, step)
    return (
        _amount_buttons(menu_state, step)
        if isinstance(step, AmountQuestion)
        else _choice_items(menu_state, step)
    )


def _picked_text(progress: MenuProgress) -> str:
    picked_labels = f" ({', '.join(progress.labels)})" if progress.labels else ""
    return f"{strong(progress.offer)}{picked_labels}"


def _full_move_text(ready_move: ReadyMove) -> str:
    """The complete description of a move, since phones cut off long button labels."""
    return "\n".join([_picked_text(ready_move.progress), *(f"> {line}" for line in ready_move.preview.lines)])


def _make_move_buttons(menu_state: MenuState, ready_move: ReadyMove) -> Iterator[Item]:
    preview = ready_move.preview
    label = preview.full_text if len(preview.full_text) <= MAX_LABEL_LENGTH else preview.summary
    yield make_move_button(
        menu_state.game,
        menu_state.seq,
        _key_for_id(menu_state),
        join_picks(ready_move.progress.picked),
        label,
    )
    yield from _back_button(menu_state, ready_move.progress)


def _amount_buttons(menu_state: MenuState, question: AmountQuestion) -> Iterator[Item]:
    picks = question.progress.picked
    for value, label in question.usual_amounts:
        yield _step_button(menu_state, (*picks, str(value)), label)
    other_amount_label = f"Another {question.slot} …"
    yield amount_button(
        menu_state.game, menu_state.seq, _key_for_id(menu_state), join_picks(picks), other_amount_label
    )
    yield from _back_button(menu_state, question.progress)


def _choice_items(menu_state: MenuState, question: SlotQuestion) -> Iterator[Item]:
    picks = question.progress.picked
    max_buttons = MAX_CHOICE_BUTTONS if question.choice_picture is None else MAX_NUMBERED_BUTTONS
    if len(question.choices) <= max_buttons and not question.page and not question.has_more:
        for value, label in question.choices:
            yield _step_button(
                menu_state, (*picks, str(value) or EMPTY_VALUE_WORD), label or EMPTY_VALUE_WORD
            )
    else:
        yield from _menu_items(menu_state, question)
    yield from _back_button(menu_state, question.progress)


def _menu_items(menu_state: MenuState, question: SlotQuestion) -> Iterator[Item]:
    game_id, seq, key = menu_state.game, menu_state.seq, _key_for_id(menu_state)
    picked = join_picks(question.progress.picked)
    options = [
        discord.SelectOption(
            label=shortened_label(label, MAX_ITEM_LABEL_LENGTH) or EMPTY_VALUE_WORD,
            value=str(value) or EMPTY_VALUE_WORD,
        )
        for value, label in question.choices
    ]
    yield pick_value_menu(game_id, seq, key, picked, options, f"Choose the {question.slot}")
    if question.page:
        yield step_button(game_id, seq, key, picked, "Earlier", question.page - 1)
    if question.has_more:
        yield step_button(game_id, seq, key, picked, "More", question.page + 1)


def _back_button(menu_state: MenuState, progress: MenuProgress) -> Iterator[Item]:
    if progress.picks_before is not None:
        yield _step_button(menu_state, progress.picks_before, "Back")


def _step_button(menu_state: MenuState, picks: Sequence[str], label: str) -> Item:
    return step_button(menu_state.game, menu_state.seq, _key_for_id(menu_state), join_picks(picks), label)


def _key_for_id(menu_state: MenuState) -> str:
    return key_with_acting_as(menu_state.key, menu_state.acting_as)


# --- parts of ids ----------------------------------------------------------------------------------------------------


def key_with_acting_as(key: str, acting_as: ActingAs) -> str:
    """An offer's key for component ids: ends with the letter that says how the user acts."""
    return key + next(
        letter for letter, letter_meaning in ACTING_AS_LETTERS.items() if letter_meaning is acting_as
    )


def split_key_and_acting_as(key_and_letter: str) -> tuple[str, ActingAs]:
    """An offer's key, and how the user acts, read from the value of a menu option."""
    key = key_and_letter.rstrip("".join(ACTING_AS_LETTERS))
    return key, ACTING_AS_LETTERS.get(key_and_letter.removeprefix(key), ActingAs.SELF)


def join_picks(picks: Sequence[str]) -> str:
    """A move's picked values joined to one text, for component ids."""
    return ",".join(picks)


def split_picks(picked: str) -> list[str]:
    """A move's picked values, read from a component id."""
    return picked.split(",") if picked else []


# --- the buttons and the menu ----------------------------------------------------------------------------------------


def step_button(game: int, seq: int, key: str, picked: str, label: str, page: int = 0) -> Button:
    """A button that shows the step after the picked values, or another page of that step's menu."""
    return button(f"p:{game}:{seq}:{key}:{page}:{picked}", label)


def amount_button(game: int, seq: int, key: str, picked: str, label: str) -> Button:
    """A button that opens the form for the next value of a move, an amount."""
    return button(f"a:{game}:{seq}:{key}:{picked}", label)


def make_move_button(game: int, seq: int, key: str, picked: str, label: str) -> Button:
    """A button that makes the move with the picked values; its label describes the move."""
    return button(f"c:{game}:{seq}:{key}:{picked}", label, discord.ButtonStyle.success)


def pick_value_menu(
    game: int, seq: int, key: str, picked: str, options: list[discord.SelectOption], prompt: str
) -> Menu:
    """The select menu for the next value of a move. Choosing a value leads to the next step."""
    return discord.ui.Select(custom_id=f"s:{game}:{seq}:{key}:{picked}", placeholder=prompt, options=options)


# --- the form for an amount ------------------------------------------------------------------------------------------

AMOUNT_FIELD: Final = "amount"
"""Id of the only field in the form for an amount."""
MAX_AMOUNT_LENGTH: Final = 12
"""Longest amount that can be typed into the form, in characters, with currency sign and commas."""


async def open_amount_form(interaction: discord.Interaction, menu_state: MenuState, step: MenuStep) -> None:
    """Open the form for an amount; raises Refused if the interaction already has a response."""
    assert isinstance(step, AmountQuestion), menu_state
    key = key_with_acting_as(menu_state.key, menu_state.acting_as)
    await open_form(
        interaction, amount_form(menu_state.game, menu_state.seq, key, join_picks(menu_state.picks), step)
    )


def amount_form(game: int, seq: int, key: str, picked: str, question: AmountQuestion) -> discord.ui.Modal:
    """The form for the next value of a move, an amount."""
    # The cost after the colon is left out; the field's label has the limits.
    title = ": ".join(
        [
            question.progress.offer,
            *(picked_label.partition(": ")[0] for picked_label in question.progress.labels[:1]),
        ]
    )
    form = discord.ui.Modal(
        title=shortened_label(title, MAX_FORM_TITLE_LENGTH), custom_id=f"f:{game}:{seq}:{key}:{picked}"
    )
    label = f"{question.slot.capitalize()}, {question.limits_text}"
    field: discord.ui.TextInput[Any] = discord.ui.TextInput(
        custom_id=AMOUNT_FIELD, max_length=MAX_AMOUNT_LENGTH
    )
    form.add_item(discord.ui.Label(text=shortened_label(label, MAX_FORM_TITLE_LENGTH), component=field))
    form.stop()
    return form


def amount_typed_in_form(fields: Mapping[str, str]) -> str:
    """The amount typed into the form, as digits: `$1,200` becomes `1200`."""
    return re.sub(r"[\s$,]", "", fields[AMOUNT_FIELD])


# --- pictures --------------------------------------------------------------------------------------------------------

MAX_DESCRIPTION_LENGTH: Final = 1000
"""Longest alt text of a picture, in characters; a little below Discord's limit."""


async def step_files(pictures: Pictures, step: MenuStep) -> list[discord.File]:
    """Pictures for a step of a move: numbered choices, routes, or the market after the move."""
    if isinstance(step, ReadyMove) and step.market is not None:
        picture = await pictures.market(step.market)
        return [picture_file(picture, "market.png", "The market after this")]
    if isinstance(step, RunQuestion):
        return await _run_files(pictures, step)
    if isinstance(step, AmountQuestion) or step.choice_picture is None:
        return []
    alt_text = "; ".join(label for _, label in step.choice_picture.choices())
    return [
        picture_file(
            await pictures.choice_picture(step.choice_picture),
            "places.png",
            shortened_label(alt_text, MAX_DESCRIPTION_LENGTH),
        )
    ]


async def _run_files(pictures: Pictures, question: RunQuestion) -> list[discord.File]:
    return [
        picture_file(await pictures.map(run.view), f"routes-{number}.png", run.label)
        for number, run in enumerate(question.runs, 1)
    ]
