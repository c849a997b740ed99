"""A second look at a right answer, where the learner's file gives reason for one: is it right again, in another process, and were
the instruments left alone? May import what `judge` may. Start with `suspicion`, then `rerun`.
"""
