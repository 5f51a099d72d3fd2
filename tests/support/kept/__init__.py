"""Work of one test that others need, kept in the process that runs them. Imports bot, engine and storage."""
