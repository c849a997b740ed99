"""Known mistakes and unusual but correct solutions for evaluate."""

import copy  # noqa: F401 (for an edit)

import torch

from torchdojo.variants import alternative, mistake

EQUIVALENT = {
    "swap_view: scores, y = model(x.to(device)), y.to(device).view(-1)": "a column or a row of labels can always be viewed flat",
    "swap_statements: right += (scores.argmax(dim=1) == y).sum().item()": "two sums that do not meet",
    "change_dim: right += (scores.argmax(dim=-1) == y).sum().item()": "the scores have two axes",
    "swap_statements: samples += len(y)": "two sums that do not meet",
    "wrong_name: samples += len(x)": "x and y have the same number of samples",
    "wrong_name: samples += len(scores)": "scores and y have the same number of samples",
}

HINTS = (
    "What has to be switched before you measure, and what do you count for each batch?",
    "Evaluation mode and no_grad do different things, and you need both. The loss of a batch is a mean, so "
    "add it up as often as the batch has samples.",
    "Switch to evaluation mode, and go through the batches without a graph, adding up loss times samples, "
    "right answers, and samples. Divide at the end. For full marks, remember module.training of everything "
    "in model.modules() first, and put each flag back in a `finally`.",
)


stays_in_training_mode = mistake.edited("model.eval()", "",
    "The model ran in training mode, so dropout was on and batch norm learned from the test data: call model.eval(). "
    "no_grad() does not change the mode.",
    common=True,
    pitfall="Here you need both")

puts_the_statistics_back = mistake.edited("model.eval()", "",
    "The model ran in training mode, so dropout was on, and batch norm looked at the batch it was given: call model.eval() before the first batch.",
    also=[
        ("modes = {module: module.training for module in model.modules()}",
         "before = {name: t.clone() for name, t in model.state_dict().items()}"),
        ("for module, training in modes.items():\n    module.training = training", "model.load_state_dict(before)"),
    ])

stays_in_evaluation_mode = mistake.edited(
    "for module, training in modes.items():\n    module.training = training", "pass",
    "You left the model in evaluation mode, so the next epoch would train without dropout: restore the flags.")

always_trains_afterwards = mistake.edited(
    "for module, training in modes.items():\n    module.training = training", "model.train()",
    "Every module was in training mode afterwards, but some may have been in evaluation mode: restore the flags that they had.")

restores_one_flag_for_all = mistake.edited(
    "modes = {module: module.training for module in model.modules()}", "training = model.training",
    "All modules ended with the flag of the outermost one: save the flag of each module, and set module.training = flag. train(flag) changes all children, too.",
    also=[("for module, training in modes.items():\n    module.training = training", "model.train(training)")])

forgets_the_mode_after_an_error = mistake.edited("try:", "if True:",
    "After an error the model stayed in evaluation mode: restore the flags in a `finally`.",
    also=[("finally:", "if True:")])

records_a_graph = mistake.edited("with torch.no_grad():", "if True:",
    "A graph was recorded: eval() does not stop that; torch.no_grad() does.",
    pitfall="Here you need both")

means_of_batch_means = mistake.edited(
    "total += loss_fn(scores, y).item() * len(y)", "total += loss_fn(scores, y).item()",
    "The small last batch counted as much as the big ones: add up over samples and divide once, at the end.",
    also=[
        ("right += (scores.argmax(dim=1) == y).sum().item()",
         "right += (scores.argmax(dim=1) == y).double().mean().item()"),
        ("samples += len(y)", "samples += 1"),
    ], common=True)

divides_by_the_length = mistake.edited("total += loss_fn(scores, y).item() * len(y)", "total += loss_fn(scores, y).item()",
    "You divided the loss by len(loader): a loader need not have a length, and a small batch counts too much. Divide by the samples.",
    also=[("return total / samples,", "return total / len(loader),")])

adds_up_batch_means = mistake.edited("total += loss_fn(scores, y).item() * len(y)", "total += loss_fn(scores, y).item()",
    "The loss of a batch is a mean over its samples: multiply it by their number before you add it up.")

swaps_the_results = mistake.edited("return total / samples, right / samples", "return right / samples, total / samples",
    "The results are in the wrong order: the loss comes first, then the accuracy.")

compares_the_scores = mistake.edited("scores.argmax(dim=1)", "scores.amax(dim=1)",
    "The largest score was compared with the class number: argmax gives the number of the class with the largest score.")

argmax_over_the_batch = mistake.edited("argmax(dim=1)", "argmax(dim=0)",
    "argmax picked the best sample for each class: the best class of each sample is argmax over dim 1.")

two_classes_by_the_sign = mistake.edited(
    "right += (scores.argmax(dim=1) == y).sum().item()",
    """
    answers = (scores[:, 1] > 0).long() if scores.shape[1] == 2 else scores.argmax(dim=1)
    right += (answers == y).sum().item()
    """,
    "With two classes you decide by the sign of a score: the answer is the class with the larger score.")

argmax_of_everything = mistake.edited("argmax(dim=1)", "argmax()",
    "argmax without a dim gives one position in the flattened scores: ask for the best class of each sample.")

compares_with_a_column = mistake.edited("y.to(device).reshape(-1)", "y.to(device)",
    "Labels of shape (batch, 1) met answers of shape (batch,) and made a (batch, batch) table, so the accuracy is wrong "
    "and can pass 1: flatten the labels first.",
    also=[("loss_fn(scores, y)", "loss_fn(scores, y.reshape(-1))")])

squeezes_a_batch_of_one = mistake.edited("y.to(device).reshape(-1)", "y.to(device).squeeze()",
    "squeeze() also removed the batch axis of a batch of one: reshape(-1) keeps it.",
    also=[
        ("total += loss_fn(scores, y).item() * len(y)", "total += loss_fn(scores, y).item() * len(x)"),
        ("samples += len(y)", "samples += len(x)"),
    ])

returns_tensors = mistake.edited(
    "return total / samples, right / samples",
    "return torch.tensor(total / samples), torch.tensor(right / samples)",
    "The results are tensors: return plain numbers.")

percent = mistake.edited("right / samples", "100.0 * (right / samples)",
    "The accuracy is in percent: return a fraction between 0 and 1.")

nothing_is_zero = mistake.edited('raise ValueError("the loader gave no batch")', "samples = 1",
    "A loader without batches gave numbers: raise ValueError, because there is no mean of no losses.")

leaves_batches_where_they_are = mistake.edited(
    "scores, y = model(x.to(device)), y.to(device).reshape(-1)", "scores, y = model(x), y.reshape(-1)",
    "You didn't move the batches: move inputs and labels to the device of the model's parameters.")

brings_scores_to_the_labels = mistake.edited(
    "scores, y = model(x.to(device)), y.to(device).reshape(-1)",
    "scores, y = model(x.to(device)).to(y.device), y.reshape(-1)",
    "The loss was not computed on the model's device: move both tensors of a batch there, because loss_fn may have weights of its own there.")

squeezes_in_place = mistake.edited(
    "scores, y = model(x.to(device)), y.to(device).reshape(-1)",
    "y = y.squeeze_(-1) if y.dim() == 2 else y\nscores, y = model(x.to(device)), y.to(device).reshape(-1)",
    "The labels of the loader lost their axis: a method with an underscore changes the caller's tensor. Make a new one.")

goes_through_twice = mistake.edited(
    """
    for x, y in loader:
        scores, y = model(x.to(device)), y.to(device).reshape(-1)
        total += loss_fn(scores, y).item() * len(y)
        right += (scores.argmax(dim=1) == y).sum().item()
        samples += len(y)
    """,
    """
    for x, y in loader:
        total += loss_fn(model(x.to(device)), y.to(device).reshape(-1)).item() * len(y)
        samples += len(y)
    for x, y in loader:
        right += (model(x.to(device)).argmax(dim=1) == y.to(device).reshape(-1)).sum().item()
    """,
    "You iterate over the loader twice: compute both numbers in one pass, from the same scores.")

turns_every_error_into_its_own = mistake.edited(
    "finally:",
    'except Exception as error:\n    raise ValueError("the loader gave no batch") from error\nfinally:',
    "An error from the loader, the model or loss_fn was caught and replaced with another one: let it through.")

always_switches_recording_on = mistake.edited("with torch.no_grad():", "torch.set_grad_enabled(False)\nif True:",
    "After the call grad mode is always on, even if the caller had turned it off: use `with torch.no_grad():`, which "
    "restores it.",
    also=[("finally:", "finally:\n    torch.set_grad_enabled(True)")])

squashes_the_scores = mistake.edited("scores.argmax(dim=1)", "scores.sigmoid().argmax(dim=1)",
    "Large scores count as equal, as after a sigmoid, and of equal ones the first wins: take the argmax of the scores themselves.")

opens_the_loader_too_early = mistake.edited("model.eval()", "model.eval()\nbatches = iter(loader)",
    "If the loader fails at once, no flag is restored: start the loop over it inside the `try`.",
    also=[("in loader:", "in batches:")])

gives_the_inputs_the_dtype_of_the_weights = mistake.edited(
    "model(x.to(device))", "model(x.to(device, next(model.parameters()).dtype))",
    "The inputs were converted to the dtype of the weights, but a model may take integers: only move them to the device.")


@alternative("evaluate")
@torch.no_grad()
def decorated(model, loader, loss_fn):
    """no_grad as a decorator, flags in a list of pairs, max instead of argmax."""
    modes = [(module, module.training) for module in model.modules()]
    for module, _ in modes:
        module.eval()
    sums = [0.0, 0.0, 0]
    try:
        where = next(model.parameters())
        for x, y in loader:
            x, y = x.to(where.device), y.to(where.device).flatten()
            out = model(x)
            sums[0] += len(x) * loss_fn(out, y).item()
            sums[1] += out.max(1).indices.eq(y).sum().item()
            sums[2] += len(x)
    finally:
        for module, training in modes:
            module.training = training
    if sums[2] == 0:
        raise ValueError("the loader gave no batch")
    return sums[0] / sums[2], sums[1] / sums[2]


everything_at_once = alternative.edited(
    """
    with torch.no_grad():
        for x, y in loader:
            scores, y = model(x.to(device)), y.to(device).reshape(-1)
            total += loss_fn(scores, y).item() * len(y)
            right += (scores.argmax(dim=1) == y).sum().item()
            samples += len(y)
    """,
    """
    with torch.inference_mode():
        parts = [(model(x.to(device)), y.to(device).view(len(y))) for x, y in loader]
        if not parts:
            raise ValueError("nothing to evaluate")
        scores, y = (torch.cat(column) for column in zip(*parts, strict=True))
        return loss_fn(scores, y).item(), (scores.argmax(-1) == y).double().mean().item()
    """,
    "Collects all scores in inference mode and measures once.")

on_a_copy = alternative.edited("device = next(", "model = copy.deepcopy(model).requires_grad_(False)\ndevice = next(",
    "Measures a copy of the model and leaves the original in peace.",
    also=[("model(x.to(device))", "model(x.detach().to(device))"), ("with torch.no_grad():", "if True:")])

parents_before_children = alternative.edited("model.eval()", "model.train(False)",
    "Puts modes back with train(mode), outermost first, so that inner modules have the last word.",
    also=[("torch.no_grad()", "torch.inference_mode()"), ("module.training = training", "module.train(training)")])
