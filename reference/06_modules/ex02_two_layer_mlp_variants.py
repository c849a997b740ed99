"""Known mistakes and unusual but correct solutions for TwoLayerMLP."""

from torchdojo.variants import alternative, mistake

EQUIVALENT = {
    "in_place: return self.fc2(torch.relu_(self.fc1(x)))": "works on a temporary tensor that nobody else sees",
}

HINTS = (
    "Print the model and its state_dict keys. Are both layers there, under the names that the text asks for?",
    "Layers are created once, in __init__, and become part of the module when they are assigned to self, "
    "after the parent class has been set up. forward only uses them.",
    "In __init__ call the parent's __init__, then create two nn.Linear that share the size n_hidden. In "
    "forward send x through the first, the result through ReLU, and that through the second.",
)


NoSuperInit = mistake.edited("super().__init__()", "",
    "super().__init__() is missing or too late: call it first; it creates the dicts that hold layers and parameters.",
    pitfall="before super().__init__() has run")

NoReLU = mistake.edited("torch.relu(self.fc1(x))", "self.fc1(x)",
    "No ReLU acts between the layers, so they collapse into a single linear layer: apply it to the result of fc1.")

ReLUOnTheOutput = mistake.edited("self.fc2(torch.relu(self.fc1(x)))", "torch.relu(self.fc2(torch.relu(self.fc1(x))))",
    "ReLU follows the last layer too, so the model can never predict a negative number: end with fc2.")

ReLUOnlyOnTheOutput = mistake.edited("self.fc2(torch.relu(self.fc1(x)))", "torch.relu(self.fc2(self.fc1(x)))",
    "ReLU comes after fc2 instead of between the layers.")

ReLUOnTheInput = mistake.edited("torch.relu(self.fc1(x))", "self.fc1(torch.relu(x))",
    "ReLU was applied to x before the first layer: it belongs on the result of fc1.")

ReLUInPlaceOnTheInput = mistake.edited("return self.fc2(",
    """
    with torch.no_grad():
        x.relu_()
    return self.fc2(
    """,
    "The caller's x was changed, as by relu_ or inplace=True, which write into their input: ReLU belongs on the result of fc1.")

FlattensTheInput = mistake.edited("self.fc1(x)", "self.fc1(torch.flatten(x, 1))",
    "Some inputs with more or fewer than two axes raise an error: nn.Linear works on the last axis and keeps the others, so x needs no flatten or reshape.")

AnotherActivation = mistake.edited("torch.relu(", "torch.tanh(",
    "The activation between the layers is tanh: use ReLU.")

SigmoidForReLU = mistake.edited("torch.relu(", "torch.sigmoid(",
    "The activation between the layers is a sigmoid: use ReLU.")

LeakyReLU = mistake.edited("torch.relu(", "nn.functional.leaky_relu(",
    "Negative hidden values are made small instead of 0, as by a leaky ReLU: use ReLU.")

GELU = mistake.edited("torch.relu(", "nn.functional.gelu(",
    "The activation between the layers is a GELU: use ReLU.")

LayersInAList = mistake.edited(
    """
    self.fc1 = nn.Linear(n_in, n_hidden)
    self.fc2 = nn.Linear(n_hidden, n_out)
    """,
    "self.layers = [nn.Linear(n_in, n_hidden), nn.Linear(n_hidden, n_out)]",
    "The layers are not registered, as in a plain Python list, which parameters() and state_dict() do not search: assign each to self.",
    also=[("self.fc2(torch.relu(self.fc1(x)))", "self.layers[1](torch.relu(self.layers[0](x)))")])

SizesDoNotMeet = mistake.edited("nn.Linear(n_hidden, n_out)", "nn.Linear(n_in, n_out)",
    "fc2 doesn't accept the output of fc1: its first size must be n_hidden.")

AlwaysSixteen = mistake.edited("nn.Linear(n_in, n_hidden)", "nn.Linear(n_in, 16)",
    "The hidden size is always 16: use n_hidden.",
    also=[("nn.Linear(n_hidden, n_out)", "nn.Linear(16, n_out)")])

NoBiases = mistake.edited("nn.Linear(n_in, n_hidden)", "nn.Linear(n_in, n_hidden, bias=False)",
    "The layers have no bias: leave nn.Linear's bias on.",
    also=[("nn.Linear(n_hidden, n_out)", "nn.Linear(n_hidden, n_out, bias=False)")],
    about="layers_are_registered_under_their_names")

OtherNames = mistake.edited("self.fc1 = nn", "self.hidden = nn",
    "The layers have other names than fc1 and fc2, so a saved state_dict does not fit: rename the attributes.",
    also=[
        ("self.fc2 = nn", "self.output = nn"),
        ("self.fc2(torch.relu(self.fc1(x)))", "self.output(torch.relu(self.hidden(x)))"),
    ])

UsesSequential = mistake.edited(
    """
    self.fc1 = nn.Linear(n_in, n_hidden)
    self.fc2 = nn.Linear(n_hidden, n_out)
    """,
    "self.net = nn.Sequential(nn.Linear(n_in, n_hidden), nn.ReLU(), nn.Linear(n_hidden, n_out))",
    "nn.Sequential does the work: write fc1 and fc2 and forward yourself.",
    also=[("self.fc2(torch.relu(self.fc1(x)))", "self.net(x)")], forbidden="nn.Sequential")

NewLayerInForward = mistake.edited("return self.fc2(torch.relu(self.fc1(x)))",
    """
    fc2 = nn.Linear(self.fc1.out_features, self.fc2.out_features, device=x.device, dtype=x.dtype)
    return fc2(torch.relu(self.fc1(x)))
    """,
    "forward creates a layer, so every call has new random weights: create layers in __init__ and reuse them.")

SqueezesTheOutput = mistake.edited("self.fc2(torch.relu(self.fc1(x)))", "self.fc2(torch.relu(self.fc1(x))).squeeze(-1)",
    "The last axis is gone when n_out is 1: return the output of fc2, with shape (..., n_out).")

SqueezesASingleNumber = mistake.edited(
    "return self.fc2(torch.relu(self.fc1(x)))", "y = self.fc2(torch.relu(self.fc1(x)))\nreturn y.squeeze() if y.dim() == 1 else y",
    "For one sample without leading axes the last axis is gone when n_out is 1: the result has shape (n_out,) there, too.")

SequentialInForward = mistake.edited("self.fc2(torch.relu(self.fc1(x)))", "nn.Sequential(self.fc1, nn.ReLU(), self.fc2)(x)",
    "forward makes an nn.Sequential: call the layers one after another yourself.", forbidden="nn.Sequential")

CutsTheGraphInEval = mistake.edited("return self.fc2(torch.relu(self.fc1(x)))",
    """
    with torch.set_grad_enabled(self.training and torch.is_grad_enabled()):
        return self.fc2(torch.relu(self.fc1(x)))
    """,
    "In eval mode no gradient flows back: eval mode doesn't turn off gradients; that is left to the caller's no_grad.")

EndsAtAHundred = mistake.edited("torch.relu(self.fc1(x))", "self.fc1(x).clamp(0, 100)",
    "Hidden values above a limit are clipped (clamp with both bounds): ReLU has no upper bound.")

RemembersTheHiddenLayer = mistake.edited("return self.fc2(torch.relu(self.fc1(x)))",
    """
    if getattr(self, "kept", None) is None or self.kept.shape[:-1] != x.shape[:-1]:
        self.kept = torch.relu(self.fc1(x))
    return self.fc2(self.kept)
    """,
    "The output of the hidden layer is stored and reused, although x or the weights have changed by then: compute it in every "
    "call.")

CutsOffAtSix = mistake.edited("torch.relu(", "nn.functional.relu6(",
    "The hidden values have an upper bound (relu6, or clamp with both bounds): ReLU has none.")

KeepsTheLayersInAList = mistake.edited("self.fc2 = nn.Linear(n_hidden, n_out)",
    """
    self.fc2 = nn.Linear(n_hidden, n_out)
    self.layers = nn.ModuleList([self.fc1, self.fc2])
    """,
    "The layers are registered twice, under fc1 and fc2 and in a container: the state_dict must have exactly four keys.")

ClampAsReLU = alternative.edited("torch.relu(self.fc1(x))", "self.fc1(x).clamp(min=0)",
    "ReLU is the larger of the value and zero.")

ReLUAsChild = alternative.edited(
    "self.fc2 = nn.Linear(n_hidden, n_out)", "self.act = nn.ReLU(inplace=True)\nself.fc2 = nn.Linear(n_hidden, n_out)",
    "The activation is a child module without parameters; in-place ReLU on the hidden layer is safe.",
    also=[("return self.fc2(torch.relu(self.fc1(x)))",
        """
        for child in self.children():
            x = child(x)
        return x
        """)])

FunctionsOnParameters = alternative.edited("return self.fc2(torch.relu(self.fc1(x)))",
    """
    hidden = nn.functional.relu(x @ self.fc1.weight.T + self.fc1.bias)
    return nn.functional.linear(hidden, self.fc2.weight, self.fc2.bias)
    """,
    "Only the parameters of the layers are used, with the functional forms.")
