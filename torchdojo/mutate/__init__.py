"""Right programs with one slip in them: operators on syntax trees, for `explain` and `verify`. May import `course` and below;
start with `slip`, then `mutants` and `habits`.
"""
