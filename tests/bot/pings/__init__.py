"""Tests of pings, reminders and direct messages."""
