"""Known mistakes and unusual but correct solutions for fit_sin."""

import torch
from torch import nn

from torchdojo.variants import alternative, mistake

EQUIVALENT = {
    "drop_keyword: with torch.random.fork_rng():": "putting back the generators of all devices as well is allowed",
    "change_dim: x = torch.linspace(-torch.pi, torch.pi, 200, device=device).unsqueeze(1)": "x has one axis before",
    "add_detach: x = torch.linspace(-torch.pi, torch.pi, 200, device=device).unsqueeze(-1).detach()": "the data have no history",
    "swap_statements: history.append(loss.item())": "the loss does not change in the step",
}

HINTS = (
    "Four parts: a reproducible model, the data, the optimizer, the loop. Print the shapes of prediction "
    "and target once.",
    "Weights are drawn at the moment when a layer is built, so the seed has to be set before that; "
    "fork_rng gives the old random state back when its block ends. linspace makes (200,), the model wants "
    "(200, 1).",
    "In a fork_rng block: seed, build, move to the device. Then x as a column, y from x, Adam on the "
    "parameters. In each step: clear, predict, mean squared error, backward, step, and one number for the "
    "history. When do you take it?",
)


never_clears_gradients = mistake.edited("opt.zero_grad()", "",
    "Gradients of all steps were added up: clear them before each backward().",
    common=True)

target_without_its_axis = mistake.edited("y = x.sin()", "y = x.sin().squeeze(-1)",
    "(200, 1) minus (200,) made a (200, 200) table, and the network learned the mean of the sine: give x and y the shape "
    "(200, 1).",
    also=[("nn.functional.mse_loss(model(x), y)", "((model(x) - y) ** 2).mean()")], common=True,
    pitfall="(200, 1) minus (200,)")

two_linear_layers = mistake.edited(
    "nn.Linear(1, 16), nn.ReLU(), nn.Linear(16, 1)", "nn.Linear(1, 16), nn.Linear(16, 1)",
    "Two linear layers in a row are one straight line: put ReLU between them.")

seeds_too_late = mistake.edited(
    "with torch.random.fork_rng(devices=[]):",
    """
    model = nn.Sequential(nn.Linear(1, 16), nn.ReLU(), nn.Linear(16, 1)).to(device)
    with torch.random.fork_rng(devices=[]):
    """,
    "The seed had no effect on the weights: set it before you build the layers, which draw them.",
    also=[("model = nn.Sequential(nn.Linear(1, 16), nn.ReLU(), nn.Linear(16, 1)).to(device)", "")])

builds_before_it_seeds = mistake.edited("torch.manual_seed(seed)", "",
    "The seed had no effect on the weights: set the seed first, then build the layers.",
    also=[("nn.Linear(16, 1)).to(device)", "nn.Linear(16, 1)).to(device)\ntorch.manual_seed(seed)")])

always_the_same_seed = mistake.edited("torch.manual_seed(seed)", "torch.manual_seed(42)",
    "Every seed gave the same model: pass the argument to torch.manual_seed.")

history_of_tensors = mistake.edited("history.append(loss.item())", "history.append(torch.tensor(loss.item()))",
    "The history holds tensors: take loss.item() for each entry.")

swaps_the_results = mistake.edited("return model, history", "return history, model",
    "The results are in the wrong order: the model comes first, then the history.")

ten_times_the_learning_rate = mistake.edited("lr=0.01", "lr=0.1",
    "Adam ran with the learning rate 0.1, ten times what is asked for.")

another_activation = mistake.edited("nn.ReLU()", "nn.Tanh()",
    "The activation between the layers is tanh: use ReLU.")

reseeds_everybody = mistake.edited("with torch.random.fork_rng(devices=[]):", "if True:",
    "You reset the caller's random generator to your seed: seed inside torch.random.fork_rng, which restores the old "
    "state.")

history_after_the_updates = mistake.edited(
    "history.append(loss.item())", "history.append(nn.functional.mse_loss(model(x), y).item())",
    "The history starts after the first update: its first entry is the loss of the untrained model.")

default_learning_rate = mistake.edited("model.parameters(), lr=0.01", "model.parameters()",
    "Adam ran with its default learning rate 0.001, ten times less than asked for.")

plain_sgd = mistake.edited("torch.optim.Adam", "torch.optim.SGD",
    "The steps are those of SGD: the task asks for Adam.")

data_stays_behind = mistake.edited("200, device=device", "200",
    "The model moved to the device, but the data did not: create x there.")

everything_stays_behind = mistake.edited("nn.Linear(16, 1)).to(device)", "nn.Linear(16, 1))",
    "The device was ignored: model and data belong there.",
    also=[("200, device=device", "200")])

end_is_missing = mistake.edited("200, device=device)", "201, device=device)[:-1]",
    "Your last x is not pi: both ends belong to the 200 points, as torch.linspace gives them.")

sums_the_squares = mistake.edited("mse_loss(model(x), y)", 'mse_loss(model(x), y, reduction="sum")',
    "The squared errors were added up: take their mean.")

rounds_pi = mistake.edited("-torch.pi, torch.pi", "-3.14, 3.14",
    "The points do not run from -pi to pi: 3.14 is not pi, torch.pi is.")

stops_early = mistake.edited(
    "history.append(loss.item())", "history.append(loss.item())\nif history[-1] < 0.02:\n    break",
    "The loop ended before `steps` updates: the task asks for all of them.")

own_initial_weights = mistake.edited(
    "x = torch.linspace(",
    "for layer in (model[0], model[2]):\n    nn.init.zeros_(layer.bias)\nx = torch.linspace(",
    "The initial weights are not PyTorch's own: build the layers and leave what they drew.")

trains_elsewhere = mistake.edited("nn.Linear(16, 1)).to(device)", "nn.Linear(16, 1))",
    "The model moved to the device only after training: move model and data there first.",
    also=[("200, device=device", "200"), ("return model, history", "return model.to(device), history")])

takes_adamw = mistake.edited("torch.optim.Adam", "torch.optim.AdamW",
    "The steps are those of AdamW, which also pulls the weights toward 0: the task asks for Adam.")

adds_a_little_decay = mistake.edited("lr=0.01", "lr=0.01, weight_decay=1e-5",
    "Adam ran with a setting that is not its default (weight_decay, eps, betas or amsgrad): give it the learning rate and "
    "nothing else.")

remembers_the_largest_square = mistake.edited("lr=0.01", "lr=0.01, amsgrad=True",
    "Adam ran with amsgrad=True: the task asks for its defaults, except for the learning rate.")

keeps_five_digits_of_pi = mistake.edited("-torch.pi, torch.pi", "-3.1416, 3.1416",
    "The points run from -3.1416 to 3.1416, which is pi with five digits: torch.pi has all of them.")

lazy_layers = alternative.edited(
    "model = nn.Sequential(nn.Linear(1, 16), nn.ReLU(), nn.Linear(16, 1)).to(device)",
    """
    model = nn.Sequential(nn.LazyLinear(16), nn.ReLU(), nn.LazyLinear(1))
    model(torch.zeros(1, 1))
    model.to(device)
    """,
    "Layers that draw their weights when they see the first data, on the CPU.")


class Net(nn.Module):
    """The same layers, made in the other order."""

    def __init__(self):
        super().__init__()
        self.out = nn.Linear(16, 1)
        self.hidden = nn.Linear(1, 16)

    def forward(self, x):
        return self.out(torch.relu(self.hidden(x)))


with_a_class = alternative.edited(
    """
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        model = nn.Sequential(nn.Linear(1, 16), nn.ReLU(), nn.Linear(16, 1)).to(device)
    """,
    """
    state = torch.get_rng_state()
    try:
        torch.manual_seed(seed)
        model = Net()
    finally:
        torch.set_rng_state(state)
    model.to(device)
    """,
    "A class whose layers are made in the other order, and a random state put back by hand.")

steps_by_hand = alternative.edited(
    "opt = torch.optim.Adam(model.parameters(), lr=0.01)",
    "params = list(model.parameters())\nopt = torch.optim.Adam(params, lr=1e-2, foreach=False)",
    "Gradients from torch.autograd.grad; Adam without foreach.",
    also=[
        ("for _ in range(steps):", "while len(history) < steps:"),
        ("opt.zero_grad()", ""),
        ("loss.backward()",
         "for p, grad in zip(params, torch.autograd.grad(loss, params), strict=True):\n    p.grad = grad"),
    ])
