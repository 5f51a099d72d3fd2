"""Players propose in turn that two companies become one: which pairs may, and whose turn it is."""

from collections.abc import Iterator, Sequence
from itertools import combinations

from engine.core.facts import Fact, fact
from engine.core.ids import PlayerId
from engine.core.state import Company
from engine.play.mergers.pairs import connected, merger
from engine.play.mergers.unions import union
from engine.play.table import Table

Pair = tuple[Company, Company]


def round_follows(t: Table) -> bool:
    """Whether a merger round comes after the stock round: from a phase on, and where anything could be proposed."""
    rules = t.spec.unions
    if rules is None or not t.phase_reached(rules.from_phase):
        return False
    return any(why_not_pair(t, pair) is None for pair in combinations(candidates(t), 2))


def candidates(t: Table) -> list[Company]:
    """Companies that may become one with another, in operating order."""
    return [company for company in t.operating_order() if why_not_one(t, company) is None]


def why_not_one(t: Table, company: Company) -> Fact | None:
    """What keeps a company from any merger; None: nothing.

    Rules: R-C2C-221.
    """
    assert t.spec.unions is not None
    if t.kind(company) != t.spec.unions.kind or company.parts:
        return fact("merger.single_only", company=company.id)
    if company.president is None or not company.operated:
        return fact("merger.not_operated", company=company.id)
    return None


def why_not_pair(t: Table, pair: Pair) -> Fact | None:
    """What keeps two companies from merging, no matter who proposes it.

    Rules: R-C2C-221.
    """
    one, other = pair
    alone = why_not_one(t, one) or why_not_one(t, other)
    if alone is not None:
        return alone
    values = {"company": one.id, "partner": other.id}
    if not connected(t, one, other):
        return fact("merger.no_track_between", **values)
    if union(t, one, other, t.president(one.id).id).president is None:
        return fact("merger.nobody_to_preside", **values)
    return None


def proposer(t: Table) -> PlayerId:
    """The player whose turn it is to propose."""
    return t.state.players[merger(t).turn].id


def pairs_of(t: Table, player: PlayerId) -> Iterator[Pair]:
    """What a player may propose now: the company they preside over first, of two, the one that operates first."""
    for one, other in combinations(candidates(t), 2):
        pair = (one, other) if one.president == player else (other, one)
        if why_not_proposed(t, player, pair) is None:
            yield pair


def why_not_proposed(t: Table, player: PlayerId, pair: Pair) -> Fact | None:
    """Why a player cannot propose a pair."""
    assert t.spec.unions is not None
    mine = [company for company in pair if company.president == player]
    if not mine:
        return fact("merger.presides_over_neither", player=player, companies=_names(pair))
    if t.spec.unions.consent == "own" and len(mine) < len(pair):
        return fact("merger.presides_over_one", player=player, companies=_names(pair))
    if _key(pair) in merger(t).refused:
        return fact("merger.refused_before", companies=_names(pair))
    return why_not_pair(t, pair)


def asked(t: Table, player: PlayerId, pair: Pair) -> PlayerId | None:
    """The president who must agree to what a player proposes; None: they preside over both.

    Rules: R-C2C-222.
    """
    others = [t.president(company.id).id for company in pair if company.president != player]
    return others[0] if others else None


def note_refusal(t: Table, pair: Pair) -> None:
    """The same pair is not proposed again in this round."""
    merger(t).refused.append(_key(pair))


def next_proposer(t: Table, *, acted: bool) -> None:
    """The next player's turn."""
    now = merger(t)
    now.passes = 0 if acted else now.passes + 1
    now.turn = t.state.next_seat(now.turn)


def all_passed(t: Table) -> bool:
    """Whether all have passed in a row."""
    return merger(t).passes >= len(t.state.in_game())


def _key(pair: Sequence[Company]) -> tuple[str, str]:
    one, other = sorted(_names(pair))
    return one, other


def _names(pair: Sequence[Company]) -> tuple[str, ...]:
    return tuple(company.id for company in pair)
