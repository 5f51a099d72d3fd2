"""A small Discord on the loopback address: for tests, and for one person who plays all seats in a browser.

From the bottom up: records (`model`), refusals (`refusal`, `message_limits`, `component_limits`), the state and its
changes (`guild`), and access to it (`http`: REST, gateway and page; `server` serves all of them on one port).
"""
