"""Private companies: their auction, purchases by companies, and the powers that keep a turn open."""
