"""Values to bytes and back, between the two sides of the boundary. Imports nothing else of ours; start with `strict`, which reads
what a learner's process sent.
"""
