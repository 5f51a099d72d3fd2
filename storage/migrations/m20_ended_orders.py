"""Which ended orders their owner knows of."""

from storage.migrations.migration import on_both

_STATEMENTS = (
    # Whether the owner of an order knows why it ended: 0 no, 1 yes, 2 in a direct message that is on its way.
    "ALTER TABLE orders ADD COLUMN told {whole} NOT NULL DEFAULT 0",
    "UPDATE orders SET told = 1",
    "CREATE INDEX orders_untold ON orders (user_id) WHERE state = 'stopped' AND told = 0",
)

MIGRATIONS = (on_both(20, *_STATEMENTS),)
