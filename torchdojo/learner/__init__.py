"""The learner's side: visible tests in plain pytest, in the learner's own process, and `torchdojo watch`. May import `explain` and
below; start with `collect`, then `watch_model`.
"""
