"""Grade a class: read what was handed in, grade it on all cores, keep every result in one file. May import `explain` and below;
start with `run`.
"""
