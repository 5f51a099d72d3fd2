"""Tests of the commands of `stationmaster`."""
