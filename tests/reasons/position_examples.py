"""Examples of refusals that no golden game comes to, in positions set directly."""

from engine.game import Game
from tests.reasons.examples import example
from tests.titles.builders import Position, do
from tests.titles.t18al.alabama import Alabama
from tests.titles.t18newengland.newengland import NewEngland


def stock_of_minors(cash: int = 1000) -> Game:
    """Nobody has formed a major."""
    return NewEngland().cash(a=cash).minor("HRR", 50, "a", "2").game()


def spaces_taken() -> Game:
    """Every space is a closed minor's."""
    position = NewEngland().cash(a=1000).major("CN", 100, b=40, a=10)
    position.state.flipped = [cell for _, cell in position.t.grid.spaces()]
    return position.game()


def minors_gone() -> Game:
    """Every minor has closed."""
    position = NewEngland().cash(a=1000).major("CN", 100, b=40, a=10)
    for company in position.state.companies.values():
        company.closed = company.undivided
    return position.game()


def lehigh(**turn: object) -> Game:
    """LV lays track; it owns the privates of the two tiles and of the canal."""
    position = Position().phase("3").start("LV", 95, a=60).owns("LV", "B&S", "C-P", "C&OC").trains("LV", "2")
    return position.operating("LV", **turn).game()  # type: ignore[arg-type]


def second_tile() -> Game:
    """The first of two tiles lies."""
    game = lehigh()
    do(game, "lay_tile", "B&S", hex="F4", tile="9", rotation=2)
    return game


def free_token() -> Game:
    """The canal's station is due."""
    game = lehigh()
    do(game, "lay_tile", "C&OC", hex="D2", tile="57", rotation=1)
    return game


def no_trains() -> Game:
    """Bank and pool have sold everything; LV has another train."""
    position = Position().phase("3").start("PRR", 80, a=60).trains("PRR", "2").treasury("PRR", 900)
    for name in position.state.depot:
        position.state.depot[name] = 0
    return position.start("LV", 80, b=60).trains("LV", "3").operating("PRR", "trains").game()


def without_money() -> Game:
    """SRR cannot pay the terrain of its home; it owns the private of two tiles."""
    return (
        Position()
        .phase("3")
        .start("SRR", 95, a=60)
        .treasury("SRR", 0)
        .owns("SRR", "B&S")
        .operating("SRR")
        .game()
    )


def to_be_bought() -> Game:
    """LV has laid its tile; that of the two privates could still be bought."""
    position = Position().phase("3").start("LV", 95, a=60).owns("a", "B&S").tile("J2", "57", 1)
    game = position.trains("LV", "2").operating("LV").game()
    do(game, "lay_tile", "LV", hex="I3", tile="7", rotation=4)
    return game


def sold_for_a_train() -> Game:
    """Player a has sold a share for $60; New Decatur Yards would make the $300 for the train $150."""
    position = Alabama().phase("4").cash(a=50, b=150).tiles(L5=("57", 2)).owns("a", "NDY")
    game = position.start("WRA", 60, a=60, b=20).treasury("WRA", 100).operating("WRA", "trains").game()
    do(game, "sell_shares", "a", company="WRA", shares=1)
    return game


def running() -> Game:
    """LV runs from Easton."""
    position = Position().phase("3").start("LV", 95, a=60).tile("J2", "15", 4).trains("LV", "2")
    return position.operating("LV", "run").game()


example("buying.none_formed", stock_of_minors, "buy_share", "a")
example("consent.nothing_proposed", running, "answer", "a", reply="agree")
example("minors.no_space_left", spaces_taken, "start_minor", "a", company="PE", value=50, space="top")
example("minors.none_left", minors_gone, "start_minor", "a")
example("privates.second_tile_first", second_tile, "lay_tile", "LV", hex="J2", tile="57", rotation=0)
example("privates.one_city", free_token, "place_token", "C&OC", hex="D2", city=1)
example("trains.not_for_sale_none_new", no_trains, "buy_train", "PRR", train="5")
example("routes.each_train_once", running, "run_routes", "LV", routes=("2:J2.a-4 K1.1-a", "2:J2.a-4 K1.1-a"))
example("track.no_place", without_money, "lay_tile", "SRR")
example("track.lays_used_up", to_be_bought, "lay_tile", "a")
example("game.no_such_move", to_be_bought, "close_private", "B&S", actor="a")
example("game.no_such_move", running, "close_private", "a")
example("forced.private_leaves_too_much", sold_for_a_train, "buy_private", "WRA", private="NDY", price=100)
example("choice.no_company", sold_for_a_train, "sell_shares", "a", company="?", shares=1)
