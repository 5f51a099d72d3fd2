"""Translates our actions and routes into those of an 18xx.games log, including its ids of shares, trains and tiles."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import count
from typing import Any, Final

from engine.board.map import Map, StopId
from engine.core import actions as a
from engine.core.actions import Action, read_action
from engine.core.errors import Unreadable
from engine.core.events import Event, TilesTakenBack, TrainsRan
from engine.core.facts import fact
from engine.core.ids import MARKET, OFFERING, REMOVED, CompanyId, Coord, EntityId, TileId
from engine.core.spec import ExchangePower
from engine.core.state import Stock
from engine.core.topology import FIRST_STOP
from engine.game import Game
from engine.interchange.importer import MARKET_SPACE_NAMES, read_share
from engine.interchange.log_ids import ShareHolders, TrainIds
from engine.interchange.log_reader import ONLY_FOR_18XX_GAMES_KEY, OUR_ACTIONS_KEY, RawAction
from engine.play.steps.base import Request
from engine.play.turn_order import chooses_home_city
from engine.routes.legal_routes import Route

LOG_DIVIDEND_BY_OPTION: Final = {"pay": "payout", "withhold": "withhold", "half": "half"}
"""18xx.games' words for our dividend options."""


class Exporter:
    """Plays actions in a new game and translates each into 18xx.games log actions."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self._share_holders = ShareHolders(game.table.state)
        self._spec = game.rules.spec
        self._train_ids = TrainIds(self._spec, game.table.state)
        self._tile_id_by_hex: dict[Coord, str] = {}
        self._train_ids.assign_ids(game.opening_events)

    def write_action(self, action: Action) -> list[RawAction]:
        """Play an action and return its translation: at most two log actions.

        Raises IllegalAction if the rules forbid it, Unreadable if 18xx.games has no such action.
        """
        refusal = self.game.obstacle(Request.of_action(action))
        if refusal is not None:  # checked first, because a share or train that nobody has also has no id
            raise refusal
        accepted_action = self._accepted_action(action)
        raw_actions = [] if accepted_action is None else self._raw_actions(accepted_action)
        events = self.game.apply(action)
        if accepted_action is None or self.game.proposal is not None:
            return []
        self._update_ids(accepted_action, raw_actions, events)
        return [] if isinstance(action, a.EndGame) and not self.game.is_over else raw_actions

    def _accepted_action(self, action: Action) -> Action | None:
        """The action to write in the log.

        For an answer that accepts a proposal, the proposed action; None for other answers.
        """
        proposal = self.game.proposal
        if not isinstance(action, a.Answer) or proposal is None:
            return action
        return read_action(proposal.action) if action.reply == "agree" else None

    def _raw_actions(self, action: Action) -> list[RawAction]:
        write_action = getattr(self, f"_write_{action.kind}", None)
        if write_action is None:
            raise Unreadable(fact("log.not_in_logs", kind=action.kind))
        raw_actions: list[RawAction] = write_action(action)
        return raw_actions

    def _raw_action(self, kind: str, entity: EntityId, /, **values: Any) -> list[RawAction]:
        state = self.game.table.state
        entity_type = "player" if state.is_player(entity) else "corporation"
        if entity in state.privates:
            entity, entity_type = self._spec.private_log_name(entity), "company"
        return [{"type": kind, "entity": id_in_log(entity), "entity_type": entity_type, **values}]

    # --- one writer per kind of action ------------------------------------------------------------------------

    def _write_bid(self, bid: a.Bid) -> list[RawAction]:
        return self._raw_action(
            "bid", bid.entity, company=self._spec.private_log_name(bid.private), price=bid.amount
        )

    def _write_pass(self, action: a.Pass) -> list[RawAction]:
        return self._raw_action("pass", action.entity)

    _write_liquidate = _write_pass

    def _write_par(self, par: a.Par) -> list[RawAction]:
        pars = self.game.table.grid.pars()
        return self._raw_start_actions(
            par.entity, par.company, next(space for space in pars if space[0] == par.price)
        )

    def _write_reserve(self, action: a.Reserve) -> list[RawAction]:
        """Write a reservation of a minor. 18xx.games also requires a market space; the first space is written."""
        return self._raw_start_actions(action.entity, action.company, self.game.table.grid.spaces()[0])

    def _write_start_minor(self, action: a.StartMinor) -> list[RawAction]:
        row = MARKET_SPACE_NAMES.index(action.space)
        spaces = self.game.table.grid.spaces()
        space_with_price = next((p, cell) for p, cell in spaces if (p, cell[0]) == (action.value, row))
        return self._raw_start_actions(action.entity, action.company, space_with_price)

    def _raw_start_actions(
        self, player: EntityId, company: CompanyId, space: tuple[int, tuple[int, int]]
    ) -> list[RawAction]:
        price, (row, column) = space
        return self._raw_action("par", player, corporation=company, share_price=f"{price},{row},{column}")

    def _write_buy_share(self, action: a.BuyShare) -> list[RawAction]:
        source = MARKET if action.source == REMOVED else action.source
        share_ids = self._share_holders.shares_of(action.company, source)
        share = share_ids[-1] if action.source == REMOVED else share_ids[0]
        return self._raw_action("buy_shares", action.entity, **_share_block(action.company, [share], 10))

    def _write_redeem(self, action: a.Redeem) -> list[RawAction]:
        company = action.entity
        shares = self._share_holders.shares_of(company, MARKET)[: action.shares]
        return self._raw_action("buy_shares", company, **_share_block(company, shares, 10 * len(shares)))

    def _write_issue(self, action: a.Issue) -> list[RawAction]:
        """Write an issue of shares. 18xx.games sells IPO shares at par, separately from treasury shares."""
        company = action.entity
        offering_shares = self._share_holders.shares_of(company, OFFERING)[: action.offering]
        treasury_shares = self._share_holders.shares_of(company, company)[: action.treasury]
        par_fields = {"share_price": self.game.table.state.companies[company].par}
        sales = [(offering_shares, par_fields), (treasury_shares, {})]
        raw_actions = [
            raw_action
            for shares, price in sales
            if shares
            for raw_action in self._raw_issue_actions(company, shares, price)
        ]
        if len(raw_actions) > 1:
            joint_sale = self._raw_issue_actions(company, offering_shares + treasury_shares, par_fields)
            raw_actions = [
                raw_actions[0] | {OUR_ACTIONS_KEY: joint_sale},
                raw_actions[1] | {ONLY_FOR_18XX_GAMES_KEY: True},
            ]
        return raw_actions

    def _raw_issue_actions(
        self, company: CompanyId, shares: Sequence[int], price: RawAction
    ) -> list[RawAction]:
        return self._raw_action(
            "sell_shares", company, **_share_block(company, shares, 10 * len(shares)), **price
        )

    def _write_sell_shares(self, action: a.SellShares) -> list[RawAction]:
        """Write a sale of shares; the president's certificate (number 0) is sold last."""
        ordinary_shares = self._share_holders.shares_of(action.company, action.entity)
        share_numbers = (
            ordinary_shares[: action.shares]
            if action.shares <= len(ordinary_shares)
            else [*ordinary_shares, 0]
        )
        return self._raw_action(
            "sell_shares", action.entity, **_share_block(action.company, share_numbers, 10 * action.shares)
        )

    def _write_exchange_private(self, action: a.ExchangePrivate) -> list[RawAction]:
        powers = self._spec.privates[action.entity].powers
        company = next(power.company for power in powers if isinstance(power, ExchangePower))
        share = self._share_holders.shares_of(company, action.source)[0]
        return self._raw_action("buy_shares", action.entity, **_share_block(company, [share], 10))

    def _write_buy_private(self, action: a.BuyPrivate) -> list[RawAction]:
        private = self._spec.private_log_name(action.private)
        return self._raw_action("buy_company", action.entity, company=private, price=action.price)

    def _write_sell_private(self, action: a.SellPrivate) -> list[RawAction]:
        private = self._spec.private_log_name(action.private)
        return self._raw_action("buy_company", action.buyer, company=private, price=action.price)

    def _write_lay_tile(self, lay: a.LayTile) -> list[RawAction]:
        laid_tile_ids = set(self._tile_id_by_hex.values())
        tile = next(name for name in self._tile_ids(lay.tile) if name not in laid_tile_ids)
        return self._raw_action("lay_tile", lay.entity, hex=lay.hex, tile=tile, rotation=lay.rotation)

    def _tile_ids(self, tile: TileId) -> Iterator[str]:
        """18xx.games ids for copies of a tile, such as `57-0`; tiles added by an option have another prefix."""
        printed_count = self.game.title.spec.tiles[tile].count
        if printed_count is None or not self._spec.tile_prefix_on_18xx_games:
            yield from (f"{tile}-{number}" for number in count())
        yield from (f"{tile}-{number}" for number in range(printed_count or 0))
        yield from (f"{self._spec.tile_prefix_on_18xx_games}{tile}-{number}" for number in count())

    def _write_place_token(self, action: a.PlaceToken) -> list[RawAction]:
        table, city = self.game.table, self._city_in_log(action.hex, action.city)
        if action.entity not in table.map.neutral_owners:
            return self._raw_action(
                "place_token", action.entity, city=city, slot=self._city_slot_index(action)
            )
        if isinstance(table.state.round, Stock):
            slot = table.map.slots(action.hex, action.city).index(action.entity)
            return self._raw_action("place_token", str(table.state.round.home_due), city=city, slot=slot)
        placing_company = table.company.id
        slot = self._city_slot_index(action.model_copy(update={"entity": placing_company}))
        return self._raw_action("place_token", placing_company, city=city, slot=slot, token_type="neutral")

    def _city_slot_index(self, action: a.PlaceToken) -> int:
        board = self.game.table.map
        spaces = board.slots(action.hex, action.city)
        vacant_spaces = [space for space, token in enumerate(spaces) if token is None]
        other_homes = [
            home
            for owner, home in board.homes.items()
            if owner != action.entity and not chooses_home_city(self.game.table, owner)
        ]
        return vacant_spaces[other_homes.count((action.hex, action.city))]

    def _write_return_token(self, action: a.ReturnToken) -> list[RawAction]:
        private = self.game.table.state.privates.get(action.entity)
        owner = action.entity if private is None else private.owner
        slot = self.game.table.map.slots(action.hex, action.city).index(owner)
        return self._raw_action(
            "remove_token", action.entity, city=self._city_in_log(action.hex, action.city), slot=slot
        )

    def _city_in_log(self, coord: Coord, stop: int) -> str:
        return city_in_log(self.game.table.map, self._tile_id_by_hex, (coord, stop))

    def _write_run_routes(self, run: a.RunRoutes) -> list[RawAction]:
        return self._raw_action("run_routes", run.entity, routes=[], extra_revenue=0, subsidy=0)

    def _write_dividend(self, dividend: a.Dividend) -> list[RawAction]:
        return self._raw_action("dividend", dividend.entity, kind=LOG_DIVIDEND_BY_OPTION[dividend.option])

    def _write_buy_train(self, action: a.BuyTrain) -> list[RawAction]:
        train = self._train_ids.train_ids_of(action.source, action.train)[0]
        exchange_fields = {}
        if action.trade_in:
            exchange_fields["exchange"] = self._train_ids.train_ids_of(action.entity, action.trade_in)[0]
        is_face = bool(self._spec.train(action.train).face_of)
        variant = action.train if is_face else train.rpartition("-")[0]
        return self._raw_action(
            "buy_train", action.entity, train=train, price=action.price, variant=variant, **exchange_fields
        )

    def _write_discard_train(self, action: a.DiscardTrain) -> list[RawAction]:
        return self._raw_action(
            "discard_train", action.entity, train=self._train_ids.train_ids_of(action.entity, action.train)[0]
        )

    def _write_place_marker(self, action: a.PlaceMarker) -> list[RawAction]:
        return self._raw_action("assign", action.entity, target=action.hex, target_type="hex")

    def _write_give_marker(self, action: a.GiveMarker) -> list[RawAction]:
        is_minor = self._spec.companies[action.company].kind == "minor"
        target_type = "minor" if is_minor else "corporation"
        return self._raw_action("assign", action.entity, target=action.company, target_type=target_type)

    def _write_convert(self, action: a.Convert) -> list[RawAction]:
        merge_actions = self._raw_action("merge", action.entity, corporation=action.major)
        return [*self._raw_action("convert", action.entity), *merge_actions]

    def _write_merge(self, action: a.Merge) -> list[RawAction]:
        """Write a merger as the two actions that 18xx.games has: name the partner, name the new company."""
        merged_companies = (action.partner, action.major)
        return [
            raw_action
            for other in merged_companies
            for raw_action in self._raw_action("merge", action.entity, corporation=other)
        ]

    def _write_declare_bankruptcy(self, action: a.DeclareBankruptcy) -> list[RawAction]:
        return self._raw_action("bankrupt", action.entity)

    def _write_end_game(self, action: a.EndGame) -> list[RawAction]:
        """Write an agreed end of the game as the action of one player, with the consent of the others."""
        first_voter, *other_voters = [*self.game.table.state.end_votes, action.actor]
        return self._raw_action(
            "end_game", first_voter, agreed=[id_in_log(player) for player in other_voters]
        )

    # --- following ids ----------------------------------------------------------------------------------------

    def _update_ids(self, action: Action, raw_actions: Sequence[RawAction], events: Sequence[Event]) -> None:
        if isinstance(action, a.LayTile):
            self._tile_id_by_hex[action.hex] = raw_actions[0]["tile"]
        for event in events:
            if isinstance(event, TilesTakenBack):
                for coord in event.hexes:
                    del self._tile_id_by_hex[coord]
        if isinstance(action, a.RunRoutes):
            raw_actions[0]["routes"] = self._raw_routes(action, events)
        share_numbers = [
            number
            for raw_action in raw_actions
            for _, number in map(read_share, raw_action.get("shares", ()))
        ]
        self._share_holders.record_action(action, share_numbers, events)
        self._train_ids.assign_ids(events)

    def _raw_routes(self, run: a.RunRoutes, events: Iterable[Event]) -> list[RawAction]:
        routes = [Route.read(text) for text in run.routes]
        values = [value for event in events if isinstance(event, TrainsRan) for _, _, value in event.runs]
        ids_by_type = {
            route.train: iter(self._train_ids.train_ids_of(run.entity, route.train)) for route in routes
        }
        trains = (next(ids_by_type[route.train]) for route in routes)
        return list(map(_raw_route, routes, trains, values))


def id_in_log(entity: EntityId) -> int | str:
    """18xx.games' id of an entity: a number for a player, the abbreviation for a company or private."""
    return int(entity) if entity.isdecimal() and str(int(entity)) == entity else entity


def city_in_log(board: Map, tile_by_hex: Mapping[Coord, str], city: StopId) -> str:
    """18xx.games' id of a city: `57-0-1` is the second city of the first tile 57, `H4-0-1` that of printed hex H4."""
    coord, stop = city
    index = sum(other.kind == "city" for other in board.topology(coord).stops[:stop])
    return f"{tile_by_hex.get(coord, f'{coord}-0')}-{index}"


def _share_block(company: CompanyId, share_numbers: Sequence[int], percent: int) -> RawAction:
    return {"shares": [f"{company}_{number}" for number in share_numbers], "percent": percent}


def _raw_route(route: Route, train: str, values: Sequence[int]) -> dict[str, Any]:
    stops = route.stops()
    hexes = [coord for coord, _ in stops]
    return {
        "train": train,
        "connections": connections(route),
        "hexes": hexes,
        "revenue": sum(values),
        "revenue_str": "-".join(hexes),
        "nodes": list(dict.fromkeys(f"{coord}-{stop}" for coord, stop in stops)),
    }


def connections(route: Route) -> list[list[Coord]]:
    """The route as lists of hexes, each list from one stop to the next."""
    connections: list[list[Coord]] = []
    hexes_between: list[Coord] = []
    for coord, _, far_end in route.pieces:
        hexes_between.append(coord)
        if far_end >= FIRST_STOP:
            connections.append(hexes_between)
            hexes_between = []
    return connections
