"""(a) I left retain_graph=True in, so backward doesn't free what the forward pass saved, and a second backward() on a kept loss works instead of raising. (b) I sum detached tensors instead of Python floats: the sum has the dtype of the loss, so small losses beside large ones get lost in float32 (and overflow in float16)."""
import torch
from torch import nn

REPAIRED = True  # set to True when you have repaired the code below


def train_with_running_mean(model: nn.Module, batches, loss_fn, opt: torch.optim.Optimizer) -> list[float]:
    history = []
    total = 0.0
    for step, (inputs, targets) in enumerate(batches, start=1):
        opt.zero_grad()
        loss = loss_fn(model(inputs), targets)
        loss.backward(retain_graph=True)
        opt.step()
        total += loss.detach()
        history.append((total / step).item())
    return history
