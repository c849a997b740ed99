"""Debugging 8 of 10: a training loop that keeps every graph.

Difficulty 4 of 5, about 12 minutes.

Symptom. This loop trains well, and after some hours the machine is out of memory. This program counts how
many of the predictions made so far are still in memory:

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
        model    any module with at least one parameter; used in the mode it is in, which stays as it is
        batches  any iterable of pairs (inputs, targets), perhaps a generator: go through it once, in order,
                 and take a batch only when the steps of all earlier batches are done
        loss_fn  loss_fn(model(inputs), targets) is a 0-dim tensor; called once for each batch
        opt      SGD, perhaps with momentum, or Adam, over the model's parameters, each of which takes part in
                 every loss; opt.step() needs no closure
        result   a list of Python floats, one for each batch: entry k is the mean of the losses of batches 0
                 to k, each taken before its own step, summed as Python floats

    Each batch is one ordinary training step: one backward with the gradient of its own loss alone (what lay
    in .grad counts for nothing), one opt.step().

    What may stay in memory, whatever the number of batches:
        What the forward pass saved for backward is released by backward itself: it is gone when opt.step() is
        called.
        A second backward on a loss that is done raises PyTorch's RuntimeError.
        The graph of batch k (all its nodes, even those that saved nothing) and its loss are gone when batch
        k + 2 is asked for. They go because nothing refers to them, with the garbage collector switched off
        too.
        After the function returns nothing refers to any graph or loss.

    Edge cases:
        No batches: return [] and change no weight.
        The inputs, the targets and the settings of opt are not changed.
        Everything stays on the device and in the dtype that the caller chose.

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
