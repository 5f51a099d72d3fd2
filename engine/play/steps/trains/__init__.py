"""Steps that buy, discard and retire trains, forced purchases included."""
