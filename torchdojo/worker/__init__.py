"""What runs in the process that executes learner code, or just before it starts. Imports `wire` and `sim`, and nothing else of
ours (`torchdojo.variants` where `verify` asks for a variant); start with `serve`, then `run`.
"""
