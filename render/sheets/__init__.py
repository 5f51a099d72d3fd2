"""Pictures other than maps: stock market, charters, players, scores, charts, phases, tiles, auctions."""
