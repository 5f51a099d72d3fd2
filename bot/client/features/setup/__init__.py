"""`/setup`, which shows and changes a server's settings: the command, and the pages of menus below its reply."""
