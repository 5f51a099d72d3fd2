"""How fast games replay, lays are listed and best routes are proven. Not part of the test run."""
