"""Hidden checks for LoRALinear and adapter_state: the start, the change, what is trained, what is merged and saved."""

import torch
from torch import nn

from torchdojo.grading import check, gradients, shares_memory, tensor, upstream

CONCEPTS = ("L18",)

KEPT = {
    "it_starts_as_its_base": "the start, worth points without the change",
    "merged_equals_unmerged": "what merging is for, said by itself",
}


class oracle:
    """A layer whose weight is put together in each call, element by element of b and a."""

    class LoRALinear(nn.Module):
        def __init__(self, base, rank, alpha):
            super().__init__()
            self.base, self.alpha = base, alpha
            for p in base.parameters():
                p.requires_grad = False
            shape = {"dtype": base.weight.dtype, "device": base.weight.device}
            self.a = nn.Parameter(torch.linspace(1, 2, rank * base.in_features, **shape).reshape(rank, -1))
            self.b = nn.Parameter(torch.zeros(base.out_features, rank, **shape))

        def weight(self):
            rank = len(self.a)
            return self.base.weight + sum(self.b[:, r, None] * self.a[r] for r in range(rank)) * self.alpha / rank

        def forward(self, x):
            return nn.functional.linear(x, self.weight(), self.base.bias)

        def merged(self):
            result = nn.Linear(self.base.in_features, self.base.out_features, self.base.bias is not None).to(self.base.weight)
            result.load_state_dict({"weight": self.weight().detach(), **({} if self.base.bias is None else {"bias": self.base.bias})})
            return result

    def adapter_state(model):
        found = {}
        for name, module in model.named_modules():
            if isinstance(module, oracle.LoRALinear):
                for part in ("a", "b"):
                    found[(name + "." if name else "") + part] = getattr(module, part).detach()
        return found


def linear(weight, bias=True):
    """A layer with this weight."""
    layer = nn.Linear(weight.shape[1], weight.shape[0], bias).to(weight)
    with torch.no_grad():
        layer.weight.copy_(weight)
        if bias:
            layer.bias.copy_(torch.arange(len(weight), device=weight.device) / 4 - 1)
    return layer


def changed(solution, weight, rank, alpha, bias=True):
    """A module whose a and b depend on their places alone."""
    module = solution.LoRALinear(linear(weight, bias), rank, alpha).to(weight)
    with torch.no_grad():
        for k, p in enumerate((module.a, module.b)):
            p.copy_((((torch.arange(p.numel()) * 5 + 2 * k) % 7 - 2.5) / 4).reshape(p.shape))
    return module


WEIGHT, X = tensor("outputs inputs"), tensor("batch inputs")
LEAST = {"outputs": 1, "inputs": 1, "batch": 1}
SETTINGS = [(2, 8.0), (1, 0.5), (3, 3.0)]


@check(points=1, weight=WEIGHT, x=X, setting=SETTINGS, minimum=LEAST, random=True)
def it_starts_as_its_base(solution, weight, x, setting):
    """A new module gives the results of its base."""
    return solution.LoRALinear(linear(weight), *setting).to(weight)(x).detach()


@check(points=4, weight=WEIGHT, x=X, setting=SETTINGS, minimum=LEAST, random=True)
def gradients_reach_b_at_the_start(solution, weight, x, setting):
    """At the start b is zero and a is not, so that a gradient reaches b."""
    module = solution.LoRALinear(linear(weight), *setting).to(weight)
    y = module(torch.ones_like(x))
    return {
        "b is zero": not module.b.detach().any().item(),
        "a is zero": not module.a.detach().any().item(),
        "the gradient of b is zero": not gradients(y.sum(), [module.b])[0].any().item(),
    }


@check(points=2, weight=WEIGHT, x=X, setting=SETTINGS, minimum=LEAST)
def the_change_is_added(solution, weight, x, setting, rng):
    """The change b a, scaled by alpha / rank, is added to the base; its gradients are right."""
    module, x = changed(solution, weight, *setting), x.requires_grad_()
    y = module(x)
    found = gradients(y, [x, module.a, module.b], upstream(y, rng))
    return {"result": y.detach(), "gradient of x": found[0], "gradient of a": found[1], "gradient of b": found[2]}


@check(points=2, weight=WEIGHT, rank=[2, 1], minimum=LEAST, devices=False, random=True, beside=True)
def only_a_and_b_are_trained(solution, weight, rank):
    """The parameters are those of the base, which are frozen, and a and b with the right shapes."""
    module = solution.LoRALinear(linear(weight), rank, 1.0)
    named = dict(sorted(module.named_parameters()))
    seen = {name: "trained" if p.requires_grad else "frozen" for name, p in named.items()} | {f"shape of {name}": tuple(p.shape) for name, p in named.items()}
    return changed(solution, weight, 1, 1.0)(torch.ones_like(weight)).detach(), seen


@check(points=2, weight=WEIGHT, x=X, setting=SETTINGS, minimum=LEAST)
def merged_equals_unmerged(solution, weight, x, setting):
    """The merged layer is an nn.Linear that computes the same."""
    merged = changed(solution, weight, *setting).merged()
    return {"is an nn.Linear": isinstance(merged, nn.Linear), "result": merged(x).detach()}


@check(points=1, weight=WEIGHT, setting=SETTINGS, minimum=LEAST)
def merging_leaves_the_base_alone(solution, weight, setting):
    """After merging, even twice, the base is as before, and the merged layer has its own memory."""
    module = changed(solution, weight, *setting)
    before = [p.detach().clone() for p in module.base.parameters()]
    first, second = module.merged(), module.merged()
    after = list(module.base.parameters())
    return {
        "the base is unchanged": all(torch.equal(p, q) for p, q in zip(before, after, strict=True)),
        "the second merge gives the same": torch.equal(first.weight, second.weight),
        "it differs from the base": not torch.equal(first.weight, module.base.weight),
        "memory is shared": any(shares_memory(p, q) for p, q in zip(first.parameters(), after, strict=True)),
    }


def first(solution):
    return nn.Sequential(nn.Linear(2, 3), solution.LoRALinear(nn.Linear(3, 2), 1, 1.0))


def alone(solution):
    return solution.LoRALinear(nn.Linear(2, 2), 2, 1.0)


def inside(solution):
    """Other parameters are called a and b, and there is a buffer."""
    block = nn.ModuleDict({"norm": nn.BatchNorm1d(3), "proj": solution.LoRALinear(nn.Linear(3, 3), 2, 4.0), "out": nn.Linear(3, 1)})
    block.b = nn.Parameter(torch.ones(2))
    return nn.ModuleDict({"a": nn.Linear(1, 1), "blocks": nn.ModuleList([block, solution.LoRALinear(nn.Linear(2, 2), 1, 1.0)])})


def saved(solution, model):
    """The adapter's state of the model, with a number of its own in each a and b."""
    k = 0
    for name, p in model.named_parameters():
        if name.rpartition(".")[2] in ("a", "b"):
            k += 1
            p.data.fill_(k)
    return dict(solution.adapter_state(model))


@check(points=2, build=[first, inside], devices=False, random=True)
def the_adapter_is_saved_alone(solution, build):
    """The adapter's state has the a and b of each LoRALinear, and nothing else."""
    return saved(solution, build(solution))


@check(points=1, star=True, build=[alone], devices=False, random=True)
def the_model_may_be_the_layer(solution, build):
    """If the model itself is a LoRALinear, its a and b are saved under these names."""
    return saved(solution, build(solution))


@check(points=1, star=True, weight=WEIGHT, minimum=LEAST, random=True, beside=True)
def the_change_follows_the_base(solution, weight):
    """a and b have the dtype and the device of the base's weight."""
    module = solution.LoRALinear(linear(weight), 2, 1.0)
    seen = {name: (str(p.dtype), p.device == weight.device) for name, p in (("a", module.a), ("b", module.b))}
    return changed(solution, weight, 1, 1.0)(torch.ones_like(weight)).detach(), seen


@check(points=1, star=True, weight=WEIGHT, x=X, minimum=LEAST, beside=True)
def the_base_may_have_no_bias(solution, weight, x):
    """Without a bias in the base, the merged layer has none."""
    merged = changed(solution, weight, 1, 1.0, bias=False).merged()
    return merged(x).detach(), {"the merged layer has a bias": merged.bias is not None}
