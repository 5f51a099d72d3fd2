"""The page of the result of a game as HTML: scores, turning points, charts, and a preview for its link."""

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
"""Pixels of the picture of scores in a preview."""

CHART_ALT: Final = "Charts by round; the net worths are below as numbers"


class ResultKey(NamedTuple):
    """The key of a result: game, last row, and players' names."""

    game_id: int
    seq: int
    names: tuple[tuple[PlayerId, str], ...]


@dataclass(frozen=True, slots=True)
class ResultView:
    """The result of a game: scores, values by round, turning points, and the map at the end."""

    key: ResultKey
    name: str
    guild_id: int
    scores: ScoreView
    chart: HistoryView
    points: tuple[str, ...]
    map: MapView

    @property
    def title(self) -> str:
        """The title and number of the game, with its own name if it has one."""
        own_name = "" if self.name == self.scores.title else f" {self.name}"
        return f"{self.scores.title} #{self.key.game_id}{own_name}"

    @property
    def winners(self) -> str:
        """The winners and their total, as in `Ann wins with $4321`."""
        winners = [row for row in self.scores.rows if row.rank == 1]
        verb = "wins" if len(winners) == 1 else "win"
        return f"{sentence_list(row.name for row in winners)} {verb} with {_total(winners[0])}"


def result_view(game: Game, history: MoveHistory, key: ResultKey, row: GameRow) -> ResultView:
    """The result of an ended game; for a worker."""
    points = tuple(plain_teller(game).say(point) for point in turning_points(history, game))
    chart = net_worth_chart(history, current_net_worth(game))
    return ResultView(key, row.name, row.guild_id, score_view(game), chart, points, map_view(game))


def draw_scores(view: ResultView, theme: str) -> bytes:
    """The final table as a PNG, for previews."""
    return render_scores(view.scores, theme=theme)


def draw_chart(view: ResultView, theme: str) -> bytes:
    """The charts as a compressed SVG."""
    return compress(chart_svg(view.chart, theme=theme).encode())


def draw_map(view: ResultView, theme: str) -> bytes:
    """The map at the end as a compressed SVG."""
    return compress(map_svg(view.map, theme=theme).encode())


def preview_tags(view: ResultView, address: str) -> str:
    """Open Graph tags for a page at this address, so that other sites show a preview of its link."""
    scores = "\n".join(f"{row.rank}. {row.name} {_total(row)}" for row in view.scores.rows)
    properties = {
        "og:type": "website",
        "og:site_name": "Stationmaster",
        "og:title": f"{view.title}: {view.winners}",
        "og:description": f"{view.scores.ending}\n{scores}",
        "og:url": address,
        "og:image": f"{address}/scores.png",
        "og:image:type": "image/png",
        "og:image:width": str(PREVIEW_WIDTH),
        "og:image:alt": f"Final scores: {scores}",
    }
    names = {"twitter:card": "summary_large_image", "robots": "noindex"}
    lines = [f'<meta property="{key}" content="{escape(text)}">' for key, text in properties.items()]
    lines += [f'<meta name="{key}" content="{text}">' for key, text in names.items()]
    return "".join(f"{line}\n" for line in lines)


def result_html(view: ResultView, path: str) -> str:
    """The header and the main part of the page at this path; for a worker."""
    ways = [tag("a", "Film", href=f"{path}/film"), " ", tag("a", "Board", href=f"{path}/board")]
    header = tag("header", tag("h1", escape(view.title)), tag("nav", *ways, aria_label="Pages of this game"))
    points = [tag("li", escape(point)) for point in view.points]
    story = _section("Turning points", tag("ul", *points, class_="points")) if points else ""
    heading = tag("h2", escape(view.winners)), tag("p", escape(view.scores.ending))
    return header + tag(
        "main",
        tag("section", *heading, tag("ol", *map(_player, view.scores.rows), class_="scores")),
        story,
        _section(
            "Net worth and share prices", _picture(f"{path}/chart.svg", CHART_ALT), _numbers(view.chart)
        ),
        _section("Map", _picture(f"{path}/map.svg", f"The map at the end of {view.title}")),
        class_="result",
    )


def _section(name: str, *parts: str) -> str:
    return tag("section", tag("h2", name), *parts)


def _picture(address: str, alt: str) -> str:
    """A picture by day or at night, which opens alone when it is pressed."""
    dark = f'<source srcset="{address}?theme=dark" media="(prefers-color-scheme: dark)">'
    image = f'<img src="{address}" alt="{escape(alt)}" loading="lazy">'
    return tag("a", tag("picture", dark, image), href=address)


def _player(row: ScoreRow) -> str:
    """A player's place, name and total, with what adds up to it."""
    shares = [
        f"{one.badge.company} {one.shares:g} × {row.money(one.price)} = {row.money(one.value)}"
        for one in row.shares
    ]
    privates = [f"privates {row.money(row.privates)}"] if row.privates else []
    details = ", ".join([f"cash {row.money(row.cash)}", *shares, *privates])
    summary = [
        tag("span", f"{row.rank}"),
        tag("span", escape(row.name)),
        tag("span", _total(row), class_="number"),
    ]
    return tag("li", tag("p", *summary), tag("p", escape(details), class_="dim"))


def _numbers(chart: HistoryView) -> str:
    """The net worths of all players by round, folded."""
    if not chart.players or not chart.moments:
        return ""
    rows = [_row(moment.name, [chart.money(worth) for worth in moment.worth]) for moment in chart.moments]
    names = [tag("th", escape(name), scope="col", class_="number") for name in chart.players]
    head = tag("thead", tag("tr", tag("th", "Round", scope="col"), *names))
    return tag("details", tag("summary", "Net worth as numbers"), tag("table", head, tag("tbody", *rows)))


def _row(name: str, texts: Sequence[str]) -> str:
    cells = [tag("td", escape(text), class_="number") for text in texts]
    return tag("tr", tag("th", escape(name), scope="row"), *cells)


def _total(row: ScoreRow) -> str:
    return row.money(row.total)
