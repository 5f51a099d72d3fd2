"""The commands of `stationmaster`."""
