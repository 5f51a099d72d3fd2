"""Commands for moves: each verb with its parameters and its description on Discord."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final, get_args

from engine import Action, Game

SLOTS_BY_ACTION_KIND: Final[Mapping[str, Mapping[str, Any]]] = {
    kind.model_fields["kind"].default: {
        field_name: field_info.annotation
        for field_name, field_info in kind.model_fields.items()
        if field_name not in kind.HEADER_FIELDS
    }
    for kind in get_args(Action)
}
"""The slots (values to fill in) of each kind of action, in order, each with its type."""
POWER_PARAMETER: Final = "private"
"""The command parameter that names a private, to use the private's power for the action."""
MAX_NAME_LENGTH: Final = 100
MAX_DETAILS_LENGTH: Final = 800
MAX_NUMBER: Final = 1_000_000
"""The largest number that Discord accepts for a number parameter."""


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of a slash command, which gives one value of a move."""

    name: str
    description: str
    type: type[str] | type[int]
    maximum: int | None
    """Maximum length of a text, or maximum of a number; None: unlimited."""
    is_required: bool = True


def name_parameter(slot: str, description: str) -> Parameter:
    """A text parameter for a hex, tile, company, train, private, or player."""
    return Parameter(slot, description, str, MAX_NAME_LENGTH)


def text_parameter(slot: str, description: str) -> Parameter:
    """A parameter for any text."""
    return Parameter(slot, description, str, None)


def routes_parameter(slot: str, description: str) -> Parameter:
    """A parameter for the routes of all trains."""
    return Parameter(slot, description, str, MAX_DETAILS_LENGTH)


def number_parameter(slot: str, description: str) -> Parameter:
    """A number parameter for dollars, shares, a rotation, or a city."""
    return Parameter(slot, description, int, MAX_NUMBER)


def integer_parameter(slot: str, description: str) -> Parameter:
    """A number parameter without a limit."""
    return Parameter(slot, description, int, None)


def optional_parameter(parameter: Parameter) -> Parameter:
    """A copy of the parameter that may be left out."""
    return replace(parameter, is_required=False)


@dataclass(frozen=True, slots=True)
class MoveCommand:
    """A command for a move: kind of action, description, parameters, and fixed values that the user does not type."""

    kind: str
    description: str
    parameters: tuple[Parameter, ...] = ()
    fixed_values: Mapping[str, str] = field(default_factory=dict)

    def split_values(self, details: str) -> dict[str, str]:
        """Values by slot name: the typed ones, and those that the command fixes.

        The typed text is split at spaces; the last slot gets the rest of the text.
        """
        slots = SLOTS_BY_ACTION_KIND[self.kind]
        return {
            **dict(zip(slots, details.split(maxsplit=max(len(slots) - 1, 0)), strict=False)),
            **self.fixed_values,
        }

    def parameter_values(self, details: str) -> dict[str, str]:
        """Typed values by parameter name: `partner:NLN major:CN`, or `NLN CN` in the order of the parameters."""
        names = [parameter.name for parameter in self.parameters]
        unnamed_text, *names_and_values = re.split(rf"(?:^|\s)({'|'.join(names)}):", details)
        if names and names_and_values and not unnamed_text:
            return {
                name: value.strip()
                for name, value in zip(names_and_values[::2], names_and_values[1::2], strict=True)
            }
        return dict(zip(names, details.split(maxsplit=max(len(names) - 1, 0)), strict=False))


MOVE_COMMANDS: Final[Mapping[str, MoveCommand]] = {
    "bid": MoveCommand(
        "bid",
        "Bid on a private, or buy the cheapest one",
        (name_parameter("private", "Which private"), number_parameter("amount", "Dollars")),
    ),
    "pass": MoveCommand("pass", "Pass, or end this step"),
    "par": MoveCommand(
        "par",
        "Start a company at a par price",
        (name_parameter("company", "Which company"), number_parameter("price", "Par price in dollars")),
    ),
    "reserve": MoveCommand(
        "reserve", "Reserve a minor in the draft", (text_parameter("company", "Which minor"),)
    ),
    "start-minor": MoveCommand(
        "start_minor",
        "Start a minor on a space of the market",
        (
            text_parameter("company", "Which minor"),
            integer_parameter("value", "Its value in dollars; you pay twice that"),
            optional_parameter(text_parameter("space", "The upper or the lower space")),
        ),
    ),
    "merge": MoveCommand(
        "merge",
        "Merge two of your minors into a major",
        (text_parameter("partner", "With which minor of yours"), text_parameter("major", "The new major")),
    ),
    "convert": MoveCommand(
        "convert", "Convert your minor into a major", (text_parameter("major", "The new major"),)
    ),
    "propose-merger": MoveCommand(
        "propose_merger",
        "Propose a merger of two corporations",
        (text_parameter("company", "Your corporation"), text_parameter("partner", "The other one")),
    ),
    "shuffle": MoveCommand(
        "shuffle",
        "Rearrange the trains of a merged corporation on its shells",
        (text_parameter("first", "The trains on the first shell, with spaces between them"),),
    ),
    "return-token": MoveCommand(
        "return_token",
        "Remove a token: one of two in a hex after a merger, or one that moves",
        (text_parameter("hex", "Where"), integer_parameter("city", "From which city")),
    ),
    "liquidate": MoveCommand("liquidate", "Liquidate a minor that has no train"),
    "buy": MoveCommand(
        "buy_share",
        "Buy a share",
        (
            name_parameter("company", "Which company"),
            optional_parameter(name_parameter("source", "From the IPO or the market")),
        ),
    ),
    "sell": MoveCommand(
        "sell_shares",
        "Sell shares to the market",
        (name_parameter("company", "Which company"), number_parameter("shares", "How many shares")),
    ),
    "redeem": MoveCommand(
        "redeem",
        "Buy back shares of your company from the market",
        (integer_parameter("shares", "How many shares"),),
    ),
    "issue": MoveCommand(
        "issue",
        "Issue shares of your company to the market",
        (
            integer_parameter("offering", "How many from the IPO, at par"),
            optional_parameter(integer_parameter("treasury", "How many of its redeemed shares")),
        ),
    ),
    "remove-private": MoveCommand(
        "remove_private",
        "Remove a private from the game before the first bid",
        (name_parameter("private", "Which private"),),
    ),
    "buy-tokens": MoveCommand(
        "buy_tokens",
        "Buy tokens for your company that has just floated",
        (name_parameter("tokens", "Their prices, like 40+60, or: none"),),
    ),
    "redeem-share": MoveCommand(
        "redeem_share",
        "Buy back a share of your company",
        (
            name_parameter("company", "Which company"),
            optional_parameter(name_parameter("source", "From the market, or from which player")),
        ),
    ),
    "reissue": MoveCommand(
        "reissue",
        "Reissue the shares that your company has redeemed",
        (name_parameter("company", "Which company"),),
    ),
    "privatize": MoveCommand(
        "privatize",
        "Take a share of your company from another player",
        (
            name_parameter("company", "Which company"),
            optional_parameter(name_parameter("seller", "From whom")),
        ),
    ),
    "exchange": MoveCommand(
        "exchange_private",
        "Exchange a private for a share of its company",
        (
            optional_parameter(name_parameter("private", "Which private")),
            optional_parameter(name_parameter("source", "From the IPO or the market")),
        ),
    ),
    "lay": MoveCommand(
        "lay_tile",
        "Lay or upgrade a tile",
        (
            name_parameter("hex", "Where"),
            name_parameter("tile", "Which tile"),
            number_parameter("rotation", "How far to turn it clockwise, in steps of 60 degrees"),
            optional_parameter(name_parameter("private", "Use the power of this private")),
        ),
    ),
    "token": MoveCommand(
        "place_token",
        "Place a token",
        (
            name_parameter("hex", "Where"),
            optional_parameter(number_parameter("city", "Which city, if the hex has several")),
            optional_parameter(name_parameter("private", "Use the power of this private")),
        ),
    ),
    "run": MoveCommand(
        "run_routes",
        "Run trains: choose from the best runs, or type your own",
        (
            optional_parameter(
                routes_parameter(
                    "routes",
                    "Stops of each train, such as H4-G5-F6; none: do not run; empty: show the best routes",
                )
            ),
        ),
    ),
    "prove": MoveCommand("prove_run", "Prove that a train could run from coast to coast"),
    "pay": MoveCommand("dividend", "Pay out the revenue as a dividend", fixed_values={"option": "pay"}),
    "pay-half": MoveCommand(
        "dividend", "Pay out half of the revenue, and keep the rest", fixed_values={"option": "half"}
    ),
    "withhold": MoveCommand(
        "dividend", "Keep the revenue in the treasury", fixed_values={"option": "withhold"}
    ),
    "buy-train": MoveCommand(
        "buy_train",
        "Buy a train",
        (
            name_parameter("train", "Which type"),
            optional_parameter(name_parameter("source", "From the bank, the pool or a company")),
            optional_parameter(number_parameter("price", "Price in dollars, if it is not fixed")),
            optional_parameter(name_parameter("trade_in", "A train to trade in")),
            optional_parameter(name_parameter("private", "Use the power of this private")),
        ),
    ),
    "discard": MoveCommand(
        "discard_train", "Discard a train above the limit", (name_parameter("train", "Which type"),)
    ),
    "buy-private": MoveCommand(
        "buy_private",
        "Buy a private from a player, for your company or yourself",
        (name_parameter("private", "Which private"), number_parameter("price", "Dollars")),
    ),
    "sell-private": MoveCommand(
        "sell_private",
        "Sell a private to another player",
        (
            name_parameter("private", "Which private"),
            name_parameter("buyer", "To whom"),
            number_parameter("price", "Dollars"),
        ),
    ),
    "marker": MoveCommand(
        "place_marker",
        "Place the bonus token of a private of your company",
        (name_parameter("hex", "Where"), optional_parameter(name_parameter("private", "By which private"))),
    ),
    "serve": MoveCommand(
        "give_marker",
        "Name the company that the marker of your private serves",
        (name_parameter("company", "Which company"),),
    ),
    "bull-token": MoveCommand(
        "place_bull",
        "Place the bull token, even in a full city",
        (
            name_parameter("hex", "Where"),
            optional_parameter(number_parameter("city", "Which city, if the hex has several")),
        ),
    ),
    "close-private": MoveCommand(
        "close_private",
        "Close a private of your company and use its power",
        (optional_parameter(name_parameter("private", "Which private")),),
    ),
    "buy-marker": MoveCommand(
        "buy_marker",
        "Buy a marker of a private for your company",
        (
            optional_parameter(name_parameter("private", "The private whose marker you buy")),
            optional_parameter(name_parameter("source", "From the bank or which company")),
        ),
    ),
    "agree": MoveCommand("answer", "Agree to another president's proposal", fixed_values={"reply": "agree"}),
    "refuse": MoveCommand("answer", "Refuse another president's proposal", fixed_values={"reply": "refuse"}),
    "withdraw": MoveCommand("answer", "Withdraw your proposal", fixed_values={"reply": "withdraw"}),
    "bankrupt": MoveCommand("declare_bankruptcy", "Declare bankruptcy if you cannot pay for a forced train"),
}
"""All move commands by verb. `end_game` has none: to end a game, all players must accept `/game abandon`."""
VERBS_WITH_OWN_COMMAND: Final = (
    *("bid", "pass", "par", "buy", "sell", "lay", "token", "run", "pay", "withhold", "buy-train"),
    "buy-private",
)
"""Verbs with their own slash command, since players of nearly every title use them often.

All other verbs are reached through `/move`, which keeps Discord's list of commands short.
"""
VERBS_OF_MOVE_COMMAND: Final = tuple(verb for verb in MOVE_COMMANDS if verb not in VERBS_WITH_OWN_COMMAND)
"""Verbs that are reached only through `/move`."""


def command_text(verb: str, private: str = "") -> str:
    """The command for a verb as a user types it: `/lay private:C-P`, `/move move:exchange`."""
    if verb in VERBS_WITH_OWN_COMMAND:
        return f"`/{verb} private:{private}`" if private else f"`/{verb}`"
    return f"`/move move:{verb} details:{private}`" if private else f"`/move move:{verb}`"


def action_as_typed(action: Action) -> str:
    """An action as a user would type it, without the slash: `lay G5 57 2`."""
    chosen = action.chosen()
    matching_commands = (
        (name, command)
        for name, command in MOVE_COMMANDS.items()
        if command.kind == action.kind
        and all(chosen.get(slot) == value for slot, value in command.fixed_values.items())
    )
    name, command = next(matching_commands, (action.kind.replace("_", "-"), None))
    fixed_values_of_command = {} if command is None else command.fixed_values
    values = [_value_as_typed(value) for slot, value in chosen.items() if slot not in fixed_values_of_command]
    return " ".join([name, *filter(None, values)])


def _value_as_typed(value: object) -> str:
    return " ".join(value) if isinstance(value, tuple) else str(value)


def move_commands_of(game: Game) -> dict[str, MoveCommand]:
    """The move commands that are used in this game's title, by verb."""
    kinds = {kind for round_type in game.rules.ROUNDS.values() for kind in round_type.kinds}
    return {
        name: command
        for name, command in MOVE_COMMANDS.items()
        if command.kind in kinds and _has_dividend_option(game, command)
    }


def _has_dividend_option(game: Game, command: MoveCommand) -> bool:
    return command.kind != "dividend" or command.fixed_values["option"] in game.rules.spec.dividends
