"""Tracks who owns each share certificate and train of an 18xx.games log, by the log's ids.

A log names the certificate that is bought, not its seller; the tracked owner tells if it comes from the IPO or the
market. Train `2-0` is the first 2-train to leave the bank.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, count

from engine.core import events as e
from engine.core.actions import Action
from engine.core.ids import BANK, MARKET, OFFERING, POOL, REMOVED, CompanyId, HolderId, TrainName
from engine.core.spec import TitleSpec
from engine.core.state import State

Share = tuple[CompanyId, int]
"""A share certificate: company, and certificate number. Number 0 is the president's certificate."""
ShareTransfer = tuple[list[Share], HolderId]
"""A change of ownership: share certificates and their new holder."""


class ShareHolders:
    """Holder of every share certificate, by its id in the log. A holder's certificates are kept in order of arrival."""

    def __init__(self, state: State) -> None:
        self._president_share_counts = {
            company.id: company.certificate // 10 for company in state.companies.values()
        }
        self._holder_by_share: dict[Share, HolderId] = {
            (company, share): company if state.companies[company].certificate_holder == company else OFFERING
            for company, president_share_count in self._president_share_counts.items()
            for share in range(11 - president_share_count)
        }

    def holder(self, company: CompanyId, share: int) -> HolderId:
        """The holder of a certificate. Raises KeyError if it does not exist."""
        return self._holder_by_share[company, share]

    def is_newest_in_market(self, company: CompanyId, share: int) -> bool:
        """True if the certificate is the newest one of the company in the market.

        In a two-player variant, the newest certificate is removed first.
        """
        return self._shares_of(company, MARKET)[-1:] == [(company, share)]

    def shares_of(self, company: CompanyId, holder: HolderId) -> list[int]:
        """Numbers of the holder's ordinary certificates of the company, oldest first."""
        return [share for _, share in self._ordinary_shares(company, holder)]

    def record_action(self, action: Action, share_numbers: Sequence[int], events: Sequence[e.Event]) -> None:
        """Record the new holders after an action; `share_numbers` are the certificate numbers that it names."""
        for shares, receiver in self._share_transfers(action, share_numbers, events):
            self.move_shares(shares, receiver)

    def move_shares(self, shares: Iterable[Share], receiver: HolderId) -> None:
        """Give these certificates to another holder; they become the holder's newest ones."""
        for share in shares:
            del self._holder_by_share[share]
            self._holder_by_share[share] = receiver

    # --- moves of shares; each is done before the next one is computed ------------------------------------------

    def _share_transfers(
        self, action: Action, share_numbers: Sequence[int], events: Sequence[e.Event]
    ) -> Iterator[ShareTransfer]:
        # Compared by kind: `isinstance` of pydantic's classes is slow.
        if action.kind == "buy_share":
            yield from self._purchase_transfers((action.company, share_numbers[0]), events)
        elif action.kind == "sell_shares":
            yield from self._sale_transfers(
                [(action.company, share) for share in share_numbers], action.shares, events
            )
        elif action.kind == "redeem":
            yield [(action.entity, share) for share in share_numbers], action.entity
        elif action.kind == "issue":
            yield [(action.entity, share) for share in share_numbers], MARKET
        elif action.kind == "exchange_private":
            company = next(event.company for event in events if isinstance(event, e.ShareReceived))
            yield [(company, share) for share in share_numbers], action.actor
            events = [event for event in events if not isinstance(event, e.ShareReceived)]
            for event in events:
                if isinstance(event, e.PresidentChanged):
                    yield from self._certificate_transfers(event, event.old_president)
        elif action.kind == "declare_bankruptcy":
            yield from self._bankruptcy_transfers(events)
        yield from self._transfers_without_trade(events)

    def _bankruptcy_transfers(self, events: Iterable[e.Event]) -> Iterator[ShareTransfer]:
        for event in events:
            match event:
                case e.SharesIssued(company=company, redeemed_shares=count):
                    yield self._shares_of(company, company)[:count], MARKET
                case e.PresidentChanged(old_president=old_president):
                    yield from self._certificate_transfers(event, old_president)
                case e.SharesSold(player=player, company=company, shares=count):
                    yield self._ordinary_shares(company, player)[:count], MARKET
                case e.SharesSurrendered(player=player, company=company):
                    yield self._shares_of(company, player), MARKET
                case _:
                    pass

    def _purchase_transfers(self, share: Share, events: Iterable[e.Event]) -> Iterator[ShareTransfer]:
        for event in events:
            match event:
                case e.ShareRemoved(company=company):
                    yield self._shares_of(company, MARKET)[-1:], REMOVED
                case e.ShareBought(player=player):
                    yield [share], player
                case e.PresidentChanged(old_president=old_president):
                    yield from self._certificate_transfers(event, old_president)
                case _:
                    pass

    def _sale_transfers(
        self, shares: list[Share], count: int, events: Iterable[e.Event]
    ) -> Iterator[ShareTransfer]:
        """Certificates that change hands in a sale of `count` shares.

        If the seller gave a certificate that is worth more shares than they sold, they get shares from the
        market in return.
        """
        company, seller = shares[0][0], self._holder_by_share[shares[0]]
        yield shares, MARKET
        for event in events:
            if isinstance(event, e.PresidentChanged):
                can_keep_certificate = (
                    self._share_count(self._shares_of(company, seller))
                    >= self._president_share_counts[company]
                )
                yield from self._certificate_transfers(event, seller if can_keep_certificate else MARKET)
        yield self._shares_of(company, MARKET)[: self._share_count(shares) - count], seller

    def _certificate_transfers(
        self, presidency_change: e.PresidentChanged, receiver: HolderId
    ) -> Iterator[ShareTransfer]:
        """Swap the president's certificate for the new president's oldest ordinary shares, which go to `receiver`."""
        company, new_president = presidency_change.company, presidency_change.new_president
        yield self._ordinary_shares(company, new_president)[: self._president_share_counts[company]], receiver
        yield [(company, 0)], new_president

    def _transfers_without_trade(self, events: Iterable[e.Event]) -> Iterator[ShareTransfer]:
        """Certificates that move without a purchase or sale, such as at a par or a float."""
        for event in events:
            match event:
                case e.ShareReceived(player=player, company=company, is_president_certificate=president):
                    yield [(company, 0 if president else 1)], player
                case (
                    e.Parred(player=player, company=company)
                    | e.MinorStarted(player=player, company=company)
                    | e.MajorFormed(player=player, company=company)
                ):
                    yield [(company, 0)], player
                case e.LeftReceivership(player=player, company=company):
                    yield (
                        self._ordinary_shares(company, player)[: self._president_share_counts[company]],
                        MARKET,
                    )
                    yield [(company, 0)], player
                case e.Floated(company=company, percent_to_market=percent) if percent:
                    yield self._shares_of(company, OFFERING), MARKET
                case _:
                    pass

    # --- holdings -------------------------------------------------------------------------------------------------

    def _shares_of(self, company: CompanyId, holder: HolderId) -> list[Share]:
        return [
            share
            for share, share_holder in self._holder_by_share.items()
            if share_holder == holder and share[0] == company
        ]

    def _ordinary_shares(self, company: CompanyId, holder: HolderId) -> list[Share]:
        return [share for share in self._shares_of(company, holder) if share[1]]

    def _share_count(self, shares: Iterable[Share]) -> int:
        return sum(1 if number else self._president_share_counts[company] for company, number in shares)


OwnerAndType = tuple[HolderId, TrainName]
"""Owner of trains, and a train type."""


class TrainIds:
    """Log ids of each owner's trains, by train type, oldest first."""

    def __init__(self, spec: TitleSpec, state: State) -> None:
        self._spec = spec
        self._state = state
        self._unsellable_ids: set[str] = set()
        self._unused_ids_by_type = {train.name: _train_ids(spec, train.name) for train in spec.trains}
        self._bank_count_by_type = dict(state.depot)
        self._ids_by_owner: dict[OwnerAndType, list[str]] = {}
        self._next_id_by_type = {name: next(ids) for name, ids in self._unused_ids_by_type.items()}

    def train_ids_of(self, owner: HolderId, train: TrainName) -> list[str]:
        """Ids of the owner's trains of a type; trains that cannot be sold come last.

        For the bank, only the id of the next train.
        """
        return (
            [self._next_id_by_type[self._card_train_type(train)]]
            if owner == BANK
            else self._ids_by_owner.get((owner, train), [])
        )

    def assign_ids(self, events: Iterable[e.Event]) -> None:
        """Update the ids so that each train of the current position has one; `events` led to this position."""
        for event in events:
            if isinstance(event, e.TrainBought) and event.source == BANK:
                self._ids_by_owner.setdefault((event.company, event.train), []).append(
                    self._next_bank_id(event.train)
                )
            elif isinstance(event, e.TrainReceived):
                received_id = reserved_train_id(self._spec, event.train)
                self._unsellable_ids.add(received_id)
                self._ids_by_owner.setdefault((event.company, event.train), []).append(received_id)
            elif isinstance(event, e.TrainAdded):
                self._put_added_train_first(event.train)
        train_counts = self._train_counts()
        spare_ids_by_type: dict[TrainName, list[str]] = {}
        for owner_and_type, ids in self._ids_by_owner.items():
            spare_ids_by_type.setdefault(owner_and_type[1], []).extend(
                _take_surplus_ids(ids, train_counts[owner_and_type])
            )
        for owner_and_type, train_count in train_counts.items():
            owner_ids = self._ids_by_owner.setdefault(owner_and_type, [])
            for _ in range(train_count - len(owner_ids)):
                spare_ids = spare_ids_by_type.get(owner_and_type[1])
                owner_ids.append(spare_ids.pop(0) if spare_ids else self._next_bank_id(owner_and_type[1]))
            owner_ids.sort(key=self._unsellable_ids.__contains__)
        for train in self._exported_trains():
            self._next_bank_id(train)

    def _put_added_train_first(self, train: TrainName) -> None:
        """Make an added train the next one that the bank sells; it gets the last id of its type."""
        self._unused_ids_by_type[train] = chain(
            [self._next_id_by_type[train]], self._unused_ids_by_type[train]
        )
        self._next_id_by_type[train] = f"{train}-{self._spec.train(train).count}"
        self._bank_count_by_type[train] = (self._bank_count_by_type[train] or 0) + 1

    def _train_counts(self) -> Counter[OwnerAndType]:
        companies = self._state.companies.values()
        train_counts = Counter((c.id, train) for c in companies for train in (*c.trains, *c.obsolete))
        return train_counts + Counter((POOL, train) for train in self._state.pool)

    def _exported_trains(self) -> Iterator[TrainName]:
        for train, depot_count in self._state.depot.items():
            if train == self._card_train_type(train):
                yield from [train] * ((self._bank_count_by_type[train] or 0) - (depot_count or 0))

    def _next_bank_id(self, train: TrainName) -> str:
        card = self._card_train_type(train)
        drawn_id, self._next_id_by_type[card] = (
            self._next_id_by_type[card],
            next(self._unused_ids_by_type[card]),
        )
        bank_count = self._bank_count_by_type[card]
        self._bank_count_by_type[card] = None if bank_count is None else bank_count - 1
        return drawn_id

    def _card_train_type(self, train: TrainName) -> TrainName:
        """The train type that gives its name to a two-sided card's ids; for other trains, the type itself."""
        return self._spec.train(train).face_of or train


def _train_ids(spec: TitleSpec, train: TrainName) -> Iterator[str]:
    """Ids of a type's trains in order, such as `3-0`, `3-1`, `3'-0`.

    The train that starts a further phase has a prime, and so have all later trains of the type.
    """
    later_phases = [
        phase.train_number for phase in spec.phases if phase.train == train and phase.train_number > 1
    ]
    count_without_prime = min(later_phases) - 1 if later_phases else None
    yield from (
        f"{train}-{number}"
        for number in (count() if count_without_prime is None else range(count_without_prime))
    )
    yield from (f"{train}'-{number}" for number in count())


def reserved_train_id(spec: TitleSpec, train: TrainName) -> str:
    """Id of a train that is set aside for a private; it is the last id of the train's type."""
    return f"{train}-{(spec.train(train).count or 1) - 1}"


def _take_surplus_ids(ids: list[str], wanted_count: int) -> list[str]:
    surplus_ids = ids[: max(0, len(ids) - wanted_count)]
    del ids[: len(surplus_ids)]
    return surplus_ids
