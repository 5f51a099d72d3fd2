"""Fact sheets and recorded games, beside the checkout where they are at hand."""

from pathlib import Path

SHARED = Path(__file__).resolve().parents[3] / ".." / "shared"
