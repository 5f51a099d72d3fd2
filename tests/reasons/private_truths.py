"""When the reasons about privates of companies are so."""

from engine.core.state import Operating
from tests.reasons.truths import Seen, truth

# --- privates -------------------------------------------------------------------------------------------------------


def window(seen: Seen) -> tuple[int, int] | None:
    """Percent of face value at which companies buy privates now."""
    if seen.title == "18newengland":
        return None
    now = seen.state.round
    assert isinstance(now, Operating)
    if seen.state.phase in {"3", "3½", "4"}:
        return (50, 200) if seen.title == "18chesapeake" else (50, 150)
    return (100, 100) if seen.title == "18tn" and (now.set, now.number) == (1, 1) else None


@truth("privates.not_now")
def not_now(seen: Seen) -> bool:
    """No phase for it."""
    return window(seen) is None


@truth("privates.never_sold")
def never_sold(seen: Seen) -> bool:
    """Vanderbilt's, or Louisville & Nashville Railroad's."""
    return not seen.spec.privates[seen.values["private"]].sold_to_companies


@truth("privates.closed")
def private_closed(seen: Seen) -> bool:
    """It is."""
    return seen.state.privates[seen.values["private"]].closed


@truth("privates.of_no_player")
def of_no_player(seen: Seen) -> bool:
    """A company has it, or nobody."""
    return not seen.state.is_player(seen.state.privates[seen.values["private"]].owner)


@truth("privates.none_with_players")
def none_with_players(seen: Seen) -> bool:
    """None that may be sold."""
    privates = seen.state.privates.values()
    return not any(
        seen.state.is_player(p.owner) and not p.closed and seen.spec.privates[p.id].sold_to_companies
        for p in privates
    )


@truth("privates.too_dear")
def too_dear_for_company(seen: Seen) -> bool:
    """The least price is more than the treasury has."""
    found = window(seen)
    assert found is not None
    least = -(-seen.spec.privates[seen.values["private"]].value * found[0] // 100)
    return bool(least == seen.values["low"] > seen.mine.cash)


@truth("privates.price_range", "privates.price_is_face")
def price_range(seen: Seen) -> bool:
    """Outside of the percentages, or of the treasury."""
    found, face = window(seen), seen.spec.privates[seen.values["private"]].value
    assert found is not None
    price = seen.given["price"]
    return (seen.values["low"], seen.values["high"]) == found and not (
        face * found[0] <= 100 * price <= face * found[1] and price <= seen.mine.cash
    )


@truth("privates.company_has_bought")
def company_has_bought(seen: Seen) -> bool:
    """18TN 4.2.6: one in the first operating round."""
    return window(seen) == (100, 100) and any(p.owner == seen.mine.id for p in seen.state.privates.values())


@truth("privates.player_has_sold")
def player_has_sold(seen: Seen) -> bool:
    """18TN 4.2.6: one of each player in the first operating round."""
    now = seen.state.round
    assert isinstance(now, Operating)
    return (
        window(seen) == (100, 100)
        and seen.state.privates[seen.values["private"]].owner in now.private_sellers
    )


@truth("privates.lays_for_its_owner", "privates.marker_for_its_owner")
def for_its_owner(seen: Seen) -> bool:
    """The operating company does not own it."""
    return seen.state.privates[seen.values["private"]].owner != seen.mine.id


@truth("privates.has_laid", "privates.marker_placed")
def power_used(seen: Seen) -> bool:
    """Its power is used."""
    return seen.state.privates[seen.values["private"]].power_used


@truth("privates.no_marker")
def no_marker(seen: Seen) -> bool:
    """Only South & North Alabama Railroad has one."""
    return bool(seen.values["private"] != "SNAR")


@truth("privates.no_marker_left")
def no_marker_left(seen: Seen) -> bool:
    """It is closed, placed, or not in the game."""
    snar = seen.state.privates.get("SNAR")
    return snar is None or snar.closed or snar.power_used


@truth("privates.marker_needs_a_train")
def marker_needs_a_train(seen: Seen) -> bool:
    """The company has none."""
    return not seen.mine.trains and not seen.mine.obsolete


@truth("privates.more_than_treasury")
def more_than_treasury(seen: Seen) -> bool:
    """The price may be asked, but the company cannot pay it."""
    return bool(seen.mine.cash == seen.values["cash"] < seen.values["price"] == seen.given["price"])


@truth("auction.all_sold")
def all_sold(seen: Seen) -> bool:
    """The bank has no private left to bid on."""
    return all(one.owner or one.closed for one in seen.state.privates.values())
