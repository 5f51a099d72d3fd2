"""Translates the actions of an 18xx.games log into ours, including its ids of shares, trains and tiles."""

from collections import Counter
from collections.abc import Sequence
from typing import Any, Final, Literal, TypeAlias

from engine.board.map import StopId
from engine.core import actions as a
from engine.core.errors import IllegalAction, Unreadable
from engine.core.events import BidUnpaid, Event, TookOver, TrainBought, TrainReceived
from engine.core.facts import fact
from engine.core.ids import BANK, MARKET, OFFERING, POOL, REMOVED, Coord
from engine.core.offers import OfferCursor
from engine.core.state import Draft, State
from engine.game import Game
from engine.interchange.implied_passes import is_implied_pass, turn_snapshot
from engine.interchange.log_ids import ShareHolders, reserved_train_id
from engine.interchange.log_reader import RawAction
from engine.interchange.log_routes import route_from_connections, route_from_hexes
from engine.routes.legal_routes import Route

IGNORED_KINDS = {"program_buy_shares", "program_share_pass", "program_merger_pass", "program_disable"}
"""Kinds of log actions that the import ignores, because the log also has the moves they lead to."""

MarketSpaceName: TypeAlias = Literal["top", "bottom"]
MARKET_SPACE_NAMES: tuple[MarketSpaceName, MarketSpaceName] = ("top", "bottom")
"""Names of the two market spaces of each minor value, by market row."""


class Importer:
    """Translates the actions of an 18xx.games log one by one, and plays them in a game."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self._share_holders = ShareHolders(game.table.state)
        self._owner_by_train = _initial_train_owners(game.table.state)
        self._trains_sold_by_card: Counter[str] = Counter(
            train.rpartition("-")[0] for train in self._owner_by_train
        )
        self._type_by_train: dict[str, str] = {}
        """Train type of each train bought, by log id; a two-sided card can be bought as one of two types."""
        self._hex_by_tile: dict[str, Coord] = {}
        self._merger_partner: str | None = None
        """Partner in a merger whose second action is still to come.

        Empty for a conversion without a partner; None if no merger is under way.
        """
        self._end_game_voters: list[str] = []
        """Voters for the end of the game: players who agreed after another player proposed it, in order."""
        self._last_action: a.Action | None = None
        self._previous_turn = turn_snapshot(game.table.state)
        self.applied_actions: list[a.Action] = []
        """All actions applied (played) so far, in our form."""
        self.skipped_passes = 0
        """Number of log passes that were skipped, because their turn or step was already over."""

    def apply(self, raw_action: RawAction) -> a.Action | None:
        """Play one log action and return our form of it; None if it has no effect.

        Raises IllegalAction if the rules forbid it, Unreadable if it cannot be translated.
        """
        with _REFUSE_BAD_VALUES:
            action = self.read(raw_action)
        if action is None:
            return None
        turn_before = turn_snapshot(self.game.table.state)
        try:
            events = self._apply_with_consent(action)
        except IllegalAction:
            if not isinstance(action, a.Pass) or not is_implied_pass(
                self.game, action.entity, self._previous_turn, self._last_action
            ):
                raise
            self.skipped_passes += 1
            self._last_action = action
            return None
        _require_bids_paid(events)
        self._last_action, self._previous_turn = action, turn_before
        with _REFUSE_BAD_VALUES:
            self._update_ids(raw_action, action, events)
        return action

    def _apply_with_consent(self, action: a.Action) -> tuple[Event, ...]:
        """Play an action. If it is a proposal, the other players accept it: logs contain only accepted proposals."""
        events = self.game.apply(action)
        self.applied_actions.append(action)
        consent = self._consent_action(action)
        return events if consent is None else events + self._apply_with_consent(consent)

    def _consent_action(self, action: a.Action) -> a.Action | None:
        if action.kind == "end_game":
            offer_by_voter = {offer.actor: offer for offer in self.game.offers(kind="end_game")}
            voters = [player for player in self._end_game_voters if player in offer_by_voter] or list(
                offer_by_voter
            )
            return offer_by_voter[voters[0]].fill() if offer_by_voter else None
        if self.game.proposal is None:
            return None
        answer_offers = [offer for offer in self.game.offers(kind="answer") if offer.blocking]
        return answer_offers[0].fill(reply="agree") if answer_offers else None

    def read(self, raw_action: RawAction) -> a.Action | None:
        """Our form of a log action in the current position; None if it has no effect."""
        kind = raw_action["type"]
        if kind in IGNORED_KINDS or (kind == "run_routes" and self._is_needless_run(raw_action)):
            return None
        reader = getattr(self, f"_read_{kind}", None)
        if reader is None:
            raise Unreadable(fact("log.kind_unknown", kind=kind))
        entity = str(raw_action["entity"])
        if raw_action.get("entity_type") == "company":
            entity = self._private_id(entity)
        action: a.Action | None = reader(raw_action, entity, self._controlling_player(entity))
        return action

    def _actor_of_private(self, kind: str, entity: str, actor: str) -> str:
        if entity not in self.game.table.state.privates:
            return actor
        return next((offer.actor for offer in self.game.offers(kind=kind) if offer.entity == entity), actor)

    def _private_id(self, name: str) -> str:
        return self.game.rules.spec.private_with_log_name(name)

    def _controlling_player(self, entity: str) -> str:
        """The player who acts for this player, company or private. Raises Unreadable if there is none."""
        state = self.game.table.state
        private = state.privates.get(entity)
        owner = entity if private is None else private.owner
        if owner is None:
            raise Unreadable(fact("log.private_unowned", private=entity))
        if owner in state.companies and not (
            state.companies[owner].is_started or state.companies[owner].floated
        ):
            raise Unreadable(fact("log.company_unstarted", company=owner))
        return self.game.table.controlling_player(entity)

    def _is_needless_run(self, raw_action: RawAction) -> bool:
        step = self.game.step()
        return not raw_action["routes"] and (step is None or step.name != "run")

    # --- one reader per kind of action ------------------------------------------------------------------------

    def _read_bid(self, raw_action: RawAction, entity: str, actor: str) -> a.Action:
        return a.Bid(
            actor=actor,
            entity=entity,
            private=self._private_id(raw_action["company"]),
            amount=raw_action["price"],
        )

    def _read_pass(self, raw_action: RawAction, entity: str, actor: str) -> a.Action:
        company = self.game.table.state.companies.get(entity)
        lacks_train = company is not None and not company.trains
        may_liquidate = lacks_train and any(
            offer.entity == entity for offer in self.game.offers(kind="liquidate")
        )
        action_class = a.Liquidate if may_liquidate else a.Pass
        return action_class(actor=self._actor_of_private("pass", entity, actor), entity=entity)

    def _read_par(self, raw_action: RawAction, entity: str, actor: str) -> a.Action:
        price, row, column = map(int, raw_action["share_price"].split(","))
        if self.game.table.grid.is_space((row, column)):
            return self._read_minor(raw_action["corporation"], price, MARKET_SPACE_NAMES[row], entity, actor)
        company = raw_action["corporation"]
        offers = (o for o in self.game.offers(actor, "par") if company in OfferCursor(o).domain)
        par_entity = next((offer.entity for offer in offers), entity)
        return a.Par(actor=actor, entity=par_entity, company=company, price=price)

    def _read_minor(
        self, company: str, value: int, space: MarketSpaceName, entity: str, actor: str
    ) -> a.Action:
        """Read the start of a minor. In the draft, a player's first such action for a minor reserves it."""
        current_round = self.game.table.state.round
        if isinstance(current_round, Draft) and current_round.reserved.get(company) != actor:
            return a.Reserve(actor=actor, entity=entity, company=company)
        return a.StartMinor(actor=actor, entity=entity, company=company, value=value, space=space)

    def _read_buy_shares(self, raw_action: RawAction, entity: str, actor: str) -> a.Action:
        company, share = read_share(raw_action["shares"][0])
        if entity == company:
            return a.Redeem(actor=actor, entity=entity, shares=len(raw_action["shares"]))
        source = self._share_holders.holder(company, share)
        if entity in self.game.table.state.privates:
            return a.ExchangePrivate(actor=actor, entity=entity, source=source)
        if self._share_holders.is_newest_in_market(company, share) and self._is_removal_offered(company):
            source = REMOVED
        if source not in {OFFERING, MARKET, REMOVED, company}:
            raise Unreadable(fact("log.share_not_for_sale", share=raw_action["shares"][0], holder=source))
        return a.BuyShare(actor=actor, entity=entity, company=company, source=source)

    def _is_removal_offered(self, company: str) -> bool:
        for offer in self.game.offers(kind="buy_share"):
            if company in OfferCursor(offer).domain:
                return REMOVED in OfferCursor(offer).pick(company).domain
        return False

    def _read_sell_shares(self, raw_action: RawAction, entity: str, actor: str) -> a.Action:
        company, _ = read_share(raw_action["shares"][0])
        if entity == company:
            holders = [self._share_holders.holder(*read_share(share)) for share in raw_action["shares"]]
            offering_count = holders.count(OFFERING)
            return a.Issue(
                actor=actor, entity=entity, offering=offering_count, treasury=len(holders) - offering_count
            )
        return a.SellShares(
            actor=actor, entity=entity, company=company, shares=self._sold_share_count(raw_action)
        )

    def _sold_share_count(self, raw_action: RawAction) -> int:
        if raw_action.get("percent"):
            return int(raw_action["percent"]) // 10
        president_percent = self.game.table.state.companies[
            read_share(raw_action["shares"][0])[0]
        ].certificate
        return sum(1 if read_share(share)[1] else president_percent // 10 for share in raw_action["shares"])

    def _read_buy_company(self, raw_action: RawAction, entity: str, actor: str) -> a.Action:
        private, price = self._private_id(raw_action["company"]), raw_action["price"]
        seller = self.game.table.state.privates[private].owner
        # The owner proposes the sale if the rules say so, else the buyer.
        if seller and any(private in OfferCursor(o).domain for o in self.game.offers(seller, "sell_private")):
            return a.SellPrivate(actor=seller, entity=seller, private=private, buyer=entity, price=price)
        return a.BuyPrivate(actor=actor, entity=entity, private=private, price=price)

    def _read_lay_tile(self, raw_action: RawAction, entity: str, actor: str) -> a.Action:
        tile = (
            raw_action["tile"].rpartition("-")[0].removeprefix(self.game.rules.spec.tile_prefix_on_18xx_games)
        )
        actor = self._actor_of_private("lay_tile", entity, actor)
        return a.LayTile(
            actor=actor, entity=entity, hex=raw_action["hex"], tile=tile, rotation=raw_action["rotation"]
        )

    def _read_place_token(self, raw_action: RawAction, entity: str, actor: str) -> a.Action:
        coord, city = self._read_city(raw_action["city"])
        entity = self._neutral_token_owner(raw_action, coord, city) or entity
        return a.PlaceToken(actor=actor, entity=entity, hex=coord, city=city)

    def _neutral_token_owner(self, raw_action: RawAction, coord: Coord, city: int) -> str | None:
        """The company whose neutral token the action places or replaces; None if it concerns no neutral token."""
        board = self.game.table.map
        slot_owner = [*board.slots(coord, city), None][min(raw_action["slot"], len(board.slots(coord, city)))]
        if raw_action.get("token_type") == "neutral":
            return board.neutral_owners[0]
        return slot_owner if slot_owner in board.neutral_owners else None

    def _read_city(self, city_id: str) -> StopId:
        """The city with this log id: `57-0-1` is the second city of the first tile 57, `H4-0-1` that of hex H4."""
        tile_id, _, index = city_id.rpartition("-")
        coord = self._hex_by_tile.get(tile_id) or tile_id.partition("-")[0]
        stops = self.game.table.map.topology(coord).stops
        city_indexes = [number for number, stop in enumerate(stops) if stop.kind == "city"]
        return coord, city_indexes[int(index)]

    def _read_run_routes(self, raw_action: RawAction, entity: str, actor: str) -> a.Action:
        routes = tuple(self._read_route(entity, route).text() for route in raw_action["routes"])
        return a.RunRoutes(actor=actor, entity=entity, routes=routes)

    def _read_route(self, company: str, raw_action: RawAction) -> Route:
        board, train = self.game.table.map, self._train_name(raw_action["train"])
        if raw_action.get("connections"):
            return route_from_connections(board, train, raw_action["connections"], company)
        return route_from_hexes(board, train, raw_action["hexes"])

    def _read_dividend(self, raw_action: RawAction, entity: str, actor: str) -> a.Action:
        options: dict[str, Any] = {"payout": "pay", "withhold": "withhold", "half": "half"}
        return a.Dividend(actor=actor, entity=entity, option=options[raw_action["kind"]])

    def _read_buy_train(self, raw_action: RawAction, entity: str, actor: str) -> a.Action:
        return a.BuyTrain(
            actor=actor,
            entity=entity,
            train=self._bought_train_type(raw_action),
            source=self._owner_by_train.get(raw_action["train"], BANK),
            trade_in=self._train_name(raw_action["exchange"]) if raw_action.get("exchange") else "",
            price=raw_action["price"],
        )

    def _read_assign(self, raw_action: RawAction, entity: str, actor: str) -> a.Action:
        if raw_action["target_type"] != "hex":
            return a.GiveMarker(actor=actor, entity=entity, company=raw_action["target"])
        return a.PlaceMarker(actor=actor, entity=entity, hex=raw_action["target"])

    def _read_discard_train(self, raw_action: RawAction, entity: str, actor: str) -> a.Action:
        return a.DiscardTrain(actor=actor, entity=entity, train=self._train_name(raw_action["train"]))

    def _train_name(self, train: str) -> str:
        return self._type_by_train.get(train) or _train_type(train)

    def _bought_train_type(self, raw_action: RawAction) -> str:
        train = self._train_name(raw_action["train"])
        variant = raw_action.get("variant")
        return variant if variant and variant in self.game.rules.spec.faces(train) else train

    def _read_merge(self, raw_action: RawAction, entity: str, actor: str) -> a.Action | None:
        """Read one of a merger's two actions: first the partner, then the new company.

        Only the second returns an action.
        """
        company, partner = raw_action["corporation"], self._merger_partner
        if partner is None:
            self._merger_partner = company
            return None
        self._merger_partner = None
        if not partner:
            return a.Convert(actor=actor, entity=entity, major=company)
        return a.Merge(actor=actor, entity=entity, partner=partner, major=company)

    def _read_convert(self, raw_action: RawAction, entity: str, actor: str) -> a.Action | None:
        self._merger_partner = ""
        return None

    def _read_remove_token(self, raw_action: RawAction, entity: str, actor: str) -> a.Action:
        coord, city = self._read_city(raw_action["city"])
        return a.ReturnToken(actor=actor, entity=entity, hex=coord, city=city)

    def _read_bankrupt(self, raw_action: RawAction, entity: str, actor: str) -> a.Action:
        return a.DeclareBankruptcy(actor=actor, entity=entity)

    def _read_end_game(self, raw_action: RawAction, entity: str, actor: str) -> a.Action:
        self._end_game_voters = [str(player) for player in raw_action.get("agreed", ())]
        return a.EndGame(actor=actor, entity=actor)

    # --- following ids ----------------------------------------------------------------------------------------

    def _update_ids(self, raw_action: RawAction, action: a.Action, events: Sequence[Event]) -> None:
        # Compared by kind: `isinstance` of pydantic's classes is slow.
        if action.kind == "lay_tile":
            self._hex_by_tile[raw_action["tile"]] = action.hex
        elif action.kind == "buy_train":
            self._owner_by_train[raw_action["train"]] = _buying_company(action, events)
            self._type_by_train[raw_action["train"]] = action.train
            if raw_action.get("exchange"):
                self._owner_by_train[raw_action["exchange"]] = POOL
        elif action.kind == "discard_train":
            self._owner_by_train[raw_action["train"]] = POOL
        elif action.kind in ("merge", "convert"):
            merged_companies, owners = {action.entity, getattr(action, "partner", "")}, self._owner_by_train
            self._owner_by_train = {
                t: action.major if o in merged_companies else o for t, o in owners.items()
            }
        self._update_train_owners(action, events)
        self._share_holders.record_action(
            action, [read_share(share)[1] for share in raw_action.get("shares", ())], events
        )

    def _update_train_owners(self, action: a.Action, events: Sequence[Event]) -> None:
        """Record the owners of trains that were acquired without a purchase action in the log."""
        has_named_train = action.kind == "buy_train"
        for event in events:
            if isinstance(event, TrainReceived):
                self._owner_by_train[reserved_train_id(self.game.rules.spec, event.train)] = event.company
            elif isinstance(event, TookOver):
                owners = self._owner_by_train.items()
                self._owner_by_train = {t: event.company if o == event.independent else o for t, o in owners}
            elif isinstance(event, TrainBought) and event.source == BANK:
                card = self.game.rules.spec.train(event.train).face_of or event.train
                if not has_named_train:
                    train = f"{card}-{self._trains_sold_by_card[card]}"
                    self._owner_by_train[train], self._type_by_train[train] = event.company, event.train
                self._trains_sold_by_card[card] += 1
                has_named_train = False


class _RefusesBadValues:
    """Context manager that refuses bad log values: errors from missing or wrongly typed ones become Unreadable."""

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, (LookupError, ValueError, TypeError, AttributeError)):
            detail = f"{type(error).__name__} {error}"
            raise Unreadable(fact("log.values_unreadable", detail=detail)) from error


_REFUSE_BAD_VALUES: Final = _RefusesBadValues()


def _require_bids_paid(events: Sequence[Event]) -> None:
    """Raise IllegalAction if a winning bidder cannot pay; 18xx.games cannot continue such a game either."""
    for event in events:
        if isinstance(event, BidUnpaid):
            values = {"player": event.player, "private": event.private}
            raise IllegalAction(
                fact("auction.unpaid", **values, amount=event.amount, free=event.free_dollars)
            )


def _buying_company(action: a.BuyTrain, events: Sequence[Event]) -> str:
    """The company that received the train; it is in the events even if its turn is over."""
    return next((event.company for event in events if isinstance(event, TrainBought)), action.entity)


def _initial_train_owners(state: State) -> dict[str, str]:
    """Owners of the trains that companies have at the start, by log id such as `2-0`."""
    trains_and_owners = [
        (train, company.id) for company in state.companies.values() for train in company.trains
    ]
    train_counts: Counter[str] = Counter()
    owner_by_train = {}
    for train, company in trains_and_owners:
        owner_by_train[f"{train}-{train_counts[train]}"] = company
        train_counts[train] += 1
    return owner_by_train


def _train_type(train: str) -> str:
    """The train type in a log id: both `2-0` and `2'-0` are 2-trains.

    18xx.games adds the prime to the train that starts a further phase, and to all later trains of the type.
    """
    return train.rpartition("-")[0].rstrip("'")


def read_share(share: str) -> tuple[str, int]:
    """Company and certificate number in a log id: `B&O_3` is certificate 3 of the B&O."""
    company, _, number = share.rpartition("_")
    return company, int(number)
