"""`/setup`: the command, and the pages of menus below its reply."""
