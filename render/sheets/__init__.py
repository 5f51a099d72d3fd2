"""Sheets as scenes: the stock market, companies, players, scores, charts, phases, tiles, auctions."""
