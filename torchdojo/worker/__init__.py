"""What runs in, or just before, the process that executes a learner's code. Imports `wire` and `sim`, and nothing else of ours
(`torchdojo.variants` where `verify` asks for a variant); start with `serve`, then `run`.
"""
