"""Training 8 of 15: a training step in 16 bits, with 32-bit weights.

Difficulty 3 of 5, about 20 minutes.
"""

from collections.abc import Callable

import torch
from torch import nn


def survives_fp16(x: torch.Tensor, scale: float) -> torch.Tensor:
    """Say for each number whether float16 can still hold it after it is multiplied by scale.

    Shapes:
        x       any shape, float32 or float64, may require grad; scale is a positive power of two
        result  shape and device of x, bool

    A number survives if x * scale, multiplied in the dtype of x and then stored in float16, is finite and is
    not zero. An x of 0 survives as well: nothing is lost.

    Example:
        >>> survives_fp16(torch.tensor([1e-8, 1.0, 70000.0]), scale=1.0)
        tensor([False,  True, False])
        >>> survives_fp16(torch.tensor([1e-8, 1.0, 70000.0]), scale=1024.0)
        tensor([ True,  True, False])

    Pitfall:
        Scaling must come first: a number that float16 has already rounded to 0 cannot be rescued.

    For full marks:
        * float16 decides: it rounds numbers below 65520 down to its largest, 65504, and holds numbers below
          its smallest normal one with fewer digits. All of these survive.
    """
    raise NotImplementedError("07_training/ex08_amp_step: write survives_fp16()")


def amp_step(
    model: nn.Module,
    batch: tuple[torch.Tensor, torch.Tensor],
    loss_fn: Callable[[torch.Tensor, torch.Tensor], torch.Tensor],
    opt: torch.optim.Optimizer,
    scaler: torch.amp.GradScaler,
    device_type: str,
    dtype: torch.dtype,
) -> float:
    """Train the model on one batch in mixed precision and return the loss of the batch.

    The forward pass and loss_fn run under torch.autocast, once, with the model in training mode, where it
    stays. The gradient is that of the scaled loss, and old gradients have no effect. The scaler takes the step,
    and then adapts its scale once. The parameters keep their dtype, and autocast is left as it was.

    Arguments:
        batch        (x, y), a tuple or a list
        loss_fn      loss_fn(model(x), y) gives a tensor with one element
        scaler       scales the loss, divides the gradients by the scale again, and skips the step if one
                     of them is inf or nan
        device_type  for autocast: "cpu", "cuda" or another kind, the one that the model is on
        dtype        for autocast: torch.bfloat16 or torch.float16
        result       a Python float: the loss before the update, not multiplied by the scale

    Example:
        >>> model = torch.nn.Linear(1, 1)
        >>> _ = model.load_state_dict({"weight": torch.tensor([[2.0]]), "bias": torch.tensor([1.0])})
        >>> opt = torch.optim.SGD(model.parameters(), lr=0.5)
        >>> scaler = torch.amp.GradScaler("cpu", init_scale=8.0, growth_interval=1)
        >>> batch = (torch.tensor([[3.0]]), torch.tensor([[10.0]]))
        >>> amp_step(model, batch, torch.nn.functional.mse_loss, opt, scaler, "cpu", torch.bfloat16)
        9.0
        >>> model.weight.item(), scaler.get_scale()
        (11.0, 16.0)

    Pitfall:
        opt.step() would use gradients that are still multiplied by the scale, and would also step on inf.

    For full marks:
        * The batch may be on a different device from the model. x and y move to the device of the model's
          parameters, and keep their dtypes.
        * The scaler may be disabled (enabled=False).
    """
    raise NotImplementedError("07_training/ex08_amp_step: write amp_step()")
