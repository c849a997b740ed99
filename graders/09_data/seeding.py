"""Known random numbers for a check in which the learner's code draws from global generators."""

import contextlib
import random

import numpy
import torch


@contextlib.contextmanager
def seeded(rng):
    """Within a `with` block, the global generators of PyTorch, Python and NumPy have a seed; afterwards that of PyTorch is as before."""
    state, seed = torch.get_rng_state(), int(torch.randint(2**31, (), generator=rng))
    torch.manual_seed(seed), random.seed(seed), numpy.random.seed(seed)
    try:
        yield
    finally:
        torch.set_rng_state(state)
