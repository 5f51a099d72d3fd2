"""Privates that players of 18AL and 18TN trade in stock rounds (3.2(b), 3.2(c)(4), 3.3(b) of both)."""

import pytest

from tests.titles.builders import Position

ALABAMA, TENNESSEE = ("18al", "TAG", "BLC", "TR"), ("18tn", "SR", "OWR", "MCR")
both = pytest.mark.parametrize(("title", "company", "private", "other"), [ALABAMA, TENNESSEE])


def trading(title: str, company: str, **cash: int) -> Position:
    """Ann has $600, and a share of a started company is for sale."""
    return Position(title=title).cash(a=600, **cash).start(company, 75, c=40, b=20)


@both
def test_private_is_bought_and_sold_on(title: str, company: str, private: str, other: str) -> None:
    """R-AL-041, R-AL-049, R-TN-047, D-TN-6: the owner has to agree; it is the purchase of the turn. One just
    bought may be sold, but not after sales that came before the purchase."""
    game = trading(title, company).owns("b", private).game()
    game.do("buy_private", "a", private=private, price=7)
    assert game.on_turn() == "b"
    game.do("answer", "b", reply="refuse")
    assert (game.owner(private), game.on_turn()) == ("b", "a")
    game.do("buy_private", "a", private=private, price=200)
    game.do("answer", "b", reply="agree")
    assert (game.owner(private), game.cash()["a"]) == ("a", 400)
    assert not game.offered("buy_share", "a")
    why = game.refused("3.2", "buy_private", "a", private=private, price=1)
    assert "Ann has already bought this turn" in why
    assert game.kinds("a") == ["sell_private", "pass"]
    game.do("sell_private", "a", private=private, buyer="c", price=9)
    game.do("answer", "c", reply="agree")
    assert (game.owner(private), game.on_turn()) == ("c", "b")
    game = trading(title, company).owns("a", private, other).game()
    game.do("sell_private", "a", private=private, buyer="b", price=9)
    game.do("answer", "b", reply="agree")
    game.do("buy_share", "a", company=company, source="offering")
    assert game.on_turn() == "b"


@both
def test_private_is_sold_to_a_player_with_money(title: str, company: str, private: str, other: str) -> None:
    """R-AL-049, R-TN-047, D-AL-5: one's own, to another player; it is no purchase."""
    game = trading(title, company, b=90, c=0).owns("a", private).game()
    for buyer in ("a", "x"):
        why = game.refused("3.2(b)", "sell_private", "a", private=private, buyer=buyer, price=1)
        assert "There is no other player" in why
    assert "Cy" in game.refused("3.2(b)", "sell_private", "a", private=private, buyer="c", price=1)
    game.refused("", "sell_private", "a", private=private, buyer="b", price=91)
    game.do("sell_private", "a", private=private, buyer="b", price=90)
    game.do("answer", "b", reply="agree")
    assert (game.owner(private), game.cash()["b"]) == ("b", 0)
    why = game.refused("3.2(b)", "sell_private", "a", private=private, buyer="b", price=1)
    assert "Ann owns no private" in why
    game.do("buy_share", "a", company=company, source="offering")
    assert game.company(company).percent("a") == 10


@pytest.mark.parametrize(
    ("title", "private", "companies", "profile", "held", "bought"),
    [
        ("18al", "BLC", ("TAG", "ABC"), "rulebook", 60, False),
        ("18al", "BLC", ("TAG", "ABC"), "18xx.games", 60, True),
        ("18tn", "OWR", ("SR", "TC"), "rulebook", 60, False),
        ("18tn", "OWR", ("SR", "TC"), "18xx.games", 60, True),
        ("18tn", "OWR", ("SR", "TC"), "rulebook", 50, True),
    ],
)
def test_certificate_limit_stops_private_buyers(
    title: str, private: str, companies: tuple[str, str], profile: str, held: int, bought: bool
) -> None:
    """R-AL-062, D-AL-6, R-TN-063, D-TN-7 (3.3(b)): ten for five players."""
    position = Position(5, title=title, profile=profile).cash(a=400).owns("b", private)
    for name in companies:
        position.start(name, 90, a=held, b=40)
    game = position.game()
    assert game.offered("buy_private", "a") is bought
    if not bought:
        assert "limit of 10" in game.refused("3.3", "buy_private", "a", private=private, price=70)
