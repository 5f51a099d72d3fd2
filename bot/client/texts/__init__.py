"""What messages say, in Discord's markdown: pure functions of live games and views. Imports no other room."""
