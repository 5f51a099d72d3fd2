"""Forms: an amount is typed, with its limits in the label; what the id carries outlives a restart."""

import re
from collections.abc import Mapping
from typing import Any, Final

import discord

from bot.client.buttons import TITLE, form_id, shortened
from bot.table.moves.menus import AmountQuestion

AMOUNT: Final = "amount"
"""What the only field is known by."""
LONGEST_AMOUNT: Final = 12
"""Characters of an amount: a dollar sign and commas may be typed."""


def amount_form(game: int, seq: int, key: str, picked: str, question: AmountQuestion) -> discord.ui.Modal:
    """A form for the amount that comes next; it is not kept in memory."""
    # What a choice costs stands behind a colon; the limits are said below.
    title = ": ".join(
        [question.way.offer, *(labels.partition(": ")[0] for labels in question.way.labels[:1])]
    )
    form = discord.ui.Modal(title=shortened(title, TITLE), custom_id=form_id(game, seq, key, picked))
    label = f"{question.slot.capitalize()}, {question.limits}"
    field: discord.ui.TextInput[Any] = discord.ui.TextInput(custom_id=AMOUNT, max_length=LONGEST_AMOUNT)
    form.add_item(discord.ui.Label(text=shortened(label, TITLE), component=field))
    form.stop()
    return form


def typed_amount(fields: Mapping[str, str]) -> str:
    """The amount typed into a modal, without the signs around a number: `$1,200` is 1200."""
    return re.sub(r"[\s$,]", "", fields[AMOUNT])
