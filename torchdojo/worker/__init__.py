"""What runs in, or just before, the process that executes a learner's code."""
