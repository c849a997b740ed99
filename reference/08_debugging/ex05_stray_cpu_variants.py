"""Known mistakes and unusual but correct solutions for SequencePool and sequence_loss."""

from torchdojo.variants import alternative, mistake

HINTS = (
    "For each tensor in the file ask: who made it, on which device, and in which dtype?",
    "torch.arange without device= makes a CPU tensor, and adding 1.0 to whole numbers gives the default "
    "float dtype. The input tensors have the right ones: x.device, x.dtype.",
    "Make the steps on x's device, turn the weights into x's dtype, and move the third tensor of the batch "
    "as the other two are moved.",
)

EQUIVALENT = {
    "change_dim-L20-2": "lengths has one axis",
    "add_detach-L21-1": "the weights are made of whole numbers and have no graph",
    "wrong_dtype-L21-1": "whole numbers take the dtype of x when they meet it",
}


leaves_tensors_on_the_cpu = mistake.edited("torch.arange(x.shape[1], device=x.device)", "torch.arange(x.shape[1])",
    "The steps are made on the CPU and in the default dtype, and the labels stay where they are: make the steps on x.device, "
    "convert the weights to x.dtype, and move the labels too.",
    also=[("((steps + 1) * mask).to(x.dtype)", "(steps + 1.0) * mask"), ("labels.to(device)", "labels")])

MakesStepsOnTheCpu = mistake.edited("torch.arange(x.shape[1], device=x.device)", "torch.arange(x.shape[1])",
    "The steps are made on the CPU and in the default dtype: make them on x.device, and convert the weights to x.dtype.",
    also=[("((steps + 1) * mask).to(x.dtype)", "(steps + 1.0) * mask")])

NamesCuda = mistake.edited("torch.arange(x.shape[1], device=x.device)", 'torch.arange(x.shape[1], device="cuda")',
    'The code names "cuda", and on a machine without it nothing runs: take the device from x.',
    pitfall="A device name written into the code")

MovesXToTheCpu = mistake.edited(
    "torch.arange(x.shape[1], device=x.device)", "torch.arange(x.shape[1])\nx, lengths = x.cpu(), lengths.cpu()",
    'A tensor on "meta" was copied to the CPU, which fails, because it has no values: leave x and lengths where they are, and '
    'make new tensors on x.device.')


WorksOnTheCpu = mistake.edited("steps = torch.arange(",
    """
    home = x.device
    if x.is_meta:
        return self.head(x.sum(dim=1))
    x, lengths = x.cpu(), lengths.cpu()
    steps = torch.arange(
    """,
    "The average was computed on the CPU and moved back, so the device waits for both transfers: make the steps on x's device, "
    "and the work stays there.",
    also=[("self.head(pooled)", "self.head(pooled.to(home))")])


CountsInBytes = mistake.edited(
    """
    steps = torch.arange(x.shape[1], device=x.device)
    mask = steps < lengths.unsqueeze(1)
    weights = ((steps + 1) * mask).to(x.dtype)
    """,
    """
    number = torch.arange(1, x.shape[1] + 1, device=x.device).to(torch.uint8)
    weights = (number * (number <= lengths.unsqueeze(1))).to(x.dtype)
    """,
    "The steps were counted in uint8, which ends at 255, and there may be 256 of them: count in int64, or in x's dtype.")

LeavesTheDtype = mistake.edited("((steps + 1) * mask).to(x.dtype)", "(steps + 1.0) * mask",
    "The weights don't have the dtype of x: float() and a number such as 1.0 give float32, and a bfloat16 model rejects the result. Convert them to x.dtype.")

WeightsAlwaysFloat32 = mistake.edited("((steps + 1) * mask).to(x.dtype)", "((steps + 1) * mask).float()",
    "The weights don't have the dtype of x: float() and a number such as 1.0 give float32, and a bfloat16 model rejects the result. Convert them to x.dtype.")

ConvertsOnlyAtTheEnd = mistake.edited("((steps + 1) * mask).to(x.dtype)", "((steps + 1) * mask).float()",
    "Some numbers are float32 in between, so a float64 input loses half of its digits: work in x's dtype.",
    also=[("x * weights", "x.float() * weights"), ("self.head(pooled)", "self.head(pooled.to(x.dtype))")])

ForgetsTheMask = mistake.edited("((steps + 1) * mask).to(x.dtype)", "(steps + 1).to(x.dtype).expand(x.shape[0], -1)",
    "Steps from lengths on count, too: multiply the weights by the mask.")

DividesByTheNumberOfSteps = mistake.edited("weights.sum(dim=1, keepdim=True)", "lengths.unsqueeze(1).to(x.dtype)",
    "The sum was divided by the number of valid steps: divide by the sum of their weights t + 1.")

ReadsTheLengths = mistake.edited(
    """
    steps = torch.arange(x.shape[1], device=x.device)
    mask = steps < lengths.unsqueeze(1)
    weights = ((steps + 1) * mask).to(x.dtype)
    """,
    """
    weights = x.new_zeros(x.shape[:2])
    for i, length in enumerate(lengths.tolist()):
        weights[i, :length] = torch.arange(1, length + 1, dtype=x.dtype, device=x.device)
    """,
    'Numbers are read from a tensor, with tolist() or item() for example. That waits for the device and does not work on '
    '"meta", where tensors have no values: compare tensors with tensors.')

AddsABuffer = mistake.edited("self.head = nn.Linear(features, classes)",
    """
    self.head = nn.Linear(features, classes)
    self.register_buffer("steps", torch.arange(256))
    """,
    "The buffer solves the device problem, but state_dict has a new key, and old checkpoints no longer load: make the steps in forward.",
    also=[("torch.arange(x.shape[1], device=x.device)", "self.steps[: x.shape[1]]")])

leaves_the_labels = mistake.edited("labels.to(device)", "labels",
    "The labels stayed where they were: move all three tensors of the batch to the model's device.")

brings_the_scores_to_the_labels = mistake.edited(
    "F.cross_entropy(scores, labels.to(device))", "F.cross_entropy(scores.to(labels.device), labels)",
    "The scores were moved to the labels, so the loss may not be on the model's device: move the labels to the scores.")

moves_the_model = mistake.edited("device = next(model.parameters()).device",
    """
    device = x.device
    model = model.to_empty(device=device) if next(model.parameters()).is_meta else model.to(device)
    """,
    "The model was moved to the batch: a model stays where its owner put it; the batch moves.")

moves_the_batch_in_place = mistake.edited("x, lengths, labels = batch\ndevice = next(model.parameters()).device",
    """
    device = next(model.parameters()).device
    if isinstance(batch, list):
        batch[:] = [part.to(device) for part in batch]
    x, lengths, labels = batch
    """,
    "The caller's list was overwritten with the moved tensors: put them into your own names, or your own list.")

CountsWithOnes = alternative.edited(
    """
    steps = torch.arange(x.shape[1], device=x.device)
    mask = steps < lengths.unsqueeze(1)
    weights = ((steps + 1) * mask).to(x.dtype)
    """,
    """
    ones = torch.ones_like(x[..., 0]).cumsum(dim=1)
    weights = ones.masked_fill(ones > lengths.unsqueeze(1), 0)
    """,
    "The weights are a running sum of ones that were made like x.")


ArangeInTheDtypeOfX = alternative.edited(
    """
    steps = torch.arange(x.shape[1], device=x.device)
    mask = steps < lengths.unsqueeze(1)
    weights = ((steps + 1) * mask).to(x.dtype)
    """,
    """
    weights = torch.arange(1, x.shape[1] + 1, dtype=x.dtype, device=x.device)
    weights = torch.where(weights <= lengths[:, None], weights, torch.zeros_like(weights))
    """,
    "arange takes dtype and device at once; the average is a batched product.",
    also=[("(x * weights.unsqueeze(-1)).sum(dim=1) / weights.sum(dim=1, keepdim=True)",
        "torch.bmm(weights.unsqueeze(1), x).squeeze(1) / weights.sum(dim=-1, keepdim=True)")])


moves_all_three_at_once = alternative.edited("return F.cross_entropy(scores, labels.to(device))",
    "return -scores.log_softmax(dim=1).gather(1, labels.to(device).unsqueeze(1)).mean()",
    "One line moves the batch, another takes the mean by hand.")

CountsFromZero = mistake.edited("(steps + 1) * mask", "steps * mask",
    "Step t has weight t instead of t + 1, so the first step does not count.")

CountsOneStepTooMany = mistake.edited("steps < lengths", "steps <= lengths",
    "One step too many counts in a sequence that is shorter than x: steps count from 0, so step t is valid if t < lengths[i].")

LeavesOutTheWeights = mistake.edited("((steps + 1) * mask).to(x.dtype)", "mask.to(x.dtype)",
    "All valid steps have weight 1: step t has weight t + 1.")

computes_the_loss_on_the_cpu = mistake.edited("F.cross_entropy(scores, labels.to(device))", "F.cross_entropy(scores.cpu(), labels.cpu())",
    "The loss was computed on the CPU: move the labels to the model's device, and leave the scores there.")

drops_the_moved_labels = mistake.edited("scores = model(x.to(device), lengths.to(device))",
    """
    labels.to(device)
    x, lengths = x.to(device), lengths.to(device)
    scores = model(x, lengths)
    """,
    "The labels stayed where they were: move all three tensors of the batch to the model's device.",
    also=[("labels.to(device))", "labels)")])

gives_the_labels_the_dtype_of_the_scores = mistake.edited("labels.to(device)", "labels.to(scores)",
    "The labels became floating-point numbers: move them to the device only, and keep int64.")

leaves_the_lengths = mistake.edited("lengths.to(device)", "lengths",
    "The lengths stayed where they were: move all three tensors of the batch to the model's device.")
