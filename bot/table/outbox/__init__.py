"""The outbox: notices stored with a move, the sender with a queue for each game, and the circuit breaker."""
