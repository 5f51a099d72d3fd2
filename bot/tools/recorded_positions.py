"""`stationmaster render` and `routes`: pictures or best routes of a position in a recorded game."""

import time
from dataclasses import dataclass
from pathlib import Path

from bot.table.errors import Refused
from bot.table.imports import read_position
from bot.tools.environment import folder_problem
from engine import BestRun, Game, load_game
from engine.views import map_view, market_view, score_view
from render import render_map, render_market, render_scores


@dataclass(frozen=True, slots=True)
class RoutesReport:
    """A company's best routes, and the time of the search in milliseconds (`search_ms`)."""

    best_run: BestRun
    search_ms: float
    currency: str

    def json(self) -> dict[str, object]:
        """The report as JSON values."""
        return {
            "company": self.best_run.company,
            "trains": list(self.best_run.trains),
            "routes": [
                {
                    "train": run.route.train,
                    "stops": [coord for coord, _ in run.stops],
                    "sum": run.sum_text(),
                    "revenue": run.value,
                    "route": run.route.text(),
                }
                for run in self.best_run.runs
            ],
            "revenue": self.best_run.revenue,
            "proven": self.best_run.is_proven,
            "upper": self.best_run.upper_bound,
            "ms": round(self.search_ms, 3),
        }

    def lines(self) -> list[str]:
        """The report as lines of text, one for each route."""
        run_lines = [
            f"  {run.route.train}: {'-'.join(coord for coord, _ in run.stops)}  {run.sum_text()} = "
            f"{self.currency}{run.value}"
            for run in self.best_run.runs
        ]
        proof_text = (
            "proven best"
            if self.best_run.is_proven
            else f"not proven: the best is at most {self.currency}{self.best_run.upper_bound}"
        )
        return [
            f"{self.best_run.company} with {', '.join(self.best_run.trains)}",
            *run_lines,
            *(
                [f"  trains without a route: {self.best_run.idle_train_count}"]
                if self.best_run.idle_train_count
                else []
            ),
            f"revenue {self.currency}{self.best_run.revenue} ({proof_text}), {self.search_ms:.2f} ms",
        ]


def best_routes_at(log_file: Path, last_action_number: int | None) -> RoutesReport:
    """The best routes in a recorded game's position after action `last_action_number` (None: the last).

    If that action is a run of routes, the position before it is used. Raises Refused if the log is refused or
    unreadable, or no company runs trains.
    """
    game = read_position(log_file, last_action_number)
    if not _runs_trains(game):
        earlier_game = read_position(log_file, last_action_number - 1) if last_action_number else game
        if not _runs_trains(earlier_game):
            raise Refused(f"No company runs trains in this position; {_possible_moves_text(game)}.")
        game = earlier_game
    start_seconds = time.perf_counter()
    best_run = game.best_run()
    search_ms = (time.perf_counter() - start_seconds) * 1000
    return RoutesReport(best_run, search_ms, game.rules.spec.currency)


def _runs_trains(game: Game) -> bool:
    return any(offer.kind == "run_routes" for offer in game.offers())


def _possible_moves_text(game: Game) -> str:
    if game.is_over:
        return "the game is over"
    kinds = ", ".join(sorted({offer.kind for offer in game.offers()}))
    return f"the possible moves are {kinds}"


def draw_recorded_position(
    log_file: Path, last_action_number: int | None, folder: Path, *, theme: str = "ours"
) -> list[Path]:
    """Write map.png, market.png and, if the game is over, scores.png to a folder; returns the files.

    The pictures show the position after action `last_action_number` (None: the last). Raises EngineError if the log is
    refused or unreadable, Refused if the folder is not writable.
    """
    game = load_game(log_file.read_bytes(), last_action_number)
    if (problem := folder_problem(folder)) is not None:
        raise Refused(f"--out: {problem}")
    pictures = {
        "map.png": render_map(map_view(game), theme=theme),
        "market.png": render_market(market_view(game), theme=theme),
    }
    if game.is_over:
        pictures["scores.png"] = render_scores(score_view(game), theme=theme)
    for name, png in pictures.items():
        (folder / name).write_bytes(png)
    return [folder / name for name in pictures]
