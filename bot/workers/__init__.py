"""Worker processes for heavy computations such as pictures and route searches, so that the bot stays responsive."""
