"""Examples of the reasons of 18NewEngland that no golden game comes to."""

from engine.core.ids import OFFERING
from engine.core.state import Draft
from engine.game import Game
from engine.titles.t18newengland.minors import available_minors
from tests.reasons.examples import example
from tests.titles.builders import do, new_game
from tests.titles.t18newengland.newengland import NewEngland

SITE = "18xx.games"
LOG = 9
"""More actions than an example has: what it shows is asked while a log is read."""


def all_reserved() -> Game:
    """Player a has reserved every minor that was drawn."""
    game = new_game(title="18newengland")
    state = game.table.state
    assert isinstance(state.round, Draft)
    state.round.reserved = dict.fromkeys((minor.id for minor in available_minors(game.table)), "a")
    state.priority = 0
    game._settle()
    return game


def two_minors(**facts: object) -> NewEngland:
    """HRR and PE of player a, not joined by track."""
    position = NewEngland(**facts)  # type: ignore[arg-type]
    return position.minor("HRR", 50, "a", "2").minor("PE", 50, "a", "2", space=1).merging()


def not_joined() -> Game:
    """Each could be converted."""
    return two_minors().game()


def majors_gone() -> Game:
    """Every major has been started."""
    position = two_minors(profile=SITE, from_log=LOG)
    for name in ("B&A", "B&M", "CN", "CVT", "D&H", "NYC", "NYNHH", "P&W"):
        position.major(name, 100, b=20)
    return position.game()


def major(step: str, market: int = 20, *, from_log: int = 0, **held: int) -> Game:
    """CN operates."""
    position = NewEngland(profile=SITE if from_log else "rulebook", from_log=from_log)
    position.major("CN", 100, market=market, treasury=500, **held).trains("CN", "4")
    return position.operating("CN", step).game()


def issued() -> Game:
    """CN has issued a share, and may issue more."""
    game = major("issue", from_log=LOG, b=20, a=20)
    do(game, "issue", "CN", offering=1, treasury=0)
    return game


def redeemed() -> Game:
    """CN has redeemed a share, and there are more."""
    game = major("track", 40, from_log=LOG, b=20, a=20)
    do(game, "redeem", "CN", shares=1)
    return game


def closed_major() -> NewEngland:
    """NYC has closed."""
    position = two_minors().cash(a=500)
    position.state.companies["NYC"].closed = True
    return position


def all_sold() -> Game:
    """Players and market have all shares of CN."""
    return major("track", 40, b=30, a=30)


def trainless(treasury: int) -> NewEngland:
    """FRR of player a has no train; PE has one."""
    position = NewEngland().minor("FRR", 50, "a", treasury=treasury).minor("PE", 60, "a", "3")
    return position.operating("FRR", "trains", operated=["PE"])


def shares_of_two() -> Game:
    """Two shares of CN sold together and one of B&A bring the $300 that are missing, one by one they do not."""
    position = trainless(0).cash(a=0).phase("4").major("CN", 100, a=40, b=10)
    return position.major("B&A", 100, b=20, a=10).game()


def no_trains() -> Game:
    """Bank and pool have sold everything."""
    position = trainless(60)
    position.state.depot = dict.fromkeys(position.state.depot, 0)
    return position.game()


def bankrupt() -> Game:
    """Player c is bankrupt, and the others play on."""
    position = NewEngland().cash(a=100)
    position.state.player("c").bankrupt = True
    return position.game()


example("draft.none_left", all_reserved, "reserve", "a", company="HRR")
example("merger.no_route_to_another", not_joined, "merge", "HRR", partner="PE", major="CN")
example("merger.none_to_form", majors_gone, "merge", "HRR", partner="PE", major="CN")
example(
    "buying.closed",
    lambda: closed_major().stock("a").game(),
    "buy_share",
    "a",
    company="NYC",
    source=OFFERING,
)
example("merger.closed", lambda: closed_major().game(), "convert", "HRR", major="NYC")
example("redeem.once_a_turn", redeemed, "redeem", "CN", shares=1)
example("redeem.has_issued", issued, "redeem", "CN", shares=1)
example("issue.none_left", all_sold, "issue", "CN")
example("forced.train_out_of_reach", shares_of_two, "sell_shares", "a", company="CN", shares=1)
example("trains.none_left", no_trains, "liquidate", "FRR")
example("game.other_actor", bankrupt, "end_game", None, actor="c")
