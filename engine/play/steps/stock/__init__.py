"""Steps of a stock turn."""
