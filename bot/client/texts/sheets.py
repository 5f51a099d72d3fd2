"""Company, player and train sheets as text in Discord's markdown."""

from collections.abc import Sequence

from bot.table.style import strong
from engine.tell.views import CompanyView, PlayerView, TrainsView
from render.money import money


def company_sheet(view: CompanyView) -> str:
    """A company's charter."""
    if view.closed:
        return f"{strong(view.badge.company)}, {view.name}: out of the game."
    if view.par is None:
        home = f" Home {view.home}." if view.home else ""
        phase = f" Available from phase {view.waits_for} on." if view.waits_for else ""
        player = f" Reserved by {view.reserved_by}." if view.reserved_by else ""
        return f"{strong(view.badge.company)}, {view.name}: not started.{home}{phase}{player}"
    price = f"price ${view.price}{f' ({view.zone})' if view.zone else ''}, par ${view.par}"
    if view.fixed:
        price = f"value ${view.price}"
    trains = [f"{name} (leaves on {rust})" if rust else name for name, rust in view.trains]
    trains += [f"{name} (obsolete, runs once more)" for name in view.obsolete]
    floated = "" if view.floated else f"\nNot floated yet: {view.float_percent}% must be sold."
    holders = ", ".join(
        f"{name} {percent}%{' (president)' if first else ''}" for name, percent, first in view.holders
    )
    shares = "".join(
        (
            "" if view.fixed else f"; IPO {view.offering}%, market {view.market}%",
            f", treasury {view.own}%" if view.own else "",
            f", reissued {_dollars(view.reissued)}" if view.reissued else "",
            f", removed {view.removed}%" if view.removed else "",
        )
    )
    tokens = ", ".join((*(f"${cost}" for cost in view.tokens_left), *view.kept)) or "none"
    placed = ", ".join(view.tokens_placed) or "none"
    ran = f"\nLast run: ${view.last_run.revenue}, {view.last_run.words}." if view.last_run else ""
    privates = f"\nPrivates: {', '.join(view.privates)}." if view.privates else ""
    parts = f"\nMade of {', '.join(view.parts)}." if view.parts else ""
    shells = f" On its shells: {view.shells}." if view.shells else ""
    markers = f"\nMarkers: {', '.join(view.markers)}." if view.markers else ""
    return (
        f"{strong(view.badge.company)}, {view.name}: {price}{floated}\n"
        f"President: {view.president or 'nobody'}. Treasury: {money(view.treasury)}.\n"
        f"Trains: {', '.join(trains) or 'none'}.{shells} Tokens left: {tokens}; placed: {placed}.\n"
        f"Shares: {holders or 'no holders'}{shares}.{privates}{markers}{parts}{ran}"
    )


def _dollars(prices: Sequence[int]) -> str:
    return " and ".join(f"{prices.count(price)} at ${price}" for price in dict.fromkeys(prices))


def player_sheet(view: PlayerView) -> str:
    """A player's money, shares and privates."""
    free = f" (${view.available} not tied up in bids)" if view.available != view.cash else ""
    shares = "\n".join(
        f"- {held.badge.company} {held.percent}%{' (president)' if held.president else ''}: ${held.value}"
        for held in view.holdings
    )
    privates = "\n".join(
        f"- {name}: face ${face}, income ${income}" for _, name, face, income in view.privates
    )
    priority = ", priority deal" if view.priority else ""
    head = (
        f"{strong(view.name)}: cash {money(view.cash)}{free}, net worth {money(view.value)}, "
        f"certificates {view.certificates} of {view.certificate_limit}{priority}"
    )
    return "\n".join(part for part in (head, shares, privates) if part)


def trains_sheet(view: TrainsView) -> str:
    """The trains for sale and still to come."""
    others = "".join(f", of a {kind} {limit}" for kind, limit in view.train_limits)
    lines = [f"Phase {view.phase}, train limit {view.train_limit}{others}."]
    for name, left, price, stops, rust in view.bank:
        count = "any number" if left is None else f"{left} left"
        reach = f", {stops} stops" if stops else ""
        lines.append(f"- {name}: {count}, ${price}{reach}{f', leaves on {rust}' if rust else ''}")
    lines += [f"- {name} in the bank pool: ${price}" for name, price in view.pool]
    return "\n".join(lines)
