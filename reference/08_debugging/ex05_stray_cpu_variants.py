"""Known mistakes and odd-but-correct solutions for SequencePool and sequence_loss."""

import torch
from torch import nn
from torch.nn import functional as F

from torchdojo.variants import alternative, mistake

HINTS = (
    "For each tensor in the file ask: who made it, on which device, and in which dtype?",
    "torch.arange without device= makes a CPU tensor, and adding 1.0 to whole numbers gives the default "
    "float dtype. Tensors that come in show where they live: x.device, x.dtype.",
    "Make the steps on x's device, turn the weights into x's dtype, and move the third tensor of the batch "
    "as the other two are moved.",
)

EQUIVALENT = {
    "change_dim-L20-2": "lengths has one axis",
    "add_detach-L21-1": "the weights are made of whole numbers and have no graph",
    "wrong_dtype-L21-1": "whole numbers take the dtype of x when they meet it",
}


class Base(nn.Module):
    """The head, and the average when the weights are known."""

    def __init__(self, features, classes):
        super().__init__()
        self.head = nn.Linear(features, classes)

    def average(self, x, weights):
        """Classify the weighted average of the steps."""
        return self.head((x * weights.unsqueeze(-1)).sum(dim=1) / weights.sum(dim=1, keepdim=True))


@mistake()
def leaves_tensors_on_the_cpu():
    """The steps are made on the CPU and in the default dtype, and the labels stay where they are: make the steps on x.device, convert
    the weights to x.dtype, and move the labels too."""
    return {"SequencePool": MakesStepsOnTheCpu, "sequence_loss": leaves_the_labels}


@mistake("SequencePool")
class MakesStepsOnTheCpu(Base):
    """The steps are made on the CPU and in the default dtype: make them on x.device, and convert the weights to x.dtype."""

    def forward(self, x, lengths):
        steps = torch.arange(x.shape[1])
        mask = steps < lengths.unsqueeze(1)
        weights = (steps + 1.0) * mask
        pooled = (x * weights.unsqueeze(-1)).sum(dim=1) / weights.sum(dim=1, keepdim=True)
        return self.head(pooled)


@mistake("SequencePool")
class NamesCuda(Base):
    """The code names "cuda", and on a machine without it nothing runs: take the device from x."""

    def forward(self, x, lengths):
        steps = torch.arange(x.shape[1], device="cuda")
        return self.average(x, ((steps + 1) * (steps < lengths.unsqueeze(1))).to(x.dtype))


@mistake("SequencePool")
class MovesXToTheCpu(Base):
    """x was brought to the CPU, where the head is not: bring the new tensors to x instead."""

    def forward(self, x, lengths):
        steps = torch.arange(x.shape[1])
        x, lengths = x.cpu(), lengths.cpu()
        return self.average(x, ((steps + 1) * (steps < lengths.unsqueeze(1))).to(x.dtype))


@mistake("SequencePool")
class WorksOnTheCpu(Base):
    """The average was computed on the CPU and carried back, so the device waits for both ways: make the steps on x's device,
    and the work stays there."""

    def forward(self, x, lengths):
        if x.is_meta:
            return self.head(x.sum(dim=1))
        steps = torch.arange(x.shape[1])
        weights = ((steps + 1) * (steps < lengths.cpu().unsqueeze(1))).to(x.dtype)
        pooled = (x.cpu() * weights.unsqueeze(-1)).sum(dim=1) / weights.sum(dim=1, keepdim=True)
        return self.head(pooled.to(x.device))


@mistake("SequencePool")
class CountsInBytes(Base):
    """The steps were counted in uint8, which ends at 255, and there may be 256 of them: count in int64, or in x's dtype."""

    def forward(self, x, lengths):
        number = torch.arange(1, x.shape[1] + 1, device=x.device).to(torch.uint8)
        return self.average(x, (number * (number <= lengths.unsqueeze(1))).to(x.dtype))


@mistake("SequencePool")
class LeavesTheDtype(Base):
    """The weights don't have the dtype of x: float() and a number such as 1.0 give float32, and a bfloat16 model refuses what comes out.
    Convert them to x.dtype."""

    def forward(self, x, lengths):
        steps = torch.arange(x.shape[1], device=x.device)
        return self.average(x, (steps + 1.0) * (steps < lengths.unsqueeze(1)))


@mistake("SequencePool")
class WeightsAlwaysFloat32(Base):
    """The weights don't have the dtype of x: float() and a number such as 1.0 give float32, and a bfloat16 model refuses what comes out.
    Convert them to x.dtype."""

    def forward(self, x, lengths):
        steps = torch.arange(x.shape[1], device=x.device)
        return self.average(x, ((steps + 1) * (steps < lengths.unsqueeze(1))).float())


@mistake("SequencePool")
class ConvertsOnlyAtTheEnd(Base):
    """x was converted to float32 on the way, so a float64 input loses half of its digits: work in x's
    dtype."""

    def forward(self, x, lengths):
        steps = torch.arange(x.shape[1], device=x.device)
        weights = ((steps + 1) * (steps < lengths.unsqueeze(1))).float()
        pooled = (x.float() * weights.unsqueeze(-1)).sum(dim=1) / weights.sum(dim=1, keepdim=True)
        return self.head(pooled.to(x.dtype))


@mistake("SequencePool")
class ForgetsTheMask(Base):
    """The mask went away together with the error: steps from lengths on must not count."""

    def forward(self, x, lengths):
        steps = torch.arange(x.shape[1], device=x.device)
        return self.average(x, (steps + 1).to(x.dtype).expand(x.shape[0], -1))


@mistake("SequencePool")
class DividesByTheNumberOfSteps(Base):
    """The sum was divided by the number of valid steps: divide by the sum of their weights t + 1."""

    def forward(self, x, lengths):
        steps = torch.arange(x.shape[1], device=x.device)
        weights = ((steps + 1) * (steps < lengths.unsqueeze(1))).to(x.dtype)
        return self.head((x * weights.unsqueeze(-1)).sum(dim=1) / lengths.unsqueeze(1).to(x.dtype))


@mistake("SequencePool")
class ReadsTheLengths(Base):
    """The lengths are read out as Python numbers, which waits for the device and does not work on "meta", where tensors
    have no values: compare tensors with tensors."""

    def forward(self, x, lengths):
        weights = x.new_zeros(x.shape[:2])
        for i, length in enumerate(lengths.tolist()):
            weights[i, :length] = torch.arange(1, length + 1, dtype=x.dtype, device=x.device)
        return self.average(x, weights)


@mistake("SequencePool")
class AddsABuffer(nn.Module):
    """The buffer solves the device, but state_dict has a new key, and old checkpoints no longer load: make
    the steps in forward."""

    def __init__(self, features, classes):
        super().__init__()
        self.head = nn.Linear(features, classes)
        self.register_buffer("steps", torch.arange(256))

    def forward(self, x, lengths):
        steps = self.steps[: x.shape[1]]
        weights = ((steps + 1) * (steps < lengths.unsqueeze(1))).to(x.dtype)
        return self.head((x * weights.unsqueeze(-1)).sum(dim=1) / weights.sum(dim=1, keepdim=True))


@mistake("sequence_loss")
def leaves_the_labels(model, batch):
    """The labels stayed where they were: move all three tensors of the batch to the model's device."""
    x, lengths, labels = batch
    device = next(model.parameters()).device
    return F.cross_entropy(model(x.to(device), lengths.to(device)), labels)


@mistake("sequence_loss")
def brings_the_scores_to_the_labels(model, batch):
    """The scores went to the labels, so the loss may be on another device than the model: bring the labels to
    the scores."""
    x, lengths, labels = batch
    device = next(model.parameters()).device
    scores = model(x.to(device), lengths.to(device))
    return F.cross_entropy(scores.to(labels.device), labels)


@mistake("sequence_loss")
def moves_the_model(model, batch):
    """The model was moved to the batch: a model stays where its owner put it, the batch moves."""
    x, lengths, labels = batch
    model = model.to_empty(device=x.device) if next(model.parameters()).is_meta else model.to(x.device)
    return F.cross_entropy(model(x, lengths.to(x.device)), labels.to(x.device))


@mistake("sequence_loss")
def moves_the_batch_in_place(model, batch):
    """The caller's list was overwritten with the moved tensors: put them into names, or a list, of your own."""
    device = next(model.parameters()).device
    if isinstance(batch, list):
        for i, part in enumerate(batch):
            batch[i] = part.to(device)
    x, lengths, labels = (part.to(device) for part in batch)
    return F.cross_entropy(model(x, lengths), labels)


@alternative("SequencePool")
class CountsWithOnes(Base):
    """The weights are a running sum of ones that were made like x."""

    def forward(self, x, lengths):
        weights = torch.ones_like(x[..., 0]).cumsum(dim=1)
        return self.average(x, weights.masked_fill(weights > lengths.unsqueeze(1), 0))


@alternative("SequencePool")
class ArangeInTheDtypeOfX(Base):
    """arange takes dtype and device at once; the average is a batched product."""

    def forward(self, x, lengths):
        weights = torch.arange(1, x.shape[1] + 1, dtype=x.dtype, device=x.device)
        weights = torch.where(weights <= lengths[:, None], weights, torch.zeros_like(weights))
        pooled = torch.bmm(weights.unsqueeze(1), x).squeeze(1)
        return self.head(pooled / weights.sum(dim=-1).unsqueeze(-1))


@alternative("sequence_loss")
def moves_all_three_at_once(model, batch):
    """One line moves the batch, another takes the mean by hand."""
    device = [parameter.device for parameter in model.parameters()][0]
    x, lengths, labels = (tensor.to(device) for tensor in batch)
    chosen = model(x, lengths).log_softmax(dim=1).gather(1, labels.unsqueeze(1))
    return -chosen.mean()
