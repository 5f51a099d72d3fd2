"""The print of a title: cash, chart, companies, privates, trains, and the rules in which titles differ."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Self

from tests.referees.classic.market import Chart


@dataclass(frozen=True)
class Train:
    """A kind of train; `count` is None for any number."""

    price: int
    count: int | None
    rusts: str = ""
    """The phase that removes it."""
    retires: str = ""
    """The phase after whose beginning it runs once more."""


@dataclass(frozen=True)
class Phase:
    """A phase, named like the train that begins it."""

    limit: int
    rounds: int
    """Operating rounds in a set."""


@dataclass(frozen=True)
class Title:
    """A title; companies and privates are in the order of the list."""

    name: str
    bank: int
    cash: Mapping[int, int]
    """By number of players, as are the certificate limits."""
    certificates: Mapping[int, int]
    rows: tuple[str, ...]
    """Rows of the chart: prices with the letter of their zone, `P` for a par price, `-` for no cell."""
    homes: Mapping[str, str]
    tokens: Mapping[str, tuple[int, ...]]
    privates: Mapping[str, tuple[int, int]]
    """Value and revenue."""
    trains: Mapping[str, Train]
    phases: Mapping[str, Phase]
    left_out: Mapping[int, tuple[str, ...]] = field(default_factory=dict)
    """Privates that are not in play, by number of players."""
    starts_later: frozenset[str] = frozenset()
    """Companies that players cannot start at first."""
    most_held: int = 6
    """Shares that a player may hold."""
    floats_at: int = 6
    """Shares that must be sold."""
    most_percent: int = 200
    """The highest price for which a company buys a private, in percent of its value."""
    gifts: Mapping[str, tuple[str, int]] = field(default_factory=dict)
    """Shares that come with a private; two are the president's certificate."""
    exchanges: Mapping[str, tuple[str, tuple[str, ...]]] = field(default_factory=dict)
    """The company of whose shares a private may be exchanged for one, and where they come from."""
    bound: frozenset[str] = frozenset()
    """Privates that are never sold again."""
    bids_in: int = 1
    """Bids are multiples of it."""
    sinks: bool = False
    """True if the cheapest private left gets cheaper whenever all pass, and nothing pays."""
    sold_until: str = "5"
    """The phase from which companies buy no privates."""
    closes: str = "5"
    """The phase that closes privates."""
    close_later: Mapping[str, str] = field(default_factory=dict)
    """Privates that another phase closes."""
    closed_by: Mapping[str, str] = field(default_factory=dict)
    """Privates that the first train of a company closes."""
    stays: Mapping[str, int] = field(default_factory=dict)
    """Privates that stay open with a player in phase 5, and their revenue then."""
    train_gift: str = ""
    """The private that brings a company a 2-train."""
    seller_lays: str = ""
    """The private whose seller may lay a tile when a company buys it."""
    free_token: str = ""
    """The private after whose lay a token may follow at once."""
    powers: Mapping[str, str] = field(default_factory=dict)
    """When privates lay a tile or place a token: at `any moment` of their company's turn, in its `track` step, there as
    its `lay`, in its `token` step, by their `player`, or by the `seller`."""
    chosen_homes: frozenset[str] = frozenset()
    """Companies that choose the city of their home."""
    homes_first: bool = False
    """True if homes are placed at the start of an operating round."""
    home_from_start: str = ""
    """The company whose home token stands from the beginning."""
    sell_buy_sell: bool = False
    several_of_offering: bool = False
    """True if several brown shares may also come from the offering."""
    one_block: bool = False
    trades_from: int = 0
    """The first stock round in which players trade privates; 0: never."""
    late_trains: tuple[str, ...] = ("D",)
    """Trains that are for sale from phase 6 on beside the next kind."""
    begins: Mapping[str, str] = field(default_factory=dict)
    """Phases that begin with a train of another name."""
    keeps_trains: bool = True
    """True if trains that a company gives up go to the pool."""
    one_train_until: str = ""
    """The phase from which a company may buy more than one train a turn from bank and pool."""
    helps_others: bool = True
    """True if the president's money also buys trains of other companies, up to their face value."""
    sells_freely: bool = True
    """True if a president short of the cheapest train may sell in every train step, dumping other companies."""
    fixed_sales: bool = False
    """True if forced sales change no presidency, and each company is sold once."""
    limit_gives_way: bool = False
    """True if a company at the train limit that could trade one in may buy any train, and discards one."""
    bank_ends: str = "set"
    """A broken bank ends the game after the `set` of operating rounds, after the `round`, or `never`."""
    dealt: bool = False
    """True if each player begins with one private, drawn by chance and paid."""
    last_rounds: int = 2
    """Operating rounds of the last set, where the calendar ends the game."""
    sells_leaving: bool = False
    """True if trains may be sold that have run and leave after the round."""
    top_price: int = 0
    """The price that ends the game with the round."""
    options: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    """The changes that options make."""

    def with_option(self, option: str) -> Self:
        return replace(self, **self.options.get(option, {}))

    @cached_property
    def chart(self) -> Chart:
        return Chart(self.rows)
