"""Bytes to values and back, between the two sides of the wall. Imports nothing else of ours; start with `strict`, which reads what
a learner's process sent.
"""
