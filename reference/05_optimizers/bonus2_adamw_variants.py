"""Known mistakes and unusual but correct solutions for AdamW."""

import math

import torch

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


DecaysThroughTheGradient = mistake.edited("p -= self.lr * self.weight_decay * p", "g = p.grad + self.weight_decay * p",
    "The decay was added to the gradient, as in Adam with weight_decay: shrink the parameter directly.",
    also=[("(1 - beta1) * p.grad", "(1 - beta1) * g"), ("p.grad**2", "g**2")],
    pitfall="Decay that is added to the gradient")

DecaysTwice = mistake.edited(
    "p -= self.lr * self.weight_decay * p", "p -= self.lr * self.weight_decay * p\ng = p.grad + self.weight_decay * p",
    "The decay was applied twice, to the parameter and to the gradient: the averages see the plain gradient.",
    also=[("(1 - beta1) * p.grad", "(1 - beta1) * g"), ("p.grad**2", "g**2")])

DecaysAfterTheStep = mistake.edited("p -= self.lr * self.weight_decay * p", "",
    "The parameter was shrunk after it had moved: shrink first, then take the step.",
    also=[("p -= self.lr * m_hat / (v_hat.sqrt() + self.eps)",
        """
        p -= self.lr * m_hat / (v_hat.sqrt() + self.eps)
        p -= self.lr * self.weight_decay * p
        """)])

DecaysWithoutLr = mistake.edited("self.lr * self.weight_decay", "self.weight_decay",
    "The parameter was multiplied by 1 - weight_decay: lr belongs in there too, 1 - lr * weight_decay.")

NoDecay = mistake.edited("p -= self.lr * self.weight_decay * p", "",
    "weight_decay has no effect: shrink each parameter by lr * weight_decay of itself.")

GrowsTheParameters = mistake.edited("p -= self.lr * self.weight_decay * p", "p += self.lr * self.weight_decay * p",
    "The decay has the wrong sign: parameters must shrink toward 0.")

ShrinksWithoutGradient = mistake.edited("if p.grad is None:", "if p.grad is None:\n    p -= self.lr * self.weight_decay * p",
    "A parameter without a gradient was shrunk: leave it alone completely, decay included.",
    about=("a_missing_gradient_is_no_step", "every_parameter_has_its_own_state"))

FixesTheDecay = mistake.edited("self.lr * self.weight_decay", "self.lr * 0.01",
    "The weight_decay of the constructor has no effect: your step always uses 0.01.")

NoBiasCorrection = mistake.edited("m_hat = m / (1 - beta1 ** self.t[i])", "m_hat = m",
    "The averages start at zero and were not corrected: divide m by 1 - beta1 ** t and v by 1 - beta2 ** t.",
    also=[("v_hat = v / (1 - beta2 ** self.t[i])", "v_hat = v")])

CountsAllParametersTogether = mistake.edited(
    "beta1, beta2 = self.betas", "beta1, beta2 = self.betas\nself.t = [max(self.t)] * len(self.t)",
    "t increased in steps in which the parameter had no gradient. If all parameters share one t, give each its own, which "
    "counts only its own steps.")

SkipsZeroGradients = mistake.edited("if p.grad is None:", "if p.grad is None or not p.grad.any():",
    "A gradient of zeros was treated like a missing one: skip a parameter only if its .grad is None.")

LeavesRecordingOff = mistake.edited("@torch.no_grad()", "",
    "Grad mode is still off after step(): use `with torch.no_grad():`, which restores it.",
    also=[("beta1, beta2 = self.betas", "torch.set_grad_enabled(False)\nbeta1, beta2 = self.betas")])

KeepsTheFirstLr = mistake.edited("self.params = list(params)", "self.params = list(params)\nself.first_lr = lr",
    "A new value of lr has no effect: read self.lr in every step.",
    also=[("self.lr * self.weight_decay", "self.first_lr * self.weight_decay"), ("self.lr * m_hat", "self.first_lr * m_hat")])

DecaysByTheFirstLr = mistake.edited("self.params = list(params)", "self.params = list(params)\nself.decay = lr * weight_decay",
    "A new value of lr has no effect on the decay: compute lr * weight_decay in every step, not in the constructor.",
    also=[("self.lr * self.weight_decay", "self.decay")])

ClearsWithZeros = mistake.edited("p.grad = None", "if p.grad is not None:\n    p.grad = torch.zeros_like(p.grad)",
    "zero_grad left tensors of zeros: set every .grad to None.")

KeepsStateInFloat32 = mistake.edited(
    "self.m[i] = m = beta1 * m + (1 - beta1) * p.grad", "m = beta1 * m + (1 - beta1) * p.grad\nself.m[i] = m.float()",
    "The averages lose digits of a float64 parameter, so they are float32: make them with torch.zeros_like(p).",
    also=[("self.v[i] = v = beta2 * v + (1 - beta2) * p.grad**2",
        "v = beta2 * v + (1 - beta2) * p.grad**2\nself.v[i] = v.float()")])

SharesStateBetweenOptimizers = mistake.edited("self.t = [0]", "AdamW.t = [0]",
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


@mistake("AdamW", forbidden="torch.optim")
class IsAnOptimizerOfTorch(torch.optim.AdamW):
    """torch.optim did the work: write out the formulas yourself."""

    lr = property(lambda self: self.param_groups[0]["lr"], lambda self, lr: self.param_groups[0].update(lr=lr))


UsesUpTheGenerator = mistake.edited("self.t = [0] * len(self.params)",
    """
    self.t = [0] * len(self.params)
    if not isinstance(params, list):
        self.params = iter(self.params)
    """,
    "The generator is used up after the first loop: make a list of the parameters in the constructor.",
    also=[("strict=True", "strict=False")])

ForgetsInZeroGrad = mistake.edited("for p in self.params:\n    p.grad = None",
    """
    for i, p in enumerate(self.params):
        if p.grad is None:
            self.m[i], self.v[i], self.t[i] = 0.0, 0.0, 0
        p.grad = None
    """,
    "m, v and t were forgotten while the parameter had no gradient, in step() or in zero_grad(): both must leave them unchanged.")

CorrectsOnlyM = mistake.edited("v_hat = v / (1 - beta2 ** self.t[i])", "v_hat = v",
    "Only m was corrected: v starts at zero too, divide it by 1 - beta2 ** t.")

EpsInsideTheRoot = mistake.edited("v_hat.sqrt() + self.eps", "(v_hat + self.eps).sqrt()",
    "eps was added inside the square root: add it after the root. The difference matters where gradients are tiny.")

EpsBeforeTheCorrection = mistake.edited("(v_hat.sqrt() + self.eps)", "(v.sqrt() + self.eps) * (1 - beta2 ** self.t[i]) ** 0.5",
    "eps was added to sqrt(v) before v was corrected: correct v first, take the square root, then add eps.")

MovesIntoNewMemory = mistake.edited(
    "p -= self.lr * self.weight_decay * p", "p -= self.lr * self.weight_decay * p\np.data = p.data.clone()",
    "Views of the parameter don't see the step, as after p.data = ..., which gives it new memory: write into p in place.")

MovesByTheFirstLr = mistake.edited("self.params = list(params)", "self.params = list(params)\nself.first_lr = lr",
    "A new value of lr applies to the decay, but the step still uses the old one: read self.lr for both.",
    also=[("self.lr * m_hat", "self.first_lr * m_hat")])

StopsTheDecayAtZero = mistake.edited("p -= self.lr * self.weight_decay * p", "p *= max(0.0, 1 - self.lr * self.weight_decay)",
    "The factor 1 - lr * weight_decay was clipped at 0: if lr * weight_decay is above 1, the factor is negative and still applies.")

MultipliesByOneFactor = alternative.edited("p -= self.lr * self.weight_decay * p", "p.mul_(1 - self.lr * self.weight_decay)",
    "One multiplication in place instead of a subtraction.")


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

CountsTooLate = mistake.edited("self.t[i] += 1", "",
    "Your first step gives nan. One reason is that t is still 0, and 1 - beta ** 0 is 0: increase t before you use it.",
    also=[("p -= self.lr * m_hat / (v_hat.sqrt() + self.eps)", "p -= self.lr * m_hat / (v_hat.sqrt() + self.eps)\nself.t[i] += 1")])

ForgetsTheRoot = mistake.edited("v_hat.sqrt()", "v_hat",
    "The step was divided by v without the square root: take the square root of the corrected v.")

StopsAtAMissingGradient = mistake.edited("continue", "return",
    "step() ends at a parameter without a gradient, and the later ones do not move: continue with the next one.",
    about=("a_missing_gradient_is_no_step", "every_parameter_has_its_own_state"))

ForgetsTheAverages = mistake.edited("self.m[i] = m = ", "m = ",
    "m and v start at zero in every step: keep both from one step to the next.",
    also=[("self.v[i] = v = ", "v = ")])

AddsTheGradientInFull = mistake.edited("(1 - beta1) * p.grad", "p.grad",
    "m and v are sums, not averages: the new gradient counts 1 - beta1 in m, and its square 1 - beta2 in v.",
    also=[("(1 - beta2) * p.grad**2", "p.grad**2")])

WeighsTheOtherWay = mistake.edited("beta1 * m + (1 - beta1) * p.grad", "(1 - beta1) * m + beta1 * p.grad",
    "The two weights of each average are swapped: beta belongs to the old average, 1 - beta to the new gradient.",
    also=[("beta2 * v + (1 - beta2) * p.grad**2", "(1 - beta2) * v + beta2 * p.grad**2")])

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
    "The parameters move along the gradient, uphill: subtract lr times the quotient.")

MultipliesByTheDecay = mistake.edited("p -= self.lr * self.weight_decay * p", "p *= self.lr * self.weight_decay",
    "The parameter was multiplied by lr * weight_decay: multiply it by 1 - lr * weight_decay.")

SubtractsTheDecayItself = mistake.edited("p -= self.lr * self.weight_decay * p", "p -= self.lr * self.weight_decay",
    "The same number was subtracted everywhere: the decay is lr * weight_decay times the parameter.")

DecaysANewTensor = mistake.edited("p -= self.lr * self.weight_decay * p", "p = p - self.lr * self.weight_decay * p",
    "The parameters do not move, as if the step went to a new tensor, like p = p - ...: change each parameter in place.",
    also=[("m = beta1 * m + (1 - beta1) * p.grad", "m = beta1 * m + (1 - beta1) * self.params[i].grad"), ("p.grad**2", "self.params[i].grad**2")])

DecaysThroughLrAndTheGradient = mistake.edited("p -= self.lr * self.weight_decay * p", "g = p.grad + self.lr * self.weight_decay * p",
    "The decay was added to the gradient, as in Adam with weight_decay: shrink the parameter directly.",
    also=[("(1 - beta1) * p.grad", "(1 - beta1) * g"), ("p.grad**2", "g**2")])

MovesANewTensor = mistake.edited("p -= self.lr * m_hat", "p = p - self.lr * m_hat",
    "Only the decay moves the parameters, as if the step went to a new tensor, like p = p - ...: change each parameter in place.")
