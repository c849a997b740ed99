"""Known mistakes and odd-but-correct solutions for Adam."""

import math

import torch
from ex07_adam import Adam

from torchdojo.variants import alternative, mistake

EQUIVALENT = {
    "drop_keyword: for i, (p, m, v) in enumerate(zip(self.params, self.m, self.v)):": "the lists have the same length anyway",
    "in_place: p -= self.lr * m_hat / (v_hat.sqrt_() + self.eps)": "v_hat is made in the line above and not used again",
}

HINTS = (
    "Print m, v and t of one parameter after each of the first three steps, and compare them with the "
    "formulas on paper.",
    "m averages the gradients, v averages their squares; both start at zero and are therefore too small at "
    "first. The corrections divide by one minus beta to the power t, with t counted for each parameter.",
    "Three lists beside the list of parameters: m, v, t. In a step, under no_grad: skip without gradient, "
    "build g with decay, count, update both averages, divide each by its correction, and move p by lr times "
    "their quotient.",
)


class _Steps(Adam):
    """The reference with its parts taken apart, so that each mistake shows its line."""

    def decayed(self, p):
        """Return the gradient with weight decay."""
        return p.grad + self.weight_decay * p

    def settings(self):
        """Return beta1, beta2 and eps."""
        return *self.betas, self.eps

    def move(self, m, v, t):
        """Return the step before it is multiplied by lr."""
        beta1, beta2, eps = self.settings()
        return m / (1 - beta1**t) / ((v / (1 - beta2**t)).sqrt() + eps)

    def count(self, i):
        """Return the step count of parameter i, this step included."""
        self.t[i] += 1
        return self.t[i]

    @torch.no_grad()
    def step(self):
        """Move every parameter that has a gradient."""
        beta1, beta2, _ = self.settings()
        for i, p in enumerate(self.params):
            if p.grad is None:
                continue
            g = self.decayed(p)
            t = self.count(i)
            self.m[i] = beta1 * self.m[i] + (1 - beta1) * g
            self.v[i] = beta2 * self.v[i] + (1 - beta2) * g**2
            p -= self.lr * self.move(self.m[i], self.v[i], t)


@mistake("Adam", common=True)
class NoBiasCorrection(_Steps):
    """The averages start at zero and were not corrected, so the first step is not about lr:
    divide by 1 - beta ** t.
    """

    def move(self, m, v, t):
        return m / (v.sqrt() + self.eps)


@mistake("Adam")
class CorrectionWithoutThePower(_Steps):
    """The corrections never fade: divide by 1 - beta ** t, where t counts the steps, not by 1 - beta."""

    def move(self, m, v, t):
        return super().move(m, v, 1)


@mistake("Adam")
class CorrectsOnlyM(_Steps):
    """Only m was corrected: v starts at zero too, divide it by 1 - beta2 ** t."""

    def move(self, m, v, t):
        return m / (1 - self.betas[0] ** t) / (v.sqrt() + self.eps)


@mistake("Adam")
class EpsInsideTheRoot(_Steps):
    """eps was added inside the square root: add it after, it matters where gradients are tiny."""

    def move(self, m, v, t):
        return m / (1 - self.betas[0] ** t) / (v / (1 - self.betas[1] ** t) + self.eps).sqrt()


@mistake("Adam")
class EpsBeforeTheCorrection(_Steps):
    """eps was added to sqrt(v) before v was corrected: correct v first, take the square root, then add eps."""

    def move(self, m, v, t):
        beta1, beta2 = self.betas
        return math.sqrt(1 - beta2**t) / (1 - beta1**t) * m / (v.sqrt() + self.eps)


@mistake("Adam")
class IgnoresBetas(_Steps):
    """The betas of the constructor have no effect: 0.9 and 0.999 are written into the formulas."""

    def settings(self):
        return 0.9, 0.999, self.eps


@mistake("Adam")
class IgnoresEps(_Steps):
    """The eps of the constructor has no effect: 1e-8 is written into the formula."""

    def settings(self):
        return *self.betas, 1e-8


@mistake("Adam")
class SwapsTheBetas(_Steps):
    """The two betas are swapped: the first belongs to m, the average of gradients, the second to v."""

    def settings(self):
        return *reversed(self.betas), self.eps


@mistake("Adam")
class CountsTheSteps(_Steps):
    """One t counts all steps, also those in which a parameter had no gradient:
    give each parameter its own t.
    """

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.steps = 0

    def step(self):
        self.steps += 1
        super().step()

    def count(self, i):
        return self.steps


@mistake("Adam")
class CountsTheParameters(_Steps):
    """t increased once for every parameter, so the second one starts at t = 2: each parameter counts its own
    steps."""

    def count(self, i):
        self.t[0] += 1
        return self.t[0]


@mistake("Adam")
class DecaysDirectly(_Steps):
    """The parameter was shrunk directly, which is AdamW: here weight_decay * p is added to the gradient."""

    def decayed(self, p):
        shrunk = p.grad.clone()
        p -= self.lr * self.weight_decay * p
        return shrunk


@mistake("Adam")
class IgnoresWeightDecay(_Steps):
    """weight_decay has no effect: g is p.grad + weight_decay * p."""

    def decayed(self, p):
        return p.grad


@mistake("Adam")
class DecaysTheGradientInPlace(_Steps):
    """Weight decay was added to .grad itself: build a new tensor, the caller's gradient must not change."""

    def decayed(self, p):
        return p.grad.add_(p, alpha=self.weight_decay)


@mistake("Adam")
class SquaresTheAverage(_Steps):
    """v was made from m squared: v averages the squares of the gradients, not the square of their average."""

    @torch.no_grad()
    def step(self):
        beta1, beta2, _ = self.settings()
        for i, p in enumerate(self.params):
            if p.grad is None:
                continue
            t = self.count(i)
            self.m[i] = beta1 * self.m[i] + (1 - beta1) * self.decayed(p)
            self.v[i] = beta2 * self.v[i] + (1 - beta2) * self.m[i] ** 2
            p -= self.lr * self.move(self.m[i], self.v[i], t)


@mistake("Adam")
class UsesUpTheGenerator(_Steps):
    """The generator is used up after the first loop: make a list of the parameters in the constructor."""

    def __init__(self, params, *args, **kwargs):
        kept = list(params)
        super().__init__(kept, *args, **kwargs)
        self.params = params if isinstance(params, list) else iter(kept)


@mistake("Adam")
class MissingGradientIsZero(_Steps):
    """A parameter without a gradient was treated as if its gradient were zero: it must be left alone."""

    @torch.no_grad()
    def step(self):
        missing = [p for p in self.params if p.grad is None]
        for p in missing:
            p.grad = torch.zeros_like(p)
        super().step()
        for p in missing:
            p.grad = None


@mistake("Adam")
class KeepsTheGraphOfTheAverages(_Steps):
    """m and v were computed with grad mode on, so they keep a graph that grows with every step: compute them under
    torch.no_grad()."""

    def step(self):
        beta1, beta2, _ = self.settings()
        for i, p in enumerate(self.params):
            if p.grad is None:
                continue
            g = self.decayed(p)
            t = self.count(i)
            self.m[i] = beta1 * self.m[i] + (1 - beta1) * g
            self.v[i] = beta2 * self.v[i] + (1 - beta2) * g**2
            p.data -= self.lr * self.move(self.m[i], self.v[i], t)


@mistake("Adam")
class SkipsZeroGradients(_Steps):
    """A gradient of zeros was treated like a missing one: skip a parameter only if its .grad is None."""

    def step(self):
        zeros = [(p, p.grad) for p in self.params if p.grad is not None and not p.grad.any()]
        for p, _ in zeros:
            p.grad = None
        super().step()
        for p, grad in zeros:
            p.grad = grad


@mistake("Adam")
class ReplacesTheMemory(_Steps):
    """p.data = ... gave the parameter new memory; views of it still show the old numbers. Write into p in place."""

    def step(self):
        for p in self.params:
            p.data = p.data.clone()
        super().step()


@mistake("Adam")
class LeavesRecordingOff(_Steps):
    """Grad mode is still off after step(): use `with torch.no_grad():`, which restores it."""

    def step(self):
        super().step()
        torch.set_grad_enabled(False)


@mistake("Adam")
class KeepsTheFirstLr(_Steps):
    """A new value of lr has no effect: read self.lr in every step."""

    def __init__(self, params, lr=1e-3, *args, **settings):
        super().__init__(params, lr, *args, **settings)
        self.first_lr = lr

    def step(self):
        lr, self.lr = self.lr, self.first_lr
        super().step()
        self.lr = lr


@mistake("Adam")
class ClearsWithZeros(_Steps):
    """zero_grad left tensors of zeros: set every .grad to None."""

    def zero_grad(self):
        for p in self.params:
            if p.grad is not None:
                p.grad = torch.zeros_like(p.grad)


@mistake("Adam")
class KeepsStateInFloat32(_Steps):
    """The averages are float32 although the parameter is float64: make them with torch.zeros_like(p)."""

    def step(self):
        super().step()
        self.m = [m if isinstance(m, float) else m.float() for m in self.m]
        self.v = [v if isinstance(v, float) else v.float() for v in self.v]


@mistake("Adam")
class SharesStateBetweenOptimizers(_Steps):
    """Two optimizers share their state: it was kept on the class, keep it on self."""

    def __init__(self, *args, **settings):
        super().__init__(*args, **settings)
        type(self).counts = self.t
        del self.t

    def __getattr__(self, name):
        if name != "t":
            raise AttributeError(name)
        return type(self).counts


@mistake("Adam")
class KeepsStateOnTheTensors(_Steps):
    """Two optimizers with the same parameter share its m, v and t (in a dict on the class, in a global, or in
    attributes of the tensor): keep them on self, in a dict or list created in __init__."""

    shared: dict = {}

    def step(self):
        for i, p in enumerate(self.params):
            self.m[i], self.v[i], self.t[i] = self.shared.get(p, (0.0, 0.0, 0))
        super().step()
        for i, p in enumerate(self.params):
            self.shared[p] = self.m[i], self.v[i], self.t[i]


@mistake("Adam")
class IsAnOptimizerOfTorch(torch.optim.Adam):
    """torch.optim did the work: write out the formulas yourself."""

    lr = property(lambda self: self.param_groups[0]["lr"], lambda self, lr: self.param_groups[0].update(lr=lr))


@mistake("Adam")
class ForgetsInZeroGrad(_Steps):
    """m, v and t were forgotten while the parameter had no gradient, in step() or in zero_grad(): both must leave them unchanged."""

    def zero_grad(self):
        for i, p in enumerate(self.params):
            if p.grad is None:
                self.m[i], self.v[i], self.t[i] = 0.0, 0.0, 0
            p.grad = None


@alternative("Adam")
class StateMadeOnTheFirstStep:
    """A dict of state by parameter, made when the first gradient arrives;
    corrections folded into the step size.
    """

    def __init__(self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.0):
        self.params = [p for p in params]
        good = lr >= 0 and eps >= 0 and weight_decay >= 0 and 0 <= betas[0] < 1 and 0 <= betas[1] < 1
        if not (self.params and good):
            raise ValueError("no parameters, or a setting that makes no sense")
        self.lr, self.betas, self.eps, self.weight_decay = lr, betas, eps, weight_decay
        self.state = {}

    def step(self):
        """Move every parameter that has a gradient."""
        beta1, beta2 = self.betas
        with torch.no_grad():
            for p in self.params:
                if p.grad is None:
                    continue
                if p not in self.state:
                    self.state[p] = {"t": 0, "m": torch.zeros_like(p), "v": torch.zeros_like(p)}
                s = self.state[p]
                g = p.grad.add(p, alpha=self.weight_decay)
                s["t"] += 1
                s["m"].lerp_(g, 1 - beta1)
                s["v"].mul_(beta2).addcmul_(g, g, value=1 - beta2)
                root = math.sqrt(1 - beta2 ** s["t"])
                p.addcdiv_(s["m"], s["v"].sqrt() / root + self.eps, value=-self.lr / (1 - beta1 ** s["t"]))

    def zero_grad(self):
        """Set the .grad of every parameter to None."""
        for p in self.params:
            p.grad = None


@alternative("Adam")
class RunningPowers(_Steps):
    """The powers of the betas are multiplied up step by step instead of being raised to t."""

    def __init__(self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.0):
        super().__init__(params, lr, betas, eps, weight_decay)
        self.powers = [[1.0, 1.0] for _ in self.params]

    def count(self, i):
        self.powers[i] = [power * beta for power, beta in zip(self.powers[i], self.betas, strict=True)]
        return i

    def move(self, m, v, t):
        power1, power2 = self.powers[t]
        return (m / (1 - power1)).div(torch.sqrt(v / (1 - power2)) + self.eps)
