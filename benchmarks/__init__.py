"""Speed of replay, of lists of lays and of best routes. Not part of the test run."""
