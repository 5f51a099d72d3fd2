"""18AL 4.2.5.2: the price for which a president may sell a private, where shares could pay for the train, too."""

from tests.titles.builders import values
from tests.titles.t18al.alabama import Alabama


def test_private_pays_what_shares_need_not() -> None:
    """R-AL-194: $105 are missing, what the share brings; the private brings them alone, or nothing at all."""
    place = Alabama().phase("4D").cash(a=95, b=200, c=0).tiles(L5=("57", 2)).owns("a", "BLC")
    place.start("WRA", 75, a=20, b=10, c=10, market=30).treasury("WRA", 600)
    game = place.start("M&O", 105, b=60, a=10).operating("WRA", "trains").game()
    assert values(game, "sell_private", "a", "buyer", private="BLC") == ["b"]
    assert values(game, "sell_private", "a", "price", private="BLC", buyer="b") == [*range(105, 201)]
