"""Mergers proposed by players: legal pairs, order of proposers, and consent."""

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import combinations
from typing import Any

from engine.core.actions import Pass, ProposeMerger
from engine.core.events import Passed
from engine.core.facts import Fact, fact
from engine.core.ids import CompanyId, PlayerId
from engine.core.offers import Choice, Choices, Offer, Slot, Suggestion
from engine.core.state import Company
from engine.play.minor_mergers import connected, merger_round
from engine.play.operating_order import operating_order
from engine.play.rounds import Round
from engine.play.steps.agreements import propose
from engine.play.steps.base import Request, Step
from engine.play.table import Table
from engine.play.turn_order import next_round
from engine.titles.t18c2c.shuffle_trains import FirstShuffleStep
from engine.titles.t18c2c.unions import union, unite

Pair = tuple[Company, Company]


def proposal_round_follows(t: Table) -> bool:
    """True if a merger round follows the stock round and something could be proposed."""
    rules = t.spec.unions
    if rules is None or not t.phase_reached(rules.from_phase):
        return False
    return any(pair_obstacle(t, pair) is None for pair in combinations(candidates(t), 2))


def candidates(t: Table) -> list[Company]:
    """Companies that may merge, in operating order."""
    return [company for company in operating_order(t) if merger_obstacle(t, company) is None]


def merger_obstacle(t: Table, company: Company) -> Fact | None:
    """The rule against any merger of a company.

    Rules: R-C2C-221.
    """
    assert t.spec.unions is not None
    if t.kind_name(company) != t.spec.unions.kind or company.parts:
        return fact("merger.single_only", company=company.id)
    if company.president is None or not company.operated:
        return fact("merger.not_operated", company=company.id)
    return None


def pair_obstacle(t: Table, pair: Pair) -> Fact | None:
    """The rule against merging two companies, whoever proposes it.

    Rules: R-C2C-221.
    """
    one, other = pair
    if alone := merger_obstacle(t, one) or merger_obstacle(t, other):
        return alone
    values = {"company": one.id, "partner": other.id}
    if not connected(t, one, other):
        return fact("merger.no_track_between", **values)
    if union(t, one, other, t.president(one.id).id).president is None:
        return fact("merger.nobody_to_preside", **values)
    return None


def proposer(t: Table) -> PlayerId:
    """The player on turn to propose."""
    return t.state.players[merger_round(t).turn].id


def pairs_of(t: Table, player: PlayerId) -> Iterator[Pair]:
    """Pairs that a player may propose now, their own company first."""
    for one, other in combinations(candidates(t), 2):
        pair = (one, other) if one.president == player else (other, one)
        if proposal_obstacle(t, player, pair) is None:
            yield pair


def proposal_obstacle(t: Table, player: PlayerId, pair: Pair) -> Fact | None:
    """The rule against a player proposing a pair."""
    assert t.spec.unions is not None
    mine = [company for company in pair if company.president == player]
    if not mine:
        return fact("merger.presides_over_neither", player=player, companies=_names(pair))
    if t.spec.unions.consent == "own" and len(mine) < len(pair):
        return fact("merger.presides_over_one", player=player, companies=_names(pair))
    if _key(pair) in merger_round(t).refused:
        return fact("merger.refused_before", companies=_names(pair))
    return pair_obstacle(t, pair)


def asked_president(t: Table, player: PlayerId, pair: Pair) -> PlayerId | None:
    """The president who must consent to the merger; None if the proposer presides over both.

    Rules: R-C2C-222.
    """
    others = [t.president(company.id).id for company in pair if company.president != player]
    return others[0] if others else None


def next_proposer(t: Table, *, acted: bool) -> None:
    """Pass the turn to the next proposer."""
    now = merger_round(t)
    now.passes = 0 if acted else now.passes + 1
    now.turn = t.state.next_seat(now.turn)


def all_proposers_passed(t: Table) -> bool:
    """True if all have passed in a row."""
    return merger_round(t).passes >= len(t.state.in_game())


def _key(pair: Sequence[Company]) -> tuple[str, str]:
    one, other = sorted(_names(pair))
    return one, other


def _names(pair: Sequence[Company]) -> tuple[str, ...]:
    return tuple(company.id for company in pair)


class ProposeMergerStep(Step):
    """Propose a pair, one of the player's own at least, or pass; the other president must consent."""

    name = "propose_merger"
    kinds = frozenset({"propose_merger", "pass"})

    def offers(self, t: Table) -> Iterator[Offer]:
        player = proposer(t)
        pairs = [] if all_proposers_passed(t) else list(pairs_of(t, player))
        if not pairs:
            return
        first = dict.fromkeys(one.id for one, _ in pairs)
        yield t.offer(
            "propose_merger",
            player,
            fact("offer.propose_merger"),
            Slot(
                "company",
                lambda _: Choices([Choice(name) for name in first], partial(_first_obstacle, t, pairs)),
            ),
            Slot("partner", lambda c: _partners(t, pairs, c["company"])),
            suggest=lambda: [_suggestion(t, pair) for pair in pairs],
        )
        yield t.offer("pass", player, fact("offer.no_proposal"))

    def apply(self, t: Table, action: ProposeMerger | Pass) -> None:
        """Ask the other president, merge at once if the player presides over both, or pass."""
        if isinstance(action, Pass):
            t.emit(Passed(action.actor, fact("declined.proposal")))
            next_proposer(t, acted=False)
            return
        other = asked_president(t, action.actor, _pair(t, action))
        if other is None:
            self.agreed(t, action)
        else:
            propose(t, action, other)

    def agreed(self, t: Table, action: ProposeMerger) -> None:
        plan = union(t, *_pair(t, action), action.actor)
        unite(t, plan)
        merger_round(t).formed = plan.heir.id
        next_proposer(t, acted=True)

    def refused(self, t: Table, action: ProposeMerger) -> None:
        """Count a refusal as a pass."""
        merger_round(t).refused.append(_key(_pair(t, action)))
        next_proposer(t, acted=False)

    def skip(self, t: Table) -> None:
        """Skip a player with nothing to propose."""
        if not all_proposers_passed(t):
            next_proposer(t, acted=False)

    def obstacle(self, t: Table, request: Request) -> Fact | None:
        return fact("merger.proposes_now", player=proposer(t))


def _pair(t: Table, action: ProposeMerger) -> Pair:
    return t.state.companies[action.company], t.state.companies[action.partner]


def _outlook(t: Table, pair: Pair) -> Fact:
    """The outlook of the merged company."""
    one, other = pair
    plan = union(t, one, other, proposer(t))
    return fact(
        "choice.union",
        company=one.id,
        partner=other.id,
        heir=plan.heir.id,
        price=t.grid.price(plan.cell),
        president=plan.president,
        asked=None
        if (owner := asked_president(t, proposer(t), pair)) is None
        else fact("choice.union_asks", player=owner),
    )


def _suggestion(t: Table, pair: Pair) -> Suggestion:
    chosen = {"company": pair[0].id, "partner": pair[1].id}
    return Suggestion(fact("choice.propose_merger", union=_outlook(t, pair)), chosen)


def _first_obstacle(t: Table, pairs: Sequence[Pair], name: Any) -> Fact:
    """The rule against naming a company first in any of these pairs."""
    company = t.state.companies.get(name)
    if company is None:
        return fact("choice.no_company", company=name)
    if alone := merger_obstacle(t, company):
        return alone
    first = next((one.id for one, other in pairs if other is company), None)
    if first is not None:
        return fact("merger.named_first", company=first, partner=name)
    if company.president != proposer(t):
        return fact("merger.presides_over_neither", player=proposer(t), companies=(name,))
    return fact("merger.no_partner_left", company=name)


def _partners(t: Table, pairs: Sequence[Pair], first: CompanyId) -> Choices:
    """Partners of the first company among the pairs."""

    def obstacle(name: Any) -> Fact:
        other = t.state.companies.get(name)
        if other is None:
            return fact("choice.no_company", company=name)
        if name == first:
            return fact("merger.with_itself", company=name)
        reason = proposal_obstacle(t, proposer(t), (t.state.companies[first], other))
        return reason or fact("merger.named_first", company=name, partner=first)

    return Choices([Choice(pair[1].id, _outlook(t, pair)) for pair in pairs if pair[0].id == first], obstacle)


class ProposalRound(Round):
    """Merger proposals clockwise from the priority deal until all pass in a row.

    Rules: R-C2C-220.
    """

    def __init__(self) -> None:
        super().__init__((FirstShuffleStep(), ProposeMergerStep()))

    def hand_to(self, t: Table, player: PlayerId, kind: str) -> bool:
        """Make it the player's turn to propose; False if a merged company comes first."""
        merger_round(t).turn = t.state.seat(player)
        return merger_round(t).formed is None

    def may_mean(self, t: Table, request: Request) -> bool:
        """Always False: players propose for themselves only."""
        return False

    def advance(self, t: Table) -> None:
        """Start the next round after the last pass."""
        if all_proposers_passed(t) and merger_round(t).formed is None:
            next_round(t)
