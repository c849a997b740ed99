"""Known mistakes and odd-but-correct solutions for AdamW."""

import math

import torch
from bonus2_adamw import AdamW

from torchdojo.variants import alternative, mistake

EQUIVALENT = {
    "drop_keyword: for i, (p, m, v) in enumerate(zip(self.params, self.m, self.v)):": "the lists have the same length anyway",
    "swap_statements: self.t[i] += 1": "the decay does not depend on t",
    "in_place: p -= self.lr * m_hat / (v_hat.sqrt_() + self.eps)": "v_hat is made in the line above and not used again",
}

HINTS = (
    "With all gradients zero, the averages stay zero. What must still happen to a parameter that has such a "
    "gradient?",
    "The decay is a separate line before the averages: the parameter is multiplied by a number slightly below "
    "1, in which lr and weight_decay appear. The averages see the plain gradient only.",
    "Write Adam without any decay. Then add one line at the top of the loop body, after the parameters "
    "without gradient have been skipped: shrink p in place by lr times weight_decay of itself.",
)


class _Steps(AdamW):
    """The reference with its parts taken apart, so that each mistake shows its line."""

    def before(self, p):
        """Shrink the parameter."""
        p -= self.lr * self.weight_decay * p

    def gradient(self, p):
        """Return the gradient that the averages see."""
        return p.grad

    def after(self, p):
        """Do nothing once the parameter has moved."""

    def move(self, m, v, t):
        """Return the step before it is multiplied by lr."""
        beta1, beta2 = self.betas
        return m / (1 - beta1**t) / ((v / (1 - beta2**t)).sqrt() + self.eps)

    @torch.no_grad()
    def step(self):
        """Move every parameter that has a gradient."""
        beta1, beta2 = self.betas
        for i, p in enumerate(self.params):
            if p.grad is None:
                continue
            self.before(p)
            g = self.gradient(p)
            self.t[i] += 1
            self.m[i] = beta1 * self.m[i] + (1 - beta1) * g
            self.v[i] = beta2 * self.v[i] + (1 - beta2) * g**2
            p -= self.lr * self.move(self.m[i], self.v[i], self.t[i])
            self.after(p)


@mistake("AdamW")
class DecaysThroughTheGradient(_Steps):
    """The decay was added to the gradient, which is Adam with weight_decay: shrink the parameter directly."""

    def before(self, p):
        pass

    def gradient(self, p):
        return p.grad + self.weight_decay * p


@mistake("AdamW")
class DecaysTwice(_Steps):
    """The decay was applied twice, to the parameter and to the gradient:
    the averages see the plain gradient.
    """

    def gradient(self, p):
        return p.grad + self.weight_decay * p


@mistake("AdamW")
class DecaysAfterTheStep(_Steps):
    """The parameter was shrunk after it had moved: shrink first, then take the step."""

    def before(self, p):
        pass

    def after(self, p):
        p -= self.lr * self.weight_decay * p


@mistake("AdamW")
class DecaysWithoutLr(_Steps):
    """The parameter was multiplied by 1 - weight_decay: lr belongs in there too, 1 - lr * weight_decay."""

    def before(self, p):
        p -= self.weight_decay * p


@mistake("AdamW")
class NoDecay(_Steps):
    """weight_decay has no effect: shrink each parameter by lr * weight_decay of itself."""

    def before(self, p):
        pass


@mistake("AdamW")
class GrowsTheParameters(_Steps):
    """The decay has the wrong sign: parameters must shrink toward 0."""

    def before(self, p):
        p += self.lr * self.weight_decay * p


@mistake("AdamW")
class ShrinksWithoutGradient(_Steps):
    """A parameter without a gradient was shrunk: leave it alone completely, decay included."""

    @torch.no_grad()
    def step(self):
        for p in self.params:
            if p.grad is None:
                self.before(p)
        super().step()


@mistake("AdamW")
class FixesTheDecay(_Steps):
    """weight_decay of the constructor is ignored: 0.01 is written into the step."""

    def before(self, p):
        p -= self.lr * 0.01 * p


@mistake("AdamW")
class NoBiasCorrection(_Steps):
    """The averages start at zero and were not corrected:
    divide m by 1 - beta1 ** t and v by 1 - beta2 ** t.
    """

    def move(self, m, v, t):
        return m / (v.sqrt() + self.eps)


@mistake("AdamW")
class CountsAllParametersTogether(_Steps):
    """t increased in steps in which the parameter had no gradient, as happens with one t for all: each parameter
    counts only its own steps."""

    @torch.no_grad()
    def step(self):
        self.t = [max(self.t)] * len(self.t)
        super().step()


@mistake("AdamW")
class SkipsZeroGradients(_Steps):
    """A gradient of zeros was treated like a missing one: skip a parameter only if its .grad is None."""

    def step(self):
        zeros = [(p, p.grad) for p in self.params if p.grad is not None and not p.grad.any()]
        for p, _ in zeros:
            p.grad = None
        super().step()
        for p, grad in zeros:
            p.grad = grad


@mistake("AdamW")
class LeavesRecordingOff(_Steps):
    """Grad mode is still off after step(): use `with torch.no_grad():`, which restores it."""

    def step(self):
        super().step()
        torch.set_grad_enabled(False)


@mistake("AdamW")
class KeepsTheFirstLr(_Steps):
    """A new value of lr has no effect: read self.lr in every step."""

    def __init__(self, params, lr=1e-3, *args, **settings):
        super().__init__(params, lr, *args, **settings)
        self.first_lr = lr

    def step(self):
        lr, self.lr = self.lr, self.first_lr
        super().step()
        self.lr = lr


@mistake("AdamW")
class DecaysByTheFirstLr(_Steps):
    """A new value of lr has no effect on the decay: lr * weight_decay was computed in the constructor."""

    def __init__(self, params, lr=1e-3, *args, **settings):
        super().__init__(params, lr, *args, **settings)
        self.decay = lr * self.weight_decay

    def before(self, p):
        p -= self.decay * p


@mistake("AdamW")
class ClearsWithZeros(_Steps):
    """zero_grad left tensors of zeros: set every .grad to None."""

    def zero_grad(self):
        for p in self.params:
            if p.grad is not None:
                p.grad = torch.zeros_like(p.grad)


@mistake("AdamW")
class KeepsStateInFloat32(_Steps):
    """The averages are float32 although the parameter is float64: make them with torch.zeros_like(p)."""

    def step(self):
        super().step()
        self.m = [m if isinstance(m, float) else m.float() for m in self.m]
        self.v = [v if isinstance(v, float) else v.float() for v in self.v]


@mistake("AdamW")
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


@mistake("AdamW")
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


@mistake("AdamW")
class IsAnOptimizerOfTorch(torch.optim.AdamW):
    """torch.optim did the work: write out the formulas yourself."""

    lr = property(lambda self: self.param_groups[0]["lr"], lambda self, lr: self.param_groups[0].update(lr=lr))


@mistake("AdamW")
class UsesUpTheGenerator(_Steps):
    """The generator is used up after the first loop: make a list of the parameters in the constructor."""

    def __init__(self, params, *args, **kwargs):
        kept = list(params)
        super().__init__(kept, *args, **kwargs)
        self.params = params if isinstance(params, list) else iter(kept)


@mistake("AdamW")
class ForgetsInZeroGrad(_Steps):
    """m, v and t were forgotten while the parameter had no gradient, in step() or in zero_grad(): both must leave them unchanged."""

    def zero_grad(self):
        for i, p in enumerate(self.params):
            if p.grad is None:
                self.m[i], self.v[i], self.t[i] = 0.0, 0.0, 0
            p.grad = None


@mistake("AdamW")
class CorrectsOnlyM(_Steps):
    """Only m was corrected: v starts at zero too, divide it by 1 - beta2 ** t."""

    def move(self, m, v, t):
        return m / (1 - self.betas[0] ** t) / (v.sqrt() + self.eps)


@mistake("AdamW")
class EpsInsideTheRoot(_Steps):
    """eps was added inside the square root: add it after, it matters where gradients are tiny."""

    def move(self, m, v, t):
        return m / (1 - self.betas[0] ** t) / (v / (1 - self.betas[1] ** t) + self.eps).sqrt()


@mistake("AdamW")
class EpsBeforeTheCorrection(_Steps):
    """eps was added to sqrt(v) before v was corrected: correct v first, take the square root, then add eps."""

    def move(self, m, v, t):
        beta1, beta2 = self.betas
        return math.sqrt(1 - beta2**t) / (1 - beta1**t) * m / (v.sqrt() + self.eps)


@mistake("AdamW")
class MovesIntoNewMemory(_Steps):
    """The step went into new memory, as with p.data = ...: views of the parameter still show the old numbers. Write into p in place."""

    def before(self, p):
        super().before(p)
        p.data = p.data.clone()


@mistake("AdamW")
class MovesByTheFirstLr(_Steps):
    """A new value of lr applies to the decay, but the step still uses the old one: read self.lr for both."""

    def __init__(self, params, lr=1e-3, *args, **settings):
        super().__init__(params, lr, *args, **settings)
        self.first_lr = lr

    def move(self, m, v, t):
        return super().move(m, v, t) * (self.first_lr / self.lr)


@mistake("AdamW")
class StopsTheDecayAtZero(_Steps):
    """The factor 1 - lr * weight_decay was clipped at 0: when lr * weight_decay is above 1 it is negative, and still applies."""

    def before(self, p):
        p *= max(0.0, 1 - self.lr * self.weight_decay)


@alternative("AdamW")
class MultipliesByOneFactor(_Steps):
    """One multiplication in place instead of a subtraction."""

    def before(self, p):
        p.mul_(1 - self.lr * self.weight_decay)


@alternative("AdamW")
class StateByParameter:
    """A dict of state, made when the first gradient arrives, and fused in-place operations."""

    def __init__(self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.01):
        self.params = [*params]
        if not self.params or min(lr, eps, weight_decay, *betas) < 0 or max(betas) >= 1:
            raise ValueError("no parameters, or a setting that makes no sense")
        self.lr, self.betas, self.eps, self.weight_decay = lr, betas, eps, weight_decay
        self.state = {}

    def step(self):
        """Move every parameter that has a gradient."""
        beta1, beta2 = self.betas
        for p in self.params:
            if p.grad is None:
                continue
            t, m, v = self.state.get(p, (0, torch.zeros_like(p.data), torch.zeros_like(p.data)))
            t += 1
            m.lerp_(p.grad, 1 - beta1)
            v.mul_(beta2).addcmul_(p.grad, p.grad, value=1 - beta2)
            p.data.mul_(1 - self.lr * self.weight_decay)
            denominator = v.sqrt().div_(math.sqrt(1 - beta2**t)).add_(self.eps)
            p.data.addcdiv_(m, denominator, value=-self.lr / (1 - beta1**t))
            self.state[p] = (t, m, v)

    def zero_grad(self):
        """Set the .grad of every parameter to None."""
        for p in self.params:
            p.grad = None
