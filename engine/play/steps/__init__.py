"""Steps: one file per decision. A step states what is offered and does what was chosen."""
