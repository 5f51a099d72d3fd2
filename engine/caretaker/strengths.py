"""How strong a computer player is: what it has a view of, by the name that players choose."""

from collections.abc import Mapping
from typing import Final

from engine.caretaker import deals, privates, starting, stocks, track, trains
from engine.caretaker.ideas import Views

CONDUCTOR: Final[Views] = {
    "bid": privates.bids,
    "par": starting.starts,
    "reserve": starting.reservations,
    "start_minor": starting.small_starts,
    "buy_share": stocks.purchases,
    "sell_shares": stocks.sales,
    "lay_tile": track.lays,
    "place_token": track.stations,
    "run_routes": trains.runs,
    "dividend": trains.dividends,
    "buy_train": trains.purchases,
    "liquidate": trains.liquidations,
    "discard_train": trains.discards,
    "answer": deals.answers,
    "buy_private": privates.private_purchases,
    "merge": deals.mergers,
    "convert": deals.mergers,
    "propose_merger": deals.tried,
    "exchange_private": deals.tried,
    "prove_run": deals.tried,
    "place_marker": track.markers,
    "buy_marker": track.markers,
    "place_bull": track.markers,
    "issue": deals.issues,
    "redeem": deals.tried,
    "redeem_share": deals.tried,
    "reissue": deals.tried,
    "privatize": deals.tried,
}
"""Its habits; of everything else it does nothing, or the first thing, as harmless."""
APPRENTICE: Final[Views] = {
    **{kind: view for kind, view in CONDUCTOR.items() if kind not in {"place_token", "buy_private"}},
    "lay_tile": track.first_sight,
    "sell_shares": stocks.forced_sales,
    "dividend": trains.forced_dividends,
    "buy_train": trains.needed_purchases,
}
"""It lays what looks promising, sells and buys trains only where it must, pays what is earned, and places no token."""
SUPERINTENDENT: Final[Views] = {**CONDUCTOR, "lay_tile": track.lays_ahead}
"""It looks at the lay after the next, too."""

STRENGTHS: Final[Mapping[str, Views]] = {
    "Apprentice": APPRENTICE,
    "Conductor": CONDUCTOR,
    "Superintendent": SUPERINTENDENT,
}
"""By name, the weakest first."""
STRONGEST: Final = "Superintendent"
"""What plays where nobody has chosen."""
