"""Exercise: 07_training/ex07_optimizer_race.
Each copy gets its optimizer and then moves to the device of x.
"""

import copy

import torch

VERDICT = {
    "SGD with lr 0.01, Adam with lr 0.01": "three times fewer",
    "SGD with lr 0.1, Adam with lr 0.01": "fewer",
    "SGD with lr 0.1, Adam with lr 0.001": "more",
}


def steps_to(history, threshold):
    for k, loss in enumerate(history):
        if loss < threshold:
            return k
    return None


def race(make_model, optimizers, threshold, data, max_steps):
    x, y = data
    start = make_model()
    result = {}
    for name, make_optimizer in optimizers.items():
        model = copy.deepcopy(start)
        opt = make_optimizer(model.parameters())
        model.to(x.device)
        history = []
        for k in range(max_steps + 1):
            loss = ((model(x) - y) ** 2).mean()
            history.append(loss.item())
            if k == max_steps:
                break
            opt.zero_grad()
            loss.backward()
            opt.step()
        result[name] = steps_to(history, threshold)
    return result
