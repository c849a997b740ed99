"""Known mistakes and unusual but correct solutions for Adam."""

import math

import torch

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


NoBiasCorrection = mistake.edited("m_hat = m / (1 - beta1 ** self.t[i])", "m_hat = m",
    "m and v start at zero and were not corrected, so the first steps have the wrong size: divide each by 1 - beta ** t, with its own beta.",
    also=[("v_hat = v / (1 - beta2 ** self.t[i])", "v_hat = v")], common=True)

CorrectionWithoutThePower = mistake.edited("beta1 ** self.t[i]", "beta1",
    "The corrections never fade: divide by 1 - beta ** t, where t counts the steps, not by 1 - beta.",
    also=[("beta2 ** self.t[i]", "beta2")],
    pitfall="With t = 1 the form 1 - beta")

CorrectsOnlyM = mistake.edited("v_hat = v / (1 - beta2 ** self.t[i])", "v_hat = v",
    "Only m was corrected: v starts at zero too, divide it by 1 - beta2 ** t.")

EpsInsideTheRoot = mistake.edited("v_hat.sqrt() + self.eps", "(v_hat + self.eps).sqrt()",
    "eps was added inside the square root: add it after the root. The difference matters where gradients are tiny.")

EpsBeforeTheCorrection = mistake.edited("(v_hat.sqrt() + self.eps)", "(v.sqrt() + self.eps) * (1 - beta2 ** self.t[i]) ** 0.5",
    "eps was added to sqrt(v) before v was corrected: correct v first, take the square root, then add eps.")

IgnoresBetas = mistake.edited("beta1, beta2 = self.betas", "beta1, beta2 = 0.9, 0.999",
    "The betas of the constructor have no effect: your averages always use 0.9 and 0.999.")

IgnoresEps = mistake.edited("v_hat.sqrt() + self.eps", "v_hat.sqrt() + 1e-8",
    "The eps of the constructor has no effect: you always add 1e-8.")

SwapsTheBetas = mistake.edited("beta1, beta2 = self.betas", "beta2, beta1 = self.betas",
    "The two betas are swapped: the first belongs to m, the average of gradients, the second to v.")

CountsTheSteps = mistake.edited("beta1, beta2 = self.betas", "beta1, beta2 = self.betas\nself.t = [t + 1 for t in self.t]",
    "t increased in steps in which the parameter had no gradient. If all parameters share one t, give each its own, "
    "which counts only its own steps.",
    also=[("self.t[i] += 1", "")])

CountsTheParameters = mistake.edited("self.t[i] += 1", "self.t[0] += 1\nself.t[i] = self.t[0]",
    "t increased once for every parameter, so the second one starts at t = 2: each parameter counts its own steps.")

DecaysDirectly = mistake.edited(
    "g = p.grad + self.weight_decay * p", "g = p.grad.clone()\np -= self.lr * self.weight_decay * p",
    "The parameter was shrunk directly, which is AdamW: here weight_decay * p is added to the gradient, so that m and v take it in.")

IgnoresWeightDecay = mistake.edited("p.grad + self.weight_decay * p", "p.grad",
    "weight_decay has no effect: g is p.grad + weight_decay * p.")

DecaysTheGradientInPlace = mistake.edited("p.grad + self.weight_decay * p", "p.grad.add_(p, alpha=self.weight_decay)",
    "Weight decay was added to .grad itself: build a new tensor, because the caller's gradient must not change.")

SquaresTheAverage = mistake.edited("g**2", "m**2",
    "v was made from m squared: v averages the squares of the gradients, not the square of their average.")

UsesUpTheGenerator = mistake.edited("self.t = [0] * len(self.params)",
    """
    self.t = [0] * len(self.params)
    if not isinstance(params, list):
        self.params = iter(self.params)
    """,
    "The generator is used up after the first loop: make a list of the parameters in the constructor.",
    also=[("strict=True", "strict=False")])

MissingGradientIsZero = mistake.edited("if p.grad is None:", "if False:",
    "A parameter without a gradient was treated as if its gradient were zero: it must be left alone.",
    also=[("p.grad + self.weight_decay * p", "(0 if p.grad is None else p.grad) + self.weight_decay * p")])

KeepsTheGraphOfTheAverages = mistake.edited("@torch.no_grad()", "",
    "m and v keep a graph that grows with every step: compute them under torch.no_grad().",
    also=[("p -= self.lr", "p.data -= self.lr")])

SkipsZeroGradients = mistake.edited("if p.grad is None:", "if p.grad is None or not p.grad.any():",
    "A gradient of zeros was treated like a missing one: skip a parameter only if its .grad is None.")

ReplacesTheMemory = mistake.edited("p -= self.lr", "p.data = p.data - self.lr",
    "Views of the parameter don't see the step, as after p.data = ..., which gives it new memory: write into p in place.")

LeavesRecordingOff = mistake.edited("@torch.no_grad()", "",
    "Grad mode is still off after step(): use `with torch.no_grad():`, which restores it.",
    also=[("beta1, beta2 = self.betas", "torch.set_grad_enabled(False)\nbeta1, beta2 = self.betas")])

KeepsTheFirstLr = mistake.edited("self.params = list(params)", "self.params = list(params)\nself.first_lr = lr",
    "A new value of lr has no effect: read self.lr in every step.",
    also=[("p -= self.lr", "p -= self.first_lr")])

ClearsWithZeros = mistake.edited("p.grad = None", "if p.grad is not None:\n    p.grad = torch.zeros_like(p.grad)",
    "zero_grad left tensors of zeros: set every .grad to None.")

KeepsStateInFloat32 = mistake.edited(
    "self.m[i] = m = beta1 * m + (1 - beta1) * g", "m = beta1 * m + (1 - beta1) * g\nself.m[i] = m.float()",
    "The averages lose digits of a float64 parameter, so they are float32: make them with torch.zeros_like(p).",
    also=[("self.v[i] = v = beta2 * v + (1 - beta2) * g**2", "v = beta2 * v + (1 - beta2) * g**2\nself.v[i] = v.float()")])

SharesStateBetweenOptimizers = mistake.edited("self.t = [0]", "Adam.t = [0]",
    "Two optimizers share their state, as with an attribute of the class: keep it on self.")

KeepsStateOnTheTensors = mistake.edited(
    "if p.grad is None:", 'm, v, self.t[i] = getattr(p, "state", (0.0, 0.0, 0))\nif p.grad is None:',
    "Two optimizers with the same parameter share its m, v and t (in a dict on the class, in a global, or in attributes of "
    "the tensor): keep them on self, in a dict or list created in __init__.",
    also=[("p -= self.lr * m_hat / (v_hat.sqrt() + self.eps)",
        """
        p -= self.lr * m_hat / (v_hat.sqrt() + self.eps)
        p.state = m, v, self.t[i]
        """)])


@mistake("Adam", forbidden="torch.optim")
class IsAnOptimizerOfTorch(torch.optim.Adam):
    """torch.optim did the work: write out the formulas yourself."""

    lr = property(lambda self: self.param_groups[0]["lr"], lambda self, lr: self.param_groups[0].update(lr=lr))


ForgetsInZeroGrad = mistake.edited("for p in self.params:\n    p.grad = None",
    """
    for i, p in enumerate(self.params):
        if p.grad is None:
            self.m[i], self.v[i], self.t[i] = 0.0, 0.0, 0
        p.grad = None
    """,
    "m, v and t were forgotten while the parameter had no gradient, in step() or in zero_grad(): both must leave them unchanged.")


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


RunningPowers = alternative.edited("self.t = [0] * len(self.params)", "self.powers = [[1.0, 1.0] for _ in self.params]",
    "The powers of the betas are multiplied up step by step instead of being raised to t.",
    also=[
        ("self.t[i] += 1",
        "self.powers[i] = power1, power2 = [power * beta for power, beta in zip(self.powers[i], self.betas, strict=True)]"),
        ("beta1 ** self.t[i]", "power1"),
        ("beta2 ** self.t[i]", "power2"),
    ])

CountsTooLate = mistake.edited("self.t[i] += 1", "",
    "Your first step gives nan. One reason is that t is still 0, and 1 - beta ** 0 is 0: increase t before you use it.",
    also=[("p -= self.lr * m_hat / (v_hat.sqrt() + self.eps)", "p -= self.lr * m_hat / (v_hat.sqrt() + self.eps)\nself.t[i] += 1")],
    about="default_settings")

ForgetsTheRoot = mistake.edited("v_hat.sqrt()", "v_hat",
    "The step was divided by v without the square root: take the square root of the corrected v.",
    about="default_settings")

StopsAtAMissingGradient = mistake.edited("continue", "return",
    "step() ends at a parameter without a gradient, and the later ones do not move: continue with the next one.",
    about=("a_missing_gradient_is_no_step", "every_parameter_has_its_own_state"))

ForgetsTheAverages = mistake.edited("self.m[i] = m = ", "m = ",
    "m and v start at zero in every step: keep both from one step to the next.",
    also=[("self.v[i] = v = ", "v = ")])

AddsTheGradientInFull = mistake.edited("(1 - beta1) * g", "g",
    "m and v are sums, not averages: the new gradient counts 1 - beta1 in m, and its square 1 - beta2 in v.",
    also=[("(1 - beta2) * g**2", "g**2")])

WeighsTheOtherWay = mistake.edited("beta1 * m + (1 - beta1) * g", "(1 - beta1) * m + beta1 * g",
    "The two weights of each average are swapped: beta belongs to the old average, 1 - beta to the new gradient.",
    also=[("beta2 * v + (1 - beta2) * g**2", "(1 - beta2) * v + beta2 * g**2")],
    about=("default_settings", "betas_are_used"))

KeepsTheCorrectedAverages = mistake.edited("m_hat = m / ", "self.m[i] = m_hat = m / ",
    "The corrected averages were kept as m and v: correct them for this step only, and keep the uncorrected ones.",
    also=[("v_hat = v / ", "self.v[i] = v_hat = v / ")])

MultipliesInsteadOfThePower = mistake.edited("beta1 ** self.t[i]", "beta1 * self.t[i]",
    "The corrections use beta times t: raise beta to the power t.",
    also=[("beta2 ** self.t[i]", "beta2 * self.t[i]")])

CorrectsOnlyV = mistake.edited("m_hat = m / (1 - beta1 ** self.t[i])", "m_hat = m",
    "Only v was corrected: m starts at zero too, divide it by 1 - beta1 ** t.")

ClearsInPlace = mistake.edited("p.grad = None", "p.grad.zero_()",
    "zero_grad writes zeros into .grad, and fails where .grad is None: set every .grad to None.",
    about=("zero_grad_clears_the_gradients", "every_parameter_has_its_own_state"))

ClearsInStep = mistake.edited("p -= self.lr * m_hat / (v_hat.sqrt() + self.eps)",
    """
    p -= self.lr * m_hat / (v_hat.sqrt() + self.eps)
    p.grad = None
    """,
    "step() also cleared the gradients: leave .grad as it is, because clearing is the job of zero_grad().")

ClearsInStepWithZeros = mistake.edited("p -= self.lr * m_hat / (v_hat.sqrt() + self.eps)",
    """
    p -= self.lr * m_hat / (v_hat.sqrt() + self.eps)
    p.grad.zero_()
    """,
    "step() also cleared the gradients: leave .grad as it is, because clearing is the job of zero_grad().")

WalksUphill = mistake.edited("p -= self.lr * m_hat", "p += self.lr * m_hat",
    "The parameters move along the gradient, uphill: subtract lr times the quotient.",
    about="default_settings")

MovesANewTensor = mistake.edited("p -= self.lr * m_hat", "p = p - self.lr * m_hat",
    "The parameters do not move, as if the step went to a new tensor, like p = p - ...: change each parameter in place.",
    about="default_settings")
