"""Shares, trains and places of tokens are numbered in a log, and followed by their numbers."""

import json
from dataclasses import replace

import pytest

from engine.core.actions import Pass, build_action
from engine.core.errors import ReplayDiverged
from engine.core.events import (
    Event,
    Floated,
    Parred,
    PresidentChanged,
    ShareBought,
    ShareReceived,
    ShareRemoved,
)
from engine.core.facts import fact
from engine.core.ids import BANK, MARKET, OFFERING, REMOVED
from engine.core.state import Ending
from engine.interchange import ReplayEnd, read_log, replay
from engine.interchange.exporter import Exporter, connections
from engine.interchange.importer import Importer
from engine.interchange.log_ids import ShareBook, TrainIds
from engine.interchange.log_replay import ending
from engine.interchange.writer import write_log
from engine.routes.legal_routes import Route
from engine.titles import TITLES
from tests.titles.builders import Position, new_game


def test_a_president_who_sells_half_the_certificate_keeps_a_share_of_the_new_one() -> None:
    """That site takes the whole certificate and gives one of the shares back that are exchanged for it."""
    book = ShareBook(new_game().table.state)
    happens(book, Parred("a", "PRR", 80, 20, 160))
    book.moved([("PRR", 1), ("PRR", 2), ("PRR", 3)], "b")
    sold(book, [0], 1, PresidentChanged("PRR", "a", "b"))
    assert [book.held("PRR", holder) for holder in ("a", MARKET, "b")] == [[1], [2], [3]]
    assert book.holder("PRR", 0) == "b"


def happens(book: ShareBook, *events: Event) -> None:
    """Something that moves shares without an action of its own."""
    book.follow(Pass(actor="a", entity="a"), [], events)


def sold(book: ShareBook, ids: list[int], count: int, *events: Event) -> None:
    """Ann sells as many shares of the PRR as this out of these."""
    book.follow(build_action("sell_shares", "a", "a", company="PRR", shares=count), ids, events)


def bought(book: ShareBook, share: int, *events: Event) -> None:
    """Bob buys a share of the PRR."""
    book.follow(build_action("buy_share", "b", "b", company="PRR", source=OFFERING), [share], events)


def shares_of_the_prr(**held: list[int]) -> ShareBook:
    """Who holds which of its shares; the rest is in the offering. The certificate, 0, is 20%."""
    book = ShareBook(new_game().table.state)
    for holder, ids in held.items():
        book.moved([("PRR", share) for share in ids], holder)
    return book


def who_holds(book: ShareBook, *holders: str) -> list[list[int]]:
    """The shares of each holder, the certificate first, the others in the order that they arrived."""
    certificate = book.holder("PRR", 0)
    return [[0] * (holder == certificate) + book.held("PRR", holder) for holder in holders]


def test_who_sells_the_whole_certificate_has_none_of_the_shares_that_are_exchanged_for_it() -> None:
    """They go to the market."""
    book = shares_of_the_prr(a=[0], b=[1, 2, 3])
    sold(book, [0], 2, PresidentChanged("PRR", "a", "b"))
    assert who_holds(book, "a", MARKET, "b") == [[], [1, 2], [0, 3]]


def test_who_keeps_as_much_as_the_certificate_has_the_shares_that_are_exchanged_for_it() -> None:
    """The shares that were sold are in the market."""
    book = shares_of_the_prr(a=[0, 5], b=[1, 2, 3])
    sold(book, [5], 1, PresidentChanged("PRR", "a", "b"))
    assert who_holds(book, "a", MARKET, "b") == [[1, 2], [5], [0, 3]]


def test_a_sale_that_changes_no_president_moves_what_is_sold() -> None:
    book = shares_of_the_prr(a=[0, 5, 7], b=[1])
    sold(book, [5, 7], 2)
    assert who_holds(book, "a", MARKET, "b") == [[0], [5, 7], [1]]


def test_a_purchase_that_changes_the_president_exchanges_the_oldest_shares_for_the_certificate() -> None:
    book = shares_of_the_prr(a=[0], b=[2, 1])
    paid = ShareBought(player="b", company="PRR", percent=10, source=OFFERING, price=80)
    bought(book, 6, paid, PresidentChanged("PRR", "a", "b"))
    assert who_holds(book, "a", "b") == [[2, 1], [0, 6]]


def test_when_a_company_floats_the_rest_of_its_offering_may_go_to_the_market() -> None:
    """18Chesapeake with two players; nothing does with more."""
    for percent, found in ((40, [[], [4, 5, 6, 7, 8]]), (0, [[4, 5, 6, 7, 8], []])):
        book = shares_of_the_prr(a=[0, 1, 2, 3])
        happens(book, Floated(company="PRR", capital=800, to_market=percent))
        assert who_holds(book, OFFERING, MARKET) == found


def test_a_share_that_a_private_brings_is_the_first_and_the_certificate_where_it_brings_that() -> None:
    book = shares_of_the_prr()
    happens(book, ShareReceived(player="a", company="PRR", percent=20, president=True))
    happens(book, ShareReceived(player="b", company="PRR", percent=10, president=False))
    assert who_holds(book, "a", "b", OFFERING) == [[0], [1], [2, 3, 4, 5, 6, 7, 8]]
    assert book.held("LV", OFFERING) == [1, 2, 3, 4, 5, 6, 7, 8]


def test_a_certificate_that_is_half_of_a_company_leaves_five_shares() -> None:
    """Of 10% each."""
    state = new_game().table.state
    state.companies["PRR"].certificate = 50
    assert ShareBook(state).held("PRR", OFFERING) == [1, 2, 3, 4, 5]


def test_shares_are_redeemed_into_the_treasury_and_issued_into_the_market() -> None:
    book = shares_of_the_prr(**{MARKET: [4, 3], "PRR": [6, 5]})
    book.follow(build_action("redeem", "a", "PRR", shares=1), [4], ())
    assert who_holds(book, MARKET, "PRR") == [[3], [6, 5, 4]]
    book.follow(build_action("issue", "a", "PRR", offering=1, treasury=1), [1, 6], ())
    assert who_holds(book, MARKET, "PRR") == [[3, 1, 6], [5, 4]]


def test_a_purchase_by_which_a_company_floats_moves_the_bought_share_and_then_the_rest() -> None:
    """18Chesapeake with two players."""
    book = shares_of_the_prr(b=[0, 1, 2, 3])
    paid = ShareBought(player="b", company="PRR", percent=10, source=OFFERING, price=80)
    bought(book, 4, paid, Floated(company="PRR", capital=800, to_market=40))
    assert who_holds(book, "b", MARKET, OFFERING) == [[0, 1, 2, 3, 4], [5, 6, 7, 8], []]


def test_a_share_that_nobody_knows_is_named() -> None:
    with pytest.raises(KeyError, match=r"PRR.*12"):
        shares_of_the_prr().holder("PRR", 12)


def test_only_the_newest_share_of_the_market_is_the_one_that_leaves_the_game() -> None:
    book = shares_of_the_prr(**{MARKET: [5, 7, 6]})
    assert [share for share in range(9) if book.leaves_next("PRR", share)] == [6]
    bought(book, 5, ShareRemoved(company="PRR"))
    assert who_holds(book, MARKET, REMOVED) == [[5, 7], [6]]


def test_a_train_that_leaves_the_game_takes_its_number_with_it() -> None:
    """18Chesapeake: one is exported after each set of operating rounds."""
    game = new_game()
    ids = TrainIds(game.rules.spec, game.table.state)
    assert ids.held(BANK, "2") == ["2-0"]
    left = game.table.state.depot["2"]
    assert left is not None
    game.table.state.depot["2"] = left - 1
    ids.followed(())
    assert ids.held(BANK, "2") == ["2-1"]


def test_a_token_goes_behind_the_places_that_are_reserved_for_homes() -> None:
    """18Chesapeake: in brown Baltimore the first of two is kept for the B&O."""
    position = Position().phase("5").start("C&A", 70, a=60).tile("J6", "57", 0).tile("J4", "X4", 0)
    position.tile("I5", "4", 1).tile("H6", "X3", 1).tile("H6", "X7", 2)
    game = position.operating("C&A", "token").game()
    (raw,) = Exporter(game).do(build_action("place_token", "a", "C&A", hex="H6", city=0))
    assert raw["slot"] == 1


def test_a_log_says_whether_the_game_is_over_and_how_it_ended() -> None:
    votes = [build_action("end_game", player, player) for player in ("a", "b")]
    going = json.loads(write_log(new_game(2), votes[:1]))
    assert (going["status"], going["acting"], "result" in going) == ("active", ["a"], False)
    ended = json.loads(write_log(new_game(2), votes))
    assert (ended["status"], ended["acting"]) == ("finished", [])
    assert (ended["result"], ended["game_end_reason"]) == ({"a": 1200, "b": 1200}, "manually_ended")


def test_a_log_is_replayed_with_the_leniency_that_old_ones_need_unless_it_is_a_new_one() -> None:
    log = replace(read_log(write_log(new_game(2), ())), profile="18xx.games", from_log=None)
    old, new = replay(log).game, replay(log, as_played_today=True).game
    assert old is not None
    assert new is not None
    only_old = {name for name in old.rules.flags if old.rules.FLAGS[name].only_old}
    assert only_old
    assert new.rules.flags == old.rules.flags - only_old


def test_a_standstill_has_that_sites_word() -> None:
    """Earlier logs of ours have the word for an end by hand."""
    game = new_game(2)
    game.table.state.ending, game.table.state.over = Ending("standstill"), True
    log = json.loads(write_log(game, ()))
    assert log["game_end_reason"] == "dnf"
    for word, fits in (("dnf", True), ("manually_ended", True), ("bank", False)):
        assert ReplayEnd(game, 0).matches(read_log(json.dumps(log | {"game_end_reason": word}))) is fits


def test_a_log_fits_only_where_scores_and_ending_are_ours() -> None:
    votes = [build_action("end_game", player, player) for player in ("a", "b")]
    log = read_log(write_log(new_game(2), votes))
    played = replay(log)
    assert played.matches(log)
    assert not played.matches(replace(log, result={"a": 1, "b": 2}))
    assert not played.matches(replace(log, ended_by="bank"))
    assert played.matches(replace(log, ended_by=None, result={})), "nothing is recorded"
    stopped = replace(played, problem=ReplayDiverged(2, fact("log.damaged", detail="")))
    assert not stopped.matches(log), "not all of it was accepted"
    begun = replay(read_log(write_log(new_game(2), ())))
    assert begun.game is not None
    assert not begun.matches(replace(log, ended_by=None, result=begun.game.scores())), "it still runs"
    assert begun.matches(replace(log, ended_by=None, result={}))


def test_a_game_that_still_runs_has_not_ended_whatever_will_end_it() -> None:
    """The bank is broken; the rounds of the set are still played."""
    place = Position().start("LV", 80, a=60).operating("LV", of=2)
    place.state.ending = Ending("bank")
    game = place.game()
    assert not game.over
    assert ending(game) is None


def test_a_log_says_that_its_game_is_played_at_any_time_and_routes_are_found() -> None:
    log = json.loads(write_log(new_game(2), ()))
    settings = [log["settings"][name] for name in ("is_async", "unlisted", "auto_routing", "seed")]
    assert settings == [True, True, True, 0]
    assert (log["loaded"], log["min_players"], log["max_players"]) == (True, 2, 2)


def test_track_between_two_stops_of_a_hex_is_a_connection_of_its_own() -> None:
    """The Granite Railway runs in Quincy; elsewhere every hex from one stop to the next is named."""
    assert connections(Route.read("2:L7.a-b")) == [["L7"]]
    assert connections(Route.read("3:F17.a-4 F19.1-4 F21.1-3 E22.0-a")) == [["F17", "F19", "F21", "E22"]]


@pytest.mark.parametrize("title", [known.id for known in TITLES.values() if known.spec.on_18xx_games])
def test_no_hex_of_a_title_of_that_site_has_track_between_stops_in_two_places(title: str) -> None:
    """A hex alone says which track between two stops is meant."""
    board = new_game(title=title).table.map
    laid = [tile.topology for tile in board.spec.tiles.values()]
    for topology in (*laid, *(board.topology(coord) for coord in board.spec.map.hexes)):
        assert sum(piece.joins_stops for piece in topology.pieces) <= 1


def two_players() -> Position:
    """18Chesapeake as that site plays it with two: 40% of the PRR are in the market, 60% the president's."""
    return Position(players=2, profile="18xx.games").cash(b=500).start("PRR", 80, a=60).stock("b")


def test_the_share_that_leaves_the_game_is_the_newest_of_the_market() -> None:
    """18Chesapeake 14.3: another one is bought."""
    exporter = Exporter(two_players().game())
    exporter._shares.moved([("PRR", 5), ("PRR", 7), ("PRR", 6)], MARKET)
    (raw,) = exporter.do(build_action("buy_share", "b", "b", company="PRR", source=REMOVED))
    assert raw["shares"] == ["PRR_6"]


@pytest.mark.parametrize(("share", "source"), [(5, MARKET), (7, MARKET), (6, REMOVED)])
def test_a_purchase_of_the_newest_share_of_the_market_takes_it_out_of_the_game(
    share: int, source: str
) -> None:
    """18Chesapeake 14.3, with two players."""
    importer = Importer(two_players().game())
    importer._shares.moved([("PRR", 5), ("PRR", 7), ("PRR", 6)], MARKET)
    read = importer.read({"type": "buy_shares", "entity": "b", "shares": [f"PRR_{share}"], "percent": 10})
    assert read == build_action("buy_share", "b", "b", company="PRR", source=source)


def test_a_president_buys_the_newest_share_of_the_market_itself() -> None:
    """18Chesapeake 14.3: none leaves the game then."""
    importer = Importer(two_players().cash(a=500).stock("a").game())
    importer._shares.moved([("PRR", 4)], MARKET)
    read = importer.read({"type": "buy_shares", "entity": "a", "shares": ["PRR_4"], "percent": 10})
    assert read == build_action("buy_share", "a", "a", company="PRR", source=MARKET)


def test_a_train_that_nobody_has_lost_and_nobody_has_bought_is_the_next_of_the_bank() -> None:
    """As one that a private brings."""
    game = new_game()
    ids = TrainIds(game.rules.spec, game.table.state)
    game.table.state.companies["PRR"].trains = ["2", "2"]
    ids.followed(())
    assert (ids.held("PRR", "2"), ids.held(BANK, "2")) == (["2-0", "2-1"], ["2-2"])
