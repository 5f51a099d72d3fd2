"""Tests of seats, proposals, orders and clocks."""
