"""18C2C: an example of every refusal that only this title gives."""

from collections.abc import Callable
from typing import Any, Final

from engine.core.state import ExtraTokens, MarkerSupply
from tests.titles.builders import Position, TitleGame, new_game
from tests.titles.refusals.examples import after
from tests.titles.refusals.table import row
from tests.titles.t18c2c.merging import Merging, example_13, merged, prr, two_shells
from tests.titles.t18c2c.rails import COLOURS, TO_CHICAGO, rails

FULL = "18c2c-full"


def packet(title: str = "18c2c") -> TitleGame:
    game = new_game(4, title=title)
    game.table.state.priority = game.table.stock_round.turn = 0
    game._skip_idle_steps()
    return game


def one_removed() -> TitleGame:
    game = packet()
    game.do("remove_private", "a", private="KTC")
    return game


def for_nothing() -> TitleGame:
    game = new_game(2, title=FULL, options=("no_eliminations",))
    game.table.state.priority = game.table.stock_round.turn = 0
    for private in game.table.state.privates.values():
        private.closed = private.id not in {"GRS", "MRB", "SVR", "KTC"}
    game._skip_idle_steps()
    for player in "abababab":
        game.do("pass", player)
    return game


def position(*options: str, title: str = "18c2c") -> Position:
    return Position(4, title=title, options=options)


def sold_then_bought() -> TitleGame:
    where = position().start("PRR", 82, a=40, b=20).cash(a=500)
    return where.stock("a", 3, bought="PRR", sold_first=True, acted=True).owns("b", "KTC").game()


def from_a_brown_cell() -> TitleGame:
    where = position().start("ERIE", 82, at=(6, 1), a=40, b=30).cash(a=500)
    return where.stock("a", 3, bought="ERIE", acted=True).game()


def redemption_only() -> TitleGame:
    where = position().start("SOU", 82, market=10, a=40, b=20).treasury("SOU", 300)
    where.state.companies["SOU"].floated = True
    return where.cash(a=0).stock("a", 3, bought="SOU", sold_first=True, acted=True).game()


def redeeming(market: int = 20, *, treasury: int = 300, stock: dict[str, Any] | None = None) -> Position:
    where = position().start("SOU", 82, market=market, a=40, b=10).treasury("SOU", treasury)
    where.state.companies["SOU"].floated = True
    return where.start("PRR", 82, b=30).stock("a", 2, **(stock or {}))


def sixty() -> Position:
    return position().start("PRR", 82, a=60, b=30).start("ERIE", 82, a=40).cash(a=500)


def with_mohawk(owner: str) -> Position:
    return position(title=FULL).owns(owner, "MHR", "KTC")


def two_pairs() -> Merging:
    found = example_13().single("SOU", 7, 5, a=60).single("N&W", 7, 6, a=60)
    return found.joined("N&W", "SOU")


def one_merged() -> TitleGame:
    game = merged(two_pairs())
    game.do("pass", "B&O")
    game.do("pass", "b") if game.actors() == ("b",) else None
    return game


def not_operated() -> TitleGame:
    found = two_pairs()
    found.state.companies["PRR"].operated = False
    return found.game()


def scattered() -> TitleGame:
    found = two_pairs().single("IC", 9, a=20).single("WAB", 7, 4, b=20)
    return found.without_space("IC", "P63").without_space("WAB", "P63").game()


def own_only() -> TitleGame:
    found = two_pairs()
    unions = found.t.spec.unions
    assert unions is not None
    found.t.spec = found.t.spec.model_copy(update={"unions": unions.model_copy(update={"consent": "own"})})
    return found.game()


def refused_once() -> TitleGame:
    game = two_pairs().single("L&N", 7, 4, b=60).without_space("L&N", "P63").game()
    game.do("propose_merger", "a", company="SOU", partner="L&N")
    game.do("answer", "b", actor="b", reply="refuse")
    return game


def memphis(owner: str | None = None, *, used: bool = False, **turn: Any) -> TitleGame:
    where = Position(title=FULL).start("SSW", 82, a=60).treasury("SSW", 500).operating("SSW", **turn)
    bridge = where.state.privates["MRB"]
    bridge.closed, bridge.owner, bridge.power_used = False, owner, used
    return where.game()


def special() -> TitleGame:
    where = prr("3", "trains")
    where.state.companies["PRR"].tokens = []
    where.state.companies["PRR"].extra = ExtraTokens([40], ["PRR"])
    return where.game()


def bull() -> TitleGame:
    where = prr("3", "token")
    where.state.companies["PRR"].tokens = []
    where.state.companies["PRR"].extra = ExtraTokens([40], bulls=1)
    return where.game()


def to_chicago() -> TitleGame:
    where = Position(title="18c2c").phase("3D").start("NYC", 100, a=60).trains("NYC", "5")
    where.operating("NYC", "destination")
    where.state.companies["NYC"].extra = ExtraTokens([40], ["NYC"])
    return rails(where, TO_CHICAGO, **COLOURS).game()


def running() -> TitleGame:
    where = Position(title="18c2c").phase("3").start("NYC", 100, a=60).trains("NYC", "2")
    return rails(where.operating("NYC", "run"), "I78-J77-K78", K78="green").game()


def proven() -> TitleGame:
    where = Position(title=FULL).phase("3D").start("NP", 100, a=60).trains("NP", "3D").operating("NP", "run")
    line = "-".join(f"E{column}" for column in range(4, 49, 2)) + "-F49"
    game = rails(where, line).game()
    game.do("prove_run", "NP")
    return game


def prospecting() -> Position:
    return prr("5").owns("PRR", "EPP")


def brown_cincinnati() -> TitleGame:
    where = prospecting()
    for tile in ("57", "14", "63"):
        where.tile("M62", tile)
    return where.game()


def all_named() -> TitleGame:
    where = prospecting()
    for coord in where.t.map.coords:
        if where.t.map.topology(coord).stops:
            where.t.map.relabel(coord, "K")
    return where.game()


def engineers(phase: str = "4", *, cash: int = 500, held: int = 0) -> TitleGame:
    where = prr(phase, cash=cash).owns("b", "ACE")
    if held:
        where.state.companies["PRR"].held["Engineer"] = held
        where.state.supplies["Engineer"] = MarkerSupply(4)
    return where.game()


def shares_left() -> TitleGame:
    where = position().phase("4D").start("SOU", 82, a=60).treasury("SOU", 90).cash(a=100)
    where.start("WAB", 82, b=60, a=10).operating("SOU", "trains")
    return rails(where, "S62-S64-T65-U66").game()


P: Final[dict[str, Callable[[], TitleGame | Position]]] = {
    "late_packet": lambda: position().start("PRR", 82, a=40).stock("a", 11, first=True),
    "floating": lambda: after(
        position().start("B&O", 100, a=30, b=20).cash(a=500),
        "buy_share",
        "a",
        company="B&O",
        source="offering",
    ),
    "from_players": lambda: position().start("SOU", 82, a=40, b=30).treasury("SOU", 300),
    "asked": lambda: after(example_13(), "propose_merger", "a", company="B&O", partner="PRR"),
    "far_from_mountains": lambda: (
        position().start("IC", 82, a=60).phase("3").operating("IC").owns("IC", "KTC")
    ),
    "early_for_cp": lambda: position().start("CP", 82, a=60).operating("CP").owns("b", "KTC"),
    "nationals": lambda: position().start("PRR", 82, a=40).cash(a=500),
    "redeemed": lambda: redeeming(),
    "once": lambda: redeeming(stock={"own_shares": ["SOU"]}),
    "poor": lambda: redeeming(treasury=81),
    "six_out": lambda: redeeming(market=10),
    "privatizing": lambda: sixty(),
    "alone": lambda: position().start("PRR", 82, a=60).cash(a=500),
    "too_poor": lambda: sixty().cash(a=102),
    "forty": lambda: position().start("PRR", 82, a=40, b=30).cash(a=500),
    "without": lambda: position("no_privatization").start("PRR", 82, a=60, b=30).cash(a=500),
    "mohawk": lambda: with_mohawk("a"),
    "mohawk_of_b": lambda: with_mohawk("b"),
    "no_share_left": lambda: with_mohawk("a").start("NYC", 82, b=100),
    "unfloated": lambda: position().start("PRR", 82, a=30, b=20),
    "proposing": lambda: two_pairs(),
    "unjoined": lambda: two_pairs().single("GM&O", 7, 4, a=60).single("CP", 7, 2, b=60),
    "just_merged": lambda: merged(example_13()),
    "shuffling": lambda: two_shells("3 4", "").operating("B&O"),
    "shuffled": lambda: two_shells("3 4", "").operating("B&O", shuffled=True),
    "has_run": lambda: two_shells("3 4", "").operating("B&O", "trains"),
    "alike": lambda: two_shells("4 4", "4 4", "5").operating("B&O"),
    "three_on_two": lambda: two_shells("5 3", "4", "5").operating("B&O"),
    "one_shell": lambda: Merging().single("B&O", 7, a=60, trains="3 4").operating("B&O"),
    "crowded": lambda: two_shells("3 4 3", "5", "5").operating("B&O", "trains"),
    "laying": lambda: prr().owns("PRR", "KTC"),
    "one_point": lambda: prr(points={"M72": 1, "N73": 1}),
    "laid": lambda: prr(lays=["L69"], points={"L69": 1}),
    "bridge": lambda: memphis("SSW"),
    "bridged": lambda: memphis("SSW", used=True),
    "bridge_alone": lambda: memphis("SSW", points={"O52": 1, "O54": 2}),
    "buying": lambda: prr("3", "trains"),
    "owning": lambda: prr().owns("PRR", "AZF").owns("b", "GSC"),
    "labelled": lambda: prr().owns("PRR", "EPP", used=True),
    "for_tiles": lambda: prr("2", at_once=["EPP"]).owns("PRR", "EPP"),
    "naming": lambda: prospecting(),
    "early": lambda: prr("2", title=FULL).owns("b", "KTC", "AZF", "MRB"),
    "late": lambda: prr("2", "trains").owns("b", "EPP"),
    "before_4": lambda: engineers("3"),
    "without_money": lambda: engineers(cash=49),
    "marker": lambda: engineers(held=1),
}


def laid(coord: str, tile: str) -> dict[str, Any]:
    return {"hex": coord, "tile": tile, "rotation": 0}


ROWS = [
    row("packet.removals_first", packet, "bid", "a", private="KTC", amount=40),
    row("packet.kept", lambda: packet(FULL), "remove_private", "a", private="MRB"),
    row("packet.removed_already", one_removed, "remove_private", "b", private="KTC"),
    row("auction.taken_first", for_nothing, "pass", "b"),
    row("selling.first_with_shares", P["late_packet"], "sell_shares", "a", company="PRR", shares=1),
    row("stock.sold_before_purchase", sold_then_bought, "sell_shares", "a", company="PRR", shares=1),
    row("stock.several_from_market", from_a_brown_cell, "buy_share", "a", company="ERIE", source="market"),
    row("stock.only_beside_trading", redemption_only, "lay_tile", "a", hex="L69", tile="5", rotation=0),
    row("buying.not_formed", P["nationals"], "buy_share", "a", company="AMTK", source="market"),
    row("buying.not_by_players", P["nationals"], "par", "a", company="AMTK", price=100),
    row("float_tokens.decided_first", P["floating"], "pass", "a"),
    row("float_tokens.prices", P["floating"], "buy_tokens", "B&O", tokens="40+40"),
    row("float_tokens.nobody_floats", P["nationals"], "buy_tokens", "a", tokens="40"),
    row("own_shares.no_company", lambda: redeeming().stock("c").game(), "reissue", "c"),
    row("own_shares.not_president", P["redeemed"], "redeem_share", "a", company="PRR", source="market"),
    row("own_shares.once_a_round", P["once"], "redeem_share", "a", company="SOU", source="market"),
    row("own_shares.none_redeemed", P["redeemed"], "reissue", "a", company="SOU"),
    row("own_shares.too_dear", P["poor"], "redeem_share", "a", company="SOU", source="market"),
    row("own_shares.too_few_left", P["six_out"], "redeem_share", "a", company="SOU", source="market"),
    row("own_shares.market_first", P["redeemed"], "redeem_share", "a", company="SOU", source="b"),
    row("own_shares.holds_none", P["from_players"], "redeem_share", "a", company="SOU", source="c"),
    row("privatizing.never", P["without"], "privatize", "a", company="PRR", seller="b"),
    row("privatizing.holds_too_little", P["privatizing"], "privatize", "a", company="ERIE", seller="b"),
    row("privatizing.nobody_else", P["alone"], "privatize", "a", company="PRR", seller="b"),
    row("privatizing.too_dear", P["too_poor"], "privatize", "a", company="PRR", seller="b"),
    row("privatizing.of_no_company", P["forty"], "privatize", "a"),
    row("privatizing.not_from", P["privatizing"], "privatize", "a", company="PRR", seller="c"),
    row("exchange.no_private", P["mohawk_of_b"], "exchange_private", "a", source="offering"),
    row("exchange.in_your_turn", P["mohawk_of_b"], "exchange_private", "MHR", source="offering"),
    row("exchange.not_yours", P["mohawk_of_b"], "exchange_private", "MHR", actor="a", source="offering"),
    row("exchange.for_nothing", P["mohawk"], "exchange_private", "KTC", source="offering"),
    row("exchange.no_share", P["no_share_left"], "exchange_private", "MHR", source="offering"),
    row("own_shares.not_floated", P["unfloated"], "redeem_share", "a", company="PRR", source="b"),
    row("merger.proposes_now", P["proposing"], "lay_tile", "a", hex="L69", tile="5", rotation=0),
    row("merger.single_only", one_merged, "propose_merger", "a", company="SOU", partner="B&O"),
    row("merger.not_operated", not_operated, "propose_merger", "a", company="SOU", partner="PRR"),
    row("merger.no_track_between", P["proposing"], "propose_merger", "a", company="SOU", partner="B&O"),
    row("merger.presides_over_one", own_only, "propose_merger", "a", company="SOU", partner="PRR"),
    row("merger.refused_before", refused_once, "propose_merger", "b", company="L&N", partner="SOU"),
    row("merger.nobody_to_preside", scattered, "propose_merger", "a", company="IC", partner="WAB"),
    row("merger.presides_over_neither", P["unjoined"], "propose_merger", "a", company="CP", partner="GM&O"),
    row("merger.no_partner_left", P["unjoined"], "propose_merger", "a", company="GM&O", partner="SOU"),
    row("merger.shells_first", P["just_merged"], "propose_merger", "a", company="SOU", partner="N&W"),
    row("merger.with_itself", P["proposing"], "propose_merger", "a", company="SOU", partner="SOU"),
    row("merger.named_first", P["proposing"], "propose_merger", "a", company="PRR", partner="B&O"),
    row("consent.asked_first_for_merger", P["asked"], "pass", "b"),
    row("consent.not_your_reply_for_merger", P["asked"], "answer", "b", reply="withdraw"),
    row("merger.one_shell", P["one_shell"], "shuffle", "B&O", first="3"),
    row("merger.shuffled_before", P["shuffled"], "shuffle", "B&O", first="3"),
    row("merger.shuffles_before_running", P["has_run"], "shuffle", "B&O", first="3"),
    row("merger.no_other_way", P["alike"], "shuffle", "B&O", first="4"),
    row("merger.not_its_trains", P["shuffling"], "shuffle", "B&O", first="6D"),
    row("merger.lie_so_already", P["shuffling"], "shuffle", "B&O", first="4 3"),
    row("merger.no_such_way", P["three_on_two"], "shuffle", "B&O", first="5 3 4"),
    row("merger.named_otherwise", P["three_on_two"], "shuffle", "B&O", first="4 5"),
    row("train_limit.shell_first", P["crowded"], "pass", "B&O"),
    row("train_limit.on_the_other_shell", P["crowded"], "discard_train", "B&O", train="5"),
    row("track.points_used_up", P["bridge_alone"], "lay_tile", "SSW", hex="Q54", tile="57", rotation=0),
    row("track.too_few_points", P["one_point"], "lay_tile", "PRR", hex="L69", tile="14", rotation=0),
    row("track.one_tile_a_hex", P["laid"], "lay_tile", "PRR", hex="L69", tile="14", rotation=0),
    row("track.no_bridge", memphis, "lay_tile", "SSW", hex="Q54", tile="57", rotation=1),
    row("track.bridge_must_cross", P["bridge"], "lay_tile", "MRB", actor="a", **laid("Q54", "57")),
    row("privates.helps_elsewhere", P["laying"], "lay_tile", "KTC", actor="a", **laid("L69", "14")),
    row("privates.helps_nowhere", P["far_from_mountains"], "lay_tile", "KTC", actor="a"),
    row("privates.has_helped", P["bridged"], "lay_tile", "MRB", actor="a", hex="Q54", tile="57", rotation=1),
    row("token.no_bull", P["buying"], "place_bull", "PRR", hex="L71", city=0),
    row("token.only_special", special, "place_token", "PRR", hex="L71", city=0),
    row("token.only_special", bull, "place_token", "a"),
    row("token.only_special", bull, "place_token", "KTC", actor="a"),
    row("routes.no_proof", running, "prove_run", "NYC"),
    row("routes.no_proof_left", proven, "prove_run", "NP"),
    row("routes.to_destination_now", to_chicago, "par", "a", company="PRR", price=82),
    row("routes.one_to_destination", to_chicago, "run_routes", "NYC", routes=()),
    row("routes.not_to_destination", to_chicago, "run_routes", "NYC", routes=("5:I78.0-a I70.0-a",)),
    row("dividend.no_destination_run", P["buying"], "dividend", "PRR", option="pay"),
    row("privates.closed_by_its_owner", P["owning"], "close_private", "GSC", actor="a"),
    row("privates.closing_brings_nothing", P["owning"], "close_private", "AZF", actor="a"),
    row("privates.none_to_close", P["owning"], "close_private", "a"),
    row("privates.label_given", P["labelled"], "close_private", "EPP", actor="a"),
    row("privates.for_tiles_only", P["for_tiles"], "place_marker", "EPP", actor="a", hex="I78"),
    row("privates.no_city_for_label", P["naming"], "place_marker", "EPP", actor="a", hex="D63"),
    row("privates.too_late_for_label", brown_cincinnati, "place_marker", "EPP", actor="a", hex="M62"),
    row("privates.no_city_left", all_named, "place_marker", "EPP", actor="a", hex="M62"),
    row("privates.not_early", P["early"], "buy_private", "PRR", private="AZF", price=50),
    row("privates.early_on_the_river", P["early"], "buy_private", "PRR", private="MRB", price=40),
    row("privates.early_for_based", P["early_for_cp"], "buy_private", "CP", private="KTC", price=40),
    row("privates.too_late_for_tiles", P["late"], "buy_private", "PRR", private="EPP", price=50),
    row("privates.sells_no_markers", engineers, "buy_marker", "PRR", private="AZF", source="bank"),
    row("privates.marker_not_sold", P["before_4"], "buy_marker", "PRR", private="ACE", source="bank"),
    row("privates.marker_too_dear", P["without_money"], "buy_marker", "PRR", private="ACE", source="bank"),
    row("privates.one_marker_is_enough", P["marker"], "buy_marker", "PRR", private="ACE", source="bank"),
    row("privates.marker_not_from", engineers, "buy_marker", "PRR", private="ACE", source="B&O"),
    row("forced.sold_out_first", shares_left, "declare_bankruptcy", "SOU"),
]
