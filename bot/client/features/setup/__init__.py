"""`/setup`: the command, and the pages with menus below its answer."""
