"""One step of a training loop in public code."""

from torchdojo.grading import Convention, Public

PUBLIC = Public(
    called=("train step", "training step"),
    takes={
        **dict.fromkeys(("net", "network", "m"), "model"),
        **dict.fromkeys(("x", "X", "inputs", "xb", "data", "features", "images", "x_batch"), "batch[0]"),
        **dict.fromkeys(("y", "targets", "target", "yb", "labels", "y_batch"), "batch[1]"),
        **dict.fromkeys(("criterion", "loss_function", "loss_func", "objective", "loss"), "loss_fn"),
        **dict.fromkeys(("optimizer", "optim", "optimiser"), "opt"),
        "device": "next(model.parameters()).device",
    },
    lacks={
        "brings_the_batch_to_the_model": "its caller brings the batch to the device",
        "computes_the_loss_where_the_model_is": "its caller brings the batch to the device",
    },
    conventions={"tensor-loss": Convention("It returns the loss as a tensor.", adapter="train_step = float_of(train_step)")},
)
