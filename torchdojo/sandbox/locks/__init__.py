"""The locks around a worker, and their test from inside. Runs in the worker's process before learner code does. May import
`worker` and below; start with `lockdown`.
"""
