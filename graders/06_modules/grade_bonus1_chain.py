"""Hidden checks for Chain."""

import torch
from torch import nn

from torchdojo.grading import Forbidden, check, gradients, mode_of, raises, tensor, upstream, watched

CONCEPTS = ("I02", "I06")

FORBIDS = {"nn.Sequential": "nn.Sequential"}
BECAUSE = "call the modules one after another yourself"
KEPT = {
    "there_is_no_sequential": "what is not allowed, said by name",
    "children_have_their_places_as_names": "the names, said by themselves",
    "modes_and_moves_reach_all": "what registering is good for, said by itself",
    "modules_run_in_order": "what a chain is for, worth points of its own",
    "a_loop_gives_the_modules": "a loop needs an end; this says so by name",
}


FORWARD = "torch.nn.modules.container.forward"  # of nn.Sequential; the other containers have none


class oracle:
    """nn.Sequential, which is just this, but for the names of a slice and the error outside."""

    class Chain(nn.Sequential):
        def __getitem__(self, index):
            modules = list(self)
            return type(self)(*modules[index]) if isinstance(index, slice) else modules[index]


def parts(device="cpu", dtype=torch.float32):
    """Five modules with fixed weights; the third is used twice."""
    layers = [nn.Linear(3, 4), nn.ReLU(), nn.Linear(4, 4), nn.Tanh()]
    with torch.no_grad():
        for layer in layers:
            for p in layer.parameters():
                p.copy_((torch.arange(p.numel()) * 3 % 7 - 3).reshape(p.shape) / 4)
    return [m.to(device=device, dtype=dtype) for m in layers] + [layers[2].to(device=device, dtype=dtype)]


def run(solution, x, modules):
    """The result of a chain of these modules, and which of them ran, by their hooks."""
    ran = []
    for place, module in enumerate(dict.fromkeys(modules)):
        module.register_forward_hook(lambda *_, place=place: ran.append(place))
    chain = solution.Chain(*modules)
    y = chain(x)
    return {"result": y, "x itself": y is x, "length": len(chain), "hooks of the modules": ran}


@check(points=2, x=tensor("batch 3"), count=[4, 1, 2, 3], aliasing="any")
def modules_run_in_order(solution, x, count, device):
    """Each module gets the result of the previous one."""
    return run(solution, x, parts(device, x.dtype)[:count])


@check(points=2, star=True, x=tensor("batch 3"), count=[5, 12, 0], aliasing="any")
def modules_may_repeat(solution, x, count, device):
    """A module may appear several times; there may be ten or more modules, or none."""
    modules = parts(device, x.dtype)
    modules = [*modules, *modules[1:], *modules[2:]][:count]
    chain = solution.Chain(*modules)
    found = [chain[place] for place in range(len(chain))]
    return run(solution, x, modules) | {
        "parameters": [name for name, _ in chain.named_parameters()],
        "a loop": [modules.index(m) for m in chain],
        "places": [modules.index(m) for m in found],
        "state": list(chain.state_dict()),
    }


@check(points=1, x=tensor("batch 3"), count=[4, 1], train=[True, False], minimum=1)
def gradients_flow_through_all(solution, x, count, train, rng, device):
    """Gradients flow back through all modules, to x and to the parameters."""
    x.requires_grad_()
    chain = solution.Chain(*parts(device, x.dtype)[:count]).train(train)
    y = chain(x)
    found = gradients(y, [x, *chain.parameters()], upstream(y, rng))
    return {"gradient of x": found[0], "gradients of the parameters": found[1:]}


@check(points=2, count=[4, 3, 1], devices=False)
def children_have_their_places_as_names(solution, count):
    """Parameters and state entries are named by index."""
    chain = solution.Chain(*parts()[:count])
    outer = solution.Chain(chain, nn.ReLU())
    return {
        "parameters": [name for name, _ in chain.named_parameters()],
        "state": list(chain.state_dict()),
        "children": sorted(name for name, _ in chain.named_modules(remove_duplicate=False)),
        "length of a chain in a chain": len(outer), "first module of a chain in a chain": outer[0] is chain,
    }  # fmt: skip


@check(points=2, index=[0, 1, 3, -1, -4, 2, 4, -5], devices=False)
def places_can_be_asked_for(solution, index):
    """chain[i] is the module at index i, from either end; out of range raises IndexError."""
    modules = parts()[:4]
    chain = solution.Chain(*modules)
    raised = raises(lambda: chain[index])
    found = chain[index] if raised == "no error" else None
    return {"raised": raised, "positions of this module": [i for i, m in enumerate(modules) if m is found]}


@check(points=2, bounds=[(1, 3), (None, None), (0, 0), (None, None, 2), (-2, None), (None, -1), (None, None, -1), (3, 99)], devices=False)
def slices_are_chains(solution, bounds):
    """A slice is a new chain of the same modules, named from 0 again."""
    modules = parts()[:4]
    chain = solution.Chain(*modules)
    part = chain[slice(*bounds)]
    places = [[i for i, m in enumerate(modules) if m is found] for found in part]
    names = sorted(name for name, _ in part.named_parameters())
    return {"a chain": type(part) is type(chain), "length": len(part), "modules": places, "names": names, "whole": len(chain)}


@check(points=1, count=[4, 2, 1], devices=False)
def a_loop_gives_the_modules(solution, count):
    """A for loop yields the modules in order, and so does a nested loop."""
    modules = parts()[:count]
    chain = solution.Chain(*modules)
    found = list(chain)
    pairs = sum(1 for _ in chain for _ in chain)
    return {"length": len(found), "in order": all(a is b for a, b in zip(found, modules, strict=False)), "pairs from two nested loops": pairs}


@check(points=1, star=True, x=tensor("batch 3"), wrong=["function", "list", "class"], minimum=1, devices=False, beside=True)
def only_modules_are_accepted(solution, x, wrong):
    """Anything that is not a module raises TypeError in the constructor."""
    things = {"function": torch.relu, "list": [nn.ReLU()], "class": nn.ReLU}
    right = solution.Chain(parts(dtype=x.dtype)[0])(x).detach()
    return right, {"error": raises(lambda: solution.Chain(nn.Linear(1, 1), things[wrong]))}


@check(points=1, kind=["modes"], devices=False)
def modes_and_moves_reach_all(solution, kind):
    """train, eval and to reach every module."""
    chain = solution.Chain(nn.Dropout(0.5), nn.Linear(2, 2), solution.Chain(nn.Dropout(0.1)))
    chain.eval()
    modes = {name or "the chain": mode_of(m) for name, m in chain.named_modules()}
    chain.train()
    both = {"eval": modes, "train": {name or "the chain": mode_of(m) for name, m in chain.named_modules()}}
    chain[0].eval()
    chain(torch.ones(1, 2))
    both["train, except for the first"] = {name or "the chain": mode_of(m) for name, m in chain.named_modules()}
    return both | {"double": [p.dtype for p in chain.double().parameters()]}


@check(points=1, x=tensor("batch 3"), count=[4, 2], minimum=1, allows=("nn.Sequential",))
def there_is_no_sequential(solution, x, count, device):
    """Your Chain does the work itself, without nn.Sequential."""
    chain = solution.Chain(*parts(device, x.dtype)[:count])
    found = watched(lambda: chain(x), FORWARD)
    return found.answer, ["a module" for m in chain.modules() if isinstance(m, nn.Sequential)] + found.called


@there_is_no_sequential.rule
def _(found):
    return Forbidden("you used nn.Sequential; call the modules one after another yourself") if found else None
