"""What most titles do: named differences, the hooks filled in, and the usual sequence of play.

Titles vary it; they never inherit from titles.
"""

from collections.abc import Mapping
from typing import ClassVar, Final

from engine.core.ids import PhaseName
from engine.core.spec import TitleSpec
from engine.core.state import Auction, Company, Ending, Merger, Operating, Stock
from engine.core.state import Round as RoundState
from engine.play.ending import end_if_bank_is_broken, rounds_of_set, trigger
from engine.play.private_markers import with_markers
from engine.play.privates.auction import reduce_price
from engine.play.rounds import AuctionRound, OperatingRound, Round, StockRound
from engine.play.rules import Flag, Option, Rules
from engine.play.steps.bid import BidStep, ParDueStep
from engine.play.steps.buy_trains import TrainsStep
from engine.play.steps.dividend import DividendStep
from engine.play.steps.end_of_turn import LateActionsStep
from engine.play.steps.forced_sales import BankruptcyStep, ForcedPurchaseStep
from engine.play.steps.lay_track import TrackStep
from engine.play.steps.place_token import FreeTokenStep, TokenStep
from engine.play.steps.private_sales import BuyPrivateStep
from engine.play.steps.run_trains import RunStep
from engine.play.steps.trade import TradeStep
from engine.play.table import Table
from engine.routes.revenue_rules import Terms

COMMON_FLAGS: Final[Mapping[str, Flag]] = {
    "asks_when_nothing_is_legal": Flag("log", "Steps ask although nothing legal may be left to do."),
    "auction_lowest_bidder_acts": Flag(
        "rule", "Of several bidders for a private the lowest acts next, and a pass is final."
    ),
    "bank_breaks_below_zero": Flag("rule", "The bank is broken only when a payment takes it below $0."),
    "bankruptcy_in_any_step": Flag("rule", "Bankruptcy may be declared in any step of a company's turn."),
    "bankruptcy_before_trains_sells_nothing": Flag(
        "rule", "A president who goes bankrupt outside the train step sells no shares."
    ),
    "bankruptcy_keeps_player": Flag(
        "rule",
        "A bankrupt president sells nothing and stays in the game with their other shares; their companies close.",
    ),
    "bid_cap_counts_own_losing_bid": Flag(
        "log", "A losing bid still counts as money for the same private, although it cannot be spent."
    ),
    "buys_at_the_limit_beside_a_trade_in": Flag(
        "rule",
        "At the train limit any train may be bought where a trade-in is possible; the excess is discarded.",
    ),
    "consent_is_implied": Flag("log", "Sales of trains and privates between players are taken as agreed."),
    "discards_in_any_order": Flag("log", "Any company above the train limit may discard next."),
    "discards_in_list_order": Flag("rule", "Companies discard in the order of the company list."),
    "discount_beside_other_purchases": Flag(
        "rule",
        "A private's cheaper train may come from the pool, and does not count for the trains of a turn.",
    ),
    "face_price_unchecked": Flag("log", "The cheapest private may be bought at any price."),
    "first_round_purchases_hold_no_step": Flag(
        "rule", "Privates that may be bought before their phase keep no step open."
    ),
    "forced_at_face_value": Flag(
        "rule",
        "What a forced purchase needs is reckoned at face value, although a private makes a train cheaper.",
    ),
    "forced_sales_ignore_cert_limit": Flag(
        "rule", "A forced sale does not bring a president back to their certificate limit."
    ),
    "issues_bit_by_bit": Flag("log", "Shares may be issued in several actions before the price falls."),
    "lays_elsewhere_without_home_track": Flag(
        "rule", "A token elsewhere lets a company build there before it builds at home."
    ),
    "new_track_counts_as_a_whole": Flag(
        "rule", "New track is reached by the whole of a new piece, not by any point of it."
    ),
    "obsolete_free_of_limit": Flag("rule", "Obsolete trains do not count for the train limit."),
    "one_vote_ends": Flag("log", "One player may end the game."),
    "only_buyers_trade_privates": Flag("rule", "A private is sold between players only on the buyer's turn."),
    "power_pair_may_be_single": Flag(
        "log", "Of two tiles a private lays together, the second may be left out.", only_old=True
    ),
    "president_helps_although_bank_train_affordable": Flag(
        "rule",
        "For another company's train the president may pay although the treasury can pay a bank train.",
    ),
    "president_pays_other_companies": Flag(
        "rule", "The president's money may also buy another company's train."
    ),
    "private_trade_ignores_cert_limit": Flag(
        "rule", "The certificate limit does not stop players from buying privates."
    ),
    "redemption_holds_no_turn": Flag("rule", "A company's turn ends although it could still redeem shares."),
    "redeems_once_a_turn": Flag("rule", "A company redeems shares once in a turn."),
    "sells_for_the_cheapest_train_only": Flag(
        "rule", "Forced sales go up to the price of the cheapest train."
    ),
    "sells_first_above_limits": Flag(
        "rule", "Above a limit of certificates or shares a player sells before anything else."
    ),
    "sells_in_any_train_step": Flag("rule", "A president may sell in a train step that forces nothing."),
    "sells_more_than_needed": Flag("log", "Sales for a train may bring more than it needs."),
    "separate_auction_round": Flag(
        "rule", "The privates are sold in a round of their own before the first stock round."
    ),
    "share_sales_bind_other_companies_trains": Flag(
        "rule",
        "Once a share is sold in a turn, another company's train above the treasury costs more than there would be "
        "without it.",
    ),
    "trade_ins_buy_from_the_pool": Flag("rule", "A train may be traded in for one in the bank pool, too."),
}
"""Each is a rule people may choose, or leniency that only reading a log needs."""


COMMON_OPTIONS: Final[Mapping[str, Option]] = {
    "best_run_required": Option(
        "Best run required",
        "A company runs for no less than its best routes earn, as any shareholder could insist.",
    ),
}
"""Options every title has."""

BUY_PRIVATE: Final = BuyPrivateStep()

SEQUENCE: Final[Mapping[str, Round]] = {
    "auction": AuctionRound(ParDueStep(), BidStep()),
    "stock": StockRound(TradeStep()),
    "operating": OperatingRound(
        TrackStep(),
        TokenStep(),
        RunStep(),
        DividendStep(),
        TrainsStep(),
        LateActionsStep(BUY_PRIVATE),
        anytime=(BUY_PRIVATE, BankruptcyStep()),
        at_once=(FreeTokenStep(), ForcedPurchaseStep()),
    ),
}
"""The private auction, then stock rounds and sets of operating rounds in turn."""


def _terms(spec: TitleSpec) -> Mapping[PhaseName, Terms]:
    return {phase.name: Terms.of(spec, phase.name) for phase in spec.phases}


class Standard(Rules):
    """The hooks that need the whole of the rules, as most titles have them."""

    FLAGS: ClassVar[Mapping[str, Flag]] = COMMON_FLAGS
    OPTIONS: ClassVar[Mapping[str, Option]] = COMMON_OPTIONS
    ROUNDS: ClassVar[Mapping[str, Round]] = SEQUENCE

    def adapted(self, spec: TitleSpec) -> TitleSpec:
        """Flags, and options about house rules, that change what the table says."""
        auction: dict[str, object] = {}
        if self.flag("separate_auction_round"):
            auction["in_stock_rounds"] = False
        if self.flag("auction_lowest_bidder_acts"):
            auction["contest"] = "lowest_bidder"
        changes: dict[str, object] = {
            "auction": spec.auction.model_copy(update=auction),
            "house": {name: rule.agreed(self.options) for name, rule in spec.house.items()},
        }
        if self.flag("president_pays_other_companies"):
            changes["president_pays_companies"] = True
        if self.flag("new_track_counts_as_a_whole"):
            changes["map"] = spec.map.model_copy(update={"part_of_new_track": False})
        return spec.model_copy(update=changes)

    def first_round(self) -> RoundState:
        """The private auction; the first stock round where that sells the privates, or there are none."""
        return Stock() if self.spec.auction.in_stock_rounds or not self.spec.privates else Auction()

    def next_round(self, t: Table) -> RoundState:
        """After the auction a stock round, after that a set of operating rounds as the phase says, and so on.

        Rules: R-AL-008, R-C2C-011, R-CH-009, R-TN-006.
        """
        now = t.state.round
        if isinstance(now, Auction):
            return Stock()
        if isinstance(now, Stock):
            return Operating(set=now.number, of=rounds_of_set(t))
        assert isinstance(now, Operating | Merger)
        if now.number < now.of:
            return Operating(set=now.set, number=now.number + 1, of=now.of)
        return Stock(number=now.set + 1)

    def on_round(self, t: Table) -> None:
        """The price of the cheapest private may fall when a stock round begins."""
        if isinstance(t.state.round, Stock):
            reduce_price(t)

    def terms(self, t: Table) -> Terms:
        """Trains and revenue column of the phase, the company's tokens and markers (18Chesapeake 11.5).

        Rules: R-C2C-012.
        """
        terms = self.spec.worked_out(_terms)[t.state.phase]
        now = t.state.round
        if not isinstance(now, Operating) or now.turn is None:
            return terms
        return with_markers(terms.running(t.company.running), t, t.company)

    def on_bank_paid(self, t: Table) -> None:
        """The game ends soon if the bank is broken."""
        end_if_bank_is_broken(t)

    def on_price_moved(self, t: Table, company: Company) -> None:
        """Note that a price has reached the end of the market.

        Rules: R-AL-211, R-CH-307, R-NE-131, R-TN-211.
        """
        if company.cell is not None and t.grid.ends_game(company.cell):
            trigger(t, Ending("price", company.id))
