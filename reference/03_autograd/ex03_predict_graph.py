"""What autograd records in twenty short programs."""

ANSWERS: dict[str, str | None] = {
    "k01": "constant",  # nothing that takes part requires grad
    "k02": "result",  # an addition, even of 0
    "k03": "result",  # clone is recorded
    "k04": "constant",  # detach gives the values without the history
    "k05": "result",  # a cast to another dtype is an operation
    "k06": "leaf",  # x is float32 already: the same tensor comes back
    "k07": "leaf",  # without history, then asked to require grad
    "k08": "constant",  # bool cannot require grad
    "k09": "error",  # and neither can int64
    "k10": "constant",  # recording is off
    "k11": "leaf",  # the wish is kept; only operations go unrecorded
    "k12": "result",  # the leaf was the tensor before the multiplication
    "g01": "filled",  # w is a leaf of the sum
    "g02": "empty",  # y is not a leaf
    "g03": "filled",  # unless it was told to retain its gradient
    "g04": "empty",  # x was cut off
    "g05": "error",  # two outputs, and no vector to weight them
    "g06": "error",  # a constant has nothing to run backward through
    "g07": "error",  # the square's saved tensors are freed
    "g08": "filled",  # the sum saved nothing, so nothing is missing
}
