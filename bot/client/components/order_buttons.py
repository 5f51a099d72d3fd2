"""Buttons and forms of standing orders; each means the seat of its user, whosever turn it is."""

from collections.abc import Sequence
from typing import Any, Final

import discord

from bot.client.buttons import NUMBER, Button, Menu, shortened
from bot.client.components.modals import TITLE
from bot.table.orders.quick_orders import SEAL
from engine.core.spec import TitleSpec
from engine.orders.kinds import SkipStep

CHOICES: Final = "pass|over|buy|run|max|seal|withdraw"
"""What can be ordered: the kinds of quick orders, those with a form (`max`, `seal`), and withdrawing one."""
ORDER_ID: Final = rf"z:(?P<game>{NUMBER}):(?P<choice>{CHOICES}):(?P<what>.*)"
ORDER_FORM_ID: Final = rf"zf:(?P<game>{NUMBER}):(?P<choice>max|seal)"
SKIP_ID: Final = rf"zs:(?P<game>{NUMBER})"
PRIVATE, MAXIMUM, THEN, MAXIMA = "private", "maximum", "then", "maxima"
"""What the fields of the forms are known by."""
SETTLED: Final = "The highest maximum wins; the first message of the game says how."
"""What the form says of the sale."""
SIGNS: Final = 12
"""Characters of an amount."""
MOST_SIGNS: Final = 1000
"""Characters of the maxima for all privates."""
LABEL: Final = 100
"""Characters of an option."""
THENS: Final = {"pass": "Pass when more would be needed", "ask": "Ask me when more would be needed"}
"""What may be done when a maximum is reached, and what the option says."""
SKIPS: Final = {"track": "track", "token": "tokens"}
"""The steps that may be skipped, as the menu says them."""
OPTIONS: Final = 25
"""Discord takes this many options in a menu."""
WORDS: Final = 4000
"""Characters of a text in a form."""


def order_button(game: int, choice: str, what: str, label: str) -> Button:
    """Gives an order, opens the form for one, or takes one back."""
    style = discord.ButtonStyle.primary if choice == SEAL else discord.ButtonStyle.secondary
    return discord.ui.Button(label=shortened(label), style=style, custom_id=f"z:{game}:{choice}:{what}")


def skip_menu(game: int, skips: Sequence[SkipStep]) -> Menu:
    """Asks which step of which company is skipped from now on."""
    options = [
        discord.SelectOption(
            label=f"{one.company}: skip {SKIPS[one.step]}", value=f"{one.company},{one.step}"
        )
        for one in skips
    ]
    prompt = "Skip track or tokens of a company"
    return discord.ui.Select(custom_id=f"zs:{game}", placeholder=prompt, options=options[:OPTIONS])


def maximum_form(game: int, privates: dict[str, str]) -> discord.ui.Modal:
    """Asks for a private (ids with their labels), the most it may cost, and what is done beyond that."""
    form = discord.ui.Modal(title="Sealed maximum", custom_id=f"zf:{game}:max")
    several = [
        discord.SelectOption(label=shortened(name, LABEL), value=private)
        for private, name in privates.items()
    ][:OPTIONS]
    thens = [
        discord.SelectOption(label=says, value=then, default=then == "pass") for then, says in THENS.items()
    ]
    amount: discord.ui.TextInput[Any] = discord.ui.TextInput(custom_id=MAXIMUM, max_length=SIGNS)
    choice: discord.ui.Select[Any] = discord.ui.Select(custom_id=PRIVATE, options=several)
    then: discord.ui.Select[Any] = discord.ui.Select(custom_id=THEN, options=thens)
    for label, component in (("Private", choice), ("The most it may cost", amount), ("Then", then)):
        form.add_item(discord.ui.Label(text=label, component=component))
    form.stop()
    return form


def seal_form(game: int, spec: TitleSpec, maxima: dict[str, int]) -> discord.ui.Modal:
    """Asks for a maximum for each private that is left, a line each; says where the result is that of open play."""
    form = discord.ui.Modal(title=shortened("Seal your maxima", TITLE), custom_id=f"zf:{game}:seal")
    lines = "\n".join(f"{private}: {most}" for private, most in maxima.items())
    field: discord.ui.TextInput[Any] = discord.ui.TextInput(
        custom_id=MAXIMA, style=discord.TextStyle.paragraph, default=lines, max_length=MOST_SIGNS
    )
    values = ", ".join(f"{private} ${spec.privates[private].value}" for private in maxima)
    hint = f"Values: {values}. 0: not wanted. {SETTLED}"
    form.add_item(discord.ui.TextDisplay(shortened(hint, WORDS)))
    form.add_item(discord.ui.Label(text="The most that each may cost", component=field))
    form.stop()
    return form
