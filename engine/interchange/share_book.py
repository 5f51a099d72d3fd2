"""Follows the numbered shares of a log, which tell the offering from the market only by their ids."""

from collections.abc import Iterable, Sequence

from engine.core import actions as a
from engine.core import events as e
from engine.core.actions import Action
from engine.core.ids import MARKET, OFFERING, REMOVED, CompanyId, HolderId
from engine.core.state import State


class ShareBook:
    """Every holder's share ids of each company, in the order they arrived; 0 is the president's certificate."""

    def __init__(self, state: State) -> None:
        self._certificate = {c.id: c.certificate for c in state.companies.values()}
        self._held: dict[CompanyId, dict[HolderId, list[int]]] = {
            c.id: {OFFERING: list(range(1 + (100 - c.certificate) // 10))} for c in state.companies.values()
        }

    def holder(self, company: CompanyId, share: int) -> HolderId:
        """Who holds the share; raises KeyError for an unknown one."""
        for holder, ids in self._held[company].items():
            if share in ids:
                return holder
        raise KeyError(f"{company}_{share}")

    def leaves_next(self, company: CompanyId, share: int) -> bool:
        """Whether it is the newest share of the market, the one that leaves the game with two players."""
        return self._ids(company, MARKET)[-1:] == [share]

    def bought(self, company: CompanyId, share: int, happened: Iterable[e.Event]) -> None:
        """A player bought this share."""
        for event in happened:
            match event:
                case e.ShareRemoved():
                    self._move(company, [self._ids(company, MARKET)[-1]], REMOVED)
                case e.ShareBought(player=player):
                    self._move(company, [share], player)
                case e.PresidentChanged(old=old, new=new):
                    self._change_president(company, new, old)
                case _:
                    pass
        self.followed(happened)

    def sold(self, company: CompanyId, ids: list[int], count: int, happened: Iterable[e.Event]) -> None:
        """A player sold `count` shares out of these certificates."""
        seller = self.holder(company, ids[0])
        worth = sum(self._worth(company, share) for share in ids)
        self._move(company, ids, MARKET)
        for event in happened:
            if isinstance(event, e.PresidentChanged):
                left = sum(self._worth(company, share) for share in self._ids(company, seller))
                target = seller if left >= self._certificate[company] else MARKET
                self._change_president(company, event.new, target)
        back = worth // 10 - count
        self._move(company, self._ids(company, MARKET)[:back], seller)
        self.followed(happened)

    def held(self, company: CompanyId, holder: HolderId) -> list[int]:
        """The ordinary shares of the company that this holder has, the oldest first."""
        return [share for share in self._ids(company, holder) if share]

    def follow(self, action: Action, ids: list[int], happened: Sequence[e.Event]) -> None:
        """An action was done with these shares of its company, if with any."""
        match action:
            case a.BuyShare(company=company):
                self.bought(company, ids[0], happened)
                return
            case a.SellShares(company=company, shares=count):
                self.sold(company, ids, count, happened)
                return
            case a.Redeem(entity=company):
                self.moved([(company, share) for share in ids], company)
            case a.Issue(entity=company):
                self.moved([(company, share) for share in ids], MARKET)
            case _:
                pass
        self.followed(happened)

    def moved(self, shares: Iterable[tuple[CompanyId, int]], target: HolderId) -> None:
        """These shares went to a company's treasury, or from there to the market."""
        for company, share in shares:
            self._move(company, [share], target)

    def followed(self, happened: Iterable[e.Event]) -> None:
        """Shares that moved as a consequence of something else."""
        for event in happened:
            match event:
                case e.ShareReceived(player=player, company=company, president=president):
                    self._move(company, [0 if president else 1], player)
                case (
                    e.Parred(player=player, company=company)
                    | e.MinorStarted(player=player, company=company)
                    | e.Formed(player=player, company=company)
                ):
                    self._move(company, [0], player)
                case e.Floated(company=company, to_market=percent) if percent:
                    self._move(company, list(self._ids(company, OFFERING)), MARKET)
                case _:
                    pass

    def _ids(self, company: CompanyId, holder: HolderId) -> list[int]:
        return self._held[company].setdefault(holder, [])

    def _worth(self, company: CompanyId, share: int) -> int:
        return 10 if share else self._certificate[company]

    def _move(self, company: CompanyId, ids: list[int], target: HolderId) -> None:
        for share in ids:
            self._held[company][self.holder(company, share)].remove(share)
            self._ids(company, target).append(share)

    def _change_president(self, company: CompanyId, new: HolderId, target: HolderId) -> None:
        """The first shares of the new president go to the old one, or to the market after a sale of the certificate."""
        ordinary = [share for share in self._ids(company, new) if share]
        self._move(company, ordinary[: self._certificate[company] // 10], target)
        self._move(company, [0], new)
