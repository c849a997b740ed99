"""Adam in public code."""

from public_optimizers import LACKS, TAKES_OF_ADAM, shared_count, zeros

from torchdojo.grading import Public

PUBLIC = Public(
    called=("adam",),
    takes=TAKES_OF_ADAM,
    lacks=LACKS,
    conventions={**shared_count("Adam", decoupled=False, decay=0.0), **zeros("Adam")},
)
