"""The stock market as a scene, with prices, spaces and the operating order."""
