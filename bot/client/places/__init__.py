"""Discord channels, forums, threads and messages in which games are shown, and replacements for deleted ones."""
