"""Known mistakes and odd-but-correct solutions for SGD."""

import torch
from ex06_sgd import SGD

from torchdojo.variants import alternative, mistake

EQUIVALENT = {"swap_statements: p -= self.lr * (g + self.momentum * v if self.nesterov else v)": "the velocity is the same tensor, kept before the move or after it"}

HINTS = (
    "What has to survive from one step to the next, and where is it kept, for each parameter?",
    "The velocity belongs to one parameter and is made of gradients only; lr comes in when the parameter "
    "moves. Weight decay is added to a new tensor g, so .grad does not change.",
    "Keep the parameters in a list and one velocity for each, none at first. In a step: skip without "
    "gradient, build g, take g as the first velocity or momentum times the old one plus g, choose d, and move "
    "p in place under no_grad.",
)


class _Steps(SGD):
    """The reference with the rule for one parameter taken out, so that each mistake shows its line."""

    def rule(self, i, p, g, v):
        """Return the new velocity and the direction."""
        v = g if v is None else self.momentum * v + g
        return v, g + self.momentum * v if self.nesterov else v

    def decayed(self, p):
        """Return the gradient with weight decay."""
        return p.grad + self.weight_decay * p

    @torch.no_grad()
    def step(self):
        """Move every parameter that has a gradient."""
        for i, p in enumerate(self.params):
            if p.grad is None:
                continue
            self.velocities[i], d = self.rule(i, p, self.decayed(p), self.velocities[i])
            p -= self.lr * d


@mistake("SGD")
class AveragesTheGradients(_Steps):
    """The velocity is an average of the gradients: the new gradient must count in full, v = momentum * v + g."""

    def rule(self, i, p, g, v):
        v = (1 - self.momentum) * g if v is None else self.momentum * v + (1 - self.momentum) * g
        return v, g + self.momentum * v if self.nesterov else v


@mistake("SGD")
class DampsLaterGradients(_Steps):
    """From the second step on, the gradient was multiplied by 1 - momentum: add all of g every time."""

    def rule(self, i, p, g, v):
        v = g if v is None else self.momentum * v + (1 - self.momentum) * g
        return v, g + self.momentum * v if self.nesterov else v


@mistake("SGD")
class GradientsInFloat32(_Steps):
    """The gradient went through float32, so the steps of a float64 parameter have only seven correct digits: keep its dtype."""

    def decayed(self, p):
        return p.grad.float() + self.weight_decay * p


@mistake("SGD")
class ForgetsTheVelocity(_Steps):
    """The velocity is new in every step, so momentum has no effect: keep v between the steps."""

    def rule(self, i, p, g, v):
        return None, g + self.momentum * g if self.nesterov else g


@mistake("SGD")
class SharesOneVelocity(_Steps):
    """All parameters share one velocity: each parameter needs its own."""

    def rule(self, i, p, g, v):
        v = getattr(self, "shared", None)
        self.shared = v = g if v is None or v.shape != g.shape else self.momentum * v + g
        return v, g + self.momentum * v if self.nesterov else v


@mistake("SGD")
class PutsLrInTheVelocity(_Steps):
    """lr went into the velocity, so old steps keep the old lr after lr changes:
    multiply by lr only when p moves.
    """

    def rule(self, i, p, g, v):
        v = self.lr * g if v is None else self.momentum * v + self.lr * g
        return v, self.lr * g + self.momentum * v if self.nesterov else v

    @torch.no_grad()
    def step(self):
        for i, p in enumerate(self.params):
            if p.grad is not None:
                self.velocities[i], d = self.rule(i, p, self.decayed(p), self.velocities[i])
                p -= d


@mistake("SGD")
class PutsLrInTheVelocityOfNesterov(PutsLrInTheVelocity):
    """With nesterov, lr went into the velocity, so old steps keep the old lr after lr changes:
    multiply by lr only when p moves.
    """

    def step(self):
        PutsLrInTheVelocity.step(self) if self.nesterov else SGD.step(self)


@mistake("SGD")
class DecaysOutsideTheVelocity(_Steps):
    """Weight decay was added after the momentum: it belongs to g, before the velocity takes g in."""

    def decayed(self, p):
        return p.grad.clone()

    def rule(self, i, p, g, v):
        v, d = super().rule(i, p, g, v)
        return v, d + self.weight_decay * p


@mistake("SGD")
class IgnoresWeightDecay(_Steps):
    """weight_decay has no effect: g is p.grad + weight_decay * p."""

    def decayed(self, p):
        return p.grad.clone()


@mistake("SGD")
class DecaysTheWrongWay(_Steps):
    """Weight decay makes the parameters grow: add it to the gradient, which is then subtracted."""

    def decayed(self, p):
        return p.grad - self.weight_decay * p


@mistake("SGD")
class ShrinksAfterTheMove(_Steps):
    """The parameter itself was shrunk, after it had moved: weight_decay * p is added to the gradient, before the velocity takes
    it in."""

    @torch.no_grad()
    def step(self):
        for i, p in enumerate(self.params):
            if p.grad is None:
                continue
            self.velocities[i], d = self.rule(i, p, p.grad.clone(), self.velocities[i])
            p -= self.lr * d
            p -= self.lr * self.weight_decay * p


@mistake("SGD")
class DecaysTheGradientInPlace(_Steps):
    """Weight decay was added to .grad itself: build a new tensor, the caller's gradient must not change."""

    def decayed(self, p):
        return p.grad.add_(p, alpha=self.weight_decay).clone()


@mistake("SGD")
class IgnoresNesterov(_Steps):
    """nesterov=True has no effect: the direction is then g + momentum * v, with the v of this step, not the old one."""

    def rule(self, i, p, g, v):
        v = g if v is None else self.momentum * v + g
        return v, v


@mistake("SGD")
class AddsTheVelocityTwice(_Steps):
    """nesterov stepped with v + momentum * v: the direction is g + momentum * v, with g as it is in this step."""

    def rule(self, i, p, g, v):
        v = g if v is None else self.momentum * v + g
        return v, v + self.momentum * v if self.nesterov else v


@mistake("SGD")
class NesterovForgetsTheDecay(_Steps):
    """nesterov stepped with p.grad + momentum * v: the direction is g + momentum * v, and g has the weight decay in it."""

    def rule(self, i, p, g, v):
        v = g if v is None else self.momentum * v + g
        return v, p.grad + self.momentum * v if self.nesterov else v


@mistake("SGD")
class KeepsTheGradientAsVelocity(_Steps):
    """The first velocity is the gradient's own memory, so every change of .grad changes v: copy it."""

    def decayed(self, p):
        return p.grad + self.weight_decay * p if self.weight_decay else p.grad


@mistake("SGD")
class MovesWithoutGradient(_Steps):
    """A parameter without a gradient was moved by its old velocity: leave it, and its velocity, alone."""

    @torch.no_grad()
    def step(self):
        for i, p in enumerate(self.params):
            if p.grad is None and self.velocities[i] is None:
                continue
            g = self.decayed(p) if p.grad is not None else self.weight_decay * p
            self.velocities[i], d = self.rule(i, p, g, self.velocities[i])
            p -= self.lr * d


@mistake("SGD")
class UsesUpTheGenerator(_Steps):
    """The generator is used up after the first loop: make a list of the parameters in the constructor."""

    def __init__(self, params, lr, momentum=0.0, weight_decay=0.0, nesterov=False):
        kept = list(params)
        super().__init__(kept, lr, momentum, weight_decay, nesterov)
        self.params = params if isinstance(params, list) else iter(kept)


@mistake("SGD")
class RecordsTheStep(_Steps):
    """The step must not be part of the graph: a leaf that requires grad may only change in place under
    torch.no_grad()."""

    def step(self):
        for i, p in enumerate(self.params):
            if p.grad is None:
                continue
            self.velocities[i], d = self.rule(i, p, self.decayed(p), self.velocities[i])
            p -= self.lr * d


@mistake("SGD")
class KeepsTheGraphOfTheVelocity(_Steps):
    """v was computed with grad mode on, so it keeps a graph that grows with every step: compute it under torch.no_grad()."""

    def step(self):
        for i, p in enumerate(self.params):
            if p.grad is not None:
                self.velocities[i], d = self.rule(i, p, self.decayed(p), self.velocities[i])
                p.data -= self.lr * d


@mistake("SGD")
class SkipsZeroGradients(_Steps):
    """A gradient of zeros was treated like a missing one: skip a parameter only if its .grad is None."""

    def step(self):
        zeros = [(p, p.grad) for p in self.params if p.grad is not None and not p.grad.any()]
        for p, _ in zeros:
            p.grad = None
        super().step()
        for p, grad in zeros:
            p.grad = grad


@mistake("SGD")
class ReplacesTheMemory(_Steps):
    """p.data = ... gave the parameter new memory; views of it still show the old numbers. Write into p in place."""

    def step(self):
        for p in self.params:
            p.data = p.data.clone()
        super().step()


@mistake("SGD")
class LeavesRecordingOff(_Steps):
    """Grad mode is still off after step(): use `with torch.no_grad():`, which restores it."""

    def step(self):
        super().step()
        torch.set_grad_enabled(False)


@mistake("SGD")
class KeepsTheFirstLr(_Steps):
    """A new value of lr has no effect: read self.lr in every step."""

    def __init__(self, params, lr, *args, **settings):
        super().__init__(params, lr, *args, **settings)
        self.first_lr = lr

    def step(self):
        lr, self.lr = self.lr, self.first_lr
        super().step()
        self.lr = lr


@mistake("SGD")
class ClearsWithZeros(_Steps):
    """zero_grad left tensors of zeros: set every .grad to None."""

    def zero_grad(self):
        for p in self.params:
            if p.grad is not None:
                p.grad = torch.zeros_like(p.grad)


@mistake("SGD")
class IsAnOptimizerOfTorch(torch.optim.SGD):
    """torch.optim did the work: write out the formulas yourself."""

    lr = property(lambda self: self.param_groups[0]["lr"], lambda self, lr: self.param_groups[0].update(lr=lr))


@mistake("SGD")
class KeepsVelocitiesOnTheTensors(_Steps):
    """Two optimizers with the same parameter share its v (in a dict on the class, in a global, or in an attribute
    of the tensor): keep v on self, in a dict or list created in __init__."""

    shared: dict = {}

    @torch.no_grad()
    def step(self):
        for i, p in enumerate(self.params):
            if p.grad is not None:
                self.shared[p], d = self.rule(i, p, self.decayed(p), self.shared.get(p))
                p -= self.lr * d


@mistake("SGD")
class ForgetsInZeroGrad(_Steps):
    """v was forgotten while the parameter had no gradient, in step() or in zero_grad(): both must leave it unchanged."""

    def zero_grad(self):
        for i, p in enumerate(self.params):
            if p.grad is None:
                self.velocities[i] = None
            p.grad = None


@mistake("SGD")
class KeepsTheGraphOfTheGradient(_Steps):
    """A gradient may have a graph of its own (after create_graph=True), and v kept it: compute v under torch.no_grad()."""

    def step(self):
        for i, p in enumerate(self.params):
            if p.grad is not None:
                g = p.grad + self.weight_decay * p.detach()
                self.velocities[i], d = self.rule(i, p, g, self.velocities[i])
                p.data -= self.lr * d.detach()


@alternative("SGD")
class DictOfVelocities:
    """Velocities in a dict by parameter, starting from zeros, changed in place."""

    def __init__(self, params, lr, momentum=0.0, weight_decay=0.0, nesterov=False):
        self.params = tuple(params)
        if len(self.params) == 0 or min(lr, momentum, weight_decay) < 0 or (nesterov and not momentum):
            raise ValueError("no parameters, or a setting that makes no sense")
        self.lr = lr
        self.options = (momentum, weight_decay, nesterov)
        self.state = {}

    def step(self):
        """Move every parameter that has a gradient."""
        momentum, weight_decay, nesterov = self.options
        with torch.no_grad():
            for p in self.params:
                if p.grad is None:
                    continue
                g = torch.add(p.grad, p, alpha=weight_decay)
                v = self.state.setdefault(p, torch.zeros_like(p)).mul_(momentum).add_(g)
                p.add_(g.add(v, alpha=momentum) if nesterov else v, alpha=-self.lr)

    def zero_grad(self):
        """Set the .grad of every parameter to None."""
        for p in self.params:
            p.grad = None


@alternative("SGD")
class ThroughData(SGD):
    """.data everywhere and velocities as attributes of a small record."""

    def __init__(self, params, lr, momentum=0.0, weight_decay=0.0, nesterov=False):
        super().__init__(params, lr, momentum, weight_decay, nesterov)
        self.records = [{"p": p, "v": None} for p in self.params]

    def step(self):
        for record in self.records:
            p = record["p"]
            if p.grad is not None:
                direction = p.grad.data.clone()
                if self.weight_decay != 0:
                    direction += self.weight_decay * p.data
                if self.momentum != 0:
                    if record["v"] is None:
                        record["v"] = direction.clone()
                    else:
                        record["v"] = direction + record["v"] * self.momentum
                    direction = direction + self.momentum * record["v"] if self.nesterov else record["v"]
                p.data.sub_(direction * self.lr)
