"""Known mistakes and unusual but correct solutions for SGD."""

import torch
from ex06_sgd import SGD

from torchdojo.variants import alternative, mistake

EQUIVALENT = {"swap_statements: p -= self.lr * (g + self.momentum * v if self.nesterov else v)": "the velocity is the same tensor, kept before the move or after it"}

HINTS = (
    "What has to survive from one step to the next, and where is it kept, for each parameter?",
    "The velocity belongs to one parameter and is computed from gradients only; lr comes in when the parameter "
    "moves. Weight decay is added to a new tensor g, so .grad does not change.",
    "Keep the parameters in a list and one velocity for each, none at first. In a step: skip without "
    "gradient, build g, take g as the first velocity or momentum times the old one plus g, choose d, and move "
    "p in place under no_grad.",
)


AveragesTheGradients = mistake.edited("v = g if v is None else self.momentum * v + g",
    "v = (1 - self.momentum) * g if v is None else self.momentum * v + (1 - self.momentum) * g",
    "The velocity is an average of the gradients: the new gradient must count in full, v = momentum * v + g.")

DampsLaterGradients = mistake.edited("self.momentum * v + g", "self.momentum * v + (1 - self.momentum) * g",
    "From the second step on, the gradient was multiplied by 1 - momentum: add all of g every time.",
    pitfall="not times 1 - momentum")

GradientsInFloat32 = mistake.edited("p.grad + self.weight_decay * p", "p.grad.float() + self.weight_decay * p",
    "The steps of a float64 parameter have only seven correct digits, so something is float32: keep the dtype of the "
    "parameter.")

ForgetsTheVelocity = mistake.edited("self.velocities[i] = v", "",
    "Your steps don't use the velocity of earlier steps: keep v from one step to the next.")

SharesOneVelocity = mistake.edited("v = self.velocities[i]", "v = self.velocities[0]",
    "All parameters share one velocity: each parameter needs its own.",
    also=[("v is None", "v is None or v.shape != g.shape"), ("self.velocities[i] = v", "self.velocities[0] = v")])

PutsLrInTheVelocity = mistake.edited("p.grad + self.weight_decay * p", "self.lr * (p.grad + self.weight_decay * p)",
    "lr went into the velocity, so old steps keep the old lr after lr changes: multiply by lr only when p moves.",
    also=[("p -= self.lr * (", "p -= (")])

PutsLrInTheVelocityOfNesterov = mistake.edited(
    "p.grad + self.weight_decay * p", "(p.grad + self.weight_decay * p) * (self.lr if self.nesterov else 1)",
    "With nesterov, lr went into the velocity, so old steps keep the old lr after lr changes: multiply by lr only when p moves.",
    also=[("p -= self.lr * (g + self.momentum * v if self.nesterov else v)",
        "p -= g + self.momentum * v if self.nesterov else self.lr * v")])

DecaysOutsideTheVelocity = mistake.edited("p.grad + self.weight_decay * p", "p.grad.clone()",
    "Weight decay moves the parameter, but the velocity does not contain it: add weight_decay * p to the gradient first, "
    "then update v.",
    also=[("p -= self.lr * (g + self.momentum * v if self.nesterov else v)",
        "p -= self.lr * ((g + self.momentum * v if self.nesterov else v) + self.weight_decay * p)")])

IgnoresWeightDecay = mistake.edited("p.grad + self.weight_decay * p", "p.grad.clone()",
    "weight_decay has no effect: g is p.grad + weight_decay * p.")

UsesTheOldVelocity = mistake.edited("(g + self.momentum * v if", "(g + self.momentum * (v if old is None else old) if",
    "nesterov used the velocity from before this step: the direction is g + momentum * v, with the v of this step.",
    also=[("v = self.velocities[i]", "old = v = self.velocities[i]")])

DecaysTheWrongWay = mistake.edited("p.grad + self.weight_decay * p", "p.grad - self.weight_decay * p",
    "Weight decay makes the parameters grow: add it to the gradient, which is then subtracted.")

ShrinksAfterTheMove = mistake.edited("p.grad + self.weight_decay * p", "p.grad.clone()",
    "The parameter itself was shrunk, after it had moved: weight_decay * p is added to the gradient, before the velocity "
    "takes it in.",
    also=[("p -= self.lr * (g + self.momentum * v if self.nesterov else v)",
        """
        p -= self.lr * (g + self.momentum * v if self.nesterov else v)
        p -= self.lr * self.weight_decay * p
        """)])

DecaysTheGradientInPlace = mistake.edited("p.grad + self.weight_decay * p", "p.grad.add_(p, alpha=self.weight_decay).clone()",
    "Weight decay was added to .grad itself: build a new tensor, because the caller's gradient must not change.")

IgnoresNesterov = mistake.edited("(g + self.momentum * v if self.nesterov else v)", "v",
    "nesterov=True has no effect: the direction is then g + momentum * v, with the v of this step, not the old one.")

AddsTheVelocityTwice = mistake.edited("(g + self.momentum * v", "(v + self.momentum * v",
    "nesterov stepped with v + momentum * v: the direction is g + momentum * v, with g as it is in this step.")

NesterovForgetsTheDecay = mistake.edited("(g + self.momentum * v", "(p.grad + self.momentum * v",
    "nesterov stepped with p.grad + momentum * v: the direction is g + momentum * v, and g has the weight decay in it.")

KeepsTheGradientAsVelocity = mistake.edited(
    "p.grad + self.weight_decay * p", "p.grad + self.weight_decay * p if self.weight_decay else p.grad",
    "The first velocity is the gradient's own memory, so every change of .grad changes v: copy it.")

MovesWithoutGradient = mistake.edited("if p.grad is None:", "if p.grad is None and self.velocities[i] is None:",
    "A parameter without a gradient was moved by its old velocity: leave it, and its velocity, alone.",
    also=[("p.grad + self.weight_decay * p", "(0 if p.grad is None else p.grad) + self.weight_decay * p")])

UsesUpTheGenerator = mistake.edited("[None] * len(self.params)",
    """
    [None] * len(self.params)
    if not isinstance(params, list):
        self.params = iter(self.params)
    """,
    "The generator is used up after the first loop: make a list of the parameters in the constructor.")

RecordsTheStep = mistake.edited("@torch.no_grad()", "",
    "The step must not be part of the graph: a leaf that requires grad may only change in place under torch.no_grad().")

KeepsTheGraphOfTheVelocity = mistake.edited("@torch.no_grad()", "",
    "v keeps a graph that grows with every step: compute it under torch.no_grad().",
    also=[("p -= self.lr", "p.data -= self.lr")])

SkipsZeroGradients = mistake.edited("if p.grad is None:", "if p.grad is None or not p.grad.any():",
    "A gradient of zeros was treated like a missing one: skip a parameter only if its .grad is None.")

ReplacesTheMemory = mistake.edited("p -= self.lr", "p.data = p.data - self.lr",
    "Views of the parameter don't see the step, as after p.data = ..., which gives it new memory: write into p in place.")

LeavesRecordingOff = mistake.edited("@torch.no_grad()", "",
    "Grad mode is still off after step(): use `with torch.no_grad():`, which restores it.",
    also=[("for i, p in", "torch.set_grad_enabled(False)\nfor i, p in")])

KeepsTheFirstLr = mistake.edited("self.params = list(params)", "self.params = list(params)\nself.first_lr = lr",
    "A new value of lr has no effect: read self.lr in every step.",
    also=[("p -= self.lr", "p -= self.first_lr")])

ClearsWithZeros = mistake.edited("p.grad = None", "if p.grad is not None:\n    p.grad = torch.zeros_like(p.grad)",
    "zero_grad left tensors of zeros: set every .grad to None.")


@mistake("SGD", forbidden="torch.optim")
class IsAnOptimizerOfTorch(torch.optim.SGD):
    """torch.optim did the work: write out the formulas yourself."""

    lr = property(lambda self: self.param_groups[0]["lr"], lambda self, lr: self.param_groups[0].update(lr=lr))


KeepsVelocitiesOnTheTensors = mistake.edited("v = self.velocities[i]", 'v = getattr(p, "velocity", None)',
    "Two optimizers with the same parameter share its v (in a dict on the class, in a global, or in an attribute of the "
    "tensor): keep v on self, in a dict or list created in __init__.",
    also=[("self.velocities[i] = v", "p.velocity = v")])

ForgetsInZeroGrad = mistake.edited("for p in self.params:\n    p.grad = None",
    """
    for i, p in enumerate(self.params):
        if p.grad is None:
            self.velocities[i] = None
        p.grad = None
    """,
    "v was forgotten while the parameter had no gradient, in step() or in zero_grad(): both must leave it unchanged.")

KeepsTheGraphOfTheGradient = mistake.edited("@torch.no_grad()", "",
    "A gradient may have a graph of its own (after create_graph=True), and v kept it: compute v under torch.no_grad().",
    also=[
        ("self.weight_decay * p", "self.weight_decay * p.detach()"),
        ("p -= self.lr * (g + self.momentum * v if self.nesterov else v)",
        "p.data -= self.lr * (g + self.momentum * v if self.nesterov else v).detach()"),
    ])


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

SharesOneVelocityOfOneShape = mistake.edited("v = self.velocities[i]", "v = self.velocities[0]",
    "All parameters share one velocity: each parameter needs its own.",
    also=[("self.velocities[i] = v", "self.velocities[0] = v")])

VelocityWithoutDecay = mistake.edited("v = g if v is None else self.momentum * v + g",
    "v = p.grad.clone() if v is None else self.momentum * v + p.grad",
    "The velocity takes in p.grad, without the weight decay: make g first, then use g in v.")

StopsAtAMissingGradient = mistake.edited("continue", "return",
    "step() ends at a parameter without a gradient, and the later ones do not move: continue with the next one.",
    about=("a_missing_gradient_is_no_step", "every_parameter_has_its_own_velocity"))

AlwaysNesterov = mistake.edited("(g + self.momentum * v if self.nesterov else v)", "(g + self.momentum * v)",
    "You step with g + momentum * v in every case: without nesterov, the direction is v.")

ExchangesGradientAndVelocity = mistake.edited("(g + self.momentum * v if self.nesterov else v)", "(v + self.momentum * g if self.nesterov else v)",
    "With nesterov, g and v are exchanged: the direction is g + momentum * v.")

SwapsTheBranchesOfNesterov = mistake.edited("if self.nesterov else", "if not self.nesterov else",
    "The two directions are swapped: with nesterov it is g + momentum * v, otherwise v.")

LrInTheVelocityWithoutNesterov = mistake.edited("p.grad + self.weight_decay * p", "self.lr * (p.grad + self.weight_decay * p)",
    "nesterov has no effect, and lr went into the velocity: leave lr out of v, multiply when p moves, and with nesterov step by g + momentum * v.",
    also=[("p -= self.lr * (g + self.momentum * v if self.nesterov else v)", "p -= v")],
    about=("nesterov_looks_ahead", "new_lr_counts_at_once"))

WalksUphill = mistake.edited("p -= self.lr", "p += self.lr",
    "The parameters move along the gradient, uphill: subtract lr * d.")

ClearsInPlace = mistake.edited("p.grad = None", "p.grad.zero_()",
    "zero_grad writes zeros into .grad, and fails where .grad is None: set every .grad to None.",
    about=("zero_grad_clears_the_gradients", "every_parameter_has_its_own_velocity"))

ClearsInStep = mistake.edited("p -= self.lr * (g + self.momentum * v if self.nesterov else v)",
    """
    p -= self.lr * (g + self.momentum * v if self.nesterov else v)
    p.grad = None
    """,
    "step() also cleared the gradients: leave .grad as it is, because clearing is the job of zero_grad().")

ClearsInStepWithZeros = mistake.edited("p -= self.lr * (g + self.momentum * v if self.nesterov else v)",
    """
    p -= self.lr * (g + self.momentum * v if self.nesterov else v)
    p.grad.zero_()
    """,
    "step() also cleared the gradients: leave .grad as it is, because clearing is the job of zero_grad().",
    also=[("v = g if v is None", "v = g.clone() if v is None")])

MovesANewTensor = mistake.edited("p -= self.lr", "p = p - self.lr",
    "The parameters do not move, as if the step went to a new tensor, like p = p - ...: change each parameter in place.",
    about="plain_steps")
