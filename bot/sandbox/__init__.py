"""A small imitation of Discord on this machine: for tests, and for one person who plays all seats in a browser.

Its layers, from the lowest: records (`model`), error responses (`refusal`, `message_limits`, `component_limits`), the
state and its changes (`guild`), and access to them (`http`: REST, gateway and the browser page). `server` serves
everything on one port.
"""
