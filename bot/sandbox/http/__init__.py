"""Discord's REST routes and gateway, on the loopback address."""
