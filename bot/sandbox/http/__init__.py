"""Discord's REST routes and gateway, and the page in the browser, on the loopback address."""
