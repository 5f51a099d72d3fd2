"""Tests of standing orders and sealed auctions."""
