"""A company's charter and a player's sheet as scenes."""

from collections.abc import Iterator, Sequence
from typing import Final

from engine.views import Badge, CompanyView, HoldingView, LastRunView, PlayerView
from render.font_metrics import fitted, fitting, shortened, text_width
from render.hexes.stop_art import token
from render.scene import Disc, Item, Placed, Polygon, Polyline, RoundedBox, Scene, Sprite, Text
from render.theme import Theme, company, ink_on, mix, palette, theme_named
from render.words import money

WIDTH: Final = 1000
_EDGE: Final = 32
_BAR: Final = 104
_ROW: Final = 46


def company_scene(view: CompanyView, theme_name: str) -> Scene:
    """The charter: name, price, treasury, last run, trains, tokens, who holds the shares, privates."""
    theme = theme_named(theme_name)
    lines = _holders(view)
    rows = -(-len(lines) // 2)
    notes = _notes(view)
    height = 428 + rows * _ROW + 42 * len(notes) + (8 if notes else 0) + 16
    items: list[Item] = list(_company_bar(view))
    items.extend(_facts(_company_facts(view), theme, _BAR + 22))
    items.extend(_heading("Trains", _EDGE, 238, theme))
    items.extend(_trains(view, theme))
    items.extend(_heading("Tokens", WIDTH / 2 + 8, 238, theme))
    items.extend(_tokens(view, theme))
    items.extend(_heading("Shares", _EDGE, 396, theme))
    for i, line in enumerate(lines):
        column, row = divmod(i, rows)
        x = _EDGE + column * (WIDTH / 2 - _EDGE + 8)
        items.extend(_holding(line, view, theme, (x, 416 + row * _ROW), WIDTH / 2 - _EDGE - 12))
    for i, words in enumerate(notes):
        y = height - 40 - 42 * (len(notes) - 1 - i)
        items.append(fitted(_EDGE, y, words, WIDTH - 2 * _EDGE, 26, theme.ink, align="left"))
    return _scene(theme, height, items, (view.badge.colour,))


def player_scene(view: PlayerView, theme_name: str) -> Scene:
    """A player's sheet: cash, net worth, certificates, shares with their value, privates, priority mark."""
    theme = theme_named(theme_name)
    height = 300 + max(1, len(view.holdings)) * 56 + (54 + 44 * len(view.privates) if view.privates else 0)
    items: list[Item] = [RoundedBox(0, 0, WIDTH, _BAR, 0, theme.sheet)]
    title = f"{view.name}, bankrupt" if view.bankrupt else view.name
    items.append(fitted(_EDGE, _BAR / 2, title, WIDTH - 2 * _EDGE - 240, 46, theme.ink, "black", "left"))
    if view.priority:
        items.append(RoundedBox(WIDTH - 232, 30, WIDTH - _EDGE, _BAR - 30, 22, theme.ink))
        items.append(Text(WIDTH - 132, _BAR / 2, "priority deal", 26, theme.page, "bold"))
    items.extend(_facts(_player_facts(view), theme, _BAR + 22))
    items.extend(_heading("Shares", _EDGE, 244, theme))
    if not view.holdings:
        items.append(Text(_EDGE, 292, "none", 26, theme.ink, "regular", "left"))
    for i, share in enumerate(view.holdings):
        items.extend(_share_row(share, theme, 266 + i * 56))
    y = 300 + max(1, len(view.holdings)) * 56
    if view.privates:
        items.extend(_heading("Private companies", _EDGE, y, theme))
    for i, (short, name, value, income) in enumerate(view.privates):
        words = f"{short}  {name}"
        middle = y + 40 + i * 44
        worth = f"${value}, income ${income}"
        room = WIDTH - 3 * _EDGE - text_width(worth) * 26
        items.append(fitted(_EDGE, middle, words, room, 26, theme.ink, align="left"))
        items.append(Text(WIDTH - _EDGE, middle, worth, 26, theme.ink, "bold", "right"))
    return _scene(theme, height, items, tuple(sorted({s.badge.colour for s in view.holdings})))


def _scene(theme: Theme, height: int, items: Sequence[Item], colours: tuple[str, ...]) -> Scene:
    sprite = Sprite(WIDTH, height, theme.page, tuple(items))
    return Scene(WIDTH, height, theme.page, (Placed(sprite, 0, 0),), palette(theme.name, colours))


def _company_bar(view: CompanyView) -> Iterator[Item]:
    paint = company(view.badge.colour)
    yield RoundedBox(0, 0, WIDTH, _BAR, 0, paint)
    yield from token(_EDGE + 40, _BAR / 2, 40, view.badge)
    yield fitted(
        _EDGE + 104, _BAR / 2, view.name, WIDTH - 2 * _EDGE - 110, 44, ink_on(paint), "black", "left"
    )


def _company_facts(view: CompanyView) -> tuple[tuple[str, str], ...]:
    price = "-" if view.price is None else f"${view.price}"
    zone = f" ({view.zone})" if view.zone else ""
    run = "-" if view.last_run is None else run_words(view.last_run)
    floated = "" if view.floated else f", floats at {view.float_percent}%"
    worth = (
        (("Value", price),)
        if view.fixed
        else ((f"Price{zone}", price), ("Par", "-" if view.par is None else f"${view.par}"))
    )
    return (
        *worth,
        (f"Treasury{floated}", money(view.treasury)),
        ("Last run", run),
        ("President", view.president or "-"),
    )


def run_words(run: LastRunView) -> str:
    """A run's revenue: `$90`, or `[$90]` if withheld."""
    return f"[${run.revenue}]" if run.kept else f"${run.revenue}"


def _player_facts(view: PlayerView) -> tuple[tuple[str, str], ...]:
    tied = (view.cash or 0) - (view.available or 0)
    return (
        (f"Cash (${tied} in bids)" if tied else "Cash", money(view.cash)),
        ("Liquidity", money(view.liquidity)),
        ("Net worth", money(view.value)),
        ("Certificates", f"{view.certificates}/{view.certificate_limit}"),
        ("Companies led", f"{sum(share.president for share in view.holdings)}"),
    )


def _facts(facts: Sequence[tuple[str, str]], theme: Theme, top: float) -> Iterator[Item]:
    """Numbers in boxes of equal width, each with its name above."""
    step = (WIDTH - 2 * _EDGE + 10) / len(facts)
    for i, (name, value) in enumerate(facts):
        x = _EDGE + i * step
        wide = step - 10
        yield RoundedBox(x, top, x + wide, top + 88, 8, theme.sheet)
        ink = ink_on(theme.sheet)
        soft = mix(theme.sheet, ink, 0.7)
        yield fitted(x + 12, top + 20, name, wide - 20, 21, soft, align="left")
        size = fitting(value, wide - 22, 38, "black", 22)
        yield Text(x + 12, top + 58, shortened(value, wide - 22, size, "black"), size, ink, "black", "left")


def _heading(words: str, x: float, y: float, theme: Theme) -> Iterator[Item]:
    yield Text(x, y, words, 24, theme.soft, "bold", "left")


def _notes(view: CompanyView) -> list[str]:
    notes = ["Out of the game"] if view.closed else []
    notes += [f"Reserved by {view.reserved_by}"] if view.reserved_by else []
    notes += [f"Available from phase {view.waits_for} on"] if view.waits_for else []
    notes += ["Made of " + ", ".join(view.parts)] if view.parts else []
    notes += [f"On its shells: {view.shells}"] if view.shells else []
    notes += ["Private companies: " + ", ".join(view.privates)] if view.privates else []
    return [*notes, "Markers: " + ", ".join(view.markers)] if view.markers else notes


def _trains(view: CompanyView, theme: Theme) -> Iterator[Item]:
    cards = [(train, f"rusts on {rusts}" if rusts else "permanent", False) for train, rusts in view.trains]
    cards += [(train, "one more run", True) for train in view.obsolete]
    if not cards:
        yield Text(_EDGE, 300, "none", 26, theme.ink, "regular", "left")
        return
    step = min(104.0, (WIDTH / 2 - _EDGE) / len(cards))
    for i, (train, words, last) in enumerate(cards):
        yield from _train(train, words, theme, (_EDGE + i * step, _EDGE + (i + 1) * step - 10), last=last)


def _train(train: str, words: str, theme: Theme, span: tuple[float, float], *, last: bool) -> Iterator[Item]:
    """A train's card; one that leaves after its next run is pale, with its upper corner cut off."""
    x0, x1 = span
    ink = ink_on(theme.sheet)
    rim = mix(theme.sheet, ink, 0.7)
    ground = mix(theme.page, theme.sheet, 0.25) if last else theme.sheet
    letters = theme.ink if last else ink
    yield RoundedBox(x0, 258, x1, 362, 10, ground, rim, 2.5)
    if last:
        yield Polygon(((x1 - 24, 257), (x1 + 1, 257), (x1 + 1, 282)), theme.page)
        yield Polyline(((x1 - 24, 259), (x1 - 1, 282)), rim, 2.5)
    yield fitted((x0 + x1) / 2, 298, train, x1 - x0 - 14, 50, letters, "black")
    yield fitted((x0 + x1) / 2, 342, words, x1 - x0 - 10, 20, letters)


def _tokens(view: CompanyView, theme: Theme) -> Iterator[Item]:
    left = [(f"${price}" if price else "free", "left") for price in view.tokens_left]
    left += [("free", words) for words in view.kept]
    x = WIDTH / 2 + 44
    step = min(86.0, (WIDTH / 2 - 60) / max(1, len(view.tokens_placed) + len(left)))
    r = min(34.0, step / 2 - 3)
    soft = mix(theme.page, theme.ink, 0.8)
    for coord in view.tokens_placed:
        yield from token(x, 294, r, view.badge)
        yield Text(x, 346, coord, 24, theme.ink, "bold")
        x += step
    for i, (words, note) in enumerate(left):
        first = i == 0 and not view.tokens_placed
        yield Disc(x, 294, r, theme.sheet, company(view.badge.colour), 5)
        yield fitted(x, 294, words, 1.5 * r, 26, ink_on(theme.sheet))
        note = f"home {view.home}" if first and view.home else note
        yield Text(x, 346, note, fitting(note, step - 4, 21), soft, "regular")
        x += step


def _holders(view: CompanyView) -> list[tuple[str, int, bool]]:
    if view.fixed:
        return list(view.holders)
    fixed = [("Offering", view.offering, False), ("Market", view.market, False)]
    own = [("Treasury", view.own, False)] if view.own else []
    own += [("Reissued", len(view.reissued) * view.share, False)] if view.reissued else []
    gone = [("Out of the game", view.removed, False)] if view.removed else []
    return [*fixed, *own, *view.holders, *gone]


def _holding(
    line: tuple[str, int, bool], view: CompanyView, theme: Theme, position: tuple[float, float], width: float
) -> Iterator[Item]:
    """A shareholder's line: name, percent, and a certificate for each share."""
    name, percent, president = line
    x, y = position
    middle = y + _ROW / 2
    size = fitting(name, 158, 25, smallest=20)
    yield Text(x, middle, shortened(name, 158, size), size, theme.ink, "bold", "left")
    yield Text(x + 232, middle, f"{percent}%", 25, theme.ink, "bold", "right")
    certificate = view.certificate if president else 0
    sizes = _sizes(percent, certificate, view.share)
    yield from _certificates(sizes, bool(certificate), view.badge, (x + 244, middle), width - 244)


def _sizes(percent: int, certificate: int, share: int) -> list[float]:
    first = [certificate / share] if certificate else []
    return first + [1.0] * ((percent - certificate) // share)


def _certificates(
    sizes: Sequence[float], president: bool, badge: Badge, position: tuple[float, float], width: float
) -> Iterator[Item]:
    paint = company(badge.colour)
    x, y = position
    unit = min(20.0, width / max(10, sum(sizes)))
    for number, size in enumerate(sizes):
        yield RoundedBox(x, y - 13, x + size * unit - 2, y + 13, 3, paint, ink_on(paint), 1.2)
        if president and not number:
            yield Text(x + size * unit / 2 - 1, y, "P", 18, ink_on(paint), "black")
        x += size * unit


def _share_row(share: HoldingView, theme: Theme, top: float) -> Iterator[Item]:
    y = top + 28
    yield from token(_EDGE + 24, y, 24, share.badge)
    name = share.badge.company
    yield fitted(_EDGE + 64, y, name, 112, 28, theme.ink, "black", "left")
    yield Text(_EDGE + 244, y, f"{share.percent}%", 28, theme.ink, "bold", "right")
    sizes = _sizes(share.percent, share.certificate if share.president else 0, share.share)
    yield from _certificates(sizes, share.president, share.badge, (_EDGE + 264, y), 200)
    words = f"{share.shares:g} x ${share.price}"
    yield Text(WIDTH - _EDGE - 170, y, words, 26, mix(theme.page, theme.ink, 0.75), "bold", "right")
    yield Text(WIDTH - _EDGE, y, f"${share.value}", 30, theme.ink, "black", "right")
