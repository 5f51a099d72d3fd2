"""The hooks a title may override, with what most titles do. Flags name the differences a profile switches on."""

from collections.abc import Mapping
from typing import ClassVar

from engine.ending import announce_bank
from engine.errors import TitleError
from engine.ids import BANK, MARKET, OFFERING, HolderId, PlayerId
from engine.rounds import ROUNDS, Round
from engine.routes.terms import Terms
from engine.spec import TitleSpec
from engine.state import Company, Ending
from engine.table import Table


class Rules:
    """Rules of one game: title, profile and options. Raises TitleError for an unknown profile."""

    FLAGS: ClassVar[Mapping[str, str]] = {}
    """Every flag the title knows, with a sentence that explains it."""

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

    def flag(self, name: str) -> bool:
        """Whether a named difference is switched on."""
        assert name in self.FLAGS, name
        return name in self.flags

    # --- flow -------------------------------------------------------------------------------------------------

    def round(self, t: Table) -> Round:
        """The rules of the round going on."""
        return ROUNDS[t.state.round.kind]

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

    def sold_out(self, t: Table, company: Company) -> bool:
        """Whether the price rises at the end of a stock round (10.6)."""
        return company.percent(OFFERING) == 0 and company.percent(MARKET) == 0

    # --- the end ----------------------------------------------------------------------------------------------

    def after_bank_paid(self, t: Table) -> None:
        """Note that the bank is broken: it stands at $0 or could not pay (12)."""
        broken = t.state.bank < 0 if self.flag("bank_breaks_below_zero") else t.state.bank <= 0
        if broken and t.state.ending is None:
            t.state.ending = Ending("bank", BANK)
            announce_bank(t)

    # --- routes -----------------------------------------------------------------------------------------------

    def terms(self, t: Table) -> Terms:
        """What routes are judged by: the trains and the revenue column of the phase (11.5)."""
        return Terms.of(self.spec, t.state.phase)
