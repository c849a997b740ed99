"""Known mistakes and odd-but-correct solutions for fit_sin."""

import functools

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


def network(seed):
    """The untrained model."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        return nn.Sequential(nn.Linear(1, 16), nn.ReLU(), nn.Linear(16, 1))


def sine(device):
    """The data."""
    x = torch.linspace(-torch.pi, torch.pi, 200, device=device).unsqueeze(-1)
    return x, x.sin()


def fit(model, x, y, steps, make_opt=None, clear=True):
    """The loop."""
    opt = make_opt(model.parameters()) if make_opt else torch.optim.Adam(model.parameters(), lr=0.01)
    history = []
    for _ in range(steps):
        if clear:
            opt.zero_grad()
        loss = ((model(x) - y) ** 2).mean()
        loss.backward()
        opt.step()
        history.append(loss.item())
    return model, history


@mistake("fit_sin", common=True)
def never_clears_gradients(seed, device, steps=1000):
    """Gradients of all steps were added up: clear them before each backward()."""
    return fit(network(seed).to(device), *sine(device), steps, clear=False)


@mistake("fit_sin", common=True)
def target_without_its_axis(seed, device, steps=1000):
    """(200, 1) minus (200,) made a (200, 200) table, and the network learned the mean of the sine: give x
    and y the shape (200, 1)."""
    x, y = sine(device)
    return fit(network(seed).to(device), x, y.squeeze(-1), steps)


@mistake("fit_sin")
def two_linear_layers(seed, device, steps=1000):
    """Two linear layers in a row are one straight line: put ReLU between them."""
    model = network(seed)
    return fit(nn.Sequential(model[0], model[2]).to(device), *sine(device), steps)


@mistake("fit_sin")
def seeds_too_late(seed, device, steps=1000):
    """The seed was set after the layers were built, so the weights were drawn without it: seed first."""
    model = nn.Sequential(nn.Linear(1, 16), nn.ReLU(), nn.Linear(16, 1)).to(device)
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        return fit(model, *sine(device), steps)


@mistake("fit_sin")
def builds_before_it_seeds(seed, device, steps=1000):
    """The layers were built before the seed was set, so the seed did not decide about the weights: first the seed, then the layers."""
    with torch.random.fork_rng(devices=[]):
        model = nn.Sequential(nn.Linear(1, 16), nn.ReLU(), nn.Linear(16, 1)).to(device)
        torch.manual_seed(seed)
    return fit(model, *sine(device), steps)


@mistake("fit_sin")
def always_the_same_seed(seed, device, steps=1000):
    """Every seed gave the same model: pass the argument to torch.manual_seed."""
    return fit(network(42).to(device), *sine(device), steps)


@mistake("fit_sin")
def history_of_tensors(seed, device, steps=1000):
    """The history holds tensors: take loss.item() for each entry."""
    model, history = fit(network(seed).to(device), *sine(device), steps)
    return model, [torch.tensor(loss) for loss in history]


@mistake("fit_sin")
def reseeds_everybody(seed, device, steps=1000):
    """You reset the caller's random generator to your seed: seed inside torch.random.fork_rng, which restores the
    old state."""
    torch.manual_seed(seed)
    model = nn.Sequential(nn.Linear(1, 16), nn.ReLU(), nn.Linear(16, 1)).to(device)
    return fit(model, *sine(device), steps)


@mistake("fit_sin")
def history_after_the_updates(seed, device, steps=1000):
    """The history starts after the first update: its first entry is the loss of the untrained model."""
    model, (x, y) = network(seed).to(device), sine(device)
    opt = torch.optim.Adam(model.parameters(), lr=0.01)
    history = []
    for _ in range(steps):
        opt.zero_grad()
        ((model(x) - y) ** 2).mean().backward()
        opt.step()
        with torch.no_grad():
            history.append(((model(x) - y) ** 2).mean().item())
    return model, history


@mistake("fit_sin")
def default_learning_rate(seed, device, steps=1000):
    """Adam ran with its default learning rate 0.001, ten times less than asked for."""
    return fit(network(seed).to(device), *sine(device), steps, torch.optim.Adam)


@mistake("fit_sin")
def plain_sgd(seed, device, steps=1000):
    """The steps are those of SGD: the task asks for Adam."""
    return fit(
        network(seed).to(device), *sine(device), steps, lambda params: torch.optim.SGD(params, lr=0.01)
    )


@mistake("fit_sin")
def data_stays_behind(seed, device, steps=1000):
    """The model moved to the device and the data did not: create x there."""
    return fit(network(seed).to(device), *sine("cpu"), steps)


@mistake("fit_sin")
def everything_stays_behind(seed, device, steps=1000):
    """The device was ignored: model and data belong there."""
    return fit(network(seed), *sine("cpu"), steps)


@mistake("fit_sin")
def end_is_missing(seed, device, steps=1000):
    """Your last x is not pi: keep all 201 points that linspace gives."""
    x = torch.linspace(-torch.pi, torch.pi, 201, device=device)[:-1].unsqueeze(-1)
    return fit(network(seed).to(device), x, x.sin(), steps)


@mistake("fit_sin")
def sums_the_squares(seed, device, steps=1000):
    """The squared errors were added up: take their mean."""
    model, (x, y) = network(seed).to(device), sine(device)
    opt = torch.optim.Adam(model.parameters(), lr=0.01)
    history = []
    for _ in range(steps):
        opt.zero_grad()
        loss = ((model(x) - y) ** 2).sum()
        loss.backward()
        opt.step()
        history.append(loss.item())
    return model, history


@mistake("fit_sin")
def rounds_pi(seed, device, steps=1000):
    """The points do not run from -pi to pi: 3.14 is not pi, torch.pi is."""
    x = torch.linspace(-3.14, 3.14, 200, device=device).unsqueeze(-1)
    return fit(network(seed).to(device), x, x.sin(), steps)


@mistake("fit_sin")
def stops_early(seed, device, steps=1000):
    """The loop ended before `steps` updates: the task asks for all of them."""
    model, (x, y) = network(seed).to(device), sine(device)
    opt = torch.optim.Adam(model.parameters(), lr=0.01)
    history = []
    for _ in range(steps):
        opt.zero_grad()
        loss = ((model(x) - y) ** 2).mean()
        loss.backward()
        opt.step()
        history.append(loss.item())
        if history[-1] < 0.02:
            break
    return model, history


@mistake("fit_sin")
def own_initial_weights(seed, device, steps=1000):
    """The initial weights are not PyTorch's own: build the layers and leave what they drew."""
    model = network(seed)
    for layer in (model[0], model[2]):
        nn.init.zeros_(layer.bias)
    return fit(model.to(device), *sine(device), steps)


@mistake("fit_sin")
def trains_elsewhere(seed, device, steps=1000):
    """The model only moved to the device when its training was over: move model and data there first."""
    model, history = fit(network(seed), *sine("cpu"), steps)
    return model.to(device), history


@mistake("fit_sin")
def takes_adamw(seed, device, steps=1000):
    """The steps are those of AdamW, which pulls the weights towards 0, too: the task asks for Adam."""
    return fit(network(seed).to(device), *sine(device), steps, make_opt=lambda p: torch.optim.AdamW(p, lr=0.01))


@mistake("fit_sin")
def adds_a_little_decay(seed, device, steps=1000):
    """Adam ran with a setting that is not its default (weight_decay, eps, betas or amsgrad): give it the learning rate and nothing else."""
    make = functools.partial(torch.optim.Adam, lr=0.01, weight_decay=1e-5)
    return fit(network(seed).to(device), *sine(device), steps, make_opt=make)


@mistake("fit_sin")
def remembers_the_largest_square(seed, device, steps=1000):
    """Adam ran with amsgrad=True: the task asks for its defaults but for the learning rate."""
    make = functools.partial(torch.optim.Adam, lr=0.01, amsgrad=True)
    return fit(network(seed).to(device), *sine(device), steps, make_opt=make)


@mistake("fit_sin")
def keeps_five_digits_of_pi(seed, device, steps=1000):
    """The points run from -3.1416 to 3.1416, which is pi with five digits: torch.pi has all of them."""
    x = torch.linspace(-3.1416, 3.1416, 200, device=device).unsqueeze(-1)
    return fit(network(seed).to(device), x, x.sin(), steps)


@alternative("fit_sin")
def lazy_layers(seed, device, steps=1000):
    """Layers that draw their weights when they see the first data, on the CPU."""
    x, y = sine("cpu")
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        model = nn.Sequential(nn.LazyLinear(16), nn.ReLU(), nn.LazyLinear(1))
        model(x)
    return fit(model.to(device), x.to(device), y.to(device), steps)


@alternative("fit_sin")
def with_a_class(seed, device, steps=1000):
    """A class whose layers are made in the other order, and a random state put back by hand."""

    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.out = nn.Linear(16, 1)
            self.hidden = nn.Linear(1, 16)

        def forward(self, x):
            return self.out(torch.relu(self.hidden(x)))

    state = torch.get_rng_state()
    try:
        torch.manual_seed(seed)
        model = Net()
    finally:
        torch.set_rng_state(state)
    model.to(device)
    grid = torch.linspace(-torch.pi, torch.pi, steps=200).to(device).reshape(200, 1)
    return fit(model, grid, torch.sin(grid), steps)


@alternative("fit_sin")
def steps_by_hand(seed, device, steps=1000):
    """Gradients from torch.autograd.grad; Adam without foreach."""
    model, (x, y) = network(seed).to(device), sine(device)
    params = list(model.parameters())
    opt = torch.optim.Adam(params, lr=1e-2, foreach=False)
    history = []
    while len(history) < steps:
        loss = nn.MSELoss()(model(x), y)
        for p, grad in zip(params, torch.autograd.grad(loss, params), strict=True):
            p.grad = grad
        opt.step()
        history.append(loss.item())
    return model, history
