"""Players' clocks: time banks, absences, substitutes, and expired time.

All times are computed from stored timestamps, so it does not matter when they are read. Not counted are quiet hours,
pauses, absences and outages. Quiet hours are stored with a turn when it begins, so later changes do not affect it.
During a sealed auction no clock runs. An undo deletes the turns that began after its target and resumes those that ran
there.
"""
