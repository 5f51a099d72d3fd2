"""Refusals that no golden game comes to, in positions set directly."""

from collections.abc import Callable
from typing import Any, Final

from engine.core.ids import OFFERING
from engine.core.state import Draft
from engine.titles.t18newengland.minors import available_minors
from tests.titles.builders import Position, TitleGame, new_game
from tests.titles.refusals.table import row
from tests.titles.t18al.alabama import Alabama
from tests.titles.t18chesapeake.lehigh import agreed, dear
from tests.titles.t18ms.mississippi import Mississippi
from tests.titles.t18newengland.newengland import NewEngland

SITE = "18xx.games"
LOG = 9
"""More actions than an example has: what it shows is asked while a log is read."""


def after(position: Position, kind: str, entity: str, **given: Any) -> TitleGame:
    game = position.game()
    game.do(kind, entity, **given)
    return game


# --- any title -----------------------------------------------------------------------------------------------------


def ended() -> TitleGame:
    game = new_game()
    for player in "abc":
        game.do("end_game", player)
    return game


def one_agreed() -> TitleGame:
    game = new_game()
    game.do("end_game", "b")
    return game


def prr(treasury: int = 0, step: str = "track") -> Position:
    return Position().phase("3").start("PRR", 80, a=60).treasury("PRR", treasury).operating("PRR", step)


def lehigh(step: str = "track", *trains: str, **options: Any) -> Position:
    """LV runs from Easton, and owns the privates of the two tiles and of the canal."""
    position = Position(**options).phase("3").start("LV", 95, a=60).trains("LV", *trains or ["2"])
    return position.owns("LV", "B&S", "C-P", "C&OC").operating("LV", step)


def running(*trains: str, **options: Any) -> Position:
    return lehigh("run", *trains, **options).tile("J2", "15", 4)


def joined_trains() -> TitleGame:
    """The trains run as one, as those of 18NewEngland may."""
    game = running("2", "3").game()
    rules = game.table.rules
    joining = [train.model_copy(update={"run_as_one_train": True}) for train in rules.spec.trains]
    rules.spec = rules.spec.model_copy(update={"trains": tuple(joining)})
    return game


def to_be_bought() -> TitleGame:
    """LV has laid its tile; that of the two privates could still be bought."""
    position = Position().phase("3").start("LV", 95, a=60).owns("a", "B&S").tile("J2", "57", 1)
    return after(position.trains("LV", "2").operating("LV"), "lay_tile", "LV", hex="I3", tile="7", rotation=4)


def one_tile_left() -> TitleGame:
    position = lehigh()
    position.t.map.supply.update({"8": 1, "9": 0})
    return position.game()


def nothing_for_sale() -> TitleGame:
    position = prr(900, "trains").trains("PRR", "2").start("LV", 80, b=60).trains("LV", "3")
    position.state.depot = dict.fromkeys(position.state.depot, 0)
    return position.game()


def trains_of_others() -> TitleGame:
    """LV must buy a train, and neither it nor Ann has a dollar: she sells first."""
    position = lehigh("trains", profile=SITE).trains("LV").treasury("LV", 0).cash(a=0).tile("J2", "15", 4)
    return position.start("PRR", 80, b=60).trains("PRR", "3").game()


def without_money() -> TitleGame:
    """SRR cannot pay the terrain of its home; it owns the private of two tiles."""
    position = Position().phase("3").start("SRR", 95, a=60).treasury("SRR", 0)
    return position.owns("SRR", "B&S").operating("SRR").game()


def own_seller() -> TitleGame:
    """Ann presides over LV and over PRR, which sells its 5."""
    position = dear().start("PRR", 95, at=(2, 4), a=30, b=20, c=20).start("N&W", 80, c=50, a=10)
    return after(position, "buy_train", "LV", **deal("5", "PRR", 380))


def at_train_limit() -> TitleGame:
    position = Position().phase("6").start("LV", 95, a=60).trains("LV", "4", "5").treasury("LV", 900)
    return position.depot(t6=1).operating("LV", "trains").game()


def above_certificates() -> TitleGame:
    """Ann has more certificates than 11, and can sell none of them."""
    position = Position(6).start("PRR", 80, at=(1, 5), a=20).owns("a", "D&R", "C-P", "B&S", "C&OC", "B&OR")
    for name, held in (("LV", 30), ("SRR", 40)):
        position.start(name, 80, a=60, market=40)
        position.state.companies[name].shares = {"market": 50, "a": held}
    return position.start("C&O", 70, at=(6, 1), b=20).game()


def deal(train: str, source: str, price: int) -> dict[str, Any]:
    return {"train": train, "source": source, "trade_in": "", "price": price}


LONG = "J4.b-3 J2.0-a J2.a-4 K1.1-a"
SHORT = "2:J2.a-4 K1.1-a"

# --- 18AL and 18TN -------------------------------------------------------------------------------------------------


def sold_for_a_train() -> TitleGame:
    """Ann has sold a share for $60; New Decatur Yards would make the $300 for the train $150."""
    position = Alabama().phase("4").cash(a=50, b=150).tiles(L5=("57", 2)).owns("a", "NDY")
    position.start("WRA", 60, a=60, b=20).treasury("WRA", 100).operating("WRA", "trains")
    return after(position, "sell_shares", "a", company="WRA", shares=1)


def train_of_tag() -> TitleGame:
    """WRA has no train and not a dollar; Ann could pay the 3 of the pool."""
    position = Alabama().phase("5").cash(a=500).tiles(L5=("57", 2)).pool("3")
    position.start("WRA", 60, a=30, b=20, market=50).treasury("WRA", 0)
    return position.start("TAG", 60, b=60).trains("TAG", "4").operating("WRA", "trains").game()


def yellow_bought() -> TitleGame:
    """Five players; Ann holds eleven certificates that count, and has bought one that does not."""
    position = Alabama(5).cash(a=400).start("ABC", 90, a=60, b=20).start("M&O", 90, a=60, b=20)
    position.start("WRA", 90, c=50, a=10, b=10).start("TAG", 60, at=(5, 1), b=40)
    return after(position, "buy_share", "a", company="TAG", source=OFFERING)


def trading(profile: str = "rulebook", **cash: int) -> Alabama:
    position = Alabama(profile=profile).cash(a=600, **cash).owns("a", "BLC")
    return position.start("TAG", 60, c=40, b=20)


def coal(*trains: str) -> TitleGame:
    """Anniston, with Oxmoor beside it and Birmingham behind that."""
    position = Alabama().start("ABC", 60, a=60).phase("3").owns("ABC", "SNAR").trains("ABC", *trains)
    return position.tiles(G6=("57", 1), G4=("441a", 5)).operating("ABC").game()


def first_set(*sellers: str) -> Position:
    position = Position(title="18tn").start("SR", 90, a=60).start("TC", 90, b=60)
    position.owns("b", "OWR", "TCC").owns("a", "MCR").operating("SR", set=1)
    position.t.operating_round.private_sellers.extend(sellers)
    return position


# --- 18NewEngland --------------------------------------------------------------------------------------------------


def all_reserved() -> TitleGame:
    game = new_game(title="18newengland")
    state = game.table.state
    assert isinstance(state.round, Draft)
    state.round.reserved = dict.fromkeys((minor.id for minor in available_minors(game.table)), "a")
    state.priority = 0
    game._skip_idle_steps()
    return game


def too_expensive() -> TitleGame:
    """Bob has reserved a minor, and has $119."""
    game = new_game(2, 73885, title="18newengland")
    game.table.state.player("b").cash = 119
    for player, minor in (("a", "CV"), ("b", "ER")):
        game.do("reserve", player, company=minor)
    return game


def spaces_taken() -> TitleGame:
    """Every space is a closed minor's."""
    position = NewEngland().cash(a=1000).major("CN", 100, b=40, a=10)
    position.state.flipped = [cell for _, cell in position.t.grid.spaces()]
    return position.game()


def minors_gone() -> TitleGame:
    position = NewEngland().cash(a=1000).major("CN", 100, b=40, a=10)
    for company in position.state.companies.values():
        company.closed = company.is_undivided
    return position.game()


def bankrupt() -> TitleGame:
    position = NewEngland().cash(a=100)
    position.state.player("c").bankrupt = True
    return position.game()


def two_minors(**facts: Any) -> NewEngland:
    """HRR and PE of player a, not joined by track."""
    position = NewEngland(**facts).minor("HRR", 50, "a", "2").minor("PE", 50, "a", "2", space=1)
    return position.merging()


def majors_gone() -> TitleGame:
    position = two_minors(profile=SITE, from_log=LOG)
    for name in ("B&A", "B&M", "CN", "CVT", "D&H", "NYC", "NYNHH", "P&W"):
        position.major(name, 100, b=20)
    return position.game()


def closed_major() -> NewEngland:
    position = two_minors().cash(a=500)
    position.state.companies["NYC"].closed = True
    return position


def of_bob() -> TitleGame:
    """WNR and FRR of player a, joined by track; HRR of player b."""
    position = NewEngland().minor("WNR", 70, "a", "2").minor("FRR", 50, "a", "2").tile("J5", "58", 1)
    return position.minor("HRR", 60, "b").merging().game()


def token_to_return() -> TitleGame:
    """CN has been formed of two minors of Albany."""
    position = NewEngland().minor("HRR", 50, "a", "2").minor("AWS", 60, "a", "2", space=1).cash(a=400)
    return after(position.merging(), "merge", "AWS", partner="HRR", major="CN")


def major(step: str, market: int = 20, *, from_log: int = 0, **held: int) -> NewEngland:
    position = NewEngland(profile=SITE if from_log else "rulebook", from_log=from_log)
    position.major("CN", 100, market=market, treasury=500, **held).trains("CN", "4")
    return position.operating("CN", step)


def green_hudson() -> TitleGame:
    """D&H may lay 63 in Hudson, where both would fit."""
    position = NewEngland(phase="5").tile("B5", "6", 0).tile("B5", "15", 0)
    position.major("D&H", 100, a=60, treasury=100).t.map.place_token("B5", 0, "D&H")
    return position.operating("D&H").game()


def trainless(treasury: int = 0, **cash: int) -> NewEngland:
    """FRR of player a has no train; PE has one."""
    position = NewEngland().minor("FRR", 50, "a", treasury=treasury).minor("PE", 60, "a", "3").cash(**cash)
    return position.operating("FRR", "trains", operated=["PE"])


def shares_of_two() -> TitleGame:
    """Two shares of CN sold together and one of B&A bring the $300 that are missing, one by one they do not."""
    position = trainless(a=0).phase("4").major("CN", 100, a=40, b=10)
    return position.major("B&A", 100, b=20, a=10).game()


def sold_for_minor() -> TitleGame:
    position = trainless(60, a=30).major("CN", 100, b=20, a=30)
    return after(position, "sell_shares", "a", company="CN", shares=1)


def no_trains() -> TitleGame:
    position = trainless(60)
    position.state.depot = dict.fromkeys(position.state.depot, 0)
    return position.game()


P: Final[dict[str, Callable[[], TitleGame | Position]]] = {
    "laid": lambda: after(lehigh().tile("J2", "57", 1), "lay_tile", "LV", hex="I3", tile="7", rotation=4),
    "minors_only": lambda: NewEngland().cash(a=1000).minor("HRR", 50, "a", "2"),
    "together": lambda: trainless(a=0).phase("4").major("CN", 100, a=50, b=10),
    "second_tile": lambda: after(lehigh(), "lay_tile", "B&S", hex="F4", tile="9", rotation=2),
    "free_token": lambda: after(lehigh(), "lay_tile", "C&OC", hex="D2", tile="57", rotation=1),
    "pair_taken": lambda: lehigh().tile("I3", "9", 1),
    "agreed": lambda: agreed(dear(shares=20), 480),
    "only_pool": lambda: dear().trains("PRR"),
    "closed_in_stock": lambda: closed_major().stock(),
    "short_of_cash": lambda: prr(30).owns("a", "C-P"),
    "best_required": lambda: running(options=["best_run_required"]),
    "seventy_percent": lambda: Position(title="18tn").start("TC", 70, at=(5, 2), a=70).cash(a=500),
    "nobody_has_cash": lambda: trading(b=0, c=0),
    "turn_of_b": lambda: after(trading(SITE).stock("a", 1), "buy_share", "a", company="TAG", source=OFFERING),
    "sold_by_bob": lambda: first_set("b"),
    "one_bought": lambda: after(first_set(), "buy_private", "SR", private="MCR", price=70),
    "issued": lambda: after(major("issue", from_log=LOG, b=20, a=20), "issue", "CN", offering=1, treasury=0),
    "redeemed": lambda: after(major("track", 40, from_log=LOG, b=20, a=20), "redeem", "CN", shares=1),
}

FOR_1: Final[dict[str, Any]] = {"private": "BLC", "price": 1}

ROWS = [
    row("consent.nothing_proposed", lambda: prr().game(), "answer", "a", reply="agree"),
    row("end_game.agreed_already", one_agreed, "end_game", "b"),
    row("game.no_such_move", to_be_bought, "close_private", "B&S", actor="a"),
    row("game.no_such_move", lambda: running().game(), "close_private", "a"),
    row("game.other_actor_for", lambda: Alabama().game(), "end_game", "b", actor="a"),
    row("game.over", ended, "bid", "a", private="CV", amount=205),
    row("forced.agreed_first", lambda: agreed(dear(), 390), "pass", "LV"),
    row("forced.cheapest_only", P["only_pool"], "buy_train", "LV", **deal("5", "bank", 500)),
    row("forced.no_longer_in_reach", P["agreed"], "sell_shares", "a", company="PRR", shares=1),
    row("forced.presidency_of_seller", own_seller, "sell_shares", "a", company="PRR", shares=2),
    row("limits.above_limit", above_certificates, "buy_share", "a", company="PRR", source=OFFERING),
    row("privates.free_token_elsewhere", P["free_token"], "place_token", "C&OC", hex="C13", city=0),
    row("privates.free_token_first", P["free_token"], "lay_tile", "LV", hex="I3", tile="7", rotation=4),
    row("privates.hexes_taken", P["pair_taken"], "lay_tile", "C-P", hex="H2", tile="9", rotation=2),
    row("privates.more_than_treasury", P["short_of_cash"], "buy_private", "PRR", private="C-P", price=60),
    row("privates.one_city", P["free_token"], "place_token", "C&OC", hex="D2", city=1),
    row("privates.second_tile_first", P["second_tile"], "lay_tile", "LV", hex="J2", tile="57", rotation=0),
    row("privates.takes_the_place", P["laid"], "lay_tile", "C&OC", hex="D2", tile="57", rotation=0),
    row("privates.too_few_tiles", one_tile_left, "lay_tile", "B&S", hex="F4", tile="8", rotation=2),
    row("routes.best_required", P["best_required"], "run_routes", "LV", routes=()),
    row("routes.each_train_once", lambda: running().game(), "run_routes", "LV", routes=(SHORT, SHORT)),
    row("routes.run_together", joined_trains, "run_routes", "LV", routes=(f"3:{LONG}",)),
    row("routes.shared_track", lambda: running("2", "2").game(), "run_routes", "LV", routes=(SHORT, SHORT)),
    row("routes.too_long", lambda: running().game(), "run_routes", "LV", routes=(f"2:{LONG}",)),
    row("track.lays_used_up", to_be_bought, "lay_tile", "a"),
    row("track.no_place", without_money, "lay_tile", "SRR"),
    row("train_limit.nobody_above", lambda: prr().game(), "discard_train", "PRR", train="2"),
    row("train_limit.only_exchange", at_train_limit, "buy_train", "LV", **deal("D", "bank", 900)),
    row("trains.no_dollar", trains_of_others, "buy_train", "LV", **deal("3", "PRR", 1)),
    row("trains.not_for_sale_none_new", nothing_for_sale, "buy_train", "PRR", train="5"),
    row("choice.no_company", P["nobody_has_cash"], "sell_shares", "a", company="?", shares=1),
    row("auction.all_sold", lambda: Alabama().game(), "bid", "a", private="TR", amount=45),
    row("forced.private_leaves_too_much", sold_for_a_train, "buy_private", "WRA", private="NDY", price=100),
    row("forced.too_much_left", sold_for_a_train, "sell_private", "a", private="NDY", buyer="b", price=150),
    row(
        "forced.never_bankrupt",
        lambda: Mississippi().start("IC", 90, a=60).operating("IC"),
        "declare_bankruptcy",
        "IC",
    ),
    row("forced.treasury_only", train_of_tag, "buy_train", "WRA", **deal("4", "TAG", 1)),
    row("limits.sell_certificates", yellow_bought, "pass", "a"),
    row("limits.sell_holding", P["seventy_percent"], "pass", "a"),
    row("private_trade.no_buyer", P["nobody_has_cash"], "sell_private", "a", buyer="b", **FOR_1),
    row("private_trade.on_buyers_turn", P["turn_of_b"], "sell_private", "b", buyer="a", **FOR_1),
    row("privates.company_has_bought", P["one_bought"], "buy_private", "SR", private="OWR", price=100),
    row("privates.marker_needs_a_train", coal, "place_marker", "SNAR", hex="G6"),
    row("privates.marker_not_reached", lambda: coal("3"), "place_marker", "SNAR", hex="H3"),
    row("privates.player_has_sold", P["sold_by_bob"], "buy_private", "SR", private="OWR", price=100),
    row("buying.closed", P["closed_in_stock"], "buy_share", "a", company="NYC", source=OFFERING),
    row("buying.none_formed", P["minors_only"], "buy_share", "a"),
    row("draft.none_left", all_reserved, "reserve", "a", company="HRR"),
    row("draft.too_expensive", too_expensive, "start_minor", "b", company="ER", value=60, space="top"),
    row("forced.sold_together", P["together"], "sell_shares", "a", company="CN", shares=1),
    row("forced.train_out_of_reach", shares_of_two, "sell_shares", "a", company="CN", shares=1),
    row("game.other_actor", bankrupt, "end_game", None, actor="c"),
    row("issue.none_left", lambda: major("track", 40, b=30, a=30).game(), "issue", "CN"),
    row("liquidation.sold_for_a_train", sold_for_minor, "liquidate", "FRR"),
    row("merger.closed", lambda: closed_major().game(), "convert", "HRR", major="NYC"),
    row("merger.no_route_to_another", lambda: two_minors().game(), "merge", "HRR", partner="PE", major="CN"),
    row("merger.no_token_there", token_to_return, "return_token", "CN", hex="B3", city=2),
    row("merger.none_to_form", majors_gone, "merge", "HRR", partner="PE", major="CN"),
    row("merger.of_another", of_bob, "merge", "WNR", partner="HRR", major="CN"),
    row("minors.no_space_left", spaces_taken, "start_minor", "a", company="PE", value=50, space="top"),
    row("minors.none_left", minors_gone, "start_minor", "a"),
    row("redeem.has_issued", P["issued"], "redeem", "CN", shares=1),
    row("redeem.once_a_turn", P["redeemed"], "redeem", "CN", shares=1),
    row("track.gives_way", green_hudson, "lay_tile", "D&H", hex="B5", tile="611", rotation=0),
    row("trains.none_left", no_trains, "liquidate", "FRR"),
]
