"""Known mistakes and unusual but correct solutions for make_mlp and layer_outputs."""

import itertools

from torch import nn

from torchdojo.variants import alternative, mistake

HINTS = (
    "nn.Sequential takes modules as its arguments. For the results, go through the modules in a loop.",
    "The output size of one layer is the input size of the next. In the loop, the result of a module is the input of the next one, so "
    "give it the same name.",
    "Pass two linear layers with nn.ReLU() between them; both have n_hidden on one side. Start with x, call each module on the last "
    "result, and append what it returns.",
)


without_relu = mistake.edited("nn.Linear(n_in, n_hidden), nn.ReLU(), nn.Linear(n_hidden, n_out)",
    "nn.Linear(n_in, n_hidden), nn.Linear(n_hidden, n_out)",
    "nn.ReLU() is missing: without it the two layers collapse into a single linear layer.",
    common=True)

relu_at_the_end = mistake.edited("nn.ReLU(), nn.Linear(n_hidden, n_out)", "nn.Linear(n_hidden, n_out), nn.ReLU()",
    "Your ReLU comes last: it belongs between the two layers.")

relu_twice = mistake.edited("nn.Linear(n_hidden, n_out))", "nn.Linear(n_hidden, n_out), nn.ReLU())",
    "A second ReLU follows your last layer: nothing should come after that layer.")

another_activation = mistake.edited("nn.ReLU()", "nn.Tanh()",
    "You used another activation: the module in the middle is nn.ReLU().")

a_class_for_an_object = mistake.edited("nn.ReLU()", "nn.ReLU",
    "nn.Sequential takes objects, not classes or functions: nn.ReLU() makes an object.",
    pitfall="nn.ReLU is a class")

a_layer_more = mistake.edited("nn.Linear(n_hidden, n_out)", "nn.Linear(n_hidden, n_hidden), nn.ReLU(), nn.Linear(n_hidden, n_out)",
    "Your network has one linear layer too many: make two, with one ReLU between them.")

hidden_and_out_change_places = mistake.edited(
    "nn.Linear(n_in, n_hidden), nn.ReLU(), nn.Linear(n_hidden, n_out)", "nn.Linear(n_in, n_out), nn.ReLU(), nn.Linear(n_out, n_hidden)",
    "You swapped n_hidden and n_out: the first layer goes to n_hidden numbers.")

every_module_gets_x = mistake.edited("x = module(x)\nresults.append(x)", "results.append(module(x))",
    "Each of your modules got x itself: pass each one the result of the module before.",
    common=True)

x_is_among_them = mistake.edited("results = []", "results = [x]",
    "Your list starts with x itself: only results of modules belong in it.",
    pitfall="x itself is not one of the results")

appends_too_early = mistake.edited("x = module(x)\nresults.append(x)", "results.append(x)\nx = module(x)",
    "Each entry of your list is what the module got: call the module first, then append its result.",
    common=True)

one_tensor = mistake.edited("return results", "return x",
    "You returned the last result alone, as a tensor: collect the result of each module in a list.")

only_the_last = mistake.edited("return results", "return results[-1:]",
    "You returned only the last result: keep the result of each module.")

in_reverse = mistake.edited("return results", "return results[::-1]",
    "Your results are in reverse order: the first module's comes first.")


@alternative("make_mlp")
def one_module_at_a_time(n_in, n_hidden, n_out):
    """An empty nn.Sequential that grows."""
    model = nn.Sequential()
    for module in (nn.Linear(n_in, n_hidden), nn.ReLU(), nn.Linear(n_hidden, n_out)):
        model.append(module)
    return model


@alternative("layer_outputs")
def longer_and_longer_parts(model, x):
    """The first module, the first two, and so on."""
    return [model[: n + 1](x) for n in range(len(model))]


@alternative("layer_outputs")
def accumulated(model, x):
    """A running composition, without its start."""
    return list(itertools.accumulate(model.children(), lambda value, module: module(value), initial=x))[1:]
