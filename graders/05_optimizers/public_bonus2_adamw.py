"""AdamW in public code."""

import torch
from public_optimizers import LACKS, TAKES_OF_ADAM, shared_count, zeros

from torchdojo.grading import Convention, Public


def decay_last(oracle):
    """The oracle that shrinks a parameter after it was moved."""

    class same:
        class AdamW(oracle.AdamW):
            @torch.no_grad()
            def step(self):
                group = self.param_groups[0]
                decay, group["weight_decay"] = group["weight_decay"], 0.0
                moved = [p for p in group["params"] if p.grad is not None]
                super().step()
                group["weight_decay"] = decay
                for p in moved:
                    p.mul_(1 - group["lr"] * decay)

    return same


PUBLIC = Public(
    called=("adamw", "adam w"),
    takes=TAKES_OF_ADAM,
    lacks=LACKS,
    conventions={
        **shared_count("AdamW", decoupled=True, decay=0.01),
        "decay-last": Convention("It shrinks a parameter after it was moved, not before.", decay_last),
        **zeros("AdamW"),
    },
)
