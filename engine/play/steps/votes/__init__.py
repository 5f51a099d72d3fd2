"""Steps in which players agree: trades that need consent, ending the game early."""
