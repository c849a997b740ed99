"""Known mistakes and odd-but-correct solutions for TwoLayerMLP."""

import torch
from ex02_two_layer_mlp import TwoLayerMLP
from torch import nn

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


@mistake("TwoLayerMLP")
class NoSuperInit(TwoLayerMLP):
    """super().__init__() is missing or too late: call it first; it creates the dicts that hold layers and
    parameters."""

    def __init__(self, n_in=1, n_hidden=16, n_out=1):
        self.fc1 = nn.Linear(n_in, n_hidden)
        self.fc2 = nn.Linear(n_hidden, n_out)


@mistake("TwoLayerMLP")
class NoReLU(TwoLayerMLP):
    """There is nothing between the layers, so they collapse into a single linear layer: put ReLU in between."""

    def forward(self, x):
        return self.fc2(self.fc1(x))


@mistake("TwoLayerMLP")
class ReLUOnTheOutput(TwoLayerMLP):
    """ReLU follows the last layer too, so the model can never predict a negative number: end with fc2."""

    def forward(self, x):
        return torch.relu(self.fc2(torch.relu(self.fc1(x))))


@mistake("TwoLayerMLP")
class ReLUOnlyOnTheOutput(TwoLayerMLP):
    """ReLU comes after fc2 instead of between the layers."""

    def forward(self, x):
        return torch.relu(self.fc2(self.fc1(x)))


@mistake("TwoLayerMLP")
class ReLUOnTheInput(TwoLayerMLP):
    """ReLU was applied to x before the first layer: it belongs on the result of fc1."""

    def forward(self, x):
        return self.fc2(self.fc1(torch.relu(x)))


@mistake("TwoLayerMLP")
class ReLUInPlaceOnTheInput(TwoLayerMLP):
    """relu_ changed the caller's x: a trailing underscore means in place.
    ReLU belongs on the result of fc1.
    """

    def forward(self, x):
        with torch.no_grad():
            x.relu_()
        return self.fc2(torch.relu(self.fc1(x)))


@mistake("TwoLayerMLP")
class AnotherActivation(TwoLayerMLP):
    """The activation between the layers is tanh: use ReLU."""

    def forward(self, x):
        return self.fc2(torch.tanh(self.fc1(x)))


@mistake("TwoLayerMLP")
class LayersInAList(nn.Module):
    """The layers are in a plain Python list, where parameters() and state_dict() do not look: assign them to self."""

    def __init__(self, n_in=1, n_hidden=16, n_out=1):
        super().__init__()
        self.layers = [nn.Linear(n_in, n_hidden), nn.Linear(n_hidden, n_out)]

    def forward(self, x):
        return self.layers[1](torch.relu(self.layers[0](x)))


@mistake("TwoLayerMLP")
class SizesDoNotMeet(TwoLayerMLP):
    """fc2 doesn't accept the output of fc1: its first size must be n_hidden."""

    def __init__(self, n_in=1, n_hidden=16, n_out=1):
        super().__init__(n_in, n_hidden, n_out)
        self.fc2 = nn.Linear(n_in, n_out)


@mistake("TwoLayerMLP")
class AlwaysSixteen(TwoLayerMLP):
    """The hidden size is always 16: use n_hidden."""

    def __init__(self, n_in=1, n_hidden=16, n_out=1):
        super().__init__(n_in, 16, n_out)


@mistake("TwoLayerMLP")
class NoBiases(TwoLayerMLP):
    """The layers have no bias: leave nn.Linear's bias on."""

    def __init__(self, n_in=1, n_hidden=16, n_out=1):
        super().__init__(n_in, n_hidden, n_out)
        self.fc1 = nn.Linear(n_in, n_hidden, bias=False)
        self.fc2 = nn.Linear(n_hidden, n_out, bias=False)


@mistake("TwoLayerMLP")
class OtherNames(nn.Module):
    """The layers have other names than fc1 and fc2,
    so a saved state_dict does not fit: rename the attributes.
    """

    def __init__(self, n_in=1, n_hidden=16, n_out=1):
        super().__init__()
        self.hidden = nn.Linear(n_in, n_hidden)
        self.output = nn.Linear(n_hidden, n_out)

    def forward(self, x):
        return self.output(torch.relu(self.hidden(x)))


@mistake("TwoLayerMLP")
class UsesSequential(nn.Module):
    """nn.Sequential does the work: write fc1 and fc2 and forward yourself."""

    def __init__(self, n_in=1, n_hidden=16, n_out=1):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(n_in, n_hidden), nn.ReLU(), nn.Linear(n_hidden, n_out))

    def forward(self, x):
        return self.net(x)


@mistake("TwoLayerMLP")
class NewLayerInForward(TwoLayerMLP):
    """forward creates a layer, so every call has new random weights: create layers in __init__ and reuse them."""

    def forward(self, x):
        fc2 = nn.Linear(self.fc1.out_features, self.fc2.out_features, device=x.device, dtype=x.dtype)
        return fc2(torch.relu(self.fc1(x)))


@mistake("TwoLayerMLP")
class SqueezesTheOutput(TwoLayerMLP):
    """The last axis is gone when n_out is 1: return the output of fc2, with shape (..., n_out)."""

    def forward(self, x):
        return self.fc2(torch.relu(self.fc1(x))).squeeze(-1)


@mistake("TwoLayerMLP")
class SqueezesASingleNumber(TwoLayerMLP):
    """For one sample without leading axes the last axis is gone when n_out is 1: the result has shape (n_out,) there, too."""

    def forward(self, x):
        y = super().forward(x)
        return y.squeeze() if y.dim() == 1 else y


@mistake("TwoLayerMLP")
class SequentialInForward(TwoLayerMLP):
    """forward makes an nn.Sequential: call the layers one after another yourself."""

    def forward(self, x):
        return nn.Sequential(self.fc1, nn.ReLU(), self.fc2)(x)


@mistake("TwoLayerMLP")
class CutsTheGraphInEval(TwoLayerMLP):
    """In eval mode no gradient flows back: eval mode doesn't turn off gradients; that is left to the caller's no_grad."""

    def forward(self, x):
        with torch.set_grad_enabled(self.training and torch.is_grad_enabled()):
            return super().forward(x)


@mistake("TwoLayerMLP")
class EndsAtAHundred(TwoLayerMLP):
    """Hidden values above a limit are clipped (clamp with both bounds): ReLU has no upper bound."""

    def forward(self, x):
        return self.fc2(self.fc1(x).clamp(0, 100))


@mistake("TwoLayerMLP")
class RemembersTheHiddenLayer(TwoLayerMLP):
    """The output of the hidden layer is stored and reused, although x or the weights have changed by then: compute
    it in every call."""

    def forward(self, x):
        if getattr(self, "kept", None) is None or self.kept.shape[:-1] != x.shape[:-1]:
            self.kept = torch.relu(self.fc1(x))
        return self.fc2(self.kept)


@mistake("TwoLayerMLP")
class CutsOffAtSix(TwoLayerMLP):
    """The hidden values have an upper bound (relu6, or clamp with both bounds): ReLU has none."""

    def forward(self, x):
        return self.fc2(nn.functional.relu6(self.fc1(x)))


@mistake("TwoLayerMLP")
class KeepsTheLayersInAList(TwoLayerMLP):
    """The layers are registered twice, under fc1 and fc2 and in an nn.ModuleList: the state_dict must have exactly four keys."""

    def __init__(self, n_in=1, n_hidden=16, n_out=1):
        super().__init__(n_in, n_hidden, n_out)
        self.layers = nn.ModuleList([self.fc1, self.fc2])


@alternative("TwoLayerMLP")
class ClampAsReLU(TwoLayerMLP):
    """ReLU is the larger of the value and zero."""

    def forward(self, x):
        hidden = self.fc1(x)
        return self.fc2(hidden.clamp(min=0))


@alternative("TwoLayerMLP")
class ReLUAsChild(nn.Module):
    """The activation is a child module without parameters; in-place ReLU on the hidden layer is safe."""

    def __init__(self, n_in=1, n_hidden=16, n_out=1):
        super().__init__()
        self.add_module("fc1", nn.Linear(n_in, n_hidden))
        self.add_module("act", nn.ReLU(inplace=True))
        self.add_module("fc2", nn.Linear(n_hidden, n_out))

    def forward(self, x):
        for child in self.children():
            x = child(x)
        return x


@alternative("TwoLayerMLP")
class FunctionsOnParameters(TwoLayerMLP):
    """Only the parameters of the layers are used, with the functional forms."""

    def forward(self, x):
        hidden = nn.functional.relu(x @ self.fc1.weight.T + self.fc1.bias)
        return nn.functional.linear(hidden, self.fc2.weight, self.fc2.bias)
