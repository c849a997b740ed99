"""Decide whether an answer is right: run the checks, call the oracle, compare. May import `sandbox`, `submission`, `mutate` and
below; start with `session`.
"""
