"""Evaluation loops in public code."""

from torchdojo.grading import Public

PUBLIC = Public(
    called=("evaluate", "validate", "evaluation", "test loop", "eval loop"),
    takes={
        **dict.fromkeys(("net", "network"), "model"),
        **dict.fromkeys(("dataloader", "data_loader", "val_loader", "test_loader", "valid_loader", "dl", "val_dl", "test_dataloader"), "loader"),
        **dict.fromkeys(("criterion", "loss_function", "loss_func"), "loss_fn"),
        "device": "next(model.parameters()).device",
    },
    not_asked={
        "takes_a_column_of_labels": "it promises nothing for labels with two axes",
        "gives_every_module_its_own_mode_back": "it leaves the modes to its caller",
    },
    lacks={"brings_each_batch_to_the_model": "its caller brings the batches to the device"},
)
