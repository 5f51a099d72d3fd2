"""Many tables at once, through the loopback server: answers, posts, stalls, cold starts."""
