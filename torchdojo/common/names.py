"""File names of exercises.

Every package that recognizes an exercise's files by name uses this module. It imports nothing, because the pytest plugin
loads it in every project.
"""

PLACES = ("intro", "ex", "bonus")  # in the order in which a chapter shows them
PLACE = r"(?:intro\d|ex\d\d|bonus\d)"  # the part before the name: intro1, ex05, bonus2
STEM = PLACE + r"_[a-z0-9_]+"


def is_bonus(exercise: str) -> bool:
    """Is an exercise extra credit, by its id ('05_optimizers/bonus1_sam') or file name? Its points aren't part of the maximum."""
    return exercise.rpartition("/")[2].startswith("bonus")
