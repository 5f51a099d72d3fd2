"""What changes on the table is said, once: money, shares, prices, trains, privates, phases, rounds of whole games."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import pytest

from engine.core import events as e
from engine.core.state import Merger, Operating, Round, Stock
from engine.game import Game
from engine.play.table import Table
from engine.record import read_record
from tests.support.long_runs import some_of_each

GAMES = [path for path in sorted(Path(__file__).parent.glob("*.json")) if not path.stem.startswith("18c2c")]
"""Of 18C2C the whole position is compared after every action by its second statement (`tests/referees/test_c2c.py`)."""


def _title(path: Path) -> str:
    return path.stem.partition("-")[0]


@dataclass
class Facts:
    """The table: dollars, percents and trains by owner, and what is said by a word."""

    cash: Counter[str]
    held: Counter[tuple[str, str]]
    trains: Counter[tuple[str, str]]
    presidents: dict[str, str]
    prices: dict[str, int]
    owners: dict[str, str]
    phase: str
    round: tuple[str, int, int]

    @classmethod
    def of(cls, game: Game) -> "Facts":
        t, state = game.table, game.table.state
        people = [player.id for player in state.players]
        companies = state.companies.values()
        return cls(
            Counter({owner: t.cash(owner) for owner in [*people, *state.companies]}),
            Counter({(p, c.id): c.percent(p) for p in people for c in companies}),
            Counter((c.id, train) for c in companies for train in c.runnable_trains)
            + Counter(
                {
                    ("bank", train): left
                    for train, left in state.depot.items()
                    if _has_one_face(t, train, left)
                }
            ),
            {c.id: c.president for c in companies if c.president},
            {c.id: t.price(c) for c in companies if c.is_started},
            {p.id: "closed" if p.closed else p.owner or "" for p in state.privates.values()},
            state.phase,
            _round(state.round),
        )


def _has_one_face(t: Table, train: str, left: int | None) -> bool:
    """True for trains that the bank counts, and of which no other is a face."""
    return left is not None and len(t.spec.faces(train)) == 1


def _round(now: Round) -> tuple[str, int, int]:
    """Its kind, the number of the stock round or of the set, and of the operating round in it."""
    if isinstance(now, Operating | Merger):
        return now.kind, now.set, now.number
    return now.kind, now.number if isinstance(now, Stock) else 0, 1


def follow(event: object, facts: Facts) -> None:
    """Change the facts as an event tells; most change none of these."""
    match event:
        case e.PrivateBought():
            facts.cash[event.player] -= event.price
            facts.owners[event.private] = event.player
        case e.PrivateSold():
            assert facts.owners[event.private] == event.seller
            facts.cash[event.buyer] -= event.price
            facts.cash[event.seller] += event.price
            facts.owners[event.private] = event.buyer
        case e.PrivateClosed():
            assert facts.owners[event.private] != "closed"
            facts.owners[event.private] = "closed"
        case e.ShareReceived():
            facts.held[event.player, event.company] += event.percent
        case e.Parred():
            if event.dollars_paid:
                facts.cash[event.player] -= event.dollars_paid
                facts.held[event.player, event.company] += event.percent
            facts.presidents[event.company] = event.player
            facts.prices[event.company] = event.price
        case e.ShareBought():
            facts.cash[event.player] -= event.price
            facts.cash[event.company] += event.income
            facts.held[event.player, event.company] += event.percent
        case e.SharesSold():
            facts.cash[event.player] += event.shares * event.price_per_share
            facts.held[event.player, event.company] -= event.shares * 10
            assert facts.prices[event.company] == event.old_price == event.price_per_share
            facts.prices[event.company] = event.new_price
        case e.PresidentChanged():
            assert facts.presidents[event.company] == event.old_president != event.new_president
            facts.presidents[event.company] = event.new_president
        case e.Floated():
            facts.cash[event.company] += event.capital
        case e.PriceMoved() | e.PriceFell() if event.company in facts.prices:  # else it has closed
            assert facts.prices[event.company] == event.old_price != event.new_price
            facts.prices[event.company] = event.new_price
        case e.IncomePaid():
            for owner, _private, dollars in event.payments:
                facts.cash[owner] += dollars
        case e.TileLaid() | e.TokenPlaced():
            facts.cash[event.company] -= event.cost
            assert facts.cash[event.company] == event.treasury
        case e.PrivateRemoved():
            facts.owners[event.private] = "closed"
        case e.HelpFeePaid() | e.DebtGrew():
            facts.cash[event.player] -= event.amount
        case e.ObjectiveReached() | e.BonusReceived():
            facts.cash[event.company] += event.bonus
        case e.LayRewarded():
            facts.cash[event.receiver] += event.amount
        case e.DividendDecided():
            facts.cash[event.company] += event.dollars_withheld
            for (player, company), percent in facts.held.items():
                facts.cash[player] += (
                    event.dividend_per_share * percent // 10 if company == event.company else 0
                )
            if event.company in facts.prices:  # else this dividend closed it
                assert facts.prices[event.company] == event.old_price
                facts.prices[event.company] = event.new_price
        case e.TrainBought():
            if event.contribution:
                facts.cash[facts.presidents[event.company]] -= event.contribution
            facts.cash[event.company] += event.contribution - event.price
            if event.source not in {"bank", "pool"}:
                facts.cash[event.source] += event.price
            if event.source != "pool":
                facts.trains[event.source, event.train] -= (event.source, event.train) in facts.trains
            facts.trains[event.company, event.traded_in_train] -= bool(event.traded_in_train)
            facts.trains[event.company, event.train] += 1
            assert facts.cash[event.company] == event.treasury
        case e.TrainsRusted():
            for company, count in event.owners:
                facts.trains[company, event.train] -= count
            facts.trains["bank", event.train] = 0
        case e.TrainsMadeObsolete():
            for company in event.lost_by:
                facts.trains[company, event.train] = 0
        case e.ObsoleteTrainsRemoved():
            facts.trains.subtract((event.company, train) for train in event.trains)
        case e.SubsidyPaid():
            facts.cash[event.company] += event.amount
        case e.TookOver():
            facts.cash[event.independent] -= event.cash
            facts.cash[event.company] += event.cash
            assert facts.cash[event.company] == event.treasury
            facts.trains.subtract((event.independent, train) for train in event.trains)
            facts.trains.update((event.company, train) for train in event.trains)
        case e.WentIntoReceivership():
            facts.presidents.pop(event.company, None)
        case e.LeftReceivership():
            facts.presidents[event.company] = event.player
        case e.SharesSurrendered():
            facts.held[event.player, event.company] -= event.shares * 10
            facts.cash[event.player] += event.shares * event.price_per_share
        case e.CompensationPaid():
            facts.cash[event.company] += event.amount
        case e.TrainReceived():
            facts.trains[event.company, event.train] += 1
        case e.TrainDiscarded():
            facts.trains[event.company, event.train] -= 1
        case e.TrainExported():
            facts.trains["bank", event.train] -= 1
        case e.TrainAdded():
            facts.trains["bank", event.train] += 1
        case e.PhaseStarted():
            assert facts.phase != event.phase
            facts.phase = event.phase
        case e.RoundStarted():
            begun = (event.kind, event.set_number, event.round_number)
            assert facts.round != begun
            facts.round = begun
        case e.MinorStarted():
            facts.cash[event.player] -= event.dollars_paid
            facts.held[event.player, event.company] += 100
            facts.presidents[event.company] = event.player
            facts.prices[event.company] = event.value
        case e.HalfPaid():
            facts.cash[event.owner] += event.amount
            facts.cash[event.company] += event.revenue - event.amount
        case e.SharesRedeemed():
            facts.cash[event.company] -= event.amount
            assert facts.cash[event.company] == event.treasury
        case e.SharesIssued():
            facts.cash[event.company] += event.amount
            assert facts.cash[event.company] == event.treasury
        case e.MajorFormed():
            for minor in event.minors:
                _gone(facts, minor)
            facts.cash[event.player] -= event.dollars_paid
            facts.cash[event.company] += event.treasury
            facts.held[event.player, event.company] += event.percent
            facts.trains.update((event.company, train) for train in event.trains)
            facts.presidents[event.company] = event.player
            facts.prices[event.company] = event.par
        case e.Liquidated():
            assert facts.cash[event.company] == event.treasury
            _gone(facts, event.company)
        case e.CompanyClosed():
            _gone(facts, event.company)
        case e.PlayerEliminated():
            assert facts.cash[event.player] == event.cash
            facts.cash[event.player] = 0
            if event.receiver != "bank":
                facts.cash[event.receiver] += event.cash
        case _:
            pass


def _gone(facts: Facts, company: str) -> None:
    """A company is out of the game, with all that it has and all its shares."""
    facts.cash[company] = 0
    facts.presidents.pop(company, None)
    facts.prices.pop(company, None)
    for where in (facts.held, facts.trains):
        for place in [place for place in where if company in place]:
            where[place] = 0


def followed(facts: Facts, happened: Sequence[object]) -> Facts:
    for event in happened:
        follow(event, facts)
    for event in happened:
        if isinstance(event, e.WentBankrupt):
            facts.cash[event.player] = 0
    return facts


@pytest.mark.parametrize("path", some_of_each(GAMES, _title, lambda path: path.stem, len(GAMES)))
def test_events_say_what_changed(path: Path) -> None:
    """After every action of a whole game, nothing is said twice, and only `done` is left unsaid."""
    written = read_record(path.read_text("utf-8"))
    game, ends = written.initial_game(), 0
    expected = Facts.of(game)
    for number, action in enumerate(written.actions, 1):
        done = isinstance(game.table.state.round, Stock) and game.table.stock_round.acted
        happened = game.apply(action)
        after = Facts.of(game)
        assert all(one != other for one, other in pairwise(happened)), (number, happened)
        assert happened or (action.kind == "pass" and (done or action.entity != action.actor)), number
        assert followed(expected, happened) == after, (number, happened)
        expected = after
        scores = [dict(event.scores) for event in happened if isinstance(event, e.GameOver)]
        assert all(found == game.scores() for found in scores)
        assert all(type(worth) is int for found in scores for worth in found.values())
        assert all(list(found.values()) == sorted(found.values(), reverse=True) for found in scores)
        ends += len(scores)
    assert ends == game.is_over == 1
