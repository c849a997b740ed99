"""Training loops in public code."""

from torchdojo.grading import Public

PUBLIC = Public(
    called=("train", "training loop", "train loop", "fit"),
    takes={
        **dict.fromkeys(("net", "network"), "model"),
        **dict.fromkeys(("dataloader", "data_loader", "train_loader", "train_dataloader", "dl", "train_dl", "train_iter"), "loader"),
        **dict.fromkeys(("criterion", "loss_function", "loss_func"), "loss_fn"),
        **dict.fromkeys(("optimizer", "optim", "optimiser"), "opt"),
        **dict.fromkeys(("num_epochs", "n_epochs"), "epochs"),
        "device": "next(model.parameters()).device",
    },
    not_asked={"knows_when_there_is_nothing_to_do": "it doesn't refuse an empty epoch with a ValueError"},
    lacks={
        "brings_each_batch_to_the_model": "its caller brings the batches to the device",
        "goes_through_the_loader_afresh": "it asks its loader for a length",
    },
)
