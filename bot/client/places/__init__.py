"""Where games are shown: channels, forums, threads and their messages, and what to do when they are deleted."""
