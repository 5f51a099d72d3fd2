"""18C2C: routes, D trains, destination runs and proofs from coast to coast (section 8 of its rules)."""

from dataclasses import replace
from typing import Any

import pytest

from engine.core.events import CoastToCoastRunProved, DestinationReached, DividendDecided, Passed
from engine.core.facts import fact
from engine.core.state import ExtraTokens
from engine.play.steps.run_trains import best_run
from engine.tell.view_builders import turn_view
from engine.titles import TITLES
from tests.titles.builders import Position, TitleGame
from tests.titles.t18c2c.rails import COLOURS, TO_CHICAGO, rails, station

TITLE = "18c2c"
SHORT = ("I78-I76-I74-J73-K72-L73-M74-N73-N71-M70-M68-M66-M64-L63-L61-K60-K58-J57",)
"""Albany to Chicago over Baltimore alone."""
EAST = "I70-I72-I74-I76-I78-J77-K78"
"""Buffalo, Albany, New York."""


def nyc(*trains: str, step: str = "run", phase: str = "3D", title: str = TITLE, **facts: Any) -> Position:
    options = facts.pop("options", ())
    found = Position(title=title, options=options).phase(phase).start("NYC", 100, a=60)
    return found.trains("NYC", *trains).operating("NYC", step, **facts)


def reserved(position: Position, *of: str) -> Position:
    position.state.companies["NYC"].extra = ExtraTokens(reserved=list(of or ("NYC",)))
    return position


def token(position: Position, name: str, coord: str, city: int = 0) -> Position:
    position.t.map.place_token(coord, city, name)
    return position


def run(game: TitleGame, text: str) -> None:
    game.do("run_routes", "NYC", routes=game.read_routes(text))


def revenue(game: TitleGame) -> int:
    return best_run(game.table).revenue


def suggested(game: TitleGame) -> list[str]:
    return [game.label(one) for one in game.find("run_routes").suggest()]


def test_d_train_doubles_own_stations() -> None:
    """R-C2C-132, R-C2C-172, R-C2C-175, example 10: New York 60 and Albany 30 doubled, Buffalo 30 and bonuses
    not; an ordinary 3 doubles nothing. Cleveland counts 40 from phase 5 on, 80 with a token."""
    for train, earned in (("3D", 120 + 60 + 30), ("3", 60 + 30 + 30)):
        position = rails(nyc(train), EAST, I70="green", I78="green", K78="green")
        assert revenue(token(position, "NYC", *station(position, "K78", "J77")).game()) == earned
    table = rails(nyc("3D"), EAST, I78="green", K78="green").t
    route_rules = replace(table.rules.route_rules(table), extra_dollars_by_hex={"I78": 10})
    assert route_rules.value(table.map, "NYC", ("I78", 0), "3D") == 60 + 10
    position = rails(nyc("3D"), "I78-J77-K76-K74-K72-K70-K68-K66-J65", I78="green")
    assert revenue(position.game()) == 60 + 40
    position = rails(nyc("3D"), "I78-J77-K76-K74-K72-K70-K68-K66-J65", I78="green")
    assert revenue(token(position, "NYC", "J65").game()) == 60 + 80


def test_routes_of_18c2c() -> None:
    """R-C2C-170, R-C2C-171, R-C2C-173, example 11: five stops are too many for a 3D. A full city may be the
    end of a route, and is not passed; New York twice, by a route that leaves it and comes back; Cleveland is
    passed, Miami is not."""
    game = rails(nyc("3D"), TO_CHICAGO, **COLOURS).game()
    assert revenue(game) == 60 + 30 + 40
    with pytest.raises(Exception, match=r"routes\.too_long"):
        run(game, "I78-I70-J63-I64-J57")
    paths = (EAST, "I70-J69-K68-K66-J65")
    position = rails(nyc("3"), *paths, I70="green", I78="green", K78="green")
    for other in ("B&O", "PRR"):
        token(position, other, "I70")
    game = position.game()
    assert revenue(game) == 60 + 30 + 30
    with pytest.raises(Exception, match=r"reach\.full_city"):
        run(game, "I78-I70-J65")
    position = rails(nyc("3"), "I78-J79-K78", "I78-J77-K76-K78", I78="green", K78="green")
    assert revenue(position.game()) == 60 + 30 + 60
    board = Position(title=TITLE).t.map
    assert not board.is_terminal("J65")
    assert all(board.is_terminal(coord) for coord in ("AA68", "E88"))


def test_any_run_is_legal_by_default() -> None:
    """R-C2C-174: on demand; the option of the table makes it a rule."""
    for options, refuses in (((), False), (("best_run_required",), True)):
        position = rails(nyc("3", options=options), EAST, I70="green", I78="green", K78="green")
        game = position.game()
        short = game.read_routes("I78-I70")
        if refuses:
            assert "120" in game.refused("8", "run_routes", "NYC", routes=short)
        else:
            game.do("run_routes", "NYC", routes=short)
            assert game.table.turn.revenue == 30 + 30


def test_d_train_unfolds_for_a_destination() -> None:
    """R-C2C-173, R-C2C-180, R-C2C-182, R-C2C-183, example 11: five stops with a 3D unfolded earn 210, none
    doubled; folded if it can, the token lying there first: 60 + 50 + 120. Runs with other ends are none."""
    game = reserved(rails(nyc("3D", step="destination"), TO_CHICAGO, **COLOURS)).game()
    assert suggested(game) == ["3D, at double length, runs to its destination J57 for $210"]
    run(game, "I78-I70-J63-I64-J57")
    assert game.table.turn.destination is not None
    assert game.table.turn.destination.revenue == 210
    paths = (*SHORT, "M68-M66-L65-K64-J63-J61-J59-J57")
    game = reserved(rails(nyc("3D", step="destination"), *paths, M66="green", **COLOURS)).game()
    assert suggested(game) == ["3D runs to its destination J57 for $230"]
    with pytest.raises(Exception, match=r"routes\.too_long"):
        run(game, "I78-M74-J63-J57")
    game = reserved(rails(nyc("5", step="destination"), TO_CHICAGO, **COLOURS)).game()
    for text in ("I78-I70-J63", "I70-J63-I64-J57"):
        with pytest.raises(Exception, match=r"routes\.not_to_destination|reach\.no_token"):
            run(game, text)
    why = game.refused("8", "run_routes", "NYC", routes=())
    assert why.startswith("NYC runs to its destination with one train")


@pytest.mark.parametrize(("trains", "token_", "possible"), [
    (("4", "3"), True, False), (("5",), True, True), (("5",), False, False),
])  # fmt: skip
def test_destination_run_needs_train_and_token(trains: tuple[str, ...], token_: bool, possible: bool) -> None:
    """R-C2C-063, R-C2C-180: five stops are too many for a 4 and a 3, each on its own."""
    position = rails(nyc(*trains, step="destination"), TO_CHICAGO, **COLOURS)
    game = (reserved(position) if token_ else position).game()
    assert game.offered("run_routes") is possible


def test_destination_run_waits_or_takes_a_place() -> None:
    """R-C2C-181, R-C2C-183: it stays possible in later turns. The token comes into green Chicago with one
    place a city, full or not."""
    game = reserved(rails(nyc("5", step="destination"), TO_CHICAGO, **COLOURS)).game()
    assert game.kinds() == ["run_routes", "pass"]
    assert Passed("NYC", fact("declined.destination_run")) in game.do("pass", "NYC")
    found = game.company("NYC").extra
    assert found is not None
    assert found.reserved == ["NYC"]
    for full in (False, True):
        position = reserved(rails(nyc("5", step="destination"), TO_CHICAGO, **COLOURS))
        where = station(position, "J57", "J59")
        if full:
            token(position, "IC", *where)
        game = position.game()
        events = game.do("run_routes", "NYC", routes=game.read_routes("I78-I70-J63-I64-J57"))
        assert (
            DestinationReached("NYC", "NYC", "J57", takes_no_space=full, keeps_reserved_token=False) in events
        )
        assert game.table.map.has_token("NYC", where)
        assert game.table.map.tokens_without_space(*where) == (("NYC",) if full else ())
        found = game.company("NYC").extra
        assert found is not None
        assert not found.reserved


def test_dividend_of_a_destination_run() -> None:
    """R-C2C-185, R-C2C-200, R-C2C-228: full to the right; half and withheld stay. The ordinary run stays the
    last one. A merged corporation has each reserved token for its own pair; one column each, whatever its
    shells hold."""
    for option, price, kept in (("pay", 110, 0), ("half", 100, 100), ("withhold", 100, 210)):
        game = reserved(rails(nyc("5", step="destination"), TO_CHICAGO, **COLOURS)).game()
        run(game, "I78-I70-J63-I64-J57")
        assert game.kinds() == ["dividend"]
        (paid,) = (e for e in game.do("dividend", "NYC", option=option) if isinstance(e, DividendDecided))
        assert (paid.old_price, paid.new_price) == (100, price)
        assert paid.dollars_withheld == kept + 4 * paid.dividend_per_share
        assert game.company("NYC").last_run is None
    position = reserved(rails(nyc("5", "5", step="destination"), TO_CHICAGO, **COLOURS), "NYC", "ERIE")
    merged = position.state.companies["NYC"]
    merged.parts, merged.second = ["NYC", "ERIE"], ["5"]
    token(position, "NYC", "I70")
    game = position.game()
    run(game, "I78-I70-J63-I64-J57")
    (paid,) = (e for e in game.do("dividend", "NYC", option="pay") if isinstance(e, DividendDecided))
    assert (paid.old_price, paid.new_price) == (100, 110)
    assert merged.extra is not None
    assert merged.extra.reserved == ["ERIE"]


NORTHERN = "-".join(f"E{column}" for column in range(4, 49, 2)) + "-F49"
"""Portland, Butte, Billings, Saint Cloud and Saint Paul."""


def northern(*trains: str, **facts: Any) -> Position:
    found = Position(title="18c2c-full").phase("3D").start("NP", 100, a=60)
    return rails(found.trains("NP", *trains).operating("NP", "run", **facts), NORTHERN)


def test_coast_to_coast_is_proven_once() -> None:
    """R-C2C-190: five stops, so a 3D unfolds for it and a 4 cannot; one column to the right, no money, and
    the run still to come. Vancouver & Alaska, San Diego & Baja are the Pacific; Montreal or Miami end no run
    from coast to coast."""
    game = northern("3D").game()
    before = game.company("NP").cash
    assert game.do("prove_run", "NP") == (CoastToCoastRunProved("NP", "3D", "E4", "F49", 100, 110),)
    assert game.company("NP").cash == before
    assert game.kinds() == ["run_routes"]
    assert "already proven" in game.refused("8", "prove_run", "NP")
    assert "No train" in northern("4").game().refused("8", "prove_run", "NP")
    spec = TITLES["18c2c-full"].spec
    assert spec.coast_to_coast is not None
    red = {coord: hex_.zone for coord, hex_ in spec.map.all_hexes.items() if hex_.colour == "red"}
    assert {"E78", "AA68", "W54"} <= set(red)
    assert sorted(set(red) & set(spec.coast_to_coast.west_hexes)) == ["A6", "T13"]
    assert not set(red.values()) & set(spec.coast_to_coast.east_zones)


def test_proof_and_dividend_are_not_added() -> None:
    """R-C2C-190, R-C2C-203, R-C2C-204: one column, not two; where it withholds, the proof has moved it all
    the same. Two shells with trains are two columns, one with a proof made already."""
    for option, price in (("pay", 110), ("half", 110), ("withhold", 100)):
        game = northern("5").game()
        game.do("prove_run", "NP")
        game.do("run_routes", "NP", routes=game.read_routes("E4-E18-E24-E46-F49"))
        game.do("dividend", "NP", option=option)
        assert game.table.price(game.company("NP")) == price
    for proofs, price in ((0, 120), (1, 120), (2, 120)):
        position = northern("5", "5")
        merged = position.state.companies["NP"]
        merged.parts, merged.second = ["NP", "GN"], ["5"]
        game = position.game()
        for _ in range(proofs):
            game.do("prove_run", "NP")
        assert game.offered("prove_run") == (proofs < 2)
        game.do("run_routes", "NP", routes=game.read_routes("E4-E18-E24-E46-F49"))
        game.do("dividend", "NP", option="pay")
        assert game.table.price(merged) == price


def test_small_board_has_no_proof() -> None:
    """R-C2C-190: it has no Pacific."""
    game = rails(nyc("3D"), EAST, K78="green").game()
    assert not game.offered("prove_run")
    assert "coast to coast" in game.refused("8", "prove_run", "NYC")


def test_steps_are_shown_in_order() -> None:
    """R-C2C-185: a destination run, then its dividend; while it waits for that no other is made."""
    game = reserved(rails(nyc("3D", step="destination"), TO_CHICAGO, **COLOURS)).game()
    shown = [words for words, _, _ in turn_view(game).steps]
    assert shown[-2:] == ["destination run", "dividend of the destination run"]
    assert game.kinds() == ["run_routes", "pass"]
    run(game, "I78-I70-J63-I64-J57")
    assert game.kinds() == ["dividend"]
    assert [words for words, _, current in turn_view(game).steps if current] == [
        "dividend of the destination run"
    ]
