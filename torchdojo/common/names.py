"""File names of exercises.

Every package that recognizes an exercise's files by name uses this module. It imports nothing, because the pytest plugin
loads it in every project.
"""

PLACES = ("intro", "ex", "bonus")  # in the order in which a chapter shows them
PLACE = r"(?:intro\d|ex\d\d|bonus\d)"  # what stands before the name: intro1, ex05, bonus2
STEM = PLACE + r"_[a-z0-9_]+"
