"""Who is pinged when: pending pings, reminders, digests, ended orders."""
