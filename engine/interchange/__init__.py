"""Import and export of 18xx.games logs. A log is the JSON file of one game; only this package knows its format."""

from engine.interchange.log_reader import MAX_LOG_BYTES, Log, read_log
from engine.interchange.log_replay import (
    RecordedPosition,
    ReplayResult,
    recorded_ending,
    replay,
    trace_watcher,
)
from engine.interchange.old_exports import FIRST_RULES_VERSION, OldRulesReplay
from engine.interchange.writer import refusal_on_18xx_games, write_log
