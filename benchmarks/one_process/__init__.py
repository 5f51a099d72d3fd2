"""Many tables, the server, the people and the bot in one process: for what looks into the bot while it is measured."""
