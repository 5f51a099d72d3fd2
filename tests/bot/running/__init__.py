"""Tests of processes: start, standby, recovery, health."""
