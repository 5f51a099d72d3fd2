"""The story of a game in a few sentences: the margin of victory and noteworthy events.

A GameStory collects these events from the first move on.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Self

from engine.core import events as e
from engine.core.facts import Fact, fact
from engine.core.ids import PlayerId, PrivateId
from engine.game import Game
from engine.tell.teller import current_round_fact, numbered_round_fact

_NOTEWORTHY_EVENTS: Final = (
    e.TrainsRan
    | e.TrainBought
    | e.PresidentChanged
    | e.SharesSold
    | e.PrivateBought
    | e.PrivateSold
    | e.NationalFormed
    | e.WentBankrupt
    | e.EndTriggered
)


@dataclass(frozen=True, slots=True)
class Occurrence:
    """A noteworthy event with its move number, its round, and the president of its company at that time."""

    event: e.Event
    move: int
    round: Fact
    president: PlayerId | None


class GameStory:
    """Collects the noteworthy events of a game, move by move."""

    def __init__(self, occurrences: Iterable[Occurrence] = (), round_: Fact | None = None) -> None:
        """`occurrences` are events collected earlier; `round_` is the name of the current round."""
        self.occurrences = list(occurrences)
        self._round = round_

    @classmethod
    def starting_at(cls, game: Game) -> Self:
        """A story without events yet, which starts at the current position."""
        return cls(round_=current_round_fact(game.table))

    def add_events(self, game: Game, events: Iterable[e.Event], move: int) -> None:
        """Add the noteworthy events of move number `move`."""
        for event in events:
            if isinstance(event, e.RoundStarted):
                self._round = _round_started_fact(event)
            elif isinstance(event, _NOTEWORTHY_EVENTS):
                round_now = self._round or current_round_fact(game.table)
                self.occurrences.append(Occurrence(event, move, round_now, _president_at_event(game, event)))
        self._round = current_round_fact(game.table)

    def turning_points(self, game: Game) -> tuple[Fact, ...]:
        """Messages about the game's result and turning points, the most important first."""
        occurrences = self.occurrences
        return (
            *_result_facts(game),
            *_best_run_facts(occurrences),
            *_costliest_train_facts(occurrences),
            *_presidency_facts(occurrences),
            *_best_bargain_facts(occurrences),
            *_national_facts(occurrences),
            *_bankruptcy_facts(occurrences),
            *_end_facts(occurrences, game),
        )


def _president_at_event(game: Game, event: e.Event) -> PlayerId | None:
    """The president of the company that ran or bought a train in this event; None for other events."""
    match event:
        case e.TrainsRan(company=company) | e.TrainBought(company=company):
            return game.table.state.companies[company].president
    return None


def _round_started_fact(event: e.RoundStarted) -> Fact:
    if event.kind == "stock":
        return fact("round.stock", number=event.set_number)
    return numbered_round_fact(event.kind, event.set_number, event.round_number)


def _result_facts(game: Game) -> Iterator[Fact]:
    scores, ranks = game.scores(), game.ranks()
    winners = tuple(player for player, rank in ranks.items() if rank == 1)
    runners_up = tuple(player for player, rank in ranks.items() if rank == 2)
    winning_total = scores[winners[0]]
    if len(winners) > 1:
        yield fact("story.shared", players=winners, total=winning_total)
    elif runners_up and scores[runners_up[0]] < winning_total:
        yield fact(
            "story.won", player=winners[0], margin=winning_total - scores[runners_up[0]], second=runners_up
        )
    elif runners_up:
        yield fact("story.outlasted", player=winners[0])


def _best_run_facts(occurrences: Sequence[Occurrence]) -> Iterator[Fact]:
    runs = [
        (run_event, candidate)
        for candidate in occurrences
        if isinstance(run_event := candidate.event, e.TrainsRan) and run_event.revenue
    ]
    if runs:
        run_event, occurrence = max(runs, key=lambda run: run[0].revenue)
        president_fact = fact("story.under", player=occurrence.president) if occurrence.president else None
        yield fact(
            "story.best_run",
            company=run_event.company,
            revenue=run_event.revenue,
            round=occurrence.round,
            president=president_fact,
        )


def _costliest_train_facts(occurrences: Sequence[Occurrence]) -> Iterator[Fact]:
    purchases_with_help = [
        (purchase, candidate)
        for candidate in occurrences
        if isinstance(purchase := candidate.event, e.TrainBought) and purchase.contribution
    ]
    if purchases_with_help:
        purchase, occurrence = max(
            purchases_with_help, key=lambda purchase_with_help: purchase_with_help[0].contribution
        )
        yield fact(
            "story.costliest_train",
            player=occurrence.president,
            amount=purchase.contribution,
            train=purchase.train,
            company=purchase.company,
            round=occurrence.round,
        )


def _presidency_facts(occurrences: Sequence[Occurrence]) -> Iterator[Fact]:
    president_changes = [
        (president_change, candidate)
        for candidate in occurrences
        if isinstance(president_change := candidate.event, e.PresidentChanged)
    ]
    if president_changes:
        dumped_count = sum(
            _is_lost_by_own_sale(occurrences, president_change, occurrence)
            for president_change, occurrence in president_changes
        )
        dumped_fact = fact("story.dumped", count=dumped_count) if dumped_count else None
        yield fact(
            "story.presidencies",
            changes=len(president_changes),
            dumped=dumped_fact,
            costliest=_costliest_presidency(occurrences, president_changes),
        )


def _costliest_presidency(
    occurrences: Sequence[Occurrence], changes: Sequence[tuple[e.PresidentChanged, Occurrence]]
) -> Fact | None:
    costs = [
        (_dollars_from_president(occurrences, president_change, occurrence), president_change, occurrence)
        for president_change, occurrence in changes
    ]
    amount, president_change, occurrence = max(costs, key=lambda cost: cost[0])
    if not amount:
        return None
    return fact(
        "story.costliest_presidency",
        player=president_change.new_president,
        company=president_change.company,
        round=occurrence.round,
        amount=amount,
    )


def _is_lost_by_own_sale(
    occurrences: Sequence[Occurrence], change: e.PresidentChanged, occurrence: Occurrence
) -> bool:
    return any(
        isinstance(sale := other.event, e.SharesSold)
        and other.move == occurrence.move
        and (sale.player, sale.company) == (change.old_president, change.company)
        for other in occurrences
    )


def _dollars_from_president(
    occurrences: Sequence[Occurrence], change: e.PresidentChanged, occurrence: Occurrence
) -> int:
    """Dollars that the new president contributed to the company's trains while president."""
    dollars_spent = 0
    for later_occurrence in occurrences[occurrences.index(occurrence) + 1 :]:
        match later_occurrence.event:
            case e.PresidentChanged(company=change.company):
                break
            case e.TrainBought(company=change.company, contribution=amount):
                dollars_spent += amount
            case _:
                pass
    return dollars_spent


def _best_bargain_facts(occurrences: Sequence[Occurrence]) -> Iterator[Fact]:
    price_by_private: dict[PrivateId, int] = {}
    best_bargain: Fact | None = None
    best_gain = 0
    for occurrence in occurrences:
        match occurrence.event:
            case e.PrivateBought(private=private, price=price):
                price_by_private[private] = price
            case e.PrivateSold(private=private, price=price) as sale if private in price_by_private:
                if price - price_by_private[private] > best_gain:
                    best_gain, best_bargain = (
                        price - price_by_private[private],
                        _bargain_fact(sale, price_by_private[private], occurrence.round),
                    )
                price_by_private[private] = price
            case _:
                pass
    if best_bargain is not None:
        yield best_bargain


def _bargain_fact(sale: e.PrivateSold, price_paid: int, round_: Fact) -> Fact:
    return fact(
        "story.best_bargain",
        seller=sale.seller,
        private=sale.private,
        paid=price_paid,
        buyer=sale.buyer,
        price=sale.price,
        round=round_,
    )


def _national_facts(occurrences: Sequence[Occurrence]) -> Iterator[Fact]:
    formations = [
        (event, occurrence)
        for occurrence in occurrences
        if isinstance(event := occurrence.event, e.NationalFormed)
    ]
    if formations:
        formed_facts = (
            fact("story.national", company=event.company, round=occurrence.round)
            for event, occurrence in formations
        )
        yield fact("story.nationals", formed=tuple(formed_facts))


def _bankruptcy_facts(occurrences: Sequence[Occurrence]) -> Iterator[Fact]:
    bankruptcies = [
        (event, occurrence)
        for occurrence in occurrences
        if isinstance(event := occurrence.event, e.WentBankrupt)
    ]
    if bankruptcies:
        bankruptcy_facts = (
            fact("story.bankrupt", player=event.player, company=event.company, round=occurrence.round)
            for event, occurrence in bankruptcies
        )
        yield fact("story.bankruptcies", players=tuple(bankruptcy_facts))


def _end_facts(occurrences: Sequence[Occurrence], game: Game) -> Iterator[Fact]:
    end_triggers = [
        (event, occurrence)
        for occurrence in occurrences
        if isinstance(event := occurrence.event, e.EndTriggered)
    ]
    if end_triggers and game.is_over:
        event, occurrence = end_triggers[0]
        reason, last_round = fact(f"ending.{event.reason}"), current_round_fact(game.table)
        name = "story.ended_at_once" if occurrence.round == last_round else "story.ended_later"
        yield fact(name, reason=reason, round=occurrence.round, last=last_round)
