"""Positions of forced train purchases: tiny ones at random, and positions of games with the pockets emptied."""

from random import Random

from engine.game import Game
from tests.titles.builders import Position
from tests.titles.t18tn.tennessee import bristol_lines

BUYERS = {"18chesapeake": "LV", "18chesapeake-off-the-rails": "LV", "18al": "WRA", "18tn": "SR"}


def forced_position(title: str, chance: Random) -> Game:
    """A company with a route and no train, and a president with little money and some shares."""
    players = chance.choice([2, 3, 4] if title.startswith("18ches") else [3, 4])
    position = Position(players, title=title)
    spec, state = position.t.spec, position.state
    position.phase(chance.choice([phase.name for phase in spec.phases]))
    seats = [seat.id for seat in state.players]
    buyer = BUYERS[title]
    names = [name for name in spec.companies if name != buyer]
    started = [buyer, *chance.sample(names, chance.randint(1, 4))]
    cells = [(r, c) for r, row in enumerate(position.t.grid.rows, 1) for c in range(1, len(row) + 1)]
    for name in started:
        president = "a" if name == buyer else chance.choice(seats)
        _start(position, name, president, chance.choice(cells), chance)
    _track(position, title)
    for seat in seats:
        position.cash(**{seat: chance.choice([0, 0, 7, 40, 150, 400])})
    position.treasury(buyer, chance.choice([0, 0, 30, 100, 170, 350, chance.randint(0, 900)]))
    trains = [train.name for train in spec.trains]
    for name in started[1:]:
        if state.companies[name].floated and chance.random() < 0.5:
            position.trains(name, chance.choice(trains))
    if chance.random() < 0.3:
        position.pool(*chance.choices(trains, k=chance.randint(1, 2)))
    if chance.random() < 0.1:
        state.depot.update(dict.fromkeys([name for name, left in state.depot.items() if left], 0))
    if title == "18al" and chance.random() < 0.5:
        position.owns(chance.choice([buyer, "a", "b"]), "NDY")
    if title == "18al" and chance.random() < 0.3:
        position.owns("a", *chance.sample(["TR", "SNAR", "BLC"], chance.randint(1, 2)))
    return position.operating(buyer, "trains").game()


def _start(position: Position, name: str, president: str, cell: tuple[int, int], chance: Random) -> None:
    state, certificate = position.state, position.state.companies[name].certificate
    left = 100 - certificate
    held = {president: certificate}
    for seat in [president, *[p.id for p in state.players if p.id != president]]:
        most = min(left, 60 - held.get(seat, 0)) // 10
        if seat != president:
            most = min(most, held[president] // 10)
        more = 10 * chance.randint(0, max(0, most))
        held[seat] = held.get(seat, 0) + more
        left -= more
    market = 10 * chance.randint(0, min(5, left // 10))
    pars = [par for par, _ in position.t.grid.pars()]
    position.start(name, chance.choice(pars), at=cell, market=market, **{p: n for p, n in held.items() if n})


def _track(position: Position, title: str) -> None:
    if title.startswith("18chesapeake"):
        position.tile("J2", "57", 1)
    elif title == "18al":
        position.tile("L5", "57", 2)
    else:
        bristol_lines(position)


def emptied(game: Game, chance: Random) -> Game:
    """A copy in which the operating company has lost its trains, and its president and treasury most money."""
    copy = Game.load(game.dump())
    state, turn = copy.table.state, copy.table.turn
    company = state.companies[turn.company]
    state.pool += company.trains[:1]
    company.trains, company.obsolete = [], []
    for purse in (company, state.player(str(company.president))):
        kept = min(purse.cash, chance.choice([0, 30, 80, 200]))
        state.bank += purse.cash - kept
        purse.cash = kept
    return copy
