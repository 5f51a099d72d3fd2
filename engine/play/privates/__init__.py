"""Privates: their auction, income and powers."""
