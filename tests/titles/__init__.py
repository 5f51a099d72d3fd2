"""A test for each rule of each title."""
