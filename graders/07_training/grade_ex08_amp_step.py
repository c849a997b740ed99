"""Hidden checks for survives_fp16 and amp_step."""

import math
import struct

import torch
from torch import nn

from torchdojo.grading import check, mode_of, tensor

CONCEPTS = ("B08", "J01", "J02", "J03", "J04", "J05")

KEPT = {
    "knows_both_ends_of_float16": "the task's part of it: numbers far from the limits",
    "works_without_a_scaler": "a scaler that is switched off is another path in code that asks for it",
}


class oracle:
    """Python's own half-precision format, one number at a time; and a step that unscales by hand."""

    def survives_fp16(x, scale):
        answers = []
        for number in (x.detach() * scale).cpu().reshape(-1).tolist():
            try:
                stored = struct.unpack("<e", struct.pack("<e", number))[0]
            except OverflowError:
                stored = math.inf
            answers.append(math.isfinite(stored) and stored != 0)
        there = torch.tensor(answers, dtype=torch.bool).reshape(x.shape).to(x.device)
        return there | (x.detach() == 0)

    def amp_step(model, batch, loss_fn, opt, scaler, device_type, dtype):
        for part in model.modules():
            part.training = True
        device = next(model.parameters()).device
        x, y = batch[0].to(device), batch[1].to(device)
        with torch.autocast(device_type, dtype):
            loss = loss_fn(model(x), y)
        held = [p for group in opt.param_groups for p in group["params"]]
        for p, gradient in zip(held, torch.autograd.grad(scaler.scale(loss), held), strict=True):
            p.grad = gradient
        if scaler.is_enabled():
            scaler.unscale_(opt)
            if all(torch.isfinite(p.grad).all() for p in held):
                opt.step()
        else:
            opt.step()
        scaler.update()
        return float(loss.detach().reshape(()))


class Moody(nn.Module):
    """Two layers and a factor that depends on the mode; it notes what it sees in each forward pass."""

    def __init__(self, like, device_type, outputs=3):
        super().__init__()
        self.hidden = nn.Sequential(nn.Linear(3, 4), nn.Tanh())
        self.out = nn.Linear(4, outputs)
        with torch.no_grad():
            for k, p in enumerate(self.parameters()):
                p.copy_(torch.arange(1, p.numel() + 1, dtype=torch.float64).mul(k + 1.7).sin().reshape(p.shape))
        self.to(like.device, torch.float32)
        self.seen, self.device_type = [], device_type

    def forward(self, x):
        hidden = self.hidden(x)
        modes = [mode_of(m) for m in self.modules()]
        self.seen.append(conditions(self.device_type, hidden) | {"modes": modes, "dtype of the input": x.dtype})
        return self.out(hidden * (2.0 if self.hidden.training else 1.0))


def conditions(device_type, value):
    """What autocast does here."""
    on = torch.is_autocast_enabled(device_type)
    return {"autocast": on, "dtype of autocast": torch.get_autocast_dtype(device_type) if on else None, "computed in": value.dtype}


def sgd(parameters):
    return torch.optim.SGD(parameters, lr=0.1)


def momentum(parameters):
    return torch.optim.SGD(parameters, lr=0.05, momentum=0.9, weight_decay=0.1)


def adam(parameters):
    return torch.optim.Adam(parameters, lr=0.05)


def scaler_for(device, enabled=True):
    return torch.amp.GradScaler(device.type, init_scale=4.0, growth_interval=2, enabled=enabled)


def weights(model):
    return {name: p.detach().clone() for name, p in model.named_parameters()}


def classes_of(x):
    return x.detach().nan_to_num(1.0, 1.0, 1.0).sum(dim=1).mul(8).long() % 3


OPTIMIZERS = [sgd, momentum, adam]
DTYPES = ["bfloat16", "float16"]
NUMBERS = [0.0, -0.0, 1e-8, -1e-8, 3e-8, 2.0**-24, 2.0**-25, -(2.0**-25), 1.5 * 2.0**-25, 1.25 * 2.0**-25, 1e-6, -3e-5]
NUMBERS += [6.1e-5, 0.1, -1.0, 1.0 / 3.0, 2049.0, 65504.0, 65519.0, 65520.0, -65519.0, -65520.0, 70000.0, 1e30, -1e-30]
NUMBERS += [1e39, math.inf, -math.inf, math.nan]


SCALES = {"scale": [1.0, 1024.0, 65536.0, 2.0**-10, 2.0**-30, 2.0**40, 2.0**-120], "dtype": ["float32", "float64"]}


def near_a_limit(number, scale):
    """Does it become so large or so small that the last digits of float16 decide?"""
    size = abs(number * scale)
    return 65504 < size < 65536 or 2.0**-26 <= size < 2.0**-14


def survivors(solution, numbers, scale, dtype, device):
    x = torch.tensor(numbers, dtype=getattr(torch, dtype)).to(device)
    return {f"does {number} survive": answer for number, answer in zip(numbers, solution.survives_fp16(x, scale).unbind(), strict=True)}


@check(points=2, **SCALES)
def knows_both_ends_of_float16(solution, scale, dtype, device):
    """Values that become 0 or inf after scaling do not survive; all others do."""
    return survivors(solution, [n for n in NUMBERS if not near_a_limit(n, scale)], scale, dtype, device)


@check(points=1, star=True, **SCALES)
def knows_the_limits_of_float16(solution, scale, dtype, device):
    """Close to the limits, rounding to float16 decides which values survive."""
    return survivors(solution, [0.0, *(n for n in NUMBERS if near_a_limit(n, scale))], scale, dtype, device)


TO_ZERO = {"x": torch.tensor([0.125, 1.0]), "scale": 2.0**-24, "wanted": False}  # with every seed a number is lost at either end
TO_INF = {"x": torch.tensor([4.0, 1.0]), "scale": 2.0**15, "wanted": False}


@check(
    points=1, x=tensor("...", avoid=[0.0]), scale=[2.0**15, 2.0**-24, 2.0**-22, 2.0**14, 1.0], wanted=[False, True],
    examples=[TO_ZERO, TO_INF],
)  # fmt: skip
def answers_for_any_shape(solution, x, scale, wanted):
    """The answer is bool and has the shape and device of x."""
    return solution.survives_fp16(x.requires_grad_(wanted), scale)


# Losses and weights went through 16-bit products in both: measured gap between the spellings in the variants file 0.
@check(points=3, x=tensor("5 3", dtype="float32"), optimizer=OPTIMIZERS, dtype=DTYPES, tolerance=(1e-4, 1e-5), devices=False)
def follows_the_unscaled_gradients(solution, x, optimizer, dtype):
    """Losses, weights and scale match steps with unscaled gradients."""
    model, scaler = Moody(x, x.device.type), scaler_for(x.device)
    opt, losses = optimizer(model.parameters()), []
    for p in model.parameters():
        p.grad = torch.full_like(p, 10.0)
    for _ in range(2):
        batch = (x, classes_of(x))
        loss = solution.amp_step(
            model, batch, nn.functional.cross_entropy, opt, scaler, x.device.type, getattr(torch, dtype)
        )
        losses.append(loss)
    states = {str(v.dtype) for state in opt.state.values() for v in state.values() if isinstance(v, torch.Tensor)}
    found = {"losses": losses, "scale": scaler.get_scale(), "weights afterwards": weights(model)}
    return found | {"dtypes of the optimizer's state": sorted(states)}


@check(points=2, x=tensor("5 3", dtype="float32"), dtype=DTYPES, training=[True, False], outer=[False, True])
def computes_under_autocast(solution, x, dtype, training, outer):
    """Model and loss run under autocast; the model runs once and in training mode."""
    kind, seen = x.device.type, []
    model = Moody(x, kind).train(training)

    def loss_fn(scores, shares):
        seen.append(conditions(kind, scores) | {"dtype of the scores": scores.dtype, "dtype of the targets": shares.dtype})
        return nn.functional.cross_entropy(scores, shares).reshape(1)

    with torch.autocast(kind, dtype=torch.bfloat16, enabled=outer):
        batch = [x.to(torch.float16), nn.functional.one_hot(classes_of(x), 3).to(torch.float32)]  # exact: eighths
        solution.amp_step(
            model, batch, loss_fn, sgd(model.parameters()), scaler_for(x.device), kind, getattr(torch, dtype)
        )
        after = torch.is_autocast_enabled(kind)
    found = {"in the forward pass": model.seen, "in the loss": seen, "autocast afterwards": after}
    return found | {
        "modes afterwards": [mode_of(m) for m in model.modules()],
        "batch afterwards": [t.clone() for t in batch],
    }


@check(points=2, x=tensor("5 3", dtype="float32"), optimizer=OPTIMIZERS, bad=[math.inf, math.nan], devices=False)
def skips_a_step_that_is_not_finite(solution, x, optimizer, bad):
    """A batch with inf or nan leaves the weights alone and lowers the scale."""
    model, scaler, kind = Moody(x, x.device.type), scaler_for(x.device), x.device.type
    opt, found = optimizer(model.parameters()), {}
    broken = x.clone()
    broken[1, 2] = bad
    for turn, inputs in {"a good batch": x, "the batch with inf or nan": broken, "a good batch again": x}.items():
        batch, before = (inputs, classes_of(inputs)), weights(model)
        solution.amp_step(model, batch, nn.functional.cross_entropy, opt, scaler, kind, torch.bfloat16)
        moved = [name for name, w in weights(model).items() if not torch.equal(w, before[name])]
        found[turn] = {"scale": scaler.get_scale(), "weights that moved": moved}
    return found


@check(points=1, star=True, x=tensor("5 3", dtype="float32"), dtype=DTYPES, tolerance=(1e-4, 1e-5), devices=False)
def works_without_a_scaler(solution, x, dtype):
    """With a disabled scaler, the step is an ordinary one."""
    model, scaler, kind = Moody(x, x.device.type).eval(), scaler_for(x.device, enabled=False), x.device.type
    opt, steps = momentum(model.parameters()), []
    opt.register_step_pre_hook(lambda *_: steps.append(1))
    batch = (x, classes_of(x))
    losses = [
        solution.amp_step(model, batch, nn.functional.cross_entropy, opt, scaler, kind, getattr(torch, dtype))
        for _ in range(2)
    ]
    return {"losses": losses, "weights afterwards": weights(model), "steps taken": len(steps)}


class Exact(nn.Linear):
    """A layer whose results have few digits, so that 16 bits hold them; it notes where its inputs are."""

    def __init__(self, device):
        super().__init__(3, 3, device=device)
        with torch.no_grad():
            self.weight.copy_(torch.tensor([[0.5, 1.0, -0.5], [1.0, -0.5, 0.5], [-1.0, 0.5, 1.0]]))
            self.bias.copy_(torch.tensor([0.5, -0.5, 0.0]))
        self.places = []

    def forward(self, x):
        self.places.append(x.device.type)
        return super().forward(x)


def largest(weights):
    """A weighted loss whose values also fit into 16 bits. Another check tests the width of the model."""
    return lambda scores, labels: (scores * weights.to(scores.dtype)).gather(1, labels[:, None]).max()


@check(points=2, star=True, x=tensor("5 3", dtype="float32", low=-2, high=2, step=1), place=["inputs", "targets", "both", "model"], about_device=True)
def brings_the_batch_to_the_model(solution, x, place, device):
    """The batch may be on a different device from the model."""
    home = torch.device("cpu") if place == "model" else device
    model, labels = Exact(home), classes_of(x)
    batch = (x.cpu() if place in ("inputs", "both") else x, labels.cpu() if place in ("targets", "both") else labels)
    opt, scaler = sgd(model.parameters()), scaler_for(home)
    loss = solution.amp_step(model, batch, largest(torch.ones(3, device=home)), opt, scaler, home.type, torch.bfloat16)
    return {"loss": loss, "the model saw inputs on": model.places[:1], "the weights are on": model.weight.device.type}
