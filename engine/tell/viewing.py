"""Builds the views of a game (see `engine.tell.views`) from its state."""

from collections.abc import Sequence

from engine.board.hexes import position
from engine.core.facts import fact
from engine.core.ids import MARKET, OFFERING, REMOVED, CompanyId, Coord, PlayerId
from engine.core.spec import TrainSpec
from engine.core.state import Company, Operating, Stock
from engine.core.topology import Stop
from engine.game import Game
from engine.play.privates.auction import free_cash
from engine.play.rounds.operating import OperatingRound
from engine.play.shares import holdings
from engine.play.steps.lay import blocked_by
from engine.play.steps.run import judge
from engine.play.table import Table
from engine.routes.check import Run
from engine.tell.marking import event_markers, has_open_objective, mark_words, marker_words, marks
from engine.tell.teller import Teller
from engine.tell.views import (
    Badge,
    CellView,
    CompanyView,
    HexView,
    HoldingView,
    MapView,
    MarketView,
    MarkView,
    OrderView,
    PlayerView,
    RunView,
    ScoreRow,
    ScoreView,
    SlotView,
    StopView,
    TrainsView,
    TurnView,
)


def tell(game: Game) -> Teller:
    """Who tells the facts of this game in words."""
    return Teller(game.rules.spec, game.table.state)


def badge(t: Table, company: CompanyId) -> Badge:
    """A company's disc."""
    return Badge(company, t.spec.companies[company].colour)


def caption(game: Game) -> str:
    """`OR 2.1, phase 3, bank $5,210`."""
    t = game.table
    # A broken bank goes on paying, so what it stands at may be negative.
    sign = "-" if t.state.bank < 0 else ""
    return f"{tell(game).round_name()}, phase {t.state.phase}, bank {sign}${abs(t.state.bank):,}"


# --- the map ---------------------------------------------------------------------------------------------------


def map_view(game: Game, runs: Sequence[str] = ()) -> MapView:
    """The whole map; `runs` are routes of the operating company (as an action carries them) drawn over it."""
    t = game.table
    marked = marks(t)
    hexes = tuple(_hex(t, coord, marked.get(coord, ())) for coord in t.map.coords)
    judged = judge(t, tuple(runs)) if runs else ()
    left = tuple(
        (name, count, t.spec.train(name).price)
        for name, count in t.state.depot.items()
        if count is None or count
    )
    pool = tuple((name, t.spec.train(name).price) for name in t.state.pool)
    fresh = t.state.fresh
    return MapView(
        layout=t.spec.map.layout,
        letters=t.spec.map.letters,
        hexes=hexes,
        revenue_steps=t.spec.revenue_steps,
        revenue_step=t.phase.revenue_step,
        title=t.spec.name,
        caption=caption(game),
        trains_left=left,
        trains_in_pool=pool,
        fresh_hexes=tuple(fresh.hexes),
        fresh_tokens=tuple(
            (coord, stop, t.map.slots(coord, stop).index(fresh.company))
            for coord, stop in fresh.tokens
            if fresh.company in t.map.slots(coord, stop)
        ),
        runs=tuple(_run(run) for run in judged),
        mark_words=mark_words(t),
    )


def _hex(t: Table, coord: Coord, marked: tuple[MarkView, ...]) -> HexView:
    printed = t.map.hexes[coord]
    topology = t.map.topology(coord)
    x, y = position(coord, t.spec.map.layout, t.spec.map.letters)
    tile = t.map.tile(coord)
    return HexView(
        coord=coord,
        x=x,
        y=y,
        colour=t.map.colour(coord),
        printed=tile is None,
        pieces=tuple(piece.ends() for piece in topology.pieces),
        stops=tuple(_stop(t, coord, i, stop) for i, stop in enumerate(topology.stops)),
        tile=tile,
        rotation=t.map.rotation(coord),
        label=t.map.label(coord),
        name=printed.name,
        cost=t.map.cost(coord),
        terrain=printed.terrain if t.map.cost(coord) else (),
        blocked_by=blocked_by(t, coord),
        joined=printed.joined,
        impassable=printed.impassable,
        terminal=t.map.terminal(coord),
        marks=marked,
    )


def _stop(t: Table, coord: Coord, index: int, stop: Stop) -> StopView:
    current = min(t.phase.revenue_step, len(stop.revenue) - 1)
    slots = [
        SlotView("token", badge(t, owner), _seeks_from(t, owner, coord)) if owner else SlotView("empty")
        for owner in t.map.slots(coord, index)
    ]
    homes = [company for company, home in t.map.homes.items() if home == (coord, index)]
    for place, slot in enumerate(slots):
        if slot.state == "empty" and homes:
            company = homes.pop(0)
            slots[place] = SlotView("home", badge(t, company), _seeks_from(t, company, coord))
    return StopView(stop.kind, stop.revenue, current, tuple(slots))


def _seeks_from(t: Table, company: CompanyId, coord: Coord) -> bool:
    """Whether this is the home of a company with an objective still open."""
    home = t.spec.companies[company].home.hex
    return coord == home and has_open_objective(t, t.state.companies[company])


def _run(run: Run) -> RunView:
    return RunView(
        train=run.route.train,
        sum_text=run.sum_text(),
        value=run.value,
        pieces=run.route.pieces,
        stops=tuple(
            (coord, stop, value > 0) for (coord, stop), value in zip(run.stops, run.values, strict=False)
        ),
    )


# --- the market ------------------------------------------------------------------------------------------------


def market_view(game: Game) -> MarketView:
    """The stock market with all markers and the operating order."""
    t = game.table
    columns = max(len(row) for row in t.grid.rows)
    rows = tuple(
        tuple(_cell(t, (r, c)) if t.grid.has((r, c)) else None for c in range(columns))
        for r in range(len(t.grid.rows))
    )
    legend = [("P", "par price")] + [
        (zone.letter, f"{zone.name}: {zone.legend}") for zone in t.spec.market.zones
    ]
    moves = tuple(
        (company, old, new)
        for company, old in t.state.fresh.moves.items()
        if (new := t.state.companies[company].cell) is not None and new != old
    )
    order = tuple(_order(t, company) for company in t.operating_order())
    return MarketView(rows, tuple(legend), order, moves, t.spec.name, caption(game))


def _cell(t: Table, cell: tuple[int, int]) -> CellView:
    square = t.grid.square(cell)
    row, column = cell
    return CellView(
        price=square.price,
        zone=square.zone,
        par=square.par,
        up_arrow=row > 0 and not t.grid.has((row, column + 1)),
        down_arrow=column == 0 and t.grid.has((row + 1, 0)),
        ledge=not t.grid.has((row + 1, column)),
        end=t.grid.ends_game(cell),
        tokens=tuple(badge(t, company) for company in t.state.in_cell(cell)),
    )


def _order(t: Table, company: Company) -> OrderView:
    assert company.president is not None
    progress = ""
    now = t.state.round
    if isinstance(now, Operating) and company.floated:
        acting = now.turn is not None and now.turn.company == company.id
        progress = "acting" if acting else "done" if company.id in now.done else "waiting"
    name = t.state.player(company.president).name
    return OrderView(
        badge(t, company.id),
        t.price(company),
        name,
        company.floated,
        progress,  # type: ignore[arg-type]
        event_markers(t, company),
    )


# --- people and companies --------------------------------------------------------------------------------------


def holding_views(t: Table, player: PlayerId) -> tuple[HoldingView, ...]:
    """A player's shares by company, in the order of the company list."""
    return tuple(
        HoldingView(
            badge(t, company.id),
            company.percent(player),
            t.price(company),
            t.price(company) * company.percent(player) // 10,
            company.president == player,
        )
        for company in t.state.companies.values()
        if company.percent(player)
    )


def player_view(game: Game, player: PlayerId) -> PlayerView:
    """A player's sheet; raises KeyError for an unknown player."""
    t = game.table
    seat = t.state.player(player)
    return PlayerView(
        player=player,
        name=seat.name,
        cash=seat.cash,
        available=free_cash(t, player) if t.selling_privates else seat.cash,
        certificates=holdings.certificates(t, player),
        certificate_limit=holdings.limit(t),
        priority=t.state.players[t.state.priority].id == player,
        holdings=holding_views(t, player),
        privates=tuple(
            (p.id, t.spec.privates[p.id].name, t.spec.privates[p.id].value, t.spec.privates[p.id].income)
            for p in t.state.privates.values()
            if p.owner == player
        ),
        value=holdings.net_worth(t, seat),
        bankrupt=seat.bankrupt,
    )


def company_view(game: Game, company: CompanyId) -> CompanyView:
    """A company's charter; raises KeyError for an unknown company."""
    t = game.table
    state = t.state.companies[company]
    spec = t.spec.companies[company]
    zone = holdings.zone(t, state)
    president = state.president
    return CompanyView(
        badge=badge(t, company),
        name=spec.name,
        president=t.state.player(president).name if president else None,
        par=state.par,
        price=t.price(state) or None,
        zone=zone.name if zone else "",
        floated=state.floated,
        treasury=state.cash,
        trains=tuple((train, _leaves_on(t.spec.train(train))) for train in state.trains),
        tokens_left=tuple(state.tokens),
        tokens_placed=tuple(coord for coord, _ in t.map.tokens_of(company)),
        home=spec.home.hex,
        privates=tuple(p.id for p in t.state.privates.values() if p.owner == company),
        offering=state.percent(OFFERING),
        market=state.percent(MARKET),
        removed=state.percent(REMOVED),
        holders=tuple(
            (seat.name, state.percent(seat.id), state.certificate_holder == seat.id)
            for seat in t.state.players
            if state.percent(seat.id)
        ),
        last_run=_last_run(game, state),
        float_percent=spec.float_percent,
        obsolete=tuple(state.obsolete),
        markers=marker_words(state),
    )


def _last_run(game: Game, company: Company) -> tuple[int, str] | None:
    run = company.last_run
    return None if run is None else (run.revenue, tell(game).say(fact(f"outcome.{run.outcome}")))


def _leaves_on(train: TrainSpec) -> str | None:
    """The phase whose start takes trains of this type, at once or after one more run."""
    return train.rusts_on or train.obsolete_on


def trains_view(game: Game) -> TrainsView:
    """The trains of the bank and the pool."""
    t = game.table
    bank = tuple(
        (train.name, t.state.depot[train.name], train.price, train.stops, _leaves_on(train))
        for train in t.spec.trains
    )
    pool = tuple((name, t.spec.train(name).price) for name in t.state.pool)
    return TrainsView(bank, pool, t.state.phase, t.phase.train_limit)


# --- the turn and the end --------------------------------------------------------------------------------------


def turn_view(game: Game) -> TurnView:
    """Who acts and where in the turn we are."""
    t = game.table
    actors = game.actors()
    names = tuple(game.name(player) for player in actors)
    now = t.state.round
    operating = isinstance(now, Operating) and now.turn is not None
    return TurnView(
        round_name=tell(game).round_name(),
        phase=t.state.phase,
        actors=actors,
        actor_names=names,
        entity=t.company.id if operating else " and ".join(names),
        facts=_company_facts(t) if operating else _player_facts(game, actors),
        steps=_steps(game) if operating else (),
        over=game.over,
    )


def _company_facts(t: Table) -> str:
    company = t.company
    trains = " ".join([*company.trains, *(f"{train}*" for train in company.obsolete)]) or "none"
    markers = "".join(f", {marker}" for marker in company.markers)
    token = f", token ${company.tokens[0]}" if company.tokens else ""
    return f"treasury ${company.cash}, trains {trains}{token}{markers}"


def _player_facts(game: Game, actors: Sequence[PlayerId]) -> str:
    if len(actors) != 1:
        return ""
    view = player_view(game, actors[0])
    tied = f" (${view.available} free)" if view.available != view.cash else ""
    facts = f"cash ${view.cash}{tied}, certificates {view.certificates}/{view.certificate_limit}"
    now = game.table.state.round
    return facts + (", priority deal" if isinstance(now, Stock) and view.priority else "")


def _steps(game: Game) -> tuple[tuple[str, bool, bool], ...]:
    current = game.step()
    done = game.table.turn.done
    say = tell(game).say
    operating = game.rules.ROUNDS["operating"]
    assert isinstance(operating, OperatingRound)
    return tuple(
        (say(fact(f"step.{step.name}")), step.name in done, current is not None and current.name == step.name)
        for step in operating.turn
        if not step.silent
        if step.name != "last_chance" or (current is not None and current.name == step.name)
    )


def score_view(game: Game) -> ScoreView:
    """The standing by net worth, final when the game is over (rulebook 12)."""
    t = game.table
    totals = game.scores()
    rows = []
    for player, total in totals.items():
        shares_held = holding_views(t, player)
        cash = t.state.player(player).cash
        rank = 1 + sum(other > total for other in totals.values())
        in_shares = sum(holding.value for holding in shares_held)
        rows.append(
            ScoreRow(rank, player, game.name(player), cash, shares_held, total - cash - in_shares, total)
        )
    return ScoreView(t.spec.name, _how_it_ended(game), tuple(rows))


def _how_it_ended(game: Game) -> str:
    ending = game.table.state.ending
    if ending is None:
        return f"Standing in {caption(game)}"
    words = tell(game).say(fact(f"ending.{ending.reason}"))
    return words[0].upper() + words[1:] + (f", {tell(game).round_name()}" if game.over else "")
