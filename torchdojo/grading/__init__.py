"""What the author of a hidden grader imports: `check`, inputs, and probes for looking at a learner's objects."""

from torchdojo.grading.cases import Case, built, size, tensor
from torchdojo.grading.checks import AuthorError, Check, check
from torchdojo.worker.probes import (
    Operations,
    autograd_calls,
    collected,
    gradients,
    is_own_function,
    operations,
    raises,
    raw_gradients,
    saved_tensors,
    shares_memory,
    upstream,
)
from torchdojo.worker.run import NotYet

__all__ = [
    "AuthorError",
    "Case",
    "Check",
    "NotYet",
    "Operations",
    "autograd_calls",
    "built",
    "check",
    "collected",
    "gradients",
    "is_own_function",
    "operations",
    "raises",
    "raw_gradients",
    "saved_tensors",
    "shares_memory",
    "size",
    "tensor",
    "upstream",
]
