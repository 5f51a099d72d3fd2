"""The verbs: by which words a person says which kind of action."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, get_args

from engine.core.actions import Action

SLOTS: Final[Mapping[str, Mapping[str, Any]]] = {
    kind.model_fields["kind"].default: {
        name: slot.annotation for name, slot in kind.model_fields.items() if name not in kind.HEAD
    }
    for kind in get_args(Action)
}
"""The slots of every kind of action, in order, each with the type of its values."""
FOR: Final = "private"
"""The parameter that says by which private (instead of the company itself) something is done."""


@dataclass(frozen=True, slots=True)
class Verb:
    """Which kind of action a command makes, and the slots it fills automatically."""

    kind: str
    fixed: Mapping[str, str] = field(default_factory=dict)

    def given(self, details: str) -> dict[str, str]:
        """Values typed one behind the other, by slot; the last slot takes the rest."""
        slots = SLOTS[self.kind]
        return {
            **dict(zip(slots, details.split(maxsplit=max(len(slots) - 1, 0)), strict=False)),
            **self.fixed,
        }


VERBS: Final = {
    "bid": Verb("bid"),
    "pass": Verb("pass"),
    "par": Verb("par"),
    "reserve": Verb("reserve"),
    "start-minor": Verb("start_minor"),
    "merge": Verb("merge"),
    "convert": Verb("convert"),
    "propose-merger": Verb("propose_merger"),
    "shuffle": Verb("shuffle"),
    "return-token": Verb("return_token"),
    "liquidate": Verb("liquidate"),
    "buy": Verb("buy_share"),
    "sell": Verb("sell_shares"),
    "redeem": Verb("redeem"),
    "issue": Verb("issue"),
    "remove-private": Verb("remove_private"),
    "buy-tokens": Verb("buy_tokens"),
    "redeem-share": Verb("redeem_share"),
    "reissue": Verb("reissue"),
    "privatize": Verb("privatize"),
    "exchange": Verb("exchange_private"),
    "lay": Verb("lay_tile"),
    "token": Verb("place_token"),
    "run": Verb("run_routes"),
    "prove": Verb("prove_run"),
    "pay": Verb("dividend", {"option": "pay"}),
    "pay-half": Verb("dividend", {"option": "half"}),
    "withhold": Verb("dividend", {"option": "withhold"}),
    "buy-train": Verb("buy_train"),
    "discard": Verb("discard_train"),
    "buy-private": Verb("buy_private"),
    "sell-private": Verb("sell_private"),
    "marker": Verb("place_marker"),
    "bull-token": Verb("place_bull"),
    "close-private": Verb("close_private"),
    "buy-marker": Verb("buy_marker"),
    "agree": Verb("answer", {"reply": "agree"}),
    "refuse": Verb("answer", {"reply": "refuse"}),
    "withdraw": Verb("answer", {"reply": "withdraw"}),
    "bankrupt": Verb("declare_bankruptcy"),
}
"""Every verb by its name; `end_game` is made when all have agreed to what `/game abandon` proposes."""
