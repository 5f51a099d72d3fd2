"""The verbs: by which words a person says which kind of action."""

from dataclasses import dataclass, field
from typing import Final

FOR: Final = "private"
"""The parameter that says by which private (instead of the company itself) something is done."""


@dataclass(frozen=True, slots=True)
class Verb:
    """Which kind of action a command makes, and the slots it fills by itself."""

    kind: str
    fixed: dict[str, str] = field(default_factory=dict)


VERBS: Final = {
    "bid": Verb("bid"),
    "pass": Verb("pass"),
    "par": Verb("par"),
    "buy": Verb("buy_share"),
    "sell": Verb("sell_shares"),
    "lay": Verb("lay_tile"),
    "token": Verb("place_token"),
    "run": Verb("run_routes"),
    "pay": Verb("dividend", {"option": "pay"}),
    "withhold": Verb("dividend", {"option": "withhold"}),
    "buy-train": Verb("buy_train"),
    "discard": Verb("discard_train"),
    "buy-private": Verb("buy_private"),
    "sell-private": Verb("sell_private"),
    "marker": Verb("place_marker"),
    "agree": Verb("answer", {"reply": "agree"}),
    "refuse": Verb("answer", {"reply": "refuse"}),
    "withdraw": Verb("answer", {"reply": "withdraw"}),
    "bankrupt": Verb("declare_bankruptcy"),
}
"""Every verb by its name; `/game abandon` makes `end_game`."""
