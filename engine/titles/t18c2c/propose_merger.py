"""18C2C's merger round: the pairs that can merge, the player who proposes, and the president who must consent."""

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
from engine.play.minor_mergers import are_connected, merger_round
from engine.play.operating_order import operating_order
from engine.play.rounds import Round
from engine.play.steps.agreements import propose
from engine.play.steps.base import Request, Step
from engine.play.table import Table
from engine.play.turn_order import start_next_round
from engine.titles.t18c2c.shuffle_trains import FirstShuffleStep
from engine.titles.t18c2c.unions import planned_union, unite_companies

CompanyPair = tuple[Company, Company]


def proposal_round_follows(t: Table) -> bool:
    """True if a merger round comes after the current stock round. It does if any pair of companies can merge."""
    unions_spec = t.spec.unions
    if unions_spec is None or not t.has_reached_phase(unions_spec.from_phase):
        return False
    return any(pair_obstacle(t, pair) is None for pair in combinations(merger_candidates(t), 2))


def merger_candidates(t: Table) -> list[Company]:
    """Companies that are allowed to merge, in operating order."""
    return [company for company in operating_order(t) if merger_obstacle(t, company) is None]


def merger_obstacle(t: Table, company: Company) -> Fact | None:
    """The reason why the company cannot merge with any other; None if it can.

    Rules: R-C2C-221.
    """
    assert t.spec.unions is not None
    if t.kind_name(company) != t.spec.unions.kind or company.parts:
        return fact("merger.single_only", company=company.id)
    if company.president is None or not company.operated:
        return fact("merger.not_operated", company=company.id)
    return None


def pair_obstacle(t: Table, pair: CompanyPair) -> Fact | None:
    """The reason why nobody can merge these two companies; None if somebody can.

    Rules: R-C2C-221.
    """
    company, other = pair
    if obstacle_for_one := merger_obstacle(t, company) or merger_obstacle(t, other):
        return obstacle_for_one
    values = {"company": company.id, "partner": other.id}
    if not are_connected(t, company, other):
        return fact("merger.no_track_between", **values)
    if planned_union(t, company, other, t.president(company.id).id).president is None:
        return fact("merger.nobody_to_preside", **values)
    return None


def current_proposer(t: Table) -> PlayerId:
    """The player whose turn it is to propose a merger."""
    return t.state.players[merger_round(t).turn].id


def proposable_pairs(t: Table, player: PlayerId) -> Iterator[CompanyPair]:
    """Pairs of companies whose merger the player can propose now. The player's own company is the first of the pair."""
    for company, other in combinations(merger_candidates(t), 2):
        pair = (company, other) if company.president == player else (other, company)
        if proposal_obstacle(t, player, pair) is None:
            yield pair


def proposal_obstacle(t: Table, player: PlayerId, pair: CompanyPair) -> Fact | None:
    """The reason why the player cannot propose to merge this pair; None if they can."""
    assert t.spec.unions is not None
    own_companies = [company for company in pair if company.president == player]
    if not own_companies:
        return fact("merger.presides_over_neither", player=player, companies=_company_names(pair))
    if t.spec.unions.consent == "own" and len(own_companies) < len(pair):
        return fact("merger.presides_over_one", player=player, companies=_company_names(pair))
    if _pair_key(pair) in merger_round(t).refused:
        return fact("merger.refused_before", companies=_company_names(pair))
    return pair_obstacle(t, pair)


def president_to_consent(t: Table, player: PlayerId, pair: CompanyPair) -> PlayerId | None:
    """The other president, who must consent to the merger; None if the proposer presides over both companies.

    Rules: R-C2C-222.
    """
    other_presidents = [t.president(company.id).id for company in pair if company.president != player]
    return other_presidents[0] if other_presidents else None


def go_to_next_proposer(t: Table, *, has_acted: bool) -> None:
    """Make it the next player's turn to propose. `has_acted` is False if the current player passed."""
    current_round = merger_round(t)
    current_round.passes = 0 if has_acted else current_round.passes + 1
    current_round.turn = t.state.next_seat(current_round.turn)


def all_proposers_passed(t: Table) -> bool:
    """True if all players have passed one after the other, which ends the merger round."""
    return merger_round(t).passes >= len(t.state.players_in_game())


def _pair_key(pair: Sequence[Company]) -> tuple[str, str]:
    company, other = sorted(_company_names(pair))
    return company, other


def _company_names(pair: Sequence[Company]) -> tuple[str, ...]:
    return tuple(company.id for company in pair)


class ProposeMergerStep(Step):
    """Propose to merge a company of one's own with another one, or pass. The other president must consent."""

    name = "propose_merger"
    kinds = frozenset({"propose_merger", "pass"})

    def offers(self, t: Table) -> Iterator[Offer]:
        player = current_proposer(t)
        pairs = [] if all_proposers_passed(t) else list(proposable_pairs(t, player))
        if not pairs:
            return
        first_companies = dict.fromkeys(first_company.id for first_company, _ in pairs)
        yield t.offer(
            "propose_merger",
            player,
            fact("offer.propose_merger"),
            Slot(
                "company",
                lambda _: Choices(
                    [Choice(name) for name in first_companies], partial(_first_company_obstacle, t, pairs)
                ),
            ),
            Slot("partner", lambda c: _partner_choices(t, pairs, c["company"])),
            suggest=lambda: [_suggestion(t, pair) for pair in pairs],
        )
        yield t.offer("pass", player, fact("offer.no_proposal"))

    def apply(self, t: Table, action: ProposeMerger | Pass) -> None:
        """Pass, or propose the merger to the other president. A president of both companies merges them at once."""
        if isinstance(action, Pass):
            t.emit(Passed(action.actor, fact("declined.proposal")))
            go_to_next_proposer(t, has_acted=False)
            return
        other_president = president_to_consent(t, action.actor, _pair_of_action(t, action))
        if other_president is None:
            self.carry_out_proposal(t, action)
        else:
            propose(t, action, other_president)

    def carry_out_proposal(self, t: Table, action: ProposeMerger) -> None:
        plan = planned_union(t, *_pair_of_action(t, action), action.actor)
        unite_companies(t, plan)
        merger_round(t).formed = plan.surviving_company.id
        go_to_next_proposer(t, has_acted=True)

    def handle_refusal(self, t: Table, action: ProposeMerger) -> None:
        """Record that the merger of this pair was refused. The proposal counts as a pass."""
        merger_round(t).refused.append(_pair_key(_pair_of_action(t, action)))
        go_to_next_proposer(t, has_acted=False)

    def skip(self, t: Table) -> None:
        """Pass for a player who has no pair to propose."""
        if not all_proposers_passed(t):
            go_to_next_proposer(t, has_acted=False)

    def obstacle(self, t: Table, request: Request) -> Fact | None:
        return fact("merger.proposes_now", player=current_proposer(t))


def _pair_of_action(t: Table, action: ProposeMerger) -> CompanyPair:
    return t.state.companies[action.company], t.state.companies[action.partner]


def _merger_preview(t: Table, pair: CompanyPair) -> Fact:
    company, other = pair
    plan = planned_union(t, company, other, current_proposer(t))
    return fact(
        "choice.union",
        company=company.id,
        partner=other.id,
        heir=plan.surviving_company.id,
        price=t.grid.price(plan.cell),
        president=plan.president,
        asked=None
        if (owner := president_to_consent(t, current_proposer(t), pair)) is None
        else fact("choice.union_asks", player=owner),
    )


def _suggestion(t: Table, pair: CompanyPair) -> Suggestion:
    chosen = {"company": pair[0].id, "partner": pair[1].id}
    return Suggestion(fact("choice.propose_merger", union=_merger_preview(t, pair)), chosen)


def _first_company_obstacle(t: Table, pairs: Sequence[CompanyPair], name: Any) -> Fact:
    company = t.state.companies.get(name)
    if company is None:
        return fact("choice.no_company", company=name)
    if obstacle_for_one := merger_obstacle(t, company):
        return obstacle_for_one
    first_company = next((first.id for first, other in pairs if other is company), None)
    if first_company is not None:
        return fact("merger.named_first", company=first_company, partner=name)
    if company.president != current_proposer(t):
        return fact("merger.presides_over_neither", player=current_proposer(t), companies=(name,))
    return fact("merger.no_partner_left", company=name)


def _partner_choices(t: Table, pairs: Sequence[CompanyPair], first_company: CompanyId) -> Choices:
    def obstacle(name: Any) -> Fact:
        other = t.state.companies.get(name)
        if other is None:
            return fact("choice.no_company", company=name)
        if name == first_company:
            return fact("merger.with_itself", company=name)
        reason = proposal_obstacle(t, current_proposer(t), (t.state.companies[first_company], other))
        return reason or fact("merger.named_first", company=name, partner=first_company)

    return Choices(
        [Choice(pair[1].id, _merger_preview(t, pair)) for pair in pairs if pair[0].id == first_company],
        obstacle,
    )


class ProposalRound(Round):
    """Merger round. Starting with the priority deal, players propose mergers until all pass one after the other.

    Rules: R-C2C-220.
    """

    def __init__(self) -> None:
        super().__init__((FirstShuffleStep(), ProposeMergerStep()))

    def give_turn_to(self, t: Table, player: PlayerId, kind: str) -> bool:
        """Make it the player's turn to propose.

        Returns False if a company that has just merged must distribute its trains first.
        """
        merger_round(t).turn = t.state.seat(player)
        return merger_round(t).formed is None

    def may_entity_be_intended(self, t: Table, request: Request) -> bool:
        """Always False: players propose for themselves, so a request never means the entity that it names."""
        return False

    def advance(self, t: Table) -> None:
        """Start the next round after all players have passed."""
        if all_proposers_passed(t) and merger_round(t).formed is None:
            start_next_round(t)
