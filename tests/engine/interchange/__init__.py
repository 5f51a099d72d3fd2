"""Tests of logs of 18xx.games, read and written."""
