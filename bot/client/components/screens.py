"""What a private message shows at each step of an offer: the question with its buttons or menu, or the whole move."""

from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple

import discord

from bot.client.buttons import (
    LABEL,
    amount_button,
    in_hand,
    make_button,
    pick_menu,
    rows_of,
    shortened,
    step_button,
)
from bot.table.moves.autocomplete import LONGEST
from bot.table.moves.menus import AmountQuestion, Question, Ready, RunQuestion, Step, Way
from bot.table.moves.question_place import Place
from bot.table.moves.walk import NOTHING
from bot.table.style import strong

FEW: Final = 10
"""At most this many choices have a button each; more are a menu, which takes two clicks."""
NUMBERED: Final = 20
"""The same for choices that are numbered in a picture."""
Item = discord.ui.Item[Any]


class Screen(NamedTuple):
    """What a message shows."""

    text: str
    view: discord.ui.View


def screen(place: Place, step: Step, leave: Item | None = None, *, tried: bool = False) -> Screen:
    """A step as a message; `leave` leads out of the offer where nothing is picked yet.

    Where moves are only `tried`, a run is a step, too; else its button makes the move.
    """
    found = _runs(place, step, tried) if isinstance(step, RunQuestion) else _items(place, step)
    items = [*found, *([leave] if leave is not None and step.way.back is None else [])]
    return Screen(_text(step), rows_of(items))


def _text(step: Step) -> str:
    if isinstance(step, Ready):
        return _full_text(step)
    if isinstance(step, RunQuestion):
        return _runs_text(step)
    return f"{_picked(step.way)}: which {step.slot}?{_limits(step)} {step.way.funds}."


def _limits(step: Question | AmountQuestion) -> str:
    """What an amount may be; which of its pages a picture shows, where it has several."""
    if isinstance(step, AmountQuestion):
        return f" {step.limits}."
    if step.sketch is None or step.sketch.pages == 1:
        return ""
    return f" Page {step.page + 1} of {step.sketch.pages}."


def _runs_text(question: RunQuestion) -> str:
    """Each run with the stops of its trains, in the order of its picture."""
    listed = (f"{strong(run.label)}\n" + "\n".join(run.lines) for run in question.runs)
    return "\n".join([*listed, "Other routes: `/run routes:`."])


def _runs(place: Place, question: RunQuestion, tried: bool) -> Iterator[Item]:
    for number, run in enumerate(question.runs, 1):
        if tried:
            yield _to(place, (str(number),), run.label)
        else:
            yield make_button(place.game, place.seq, _key(place), str(number), run.label)


def _items(place: Place, step: Question | AmountQuestion | Ready) -> Iterator[Item]:
    if isinstance(step, Ready):
        return _make(place, step)
    return _amounts(place, step) if isinstance(step, AmountQuestion) else _choices(place, step)


def _picked(way: Way) -> str:
    picked = f" ({', '.join(way.labels)})" if way.labels else ""
    return f"{strong(way.offer)}{picked}"


def _full_text(ready: Ready) -> str:
    """What leads to the move and what it does, also where a phone cuts the label of its button."""
    return "\n".join([_picked(ready.way), *(f"> {line}" for line in ready.preview.lines)])


def _make(place: Place, ready: Ready) -> Iterator[Item]:
    said = ready.preview
    label = said.full if len(said.full) <= LABEL else said.summary
    yield make_button(place.game, place.seq, _key(place), joined(ready.way.picked), label)
    yield from _back(place, ready.way)


def _amounts(place: Place, question: AmountQuestion) -> Iterator[Item]:
    picked = question.way.picked
    for value, label in question.usual:
        yield _to(place, (*picked, str(value)), label)
    typed = f"Another {question.slot} …"
    yield amount_button(place.game, place.seq, _key(place), joined(picked), typed)
    yield from _back(place, question.way)


def _choices(place: Place, question: Question) -> Iterator[Item]:
    picked = question.way.picked
    few = FEW if question.sketch is None else NUMBERED
    if len(question.choices) <= few and not question.page and not question.more:
        for value, label in question.choices:
            yield _to(place, (*picked, str(value) or NOTHING), label or NOTHING)
    else:
        yield from _menu(place, question)
    yield from _back(place, question.way)


def _menu(place: Place, question: Question) -> Iterator[Item]:
    game_id, seq, key = place.game, place.seq, _key(place)
    picked = joined(question.way.picked)
    options = [
        discord.SelectOption(label=shortened(label, LONGEST) or NOTHING, value=str(value) or NOTHING)
        for value, label in question.choices
    ]
    yield pick_menu(game_id, seq, key, picked, options, f"Choose the {question.slot}")
    if question.page:
        yield step_button(game_id, seq, key, picked, "Earlier", question.page - 1)
    if question.more:
        yield step_button(game_id, seq, key, picked, "More", question.page + 1)


def _back(place: Place, way: Way) -> Iterator[Item]:
    if way.back is not None:
        yield _to(place, way.back, "Back")


def _to(place: Place, picks: Sequence[str], label: str) -> Item:
    return step_button(place.game, place.seq, _key(place), joined(picks), label)


def _key(place: Place) -> str:
    return in_hand(place.key, place.capacity)


def joined(picks: Sequence[str]) -> str:
    """Picks as the id of a component carries them."""
    return ",".join(picks)


def split(picked: str) -> list[str]:
    """The picks that the id of a component carries."""
    return picked.split(",") if picked else []
