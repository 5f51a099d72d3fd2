"""`make mutants`: one small fault after the other is put into the program, to find those that no test notices."""
