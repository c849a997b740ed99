"""Known mistakes and odd-but-correct solutions for evaluate."""

import copy

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


def flags(model):
    """The training flag of each submodule."""
    return {module: module.training for module in model.modules()}


def restore(modes):
    """Put the flags back."""
    for module, training in modes.items():
        module.training = training


def best(scores, dim):
    """The answer of each sample."""
    return scores.argmax(dim=dim)


def by_sign(scores, dim):
    """Of two classes the second one, where its score is positive."""
    return (scores[:, 1] > 0).long() if scores.shape[1] == 2 else best(scores, dim)


def totals(model, loader, loss_fn, dim=1, answer=best):
    """Summed loss, right answers, samples."""
    device = next(model.parameters()).device
    total, right, samples = 0.0, 0, 0
    for x, y in loader:
        scores, y = model(x.to(device)), y.to(device).reshape(-1)
        total += loss_fn(scores, y).item() * len(y)
        right += (answer(scores, dim) == y).sum().item()
        samples += len(y)
    return total, right, samples


def means(total, right, samples):
    """Both means, or ValueError."""
    if samples == 0:
        raise ValueError("the loader gave no batch")
    return total / samples, right / samples


@mistake("evaluate", common=True)
def stays_in_training_mode(model, loader, loss_fn):
    """Dropout was on and batch norm learned from the test data: no_grad() does not change the mode,
    model.eval() does."""
    with torch.no_grad():
        return means(*totals(model, loader, loss_fn))


@mistake("evaluate")
def puts_the_statistics_back(model, loader, loss_fn):
    """The model ran in training mode, and only its statistics were put back: dropout was on, and batch norm looked at the batch
    it was given. Call model.eval() before the first batch."""
    before = {name: t.clone() for name, t in model.state_dict().items()}
    try:
        with torch.no_grad():
            return means(*totals(model, loader, loss_fn))
    finally:
        model.load_state_dict(before)


@mistake("evaluate")
def stays_in_evaluation_mode(model, loader, loss_fn):
    """You left the model in evaluation mode, so the next epoch would train without dropout: restore the flags."""
    model.eval()
    with torch.no_grad():
        return means(*totals(model, loader, loss_fn))


@mistake("evaluate")
def always_trains_afterwards(model, loader, loss_fn):
    """You call model.train() at the end, but the model may have been in evaluation mode: restore the flags that
    it had."""
    model.eval()
    try:
        with torch.no_grad():
            return means(*totals(model, loader, loss_fn))
    finally:
        model.train()


@mistake("evaluate")
def restores_one_flag_for_all(model, loader, loss_fn):
    """You restore one flag for the whole model, but submodules may differ, such as a frozen batch norm: note the
    flag of each module, and set module.training = flag. train(flag) changes all children."""
    training = model.training
    model.eval()
    try:
        with torch.no_grad():
            return means(*totals(model, loader, loss_fn))
    finally:
        model.train(training)


@mistake("evaluate")
def forgets_the_mode_after_an_error(model, loader, loss_fn):
    """After an error the model stayed in evaluation mode: restore the flags in a `finally`."""
    modes = flags(model)
    model.eval()
    with torch.no_grad():
        result = totals(model, loader, loss_fn)
    restore(modes)
    return means(*result)


@mistake("evaluate")
def records_a_graph(model, loader, loss_fn):
    """A graph was recorded for every batch: eval() does not stop that, torch.no_grad() does."""
    modes = flags(model)
    model.eval()
    try:
        return means(*totals(model, loader, loss_fn))
    finally:
        restore(modes)


@mistake("evaluate", common=True)
def means_of_batch_means(model, loader, loss_fn):
    """The small last batch counted as much as the big ones: add up over samples and divide once, at the
    end."""
    modes = flags(model)
    model.eval()
    try:
        with torch.no_grad():
            parts = [means(*totals(model, [batch], loss_fn)) for batch in loader]
    finally:
        restore(modes)
    if not parts:
        raise ValueError("the loader gave no batch")
    return sum(part[0] for part in parts) / len(parts), sum(part[1] for part in parts) / len(parts)


@mistake("evaluate")
def argmax_over_the_batch(model, loader, loss_fn):
    """argmax picked the best sample for each class: the best class of each sample is argmax over dim 1."""
    modes = flags(model)
    model.eval()
    try:
        with torch.no_grad():
            return means(*totals(model, loader, loss_fn, dim=0))
    finally:
        restore(modes)


@mistake("evaluate")
def two_classes_by_the_sign(model, loader, loss_fn):
    """With two classes you decide by the sign of a score: the answer is the class with the larger score."""
    modes = flags(model)
    model.eval()
    try:
        with torch.no_grad():
            return means(*totals(model, loader, loss_fn, answer=by_sign))
    finally:
        restore(modes)


@mistake("evaluate")
def argmax_of_everything(model, loader, loss_fn):
    """argmax without a dim gives one position in the flattened scores: ask for the best class of each
    sample."""
    modes = flags(model)
    model.eval()
    try:
        with torch.no_grad():
            return means(*totals(model, loader, loss_fn, dim=None))
    finally:
        restore(modes)


@mistake("evaluate")
def compares_with_a_column(model, loader, loss_fn):
    """Labels of shape (batch, 1) met answers of shape (batch,) and made a (batch, batch) table, so the
    accuracy is wrong and can pass 1: flatten the labels first."""
    device = next(model.parameters()).device
    modes = flags(model)
    model.eval()
    total, right, samples = 0.0, 0, 0
    try:
        with torch.no_grad():
            for x, y in loader:
                scores, y = model(x.to(device)), y.to(device)
                total += loss_fn(scores, y.reshape(-1)).item() * len(y)
                right += (scores.argmax(dim=1) == y).sum().item()
                samples += len(y)
    finally:
        restore(modes)
    return means(total, right, samples)


@mistake("evaluate")
def squeezes_a_batch_of_one(model, loader, loss_fn):
    """squeeze() also removed the batch axis of a batch of one: reshape(-1) keeps it."""
    modes = flags(model)
    model.eval()
    try:
        with torch.no_grad():
            device = next(model.parameters()).device
            total, right, samples = 0.0, 0, 0
            for x, y in loader:
                scores, y = model(x.to(device)), y.to(device).squeeze()
                total += loss_fn(scores, y).item() * len(x)
                right += (scores.argmax(dim=1) == y).sum().item()
                samples += len(x)
    finally:
        restore(modes)
    return means(total, right, samples)


@mistake("evaluate")
def returns_tensors(model, loader, loss_fn):
    """The results are tensors: return plain numbers."""
    modes = flags(model)
    model.eval()
    try:
        with torch.no_grad():
            loss, accuracy = means(*totals(model, loader, loss_fn))
    finally:
        restore(modes)
    return torch.tensor(loss), torch.tensor(accuracy)


@mistake("evaluate")
def percent(model, loader, loss_fn):
    """The accuracy is in percent: return a share between 0 and 1."""
    modes = flags(model)
    model.eval()
    try:
        with torch.no_grad():
            loss, accuracy = means(*totals(model, loader, loss_fn))
    finally:
        restore(modes)
    return loss, 100.0 * accuracy


@mistake("evaluate")
def nothing_is_zero(model, loader, loss_fn):
    """A loader without batches gave numbers: raise ValueError, because there is no mean of no losses."""
    modes = flags(model)
    model.eval()
    try:
        with torch.no_grad():
            total, right, samples = totals(model, loader, loss_fn)
    finally:
        restore(modes)
    return total / max(samples, 1), right / max(samples, 1)


@mistake("evaluate")
def leaves_batches_where_they_are(model, loader, loss_fn):
    """You didn't move the batches: move inputs and labels to the device of the model's parameters."""
    modes = flags(model)
    model.eval()
    total, right, samples = 0.0, 0, 0
    try:
        with torch.no_grad():
            for x, y in loader:
                scores, y = model(x), y.reshape(-1)
                total += loss_fn(scores, y).item() * len(y)
                right += (scores.argmax(dim=1) == y).sum().item()
                samples += len(y)
    finally:
        restore(modes)
    return means(total, right, samples)


@mistake("evaluate")
def brings_scores_to_the_labels(model, loader, loss_fn):
    """The scores were moved to the labels: both tensors of a batch go to the device of the model, where loss_fn may have
    weights of its own."""
    modes, device = flags(model), next(model.parameters()).device
    model.eval()
    total, right, samples = 0.0, 0, 0
    try:
        with torch.no_grad():
            for x, y in loader:
                scores, y = model(x.to(device)).to(y.device), y.reshape(-1)
                total += loss_fn(scores, y).item() * len(y)
                right += (scores.argmax(dim=1) == y).sum().item()
                samples += len(y)
    finally:
        restore(modes)
    return means(total, right, samples)


@mistake("evaluate")
def squeezes_in_place(model, loader, loss_fn):
    """The labels of the loader lost their axis: a method with an underscore changes the caller's tensor. Make
    a new one."""
    modes = flags(model)
    model.eval()
    try:
        with torch.no_grad():
            batches = ((x, y.squeeze_(-1) if y.dim() == 2 else y) for x, y in loader)
            result = totals(model, batches, loss_fn)
    finally:
        restore(modes)
    return means(*result)


@mistake("evaluate")
def goes_through_twice(model, loader, loss_fn):
    """You iterate over the loader twice, once for each number: compute both from the same scores."""
    modes = flags(model)
    model.eval()
    try:
        with torch.no_grad():
            total, _, samples = totals(model, loader, loss_fn)
            right = totals(model, loader, loss_fn)[1]
    finally:
        restore(modes)
    return means(total, right, samples)


@mistake("evaluate")
def turns_every_error_into_its_own(model, loader, loss_fn):
    """An error of the loader, the model or loss_fn was caught and another one raised in its place: let it pass through."""
    modes = flags(model)
    model.eval()
    try:
        with torch.no_grad():
            return means(*totals(model, loader, loss_fn))
    except Exception as error:
        raise ValueError("the loader gave no batch") from error
    finally:
        restore(modes)


@mistake("evaluate")
def always_switches_recording_on(model, loader, loss_fn):
    """After the call grad mode is always on, even if the caller had turned it off: use `with torch.no_grad():`,
    which restores it."""
    modes = flags(model)
    model.eval()
    torch.set_grad_enabled(False)
    try:
        return means(*totals(model, loader, loss_fn))
    finally:
        restore(modes)
        torch.set_grad_enabled(True)


@mistake("evaluate")
def squashes_the_scores(model, loader, loss_fn):
    """The scores went through sigmoid first, which makes all large ones 1, and of equal ones the first wins: take the argmax of the scores
    themselves."""
    modes = flags(model)
    model.eval()
    try:
        with torch.no_grad():
            return means(*totals(model, loader, loss_fn, answer=lambda scores, dim: best(scores.sigmoid(), dim)))
    finally:
        restore(modes)


@mistake("evaluate")
def opens_the_loader_too_early(model, loader, loss_fn):
    """iter(loader) runs after eval() and before the `try`: if it raises, no flag is restored."""
    modes = flags(model)
    model.eval()
    batches = iter(loader)
    try:
        with torch.no_grad():
            return means(*totals(model, batches, loss_fn))
    finally:
        restore(modes)


@mistake("evaluate")
def gives_the_inputs_the_dtype_of_the_weights(model, loader, loss_fn):
    """The inputs were converted to the dtype of the weights, but a model may need integers: only move them to the
    device."""
    dtype, modes = next(model.parameters()).dtype, flags(model)
    model.eval()
    try:
        with torch.no_grad():
            return means(*totals(model, ((x.to(dtype), y) for x, y in loader), loss_fn))
    finally:
        restore(modes)


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
    return means(*sums)


@alternative("evaluate")
def everything_at_once(model, loader, loss_fn):
    """Collects all scores in inference mode and measures once."""
    where = next(model.parameters()).device
    modes = flags(model)
    model.eval()
    try:
        with torch.inference_mode():
            parts = [(model(x.to(where)), y.to(where).view(len(y))) for x, y in loader]
            if not parts:
                raise ValueError("nothing to evaluate")
            scores, y = (torch.cat(column) for column in zip(*parts, strict=True))
            return loss_fn(scores, y).item(), (scores.argmax(-1) == y).double().mean().item()
    finally:
        restore(modes)


@alternative("evaluate")
def on_a_copy(model, loader, loss_fn):
    """Measures a copy of the model and leaves the original in peace."""
    twin = copy.deepcopy(model).eval().requires_grad_(False)
    return means(*totals(twin, ((x.detach(), y) for x, y in loader), loss_fn))


@alternative("evaluate")
def parents_before_children(model, loader, loss_fn):
    """Puts modes back with train(mode), outermost first, so that inner modules have the last word."""
    modes = list(flags(model).items())
    try:
        with torch.inference_mode():
            return means(*totals(model.train(False), loader, loss_fn))
    finally:
        for module, training in modes:
            module.train(training)
