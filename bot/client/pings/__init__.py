"""Who is pinged or reminded, direct messages, and whatever falls due with time. Imports posts and places."""
