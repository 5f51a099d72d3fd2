"""Shares: holdings, purchases, sales, floating, and limits in stock rounds."""
