"""Reads and writes the JSON logs of 18xx.games; the only package that knows their vocabulary."""

from engine.interchange.log_reader import MAX_LOG_BYTES, Log, read_log
from engine.interchange.log_replay import ReplayEnd, TraceLine, recorded_ending, replay, trace_watcher
from engine.interchange.old_exports import FIRST_RULES, EarlierMoves
from engine.interchange.writer import refusal_on_18xx_games, write_log
