"""A Discord on the loopback address: the test bed, and the table one person can play alone in a browser.

From below: what there is (`model`, `guilds`, `world`, kept by `journal`), what is refused (`limits`, `command_limits`,
`component_limits`, `permissions`, `mentions`, `rates`), what can be done (`posting`, `threads`,
`forums`, `posts`, `servers`, `registry`, `interactions`, and by `people`), how it is sent (`wire`, `guild_wire`,
`events`, `gateway`, the routes `rest_*` with `rights`), and the page (`page_*`).
"""
