"""The checks that every interaction passes: rights, rate limits, acknowledging, private replies."""
