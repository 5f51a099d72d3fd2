"""What messages say of a position: sheets, turns, what was missed, what-ifs, and words for pictures."""

from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

import pytest

from bot.client import alt_texts, game_texts, turn_texts
from bot.client.features import views
from bot.client.features import what_if as what_ifs
from bot.client.features.lobby_messages import lobby_text
from bot.client.game_texts import pieces
from bot.client.turn_texts import MOST_LINES, ROOM, WAITS, Missed
from bot.table.outbox.notices import Line
from bot.table.tables import Outcome
from engine.tell.views import CompanyView, PlayerView, TrainsView

PRR: Any = SimpleNamespace(company="PRR", colour="green")


def some(**values: Any) -> Any:
    """An object with these values."""
    return SimpleNamespace(**values)


# --- sheets ----------------------------------------------------------------------------------------------------------


def company(**values: Any) -> CompanyView:
    """A started company, as far as nothing else is said."""
    usual: dict[str, Any] = {
        "name": "Pennsylvania", "president": "Ann", "par": 80, "price": 90, "zone": "", "floated": True,
        "treasury": 500, "trains": (), "tokens_left": (), "tokens_placed": (), "home": "F2", "privates": (),
        "offering": 40, "market": 0, "removed": 0, "holders": (("Ann", 60, True),), "last_run": None,
        "float_percent": 60,
    }  # fmt: skip
    return CompanyView(PRR, **(usual | values))


def test_a_charter_says_what_there_is_and_nothing_of_what_there_is_not() -> None:
    assert views.company_sheet(company()) == (
        "**PRR**, Pennsylvania: price $90, par $80\n"
        "President: Ann. Treasury: $500.\n"
        "Trains: none. Tokens left: none; placed: none.\n"
        "Shares: Ann 60% (president); IPO 40%, market 0%."
    )


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({"zone": "yellow"}, "price $90 (yellow), par $80"),
        ({"floated": False}, "par $80\nNot floated yet: 60% must be sold.\n"),
        ({"president": None}, "President: nobody."),
        (
            {"trains": (("2", "4"), ("5", None)), "obsolete": ("1",)},
            "Trains: 2 (leaves on 4), 5, 1 (obsolete, runs once more).",
        ),
        (
            {"tokens_left": (40, 100), "kept": ("free",), "tokens_placed": ("F2", "G3")},
            "Tokens left: $40, $100, free; placed: F2, G3.",
        ),
        ({"holders": ()}, "Shares: no holders; IPO 40%"),
        ({"holders": (("Ann", 60, True), ("Bob", 10, False))}, "Ann 60% (president), Bob 10%; IPO"),
        ({"own": 20, "removed": 10}, "market 0%, treasury 20%, removed 10%."),
        ({"reissued": (50, 40, 50)}, ", reissued 2 at $50 and 1 at $40."),
        ({"privates": ("CV", "D&R")}, "\nPrivates: CV, D&R."),
        ({"markers": ("+10",)}, "\nMarkers: +10."),
        ({"parts": ("A", "B")}, "\nMade of A, B."),
        ({"shells": "2 and 3"}, ". On its shells: 2 and 3. Tokens"),
        ({"last_run": some(revenue=120, words="paid out")}, "\nLast run: $120, paid out."),
        ({"fixed": True}, "Pennsylvania: value $90\n"),
        ({"fixed": True}, "Shares: Ann 60% (president)."),
    ],
)
def test_a_charter_says_each_thing_a_company_has(values: dict[str, Any], said: str) -> None:
    sheet = f"{views.company_sheet(company(**values))}."
    assert said in sheet.replace("..", "."), sheet
    assert said not in views.company_sheet(company())


def test_a_company_that_is_not_there_yet_or_any_more_says_so() -> None:
    assert views.company_sheet(company(closed=True)) == "**PRR**, Pennsylvania: out of the game."
    waits = company(par=None, waits_for="4", reserved_by="Bob")
    assert views.company_sheet(waits) == (
        "**PRR**, Pennsylvania: not started. Home F2. Available from phase 4 on. Reserved by Bob."
    )
    assert views.company_sheet(company(par=None, home=None)) == "**PRR**, Pennsylvania: not started."


def player(**values: Any) -> PlayerView:
    """A player without shares, as far as nothing else is said."""
    usual: dict[str, Any] = {
        "cash": 100, "available": 100, "certificates": 1, "certificate_limit": 12, "priority": False,
        "holdings": (), "privates": (), "value": 300,
    }  # fmt: skip
    return PlayerView("p1", "Ann", **(usual | values))


def test_a_players_sheet_says_what_they_have() -> None:
    head = "**Ann**: cash $100, net worth $300, certificates 1 of 12"
    assert views.player_sheet(player()) == head
    assert views.player_sheet(player(priority=True)) == f"{head}, priority deal"
    assert "cash $100 ($60 not tied up in bids), net" in views.player_sheet(player(available=60))
    held = (
        some(badge=PRR, percent=60, president=True, value=540),
        some(badge=PRR, percent=10, president=False, value=90),
    )
    rows = views.player_sheet(player(holdings=held, privates=(("CV", "Camden", 20, 5),))).split("\n")
    assert rows[1:] == ["- PRR 60% (president): $540", "- PRR 10%: $90", "- Camden: face $20, income $5"]


def test_the_train_sheet_says_how_many_are_left_and_when_they_leave() -> None:
    trains = TrainsView(
        (("2", 3, 80, 2, "4"), ("D", None, 900, None, None)), (("3", 100),), "2", 4, (("minor", 2),)
    )
    assert views.trains_sheet(trains).split("\n") == [
        "Phase 2, train limit 4, of a minor 2.",
        "- 2: 3 left, $80, 2 stops, leaves on 4",
        "- D: any number, $900",
        "- 3 in the bank pool: $100",
    ]


# --- words for pictures ----------------------------------------------------------------------------------------------


def test_words_for_a_picture_are_cut_at_a_blank_where_they_are_too_long() -> None:
    assert alt_texts.shortened("x" * alt_texts.LONGEST) == "x" * alt_texts.LONGEST
    assert alt_texts.shortened("word " * 400) == "word " * 204 + "…"
    fits = "x" * (alt_texts.LONGEST - 3)
    assert alt_texts.shortened(f"{fits} {fits}") == f"{fits} …"


def test_a_map_is_described_by_its_caption_and_its_runs() -> None:
    run = some(train="2", sum_text="30+20", value=50)
    assert alt_texts.of_map(some(caption="OR 2.1", runs=())) == "OR 2.1"
    assert alt_texts.of_map(some(caption="OR 2.1", runs=(run, run))) == "OR 2.1. 2 30+20 = $50; 2 30+20 = $50"


def test_the_table_is_described_by_players_and_started_companies() -> None:
    held = some(badge=PRR, percent=60)
    ann = some(name="Ann", cash=100, value=300, holdings=(held,))
    bob = some(name="Bob", cash=7, value=7, holdings=())
    started = some(badge=PRR, par=80, price=90, treasury=500, trains=(("2", None), ("3", "5")))
    bare = some(badge=some(company="LV"), par=70, price=70, treasury=0, trains=())
    waiting = some(badge=some(company="B&O"), par=None, price=None, treasury=0, trains=())
    table = some(caption="SR 2", players=(ann, bob), companies=(started, bare, waiting))
    assert alt_texts.of_table(table) == (
        "The table, SR 2. Ann has PRR 60%, cash $100, net worth $300. Bob has cash $7, net worth $7. "
        "PRR: price $90, treasury $500, trains 2 3. LV: price $70, treasury $0, trains none."
    )


def test_the_course_of_a_game_is_described_by_its_end() -> None:
    companies = (some(company="PRR"), some(company="LV"))
    moments = [some(worth=(1, 2), prices=(80, 70)), some(worth=(300, 200), prices=(90, None))]
    course = some(players=("Ann", "Bob"), companies=companies, moments=moments)
    assert alt_texts.of_history(course) == (
        "Net worth and share prices over 2 rounds; now Ann $300, Bob $200. Prices: PRR $90."
    )
    secret = some(players=(), companies=companies[1:], moments=[some(worth=(), prices=(None,))])
    assert alt_texts.of_history(secret) == "Share prices over 1 rounds. Prices: none."


def test_tiles_phases_and_scores_are_described() -> None:
    tiles = some(tiles=(some(hex=some(tile="57"), left=3), some(hex=some(tile="9"), left=None)))
    assert alt_texts.of_tiles(tiles) == "Tiles left. 57: 3, 9: any number."
    phase = some(
        name="2", tiles=("yellow", "green"), train_limit=4, operating_rounds=1, changes=("trains rust",)
    )
    later = some(name="3", tiles=("yellow",), train_limit=3, operating_rounds=2, changes=())
    assert alt_texts.of_phases(some(phases=(phase, later))) == (
        "Phase 2: yellow, green tiles, limit 4, 1 operating rounds, trains rust. "
        "Phase 3: yellow tiles, limit 3, 2 operating rounds."
    )
    rows = (some(rank=1, name="Ann", total=900), some(rank=2, name="Bob", total=800))
    scores = some(ending="The bank broke.", rows=rows)
    assert alt_texts.of_scores(scores) == "The score sheet. The bank broke. 1. Ann $900, 2. Bob $800."


def test_a_sale_is_described_by_lots_bids_money_and_powers() -> None:
    claims = (some(player="Bob", amount=45), some(player="Cy", amount=None))
    lot = some(
        name="Camden",
        badge=some(company="C-P"),
        value=40,
        income=10,
        status="open",
        claims=claims,
        does=("Lays a tile", "Free"),
    )
    bare = some(
        name="Minor", badge=some(company="M1"), value=None, income=None, status="gone", claims=(), does=()
    )
    seats = (
        some(name="Ann", cash=100, committed=0, free=100),
        some(name="Bob", cash=100, committed=45, free=55),
    )
    sale = some(caption="Auction", columns=((lot,), (bare,)), seats=seats, coming=("Then a stock round.",))
    assert alt_texts.of_sale(sale) == (
        "Auction. Camden, C-P, $40, income $10: open, Bob $45. Minor, M1: gone. Ann has $100. "
        "Bob has $100, $55 free. Then a stock round. C-P: Lays a tile. Free."
    )


# --- pieces and steps ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "cut"),
    [
        ("", [""]),
        ("abcde", ["abcde"]),
        ("ab\ncd\nef", ["ab\ncd", "ef"]),
        ("a\nbcdef", ["a", "bcdef"]),
        ("abcdef", ["abcde", "f"]),
        ("\nabcdefg", ["\nabcd", "efg"]),
        ("abcde\nfg", ["abcde", "fg"]),
        ("abcdef\ng", ["abcde", "f\ng"]),
        ("ab\n\n\ncdefg", ["ab\n\n", "cdefg"]),
    ],
)
def test_a_long_text_is_cut_at_its_last_line_end_that_fits(text: str, cut: list[str]) -> None:
    assert pieces(text, 5) == cut


def turn(**values: Any) -> Any:
    """Whose turn it is, as far as nothing else is said."""
    usual: dict[str, Any] = {
        "round_name": "OR 2.1", "phase": "3", "bank": "$5000", "actors": ("p1",), "actor_names": ("Ann",),
        "entity": "PRR", "facts": "", "duty": (), "steps": (), "ending": "", "over": False,
    }  # fmt: skip
    return some(**(usual | values))


def test_the_steps_of_a_turn_are_marked_as_done_current_and_to_come() -> None:
    view = turn(steps=(("track", True, False), ("token", False, True), ("run", False, False)), facts="$100")
    assert game_texts.steps(view) == "-# ✓ track · **▸ token** · run"
    assert game_texts.steps(turn()) == ""
    assert game_texts.heading(view) == "**OR 2.1: PRR** ($100)"
    assert game_texts.heading(turn()) == "**OR 2.1: PRR**"


def live(**values: Any) -> Any:
    """A table of Ann (p1) and Bob (p2), as far as nothing else is said."""
    usual: dict[str, Any] = {
        "id": 5, "seq": 9, "by_group": frozenset(), "by_caretaker": frozenset(), "counting": [],
        "row": some(name="18Chesapeake", guild_id=1, thread_id=2, board_message_id=None, turn_message_id=77),
        "game": some(actors=lambda: ("p1",)),
        "name_of": {"p1": "Ann", "p2": "Bob"}.get, "user_of": {"p1": 11, "p2": 12}.get,
        "people_of": lambda player: {"p1": (12,), "p2": (11,)}[player],
    }  # fmt: skip
    return some(**(usual | values))


@pytest.fixture
def seen(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Positions whose turn is set: `seen(turn(...))`."""

    def set_to(view: Any, offer: Any = None, *, waits: bool = False) -> None:
        monkeypatch.setattr(turn_texts, "turn_view", lambda _: view)
        monkeypatch.setattr(turn_texts, "offer_view", lambda _: offer)
        monkeypatch.setattr(turn_texts, "caretaker_waits", lambda _: waits)

    set_to(turn())
    return set_to


@pytest.mark.parametrize(
    ("view", "says"),
    [
        ({"actor_names": ("Ann", "Bob")}, "OR 2.1, phase 3. It is **Ann** and **Bob**'s turn."),
        ({"actor_names": ()}, "OR 2.1, phase 3."),
        ({"ending": "The end: soon."}, "OR 2.1, phase 3. It is **Ann**'s turn. The end: soon."),
        ({"over": True}, "over."),
    ],
)
def test_a_position_says_round_turn_and_end(view: dict[str, Any], says: str) -> None:
    there = turn(**view)
    assert game_texts.position_text(live(), there) == f"**18Chesapeake**, game 5: {says}"
    assert game_texts.as_of(live(), there) == "After move 9 the bank has $5000."


def test_a_move_that_is_made_is_answered_by_its_number() -> None:
    assert (
        Outcome(9, ("PRR lays track.", "PRR runs."), 7).done() == "Done, move 7: PRR lays track.\nPRR runs."
    )
    assert Outcome(9, ("PRR lays track.",)).done() == "Done, move 9: PRR lays track."


def lobby(**values: Any) -> Any:
    """A lobby that nobody has joined, as far as nothing else is said."""
    row = some(
        id=5,
        name="18AL",
        title="18al",
        profile="rulebook",
        options="[]",
        created_at="2026-01-01T00:00:00+00:00",
    )
    usual: dict[str, Any] = {
        "row": row, "counts": range(3, 6), "fixed": False, "agreed": (), "seats": (), "asked": (), "may_seal": True,
    }  # fmt: skip
    return some(**(usual | values))


def test_a_lobby_says_the_rules_who_has_joined_and_until_when_it_is_open() -> None:
    text = lobby_text(lobby()).split("\n")
    assert text[0] == "**Game 5: 18AL** for 3 to 5 players"
    assert text[1].startswith("Rules: **rulebook**")
    assert text[2] == "nobody yet"
    assert text[3].startswith("-# 0 joined, seats are drawn at the start. Join below, or with `/game join`.")
    assert text[3].endswith("It is closed, unless it starts, <t:1769817600:R>.")
    seats = (some(seat=1, display_name="Ann"), some(seat=2, display_name="Bob"))
    full = lobby_text(lobby(seats=seats, fixed=True, agreed=("Sealed.",), asked=(13, 14))).split("\n")
    assert full[2:6] == ["Sealed.", "1. Ann", "2. Bob", "Once more, <@13> and <@14>?"]
    assert full[6].startswith("-# 2 joined, in this order. ")


def test_the_name_of_a_thread_has_the_players_and_no_more_than_discord_takes() -> None:
    assert game_texts.thread_name(5, "18AL", ["Ann", "Bob"]) == "18AL 5: Ann, Bob"
    assert game_texts.thread_name(5, "18AL", ["x" * 200]) == "18AL 5: " + "x" * 92


# --- turns -----------------------------------------------------------------------------------------------------------


def ping(player: str, user: int = 11, stage: int = 0) -> Any:
    """A ping that is posted."""
    return some(player_id=player, user_id=user, stage=stage)


def test_who_is_pinged_is_mentioned_and_others_are_named(seen: Any) -> None:
    seen(turn(actors=("p1", "p2")))
    assert turn_texts.turn_text(live()) == "**Ann** and **Bob**: **OR 2.1: PRR**"
    assert turn_texts.turn_text(live(), [ping("p2")]) == "**Ann** and <@12>: **OR 2.1: PRR**"
    cared = live(by_caretaker=frozenset({"p2"}))
    assert turn_texts.turn_text(cared, [ping("p2")]) == "**Ann** and **Bob**: **OR 2.1: PRR**"


def test_a_turn_says_its_steps_duty_and_which_reminder_it_is(seen: Any) -> None:
    seen(turn(duty=("A train must be bought.",), steps=(("track", True, False),)))
    assert turn_texts.turn_text(live(), [ping("p1", stage=2), ping("p1", stage=1)]).split("\n") == [
        "<@11>: **OR 2.1: PRR**",
        "A train must be bought.",
        "-# ✓ track",
        "-# Reminder 2: the table waits. `/pings` says how you are pinged.",
    ]


def test_who_is_pinged_to_seal_is_mentioned_once(seen: Any) -> None:
    seen(turn())
    text = turn_texts.turn_text(live(), [ping("p1"), ping("p2", 12), ping("p3", 12), ping("p4", 14)])
    assert text.split("\n")[1:] == ["Pinged to seal: <@12> and <@14>."]


def test_a_seat_that_the_table_plays_or_a_caretaker_waits_for_is_explained(seen: Any) -> None:
    seen(turn(), waits=True)
    text = turn_texts.turn_text(live(by_group=frozenset({"p1"}))).split("\n")
    assert (
        text[1] == "The table plays this seat: <@12> propose a move with `/game propose`, and agree to one."
    )
    assert text[2] == WAITS
    assert len(text) == 3


def test_a_turn_leads_to_map_and_market_where_they_are_posted(seen: Any) -> None:
    seen(turn())
    row = some(guild_id=1, thread_id=2, board_message_id=3)
    assert turn_texts.turn_text(live(row=row)).endswith(
        "\n-# [Map and market](https://discord.com/channels/1/2/3)"
    )


def test_an_offer_is_shown_with_what_everybody_has_before_and_after(seen: Any) -> None:
    party = some(name="PRR", changes=("$100 → $50", "3-train"))
    seen(
        turn(),
        some(asker="Ann", asked="Bob", what="Buy a 3-train for $50", parties=(party,), lines=("It rusts.",)),
    )
    assert turn_texts.turn_text(live()).split("\n") == [
        "**Ann**: an offer of **Ann**",
        "**Buy a 3-train for $50**.",
        "> **PRR**: $100 → $50, 3-train",
        "> It rusts.",
        "-# Bob agrees or refuses. Ann may withdraw it, or move by a command, which ends the offer.",
    ]


def since(lines: Sequence[str], first: int | None = None, *, seen: bool = False) -> list[str]:
    """What a turn says of lines that were missed."""
    return turn_texts.turn_text(live(), (), Missed(tuple(lines), first, seen)).split("\n")[1:]


def test_missed_lines_are_repeated_small_with_a_link_to_the_first(seen: Any) -> None:
    seen(turn())
    link = "https://discord.com/channels/1/2/33"
    assert since(["`1` PRR runs.\n-# It pays."]) == [
        "-# Since your last move:",
        "-# `1` PRR runs.",
        "-# It pays.",
    ]
    assert since(["`1` PRR runs."], 33)[0] == f"-# [Since your last move]({link}):"
    assert since(["`1` PRR runs."], 33, seen=True) == [f"-# [Before your turn]({link})"]
    assert since(["`1` PRR runs."], seen=True) == []
    assert since([]) == []


def test_of_many_missed_lines_the_last_are_repeated(seen: Any) -> None:
    seen(turn())
    many = since([f"line {number}" for number in range(MOST_LINES + 3)])
    assert many[0] == "-# Since your last move, 3 earlier in `/log`:"
    assert many[1:] == [f"-# line {number}" for number in range(3, MOST_LINES + 3)]
    half = "x" * (ROOM // 2)
    assert since(["first", half, half])[1:] == [f"-# {half}"] * 2
    assert since(["first", half + "y", half])[1:] == [f"-# {half}"]
    assert since(["x" * (ROOM + 1)], 33) == ["-# [Before your turn](https://discord.com/channels/1/2/33)"]


# --- what was missed -------------------------------------------------------------------------------------------------


def rows(*actors: str | None) -> list[Any]:
    """Rows that count, numbered from 1, by these players."""
    return [some(seq=number, actor=actor) for number, actor in enumerate(actors, 1)]


def a_line(
    seq: int,
    message: int | None = None,
    *,
    waits: bool = False,
    quiet: bool = False,
    aside: bool = False,
    opens: bool = False,
) -> Any:
    """A line that was posted, or waits."""
    line = Line(f"line {seq}", silent=quiet, note=aside, first=opens)
    return some(seq=seq, payload=line.notice().payload, message_id=message, waits=waits)


def test_missed_is_what_was_posted_since_the_last_own_move() -> None:
    table = live(counting=rows("p2", "p1", "p2", "p3"))
    found = turn_texts.missed_lines(table, [a_line(1), a_line(2), a_line(3, 30), a_line(4, 31)])
    assert (found.lines, found.first, found.seen) == (("line 3", "line 4"), 30, False)
    assert turn_texts.missed_since(table) == 2


def test_nobody_misses_the_first_line_and_several_who_act_miss_nothing() -> None:
    table = live(counting=rows(None, "p2"))
    assert turn_texts.missed_lines(table, [a_line(1), a_line(2)]).lines == ("line 2",)
    assert turn_texts.missed_since(table) == 1
    several = live(counting=rows(None, "p2"), game=some(actors=lambda: ("p1", "p2")))
    assert turn_texts.missed_lines(several, [a_line(2)]) == Missed()
    assert turn_texts.missed_since(several) == 9


def test_who_has_made_every_move_has_missed_nothing() -> None:
    table = live(counting=rows("p1", "p1"))
    assert turn_texts.missed_since(table) == 1
    assert turn_texts.missed_lines(table, [a_line(2)]).lines == ()


def test_quiet_and_undone_lines_are_not_missed() -> None:
    table = live(counting=[row for row in rows("p1", "p2", "p2", "p2") if row.seq != 3])
    found = turn_texts.missed_lines(table, [a_line(2, quiet=True), a_line(3), a_line(4, waits=True)])
    assert found == Missed(("line 4",), 77), "a line that waits is posted with the turn"
    assert turn_texts.missed_lines(table, [a_line(2, aside=True), a_line(4, opens=True)]) == Missed()


def test_once_a_player_keeps_moving_what_stands_in_their_own_post_is_not_repeated() -> None:
    table = live(counting=rows("p1", "p2", "p2", "p1", "p1"))
    found = turn_texts.missed_lines(table, [a_line(2, 30), a_line(3, 77), a_line(4), a_line(5)])
    assert found == Missed(("line 2",), 30, seen=True)
    assert turn_texts.missed_since(table) == 1
    waiting = turn_texts.missed_lines(table, [a_line(3, 77, waits=True)])
    assert waiting.lines == ("line 3",)
    once = live(counting=rows("p1", "p2", "p1"))
    assert turn_texts.missed_lines(once, [a_line(2, 30), a_line(3)]) == Missed(("line 2",), 30, seen=True)


# --- what-ifs --------------------------------------------------------------------------------------------------------


def step(*lines: str) -> Any:
    """A move that was tried."""
    return some(lines=lines)


def what_if(steps: Sequence[Any] = (), own: Sequence[Any] | None = None) -> Any:
    """A what-if from the position after move 9."""
    return some(base=9, steps=tuple(steps), own=tuple(steps if own is None else own))


def sight(steps: Sequence[Any] = (), **values: Any) -> Any:
    """What a what-if shows, as far as nothing else is said."""
    usual: dict[str, Any] = {
        "what_if": what_if(steps),
        "changes": (),
        "note": "",
        "turn": turn(),
        "words": ("pass",),
    }
    return some(**(usual | values))


def test_a_what_if_says_what_was_tried_what_changed_and_what_could_come_next() -> None:
    assert what_ifs.what_if_text(sight(), 9).split("\n") == [
        "**What if**, from the position after move 9: try a move.",
        "-# Nothing of this is stored, and only you see it.",
        "**OR 2.1: PRR**",
        "**Ann** can: pass.",
    ]
    tried = sight(
        [step("PRR lays track.", "PRR runs.")], changes=("Ann $100 → $90", "PRR 80 → 90"), note="No."
    )
    assert what_ifs.what_if_text(tried, 12).split("\n") == [
        "**What if**, from the position after move 9",
        "-# Nothing of this is stored, and only you see it.",
        "1. PRR lays track.",
        "PRR runs.",
        "> Ann $100 → $90 · PRR 80 → 90",
        "**Not possible**: No.",
        "**OR 2.1: PRR**",
        "**Ann** can: pass.",
        what_ifs.MOVED_ON.format(12),
    ]


def test_a_what_if_ends_where_money_is_secret_or_the_game_is_over() -> None:
    assert what_ifs.what_if_text(sight(turn=None), 9).endswith(what_ifs.ENDS)
    assert what_ifs.what_if_text(sight(turn=turn(over=True)), 9).endswith("**The game is over.**")


@pytest.mark.parametrize(("count", "last"), [(12, "word 11."), (13, "word 11, more.")])
def test_few_of_many_offers_are_named(count: int, last: str) -> None:
    words = tuple(f"word {number}" for number in range(count))
    assert what_ifs.what_if_text(sight(words=words), 9).endswith(last)


def test_of_many_tried_moves_the_last_are_shown_with_their_numbers() -> None:
    half = "x" * (what_ifs.ROOM // 2 - 3)
    lines = what_ifs.what_if_text(sight([step(half)] * 3), 9).split("\n")
    assert lines[2:5] == ["-# 1 earlier", f"2. {half}", f"3. {half}"]
    long = what_ifs.what_if_text(sight([step("y" * 5000)]), 9).split("\n")
    assert len(long[2]) == what_ifs.ROOM


def test_before_moves_of_a_what_if_are_made_they_are_listed() -> None:
    one, two = step("PRR lays track."), step("Bob passes.")
    assert what_ifs.make_text(what_if([one])).split("\n") == [
        "**Make this move?**", "1. PRR lays track.", what_ifs.MAKES,
    ]  # fmt: skip
    assert what_ifs.make_text(what_if([one, two, one], own=[one, one])).split("\n") == [
        "**Make these 2 moves?**", "1. PRR lays track.", "2. PRR lays track.", what_ifs.MAKES,
        what_ifs.ONLY_OWN,
    ]  # fmt: skip


def test_what_stops_the_moves_of_a_what_if_is_said_with_those_that_are_left() -> None:
    moves, made = what_if([step("a"), step("b"), step("c")]), Outcome(9, ("PRR runs.",))
    assert what_ifs.made_text(moves, [made], "") == "Done, move 9: PRR runs."
    assert what_ifs.made_text(moves, [made], "No.").split("\n")[1:] == [
        "**Not made: moves 2 to 3 of the what-if.** No."
    ]
    assert "**Not made: move 3 of the what-if.** No." in what_ifs.made_text(moves, [made, made], "No.")
