def best(board, company, trains, terms): raise AssertionError
