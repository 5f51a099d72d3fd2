"""A Discord on the loopback address: for tests, and for one person to play alone in a browser.

From the bottom up: records (`model`), refusals (`refusal`, `message_limits`, `component_limits`), the state and its
changes (`guild`), and access to them (`http`: REST, gateway and page; `server` puts them on one port).
"""
