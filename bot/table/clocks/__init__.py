"""Players' clocks: time banks, absences, substitutes, and expired time.

All times are computed from stored timestamps, so it does not matter how often anybody looks. Left out are
quiet hours (written into a turn as it begins, so changing them gives nothing back), ended pauses, absences
and outages, and what still lasts. While a table seals, no turn runs. An undo deletes the turns after its
row and resumes those that ran then.
"""
