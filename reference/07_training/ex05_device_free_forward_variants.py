"""Known mistakes and odd-but-correct solutions for PositionalMLP."""

import torch
from ex05_device_free_forward import PositionalMLP

from torchdojo.variants import alternative, mistake

EQUIVALENT = {
    "add_detach: position = position.reshape(1, steps, 1).expand(batch, steps, 1).detach()": "positions have no history",
    "swap_view: position = position.view(1, steps, 1).expand(batch, steps, 1)": "positions are contiguous",
    "in_place: return self.fc2(self.fc1(torch.cat([x, position], dim=-1)).relu_())": "works on a temporary tensor that nobody else sees",
}

HINTS = (
    "Which tensor in your forward is new, and who decides where it is born and of what dtype?",
    "Everything about the new tensor can be asked of x: x.device, x.dtype, x.shape. Dividing whole "
    "numbers gives the default dtype, so the dtype has to be right before the division.",
    "Make 0, 1, 2, ... with the dtype and device of x, divide by the number of steps, give it a batch "
    "axis and a feature axis, expand it to the batch, and put it behind the features of x. Then the two "
    "layers. Where does ReLU go?",
)


def layers(model, x, position):
    """The rest of the forward pass, for positions that can be broadcast to (batch, steps, 1)."""
    position = position.expand(x.shape[0], x.shape[1], 1)
    return model.fc2(model.fc1(torch.cat([x, position], dim=-1)).relu())


@mistake("PositionalMLP", common=True)
class BornOnTheCpu(PositionalMLP):
    """The positions were made on the CPU, or on a device that was guessed, and met an input from somewhere else:
    create them with device=x.device."""

    def forward(self, x):
        steps = x.shape[1]
        return layers(self, x, (torch.arange(steps, dtype=x.dtype) / steps)[:, None])


@mistake("PositionalMLP")
class AlwaysFloat32(PositionalMLP):
    """The positions were made in float32: for other inputs that costs digits or does not fit the layer.
    Create them with dtype=x.dtype."""

    def forward(self, x):
        steps = x.shape[1]
        return layers(self, x, (torch.arange(steps, dtype=torch.float32, device=x.device) / steps)[:, None])


@mistake("PositionalMLP")
class RoundTripThroughFloat32(PositionalMLP):
    """The positions were computed in float32 and then converted: with float64 inputs their last digits are
    noise. Compute them in the dtype of x."""

    def forward(self, x):
        steps = x.shape[1]
        position = torch.arange(steps, dtype=torch.float32, device=x.device) / steps
        return layers(self, x, position.to(x.dtype)[:, None])


@mistake("PositionalMLP")
class DefaultDtype(PositionalMLP):
    """Whole numbers divided give PyTorch's default dtype, whatever x has: give arange the dtype of x."""

    def forward(self, x):
        steps = x.shape[1]
        position = (torch.arange(steps, device=x.device) / steps)[:, None].expand(x.shape[0], steps, 1)
        return self.fc2(self.fc1(torch.cat([x, position], dim=-1)).relu())


@mistake("PositionalMLP")
class RemembersTheFirstInput(PositionalMLP):
    """The positions of the first input were kept and used again, but the next input may be longer or
    elsewhere: make them anew in each call."""

    def forward(self, x):
        if not hasattr(self, "position"):
            self.position = (torch.arange(x.shape[1], dtype=x.dtype, device=x.device) / x.shape[1])[:, None]
        return layers(self, x, self.position)


@mistake("PositionalMLP")
class DeviceFromBirth(PositionalMLP):
    """You stored the device when the layer was built, and model.to(...) doesn't update it: use x.device."""

    def __init__(self, features, hidden):
        super().__init__(features, hidden)
        self.device = self.fc1.weight.device

    def forward(self, x):
        steps = x.shape[1]
        return layers(self, x, (torch.arange(steps, dtype=x.dtype) / steps).to(self.device)[:, None])


@mistake("PositionalMLP")
class PositionsInTheStateDict(PositionalMLP):
    """The positions became part of the state_dict, so checkpoints depend on the length of the last input:
    make them in forward and let them go."""

    def forward(self, x):
        steps = x.shape[1]
        self.register_buffer("position", torch.arange(steps, dtype=x.dtype, device=x.device) / steps)
        return layers(self, x, self.position[:, None])


@mistake("PositionalMLP")
class RefillsABuffer(PositionalMLP):
    """forward wrote its positions into the module, from where the next call, or to_empty, may take them up: make them in
    forward and let them go."""

    def __init__(self, features, hidden):
        super().__init__(features, hidden)
        self.register_buffer("position", torch.empty(0), persistent=False)

    def forward(self, x):
        self.position = torch.arange(x.shape[1], dtype=x.dtype, device=x.device) / x.shape[1]
        return layers(self, x, self.position[:, None])


@mistake("PositionalMLP")
class FixedLength(PositionalMLP):
    """There are positions for a fixed number of steps, made when the layer was built, and a longer sequence finds none: make as
    many as x has steps."""

    def __init__(self, features, hidden):
        super().__init__(features, hidden)
        self.register_buffer("position", torch.arange(256), persistent=False)

    def forward(self, x):
        return layers(self, x, (self.position[: x.shape[1]].to(x.dtype) / x.shape[1])[:, None])


@mistake("PositionalMLP")
class MovesTheInput(PositionalMLP):
    """The input was brought to the CPU instead of the positions to the input: the result is on the wrong
    device."""

    def forward(self, x):
        steps = x.shape[1]
        position = (torch.arange(steps, dtype=x.dtype) / steps)[:, None].expand(x.shape[0], steps, 1)
        return self.cpu().fc2(self.fc1(torch.cat([x.cpu(), position], dim=-1)).relu())


@mistake("PositionalMLP")
class CountsFromOne(PositionalMLP):
    """The positions start at 1/steps: the first step has the position 0."""

    def forward(self, x):
        steps = x.shape[1]
        return layers(self, x, (torch.arange(1, steps + 1, dtype=x.dtype, device=x.device) / steps)[:, None])


@mistake("PositionalMLP")
class StepsByAFraction(PositionalMLP):
    """arange with the step 1 / steps gives one position too many for some lengths (49, say), as 1 / steps is rounded: count in
    whole numbers, then divide."""

    def forward(self, x):
        steps = x.shape[1]
        return layers(self, x, torch.arange(0, 1 if steps else 0, 1 / max(steps, 1), dtype=x.dtype, device=x.device)[:, None])


@mistake("PositionalMLP")
class EndsAtOne(PositionalMLP):
    """The positions run from 0 to 1 with the end included: t / steps never reaches 1."""

    def forward(self, x):
        steps = x.shape[1]
        return layers(self, x, torch.linspace(0, 1, steps, dtype=x.dtype, device=x.device)[:, None])


@mistake("PositionalMLP")
class PositionFirst(PositionalMLP):
    """The position was put before the features: it comes last."""

    def forward(self, x):
        batch, steps, _ = x.shape
        position = (torch.arange(steps, dtype=x.dtype, device=x.device) / steps)[:, None].expand(
            batch, steps, 1
        )
        return self.fc2(self.fc1(torch.cat([position, x], dim=-1)).relu())


@mistake("PositionalMLP")
class NoActivation(PositionalMLP):
    """Two linear layers in a row are one linear layer: put ReLU between them."""

    def forward(self, x):
        batch, steps, _ = x.shape
        position = (torch.arange(steps, dtype=x.dtype, device=x.device) / steps)[:, None].expand(
            batch, steps, 1
        )
        return self.fc2(self.fc1(torch.cat([x, position], dim=-1)))


@mistake("PositionalMLP")
class CutsTheGradient(PositionalMLP):
    """No gradient reached x: put it in front of the positions as it is, without detach() or .data."""

    def forward(self, x):
        steps = x.shape[1]
        return layers(self, x.detach(), (torch.arange(steps, dtype=x.dtype, device=x.device) / steps)[:, None])


@mistake("PositionalMLP")
class CutsTheGradientInEvaluation(PositionalMLP):
    """In evaluation mode no gradient came back: the mode says nothing about gradients, the caller's no_grad does."""

    def forward(self, x):
        steps = x.shape[1]
        y = layers(self, x, (torch.arange(steps, dtype=x.dtype, device=x.device) / steps)[:, None])
        return y if self.training else y.detach()


@alternative("PositionalMLP")
class PositionsFromOnes(PositionalMLP):
    """Adds up ones that are made like x."""

    def forward(self, x):
        ones = torch.ones_like(x[:, :, :1])
        return layers(self, x, (ones.cumsum(dim=1) - 1) / max(x.shape[1], 1))


@alternative("PositionalMLP")
class PositionsFromAList(PositionalMLP):
    """new_tensor takes device and dtype from x."""

    def forward(self, x):
        steps = x.shape[1]
        position = x.new_tensor([t / steps for t in range(steps)]).reshape(1, steps, 1)
        hidden = torch.relu(self.fc1(torch.cat((x, position.repeat(len(x), 1, 1)), 2)))
        return self.fc2(hidden)


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
