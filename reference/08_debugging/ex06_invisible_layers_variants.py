"""Known mistakes and unusual but correct solutions for LayerStack and prepare_finetuning."""

from torchdojo.variants import alternative, mistake

HINTS = (
    "Print the names of the model's parameters, and compare the ids of the optimizer's parameters with the model's.",
    "A module registers modules that are assigned to an attribute. PyTorch has a list of its own that is a "
    "module. And an optimizer holds the tensors that existed when it was made.",
    "Wrap the list of hidden layers in nn.ModuleList. In prepare_finetuning make the head first, with the "
    "dtype and device of the old weight, and the optimizer last.",
)

EQUIVALENT = {
    "in_place-L20-1": "the result of the layer is a tensor of our own, and a linear layer does not need it for backward",
}


hides_the_layers_and_the_head = mistake.edited("nn.ModuleList(", "list(",
    "The module does not see the hidden layers, because it does not search a Python list or dict: use nn.ModuleList. And the "
    "optimizer lacks the new head: make the head first, like the old one, then the optimizer.",
    also=[
        ("old = model.head.weight", "opt = torch.optim.SGD(model.parameters(), lr=lr)"),
        (", classes, device=old.device, dtype=old.dtype)", ", classes)"),
        ("return torch.optim.SGD(model.parameters(), lr=lr)", "return opt"),
    ])

KeepsThePythonList = mistake.edited("nn.ModuleList(", "list(",
    "The module does not see the hidden layers, because it does not search a Python list or dict: use nn.ModuleList.",
    about=("names_every_layer", "applies_every_layer"),
    pitfall="does not look into a Python list")

MakesLayersInForward = mistake.edited(
    "self.hidden = nn.ModuleList(nn.Linear(sizes[i], sizes[i + 1]) for i in range(len(sizes) - 2))", "self.sizes = list(sizes)",
    "Each forward creates new hidden layers with new random weights: create them once, in __init__.",
    also=[("for layer in self.hidden:",
        """
        sizes = self.sizes
        self.hidden = nn.ModuleList(nn.Linear(sizes[i], sizes[i + 1]) for i in range(len(sizes) - 2))
        for layer in self.hidden.to(dtype=x.dtype, device=x.device):
        """)])

NamesLayersOneByOne = mistake.edited(
    "self.hidden = nn.ModuleList(nn.Linear(sizes[i], sizes[i + 1]) for i in range(len(sizes) - 2))",
    """
    self.count = len(sizes) - 2
    for i in range(self.count):
        self.add_module(f"hidden{i}", nn.Linear(sizes[i], sizes[i + 1]))
    """,
    "The model has no self.hidden: state_dict must have hidden.0.weight and so on, as self.hidden = nn.ModuleList(...) gives them.",
    also=[("for layer in self.hidden:\n    x = torch.relu(layer(x))",
        """
        for i in range(self.count):
            x = torch.relu(getattr(self, f"hidden{i}")(x))
        """)])

CountsTheRelus = mistake.edited(
    "self.hidden = nn.ModuleList(nn.Linear(sizes[i], sizes[i + 1]) for i in range(len(sizes) - 2))",
    """
    self.hidden = nn.Sequential()
    for i in range(len(sizes) - 2):
        self.hidden.append(nn.Linear(sizes[i], sizes[i + 1])).append(nn.ReLU())
    """,
    "The relus have numbers in the nn.Sequential too, so the second linear layer is hidden.2: the linear layers alone are "
    "numbered.",
    also=[("torch.relu(layer(x))", "layer(x)")])

PutsTheHeadIntoTheList = mistake.edited("len(sizes) - 2", "len(sizes) - 1",
    "The head is in the list as well, so it has a second name in state_dict: keep it apart.",
    also=[("nn.Linear(sizes[-2], sizes[-1])", "self.hidden[-1]"), ("in self.hidden:", "in self.hidden[:-1]:")])

ReluAfterTheHead = mistake.edited("self.head(x)", "torch.relu(self.head(x))",
    "There is a relu after the head: the scores of the classes may be negative.")

HidesParametersFromNames = mistake.edited("nn.ModuleList(", "list(",
    "The layers are still in a Python list; only parameters() was told of them. state_dict and to() do not see them: use "
    "nn.ModuleList.",
    also=[("def forward(self, x: torch.Tensor) -> torch.Tensor:",
        """
        def parameters(self, recurse=True):
            for layer in [*self.hidden, self.head]:
                yield from layer.parameters()

        def forward(self, x: torch.Tensor) -> torch.Tensor:
        """)],
    about=("names_every_layer", "applies_every_layer"))

GivesEverySampleABatch = mistake.edited("for layer in self.hidden:",
    """
    if x.ndim == 1:
        x = x.unsqueeze(0)
    for layer in self.hidden:
    """,
    "A single sample came back with an extra axis: leave x as it is, because nn.Linear takes any number of leading axes.")

takes_every_name_with_head = mistake.edited(
    "model.parameters()", '[*model.head.parameters(), *(p for name, p in model.named_parameters() if "head" not in name)]',
    'Every parameter with "head" anywhere in its name was left out, not only those of model.head: use all of model.parameters().')

takes_every_name_that_begins_with_head = mistake.edited("model.parameters()",
    '[*model.head.parameters(), *(p for name, p in model.named_parameters() if not name.startswith("head"))]',
    'Parameters whose name begins with "head" were taken for those of model.head, and so are in no group: another layer may be called header. Use all of model.parameters().')

makes_the_optimizer_first = mistake.edited(
    "old = model.head.weight", "old = model.head.weight\nopt = torch.optim.SGD(model.parameters(), lr=lr)",
    "The optimizer holds the old head's parameters and not the new ones: make the new head first, then the optimizer, from model.parameters().",
    also=[("return torch.optim.SGD(model.parameters(), lr=lr)", "return opt")],
    pitfall="An optimizer keeps the parameters that it was given")

adds_the_head_and_keeps_the_old_one = mistake.edited(
    "old = model.head.weight", "old = model.head.weight\nopt = torch.optim.SGD(model.parameters(), lr=lr)",
    "The optimizer holds the new head, but still the old one, too: make the new head first, then the optimizer, from model.parameters().",
    also=[("return torch.optim.SGD(model.parameters(), lr=lr)",
        'opt.add_param_group({"params": model.head.parameters()})\nreturn opt')])

trains_the_head_only = mistake.edited("model.parameters()", "model.head.parameters()",
    "The optimizer holds the head alone: it must hold every parameter of the model.")

leaves_out_frozen_parameters = mistake.edited("model.parameters()", "[p for p in model.parameters() if p.requires_grad]",
    "Frozen parameters are missing from the optimizer: it must hold every parameter of the model.")

head_in_the_default_dtype = mistake.edited(", classes, device=old.device, dtype=old.dtype)", ", classes)",
    "The new head has the default dtype and is on the CPU: give it the dtype and the device of the old head.")

head_on_the_device_alone = mistake.edited(", dtype=old.dtype)", ")",
    "The new head is on the device of the old head, but has the default dtype: give it the old head's dtype, too.")

keeps_a_head_that_fits = mistake.edited(
    "model.head = nn.Linear(", "if model.head.out_features != classes:\n    model.head = nn.Linear(",
    "The old head was kept because its size fits: the new task starts from a new one.")

unfreezes_everything = mistake.edited("model.parameters()", "model.requires_grad_(True).parameters()",
    "All parameters require grad now: those that the caller froze stay frozen.")

adds_weight_decay = mistake.edited("lr=lr)", "lr=lr, weight_decay=1e-2)",
    "The optimizer has a weight decay that the exercise does not ask for: a step subtracts lr times the gradient and nothing else.")

starts_the_head_at_zero = mistake.edited("return torch.optim.SGD(",
    """
    for parameter in model.head.parameters():
        nn.init.zeros_(parameter)
    return torch.optim.SGD(
    """,
    "The new head does not start with the values that nn.Linear chooses: take them as they come.")

SharesLayersOfOneSize = mistake.edited(
    "self.hidden = nn.ModuleList(nn.Linear(sizes[i], sizes[i + 1]) for i in range(len(sizes) - 2))",
    """
    made = {pair: nn.Linear(*pair) for pair in zip(sizes, sizes[1:-1])}
    self.hidden = nn.ModuleList(made[pair] for pair in zip(sizes, sizes[1:-1]))
    """,
    "Hidden layers of equal size are the same layer: make a separate layer for each position.",
    about=("names_every_layer", "applies_every_layer"))

copies_the_old_rows = mistake.edited("return torch.optim.SGD(",
    """
    with torch.no_grad():
        model.head.weight[: len(old)] = old[:classes]
    return torch.optim.SGD(
    """,
    "The rows of the old head were copied into the new one: it starts with new values, which nn.Linear draws.")

takes_the_layers_one_by_one = mistake.edited(
    "model.parameters()", '[{"params": list(part.parameters(recurse=False))} for part in model.modules()]',
    "A parameter that two layers share was given to the optimizer twice: model.parameters() gives each one once.")

takes_the_children_only = mistake.edited("model.parameters()", "[p for part in model.children() for p in part.parameters()]",
    "Parameters that belong to the model itself, and to none of its layers, are missing from the optimizer: use all of model.parameters().")

casts_the_whole_model = mistake.edited("model.parameters()", "model.to(device=old.device, dtype=old.dtype).parameters()",
    "The whole model was moved and converted, so parameters of another dtype than the head's changed theirs: only the new "
    "head is made like the old one.")

head_like_the_first_parameter = mistake.edited("old = model.head.weight", "old = next(model.parameters())",
    "The new head was made like the first parameter of the model, which may have another dtype: use the old head's.")

SequentialOfLinears = alternative.edited("nn.ModuleList(nn.Linear(sizes[i], sizes[i + 1]) for i in range(len(sizes) - 2))",
    "nn.Sequential(*[nn.Linear(a, b) for a, b in zip(sizes[:-2], sizes[1:-1], strict=True)])",
    "An nn.Sequential used as a list; the relus are in forward.",
    also=[("torch.relu(layer(x))", "layer(x).clamp(min=0)")])

AppendsOneByOne = alternative.edited(
    "self.hidden = nn.ModuleList(nn.Linear(sizes[i], sizes[i + 1]) for i in range(len(sizes) - 2))",
    """
    self.hidden = nn.ModuleList()
    for i in range(len(sizes) - 2):
        self.hidden.append(nn.Linear(sizes[i], sizes[i + 1]))
    """,
    "An empty ModuleList that is filled in a loop, and an index in forward.",
    also=[("for layer in self.hidden:\n    x = torch.relu(layer(x))",
        """
        for i in range(len(self.hidden)):
            x = nn.functional.relu(self.hidden[i](x))
        """)])

knows_float64_only = mistake.edited(", dtype=old.dtype)",
    """
    )
    if old.dtype == torch.float64:
        model.head.double()
    """,
    "The new head is float64 if the old one was, and otherwise float32, even for a bfloat16 head: use the dtype of the old weight.")

one_group_for_the_head = alternative.edited("return torch.optim.SGD(model.parameters(), lr=lr)",
    """
    head = {id(parameter) for parameter in model.head.parameters()}
    opt = torch.optim.SGD(model.head.parameters(), lr=lr)
    body = [parameter for parameter in model.parameters() if id(parameter) not in head]
    if body:
        opt.add_param_group({"params": body})
    return opt
    """,
    "The head first, then the body in a group of its own.")

says_what_is_usual = alternative.edited("torch.optim.SGD(model.parameters(), lr=lr)",
    'torch.optim.SGD([{"params": [p]} for p in model.parameters()], lr=lr, momentum=0.0, weight_decay=0.0, nesterov=False)',
    "Names the settings that are the default, and gives each parameter a group.")

ReluOnceAfterAllLayers = mistake.edited("for layer in self.hidden:\n    x = torch.relu(layer(x))", "for layer in self.hidden:\n    x = layer(x)\nx = torch.relu(x)",
    "There is one relu after all hidden layers together: apply relu after each of them.")

MakesOneLayerTooMany = mistake.edited("len(sizes) - 2", "len(sizes) - 1",
    "There is one hidden layer too many: the hidden layers end at sizes[-2], the input size of the head.")

adds_momentum = mistake.edited("lr=lr)", "lr=lr, momentum=0.9)",
    "The optimizer has a momentum that the exercise does not ask for: a step subtracts lr times the gradient and nothing else.")

does_not_assign_the_head = mistake.edited("model.head = nn.Linear(", "head = nn.Linear(",
    "The model still has the old head: assign the new one to model.head.")

head_from_the_old_output = mistake.edited("model.head.in_features", "model.head.out_features",
    "The new head has the wrong input size: take the input size of the old head, not its output size.")
