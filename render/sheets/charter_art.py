"""Pictures of a company's charter and of a player's holdings."""

from collections.abc import Iterator, Sequence
from typing import Final

from engine.views import Badge, CompanyView, HoldingView, LastRunView, PlayerView
from render.font_metrics import fitted_text, fitting_size, shortened_text, text_width
from render.hexes.stop_art import token_items
from render.scene import Disc, Item, PlacedSprite, Polygon, Polyline, RoundedBox, Scene, Sprite, Text
from render.theme import Theme, ink_on, mix_colours, palette, readable_company_colour, theme_named

SHEET_WIDTH: Final = 1000
_MARGIN: Final = 32
_BAR_HEIGHT: Final = 104
_ROW_HEIGHT: Final = 46


def company_scene(view: CompanyView, theme_name: str) -> Scene:
    """A company's charter: name, price, treasury, last run, trains, tokens, shareholders and privates."""
    theme = theme_named(theme_name)
    holder_lines = _holder_lines(view)
    row_count = -(-len(holder_lines) // 2)
    notes = _company_notes(view)
    height = 428 + row_count * _ROW_HEIGHT + 42 * len(notes) + (8 if notes else 0) + 16
    items: list[Item] = list(_company_bar(view))
    items.extend(_fact_boxes(_company_facts(view), theme, _BAR_HEIGHT + 22))
    items.extend(_section_heading("Trains", _MARGIN, 238, theme))
    items.extend(_train_cards(view, theme))
    items.extend(_section_heading("Tokens", SHEET_WIDTH / 2 + 8, 238, theme))
    items.extend(_company_tokens(view, theme))
    items.extend(_section_heading("Shares", _MARGIN, 396, theme))
    for i, line in enumerate(holder_lines):
        column, row = divmod(i, row_count)
        x = _MARGIN + column * (SHEET_WIDTH / 2 - _MARGIN + 8)
        items.extend(
            _holder_row(line, view, theme, (x, 416 + row * _ROW_HEIGHT), SHEET_WIDTH / 2 - _MARGIN - 12)
        )
    for i, note in enumerate(notes):
        y = height - 40 - 42 * (len(notes) - 1 - i)
        items.append(fitted_text(_MARGIN, y, note, SHEET_WIDTH - 2 * _MARGIN, 26, theme.ink, align="left"))
    return _sheet_scene(theme, height, items, (view.badge.colour,))


def player_scene(view: PlayerView, theme_name: str) -> Scene:
    """A player's holdings: cash, net worth, certificates, shares with their value, privates, and priority deal."""
    theme = theme_named(theme_name)
    height = 300 + max(1, len(view.holdings)) * 56 + (54 + 44 * len(view.privates) if view.privates else 0)
    items: list[Item] = [RoundedBox(0, 0, SHEET_WIDTH, _BAR_HEIGHT, 0, theme.sheet)]
    title = f"{view.name}, bankrupt" if view.is_bankrupt else view.name
    items.append(
        fitted_text(
            _MARGIN, _BAR_HEIGHT / 2, title, SHEET_WIDTH - 2 * _MARGIN - 240, 46, theme.ink, "black", "left"
        )
    )
    if view.has_priority_deal:
        items.append(
            RoundedBox(SHEET_WIDTH - 232, 30, SHEET_WIDTH - _MARGIN, _BAR_HEIGHT - 30, 22, theme.ink)
        )
        items.append(Text(SHEET_WIDTH - 132, _BAR_HEIGHT / 2, "priority deal", 26, theme.page, "bold"))
    items.extend(_fact_boxes(_player_facts(view), theme, _BAR_HEIGHT + 22))
    items.extend(_section_heading("Shares", _MARGIN, 244, theme))
    if not view.holdings:
        items.append(Text(_MARGIN, 292, "none", 26, theme.ink, "regular", "left"))
    for i, holding in enumerate(view.holdings):
        items.extend(_share_row(holding, theme, 266 + i * 56))
    y = 300 + max(1, len(view.holdings)) * 56
    if view.privates:
        items.extend(_section_heading("Private companies", _MARGIN, y, theme))
    for i, (short_name, name, value, income) in enumerate(view.privates):
        private_text = f"{short_name}  {name}"
        middle_y = y + 40 + i * 44
        value_text = f"{view.money(value)}, income {view.money(income)}"
        available_width = SHEET_WIDTH - 3 * _MARGIN - text_width(value_text) * 26
        items.append(
            fitted_text(_MARGIN, middle_y, private_text, available_width, 26, theme.ink, align="left")
        )
        items.append(Text(SHEET_WIDTH - _MARGIN, middle_y, value_text, 26, theme.ink, "bold", "right"))
    return _sheet_scene(theme, height, items, tuple(sorted({s.badge.colour for s in view.holdings})))


def _sheet_scene(theme: Theme, height: int, items: Sequence[Item], colours: tuple[str, ...]) -> Scene:
    sprite = Sprite(SHEET_WIDTH, height, theme.page, tuple(items))
    return Scene(SHEET_WIDTH, height, theme.page, (PlacedSprite(sprite, 0, 0),), palette(theme.name, colours))


def _company_bar(view: CompanyView) -> Iterator[Item]:
    company_colour = readable_company_colour(view.badge.colour)
    yield RoundedBox(0, 0, SHEET_WIDTH, _BAR_HEIGHT, 0, company_colour)
    yield from token_items(_MARGIN + 40, _BAR_HEIGHT / 2, 40, view.badge)
    yield fitted_text(
        _MARGIN + 104,
        _BAR_HEIGHT / 2,
        view.name,
        SHEET_WIDTH - 2 * _MARGIN - 110,
        44,
        ink_on(company_colour),
        "black",
        "left",
    )


def _company_facts(view: CompanyView) -> tuple[tuple[str, str], ...]:
    price = "-" if view.price is None else view.money(view.price)
    zone_note = f" ({view.zone})" if view.zone else ""
    run_text = "-" if view.last_run is None else run_words(view.last_run)
    float_note = "" if view.is_floated else f", floats at {view.float_percent}%"
    price_facts = (
        (("Value", price),)
        if view.is_price_fixed
        else ((f"Price{zone_note}", price), ("Par", "-" if view.par is None else view.money(view.par)))
    )
    return (
        *price_facts,
        (f"Treasury{float_note}", view.money(view.treasury)),
        ("Last run", run_text),
        ("President", view.president or "-"),
    )


def run_words(run: LastRunView) -> str:
    """A run's revenue: `$90`, or `[$90]` if withheld."""
    revenue_text = run.money(run.revenue)
    return f"[{revenue_text}]" if run.is_withheld else revenue_text


def _player_facts(view: PlayerView) -> tuple[tuple[str, str], ...]:
    cash_in_bids = (view.cash or 0) - (view.available_cash or 0)
    return (
        (f"Cash ({view.money(cash_in_bids)} in bids)" if cash_in_bids else "Cash", view.money(view.cash)),
        ("Liquidity", view.money(view.liquidity)),
        ("Net worth", view.money(view.net_worth)),
        ("Certificates", f"{view.certificates}/{view.certificate_limit}"),
        ("Presidencies", f"{sum(share.is_president for share in view.holdings)}"),
    )


def _fact_boxes(facts: Sequence[tuple[str, str]], theme: Theme, top: float) -> Iterator[Item]:
    """Boxes of equal width, each with a fact's name above its value."""
    box_step = (SHEET_WIDTH - 2 * _MARGIN + 10) / len(facts)
    for i, (name, value) in enumerate(facts):
        x = _MARGIN + i * box_step
        box_width = box_step - 10
        yield RoundedBox(x, top, x + box_width, top + 88, 8, theme.sheet)
        ink = ink_on(theme.sheet)
        soft_ink = mix_colours(theme.sheet, ink, 0.7)
        yield fitted_text(x + 12, top + 20, name, box_width - 20, 21, soft_ink, align="left")
        size = fitting_size(value, box_width - 22, 38, "black", 22)
        yield Text(
            x + 12, top + 58, shortened_text(value, box_width - 22, size, "black"), size, ink, "black", "left"
        )


def _section_heading(title: str, x: float, y: float, theme: Theme) -> Iterator[Item]:
    yield Text(x, y, title, 24, theme.soft_ink, "bold", "left")


def _company_notes(view: CompanyView) -> list[str]:
    notes = ["Out of the game"] if view.is_closed else []
    notes += [f"Reserved by {view.reserved_by}"] if view.reserved_by else []
    notes += [f"Available from phase {view.waits_for_phase} on"] if view.waits_for_phase else []
    notes += ["Formed from " + ", ".join(view.merged_companies)] if view.merged_companies else []
    notes += [f"On its shells: {view.shells_text}"] if view.shells_text else []
    notes += ["Private companies: " + ", ".join(view.privates)] if view.privates else []
    return [*notes, "Markers: " + ", ".join(view.markers)] if view.markers else notes


def _train_cards(view: CompanyView, theme: Theme) -> Iterator[Item]:
    cards = [(train, end or "permanent", False) for train, end in view.trains]
    cards += [(train, "one more run", True) for train in view.obsolete_trains]
    if not cards:
        yield Text(_MARGIN, 300, "none", 26, theme.ink, "regular", "left")
        return
    card_step = min(104.0, (SHEET_WIDTH / 2 - _MARGIN) / len(cards))
    for i, (train, caption, is_last_run) in enumerate(cards):
        yield from _train_card(
            train,
            caption,
            theme,
            (_MARGIN + i * card_step, _MARGIN + (i + 1) * card_step - 10),
            is_last_run=is_last_run,
        )


def _train_card(
    train: str, caption: str, theme: Theme, x_range: tuple[float, float], *, is_last_run: bool
) -> Iterator[Item]:
    """A box for one train. A train that rusts after its next run is pale and has a corner cut off."""
    x0, x1 = x_range
    ink = ink_on(theme.sheet)
    rim_colour = mix_colours(theme.sheet, ink, 0.7)
    background = mix_colours(theme.page, theme.sheet, 0.25) if is_last_run else theme.sheet
    letter_colour = theme.ink if is_last_run else ink
    yield RoundedBox(x0, 258, x1, 362, 10, background, rim_colour, 2.5)
    if is_last_run:
        yield Polygon(((x1 - 24, 257), (x1 + 1, 257), (x1 + 1, 282)), theme.page)
        yield Polyline(((x1 - 24, 259), (x1 - 1, 282)), rim_colour, 2.5)
    yield fitted_text((x0 + x1) / 2, 298, train, x1 - x0 - 14, 50, letter_colour, "black")
    yield fitted_text((x0 + x1) / 2, 342, caption, x1 - x0 - 10, 20, letter_colour)


def _company_tokens(view: CompanyView, theme: Theme) -> Iterator[Item]:
    unplaced_tokens = [(view.money(price) if price else "free", "left") for price in view.tokens_left]
    unplaced_tokens += [("free", words) for words in view.reserved_token_texts]
    x = SHEET_WIDTH / 2 + 44
    token_step = min(86.0, (SHEET_WIDTH / 2 - 60) / max(1, len(view.tokens_placed) + len(unplaced_tokens)))
    radius = min(34.0, token_step / 2 - 3)
    soft_ink = mix_colours(theme.page, theme.ink, 0.8)
    for coord in view.tokens_placed:
        yield from token_items(x, 294, radius, view.badge)
        yield Text(x, 346, coord, 24, theme.ink, "bold")
        x += token_step
    for i, (words, note) in enumerate(unplaced_tokens):
        is_first_token = i == 0 and not view.tokens_placed
        yield Disc(x, 294, radius, theme.sheet, readable_company_colour(view.badge.colour), 5)
        yield fitted_text(x, 294, words, 1.5 * radius, 26, ink_on(theme.sheet))
        note = f"home {view.home}" if is_first_token and view.home else note
        yield Text(x, 346, note, fitting_size(note, token_step - 4, 21), soft_ink, "regular")
        x += token_step


def _holder_lines(view: CompanyView) -> list[tuple[str, int, bool]]:
    if view.is_price_fixed:
        return list(view.holders)
    bank_lines = [("IPO", view.offering_percent, False), ("Market", view.market_percent, False)]
    treasury_lines = [("Treasury", view.treasury_percent, False)] if view.treasury_percent else []
    treasury_lines += [("Reissued", len(view.reissued) * view.share_percent, False)] if view.reissued else []
    removed_lines = [("Out of the game", view.removed_percent, False)] if view.removed_percent else []
    return [*bank_lines, *treasury_lines, *view.holders, *removed_lines]


def _holder_row(
    line: tuple[str, int, bool], view: CompanyView, theme: Theme, position: tuple[float, float], width: float
) -> Iterator[Item]:
    """A shareholder's line: name, percent, and a symbol for each certificate."""
    name, percent, is_president = line
    x, y = position
    middle_y = y + _ROW_HEIGHT / 2
    size = fitting_size(name, 158, 25, smallest_size=20)
    yield Text(x, middle_y, shortened_text(name, 158, size), size, theme.ink, "bold", "left")
    yield Text(x + 232, middle_y, f"{percent}%", 25, theme.ink, "bold", "right")
    certificate_percent = view.president_share_percent if is_president else 0
    certificate_sizes = _certificate_sizes(percent, certificate_percent, view.share_percent)
    yield from _certificates(
        certificate_sizes, bool(certificate_percent), view.badge, (x + 244, middle_y), width - 244
    )


def _certificate_sizes(percent: int, president_percent: int, share_percent: int) -> list[float]:
    president_sizes = [president_percent / share_percent] if president_percent else []
    return president_sizes + [1.0] * ((percent - president_percent) // share_percent)


def _certificates(
    sizes: Sequence[float], has_president: bool, badge: Badge, position: tuple[float, float], width: float
) -> Iterator[Item]:
    company_colour = readable_company_colour(badge.colour)
    x, y = position
    share_width = min(20.0, width / max(10, sum(sizes)))
    for number, size in enumerate(sizes):
        yield RoundedBox(
            x, y - 13, x + size * share_width - 2, y + 13, 3, company_colour, ink_on(company_colour), 1.2
        )
        if has_president and not number:
            yield Text(x + size * share_width / 2 - 1, y, "P", 18, ink_on(company_colour), "black")
        x += size * share_width


def _share_row(holding: HoldingView, theme: Theme, top: float) -> Iterator[Item]:
    y = top + 28
    yield from token_items(_MARGIN + 24, y, 24, holding.badge)
    name = holding.badge.company
    yield fitted_text(_MARGIN + 64, y, name, 112, 28, theme.ink, "black", "left")
    yield Text(_MARGIN + 244, y, f"{holding.percent}%", 28, theme.ink, "bold", "right")
    certificate_sizes = _certificate_sizes(
        holding.percent, holding.president_share_percent if holding.is_president else 0, holding.share_percent
    )
    yield from _certificates(certificate_sizes, holding.is_president, holding.badge, (_MARGIN + 264, y), 200)
    words = f"{holding.shares:g} x {holding.money(holding.price)}"
    yield Text(
        SHEET_WIDTH - _MARGIN - 170, y, words, 26, mix_colours(theme.page, theme.ink, 0.75), "bold", "right"
    )
    yield Text(SHEET_WIDTH - _MARGIN, y, holding.money(holding.value), 30, theme.ink, "black", "right")
