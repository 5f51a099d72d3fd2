"""Steps of mergers and of companies just formed."""
