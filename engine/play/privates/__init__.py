"""Privates: their auction, their income, and the powers they bring."""
