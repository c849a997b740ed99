"""Training 8 of 10: a training step in 16 bits, with 32-bit weights.

Difficulty 4 of 5, about 20 minutes.
"""

from collections.abc import Callable

import torch
from torch import nn


def survives_fp16(x: torch.Tensor, scale: float) -> torch.Tensor:
    """Say for each number whether float16 can still hold it after it is multiplied by scale.

    Shapes:
        x       any shape, float32 or float64; scale is a positive power of two
        result  shape and device of x, bool

    A number survives if x * scale, multiplied in the dtype of x and then stored in float16, is finite and is
    not zero. An x of 0 survives as well: nothing is lost. Rounding does not count as a loss. inf and nan in x
    do not survive.

    Edge cases:
        * Both ends can fail: what is too small becomes 0, what is too large becomes inf.
        * float16 also holds numbers below its smallest normal number (torch.finfo(torch.float16).tiny), with
          fewer digits: they survive.
        * Empty, 0-dim, non-contiguous and expanded x. x may require grad. x is not changed.

    Example:
        >>> survives_fp16(torch.tensor([1e-8, 1.0, 70000.0]), scale=1.0)
        tensor([False,  True, False])
        >>> survives_fp16(torch.tensor([1e-8, 1.0, 70000.0]), scale=1024.0)
        tensor([ True,  True, False])

    Pitfall:
        Scaling must come first: a number that float16 has already rounded to 0 cannot be rescued.
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

    Arguments:
        batch        a tuple or a list of two tensors, x and y
        loss_fn      loss_fn(prediction, target) gives a tensor with one element
        scaler       scales the loss, unscales the gradients, and decides whether the step is taken; it may be
                     one that was made with enabled=False and then does nothing
        device_type  for autocast: "cpu", "cuda" or another kind, the one that the model is on
        dtype        for autocast: torch.bfloat16 or torch.float16
        result       a Python float: the loss before the update, not multiplied by the scale

    What one call does:
        * The forward pass and loss_fn run under torch.autocast for this device type and dtype, once.
        * Parameters and optimizer state keep their own dtype; the model is not converted.
        * The gradient is that of the scaled loss. Whatever was in .grad before has no influence. The step is
          taken through the scaler, which divides by the scale and leaves the weights alone if a gradient is
          inf or nan. Then the scaler adapts its scale, exactly once. What .grad holds after the call does not
          matter.
        * The model is in training mode for its forward pass, even if it came in evaluation mode, and stays so.

    Edge cases:
        * The batch may lie on another device than the model: both tensors move to the device of the model's
          parameters and keep their dtype. The model has at least one parameter, all on one device.
        * The loss may be inf or nan: it is returned as it is, no error is raised.
        * After the call autocast is as it was before. The tensors of the batch are not changed.

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
    """
    raise NotImplementedError("07_training/ex08_amp_step: write amp_step()")
