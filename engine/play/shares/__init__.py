"""Shares: holdings, purchases, sales, floating, and the limits on a stock turn."""
