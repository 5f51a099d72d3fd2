"""Players' clocks: time banks, absences, substitutes, and what happens when time is up.

All times are computed from stored timestamps. Quiet hours, pauses, absences and outages do not count. A turn stores the
player's quiet hours when it begins; later changes of the setting do not affect that turn. No clock runs during a sealed
auction. An undo deletes the turns that began after the move to which it returns, and resumes the turns that ran then.
"""
