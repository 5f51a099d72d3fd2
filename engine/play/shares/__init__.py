"""Certificates: holding, trading, floating, and what a stock turn still allows."""
