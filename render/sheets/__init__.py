"""Sheets as scenes: companies, players, scores, charts, phases, tiles, auctions."""
