"""Known mistakes and unusual but correct solutions for PositionalMLP."""

import torch
from ex05_device_free_forward import PositionalMLP

from torchdojo.variants import alternative, mistake

EQUIVALENT = {
    "add_detach: position = position.reshape(1, steps, 1).expand(batch, steps, 1).detach()": "positions have no history",
    "swap_view: position = position.view(1, steps, 1).expand(batch, steps, 1)": "positions are contiguous",
    "in_place: return self.fc2(self.fc1(torch.cat([x, position], dim=-1)).relu_())": "works on a temporary tensor that nobody else sees",
}

HINTS = (
    "Which tensor in your forward is new, and what decides its device and its dtype?",
    "Everything about the new tensor can be asked of x: x.device, x.dtype, x.shape. Dividing whole "
    "numbers gives the default dtype, so the dtype has to be right before the division.",
    "Make 0, 1, 2, ... with the dtype and device of x, divide by the number of steps, give it a batch "
    "axis and a feature axis, expand it to the batch, and put it behind the features of x. Then the two "
    "layers. Where does ReLU go?",
)


BornOnTheCpu = mistake.edited(
    "torch.arange(steps, dtype=x.dtype, device=x.device)", "torch.arange(steps, dtype=x.dtype)",
    "The positions were made on the CPU, or on a guessed device, and the input was on another: create them with device=x.device.",
    common=True,
    pitfall="torch.arange(steps) makes a CPU tensor")

AlwaysFloat32 = mistake.edited("dtype=x.dtype", "dtype=torch.float32",
    "The positions were made in float32: for other inputs that costs digits or does not fit the layer. Create them with "
    "dtype=x.dtype.")

RoundTripThroughFloat32 = mistake.edited(
    "torch.arange(steps, dtype=x.dtype, device=x.device) / steps",
    "(torch.arange(steps, dtype=torch.float32, device=x.device) / steps).to(x.dtype)",
    "The positions were computed in float32 and then converted: with float64 inputs their last digits are noise. Compute "
    "them in the dtype of x.")

DefaultDtype = mistake.edited(
    "torch.arange(steps, dtype=x.dtype, device=x.device)", "torch.arange(steps, device=x.device)",
    "Whole numbers divided give PyTorch's default dtype, whatever x has: give arange the dtype of x.")

RemembersTheFirstInput = mistake.edited(
    "position = torch.arange(steps, dtype=x.dtype, device=x.device) / steps",
    """
    if not hasattr(self, "position"):
        self.position = torch.arange(steps, dtype=x.dtype, device=x.device) / steps
    position = self.position
    """,
    "The positions of the first input were kept and used again, but the next input may be longer or elsewhere: make them "
    "in each call.",
    also=[("position.reshape(1, steps, 1)", "position[:, None]")])

DeviceFromBirth = mistake.edited("device=x.device", "device=self.device",
    "After model.to(...) the positions are still on the old device: make them on x.device in each call.",
    also=[("self.fc2 = nn.Linear(hidden, features)",
         "self.fc2 = nn.Linear(hidden, features)\nself.device = self.fc1.weight.device")])

PositionsInTheStateDict = mistake.edited(
    "position = torch.arange(steps, dtype=x.dtype, device=x.device) / steps",
    """
    self.register_buffer("position", torch.arange(steps, dtype=x.dtype, device=x.device) / steps)
    position = self.position
    """,
    "The positions became part of the state_dict, so checkpoints depend on the length of the last input: make them in forward and don't store them.")

RefillsABuffer = mistake.edited("position = torch.arange", "position = self.position = torch.arange",
    "forward wrote its positions into the module, where the next call, or to_empty, may use them: make them in forward and don't store them.",
    also=[(
        "self.fc2 = nn.Linear(hidden, features)",
        """
        self.fc2 = nn.Linear(hidden, features)
        self.register_buffer("position", torch.empty(0), persistent=False)
        """,
    )])

FixedLength = mistake.edited("torch.arange(steps, dtype=x.dtype, device=x.device)", "self.position[:steps].to(x.dtype)",
    "There are positions for a fixed number of steps, made when the layer was built, too few for a longer sequence: make as many as x has steps.",
    also=[
        ("position.reshape(1, steps, 1)", "position[:, None]"),
        (
            "self.fc2 = nn.Linear(hidden, features)",
            """
            self.fc2 = nn.Linear(hidden, features)
            self.register_buffer("position", torch.arange(256), persistent=False)
            """,
        ),
    ])

MovesTheInput = mistake.edited(
    "torch.arange(steps, dtype=x.dtype, device=x.device)", "torch.arange(steps, dtype=x.dtype)",
    "The input was brought to the CPU instead of the positions to the input: the result is on the wrong device.",
    also=[("self.fc2(self.fc1(torch.cat([x, position]", "self.cpu().fc2(self.fc1(torch.cat([x.cpu(), position]")])

CountsFromOne = mistake.edited("torch.arange(steps,", "torch.arange(1, steps + 1,",
    "The positions start at 1/steps: the first step has the position 0.")

StepsByAFraction = mistake.edited(
    "torch.arange(steps, dtype=x.dtype, device=x.device) / steps",
    "torch.arange(0, 1 if steps else 0, 1 / max(steps, 1), dtype=x.dtype, device=x.device)",
    "For some lengths (49, say) there is one position too many, as from arange with the step 1 / steps, which is rounded: "
    "count in whole numbers, then divide.",
    also=[("position.reshape(1, steps, 1)", "position[:, None]")])

EndsAtOne = mistake.edited(
    "torch.arange(steps, dtype=x.dtype, device=x.device) / steps",
    "torch.linspace(0, 1, steps, dtype=x.dtype, device=x.device)",
    "The positions run from 0 to 1 with the end included: t / steps never reaches 1.")

DividesByOneLess = mistake.edited("device=x.device) / steps", "device=x.device) / (steps - 1)",
    "The positions end at 1, and a single step gives 0 / 0: divide by steps, not by steps - 1.")

NumbersTheSteps = mistake.edited("device=x.device) / steps", "device=x.device)",
    "The positions are 0, 1, 2 and so on: divide them by the number of steps.")

JoinsTheSteps = mistake.edited("dim=-1)", "dim=1)",
    "The positions were joined to the steps: they are one more feature, so join along the last axis.")

PositionFirst = mistake.edited("[x, position]", "[position, x]",
    "The position was put before the features: it belongs after them.")

NoActivation = mistake.edited(
    "return self.fc2(self.fc1(torch.cat([x, position], dim=-1)).relu())",
    "return self.fc2(self.fc1(torch.cat([x, position], dim=-1)))",
    "Two linear layers in a row are one linear layer: put ReLU between them.")

ActivationAtTheEnd = mistake.edited(
    "return self.fc2(self.fc1(torch.cat([x, position], dim=-1)).relu())",
    "return self.fc2(self.fc1(torch.cat([x, position], dim=-1))).relu()",
    "ReLU follows fc2: it belongs between the two layers.")

ActivationTwice = mistake.edited(
    "return self.fc2(self.fc1(torch.cat([x, position], dim=-1)).relu())",
    "return self.fc2(self.fc1(torch.cat([x, position], dim=-1)).relu()).relu()",
    "A second ReLU follows fc2: nothing comes after that layer.")

CutsTheGradient = mistake.edited("[x, position]", "[x.detach(), position]",
    "No gradient reached x: put it before the positions as it is, without detach() or .data.")

CutsTheGradientInEvaluation = mistake.edited(
    "return self.fc2(self.fc1(torch.cat([x, position], dim=-1)).relu())",
    """
    y = self.fc2(self.fc1(torch.cat([x, position], dim=-1)).relu())
    return y if self.training else y.detach()
    """,
    "In evaluation mode no gradient reached x: the mode does not turn gradients off; the caller's no_grad does.")

PositionsFromOnes = alternative.edited(
    "torch.arange(steps, dtype=x.dtype, device=x.device) / steps",
    "(torch.ones_like(x[:, :, :1]).cumsum(dim=1) - 1) / max(steps, 1)",
    "Adds up ones that are made like x.",
    also=[("position = position.reshape(1, steps, 1).expand(batch, steps, 1)", "")])

PositionsFromAList = alternative.edited(
    "torch.arange(steps, dtype=x.dtype, device=x.device) / steps",
    "x.new_tensor([t / steps for t in range(steps)])",
    "new_tensor takes device and dtype from x.",
    also=[(".expand(batch, steps, 1)", ".repeat(len(x), 1, 1)")])


@alternative("PositionalMLP")
class FilledInPlace(PositionalMLP):
    """Allocates the wider input and fills it."""

    def forward(self, x):
        batch, steps, features = x.shape
        wide = x.new_empty(batch, steps, features + 1)
        wide[..., :features] = x
        wide[..., features] = torch.arange(steps, device=x.device).to(x.dtype).div_(max(steps, 1))
        return self.fc2(self.fc1(wide).clamp(min=0))


@alternative("PositionalMLP")
class SplitsTheWeights(PositionalMLP):
    """Never puts x and position together: each meets its own columns of the weight."""

    def forward(self, x):
        weight, steps = self.fc1.weight, x.shape[1]
        position = torch.linspace(0, 1, steps + 1, dtype=x.dtype, device=weight.device)[:-1]
        hidden = x @ weight[:, :-1].T + position[:, None] * weight[:, -1] + self.fc1.bias
        return self.fc2(hidden * (hidden > 0))
