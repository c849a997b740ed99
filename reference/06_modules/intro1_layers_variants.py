"""Known mistakes and unusual but correct solutions for make_layer, parameter_shapes and freeze."""

from torch import nn

from torchdojo.variants import alternative, mistake

HINTS = (
    "nn.Linear makes the layer. The other two functions go through the parameters of the module.",
    "named_parameters() gives names and parameters, those of children included; parameters() gives the parameters alone. "
    "requires_grad is an attribute of each parameter.",
    "Pass the two sizes to nn.Linear in their order. Make a dict with a name and a shape for each pair of named_parameters(). In "
    "freeze, a loop sets requires_grad to False for each parameter.",
)
EQUIVALENT = {
    'swap_builtin: return {name: p.shape for name, p in module.named_parameters()}': "a torch.Size is a tuple",
}


sizes_change_places = mistake.edited("nn.Linear(n_in, n_out)", "nn.Linear(n_out, n_in)",
    "You swapped the sizes: nn.Linear takes the input size first.",
    common=True,
    pitfall="The layer takes its sizes as (in, out)")

without_a_bias = mistake.edited("nn.Linear(n_in, n_out)", "nn.Linear(n_in, n_out, bias=False)",
    "Your layer has no bias: nn.Linear has one unless you turn it off.")

counts_for_shapes = mistake.edited("tuple(p.shape)", "(p.numel(),)",
    "You returned the number of elements: the shape of a parameter is p.shape.")

gives_the_parameters = mistake.edited("tuple(p.shape)", "p",
    "You returned the parameters themselves: the shape of a parameter is p.shape.")

without_the_names_of_the_children = mistake.edited(
    "for name, p in module.named_parameters()}", "for child in module.children() for name, p in child.named_parameters()}",
    'The module\'s own parameters are missing, and so is the name of the child, as in "0.weight": '
    "module.named_parameters() gives all of them.")

only_the_weights = mistake.edited("module.named_parameters()}", 'module.named_parameters() if name.endswith("weight")}',
    "The biases are missing: named_parameters() gives all parameters.")

only_its_own = mistake.edited("module.named_parameters()}", "module.named_parameters(recurse=False)}",
    "You left out the parameters of the children: named_parameters() goes through them, too.")

buffers_as_well = mistake.edited("module.named_parameters()}", "module.state_dict().items()}",
    "Your dict has buffers, too, such as the running mean of batch norm: state_dict() holds them, named_parameters() does not.")

freezes_the_module = mistake.edited("for p in module.parameters():\n    p.requires_grad = False", "module.requires_grad = False",
    "No parameter was frozen: set requires_grad of each parameter. An attribute of that name on the module itself is not read.",
    common=True,
    pitfall="sets an attribute that nobody reads")

freezes_the_weights = mistake.edited("for p in module.parameters():",
    'for p in (p for name, p in module.named_parameters() if name.endswith("weight")):',
    "The biases still require grad: freeze all parameters.")

the_method_of_the_module = alternative.edited("for p in module.parameters():\n    p.requires_grad = False", "module.requires_grad_(False)",
    "One method does it for all parameters.")

with_dict = alternative.edited("{name: tuple(p.shape) for name, p in module.named_parameters()}",
    "dict((name, p.size()) for name, p in module.named_parameters())",
    "A dict of pairs, with the sizes that PyTorch gives.")


@alternative("make_layer")
def a_layer_of_its_own(n_in, n_out):
    """A subclass is a linear layer, too."""

    class Layer(nn.Linear):
        pass

    return Layer(n_in, n_out)
