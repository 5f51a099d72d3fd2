"""The story of a game in a few facts: the margin of victory, and events worth talking about.

The game is followed from its first move; only what happened is said.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Self

from engine.core import events as e
from engine.core.facts import Fact, fact
from engine.core.ids import PlayerId, PrivateId
from engine.game import Game
from engine.tell.teller import numbered_round, round_fact

_KEPT: Final = (
    e.Ran
    | e.TrainBought
    | e.PresidentChanged
    | e.SharesSold
    | e.PrivateBought
    | e.PrivateSold
    | e.NationalFormed
    | e.WentBankrupt
    | e.EndTriggered
)
"""Events that can make a turning point."""


@dataclass(frozen=True, slots=True)
class Occurrence:
    """An event with its move, round, and the president of its company at the time."""

    event: e.Event
    move: int
    round: Fact
    president: PlayerId | None


class Story:
    """The noteworthy events of a game, collected move by move."""

    def __init__(self, kept: Iterable[Occurrence] = (), round_: Fact | None = None) -> None:
        """`kept` are the events collected up to now, `round_` the current round."""
        self.occurrences = list(kept)
        self._round = round_

    @classmethod
    def starting_at(cls, game: Game) -> Self:
        """A story that starts at the present position."""
        return cls(round_=round_fact(game.table.state))

    def follow(self, game: Game, events: Iterable[e.Event], move: int) -> None:
        """Add the events of the next move; every move has its own number."""
        for event in events:
            if isinstance(event, e.RoundStarted):
                self._round = _round_of(event)
            elif isinstance(event, _KEPT):
                now = self._round or round_fact(game.table.state)
                self.occurrences.append(Occurrence(event, move, now, _president(game, event)))
        self._round = round_fact(game.table.state)

    def turning_points(self, game: Game) -> tuple[Fact, ...]:
        """The facts worth telling about a followed game, the best first."""
        kept = self.occurrences
        return (
            *_result(game),
            *_best_run(kept),
            *_costliest_train(kept),
            *_presidencies(kept),
            *_best_bargain(kept),
            *_nationals(kept),
            *_bankruptcies(kept),
            *_end_facts(kept, game),
        )


def _president(game: Game, event: e.Event) -> PlayerId | None:
    """The president of the company that ran or bought a train."""
    match event:
        case e.Ran(company=company) | e.TrainBought(company=company):
            return game.table.state.companies[company].president
    return None


def _round_of(event: e.RoundStarted) -> Fact:
    if event.kind == "stock":
        return fact("round.stock", number=event.set)
    return numbered_round(event.kind, event.set, event.number)


def _result(game: Game) -> Iterator[Fact]:
    scores, ranks = game.scores(), game.ranks()
    first = tuple(player for player, rank in ranks.items() if rank == 1)
    second = tuple(player for player, rank in ranks.items() if rank == 2)
    best = scores[first[0]]
    if len(first) > 1:
        yield fact("story.shared", players=first, total=best)
    elif second and scores[second[0]] < best:
        yield fact("story.won", player=first[0], margin=best - scores[second[0]], second=second)
    elif second:
        yield fact("story.outlasted", player=first[0])


def _best_run(occurrences: Sequence[Occurrence]) -> Iterator[Fact]:
    runs = [(ran, event) for event in occurrences if isinstance(ran := event.event, e.Ran) and ran.revenue]
    if runs:
        ran, one = max(runs, key=lambda run: run[0].revenue)
        under = fact("story.under", player=one.president) if one.president else None
        yield fact(
            "story.best_run", company=ran.company, revenue=ran.revenue, round=one.round, president=under
        )


def _costliest_train(occurrences: Sequence[Occurrence]) -> Iterator[Fact]:
    """The train to which a president contributed most."""
    helped = [
        (bought, event)
        for event in occurrences
        if isinstance(bought := event.event, e.TrainBought) and bought.contribution
    ]
    if helped:
        bought, one = max(helped, key=lambda found: found[0].contribution)
        yield fact(
            "story.costliest_train",
            player=one.president,
            amount=bought.contribution,
            train=bought.train,
            company=bought.company,
            round=one.round,
        )


def _presidencies(occurrences: Sequence[Occurrence]) -> Iterator[Fact]:
    """Changes of president, those after the presidents' own sales, and the player who lost most by them."""
    changes = [
        (change, event) for event in occurrences if isinstance(change := event.event, e.PresidentChanged)
    ]
    if changes:
        left = sum(_sold_out(occurrences, change, one) for change, one in changes)
        dumped = fact("story.dumped", count=left) if left else None
        yield fact(
            "story.presidencies",
            changes=len(changes),
            dumped=dumped,
            costliest=_costliest(occurrences, changes),
        )


def _costliest(
    occurrences: Sequence[Occurrence], changes: Sequence[tuple[e.PresidentChanged, Occurrence]]
) -> Fact | None:
    costs = [(_cost(occurrences, change, one), change, one) for change, one in changes]
    amount, change, one = max(costs, key=lambda cost: cost[0])
    if not amount:
        return None
    return fact(
        "story.costliest_presidency",
        player=change.new,
        company=change.company,
        round=one.round,
        amount=amount,
    )


def _sold_out(occurrences: Sequence[Occurrence], change: e.PresidentChanged, occurrence: Occurrence) -> bool:
    """True if the president's own sale cost them the presidency."""
    return any(
        isinstance(sale := other.event, e.SharesSold)
        and other.move == occurrence.move
        and (sale.player, sale.company) == (change.old, change.company)
        for other in occurrences
    )


def _cost(occurrences: Sequence[Occurrence], change: e.PresidentChanged, occurrence: Occurrence) -> int:
    """Money that a new president added to the company's trains while presiding."""
    spent = 0
    for later in occurrences[occurrences.index(occurrence) + 1 :]:
        match later.event:
            case e.PresidentChanged(company=change.company):
                break
            case e.TrainBought(company=change.company, contribution=amount):
                spent += amount
            case _:
                pass
    return spent


def _best_bargain(occurrences: Sequence[Occurrence]) -> Iterator[Fact]:
    """The private sold at the highest profit."""
    paid: dict[PrivateId, int] = {}
    best: Fact | None = None
    gain = 0
    for one in occurrences:
        match one.event:
            case e.PrivateBought(private=private, price=price):
                paid[private] = price
            case e.PrivateSold(private=private, price=price) as sold if private in paid:
                if price - paid[private] > gain:
                    gain, best = price - paid[private], _bargain(sold, paid[private], one.round)
                paid[private] = price
            case _:
                pass
    if best is not None:
        yield best


def _bargain(sold: e.PrivateSold, paid: int, round_: Fact) -> Fact:
    return fact(
        "story.best_bargain",
        seller=sold.seller,
        private=sold.private,
        paid=paid,
        buyer=sold.buyer,
        price=sold.price,
        round=round_,
    )


def _nationals(occurrences: Sequence[Occurrence]) -> Iterator[Fact]:
    formed = [(event, one) for one in occurrences if isinstance(event := one.event, e.NationalFormed)]
    if formed:
        where = (fact("story.national", company=event.company, round=one.round) for event, one in formed)
        yield fact("story.nationals", formed=tuple(where))


def _bankruptcies(occurrences: Sequence[Occurrence]) -> Iterator[Fact]:
    ruined = [(event, one) for one in occurrences if isinstance(event := one.event, e.WentBankrupt)]
    if ruined:
        who = (
            fact("story.bankrupt", player=event.player, company=event.company, round=one.round)
            for event, one in ruined
        )
        yield fact("story.bankruptcies", players=tuple(who))


def _end_facts(occurrences: Sequence[Occurrence], game: Game) -> Iterator[Fact]:
    """The round in which the end became certain, and the one in which it came."""
    triggered = [(event, one) for one in occurrences if isinstance(event := one.event, e.EndTriggered)]
    if triggered and game.over:
        event, one = triggered[0]
        reason, last = fact(f"ending.{event.reason}"), round_fact(game.table.state)
        name = "story.ended_at_once" if one.round == last else "story.ended_later"
        yield fact(name, reason=reason, round=one.round, last=last)
