"""How the files of exercises are called.

Every package that tells an exercise's file from another one by its name asks here. Nothing is imported: the pytest plugin
reads this in every project.
"""

PLACES = ("intro", "ex", "bonus")  # in the order in which a chapter shows them
PLACE = r"(?:intro\d|ex\d\d|bonus\d)"  # what stands before the name: intro1, ex05, bonus2
STEM = PLACE + r"_[a-z0-9_]+"
