"""What authors of hidden graders import: `check`, inputs, and probes that inspect a learner's objects.

May import `worker` and below; start with `checks`, then `cases`.
"""

from torchdojo.common.errors import AuthorError
from torchdojo.grading.adopted_tests import adopted
from torchdojo.grading.cases import Case, built, size, tensor
from torchdojo.grading.checks import Check, Forbidden, check
from torchdojo.grading.loops import loop_in
from torchdojo.grading.public import Convention, Public
from torchdojo.grading.small import small_steps
from torchdojo.worker.calls import Watched, called, depends_on, python_steps, watched
from torchdojo.worker.loader import LoaderWorker
from torchdojo.worker.operations import Operations, operations
from torchdojo.worker.probes import (
    autograd_calls,
    autograd_inside,
    collected,
    cuda_alias,
    gradients,
    gradients_after_edit,
    is_own_function,
    kept_elsewhere,
    mode_of,
    raises,
    raw_gradients,
    repeated_backward,
    saved_tensors,
    second_gradients,
    shares_memory,
    upstream,
)
from torchdojo.worker.run import NotYet, replaced
from torchdojo.worker.state import default_dtype

__all__ = [
    "AuthorError",
    "Case",
    "Check",
    "Convention",
    "Forbidden",
    "LoaderWorker",
    "NotYet",
    "Operations",
    "Public",
    "Watched",
    "adopted",
    "autograd_calls",
    "autograd_inside",
    "built",
    "called",
    "check",
    "collected",
    "cuda_alias",
    "default_dtype",
    "depends_on",
    "gradients",
    "gradients_after_edit",
    "is_own_function",
    "kept_elsewhere",
    "loop_in",
    "mode_of",
    "operations",
    "python_steps",
    "raises",
    "raw_gradients",
    "repeated_backward",
    "replaced",
    "saved_tensors",
    "second_gradients",
    "shares_memory",
    "size",
    "small_steps",
    "tensor",
    "upstream",
    "watched",
]
