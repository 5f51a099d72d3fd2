"""HTML of a game's result page: scores, turning points, charts, and tags for link previews."""

from collections.abc import Sequence
from dataclasses import dataclass
from gzip import compress
from html import escape
from typing import Final, NamedTuple

from bot.table.markdown import plain_teller, sentence_list
from bot.table.past.history_lines import MoveHistory
from bot.table.past.past_views import current_net_worth, net_worth_chart, turning_points
from bot.web.markup import tag
from engine import Game, PlayerId
from engine.views import HistoryView, MapView, ScoreRow, ScoreView, map_view, score_view
from render import chart_svg, map_svg, render_scores
from storage import GameRow

PREVIEW_WIDTH: Final = 1200
"""Width in pixels of the picture of scores in a link preview."""

CHART_ALT: Final = "Charts by round; the net worths are below as numbers"


class ResultKey(NamedTuple):
    """Cache key of a result: game, last log row, and players' names."""

    game_id: int
    seq: int
    names: tuple[tuple[PlayerId, str], ...]


@dataclass(frozen=True, slots=True)
class ResultView:
    """An ended game's result: scores, charts of net worths and prices, turning points, and the final map."""

    key: ResultKey
    name: str
    guild_id: int
    scores: ScoreView
    chart: HistoryView
    turning_point_texts: tuple[str, ...]
    map: MapView

    @property
    def title(self) -> str:
        """The game's title and number, and its name if it has one."""
        own_name = "" if self.name == self.scores.title else f" {self.name}"
        return f"{self.scores.title} #{self.key.game_id}{own_name}"

    @property
    def winners(self) -> str:
        """The winners and their total, such as `Ann wins with $4321`."""
        winners = [row for row in self.scores.rows if row.rank == 1]
        verb = "wins" if len(winners) == 1 else "win"
        return f"{sentence_list(row.name for row in winners)} {verb} with {_total_text(winners[0])}"


def result_view(game: Game, history: MoveHistory, key: ResultKey, row: GameRow) -> ResultView:
    """The result of an ended game; called by a worker."""
    turning_point_texts = tuple(plain_teller(game).say(point) for point in turning_points(history, game))
    chart = net_worth_chart(history, current_net_worth(game))
    return ResultView(
        key, row.name, row.guild_id, score_view(game), chart, turning_point_texts, map_view(game)
    )


def draw_scores(view: ResultView, theme: str) -> bytes:
    """The final scores as a PNG, for link previews."""
    return render_scores(view.scores, theme=theme)


def draw_chart(view: ResultView, theme: str) -> bytes:
    """The charts as a compressed SVG."""
    return compress(chart_svg(view.chart, theme=theme).encode())


def draw_map(view: ResultView, theme: str) -> bytes:
    """The final map as a compressed SVG."""
    return compress(map_svg(view.map, theme=theme).encode())


def preview_tags(view: ResultView, page_url: str) -> str:
    """Open Graph tags, from which other sites build a preview of a link to the page at `page_url`."""
    scores = "\n".join(f"{row.rank}. {row.name} {_total_text(row)}" for row in view.scores.rows)
    properties = {
        "og:type": "website",
        "og:site_name": "Stationmaster",
        "og:title": f"{view.title}: {view.winners}",
        "og:description": f"{view.scores.ending}\n{scores}",
        "og:url": page_url,
        "og:image": f"{page_url}/scores.png",
        "og:image:type": "image/png",
        "og:image:width": str(PREVIEW_WIDTH),
        "og:image:alt": f"Final scores: {scores}",
    }
    names = {"twitter:card": "summary_large_image", "robots": "noindex"}
    lines = [f'<meta property="{key}" content="{escape(text)}">' for key, text in properties.items()]
    lines += [f'<meta name="{key}" content="{text}">' for key, text in names.items()]
    return "".join(f"{line}\n" for line in lines)


def result_html(view: ResultView, path: str) -> str:
    """The header and main part of a result page as HTML; `path` is the page's URL path."""
    links = [tag("a", "Film", href=f"{path}/film"), " ", tag("a", "Board", href=f"{path}/board")]
    header = tag("header", tag("h1", escape(view.title)), tag("nav", *links, aria_label="Pages of this game"))
    turning_point_items = [tag("li", escape(point)) for point in view.turning_point_texts]
    turning_points_section = (
        _html_section("Turning points", tag("ul", *turning_point_items, class_="points"))
        if turning_point_items
        else ""
    )
    heading = tag("h2", escape(view.winners)), tag("p", escape(view.scores.ending))
    return header + tag(
        "main",
        tag("section", *heading, tag("ol", *map(_player_html, view.scores.rows), class_="scores")),
        turning_points_section,
        _html_section(
            "Net worth and share prices",
            _picture_html(f"{path}/chart.svg", CHART_ALT),
            _net_worth_table(view.chart),
        ),
        _html_section("Map", _picture_html(f"{path}/map.svg", f"The map at the end of {view.title}")),
        class_="result",
    )


def _html_section(name: str, *parts: str) -> str:
    return tag("section", tag("h2", name), *parts)


def _picture_html(url: str, alt: str) -> str:
    dark_source = f'<source srcset="{url}?theme=dark" media="(prefers-color-scheme: dark)">'
    image = f'<img src="{url}" alt="{escape(alt)}" loading="lazy">'
    return tag("a", tag("picture", dark_source, image), href=url)


def _player_html(row: ScoreRow) -> str:
    """A player's place, name and total as HTML, with the assets that add up to the total."""
    shares = [
        f"{share.badge.company} {share.shares:g} × {row.money(share.price)} = {row.money(share.value)}"
        for share in row.shares
    ]
    privates = [f"privates {row.money(row.privates)}"] if row.privates else []
    details = ", ".join([f"cash {row.money(row.cash)}", *shares, *privates])
    summary = [
        tag("span", f"{row.rank}"),
        tag("span", escape(row.name)),
        tag("span", _total_text(row), class_="number"),
    ]
    return tag("li", tag("p", *summary), tag("p", escape(details), class_="dim"))


def _net_worth_table(chart: HistoryView) -> str:
    """The players' net worths by round as a collapsed HTML table."""
    if not chart.players or not chart.rounds:
        return ""
    rows = [
        _table_row(moment.name, [chart.money(worth) for worth in moment.net_worths])
        for moment in chart.rounds
    ]
    names = [tag("th", escape(name), scope="col", class_="number") for name in chart.players]
    table_head = tag("thead", tag("tr", tag("th", "Round", scope="col"), *names))
    return tag(
        "details", tag("summary", "Net worth as numbers"), tag("table", table_head, tag("tbody", *rows))
    )


def _table_row(name: str, texts: Sequence[str]) -> str:
    cells = [tag("td", escape(text), class_="number") for text in texts]
    return tag("tr", tag("th", escape(name), scope="row"), *cells)


def _total_text(row: ScoreRow) -> str:
    return row.money(row.total)
