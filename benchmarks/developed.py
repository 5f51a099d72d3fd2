"""Benchmark of listing legal tile lays on boards that are developed at random, from empty to full."""

import time
from dataclasses import dataclass
from random import Random
from typing import Final

from engine.core.actions import Action
from engine.core.offers import OfferCursor
from engine.core.state import Company, CompanyTurn, Operating
from engine.game import Game
from engine.play.steps.base import CompanyStep
from engine.play.steps.lay_track import TrackStep
from engine.play.steps.place_token import TokenStep
from engine.play.table import Table
from engine.play.turn_order import place_home_token

TURNS: Final = 24
"""Number of turns of each company, spread evenly over the phases."""
TOKENS: Final = 5
TREASURY: Final = 20_000
KEEPS: Final = 0.3
"""Fraction of turns in which a company places no token."""


@dataclass(frozen=True)
class LayList:
    """A list of the legal lays in one position: its length, and the processor time in milliseconds."""

    title: str
    lays: int
    ms: float


def measure_developed(title: str) -> list[LayList]:
    """Times of listing lays while all companies lay random tiles; raises TitleError."""
    game, rng = Game(title, [("a", "A"), ("b", "B"), ("c", "C")], 0), Random(0)
    t = game.table
    companies = [company for company in t.state.companies.values() if company.id in t.map.homes]
    for company in companies:
        _start(t, company)
    listed: list[LayList] = []
    for turn in range(TURNS):
        _enter_phase(t, turn)
        for company in companies:
            t.state.round = Operating(turn=CompanyTurn(company.id))
            listed += _lay(t, rng, title)
            _place(t, rng)
    return listed


def _start(t: Table, company: Company) -> None:
    price, cell = next((price, cell) for price, cell in t.grid.pars())
    company.par, company.certificate_holder, company.floated, company.operated = price, "a", True, True
    company.cash, company.tokens = TREASURY, [0] * TOKENS
    t.enter_market(company, cell)
    place_home_token(t, company)


def _enter_phase(t: Table, turn: int) -> None:
    phase = t.spec.phases[turn * len(t.spec.phases) // TURNS].name
    if phase != t.state.phase:
        t.state.phase = phase
        t.map.open_spaces_of_phase(phase)


def _lay(t: Table, rng: Random, title: str) -> list[LayList]:
    """Lay tiles until the turn allows no more; returns the measurements before each lay."""
    step: CompanyStep = TrackStep()
    listed: list[LayList] = []
    while True:
        start = time.process_time()
        lays = _all(step, t, "lay_tile")
        if not lays:
            return listed
        listed.append(LayList(title, len(lays), (time.process_time() - start) * 1000))
        step.apply(t, rng.choice(lays))


def _place(t: Table, rng: Random) -> None:
    step = TokenStep()
    places = _all(step, t, "place_token")
    if places and rng.random() >= KEEPS:
        step.apply(t, rng.choice(places))


def _all(step: CompanyStep, t: Table, kind: str) -> list[Action]:
    offers = [offer for offer in step.offers(t) if offer.kind == kind]
    return [whole.action() for offer in offers for whole in _filled(OfferCursor(offer))]


def _filled(cursor: OfferCursor) -> list[OfferCursor]:
    if cursor.slot is None:
        return [cursor]
    return [whole for _, further in cursor.choices_and_cursors() for whole in _filled(further)]
