"""HTML of a server's page: a card for each running game, and a line for each ended game."""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from bot.table.markdown import sentence_list
from bot.web.markup import screen_reader_text, tag
from storage import parse_timestamp


@dataclass(frozen=True, slots=True)
class RunningGame:
    """A running game: round, players whose turn it is, and number and time of the last move."""

    game_id: int
    title: str
    name: str
    round: str = ""
    turn: tuple[str, ...] = ()
    seq: int = 0
    moved_at: str = ""
    note: str = ""
    """The reason why nobody can move now; empty if somebody can."""


@dataclass(frozen=True, slots=True)
class EndedGame:
    """An ended game with its result."""

    game_id: int
    title: str
    name: str
    result: str
    """The winners and their total, such as `Ann wins with $4321`; empty if unknown."""


def games_html(path: str, running_games: Sequence[RunningGame], ended_games: Sequence[EndedGame]) -> str:
    """The header and main part of a server's page as HTML; `path` is the page's URL path."""
    cards = "".join(_running_game_card(path, game) for game in running_games)
    lines = "".join(_ended_game_line(path, game) for game in ended_games)
    header = tag("header", tag("h1", "Games"), tag("p", "", id="line", role="status"))
    no_games_html = (
        tag("p", "You can see no running game on this server.", class_="dim") if not running_games else ""
    )
    return header + tag(
        "main",
        tag("section", tag("h2", "Running"), no_games_html, tag("ul", cards, id="running", class_="tables")),
        tag("section", tag("h2", "Ended"), tag("ul", lines, id="ended", class_="ended"))
        if ended_games
        else "",
    )


def _running_game_card(path: str, game: RunningGame) -> str:
    board_path = f"{path}/board/{game.game_id}"
    map_url = f"{path}/map/{game.game_id}?seq={game.seq}"
    dark_source = f'<source srcset="{map_url}&amp;theme=dark" media="(prefers-color-scheme: dark)">'
    picture = tag("picture", dark_source, f'<img src="{map_url}" alt="" loading="lazy">')
    parts = [tag("h3", tag("a", _game_name_html(game), href=board_path)), *([picture] if game.seq else ())]
    if game.seq:
        move_time = tag("time", _time_text(game.moved_at), datetime=game.moved_at)
        parts.append(tag("p", escape(f"{game.round}, move {game.seq}, "), move_time))
    if game.turn and not game.note:
        parts.append(tag("p", escape(f"{sentence_list(game.turn)}'s turn"), class_="turn"))
    if game.note:
        parts.append(tag("p", escape(game.note), class_="warning"))
    parts.append(tag("p", _link(path, "film", "Film", game.game_id), class_="row"))
    return tag("li", *parts, class_="card", id=f"game-{game.game_id}")


def _ended_game_line(path: str, game: EndedGame) -> str:
    links = [_link(path, page_name, label, game.game_id) for page_name, label in _ENDED_GAME_LINKS]
    return tag(
        "li",
        tag("span", tag("b", _game_name_html(game)), escape(f": {game.result}" if game.result else "")),
        *links,
        id=f"game-{game.game_id}",
    )


_ENDED_GAME_LINKS = (("result", "Result"), ("film", "Film"), ("board", "Board"))


def _link(path: str, page_name: str, label: str, game_id: int) -> str:
    return tag("a", label, screen_reader_text(f" of game {game_id}"), href=f"{path}/{page_name}/{game_id}")


def _game_name_html(game: RunningGame | EndedGame) -> str:
    own_name = "" if game.name == game.title else f" {game.name}"
    return escape(f"{game.title} #{game.game_id}{own_name}")


def _time_text(timestamp: str) -> str:
    return f"{parse_timestamp(timestamp):%d %b %Y, %H:%M} UTC"
