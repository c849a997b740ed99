"""Autograd, modules, optimizers, data, autocast on an accelerator: the same numbers as on the CPU, and the same errors."""

import copy

import pytest
import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def same(got: torch.Tensor, want: torch.Tensor) -> None:
    torch.testing.assert_close(got.detach().cpu(), want.detach().cpu(), rtol=1e-4, atol=1e-5)


def mlp() -> nn.Sequential:
    torch.manual_seed(0)
    return nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 3))


# ------------------------------------------------------------------ autograd
def test_gradients_agree_with_the_cpu(device):
    """And they are there."""
    w, x = torch.randn(3, 2), torch.randn(5, 3)
    found = []
    for place in ("cpu", device):
        leaf = w.to(place, copy=True).requires_grad_()
        torch.tanh(x.to(place) @ leaf).pow(2).mean().backward()
        found.append(leaf.grad)

    assert found[1].device.type == device.type
    same(found[1], found[0])


def test_second_derivatives(device):
    """create_graph works."""
    x = torch.tensor([1.0, 2.0], device=device, requires_grad=True)
    (first,) = torch.autograd.grad((x**3).sum(), x, create_graph=True)
    (second,) = torch.autograd.grad(first.sum(), x)

    same(second, torch.tensor([6.0, 12.0]))


class Square(torch.autograd.Function):
    """A right Function; it notes where its backward's gradient is."""

    seen: tuple = ()

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        Square.seen = (g.device.type, x.device.type)
        return 2 * x * g


class Stray(torch.autograd.Function):
    """Its backward makes a tensor on the CPU."""

    @staticmethod
    def forward(ctx, x):
        return x * 2

    @staticmethod
    def backward(ctx, g):
        return g * torch.full((3,), 2.0)


def test_custom_functions(device):
    """Forward and backward see tensors on the accelerator."""
    x = torch.tensor([3.0], device=device, requires_grad=True)
    Square.apply(x).backward()

    assert Square.seen == (device.type, device.type)
    same(x.grad, torch.tensor([6.0]))


def test_a_stray_tensor_in_a_backward_is_caught(device):
    """And the process continues: the next backward is right."""
    x = torch.ones(3, device=device, requires_grad=True)
    with pytest.raises(RuntimeError, match="same device"):
        Stray.apply(x).sum().backward()
    (x * 3).sum().backward()

    same(x.grad, torch.full((3,), 3.0))


def test_gradients_hop_between_devices(device):
    """.to and .cpu are differentiable."""
    here = torch.ones(3, requires_grad=True)
    (here.to(device) * 2).sum().backward()
    there = torch.ones(3, device=device, requires_grad=True)
    (there.cpu() * 3).sum().backward()

    assert (here.grad.device.type, there.grad.device.type) == ("cpu", device.type)
    same(there.grad, torch.full((3,), 3.0))


def test_hooks_and_retained_gradients(device):
    """They see tensors on the accelerator."""
    x = torch.ones(2, device=device, requires_grad=True)
    seen = []
    middle = x * 2
    middle.retain_grad()
    x.register_hook(lambda g: seen.append(g.device.type))
    middle.sum().backward()

    assert seen == [device.type] and middle.grad.device.type == device.type


def twice(x):
    loss = (x * x).sum()
    loss.backward()
    loss.backward()


def exp_changed(x):
    y = x.exp()
    y.add_(1)
    y.sum().backward()


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (twice, "second time"),
        (exp_changed, "modified by an inplace operation"),
        (lambda x: x.add_(1), "leaf Variable"),
        (lambda x: (x * 2).backward(), "only for scalar outputs"),
        (lambda x: x.sum().detach().backward(), "does not require grad"),
    ],
    ids=["backward twice", "changed in place", "leaf in place", "not a scalar", "no graph"],
)
def test_autograds_own_errors(call, words, device):
    """With the same messages as on the CPU."""
    with pytest.raises(RuntimeError, match=words):
        call(torch.ones(2, device=device, requires_grad=True))


def test_manual_steps_without_a_graph(device):
    """no_grad, -=, zero_, .data."""
    w = torch.ones(2, device=device, requires_grad=True)
    (w * 3).sum().backward()
    with torch.no_grad():
        w -= 0.1 * w.grad
    w.data = w.data * 2
    w.data.mul_(5)
    w.grad.zero_()

    same(w, torch.full((2,), 7.0))
    assert w.requires_grad and w.is_leaf


def test_inference_mode(device):
    """no_grad and inference_mode leave no graph."""
    x = torch.ones(2, device=device, requires_grad=True)
    with torch.no_grad():
        assert not (x * 2).requires_grad
    with torch.inference_mode():
        assert (x * 2).is_inference()


def test_gradcheck_and_function_transforms(device):
    """gradcheck, vmap, grad."""
    x = torch.randn(4, 3, dtype=torch.float64, device=device)

    assert torch.autograd.gradcheck(lambda v: torch.sin(v).pow(2).sum(), (x.clone().requires_grad_(),))
    same(torch.func.vmap(lambda v: v.sum())(x), x.cpu().sum(1))
    same(torch.func.grad(lambda v: (v**2).sum())(x), 2 * x.cpu())


def test_checkpointing_recomputes(device):
    """torch.utils.checkpoint restores the device's random numbers."""
    from torch.utils.checkpoint import checkpoint

    x = torch.ones(50, device=device, requires_grad=True)
    y = checkpoint(lambda v: F.dropout(v * 2, 0.5), x, use_reentrant=False)
    y.sum().backward()

    same(x.grad, y)


# ------------------------------------------------------------------ modules
def test_a_module_moves_and_keeps_its_parameters(device):
    """The same parameter objects, leaves, with their gradients."""
    model = mlp()
    model(torch.ones(1, 4)).sum().backward()
    before = [id(p) for p in model.parameters()]

    assert model.to(device) is model
    assert [id(p) for p in model.parameters()] == before
    for p in model.parameters():
        assert isinstance(p, nn.Parameter) and p.is_leaf and p.requires_grad
        assert p.device.type == p.grad.device.type == device.type


def test_a_module_comes_back(device):
    """to, cpu: the same function."""
    model, x = mlp(), torch.randn(5, 4)
    want = model(x)

    same(model.to(device)(x.to(device)), want)
    same(model.cpu()(x), want)


def test_tied_weights_stay_tied(device):
    """One parameter, two layers."""
    model = nn.Sequential(nn.Linear(3, 3), nn.Linear(3, 3))
    model[1].weight = model[0].weight
    model.to(device)

    assert model[1].weight is model[0].weight


def test_unregistered_tensors_do_not_move(device):
    """As the error says."""

    class Scaled(nn.Module):
        def __init__(self):
            super().__init__()
            self.layer, self.scale = nn.Linear(3, 3), torch.ones(3)

        def forward(self, x):
            return self.layer(x) * self.scale

    with pytest.raises(RuntimeError, match="same device"):
        Scaled().to(device)(torch.ones(2, 3, device=device))


def test_parameters_can_be_drawn_there(device):
    """device= of a layer, and the functions of nn.init."""
    layer = nn.Linear(3, 2, device=device)
    w = nn.Parameter(torch.empty(4, 4, device=device))
    nn.init.xavier_uniform_(w)
    nn.init.kaiming_normal_(w)
    nn.init.orthogonal_(w)

    assert layer.weight.device.type == device.type and layer.weight.abs().sum().item() > 0
    same(w.detach() @ w.detach().T, torch.eye(4))


MODELS = {
    "conv, batch norm, pools": (
        lambda: nn.Sequential(
            nn.Conv2d(1, 3, 3, padding=1), nn.BatchNorm2d(3), nn.ReLU(), nn.MaxPool2d(2), nn.AdaptiveAvgPool2d(2), nn.Flatten()
        ),
        lambda: torch.randn(2, 1, 8, 8),
    ),
    "transposed and grouped conv": (
        lambda: nn.Sequential(nn.ConvTranspose2d(2, 4, 3, groups=2), nn.Conv2d(4, 4, 3, groups=4, bias=False), nn.AvgPool2d(2)),
        lambda: torch.randn(2, 2, 8, 8),
    ),
    "conv1d, upsample": (lambda: nn.Sequential(nn.Conv1d(2, 4, 3), nn.Upsample(scale_factor=2)), lambda: torch.randn(2, 2, 8)),
    "conv3d": (lambda: nn.Conv3d(1, 2, 2), lambda: torch.randn(1, 1, 3, 3, 3)),
    "embedding, layer norm, gelu": (
        lambda: nn.Sequential(nn.Embedding(5, 4), nn.LayerNorm(4), nn.GELU(), nn.Linear(4, 2), nn.Softmax(-1)),
        lambda: torch.tensor([[0, 1, 4]]),
    ),
    "group norm, silu": (lambda: nn.Sequential(nn.GroupNorm(2, 4), nn.SiLU()), lambda: torch.randn(2, 4, 5)),
    "LSTM": (lambda: nn.LSTM(2, 3, num_layers=2, batch_first=True), lambda: torch.randn(2, 4, 2)),
    "LSTM without bias, both ways": (lambda: nn.LSTM(2, 3, bias=False, bidirectional=True), lambda: torch.randn(4, 2, 2)),
    "GRU": (lambda: nn.GRU(2, 3), lambda: torch.randn(4, 2, 2)),
    "RNN": (lambda: nn.RNN(2, 3), lambda: torch.randn(4, 2, 2)),
    "transformer layer": (
        lambda: nn.TransformerEncoderLayer(8, 2, 16, dropout=0.0, batch_first=True),
        lambda: torch.randn(2, 3, 8),
    ),
}


@pytest.mark.parametrize(("build", "draw"), MODELS.values(), ids=MODELS)
def test_layers_agree_with_the_cpu_forward_and_backward(build, draw, device):
    """Results, gradients, running statistics."""
    torch.manual_seed(1)
    here, x = build(), draw()
    there = copy.deepcopy(here).to(device)
    results = []
    for model, given in ((here, x), (there, x.to(device))):
        y = model(given)
        y = y[0] if isinstance(y, tuple) else y
        (y * torch.arange(y.numel(), dtype=y.dtype).reshape(y.shape).sin().to(y.device)).sum().backward()
        results.append(y)

    same(results[1], results[0])
    for p, q in zip(here.parameters(), there.parameters(), strict=True):
        same(q.grad, p.grad)
    for p, q in zip(here.buffers(), there.buffers(), strict=True):
        same(q, p)


def test_evaluation_shortcuts(device):
    """The fast path of a transformer layer in evaluation mode, and attention with a causal mask."""
    layer, x, q = nn.TransformerEncoderLayer(8, 2, 16, batch_first=True).eval(), torch.randn(2, 3, 8), torch.randn(1, 2, 3, 4)
    with torch.no_grad():
        want = layer(x)
        same(layer.to(device)(x.to(device)), want)
    there = q.to(device)

    same(
        F.scaled_dot_product_attention(there, there, there, is_causal=True), F.scaled_dot_product_attention(q, q, q, is_causal=True)
    )


# ------------------------------------------------------------------ optimizers
def every_optimizer() -> list[type]:
    """What torch.optim has, without those that want a closure, sparse gradients or matrices only."""
    found = [o for o in vars(torch.optim).values() if isinstance(o, type) and issubclass(o, torch.optim.Optimizer)]
    return [o for o in found if o.__name__ not in ("Optimizer", "LBFGS", "SparseAdam", "Muon")]


SETTINGS = [(o, {}) for o in every_optimizer()]
SETTINGS += [(torch.optim.SGD, {"momentum": 0.9, "nesterov": True, "weight_decay": 0.01, "lr": 0.1})]
SETTINGS += [(torch.optim.SGD, {"fused": True, "momentum": 0.9, "lr": 0.1}), (torch.optim.Adam, {"fused": True})]
SETTINGS += [(torch.optim.Adam, {"foreach": False}), (torch.optim.Adam, {"foreach": True, "amsgrad": True})]
SETTINGS += [(torch.optim.AdamW, {"lr": torch.tensor(0.01), "foreach": False})]


def trained(place, make, before: bool = False, steps: int = 5):
    """(losses, model, optimizer) after some steps; before: the optimizer is made before the model moves."""
    model, x = mlp(), torch.randn(32, 4, generator=torch.Generator().manual_seed(2))
    y = x.sum(1).abs().long() % 3
    opt = make(model.parameters()) if before else None
    model.to(place)
    opt = opt or make(model.parameters())
    losses = []
    for _ in range(steps):
        opt.zero_grad()
        loss = F.cross_entropy(model(x.to(place)), y.to(place))
        loss.backward()
        opt.step()
        losses.append(loss.item())
    return torch.tensor(losses), model, opt


@pytest.mark.parametrize(("optimizer", "settings"), SETTINGS, ids=[f"{o.__name__} {sorted(s)}" for o, s in SETTINGS])
def test_every_optimizer_trains_as_on_the_cpu(optimizer, settings, device):
    """The same losses, the same weights, and state on the parameters' device."""
    want, here, _ = trained("cpu", lambda params: optimizer(params, **settings))
    got, there, opt = trained(device, lambda params: optimizer(params, **settings))

    same(got, want)
    for p, q in zip(here.parameters(), there.parameters(), strict=True):
        same(q, p)
    kept = [t for state in opt.state.values() for t in state.values() if isinstance(t, torch.Tensor) and t.dim() > 0]
    assert {t.device.type for t in kept} <= {device.type}


def test_an_optimizer_made_before_the_move_trains(device):
    """Module.to keeps the parameters, so their optimizer still holds them."""
    want, _, _ = trained("cpu", torch.optim.Adam)
    got, _, _ = trained(device, torch.optim.Adam, before=True)

    same(got, want)


def test_lbfgs_with_its_closure(device):
    """And its line search."""
    w = torch.zeros(2, device=device, requires_grad=True)
    opt = torch.optim.LBFGS([w], line_search_fn="strong_wolfe")

    def closure():
        opt.zero_grad()
        loss = (w - 3).pow(2).sum()
        loss.backward()
        return loss

    opt.step(closure)
    same(w, torch.full((2,), 3.0))


def test_clipping_schedules_and_zeroing(device):
    """clip_grad_norm_, clip_grad_value_, StepLR, both kinds of zero_grad."""
    w = nn.Parameter(torch.ones(3, device=device))
    opt = torch.optim.SGD([w], lr=1.0)
    schedule = torch.optim.lr_scheduler.StepLR(opt, 1, 0.1)
    (w * 100).sum().backward()
    norm = nn.utils.clip_grad_norm_([w], 1.0)

    assert norm.device.type == device.type
    same(w.grad.norm(), torch.tensor(1.0))
    nn.utils.clip_grad_value_([w], 0.1)
    opt.step()
    schedule.step()
    same(w, torch.full((3,), 0.9))
    assert opt.param_groups[0]["lr"] == pytest.approx(0.1)
    opt.zero_grad(set_to_none=False)
    same(w.grad, torch.zeros(3))


# ------------------------------------------------------------------ data
DATA = TensorDataset(torch.arange(20.0).reshape(10, 2), torch.arange(10))


@pytest.mark.parametrize("options", [{"shuffle": True}, {"num_workers": 2}, {"pin_memory": True}], ids=str)
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_batches_of_a_loader_move(options, device):
    """With workers, with pinned memory."""
    total = 0.0
    for x, y in DataLoader(DATA, 4, **options):
        moved, labels = x.to(device, non_blocking=True), y.to(device)
        assert moved.device.type == labels.device.type == device.type
        total += moved.sum().item()

    assert total == 190.0


def test_a_dataset_may_live_there(device):
    """A loader collates tensors of the accelerator."""
    there = TensorDataset(torch.arange(6.0, device=device))
    batches = [x for (x,) in DataLoader(there, 2)]

    assert {x.device.type for x in batches} == {device.type}
    assert sum(x.sum().item() for x in batches) == 15.0


# ------------------------------------------------------------------ autocast
def test_autocast_chooses_dtypes(device):
    """bfloat16 for products, float32 for losses, float32 gradients for float32 weights. float64 stays; nothing changes when it is off."""
    model, x = mlp().to(device), torch.randn(4, 4, device=device)
    with torch.autocast(device.type, dtype=torch.bfloat16):
        y = model(x)
        loss = F.cross_entropy(y, torch.tensor([0, 1, 2, 0], device=device))
        assert (x.double() @ x.double()).dtype == torch.float64
    loss.backward()

    assert (y.dtype, loss.dtype, model[0].weight.grad.dtype) == (torch.bfloat16, torch.float32, torch.float32)
    with torch.autocast(device.type, enabled=False):
        assert model(x).dtype == torch.float32
    assert model(x).dtype == torch.float32


def test_autocast_refuses_binary_cross_entropy(device):
    """Its logarithms need float32; the error names the version with logits."""
    p, y = torch.tensor([0.5, 0.25], device=device), torch.ones(2, device=device)
    with torch.autocast(device.type, dtype=torch.bfloat16):
        with pytest.raises(RuntimeError, match=r"binary_cross_entropy and torch\.nn\.BCELoss are unsafe to autocast"):
            F.binary_cross_entropy(p, y)
        assert F.binary_cross_entropy_with_logits(p, y).dtype is torch.float32
    assert F.binary_cross_entropy(p, y).dtype is torch.float32


def test_autocast_of_the_cpu_does_nothing_there(device):
    """The wrong device type is the mistake that keeps everything in float32."""
    with torch.autocast("cpu", dtype=torch.bfloat16):
        assert mlp().to(device)(torch.randn(4, 4, device=device)).dtype == torch.float32


def test_grad_scaler_steps_and_backs_off(device):
    """It unscales before the step, and skips a step with infinite gradients."""
    model = mlp().to(device)
    opt, scaler = torch.optim.SGD(model.parameters(), lr=0.1), torch.amp.GradScaler(device.type, init_scale=64.0)
    before = model[0].weight.detach().clone()
    with torch.autocast(device.type, dtype=torch.float16):
        loss = model(torch.randn(4, 4, device=device)).float().pow(2).mean()
    scaler.scale(loss).backward()
    scaler.unscale_(opt)
    nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    scaler.step(opt)
    scaler.update()
    middle = model[0].weight.detach().clone()

    assert scaler.is_enabled() and scaler.get_scale() == 64.0 and not torch.equal(before, middle)
    scaler.scale(model(torch.ones(1, 4, device=device)).sum() * float("inf")).backward()
    scaler.step(opt)
    scaler.update()
    assert scaler.get_scale() == 32.0 and torch.equal(model[0].weight.detach(), middle)


# ------------------------------------------------------------------ a whole loop
def test_a_whole_training_loop_agrees_with_the_cpu(device):
    """Loader, Adam, train and eval, accuracy."""

    def run(place):
        x = torch.randn(200, 4, generator=torch.Generator().manual_seed(0))
        y, model, history = (x.sum(1) > 0).long(), mlp().to(place), []
        opt = torch.optim.Adam(model.parameters(), lr=1e-2)
        loader = DataLoader(TensorDataset(x, y), 32, shuffle=True, generator=torch.Generator().manual_seed(0))
        for _ in range(4):
            model.train()
            total = 0.0
            for a, b in loader:
                opt.zero_grad()
                loss = F.cross_entropy(model(a.to(place)), b.to(place))
                loss.backward()
                opt.step()
                total += loss.item() * len(a)
            model.eval()
            with torch.no_grad():
                accuracy = (model(x.to(place)).argmax(1) == y.to(place)).float().mean().item()
            history.append((total / 200, accuracy))
        return torch.tensor(history)

    got = run(device)

    same(got, run("cpu"))
    assert got[-1, 1] > 0.9
