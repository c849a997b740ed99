"""The locks around a worker, and what tries them from inside. Runs in the worker's process before a learner's code does. May import
`worker` and below; start with `lockdown`.
"""
