"""Steps that run trains and pay or withhold."""
