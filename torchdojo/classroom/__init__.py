"""Grade a class: read the submissions, grade them on all cores, store every result in one file. May import `explain` and below;
start with `run`.
"""
