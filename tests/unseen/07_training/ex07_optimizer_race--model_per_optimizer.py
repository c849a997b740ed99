"""Each optimizer gets a fresh model from make_model, so the starts differ; steps_to also accepts equality."""
import torch

VERDICT = {
    "SGD with lr 0.01, Adam with lr 0.01": "three times fewer",
    "SGD with lr 0.1, Adam with lr 0.01": "fewer",
    "SGD with lr 0.1, Adam with lr 0.001": "more",
}


def steps_to(history, threshold):
    for k, loss in enumerate(history):
        if loss <= threshold:
            return k
    return None


def race(make_model, optimizers, threshold, data, max_steps):
    x, y = data
    result = {}
    for name, make in optimizers.items():
        model = make_model().to(x.device)
        opt = make(model.parameters())
        history = []
        for step in range(max_steps + 1):
            loss = ((model(x) - y) ** 2).mean()
            history.append(loss.item())
            opt.zero_grad()
            loss.backward()
            opt.step()
        result[name] = steps_to(history, threshold)
    return result
