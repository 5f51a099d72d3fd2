"""The transactional outbox: messages to post, a queue for each game, and the circuit breaker."""
