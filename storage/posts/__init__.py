"""What must still be posted: the outbox, direct messages, pings."""
