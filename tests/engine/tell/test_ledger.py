"""The ledger has every dollar that changed hands, and says what for."""

import csv
from collections import Counter
from dataclasses import replace
from io import StringIO

import pytest

from engine.core.errors import ReplayDiverged
from engine.core.ids import BANK
from engine.tell.ledger import ledger, ledger_csv
from tests.engine.tell.followed import ALL, followed
from tests.golden.positions import golden
from tests.support.long_runs import VARIED_GAMES, some_named

SHORT = "18chesapeake-agreement-2p"


@pytest.mark.parametrize("name", some_named(VARIED_GAMES, ALL))
def test_ledger_balances(name: str) -> None:
    sums: Counter[str] = Counter()
    for payment in followed(name).payments:
        assert payment.dollars > 0
        sums[payment.payer] -= payment.dollars
        sums[payment.payee] += payment.dollars
    state = followed(name).game.table.state
    assert {seat.id: sums[seat.id] for seat in state.players} == {s.id: s.cash for s in state.players}
    companies = state.companies.values()
    assert {company.id: sums[company.id] for company in companies} == {c.id: c.cash for c in companies}


def test_payments_say_what_for() -> None:
    """A dividend names the run, a train its seller, a private its price; incomes of privates belong to the
    operating round that begins with the last pass, not to the stock round."""
    payments = followed("18chesapeake-bank-4p").payments
    assert all(payment.purpose for payment in payments)
    trains = [payment for payment in payments if "train" in payment.purpose and payment.payee == BANK]
    assert trains
    dividends = [payment for payment in payments if "a share" in payment.purpose and payment.payee != "bank"]
    assert {payment.payer for payment in dividends} == {BANK}
    payments = followed("18chesapeake-bank-4p").payments
    incomes = [payment for payment in payments if payment.purpose.startswith("Privates pay")]
    assert incomes
    assert not [payment for payment in incomes if payment.round_name.startswith("SR")]


def test_ledger_csv() -> None:
    """A file may name its players as it likes: they are no formulas. A refused move is named."""
    record = golden(SHORT)
    rows = list(csv.DictReader(StringIO(ledger_csv(record.initial_game(), record.actions))))
    names = [name for _, name in record.players]
    assert [row["payee"] for row in rows[:2]] == names
    assert list(rows[0]) == ["move", "round", "payer", "payee", "dollars", "what"]
    record = golden(SHORT)
    with pytest.raises(ReplayDiverged) as stopped:
        list(ledger(record.initial_game(), record.actions[1:]))
    assert stopped.value.seq > 0
    record = golden(SHORT)
    named = replace(record, players=(("p1", '=HYPERLINK("x")'), ("p2", "@SUM(1)")))
    lines = csv.reader(StringIO(ledger_csv(named.initial_game(), record.actions[:9])))
    assert {cell[0] for line in lines for cell in line}.isdisjoint("=+-@")
