"""1882: a province, its rebellion and its fish."""
