"""Debugging 8 of 10: a training loop that keeps every graph.

Difficulty 3 of 5, about 12 minutes.

Symptom. This loop trains well, but after some hours the machine is out of memory.
`torchdojo symptom ex08_growing_memory` runs a program that counts how many of the predictions made so far are
still in memory:

    import weakref
    made = []

    def counting_loss(prediction, target):
        made.append(weakref.ref(prediction))
        print("in memory:", sum(reference() is not None for reference in made))
        return torch.nn.functional.mse_loss(prediction, target)

    torch.manual_seed(0)
    model = torch.nn.Linear(2, 1)
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    history = train_with_running_mean(model, [(torch.ones(4, 2), torch.ones(4, 1))] * 5, counting_loss, opt)
    print(type(history[0]), "with a graph" if history[0].requires_grad else "without a graph")

It prints

    in memory: 1
    in memory: 2
    in memory: 3
    in memory: 4
    in memory: 5
    <class 'torch.Tensor'> with a graph

Repair the code below; change as little as you can.
"""

import torch
from torch import nn

REPAIRED = False  # set to True when you have repaired the code below


def train_with_running_mean(model: nn.Module, batches, loss_fn, opt: torch.optim.Optimizer) -> list[float]:
    """Train the model by one step for each batch and return the running mean of the losses.

    Arguments:
        model    an nn.Module
        batches  an iterable of pairs (inputs, targets), perhaps a generator: go through it once, in order
        loss_fn  loss_fn(model(inputs), targets) is a 0-dim tensor; called once for each batch
        opt      SGD or Adam over the model's parameters; opt.step() needs no closure
        result   a list of Python floats, one for each batch: entry k is the mean of the losses of batches 0
                 to k, each taken before its own step

    Each batch is one ordinary training step, with the gradient of its own loss alone.

    A graph is in memory only as long as its step needs it:
        backward() itself frees what the forward pass saved: a second backward() on the same loss raises.
        When a batch is requested, only the loss and graph of the previous batch may still be in memory.
        When the function returns, nothing refers to any loss or graph.

    Example:
        >>> model = torch.nn.Linear(1, 1, bias=False)
        >>> torch.nn.init.zeros_(model.weight).shape
        torch.Size([1, 1])
        >>> opt = torch.optim.SGD(model.parameters(), lr=0.25)
        >>> batch = (torch.ones(1, 1), torch.ones(1, 1))
        >>> train_with_running_mean(model, [batch, batch], torch.nn.functional.mse_loss, opt)
        [1.0, 0.625]

    Pitfall:
        `del loss` removes one name. The sum that the loss was added to refers to the graph as well.

    For full marks:
        * Losses are summed as Python floats, so a small loss counts beside large ones.
        * A batch is requested only when the steps of all earlier batches are done.
        * A batch whose loss is nan gets its step too. The model stays in its mode, and the settings of opt stay the
          same.
    """
    history = []
    total = 0.0
    for step, (inputs, targets) in enumerate(batches, start=1):
        opt.zero_grad()
        loss = loss_fn(model(inputs), targets)
        loss.backward(retain_graph=True)
        opt.step()
        total += loss
        history.append(total / step)
    return history
