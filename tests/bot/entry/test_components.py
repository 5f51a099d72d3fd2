"""What stands on messages: buttons with their styles and places, menus, forms, and how the use of one is answered."""

import re
from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

import discord
import pytest

from bot.client import component, turn_panel
from bot.client.buttons import LABEL, TITLE, board_button, link_button, rows_of, shortened, vote_button
from bot.client.component import Component
from bot.client.features import orders
from bot.client.features.lobby_messages import CHOICES, lobby_button, lobby_panel, options_menu
from bot.client.features.what_if import what_if_panel
from bot.client.offer_menus_and_forms import FEW, NUMBERED, amount_form, joined, screen, split, typed_amount
from bot.client.thread.turn_lines import record_in, shortest, struck_text
from bot.table.games.game_log import Undone
from bot.table.moves.completions import Item
from bot.table.moves.menus import AmountQuestion, Capacity, MenuPlace, Ready, RunQuestion, SlotQuestion, Way
from bot.table.moves.turn_buttons import MOST, TurnButton
from bot.table.orders.player_orders import SEAL, QuickOrder
from bot.table.rate_limits import Kind
from engine.titles import TITLES
from storage import Row, log
from tests.bot.support.declared import used as used_as


def some(**values: Any) -> Any:
    """An object with these values."""
    return SimpleNamespace(**values)


def labels(view: discord.ui.View) -> list[str]:
    """What the buttons say, and what menus ask."""
    items: list[Any] = list(view.children)
    return [str(item.label if isinstance(item, discord.ui.Button) else item.placeholder) for item in items]


def ids(view: discord.ui.View) -> list[str]:
    items: list[Any] = list(view.children)
    return [item.custom_id for item in items]


# --- the turn message ------------------------------------------------------------------------------------------------


def row(seq: int, actor: str = "p1", kind: Any = "action") -> Row:
    return Row(5, seq, kind, "{}", "", actor, 1, "now")


def live(
    *rows: Row, automatic: dict[int, int | None] | None = None, proposal: Any = None, undone: Any = None
) -> Any:
    """A table of Ann (p1) and Bob (p2) after these rows."""
    return some(
        id=5, seq=9, counting=[row(1, "", "start"), *rows], automatic=automatic or {},
        undone=Undone() if undone is None else undone,
        game=some(proposal=proposal), name_of={"p1": "Ann", "p2": "Bob"}.get,
    )  # fmt: skip


def entry(label: str, kind: str = "sell_shares", **more: Any) -> TurnButton:
    return TurnButton("0123abcd", label, kind, menu=more.pop("menu", False), **more)


def test_a_turn_has_its_moves_then_views_and_undo_last() -> None:
    view = turn_panel.turn_panel(live(row(2)), [entry("Sell"), entry("Lay", menu=True)])
    assert labels(view) == ["Sell", "Lay", "Map", "Market", "Table", "Undo Ann's move 2"]
    assert ids(view)[:2] == ["g:5:9:0123abcd", "w:5:9:0123abcd"]
    assert view.timeout is None
    assert labels(turn_panel.turn_panel(live(row(2)), [], board=True))[:2] == ["Board", "Map"]


def test_moves_have_colours_by_what_they_do() -> None:
    quick: Any = some(confirm=True)
    entries = [
        entry("a"), entry("b", "pass"), entry("c", quick=quick), entry("d", quick=some(confirm=False)),
        entry("e", reply="agree"), entry("f", reply="refuse"), entry("g", reply="withdraw"),
    ]  # fmt: skip
    buttons: list[Any] = list(turn_panel.turn_panel(live(row(2)), entries).children)
    style = discord.ButtonStyle
    assert [button.style for button in buttons[:7]] == [
        style.primary, style.secondary, style.danger, style.primary, style.success, style.danger, style.secondary,
    ]  # fmt: skip


def test_a_form_is_opened_by_the_offer_and_its_first_pick() -> None:
    form = TurnButton("0123abcd.C.V", "C.V: another bid …", "bid", menu=True, form="C.V")
    assert ids(turn_panel.turn_panel(live(row(2)), [form]))[0] == "a:5:9:0123abcd:C.V"


def test_what_orders_and_automatic_moves_did_is_undone_with_the_move_before_it() -> None:
    def undo(*rows: Row, **automatic: int | None) -> str:
        marks = {int(seq[1:]): order for seq, order in automatic.items()}
        return labels(turn_panel.turn_panel(live(*rows, automatic=marks), []))[-1]

    assert undo(row(2), row(3, "p2"), _3=None) == "Undo Ann's move 2"
    assert undo(row(2), row(3), _3=7) == "Undo Ann's move 2"
    assert undo(row(2), row(3, "p2"), _3=7) == "Undo Ann's move 2 or Bob's move 3"
    assert undo(row(2, "p2"), _2=7) == "Undo Bob's move 2"


def test_nothing_is_undone_at_the_start_or_while_an_offer_waits() -> None:
    for table in (live(), live(row(2), proposal="asked")):
        assert labels(turn_panel.turn_panel(table, [])) == ["Map", "Market", "Table"]


def test_what_was_undone_is_redone_where_there_is_room() -> None:
    undone = Undone.of(
        [row(1, "", "start"), row(2), row(3), Row(5, 4, "undo", log.undo_payload(1), "", "p1", 1, "now")]
    )
    few = turn_panel.turn_panel(live(undone=undone), [entry("Sell")])
    assert labels(few)[-1] == "Redo moves 2 to 3"
    assert ids(few)[-1] == "e:5:9"
    full = turn_panel.turn_panel(live(row(5), undone=undone), [entry(f"Sell {n}") for n in range(30)])
    assert len(full.children) == MOST + 1
    assert labels(full)[-1] == "Undo Ann's move 5"
    first = turn_panel.turn_panel(live(undone=undone), [entry(f"Sell {n}") for n in range(30)])
    assert labels(first)[-1] == "Redo moves 2 to 3"


def test_sealing_has_room_before_all_moves_and_other_orders_after_them() -> None:
    taps = [QuickOrder("pass", "", "Pass for now"), QuickOrder(SEAL, "", "Seal")]
    view = turn_panel.turn_panel(live(row(2)), [entry("Sell")], taps)
    assert labels(view)[:3] == ["Seal", "Sell", "Pass for now"]
    buttons: list[Any] = list(view.children)
    assert [button.style for button in buttons[:3:2]] == [
        discord.ButtonStyle.primary,
        discord.ButtonStyle.secondary,
    ]
    full = labels(turn_panel.turn_panel(live(row(2)), [entry(f"Sell {n}") for n in range(30)], taps))
    assert full[0] == "Seal"
    assert "Pass for now" not in full
    assert len(full) == MOST + 1
    almost = [entry(f"Sell {n}") for n in range(MOST - 3 - 2)]
    assert (
        labels(
            turn_panel.turn_panel(live(row(2)), almost, [*taps, QuickOrder("buy", "PRR", "Buy PRR")])
        ).count("Pass for now")
        == 1
    )


def test_a_what_if_has_the_same_moves_with_ids_of_its_own() -> None:
    form = TurnButton("0123abcd.C.V", "C.V …", "bid", menu=True, form="C.V")

    def panel(*entries: TurnButton) -> discord.ui.View:
        tried: Any = some(row=some(id=5), token=7, steps=[1], own=[], base=9)
        sight: Any = some(what_if=tried, entries=entries)
        return what_if_panel(sight, 9)

    few = ids(panel(entry("Sell"), entry("Lay", menu=True), form))
    assert few[:3] == ["g:5:7:0123abcdw", "p:5:7:0123abcdw:0:", "a:5:7:0123abcdw:C.V"]
    full = ids(panel(*(entry(f"Sell {n}") for n in range(30))))
    assert (len(full), full[-2:], few[3:]) == (25, few[3:], ["x:5:7:back", "x:5:7:over"])


# --- the lobby -------------------------------------------------------------------------------------------------------


def lobby(title: str = "18al", people: int = 1, seats: int = 1, options: Sequence[str] = ()) -> Any:
    row: Any = some(id=5, title=title, profile="rulebook")
    return some(row=row, people=[1] * people, seats=[1] * seats, options=options)


def test_a_lobby_is_joined_left_and_started_and_has_seats_for_the_computer() -> None:
    usual = [
        "Join",
        "Leave",
        "Start",
        "Computer: Apprentice",
        "Computer: Conductor",
        "Computer: Superintendent",
    ]
    view = lobby_panel(lobby())
    assert labels(view)[:6] == usual
    assert [item.row for item in view.children[:6]] == [0, 0, 0, 1, 1, 1]
    assert [label for label in labels(view)[6:] if not label.startswith("Options")] == ["Rules"]
    assert labels(lobby_panel(lobby(seats=2)))[6:8] == ["One computer less", "Rules"]
    start: Any = lobby_button(5, "start")
    join: Any = lobby_button(5, "join")
    assert (start.style, join.style) == (discord.ButtonStyle.success, discord.ButtonStyle.secondary)
    assert CHOICES["start"] == "Start"


def test_the_rules_of_a_lobby_are_chosen_in_menus_that_show_what_holds() -> None:
    title = next(one for one in TITLES.values() if one.rules.OPTIONS)
    code = next(iter(title.rules.OPTIONS))
    view = lobby_panel(lobby(title.id, options=[code]))
    menus: list[Any] = list(view.children)[-2:]
    assert [option.value for option in menus[0].options if option.default] == ["rulebook"]
    assert [option.value for option in menus[1].options if option.default] == [code]
    assert (menus[1].min_values, menus[1].max_values) == (0, len(title.rules.OPTIONS))
    assert all(len(option.description) <= 100 for option in menus[1].options)
    menu: Any = options_menu(5, menus[1].options)
    assert menu.custom_id == "r:5:options"


@pytest.mark.parametrize(
    ("choice", "style"), [("yes", "success"), ("no", "danger"), ("withdraw", "secondary")]
)
def test_votes_have_their_colours(choice: str, style: str) -> None:
    button: Any = vote_button(5, 3, choice, "x")
    assert button.style is discord.ButtonStyle[style]
    assert button.custom_id == f"t:5:3:{choice}"


def test_labels_are_cut_where_they_are_too_long() -> None:
    assert shortened("x" * LABEL) == "x" * LABEL
    assert len(shortened("word " * 30)) <= LABEL
    assert link_button("word " * 30, "https://example.org").label == shortened("word " * 30)


# --- the questions of an offer ---------------------------------------------------------------------------------------


PLACE = MenuPlace(5, 9, "0123abcd")


def way(*picked: str, back: Any = None) -> Way:
    return Way("Buy a train", picked, tuple(f"{pick}-train" for pick in picked), back, "PRR has $480")


def question(
    count: int, page: int = 0, *, more: bool = False, sketch: Any = None, way_: Way | None = None
) -> SlotQuestion:
    choices = tuple(Item(f"X{n}", f"Choice {n}") for n in range(count))
    return SlotQuestion(way_ or way(), "train", choices, page, more, sketch)


def test_few_choices_have_a_button_each_and_many_are_a_menu() -> None:
    few = screen(PLACE, question(FEW))
    assert few.text == "**Buy a train**: which train? PRR has $480."
    assert ids(few.view)[0] == "p:5:9:0123abcd:0:X0"
    assert len(few.view.children) == FEW
    (menu,) = screen(PLACE, question(FEW + 1)).view.children
    assert isinstance(menu, discord.ui.Select)
    assert (menu.custom_id, menu.placeholder, len(menu.options)) == (
        "s:5:9:0123abcd:",
        "Choose the train",
        FEW + 1,
    )
    pictured: Any = some(pages=1)
    assert len(screen(PLACE, question(NUMBERED, sketch=pictured)).view.children) == NUMBERED
    assert len(screen(PLACE, question(NUMBERED + 1, sketch=pictured)).view.children) == 1


def test_an_offer_opens_at_its_first_page_with_nothing_picked() -> None:
    place = MenuPlace(5, 9, "0123abcd")
    assert (place.picks, place.page) == ((), 0)


def test_a_menu_of_several_pages_leads_to_those_before_and_after() -> None:
    assert labels(screen(PLACE, question(3, more=True)).view) == ["Choose the train", "More"]
    middle = screen(PLACE, question(3, 2, more=True, sketch=some(pages=4)))
    assert labels(middle.view) == ["Choose the train", "Earlier", "More"]
    assert ids(middle.view)[1:] == ["p:5:9:0123abcd:1:", "p:5:9:0123abcd:3:"]
    assert middle.text == "**Buy a train**: which train? Page 3 of 4. PRR has $480."
    assert labels(screen(PLACE, question(3, 1)).view) == ["Choose the train", "Earlier"]


def test_a_question_leads_back_to_the_one_before_or_out_of_the_offer() -> None:
    leave: Any = board_button(5, "Leave")
    first = screen(PLACE, question(1), leave)
    assert labels(first.view) == ["Choice 0", "Leave"]
    later = screen(PLACE, question(1, way_=way("2", "D", back=("2",))), leave)
    assert labels(later.view) == ["Choice 0", "Back"]
    assert ids(later.view) == ["p:5:9:0123abcd:0:2,D,X0", "p:5:9:0123abcd:0:2"]
    assert later.text.startswith("**Buy a train** (2-train, D-train): which train?")
    empty = SlotQuestion(way(), "train", (Item("", ""),), 0, False)
    assert (labels(screen(PLACE, empty).view), ids(screen(PLACE, empty).view)) == (
        ["none"],
        ["p:5:9:0123abcd:0:none"],
    )
    (menu,) = screen(
        PLACE, SlotQuestion(way(), "city", (Item("", ""), Item(1, "Left")) * 6, 0, False)
    ).view.children
    options: Any = menu
    assert [(one.label, one.value) for one in options.options[:2]] == [("none", "none"), ("Left", "1")]


def test_the_only_page_of_a_picture_is_not_numbered() -> None:
    sketch: Any = some(pages=1)
    asked = SlotQuestion(way(), "train", (Item("2", "2-train"),), 0, False, sketch)
    assert "Page" not in screen(PLACE, asked).text


def test_an_amount_has_its_usual_buttons_and_a_form_for_others() -> None:
    asked = AmountQuestion(way("2"), "price", (Item(5, "Lowest: $5"), Item(20, "Highest: $20")), "$5 to $20")
    shown = screen(PLACE, asked)
    assert labels(shown.view) == ["Lowest: $5", "Highest: $20", "Another price …"]
    assert ids(shown.view) == ["p:5:9:0123abcd:0:2,5", "p:5:9:0123abcd:0:2,20", "a:5:9:0123abcd:2"]
    assert shown.text == "**Buy a train** (2-train): which price? $5 to $20. PRR has $480."
    form: Any = amount_form(5, 9, "0123abcd", "2", asked)
    assert (form.title, form.custom_id) == ("Buy a train: 2-train", "f:5:9:0123abcd:2")
    assert [(child.text, child.component.custom_id) for child in form.children] == [
        ("Price, $5 to $20", "amount")
    ]
    assert len(form.title) <= TITLE
    asked = AmountQuestion(way("2", "D"), "price", (), "$5 to $20")
    assert amount_form(5, 9, "0123abcd", "2,D", asked).title == "Buy a train: 2-train", (
        "the first choice only"
    )


@pytest.mark.parametrize(("typed", "amount"), [("$1,200", "1200"), (" 5 0 ", "50"), ("x", "x")])
def test_signs_around_an_amount_are_left_out(typed: str, amount: str) -> None:
    assert typed_amount({"amount": typed}) == amount


def test_the_whole_move_is_one_button_that_says_what_fits_on_it() -> None:
    def ready(full: str) -> Ready:
        preview: Any = some(full=full, summary="in short", lines=("PRR $100 → $20", "one train more"))
        return Ready(way("2"), some(), preview, None)

    shown = screen(PLACE, ready("x" * LABEL))
    assert labels(shown.view) == ["x" * LABEL]
    assert ids(shown.view) == ["c:5:9:0123abcd:2"]
    assert shown.text == "**Buy a train** (2-train)\n> PRR $100 → $20\n> one train more"
    assert labels(screen(PLACE, ready("x" * (LABEL + 1))).view) == ["in short"]


def test_runs_are_made_by_their_buttons_and_only_picked_in_a_what_if() -> None:
    run: Any = some(label="Best run $120", lines=("**3** D2: $120",))
    asked = RunQuestion(way(), (run, run))
    made, tried = screen(PLACE, asked), screen(PLACE, asked, tried=True)
    assert ids(made.view) == ["c:5:9:0123abcd:1", "c:5:9:0123abcd:2"]
    assert ids(tried.view) == ["p:5:9:0123abcd:0:1", "p:5:9:0123abcd:0:2"]
    assert made.text.split("\n")[:2] == ["**Best run $120**", "**3** D2: $120"]
    assert made.text.endswith("Other routes: `/run routes:`.")


def test_picks_are_read_back_from_an_id() -> None:
    assert split(joined(("2", "D"))) == ["2", "D"]
    assert split(joined(())) == []


def test_the_form_of_sealed_maxima_lists_each_private_with_its_value() -> None:
    form: Any = orders.seal_form(5, TITLES["18chesapeake"].spec, {"D&R": 0, "CV": 205})
    assert form.custom_id == "zf:5:seal"
    assert form.children[0].content.startswith("Values: D&R $20, CV $200. 0: not wanted.")
    assert [child.component.default for child in form.children[1:]] == ["D&R: 0\nCV: 205"]
    most: Any = orders.maximum_form(5, {f"P{n}": f"Private {n}" for n in range(30)})
    assert len(most.children[0].component.options) == 25
    assert [child.text for child in most.children] == ["Private", "The most it may cost", "Then"]
    assert [option.default for option in most.children[2].component.options] == [True, False]


def test_steps_of_companies_are_skipped_by_a_menu() -> None:
    skips: Any = [some(company="PRR", step="track"), some(company="B&O", step="token")] * 20
    menu: Any = orders.skip_menu(5, skips)
    assert len(menu.options) == 25
    assert [(one.label, one.value) for one in menu.options[:2]] == [
        ("PRR: skip track", "PRR,track"),
        ("B&O: skip tokens", "B&O,token"),
    ]


async def test_nothing_that_is_shown_is_stored_in_memory() -> None:
    """The library stores what is not finished; ids say all that is needed, after a restart, too."""
    asked = AmountQuestion(way(), "price", (), "$5 to $20")
    shown = [
        rows_of([]),
        amount_form(5, 9, "0123abcd", "", asked),
        orders.seal_form(5, TITLES["18chesapeake"].spec, {"CV": 205}),
        orders.maximum_form(5, {"CV": "Private"}),
    ]
    assert all(view.is_finished() for view in shown)


# --- their use -------------------------------------------------------------------------------------------------------


class Used(Component):
    """A component that notes its use."""

    template = r"t:(?P<game>\d+):(?P<key>[0-9a-f]*)(?P<hand>[mtw]?)"
    right = "play"
    fails: Exception | None = None

    async def act(self, interaction: Any) -> None:
        interaction.notes.append("acts")
        if self.fails:
            raise self.fails


def use(custom_id: str, **data: Any) -> Used:
    found = re.fullmatch(Used.template, custom_id)
    assert found is not None
    return Used(found, data)


class Click:
    """An interaction that notes what becomes of it."""

    def __init__(
        self, monkeypatch: pytest.MonkeyPatch, *, admits: bool = True, may: Exception | None = None
    ) -> None:
        self.notes: list[Any] = []
        self.user = some(id=11)
        self.client = some(
            admission=some(admits=self._admits), acts=lambda game, user: self.notes.append(("seen", game, user)),
        )  # fmt: skip
        self._lets, self._may = admits, may
        monkeypatch.setattr(component, "ack_later", lambda _: self.notes.append("later"))
        monkeypatch.setattr(component, "ack", self._ack)
        monkeypatch.setattr(component, "require", self._require)
        monkeypatch.setattr(component, "report_error", self._report)
        monkeypatch.setattr(component, "tell_ended_orders", self._tell)

    async def _admits(self, _: Any, kind: Kind) -> bool:
        self.notes.append(kind)
        return self._lets

    async def _tell(self, _: Any, game: int) -> None:
        self.notes.append(("ended", game))

    async def _ack(self, _: Any) -> None:
        self.notes.append("ack")

    async def _require(self, _: Any, right: str, game: int) -> None:
        self.notes.append((right, game))
        if self._may:
            raise self._may

    async def _report(self, _: Any, error: Exception) -> None:
        self.notes.append(error)


async def test_a_click_is_let_in_checked_acted_on_and_acknowledged(monkeypatch: pytest.MonkeyPatch) -> None:
    click: Any = Click(monkeypatch)
    await use("t:5:").used(click)
    assert click.notes == ["later", Kind.MOVE, ("play", 5), ("seen", 5, 11), "acts", ("ended", 5), "ack"]


async def test_a_click_that_is_about_no_game_is_seen_in_none(monkeypatch: pytest.MonkeyPatch) -> None:
    click: Any = Click(monkeypatch)
    await use("t:0:").used(click)
    assert click.notes == ["later", Kind.MOVE, ("play", 0), "acts", "ack"]


async def test_whatever_goes_wrong_is_said_and_the_click_acknowledged(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    error = ValueError("nobody foresaw this")
    refused: Any = Click(monkeypatch, may=error)
    await use("t:5:").used(refused)
    assert refused.notes == ["later", Kind.MOVE, ("play", 5), error, "ack"]
    slow: Any = Click(monkeypatch, admits=False)
    await use("t:5:").used(slow)
    assert slow.notes == ["later", Kind.MOVE, "ack"]
    failing: Any = Click(monkeypatch)
    used = use("t:5:")
    used.fails = error
    await used.used(failing)
    assert failing.notes[-2:] == [error, "ack"]


@pytest.mark.parametrize(
    ("key", "right", "kind", "capacity"),
    [
        ("0123abcd", "play", Kind.MOVE, Capacity.OWN),
        ("0123abcdm", "moderate", Kind.MOVE, Capacity.MODERATOR),
        ("0123abcdw", "look", Kind.QUESTION, Capacity.WHAT_IF),
        ("0123abcdt", "play", Kind.MOVE, Capacity.TABLE),
    ],
)
def test_who_acts_as_a_moderator_or_in_a_what_if_needs_another_right(
    key: str, right: str, kind: Kind, capacity: Capacity
) -> None:
    for custom_id in (f"p:5:9:{key}:0:", f"s:5:9:{key}:", f"a:5:9:{key}:", f"f:5:9:{key}:"):
        found: Any = used_as(custom_id)
        assert (found.needs, found.cost, found.place().capacity) == (right, kind, capacity)
        assert found.game == 5


@pytest.mark.parametrize("custom_id", ["q:export", "i:3", "j"])
def test_what_belongs_to_no_game_is_used_in_none(custom_id: str) -> None:
    assert used_as(custom_id).game == 0


def test_parts_of_an_id_are_numbers_where_they_count_something() -> None:
    step: Any = used_as("p:5:9:00000012:3:2,D")
    assert (step.game, step.seq, step.key, step.page, step.picked) == (5, 9, "00000012", 3, "2,D")
    vote: Any = used_as("t:5:3:yes")
    assert (vote.game, vote.number, vote.choice) == (5, 3, "yes")


def test_what_was_chosen_or_typed_is_read_from_the_fields() -> None:
    fields = [
        {"component": {"custom_id": "amount", "value": "5"}},
        {"component": {"custom_id": "then", "values": ["pass"]}},
        {"content": "only text"},
    ]
    used = use("t:5:", components=fields, values=["a", "b"])
    assert used.fields == {"amount": "5", "then": "pass"}
    assert used.values == ("a", "b")


# --- lines -----------------------------------------------------------------------------------------------------------


def struck(*gone: tuple[int, int, int], counting: Sequence[int] = ()) -> Any:
    """A table where undos (their rows, the first and the last they took) have struck moves out."""
    marks = [some(undo=some(seq=undo), first=first, last=last) for undo, first, last in gone]
    return some(undone=some(struck=marks), counting=[some(seq=seq) for seq in counting])


def test_lines_of_moves_that_were_undone_are_struck_out_behind_their_numbers() -> None:
    text = "`2` A.\nmore\n-# small\n`3` B."
    assert struck_text(struck((4, 2, 2)), text) == "`2` ~~A.~~\n~~more~~\n-# ~~small~~\n`3` B."
    assert struck_text(struck((4, 2, 3)), "`2` A.\n\n`4` undone") == "`2` ~~A.~~\n\n`4` undone"
    assert struck_text(struck((4, 2, 3), counting=[3]), "`3` B.") == "`3` B."
    assert struck_text(struck((4, 2, 3), (5, 1, 4)), "`4` undone") == "`4` undone", "an undo is not undone"
    assert struck_text(struck(), text) == text
    assert struck_text(struck((4, 1, 3)), "Nothing numbered.") == "Nothing numbered."


def test_strokes_are_left_out_where_only_they_make_a_post_too_long() -> None:
    assert shortest(["~~a~~", "", "b"], ["a", "", "b"]) == "~~a~~\nb"
    plain = "x" * 1999
    assert shortest([f"~~{plain}~~"], [plain]) == plain
    assert len(shortest(["x" * 3000], ["x" * 3000])) == 2000


def test_the_lines_of_a_turn_stand_above_its_text() -> None:
    assert record_in("`2` A.\n`3` B.\n\nAnn acts.", has_buttons=True) == "`2` A.\n`3` B."
    assert record_in("`2` A.\n\nmore", has_buttons=False) == "`2` A.\n\nmore"
    assert record_in("Ann acts.", has_buttons=True) == ""
