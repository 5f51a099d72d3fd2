"""The hooks a title may override, with what most titles do. Flags name the differences a profile switches on."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import ClassVar, Final

from engine.board.network import reach
from engine.core.errors import TitleError
from engine.core.ids import BANK, MARKET, OFFERING, CompanyId, Coord, HolderId, PlayerId, TrainName
from engine.core.spec import LaySpec, TitleSpec
from engine.core.state import Auction, Company, Ending, Operating, Private, Stock
from engine.core.state import Round as RoundState
from engine.play.ending import trigger
from engine.play.privates.powers import with_markers
from engine.play.rounds import ROUNDS, Round
from engine.play.rounds.auction import AUCTION
from engine.play.rounds.operating import ANYTIME, TURN
from engine.play.rounds.stock import STOCK
from engine.play.steps.base import CompanyStep, Step
from engine.play.steps.bid import open_stock_round
from engine.play.table import Table
from engine.routes.search import best
from engine.routes.terms import Terms, VisitTerms

COMMON_FLAGS: Final[Mapping[str, str]] = {
    "asks_when_nothing_is_legal": "Steps ask although nothing legal may be left to do.",
    "bank_breaks_below_zero": "The bank is broken only when a payment takes it below $0.",
    "bankruptcy_in_any_step": "Bankruptcy may be declared in any step of a company's turn.",
    "bid_cap_counts_own_losing_bid": "An outbid bid still counts as money for the same private.",
    "buys_at_the_limit_beside_a_trade_in": (
        "At the train limit any train may be bought where a trade-in is possible; the excess is discarded."
    ),
    "consent_is_implied": "Sales of trains and privates between players are taken as agreed.",
    "discards_in_list_order": "Companies discard in the order of the company list.",
    "face_price_unchecked": "The cheapest private may be bought at any price.",
    "lays_elsewhere_without_home_track": "A station elsewhere lets a company build there before its home.",
    "obsolete_free_of_limit": "Obsolete trains do not count for the train limit.",
    "one_vote_ends": "One player may end the game.",
    "power_pair_may_be_single": "Of two tiles a private lays together, the second may be left out.",
    "president_helps_although_bank_train_affordable": (
        "For another company's train the president may pay although the treasury can pay a bank train."
    ),
    "president_pays_other_companies": "The president's money may also buy another company's train.",
    "sells_for_the_cheapest_train_only": "Forced sales go up to the price of the cheapest train.",
    "sells_in_any_train_step": "A president may sell in a train step that forces nothing.",
    "only_buyers_trade_privates": "A private is sold between players only on the buyer's turn.",
    "private_trade_ignores_cert_limit": "The certificate limit does not stop players from buying privates.",
    "separate_auction_round": "The privates are sold in a round of their own before the first stock round.",
    "auction_lowest_bidder_acts": "Of several bidders for a private the lowest acts next, and a pass is final.",
    "discount_beside_other_purchases": (
        "A private's cheaper train may come from the pool, and does not count for the trains of a turn."
    ),
    "trade_ins_buy_from_the_pool": "A train may be handed in for one in the bank pool, too.",
}
"""Flags that the steps titles share ask for, with a sentence that explains each."""


COMMON_OPTIONS: Final[Mapping[str, str]] = {
    "best_run_required": "A company runs for no less than its best routes earn, as any shareholder could insist.",
}
"""Options every title has, with a sentence that explains each."""


class Rules:
    """Rules of one game: title, profile and options. Raises TitleError for an unknown profile or option."""

    FLAGS: ClassVar[Mapping[str, str]] = COMMON_FLAGS
    """Every flag the title knows, with a sentence that explains it."""

    OPTIONS: ClassVar[Mapping[str, str]] = COMMON_OPTIONS
    """Every option a table may agree on, with a sentence that explains it."""

    SETTLED: ClassVar[Mapping[str, str]] = {}
    """Readings of an unclear or contradictory text that these rules follow, each with its reason."""

    def __init__(self, spec: TitleSpec, profile: str, options: frozenset[str]) -> None:
        if profile not in spec.profiles:
            raise TitleError(f"{spec.name} has no profile {profile!r}; there are {', '.join(spec.profiles)}")
        self.spec = spec
        self.profile = profile
        self.options = options
        self.flags = frozenset(spec.profiles[profile])
        unknown = self.flags - set(self.FLAGS)
        if unknown:
            raise TitleError(f"{spec.name}: unknown flags {', '.join(sorted(unknown))}")
        strange = options - set(self.OPTIONS)
        if strange:
            raise TitleError(f"{spec.name} has no option {', '.join(sorted(strange))}")
        self.spec = self.adapted(spec)

    def flag(self, name: str) -> bool:
        """Whether a named difference is switched on."""
        assert name in self.FLAGS, name
        return name in self.flags

    def option(self, name: str) -> bool:
        """Whether the table agreed on an option."""
        assert name in self.OPTIONS, name
        return name in self.options

    def adapted(self, spec: TitleSpec) -> TitleSpec:
        """The title's table with what profile and options change in it."""
        return spec

    # --- flow -------------------------------------------------------------------------------------------------

    def round(self, t: Table) -> Round:
        """The rules of the round going on."""
        return ROUNDS[t.state.round.kind]

    def first_round(self) -> RoundState:
        """Where the game starts."""
        return Stock() if self.sells_privates_in_stock_rounds() else Auction()

    def sells_privates_in_stock_rounds(self) -> bool:
        """Whether there is no auction round: the privates are sold in the first stock rounds."""
        return self.spec.auction.in_stock_rounds and not self.flag("separate_auction_round")

    def contest_goes_round(self) -> bool:
        """Whether several bidders act in turn until all others pass in a row; else the lowest acts and may leave."""
        return self.spec.auction.contest == "clockwise" and not self.flag("auction_lowest_bidder_acts")

    def on_stock_round(self, t: Table) -> None:
        """Whatever happens at the start of a stock round: the price of the cheapest private may fall."""
        open_stock_round(t)

    def auction_steps(self, t: Table) -> tuple[Step, ...]:
        """Steps of the private auction."""
        return AUCTION

    def stock_steps(self, t: Table) -> tuple[Step, ...]:
        """Steps of a stock round; while it sells the privates, those of the auction."""
        return STOCK if t.state.auction is None else AUCTION

    def operating_steps(self, t: Table) -> tuple[CompanyStep, ...]:
        """Steps of a company's turn, in order."""
        return TURN

    def operating_anytime(self, t: Table) -> tuple[Step, ...]:
        """What a company may do at any time of its turn."""
        return ANYTIME

    def on_phase(self, t: Table) -> None:
        """Whatever else happens when the phase in force has just started, before the buyer goes on."""

    # --- track ------------------------------------------------------------------------------------------------

    def lays(self, t: Table) -> tuple[LaySpec, ...]:
        """The operating company's own tile lays in this turn."""
        return self.spec.lays

    # --- privates ---------------------------------------------------------------------------------------------

    def private_prices(self, t: Table) -> tuple[int, int] | None:
        """Percent of face value, from and to, at which the operating company may buy privates; None: not at all."""
        return t.phase.buy_privates

    def may_buy_private(self, t: Table, private: Private) -> bool:
        """Whether the operating company may buy this private of a player now, prices apart."""
        return True

    def waits_for_privates(self, t: Table) -> bool:
        """Whether a company's turn stays open because it could still buy a private."""
        return self.private_prices(t) is not None

    # --- trains -----------------------------------------------------------------------------------------------

    def on_rust(self, t: Table, train: TrainName, owners: list[tuple[CompanyId, int]]) -> None:
        """Whatever else happens when trains have rusted: the owners and how many each lost."""

    def runs_once_more(self, t: Table, company: Company) -> bool:
        """Whether a company's trains that become obsolete now may run once more."""
        return True

    def president_pays_companies(self) -> bool:
        """Whether in a forced purchase the president's money may buy another company's train (11.8)."""
        return True

    # --- certificates -----------------------------------------------------------------------------------------

    def certificate_percent(self, company: str, linked: str | None, players: int) -> int:
        """Percent of the president's certificate; `linked` is the company whose certificate came by chance."""
        return self.spec.companies[company].certificates[0]

    def may_sell(self, t: Table, company: Company) -> bool:
        """Whether shares of a started company may be sold at all."""
        return True

    def sources(
        self,
        t: Table,
        player: PlayerId,
        company: Company,
        found: list[HolderId],
    ) -> list[HolderId]:
        """Where a share may be bought, given where one is on sale and affordable."""
        return found

    def before_purchase(
        self,
        t: Table,
        player: PlayerId,
        company: Company,
        source: HolderId,
    ) -> bool:
        """Whatever happens before a share is bought; False: there is nothing left to buy."""
        return True

    def purchase_words(
        self, t: Table, player: PlayerId, company: Company, source: HolderId, price: int
    ) -> str:
        """What buying a share from there means, for menus; the price in dollars."""
        return f"{company.id} from the {source}, ${price}"

    def after_float(self, t: Table, company: Company) -> int:
        """Whatever happens when a company floats; returns the percent moved from the offering to the market."""
        return 0

    def after_president_changed(self, t: Table, company: Company) -> None:
        """Whatever else happens when a company gets another president."""

    def sold_out(self, t: Table, company: Company) -> bool:
        """Whether the price rises at the end of a stock round (10.6)."""
        return company.percent(OFFERING) == 0 and company.percent(MARKET) == 0

    # --- running ----------------------------------------------------------------------------------------------

    def revenue(self, t: Table, values: Sequence[int]) -> int:
        """Dollars the operating company earns when its trains run for these values."""
        return sum(values)

    def fleets(self, t: Table) -> list[list[TrainName]]:
        """Sets of trains among which the best run of the operating company is to be found."""
        return [t.company.running]

    # --- the end ----------------------------------------------------------------------------------------------

    def after_bank_paid(self, t: Table) -> None:
        """Note that the bank is broken: it stands at $0 or could not pay (12)."""
        broken = t.state.bank < 0 if self.flag("bank_breaks_below_zero") else t.state.bank <= 0
        if broken:
            trigger(t, Ending("bank", BANK))

    def after_price_moved(self, t: Table, company: Company) -> None:
        """Note that a price has reached the end of the market."""
        if company.cell is not None and t.grid.ends_game(company.cell):
            trigger(t, Ending("price", company.id))

    def may_place_marker(self, t: Table, company: Company) -> bool:
        """Whether a company may place a bonus token now: in its own turn."""
        return company.id == t.turn.company

    def marker_reaches(self, t: Table, company: Company, coord: Coord) -> bool:
        """Whether a company may place a bonus token in this hex: a train of it can run there."""
        if not any(hex_ == coord for hex_, _ in reach(t.map, company.id).stops):
            return False
        terms = VisitTerms.of(self.spec, t.state.phase)
        terms = replace(terms, wanted=coord)
        return any(best(t.map, company.id, [train], terms).value for train in dict.fromkeys(company.running))

    # --- routes -----------------------------------------------------------------------------------------------

    def terms(self, t: Table) -> Terms:
        """What routes of the operating company are judged by: trains, revenue column, its bonuses (11.5)."""
        terms = Terms.of(self.spec, t.state.phase)
        now = t.state.round
        running = isinstance(now, Operating) and now.turn is not None
        if not running:
            return terms
        return with_markers(terms.running(t.company.running), self.spec, t.company)
