"""Recheck a right answer if the learner's file gives a reason: is it right again in another process, and was the observing
code left alone? May import what `judge` may. Start with `suspicion`, then `rerun`.
"""
