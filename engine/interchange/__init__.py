"""Reads and writes the JSON logs of 18xx.games; the only package that knows their vocabulary."""

from engine.interchange.log_reader import Log, read_log
from engine.interchange.log_replay import Outcome, replay

__all__ = ["Log", "Outcome", "read_log", "replay"]
