"""Examples of the reasons that only 18C2C gives, and of those that have another cause there."""

from typing import Any, Final

from engine.core.spec import Colour
from engine.core.state import ExtraTokens, MarkerSupply
from engine.game import Game
from tests.reasons.examples import example
from tests.titles.builders import Position, do, new_game
from tests.titles.t18c2c.merging import Merging, example_13, merged
from tests.titles.t18c2c.rails import rails

FULL = "18c2c-full"


# --- the packet --------------------------------------------------------------------------------------------------


def packet(title: str = "18c2c") -> Game:
    """Before the first removal; player a begins."""
    game = new_game(4, title=title)
    game.table.state.priority = game.table.stock.turn = 0
    game._settle()
    return game


def full_packet() -> Game:
    """That of the full game."""
    return packet(FULL)


def one_removed() -> Game:
    """Player a has removed the Tunnel; b removes the next private."""
    game = packet()
    do(game, "remove_private", "a", private="KTC")
    return game


def for_nothing() -> Game:
    """Two privates on top that cost nothing any more; a has had to take the first."""
    game = new_game(2, title=FULL, options=("no_eliminations",))
    game.table.state.priority = game.table.stock.turn = 0
    for private in game.table.state.privates.values():
        private.closed = private.id not in {"GRS", "MRB", "SVR", "KTC"}
    game._settle()
    for player in "abababab":
        do(game, "pass", player)
    return game


example("packet.removals_first", packet, "bid", "a", private="KTC", amount=40)
example("packet.kept", full_packet, "remove_private", "a", private="MRB")
example("packet.removed_already", one_removed, "remove_private", "b", private="KTC")
example("auction.taken_first", for_nothing, "pass", "b")


# --- stock rounds ------------------------------------------------------------------------------------------------


def position(*options: str, title: str = "18c2c") -> Position:
    """Four players in a stock round, player a on turn; all privates closed."""
    return Position(4, title=title, options=options)


def late_packet() -> Game:
    """Round 11, in which the last private was sold."""
    return position().start("PRR", 82, a=40).stock("a", 11, first=True).game()


def sold_then_bought() -> Game:
    """Player a sold before the purchase of the turn."""
    where = position().start("PRR", 82, a=40, b=20).cash(a=500)
    return where.stock("a", 3, bought="PRR", sold_first=True, acted=True).owns("b", "KTC").game()


def from_a_brown_cell() -> Game:
    """Player a has bought the last share that the pool had of a corporation in a brown cell."""
    where = position().start("ERIE", 82, at=(6, 1), a=40, b=30).cash(a=500)
    return where.stock("a", 3, bought="ERIE", acted=True).game()


def redemption_only() -> Game:
    """Only a redemption is left in the turn of player a."""
    where = position().start("SOU", 82, market=10, a=40, b=20).treasury("SOU", 300)
    where.state.companies["SOU"].floated = True
    return where.cash(a=0).stock("a", 3, bought="SOU", sold_first=True, acted=True).game()


def nationals() -> Game:
    """No national has formed."""
    return position().start("PRR", 82, a=40).cash(a=500).game()


def floating() -> Game:
    """The B&O has just floated at $100."""
    game = position().start("B&O", 100, a=30, b=20).cash(a=500).game()
    do(game, "buy_share", "a", company="B&O", source="offering")
    return game


example("selling.first_with_shares", late_packet, "sell_shares", "a", company="PRR", shares=1)
example("stock.sold_before_purchase", sold_then_bought, "sell_shares", "a", company="PRR", shares=1)
example("stock.several_from_market", from_a_brown_cell, "buy_share", "a", company="ERIE", source="market")
example("stock.only_beside_trading", redemption_only, "lay_tile", "a", hex="L69", tile="5", rotation=0)
example("buying.not_formed", nationals, "buy_share", "a", company="AMTK", source="market")
example("buying.not_by_players", nationals, "par", "a", company="AMTK", price=100)
example("float_tokens.decided_first", floating, "pass", "a")
example("float_tokens.prices", floating, "buy_tokens", "B&O", tokens="40+40")
example("float_tokens.nobody_floats", nationals, "buy_tokens", "a", tokens="40")


# --- own shares, privatization, the Mohawk & Hudson ----------------------------------------------------------------


def redeeming(market: int = 20, *, treasury: int = 300, stock: dict[str, Any] | None = None) -> Position:
    """The SOU of player a at $82, with five shares of players."""
    where = position().start("SOU", 82, market=market, a=40, b=10).treasury("SOU", treasury)
    where.state.companies["SOU"].floated = True
    return where.start("PRR", 82, b=30).stock("a", 2, **(stock or {}))


def redeemed() -> Game:
    """The SOU can redeem a share of the pool."""
    return redeeming().game()


def once() -> Game:
    """It has done so in this round."""
    return redeeming(stock={"own_shares": ["SOU"]}).game()


def poor() -> Game:
    """Its treasury lacks a dollar for a share."""
    return redeeming(treasury=81).game()


def six_out() -> Game:
    """Six shares are with players and pool."""
    return redeeming(market=10).game()


def from_players() -> Game:
    """No share lies in the pool, seven are with players."""
    where = position().start("SOU", 82, a=40, b=30).treasury("SOU", 300)
    return where.game()


def not_presiding() -> Game:
    """Player c presides over nothing."""
    return redeeming().stock("c").game()


def sixty() -> Position:
    """Player a holds 60 % of the PRR at $82, b 30 %."""
    return position().start("PRR", 82, a=60, b=30).start("ERIE", 82, a=40).cash(a=500)


def privatizing() -> Game:
    """Player a may take a share of player b."""
    return sixty().game()


def alone() -> Game:
    """Nobody else has a share of the PRR."""
    return position().start("PRR", 82, a=60).cash(a=500).game()


def too_poor() -> Game:
    """Player a lacks a dollar."""
    return sixty().cash(a=102).game()


def forty() -> Game:
    """Player a holds 40 % of the PRR."""
    return position().start("PRR", 82, a=40, b=30).cash(a=500).game()


def without() -> Game:
    """A table that does without privatization."""
    return position("no_privatization").start("PRR", 82, a=60, b=30).cash(a=500).game()


def with_mohawk(owner: str) -> Position:
    """The Mohawk & Hudson is a player's."""
    return position(title=FULL).owns(owner, "MHR", "KTC")


def mohawk() -> Game:
    """It is player a's."""
    return with_mohawk("a").game()


def mohawk_of_b() -> Game:
    """It is player b's."""
    return with_mohawk("b").game()


def no_share_left() -> Game:
    """All shares of the NYC are with player b."""
    return with_mohawk("a").start("NYC", 82, b=100).game()


example("own_shares.no_company", not_presiding, "reissue", "c")
example("own_shares.not_president", redeemed, "redeem_share", "a", company="PRR", source="market")
example("own_shares.once_a_round", once, "redeem_share", "a", company="SOU", source="market")
example("own_shares.none_redeemed", redeemed, "reissue", "a", company="SOU")
example("own_shares.too_dear", poor, "redeem_share", "a", company="SOU", source="market")
example("own_shares.too_few_left", six_out, "redeem_share", "a", company="SOU", source="market")
example("own_shares.market_first", redeemed, "redeem_share", "a", company="SOU", source="b")
example("own_shares.holds_none", from_players, "redeem_share", "a", company="SOU", source="c")
example("privatizing.never", without, "privatize", "a", company="PRR", seller="b")
example("privatizing.holds_too_little", privatizing, "privatize", "a", company="ERIE", seller="b")
example("privatizing.nobody_else", alone, "privatize", "a", company="PRR", seller="b")
example("privatizing.too_dear", too_poor, "privatize", "a", company="PRR", seller="b")
example("privatizing.of_no_company", forty, "privatize", "a")
example("privatizing.not_from", privatizing, "privatize", "a", company="PRR", seller="c")
example("exchange.no_private", mohawk_of_b, "exchange_private", "a", source="offering")
example("exchange.not_yours", mohawk_of_b, "exchange_private", "MHR", actor="a", source="offering")
example("exchange.for_nothing", mohawk, "exchange_private", "KTC", source="offering")
example("exchange.no_share", no_share_left, "exchange_private", "MHR", source="offering")


def unfloated() -> Game:
    """The PRR of player a has sold five shares."""
    return position().start("PRR", 82, a=30, b=20).game()


example("own_shares.not_floated", unfloated, "redeem_share", "a", company="PRR", source="b")


# --- mergers -----------------------------------------------------------------------------------------------------


def two_pairs() -> Merging:
    """B&O of a and PRR of b may merge, N&W and SOU of a, too."""
    found = example_13().single("SOU", 7, 5, a=60).single("N&W", 7, 6, a=60)
    return found.joined("N&W", "SOU")


def proposing() -> Game:
    """Player a proposes."""
    return two_pairs().game()


def one_merged() -> Game:
    """B&O and PRR have merged; a proposes for SOU and N&W."""
    game = merged(two_pairs())
    do(game, "pass", "B&O")
    do(game, "pass", "b") if game.actors() == ("b",) else None
    return game


def not_operated() -> Game:
    """The PRR has not operated."""
    found = two_pairs()
    found.state.companies["PRR"].operated = False
    return found.game()


def scattered() -> Game:
    """Nobody would have two shares of what the IC of a and the WAB of b become; the IC and the SOU may merge."""
    found = two_pairs().single("IC", 9, a=20).single("WAB", 7, 4, b=20)
    return found.without_space("IC", "P63").without_space("WAB", "P63").game()


def unjoined() -> Game:
    """Neither the GM&O of a nor the CP of b is joined to any other corporation."""
    return two_pairs().single("GM&O", 7, 4, a=60).single("CP", 7, 2, b=60).game()


def own_only() -> Game:
    """A table where only two corporations of one player merge."""
    found = two_pairs()
    unions = found.t.spec.unions
    assert unions is not None
    found.t.spec = found.t.spec.model_copy(update={"unions": unions.model_copy(update={"consent": "own"})})
    return found.game()


def refused_once() -> Game:
    """The L&N of b is not to merge with the SOU: b has refused; it may with the N&W."""
    game = two_pairs().single("L&N", 7, 4, b=60).without_space("L&N", "P63").game()
    do(game, "propose_merger", "a", company="SOU", partner="L&N")
    do(game, "answer", "b", actor="b", reply="refuse")
    return game


def asked() -> Game:
    """Player b is asked whether the PRR merges with the B&O."""
    game = example_13().game()
    do(game, "propose_merger", "a", company="B&O", partner="PRR")
    return game


def just_merged() -> Game:
    """B&O and PRR have merged, and player a shares out the trains."""
    return merged(example_13())


example("merger.proposes_now", proposing, "lay_tile", "a", hex="L69", tile="5", rotation=0)
example("merger.single_only", one_merged, "propose_merger", "a", company="SOU", partner="B&O")
example("merger.not_operated", not_operated, "propose_merger", "a", company="SOU", partner="PRR")
example("merger.no_track_between", proposing, "propose_merger", "a", company="SOU", partner="B&O")
example("merger.presides_over_one", own_only, "propose_merger", "a", company="SOU", partner="PRR")
example("merger.refused_before", refused_once, "propose_merger", "b", company="L&N", partner="SOU")
example("merger.nobody_to_preside", scattered, "propose_merger", "a", company="IC", partner="WAB")
example("merger.presides_over_neither", unjoined, "propose_merger", "a", company="CP", partner="GM&O")
example("merger.no_partner_left", unjoined, "propose_merger", "a", company="GM&O", partner="SOU")
example("merger.shells_first", just_merged, "propose_merger", "a", company="SOU", partner="N&W")
example("merger.with_itself", proposing, "propose_merger", "a", company="SOU", partner="SOU")
example("merger.named_first", proposing, "propose_merger", "a", company="PRR", partner="B&O")
example("consent.asked_first_for_merger", asked, "pass", "b")
example("consent.not_your_reply_for_merger", asked, "answer", "b", reply="withdraw")


# --- two shells --------------------------------------------------------------------------------------------------


def two_shells(first: str, second: str, phase: str = "4") -> Merging:
    """B&O is a merger corporation with these trains."""
    found = Merging(phase=phase).single("B&O", 12, a=60, treasury=2000, trains=f"{first} {second}")
    corporation = found.state.companies["B&O"]
    corporation.parts, corporation.second = ["B&O", "PRR"], second.split()
    return found


def shuffling() -> Game:
    """3 and 4 lie on one shell."""
    return two_shells("3 4", "").operating("B&O").game()


def shuffled() -> Game:
    """They have been shared out in this turn."""
    return two_shells("3 4", "").operating("B&O", shuffled=True).game()


def has_run() -> Game:
    """It is at its trains."""
    return two_shells("3 4", "").operating("B&O", "trains").game()


def alike() -> Game:
    """Two trains a shell, all of a kind."""
    return two_shells("4 4", "4 4", "5").operating("B&O").game()


def three_on_two() -> Game:
    """Two trains and one, in a phase with a limit of two."""
    return two_shells("5 3", "4", "5").operating("B&O").game()


def one_shell() -> Game:
    """A single corporation."""
    return Merging().single("B&O", 7, a=60, trains="3 4").operating("B&O").game()


def crowded() -> Game:
    """Three trains on a shell for two."""
    return two_shells("3 4 3", "5", "5").operating("B&O", "trains").game()


example("merger.one_shell", one_shell, "shuffle", "B&O", first="3")
example("merger.shuffled_before", shuffled, "shuffle", "B&O", first="3")
example("merger.shuffles_before_running", has_run, "shuffle", "B&O", first="3")
example("merger.no_other_way", alike, "shuffle", "B&O", first="4")
example("merger.not_its_trains", shuffling, "shuffle", "B&O", first="6D")
example("merger.lie_so_already", shuffling, "shuffle", "B&O", first="4 3")
example("merger.no_such_way", three_on_two, "shuffle", "B&O", first="5 3 4")
example("merger.named_otherwise", three_on_two, "shuffle", "B&O", first="4 5")
example("train_limit.shell_first", crowded, "pass", "B&O")
example("train_limit.on_the_other_shell", crowded, "discard_train", "B&O", train="5")


# --- a corporation's turn ------------------------------------------------------------------------------------------


def prr(
    phase: str = "3", step: str = "track", *, cash: int = 500, title: str = "18c2c", **turn: Any
) -> Position:
    """PRR of player a in its turn; a tile in its home leads to L71 and M70."""
    where = Position(title=title).start("PRR", 82, a=60).start("B&O", 76, b=60).phase(phase)
    return where.treasury("PRR", cash).operating("PRR", step, **turn).tile("L69", "5", 4)


def laying() -> Game:
    """It lays track and owns the Tunnel, whose help it may have."""
    return prr().owns("PRR", "KTC").game()


def one_point() -> Game:
    """One tile point is left."""
    return prr(points={"M72": 1, "N73": 1}).game()


def laid() -> Game:
    """It has laid a tile in its home."""
    return prr(lays=["L69"], points={"L69": 1}).game()


def far_from_mountains() -> Game:
    """The IC, in the plains, owns the Tunnel."""
    where = position().start("IC", 82, a=60).phase("3").treasury("IC", 500).operating("IC")
    return where.owns("IC", "KTC").game()


def memphis(owner: str | None = None, *, used: bool = False, **turn: Any) -> Game:
    """SSW in Memphis, on the river; the bridge is a company's, or unsold."""
    where = Position(title=FULL).start("SSW", 82, a=60).treasury("SSW", 500).operating("SSW", **turn)
    bridge = where.state.privates["MRB"]
    bridge.closed, bridge.owner, bridge.power_used = False, owner, used
    return where.game()


def with_a_bridge() -> Game:
    """The SSW may bridge the river at home."""
    return memphis("SSW")


def bridged() -> Game:
    """It has done so."""
    return memphis("SSW", used=True)


def bridge_alone() -> Game:
    """Its tile points are used up; the bridge at home costs none."""
    return memphis("SSW", points={"O52": 1, "O54": 2})


example("track.points_used_up", bridge_alone, "lay_tile", "SSW", hex="Q54", tile="57", rotation=0)
example("track.too_few_points", one_point, "lay_tile", "PRR", hex="L69", tile="14", rotation=0)
example("track.one_tile_a_hex", laid, "lay_tile", "PRR", hex="L69", tile="14", rotation=0)
example("track.no_bridge", memphis, "lay_tile", "SSW", hex="Q54", tile="57", rotation=1)
example(
    "track.bridge_must_cross", with_a_bridge, "lay_tile", "MRB", actor="a", hex="Q54", tile="57", rotation=0
)
example("privates.helps_elsewhere", laying, "lay_tile", "KTC", actor="a", hex="L69", tile="14", rotation=0)
example("privates.helps_nowhere", far_from_mountains, "lay_tile", "KTC", actor="a")
example("privates.has_helped", bridged, "lay_tile", "MRB", actor="a", hex="Q54", tile="57", rotation=1)


# --- tokens and runs -----------------------------------------------------------------------------------------------


def special() -> Game:
    """Its only token waits for the destination."""
    where = prr("3", "trains")
    where.state.companies["PRR"].tokens = []
    where.state.companies["PRR"].extra = ExtraTokens([40], ["PRR"])
    return where.game()


def bull() -> Game:
    """It places a token, and has none but the bull token."""
    where = prr("3", "token")
    where.state.companies["PRR"].tokens = []
    where.state.companies["PRR"].extra = ExtraTokens([40], bulls=1)
    return where.game()


def buying() -> Game:
    """It buys trains."""
    return prr("3", "trains").game()


TO_CHICAGO: Final = "I78-I76-I74-I72-I70-J69-K68-K66-K64-J63-I64-H63-I62-J61-J59-J57"
COLOURS: Final[dict[str, Colour]] = {
    **dict.fromkeys(("I78", "I70", "I64", "M74", "J57"), "green"),
    "J63": "brown",
}


def to_chicago() -> Game:
    """NYC may run to its destination by a 5."""
    where = Position(title="18c2c").phase("3D").start("NYC", 100, a=60).trains("NYC", "5")
    where.operating("NYC", "destination")
    where.state.companies["NYC"].extra = ExtraTokens([40], ["NYC"])
    return rails(where, TO_CHICAGO, **COLOURS).game()


def running() -> Game:
    """NYC runs a 2 between Albany and New York, on the small board."""
    where = Position(title="18c2c").phase("3").start("NYC", 100, a=60).trains("NYC", "2")
    return rails(where.operating("NYC", "run"), "I78-J77-K78", K78="green").game()


def proven() -> Game:
    """The Northern Pacific has proven its run from Portland to Saint Paul."""
    where = Position(title=FULL).phase("3D").start("NP", 100, a=60).trains("NP", "3D").operating("NP", "run")
    line = "-".join(f"E{column}" for column in range(4, 49, 2)) + "-F49"
    game = rails(where, line).game()
    do(game, "prove_run", "NP")
    return game


example("token.no_bull", buying, "place_bull", "PRR", hex="L71", city=0)
example("token.only_special", special, "place_token", "PRR", hex="L71", city=0)
example("token.only_special", bull, "place_token", "a")
example("token.only_special", bull, "place_token", "KTC", actor="a")
example("routes.no_proof", running, "prove_run", "NYC")
example("routes.no_proof_left", proven, "prove_run", "NP")
example("routes.to_destination_now", to_chicago, "par", "a", company="PRR", price=82)
example("routes.one_to_destination", to_chicago, "run_routes", "NYC", routes=())
example("routes.not_to_destination", to_chicago, "run_routes", "NYC", routes=("5:I78.0-a I70.0-a",))
example("dividend.no_destination_run", buying, "dividend", "PRR", option="pay")


# --- privates and markers ------------------------------------------------------------------------------------------


def owning() -> Game:
    """PRR owns fish; the port is player b's."""
    return prr().owns("PRR", "AZF").owns("b", "GSC").game()


def labelled() -> Game:
    """The Prospectors have given a city its label."""
    return prr().owns("PRR", "EPP", used=True).game()


def for_tiles() -> Game:
    """The Prospectors were bought in phase 2, for this turn's tiles."""
    return prr("2", at_once=["EPP"]).owns("PRR", "EPP").game()


def prospecting() -> Position:
    """The Prospectors may give a city its label."""
    return prr("5").owns("PRR", "EPP")


def naming() -> Game:
    """The same, settled."""
    return prospecting().game()


def brown_cincinnati() -> Game:
    """Cincinnati is brown."""
    where = prospecting()
    for tile in ("57", "14", "63"):
        where.tile("M62", tile)
    return where.game()


def all_named() -> Game:
    """Every city has a label of its own."""
    where = prospecting()
    for coord in where.t.map.coords:
        if where.t.map.topology(coord).stops:
            where.t.map.relabel(coord, "K")
    return where.game()


def early() -> Game:
    """Phase 2; the Tunnel, fish and the bridge are player b's, PRR operates."""
    return prr("2", title=FULL).owns("b", "KTC", "AZF", "MRB").game()


def early_for_cp() -> Game:
    """Phase 2; CP, based in Canada, operates."""
    where = position().start("CP", 82, a=60).treasury("CP", 500).operating("CP")
    return where.owns("b", "KTC").game()


def late() -> Game:
    """Phase 2; PRR is done with its track, the Prospectors are player b's."""
    return prr("2", "trains").owns("b", "EPP").game()


def engineers(phase: str = "4", *, cash: int = 500, held: int = 0) -> Game:
    """The Engineers are player b's; from phase 4 the bank sells markers."""
    where = prr(phase, cash=cash).owns("b", "ACE")
    if held:
        where.state.companies["PRR"].held["Engineer"] = held
        where.state.supplies["Engineer"] = MarkerSupply(4)
    return where.game()


def before_4() -> Game:
    """Nobody sells markers yet."""
    return engineers("3")


def without_money() -> Game:
    """PRR has $49."""
    return engineers(cash=49)


def with_a_marker() -> Game:
    """PRR has one."""
    return engineers(held=1)


example("privates.closed_by_its_owner", owning, "close_private", "GSC", actor="a")
example("privates.closing_brings_nothing", owning, "close_private", "AZF", actor="a")
example("privates.none_to_close", owning, "close_private", "a")
example("privates.label_given", labelled, "close_private", "EPP", actor="a")
example("privates.for_tiles_only", for_tiles, "place_marker", "EPP", actor="a", hex="I78")
example("privates.no_city_for_label", naming, "place_marker", "EPP", actor="a", hex="D63")
example("privates.too_late_for_label", brown_cincinnati, "place_marker", "EPP", actor="a", hex="M62")
example("privates.no_city_left", all_named, "place_marker", "EPP", actor="a", hex="M62")
example("privates.not_early", early, "buy_private", "PRR", private="AZF", price=50)
example("privates.early_on_the_river", early, "buy_private", "PRR", private="MRB", price=40)
example("privates.early_for_based", early_for_cp, "buy_private", "CP", private="KTC", price=40)
example("privates.too_late_for_tiles", late, "buy_private", "PRR", private="EPP", price=50)
example("privates.sells_no_markers", engineers, "buy_marker", "PRR", private="AZF", source="bank")
example("privates.marker_not_sold", before_4, "buy_marker", "PRR", private="ACE", source="bank")
example("privates.marker_too_dear", without_money, "buy_marker", "PRR", private="ACE", source="bank")
example("privates.one_marker_is_enough", with_a_marker, "buy_marker", "PRR", private="ACE", source="bank")
example("privates.marker_not_from", engineers, "buy_marker", "PRR", private="ACE", source="B&O")


# --- a train that cannot be paid ---------------------------------------------------------------------------------


def shares_left() -> Game:
    """All that player a may sell does not pay the train."""
    where = position().phase("4D").start("SOU", 82, a=60).treasury("SOU", 90).cash(a=100)
    where.start("WAB", 82, b=60, a=10).operating("SOU", "trains")
    return rails(where, "S62-S64-T65-U66").game()


example("forced.sold_out_first", shares_left, "declare_bankruptcy", "SOU")
