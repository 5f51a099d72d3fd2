"""Discord's REST routes and gateway, and the sandbox's browser page, on the loopback address."""
